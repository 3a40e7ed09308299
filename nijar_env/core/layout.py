"""The layout of an observation: every position's name, place, scale, bounds and meaning.

An observation is a float32 vector: a part for the game, one for the observer alone, one for the
pending effects, then one block a seat, the observer's first and the others in the order of play
around the table; in solo a Competition block instead of a second seat. So everything but the
number of blocks has the same place for every number of players, and the size never depends on the
box. `FIELDS` of the parts below are the only declaration: kernels take their offsets from it,
`observation_layout` its descriptions.

A value is what it stands for divided by the field's scale, a power of two, so that it can be read
back exactly. "One-hot" fields hold 1 at one place of their last axis, or nowhere. Codes are raised
by one where 0 stands for "none". Seats are relative: 0 is the observer.
"""

from __future__ import annotations

import functools
import hashlib
import math
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from ..components.vocabulary import (
    ACTIONS,
    BOARD_ROWS,
    CARD_TYPES,
    DIFFICULTIES,
    DRAFT_COLUMNS,
    DRAFT_ROWS,
    DRAFT_SPACES,
    ESPARTO_SPACES,
    MAX_COLUMNS,
    MAX_PLAYERS,
    MAX_ROW,
    MAX_TRACK,
    NUM_ACTIONS,
    NUM_BONUS_TILES,
    NUM_CARDS,
    NUM_COMPETITION_CARDS,
    NUM_DECKS,
    NUM_ENDGAME_KINDS,
    NUM_PIECES,
    NUM_ROUNDS,
    NUM_START_WHEELS,
    TYPE_COPIES,
    WHEEL_SPACES,
)
from .constants import FRAME_KINDS, NUM_VP_SOURCES, PHASES

PUBLIC: Final = "public"  # every player sees it
PRIVATE: Final = "private"  # the observer alone
DERIVED: Final = "derived"  # follows from other fields and the box

# Frames of the stack written in full, the top one first. The deepest stack met in 600,000 games of
# random and of nesting play has 8 frames (tests/observation/test_depth.py).
FRAMES_SHOWN: Final = 16
# Actions as features: the ten of the tiles and Shape; a single move counts half of its action.
FEATURE_ACTIONS: Final = (*ACTIONS, "shape")
# An effect as features: fixed gains, then the action.
EFFECT_FEATURES: Final = ("vp", "pg", "glaze", "clay", *FEATURE_ACTIONS)
DRAFT_FEATURES: Final = (
    *("cost_pg", "cost_glaze", "cost_clay", "cost_crack", "second_type", "vp", "spaces", "gains"),
    *FEATURE_ACTIONS,
)
PAINT_FEATURES: Final = ("glaze", "crack", "or_crack")
REWARD_FEATURES: Final = ("pg", "glaze", "clay", "fire", "paint", "clean")
# End of the card codes of each type; first code of each deck, and the end of the last.
TYPE_END: Final = tuple(sum(TYPE_COPIES[: kind + 1]) for kind in range(len(TYPE_COPIES)))
DECK_START: Final = (0, *(sum(TYPE_COPIES[: 2 * deck]) for deck in range(1, NUM_DECKS + 1)))

# What 1.0 stands for.
CARD_SCALE: Final = 128.0  # card code + 1
SLOT_SCALE: Final = 512.0  # 4 x (card code + 1) + piece + 1
COPIES_SCALE: Final = 4.0
CRAFTSWOMEN_SCALE: Final = 8.0
STEPS_SCALE: Final = 8.0
PIECE_SCALE: Final = 16.0
TOKEN_SCALE: Final = 16.0
VP_SCALE: Final = 128.0
SOURCE_SCALE: Final = 64.0
PRICE_SCALE: Final = 8.0
POINTS_SCALE: Final = 16.0
MARKET_SCALE: Final = 16.0
DEMAND_SCALE: Final = 4.0
DICE_SCALE: Final = 8.0
DECK_SCALE: Final = 32.0
SUPPLY_SCALE: Final = 64.0
FRAME_SCALE: Final = 16.0
FRAME_PAIR_SCALE: Final = 128.0
SPACE_WEIGHT: Final = 0.25  # an action on one of a card's spaces
RIGHT_WEIGHT: Final = 0.5  # an action at a card's right side (its left one counts 1)

_VP = 2.0**15  # a record's own range; no valid box comes near it


