"""`observe`: what a player sees, as a float32 vector (the layout: see `layout`).

Nothing hidden from the observer enters: not the cards dealt to others, nobody else's endgame
cards, not the order or the contents of the decks, not the random streams. Everything else is
there and can be read back exactly (`nijar_env.decode`).
"""

from __future__ import annotations

from typing import Any

from ..components.vocabulary import (
    ACT_FIRE,
    ACT_FIRE_ONE,
    ACT_SHAPE,
    BOARD_ROWS,
    CLEANUP,
    DRAFT_COLUMNS,
    DRAFT_ROWS,
    EFFECT_ACTION,
    EFFECT_CLAY,
    EFFECT_GLAZE,
    EFFECT_PG,
    EFFECT_VP,
    ESPARTO,
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
    WHEEL,
    WORKSHOP,
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
    PIECE_SCALE,
    POINTS_SCALE,
    PRICE_SCALE,
    RIGHT_WEIGHT,
    SEAT_SIZE,
    SEATS_AT,
    SPACE_WEIGHT,
    STEPS_SCALE,
    SUPPLY_SCALE,
)
from .observe_own import write_own, write_pending, write_price
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
DISCARDS = AT["discards"]
DRAFT = AT["draft"]
FEATURES = AT["draft_features"]
DRAFT_PAINT = AT["draft_paint"]

NUM_FEATURES = len(DRAFT_FEATURES)
SECOND_TYPE = DRAFT_FEATURES.index("second_type")
VP = DRAFT_FEATURES.index("vp")
SPACES = DRAFT_FEATURES.index("spaces")
GAINS = DRAFT_FEATURES.index("gains")
FIRST_ACTION = DRAFT_FEATURES.index("acquire")
TURN_INDEX_SCALE = 4.0


@kernel
def write_progress(g: Any, p: int, n: int, out: Any) -> None:
    """Phase, round, whose turn; the tracks by place and seat counted from the observer."""
    out[PHASE + g.phase] = 1.0
    out[ROUND + g.round_number] = 1.0
    out[TURN_INDEX] = g.turn_index / TURN_INDEX_SCALE
    for k in range(MAX_PLAYERS):
        if g.turn_order[k] >= 0:
            out[TURN_ORDER + k * MAX_PLAYERS + (g.turn_order[k] + n - p) % n] = 1.0
    for k in range(MAX_TRACK):
        if g.track[k] >= 0:
            out[TRACK + k * MAX_PLAYERS + (g.track[k] + n - p) % n] = 1.0
    if g.current_player >= 0:
        out[CURRENT + (g.current_player + n - p) % n] = 1.0
    out[TURN_PLAYER + (g.turn_player + n - p) % n] = 1.0
    for k in range(NUM_START_WHEELS):
        if g.combo_wheel[k] >= 0:
            at = COMBINATIONS + k * 2 * NUM_START_WHEELS
            out[at + g.combo_wheel[k] - START_WHEEL] = 1.0
            out[at + NUM_START_WHEELS + g.combo_resources[k]] = 1.0


@kernel
def write_market(box: Any, g: Any, out: Any) -> None:
    """Demand, markers and what they are worth, dice; then the general supply."""
    for i in range(NUM_ROUNDS):
        for piece in range(NUM_PIECES):
            out[DEMAND + i * NUM_PIECES + piece] = g.demand[i, piece] / DEMAND_SCALE
    for piece in range(NUM_PIECES):
        row = g.market[piece]
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
            tile = g.tile[row, column]
            out[TILE + row * 3 + column] = (tile + 1) / MARKET_SCALE
            for i in range(2):
                action = box.tile_action[tile, i]
                if action > 0:
                    out[ROW_ACTIONS + row * NUM_ACTIONS + action - 1] = 1.0
    for column in range(MAX_COLUMNS):
        if g.bonus[column] >= 0:
            out[BONUS + column * NUM_BONUS_TILES + g.bonus[column]] = 1.0
    for i in range(2):
        out[SPECIAL_BONUS + i * NUM_BONUS_TILES + g.special_bonus[i]] = 1.0


