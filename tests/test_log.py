"""The log (`nijar_env.log`): complete, readable, and silent about what a player may not know."""

from __future__ import annotations

import copy
import pickle
import re
from collections import Counter
from functools import cache
from itertools import pairwise

import pytest

from nijar_env import log as log_module
from nijar_env.components.vocabulary import (
    CLAY,
    GLAZE,
    JUG,
    NUM_CARDS,
    NUM_ENDGAME_KINDS,
    PG,
    POT,
    TYPE_BASE,
    TYPE_DECK,
)
from nijar_env.core import constants as k
from nijar_env.core.catalogue import BLOCKS
from nijar_env.game import Game
from nijar_env.log import Reader, Transcript, line_of
from nijar_env.log_words import TELLERS
from tests.golden.generate import PLAYTHROUGHS, Playthrough, choose, new_game

Event = tuple[int, ...]

# No two cards of the default box name the same space, so this one needs another box.
NOT_IN_THE_DEFAULT_BOX = {k.EV_COMP_PLACE_OWN}
MORE_SEEDS = range(8)


def play(game: Game, seed: int, decisions: int = 10_000) -> Game:
    """Take up to so many decisions, as in the golden playthroughs."""
    for decision in range(decisions):
        if game.done:
            break
        names = [game.action_name(action) for action in game.legal_actions()]
        game.step(game.parse_action(choose(names, seed, decision)))
    return game


@cache
def played(plan: Playthrough) -> Game:
    return play(new_game(plan), plan.seed)


def events_of(game: Game) -> list[Event]:
    assert game._events is not None
    return game._events


def told(game: Game, *event: int, viewer: int | None = None) -> str:
    """The text of one event, made up of its kind, seat and some of its four arguments."""
    padded = (*event, 0, 0, 0, 0)[:6]
    line = line_of(Reader(game.box, game.num_players, viewer), padded)
    assert line is not None
    return line.text


@pytest.fixture(scope="module")
def solo() -> Game:
    return Game(1, seed=1)


@pytest.fixture(scope="module")
def pair() -> Game:
    return Game(2, seed=1)


ALL_GAMES = pytest.mark.parametrize("plan", PLAYTHROUGHS, ids=lambda plan: plan.name)


# -- every kind of event ---------------------------------------------------------------------------


def test_every_kind_of_event_has_a_teller() -> None:
    assert sorted(TELLERS) == list(range(len(k.EVENTS)))


def test_every_kind_of_event_occurs_and_is_told() -> None:
    """In the golden games, and a few more for the rare kinds."""
    games = [played(plan) for plan in PLAYTHROUGHS]
    games += [play(Game(1, seed=seed), seed) for seed in MORE_SEEDS]
    kinds: Counter[int] = Counter()
    for game in games:
        reader = Reader(game.box, game.num_players)
        for event in events_of(game):
            line = line_of(reader, event)
            assert line is not None or event[0] == k.EV_CHOICE
            kinds[event[0]] += line is not None
    missing = set(range(len(k.EVENTS))) - set(kinds) - NOT_IN_THE_DEFAULT_BOX
    assert not missing, [k.EVENTS[kind] for kind in missing]


@ALL_GAMES
def test_lines_are_the_events(plan: Playthrough) -> None:
    """Each event that has a text stands in the log, in order, on a line or at the end of one."""
    game = played(plan)
    reader = Reader(game.box, game.num_players)
    lines = [line for event in events_of(game) if (line := line_of(reader, event)) is not None]
    text = "\n".join(game.log)
    position = 0
    for line in lines:
        found = [
            at for part in (line.text, line.tail) if part and (at := text.find(part, position)) >= 0
        ]
        assert found, line
        position = min(found) + 1
    assert len(game.log) <= len(lines) < len(events_of(game))


@ALL_GAMES
def test_lines_are_plain(plan: Playthrough) -> None:
    for line in played(plan).log:
        assert line.isascii() and line.isprintable() and line == line.rstrip()
        assert "_" not in line and "None" not in line and "  " not in line.strip()