class _Spec(NamedTuple):
    name: str
    shape: tuple[int, ...]
    high: float  # of what is counted, before scaling
    scale: float
    meaning: str
    visibility: str = PUBLIC
    low: float = 0.0


def _one_hot(name: str, shape: tuple[int, ...], meaning: str, visibility: str = PUBLIC) -> _Spec:
    return _Spec(name, shape, 1.0, 1.0, meaning, visibility)


_SEATS = (MAX_PLAYERS,)
_GAME: Final = (
    _one_hot("phase", (len(PHASES),), f"one-hot: {', '.join(PHASES)}"),
    _one_hot("round", (NUM_ROUNDS + 1,), "one-hot: setup, rounds 1-3"),
    _Spec(
        *("turn_index", (1,), 3.0, 4.0, "place in turn order of the player whose turn it is"),
        low=-1.0,
    ),
    _one_hot("turn_order", (MAX_PLAYERS, MAX_PLAYERS), "one-hot: place, seat"),
    _one_hot("track", (MAX_TRACK, MAX_PLAYERS), "one-hot: space of the right track (§8.11), seat"),
    _one_hot("current_player", _SEATS, "one-hot: the seat that decides; none at the end"),
    _one_hot("turn_player", _SEATS, "one-hot: the seat whose turn it is"),
    _one_hot(
        "combinations",
        (NUM_START_WHEELS, 2, NUM_START_WHEELS),
        "one-hot: combination (§4.3), wheel or resource card, which one",
    ),
    _Spec(
        *("demand", (NUM_ROUNDS, NUM_PIECES), 12.0, DEMAND_SCALE),
        "demand tiles by round and piece",
    ),
    _Spec("market", (NUM_PIECES,), 12.0, MARKET_SCALE, "market row by piece"),
    _Spec(
        *("price", (2, NUM_PIECES), 50.0, POINTS_SCALE),
        "VP for an unpainted and a painted piece at the markers",
        DERIVED,
    ),
    _Spec("dice", (3,), 6.0, DICE_SCALE, "last roll, 0 before the first"),
    _Spec("tile", (BOARD_ROWS, 3), 9.0, MARKET_SCALE, "action tile + 1 by row and column"),
    _one_hot("row_actions", (BOARD_ROWS, NUM_ACTIONS), "the actions of each row's tiles", DERIVED),
    _one_hot(
        "bonus", (MAX_COLUMNS, NUM_BONUS_TILES), "one-hot: column (not in play: none), bonus tile"
    ),
    _one_hot("special_bonus", (2, NUM_BONUS_TILES), "one-hot: bonus tiles on the Special Action"),
    _Spec("deck_size", (NUM_DECKS,), 32.0, DECK_SCALE, "cards left in each deck"),
    _Spec("supply_pg", (1,), 54.0, SUPPLY_SCALE, "perra gorda in the supply"),
    _Spec("supply_glaze", (1,), 42.0, SUPPLY_SCALE, "glazes in the supply"),
    _Spec("supply_crack", (1,), 32.0, SUPPLY_SCALE, "cracks in the supply"),
    _Spec("supply_vase", (1,), 20.0, SUPPLY_SCALE, "vases in the supply"),
    _Spec("supply_piece", (NUM_PIECES,), 16.0, PIECE_SCALE, "unformed pieces in the supply"),
    _Spec(
        *("deck_seen", (NUM_CARDS,), 16.0, COPIES_SCALE),
        "cards in the decks that everybody saw return there (§8.1), by identity",
    ),
    _Spec("discards", (NUM_CARDS,), 16.0, COPIES_SCALE, "cards out of the game by identity"),
    _Spec("draft", (DRAFT_ROWS, DRAFT_COLUMNS), 80.0, CARD_SCALE, "card code + 1, 0 = empty"),
    _Spec(
        *("draft_features", (DRAFT_SPACES, len(DRAFT_FEATURES)), 24.0, 1.0),
        f"of the card on each space: {', '.join(DRAFT_FEATURES)}. Costs / {PRICE_SCALE:g}; the "
        "deck's second type of card; VP on the card and gains it gives (perra gorda, glaze, clay "
        f"together) / {POINTS_SCALE:g}; wheel or crack spaces / {STEPS_SCALE:g}; actions: "
        f"{SPACE_WEIGHT:g} for each space or reward (a single move half), a left icon 1, a right "
        f"icon {RIGHT_WEIGHT:g}",
        DERIVED,
    ),
    _Spec(
        *("draft_paint", (DRAFT_COLUMNS, len(PAINT_FEATURES)), 20.0, PRICE_SCALE),
        "of a workshop in row 1: glazes and cracks to paint, cracks of the alternative",
        DERIVED,
    ),
)

