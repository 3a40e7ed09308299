"""§10 End of round and §12.8 (rulings N01-N06, D04, D10, D24)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..components.vocabulary import (
    BOARD_ROWS,
    MAX_COLUMNS,
    MAX_PLAYERS,
    NUM_ENDGAME_KINDS,
    NUM_ROUNDS,
)
from .catalogue import A_DONE, A_SCORE
from .competition import shuffle_deck
from .constants import (
    COMPETITION,
    EV_END_OF_ROUND,
    EV_PLAYED_ENDGAME,
    EV_TURN_ORDER,
    NOBODY,
    PHASE_END_OF_ROUND,
)
from .events import emit
from .first_player import on_track
from .frames import allow
from .jit import kernel, local_array


@kernel
def all_shops_closed(g: Any) -> bool:
    for p in range(g.num_seats):
        if g.shop_closed[p] == 0:
            return False
    return True


@kernel
def open_shops(g: Any) -> None:
    """§10.1: all craftswomen come home and one goes to the box; shops open (N02)."""
    g.phase = PHASE_END_OF_ROUND
    emit(g, EV_END_OF_ROUND, -1, g.round_number, 0, 0, 0)
    for row in range(BOARD_ROWS):
        for column in range(MAX_COLUMNS):
            if g.space_count[row, column] > 0:
                g.craftswomen[g.space_owner[row, column]] += g.space_count[row, column]
                g.space_owner[row, column] = NOBODY
                g.space_count[row, column] = 0
    for p in range(g.num_seats):
        g.craftswomen[p] += g.special[p] + g.shop_craftswomen[p] - 1
        g.special[p] = 0
        g.shop_craftswomen[p] = 0
        g.shop_closed[p] = 0
    if g.num_players == 1 and g.round_number < NUM_ROUNDS:
        shuffle_deck(g)  # §12.8


@kernel
def offer_score(g: Any, p: int) -> int:
    """§10.2: one endgame card face down, or none (N03, N04)."""
    for kind in range(NUM_ENDGAME_KINDS):
        if g.endgame_hand[p, kind] > 0:
            allow(g, A_SCORE + kind)
    choices = g.num_legal
    if choices > 0:
        allow(g, A_DONE)
    return int(choices)


@kernel
def choose_score(g: Any, p: int, action: int) -> None:
    if action == A_DONE:
        return
    kind = action - A_SCORE
    g.endgame_hand[p, kind] -= 1
    g.endgame_played[p, kind] += 1
    emit(g, EV_PLAYED_ENDGAME, p, kind, 0, 0, 0)


@kernel
def update_turn_order(box: Any, g: Any) -> None:
    """§10.4: seats on the right track, left to right, then the others as they stood (D04)."""
    order = local_array(MAX_PLAYERS, np.int8)
    n = 0
    for k in range(g.track.shape[0]):
        if g.track[k] >= 0:
            order[n] = g.track[k]
            n += 1
    for i in range(g.num_seats):
        if not on_track(g, g.turn_order[i]):
            order[n] = g.turn_order[i]
            n += 1
    for i in range(g.num_seats):
        g.turn_order[i] = order[i]
    g.track[:] = NOBODY
    if g.num_players == 1:
        g.track[box.track_spaces[1] - 1] = COMPETITION  # §12.8, ruling P02
    emit(g, EV_TURN_ORDER, -1, g.turn_order[0], g.turn_order[1], g.turn_order[2], g.turn_order[3])
