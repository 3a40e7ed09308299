"""The default box `reconstructed-v1` as plain Python data, transcribed by hand.

Words used in the tables: resources are `pg`, `glaze`, `clay`, `vp` and `crack` (as a price: cracks
taken into the cleaning area). An action word alone is the full action; `fire 1`, `paint 1`,
`clean 1` are single.
"""

from __future__ import annotations

import re
from typing import NamedTuple

PIECES = ("plate", "jug", "pot")
Amounts = dict[str, int]


class Effect(NamedTuple):
    """Fixed gains first, then at most one action."""

    gains: Amounts
    action: str | None


class WheelCard(NamedTuple):
    cost: Amounts
    vp_played: int
    spaces: tuple[Effect, ...]
    vp_completed: int


class EspartoCard(NamedTuple):
    cost: Amounts
    rewards: tuple[Effect, Effect]


class CleanupCard(NamedTuple):
    cost: Amounts
    spaces: int
    reward: Effect


class SideCard(NamedTuple):
    """A firing kiln, glaze kiln or workshop (only a workshop has paint prices: one is paid)."""

    cost: Amounts
    left: str | None
    right: str
    prices: tuple[Amounts, ...] = ()


class CompetitionCard(NamedTuple):
    space: tuple[int, int]
    donkey: tuple[str, ...]
    pieces: tuple[tuple[str, ...], ...]


def _amounts(text: str) -> Amounts:
    """`2pg 1clay` -> {"pg": 2, "clay": 1}."""
    result: Amounts = {}
    for word in text.split():
        match = re.fullmatch(r"(\d+)([A-Za-z]+)", word)
        if match is None:
            raise ValueError(f"not an amount: {word!r}")
        result[match[2].lower()] = int(match[1])
    return result


def _effect(text: str) -> Effect:
    """`1VP+play` -> 1 VP, then play;  `+2glaze` -> 2 glazes;  `clean 1` -> that action."""
    gains: Amounts = {}
    action: str | None = None
    for part in text.lstrip("+").split("+"):
        if part[0].isdigit():
            gains.update(_amounts(part))
        else:
            action = part
    return Effect(gains, action)


def _wheel(cost: str, vp_played: int, spaces: str, vp_completed: int) -> WheelCard:
    return WheelCard(
        _amounts(cost), vp_played, tuple(_effect(word) for word in spaces.split()), vp_completed
    )


def _esparto(cost: str, first: str, second: str) -> EspartoCard:
    return EspartoCard(_amounts(cost), (_effect(first), _effect(second)))


def _cleanup(cost: str, spaces: int, reward: str) -> CleanupCard:
    return CleanupCard(_amounts(cost), spaces, _effect(reward))


def _side(cost: str, left: str | None, right: str, prices: str = "") -> SideCard:
    alternatives = (
        tuple(_amounts(price.replace("+", " ")) for price in prices.split("|")) if prices else ()
    )
    return SideCard(_amounts(cost), left, right, alternatives)


WHEELS: dict[str, WheelCard] = {
    "SW1": _wheel("", 0, "shape clay shape play", 2),
    "SW2": _wheel("", 0, "clay shape fire shape", 2),
    "SW3": _wheel("", 0, "shape esparto shape acquire", 2),
    "SW4": _wheel("", 0, "play shape paint shape", 2),
    "SW5": _wheel("", 0, "shape fire shape clean", 2),
    "W01": _wheel("2pg", 1, "shape clay shape", 2),
    "W02": _wheel("3pg", 1, "clay shape fire shape", 3),
    "W03": _wheel("2pg 1clay", 2, "shape fire shape", 2),
    "W04": _wheel("1pg 2clay", 2, "play shape paint", 3),
    "W05": _wheel("3pg", 2, "shape shape", 2),
    "W06": _wheel("4pg", 2, "shape clean shape esparto", 4),
    "W07": _wheel("2pg 1glaze", 1, "shape paint fire", 3),
    "W08": _wheel("2glaze", 1, "acquire shape play", 3),
    "W09": _wheel("2crack", 1, "clean shape clay shape", 3),
    "W10": _wheel("1pg 1crack", 1, "shape tech shape", 2),
    "W11": _wheel("3pg 1clay", 2, "shape play shape acquire", 4),
    "W12": _wheel("4pg 1glaze", 3, "shape paint shape fire", 5),
    "W13": _wheel("2pg", 1, "esparto shape clean", 2),
    "W14": _wheel("5pg", 3, "shape fire shape paint fire", 6),
    "W15": _wheel("1pg", 1, "+2glaze shape +2pg", 1),
    "W16": _wheel("3clay", 2, "shape +3pg shape play", 4),
}

