"""The entries of a box's files: one class a kind of entry, with its fields, types and ranges.

msgspec checks structure on these classes; meaning (notation, counts, cross-references) is checked
where `fill` turns entries into numbers. `sections` says which class stands where.
"""

from __future__ import annotations

from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from . import vocabulary as v

Id = Annotated[str, Meta(pattern=r"^[A-Za-z][A-Za-z0-9_-]*\Z", max_length=32)]
Name = Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*\Z", max_length=64)]
CardPoints = Annotated[int, Meta(ge=0, le=20)]
Points = Annotated[int, Meta(ge=0, le=50)]
Amount = Annotated[int, Meta(ge=1, le=20)]
Clay = Annotated[int, Meta(ge=1, le=v.CLAY_CAP)]
Price = Annotated[int, Meta(ge=0, le=20)]
TrackGain = Annotated[int, Meta(ge=-20, le=20)]
Copies = Annotated[int, Meta(ge=1, le=16)]
EndgameCopies = Annotated[int, Meta(ge=0, le=v.NUM_ENDGAME_CARDS)]
CrackSpaces = Annotated[int, Meta(ge=1, le=v.MAX_CARD_SPACES)]
WheelSpaces = Annotated[list[str], Meta(min_length=1, max_length=v.MAX_CARD_SPACES)]
Pair = Annotated[list[str], Meta(min_length=2, max_length=2)]
Steps = Annotated[int, Meta(ge=1, le=8)]
MarketRow = Annotated[int, Meta(ge=0, le=v.MARKET_ROWS - 1)]
MarketColumn = Annotated[list[Points], Meta(min_length=v.MARKET_ROWS, max_length=v.MARKET_ROWS)]


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """box.toml [box]: what the box is called. The only section without sources."""

    KEYS: ClassVar[tuple[str, ...]] = ("name", "version", "format")
    name: Name
    version: Annotated[int, Meta(ge=1, le=9999)]
    format: int


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What every entry has: its source, and other sources of single fields.

    `KEYS` are the fields that name an entry rather than being a value of the game.
    """

    KEYS: ClassVar[tuple[str, ...]] = ()
    source: str
    sources: dict[str, str] = {}


class Card(Entry):
    KEYS: ClassVar[tuple[str, ...]] = ("id",)
    id: Id


class GameCard(Card, kw_only=True):
    cost: str
    copies: Copies = 1


class WheelCard(GameCard):
    play_vp: CardPoints
    spaces: WheelSpaces
    done_vp: CardPoints


class EspartoCard(GameCard):
    rewards: Pair


class CleanupCard(GameCard):
    cracks: CrackSpaces
    reward: str


class KilnCard(GameCard):
    left: str
    right: str


class WorkshopCard(KilnCard):
    paint: str


class StartWheel(Card):
    spaces: WheelSpaces
    done_vp: CardPoints


class StartResources(Card):
    resources: str


class StartCleanup(Card):
    cracks: CrackSpaces
    reward: str


class StartKiln(Card):
    right: str


class StartWorkshop(StartKiln):
    paint: str


class Combinations(Entry):
    more_than_players: int
    solo: int


class PrintedEsparto(Card):
    rewards: Pair


class PrintedSpace(Entry):
    action: str


class Rules(Entry):
    side_icons: str


class ActionTile(Entry):
    actions: Annotated[list[str], Meta(min_length=1, max_length=2)]


class BonusTile(Entry):
    bonus: str
    players: int


class BonusAmounts(Entry):
    clay: Clay
    pg: Amount
    glaze: Amount


class ActionBoard(Entry):
    rows: int
    columns: int
    column_a_players: int
    column_b_players: int


class SpecialAction(Entry):
    bonus_tiles: int
    printed_bonus: str


class DraftArea(Entry):
    rows: int
    columns: int


class Deck(Entry):
    KEYS: ClassVar[tuple[str, ...]] = ("row",)
    row: int
    types: list[str]
    cards_of_each: int


class MarketTrack(Entry):
    painted: MarketColumn
    unpainted: MarketColumn


class MarketStart(Entry):
    solo: MarketRow
    two_players: MarketRow
    three_players: MarketRow
    four_players: MarketRow


class Demand(Entry):
    values: Annotated[list[MarketRow], Meta(min_length=3, max_length=3)]


class Dice(Entry):
    count: int
    sides: int


class FirstPlayerTrack(Entry):
    KEYS: ClassVar[tuple[str, ...]] = ("players",)
    players: int
    pg: list[TrackGain]


class Limits(Entry):
    clay: int
    cleaning_area: int


class Craftswomen(Entry):
    rounds: list[int]


class StartingHand(Entry):
    endgame_cards: int
    cards_of_each_deck: int


class ShopCard(Entry):
    clay: Clay
    pg: Amount
    glaze: Amount


class ExtractClay(Entry):
    prices: Annotated[list[Price], Meta(min_length=3, max_length=3)]


class Technology(Entry):
    steps: Annotated[list[Steps], Meta(min_length=v.MAX_TECHNOLOGY, max_length=v.MAX_TECHNOLOGY)]
    last_space_vp: CardPoints


class Shape(Entry):
    one_piece: str
    two_pieces: str


class Clean(Entry):
    more_than_cleanup_cards: int


class Tokens(Entry):
    ones: int
    fives: int


class Count(Entry):
    count: int


class PieceSupply(Entry):
    for_each_player: int
    solo: int


class EndgameCard(Entry):
    KEYS: ClassVar[tuple[str, ...]] = ("kind",)
    kind: str
    copies: EndgameCopies


class Scales(Entry):
    cards: Annotated[list[Points], Meta(min_length=5, max_length=5)]
    esparto_cards: Annotated[list[Points], Meta(min_length=4, max_length=4)]
    esparto_set: Annotated[list[Points], Meta(min_length=4, max_length=4)]
    sold_piece: CardPoints


class FinalScoring(Entry):
    painted_piece: CardPoints
    unpainted_piece: CardPoints
    lost_for_a_crack: CardPoints
    first_player_token: CardPoints
    resources_for_one_vp: Annotated[int, Meta(ge=1, le=50)]


class CompetitionCard(Entry):
    KEYS: ClassVar[tuple[str, ...]] = ("number",)
    number: int
    space: Annotated[list[Annotated[int, Meta(ge=0, le=2)]], Meta(min_length=2, max_length=2)]
    donkey: str
    round_1: str
    round_2: str
    round_3: str


class Difficulty(Entry):
    KEYS: ClassVar[tuple[str, ...]] = ("name",)
    name: str
    bump_vp: CardPoints
    idle_vp: CardPoints
