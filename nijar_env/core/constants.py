"""Codes used by the kernels: phases, pending frames, VP sources, random streams, events."""

from __future__ import annotations

from typing import Final

from ..components.vocabulary import MAX_PENDING

# --- phases (§6, §7)
PHASES: Final = ("setup", "market", "turns", "end_of_round", "finished")
PHASE_SETUP, PHASE_MARKET, PHASE_TURNS, PHASE_END_OF_ROUND, PHASE_FINISHED = range(5)

# --- pending frames: what is still owed inside a turn. Fields: kind, seat, a, b, c, d.
FRAME_KINDS: Final = (
    "placement",  # a row, b action owed 0/1, c bonus kind, d bonuses owed
    "special",  # a mask of bonuses owed: bit 0 printed esparto, bits 1-2 the tiles
    "sides",  # a, b the two side icons (0 = taken)
    "any_action",  # the Indalo: any action of the action tiles
    "bonus",  # one bonus of choice (§7.2.4)
    "sell",  # a sales left
    "shop",  # a rewards left for craftswomen returned to a closed shop
    "gain",  # perra gorda or glazes (§9.7)
    "acquire",  # a most cards, b cards taken, c mask of rows refreshed
    "play",
    "slot",  # a card paid for and waiting for its space
    "clay",
    "throw",  # a steps left
    "shape",
    "fire",  # a moves left, -1 = no limit
    "paint",  # a pieces left, -1 = no limit
    "pay",  # a piece, b workshop
    "clean",  # a cracks left
    "rewards",  # a mask of completed cleanup cards not paid out
    "esparto",  # a mask of spaces to serve, b rewards left
    "track",
    "complete_wheel",  # a wheel space; resolves by itself
    "competition",  # a card 0-8; resolves by itself
)
(
    F_PLACEMENT,
    F_SPECIAL,
    F_SIDES,
    F_ANY_ACTION,
    F_BONUS,
    F_SELL,
    F_SHOP,
    F_GAIN,
    F_ACQUIRE,
    F_PLAY,
    F_SLOT,
    F_CLAY,
    F_THROW,
    F_SHAPE,
    F_FIRE,
    F_PAINT,
    F_PAY,
    F_CLEAN,
    F_REWARDS,
    F_ESPARTO,
    F_TRACK,
    F_COMPLETE_WHEEL,
    F_COMPETITION,
) = range(23)
# The arguments of each kind, as they are named in scenes.
FRAME_FIELDS: Final = 6
NO_LIMIT: Final = -1

# Deepest stack; components/bounds.py has the proof that no valid box reaches it.
MAX_FRAMES: Final = MAX_PENDING

FAULT_NONE, FAULT_FRAMES, FAULT_SUPPLY = range(3)
FAULTS: Final = ("", "the stack of pending frames is full", "a supply went below zero")

# --- the seat of the Competition in solo
COMPETITION: Final = 1
NOBODY: Final = -1

# Instead of an action, to `engine.run`: deal a new game; only work out what is legal.
DEAL: Final = -1
OFFER: Final = -2

# --- where VP came from
VP_SOURCES: Final = (
    "sales",
    "wheels",
    "technology",
    "cleanup",
    "esparto",
    "pieces_left",
    "endgame_cards",
    "esparto_set",
    "cracks",
    "first_player_token",
    "resources",
    "competition",
    "given",  # set by a scene that does not say where its VP came from
)
(
    VP_SALES,
    VP_WHEELS,
    VP_TECHNOLOGY,
    VP_CLEANUP,
    VP_ESPARTO,
    VP_PIECES_LEFT,
    VP_ENDGAME,
    VP_SET,
    VP_CRACKS,
    VP_TOKEN,
    VP_RESOURCES,
    VP_COMPETITION,
    VP_GIVEN,
) = range(13)
NUM_VP_SOURCES: Final = 13

# --- reward schemes
REWARDS: Final = ("outcome", "margin", "vp")
REWARD_OUTCOME, REWARD_MARGIN, REWARD_VP = range(3)
MARGIN_SCALE: Final = 50.0

# --- random streams (see `rng`)
STREAMS: Final = ("setup", "dice", "refresh", "competition")
STREAM_SETUP, STREAM_DICE, STREAM_REFRESH, STREAM_COMPETITION = range(4)
NUM_STREAMS: Final = 4
STREAM_DETERMINIZE: Final = 4  # not stored: used on keys of its own
STREAM_EPISODE: Final = 5
# Random players beside the games: they leave the games' own streams alone.
STREAM_PLAYERS: Final = 6

