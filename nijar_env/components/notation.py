"""The short notation of box files: costs, effects, paint prices, donkey icons.

    cost      "3pg 1clay"   "2crack"   "free"        crack = gaining that many cracks (§5.1)
    effect    "shape"   "+2glaze"   "1VP+play"       fixed gains first, then at most one action
    paint     "2glaze"   "1glaze+1crack"   "2glaze|2crack"
    donkey    "move right/left"   "discard left+right"   "stay"

Every parser returns plain numbers, in the order of `vocabulary`, and raises `NotationError` with
what was expected.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from typing import Final

from .vocabulary import (
    ACTIONS,
    CLAY_CAP,
    CLEANING_CAP,
    DONKEY_DISCARD,
    DONKEY_MOVE,
    DONKEY_STAY,
    EFFECT_ACTIONS,
    EFFECT_FIELDS,
    NO_ACTION,
    PIECES,
    RESOURCES,
)

MAX_AMOUNT: Final = 20
LIMITS: Final = {
    "vp": MAX_AMOUNT,
    "pg": MAX_AMOUNT,
    "glaze": MAX_AMOUNT,
    "clay": CLAY_CAP,
    "crack": CLEANING_CAP,
}
GAINS: Final = EFFECT_FIELDS[:4]
RESOURCE_GAINS: Final = ("pg", "glaze", "clay")
SINGLES: Final = ("fire 1", "paint 1", "clean 1")
WHEEL_ACTIONS: Final = (*ACTIONS, "shape", *SINGLES)
CLEANUP_ACTIONS: Final = (*ACTIONS, *SINGLES)

Cost = tuple[int, int, int, int]
Effect = tuple[int, int, int, int, int]
Offsets = tuple[tuple[int, int], tuple[int, int]]

_DIGITS: Final = tuple("0123456789")
_AMOUNT = re.compile(r"([0-9]+)\s*([A-Za-z]+)")
_SIDES: Final = {"left": (0, -1), "right": (0, 1), "above": (-1, 0), "below": (1, 0)}
_OPPOSITE: Final = {"left": "right", "right": "left", "above": "below", "below": "above"}
_MOVES: Final = tuple(f"move {side}/{other}" for side, other in _OPPOSITE.items())
_DISCARDS: Final = ("discard left+right", "discard above+below")
DONKEY_ICONS: Final = (*_MOVES, *_DISCARDS, "stay")


class NotationError(ValueError):
    """A text that the notation does not know; the message says what was expected."""


def listed(words: Iterable[str]) -> str:
    """Join words for a message: `a, b or c`."""
    *head, last = words
    return f"{', '.join(head)} or {last}" if head else last


def suggestion(word: str, known: Iterable[str]) -> str:
    """Return ` (did you mean 'x'?)` where a known word is close, else nothing."""
    close = difflib.get_close_matches(word, list(known), n=1)
    return f" (did you mean '{close[0]}'?)" if close else ""


def _amount(part: str, units: tuple[str, ...], example: str) -> tuple[str, int]:
    """Read one amount such as `3pg` or `2 VP`."""
    match = _AMOUNT.fullmatch(part)
    if match is None:
        raise NotationError(
            f"'{part}' is not an amount; write a number and {listed(units)}, such as '{example}'"
        )
    count, unit = int(match[1]), match[2].lower()
    if unit not in units:
        raise NotationError(
            f"'{match[2]}' may not stand here; expected {listed(units)}{suggestion(unit, units)}"
        )
    if not 1 <= count <= LIMITS[unit]:
        raise NotationError(f"{part} is out of range; expected 1 to {LIMITS[unit]} {unit}")
    return unit, count


def _put(amounts: dict[str, int], unit: str, count: int) -> None:
    if unit in amounts:
        raise NotationError(f"'{unit}' stands twice; write one amount for each resource")
    amounts[unit] = count


def parse_cost(text: str, units: tuple[str, ...] = RESOURCES) -> Cost:
    """Read a cost: (pg, glaze, clay, cracks gained); `free` costs nothing."""
    clean = text.strip()
    if clean == "free":
        return (0, 0, 0, 0)
    if not clean:
        raise NotationError("it is empty; write an amount such as '3pg 1clay', or 'free'")
    amounts: dict[str, int] = {}
    joined = re.sub(r"([0-9])\s+(?=[A-Za-z])", r"\1", clean)
    for part in re.split(r"[\s+]+", joined):
        _put(amounts, *_amount(part, units, "3pg"))
    pg, glaze, clay, crack = (amounts.get(name, 0) for name in RESOURCES)
    return (pg, glaze, clay, crack)


def parse_action(text: str, allowed: tuple[str, ...] = ACTIONS) -> int:
    """Read one action word; returns its code."""
    word = " ".join(text.split())
    if word not in allowed:
        raise NotationError(
            f"'{text}' is no action that may stand here; expected {listed(allowed)}"
            f"{suggestion(word, allowed)}"
        )
    return EFFECT_ACTIONS.index(word)


def parse_effect(
    text: str, actions: tuple[str, ...] = WHEEL_ACTIONS, gains: tuple[str, ...] = GAINS
) -> Effect:
    """Read an effect: (vp, pg, glaze, clay, action code). An effect without any part is refused."""
    amounts: dict[str, int] = {}
    action = NO_ACTION
    body = text.strip().removeprefix("+")
    if not body.strip():
        raise NotationError("it does nothing; write a gain, an action, or both, such as '1VP+play'")
    for part in (part.strip() for part in body.split("+")):
        if part[:1] in _DIGITS:
            if action != NO_ACTION:
                raise NotationError(
                    f"'{part}' stands after the action; gains come first: '1VP+play'"
                )
            _put(amounts, *_amount(part, gains, "2pg"))
        elif action != NO_ACTION:
            raise NotationError(f"'{part}' is a second action; an effect has at most one")
        else:
            action = parse_action(part, actions)
    vp, pg, glaze, clay = (amounts.get(name, 0) for name in GAINS)
    return (vp, pg, glaze, clay, action)


def parse_paint(text: str) -> tuple[tuple[int, int], ...]:
    """Read a paint price: one or two alternatives of (glazes, cracks gained).

    Of two alternatives one costs glazes only and the other cracks only, since the player's choice
    is named by the resource; the one in glazes is returned first.
    """
    prices: list[tuple[int, int]] = []
    for part in text.split("|"):
        _, glaze, _, crack = parse_cost(part, ("glaze", "crack"))
        prices.append((glaze, crack))
    if len(prices) == 1:
        return tuple(prices)
    prices.sort(key=lambda price: price[1])
    if len(prices) == 2:
        (glaze, no_crack), (no_glaze, crack) = prices
        if glaze and crack and not no_crack and not no_glaze:
            return tuple(prices)
    raise NotationError(
        "two alternatives are expected to be one of glazes only and one of cracks only, "
        "such as '2glaze|2crack'"
    )


def parse_donkey(text: str) -> tuple[int, Offsets]:
    """Read a donkey icon (§12.5.2): its kind and two (row, column) offsets."""
    icon = " ".join(text.split())
    if icon not in DONKEY_ICONS:
        raise NotationError(
            f"'{text}' is no donkey icon; expected {listed(DONKEY_ICONS)}"
            f"{suggestion(icon, DONKEY_ICONS)}"
        )
    if icon == "stay":
        return DONKEY_STAY, ((0, 0), (0, 0))
    word, sides = icon.split()
    first, second = re.split(r"[/+]", sides)
    kind = DONKEY_MOVE if word == "move" else DONKEY_DISCARD
    return kind, (_SIDES[first], _SIDES[second])


def parse_pieces(text: str) -> tuple[int, int]:
    """Read the one or two pieces of a card back's row; -1 stands for no second piece."""
    words = text.split()
    if len(words) not in (1, 2):
        raise NotationError(f"expected one or two pieces, such as 'jug pot', not {len(words)}")
    for word in words:
        if word not in PIECES:
            raise NotationError(
                f"'{word}' is no piece; expected {listed(PIECES)}{suggestion(word, PIECES)}"
            )
    codes = [PIECES.index(word) for word in words]
    return (codes[0], codes[1] if len(codes) == 2 else -1)
