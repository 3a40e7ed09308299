"""§9 Bonuses: their sources and what they give (rulings B12, B13, B16, B17, B26, D03)."""

from __future__ import annotations

from typing import Any

from ..components.vocabulary import (
    ACT_ACQUIRE,
    ACT_CLEAN_ONE,
    ACT_ESPARTO,
    ACT_FIRE_ONE,
    ACT_PAINT_ONE,
    ACT_THROW,
    BONUS_ACQUIRE,
    BONUS_CLAY,
    BONUS_CLEAN,
    BONUS_ESPARTO,
    BONUS_FIRE,
    BONUS_PAINT,
    BONUS_SUPPLY,
    BONUS_THROW,
    CLAY_CAP,
    MAX_COLUMNS,
)
from .acquire import start_acquire
from .actions import start, start_esparto
from .catalogue import A_BONUS, A_GAIN
from .constants import F_GAIN, F_THROW
from .effects import can_do
from .frames import allow, allow_done, pop, push
from .jit import fixed_kernel, kernel
from .supply import gain_clay, gain_glaze, gain_pg


@fixed_kernel
def bonus_changes(box: Any, g: Any, p: int, bonus: int) -> bool:
    if bonus == BONUS_CLAY:
        return bool(g.clay[p] < CLAY_CAP)
    if bonus == BONUS_FIRE:
        return can_do(box, g, p, ACT_FIRE_ONE)
    if bonus == BONUS_PAINT:
        return can_do(box, g, p, ACT_PAINT_ONE)
    if bonus == BONUS_THROW:
        return can_do(box, g, p, ACT_THROW)
    if bonus == BONUS_CLEAN:
        return can_do(box, g, p, ACT_CLEAN_ONE)
    if bonus == BONUS_ACQUIRE:
        return can_do(box, g, p, ACT_ACQUIRE)
    if bonus == BONUS_SUPPLY:
        return bool(g.supply_pg > 0 or g.supply_glaze > 0)
    return can_do(box, g, p, ACT_ESPARTO)


@fixed_kernel
def combined(bonus: int) -> bool:
    """Bonuses that n craftswomen earn as one effect of size n; the others come one by one (B13)."""
    return bonus == BONUS_THROW or bonus == BONUS_ACQUIRE


@fixed_kernel
def start_bonus(box: Any, g: Any, p: int, bonus: int, size: int) -> None:
    """Give a bonus. `size` counts only for Throw (steps, not limited by technology) and Acquire
    (most cards) (§9.4, §9.6)."""
    if bonus == BONUS_CLAY:
        gain_clay(g, p, box.bonus_clay)
    elif bonus == BONUS_FIRE:
        start(box, g, p, ACT_FIRE_ONE)
    elif bonus == BONUS_PAINT:
        start(box, g, p, ACT_PAINT_ONE)
    elif bonus == BONUS_THROW:
        push(g, F_THROW, p, size, 0, 0, 0)
    elif bonus == BONUS_CLEAN:
        start(box, g, p, ACT_CLEAN_ONE)
    elif bonus == BONUS_ACQUIRE:
        start_acquire(g, p, size)
    elif bonus == BONUS_SUPPLY:
        push(g, F_GAIN, p, 0, 0, 0, 0)
    elif bonus == BONUS_ESPARTO:
        start_esparto(g, p, 1)


@kernel
def offer_gain(g: Any, p: int) -> int:
    """Perra gorda or glazes (§9.7); an empty supply is no choice (ruling M05)."""
    if g.supply_pg > 0:
        allow(g, A_GAIN)
    if g.supply_glaze > 0:
        allow(g, A_GAIN + 1)
    choices = g.num_legal
    allow_done(g)
    return int(choices)


@kernel
def choose_gain(box: Any, g: Any, p: int, option: int) -> None:
    pop(g)
    if option == 0:
        gain_pg(g, p, box.bonus_supply[0])
    else:
        gain_glaze(g, p, box.bonus_supply[1])


@kernel
def offer_special(box: Any, g: Any, p: int, owed: int) -> int:
    """The printed esparto bonus and the two tiles, each once, in any order (§7.2.1.2, B16)."""
    if owed & 1 and bonus_changes(box, g, p, BONUS_ESPARTO):
        allow(g, A_BONUS + BONUS_ESPARTO)
    for i in range(2):
        bonus = g.special_bonus[i]
        if (owed >> (i + 1)) & 1 and bonus_changes(box, g, p, bonus):
            allow(g, A_BONUS + bonus)
    choices = g.num_legal
    allow_done(g)
    return int(choices)


@kernel
def choose_special(box: Any, g: Any, p: int, bonus: int) -> None:
    frame = g.frames[g.depth - 1]
    owed = frame[2]
    if bonus == BONUS_ESPARTO:
        bit = 1
    elif g.special_bonus[0] == bonus and owed & 2:
        bit = 2
    else:
        bit = 4
    if owed == bit:
        pop(g)
    else:
        frame[2] = owed & ~bit
    start_bonus(box, g, p, bonus, 1)


@kernel
def offer_any_bonus(box: Any, g: Any, p: int) -> int:
    """Any bonus tile in play, never the printed esparto (§7.2.4-5, ruling B26)."""
    for column in range(MAX_COLUMNS):
        bonus = g.bonus[column]
        if bonus >= 0 and bonus_changes(box, g, p, bonus):
            allow(g, A_BONUS + bonus)
    for i in range(2):
        bonus = g.special_bonus[i]
        if bonus_changes(box, g, p, bonus):
            allow(g, A_BONUS + bonus)
    choices = g.num_legal
    allow_done(g)
    return int(choices)
