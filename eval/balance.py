"""Does a seat, a start or a strategy dominate? Tables for that from finished games.

VP are compared with the mean of the same agent in the same kind of game (its *par*), so that games
of agents of several strengths, and of several difficulties, can be put together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from nijar_env.components.vocabulary import DIFFICULTIES
from nijar_env.core.constants import VP_SOURCES

from .records import GameRecord, Seat
from .stats import Interval, bootstrap_interval, excludes, win_rate_interval
from .text import NOTHING, Sheet, percent, signed, signed_percent

# What of a workshop is compared, with a name for it.
STRATEGIES = {
    "wheels": "wheels completed",
    "sold_painted": "painted pieces sold",
    "sold_plain": "plain pieces sold",
    "firing_kilns": "firing kilns",
    "glaze_kilns": "glaze kilns",
    "workshops": "workshops",
    "technology": "technology",
    "esparto": "esparto cards",
    "cleanup": "cleanup cards",
    "endgame_cards": "endgame cards played",
}
_LEVELS = 3
_FEW = 20  # games; rows of fewer say nothing


def mode(record: GameRecord) -> str:
    """The kind of game, in words."""
    if record.difficulty:
        return f"solo, {record.difficulty}"
    return f"{record.num_players} players"


def _order(name: str) -> tuple[int, str]:
    solo = name.removeprefix("solo, ")
    return (DIFFICULTIES.index(solo), "") if solo in DIFFICULTIES else (len(DIFFICULTIES), name)


@dataclass(frozen=True)
class Group:
    """Results of the seats that have something in common."""

    name: str
    games: int
    vp: float
    difference: Interval
    win_rate: Interval
    win_difference: Interval


class Seats:
    """The agents' seats of many games, one row each, with what they are compared by.

    Raises:
        ValueError: no games.
    """

    def __init__(self, records: Sequence[GameRecord]) -> None:
        if not records:
            raise ValueError("tables of balance need at least one game")
        rows = [
            (record, seat)
            for record in sorted(records, key=GameRecord.key)
            for seat in record.seats[: record.num_players]
        ]
        self.seats: list[Seat] = [seat for _, seat in rows]
        self.mode = np.array([mode(record) for record, _ in rows])
        self.agent = np.array([seat.agent for seat in self.seats], np.object_)
        self.vp = np.array([seat.vp for seat in self.seats], np.float64)
        self.won = np.array([seat.place == 0 for seat in self.seats], np.bool_)
        # Whom each row's agent plays with.
        self._company = [
            (mode(record), seat.agent, tuple(sorted(record.agents))) for record, seat in rows
        ]
        # A deal gives other games at another difficulty or number of players, but not independent
        # ones.
        self.deal = np.array([record.deal for record, _ in rows])

    @cached_property
    def modes(self) -> list[str]:
        """The kinds of games, solo first."""
        return sorted(set(self.mode.tolist()), key=_order)

    @cached_property
    def _par(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Mean VP and win rate of the agent of each row against the same others."""
        names = sorted(set(self._company))
        row = np.array([names.index(name) for name in self._company])
        games = np.bincount(row)
        return (np.bincount(row, self.vp) / games)[row], (np.bincount(row, self.won) / games)[row]

    def group(self, name: str, rows: npt.NDArray[np.bool_]) -> Group | None:
        """The results of some rows; None if there are none."""
        if not rows.any():
            return None
        vp, wins = self._par
        return Group(
            name,
            int(rows.sum()),
            float(self.vp[rows].mean()),
            bootstrap_interval((self.vp - vp)[rows], self.deal[rows]),
            win_rate_interval(self.won[rows], self.deal[rows]),
            bootstrap_interval((self.won - wins)[rows], self.deal[rows]),
        )

    def groups(
        self, key: Callable[[Seat], str], rows: npt.NDArray[np.bool_] | None = None
    ) -> list[Group]:
        """The results by a property of the seat; seats where it is "" are left out."""
        keys = np.array([key(seat) for seat in self.seats], np.object_)
        inside = np.ones(len(keys), np.bool_) if rows is None else rows
        names = sorted({name for name in keys[inside].tolist() if name})
        made = [self.group(name, inside & (keys == name)) for name in names]
        return [group for group in made if group is not None]


# --- the tables ---------------------------------------------------------------------------------

_HEADINGS = (
    "games",
    "mean VP",
    "VP to par [95 %]",
    "win rate [95 %]",
    "win rate to par, points [95 %]",
)


_CHOSEN = (
    "A start counts where it was chosen, and agents choose what they take for good: "
    "compare rows as results of those choices."
)


def _row(group: Group) -> list[str]:
    few = group.games < _FEW
    return [
        group.name,
        f"{group.games:,}",
        f"{group.vp:.1f}",
        NOTHING if few else signed(group.difference),
        percent(group.win_rate),
        NOTHING if few else signed_percent(group.win_difference),
    ]


def _verdict(groups: Sequence[Group]) -> str:
    """What the intervals of a table say about VP, in words."""
    off = [
        f"{g.name} ({g.difference.value:+.1f})"
        for g in groups
        if g.games >= _FEW and excludes(g.difference, 0)
    ]
    if not off:
        return "No interval of the VP excludes par."
    return f"The interval of the VP excludes par for: {', '.join(off)}."


def _sheet(title: str, first: str, groups: Sequence[Group], note: str = "") -> Sheet:
    text = f"{_verdict(groups)} {note}".strip()
    return Sheet(title, (first, *_HEADINGS), [_row(group) for group in groups], note=text)


