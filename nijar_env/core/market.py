"""§7.1 Update the market and §7.2.3 Sell pieces (rulings MK01-MK10, D15, D17)."""

from __future__ import annotations

from typing import Any

from ..components.vocabulary import MARKET_ROWS, NUM_PIECES
from .catalogue import A_KEEP, A_REROLL, A_SELL
from .constants import EV_DEMAND, EV_DICE, EV_MARKET, EV_RAISED, EV_SOLD, F_SELL, VP_SALES
from .events import emit
from .frames import allow, allow_done, count_down, push
from .jit import fixed_kernel, kernel
from .kilns import first_with
from .rng import die
from .supply import gain_vp

SALES_OF_A_TURN = 2  # §7.2.3


@fixed_kernel
def raise_marker(g: Any, piece: int, rows: int) -> None:
    """Up, at most to the top row (ruling MK04)."""
    g.market[piece] = min(g.market[piece] + rows, MARKET_ROWS - 1)


@kernel
def place_markers(box: Any, g: Any) -> None:
    """Markers back to their start, then up by this round's demand (§7.1 step 1, ruling D17)."""
    demand = g.demand[g.round_number - 1]
    emit(g, EV_DEMAND, -1, g.round_number, demand[0], demand[1], demand[2])
    for piece in range(NUM_PIECES):
        g.market[piece] = box.market_start[g.num_players]
        raise_marker(g, piece, g.demand[g.round_number - 1, piece])
    emit(g, EV_MARKET, -1, g.market[0], g.market[1], g.market[2], 0)


@kernel
def roll_dice(g: Any, roll: int) -> None:
    for i in range(3):
        g.dice[i] = die(g, g.round_number, roll, i)
    emit(g, EV_DICE, g.turn_order[0], g.dice[0], g.dice[1], g.dice[2], 0)


@kernel
def apply_dice(g: Any) -> None:
    """Highest die to the highest demand, and so on down (§7.1 step 2; ties have no effect, MK02).

    The die of a column is the one whose rank among the dice is the column's rank in demand.
    """
    demand = g.demand[g.round_number - 1]
    for piece in range(NUM_PIECES):
        rank = 0
        for other in range(NUM_PIECES):
            if demand[other] > demand[piece] or (demand[other] == demand[piece] and other < piece):
                rank += 1
        for i in range(3):
            higher = 0
            for j in range(3):
                if g.dice[j] > g.dice[i] or (g.dice[j] == g.dice[i] and j < i):
                    higher += 1
            if higher == rank:
                raise_marker(g, piece, g.dice[i])
                emit(g, EV_RAISED, -1, piece, g.dice[i], demand[piece], g.market[piece])


@kernel
def offer_reroll(g: Any) -> int:
    """The first player of rounds 2 and 3 may roll all dice once more (ruling D15, MK03)."""
    allow(g, A_KEEP)
    allow(g, A_REROLL)
    return 2


@kernel
def choose_reroll(g: Any, action: int) -> None:
    if action == A_REROLL:
        roll_dice(g, 1)
    apply_dice(g)


@kernel
def offer_sales(g: Any, p: int) -> None:
    """Unpainted pieces in firing kilns, painted ones in glaze kilns (ruling MK08)."""
    for piece in range(NUM_PIECES):
        if first_with(g.firing_piece[p], g.firing_size[p], piece) >= 0:
            allow(g, A_SELL + piece)
        if first_with(g.glaze_piece[p], g.glaze_size[p], piece) >= 0:
            allow(g, A_SELL + NUM_PIECES + piece)


@kernel
def offer_next_sale(g: Any, p: int) -> int:
    offer_sales(g, p)
    choices = g.num_legal
    allow_done(g)
    return int(choices)


@fixed_kernel
def market_sale(box: Any, g: Any, seat: int, piece: int, painted: int) -> None:
    """VP of the marker's row, then the marker down by the round's demand (MK05, MK07)."""
    vp = box.market_vp[painted, g.market[piece]]
    g.market[piece] = max(g.market[piece] - g.demand[g.round_number - 1, piece], 0)
    g.sold[seat, piece] += 1
    emit(g, EV_SOLD, seat, piece, painted, vp, g.market[piece])
    gain_vp(g, seat, vp, VP_SALES)


@kernel
def sell(box: Any, g: Any, p: int, option: int) -> None:
    """Sell one piece; its kiln is free at once (ruling MK10)."""
    piece, painted = option % NUM_PIECES, option // NUM_PIECES
    if painted:
        g.glaze_piece[p, first_with(g.glaze_piece[p], g.glaze_size[p], piece)] = -1
    else:
        g.firing_piece[p, first_with(g.firing_piece[p], g.firing_size[p], piece)] = -1
    market_sale(box, g, p, piece, painted)


@kernel
def choose_first_sale(box: Any, g: Any, p: int, option: int) -> None:
    """The turn's first sale; another may follow (ruling MK06)."""
    push(g, F_SELL, p, SALES_OF_A_TURN - 1, 0, 0, 0)
    sell(box, g, p, option)


@kernel
def choose_next_sale(box: Any, g: Any, p: int, option: int) -> None:
    count_down(g, 2)
    sell(box, g, p, option)
