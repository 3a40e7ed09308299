"""PufferLib's emulation and vector environments with masks, under a small actor-critic loop.

PufferLib flattens an observation with its mask into one row of bytes; `nativize_tensor` gives both
back to the policy. Its own trainer needs its compiled CUDA part, so a loop stands here.

    python examples/integrations/pufferlib_actor_critic.py --steps 200
"""

from __future__ import annotations

import argparse
from importlib.metadata import version
from typing import Any

import gymnasium
import numpy as np
import pufferlib.emulation
import pufferlib.pytorch
import pufferlib.vector
import torch
from torch import nn
from torch.distributions import Categorical

import nijar_env  # noqa: F401 (registers the ids)


def solo(buf: Any = None, seed: int = 0) -> pufferlib.emulation.GymnasiumPufferEnv:
    """One player against the Competition, VP as they come; PufferLib gives buffer and seed."""
    return pufferlib.emulation.GymnasiumPufferEnv(
        env_creator=lambda: gymnasium.make("nijar_env/Nijar-Solo-v0", reward="vp"),
        buf=buf,
        seed=seed,
    )


class Policy(nn.Module):
    """Logits of legal actions and a value, from PufferLib's rows of bytes."""

    def __init__(self, env: Any) -> None:
        super().__init__()
        self.dtype = pufferlib.pytorch.nativize_dtype(env.emulated)
        size = env.env.observation_space["observation"].shape[0]
        self.body = nn.Sequential(nn.Linear(size, 128), nn.ReLU())
        self.actor = nn.Linear(128, env.single_action_space.n)
        self.critic = nn.Linear(128, 1)

    def forward(self, rows: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        """A distribution over legal actions, and the value."""
        seen = pufferlib.pytorch.nativize_tensor(rows, self.dtype)
        hidden = self.body(seen["observation"].float())
        illegal = seen["action_mask"] == 0
        return Categorical(logits=self.actor(hidden).masked_fill(illegal, -1e9)), self.critic(
            hidden
        )


def main() -> None:
    """Learn from one step at a time, and print the mean return of finished games."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=150)
    parser.add_argument("--games", type=int, default=16, help="games at once")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)  # the networks are small

    envs = pufferlib.vector.make(
        solo, backend=pufferlib.vector.Serial, num_envs=options.games, seed=options.seed
    )
    policy = Policy(envs.driver_env)
    optimizer = torch.optim.Adam(policy.parameters(), lr=3e-4)
    rows, _ = envs.reset(seed=options.seed)
    returns, finished = np.zeros(options.games), []
    ended = torch.zeros(options.games)
    for _ in range(options.steps):
        chances, value = policy(torch.as_tensor(rows.copy()))
        actions = chances.sample()
        rows, rewards, terminals, _, _ = envs.step(actions.numpy())  # an illegal one would raise
        with torch.no_grad():
            _, after = policy(torch.as_tensor(rows.copy()))
        going_on = torch.as_tensor(1.0 - terminals, dtype=torch.float32)
        target = torch.as_tensor(rewards / 10, dtype=torch.float32) + going_on * after[:, 0]
        # Where a game had ended the step only dealt the next one: nothing was decided.
        advantage = (target - value[:, 0]) * (1 - ended)
        loss = advantage.square().mean() - (advantage.detach() * chances.log_prob(actions)).mean()
        optimizer.zero_grad()
        loss.backward()
        ended = 1 - going_on
        optimizer.step()
        returns += rewards
        for game in np.flatnonzero(terminals):
            finished.append(returns[game])
            returns[game] = 0.0
    envs.close()
    mean = f"{np.mean(finished):.1f} VP" if finished else "-"
    decisions = options.steps * options.games
    print(
        f"pufferlib-core {version('pufferlib-core')}: {decisions:,} decisions, "
        f"{len(finished)} games ended, {mean}"
    )


if __name__ == "__main__":
    main()
