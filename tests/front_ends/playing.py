"""Playing the PettingZoo environment in tests."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from nijar_env import nijar_v0

Env = Any
MAKERS = {"env": nijar_v0.env, "raw_env": nijar_v0.raw_env}
every_env = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
every_count = pytest.mark.parametrize("players", [1, 2, 3, 4])


def chooser(seed: int = 0) -> Callable[[Any], int]:
    """Picks a random legal action from a mask."""
    rng = random.Random(seed)
    return lambda mask: rng.choice(np.flatnonzero(mask).tolist())


def steps(env: Env, choose: Callable[[Any], int]) -> Iterator[str]:
    """Play the episode of an environment to its end, dead steps included, as the documentation
    shows; yields who has acted after each step."""
    for agent in env.agent_iter():
        observation, _, termination, truncation, _ = env.last()
        assert not truncation
        env.step(None if termination else choose(observation["action_mask"]))
        yield agent


def advance(env: Env, count: int, seed: int = 0) -> None:
    """Take so many random steps."""
    choose = chooser(seed)
    for _ in range(count):
        env.step(choose(env.observe(env.agent_selection)["action_mask"]))


def trace(env: Env, seed: int = 0) -> list[Any]:
    """Everything that the rest of an episode shows."""
    seen: list[Any] = []
    choose = chooser(seed)
    for agent in env.agent_iter():
        observation, reward, termination, _, info = env.last()
        action = None if termination else choose(observation["action_mask"])
        masks = (observation["action_mask"].tobytes(), info["action_mask"].tobytes())
        seen.append((agent, action, observation["observation"].tobytes(), reward, *masks))
        env.step(action)
    return seen
