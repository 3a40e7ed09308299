"""Every public field, and every private one of the observer, can be read back exactly."""

from __future__ import annotations

import numpy as np
import pytest

from nijar_env.components import load_box
from nijar_env.core.layout import observation_size
from nijar_env.decode import decode, read_fields
from nijar_env.game import Game
from tests.observation.states import KIND_IDS, KINDS, random_states
from tests.observation.visible import differences, visible


@pytest.mark.parametrize(("players", "difficulty"), KINDS, ids=KIND_IDS)
def test_round_trip(players: int, difficulty: str) -> None:
    box = load_box()
    for seed in range(2):
        for number, game in enumerate(random_states(players, difficulty, seed)):
            player = number % players
            known = decode(game.observation(player), player)
            wrong = differences(known, visible(game.record, player, box))
            assert not wrong, f"decision {number}: {wrong}"


def test_unknown_shape() -> None:
    with pytest.raises(ValueError, match="an observation is a vector of"):
        decode(np.zeros(10, np.float32), 0)


def test_unknown_player() -> None:
    observation = Game(3, seed=1).observation(0)
    with pytest.raises(ValueError, match="player must be 0 to 2"):
        decode(observation, 3)


def test_fields_have_their_shape() -> None:
    values = read_fields(np.zeros(observation_size(1), np.float32), derived=True)
    assert values["draft"].shape == (3, 5)
    assert values["competition.next_back"].shape == (3, 2, 3)
    assert "own.wheel_next" not in read_fields(np.zeros(observation_size(1), np.float32))
