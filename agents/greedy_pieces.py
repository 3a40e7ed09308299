"""Pieces and prices in greedy's evaluation: what the market will pay, and for how many pieces."""

from __future__ import annotations

from typing import Any

from nijar_env.components.vocabulary import END_PLATE, MARKET_ROWS, NUM_PIECES, NUM_ROUNDS
from nijar_env.core.constants import PHASE_END_OF_ROUND
from nijar_env.core.jit import kernel

from .greedy_weights import FUTURE_SALE, HELD_CARD

# Expected values of the lowest, middle and highest of three dice.
LOW_DIE, MIDDLE_DIE, HIGH_DIE = 441 / 216, 3.5, 1071 / 216


@kernel
def expect_rows(box: Any, g: Any, rows: Any) -> None:
    """Write the market rows to expect at the start of each round, float64 (rounds, pieces)."""
    for number in range(NUM_ROUNDS):
        demand = g.demand[number]
        for piece in range(NUM_PIECES):
            higher = 0
            for other in range(NUM_PIECES):
                higher += 1 if demand[other] > demand[piece] else 0
            die = HIGH_DIE if higher == 0 else (MIDDLE_DIE if higher == 1 else LOW_DIE)
            row = box.market_start[g.num_players] + demand[piece] + die
            rows[number, piece] = min(row, MARKET_ROWS - 1.0)


@kernel
def price_at(box: Any, painted: int, row: float) -> float:
    """The market's price, also between two rows and below the lowest."""
    if row <= 0.0:
        return float(box.market_vp[painted, 0])
    low = int(row)
    if low >= MARKET_ROWS - 1:
        return float(box.market_vp[painted, MARKET_ROWS - 1])
    part = row - low
    return float(
        box.market_vp[painted, low] * (1.0 - part) + box.market_vp[painted, low + 1] * part
    )


@kernel
def can_sell_now(g: Any, p: int) -> bool:
    """The player's shop is open in a round that goes on."""
    return bool(g.round_number > 0 and g.phase != PHASE_END_OF_ROUND and g.shop_closed[p] == 0)


@kernel
def count_of(pieces: Any, size: int, piece: int) -> int:
    """Pieces of a type in a row of kilns or workshops."""
    n = 0
    for k in range(size):
        n += 1 if pieces[k] == piece else 0
    return n


@kernel
def best_sale(box: Any, g: Any, p: int, piece: int, rows: Any) -> int:
    """The index of the round in which a painted piece would bring most, or -1: after the game.

    `rows` holds where the markers of the piece will be after the sales counted so far.
    """
    best = float(box.left_piece_vp[1])
    where = -1
    now = g.round_number - 1
    for number in range(max(now, 0), NUM_ROUNDS):
        if number > now:
            offer = FUTURE_SALE * price_at(box, 1, rows[number])
        elif can_sell_now(g, p):
            offer = price_at(box, 1, rows[number])
        else:
            continue
        if offer > best:
            best = offer
            where = number
    return where


@kernel
def sale_value(box: Any, g: Any, number: int, painted: int, rows: Any) -> float:
    """VP of a sale in the round of this index (-1: what a piece left over brings)."""
    if number < 0:
        return float(box.left_piece_vp[painted])
    value = price_at(box, painted, rows[number])
    return value if number == g.round_number - 1 else FUTURE_SALE * value


@kernel
def note_pieces_of(box: Any, g: Any, p: int, piece: int, expected: Any, f: Any) -> None:
    """Sell all pieces of a type in the mind, those furthest on first, each at the best price left,
    and note the prices by how far the pieces are."""
    ready = count_of(g.glaze_piece[p], g.glaze_size[p], piece)
    painted = ready + count_of(g.workshop_piece[p], g.workshop_size[p], piece)
    fired = painted + count_of(g.firing_piece[p], g.firing_size[p], piece)
    total = fired + int(g.drying[p, piece])
    if total == 0:
        return
    scored = (
        g.endgame_played[p, END_PLATE + piece] + HELD_CARD * g.endgame_hand[p, END_PLATE + piece]
    )
    extra = scored * box.sold_vp
    rows = expected[:, piece].copy()
    if can_sell_now(g, p):
        rows[g.round_number - 1] = g.market[piece]
    for i in range(total):
        number = best_sale(box, g, p, piece, rows)
        price = sale_value(box, g, number, 1, rows) + extra
        if i < ready:
            f.ready_price += price
        elif i < painted:
            f.workshop_price += price
        elif i < fired:
            f.firing_price += price
            f.firing_plain += sale_value(box, g, number, 0, rows) + extra
        else:
            f.drying_price += price
        if number >= 0:
            rows[number] -= g.demand[number, piece]
    f.ready += ready
    f.painted += painted - ready
    f.fired += fired - painted
    f.drying += total - fired


@kernel
def note_pieces(box: Any, g: Any, p: int, expected: Any, f: Any) -> None:
    """All pieces of a player, and the places that they wait for."""
    for piece in range(NUM_PIECES):
        note_pieces_of(box, g, p, piece, expected, f)
    free_workshops = g.workshop_size[p] - f.painted
    f.drying_blocked = max(0.0, f.drying - (g.firing_size[p] - f.fired))
    f.painted_blocked = max(0.0, f.painted - (g.glaze_size[p] - f.ready))
    f.paintable = min(free_workshops, f.fired, g.glaze[p] // 2)
    if can_sell_now(g, p):
        f.can_sell = 1.0
        for piece in range(NUM_PIECES):
            f.market += price_at(box, 1, float(g.market[piece]))
