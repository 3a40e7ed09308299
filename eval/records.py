"""A finished game as evaluations keep it: who sat where, how it ended, where the VP came from."""

from __future__ import annotations

from typing import Any

import msgspec


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    """One seat of a finished game.

    Attributes:
        agent: specification of the agent that sat there; "competition" in a solo game's seat 1.
        vp: final victory points, losses included.
        vp_from: VP by source, the names of `nijar_env.core.constants.VP_SOURCES`; sources of 0
            left out.
        place: 0 for the winner, 1 for the second, and so on (ties broken as §11 does).
        first_turn: the seat's place in the turn order of round 1, from 0.
        start_wheel: id of the wheel card of the starting combination; "" for the Competition.
        start_resources: id of its resources, as `nijar components show` names them; likewise.
        decisions: decisions with two or more choices; 0 for the Competition.
        seconds: time that the agent took for them, all in all: its share of the time of calls
            that decided in several games.
        counts: what the workshop held at the end, for tables of strategies; empty for the
            Competition. "wheels" completed; "technology" level; cards in play, starting cards
            included: "firing_kilns", "workshops", "glaze_kilns", "esparto", "cleanup";
            "endgame_cards" played; pieces sold on the market: "sold_plain", "sold_painted"
            (those left in kilns at the end are not among them).
    """

    agent: str
    vp: int
    vp_from: dict[str, int]
    place: int
    first_turn: int
    start_wheel: str = ""
    start_resources: str = ""
    decisions: int = 0
    seconds: float = 0.0
    counts: dict[str, int] = {}


class GameRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One finished game.

    Attributes:
        deal: number of the deal: games of one measurement with the same deal and number of
            players start from the same seed, whoever plays them and at whatever difficulty.
        difficulty: of a solo game; "" with 2-4 players.
        seats: by seat (player number); a solo game has two, the Competition's last.
    """

    deal: int
    difficulty: str
    seats: tuple[Seat, ...]

    @property
    def num_players(self) -> int:
        """1 is solo."""
        return 1 if self.difficulty else len(self.seats)

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents by seat, without the Competition."""
        return tuple(seat.agent for seat in self.seats[: self.num_players])

    def key(self) -> tuple[Any, ...]:
        """What tells games of one measurement apart."""
        return self.difficulty, self.agents, self.deal
