"""§7.2.1.1 and §7.2.5: craftswomen sent home by a placement (rulings B05-B07)."""

from __future__ import annotations

from typing import Any

from .constants import COMPETITION, EV_RETURNED, F_SHOP
from .events import emit
from .frames import push
from .jit import fixed_kernel


@fixed_kernel
def return_craftswomen(g: Any, owner: int, count: int) -> None:
    """To an open shop's supply, available at once; to a closed shop's card, with a reward each.

    A player chooses the rewards before anything else goes on; what the Competition gains for its
    own is §12.6 (see `competition`).
    """
    closed = g.shop_closed[owner]
    emit(g, EV_RETURNED, owner, count, closed, 0, 0)
    if closed == 0:
        g.craftswomen[owner] += count
        return
    g.shop_craftswomen[owner] += count
    if g.num_players > 1 or owner != COMPETITION:
        push(g, F_SHOP, owner, count, 0, 0, 0)
