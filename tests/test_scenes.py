"""Scenes: `Game.to_dict` and `Game.from_dict` (architecture of the scene format, docs/state.md).

Three proofs: nothing is lost on the way to JSON and back; a scene written by hand is a game; and a
broken or impossible scene gives a `SceneError` that names the field, whatever is wrong with it.
"""

from __future__ import annotations

import json
import random
import re
import warnings
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from typing import Any, Final

import pytest

from nijar_env import Game, SceneError
from nijar_env.components.vocabulary import BONUSES, ENDGAME_KINDS, PIECES
from nijar_env.core.constants import FRAME_KINDS
from nijar_env.core.jit import JIT
from tests.invariants import check

Scene = dict[str, Any]

KINDS: Final = [
    (1, "normal"),
    (1, "advanced"),
    (1, "expert"),
    (2, "normal"),
    (3, "normal"),
    (4, "normal"),
]
# Players that finish what they begin, so that effects nest and goods move.
LEANING: Final = {"done": 0.05, "close": 0.5, "place": 3, "shop": 2}


def choice(game: Game, chance: random.Random) -> int:
    actions = game.legal_actions()
    heads = [game.action_name(a).split(":")[0] for a in actions]
    return chance.choices(actions, [LEANING.get(head, 1.0) for head in heads])[0]


def positions(players: int, difficulty: str, seed: int, *, forced: bool) -> Iterator[Game]:
    """One game, given at each of its decisions and at its end."""
    game = Game(players, difficulty=difficulty, seed=seed, auto_forced=forced, log=False)
    chance = random.Random(seed)
    while True:
        yield game
        if game.done:
            return
        game.step(choice(game, chance))


def through_json(scene: Scene) -> Scene:
    result: Scene = json.loads(json.dumps(scene, allow_nan=False))
    return result


# --- there and back -----------------------------------------------------------------------------


@pytest.mark.parametrize("forced", [True, False])
@pytest.mark.parametrize(("players", "difficulty"), KINDS)
def test_nothing_is_lost(players: int, difficulty: str, forced: bool) -> None:
    decisions = 0
    for seed in range(2 if JIT and players < 3 else 1):
        for game in positions(players, difficulty, seed, forced=forced):
            copy = Game.from_dict(through_json(game.to_dict()), log=False)
            assert copy.record.tobytes() == game.record.tobytes()
            assert copy.to_dict() == game.to_dict()
            decisions += 1
    assert decisions > 80


def test_every_phase_and_most_frames_are_among_them() -> None:
    """What the test above has seen, so that it proves what it says."""
    phases, frames = set(), set()
    for players, difficulty in KINDS:
        for game in positions(players, difficulty, 0, forced=False):
            phases.add(game.phase)
            frames.update(frame["kind"] for frame in game.to_dict()["pending"])
    assert phases == {"setup", "market", "turns", "end_of_round", "finished"}
    assert len(frames) >= len(FRAME_KINDS) - 3, set(FRAME_KINDS) - frames


@pytest.mark.parametrize(("players", "difficulty"), KINDS)
def test_a_game_goes_on_from_its_scene_as_from_itself(players: int, difficulty: str) -> None:
    for number, game in enumerate(positions(players, difficulty, 5, forced=True)):
        if number % 40 != 7 or game.done:
            continue
        one, other = game.clone(), Game.from_dict(through_json(game.to_dict()), log=False)
        chance = random.Random(number)
        while not one.done:
            action = choice(one, chance)
            one.step(action)
            other.step(action)
            assert other.record.tobytes() == one.record.tobytes()


# --- the contract: keys and values --------------------------------------------------------------

INT: Final = int
SEAT: Final = "seat"
CARD: Final = "card"
PIECE_COUNTS: Final = {"plate": INT, "jug": INT, "pot": INT}
HOLDERS: Final = [{"card": CARD, "piece": ("optional", PIECES)}]
PLAYER: Final = {
    "vp": INT,
    "pg": INT,
    "glaze": INT,
    "clay": range(8),
    "cleaning_area": range(9),
    "technology": range(1, 4),
    "craftswomen": range(8),
    "shop": ("open", "closed"),
    "shop_craftswomen": range(8),
    "donkey": ("optional", [INT]),
    "hand": [CARD],
    "hand_dealt": [CARD],
    "endgame_hand": [ENDGAME_KINDS],
    "endgame_played": [ENDGAME_KINDS],
    "wheels": [("optional", {"card": CARD, "vase": ("either", range(9), ("done",))})],
    "esparto": [("optional", CARD)],
    "cleanup": [{"card": CARD, "cracks": INT}],
    "firing_kilns": HOLDERS,
    "workshops": HOLDERS,
    "glaze_kilns": HOLDERS,
    "drying": PIECE_COUNTS,
    "sold": PIECE_COUNTS,
}
COMPETITION: Final = {
    "vp": INT,
    "craftswomen": range(8),
    "shop": ("open", "closed"),
    "shop_craftswomen": range(8),
    "donkey": ("optional", [INT]),
    "pieces": dict.fromkeys(PIECES, ("optional", ("unpainted", "painted"))),
    "sold": PIECE_COUNTS,
    "deck": [range(1, 10)],
    "revealed": [range(1, 10)],
}
CONTRACT: Final = {
    "format": str,
    "box": {"name": str, "fingerprint": str},
    "num_players": range(1, 5),
    "difficulty": ("optional", ("normal", "advanced", "expert")),
    "phase": ("setup", "market", "turns", "end_of_round", "finished"),
    "round": range(4),
    "turn_order": [SEAT],
    "first_player_track": [("optional", SEAT)],
    "current_player": ("optional", SEAT),
    "turn_player": ("optional", SEAT),
    "combinations": [("optional", {"wheel": CARD, "resources": str})],
    "market": {
        "demand": {piece: [range(3)] for piece in PIECES},
        "position": {piece: range(13) for piece in PIECES},
        "dice": [range(1, 7)],
    },
    "board": {
        "tiles": [[[str]]],
        "bonuses": [BONUSES],
        "special_bonuses": [BONUSES],
        "spaces": [[("optional", {"owner": SEAT, "count": range(1, 8)})]],
        "special": [range(8)],
    },
    "draft": [[("optional", CARD)]],
    "decks": [[CARD]],
    "deck_seen": [CARD],
    "discards": [CARD],
    "supply": {"pg": INT, "glaze": INT, "crack": INT, "vase": INT, **PIECE_COUNTS},
    "players": [PLAYER],
    "competition": ("optional", COMPETITION),
    "pending": [{"kind": FRAME_KINDS, "player": SEAT}],
    "rng": {"seed": INT, "draws": {}},
}


