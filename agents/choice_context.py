"""The context of a position: what networks see of it beside greedy's features (`choice_layout`)."""

from __future__ import annotations

from typing import Any

from nijar_env.components.vocabulary import EFFECT_ACTION, NUM_PIECES, WHEEL_SPACES
from nijar_env.core.competition import PAINTED, UNPAINTED
from nijar_env.core.jit import kernel

from .choice_layout import (
    C_AHEAD,
    C_DIFFICULTY,
    C_DRYING,
    C_FIRED,
    C_FIRST,
    C_FRAMES,
    C_LATER,
    C_LEFT,
    C_NOW,
    C_PAINTED,
    C_READY,
    C_RIVAL_COMING,
    C_RIVAL_READY,
    C_ROUND,
    C_SOLD,
    C_STEPS,
    C_VP,
    NUM_CONTEXT,
    PIECES,
    PRICE,
    VP,
)
from .greedy_features import best_rival
from .light_items import later_price


@kernel
def note_row(pieces: Any, size: int, at: int, times: float, out: Any) -> None:
    """Count the pieces in a row of kilns or workshops."""
    for k in range(size):
        if pieces[k] >= 0:
            out[at + pieces[k]] += times


@kernel
def note_rivals(g: Any, p: int, out: Any) -> None:
    """Pieces of an average rival that are ready to be sold, and those before."""
    part = 1.0 / (g.num_seats - 1.0)
    for q in range(g.num_seats):
        if q == p:
            continue
        if q >= g.num_players:
            for piece in range(NUM_PIECES):
                if g.comp_piece[piece] == PAINTED:
                    out[C_RIVAL_READY + piece] += part
                elif g.comp_piece[piece] == UNPAINTED:
                    out[C_RIVAL_COMING + piece] += part
            continue
        note_row(g.glaze_piece[q], int(g.glaze_size[q]), C_RIVAL_READY, part, out)
        note_row(g.workshop_piece[q], int(g.workshop_size[q]), C_RIVAL_COMING, part, out)


@kernel
def next_action(box: Any, card: int, step: int) -> int:
    """The action of a vase's next space; none at the last one, whose completion may still wait."""
    return int(box.card_effect[card, step, EFFECT_ACTION]) if step < box.card_spaces[card] else 0


@kernel
def note_context(box: Any, g: Any, p: int, expected: Any, out: Any) -> None:
    """Fill the context of player `p`, float32 or float64 (NUM_CONTEXT,)."""
    for k in range(NUM_CONTEXT):
        out[k] = 0.0
    if g.round_number > 0:
        out[C_ROUND + g.round_number - 1] = 1.0
    for piece in range(NUM_PIECES):
        out[C_NOW + piece] = box.market_vp[1, g.market[piece]] * PRICE
        out[C_LATER + piece] = later_price(box, g, 1, piece, expected) * PRICE
        out[C_DRYING + piece] = g.drying[p, piece]
        out[C_SOLD + piece] = g.sold[p, piece]
        out[C_LEFT + piece] = g.supply_piece[piece] * PIECES
    note_row(g.firing_piece[p], int(g.firing_size[p]), C_FIRED, 1.0, out)
    note_row(g.workshop_piece[p], int(g.workshop_size[p]), C_PAINTED, 1.0, out)
    note_row(g.glaze_piece[p], int(g.glaze_size[p]), C_READY, 1.0, out)
    note_rivals(g, p, out)
    for k in range(WHEEL_SPACES):
        card = g.wheel[p, k]
        if card >= 0 and not g.wheel_done[p, k]:
            out[C_STEPS + next_action(box, card, int(g.vase[p, k]))] += 1.0
    for k in range(g.depth):
        if g.frames[k, 1] == p:
            out[C_FRAMES + g.frames[k, 0]] += 1.0
    for k in range(g.num_seats):
        if g.turn_order[k] == p:
            out[C_FIRST] = 1.0 - k / (g.num_seats - 1.0)
    out[C_AHEAD] = (g.vp[p] - best_rival(g, p)) * VP
    out[C_VP] = g.vp[p] * VP
    if g.num_players == 1:
        out[C_DIFFICULTY + g.difficulty] = 1.0
