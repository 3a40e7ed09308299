"""Games and scenes that the tests of scenes share."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from typing import Any, Final

from nijar_env import Game

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


def frame(kind: str, player: int = 0, **arguments: Any) -> Scene:
    return {"kind": kind, "player": player, **arguments}