def faults(value: Any, wanted: Any, where: str, cards: set[str]) -> Iterator[str]:
    """Where a scene is not as the contract says. More keys than it names are allowed."""
    if isinstance(wanted, tuple) and wanted[0] == "optional":
        if value is not None:
            yield from faults(value, wanted[1], where, cards)
    elif isinstance(wanted, tuple) and wanted[0] == "either":
        if all(list(faults(value, part, where, cards)) for part in wanted[1:]):
            yield f"{where}: {value!r}"
    elif isinstance(wanted, dict):
        for key, part in wanted.items():
            if not isinstance(value, dict) or key not in value:
                yield f"{where}.{key}: missing"
            else:
                yield from faults(value[key], part, f"{where}.{key}", cards)
    elif isinstance(wanted, list):
        if not isinstance(value, list):
            yield f"{where}: no list"
        else:
            for k, entry in enumerate(value):
                yield from faults(entry, wanted[0], f"{where}[{k}]", cards)
    elif isinstance(wanted, type):
        if type(value) is not wanted or (wanted is int and abs(value) > 2**64):
            yield f"{where}: {value!r} is no {wanted.__name__}"
    else:
        allowed = {SEAT: range(4), CARD: cards}.get(wanted, wanted) if wanted else ()
        if isinstance(value, bool) or value not in allowed:
            yield f"{where}: {value!r} is not in {wanted!r}"


@pytest.mark.parametrize(("players", "difficulty"), KINDS)
def test_the_format_is_the_contract(players: int, difficulty: str) -> None:
    columns = 3 + max(players - 2, 0)
    seats = max(players, 2)
    for game in positions(players, difficulty, 2, forced=False):
        scene = through_json(game.to_dict())
        assert not list(faults(scene, CONTRACT, "scene", set(game.box.card_ids)))
        assert scene["num_players"] == players == len(scene["players"])
        assert scene["difficulty"] == (difficulty if players == 1 else None)
        assert (scene["competition"] is None) == (players > 1)
        assert sorted(scene["turn_order"]) == list(range(seats))
        assert (scene["round"] == 0) == (scene["phase"] == "setup")
        assert scene["current_player"] == game.current_player
        assert [len(row) for row in scene["board"]["spaces"]] == [columns] * 3
        assert len(scene["board"]["bonuses"]) == columns
        assert len(scene["board"]["special"]) == seats
        assert [len(row) for row in scene["board"]["tiles"]] == [3] * 3
        assert [len(row) for row in scene["draft"]] == [5] * 3
        assert len(scene["combinations"]) == (players + 1 if scene["phase"] == "setup" else 0)
        assert len(scene["market"]["dice"]) == (0 if scene["phase"] == "setup" else 3)
        for player in scene["players"]:
            assert len(player["wheels"]) == 5
            assert len(player["esparto"]) == 4
            assert player["esparto"][0] == "E0"
            assert player["cleanup"][0]["card"] == "C00"
            assert player["firing_kilns"][0]["card"] == "F00"
            assert player["workshops"][0]["card"] == "Y00"
            assert player["glaze_kilns"][0]["card"] == "G00"
            assert player["donkey"] is None or len(player["donkey"]) == 2
            assert not Counter(player["hand_dealt"]) - Counter(player["hand"])
        if players == 1:
            assert scene["first_player_track"][1] == 1
            both = scene["competition"]["revealed"] + scene["competition"]["deck"]
            assert sorted(both) == list(range(1, 10))


def test_the_next_card_of_a_deck_comes_first() -> None:
    game = Game.from_dict(puzzle())
    decks = game.to_dict()["decks"]
    for name in ("place:0,1", "action:acquire", "take:0,0", "donkey:1,1"):
        game.step(game.parse_action(name))
    assert game.to_dict()["draft"][0][0] == decks[0][0]
    assert game.to_dict()["decks"] == [decks[0][1:], decks[1], decks[2]]


# --- what may be left out -----------------------------------------------------------------------


@pytest.mark.parametrize(("players", "difficulty"), KINDS)
def test_supply_and_decks_are_worked_out(players: int, difficulty: str) -> None:
    for number, game in enumerate(positions(players, difficulty, 3, forced=True)):
        if number % 9:
            continue
        full = game.to_dict()
        scene = {key: value for key, value in full.items() if key not in ("supply", "decks")}
        again = Game.from_dict(scene, log=False).to_dict()
        assert again["supply"] == full["supply"]
        assert [sorted(deck) for deck in again["decks"]] == [sorted(d) for d in full["decks"]]
        assert {**again, "decks": 0} == {**full, "decks": 0}


def test_pending_rng_and_the_rest_have_defaults() -> None:
    full = scene_of("turns", 2)
    out = ("pending", "rng", "box", "format", "auto_forced", "decisions", "combinations")
    scene = {key: value for key, value in full.items() if key not in out}
    for player in scene["players"]:
        del player["vp_from"], player["hand_dealt"], player["endgame_discarded"]
    game = Game.from_dict(scene, seed=99)
    again = game.to_dict()
    assert again["pending"] == []
    assert again["rng"] == {"seed": 99, "draws": dict.fromkeys(again["rng"]["draws"], 0)}
    assert again["format"] == full["format"]
    assert again["box"] == full["box"]
    assert again["auto_forced"] is True
    assert again["decisions"] == 0
    for player in again["players"]:
        assert player["hand_dealt"] == player["hand"]
        cards = player["endgame_hand"] + player["endgame_played"] + player["endgame_discarded"]
        assert len(cards) == 3
        assert player["vp_from"] == ({"given": player["vp"]} if player["vp"] else {})
    assert Game.from_dict(scene, seed=99).record.tobytes() == game.record.tobytes()


def test_discarded_endgame_cards_are_worked_out() -> None:
    """They were out of the game unseen: any that nobody has are as good."""
    scene = puzzle()
    scene["players"][0]["endgame_hand"] = ["pot"]
    scene["players"][1]["endgame_hand"] = []
    game = Game.from_dict(scene)
    hers, theirs = game.to_dict()["players"]
    assert (len(hers["endgame_discarded"]), len(theirs["endgame_discarded"])) == (2, 2)
    assert Game.from_dict(game.to_dict()).to_dict() == game.to_dict()
    scene["players"][1]["endgame_discarded"] = ["plate"]
    with pytest.raises(SceneError, match=r"^players\[1\]\.endgame_hand: .* 3 cards, not 2"):
        Game.from_dict(scene)


def test_the_scenes_own_luck_comes_before_the_seed_given() -> None:
    scene = scene_of("turns", 2)
    assert Game.from_dict(scene, seed=5).to_dict()["rng"] == scene["rng"]
    del scene["rng"]
    drawn = {Game.from_dict(scene).to_dict()["rng"]["seed"] for _ in range(3)}
    assert len(drawn) == 3


