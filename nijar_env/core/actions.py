"""§8 Actions: starting an action or a printed effect, and the menus that lead to one."""

from __future__ import annotations

from typing import Any

from ..components.vocabulary import (
    ACT_ACQUIRE,
    ACT_CLAY,
    ACT_CLEAN,
    ACT_CLEAN_ONE,
    ACT_ESPARTO,
    ACT_FIRE,
    ACT_FIRE_ONE,
    ACT_FIRST_PLAYER,
    ACT_PAINT,
    ACT_PAINT_ONE,
    ACT_PLAY,
    ACT_SHAPE,
    ACT_TECH,
    ACT_THROW,
    EFFECT_ACTION,
    EFFECT_CLAY,
    EFFECT_GLAZE,
    EFFECT_PG,
    EFFECT_VP,
    ESPARTO_SPACES,
    NUM_ACTIONS,
)
from .acquire import start_acquire
from .catalogue import A_ACTION, A_ESPARTO
from .clean import full_amount, start_clean
from .constants import (
    EV_COLLECTED,
    F_CLAY,
    F_ESPARTO,
    F_FIRE,
    F_PAINT,
    F_PLAY,
    F_SHAPE,
    F_THROW,
    F_TRACK,
    NO_LIMIT,
    VP_ESPARTO,
)
from .effects import can_do, esparto_changes
from .events import emit
from .extract import advance_technology
from .frames import allow, allow_done, pop, push
from .jit import fixed_kernel, kernel
from .supply import gain_clay, gain_glaze, gain_pg, gain_vp

CARDS_OF_AN_ACQUIRE = 2  # §8.1


@fixed_kernel
def start_esparto(g: Any, p: int, rewards: int) -> None:
    """Collect from the cards that lie there now: one reward each (§8.10), or one in all (§9.8)."""
    mask = 0
    for k in range(ESPARTO_SPACES):
        if g.esparto[p, k] >= 0:
            mask |= 1 << k
    push(g, F_ESPARTO, p, mask, rewards, 0, 0)


@fixed_kernel
def start(box: Any, g: Any, p: int, action: int) -> None:
    """Begin an action: its own choices are asked next (technology has none, ruling G03)."""
    if action == ACT_ACQUIRE:
        start_acquire(g, p, CARDS_OF_AN_ACQUIRE)
    elif action == ACT_PLAY:
        push(g, F_PLAY, p, 0, 0, 0, 0)
    elif action == ACT_CLAY:
        push(g, F_CLAY, p, 0, 0, 0, 0)
    elif action == ACT_TECH:
        advance_technology(box, g, p)
    elif action == ACT_THROW:
        push(g, F_THROW, p, box.tech_steps[g.technology[p]], 0, 0, 0)
    elif action == ACT_SHAPE:
        push(g, F_SHAPE, p, 0, 0, 0, 0)
    elif action == ACT_FIRE:
        push(g, F_FIRE, p, NO_LIMIT, 0, 0, 0)
    elif action == ACT_FIRE_ONE:
        push(g, F_FIRE, p, 1, 0, 0, 0)
    elif action == ACT_PAINT:
        push(g, F_PAINT, p, NO_LIMIT, 0, 0, 0)
    elif action == ACT_PAINT_ONE:
        push(g, F_PAINT, p, 1, 0, 0, 0)
    elif action == ACT_CLEAN:
        start_clean(g, p, full_amount(g, p))
    elif action == ACT_CLEAN_ONE:
        start_clean(g, p, 1)
    elif action == ACT_ESPARTO:
        start_esparto(g, p, NO_LIMIT)
    elif action == ACT_FIRST_PLAYER:
        push(g, F_TRACK, p, 0, 0, 0, 0)


@fixed_kernel
def resolve(box: Any, g: Any, p: int, effect: Any, source: int) -> None:
    """Carry out a printed effect: the fixed gains at once, then its action's choices."""
    gain_vp(g, p, effect[EFFECT_VP], source)
    gain_pg(g, p, effect[EFFECT_PG])
    gain_glaze(g, p, effect[EFFECT_GLAZE])
    gain_clay(g, p, effect[EFFECT_CLAY])
    start(box, g, p, effect[EFFECT_ACTION])


@kernel
def offer_esparto(box: Any, g: Any, p: int, mask: int) -> int:
    """One of two rewards of each card still to serve, in any order (K01, §8.10)."""
    for k in range(ESPARTO_SPACES):
        if (mask >> k) & 1:
            for i in range(2):
                if esparto_changes(box, g, p, box.card_effect[g.esparto[p, k], i]):
                    allow(g, A_ESPARTO + 2 * k + i)
    choices = g.num_legal
    allow_done(g)
    return int(choices)


@kernel
def choose_esparto(box: Any, g: Any, p: int, k: int, reward: int) -> None:
    frame = g.frames[g.depth - 1]
    left = frame[2] & ~(1 << k)
    if left == 0 or frame[3] == 1:
        pop(g)
    else:
        frame[2] = left
    emit(g, EV_COLLECTED, p, g.esparto[p, k], k, reward, 0)
    resolve(box, g, p, box.card_effect[g.esparto[p, k], reward], VP_ESPARTO)


@kernel
def offer_tiles(box: Any, g: Any, p: int, row: int) -> None:
    """The actions of a row's three tiles that could change something (§7.2.1.1, B10, D05)."""
    for column in range(3):
        for i in range(2):
            action = box.tile_action[g.tile[row, column], i]
            if action > 0 and can_do(box, g, p, action):
                allow(g, A_ACTION + action - 1)


@kernel
def offer_any_action(box: Any, g: Any, p: int) -> int:
    """The Indalo: any action of the action tiles (§7.2.2, rulings B24, B25)."""
    for row in range(3):
        offer_tiles(box, g, p, row)
    choices = g.num_legal
    allow_done(g)
    return int(choices)


@kernel
def offer_sides(box: Any, g: Any, p: int, left: int, right: int) -> int:
    """The two side icons of a new card, in any order (§8.2, ruling F07)."""
    for action in range(1, NUM_ACTIONS + 1):
        if (action == left or action == right) and can_do(box, g, p, action):
            allow(g, A_ACTION + action - 1)
    choices = g.num_legal
    allow_done(g)
    return int(choices)


@kernel
def choose_side(box: Any, g: Any, p: int, action: int) -> None:
    frame = g.frames[g.depth - 1]
    field = 2 if frame[2] == action else 3
    frame[field] = 0
    if frame[2] == 0 and frame[3] == 0:
        pop(g)
    start(box, g, p, action)
