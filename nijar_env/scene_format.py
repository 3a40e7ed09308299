"""The scene format: the structure of `Game.to_dict`, checked by msgspec.

Plain JSON with names instead of codes. What each field means in the game is checked by
`scene_read`; here stand names, types and simple ranges. See docs/state.md.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

FORMAT = "nijar-scene-1"

Count = Annotated[int, Meta(ge=0, le=10_000)]
Few = Annotated[int, Meta(ge=0, le=100)]  # what the record keeps in a byte
Steps = Annotated[int, Meta(ge=0, le=1_000_000_000)]  # what grows with the length of a game
Points = Annotated[int, Meta(ge=-10_000, le=10_000)]
Seat = Annotated[int, Meta(ge=0, le=3)]
Phase = Literal["setup", "market", "turns", "end_of_round", "finished"]
PieceName = Literal["plate", "jug", "pot"]
Shop = Literal["open", "closed"]
Cards = Annotated[list[str], Meta(max_length=80)]
Space = tuple[Annotated[int, Meta(ge=0, le=2)], Annotated[int, Meta(ge=0, le=4)]]


class _Part(Struct, forbid_unknown_fields=True, kw_only=True):
    pass


class BoxPart(_Part, kw_only=True):
    """The box the scene was written with."""

    name: str
    fingerprint: str


class Pieces(_Part, kw_only=True):
    """A number for each piece."""

    plate: Few
    jug: Few
    pot: Few


class Combination(_Part, kw_only=True):
    """A starting combination (§4.3)."""

    wheel: str
    resources: str


class Demand(_Part, kw_only=True):
    """Demand tiles of the three rounds, by piece."""

    plate: Annotated[list[Few], Meta(min_length=3, max_length=3)]
    jug: Annotated[list[Few], Meta(min_length=3, max_length=3)]
    pot: Annotated[list[Few], Meta(min_length=3, max_length=3)]


class Market(_Part, kw_only=True):
    """Demand, marker rows and dice (§7.1)."""

    demand: Demand
    position: Pieces
    dice: Annotated[list[Annotated[int, Meta(ge=1, le=6)]], Meta(max_length=3)]


class Craftswomen(_Part, kw_only=True):
    """The craftswomen on an action space."""

    owner: Seat
    count: Annotated[int, Meta(ge=1, le=7)]


class Board(_Part, kw_only=True):
    """The action board: tiles and craftswomen (§7.2.1)."""

    tiles: list[list[list[str] | str]]
    bonuses: list[str]
    special_bonuses: list[str]
    spaces: list[list[Craftswomen | None]]
    special: list[Few]


class Supply(_Part, kw_only=True):
    """What is left of limited components (§5.3)."""

    pg: Count
    glaze: Count
    crack: Count
    vase: Count
    plate: Count
    jug: Count
    pot: Count


class Wheel(_Part, kw_only=True):
    """A wheel and the steps its vase has taken."""

    card: str
    vase: Few | Literal["done"]


class Cleanup(_Part, kw_only=True):
    """A cleanup card and the cracks on it."""

    card: str
    cracks: Few


class Holder(_Part, kw_only=True):
    """A kiln or workshop."""

    card: str
    piece: PieceName | None


class Player(_Part, kw_only=True):
    """All of a player, hidden cards too."""

    vp: Points
    pg: Count
    glaze: Count
    clay: Annotated[int, Meta(ge=0, le=7)]
    cleaning_area: Annotated[int, Meta(ge=0, le=8)]
    technology: Annotated[int, Meta(ge=1, le=3)]
    craftswomen: Annotated[int, Meta(ge=0, le=7)]
    shop: Shop
    shop_craftswomen: Annotated[int, Meta(ge=0, le=7)]
    donkey: Space | None
    hand: Cards
    hand_dealt: Cards | UnsetType = UNSET
    endgame_hand: Cards
    endgame_played: Cards
    endgame_discarded: Cards | UnsetType = UNSET
    wheels: Annotated[list[Wheel | None], Meta(min_length=5, max_length=5)]
    esparto: Annotated[list[str | None], Meta(min_length=4, max_length=4)]
    cleanup: Annotated[list[Cleanup], Meta(max_length=13)]
    firing_kilns: Annotated[list[Holder], Meta(max_length=13)]
    workshops: Annotated[list[Holder], Meta(max_length=13)]
    glaze_kilns: Annotated[list[Holder], Meta(max_length=13)]
    drying: Pieces
    sold: Pieces
    vp_from: dict[str, Points] | UnsetType = UNSET


class CompetitionPieces(_Part, kw_only=True):
    """What stands in its play area."""

    plate: Literal["unpainted", "painted"] | None
    jug: Literal["unpainted", "painted"] | None
    pot: Literal["unpainted", "painted"] | None


class Competition(_Part, kw_only=True):
    """The solo opponent (§12); `deck` has the next card first."""

    vp: Points
    craftswomen: Annotated[int, Meta(ge=0, le=7)]
    shop: Shop
    shop_craftswomen: Annotated[int, Meta(ge=0, le=7)]
    donkey: Space | None
    pieces: CompetitionPieces
    sold: Pieces
    deck: list[int]
    revealed: list[int]
    vp_from: dict[str, Points] | UnsetType = UNSET


class Rng(_Part, kw_only=True):
    """The seed, and the numbers drawn so far from each stream."""

    seed: Annotated[int, Meta(ge=0)]
    draws: dict[str, Steps]


class Scene(_Part, kw_only=True):
    """A whole scene."""

    format: Literal["nijar-scene-1"] = "nijar-scene-1"
    box: BoxPart | UnsetType = UNSET
    num_players: Annotated[int, Meta(ge=1, le=4)]
    difficulty: Literal["normal", "advanced", "expert"] | None = None
    auto_forced: bool = True
    phase: Phase
    round: Annotated[int, Meta(ge=0, le=3)]
    turn_order: list[Seat]
    first_player_track: list[Seat | None]
    current_player: Seat | None
    turn_player: Seat | None
    decisions: Steps = 0
    combinations: list[Combination | None] = []
    market: Market
    board: Board
    draft: Annotated[list[list[str | None]], Meta(min_length=3, max_length=3)]
    decks: Annotated[list[list[str]], Meta(min_length=3, max_length=3)] | UnsetType = UNSET
    deck_seen: Cards = []
    discards: Cards = []
    supply: Supply | UnsetType = UNSET
    players: Annotated[list[Player], Meta(min_length=1, max_length=4)]
    competition: Competition | None = None
    pending: list[dict[str, int | str | list[int] | None]] = []
    rng: Rng | UnsetType = UNSET
