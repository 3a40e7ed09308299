"""The view of a batch that agents get."""

from __future__ import annotations

import numpy as np
import pytest

from agents import GameView, make_agent
from nijar_env import Game, GameBatch

from .games import play_on


def batch_in_play(num_players: int, decisions: int = 60) -> GameBatch:
    batch = GameBatch(6, num_players, seed=11, auto_reset=False)
    play_on(batch, make_agent("random"), decisions)
    return batch


def test_the_view_has_a_row_for_each_game_that_goes_on() -> None:
    batch = GameBatch(20, 1, seed=3, auto_reset=False)
    agent = make_agent("random")
    while not batch.dones.any():
        play_on(batch, agent, 1)
    view = GameView(batch, ids=np.arange(20) + 100)
    going_on = np.flatnonzero(~batch.dones)
    assert 0 < len(view) < 20
    assert view.rows.tolist() == going_on.tolist()
    assert view.ids.tolist() == (going_on + 100).tolist()
    assert view.players.tolist() == batch.current_players[going_on].tolist()
    assert view.decisions.tolist() == batch.games["decisions"][going_on].tolist()
    assert view.num_players == 1
    assert view.box is batch.box


def test_a_selection_is_a_view_of_some_of_the_games() -> None:
    view = GameView(batch_in_play(2)).select([4, 1])
    assert view.rows.tolist() == [4, 1]
    assert view.ids.tolist() == [4, 1]


def test_ids_without_names_tell_rows_and_episodes_apart() -> None:
    batch = GameBatch(4, 1, seed=5)
    agent = make_agent("random")
    seen: set[int] = set()
    while not (batch.episodes >= 2).all():
        play_on(batch, agent, 1)
        seen.update(GameView(batch).ids.tolist())
    assert len(seen) == (batch.episodes + 1).sum()


def test_what_the_view_shows_openly_holds_nothing_hidden() -> None:
    public = {name for name in dir(GameView) if not name.startswith("_")}
    assert public == {
        "box",
        "decisions",
        "determinize",
        "determinized_game",
        "ids",
        "num_players",
        "phases",
        "players",
        "rows",
        "select",
    }


@pytest.mark.parametrize("num_players", [1, 2, 4])
def test_determinized_games_agree_with_what_the_player_knows(num_players: int) -> None:
    batch = batch_in_play(num_players)
    view = GameView(batch)
    before = batch.games.tobytes()
    keys = np.arange(len(view), dtype=np.uint64)
    known = view.determinize(keys)
    assert batch.games.tobytes() == before
    assert (known["legal"] == batch.action_masks[view.rows]).all()
    assert view.determinize(keys).tobytes() == known.tobytes()
    assert view.determinize(keys + np.uint64(9)).tobytes() != known.tobytes()
    # The decks are not those of the game.
    assert (known["deck"] != batch.games["deck"][view.rows]).any(axis=(1, 2)).all()


def test_a_determinized_game_is_the_same_as_a_record_and_as_a_game() -> None:
    batch = batch_in_play(2)
    view = GameView(batch)
    known = view.determinize(np.full(len(view), 7, np.uint64))
    game = view.determinized_game(3, 7)
    assert isinstance(game, Game)
    assert game.record["hand"].tolist() == known[3]["hand"].tolist()
    assert game.record["deck"].tolist() == known[3]["deck"].tolist()