@kernel
def write_space_effect(effect: Any, ov: Any) -> None:
    """Add one printed effect to a card's draft features."""
    ov[VP] += effect[EFFECT_VP] / POINTS_SCALE
    ov[GAINS] += (effect[EFFECT_PG] + effect[EFFECT_GLAZE] + effect[EFFECT_CLAY]) / POINTS_SCALE
    action = effect[EFFECT_ACTION]
    if action > ACT_SHAPE:
        ov[FIRST_ACTION + action - ACT_FIRE_ONE + ACT_FIRE - 1] += 0.5 * SPACE_WEIGHT
    elif action > 0:
        ov[FIRST_ACTION + action - 1] += SPACE_WEIGHT


@kernel
def write_draft_card(box: Any, card: int, row: int, ov: Any) -> None:
    """The features of a card in the draft area."""
    kind = box.card_type[card]
    for i in range(4):
        ov[i] = box.card_cost[card, i] / PRICE_SCALE
    ov[SECOND_TYPE] = kind - 2 * row
    ov[VP] = (box.card_vp[card] + box.card_done_vp[card]) / POINTS_SCALE
    ov[SPACES] = box.card_spaces[card] / STEPS_SCALE
    effects = 0
    if kind == WHEEL:
        effects = box.card_spaces[card]
    elif kind == ESPARTO:
        effects = 2
    elif kind == CLEANUP:
        effects = 1
    else:
        left, right = box.card_icon[card, 0], box.card_icon[card, 1]
        ov[FIRST_ACTION + left - 1] += 1.0
        ov[FIRST_ACTION + right - 1] += RIGHT_WEIGHT
    for k in range(effects):
        write_space_effect(box.card_effect[card, k], ov)


@kernel
def write_draft(box: Any, g: Any, out: Any) -> None:
    """The draft area, the decks' sizes, the cards out of the game."""
    for row in range(DRAFT_ROWS):
        for column in range(DRAFT_COLUMNS):
            card = int(g.draft[row, column])
            if card >= 0:
                space = row * DRAFT_COLUMNS + column
                out[DRAFT + space] = (card + 1) / CARD_SCALE
                at = FEATURES + space * NUM_FEATURES
                write_draft_card(box, card, row, out[at : at + NUM_FEATURES])
                if box.card_type[card] == WORKSHOP:
                    write_price(box, card, out[DRAFT_PAINT + 3 * column : DRAFT_PAINT + 3 * column + 3])
    for deck in range(NUM_DECKS):
        out[DECK_LEFT + deck] = g.deck_size[deck] / DECK_SCALE
    ov = out[DISCARDS : DISCARDS + NUM_CARDS]
    for card in range(NUM_CARDS):
        ov[card] = g.discards[card] / COPIES_SCALE


@kernel
def observe(box: Any, g: Any, p: int, out: Any) -> None:
    """Write what player `p` sees into `out`, float32 of `layout.observation_size`."""
    n = int(g.num_seats)
    out[:] = 0.0
    write_progress(g, p, n, out)
    write_market(box, g, out)
    write_board(box, g, out)
    write_draft(box, g, out)
    write_own(box, g, p, out)
    write_pending(g, p, n, out)
    at = SEATS_AT
    for i in range(g.num_players):
        write_seat(box, g, (p + i) % n, out[at : at + SEAT_SIZE])
        at += SEAT_SIZE
    if g.num_players == 1:
        write_competition(box, g, out[at:])


@entry
def observe_games(boxes: Any, games: Any, players: Any, start: int, stop: int, out: Any) -> None:
    """Row i of `out`, float32 (games, observation_size), is what `players[i]` sees of game i, for
    games `start` to `stop`; zeros where `players[i]` is negative."""
    for i in range(start, stop):
        if players[i] < 0:
            out[i, :] = 0.0
        else:
            observe(boxes[0], games[i], players[i], out[i])


@entry
def observe_game(boxes: Any, games: Any, i: int, player: int, out: Any) -> None:
    """What `player` sees of game `i`, into float32 (observation_size,)."""
    observe(boxes[0], games[i], player, out)
