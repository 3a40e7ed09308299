"""RLlib's PPO on its new API stack with action masks: solo, or self-play of several seats.

RLlib ships an RLModule that masks; it wants the observation under the name `observations`. Every
seat of self-play uses the one module.

    pip install nijar-env 'ray[rllib]' torch
    python examples/integrations/rllib_ppo.py --players 2 --iterations 3
"""

from __future__ import annotations

import argparse
from typing import Any

import gymnasium
import numpy as np
import ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.multi_agent_env import MultiAgentEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

from nijar_env import nijar_v0


def renamed_space(space: gymnasium.spaces.Dict) -> gymnasium.spaces.Dict:
    """`observation` under the name that RLlib's module looks for."""
    return gymnasium.spaces.Dict(
        {"observations": space["observation"], "action_mask": space["action_mask"]}
    )


def renamed(seen: dict[str, Any]) -> dict[str, Any]:
    """The same for an observation."""
    return {"observations": seen["observation"], "action_mask": seen["action_mask"]}


def solo(_: dict[str, Any]) -> gymnasium.Env:
    """One player against the Competition; VP as they come, in tens."""
    env = gymnasium.make("nijar_env/Nijar-Solo-v0", reward="vp")
    env = gymnasium.wrappers.TransformReward(env, lambda vp: vp / 10)
    return gymnasium.wrappers.TransformObservation(
        env, renamed, renamed_space(env.observation_space)
    )


class Table(MultiAgentEnv):
    """A table of players who learn: RLlib is asked for the seat that decides, one at a time."""

    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__()
        self._env = nijar_v0.raw_env(config["players"])
        self.possible_agents = self.agents = list(self._env.possible_agents)
        self.observation_spaces = {
            agent: renamed_space(self._env.observation_space(agent)) for agent in self.agents
        }
        self.action_spaces = {agent: self._env.action_space(agent) for agent in self.agents}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """A new game; the observation of the first to decide."""
        self._env.reset(seed=seed)
        self.agents = list(self.possible_agents)
        return self._seen(), {}

    def step(self, actions: dict[str, Any]) -> Any:
        """One decision; the observation of the next to decide, and what every seat earned."""
        self._env.step(int(actions[self._env.agent_selection]))
        over = all(self._env.terminations.values())
        # RLlib adds up what a seat is paid until it decides again; at the end everybody is paid.
        rewards = {agent: float(paid) for agent, paid in self._env.rewards.items()}
        ended = dict.fromkeys([*self.possible_agents, "__all__"], over)
        seen = self._last_seen() if over else self._seen()
        return seen, rewards, ended, dict.fromkeys(ended, False), {}

    def _seen(self) -> dict[str, Any]:
        agent = self._env.agent_selection
        return {agent: renamed(self._env.observe(agent))}

    def _last_seen(self) -> dict[str, Any]:
        return {agent: renamed(self._env.observe(agent)) for agent in self.possible_agents}


def make_config(players: int) -> PPOConfig:
    """PPO in this process; with runners of its own it needs only `num_env_runners`."""
    register_env("nijar", Table if players > 1 else solo)
    module = RLModuleSpec(
        module_class=ActionMaskingTorchRLModule,
        model_config={"fcnet_hiddens": [128, 128], "vf_share_layers": False},
    )
    config = (
        PPOConfig()
        # RLlib's check of environments takes an action without looking at the mask.
        .environment("nijar", env_config={"players": players}, disable_env_checking=True)
        .env_runners(num_env_runners=0)
        .learners(num_learners=0)
        .training(
            train_batch_size_per_learner=600, minibatch_size=128, num_epochs=2, lr=3e-4, gamma=1.0
        )
    )
    if players == 1:
        return config.rl_module(rl_module_spec=module)
    return config.multi_agent(
        policies={"all"}, policy_mapping_fn=lambda agent, *_, **__: "all"
    ).rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"all": module}))


def main() -> None:
    """Train for some iterations and print how the finished games went."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=1, choices=[1, 2, 3, 4])
    parser.add_argument("--iterations", type=int, default=2)
    options = parser.parse_args()

    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, logging_level="error")
    algorithm = make_config(options.players).build_algo()
    for number in range(options.iterations):
        result = algorithm.train()
        played = result["env_runners"]
        mean = played.get("episode_return_mean", np.nan)
        print(
            f"iteration {number}: {played['num_env_steps_sampled_lifetime']:,.0f} decisions, "
            f"mean return {mean:.2f}, {played.get('episode_len_mean', np.nan):.0f} decisions a game"
        )
    algorithm.stop()
    ray.shutdown()
    # An illegal action would have raised: masks were kept in every one of these decisions.
    print(f"ray {ray.__version__}, gymnasium {gymnasium.__version__}: trained")


if __name__ == "__main__":
    main()