_OWN: Final = (
    _Spec("own.hand", (NUM_CARDS,), 16.0, COPIES_SCALE, "cards in hand by identity", PRIVATE),
    _Spec(
        *("own.hand_types", (len(CARD_TYPES),), 16.0, COPIES_SCALE),
        f"cards in hand by type: {', '.join(CARD_TYPES)}",
        DERIVED,
    ),
    *(
        _Spec(f"own.{name}", (NUM_ENDGAME_KINDS,), 12.0, COPIES_SCALE, meaning, PRIVATE)
        for name, meaning in (
            ("endgame_hand", "endgame cards in hand by kind"),
            ("endgame_played", "endgame cards played face down by kind"),
            ("endgame_discarded", "endgame cards discarded by kind"),
        )
    ),
    _Spec(
        *("own.wheel_next", (WHEEL_SPACES, len(EFFECT_FEATURES)), 20.0, 1.0),
        f"what each vase's next step gives: {', '.join(EFFECT_FEATURES)}. Gains / "
        f"{PRICE_SCALE:g}; actions 1, single moves 0.5",
        DERIVED,
    ),
    _Spec(
        *("own.wheel_left", (WHEEL_SPACES,), 8.0, STEPS_SCALE),
        "steps of each vase to its last space",
        DERIVED,
    ),
    _Spec(
        *("own.wheel_done_vp", (WHEEL_SPACES,), 20.0, POINTS_SCALE),
        "VP on completion, 0 once completed",
        DERIVED,
    ),
    _Spec(
        *("own.esparto_rewards", (ESPARTO_SPACES, 2, len(REWARD_FEATURES)), 20.0, PRICE_SCALE),
        f"of each esparto card's two rewards: {', '.join(REWARD_FEATURES)} (a single move: "
        f"{PRICE_SCALE:g})",
        DERIVED,
    ),
    _Spec(
        *("own.cleanup", (MAX_ROW, 4), 47.0, PRICE_SCALE),
        "of each cleanup card: empty spaces; its reward's VP, gains together, and "
        f"{PRICE_SCALE:g} for an action",
        DERIVED,
    ),
    _Spec(
        *("own.workshop_price", (MAX_ROW, len(PAINT_FEATURES)), 20.0, PRICE_SCALE),
        "of each workshop: glazes and cracks to paint, cracks of the alternative",
        DERIVED,
    ),
    _one_hot(
        "own.open_icon",
        (3, NUM_ACTIONS),
        "one-hot: icon at the open end of the firing kilns, workshops, glaze kilns",
        DERIVED,
    ),
)

_PENDING: Final = (
    _Spec("pending.depth", (1,), 256.0, FRAME_SCALE, "pending effects (frames on the stack)"),
    _Spec(
        *("pending.who", (FRAMES_SHOWN,), 128.0, FRAME_PAIR_SCALE),
        "the top frames, topmost first: 4 x (kind + 1) + seat, 0 = no frame",
    ),
    _Spec(
        *("pending.a", (FRAMES_SHOWN,), 8192.0, FRAME_SCALE),
        "their argument a (see nijar_env/core/constants.py)",
        low=-1.0,
    ),
    _Spec("pending.b", (FRAMES_SHOWN,), 16.0, FRAME_SCALE, "their argument b", low=-1.0),
    _Spec("pending.cd", (FRAMES_SHOWN,), 128.0, FRAME_PAIR_SCALE, "16 x argument c + argument d"),
    _Spec(
        *("pending.kinds", (len(FRAME_KINDS),), 256.0, COPIES_SCALE),
        f"frames on the stack by kind: {', '.join(FRAME_KINDS)}",
        DERIVED,
    ),
    _one_hot("pending.kind", (len(FRAME_KINDS),), "one-hot: kind of the top frame", DERIVED),
    _Spec(
        *("pending.left", (1,), 128.0, STEPS_SCALE),
        "top frame: bonuses owed, cards, steps, cracks, sales, rewards or moves left",
        DERIVED,
    ),
    _one_hot("pending.unlimited", (1,), "top frame: fires, paints or rewards no limit", DERIVED),
    _one_hot("pending.action_owed", (1,), "placement: the row's action is owed", DERIVED),
    _one_hot("pending.row", (BOARD_ROWS,), "one-hot: placement: the row", DERIVED),
    _one_hot("pending.bonus", (NUM_BONUS_TILES + 1,), "one-hot: placement: the bonus", DERIVED),
    _Spec(
        *("pending.icons", (NUM_ACTIONS,), 2.0, 2.0),
        "side icons left to take: 0.5 for each",
        DERIVED,
    ),
    _one_hot(
        "pending.mask",
        (MAX_ROW,),
        "special: bonuses owed; acquire: rows refreshed; rewards: cleanup cards; esparto: spaces; "
        "pay: the workshop",
        DERIVED,
    ),
    _one_hot("pending.piece", (NUM_PIECES,), "one-hot: pay: the piece", DERIVED),
)

