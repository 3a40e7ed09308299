"""The files of a box folder and their sections.

`SECTIONS` lists every section of every file. Counts and limits that the sizes of actions and
observations rest on are `fixed`: they stand in the files with their source, and another value is
refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

import msgspec

from . import schema as e
from . import vocabulary as v

T = TypeVar("T", bound=msgspec.Struct)
Fixed = Mapping[str, Any]


@dataclass(frozen=True)
class Section(Generic[T]):
    """One `[table]` or `[[array of tables]]` of a file.

    `many` tells the two apart; `count` is the number of entries where that is fixed; `fixed` holds
    the fields that may not be changed, entry by entry.
    """

    file: str
    name: str
    type: type[T]
    many: bool = False
    count: int | None = None
    fixed: tuple[Fixed, ...] = ()


def _table(file: str, name: str, kind: type[T], **fixed: Any) -> Section[T]:
    return Section(file, name, kind, fixed=(fixed,))


def _array(file: str, name: str, kind: type[T], field: str, values: tuple[Any, ...]) -> Section[T]:
    """An array of a fixed number of entries, one field of which names them in a fixed order."""
    return Section(file, name, kind, True, len(values), tuple({field: value} for value in values))


FORMAT: Final = 1

BOX: Final = _table("box.toml", "box", e.Header, format=FORMAT)
RULES: Final = _table("box.toml", "rules", e.Rules)
WHEELS: Final = Section("wheels.toml", "card", e.WheelCard, many=True)
ESPARTO: Final = Section("esparto.toml", "card", e.EspartoCard, many=True)
CLEANUP: Final = Section("cleanup.toml", "card", e.CleanupCard, many=True)
WORKSHOPS: Final = Section("workshops.toml", "card", e.WorkshopCard, many=True)
GLAZE_KILNS: Final = Section("glaze_kilns.toml", "card", e.KilnCard, many=True)
FIRING_KILNS: Final = Section("firing_kilns.toml", "card", e.KilnCard, many=True)

_START: Final = "starting_cards.toml"
COMBINATIONS: Final = _table(_START, "combinations", e.Combinations, more_than_players=1, solo=2)
START_WHEELS: Final = _array(_START, "wheel", e.StartWheel, "id", v.START_WHEEL_IDS)
START_RESOURCES: Final = _array(_START, "resources", e.StartResources, "id", v.START_RESOURCE_IDS)
START_CLEANUP: Final = _table(_START, "cleanup", e.StartCleanup, id=v.START_CARD_IDS[0])
START_FIRING_KILN: Final = _table(_START, "firing_kiln", e.StartKiln, id=v.START_CARD_IDS[1])
START_GLAZE_KILN: Final = _table(_START, "glaze_kiln", e.StartKiln, id=v.START_CARD_IDS[2])
START_WORKSHOP: Final = _table(_START, "workshop", e.StartWorkshop, id=v.START_CARD_IDS[3])

_BOARD: Final = "workshop_board.toml"
WHEEL_SPACES: Final = Section(_BOARD, "wheel_space", e.PrintedSpace, True, v.WHEEL_SPACES)
ESPARTO_SPACES: Final = Section(_BOARD, "esparto_space", e.PrintedSpace, True, v.ESPARTO_SPACES)
PRINTED_ESPARTO: Final = _table(_BOARD, "printed_esparto", e.PrintedEsparto, id=v.START_CARD_IDS[4])

ACTION_TILES: Final = Section("action_tiles.toml", "tile", e.ActionTile, True, v.NUM_TILES)
BONUS_TILES: Final = Section("bonus_tiles.toml", "tile", e.BonusTile, True, v.NUM_BONUS_TILES)
BONUS_AMOUNTS: Final = _table("bonus_tiles.toml", "amounts", e.BonusAmounts)

_MAIN: Final = "main_board.toml"
ACTION_BOARD: Final = _table(
    _MAIN,
    "action_board",
    e.ActionBoard,
    rows=v.BOARD_ROWS,
    columns=v.BASE_COLUMNS,
    column_a_players=3,
    column_b_players=4,
)
SPECIAL_ACTION: Final = _table(
    _MAIN, "special_action", e.SpecialAction, bonus_tiles=2, printed_bonus="esparto"
)
DRAFT_AREA: Final = _table(
    _MAIN, "draft_area", e.DraftArea, rows=v.DRAFT_ROWS, columns=v.DRAFT_COLUMNS
)


def _deck(row: int) -> Fixed:
    types = [code for code, deck in enumerate(v.TYPE_DECK) if deck == row]
    return {
        "row": row,
        "types": [v.CARD_TYPES[code] for code in types],
        "cards_of_each": v.TYPE_COPIES[types[0]],
    }


DECKS: Final = Section(
    _MAIN, "deck", e.Deck, True, v.NUM_DECKS, tuple(_deck(row) for row in range(v.NUM_DECKS))
)

MARKET: Final = _table("market.toml", "track", e.MarketTrack)
MARKET_START: Final = _table("market.toml", "start", e.MarketStart)
DEMAND: Final = _table("market.toml", "demand", e.Demand)
DICE: Final = _table("market.toml", "dice", e.Dice, count=3, sides=6)
TRACKS: Final = _array(
    "first_player_track.toml",
    "track",
    e.FirstPlayerTrack,
    "players",
    tuple(range(1, v.MAX_PLAYERS + 1)),
)

_PLAYERS: Final = "players.toml"
LIMITS: Final = _table(_PLAYERS, "limits", e.Limits, clay=v.CLAY_CAP, cleaning_area=v.CLEANING_CAP)
CRAFTSWOMEN: Final = _table(_PLAYERS, "craftswomen", e.Craftswomen, rounds=[7, 6, 5])
STARTING_HAND: Final = _table(
    _PLAYERS, "starting_hand", e.StartingHand, endgame_cards=v.HAND_ENDGAME, cards_of_each_deck=1
)
SHOP_CARD: Final = _table(_PLAYERS, "shop_card", e.ShopCard)
EXTRACT_CLAY: Final = _table(_PLAYERS, "extract_clay", e.ExtractClay)
TECHNOLOGY: Final = _table(_PLAYERS, "technology", e.Technology)
SHAPE: Final = _table(_PLAYERS, "shape", e.Shape)
CLEAN: Final = _table(_PLAYERS, "clean", e.Clean, more_than_cleanup_cards=1)

_SUPPLY: Final = "supply.toml"
SUPPLY_PG: Final = _table(_SUPPLY, "perra_gorda", e.Tokens, ones=34, fives=4)
SUPPLY_GLAZE: Final = _table(_SUPPLY, "glaze", e.Tokens, ones=22, fives=4)
SUPPLY_CRACKS: Final = _table(_SUPPLY, "cracks", e.Count, count=32)
SUPPLY_VASES: Final = _table(_SUPPLY, "vases", e.Count, count=20)
SUPPLY_PIECES: Final = _table(_SUPPLY, "pieces", e.PieceSupply, for_each_player=4, solo=8)

ENDGAME_CARDS: Final = _array("endgame.toml", "card", e.EndgameCard, "kind", v.ENDGAME_KINDS)
SCALES: Final = _table("endgame.toml", "scales", e.Scales)
FINAL_SCORING: Final = _table("endgame.toml", "final_scoring", e.FinalScoring)

COMPETITION_CARDS: Final = _array(
    "competition.toml",
    "card",
    e.CompetitionCard,
    "number",
    tuple(range(1, v.NUM_COMPETITION_CARDS + 1)),
)
DIFFICULTIES: Final = _array("competition.toml", "difficulty", e.Difficulty, "name", v.DIFFICULTIES)

SECTIONS: Final[tuple[Section[Any], ...]] = (
    BOX,
    RULES,
    WHEELS,
    ESPARTO,
    CLEANUP,
    WORKSHOPS,
    GLAZE_KILNS,
    FIRING_KILNS,
    COMBINATIONS,
    START_WHEELS,
    START_RESOURCES,
    START_CLEANUP,
    START_FIRING_KILN,
    START_GLAZE_KILN,
    START_WORKSHOP,
    WHEEL_SPACES,
    ESPARTO_SPACES,
    PRINTED_ESPARTO,
    ACTION_BOARD,
    SPECIAL_ACTION,
    DRAFT_AREA,
    DECKS,
    ACTION_TILES,
    BONUS_TILES,
    BONUS_AMOUNTS,
    MARKET,
    MARKET_START,
    DEMAND,
    DICE,
    TRACKS,
    LIMITS,
    CRAFTSWOMEN,
    STARTING_HAND,
    SHOP_CARD,
    EXTRACT_CLAY,
    TECHNOLOGY,
    SHAPE,
    CLEAN,
    SUPPLY_PG,
    SUPPLY_GLAZE,
    SUPPLY_CRACKS,
    SUPPLY_VASES,
    SUPPLY_PIECES,
    ENDGAME_CARDS,
    SCALES,
    FINAL_SCORING,
    COMPETITION_CARDS,
    DIFFICULTIES,
)
FILES: Final = tuple(dict.fromkeys(section.file for section in SECTIONS))
# The game cards by type, in the order of `vocabulary.CARD_TYPES`.
GAME_CARDS: Final[tuple[Section[Any], ...]] = (
    WHEELS,
    ESPARTO,
    CLEANUP,
    WORKSHOPS,
    GLAZE_KILNS,
    FIRING_KILNS,
)
