"""§4 and §12.1 Game setup (rulings A01-A16, P01, P02, P12, P23)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..components.vocabulary import (
    ACT_FIRST_PLAYER,
    ACT_PLAY,
    BASE_COLUMNS,
    CARD_TYPES,
    CLAY,
    CRACK,
    DRAFT_COLUMNS,
    DRAFT_SPACES,
    GLAZE,
    HAND_ENDGAME,
    MAX_COLUMNS,
    MAX_PLAYERS,
    NUM_BONUS_TILES,
    NUM_CARDS,
    NUM_COMPETITION_CARDS,
    NUM_DECKS,
    NUM_ENDGAME_CARDS,
    NUM_ENDGAME_KINDS,
    NUM_PIECES,
    NUM_ROUNDS,
    NUM_START_WHEELS,
    NUM_TILES,
    PG,
    PRINTED_ESPARTO,
    START_CLEANUP,
    START_FIRING_KILN,
    START_GLAZE_KILN,
    START_WHEEL,
    START_WORKSHOP,
)
from .acquire import move_donkey, rival_donkey
from .catalogue import A_DONKEY, A_START
from .constants import (
    COMPETITION,
    EV_BONUS_TILE,
    EV_COMBINATION,
    EV_DEALT,
    EV_DEALT_ENDGAME,
    EV_DEMAND,
    EV_REFILLED,
    EV_ROUND,
    EV_SPECIAL_TILES,
    EV_START,
    EV_TILES,
    EV_TURN_ORDER,
    NOBODY,
    STREAM_SETUP,
)
from .events import emit
from .frames import allow
from .jit import kernel, local_array
from .rng import draw, shuffle
from .supply import gain_clay, gain_cracks, gain_glaze, gain_pg

DECK_OF_TYPE = (0, 0, 1, 1, 2, 2)
assert len(DECK_OF_TYPE) == len(CARD_TYPES)


@kernel
def row_of_action(box: Any, g: Any, action: int) -> int:
    for row in range(3):
        for column in range(3):
            tile = g.tile[row, column]
            if box.tile_action[tile, 0] == action or box.tile_action[tile, 1] == action:
                return row
    return -1


@kernel
def lay_tiles(box: Any, g: Any) -> None:
    """§4.1 step 1: uniform over the layouts allowed (A02): First Player and Play a Card in
    different rows, in solo in the same row (§12.1.1)."""
    order = local_array(NUM_TILES, np.int8)
    while True:
        for i in range(NUM_TILES):
            order[i] = i
        shuffle(g, STREAM_SETUP, order, NUM_TILES)
        for i in range(NUM_TILES):
            g.tile[i // 3, i % 3] = order[i]
        together = row_of_action(box, g, ACT_FIRST_PLAYER) == row_of_action(box, g, ACT_PLAY)
        if together == (g.num_players == 1):
            return


@kernel
def lay_bonuses(box: Any, g: Any) -> None:
    """§4.1 step 3: two tiles to the Special Action, then columns 1-3, A, B (A03, D03, P01)."""
    tiles = local_array(NUM_BONUS_TILES, np.int8)
    n = 0
    for i in range(NUM_BONUS_TILES):
        if box.bonus_tile_players[i] <= g.num_players:
            tiles[n] = box.bonus_tile[i]
            n += 1
    shuffle(g, STREAM_SETUP, tiles, n)
    g.special_bonus[0] = tiles[0]
    g.special_bonus[1] = tiles[1]
    for column in range(BASE_COLUMNS + max(g.num_players - 2, 0)):
        g.bonus[column] = tiles[2 + column]


@kernel
def lay_demand(box: Any, g: Any) -> None:
    """§4.1 step 4: each round's three demand tiles over the three pieces (A04, A05)."""
    row = local_array(NUM_PIECES, np.int8)
    for number in range(NUM_ROUNDS):
        for i in range(NUM_PIECES):
            row[i] = box.demand[i]
        shuffle(g, STREAM_SETUP, row, NUM_PIECES)
        for i in range(NUM_PIECES):
            g.demand[number, i] = row[i]


@kernel
def draw_card(g: Any, deck: int) -> int:
    size = g.deck_size[deck] - 1
    card = g.deck[deck, size]
    g.deck[deck, size] = -1
    g.deck_size[deck] = size
    return int(card)