def test_a_forced_decision_is_taken_at_once_where_the_scene_says_so() -> None:
    scene = puzzle()
    hers = scene["players"][0]
    hers.update(glaze_kilns=[{"card": "G00", "piece": None}], endgame_hand=[])
    hers["endgame_discarded"] = ["jug", "pot", "wheel"]
    hers["craftswomen"], scene["board"]["special"][0] = 0, 3
    scene["auto_forced"] = False
    game = Game.from_dict(scene)
    assert [game.action_name(a) for a in game.legal_actions()] == ["close"]
    scene["auto_forced"] = True
    game = Game.from_dict(scene)
    assert game.to_dict()["players"][0]["shop"] == "closed"
    assert len(game.legal_actions()) > 1


# --- a scene written by hand --------------------------------------------------------------------


def puzzle() -> Scene:
    """Two players in the last round; player 0 holds a painted plate and jug."""

    def player(**values: Any) -> Scene:
        return {
            "vp": 30,
            "pg": 3,
            "glaze": 1,
            "clay": 2,
            "cleaning_area": 0,
            "technology": 2,
            "craftswomen": 2,
            "shop": "open",
            "shop_craftswomen": 0,
            "hand": [],
            "endgame_hand": ["jug", "pot", "wheel"],
            "endgame_played": [],
            "esparto": ["E0", None, None, None],
            "cleanup": [{"card": "C00", "cracks": 1}],
            "firing_kilns": [{"card": "F00", "piece": None}],
            "workshops": [{"card": "Y00", "piece": None}],
            "glaze_kilns": [{"card": "G00", "piece": None}],
            "drying": {"plate": 0, "jug": 0, "pot": 0},
            "sold": {"plate": 0, "jug": 0, "pot": 0},
            **values,
        }

    return {
        "num_players": 2,
        "phase": "turns",
        "round": 3,
        "turn_order": [0, 1],
        "first_player_track": [None, None],
        "current_player": 0,
        "turn_player": 0,
        "market": {
            "demand": {"plate": [2, 1, 0], "jug": [1, 0, 2], "pot": [0, 2, 1]},
            "position": {"plate": 6, "jug": 12, "pot": 4},
            "dice": [6, 3, 1],
        },
        "board": {
            "tiles": [
                [["acquire"], ["play"], "clay"],
                [["tech", "throw"], ["fire"], ["paint"]],
                ["clean", "esparto", "first_player"],
            ],
            "bonuses": ["clay", "throw", "clean"],
            "special_bonuses": ["fire", "paint"],
            "spaces": [
                [{"owner": 1, "count": 1}, None, None],
                [None, {"owner": 0, "count": 2}, None],
                [None, None, None],
            ],
            "special": [1, 2],
        },
        "draft": [
            ["W14", "E1", "W15", "E2", "W16"],
            ["C10", "Y10", "C11", "Y11", "C12"],
            ["F10", "G10", "F11", "G11", "F12"],
        ],
        "players": [
            player(
                donkey=[0, 0],
                hand=["W01", "E1"],
                wheels=[{"card": "SW1", "vase": 3}, {"card": "W02", "vase": "done"}, *[None] * 3],
                glaze_kilns=[
                    {"card": "G00", "piece": "plate"},
                    {"card": "G03", "piece": "jug"},
                ],
            ),
            player(
                donkey=[2, 4],
                wheels=[{"card": "SW2", "vase": 0}, *[None] * 4],
                cleaning_area=4,
                endgame_hand=["plate", "cleanup"],
                endgame_played=["esparto"],
            ),
        ],
    }


def test_a_puzzle_written_by_hand() -> None:
    given = puzzle()
    game = Game.from_dict(given, seed=1)
    assert given == puzzle()
    assert (game.current_player, game.round, game.scores()) == (0, 3, [30, 30])
    scene = game.to_dict()
    assert scene["supply"] == {
        "pg": 48,
        "glaze": 40,
        "crack": 26,
        "vase": 17,
        "plate": 7,
        "jug": 7,
        "pot": 8,
    }
    assert [len(deck) for deck in scene["decks"]] == [32 - 5 - 3, 24 - 5, 24 - 5 - 1]
    for name in ("sell:jug:painted", "sell:plate:painted"):
        game.step(game.parse_action(name))
    assert game.scores() == [30 + 13 + 7, 30]  # rows 12 and 6
    assert game.to_dict()["market"]["position"] == {"plate": 6, "jug": 10, "pot": 4}
    assert game.current_player == 1


def test_another_box_is_a_warning() -> None:
    scene = scene_of("turns", 2)
    scene["box"] = {"name": "prototype", "fingerprint": "0" * 12}
    with pytest.warns(UserWarning, match=r"prototype.*0000") as caught:
        Game.from_dict(scene)
    assert caught[0].filename == __file__


# --- broken scenes ------------------------------------------------------------------------------


@cache
def _stops() -> dict[tuple[str, int], Scene]:
    """A scene of each phase, for 1 to 4 players."""
    found: dict[tuple[str, int], Scene] = {}
    for players in (1, 2, 3, 4):
        for game in positions(players, "normal", 0, forced=False):
            where = (game.phase, players)
            if game.record.depth == 0 and (game.phase != "turns" or game.round == 2):
                found.setdefault(where, game.to_dict())
    return found


def scene_of(phase: str, players: int = 2) -> Scene:
    """A good scene of this phase, with nothing pending, to break."""
    if phase == "puzzle":
        return puzzle()
    return deepcopy(_stops()[phase, players])


DELETE: Final = object()
Change = tuple[str, Any]


def put(scene: Any, path: str, value: Any) -> None:
    """Set, append to (a path ending in `[]`) or delete what lies at a path."""
    steps = [int(s) if s.isdigit() else s for s in re.findall(r"\w+|\[\]", path)]
    for step in steps[:-1]:
        scene = scene[step]
    last = steps[-1]
    if last == "[]":
        scene.append(value)
    elif value is DELETE:
        del scene[last]
    else:
        scene[last] = value


def frame(kind: str, player: int = 0, **arguments: Any) -> Scene:
    return {"kind": kind, "player": player, **arguments}


