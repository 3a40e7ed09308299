"""What a scene holds, key by key: the contract of docs/state.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

import pytest

from nijar_env import Game
from nijar_env.components.vocabulary import BONUSES, ENDGAME_KINDS, PIECES
from nijar_env.core.constants import FRAME_KINDS

from .games import KINDS, positions, puzzle, through_json

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
