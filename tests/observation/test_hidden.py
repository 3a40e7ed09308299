"""Nothing hidden influences a bit of an observation; seats are seen from the observer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from nijar_env.components import load_box
from nijar_env.components import vocabulary as v
from nijar_env.core import constants as c
from nijar_env.core.layout import observation_layout
from tests.observation.states import (
    KIND_IDS,
    KINDS,
    copy_record,
    observe_record,
    random_states,
    scramble,
)

SEAT_FIELDS = (
    *("vp", "vp_from", "pg", "glaze", "clay", "cleaning_area", "technology", "craftswomen"),
    *("shop_closed", "shop_craftswomen", "donkey", "hand", "hand_dealt", "hand_size", "special"),
    *("endgame_hand", "endgame_played", "endgame_discarded", "wheel", "vase", "wheel_done"),
    *("esparto", "cleanup", "cleanup_cracks", "cleanup_size", "firing_kiln", "firing_piece"),
    *("firing_size", "workshop", "workshop_piece", "workshop_size", "glaze_kiln", "glaze_piece"),
    *("glaze_size", "drying", "sold"),
)
SEAT_REFERENCES = ("turn_player", "current_player", "turn_order", "track", "space_owner")


@pytest.mark.parametrize(("players", "difficulty"), KINDS, ids=KIND_IDS)
def test_hidden_things_permuted(players: int, difficulty: str) -> None:
    box = load_box()
    rng = np.random.default_rng(5)
    changed = dict.fromkeys(("hand", "deck", "endgame_hand", "comp_deck"), 0)
    count = 0
    for seed in range(2):
        for number, game in enumerate(random_states(players, difficulty, seed)):
            if number % 3:
                continue
            for player in range(players):
                before = game.observation(player)
                games = copy_record(game)
                scramble(games, player, box, rng)
                after = observe_record(games, player)
                assert before.tobytes() == after.tobytes(), f"decision {number}, {player}"
                count += 1
                for name in changed:
                    changed[name] += not np.array_equal(games[0][name], game.record[name])
    assert changed["deck"] > 0.95 * count
    if players == 1:
        assert changed["comp_deck"] > 0.5 * count
    else:
        assert changed["hand"] > 0.2 * count
        assert changed["endgame_hand"] > 0.2 * count


@pytest.mark.parametrize("players", [2, 3, 4])
def test_garbage_in_hidden_places(players: int) -> None:
    """Not even impossible contents of the hidden places show."""
    rng = np.random.default_rng(6)
    for number, game in enumerate(random_states(players, seed=9)):
        if number % 10:
            continue
        player = number % players
        games = copy_record(game)
        g = games[0]
        g.deck = rng.integers(-1, 80, size=g.deck.shape)
        g.comp_deck = rng.integers(0, 9, size=g.comp_deck.shape)
        g.legal = 1 - g.legal
        g.num_legal = 5
        g.auto_forced, g.log_on, g.num_events = 0, 1, 3
        for q in range(players):
            if q != player:
                for row in (g.endgame_hand, g.endgame_played, g.endgame_discarded):
                    row[q] = rng.permutation(row[q])
        assert observe_record(games, player).tobytes() == game.observation(player).tobytes()


def test_normal_shows_only_the_top_card() -> None:
    """§12.10: the revealed cards below the top one are open in Expert alone."""
    seen = {}
    for difficulty in v.DIFFICULTIES:
        differ = 0
        for game in random_states(1, difficulty, seed=4):
            g = game.record
            if g.comp_revealed < 3 or g.phase == c.PHASE_SETUP:
                continue
            games = copy_record(game)
            below = int(g.comp_revealed) - 1
            games[0]["comp_deck"][:below] = np.roll(g.comp_deck[:below], 1)
            differ += observe_record(games, 0).tobytes() != game.observation(0).tobytes()
        seen[difficulty] = differ
    assert seen["normal"] == seen["advanced"] == 0
    assert seen["expert"] > 0


def test_open_back_shows() -> None:
    """The back of the next face-down card is public in every mode, once the deck is laid."""
    box = load_box()
    fields = {field.name: field for field in observation_layout(1)}
    back = fields["competition.next_back"]
    phases = set()
    for game in random_states(1, seed=2):
        g = game.record
        shown = game.observation(0)[back.start : back.stop].reshape(back.shape)
        if g.phase == c.PHASE_SETUP:
            assert not shown.any()
            continue
        phases.add(int(g.phase))
        expected = np.zeros(back.shape)
        for i in range(3):
            for j in range(2):
                piece = box.record[0]["comp_piece"][g.comp_deck[g.comp_revealed], i, j]
                if piece >= 0:
                    expected[i, j, piece] = 1
        assert np.array_equal(shown, expected)
    assert c.PHASE_TURNS in phases


def rotate(games: Any, by: int) -> Any:
    """The same game with every seat moved on by `by`."""
    turned = games.copy()
    g, n = turned[0], int(games[0]["num_players"])
    for name in SEAT_FIELDS:
        g[name][:n] = np.roll(games[0][name][:n], by, axis=0)
    for name in SEAT_REFERENCES:
        seats = np.asarray(games[0][name])
        g[name] = np.where(seats >= 0, (seats + by) % n, seats)
    frames = g.frames[: g.depth]
    frames[:, 1] = (frames[:, 1] + by) % n
    return turned


@pytest.mark.parametrize("players", [2, 3, 4])
def test_seats_are_relative(players: int) -> None:
    for number, game in enumerate(random_states(players, seed=8)):
        if number % 5:
            continue
        for by in range(1, players):
            turned = rotate(copy_record(game), by)
            for player in range(players):
                expected = game.observation(player).tobytes()
                assert observe_record(turned, (player + by) % players).tobytes() == expected


@pytest.mark.parametrize("players", [2, 3, 4])
def test_players_see_different_things(players: int) -> None:
    game = next(iter(random_states(players, seed=1)))
    views = {game.observation(player).tobytes() for player in range(players)}
    assert len(views) == players
