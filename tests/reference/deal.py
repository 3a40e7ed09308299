"""A random setup scene, dealt after §4 (solo: §12.1)."""

from __future__ import annotations

import random
from typing import Any

from . import box


def make_setup_scene(
    num_players: int, rng: random.Random, difficulty: str = "normal"
) -> dict[str, Any]:
    """The scene just after the deal: the last player in turn order chooses a combination."""
    solo = num_players == 1
    decks = [rng.sample(deck, len(deck)) for deck in box.DECKS]
    draft = [[deck.pop(0) for _ in range(box.DRAFT_COLUMNS)] for deck in decks]
    hands = [box.sort_cards([deck.pop(0) for deck in decks]) for _ in range(num_players)]
    endgame = [kind for kind, copies in box.ENDGAME_CARDS.items() for _ in range(copies)]
    rng.shuffle(endgame)
    endgame_hands = [
        box.sort_endgame([endgame.pop() for _ in range(3)]) for _ in range(num_players)
    ]
    first = 0 if solo else rng.randrange(num_players)
    turn_order = [0, 1] if solo else [(first + i) % num_players for i in range(num_players)]
    bonuses = [
        name for name, smallest in box.BONUS_TILES.items() if smallest <= max(2, num_players)
    ]
    rng.shuffle(bonuses)
    special_bonuses, bonuses = bonuses[:2], bonuses[2:]
    pieces = box.SOLO_PIECES if solo else box.PIECES_PER_PLAYER * num_players
    track: list[int | None] = [None] * len(box.FIRST_PLAYER_TRACK[num_players])
    if solo:
        track[-1] = 1
    return {
        "num_players": num_players,
        "difficulty": difficulty if solo else None,
        "round": 0,
        "phase": "setup",
        "turn_order": turn_order,
        "first_player_track": track,
        "current_player": 0 if solo else turn_order[-1],
        "turn_player": 0 if solo else turn_order[-1],
        "combinations": _combinations(max(2, num_players + 1), rng),
        "market": {
            "demand": _demand(rng),
            "position": dict.fromkeys(box.PIECES, box.MARKET_START[num_players]),
            "dice": [],
        },
        "board": {
            "tiles": _tiles(solo, rng),
            "bonuses": bonuses,
            "special_bonuses": special_bonuses,
            "spaces": [[None] * len(bonuses) for _ in range(3)],
            "special": [0] * max(2, num_players),
        },
        "draft": draft,
        "decks": decks,
        "discards": [],
        "supply": {**box.SUPPLY, **dict.fromkeys(box.PIECES, pieces)},
        "players": [_player(*hand) for hand in zip(hands, endgame_hands, strict=True)],
        "competition": _competition() if solo else None,
    }


def _combinations(count: int, rng: random.Random) -> list[dict[str, str]]:
    wheels = rng.sample([card for card in box.WHEELS if card.startswith("SW")], count)
    resources = rng.sample(list(box.STARTING_RESOURCES), count)
    return [
        {"wheel": wheel, "resources": card} for wheel, card in zip(wheels, resources, strict=True)
    ]


def _demand(rng: random.Random) -> dict[str, list[int]]:
    """One 2, one 1 and one 0 over the three columns in every round."""
    rounds = [rng.sample((2, 1, 0), 3) for _ in range(box.ROUNDS)]
    return {piece: [values[column] for values in rounds] for column, piece in enumerate(box.PIECES)}


def _tiles(solo: bool, rng: random.Random) -> list[list[list[str]]]:
    """First-player and play tiles share a row in solo and lie in different rows otherwise."""
    while True:
        tiles = rng.sample(box.ACTION_TILES, len(box.ACTION_TILES))
        together = tiles.index(("first_player",)) // 3 == tiles.index(("play",)) // 3
        if together == solo:
            return [[list(tile) for tile in tiles[row : row + 3]] for row in (0, 3, 6)]


def _player(hand: list[str], endgame_hand: list[str]) -> dict[str, Any]:
    return {
        "vp": 0,
        "pg": 0,
        "glaze": 0,
        "clay": 0,
        "cleaning_area": 0,
        "technology": 1,
        "craftswomen": box.CRAFTSWOMEN,
        "shop": "open",
        "shop_craftswomen": 0,
        "donkey": None,
        "hand": hand,
        "hand_dealt": list(hand),
        "endgame_hand": endgame_hand,
        "endgame_played": [],
        "endgame_discarded": [],
        "wheels": [None] * 5,
        "esparto": ["E0", None, None, None],
        "cleanup": [{"card": "C00", "cracks": 0}],
        "firing_kilns": [{"card": "F00", "piece": None}],
        "workshops": [{"card": "Y00", "piece": None}],
        "glaze_kilns": [{"card": "G00", "piece": None}],
        "drying": dict.fromkeys(box.PIECES, 0),
        "sold": dict.fromkeys(box.PIECES, 0),
    }


def _competition() -> dict[str, Any]:
    return {
        "vp": 0,
        "craftswomen": box.CRAFTSWOMEN,
        "shop": "open",
        "shop_craftswomen": 0,
        "donkey": None,
        "pieces": dict.fromkeys(box.PIECES),
        "sold": dict.fromkeys(box.PIECES, 0),
        "deck": [],
        "revealed": [],
    }
