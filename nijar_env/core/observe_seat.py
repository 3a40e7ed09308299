"""The seat blocks of an observation: what lies open before each player, and the Competition."""

from __future__ import annotations

from typing import Any

from ..components.vocabulary import (
    BOARD_ROWS,
    ESPARTO_SPACES,
    EXPERT,
    MAX_COLUMNS,
    NUM_ENDGAME_KINDS,
    NUM_PIECES,
    NUM_ROUNDS,
    WHEEL_SPACES,
)
from .constants import COMPETITION, NUM_VP_SOURCES, PHASE_SETUP
from .jit import kernel
from .layout import (
    CARD_SCALE,
    COMPETITION_AT,
    COPIES_SCALE,
    CRAFTSWOMEN_SCALE,
    DECK_START,
    PIECE_SCALE,
    SEAT_AT,
    SLOT_SCALE,
    SOURCE_SCALE,
    STEPS_SCALE,
    TOKEN_SCALE,
    VP_SCALE,
)
from .observe_cards import HAND_BLOCK, any_card

VP = SEAT_AT["vp"]
VP_FROM = SEAT_AT["vp_from"]
CRAFTSWOMEN = SEAT_AT["craftswomen"]
SHOP_CLOSED = SEAT_AT["shop_closed"]
SHOP_CRAFTSWOMEN = SEAT_AT["shop_craftswomen"]
SPECIAL = SEAT_AT["special"]
SPACES = SEAT_AT["spaces"]
DONKEY = SEAT_AT["donkey"]
SOLD = SEAT_AT["sold"]
PG = SEAT_AT["pg"]
GLAZE = SEAT_AT["glaze"]
CLAY = SEAT_AT["clay"]
CLEANING = SEAT_AT["cleaning_area"]
TECHNOLOGY = SEAT_AT["technology"]
HAND_SIZE = SEAT_AT["hand_size"]
HAND_DEALT = SEAT_AT["hand_dealt"]
HAND_PUBLIC = SEAT_AT["hand_public"]
ENDGAME = SEAT_AT["endgame_cards"]
DRYING = SEAT_AT["drying"]
WHEEL_CARD = SEAT_AT["wheel"]
VASE = SEAT_AT["vase"]
WHEEL_DONE = SEAT_AT["wheel_done"]
ESPARTO_CARD = SEAT_AT["esparto"]
CLEANUP_CARD = SEAT_AT["cleanup"]
CLEANUP_CRACKS = SEAT_AT["cleanup_cracks"]
WORKSHOP_CARD = SEAT_AT["workshop"]
WORKSHOP_PIECE = SEAT_AT["workshop_piece"]
FIRING_KILN = SEAT_AT["firing_kiln"]
GLAZE_KILN = SEAT_AT["glaze_kiln"]
FIRING_CONTENTS = SEAT_AT["contents"]
WORKSHOP_CONTENTS = FIRING_CONTENTS + NUM_PIECES + 1
GLAZE_CONTENTS = WORKSHOP_CONTENTS + NUM_PIECES + 1

DIFFICULTY = COMPETITION_AT["difficulty"]
PIECES = COMPETITION_AT["pieces"]
REVEALED = COMPETITION_AT["revealed"]
REVEALED_PLACE = COMPETITION_AT["revealed_place"]
TOP = COMPETITION_AT["top"]
NEXT_BACK = COMPETITION_AT["next_back"]

UNIT = 8.0  # clay, cracks, kilns
QUARTER = 4.0  # technology, pieces in workshops
HAND_SCALE = 16.0


@kernel
def write_either(g: Any, q: int, ov: Any) -> None:
    """What a player and the Competition both have."""
    ov[VP] = g.vp[q] / VP_SCALE
    for i in range(NUM_VP_SOURCES):
        ov[VP_FROM + i] = g.vp_from[q, i] / SOURCE_SCALE
    ov[CRAFTSWOMEN] = g.craftswomen[q] / CRAFTSWOMEN_SCALE
    ov[SHOP_CLOSED] = g.shop_closed[q]
    ov[SHOP_CRAFTSWOMEN] = g.shop_craftswomen[q] / CRAFTSWOMEN_SCALE
    ov[SPECIAL] = g.special[q] / CRAFTSWOMEN_SCALE
    for row in range(BOARD_ROWS):
        for column in range(MAX_COLUMNS):
            if g.space_owner[row, column] == q:
                ov[SPACES + row * MAX_COLUMNS + column] = (
                    g.space_count[row, column] / CRAFTSWOMEN_SCALE
                )
    if g.donkey[q] >= 0:
        ov[DONKEY + int(g.donkey[q])] = 1.0
    for piece in range(NUM_PIECES):
        ov[SOLD + piece] = g.sold[q, piece] / PIECE_SCALE