def test_choices_without_a_line_have_an_event_of_their_own() -> None:
    """A choice is either told or followed by an event of the same seat, but for a paint whose price
    is asked next."""
    first = {action for action, name in enumerate(all_names()) if name.startswith("paint")}
    for plan in PLAYTHROUGHS:
        game = played(plan)
        reader = Reader(game.box, game.num_players)
        events = events_of(game)
        for event, following in pairwise(events):
            if event[0] == k.EV_CHOICE and line_of(reader, event) is None:
                asked = following[0] == k.EV_CHOICE and event[2] in first
                assert asked or (following[0] != k.EV_CHOICE and following[1] == event[1])


def all_names() -> list[str]:
    return [name for _, names in BLOCKS for name in names]


# -- complete: the books balance -------------------------------------------------------------------

_AMOUNT = re.compile(r"(\d+|no) (VP|perra gorda|glaze|clay|crack)")


def booked(log: list[str]) -> dict[str, Counter[str]]:
    """What each seat gained less what it paid, read from the text of a log."""
    books: dict[str, Counter[str]] = {}
    for line in log:
        who = re.match(r" +(player \d|the Competition)", line)
        if who is None:
            continue
        book = books.setdefault(who[1], Counter())
        verb = ""
        start = re.search(r"\b(gains|pays|loses) ", line)
        for item in line[start.start() :].split(", ") if start else []:
            if word := re.match(r"(gains|pays|loses) ", item):
                verb = word[1]
            amount = _AMOUNT.search(item)
            if amount and amount[1] != "no":
                book[amount[2]] += int(amount[1]) * (1 if verb == "gains" else -1)
        book["crack"] -= "cleans a crack" in line
    return books


@ALL_GAMES
def test_log_accounts_for_every_resource_and_point(plan: Playthrough) -> None:
    game = played(plan)
    books = booked(game.log)
    record = game.record
    for seat in range(game.num_seats):
        player = seat < game.num_players
        book = books[f"player {seat}" if player else "the Competition"]
        assert book["VP"] == record.vp[seat]
        if player:
            assert book["perra gorda"] == record.pg[seat]
            assert book["glaze"] == record.glaze[seat]
            assert book["clay"] == record.clay[seat]
            assert book["crack"] == record.cleaning_area[seat]


# -- what a player may not know --------------------------------------------------------------------

_DISCARD = [a for a, name in enumerate(all_names()) if name.startswith("discard:")]
_SCORE = [a for a, name in enumerate(all_names()) if name.startswith("score:")]
_DECKS = [
    [
        c
        for t, deck in enumerate(TYPE_DECK)
        if deck == d
        for c in range(TYPE_BASE[t], (*TYPE_BASE, NUM_CARDS)[t + 1])
    ]
    for d in range(3)
]


def with_other_secrets(game: Game, player: int) -> list[Event]:
    """The events of a game with all that is hidden from `player` replaced by something else."""

    def other(values: list[int], value: int) -> int:
        used = [v for v in values if v >= NUM_CARDS or game.box.is_used(v)]
        return used[(used.index(value) + 1) % len(used)]

    result = []
    for kind, seat, a, *rest in events_of(game):
        if seat != player:
            if kind == k.EV_DEALT:
                a = other(next(deck for deck in _DECKS if a in deck), a)
            elif kind in (k.EV_DEALT_ENDGAME, k.EV_PLAYED_ENDGAME, k.EV_DISCARDED_ENDGAME):
                a = (a + 1) % NUM_ENDGAME_KINDS
            elif kind == k.EV_CHOICE:
                for block in (_DISCARD, _SCORE):
                    if a in block:
                        a = block[(block.index(a) + 1) % len(block)]
        result.append((kind, seat, a, *rest))
    return result


@pytest.mark.parametrize("plan", PLAYTHROUGHS[:3], ids=lambda plan: plan.name)
def test_log_for_does_not_depend_on_what_is_hidden(plan: Playthrough) -> None:
    game = played(plan)
    for player in range(game.num_players):
        secrets = with_other_secrets(game, player)
        assert secrets != events_of(game)
        reader = Reader(game.box, game.num_players, player)
        assert Transcript(reader, secrets).lines() == game.log_for(player)
        assert Transcript(Reader(game.box, game.num_players), secrets).lines() != game.log


