"""Random play: every invariant of the game after every decision, for every kind of game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nijar_env.batch import GameBatch
from nijar_env.components import load_box
from nijar_env.components import vocabulary as v
from nijar_env.core import constants as c
from nijar_env.core.catalogue import A_PLACE, A_SPECIAL
from nijar_env.core.jit import JIT
from nijar_env.game import Game
from tests import extreme_boxes
from tests.invariants import broken, broken_step, check, check_step
from tests.random_play import KINDS, Kind, RandomPlay, round_trip, whole_games

SPACES = load_box().record[0]["card_spaces"]
# Of each kind; a multiple of the number of leanings. Plain Python is some hundred times slower.
GAMES = 204 if JIT else 12


@pytest.mark.parametrize("auto_forced", (False, True), ids=("asked", "forced"))
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_every_invariant_after_every_decision(kind: Kind, auto_forced: bool) -> None:
    play = RandomPlay(kind, GAMES, KINDS.index(kind), auto_forced=auto_forced)
    for _ in whole_games(play, sample=5):
        pass
    games = play.batch.games
    assert (games["round_number"] == v.NUM_ROUNDS).all()
    assert (games["decisions"] > 20).all()
    # The play was rich enough to mean something.
    assert games["sold"].sum() > GAMES * kind.players
    assert (games["wheel_done"].sum(axis=(1, 2)) > 0).mean() > 0.3
    assert (games["shop_closed"] == 0).all()
    if not auto_forced:
        assert (games["decisions"] < play.steps).any()


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_placements_of_a_round_are_bounded_by_the_craftswomen(kind: Kind) -> None:
    """Ruling B22: each placement leaves one more on the board, so there are no more than these."""
    games = 60 if JIT else 6
    play = RandomPlay(kind, games, 40 + KINDS.index(kind))
    placed = np.zeros((games, v.NUM_ROUNDS + 1), np.int64)
    workers = play.box["craftswomen"] * play.batch.games["num_seats"][0]
    while play.live.any():
        actions = play.choose()
        number = play.batch.games["round_number"].copy()
        mine = play.live & (actions >= A_PLACE) & (actions <= A_SPECIAL)
        placed[mine, number[mine]] += 1
        play.step(actions)
        assert (placed <= workers).all()
    assert placed[:, 1:].min() > 0


@pytest.mark.parametrize("name", extreme_boxes.BOXES)
def test_extreme_boxes(name: str, tmp_path: Path) -> None:
    folder = extreme_boxes.write(name, tmp_path / name)
    for kind in (Kind(1, "expert"), Kind(2), Kind(4)):
        play = RandomPlay(kind, 18 if JIT else 6, 7, components=folder)
        for _ in whole_games(play, sample=9):
            pass


# --- shrinking ----------------------------------------------------------------------------------


@settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(
    kind=st.sampled_from(KINDS),
    seed=st.integers(0, 2**64 - 1),
    auto_forced=st.booleans(),
    choices=st.lists(st.integers(0, 999), max_size=120),
)
def test_any_choices_keep_the_invariants(
    kind: Kind, seed: int, auto_forced: bool, choices: list[int]
) -> None:
    """A failure shrinks to the shortest game and the first legal actions."""
    game = Game(
        kind.players, difficulty=kind.difficulty, seed=seed, auto_forced=auto_forced, log=False
    )
    box = game.box.record[0]
    check(game._games, box)
    for number in choices:
        if game.done:
            break
        legal = game.legal_actions()
        action = legal[number % len(legal)]
        before = game._games.copy()
        game.step(action)
        check(game._games, box)
        if not auto_forced:
            check_step(before, np.array([action]), game._games)
    round_trip(game._games, game.box)


# --- the checks themselves ----------------------------------------------------------------------


def _add(name: str, *index: int, by: int = 1) -> Callable[[Any], None]:
    def spoil(g: Any) -> None:
        if index:
            g[name][index] += by
        else:
            g[name] += by

    return spoil


SPOILT: dict[str, Callable[[Any], None]] = {
    "perra gorda add up": _add("pg", 0),
    "glazes add up": _add("supply_glaze"),
    "cracks add up": _add("cleaning_area", 1),
    "vases add up": _add("supply_vase", by=-1),
    "plate pieces add up": _add("sold", 0, 0),
    "jug pieces add up": _add("supply_piece", 1, by=-1),
    "pot pieces add up": _add("drying", 1, 2),
    "clay is 0 to 7": _add("clay", 0, by=8),
    "the cleaning area holds 0 to 8": _add("cleaning_area", 0, by=9),
    "nothing is below zero": _add("glaze", 0, by=-50),
    "each card lies in one place": _add("discards", 3),
    "what all saw return is in the decks": _add("deck_seen", 3, by=17),
    "no starting wheel lies twice": lambda g: g["combo_wheel"].__setitem__(0, g["wheel"][0, 0]),
    "decks are filled from the bottom": _add("deck_size", 0, by=-1),
    "hand sizes are right": _add("hand_size", 0),
    "dealt cards are in hand": _add("hand_dealt", 0, 0, by=3),
    "three endgame cards each": _add("endgame_hand", 0, 8),
    "endgame cards of the box": _add("endgame_played", 0, 0, by=2),
    "the cleanup row begins with the starting card": _add("cleanup", 0, 0, by=-1),
    "the workshop row is dense": _add("workshop_size", 0),
    "the glaze_kiln row holds its type": _add("glaze_kiln", 0, 0),
    "firing_piece: no piece without a card": lambda g: g["firing_piece"].__setitem__((0, 12), 1),
    "workshop_piece: one piece a place": lambda g: g["workshop_piece"].__setitem__((0, 0), 3),
    "each space has one owner": _add("space_count", 0, 0, by=3),
    "spaces in play": lambda g: g["space_owner"].__setitem__((0, 4), 0),
    "craftswomen add up": _add("special", 1),
    "nothing is negative of craftswomen": _add("craftswomen", 0, by=-9),
    "returned ones lie on closed shops": _add("shop_craftswomen", 0),
    "a player's closed shop has none at hand": lambda g: g["shop_closed"].__setitem__(slice(2), 1),
    "donkeys stand apart": lambda g: g["donkey"].__setitem__(0, g["donkey"][1]),
    "the turn order is of all seats": lambda g: g["turn_order"].__setitem__(0, 1),
    "a marker a seat on the track": lambda g: g["track"].__setitem__(slice(2), 0),
    "technology is 1 to 3": _add("technology", 0, by=3),
    "a player decides": _add("current_player", by=2),
    "the turn player is where the order says": _add("turn_index", by=1),
    "VP come from somewhere": _add("vp", 1),
    "unused seats have nothing": _add("pg", 3),
    "demand tiles of each round": _add("demand", 1, 1),
    "markers stand on the market": _add("market", 2, by=13),
    "dice show 1 to 6": _add("dice", 0, by=6),
    "each tile lies once": _add("tile", 0, 0),
    "vases stand on their wheels": _add("vase", 0, 0, by=9),
    "a vase on a last space waits for its slot": lambda g: g["vase"].__setitem__(
        (0, 0), SPACES[g["wheel"][0, 0]]
    ),
    "the Competition's cards": _add("comp_deck", 0),
    "one card stays face down": _add("comp_revealed", by=9),
    "no fault": _add("fault"),
    "no events are left": _add("num_events"),
    "frames are zero above the top": _add("frames", 255, 5),
    "no card holds more cracks than spaces": _add("cleanup_cracks", 0, 0, by=9),
    "no cleanup card is full outside a Clean": lambda g: g["cleanup_cracks"].__setitem__((0, 0), 2),
    "legal actions are counted": _add("num_legal"),
    "the top frame's player decides": lambda g: g["frames"].__setitem__((slice(None), 1), 3),
}


@pytest.fixture(scope="module")
def healthy() -> GameBatch:
    """A game in mid-round, with something pending, that breaks nothing."""
    play = RandomPlay(Kind(2), 1, 3)
    while not (
        play.batch.games["round_number"][0] == 2
        and play.batch.games["depth"][0] > 0
        and play.batch.games["wheel_done"][0, 0, 0] == 0
    ):
        play.step()
    return play.batch


@pytest.mark.parametrize("name", SPOILT)
def test_a_spoilt_record_is_found(name: str, healthy: GameBatch) -> None:
    games = healthy.games.copy()
    box = healthy.box.record[0]
    assert broken(games, box) == []
    SPOILT[name](games[0])
    assert f"{name} (game 0)" in broken(games, box)


def test_a_game_without_a_choice_is_found(healthy: GameBatch) -> None:
    games = healthy.games.copy()
    games["legal"] = games["num_legal"] = 0
    assert broken(games, healthy.box.record[0]) == [
        "a live game offers choices, a finished one none (game 0)"
    ]


def test_pending_effects_outside_turns_are_found(healthy: GameBatch) -> None:
    games = healthy.games.copy()
    games["phase"] = c.PHASE_MARKET
    assert "effects are pending in turns only (game 0)" in broken(games, healthy.box.record[0])


@pytest.mark.parametrize(
    ("name", "spoil"),
    [
        ("a placement adds one craftswoman", _add("special", 0)),
        ("pieces never come back", _add("supply_piece", 0)),
        ("sold pieces stay sold", _add("sold", 0, 0, by=-1)),
        ("discards stay out", _add("discards", 0, by=-1)),
        ("technology never falls", _add("technology", 0, by=-1)),
        ("vases never go back", _add("vase", 0, 0, by=-1)),
        ("rounds never go back", _add("round_number", by=-1)),
        ("decisions are counted", _add("decisions")),
        ("boards stay as they were laid", _add("bonus", 0)),
        ("cards in play stay", _add("cleanup_size", 0, by=-1)),
    ],
)
def test_a_spoilt_step_is_found(name: str, spoil: Callable[[Any], None]) -> None:
    game = Game(2, seed=3, auto_forced=False, log=False)
    while game.phase != "turns":
        game.step(game.legal_actions()[0])
    before = game._games.copy()
    action = A_SPECIAL
    game.step(action)
    after = game._games.copy()
    assert broken_step(before, np.array([action]), after) == []
    spoil(after[0])
    assert f"{name} (game 0)" in broken_step(before, np.array([action]), after)