HERS: Final = "players[0]"
# Base scene, changes, what the message must begin with. `puzzle` is the scene written above.
BROKEN: Final[list[tuple[str, list[Change], str]]] = [
    # wrong types
    ("puzzle", [("round", "3")], "round"),
    ("puzzle", [("round", 3.0)], "round"),
    ("puzzle", [("round", True)], "round"),
    ("puzzle", [("round", None)], "round"),
    ("puzzle", [(f"{HERS}.pg", float("nan"))], f"{HERS}.pg"),
    ("puzzle", [(f"{HERS}.pg", float("inf"))], f"{HERS}.pg"),
    ("puzzle", [("players[1].vp", "30")], "players[1].vp"),
    ("puzzle", [("players[1].hand", "W03")], "players[1].hand"),
    ("puzzle", [("players[1].hand", ["W03", None])], "players[1].hand"),
    ("puzzle", [("players", {})], "players"),
    ("puzzle", [("players[1]", [])], "players[1]"),
    ("puzzle", [("draft", None)], "draft"),
    ("puzzle", [("draft[0][0]", 5)], "draft"),
    ("puzzle", [("draft[1]", "C10")], "draft"),
    ("puzzle", [("market", [])], "market"),
    ("puzzle", [("market.dice", 6)], "market.dice"),
    ("puzzle", [("board.tiles[0][0]", 1)], "board.tiles"),
    ("puzzle", [("board.spaces[0][0]", 1)], "board.spaces"),
    ("puzzle", [("pending", [3])], "pending"),
    ("puzzle", [("pending", [[]])], "pending"),
    ("puzzle", [("pending", {})], "pending"),
    ("puzzle", [("auto_forced", 1)], "auto_forced"),
    ("puzzle", [("competition", [])], "competition"),
    ("puzzle", [("phase", "\ud800")], "scene"),
    ("puzzle", [(f"{HERS}.donkey", "A1")], f"{HERS}.donkey"),
    ("puzzle", [(f"{HERS}.donkey", [0])], f"{HERS}.donkey"),
    ("puzzle", [(f"{HERS}.donkey", [0, 0, 0])], f"{HERS}.donkey"),
    # missing and unknown keys
    ("puzzle", [("round", DELETE)], "scene: object missing required field `round`"),
    ("puzzle", [("players", DELETE)], "scene: object missing required field `players`"),
    ("puzzle", [("players[1].clay", DELETE)], "players[1]: object missing required field `clay`"),
    ("puzzle", [("market.position.jug", DELETE)], "market.position"),
    ("puzzle", [("board.special", DELETE)], "board"),
    ("puzzle", [("rounds", 3)], "scene: object contains unknown field `rounds`"),
    ("puzzle", [("players[1].gold", 3)], "players[1]: object contains unknown field `gold`"),
    ("puzzle", [("board.columns", 3)], "board"),
    # unknown names
    ("puzzle", [("format", "nijar-scene-0")], "format"),
    ("puzzle", [("phase", "play")], "phase"),
    ("puzzle", [("num_players", 5)], "num_players"),
    ("puzzle", [("num_players", 0)], "num_players"),
    ("puzzle", [("difficulty", "hard")], "difficulty"),
    ("puzzle", [(f"{HERS}.shop", "shut")], f"{HERS}.shop"),
    ("puzzle", [(f"{HERS}.hand[0]", "W99")], f"{HERS}.hand[0]: box "),
    ("puzzle", [(f"{HERS}.hand[0]", "")], f"{HERS}.hand[0]"),
    ("puzzle", [(f"{HERS}.hand[0]", "unused-20")], f"{HERS}.hand[0]"),
    ("puzzle", [(f"{HERS}.wheels[1].card", "W99")], f"{HERS}.wheels[1].card"),
    ("puzzle", [(f"{HERS}.esparto[1]", "E9")], f"{HERS}.esparto[1]"),
    ("puzzle", [(f"{HERS}.endgame_hand[0]", "plates")], f"{HERS}.endgame_hand[0]"),
    ("puzzle", [("draft[0][0]", "W99")], "draft[0][0]"),
    ("puzzle", [("discards", ["X1"])], "discards[0]"),
    ("puzzle", [("board.tiles[0][0]", ["sell"])], "board.tiles[0][0]"),
    ("puzzle", [("board.tiles[0][0]", [])], "board.tiles[0][0]"),
    ("puzzle", [("board.bonuses[0]", "gold")], "board.bonuses[0]"),
    ("puzzle", [("board.bonuses[0]", "esparto")], "board.bonuses[0]"),
    ("puzzle", [(f"{HERS}.vp_from", {"gold": 30})], f"{HERS}.vp_from"),
    ("turns", [("rng.draws", {"luck": 3})], "rng.draws"),
    ("setup", [("combinations[0].resources", "SR9")], "combinations[0].resources"),
    ("setup", [("combinations[0].wheel", "W01")], "combinations[0].wheel"),
    # numbers out of range
    ("puzzle", [(f"{HERS}.clay", 8)], f"{HERS}.clay"),
    ("puzzle", [("players[1].cleaning_area", 9)], "players[1].cleaning_area"),
    ("puzzle", [(f"{HERS}.technology", 0)], f"{HERS}.technology"),
    ("puzzle", [(f"{HERS}.technology", 4)], f"{HERS}.technology"),
    ("puzzle", [(f"{HERS}.pg", -1)], f"{HERS}.pg"),
    ("puzzle", [(f"{HERS}.pg", 2**70)], f"{HERS}.pg"),
    ("puzzle", [(f"{HERS}.vp", -(2**70))], f"{HERS}.vp"),
    ("puzzle", [(f"{HERS}.vp", 2**15)], f"{HERS}.vp"),
    ("puzzle", [(f"{HERS}.drying.pot", 200)], f"{HERS}.drying.pot"),
    ("puzzle", [(f"{HERS}.sold.pot", 2**31)], f"{HERS}.sold.pot"),
    ("puzzle", [(f"{HERS}.donkey", [0, 5])], f"{HERS}.donkey"),
    ("puzzle", [(f"{HERS}.donkey", [3, 0])], f"{HERS}.donkey"),
    ("puzzle", [(f"{HERS}.hand", ["W01"] * 300)], f"{HERS}.hand"),
    ("puzzle", [("discards", ["E1"] * 257)], "discards"),
    ("puzzle", [("decisions", 2**40)], "decisions"),
    ("puzzle", [("decisions", -1)], "decisions"),
    ("puzzle", [("round", 4)], "round"),
    ("puzzle", [("market.position.jug", 13)], "market.position.jug"),
    ("puzzle", [("market.position.jug", -1)], "market.position.jug"),
    ("puzzle", [("market.demand.jug[0]", 200)], "market.demand.jug"),
    ("puzzle", [("market.dice[0]", 7)], "market.dice"),
    ("puzzle", [("board.special[0]", 300)], "board.special"),
    ("turns", [("rng.seed", 2**64)], "rng.seed"),
    ("turns", [("rng.seed", -1)], "rng.seed"),
    ("turns", [("rng.draws.refresh", 2**31)], "rng.draws"),
    ("turns", [("rng.draws.refresh", -1)], "rng.draws"),
    # cards
    ("puzzle", [(f"{HERS}.hand[]", "W14")], "decks: card W14 lies in 2 places"),
    ("puzzle", [("players[1].hand[]", "W01")], "decks: card W01 lies in 2 places"),
    ("puzzle", [("discards", ["G03"])], "decks: card G03 lies in 2 places"),
    ("puzzle", [(f"{HERS}.hand", ["E1"] * 4)], "decks: card E1 lies in 5 places"),
    ("turns", [("decks[0]", [])], "decks: card "),
    ("turns", [("decks[0][]", "C01")], "decks[0]"),
    ("turns", [("decks[1]", ["C01"] * 25)], "decks[1]"),
    ("turns", [("decks[]", [])], "decks"),
    ("puzzle", [("draft[0][0]", "C10")], "draft[0][0]"),
    ("puzzle", [("draft[0][]", "W13")], "draft[0]"),
    ("puzzle", [(f"{HERS}.hand[]", "C00")], f"{HERS}.hand[2]"),
    ("puzzle", [("draft[1][0]", "C00")], "draft[1][0]"),
    ("puzzle", [("discards", ["SW1"])], "discards[0]"),
    ("puzzle", [("deck_seen", ["X1"])], "deck_seen[0]"),
    ("puzzle", [("deck_seen", ["W01"] * 2)], "deck_seen: W01 lies in the decks"),
    ("puzzle", [(f"{HERS}.hand_dealt", ["W03"])], f"{HERS}.hand_dealt"),
    ("puzzle", [(f"{HERS}.hand_dealt", ["E1", "E1"])], f"{HERS}.hand_dealt"),
    # starting cards
    ("puzzle", [(f"{HERS}.cleanup", [])], f"{HERS}.cleanup"),
    ("puzzle", [(f"{HERS}.firing_kilns", [])], f"{HERS}.firing_kilns"),
    ("puzzle", [(f"{HERS}.workshops[0].card", "Y01")], f"{HERS}.workshops"),
    ("puzzle", [(f"{HERS}.glaze_kilns[1].card", "G00")], f"{HERS}.glaze_kilns"),
    ("puzzle", [(f"{HERS}.glaze_kilns[1].card", "F01")], f"{HERS}.glaze_kilns[1].card"),
    ("puzzle", [(f"{HERS}.cleanup[0].card", "E0")], f"{HERS}.cleanup[0].card"),
    ("puzzle", [(f"{HERS}.esparto[0]", None)], f"{HERS}.esparto[0]"),
    ("puzzle", [(f"{HERS}.esparto[1]", "E0")], f"{HERS}.esparto[1]"),
    ("puzzle", [(f"{HERS}.esparto", ["E0"])], f"{HERS}.esparto"),
    ("puzzle", [(f"{HERS}.wheels[0]", None)], f"{HERS}.wheels[0]"),
    ("puzzle", [(f"{HERS}.wheels[0].card", "W03")], f"{HERS}.wheels[0].card"),
    ("puzzle", [(f"{HERS}.wheels[1].card", "SW3")], f"{HERS}.wheels[1].card"),
    ("puzzle", [(f"{HERS}.wheels[0].card", "SW2")], "players: the same starting wheel"),
    ("puzzle", [(f"{HERS}.wheels", [])], f"{HERS}.wheels"),
    # places that are too full, or full at the wrong time
    ("puzzle", [(f"{HERS}.glaze_kilns[0].piece", "vase")], f"{HERS}.glaze_kilns"),
    ("puzzle", [(f"{HERS}.glaze_kilns[0].piece", ["jug"])], f"{HERS}.glaze_kilns"),
    ("puzzle", [(f"{HERS}.cleanup[0].cracks", 3)], f"{HERS}.cleanup[0].cracks"),
    ("puzzle", [(f"{HERS}.cleanup[0].cracks", 2)], f"{HERS}.cleanup[0].cracks"),
    ("puzzle", [("players[1].cleanup[0].cracks", 2)], "players[1].cleanup[0].cracks"),
    ("puzzle", [(f"{HERS}.wheels[0].vase", 5)], f"{HERS}.wheels[0].vase"),
    ("puzzle", [(f"{HERS}.wheels[0].vase", 4)], f"{HERS}.wheels[0].vase"),
    ("puzzle", [(f"{HERS}.wheels[0].vase", "gone")], f"{HERS}.wheels"),
    ("puzzle", [(f"{HERS}.wheels[0].vase", -1)], f"{HERS}.wheels"),
    # endgame cards
    ("puzzle", [(f"{HERS}.endgame_played", ["plate"])], f"{HERS}.endgame_hand"),
    ("puzzle", [(f"{HERS}.endgame_hand", ["wheel"] * 3)], "players: more endgame cards"),
    ("puzzle", [(f"{HERS}.endgame_hand", ["wheel"] * 300)], f"{HERS}.endgame_hand"),
    # limited components
    ("puzzle", [(f"{HERS}.pg", 52)], "supply.pg"),
    ("puzzle", [(f"{HERS}.glaze", 42)], "supply.glaze"),
    ("puzzle", [(f"{HERS}.sold.plate", 8)], "supply.plate"),
    ("puzzle", [(f"{HERS}.drying.jug", 100)], "supply.jug"),
    ("turns", [("supply.pg", 0)], "supply.pg"),
    ("turns", [("supply.vase", 20)], "supply.vase"),
    ("turns", [("supply.pot", 9)], "supply.pot"),
    ("turns", [("supply.crack", DELETE)], "supply"),
    # craftswomen and shops
    ("puzzle", [(f"{HERS}.craftswomen", 3)], f"{HERS}.craftswomen"),
    ("puzzle", [("board.special[1]", 1)], "players[1].craftswomen"),
    ("puzzle", [("board.spaces[1][1].count", 1)], f"{HERS}.craftswomen"),
    ("puzzle", [("board.spaces[1][1].count", 0)], "board.spaces"),
    ("puzzle", [("board.spaces[1][1].owner", 2)], "board.spaces[1][1].owner"),
    ("puzzle", [("round", 2)], f"{HERS}.craftswomen"),
    (
        "puzzle",
        [(f"{HERS}.craftswomen", 1), (f"{HERS}.shop_craftswomen", 1)],
        f"{HERS}.shop_craftswomen",
    ),
    ("puzzle", [(f"{HERS}.shop", "closed")], f"{HERS}.craftswomen"),
    ("puzzle", [("board.special", [1])], "board.special"),
    ("puzzle", [("board.spaces", [])], "board.spaces"),
    ("puzzle", [("board.spaces[0][]", None)], "board.spaces"),
    (
        "market",
        [(f"{HERS}.shop", "closed"), (f"{HERS}.craftswomen", 0), ("board.special[0]", 6)],
        f"{HERS}.shop",
    ),
    ("market", [(f"{HERS}.craftswomen", 5), ("board.special[0]", 1)], "board"),
    ("end_of_round", [(f"{HERS}.craftswomen", 7)], f"{HERS}.craftswomen"),
    # board and market
    ("puzzle", [("board.tiles[0][0]", ["clean"])], "board.tiles[2][0]"),
    ("puzzle", [("board.tiles[0]", [])], "board.tiles"),
    ("puzzle", [("board.tiles[]", [])], "board.tiles"),
    ("puzzle", [("board.tiles[0][2]", ["first_player"]), ("board.tiles[2][2]", ["clay"])], "board"),
    ("puzzle", [("board.bonuses", ["clay", "clay", "throw"])], "board.bonuses"),
    ("puzzle", [("board.bonuses[0]", "acquire")], "board.bonuses"),
    ("puzzle", [("board.bonuses[]", "acquire")], "board.bonuses"),
    ("puzzle", [("market.demand.plate", [2, 1, 1])], "market.demand"),
    ("puzzle", [("market.demand.plate", [2, 1])], "market.demand.plate"),
    ("puzzle", [("market.dice", [])], "market.dice"),
    ("puzzle", [("market.dice", [1, 2])], "market.dice"),
    ("puzzle", [("market.dice", [1, 2, 3, 4])], "market.dice"),
    ("setup", [("market.dice", [1, 2, 3])], "market.dice"),
    # order and turns
    ("puzzle", [("turn_order", [0, 0])], "turn_order"),
    ("puzzle", [("turn_order", [0])], "turn_order"),
    ("puzzle", [("turn_order", [0, 1, 2])], "turn_order"),
    ("puzzle", [("turn_order", [0, 2])], "turn_order"),
    ("puzzle", [("turn_order", [0, 4])], "turn_order"),
    ("puzzle", [("first_player_track", [])], "first_player_track"),
    ("puzzle", [("first_player_track", [0, 0])], "first_player_track"),
    ("puzzle", [("first_player_track", [None, 2])], "first_player_track"),
    ("market", [("first_player_track[0]", 0)], "first_player_track"),
    ("puzzle", [("current_player", None)], "current_player"),
    ("puzzle", [("current_player", 2)], "current_player"),
    ("puzzle", [("current_player", 1)], "current_player"),
    ("puzzle", [("turn_player", 1)], "current_player"),
    ("puzzle", [("turn_player", 3)], "turn_player"),
    ("puzzle", [("donkey", [0, 0])], "scene"),
    ("puzzle", [("players[1].donkey", [0, 0])], "players[1].donkey"),
    ("puzzle", [("players[1].donkey", None)], "players[1].donkey"),
    # phases
    ("puzzle", [("round", 0)], "round"),
    ("puzzle", [("phase", "setup")], "combinations"),
    ("puzzle", [("phase", "setup"), ("combinations", [None] * 3)], "round"),
    ("puzzle", [("phase", "finished")], f"{HERS}.craftswomen"),
    ("setup", [("round", 1)], "round"),
    ("setup", [("phase", "turns")], "combinations"),
    ("setup", [("combinations", [])], "combinations"),
    ("setup", [("combinations[0]", None)], "combinations"),
    ("setup", [("combinations[]", None)], "combinations"),
    ("market", [("round", 1)], f"{HERS}.craftswomen"),
    ("finished", [("current_player", 0)], "current_player"),
    ("finished", [("turn_player", 0)], "turn_player"),
    ("finished", [("pending", [frame("clay")])], "pending"),
    ("finished", [("players[1].firing_kilns[0].piece", "jug")], "supply.jug"),
    ("puzzle", [("combinations", [None] * 3)], "combinations"),
    # players and the Competition
    ("puzzle", [("players", [])], "players"),
    ("puzzle", [("players[1]", DELETE)], "players"),
    ("puzzle", [("num_players", 3)], "players"),
    ("puzzle", [(f"{HERS}.vp_from", {"sales": 29})], f"{HERS}.vp_from"),
    ("solo", [("competition", None)], "competition"),
    ("solo", [("competition", DELETE)], "competition"),
    ("solo", [("competition.deck[0]", 10)], "competition.deck"),
    ("solo", [("competition.deck", [1])], "competition.deck"),
    ("solo", [("competition.deck[]", 1)], "competition.deck"),
    (
        "solo",
        [("competition.deck", []), ("competition.revealed", list(range(1, 10)))],
        "competition.deck",
    ),
    ("solo", [("competition.pieces.jug", "blue")], "competition.pieces.jug"),
    ("solo", [("competition.pieces.jug", DELETE)], "competition.pieces"),
    ("solo", [("competition.craftswomen", 0)], "competition.craftswomen"),
    ("solo", [("competition.donkey", None)], "competition.donkey"),
    ("solo", [("competition.vp_from", {"sales": -99})], "competition.vp_from"),
    ("solo", [("first_player_track", [None, None])], "first_player_track"),
    ("solo", [("first_player_track", [1, None])], "first_player_track"),
    ("solo", [("turn_player", 1)], "current_player"),
    ("solo", [("current_player", 1)], "current_player"),
    # pending frames
    ("puzzle", [("pending", [{}])], "pending[0].kind"),
    ("puzzle", [("pending", [frame("dance")])], "pending[0].kind"),
    ("puzzle", [("pending", [frame("clay"), {"kind": [1], "player": 0}])], "pending[1].kind"),
    ("puzzle", [("pending", [{"kind": "clay"}])], "pending[0].player"),
    ("puzzle", [("pending", [frame("clay", 2)])], "pending[0].player"),
    ("puzzle", [("pending", [frame("clay", -1)])], "pending[0].player"),
    ("puzzle", [("pending", [{"kind": "clay", "player": "0"}])], "pending[0].player"),
    ("puzzle", [("pending", [frame("clay", 1)])], "current_player"),
    ("puzzle", [("pending", [frame("clay", 1)]), ("current_player", 1)], "pending[0].player"),
    ("puzzle", [("pending", [frame("clay", left=1)])], "pending[0]"),
    ("puzzle", [("pending", [frame("throw")])], "pending[0].left"),
    ("puzzle", [("pending", [frame("throw", left=0)])], "pending[0].left"),
    ("puzzle", [("pending", [frame("throw", left=-1)])], "pending[0].left"),
    ("puzzle", [("pending", [frame("throw", left="2")])], "pending[0].left"),
    ("puzzle", [("pending", [frame("throw", left=None)])], "pending[0].left"),
    ("puzzle", [("pending", [frame("throw", left=2**70)])], "pending[0].left"),
    ("puzzle", [("pending", [frame("throw", left=True)])], "pending"),
    ("puzzle", [("pending", [frame("fire", left=2)])], "pending[0].left"),
    ("puzzle", [("pending", [frame("fire", left=0)])], "pending[0].left"),
    ("puzzle", [("pending", [frame("esparto", owed=[], left=1)])], "pending[0].owed"),
    ("puzzle", [("pending", [frame("esparto", owed=[1], left=1)])], "pending[0].owed"),
    ("puzzle", [("pending", [frame("esparto", owed=[4], left=1)])], "pending[0].owed"),
    ("puzzle", [("pending", [frame("esparto", owed=[-1], left=1)])], "pending[0].owed"),
    ("puzzle", [("pending", [frame("esparto", owed=[10**15], left=1)])], "pending[0].owed"),
    ("puzzle", [("pending", [frame("esparto", owed="0", left=1)])], "pending[0].owed"),
    ("puzzle", [("pending", [frame("esparto", owed=None, left=1)])], "pending[0].owed"),
    ("puzzle", [("pending", [frame("rewards", owed=[1])])], "pending[0].owed"),
    ("puzzle", [("pending", [frame("special", owed=[3])])], "pending[0].owed"),
    ("puzzle", [("pending", [frame("special", 1, owed=[1])])], "current_player"),
    ("puzzle", [("pending", [frame("slot", card="W02")])], "pending[0].card"),
    ("puzzle", [("pending", [frame("slot", card="G03")])], "pending[0].card"),
    ("puzzle", [("pending", [frame("slot", card="SW1")])], "pending[0].card"),
    ("puzzle", [("pending", [frame("slot", card=1)])], "pending[0].card"),
    ("puzzle", [("pending", [frame("pay", piece="jug", workshop=0)])], "pending[0].piece"),
    ("puzzle", [("pending", [frame("pay", piece="vase", workshop=0)])], "pending[0].piece"),
    (
        "puzzle",
        [
            (f"{HERS}.firing_kilns[0].piece", "pot"),
            ("pending", [frame("pay", piece="pot", workshop=1)]),
        ],
        "pending[0].workshop",
    ),
    (
        "puzzle",
        [
            (f"{HERS}.firing_kilns[0].piece", "pot"),
            ("pending", [frame("pay", piece="pot", workshop=0)]),
        ],
        "pending[0].workshop: its card leaves no choice",
    ),
    ("puzzle", [("pending", [frame("sides", left="sell", right=None)])], "pending[0].left"),
    ("puzzle", [("pending", [frame("sides", left="shape", right=None)])], "pending[0].left"),
    ("puzzle", [("pending", [frame("sides", left=None, right=None)])], "pending"),
    ("puzzle", [("pending", [frame("paint", left=None)])], "pending"),  # nothing to paint
    ("puzzle", [("pending", [frame("complete_wheel", space=0)])], "pending[0].space"),
    (
        "puzzle",
        [
            (f"{HERS}.wheels[0].vase", 4),
            ("pending", [frame("complete_wheel", space=0)]),
        ],
        "pending[0].kind: this frame resolves by itself",
    ),
    (
        "puzzle",
        [
            (f"{HERS}.wheels[0].vase", 4),
            ("pending", [*[frame("complete_wheel", space=0)] * 2, frame("clay")]),
        ],
        f"{HERS}.wheels[0].vase",
    ),
    ("puzzle", [("pending", [frame("clay"), frame("clay")])], "pending[0].kind"),
    ("puzzle", [("pending", [frame("paint", left=None), frame("clay")])], "pending[0].kind"),
    ("puzzle", [("pending", [frame("throw", left=1)] * 300)], "pending"),
    (
        "puzzle",
        [("pending", [frame("throw", left=1), frame("special", owed=[1])])],
        "pending[1].kind",
    ),
    (
        "puzzle",
        [("pending", [frame("placement", row=0, action_owed=1, bonus="clay", bonuses_owed=1)])],
        "pending[0]",
    ),
    (
        "puzzle",
        [("pending", [frame("placement", row=1, action_owed=1, bonus="throw", bonuses_owed=3)])],
        "pending[0]",
    ),
    (
        "puzzle",
        [("pending", [frame("placement", row=1, action_owed=2, bonus="throw", bonuses_owed=1)])],
        "pending[0].action_owed",
    ),
    ("puzzle", [("pending", [frame("acquire", limit=1, taken=2, refreshed=[])])], "pending[0]"),
    ("puzzle", [("pending", [frame("shop", left=1)])], "pending[0]"),
    (
        "puzzle",
        [("pending", [frame("shop", 1, left=1)]), ("current_player", 1)],
        "pending[0]",
    ),
    ("puzzle", [("pending", [frame("competition", card=3)])], "pending[0].kind"),
    ("market", [("pending", [frame("clay")])], "pending"),
    (
        "solo",
        [("pending", [frame("competition", 1, card=3), frame("clay")]), ("turn_player", 1)],
        "pending[0]",
    ),
    ("solo", [("pending", [frame("clay")]), ("turn_player", 1)], "turn_player"),
]


