"""§8.11 First Player action and §12.7 in solo (rulings L01-L07, P17)."""

from __future__ import annotations

from typing import Any

from .catalogue import A_TRACK
from .constants import EV_TRACK, F_ANY_ACTION
from .events import emit
from .frames import allow, allow_done, pop, push
from .jit import fixed_kernel, kernel
from .supply import gain_pg, pay


@fixed_kernel
def on_track(g: Any, p: int) -> bool:
    """The seat's second marker lies on the right track: it has had its action this round (L03)."""
    for k in range(g.track.shape[0]):
        if g.track[k] == p:
            return True
    return False


@fixed_kernel
def can_take_space(box: Any, g: Any, p: int, k: int) -> bool:
    """The space is empty and what it costs can be paid (rulings L01, L02)."""
    return bool(g.track[k] < 0 and g.pg[p] + box.track_pg[g.num_players, k] >= 0)


@kernel
def can_take_first_player(box: Any, g: Any, p: int) -> bool:
    if on_track(g, p):
        return False
    for k in range(box.track_spaces[g.num_players]):
        if can_take_space(box, g, p, k):
            return True
    return False


@kernel
def offer_track(box: Any, g: Any, p: int) -> int:
    if not on_track(g, p):
        for k in range(box.track_spaces[g.num_players]):
            if can_take_space(box, g, p, k):
                allow(g, A_TRACK + k)
    choices = g.num_legal
    allow_done(g)
    return int(choices)


@kernel
def choose_track(box: Any, g: Any, p: int, k: int) -> None:
    """Marker, then payment or gain, then any action of the tiles (L01; not this one, B25)."""
    pop(g)
    g.track[k] = p
    amount = box.track_pg[g.num_players, k]
    emit(g, EV_TRACK, p, k, amount, 0, 0)
    if amount < 0:
        pay(g, p, -amount, 0, 0, 0)
    else:
        gain_pg(g, p, amount)
    push(g, F_ANY_ACTION, p, 0, 0, 0, 0)
