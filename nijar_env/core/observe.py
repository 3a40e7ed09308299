"""`observe`: what a player sees, as a float32 vector (the layout: see `layout`).

Nothing hidden from the observer enters: not the cards dealt to others, nobody else's endgame
cards, not the order or the contents of the decks, not the random streams. Everything else is
there and can be read back exactly (`nijar_env.decode`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..components.vocabulary import (
    BOARD_ROWS,
    DRAFT_COLUMNS,
    DRAFT_SPACES,
    MAX_COLUMNS,
    MAX_PLAYERS,
    MAX_TRACK,
    NUM_ACTIONS,
    NUM_BONUS_TILES,
    NUM_CARDS,
    NUM_DECKS,
    NUM_PIECES,
    NUM_ROUNDS,
    NUM_START_WHEELS,
    START_WHEEL,
)
from .jit import entry, kernel
from .layout import (
    AT,
    CARD_SCALE,
    COPIES_SCALE,
    DECK_SCALE,
    DEMAND_SCALE,
    DICE_SCALE,
    DRAFT_FEATURES,
    MARKET_SCALE,
    PAINT_FEATURES,
    PIECE_SCALE,
    POINTS_SCALE,
    SEAT_SIZE,
    SEATS_AT,
    SUPPLY_SCALE,
)
from .observe_cards import NUM_CARD_FEATURES, write_card_features, write_drafted_features
from .observe_own import write_own
from .observe_pending import write_pending
from .observe_seat import write_competition, write_seat

PHASE = AT["phase"]
ROUND = AT["round"]
TURN_INDEX = AT["turn_index"]
TURN_ORDER = AT["turn_order"]
TRACK = AT["track"]
CURRENT = AT["current_player"]
TURN_PLAYER = AT["turn_player"]
COMBINATIONS = AT["combinations"]
DEMAND = AT["demand"]
MARKET = AT["market"]
PRICE = AT["price"]
DICE = AT["dice"]
TILE = AT["tile"]
ROW_ACTIONS = AT["row_actions"]
BONUS = AT["bonus"]
SPECIAL_BONUS = AT["special_bonus"]
DECK_LEFT = AT["deck_size"]
SUPPLY = AT["supply_pg"]
SUPPLY_PIECE = AT["supply_piece"]
DECK_SEEN = AT["deck_seen"]
DISCARDS = AT["discards"]
DRAFT = AT["draft"]
FEATURES = AT["draft_features"]
DRAFT_PAINT = AT["draft_paint"]

NUM_FEATURES = len(DRAFT_FEATURES)
NUM_PAINT = len(PAINT_FEATURES)
PAINT_ROW = 1  # of the draft area: cleanup cards and workshops
TURN_INDEX_SCALE = 4.0


@kernel
def write_progress(g: Any, p: int, n: int, out: Any) -> None:
    """Phase, round, whose turn; the tracks by place and seat counted from the observer."""
    out[PHASE + int(g.phase)] = 1.0
    out[ROUND + int(g.round_number)] = 1.0
    out[TURN_INDEX] = g.turn_index / TURN_INDEX_SCALE
    for k in range(MAX_PLAYERS):
        seat = int(g.turn_order[k])
        if seat >= 0:
            out[TURN_ORDER + k * MAX_PLAYERS + (seat + n - p) % n] = 1.0
    for k in range(MAX_TRACK):
        seat = int(g.track[k])
        if seat >= 0:
            out[TRACK + k * MAX_PLAYERS + (seat + n - p) % n] = 1.0
    if g.current_player >= 0:
        out[CURRENT + (int(g.current_player) + n - p) % n] = 1.0
    out[TURN_PLAYER + (int(g.turn_player) + n - p) % n] = 1.0
    for k in range(NUM_START_WHEELS):
        wheel = int(g.combo_wheel[k])
        if wheel >= 0:
            at = COMBINATIONS + k * 2 * NUM_START_WHEELS
            out[at + wheel - START_WHEEL] = 1.0
            out[at + NUM_START_WHEELS + int(g.combo_resources[k])] = 1.0


@kernel
def write_market(box: Any, g: Any, out: Any) -> None:
    """Demand, markers and what they are worth, dice; then the general supply."""
    for i in range(NUM_ROUNDS):
        for piece in range(NUM_PIECES):
            out[DEMAND + i * NUM_PIECES + piece] = g.demand[i, piece] / DEMAND_SCALE
    for piece in range(NUM_PIECES):
        row = int(g.market[piece])
        out[MARKET + piece] = row / MARKET_SCALE
        out[PRICE + piece] = box.market_vp[0, row] / POINTS_SCALE
        out[PRICE + NUM_PIECES + piece] = box.market_vp[1, row] / POINTS_SCALE
        out[DICE + piece] = g.dice[piece] / DICE_SCALE
        out[SUPPLY_PIECE + piece] = g.supply_piece[piece] / PIECE_SCALE
    out[SUPPLY] = g.supply_pg / SUPPLY_SCALE
    out[SUPPLY + 1] = g.supply_glaze / SUPPLY_SCALE
    out[SUPPLY + 2] = g.supply_crack / SUPPLY_SCALE
    out[SUPPLY + 3] = g.supply_vase / SUPPLY_SCALE


@kernel
def write_board(box: Any, g: Any, out: Any) -> None:
    """Action tiles, the actions of each row, bonus tiles."""
    for row in range(BOARD_ROWS):
        for column in range(3):
            tile = int(g.tile[row, column])
            out[TILE + row * 3 + column] = (tile + 1) / MARKET_SCALE
            for i in range(2):
                action = int(box.tile_action[tile, i])
                if action > 0:
                    out[ROW_ACTIONS + row * NUM_ACTIONS + action - 1] = 1.0
    for column in range(MAX_COLUMNS):
        if g.bonus[column] >= 0:
            out[BONUS + column * NUM_BONUS_TILES + int(g.bonus[column])] = 1.0
    for i in range(2):
        out[SPECIAL_BONUS + i * NUM_BONUS_TILES + int(g.special_bonus[i])] = 1.0


@kernel
def write_draft(cards: Any, g: Any, out: Any) -> None:
    """The draft area, the decks' sizes, the cards out of the game."""
    ov = out[FEATURES : FEATURES + DRAFT_SPACES * NUM_FEATURES]
    for space in range(DRAFT_SPACES):
        row, column = space // DRAFT_COLUMNS, space % DRAFT_COLUMNS
        card = int(g.draft[row, column])
        if card < 0:
            continue
        out[DRAFT + space] = (card + 1) / CARD_SCALE
        features = cards[card]
        for i in range(NUM_FEATURES):
            ov[space * NUM_FEATURES + i] = features[i]
        if row == PAINT_ROW:
            for i in range(NUM_PAINT):
                out[DRAFT_PAINT + column * NUM_PAINT + i] = features[NUM_FEATURES + i]
    for deck in range(NUM_DECKS):
        out[DECK_LEFT + deck] = g.deck_size[deck] / DECK_SCALE
    ov = out[DISCARDS : DISCARDS + NUM_CARDS]
    for card in range(NUM_CARDS):
        ov[card] = g.discards[card] / COPIES_SCALE
    ov = out[DECK_SEEN : DECK_SEEN + NUM_CARDS]
    for card in range(NUM_CARDS):
        ov[card] = g.deck_seen[card] / COPIES_SCALE


