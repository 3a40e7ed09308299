"""§8.7 Fire and §8.8 Paint: pieces on their way from the drying area to the kilns."""

from __future__ import annotations

from typing import Any

from ..components.vocabulary import MAX_ROW, NUM_PIECES
from .catalogue import A_FIRE, A_GLAZE, A_PAINT, A_PAY
from .constants import EV_FIRED, EV_GLAZE_FIRED, EV_PAINTED, F_PAY
from .events import emit
from .frames import allow, allow_done, count_down, pop, push
from .jit import fixed_kernel, kernel
from .supply import can_pay, pay


@kernel
def first_with(pieces: Any, size: int, piece: int) -> int:
    """The first kiln or workshop of a row that holds `piece` (-1: that is empty), else -1."""
    for k in range(size):
        if pieces[k] == piece:
            return k
    return -1


@kernel
def can_fire_drying(g: Any, p: int) -> bool:
    """A piece lies in the drying area and a firing kiln is empty (ruling I05)."""
    drying = g.drying[p]
    if drying[0] + drying[1] + drying[2] == 0:
        return False
    return first_with(g.firing_piece[p], g.firing_size[p], -1) >= 0


@kernel
def can_fire_workshop(g: Any, p: int) -> bool:
    """A painted piece stands in a workshop and a glaze kiln is empty."""
    if first_with(g.glaze_piece[p], g.glaze_size[p], -1) < 0:
        return False
    for k in range(g.workshop_size[p]):
        if g.workshop_piece[p, k] >= 0:
            return True
    return False


@kernel
def can_fire(g: Any, p: int) -> bool:
    return can_fire_drying(g, p) or can_fire_workshop(g, p)


@kernel
def offer_fire(g: Any, p: int) -> int:
    """Single moves of both stages, as many as the kilns take (D27, I05; a bonus: one, §9.2)."""
    if can_fire_drying(g, p):
        for piece in range(NUM_PIECES):
            if g.drying[p, piece] > 0:
                allow(g, A_FIRE + piece)
    if can_fire_workshop(g, p):
        for k in range(g.workshop_size[p]):
            if g.workshop_piece[p, k] >= 0:
                allow(g, A_GLAZE + k)
    choices = g.num_legal
    allow_done(g)
    return int(choices)


@kernel
def choose_fire(g: Any, p: int, piece: int) -> None:
    """Drying area to the first empty firing kiln (kilns are alike for a piece, ruling I06)."""
    count_down(g, 2)
    k = first_with(g.firing_piece[p], g.firing_size[p], -1)
    g.firing_piece[p, k] = piece
    g.drying[p, piece] -= 1
    emit(g, EV_FIRED, p, piece, g.firing_kiln[p, k], 0, 0)


@kernel
def choose_glaze(g: Any, p: int, workshop: int) -> None:
    """Workshop to the first empty glaze kiln: the piece can now be sold painted (MK08)."""
    count_down(g, 2)
    piece = g.workshop_piece[p, workshop]
    g.workshop_piece[p, workshop] = -1
    k = first_with(g.glaze_piece[p], g.glaze_size[p], -1)
    g.glaze_piece[p, k] = piece
    emit(g, EV_GLAZE_FIRED, p, piece, g.glaze_kiln[p, k], g.workshop[p, workshop], 0)


@fixed_kernel
def can_pay_paint(box: Any, g: Any, p: int, card: int, option: int) -> bool:
    """Glazes at hand, room and tokens for cracks (rulings I09, I10)."""
    return can_pay(g, p, 0, box.card_paint[card, option, 0], 0, box.card_paint[card, option, 1])


@fixed_kernel
def can_use_workshop(box: Any, g: Any, p: int, k: int) -> bool:
    """The workshop is empty and one of its prices can be paid (rulings I08, I11)."""
    if g.workshop_piece[p, k] >= 0:
        return False
    card = g.workshop[p, k]
    for option in range(box.card_paint_options[card]):
        if can_pay_paint(box, g, p, card, option):
            return True
    return False


@kernel
def can_paint(box: Any, g: Any, p: int) -> bool:
    full = False
    for k in range(g.firing_size[p]):
        full = full or g.firing_piece[p, k] >= 0
    if not full:
        return False
    for k in range(g.workshop_size[p]):
        if can_use_workshop(box, g, p, k):
            return True
    return False


@kernel
def offer_paint(box: Any, g: Any, p: int) -> int:
    """Any unpainted piece in a firing kiln to any empty workshop that can be paid (§8.8)."""
    for piece in range(NUM_PIECES):
        if first_with(g.firing_piece[p], g.firing_size[p], piece) >= 0:
            for k in range(g.workshop_size[p]):
                if can_use_workshop(box, g, p, k):
                    allow(g, A_PAINT + piece * MAX_ROW + k)
    choices = g.num_legal
    allow_done(g)
    return int(choices)


@kernel
def paint(box: Any, g: Any, p: int, piece: int, workshop: int, option: int) -> None:
    """Pay the workshop's price and move the piece there, painted side up."""
    card = g.workshop[p, workshop]
    emit(g, EV_PAINTED, p, piece, card, 0, 0)
    pay(g, p, 0, box.card_paint[card, option, 0], 0, box.card_paint[card, option, 1])
    k = first_with(g.firing_piece[p], g.firing_size[p], piece)
    g.firing_piece[p, k] = -1
    g.workshop_piece[p, workshop] = piece


@kernel
def choose_paint(box: Any, g: Any, p: int, option: int) -> None:
    piece, workshop = option // MAX_ROW, option % MAX_ROW
    count_down(g, 2)
    if box.card_paint_options[g.workshop[p, workshop]] == 2:
        push(g, F_PAY, p, piece, workshop, 0, 0)
    else:
        paint(box, g, p, piece, workshop, 0)


@kernel
def offer_pay(box: Any, g: Any, p: int, workshop: int) -> int:
    """Glazes or cracks, where the card leaves the choice (ruling I09); no `done`."""
    card = g.workshop[p, workshop]
    for option in range(2):
        if can_pay_paint(box, g, p, card, option):
            # The alternative that costs glazes is pay:glaze, whatever its place on the card.
            allow(g, A_PAY + (0 if box.card_paint[card, option, 0] > 0 else 1))
    return int(g.num_legal)


@kernel
def choose_pay(box: Any, g: Any, p: int, piece: int, workshop: int, cracks: int) -> None:
    pop(g)
    card = g.workshop[p, workshop]
    first_is_glaze = box.card_paint[card, 0, 0] > 0
    paint(box, g, p, piece, workshop, cracks if first_is_glaze else 1 - cracks)