@kernel
def lay_draft(box: Any, g: Any) -> None:
    """§4.1 step 6: three shuffled decks, five cards of each face up (ruling A06)."""
    for card in range(NUM_CARDS):
        if box.card_type[card] >= 0:
            deck = DECK_OF_TYPE[box.card_type[card]]
            for _ in range(box.card_copies[card]):
                g.deck[deck, g.deck_size[deck]] = card
                g.deck_size[deck] += 1
    for deck in range(NUM_DECKS):
        shuffle(g, STREAM_SETUP, g.deck[deck], g.deck_size[deck])
        for column in range(DRAFT_COLUMNS):
            card = draw_card(g, deck)
            g.draft[deck, column] = card
            emit(g, EV_REFILLED, NOBODY, deck, column, card, 0)


@kernel
def deal(box: Any, g: Any) -> None:
    """§4.2 step 6: a card of each deck and three endgame cards for each player (A06, A16)."""
    for p in range(g.num_players):
        for deck in range(NUM_DECKS):
            card = draw_card(g, deck)
            g.hand[p, card] += 1
            g.hand_dealt[p, card] += 1
            g.hand_size[p] += 1
            emit(g, EV_DEALT, p, card, 0, 0, 0)
    cards = local_array(NUM_ENDGAME_CARDS, np.int8)
    n = 0
    for kind in range(NUM_ENDGAME_KINDS):
        for _ in range(box.endgame_copies[kind]):
            cards[n] = kind
            n += 1
    shuffle(g, STREAM_SETUP, cards, NUM_ENDGAME_CARDS)
    for p in range(g.num_players):
        for i in range(HAND_ENDGAME):
            kind = cards[p * HAND_ENDGAME + i]
            g.endgame_hand[p, kind] += 1
            emit(g, EV_DEALT_ENDGAME, p, kind, 0, 0, 0)


@kernel
def lay_combinations(g: Any) -> None:
    """§4.3: wheels and resource cards paired at random, one more than players (A08)."""
    wheels = local_array(NUM_START_WHEELS, np.int8)
    resources = local_array(NUM_START_WHEELS, np.int8)
    for i in range(NUM_START_WHEELS):
        wheels[i] = START_WHEEL + i
        resources[i] = i
    shuffle(g, STREAM_SETUP, wheels, NUM_START_WHEELS)
    shuffle(g, STREAM_SETUP, resources, NUM_START_WHEELS)
    for k in range(g.num_players + 1):
        g.combo_wheel[k] = wheels[k]
        g.combo_resources[k] = resources[k]
        emit(g, EV_COMBINATION, NOBODY, k, wheels[k], resources[k], 0)


@kernel
def set_up_seat(box: Any, g: Any, p: int) -> None:
    """§4.2: board, starting cards, craftswomen, markers; the Competition has craftswomen alone."""
    g.craftswomen[p] = box.craftswomen[1]
    if p >= g.num_players:
        return
    g.technology[p] = 1
    g.esparto[p, 0] = PRINTED_ESPARTO
    g.cleanup[p, 0] = START_CLEANUP
    g.cleanup_size[p] = 1
    g.firing_kiln[p, 0] = START_FIRING_KILN
    g.firing_size[p] = 1
    g.workshop[p, 0] = START_WORKSHOP
    g.workshop_size[p] = 1
    g.glaze_kiln[p, 0] = START_GLAZE_KILN
    g.glaze_size[p] = 1


@kernel
def clear_places(g: Any) -> None:
    """Every place for a card, piece or seat starts empty (-1)."""
    for k in range(MAX_PLAYERS):
        g.turn_order[k] = NOBODY
        g.donkey[k] = -1
    g.track[:] = NOBODY
    g.combo_wheel[:] = -1
    g.combo_resources[:] = -1
    g.bonus[:] = -1
    g.special_bonus[:] = -1
    g.space_owner[:, :] = NOBODY
    g.draft[:, :] = -1
    g.deck[:, :] = -1
    g.wheel[:, :] = -1
    g.esparto[:, :] = -1
    g.cleanup[:, :] = -1
    g.firing_kiln[:, :] = -1
    g.firing_piece[:, :] = -1
    g.workshop[:, :] = -1
    g.workshop_piece[:, :] = -1
    g.glaze_kiln[:, :] = -1
    g.glaze_piece[:, :] = -1


