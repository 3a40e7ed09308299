"""Agents of the checkout as opponents of a learner, single and vectorised."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest

import nijar_env  # noqa: F401
from agents.opponent import Opponent
from agents.registry import make_agent


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_a_whole_game_against_an_agent(name: str) -> None:
    env = gymnasium.make(
        "nijar_env/Nijar-v0", num_players=2, opponents=Opponent(make_agent(name)), seat=0
    )
    _, info = env.reset(seed=3)
    total, done = 0.0, False
    rng = np.random.default_rng(0)
    while not done:
        action = rng.choice(np.flatnonzero(info["action_mask"]))
        _, reward, done, truncated, info = env.step(action)
        total += float(reward)
        assert not truncated
    assert total in (1.0, -1.0)
    if name == "greedy":  # a planner beats random play
        assert info["scores"][1] > info["scores"][0]


def test_the_same_game_in_a_vector_environment() -> None:
    def play(vectorised: bool) -> list[float]:
        opponents = Opponent(make_agent("random"), seed=5)
        if vectorised:
            env = gymnasium.make_vec("nijar_env/Nijar-v0", num_envs=1, opponents=opponents)
        else:
            env = gymnasium.make("nijar_env/Nijar-v0", opponents=opponents)
        observation, _ = env.reset(seed=1)
        seen = []
        for _ in range(40):
            mask = observation["action_mask"].reshape(-1)
            action = int(np.flatnonzero(mask)[0])
            observation = env.step(np.array([action]) if vectorised else action)[0]
            seen.append(float(np.abs(observation["observation"]).sum()))
        return seen

    assert play(True) == play(False)
