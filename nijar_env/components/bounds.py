"""How deep effects can nest with a box: the proof that the stack of pending frames suffices.

Nesting is not limited by the rules, but everything that nests uses something up within the turn.
A frame stays under another one only while it still owes something, so at any moment the stack
holds at most

* one menu of the placement or the Special Action that the turn began with, and three frames that
  lead nowhere further (a fire, a paint and its price, an acquire ...) on top;
* one frame for each kiln or workshop card played this turn (its second side icon): at most 36;
* one for each wheel being completed (5), and one for each Throw with steps left: each has moved a
  vase this turn, so there are at most as many as a player's five wheels have spaces;
* frames of cleanup rewards with rewards left, and of esparto cards with cards left, that have led
  to something deeper. The first kind has just completed two cards, the second has cleaned a crack
  (no other esparto reward leads deeper): each used up at least one crack of the cleaning area. The
  area holds 8 when the turn begins and gains only by card costs (each card is played once), by
  Shape (once a Shape space) and by Paint (once for each workshop and glaze kiln, since a painted
  piece cannot leave a glaze kiln within a turn).
"""

from __future__ import annotations

from typing import Any, Final

from . import vocabulary as v

_MENU_AND_LEAVES: Final = 4
_SIDE_CARDS: Final = 36
_PAINTS: Final = 2 * v.MAX_ROW


def _largest_wheels(per_card: list[int], copies: list[int]) -> int:
    """The sum over a starting wheel and the four best others of a count a wheel card has."""
    kinds = range(v.TYPE_COPIES[v.WHEEL])
    game = sorted((per_card[code] for code in kinds for _ in range(copies[code])), reverse=True)
    start = max(per_card[v.START_WHEEL : v.START_CLEANUP])
    return start + sum(game[: v.WHEEL_SPACES - 1])


def pending_bound(box: Any) -> int:
    """An upper bound on the number of pending frames in any game with this box record."""
    copies = [int(n) for n in box["card_copies"]]
    spaces = [int(n) for n in box["card_spaces"]]
    effects = box["card_effect"]
    shapes = [
        sum(int(effects[code, k, v.EFFECT_ACTION]) == v.ACT_SHAPE for k in range(spaces[code]))
        if box["card_type"][code] == v.WHEEL
        else 0
        for code in range(v.NUM_CARD_CODES)
    ]
    steps = _largest_wheels(spaces, copies)
    cracks = v.CLEANING_CAP
    cracks += sum(
        copies[code] * int(box["card_cost"][code, v.CRACK]) for code in range(v.NUM_CARDS)
    )
    cracks += _largest_wheels(shapes, copies) * int(box["shape_cracks"].max())
    cracks += _PAINTS * int(box["card_paint"][:, :, 1].max())
    return _MENU_AND_LEAVES + _SIDE_CARDS + v.WHEEL_SPACES + steps + cracks
