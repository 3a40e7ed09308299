"""§8.3 Extract clay and §8.4 Advance the technology marker (rulings G01-G03)."""

from __future__ import annotations

from typing import Any

from ..components.vocabulary import CLAY_CAP, MAX_TECHNOLOGY
from .catalogue import A_CLAY
from .constants import EV_TECHNOLOGY, VP_TECHNOLOGY
from .events import emit
from .frames import allow, allow_done, pop
from .jit import kernel
from .supply import gain_clay, gain_vp, pay


@kernel
def can_extract(box: Any, g: Any, p: int) -> bool:
    return bool(g.clay[p] < CLAY_CAP and g.pg[p] >= box.clay_price[1])


@kernel
def offer_extract(box: Any, g: Any, p: int) -> int:
    """1-3 clay: every payable amount while there is room for one (ruling G01)."""
    if g.clay[p] < CLAY_CAP:
        for n in range(1, 4):
            if g.pg[p] >= box.clay_price[n]:
                allow(g, A_CLAY + n - 1)
    choices = g.num_legal
    allow_done(g)
    return int(choices)


@kernel
def choose_extract(box: Any, g: Any, p: int, amount: int) -> None:
    pop(g)
    pay(g, p, box.clay_price[amount], 0, 0, 0)
    gain_clay(g, p, amount)


@kernel
def can_advance(g: Any, p: int) -> bool:
    return bool(g.technology[p] < MAX_TECHNOLOGY)


@kernel
def advance_technology(box: Any, g: Any, p: int) -> None:
    """One space on; VP once, on reaching the last (§8.4, ruling G03)."""
    if g.technology[p] < MAX_TECHNOLOGY:
        g.technology[p] += 1
        emit(g, EV_TECHNOLOGY, p, g.technology[p], 0, 0, 0)
        if g.technology[p] == MAX_TECHNOLOGY:
            gain_vp(g, p, box.tech_vp, VP_TECHNOLOGY)
