"""§12 Solo mode: the Competition's turn (rulings P01-P24, D12, D13)."""

from __future__ import annotations

from typing import Any

from ..components.vocabulary import (
    DONKEY_MOVE,
    DONKEY_STAY,
    DRAFT_COLUMNS,
    DRAFT_ROWS,
    NUM_COMPETITION_CARDS,
)
from .acquire import move_donkey, refill
from .constants import (
    COMPETITION,
    EV_CLOSED,
    EV_COMP_BACK,
    EV_COMP_DISCARD,
    EV_COMP_DONKEY,
    EV_COMP_DONKEY_STAYS,
    EV_COMP_IDLE,
    EV_COMP_PIECE,
    EV_COMP_PLACE_OWN,
    EV_COMP_PLACE_SHORT,
    EV_COMP_REVEAL,
    EV_PLACED,
    EV_PLACED_SPECIAL,
    F_COMPETITION,
    STREAM_COMPETITION,
    VP_COMPETITION,
)
from .events import emit
from .frames import pop, push
from .jit import fixed_kernel, kernel
from .market import market_sale
from .returns import return_craftswomen
from .rng import shuffle
from .supply import gain_vp

PLAYER = 0
UNPAINTED, PAINTED = 1, 2


@kernel
def shuffle_deck(g: Any) -> None:
    """All nine cards, face down (§12.1.3, §12.8)."""
    for card in range(NUM_COMPETITION_CARDS):
        g.comp_deck[card] = card
    shuffle(g, STREAM_COMPETITION, g.comp_deck, NUM_COMPETITION_CARDS)
    g.comp_revealed = 0


@fixed_kernel
def gain_idle_vp(box: Any, g: Any, times: int) -> None:
    """1 VP (Expert 2) where it cannot act, finds no piece or has craftswomen sent to its closed
    shop (§12.4-12.6, §12.10, ruling P24)."""
    gain_vp(g, COMPETITION, times * box.comp_idle_vp[g.difficulty], VP_COMPETITION)


@kernel
def competition_gains_returned(box: Any, g: Any, count: int) -> None:
    """§12.6: for each craftswoman the player returns to its closed shop (P09)."""
    if g.shop_closed[COMPETITION]:
        gain_idle_vp(box, g, count)


@kernel
def competition_turn(box: Any, g: Any) -> None:
    """Shop closed, no craftswomen, no two cards left: VP. Else reveal (rulings P04, P05, D12)."""
    if g.shop_closed[COMPETITION]:
        emit(g, EV_COMP_IDLE, COMPETITION, 0, 0, 0, 0)
        gain_idle_vp(box, g, 1)
        return
    no_craftswomen = g.craftswomen[COMPETITION] == 0
    if no_craftswomen or g.comp_revealed + 1 >= NUM_COMPETITION_CARDS:
        g.shop_closed[COMPETITION] = 1
        emit(g, EV_COMP_IDLE, COMPETITION, 1 if no_craftswomen else 2, 0, 0, 0)
        emit(g, EV_CLOSED, COMPETITION, 0, 0, 0, 0)
        gain_idle_vp(box, g, 1)
        return
    card = int(g.comp_deck[g.comp_revealed])
    g.comp_revealed += 1
    emit(g, EV_COMP_REVEAL, COMPETITION, card, 0, 0, 0)
    # Donkey and pieces wait below a shop reward that the placement may cause (§7.2.5).
    push(g, F_COMPETITION, COMPETITION, card, 0, 0, 0)
    place_craftswoman(box, g, box.comp_space[card, 0], box.comp_space[card, 1])


@kernel
def place_craftswoman(box: Any, g: Any, row: int, column: int) -> None:
    """§12.5 step 1: the card's space; k of the player's there need k + 1 (rulings P06-P08, D13)."""
    standing = int(g.space_count[row, column])
    owner = g.space_owner[row, column]
    needed = standing + 1
    if standing > 0 and owner == COMPETITION:
        emit(g, EV_COMP_PLACE_OWN, COMPETITION, row, column, 0, 0)
    elif g.craftswomen[COMPETITION] < needed:
        emit(g, EV_COMP_PLACE_SHORT, COMPETITION, row, column, needed, g.craftswomen[COMPETITION])
    else:
        g.craftswomen[COMPETITION] -= needed
        g.space_owner[row, column] = COMPETITION
        g.space_count[row, column] = needed
        emit(g, EV_PLACED, COMPETITION, row, column, needed, owner)
        if standing > 0:
            gain_vp(g, COMPETITION, box.comp_bump_vp[g.difficulty], VP_COMPETITION)
            return_craftswomen(g, PLAYER, standing)
        return
    g.craftswomen[COMPETITION] -= 1
    g.special[COMPETITION] += 1
    emit(g, EV_PLACED_SPECIAL, COMPETITION, 0, 0, 0, 0)


