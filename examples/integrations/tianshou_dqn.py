"""Tianshou's DQN in solo games: observations become `obs` and `mask`, which it masks by.

pip install nijar-env tianshou torch
python examples/integrations/tianshou_dqn.py --steps 5000
"""

from __future__ import annotations

import argparse
from importlib.metadata import version
from typing import Any

import gymnasium
import numpy as np
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.utils.net.common import Net
from tianshou.utils.torch_utils import policy_within_training_step

import nijar_env  # noqa: F401 (registers the ids)


def renamed(seen: dict[str, Any]) -> dict[str, Any]:
    """The names that Tianshou looks for; the mask as booleans."""
    return {"obs": seen["observation"], "mask": seen["action_mask"].astype(bool)}


def solo() -> gymnasium.Env:
    """One player against the Competition; VP as they come, in tens."""
    env = gymnasium.make("nijar_env/Nijar-Solo-v0", reward="vp")
    env = gymnasium.wrappers.TransformReward(env, lambda vp: vp / 10)
    space = gymnasium.spaces.Dict(
        {
            "obs": env.observation_space["observation"],
            "mask": gymnasium.spaces.MultiBinary(int(env.action_space.n)),
        }
    )
    return gymnasium.wrappers.TransformObservation(env, renamed, space)


def main() -> None:
    """Collect and learn by turns, then play greedily."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=2_000)
    parser.add_argument("--games", type=int, default=8, help="games at once")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    np.random.seed(options.seed)  # noqa: NPY002 (what Tianshou explores with)

    env = solo()
    policy = DiscreteQLearningPolicy(
        model=Net(
            state_shape=env.observation_space["obs"].shape,
            action_shape=env.action_space.n,
            hidden_sizes=[128, 128],
        ),
        action_space=env.action_space,
        observation_space=env.observation_space["obs"],
        eps_training=0.1,
    )
    algorithm = DQN(
        policy=policy,
        optim=AdamOptimizerFactory(lr=1e-3),
        gamma=1.0,
        n_step_return_horizon=3,
        target_update_freq=200,
    )
    buffer = VectorReplayBuffer(20_000, options.games)
    envs = DummyVectorEnv([solo for _ in range(options.games)])
    envs.seed(options.seed)
    collector = Collector(algorithm, envs, buffer, exploration_noise=True)
    collector.reset()
    # `random=True` would draw from the action space and not see the masks.
    with policy_within_training_step(policy):
        collector.collect(n_step=64 * options.games)
    losses = []
    while collector.collect_step < options.steps:
        with policy_within_training_step(policy):
            collector.collect(n_step=8 * options.games)
            losses.append(algorithm.update(buffer=buffer, sample_size=128).loss)
    print(f"{collector.collect_step:,} decisions, loss {np.mean(losses[-20:]):.3f}")

    test = Collector(algorithm, DummyVectorEnv([solo for _ in range(4)]))
    test.reset()
    played = test.collect(n_episode=4)
    print(f"tianshou {version('tianshou')}: {10 * played.returns.mean():.1f} VP in 4 games")


if __name__ == "__main__":
    main()