ESPARTO: dict[str, EspartoCard] = {
    "E0": _esparto("", "1clay", "2pg"),
    "E1": _esparto("2pg", "4pg", "clean 1"),
    "E2": _esparto("2pg", "3glaze", "fire 1"),
    "E3": _esparto("1pg 1glaze", "2clay", "paint 1"),
    "E4": _esparto("1pg 1clay", "2glaze", "3pg"),
}
ESPARTO_COPIES = 4

CLEANUP: dict[str, CleanupCard] = {
    "C00": _cleanup("", 2, "2VP"),
    "C01": _cleanup("3pg", 2, "3VP"),
    "C02": _cleanup("2pg", 3, "4VP"),
    "C03": _cleanup("1pg", 2, "3pg"),
    "C04": _cleanup("1pg", 2, "2glaze"),
    "C05": _cleanup("1pg", 2, "2clay"),
    "C06": _cleanup("2pg", 3, "1VP+play"),
    "C07": _cleanup("2pg", 3, "1VP+esparto"),
    "C08": _cleanup("1clay", 2, "2VP"),
    "C09": _cleanup("2glaze", 3, "3VP+2pg"),
    "C10": _cleanup("2pg", 4, "6VP"),
    "C11": _cleanup("2pg", 3, "2VP+acquire"),
    "C12": _cleanup("1pg", 2, "1VP+fire"),
}

FIRING_KILNS: dict[str, SideCard] = {
    "F00": _side("", None, "fire"),
    "F01": _side("2pg", "clay", "fire"),
    "F02": _side("2pg", "fire", "clay"),
    "F03": _side("3pg", "throw", "acquire"),
    "F04": _side("3pg", "acquire", "throw"),
    "F05": _side("1pg", "clean", "clay"),
    "F06": _side("1pg", "clay", "clean"),
    "F07": _side("3pg", "fire", "play"),
    "F08": _side("2pg 1clay", "play", "fire"),
    "F09": _side("2clay", "esparto", "clay"),
    "F10": _side("2pg 1clay", "tech", "fire"),
    "F11": _side("4pg", "throw", "esparto"),
    "F12": _side("1pg 1crack", "acquire", "clean"),
}

GLAZE_KILNS: dict[str, SideCard] = {
    "G00": _side("", None, "clean"),
    "G01": _side("2pg", "fire", "clean"),
    "G02": _side("2pg", "clean", "fire"),
    "G03": _side("3pg", "esparto", "play"),
    "G04": _side("3pg", "play", "esparto"),
    "G05": _side("2pg", "fire", "acquire"),
    "G06": _side("1pg 1glaze", "acquire", "fire"),
    "G07": _side("3pg", "clay", "throw"),
    "G08": _side("2pg 1clay", "throw", "clay"),
    "G09": _side("2pg 1glaze", "paint", "fire"),
    "G10": _side("2crack", "clean", "play"),
    "G11": _side("1pg 2glaze", "tech", "esparto"),
    "G12": _side("4pg", "fire", "throw"),
}

WORKSHOPS: dict[str, SideCard] = {
    "Y00": _side("", None, "paint", "2glaze"),
    "Y01": _side("2pg", "paint", "clay", "2glaze|2crack"),
    "Y02": _side("2crack", "clay", "paint", "2glaze"),
    "Y03": _side("3pg", "paint", "fire", "1glaze+1crack"),
    "Y04": _side("2pg 1clay", "fire", "paint", "2glaze|2crack"),
    "Y05": _side("1pg 1glaze", "clean", "paint", "1glaze+1crack"),
    "Y06": _side("1pg", "paint", "clean", "3crack"),
    "Y07": _side("4pg", "esparto", "paint", "1glaze"),
    "Y08": _side("4pg", "paint", "esparto", "1glaze"),
    "Y09": _side("3pg", "play", "acquire", "2glaze"),
    "Y10": _side("2pg", "acquire", "tech", "2glaze|2crack"),
    "Y11": _side("2clay", "tech", "play", "1glaze+1crack"),
    "Y12": _side("5pg", "throw", "paint", "1crack"),
}