@kernel
def observe_with(box: Any, cards: Any, g: Any, p: int, out: Any) -> None:
    """`observe` with the box's card features at hand (`observe_cards`)."""
    n = int(g.num_seats)
    out[:] = 0.0
    write_progress(g, p, n, out)
    write_market(box, g, out)
    write_board(box, g, out)
    write_draft(cards, g, out)
    write_own(box, g, p, out)
    write_pending(g, p, n, out)
    at = SEATS_AT
    for i in range(g.num_players):
        write_seat(g, (p + i) % n, out[at : at + SEAT_SIZE])
        at += SEAT_SIZE
    if g.num_players == 1:
        write_competition(box, g, out[at:])


@kernel
def observe(box: Any, g: Any, p: int, out: Any) -> None:
    """Write what player `p` sees into `out`, float32 of `layout.observation_size`."""
    cards = np.empty((NUM_CARDS, NUM_CARD_FEATURES), np.float32)
    write_drafted_features(box, g, cards)
    observe_with(box, cards, g, p, out)


@kernel
def observe_range(
    boxes: Any, cards: Any, games: Any, players: Any, start: int, stop: int, out: Any
) -> None:
    """`observe_games` with the box's card features at hand."""
    for i in range(start, stop):
        if players[i] < 0:
            out[i, :] = 0.0
        else:
            observe_with(boxes[0], cards, games[i], int(players[i]), out[i])


@entry
def observe_games(boxes: Any, games: Any, players: Any, start: int, stop: int, out: Any) -> None:
    """Row i of `out`, float32 (games, observation_size), is what `players[i]` sees of game i, for
    games `start` to `stop`; zeros where `players[i]` is negative."""
    cards = np.zeros((NUM_CARDS, NUM_CARD_FEATURES), np.float32)
    write_card_features(boxes[0], cards)
    observe_range(boxes, cards, games, players, start, stop, out)


@entry
def observe_game(boxes: Any, games: Any, i: int, player: int, out: Any) -> None:
    """What `player` sees of game `i`, into float32 (observation_size,)."""
    observe(boxes[0], games[i], player, out)
