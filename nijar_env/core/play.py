"""§8.2 Play a card (rulings D01, F01-F11)."""

from __future__ import annotations

from typing import Any

from ..components.vocabulary import (
    CLAY,
    CLEANUP,
    CRACK,
    ESPARTO,
    ESPARTO_SPACES,
    FIRING_KILN,
    GLAZE,
    GLAZE_KILN,
    NUM_CARDS,
    PG,
    WHEEL,
    WHEEL_SPACES,
    WORKSHOP,
)
from .catalogue import A_PLAY, A_SLOT
from .constants import EV_PLAYED, EV_SIDES, EV_SLOTTED, F_SIDES, F_SLOT, VP_WHEELS
from .events import emit
from .frames import allow, allow_done, pop, push
from .jit import fixed_kernel, kernel
from .supply import can_pay, gain_vp, pay


@kernel
def free_space(spaces: Any, first: int) -> bool:
    """A wheel or esparto space from `first` on is empty (ruling F02)."""
    for k in range(first, spaces.shape[0]):
        if spaces[k] < 0:
            return True
    return False


@fixed_kernel
def can_play_card(box: Any, g: Any, p: int, card: int) -> bool:
    """A space of its type is free and its whole cost can be paid (rulings F02-F04)."""
    kind = box.card_type[card]
    if kind == WHEEL and not free_space(g.wheel[p], 1):
        return False
    if kind == ESPARTO and not free_space(g.esparto[p], 1):
        return False
    cost = box.card_cost[card]
    return can_pay(g, p, cost[PG], cost[GLAZE], cost[CLAY], cost[CRACK])


@kernel
def can_play(box: Any, g: Any, p: int) -> bool:
    """Any card in hand can be played (ruling F11)."""
    left = int(g.hand_size[p])
    if left == 0:
        return False
    hand = g.hand[p]
    for card in range(NUM_CARDS):
        if hand[card] > 0:
            if can_play_card(box, g, p, card):
                return True
            left -= hand[card]
            if left == 0:
                return False
    return False


@kernel
def offer_play(box: Any, g: Any, p: int) -> int:
    hand = g.hand[p]
    for card in range(NUM_CARDS):
        if hand[card] > 0 and can_play_card(box, g, p, card):
            allow(g, A_PLAY + card)
    choices = g.num_legal
    allow_done(g)
    return int(choices)


@kernel
def leave_hand(g: Any, p: int, card: int) -> None:
    """The card leaves the hand; of equal copies the publicly known one goes first."""
    g.hand[p, card] -= 1
    g.hand_size[p] -= 1
    if g.hand_dealt[p, card] > g.hand[p, card]:
        g.hand_dealt[p, card] = g.hand[p, card]


@kernel
def side_icons(box: Any, g: Any, p: int, previous: int, card: int) -> None:
    """Two actions (§8.2): the icons that now face each other, or the new card's own (D01)."""
    if box.own_side_icons:
        left = box.card_icon[card, 0]
    else:
        left = box.card_icon[previous, 1] if previous >= 0 else 0
    right = box.card_icon[card, 1] if box.own_side_icons else box.card_icon[card, 0]
    emit(g, EV_SIDES, p, left, right, 0, 0)
    push(g, F_SIDES, p, left, right, 0, 0)


@kernel
def extend(codes: Any, sizes: Any, p: int, card: int) -> int:
    """Lay a card at the open end of a row (ruling F05); returns the card beside it, or -1."""
    n = sizes[p]
    codes[p, n] = card
    sizes[p] = n + 1
    return int(codes[p, n - 1]) if n > 0 else -1


@kernel
def choose_play(box: Any, g: Any, p: int, card: int) -> None:
    """Pay, then lay the card in its place; wheels and esparto cards ask for a space."""
    pop(g)
    emit(g, EV_PLAYED, p, card, 0, 0, 0)
    cost = box.card_cost[card]
    pay(g, p, cost[PG], cost[GLAZE], cost[CLAY], cost[CRACK])
    kind = box.card_type[card]
    if kind == WHEEL or kind == ESPARTO:
        push(g, F_SLOT, p, card, 0, 0, 0)
        return
    leave_hand(g, p, card)
    if kind == CLEANUP:
        extend(g.cleanup, g.cleanup_size, p, card)
    elif kind == FIRING_KILN:
        side_icons(box, g, p, extend(g.firing_kiln, g.firing_size, p, card), card)
    elif kind == WORKSHOP:
        side_icons(box, g, p, extend(g.workshop, g.workshop_size, p, card), card)
    elif kind == GLAZE_KILN:
        side_icons(box, g, p, extend(g.glaze_kiln, g.glaze_size, p, card), card)


@kernel
def offer_slot(box: Any, g: Any, p: int, card: int) -> int:
    """The free spaces of the card's type; no `done`, it is paid for (ruling F05)."""
    if box.card_type[card] == WHEEL:
        for k in range(1, WHEEL_SPACES):
            if g.wheel[p, k] < 0:
                allow(g, A_SLOT + k)
    else:
        for k in range(1, ESPARTO_SPACES):
            if g.esparto[p, k] < 0:
                allow(g, A_SLOT + k)
    return int(g.num_legal)


@kernel
def choose_slot(box: Any, g: Any, p: int, card: int, space: int) -> int:
    """Lay the card; a wheel gets its vase and VP first (F06). Returns the space's action."""
    pop(g)
    leave_hand(g, p, card)
    emit(g, EV_SLOTTED, p, card, space, 0, 0)
    if box.card_type[card] == WHEEL:
        g.wheel[p, space] = card
        g.vase[p, space] = 0
        g.supply_vase -= 1
        gain_vp(g, p, box.card_vp[card], VP_WHEELS)
        return int(box.wheel_space_action[space])
    g.esparto[p, space] = card
    return int(box.esparto_space_action[space])
