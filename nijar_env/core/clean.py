"""§8.9 Clean: cracks to cleanup cards, and the rewards of completed ones (J01-J08, D07)."""

from __future__ import annotations

from typing import Any

from .catalogue import A_CLEAN, A_CLEAN_SUPPLY, A_REWARD
from .constants import EV_CLEANED, EV_CLEANUP_COMPLETE, EV_REWARD, F_CLEAN, F_REWARDS
from .effects import effect_changes
from .events import emit
from .frames import allow, allow_done, pop, push
from .jit import fixed_kernel, kernel


@fixed_kernel
def start_clean(g: Any, p: int, amount: int) -> None:
    push(g, F_CLEAN, p, amount, 0, 0, 0)


@kernel
def full_amount(g: Any, p: int) -> int:
    """Cracks of a whole Clean: cleanup cards in play + 1 (ruling J01)."""
    return int(g.cleanup_size[p]) + 1


@kernel
def offer_clean(box: Any, g: Any, p: int) -> int:
    """A crack to any card with an empty space; to the supply only without one (J02, J03)."""
    if g.cleaning_area[p] > 0:
        for k in range(g.cleanup_size[p]):
            if g.cleanup_cracks[p, k] < box.card_spaces[g.cleanup[p, k]]:
                allow(g, A_CLEAN + k)
        if g.num_legal == 0:
            allow(g, A_CLEAN_SUPPLY)
    choices = g.num_legal
    allow_done(g)
    return int(choices)


@kernel
def finish_clean(box: Any, g: Any, p: int) -> None:
    """Completion is checked once, after all cracks are assigned (rulings D07, J04): completed
    cards are emptied into the supply and their rewards are owed."""
    pop(g)
    completed = 0
    for k in range(g.cleanup_size[p]):
        card = g.cleanup[p, k]
        if g.cleanup_cracks[p, k] == box.card_spaces[card]:
            g.supply_crack += g.cleanup_cracks[p, k]
            g.cleanup_cracks[p, k] = 0
            completed |= 1 << k
            emit(g, EV_CLEANUP_COMPLETE, p, card, 0, 0, 0)
    if completed:
        push(g, F_REWARDS, p, completed, 0, 0, 0)


@kernel
def choose_clean(box: Any, g: Any, p: int, action: int) -> None:
    g.cleaning_area[p] -= 1
    if action == A_CLEAN_SUPPLY:
        g.supply_crack += 1
        emit(g, EV_CLEANED, p, -1, 0, 0, 0)
    else:
        k = action - A_CLEAN
        g.cleanup_cracks[p, k] += 1
        emit(g, EV_CLEANED, p, g.cleanup[p, k], g.cleanup_cracks[p, k], 0, 0)
    frame = g.frames[g.depth - 1]
    frame[2] -= 1
    if frame[2] == 0:
        finish_clean(box, g, p)


@kernel
def offer_rewards(box: Any, g: Any, p: int, owed: int) -> int:
    """The completed cards in any order (J04); `done` drops the rest (J05)."""
    for k in range(g.cleanup_size[p]):
        if (owed >> k) & 1 and effect_changes(box, g, p, box.card_effect[g.cleanup[p, k], 0]):
            allow(g, A_REWARD + k)
    choices = g.num_legal
    allow_done(g)
    return int(choices)


@kernel
def choose_reward(g: Any, p: int, k: int) -> int:
    """Returns the cleanup card whose reward is to be resolved next."""
    frame = g.frames[g.depth - 1]
    left = frame[2] & ~(1 << k)
    if left == 0:
        pop(g)
    else:
        frame[2] = left
    emit(g, EV_REWARD, p, g.cleanup[p, k], 0, 0, 0)
    return int(g.cleanup[p, k])