def _label(case: tuple[str, list[Change], str]) -> str:
    base, changes, _ = case
    path, value = changes[-1]
    shown = "deleted" if value is DELETE else re.sub(r"[^\w.,:\[\]-]+", " ", repr(value))[:40]
    return f"{base}-{path}-{shown}"


@pytest.mark.parametrize("case", BROKEN, ids=_label)
def test_a_broken_scene_names_the_field(case: tuple[str, list[Change], str]) -> None:
    base, changes, field = case
    scene = scene_of("turns", 1) if base == "solo" else scene_of(base)
    Game.from_dict(deepcopy(scene), log=False)  # is good as long as nothing is changed
    for path, value in changes:
        put(scene, path, value)
    before = deepcopy(scene)
    with pytest.raises(SceneError) as caught:
        Game.from_dict(scene)
    text = str(caught.value)
    assert text.startswith(field), text
    assert "\n" not in text and len(text) < 700
    assert caught.value.__cause__ is None and caught.value.__suppress_context__ is not None
    assert repr(scene) == repr(before)  # also where it holds nan


def test_the_competition_plays_in_solo_only() -> None:
    for players in (2, 3, 4):
        scene = scene_of("turns", players)
        scene["competition"] = scene_of("turns", 1)["competition"]
        with pytest.raises(SceneError, match=r"^competition: must be given in solo, and null"):
            Game.from_dict(scene)