_EITHER: Final = (
    _Spec("vp", (1,), _VP, VP_SCALE, "victory points", low=-_VP),
    _Spec("vp_from", (NUM_VP_SOURCES,), _VP, SOURCE_SCALE, "the same by source", low=-_VP),
    _Spec("craftswomen", (1,), 7.0, CRAFTSWOMEN_SCALE, "available craftswomen"),
    _one_hot("shop_closed", (1,), "the shop is closed"),
    _Spec("shop_craftswomen", (1,), 7.0, CRAFTSWOMEN_SCALE, "on the closed shop's card"),
    _Spec("special", (1,), 7.0, CRAFTSWOMEN_SCALE, "craftswomen on the Special Action"),
    _Spec(
        *("spaces", (BOARD_ROWS, MAX_COLUMNS), 7.0, CRAFTSWOMEN_SCALE),
        "its craftswomen on each action space",
    ),
    _one_hot("donkey", (DRAFT_SPACES,), "one-hot: its donkey's draft space"),
    _Spec("sold", (NUM_PIECES,), 16.0, PIECE_SCALE, "pieces sold"),
)
_SEAT: Final = (
    *_EITHER,
    _Spec("pg", (1,), 54.0, TOKEN_SCALE, "perra gorda"),
    _Spec("glaze", (1,), 42.0, TOKEN_SCALE, "glazes"),
    _Spec("clay", (1,), 7.0, 8.0, "clay"),
    _Spec("cleaning_area", (1,), 8.0, 8.0, "cracks in the cleaning area"),
    _Spec("technology", (1,), 3.0, 4.0, "technology 1-3"),
    _Spec("hand_size", (1,), 80.0, 16.0, "game cards in hand"),
    _Spec("hand_dealt", (NUM_DECKS,), 32.0, COPIES_SCALE, "of these dealt, by deck"),
    _Spec(
        *("hand_public", (NUM_CARDS,), 16.0, COPIES_SCALE),
        "cards in hand that everybody saw, by identity",
    ),
    _Spec(
        *("endgame_cards", (3,), 12.0, COPIES_SCALE),
        "number of endgame cards in hand, played, discarded",
    ),
    _Spec("drying", (NUM_PIECES,), 16.0, PIECE_SCALE, "pieces in the drying area"),
    _Spec("wheel", (WHEEL_SPACES,), 90.0, CARD_SCALE, "card code + 1, 0 = empty"),
    _Spec("vase", (WHEEL_SPACES,), 8.0, STEPS_SCALE, "steps taken"),
    _one_hot("wheel_done", (WHEEL_SPACES,), "the wheel is completed"),
    _Spec("esparto", (ESPARTO_SPACES,), 90.0, CARD_SCALE, "card code + 1, 0 = empty"),
    _Spec("cleanup", (MAX_ROW,), 90.0, CARD_SCALE, "card code + 1, 0 = no card"),
    _Spec("cleanup_cracks", (MAX_ROW,), 8.0, STEPS_SCALE, "cracks on the card"),
    _Spec("workshop", (MAX_ROW,), 90.0, CARD_SCALE, "card code + 1, 0 = no card"),
    _Spec("workshop_piece", (MAX_ROW,), 3.0, 4.0, "piece + 1 in it, 0 = empty"),
    _Spec("firing_kiln", (MAX_ROW,), 364.0, SLOT_SCALE, "4 x (card code + 1) + piece + 1"),
    _Spec("glaze_kiln", (MAX_ROW,), 364.0, SLOT_SCALE, "4 x (card code + 1) + piece + 1"),
    _Spec(
        *("contents", (3, NUM_PIECES + 1), 13.0, 8.0),
        "of the firing kilns, workshops, glaze kilns: how many are empty, hold a plate, jug, pot",
        DERIVED,
    ),
)
_COMPETITION: Final = (
    *_EITHER,
    _one_hot("difficulty", (len(DIFFICULTIES),), f"one-hot: {', '.join(DIFFICULTIES)}"),
    _one_hot("pieces", (NUM_PIECES, 2), "one-hot: piece, unpainted or painted"),
    _Spec("revealed", (1,), 9.0, 16.0, "cards revealed this round"),
    _Spec(
        *("revealed_place", (NUM_COMPETITION_CARDS,), 9.0, 16.0),
        "of each card seen its place among the revealed, from 1: the top one, in Expert all",
    ),
    _one_hot("top", (NUM_COMPETITION_CARDS,), "one-hot: the top revealed card", DERIVED),
    _one_hot(
        "next_back",
        (NUM_ROUNDS, 2, NUM_PIECES),
        "one-hot: pieces on the back of the next face-down card: round, place, piece",
    ),
)


