"""§8.5 Throw and §8.6 Shape (rulings H01-H11, I01-I04, D06)."""

from __future__ import annotations

from typing import Any

from ..components.vocabulary import NUM_PIECES, WHEEL_SPACES
from .catalogue import A_SHAPE, A_THROW
from .constants import EV_SHAPED, EV_VASE, EV_WHEEL_COMPLETE, F_COMPLETE_WHEEL, VP_WHEELS
from .events import emit
from .frames import allow, allow_done, count_down, pop, push
from .jit import fixed_kernel, kernel
from .supply import can_pay, gain_vp, pay


@fixed_kernel
def can_move_vase(box: Any, g: Any, p: int, k: int) -> bool:
    """A vase with a space ahead: not one at its last space or in the slot (H08, H09)."""
    card = g.wheel[p, k]
    return bool(card >= 0 and g.wheel_done[p, k] == 0 and g.vase[p, k] < box.card_spaces[card])


@kernel
def can_throw(box: Any, g: Any, p: int) -> bool:
    for k in range(WHEEL_SPACES):
        if can_move_vase(box, g, p, k):
            return True
    return False


@kernel
def offer_throw(box: Any, g: Any, p: int) -> int:
    """One step of any vase at a time (ruling H01); stopping early is allowed (H06)."""
    for k in range(WHEEL_SPACES):
        if can_move_vase(box, g, p, k):
            allow(g, A_THROW + k)
    choices = g.num_legal
    allow_done(g)
    return int(choices)


@kernel
def choose_throw(box: Any, g: Any, p: int, k: int) -> tuple[int, int]:
    """Move the vase one space. Returns the wheel card and which of its effects is reached, to be
    resolved next (an array view, which says both, is nothing a function on a GPU may return).

    On the last space the benefit comes before the slot and its VP (ruling H07), so the
    completion waits below it.
    """
    count_down(g, 2)
    card = g.wheel[p, k]
    step = g.vase[p, k]
    g.vase[p, k] = step + 1
    emit(g, EV_VASE, p, card, step + 1, box.card_spaces[card], 0)
    if step + 1 == box.card_spaces[card]:
        push(g, F_COMPLETE_WHEEL, p, k, 0, 0, 0)
    return card, step


@kernel
def complete_wheel(box: Any, g: Any, p: int, k: int) -> None:
    """The vase goes to the lower slot: the wheel is done and scores (§8.5, ruling H07)."""
    pop(g)
    card = g.wheel[p, k]
    g.wheel_done[p, k] = 1
    emit(g, EV_WHEEL_COMPLETE, p, card, 0, 0, 0)
    gain_vp(g, p, box.card_done_vp[card], VP_WHEELS)


@kernel
def can_shape(box: Any, g: Any, p: int, count: int) -> bool:
    """The price of one or two pieces can be paid (rulings I01, I02)."""
    return can_pay(g, p, 0, 0, box.shape_clay[count], box.shape_cracks[count])


@kernel
def offer_shape(box: Any, g: Any, p: int) -> int:
    """One piece, or two (equal or different) of those left in the supply (rulings I01-I03)."""
    supply = g.supply_piece
    if can_shape(box, g, p, 1):
        for i in range(NUM_PIECES):
            if supply[i] > 0:
                allow(g, A_SHAPE + i)
    if can_shape(box, g, p, 2):
        pair = NUM_PIECES
        for i in range(NUM_PIECES):
            for j in range(i, NUM_PIECES):
                if supply[i] > 0 and supply[j] > (1 if i == j else 0):
                    allow(g, A_SHAPE + pair)
                pair += 1
    choices = g.num_legal
    allow_done(g)
    return int(choices)


@kernel
def shape_one(g: Any, p: int, piece: int) -> None:
    g.supply_piece[piece] -= 1
    g.drying[p, piece] += 1


@kernel
def choose_shape(box: Any, g: Any, p: int, option: int) -> None:
    """Pieces go to the drying area, unpainted (§8.6); two pieces cost cracks too (D06)."""
    pop(g)
    if option < NUM_PIECES:
        emit(g, EV_SHAPED, p, option, -1, 0, 0)
        pay(g, p, 0, 0, box.shape_clay[1], box.shape_cracks[1])
        shape_one(g, p, option)
        return
    pair = NUM_PIECES
    for i in range(NUM_PIECES):
        for j in range(i, NUM_PIECES):
            if pair == option:
                emit(g, EV_SHAPED, p, i, j, 0, 0)
                shape_one(g, p, i)
                shape_one(g, p, j)
            pair += 1
    pay(g, p, 0, 0, box.shape_clay[2], box.shape_cracks[2])
