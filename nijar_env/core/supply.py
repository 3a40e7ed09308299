"""§5 General concepts: resources, cracks, victory points and limited components."""

from __future__ import annotations

from typing import Any

from ..components.vocabulary import CLAY, CLAY_CAP, CLEANING_CAP, CRACK, GLAZE, PG
from .constants import EV_GAIN, EV_PAY, EV_VP, FAULT_SUPPLY
from .events import emit
from .jit import fixed_kernel


@fixed_kernel
def gain_vp(g: Any, p: int, amount: int, source: int) -> None:
    """Immediate or endgame VP (§5.2): a plain integer, may fall below zero (rulings O07, O10)."""
    if amount != 0:
        g.vp[p] += amount
        g.vp_from[p, source] += amount
        emit(g, EV_VP, p, amount, source, 0, 0)


@fixed_kernel
def gain_pg(g: Any, p: int, amount: int) -> None:
    """Perra gorda from the supply, as far as it goes (§5.3; rulings M01, M02, L04)."""
    got = min(amount, g.supply_pg)
    g.supply_pg -= got
    g.pg[p] += got
    if amount > 0:
        emit(g, EV_GAIN, p, PG, got, amount - got, 0)


@fixed_kernel
def gain_glaze(g: Any, p: int, amount: int) -> None:
    """Glazes from the supply, as far as it goes (§5.3)."""
    got = min(amount, g.supply_glaze)
    g.supply_glaze -= got
    g.glaze[p] += got
    if amount > 0:
        emit(g, EV_GAIN, p, GLAZE, got, amount - got, 0)


@fixed_kernel
def gain_clay(g: Any, p: int, amount: int) -> None:
    """Clay on the track, at most 7 in all; it has no supply (§5.1, ruling G02)."""
    got = min(amount, CLAY_CAP - g.clay[p])
    g.clay[p] += got
    if amount > 0:
        emit(g, EV_GAIN, p, CLAY, got, amount - got, 0)


@fixed_kernel
def can_gain_cracks(g: Any, p: int, amount: int) -> bool:
    """Room for all of them in the cleaning area, and tokens left (§5.1, §5.3; F04, J08, J09)."""
    return bool(g.cleaning_area[p] + amount <= CLEANING_CAP and amount <= g.supply_crack)


@fixed_kernel
def gain_cracks(g: Any, p: int, amount: int) -> None:
    if amount > 0:
        g.supply_crack -= amount
        g.cleaning_area[p] += amount
        emit(g, EV_GAIN, p, CRACK, amount, 0, 0)


@fixed_kernel
def can_pay(g: Any, p: int, pg: int, glaze: int, clay: int, cracks: int) -> bool:
    """Whether a whole cost can be paid (rulings D26, F03, F04): a crack cost gains cracks."""
    return bool(
        g.pg[p] >= pg
        and g.glaze[p] >= glaze
        and g.clay[p] >= clay
        and (cracks == 0 or can_gain_cracks(g, p, cracks))
    )


@fixed_kernel
def pay(g: Any, p: int, pg: int, glaze: int, clay: int, cracks: int) -> None:
    """Pay a cost: tokens go back to the supply at once (ruling M03)."""
    if pg > 0:
        g.pg[p] -= pg
        g.supply_pg += pg
        emit(g, EV_PAY, p, PG, pg, 0, 0)
    if glaze > 0:
        g.glaze[p] -= glaze
        g.supply_glaze += glaze
        emit(g, EV_PAY, p, GLAZE, glaze, 0, 0)
    if clay > 0:
        g.clay[p] -= clay
        emit(g, EV_PAY, p, CLAY, clay, 0, 0)
    gain_cracks(g, p, cracks)
    if g.pg[p] < 0 or g.glaze[p] < 0 or g.clay[p] < 0 or g.supply_crack < 0:
        g.fault = FAULT_SUPPLY
