"""Everything on the table, and the elementary things that happen to it."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import NamedTuple

from . import box
from .box import Amounts
from .chance import Chance

COMPETITION = 1  # the seat the Competition takes in solo
Space = tuple[int, int]


class Decision(NamedTuple):
    player: int
    options: list[str]


# The rules are generators: they yield a decision and are sent the chosen action name.
Steps = Generator[Decision, str, None]


@dataclass
class Wheel:
    card: str
    vase: int = 0  # steps taken; 0 is the grey first space
    completed: bool = False

    @property
    def movable(self) -> bool:
        """False too on the last space, while its benefit is being resolved (ruling H08)."""
        return not self.completed and self.vase < len(box.WHEELS[self.card].spaces)


@dataclass
class Cleanup:
    card: str
    cracks: int = 0

    @property
    def full(self) -> bool:
        return self.cracks >= box.CLEANUP[self.card].spaces


@dataclass
class Holder:
    """A kiln or glazing workshop with room for one piece."""

    card: str
    piece: str | None = None


def no_pieces() -> dict[str, int]:
    return dict.fromkeys(box.PIECES, 0)


@dataclass
class Player:
    vp: int = 0
    pg: int = 0
    glaze: int = 0
    clay: int = 0
    cleaning_area: int = 0
    technology: int = 1
    craftswomen: int = box.CRAFTSWOMEN
    shop_open: bool = True
    shop_craftswomen: int = 0
    donkey: Space | None = None
    hand: list[str] = field(default_factory=list)
    hand_dealt: list[str] = field(default_factory=list)
    endgame_hand: list[str] = field(default_factory=list)
    endgame_played: list[str] = field(default_factory=list)
    endgame_discarded: list[str] = field(default_factory=list)
    wheels: list[Wheel | None] = field(default_factory=list)
    esparto: list[str | None] = field(default_factory=list)
    cleanup: list[Cleanup] = field(default_factory=list)
    firing_kilns: list[Holder] = field(default_factory=list)
    workshops: list[Holder] = field(default_factory=list)
    glaze_kilns: list[Holder] = field(default_factory=list)
    drying: dict[str, int] = field(default_factory=no_pieces)
    sold: dict[str, int] = field(default_factory=no_pieces)

    def row_of(self, kind: str) -> list[Holder]:
        return {
            "firing_kiln": self.firing_kilns,
            "workshop": self.workshops,
            "glaze_kiln": self.glaze_kilns,
        }[kind]

    def drop_from_hand(self, card: str) -> None:
        """Of equal copies the publicly known one leaves first."""
        self.hand.remove(card)
        if self.hand_dealt.count(card) > self.hand.count(card):
            self.hand_dealt.remove(card)


@dataclass
class Competition:
    vp: int = 0
    craftswomen: int = box.CRAFTSWOMEN
    shop_open: bool = True
    shop_craftswomen: int = 0
    donkey: Space | None = None
    pieces: dict[str, str | None] = field(default_factory=lambda: dict.fromkeys(box.PIECES))
    sold: dict[str, int] = field(default_factory=no_pieces)
    deck: list[int] = field(default_factory=list)
    revealed: list[int] = field(default_factory=list)


@dataclass
class Occupied:
    owner: int
    count: int


@dataclass
class Table:
    chance: Chance
    num_players: int
    difficulty: str | None
    round: int
    phase: str
    turn_order: list[int]
    first_player_track: list[int | None]
    turn_player: int | None
    combinations: list[tuple[str, str] | None]
    demand: dict[str, list[int]]
    position: dict[str, int]
    dice: list[int]
    tiles: list[list[list[str]]]
    bonuses: list[str]
    special_bonuses: list[str]
    spaces: list[list[Occupied | None]]
    special: list[int]
    draft: list[list[str | None]]
    decks: list[list[str]]
    discards: list[str]
    supply: dict[str, int]
    players: list[Player]
    competition: Competition | None

    # --- supply, gains and prices (§5) ---

    def gain(self, seat: int, gains: Amounts) -> None:
        """Gain what the supply and the caps allow; the rest is lost (ruling M02)."""
        player = self.players[seat]
        for what, amount in gains.items():
            match what:
                case "vp":
                    player.vp += amount
                case "clay":
                    player.clay = min(box.CLAY_CAP, player.clay + amount)
                case "pg" | "glaze":
                    taken = min(amount, self.supply[what])
                    self.supply[what] -= taken
                    setattr(player, what, getattr(player, what) + taken)
                case "crack":
                    self._take_cracks(player, amount)
                case _:
                    raise ValueError(what)

    def gain_changes_something(self, seat: int, gains: Amounts) -> bool:
        for what in gains:
            if what == "vp":
                return True
            if what == "clay" and self.players[seat].clay < box.CLAY_CAP:
                return True
            if what in ("pg", "glaze") and self.supply[what] > 0:
                return True
        return False

    def can_pay(self, seat: int, cost: Amounts) -> bool:
        """A crack price needs room in the cleaning area and tokens in the supply (F04, J08)."""
        player = self.players[seat]
        cracks = cost.get("crack", 0)
        if cracks and (
            player.cleaning_area + cracks > box.CLEANING_AREA_SPACES
            or self.supply["crack"] < cracks
        ):
            return False
        return all(
            getattr(player, what) >= amount for what, amount in cost.items() if what != "crack"
        )

    def pay(self, seat: int, cost: Amounts) -> None:
        player = self.players[seat]
        for what, amount in cost.items():
            if what == "crack":
                self._take_cracks(player, amount)
                continue
            setattr(player, what, getattr(player, what) - amount)
            if what != "clay":
                self.supply[what] += amount

    def _take_cracks(self, player: Player, amount: int) -> None:
        player.cleaning_area += amount
        self.supply["crack"] -= amount

    # --- draft area (§8.1) ---

    def rival_donkeys(self, seat: int) -> set[Space]:
        donkeys = [player.donkey for other, player in enumerate(self.players) if other != seat]
        if self.competition is not None and seat != COMPETITION:
            donkeys.append(self.competition.donkey)
        return {space for space in donkeys if space is not None}

    def card_at(self, space: Space) -> str | None:
        """The card on a draft space; None for an empty space and off the grid."""
        row, column = space
        if 0 <= row < box.DRAFT_ROWS and 0 <= column < box.DRAFT_COLUMNS:
            return self.draft[row][column]
        return None

    def available_cards(self, seat: int) -> list[Space]:
        """Draft spaces with a card and without a rival donkey, row by row, left to right."""
        rivals = self.rival_donkeys(seat)
        return [
            (row, column)
            for row in range(box.DRAFT_ROWS)
            for column in range(box.DRAFT_COLUMNS)
            if self.draft[row][column] is not None and (row, column) not in rivals
        ]

    def refill_row(self, row: int) -> None:
        """Left to right from the row's own deck; what it cannot fill stays empty (ruling E13)."""
        for column in range(box.DRAFT_COLUMNS):
            if self.draft[row][column] is None and self.decks[row]:
                self.draft[row][column] = self.decks[row].pop(0)

    def refill(self) -> None:
        for row in range(box.DRAFT_ROWS):
            self.refill_row(row)

    # --- market (§7.2.3) ---

    def sell_price(self, piece: str, painted: bool) -> int:
        return (box.PAINTED_VP if painted else box.UNPAINTED_VP)[self.position[piece]]

    def lower_marker(self, piece: str) -> None:
        self.position[piece] = max(0, self.position[piece] - self.demand[piece][self.round - 1])
