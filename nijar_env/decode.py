"""Reading an observation back: every field by its name, then the state as its observer knows it.

    values = read_fields(observation)          # {"market": array([...]), "own.hand": ..., ...}
    known = decode(observation, player=1)      # in the words and seats of the game record

Values are whole numbers, exactly those of the record (docs/state.md); derived fields, which only
say again what others say, are left out of `decode`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .components.vocabulary import (
    BOARD_ROWS,
    MAX_COLUMNS,
    MAX_PLAYERS,
    NUM_COMPETITION_CARDS,
    START_WHEEL,
)
from .core.constants import COMPETITION
from .core.layout import DERIVED, Field, observation_layout, observation_size

Values = npt.NDArray[np.int64]
Observation = npt.NDArray[np.float32]

# Fields of the layout whose names and values are the record's.
_SAME = (
    *("demand", "market", "dice", "deck_size", "deck_seen", "discards"),
    *("supply_pg", "supply_glaze", "supply_crack", "supply_vase", "supply_piece"),
)
_SEAT_NUMBERS = (
    *("vp", "vp_from", "craftswomen", "shop_closed", "shop_craftswomen", "special", "sold"),
    *("pg", "glaze", "clay", "cleaning_area", "technology", "hand_size", "hand_public"),
    *("drying", "vase", "wheel_done", "cleanup_cracks"),
)
_SEAT_CODES = ("wheel", "esparto", "cleanup", "workshop", "workshop_piece")
_KILNS = (("firing_kiln", "firing_piece"), ("glaze_kiln", "glaze_piece"))
_ROWS = (
    ("cleanup", "cleanup_size"),
    ("firing_kiln", "firing_size"),
    ("workshop", "workshop_size"),
    ("glaze_kiln", "glaze_size"),
)
_EMPTY = (*_SEAT_CODES, *(name for pair in _KILNS for name in pair), "donkey")
_ENDGAME = ("endgame_hand", "endgame_played", "endgame_discarded")


def _layout_of(observation: Observation) -> tuple[int, tuple[Field, ...]]:
    for num_players in range(1, MAX_PLAYERS + 1):
        if observation.shape == (observation_size(num_players),):
            return num_players, observation_layout(num_players)
    sizes = ", ".join(str(observation_size(n)) for n in range(1, MAX_PLAYERS + 1))
    raise ValueError(
        f"an observation is a vector of {sizes} values for 1, 2, 3, 4 players, not of shape "
        f"{observation.shape}"
    )


def read_fields(observation: Observation, *, derived: bool = False) -> dict[str, Values]:
    """The numbers that an observation holds, by field name, each in its field's shape.

    Args:
        observation: float32, as `Game.observation` returns it.
        derived: derived fields too. Some of them hold fractions, which are rounded.

    Raises:
        ValueError: not the size of an observation.
    """
    _, fields = _layout_of(observation)
    return {
        field.name: _numbers(observation[field.start : field.stop], field)
        for field in fields
        if derived or field.visibility != DERIVED
    }


def _numbers(values: Observation, field: Field) -> Values:
    return np.rint(values * np.float64(field.scale)).astype(np.int64).reshape(field.shape)


def _hot(values: Values) -> Values:
    """The place of the 1 along the last axis, or -1."""
    return np.where(values.any(axis=-1), values.argmax(axis=-1), -1)


def _one(value: Values) -> Any:
    """A field of one number as that number."""
    return int(value[0]) if value.shape == (1,) else value


def _decode_game(values: dict[str, Values], absolute: Any) -> dict[str, Any]:
    combinations = _hot(values["combinations"])
    wheels = combinations[:, 0]
    return {
        "phase": int(_hot(values["phase"])),
        "round_number": int(_hot(values["round"])),
        "turn_index": _one(values["turn_index"]),
        "turn_order": absolute(_hot(values["turn_order"])),
        "track": absolute(_hot(values["track"])),
        "current_player": int(absolute(_hot(values["current_player"]))),
        "turn_player": int(absolute(_hot(values["turn_player"]))),
        "combo_wheel": np.where(wheels >= 0, wheels + START_WHEEL, -1),
        "combo_resources": combinations[:, 1],
        "tile": values["tile"] - 1,
        "bonus": _hot(values["bonus"]),
        "special_bonus": _hot(values["special_bonus"]),
        "draft": values["draft"] - 1,
        **{name: _one(values[name]) for name in _SAME},
    }


def _decode_own(values: dict[str, Values]) -> dict[str, Any]:
    own = {name: values[f"own.{name}"] for name in _ENDGAME}
    hand = values["own.hand"]
    return {"hand": hand, "hand_dealt": hand - values["seat0.hand_public"], **own}


def _decode_pending(values: dict[str, Values], absolute: Any) -> dict[str, Any]:
    depth = int(values["pending.depth"][0])
    who = values["pending.who"]
    columns = (
        who // 4 - 1,
        absolute(who % 4),
        values["pending.a"],
        values["pending.b"],
        values["pending.cd"] // 16,
        values["pending.cd"] % 16,
    )
    shown = min(depth, len(who))
    return {"depth": depth, "frames": np.stack(columns, axis=1)[:shown][::-1]}


def _decode_seat(values: dict[str, Values], block: str) -> dict[str, Any]:
    def get(name: str) -> Values:
        return values[f"{block}.{name}"]

    seat: dict[str, Any] = {name: _one(get(name)) for name in _SEAT_NUMBERS}
    seat.update({name: get(name) - 1 for name in _SEAT_CODES})
    for kiln, piece in _KILNS:
        seat[kiln], seat[piece] = get(kiln) // 4 - 1, get(kiln) % 4 - 1
    for row, size in _ROWS:
        seat[size] = int((seat[row] >= 0).sum())
    seat["donkey"] = int(_hot(get("donkey")))
    seat["hand_dealt_by_deck"] = get("hand_dealt")
    for name, count in zip(_ENDGAME, get("endgame_cards"), strict=True):
        seat[f"{name}_size"] = int(count)
    return seat


def _decode_competition(values: dict[str, Values]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What it has as a seat, and what the record keeps for it alone."""

    def get(name: str) -> Values:
        return values[f"competition.{name}"]

    names = ("vp", "vp_from", "craftswomen", "shop_closed", "shop_craftswomen", "special", "sold")
    seat: dict[str, Any] = {name: _one(get(name)) for name in names}
    seat["donkey"] = int(_hot(get("donkey")))
    revealed = int(get("revealed")[0])
    cards = np.full(NUM_COMPETITION_CARDS, -1)
    for card, place in enumerate(get("revealed_place")):
        if place > 0:
            cards[place - 1] = card
    return seat, {
        "difficulty": int(_hot(get("difficulty"))),
        "comp_piece": _hot(get("pieces")) + 1,
        "comp_revealed": revealed,
        "comp_cards": cards[:revealed],
        "comp_next_back": _hot(get("next_back")),
    }