# --- events for the log: kind, seat, a, b, c, d
EVENTS: Final = (
    "choice",  # a action, b top frame's kind or -1 - phase, c 1 = the only legal one
    "gain",  # a resource, b amount, c lost to an empty supply or a cap
    "pay",  # a resource, b amount
    "vp",  # a amount, b source
    "dealt",  # a card (private)
    "dealt_endgame",  # a kind (private)
    "round",  # a round, 0 = setup
    "turn",  # a craftswomen at hand, b 1 = shop closed
    "market",  # a, b, c marker rows after demand
    "dice",  # a, b, c
    "placed",  # a row, b column, c craftswomen, d seat of those sent home or -1
    "placed_special",
    "returned",  # to seat: a craftswomen, b 1 = to the closed shop
    "closed",
    "sold",  # a piece, b painted, c VP, d marker row after
    "took",  # a card, b row, c column, d price
    "refreshed",  # a row
    "donkey",  # a row, b column, c card under it
    "refilled",  # a row, b column, c card
    "played",  # a card
    "slotted",  # a card, b space
    "technology",  # a position
    "vase",  # a wheel card, b step, c spaces
    "wheel_complete",  # a wheel card
    "shaped",  # a piece, b second piece or -1
    "fired",  # a piece, b firing kiln card
    "glaze_fired",  # a piece, b glaze kiln card, c workshop card
    "painted",  # a piece, b workshop card
    "cleaned",  # a cleanup card or -1 = to the supply, b cracks on it now
    "cleanup_complete",  # a cleanup card
    "track",  # a space, b pg
    "end_of_round",  # a round
    "turn_order",  # a, b, c, d seats
    "comp_reveal",  # a card, b 1 = only to place the donkey in setup
    "comp_place_own",  # a row, b column: its own craftswomen are there
    "comp_place_short",  # a row, b column, c needed, d at hand
    "comp_donkey_stays",  # a 0 icon, 1 nowhere to go, 2 there already
    "comp_discard",  # a card or -1, b Competition card, c side, d space (-1: 0 no card, 1 donkey)
    "comp_piece",  # a piece, b 0 took, 1 painted, 2 none left
    "comp_idle",  # a 0 shop closed, 1 no craftswomen, 2 no cards
    "start",  # a wheel, b resource card
    "scored_card",  # a kind, b VP
    "played_endgame",  # a kind (private)
    "discarded_endgame",  # a kind (private)
    "result",  # seat = winner; a, b, c, d VP by seat
    "tiles",  # a row; b, c, d action tiles
    "bonus_tile",  # a column, b bonus
    "special_tiles",  # a, b bonuses
    "demand",  # a round; b, c, d demand by piece
    "combination",  # a number, b wheel, c resource card
    "raised",  # a piece, b die, c demand, d marker row after
    "card_returned",  # a row, b column, c card
    "sides",  # a, b icons (0 = none)
    "reward",  # a cleanup card
    "collected",  # a esparto card, b space, c reward
    "comp_back",  # a, b pieces (-1 = none)
    "comp_donkey",  # a Competition card, b side: 0 preferred, 1 alternative
    "piece_left",  # a piece, b painted
    "holdings",  # a resources, b cracks, c different esparto cards
    "scoring",
)
(
    EV_CHOICE,
    EV_GAIN,
    EV_PAY,
    EV_VP,
    EV_DEALT,
    EV_DEALT_ENDGAME,
    EV_ROUND,
    EV_TURN,
    EV_MARKET,
    EV_DICE,
    EV_PLACED,
    EV_PLACED_SPECIAL,
    EV_RETURNED,
    EV_CLOSED,
    EV_SOLD,
    EV_TOOK,
    EV_REFRESHED,
    EV_DONKEY,
    EV_REFILLED,
    EV_PLAYED,
    EV_SLOTTED,
    EV_TECHNOLOGY,
    EV_VASE,
    EV_WHEEL_COMPLETE,
    EV_SHAPED,
    EV_FIRED,
    EV_GLAZE_FIRED,
    EV_PAINTED,
    EV_CLEANED,
    EV_CLEANUP_COMPLETE,
    EV_TRACK,
    EV_END_OF_ROUND,
    EV_TURN_ORDER,
    EV_COMP_REVEAL,
    EV_COMP_PLACE_OWN,
    EV_COMP_PLACE_SHORT,
    EV_COMP_DONKEY_STAYS,
    EV_COMP_DISCARD,
    EV_COMP_PIECE,
    EV_COMP_IDLE,
    EV_START,
    EV_SCORED_CARD,
    EV_PLAYED_ENDGAME,
    EV_DISCARDED_ENDGAME,
    EV_RESULT,
    EV_TILES,
    EV_BONUS_TILE,
    EV_SPECIAL_TILES,
    EV_DEMAND,
    EV_COMBINATION,
    EV_RAISED,
    EV_CARD_RETURNED,
    EV_SIDES,
    EV_REWARD,
    EV_COLLECTED,
    EV_COMP_BACK,
    EV_COMP_DONKEY,
    EV_PIECE_LEFT,
    EV_HOLDINGS,
    EV_SCORING,
) = range(60)
MAX_EVENTS: Final = 160
EVENT_FIELDS: Final = 6
