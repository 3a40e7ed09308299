"""§11 Endgame scoring and §12.9 (rulings O01-O10, MK06, P16, P18, P20, P22)."""

from __future__ import annotations

from typing import Any

from ..components.vocabulary import (
    END_PLATE,
    ESPARTO_SPACES,
    NUM_ENDGAME_KINDS,
    NUM_PIECES,
    WHEEL_SPACES,
)
from .competition import PAINTED
from .constants import (
    COMPETITION,
    EV_HOLDINGS,
    EV_PIECE_LEFT,
    EV_RESULT,
    EV_SCORED_CARD,
    EV_SCORING,
    VP_CRACKS,
    VP_ENDGAME,
    VP_PIECES_LEFT,
    VP_RESOURCES,
    VP_SET,
    VP_TOKEN,
)
from .events import emit
from .jit import kernel
from .supply import gain_vp


@kernel
def sell_row(box: Any, g: Any, p: int, pieces: Any, size: int, painted: int) -> int:
    """VP of a kiln row's pieces at the flat price; they count as sold (§11.1, O02)."""
    vp = 0
    for k in range(size):
        piece = pieces[k]
        if piece >= 0:
            pieces[k] = -1
            g.sold[p, piece] += 1
            emit(g, EV_PIECE_LEFT, p, piece, painted, 0, 0)
            vp += box.left_piece_vp[painted]
    return vp


@kernel
def score_left_pieces(box: Any, g: Any, p: int) -> None:
    """§11.1: kilns only, not workshops or the drying area (I12)."""
    vp = sell_row(box, g, p, g.firing_piece[p], g.firing_size[p], 0)
    vp += sell_row(box, g, p, g.glaze_piece[p], g.glaze_size[p], 1)
    gain_vp(g, p, vp, VP_PIECES_LEFT)


@kernel
def score_competition_pieces(box: Any, g: Any) -> None:
    """§12.9: what stands in its play area (P16)."""
    vp = 0
    for piece in range(NUM_PIECES):
        if g.comp_piece[piece] > 0:
            painted = 1 if g.comp_piece[piece] == PAINTED else 0
            emit(g, EV_PIECE_LEFT, COMPETITION, piece, painted, 0, 0)
            vp += box.left_piece_vp[painted]
            g.comp_piece[piece] = 0
            g.sold[COMPETITION, piece] += 1
    gain_vp(g, COMPETITION, vp, VP_PIECES_LEFT)


@kernel
def cards_of_kind(g: Any, p: int, kind: int) -> int:
    """Cards of a type in play, starting cards included (§11.2, O04)."""
    n = 0
    if kind == 0:
        for k in range(WHEEL_SPACES):
            n += 1 if g.wheel[p, k] >= 0 else 0
    elif kind == 1:
        for k in range(ESPARTO_SPACES):
            n += 1 if g.esparto[p, k] >= 0 else 0
    elif kind == 2:
        n = int(g.cleanup_size[p])
    elif kind == 3:
        n = int(g.firing_size[p])
    elif kind == 4:
        n = int(g.workshop_size[p])
    else:
        n = int(g.glaze_size[p])
    return n


@kernel
def endgame_card_vp(box: Any, g: Any, p: int, kind: int) -> int:
    """What one endgame card of this kind is worth as things stand (§11.2, O04, O05)."""
    if kind >= END_PLATE:
        return int(g.sold[p, kind - END_PLATE] * box.sold_vp)
    n = cards_of_kind(g, p, kind)
    if kind == 1:
        return int(box.esparto_scale[min(n, 4)])
    return int(box.type_scale[min(n, 5)])


@kernel
def different_esparto(g: Any, p: int) -> int:
    """Different esparto cards in play, the printed one among them (§11.3, O05)."""
    n = 0
    for k in range(ESPARTO_SPACES):
        card = g.esparto[p, k]
        new = card >= 0
        for j in range(k):
            new = new and g.esparto[p, j] != card
        n += 1 if new else 0
    return n


@kernel
def score_player(box: Any, g: Any, p: int) -> None:
    """§11.1-11.4 and §11.6 for a player (O01: pieces first, they feed the endgame cards)."""
    score_left_pieces(box, g, p)
    for kind in range(NUM_ENDGAME_KINDS):
        for _ in range(g.endgame_played[p, kind]):
            vp = endgame_card_vp(box, g, p, kind)
            emit(g, EV_SCORED_CARD, p, kind, vp, 0, 0)
            gain_vp(g, p, vp, VP_ENDGAME)
    resources = g.pg[p] + g.glaze[p] + g.clay[p]
    emit(g, EV_HOLDINGS, p, resources, g.cleaning_area[p], different_esparto(g, p), 0)
    gain_vp(g, p, box.set_scale[different_esparto(g, p)], VP_SET)
    gain_vp(g, p, -g.cleaning_area[p] * box.crack_vp, VP_CRACKS)
    gain_vp(g, p, resources // box.resources_per_vp, VP_RESOURCES)


@kernel
def winner(g: Any) -> int:
    """Most VP; of equals the one furthest to the left in turn order (O09, P22)."""
    best = int(g.turn_order[0])
    for i in range(1, g.num_seats):
        seat = int(g.turn_order[i])
        if g.vp[seat] > g.vp[best]:
            best = seat
    return best


@kernel
def score_game(box: Any, g: Any) -> None:
    """§11 and §12.9 for every seat."""
    emit(g, EV_SCORING, -1, 0, 0, 0, 0)
    for p in range(g.num_players):
        score_player(box, g, p)
    if g.num_players == 1:
        score_competition_pieces(box, g)
    gain_vp(g, g.turn_order[0], box.token_vp, VP_TOKEN)  # §11.5, N05, P18
    emit(g, EV_RESULT, winner(g), g.vp[0], g.vp[1], g.vp[2], g.vp[3])