@kernel
def write_known_hand(g: Any, q: int, ov: Any) -> None:
    """A hand as everybody knows it: its size, dealt cards by deck, the others by identity."""
    ov[HAND_SIZE] = g.hand_size[q] / HAND_SCALE
    hand = g.hand[q]
    dealt = g.hand_dealt[q]
    left = int(g.hand_size[q])
    block = 0
    while left > 0:
        if any_card(hand, block):
            for card in range(block, block + HAND_BLOCK):
                copies = int(hand[card])
                if copies > 0:
                    left -= copies
                    deck = (card >= DECK_START[1]) + (card >= DECK_START[2])
                    ov[HAND_DEALT + deck] += dealt[card] / COPIES_SCALE
                    ov[HAND_PUBLIC + card] = (copies - dealt[card]) / COPIES_SCALE
        block += HAND_BLOCK
    in_hand, played, discarded = 0, 0, 0
    for kind in range(NUM_ENDGAME_KINDS):
        in_hand += g.endgame_hand[q, kind]
        played += g.endgame_played[q, kind]
        discarded += g.endgame_discarded[q, kind]
    ov[ENDGAME] = in_hand / COPIES_SCALE
    ov[ENDGAME + 1] = played / COPIES_SCALE
    ov[ENDGAME + 2] = discarded / COPIES_SCALE


@kernel
def write_wheels(g: Any, q: int, ov: Any) -> None:
    """Wheels and esparto cards; a space without a card holds code -1 and so becomes 0."""
    for k in range(WHEEL_SPACES):
        ov[WHEEL_CARD + k] = (g.wheel[q, k] + 1) / CARD_SCALE
        ov[VASE + k] = g.vase[q, k] / STEPS_SCALE
        ov[WHEEL_DONE + k] = g.wheel_done[q, k]
    for k in range(ESPARTO_SPACES):
        ov[ESPARTO_CARD + k] = (g.esparto[q, k] + 1) / CARD_SCALE


@kernel
def write_rows(g: Any, q: int, ov: Any) -> None:
    """The four rows of cards, as far as they go, and how many kilns and workshops hold what."""
    for k in range(g.cleanup_size[q]):
        ov[CLEANUP_CARD + k] = (g.cleanup[q, k] + 1) / CARD_SCALE
        ov[CLEANUP_CRACKS + k] = g.cleanup_cracks[q, k] / STEPS_SCALE
    for k in range(g.firing_size[q]):
        piece = int(g.firing_piece[q, k]) + 1
        ov[FIRING_KILN + k] = (4 * (int(g.firing_kiln[q, k]) + 1) + piece) / SLOT_SCALE
        ov[FIRING_CONTENTS + piece] += 1.0 / UNIT
    for k in range(g.workshop_size[q]):
        piece = int(g.workshop_piece[q, k]) + 1
        ov[WORKSHOP_CARD + k] = (g.workshop[q, k] + 1) / CARD_SCALE
        ov[WORKSHOP_PIECE + k] = piece / QUARTER
        ov[WORKSHOP_CONTENTS + piece] += 1.0 / UNIT
    for k in range(g.glaze_size[q]):
        piece = int(g.glaze_piece[q, k]) + 1
        ov[GLAZE_KILN + k] = (4 * (int(g.glaze_kiln[q, k]) + 1) + piece) / SLOT_SCALE
        ov[GLAZE_CONTENTS + piece] += 1.0 / UNIT


@kernel
def write_seat(g: Any, q: int, ov: Any) -> None:
    """The block of player `q`, from public things alone."""
    write_either(g, q, ov)
    ov[PG] = g.pg[q] / TOKEN_SCALE
    ov[GLAZE] = g.glaze[q] / TOKEN_SCALE
    ov[CLAY] = g.clay[q] / UNIT
    ov[CLEANING] = g.cleaning_area[q] / UNIT
    ov[TECHNOLOGY] = g.technology[q] / QUARTER
    for piece in range(NUM_PIECES):
        ov[DRYING + piece] = g.drying[q, piece] / PIECE_SCALE
    write_known_hand(g, q, ov)
    write_wheels(g, q, ov)
    write_rows(g, q, ov)


@kernel
def write_competition(box: Any, g: Any, ov: Any) -> None:
    """§12. Of its deck: the top revealed card, in Expert all of them (§12.10, ruling P21); the
    back of the next face-down card, by its pieces, once the deck is laid."""
    write_either(g, COMPETITION, ov)
    ov[DIFFICULTY + int(g.difficulty)] = 1.0
    for piece in range(NUM_PIECES):
        if g.comp_piece[piece] > 0:
            ov[PIECES + 2 * piece + int(g.comp_piece[piece]) - 1] = 1.0
    revealed = int(g.comp_revealed)
    ov[REVEALED] = revealed / PIECE_SCALE
    first_seen = 0 if g.difficulty == EXPERT else max(revealed - 1, 0)
    for k in range(first_seen, revealed):
        ov[REVEALED_PLACE + int(g.comp_deck[k])] = (k + 1) / PIECE_SCALE
    if revealed > 0:
        ov[TOP + int(g.comp_deck[revealed - 1])] = 1.0
    if g.phase != PHASE_SETUP and revealed < g.comp_deck.shape[0]:
        back = int(g.comp_deck[revealed])
        for i in range(NUM_ROUNDS):
            for j in range(2):
                piece = int(box.comp_piece[back, i, j])
                if piece >= 0:
                    ov[NEXT_BACK + (2 * i + j) * NUM_PIECES + piece] = 1.0
