"""The words of the game: the names that box files, kernels, scenes and actions share.

Every list is ordered, and the position of a name in its list is its code in the records.
Changing an order changes saved states, so it is a new format.
"""

from __future__ import annotations

from typing import Final

# --- resources (§5.1); the order of costs: perra gorda, glaze, clay, cracks gained
RESOURCES: Final = ("pg", "glaze", "clay", "crack")
PG, GLAZE, CLAY, CRACK = range(4)

# --- ceramics (components list)
PIECES: Final = ("plate", "jug", "pot")
PLATE, JUG, POT = range(3)
NUM_PIECES: Final = 3

# --- game cards: six types on three decks, 80 cards. A card's code is type base + kind.
CARD_TYPES: Final = ("wheel", "esparto", "cleanup", "workshop", "glaze_kiln", "firing_kiln")
WHEEL, ESPARTO, CLEANUP, WORKSHOP, GLAZE_KILN, FIRING_KILN = range(6)
TYPE_COPIES: Final = (16, 16, 12, 12, 12, 12)
TYPE_BASE: Final = (0, 16, 32, 44, 56, 68)
NUM_CARDS: Final = 80
# Deck (= draft row) of each type (§4.1.6).
TYPE_DECK: Final = (0, 0, 1, 1, 2, 2)
NUM_DECKS: Final = 3
DECK_SIZES: Final = (32, 24, 24)
MAX_DECK: Final = 32

# --- starting cards follow the game cards: five wheels, then one of each kind a player
START_WHEEL: Final = 80
NUM_START_WHEELS: Final = 5
START_CLEANUP: Final = 85
START_FIRING_KILN: Final = 86
START_GLAZE_KILN: Final = 87
START_WORKSHOP: Final = 88
PRINTED_ESPARTO: Final = 89
NUM_CARD_CODES: Final = 90
START_WHEEL_IDS: Final = ("SW1", "SW2", "SW3", "SW4", "SW5")
START_RESOURCE_IDS: Final = ("SR1", "SR2", "SR3", "SR4", "SR5")
START_CARD_IDS: Final = ("C00", "F00", "G00", "Y00", "E0")

# --- actions (§8): the ten of the action tiles, then Shape and single moves, which no tile carries
ACTIONS: Final = (
    "acquire",
    "play",
    "clay",
    "tech",
    "throw",
    "fire",
    "paint",
    "clean",
    "esparto",
    "first_player",
)
EFFECT_ACTIONS: Final = ("", *ACTIONS, "shape", "fire 1", "paint 1", "clean 1")
(
    NO_ACTION,
    ACT_ACQUIRE,
    ACT_PLAY,
    ACT_CLAY,
    ACT_TECH,
    ACT_THROW,
    ACT_FIRE,
    ACT_PAINT,
    ACT_CLEAN,
    ACT_ESPARTO,
    ACT_FIRST_PLAYER,
    ACT_SHAPE,
    ACT_FIRE_ONE,
    ACT_PAINT_ONE,
    ACT_CLEAN_ONE,
) = range(15)
NUM_ACTIONS: Final = 10
NUM_TILES: Final = 9

# --- bonuses (§9)
BONUSES: Final = ("clay", "fire", "paint", "throw", "clean", "acquire", "supply", "esparto")
(
    BONUS_CLAY,
    BONUS_FIRE,
    BONUS_PAINT,
    BONUS_THROW,
    BONUS_CLEAN,
    BONUS_ACQUIRE,
    BONUS_SUPPLY,
    BONUS_ESPARTO,
) = range(8)
NUM_BONUS_TILES: Final = 7

# --- an effect printed on a card: fixed gains, then at most one action
EFFECT_FIELDS: Final = ("vp", "pg", "glaze", "clay", "action")
EFFECT_VP, EFFECT_PG, EFFECT_GLAZE, EFFECT_CLAY, EFFECT_ACTION = range(5)

# --- endgame scoring cards (§11.2)
ENDGAME_KINDS: Final = (
    "wheel",
    "esparto",
    "cleanup",
    "firing_kiln",
    "workshop",
    "glaze_kiln",
    "plate",
    "jug",
    "pot",
)
NUM_ENDGAME_KINDS: Final = 9
NUM_ENDGAME_CARDS: Final = 12
END_PLATE: Final = 6  # kinds 6-8 score sold pieces

# --- the Competition (§12)
NUM_COMPETITION_CARDS: Final = 9
DONKEY_STAY, DONKEY_MOVE, DONKEY_DISCARD = range(3)
DIFFICULTIES: Final = ("normal", "advanced", "expert")
NORMAL, ADVANCED, EXPERT = range(3)

# --- fixed counts and limits
MAX_PLAYERS: Final = 4
NUM_ROUNDS: Final = 3
BOARD_ROWS: Final = 3
BASE_COLUMNS: Final = 3
MAX_COLUMNS: Final = 5  # columns A and B (§4.1.2-3)
DRAFT_ROWS: Final = 3
DRAFT_COLUMNS: Final = 5
DRAFT_SPACES: Final = 15
WHEEL_SPACES: Final = 5  # centre + four (components.md)
ESPARTO_SPACES: Final = 4  # printed card + three
MAX_CARD_SPACES: Final = 8  # wheel spaces or crack spaces on one card
MAX_ROW: Final = 13  # a starting card and all twelve of its type
MAX_TRACK: Final = 4
CLAY_CAP: Final = 7
CLEANING_CAP: Final = 8
MAX_TECHNOLOGY: Final = 3
MARKET_ROWS: Final = 13
HAND_ENDGAME: Final = 3
MAX_PENDING: Final = 256  # pending effects the engine keeps; see `bounds`