def test_setup_in_the_wrong_order() -> None:
    """The last player chooses first, and each combination and donkey in turn (§4.3)."""
    scene = scene_of("setup", 3)
    last, middle, first = reversed(scene["turn_order"])
    game = Game.from_dict(deepcopy(scene))
    for name in ("start:0", "donkey:0,0", "start:1"):
        game.step(game.parse_action(name))
    good = game.to_dict()
    del good["supply"]
    assert good["current_player"] == middle
    for player, change, field in (
        (first, {"donkey": [2, 2]}, "donkey"),
        (last, {"donkey": None}, "donkey"),
        (middle, {"donkey": [2, 2]}, "donkey"),
        (first, {"cleaning_area": 7}, "cleaning_area"),
        (first, {"pg": 1}, "pg"),
    ):
        broken = deepcopy(good)
        broken["players"][player].update(change)
        with pytest.raises(SceneError, match=rf"^players\[{player}\]\.{field}"):
            Game.from_dict(broken)
    broken = deepcopy(good)
    broken["current_player"] = broken["turn_player"] = first
    with pytest.raises(SceneError, match=rf"^players\[{middle}\]\.donkey"):
        Game.from_dict(broken)


def test_the_end_of_a_round_asks_only_who_has_a_card_to_play() -> None:
    scene = scene_of("end_of_round", 2)
    hers = scene["players"][scene["current_player"]]
    hers["endgame_discarded"] += hers.pop("endgame_hand")
    hers["endgame_hand"] = []
    with pytest.raises(SceneError, match=r"^current_player: has no endgame card"):
        Game.from_dict(scene)


