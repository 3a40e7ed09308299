"""The vector loop: many solo games in one batch, masks and results of finished games.

python examples/vector_loop.py --games 256 --steps 500
"""

from __future__ import annotations

import argparse
import time

import gymnasium
import numpy as np

import nijar_env  # registers the ids
from nijar_env.sampling import sample_actions


def main() -> None:
    """Play at random and print how the finished games went."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=256)
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--difficulty", default="normal")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()

    # "SameStep": where a game ends, the next one is dealt within the step. Every mask then has a
    # legal action, and every step of every game is a decision.
    envs = gymnasium.make_vec(
        "nijar_env/Nijar-Solo-v0",
        num_envs=options.games,
        difficulty=options.difficulty,
        reward="vp",
        autoreset_mode="SameStep",
    )
    rng = np.random.default_rng(options.seed)
    observations, infos = envs.reset(seed=options.seed)
    returns, finished, won = np.zeros(options.games), [], 0
    start = time.perf_counter()
    for _ in range(options.steps):
        # Here a policy would look at observations["observation"], (games, size).
        actions = sample_actions(observations["action_mask"], rng)
        observations, rewards, terminations, _, infos = envs.step(actions)
        returns += rewards
        for game in np.flatnonzero(terminations):
            result = infos["final_info"]  # arrays; infos["final_obs"][game] is what it ended with
            assert returns[game] == result["scores"][game, 0]
            won += result["winner"][game] == 0
            finished.append(returns[game])
            returns[game] = 0.0
    rate = options.games * options.steps / (time.perf_counter() - start)
    envs.close()
    print(f"nijar_env {nijar_env.__version__}: {rate:,.0f} decisions a second")
    if finished:
        print(f"{len(finished)} games, {np.mean(finished):.1f} VP on average, {won} won")


if __name__ == "__main__":
    main()
