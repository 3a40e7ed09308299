"""Every public field, and every private one of the observer, can be read back exactly."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from nijar_env.components import load_box
from nijar_env.components import vocabulary as v
from nijar_env.core import constants as c
from nijar_env.core.layout import observation_size
from nijar_env.decode import decode, read_fields
from nijar_env.game import Game
from tests.observation.states import (
    KIND_IDS,
    KINDS,
    copy_record,
    observe_record,
    random_states,
)
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


def fill_with_anything(g: Any, rng: np.random.Generator) -> None:
    """Values that play seldom or never reaches: full rows, many copies, large and negative VP."""
    n, seats = int(g.num_players), int(g.num_seats)
    g.vp[:seats] = rng.integers(-500, 2000, seats)
    g.vp_from[:seats] = rng.integers(-500, 2000, (seats, c.NUM_VP_SOURCES))
    g.pg[:n] = rng.integers(0, 55, n)
    g.clay[:n] = rng.integers(0, 8, n)
    g.technology[:n] = rng.integers(1, 4, n)
    g.discards[:] = rng.integers(0, 17, v.NUM_CARDS)
    g.deck_seen[:] = rng.integers(0, 17, v.NUM_CARDS)
    g.draft[:] = rng.integers(-1, v.NUM_CARDS, g.draft.shape)
    g.track[:seats] = rng.permutation(seats)
    g.hand[:n] = 0
    used = np.flatnonzero(load_box().record[0]["card_type"][: v.NUM_CARDS] >= 0)
    for p in range(n):
        g.hand[p, rng.choice(used, 5, replace=False)] = rng.integers(1, 17, 5)
    g.hand_size[:n] = g.hand[:n].sum(axis=1)
    g.hand_dealt[:n] = rng.integers(0, g.hand[:n] + 1)
    for codes, pieces, sizes, kind in (
        (g.firing_kiln, g.firing_piece, g.firing_size, v.FIRING_KILN),
        (g.workshop, g.workshop_piece, g.workshop_size, v.WORKSHOP),
        (g.glaze_kiln, g.glaze_piece, g.glaze_size, v.GLAZE_KILN),
        (g.cleanup, g.cleanup_cracks, g.cleanup_size, v.CLEANUP),
    ):
        first = v.TYPE_BASE[kind]
        codes[:n] = rng.integers(first, first + v.TYPE_COPIES[kind], (n, v.MAX_ROW))
        pieces[:n] = rng.integers(0, 2, (n, v.MAX_ROW)) + (0 if kind == v.CLEANUP else -1)
        sizes[:n] = v.MAX_ROW
    g.wheel[:n] = rng.integers(-1, 16, (n, v.WHEEL_SPACES))
    g.wheel_done[:n] = g.wheel[:n] >= 8
    g.esparto[:n, 1:] = rng.integers(-1, 4, (n, 3)) + v.TYPE_BASE[v.ESPARTO]
    g.esparto[g.esparto == v.TYPE_BASE[v.ESPARTO] - 1] = -1
    g.drying[:n] = rng.integers(0, 17, (n, 3))
    g.depth = c.MAX_FRAMES
    g.frames[:, 0] = rng.permutation(np.arange(c.MAX_FRAMES) % len(c.FRAME_KINDS))
    g.frames[:, 1] = rng.integers(0, seats, c.MAX_FRAMES)
    g.frames[:, 2] = rng.integers(0, 3, c.MAX_FRAMES)
    g.frames[::3, 2] = rng.integers(-1, 2**v.MAX_ROW)
    g.frames[-1] = (c.F_REWARDS, 0, 2**v.MAX_ROW - 1, 0, 0, 0)
    g.frames[:, 3:] = rng.integers(0, 8, (c.MAX_FRAMES, 3))


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_values_out_of_the_ordinary(players: int) -> None:
    box = load_box()
    rng = np.random.default_rng(players)
    for number, game in enumerate(random_states(players, seed=5)):
        if number % 25:
            continue
        games = copy_record(game)
        fill_with_anything(games[0], rng)
        player = number % players
        known = decode(observe_record(games, player), player)
        assert not differences(known, visible(games[0], player, box))


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