def test_log_for_shows_own_secrets_and_hides_others() -> None:
    game = played(PLAYTHROUGHS[0])
    whole, own = game.log, game.log_for(0)
    assert len(whole) == len(own)
    different = [(a, b) for a, b in zip(whole, own, strict=True) if a != b]
    assert different
    for open_line, hidden_line in different:
        assert open_line.strip().startswith("player 1 ")
        assert re.search(r"a card of deck|an endgame card", hidden_line)
        assert "the endgame card for" not in hidden_line
    assert any("player 1 is dealt a card of deck 0, a card of deck 1" in line for line in own)
    assert any(re.search(r"player 0 is dealt .* the endgame card for", line) for line in own)


@pytest.mark.parametrize(
    ("event", "hidden", "shown"),
    [
        ((k.EV_DEALT, 1, 0), "is dealt a card of deck 0", "is dealt wheel W01"),
        ((k.EV_DEALT, 1, TYPE_BASE[3]), "is dealt a card of deck 1", "glazing workshop Y01"),
        ((k.EV_DEALT_ENDGAME, 1, 6), "is dealt an endgame card", "for sold plates"),
        (
            (k.EV_PLAYED_ENDGAME, 1, 0),
            "plays an endgame card face down",
            "card for wheels face down",
        ),
        (
            (k.EV_DISCARDED_ENDGAME, 1, 0),
            "discards an endgame card for",
            "the endgame card for wheels",
        ),
    ],
)
def test_private_events(pair: Game, event: Event, hidden: str, shown: str) -> None:
    assert hidden in told(pair, *event, viewer=0) and shown not in told(pair, *event, viewer=0)
    assert shown in told(pair, *event, viewer=1)
    assert shown in told(pair, *event)


def test_choices_of_hidden_cards_have_no_line(pair: Game) -> None:
    reader = Reader(pair.box, 2)
    for action in (*_DISCARD, *_SCORE):
        assert (
            line_of(reader, (k.EV_CHOICE, 1, pair.parse_action(pair.action_name(action)), 0, 0, 0))
            is None
        )


def test_scored_endgame_cards_are_public(pair: Game) -> None:
    assert (
        told(pair, k.EV_SCORED_CARD, 1, 0, 3, viewer=0)
        == "player 1 scores the endgame card for wheels"
    )


@pytest.mark.parametrize("player", [-1, 2, "0", None, 0.5])
def test_log_for_refuses_an_unknown_player(pair: Game, player: object) -> None:
    with pytest.raises(ValueError, match="player must be 0 to 1"):
        pair.log_for(player)  # type: ignore[arg-type]


def test_the_competition_has_no_view(solo: Game) -> None:
    assert solo.log_for(0) == solo.log
    with pytest.raises(ValueError, match="player must be 0 to 0, not 1"):
        solo.log_for(1)


# -- keeping and copying ---------------------------------------------------------------------------


def test_without_log_it_is_empty() -> None:
    game = play(Game(2, seed=3, log=False), 3, 40)
    assert game.log == [] and game.log_for(1) == []


def test_log_changes_nothing_else() -> None:
    one, other = play(Game(3, seed=3), 3), play(Game(3, seed=3, log=False), 3)
    assert one.scores() == other.scores()


def test_clones_leave_the_log_out_unless_asked() -> None:
    game = play(Game(2, seed=5), 5, 60)
    before = game.log
    assert game.clone().log == []
    kept = game.clone(log=True)
    assert kept.log == before
    action = game.legal_actions()[0]
    kept.step(action)
    assert game.log == before and kept.log[: len(before)] == before != kept.log
    game.step(action)
    assert game.log == kept.log