def turn_order_sheets(records: Sequence[GameRecord]) -> list[Sheet]:
    """By place in the first turn order, for each number of players above one."""
    several = [record for record in records if not record.difficulty]
    if not several:
        return []
    table, out = Seats(several), []
    for name in table.modes:
        players = int(name.split()[0])
        groups = table.groups(lambda seat: f"{seat.first_turn + 1}.", table.mode == name)
        neutral = f"Chance gives each a win rate of {100 / players:.1f} %."
        off = [g.name for g in groups if excludes(g.win_rate, 1 / players)]
        neutral += f" The interval excludes that for: {', '.join(off)}" if off else ""
        neutral += "." if off else " No interval excludes that."
        out.append(_sheet(f"Place in the first turn order, {name}", "place", groups, neutral))
    return out


def start_sheets(records: Sequence[GameRecord]) -> list[Sheet]:
    """By starting wheel and by starting resources: those that the players chose."""
    out = []
    for solo, kind in ((True, "solo"), (False, "2–4 players")):
        chosen = [record for record in records if bool(record.difficulty) == solo]
        if not chosen:
            continue
        table = Seats(chosen)
        for title, key in (
            ("Starting wheel", lambda seat: seat.start_wheel),
            ("Starting resources", lambda seat: seat.start_resources),
        ):
            out.append(_sheet(f"{title}, {kind}", "start", table.groups(key), _CHOSEN))
    return out


def levels(counts: npt.NDArray[np.int64]) -> list[tuple[int, int]]:
    """Few, middling and many: up to three ranges, with about a third of the games each."""
    values = np.unique(counts)
    if len(values) <= _LEVELS:
        return [(int(v), int(v)) for v in values]
    cuts = sorted({int(q) for q in np.quantile(counts, [1 / 3, 2 / 3], method="lower")})
    cuts = [cut for cut in cuts if cut < values[-1]]
    ends = [*cuts, int(values[-1])]
    starts = [int(values[0]), *(int(values[values > cut][0]) for cut in cuts)]
    return list(zip(starts, ends, strict=True))


def strategy_sheet(records: Sequence[GameRecord], agent: str) -> Sheet | None:
    """An agent's games by how much of each thing it had; None where it plays in none."""
    own = [record for record in records if agent in record.agents]
    if not own:
        return None
    table, rows = Seats(own), []
    theirs = table.agent == agent
    for count, name in STRATEGIES.items():
        counts = np.array([seat.counts.get(count, 0) for seat in table.seats], np.int64)
        ranges = levels(counts[theirs])
        if len(ranges) < 2:
            continue
        for low, high in ranges:
            group = table.group(
                f"{low}" if low == high else f"{low}–{high}",
                theirs & (counts >= low) & (counts <= high),
            )
            if group is not None:
                rows.append([name, *_row(group)])
    note = (
        "These are correlations in games that went as they went: good luck gives both more of a "
        "thing and more VP, and an agent does what its position asks for. They do not say what "
        "doing more of it would bring."
    )
    headings = ("what", "how many", *_HEADINGS)
    return Sheet(f"What {agent} had at the end", headings, rows, names=2, note=note)


def winners_sheets(records: Sequence[GameRecord]) -> list[Sheet]:
    """Mean VP by source, and its share of all, of those who won and those who did not."""
    if not records:
        return []
    table, out = Seats(records), []
    for name in table.modes:
        here = table.mode == name
        both = [np.flatnonzero(here & (table.won == won)) for won in (True, False)]
        if not all(len(rows) for rows in both):
            continue
        means = [
            {s: np.mean([table.seats[i].vp_from.get(s, 0) for i in rows]) for s in VP_SOURCES}
            for rows in both
        ]
        totals = [float(table.vp[rows].mean()) for rows in both]
        lines = [
            [
                source.replace("_", " "),
                *(
                    f"{mean[source]:.1f} ({100 * mean[source] / total:.0f} %)"
                    if total > 0
                    else f"{mean[source]:.1f}"
                    for mean, total in zip(means, totals, strict=True)
                ),
                f"{means[0][source] - means[1][source]:+.1f}",
            ]
            for source in VP_SOURCES
            if means[0][source] or means[1][source]
        ]
        lines.append(
            ["all", *(f"{total:.1f}" for total in totals), f"{totals[0] - totals[1]:+.1f}"]
        )
        headings = (
            "source",
            f"winners ({len(both[0]):,})",
            f"the others ({len(both[1]):,})",
            "difference",
        )
        out.append(Sheet(f"Where VP came from, {name}", headings, lines))
    return out


def as_markdown(records: Sequence[GameRecord], agents: Sequence[str] | None = None) -> str:
    """All tables as sections of a page.

    Args:
        agents: whose strategies are shown; None: of all.
    """
    if not records:
        return "No games.\n"
    names = sorted({a for r in records for a in r.agents}) if agents is None else agents
    strategies = [sheet for a in names if (sheet := strategy_sheet(records, a)) is not None]
    introduction = (
        "Par is the mean of the same agent against the same others in the same kind of game. "
        "Intervals are 95 %, over deals; of twenty such intervals one excludes the truth by "
        "chance, so read a single one with care.\n"
    )
    sheets = [
        *turn_order_sheets(records),
        *start_sheets(records),
        *strategies,
        *winners_sheets(records),
    ]
    return "\n".join([introduction, *(sheet.markdown() for sheet in sheets)])
