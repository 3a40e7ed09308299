"""Games of two to four agents as a ranking, a cross table and win rates by seat."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.console import Console

from .ratings import Elo, Skill, elo_ratings, openskill_ratings
from .records import GameRecord
from .solo_report import interval_json
from .stats import Interval, bootstrap_interval, excludes, win_rate_interval
from .text import NOTHING, Sheet, milliseconds, percent, signed

FORMAT = "nijar-tournament-1"


@dataclass(frozen=True)
class Standing:
    """An agent's results over all the seats that it took.

    Attributes:
        games: a game in which the agent sat twice counts twice.
        place: the mean, from 1.
        margin: its VP less those of the best other seat.
        elo: None where there is nobody else.
        skill: None where openskill is not installed, or there is nobody else.
    """

    agent: str
    games: int
    win_rate: Interval
    place: float
    vp: float
    margin: Interval
    elo: Elo | None
    skill: Skill | None
    decisions: int
    seconds: float


class TournamentTable:
    """The games of one number of players, by seat.

    Args:
        records: all with as many players.
        anchor: the agent whose Elo is 0; without one the mean is 0.
    """

    def __init__(self, records: Sequence[GameRecord], anchor: str | None = None) -> None:
        self.records = sorted(records, key=GameRecord.key)
        self.players = records[0].num_players
        self._anchor = anchor
        seats = [(game, i, seat) for game in self.records for i, seat in enumerate(game.seats)]
        self._agent = np.array([seat.agent for _, _, seat in seats], np.object_)
        self._deal = np.array([game.deal for game, _, _ in seats])
        self._seat = np.array([i for _, i, _ in seats])
        self._first_turn = np.array([seat.first_turn for _, _, seat in seats])
        self._place = np.array([seat.place for _, _, seat in seats])
        self._vp = np.array([seat.vp for _, _, seat in seats])
        vp = self._vp.reshape(-1, self.players)
        best = np.sort(vp, axis=1)[:, ::-1]
        self._margin = (vp - np.where(vp == best[:, :1], best[:, 1:2], best[:, :1])).ravel()

    @property
    def neutral(self) -> float:
        """The win rate of an agent no better and no worse than the others."""
        return 1 / self.players

    @property
    def deals(self) -> int:
        """How many different ones were played."""
        return len(np.unique(self._deal))

    @property
    def even(self) -> bool:
        """Whether all agents met each other equally often."""
        met: Counter[tuple[str, ...]] = Counter()
        for record in self.records:
            met.update(itertools.combinations(sorted(set(record.agents)), 2))
        pairs = len(list(itertools.combinations(set(self._agent.tolist()), 2)))
        return len(met) == pairs and len(set(met.values())) <= 1

    def _wins(self, rows: npt.NDArray[np.bool_]) -> Interval | None:
        """The win rate of these seats."""
        if not rows.any():
            return None
        return win_rate_interval(self._place[rows] == 0, self._deal[rows])

    @cached_property
    def standings(self) -> list[Standing]:
        """The agents, the strongest first."""
        agents = sorted(set(self._agent.tolist()))
        several = len(agents) > 1
        anchor = self._anchor if self._anchor in agents else None
        elo = elo_ratings(self.records, anchor=anchor) if several else {}
        skill = (openskill_ratings(self.records) if several else None) or {}
        out = []
        for agent in agents:
            own = self._agent == agent
            played = [s for game in self.records for s in game.seats if s.agent == agent]
            out.append(
                Standing(
                    agent,
                    int(own.sum()),
                    win_rate_interval(self._place[own] == 0, self._deal[own]),
                    1 + float(self._place[own].mean()),
                    float(self._vp[own].mean()),
                    bootstrap_interval(self._margin[own], self._deal[own]),
                    elo.get(agent),
                    skill.get(agent),
                    sum(seat.decisions for seat in played),
                    sum(seat.seconds for seat in played),
                )
            )
        return sorted(out, key=lambda s: (-s.elo.points.value if s.elo else 0, s.agent))

    def before(self, agent: str, other: str) -> Interval | None:
        """How often `agent` was placed before `other`; None if they never met."""
        agents = self._agent.reshape(-1, self.players)
        places = self._place.reshape(-1, self.players)
        deals = self._deal.reshape(-1, self.players)[:, 0]
        won, met = [], []
        for i in range(self.players):
            for j in range(self.players):
                rows = (agents[:, i] == agent) & (agents[:, j] == other)
                if i != j and agent != other and rows.any():
                    won.append(places[rows, i] < places[rows, j])
                    met.append(deals[rows])
        if not won:
            return None
        return win_rate_interval(np.concatenate(won), np.concatenate(met))

    def by_seat(self, agent: str | None) -> list[Interval | None]:
        """Win rate at each seat; None: of all agents."""
        return self._by(self._seat, agent)

    def by_first_turn(self, agent: str | None) -> list[Interval | None]:
        """Win rate at each place of the turn order of round 1; None: of all agents."""
        return self._by(self._first_turn, agent)

    def _by(self, where: npt.NDArray[np.int64], agent: str | None) -> list[Interval | None]:
        own = np.ones(len(where), np.bool_) if agent is None else self._agent == agent
        return [self._wins(own & (where == i)) for i in range(self.players)]


def tournament_tables(
    records: Sequence[GameRecord], anchor: str | None = None
) -> list[TournamentTable]:
    """A table for each number of players; solo games are passed over."""
    groups: dict[int, list[GameRecord]] = {}
    for record in records:
        if not record.difficulty:
            groups.setdefault(record.num_players, []).append(record)
    return [TournamentTable(groups[players], anchor) for players in sorted(groups)]


# --- JSON ---------------------------------------------------------------------------------------


def _maybe(interval: Interval | None) -> dict[str, float | None] | None:
    return interval and interval_json(interval)


def _standing_json(s: Standing) -> dict[str, Any]:
    return {
        "agent": s.agent,
        "games": s.games,
        "win_rate": interval_json(s.win_rate),
        "place": s.place,
        "vp": s.vp,
        "margin": interval_json(s.margin, "mean"),
        "elo": s.elo and {**interval_json(s.elo.points), "separated": s.elo.separated},
        "openskill": s.skill
        and {"mu": s.skill.mu, "sigma": s.skill.sigma, "ordinal": s.skill.ordinal},
        "seconds_per_decision": s.seconds / s.decisions if s.decisions else None,
    }


def _table_json(table: TournamentTable) -> dict[str, Any]:
    agents = [s.agent for s in table.standings]
    who: list[str | None] = [None, *agents]
    return {
        "players": table.players,
        "games": len(table.records),
        "deals": table.deals,
        "ranking": [_standing_json(s) for s in table.standings],
        "before": {a: {b: _maybe(table.before(a, b)) for b in agents if b != a} for a in agents},
        "by_seat": {a or "all": [_maybe(x) for x in table.by_seat(a)] for a in who},
        "by_first_turn": {a or "all": [_maybe(x) for x in table.by_first_turn(a)] for a in who},
    }


def as_json(records: Sequence[GameRecord], *, anchor: str | None = None) -> dict[str, Any]:
    """The numbers of all tables as plain data."""
    return {
        "format": FORMAT,
        "tables": [_table_json(table) for table in tournament_tables(records, anchor)],
    }


# --- tables -------------------------------------------------------------------------------------


def elo_text(elo: Elo | None) -> str:
    """Points with their interval; a star where they rest on the prior."""
    if elo is None:
        return NOTHING
    if elo.separated:
        return f"{elo.points.value:+.0f} *"
    if elo.points == (0, 0, 0):
        return "0"
    return signed(elo.points, 0)


def ranking_sheet(table: TournamentTable, title: str) -> Sheet:
    """A row for each agent."""
    rows = [
        [
            f"{rank}.",
            s.agent,
            f"{s.games:,}",
            percent(s.win_rate),
            f"{s.place:.2f}\n{s.vp:.1f}",
            signed(s.margin),
            elo_text(s.elo),
            f"{s.skill.mu:.1f}\n±{s.skill.sigma:.1f}" if s.skill else NOTHING,
            milliseconds(s.seconds, s.decisions),
        ]
        for rank, s in enumerate(table.standings, 1)
    ]
    headings = [
        "",
        "agent",
        "games",
        "win rate\n[95 %]",
        "mean\nplace,\nVP",
        "margin\n[95 %]",
        "Elo\n[95 %]",
        "openskill\nmu ±sigma",
        "ms a\ndecision",
    ]
    return Sheet(title, headings, rows, names=2, folds=1, note=_note(table))


def _note(table: TournamentTable) -> str:
    text = (
        f"{len(table.records):,} games of {table.deals:,} deals. "
        f"An agent as good as the others wins {100 * table.neutral:.1f} %. "
        "margin: to the best other seat."
    )
    if not table.even:
        text += (
            " The agents did not meet each other equally often: compare them by Elo and by the "
            "cross table, not by win rate, place or margin."
        )
    if any(s.elo and s.elo.separated for s in table.standings):
        text += (
            " *: always before, or always behind, those it is compared with: the points rest on "
            "the prior and say only that the distance is large."
        )
    if len(table.standings) > 1 and not all(s.skill for s in table.standings):
        text += " openskill is not installed (pip install openskill): its ratings are left out."
    return text


def cross_sheet(table: TournamentTable) -> Sheet | None:
    """Row against column; None for a single agent."""
    agents = [s.agent for s in table.standings]
    if len(agents) < 2:
        return None
    rows = [
        [f"{rank}.", a, *(_share(table.before(a, b)) for b in agents)]
        for rank, a in enumerate(agents, 1)
    ]
    title = "How often the row beats the column"
    if table.players > 2:
        title = "How often the row is placed before the column"
    headings = ["", "agent", *(f"{rank}." for rank in range(1, len(agents) + 1))]
    return Sheet(title, headings, rows, names=2, folds=1)


def _share(interval: Interval | None) -> str:
    return percent(interval) if interval else NOTHING


def _where_sheet(
    table: TournamentTable,
    title: str,
    names: Sequence[str],
    rates: Callable[[str | None], list[Interval | None]],
) -> Sheet:
    agents: list[str | None] = [s.agent for s in table.standings]
    if len(agents) > 1:
        agents.append(None)
    rows = [[a or "all", *map(_share, rates(a))] for a in agents]
    neutral = f"{100 * table.neutral:.1f} %"
    off = [
        name
        for name, rate in zip(names, rates(None), strict=True)
        if rate and excludes(rate, table.neutral)
    ]
    note = f"All agents together: no interval excludes {neutral}."
    if off:
        note = f"All agents together: the interval of {', '.join(off)} excludes {neutral}."
    return Sheet(title, ["agent", *names], rows, note=note)


def sheets(table: TournamentTable, title: str) -> list[Sheet]:
    """All tables of a number of players."""
    cross = cross_sheet(table)
    numbers = range(table.players)
    return [
        ranking_sheet(table, f"{title}: {table.players} players"),
        *([cross] if cross else []),
        _where_sheet(table, "Win rate by seat", [f"seat {i}" for i in numbers], table.by_seat),
        _where_sheet(
            table,
            "Win rate by place in the first turn order",
            [f"place {i + 1}" for i in numbers],
            table.by_first_turn,
        ),
    ]


def print_report(
    console: Console, records: Sequence[GameRecord], *, title: str, anchor: str | None = None
) -> None:
    """All tables of all numbers of players."""
    for table in tournament_tables(records, anchor):
        for sheet in sheets(table, title):
            sheet.show(console)


def as_markdown(
    records: Sequence[GameRecord], *, title: str = "Tournament", anchor: str | None = None
) -> str:
    """The same as sections of a page."""
    return "\n".join(
        sheet.markdown()
        for table in tournament_tables(records, anchor)
        for sheet in sheets(table, title)
    )
