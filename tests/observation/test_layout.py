"""The layout covers the vector, is the same for every box, and its bounds hold."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from nijar_env.components import Box, load_box
from nijar_env.components import vocabulary as v
from nijar_env.core.features import card_feature_names, card_features
from nijar_env.core.layout import (
    SEAT_SIZE,
    SEATS_AT,
    layout_hash,
    observation_bounds,
    observation_layout,
    observation_size,
)
from nijar_env.core.observe import observe_games
from nijar_env.game import Game
from tests.observation.states import KIND_IDS, KINDS, random_states

PLAYERS = (1, 2, 3, 4)


@pytest.mark.parametrize("players", PLAYERS)
def test_fields_follow_each_other(players: int) -> None:
    at = 0
    for field in observation_layout(players):
        assert field.start == at, field.name
        at = field.stop
        assert at - field.start == np.prod(field.shape)
        assert field.low <= 0 < field.high
        assert np.log2(field.scale) % 1 == 0
        assert field.meaning
        assert field.visibility in ("public", "private", "derived")
    assert at == observation_size(players)
    names = [field.name for field in observation_layout(players)]
    assert len(set(names)) == len(names)


def test_sizes() -> None:
    """A network's input: a change here breaks every stored one."""
    assert [observation_size(n) for n in PLAYERS] == [1564, 1722, 1977, 2232]


@pytest.mark.parametrize("players", PLAYERS)
def test_blocks(players: int) -> None:
    fields = {field.name: field for field in observation_layout(players)}
    shared = [field for field in observation_layout(players) if field.start < SEATS_AT]
    assert shared == [field for field in observation_layout(2) if field.start < SEATS_AT]
    for seat in range(players):
        assert fields[f"seat{seat}.vp"].start == SEATS_AT + seat * SEAT_SIZE
    assert f"seat{players}.vp" not in fields
    assert ("competition.vp" in fields) == (players == 1)


def test_hash() -> None:
    hashes = [layout_hash(n) for n in PLAYERS]
    assert len(set(hashes)) == 4
    assert all(len(digits) == 12 for digits in hashes)
    assert hashes == [layout_hash(n) for n in PLAYERS]


@pytest.mark.parametrize("players", [0, 5, -1, "2", None])
def test_no_such_number_of_players(players: int) -> None:
    with pytest.raises(ValueError, match="num_players must be"):
        observation_layout(players)


@pytest.mark.parametrize("player", [-1, 2, 1.5, "0", None])
def test_no_such_player(player: int) -> None:
    with pytest.raises(ValueError, match="player must be 0 to 1"):
        Game(2, seed=1).observation(player)


def test_observation_is_a_new_array() -> None:
    game = Game(2, seed=1)
    first = game.observation(0)
    first[:] = 7
    assert game.observation(0).max() < 7
    assert first.dtype == np.float32
    assert game.observation_layout() is observation_layout(2)


def extreme_box() -> Box:
    """Every printed value at the limit of what a box may hold (notation.py, schema.py)."""
    box = load_box()
    record = box.record.copy()
    cards = record[0]
    cards["card_cost"][:, :] = (20, 20, 7, 8)
    cards["card_cost"][::2] = 0
    cards["card_vp"] = cards["card_done_vp"] = 20
    wheels = cards["card_type"] == v.WHEEL
    cards["card_spaces"] = 8
    cards["card_effect"][wheels] = (20, 20, 20, 7, v.ACT_SHAPE)
    cards["card_effect"][cards["card_type"] == v.ESPARTO, :2] = (0, 20, 20, 7, v.ACT_FIRE_ONE)
    cards["card_effect"][cards["card_type"] == v.CLEANUP, 0] = (20, 20, 20, 7, v.ACT_PLAY)
    cards["card_icon"][cards["card_icon"] > 0] = v.ACT_PLAY
    cards["card_paint"][cards["card_type"] == v.WORKSHOP] = ((20, 0), (0, 8))
    cards["market_vp"] = 50
    cards["tech_steps"] = 8
    # All cards of a type are copies of one kind.
    for kind in range(len(v.CARD_TYPES)):
        first = v.TYPE_BASE[kind]
        cards["card_copies"][first : first + v.TYPE_COPIES[kind]] = 0
        cards["card_copies"][first] = v.TYPE_COPIES[kind]
        cards["card_type"][first + 1 : first + v.TYPE_COPIES[kind]] = -1
    return Box("extreme", 1, record, box.card_ids, Path())


@pytest.mark.parametrize("box", [load_box(), extreme_box()], ids=["default", "extreme"])
@pytest.mark.parametrize(("players", "difficulty"), KINDS, ids=KIND_IDS)
def test_bounds(players: int, difficulty: str, box: Box) -> None:
    low, high = observation_bounds(players)
    assert low.dtype == high.dtype == np.float32
    assert np.isfinite(low).all() and np.isfinite(high).all()
    for number, game in enumerate(random_states(players, difficulty, 7, box)):
        observation = game.observation(number % players)
        assert np.isfinite(observation).all()
        outside = np.flatnonzero((observation < low) | (observation > high))
        names = {
            field.name
            for field in observation_layout(players)
            if any(field.start <= i < field.stop for i in outside)
        }
        assert not names, f"decision {number}"


@pytest.mark.parametrize("players", PLAYERS)
def test_batch_writes_every_position(players: int) -> None:
    games = [game.clone() for game in list(random_states(players, seed=3))[::10]]
    records = np.concatenate([game._games for game in games])
    seats = np.arange(len(games)) % players
    out = np.full((len(games), observation_size(players)), np.nan, np.float32)
    observe_games(load_box().record, records, seats, 0, len(games), out)
    for game, seat, row in zip(games, seats, out, strict=True):
        assert row.tobytes() == game.observation(int(seat)).tobytes()
    out[:] = np.nan
    observe_games(load_box().record, records, seats - players, 1, 3, out)
    assert (out[1:3] == 0).all() and np.isnan(out[0]).all() and np.isnan(out[3:]).all()


def test_card_features() -> None:
    box = load_box()
    names = card_feature_names()
    table = card_features(box)
    assert table.shape == (v.NUM_CARD_CODES, len(names)) and table.dtype == np.float32
    column = {name: i for i, name in enumerate(names)}

    def get(card: str, name: str) -> float:
        return float(table[box.card_code(card), column[name]])

    assert get("W14", "type_wheel") == 1 and get("W14", "type_esparto") == 0
    assert get("W14", "cost_pg") * 8 == 5
    assert get("W14", "play_vp") * 16 == 3 and get("W14", "done_vp") * 16 == 6
    assert get("W14", "spaces") * 8 == 5
    assert [get("W14", f"effect{k}_shape") for k in range(5)] == [1, 0, 1, 0, 0]
    assert get("W14", "effect3_paint") == 1 and get("W14", "effect4_fire") == 1
    assert get("E1", "copies") * 4 == 4
    assert get("E1", "effect0_pg") * 8 == 4 and get("E1", "effect1_clean") == 0.5
    assert get("C07", "effect0_vp") * 8 == 1 and get("C07", "effect0_esparto") == 1
    assert get("F03", "left_throw") == 1 and get("F03", "right_acquire") == 1
    assert get("Y01", "paint0_glaze") * 8 == 2 and get("Y01", "paint1_crack") * 8 == 2
    assert get("F00", "right_fire") == 1 and get("F00", "left_fire") == 0
    assert (table[v.TYPE_BASE[v.ESPARTO] + 4 : v.TYPE_BASE[v.CLEANUP]] == 0).all()