def test_a_full_card_and_a_last_vase_are_fine_while_they_are_pending() -> None:
    scene = puzzle()
    scene["players"][0]["cleanup"][0]["cracks"] = 2
    scene["players"][0]["cleaning_area"] = 1
    scene["pending"] = [frame("clean", left=1)]
    game = Game.from_dict(scene)
    game.step(game.parse_action("clean:supply"))
    assert game.to_dict()["pending"][-1] == frame("rewards", owed=[0])
    scene = puzzle()
    scene["players"][0]["wheels"][0]["vase"] = 4
    scene["pending"] = [frame("complete_wheel", space=0), frame("clay")]
    game = Game.from_dict(scene)
    game.step(game.parse_action("clay:1"))
    assert game.to_dict()["players"][0]["wheels"][0]["vase"] == "done"


@pytest.mark.parametrize(
    "data", [None, [], {}, "scene", 7, 1.5, b"{}", object(), [{}], {1: 2}, {"players": None}]
)
def test_what_is_no_scene_at_all(data: Any) -> None:
    with pytest.raises(SceneError):
        Game.from_dict(data)


def test_a_bad_seed_is_not_the_scenes_fault() -> None:
    for seed in (-1, 2**64, 1.5, "x"):
        with pytest.raises(ValueError, match=r"^seed must"):
            Game.from_dict(puzzle(), seed=seed)  # type: ignore[arg-type]


