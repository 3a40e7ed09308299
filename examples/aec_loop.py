"""The PettingZoo loop: random players, a fast pick from the mask, every agent's return.

python examples/aec_loop.py --players 3 --games 5
"""

from __future__ import annotations

import argparse

import numpy as np

from nijar_env import nijar_v0


def main() -> None:
    """Play games and print what each agent was paid."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=2, choices=[1, 2, 3, 4])
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()

    env = nijar_v0.env(options.players, reward="vp")
    rng = np.random.default_rng(options.seed)
    for number in range(options.games):
        # The first reset is seeded; those without a seed go on with the games that follow from it.
        env.reset(seed=options.seed if number == 0 else None)
        returns = dict.fromkeys(env.agents, 0.0)
        for agent in env.agent_iter():
            # `last` pays what has come since the agent's last action. So it is also read when the
            # agent is done: final scoring, and the result of a game that another ended, wait there.
            observation, reward, termination, truncation, _ = env.last()
            returns[agent] += reward
            if termination or truncation:
                env.step(None)
                continue
            legal = np.flatnonzero(observation["action_mask"])  # much faster than Discrete.sample
            env.step(legal[rng.integers(len(legal))])
        game = env.unwrapped.game
        paid = ", ".join(f"{agent} {vp:.0f} VP" for agent, vp in returns.items())
        print(f"game {number}: {paid}; seat {game.winner} of {game.num_seats} wins")
        assert list(returns.values()) == game.scores()[: options.players]


if __name__ == "__main__":
    main()