def _starts(specs: tuple[_Spec, ...], begin: int) -> tuple[dict[str, int], int]:
    starts: dict[str, int] = {}
    for spec in specs:
        starts[spec.name] = begin
        begin += math.prod(spec.shape)
    return starts, begin


# Offsets for the kernels: of the parts that all player counts share, from the observation's
# beginning; of the blocks, from the block's.
AT, SEATS_AT = _starts((*_GAME, *_OWN, *_PENDING), 0)
SEAT_AT, SEAT_SIZE = _starts(_SEAT, 0)
COMPETITION_AT, COMPETITION_SIZE = _starts(_COMPETITION, 0)


@dataclass(frozen=True)
class Field:
    """A named part of an observation.

    Attributes:
        name: such as `market`, `own.hand`, `seat1.vp`, `competition.pieces`.
        start: where its slice of the vector begins.
        stop: where it ends.
        shape: the shape that the slice folds into (C order).
        low: lower bound of its values, for every state of every valid box.
        high: upper bound.
        scale: what the value 1.0 stands for.
        meaning: what is counted or coded.
        visibility: "public", "private" (the observer's alone) or "derived" (follows from other
            fields and the box; there for the benefit of networks).
    """

    name: str
    start: int
    stop: int
    shape: tuple[int, ...]
    low: float
    high: float
    scale: float
    meaning: str
    visibility: str


def _fields(specs: tuple[_Spec, ...], begin: int, prefix: str = "") -> list[Field]:
    starts, _ = _starts(specs, begin)
    return [
        Field(
            name=prefix + spec.name,
            start=starts[spec.name],
            stop=starts[spec.name] + math.prod(spec.shape),
            shape=spec.shape,
            low=spec.low / spec.scale,
            high=spec.high / spec.scale,
            scale=spec.scale,
            meaning=spec.meaning,
            visibility=spec.visibility,
        )
        for spec in specs
    ]


def _check(num_players: int) -> None:
    if num_players not in range(1, MAX_PLAYERS + 1):
        raise ValueError(f"num_players must be 1, 2, 3 or 4 (1 is solo), not {num_players!r}")


@functools.cache
def observation_layout(num_players: int) -> tuple[Field, ...]:
    """The fields of an observation in order, without gaps.

    Raises:
        ValueError: not 1 (solo) to 4 players.
    """
    _check(num_players)
    fields = _fields((*_GAME, *_OWN, *_PENDING), 0)
    for seat in range(num_players):
        fields += _fields(_SEAT, SEATS_AT + seat * SEAT_SIZE, f"seat{seat}.")
    if num_players == 1:
        fields += _fields(_COMPETITION, SEATS_AT + SEAT_SIZE, "competition.")
    return tuple(fields)


def observation_size(num_players: int) -> int:
    """The length of an observation."""
    return observation_layout(num_players)[-1].stop


def observation_bounds(
    num_players: int,
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """The lowest and the highest value of each position: two float32 arrays."""
    fields = observation_layout(num_players)
    sizes = [field.stop - field.start for field in fields]
    low = np.repeat(np.array([field.low for field in fields], np.float32), sizes)
    high = np.repeat(np.array([field.high for field in fields], np.float32), sizes)
    return low, high


def layout_hash(num_players: int) -> str:
    """Twelve hexadecimal digits that change with the layout: names, places, shapes, scales."""
    parts = [
        (field.name, field.start, field.shape, field.low, field.high, field.scale)
        for field in observation_layout(num_players)
    ]
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:12]