@kernel
def fill_supply(box: Any, g: Any) -> None:
    """§4.1 step 7, §12.1.1: pieces by player count; all tokens at any count (A12, M01)."""
    g.supply_pg = box.supply[PG]
    g.supply_glaze = box.supply[GLAZE]
    g.supply_crack = box.supply[CRACK]
    g.supply_vase = box.vases
    for piece in range(NUM_PIECES):
        g.supply_piece[piece] = box.pieces[g.num_players]


@kernel
def tell_boards(g: Any) -> None:
    """For the log: the tiles, which are laid once for the whole game."""
    emit(g, EV_ROUND, NOBODY, 0, 0, 0, 0)
    for row in range(3):
        emit(g, EV_TILES, NOBODY, row, g.tile[row, 0], g.tile[row, 1], g.tile[row, 2])
    for column in range(MAX_COLUMNS):
        if g.bonus[column] >= 0:
            emit(g, EV_BONUS_TILE, NOBODY, column, g.bonus[column], 0, 0)
    emit(g, EV_SPECIAL_TILES, NOBODY, g.special_bonus[0], g.special_bonus[1], 0, 0)
    for number in range(NUM_ROUNDS):
        demand = g.demand[number]
        emit(g, EV_DEMAND, NOBODY, number + 1, demand[0], demand[1], demand[2])


@kernel
def set_up(box: Any, g: Any) -> None:
    """The whole of §4.1, §4.2 and §12.1 on a zeroed record whose options and seed are set."""
    g.num_seats = 2 if g.num_players == 1 else g.num_players
    clear_places(g)
    fill_supply(box, g)
    lay_tiles(box, g)
    lay_bonuses(box, g)
    lay_demand(box, g)
    tell_boards(g)
    lay_draft(box, g)
    for p in range(g.num_seats):
        set_up_seat(box, g, p)
    deal(box, g)
    # A01: the first player is random, the others follow clockwise; in solo it is the player (P02).
    first = draw(g, STREAM_SETUP, g.num_players)
    for i in range(g.num_seats):
        g.turn_order[i] = (first + i) % g.num_seats
    if g.num_players == 1:
        g.track[box.track_spaces[1] - 1] = COMPETITION
        for card in range(NUM_COMPETITION_CARDS):
            g.comp_deck[card] = card
    order = g.turn_order
    emit(g, EV_TURN_ORDER, NOBODY, order[0], order[1], order[2], order[3])
    lay_combinations(g)
    # §4.3: the last player chooses first; in solo the player is alone.
    g.turn_index = g.num_players - 1
    g.turn_player = g.turn_order[g.turn_index]


@kernel
def clear_combinations(g: Any) -> None:
    """What nobody chose leaves the game (ruling A10)."""
    g.combo_wheel[:] = -1
    g.combo_resources[:] = -1


@kernel
def offer_setup(g: Any, p: int) -> int:
    """A combination, then a space for the donkey (§4.3, rulings A09, A14)."""
    if g.wheel[p, 0] < 0:
        for k in range(NUM_START_WHEELS):
            if g.combo_wheel[k] >= 0:
                allow(g, A_START + k)
    else:
        for space in range(DRAFT_SPACES):
            if g.draft[space // DRAFT_COLUMNS, space % DRAFT_COLUMNS] >= 0 and not rival_donkey(
                g, p, space
            ):
                allow(g, A_DONKEY + space)
    return int(g.num_legal)


@kernel
def choose_setup(box: Any, g: Any, p: int, action: int) -> None:
    if action < A_DONKEY:
        choose_combination(box, g, p, action - A_START)
    else:
        move_donkey(g, p, action - A_DONKEY)


@kernel
def choose_combination(box: Any, g: Any, p: int, k: int) -> None:
    """§4.3 steps 1-2: the resources; the wheel with a vase, without VP or action (A11, A13)."""
    wheel = g.combo_wheel[k]
    card = g.combo_resources[k]
    g.combo_wheel[k] = -1
    g.combo_resources[k] = -1
    emit(g, EV_START, p, wheel, card, 0, 0)
    g.wheel[p, 0] = wheel
    g.supply_vase -= 1
    amounts = box.start_resources[card]
    gain_pg(g, p, amounts[PG])
    gain_glaze(g, p, amounts[GLAZE])
    gain_clay(g, p, amounts[CLAY])
    gain_cracks(g, p, amounts[CRACK])
