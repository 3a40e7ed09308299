"""Solo with MaskablePPO: trains on a native batch, then plays some games with what it learned.

pip install 'nijar-env[train]'
python examples/solo_maskable_ppo.py --steps 1000000
"""

from __future__ import annotations

import argparse

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO

import nijar_env  # noqa: F401 (registers the ids)
from nijar_env.sb3 import NijarVecEnv


def main() -> None:
    """Train, then play."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=200_000)
    parser.add_argument("--games", type=int, default=128, help="games at once")
    parser.add_argument("--difficulty", default="normal")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    torch.set_num_threads(1)  # the networks are small

    # No loop over environments: one call steps all games. Rewards are VP as they come.
    envs = NijarVecEnv(options.games, difficulty=options.difficulty, reward="vp", seed=options.seed)
    model = MaskablePPO(
        "MlpPolicy",
        envs,
        n_steps=64,
        batch_size=2048,
        n_epochs=4,
        learning_rate=3e-4,
        gamma=1.0,
        policy_kwargs={"net_arch": [256, 256]},
        seed=options.seed,
        verbose=1,
    )
    model.learn(options.steps)
    envs.close()

    env = gymnasium.make(
        "nijar_env/Nijar-Solo-v0",
        difficulty=options.difficulty,
        observation="flat",
        reward="vp",
    )
    scores = []
    for number in range(10):
        observation, info = env.reset(seed=1000 + number)
        terminated = False
        while not terminated:
            action, _ = model.predict(
                observation, action_masks=info["action_mask"], deterministic=True
            )
            observation, _, terminated, _, info = env.step(action)
        scores.append(info["scores"])
    own, competition = np.mean(scores, axis=0)
    print(f"{len(scores)} games: {own:.1f} VP, the Competition {competition:.1f}")


if __name__ == "__main__":
    main()