STARTING_RESOURCES: dict[str, Amounts] = {
    "SR1": _amounts("5clay 5pg 2glaze 3crack"),
    "SR2": _amounts("3clay 6pg 3glaze 2crack"),
    "SR3": _amounts("4clay 4pg 4glaze 3crack"),
    "SR4": _amounts("2clay 7pg 2glaze 1crack"),
    "SR5": _amounts("3clay 5pg 5glaze 4crack"),
}

# Supplies (§5.3) and caps (§5.1)
SUPPLY: Amounts = {"pg": 34 + 4 * 5, "glaze": 22 + 4 * 5, "crack": 32, "vase": 20}
PIECES_PER_PLAYER = 4
SOLO_PIECES = 8
CLAY_CAP = 7
CLEANING_AREA_SPACES = 8
ROUNDS = 3
CRAFTSWOMEN = 7  # in round 1; one fewer each round (§10.1)

# Workshop board: printed actions (space 0 holds the starting wheel / the printed esparto card)
WHEEL_SPACE_ACTIONS: tuple[str | None, ...] = (None, "clay", "fire", "esparto", "throw")
ESPARTO_SPACE_ACTIONS: tuple[str | None, ...] = (None, "clay", "acquire", "throw")

# Actions
EXTRACT_COST = {1: 0, 2: 1, 3: 3}  # clay -> perra gorda (§8.3)
TECHNOLOGY_LAST = 3
TECHNOLOGY_VP = 2
ACQUIRE_LIMIT = 2
SHAPE_ONE: Amounts = {"clay": 1}
SHAPE_TWO: Amounts = {"clay": 2, "crack": 2}  # the cracks are gained (ruling D06)
SHOP_REWARDS: Amounts = {"clay": 2, "pg": 3, "glaze": 3}  # §7.2.5
CLAY_BONUS: Amounts = {"clay": 1}
SUPPLY_BONUS: Amounts = {"pg": 2, "glaze": 2}  # one of the two (§9.7)
SELL_LIMIT = 2

# Action tiles; one carries two actions (ruling D05)
ACTION_TILES: tuple[tuple[str, ...], ...] = (
    ("acquire",),
    ("play",),
    ("clay",),
    ("throw", "tech"),
    ("fire",),
    ("paint",),
    ("clean",),
    ("esparto",),
    ("first_player",),
)
# Bonus tiles with the smallest number of players that uses them (ruling D03)
BONUS_TILES: dict[str, int] = {
    "clay": 2,
    "fire": 2,
    "paint": 2,
    "throw": 2,
    "clean": 2,
    "acquire": 3,
    "supply": 4,
}

# Market: Victory Points by position; start position and first-player track by players (1 = solo)
PAINTED_VP = (2, 3, 4, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13)
UNPAINTED_VP = (1, 1, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 6)
MARKET_TOP = len(PAINTED_VP) - 1
MARKET_START = {1: 1, 2: 1, 3: 2, 4: 3}
FIRST_PLAYER_TRACK: dict[int, tuple[int, ...]] = {
    1: (-2, 0),
    2: (-2, 2),
    3: (-2, 0, 2),
    4: (-2, 0, 1, 2),
}

# Endgame cards (kind -> copies) and scales (§11.2, §11.3)
ENDGAME_CARDS: dict[str, int] = {
    "wheel": 1,
    "esparto": 1,
    "cleanup": 1,
    "firing_kiln": 1,
    "workshop": 1,
    "glaze_kiln": 1,
    "plate": 2,
    "jug": 2,
    "pot": 2,
}
ENDGAME_ORDER = tuple(ENDGAME_CARDS)
TYPE_SCALE = (0, 0, 1, 3, 6, 10)
ESPARTO_SCALE = (0, 0, 1, 5, 10)
ESPARTO_SET_SCALE = (0, 0, 1, 3, 6)
FINAL_PAINTED_VP = 2
FINAL_UNPAINTED_VP = 1
FIRST_PLAYER_TOKEN_VP = 2
RESOURCES_PER_VP = 5

