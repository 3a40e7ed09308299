"""What effects printed on cards and spaces would change: fixed gains, then one action.

An effect is a row (vp, pg, glaze, clay, action) of the box. Here stands only whether it would do
anything; carrying it out (`actions.resolve`) needs the rules of every action.
"""

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
    ACT_TECH,
    ACT_THROW,
    CLAY_CAP,
    EFFECT_ACTION,
    EFFECT_CLAY,
    EFFECT_GLAZE,
    EFFECT_PG,
    EFFECT_VP,
    ESPARTO_SPACES,
)
from .acquire import can_acquire
from .extract import can_advance, can_extract
from .first_player import can_take_first_player
from .jit import fixed_kernel, kernel
from .kilns import can_fire, can_paint
from .play import can_play
from .throw import can_throw


@fixed_kernel
def gains_change(g: Any, p: int, effect: Any) -> bool:
    """A fixed gain would change something: not from an empty supply, not past 7 clay (M05)."""
    return bool(
        effect[EFFECT_VP] > 0
        or (effect[EFFECT_PG] > 0 and g.supply_pg > 0)
        or (effect[EFFECT_GLAZE] > 0 and g.supply_glaze > 0)
        or (effect[EFFECT_CLAY] > 0 and g.clay[p] < CLAY_CAP)
    )


@fixed_kernel
def esparto_changes(box: Any, g: Any, p: int, effect: Any) -> bool:
    """A reward of an esparto card: gains or a single fire, paint or clean (§8.10, D02, K02)."""
    if gains_change(g, p, effect):
        return True
    action = effect[EFFECT_ACTION]
    if action == ACT_FIRE_ONE:
        return can_fire(g, p)
    if action == ACT_PAINT_ONE:
        return can_paint(box, g, p)
    if action == ACT_CLEAN_ONE:
        return bool(g.cleaning_area[p] > 0)
    return False


@kernel
def can_collect(box: Any, g: Any, p: int) -> bool:
    """Any reward of any esparto card in play would change something."""
    for k in range(ESPARTO_SPACES):
        card = g.esparto[p, k]
        if card >= 0:
            for i in range(2):
                if esparto_changes(box, g, p, box.card_effect[card, i]):
                    return True
    return False


@fixed_kernel
def can_do(box: Any, g: Any, p: int, action: int) -> bool:
    """The action could change something now; only then a menu offers it. Shape stands on wheel
    spaces alone and is never in a menu."""
    if action == ACT_ACQUIRE:
        return can_acquire(g, p)
    if action == ACT_PLAY:
        return can_play(box, g, p)
    if action == ACT_CLAY:
        return can_extract(box, g, p)
    if action == ACT_TECH:
        return can_advance(g, p)
    if action == ACT_THROW:
        return can_throw(box, g, p)
    if action == ACT_FIRE or action == ACT_FIRE_ONE:
        return can_fire(g, p)
    if action == ACT_PAINT or action == ACT_PAINT_ONE:
        return can_paint(box, g, p)
    if action == ACT_CLEAN or action == ACT_CLEAN_ONE:
        return bool(g.cleaning_area[p] > 0)
    if action == ACT_ESPARTO:
        return can_collect(box, g, p)
    if action == ACT_FIRST_PLAYER:
        return can_take_first_player(box, g, p)
    return False


@fixed_kernel
def effect_changes(box: Any, g: Any, p: int, effect: Any) -> bool:
    return gains_change(g, p, effect) or can_do(box, g, p, effect[EFFECT_ACTION])