def test_copies_keep_the_log() -> None:
    game = play(Game(2, seed=6), 6, 30)
    assert game.log
    for same in (copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert same.log == game.log and same.log_for(1) == game.log_for(1)


def test_the_list_is_the_callers() -> None:
    game = Game(2, seed=6)
    game.log.clear()
    assert game.log


def test_log_is_deterministic() -> None:
    assert play(Game(4, seed=9), 9).log == play(Game(4, seed=9), 9).log
    assert play(Game(4, seed=9), 9).log != play(Game(4, seed=10), 9).log


def test_a_log_only_grows() -> None:
    """Lines once read never change, for any reader, and asking often is the same as asking once."""
    plan = PLAYTHROUGHS[1]
    game = new_game(plan)
    seen: dict[int | None, list[str]] = {None: [], 0: [], 2: []}
    for decision in range(200):
        for viewer, before in seen.items():
            now = game.log if viewer is None else game.log_for(viewer)
            assert now[: len(before)] == before
            seen[viewer] = now
        names = [game.action_name(action) for action in game.legal_actions()]
        game.step(game.parse_action(choose(names, plan.seed, decision)))
    assert seen[None] == played(plan).log[: len(seen[None])]


def test_each_event_is_rendered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    rendered = Counter[str]()

    def counting(reader: Reader, event: Event) -> object:
        rendered["events"] += 1
        return line_of(reader, event)

    monkeypatch.setattr(log_module, "line_of", counting)
    game = Game(2, seed=8)
    for _ in range(5):
        play(game, 8, 20)
        assert game.log and game.log
    assert rendered["events"] == len(events_of(game))


# -- wording ---------------------------------------------------------------------------------------


def test_headings_mark_rounds_and_turns() -> None:
    log = played(PLAYTHROUGHS[0]).log
    headings = [line for line in log if not line.startswith(" ")]
    marks = [line for line in headings if line.startswith("--")]
    assert [line[:13] for line in marks[:3]] == ["-- setup --", "-- round 1 --", "-- end of rou"]
    assert marks[-2] == "-- endgame scoring --" and "wins" in marks[-1]
    assert all(line.startswith("- player ") for line in headings if line not in marks)


def test_consequences_stand_with_their_cause(pair: Game) -> None:
    events = [
        (k.EV_TOOK, 1, 2, 0, 3, 2),
        (k.EV_PAY, 1, PG, 2, 0, 0),
        (k.EV_GAIN, 0, CLAY, 1, 2, 0),
        (k.EV_GAIN, 0, GLAZE, 0, 3, 0),
        (k.EV_CHOICE, 0, pair.parse_action("clay:2"), k.F_CLAY, 1, 0),
        (k.EV_PAY, 0, PG, 1, 0, 0),
        (k.EV_GAIN, 0, CLAY, 2, 0, 0),
    ]
    assert [line.strip() for line in Transcript(Reader(pair.box, 2), events).lines()] == [
        "player 1 takes wheel W03 from row 0, column 3: pays 2 perra gorda",
        "player 0 gains 1 clay (2 lost: clay is full), no glazes (3 lost: the supply is empty)",
        "player 0 extracts 2 clay (no other choice): pays 1 perra gorda, gains 2 clay",
    ]


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (
            (k.EV_COMP_PLACE_SHORT, 1, 0, 1, 3, 2),
            "the Competition needs 3 craftswomen on row 0, column 1, "
            "for player 0 has 2 there, and has only 2",
        ),
        (
            (k.EV_COMP_PLACE_OWN, 1, 2, 2),
            "the Competition has craftswomen of its own on row 2, column 2 already",
        ),
        ((k.EV_COMP_IDLE, 1, 2), "the Competition cannot turn up a card: one must stay face down"),
        ((k.EV_COMP_PIECE, 1, POT, 2), "the Competition has no pot and finds none to take"),
        (
            (k.EV_COMP_BACK, 1, JUG, POT),
            "the back of the next card shows a jug and a pot for this round",
        ),
        ((k.EV_COMP_BACK, 1, JUG, -1), "the back of the next card shows a jug for this round"),
        (
            (k.EV_COMP_DONKEY, 1, 0, 1),
            "the Competition's donkey goes left of player 0's, no card lying right of it",
        ),
        (
            (k.EV_COMP_DONKEY_STAYS, 1, 1),
            "the Competition's donkey stays: no card lies on either side of player 0's donkey",
        ),
        (
            (k.EV_PLACED, 1, 0, 4, 3, 0),
            "the Competition places 3 craftswomen on row 0, column B, one more than player 0's 2",
        ),
        ((k.EV_RETURNED, 1, 2, 1), "the Competition's 2 craftswomen stand on its closed shop"),
        ((k.EV_SHAPED, 0, JUG, JUG), "player 0 shapes two jugs"),
        ((k.EV_SHAPED, 0, JUG, -1), "player 0 shapes a jug"),
        (
            (k.EV_RESULT, 0, 50, 50),
            "-- player 0 wins by turn order: player 0 50 VP, the Competition 50 VP --",
        ),
    ],
)
def test_wording(solo: Game, event: Event, text: str) -> None:
    assert told(solo, *event) == text