def decode(observation: Observation, player: int) -> dict[str, Any]:
    """The state as `player` knows it, from its observation.

    Args:
        observation: float32, what `player` observes.
        player: the observer's seat, to name the other seats by their own numbers.

    Returns:
        Fields of `GAME_DTYPE` by name, with seats along the first axis where the record has them
        (four rows, those of unused seats empty). `hand`, `hand_dealt` and the endgame cards by
        kind are the observer's own, without that axis. What is known of the others' is in
        `hand_public` (seats, cards), `hand_dealt_by_deck` (seats, decks) and the numbers
        `endgame_hand_size`, `endgame_played_size`, `endgame_discarded_size` (seats); of the
        Competition's deck in `comp_cards` (the revealed cards, oldest first, -1 where not to be
        seen) and `comp_next_back` (rounds, 2: pieces on the back of the next card, -1 = none).
        `frames` holds the pending frames, bottom first, as far as they are shown.

    Raises:
        ValueError: not the size of an observation, or no such player.
    """
    num_players, _ = _layout_of(observation)
    if player not in range(num_players):
        raise ValueError(f"player must be 0 to {num_players - 1}, not {player!r}")
    values = read_fields(observation)
    seats = max(num_players, 2)

    def absolute(relative: Values) -> Values:
        return np.where(relative >= 0, (relative + player) % seats, -1)

    known = _decode_game(values, absolute)
    known.update(_decode_own(values))
    known.update(_decode_pending(values, absolute))
    blocks = {(player + i) % seats: f"seat{i}" for i in range(num_players)}
    by_seat = {seat: _decode_seat(values, block) for seat, block in blocks.items()}
    if num_players == 1:
        by_seat[COMPETITION], alone = _decode_competition(values)
        blocks[COMPETITION] = "competition"
        known.update(alone)
    for name, first in by_seat[player].items():
        nothing = -1 if name in _EMPTY else 0
        rows = np.full((MAX_PLAYERS, *np.shape(first)), nothing)
        for seat, numbers in by_seat.items():
            rows[seat] = numbers.get(name, nothing)
        known[name] = rows
    owner = np.full((BOARD_ROWS, MAX_COLUMNS), -1)
    count = np.zeros((BOARD_ROWS, MAX_COLUMNS), np.int64)
    for seat, block in blocks.items():
        here = values[f"{block}.spaces"]
        owner[here > 0] = seat
        count += here
    return {**known, "space_owner": owner, "space_count": count}