# Solo
_PIECE_ROWS = (  # rounds 1, 2, 3; cards 1, 4, 7 / 2, 5, 8 / 3, 6, 9
    (("plate", "jug"), ("jug", "pot"), ("pot", "plate")),
    (("jug", "pot"), ("pot", "plate"), ("plate", "jug")),
    (("pot", "plate"), ("plate", "jug"), ("jug", "pot")),
)
COMPETITION_CARDS: dict[int, CompetitionCard] = {
    1: CompetitionCard((0, 0), ("move", "right", "left"), _PIECE_ROWS[0]),
    2: CompetitionCard((0, 1), ("discard", "left", "right"), _PIECE_ROWS[1]),
    3: CompetitionCard((0, 2), ("move", "below", "above"), _PIECE_ROWS[2]),
    4: CompetitionCard((1, 0), ("discard", "above", "below"), _PIECE_ROWS[0]),
    5: CompetitionCard((1, 1), ("stay",), _PIECE_ROWS[1]),
    6: CompetitionCard((1, 2), ("discard", "left", "right"), _PIECE_ROWS[2]),
    7: CompetitionCard((2, 0), ("move", "above", "below"), _PIECE_ROWS[0]),
    8: CompetitionCard((2, 1), ("discard", "above", "below"), _PIECE_ROWS[1]),
    9: CompetitionCard((2, 2), ("move", "left", "right"), _PIECE_ROWS[2]),
}
BUMP_VP = {"normal": 3, "advanced": 5, "expert": 5}
COMPETITION_SMALL_VP = {"normal": 1, "advanced": 1, "expert": 2}  # ruling P24

# Decks and the order of the cards in the box
WHEEL_IDS = tuple(card for card in WHEELS if card.startswith("W"))
ESPARTO_IDS = tuple(card for card in ESPARTO if card != "E0")
CLEANUP_IDS = tuple(card for card in CLEANUP if card != "C00")
WORKSHOP_IDS = tuple(card for card in WORKSHOPS if card != "Y00")
GLAZE_KILN_IDS = tuple(card for card in GLAZE_KILNS if card != "G00")
FIRING_KILN_IDS = tuple(card for card in FIRING_KILNS if card != "F00")
DECKS: tuple[tuple[str, ...], ...] = (
    WHEEL_IDS + ESPARTO_IDS * ESPARTO_COPIES,
    CLEANUP_IDS + WORKSHOP_IDS,
    GLAZE_KILN_IDS + FIRING_KILN_IDS,
)
DRAFT_ROWS, DRAFT_COLUMNS = 3, 5
_BOX_ORDER = {
    card: place
    for place, card in enumerate(
        WHEEL_IDS + ESPARTO_IDS + CLEANUP_IDS + WORKSHOP_IDS + GLAZE_KILN_IDS + FIRING_KILN_IDS
    )
}
_TYPES = {
    "W": "wheel",
    "S": "wheel",
    "E": "esparto",
    "C": "cleanup",
    "F": "firing_kiln",
    "G": "glaze_kiln",
    "Y": "workshop",
}


def card_type(card: str) -> str:
    return _TYPES[card[0]]


def card_cost(card: str) -> Amounts:
    match card_type(card):
        case "wheel":
            return WHEELS[card].cost
        case "esparto":
            return ESPARTO[card].cost
        case "cleanup":
            return CLEANUP[card].cost
        case kind:
            return SIDE_CARDS[kind][card].cost


SIDE_CARDS: dict[str, dict[str, SideCard]] = {
    "firing_kiln": FIRING_KILNS,
    "workshop": WORKSHOPS,
    "glaze_kiln": GLAZE_KILNS,
}


def sort_cards(cards: list[str]) -> list[str]:
    return sorted(cards, key=_BOX_ORDER.__getitem__)


def sort_endgame(kinds: list[str]) -> list[str]:
    return sorted(kinds, key=ENDGAME_ORDER.index)