# --- anything at all ----------------------------------------------------------------------------

JUNK: Final[list[Any]] = [
    *(None, True, False, 0, 1, 2, 3, 7, 8, -1, 13, 127, 128, 256, 2**15, 2**31, 2**63, 2**64),
    *(2**70, -(2**70), 0.5, 3.0, float("nan"), float("inf"), "", "plate", "W01", "C00", "done"),
    *("open", "turns", "\ud800", "x" * 300, [], [0], [0, 0], [None], [[]], {}, {"kind": "clay"}),
]


def nodes(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every node below the root."""
    entries = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, part in entries:
        yield (*path, key)
        yield from nodes(part, (*path, key))


def follow(scene: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        scene = scene[key]
    return scene


def mutate(scene: Scene, chance: random.Random) -> str:
    """Change one thing; returns what, for the message of a failure."""
    paths = list(nodes(scene))
    # Cards of the decks are most of the nodes; look elsewhere nine times of ten.
    few = [path for path in paths if path[0] != "decks"]
    path = chance.choice(paths if chance.random() < 0.1 else few)
    parent, key = follow(scene, path[:-1]), path[-1]
    old = parent[key]
    how = chance.choice(["delete", "junk", "swap", "copy", *["step", "like", "move"] * 3])
    if how == "delete":
        del parent[key]
    elif how == "step" and type(old) is int:
        parent[key] = old + chance.choice([-1, 1])
    elif how == "swap":
        other = chance.choice(few)
        if path[: len(other)] != other and other[: len(path)] != path:
            theirs = follow(scene, other[:-1])
            parent[key], theirs[other[-1]] = theirs[other[-1]], old
    elif how == "like":
        alike = [other for other in few if type(follow(scene, other)) is type(old)]
        parent[key] = deepcopy(follow(scene, chance.choice(alike or [path])))
    elif how == "copy":
        parent[key] = deepcopy(follow(scene, chance.choice(few)))
    elif how == "move" and isinstance(old, list) and old:
        old.insert(chance.randrange(len(old) + 1), old.pop(chance.randrange(len(old))))
    else:
        parent[key] = deepcopy(chance.choice(JUNK))
    return f"{how} at {path}"


def play_out(game: Game, chance: random.Random) -> None:
    for number in range(5000):
        if number % 20 == 0 or game.done:
            check(game._games, game.box.record[0])
        if game.done:
            return
        game.step(chance.choice(game.legal_actions()))
    raise AssertionError("the game does not end")


@cache
def _corpus() -> list[Scene]:
    """Good scenes from all phases, most of them with something pending."""
    found = []
    for players, difficulty in KINDS:
        for seed in (20, 21):
            for number, game in enumerate(positions(players, difficulty, seed, forced=False)):
                if number % 12 == seed % 2 or game.record.depth > 2 or game.phase == "market":
                    found.append(game.to_dict())
    return [*found, {**puzzle(), "competition": None}]


@pytest.mark.parametrize("part", range(4))
def test_any_change_is_an_error_or_a_game(part: int) -> None:
    """Never another error, never a state that breaks later."""
    chance = random.Random(part)
    corpus = _corpus()
    games = refused = 0
    for number in range(1000):
        scene = deepcopy(chance.choice(corpus))
        if chance.random() < 0.8:  # what is worked out anyway, so that more changes are possible
            for key in ("supply", "decks", "rng"):
                scene.pop(key, None)
            for part in (*scene["players"], scene["competition"] or {}):
                part.pop("vp_from", None)
                part.pop("hand_dealt", None)
        changes = [mutate(scene, chance) for _ in range(chance.choice([1, 1, 1, 2, 3]))]
        before = repr(scene)
        try:
            with warnings.catch_warnings(action="error"):
                warnings.filterwarnings("ignore", "the scene was written with box")
                game = Game.from_dict(scene, seed=number, log=False)
        except SceneError as error:
            refused += 1
            assert ":" in str(error)
            assert repr(scene) == before
            continue
        except Exception as error:
            raise AssertionError(f"part {part}, {number}: {changes}: {error!r}") from error
        games += 1
        assert repr(scene) == before
        again = Game.from_dict(through_json(game.to_dict()), log=False)
        assert again.record.tobytes() == game.record.tobytes(), changes
        if JIT or games % 10 == 0:
            try:
                play_out(game, chance)
            except Exception as error:
                raise AssertionError(f"part {part}, {number}: {changes}: {error!r}") from error
    assert refused > 400 and games > 50