@kernel
def neighbour(g: Any, space: int, direction: Any) -> int:
    """The draft space beside `space` that holds a card, or -1 (off the grid or empty)."""
    if space < 0:
        return -1
    row = space // DRAFT_COLUMNS + direction[0]
    column = space % DRAFT_COLUMNS + direction[1]
    if row < 0 or row >= DRAFT_ROWS or column < 0 or column >= DRAFT_COLUMNS:
        return -1
    if g.draft[row, column] < 0:
        return -1
    return int(row * DRAFT_COLUMNS + column)


@kernel
def donkey_target(box: Any, g: Any, card: int) -> int:
    """Beside the player's donkey: the preferred side, else the alternative, else -1 (P10)."""
    target = neighbour(g, g.donkey[PLAYER], box.comp_direction[card, 0])
    if target < 0:
        target = neighbour(g, g.donkey[PLAYER], box.comp_direction[card, 1])
    return target


@kernel
def move_beside(box: Any, g: Any, card: int, target: int) -> None:
    preferred = neighbour(g, g.donkey[PLAYER], box.comp_direction[card, 0])
    emit(g, EV_COMP_DONKEY, COMPETITION, card, 0 if target == preferred else 1, 0, 0)
    move_donkey(g, COMPETITION, target)


@kernel
def activate_donkey(box: Any, g: Any, card: int) -> None:
    """§12.5 step 2: move beside the player's donkey, clear cards beside its own, or stay."""
    icon = box.comp_donkey[card]
    if icon == DONKEY_STAY:
        emit(g, EV_COMP_DONKEY_STAYS, COMPETITION, 0, 0, 0, 0)
    elif icon == DONKEY_MOVE:
        target = donkey_target(box, g, card)
        if target < 0:
            emit(g, EV_COMP_DONKEY_STAYS, COMPETITION, 1, 0, 0, 0)
        elif target == g.donkey[COMPETITION]:
            emit(g, EV_COMP_DONKEY_STAYS, COMPETITION, 2, 0, 0, 0)
        else:
            move_beside(box, g, card, target)
    else:
        discard_neighbours(box, g, card)


@kernel
def discard_neighbours(box: Any, g: Any, card: int) -> None:
    """Both neighbours on the icon's axis, but for the one under the player's donkey (P11)."""
    for side in range(2):
        space = neighbour(g, g.donkey[COMPETITION], box.comp_direction[card, side])
        if space >= 0 and space != g.donkey[PLAYER]:
            row, column = space // DRAFT_COLUMNS, space % DRAFT_COLUMNS
            gone = g.draft[row, column]
            g.draft[row, column] = -1
            g.discards[gone] += 1
            emit(g, EV_COMP_DISCARD, COMPETITION, gone, card, side, space)
        else:
            emit(g, EV_COMP_DISCARD, COMPETITION, -1, card, side, 0 if space < 0 else 1)
    refill(g)


@kernel
def piece_actions(box: Any, g: Any) -> None:
    """§12.5 step 3: the round's row on the back of the next face-down card (P03, P13)."""
    back = g.comp_deck[g.comp_revealed]
    pieces = box.comp_piece[back, g.round_number - 1]
    emit(g, EV_COMP_BACK, COMPETITION, pieces[0], pieces[1], 0, 0)
    for i in range(2):
        piece = pieces[i]
        if piece < 0:
            continue
        if g.comp_piece[piece] == PAINTED:
            g.comp_piece[piece] = 0
            market_sale(box, g, COMPETITION, piece, 1)  # P15
        elif g.comp_piece[piece] == UNPAINTED:
            g.comp_piece[piece] = PAINTED
            emit(g, EV_COMP_PIECE, COMPETITION, piece, 1, 0, 0)
        elif g.supply_piece[piece] > 0:
            g.supply_piece[piece] -= 1
            g.comp_piece[piece] = UNPAINTED
            emit(g, EV_COMP_PIECE, COMPETITION, piece, 0, 0, 0)
        else:
            emit(g, EV_COMP_PIECE, COMPETITION, piece, 2, 0, 0)
            gain_idle_vp(box, g, 1)  # P14


@kernel
def finish_competition_turn(box: Any, g: Any, card: int) -> None:
    """The rest of its turn, after its placement and what that caused."""
    pop(g)
    activate_donkey(box, g, card)
    piece_actions(box, g)


@kernel
def place_first_donkey(box: Any, g: Any) -> None:
    """§12.1.3: reveal until a card can place the donkey, then shuffle all nine (ruling P12)."""
    shuffle_deck(g)
    for i in range(NUM_COMPETITION_CARDS):
        card = g.comp_deck[i]
        emit(g, EV_COMP_REVEAL, COMPETITION, card, 1, 0, 0)
        if box.comp_donkey[card] == DONKEY_MOVE:
            target = donkey_target(box, g, card)
            if target >= 0:
                move_beside(box, g, card, target)
                break
    shuffle_deck(g)
