"""The page of results: every figure in it is computed from the games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from nijar_env import Box
from nijar_env.components.vocabulary import DIFFICULTIES

from . import balance as balance_tables
from .plots import PlotError, solo_plots, tournament_plots
from .provenance import measured_with
from .ratings import elo_ratings
from .records import GameRecord
from .solo_report import (
    SoloCell,
    differences,
    pace_sheet,
    results_sheet,
    solo_cells,
    sources_sheet,
)
from .stats import bootstrap_interval, excludes, half_width, win_rate_interval
from .text import NOTHING, Sheet, percent, signed, signed_percent
from .tournament_report import elo_text, sheets, tournament_tables

_PRECISION_GAMES = (100, 1000, 10_000)


@dataclass(frozen=True)
class Claim:
    """That one agent is better than another."""

    better: str
    worse: str


@dataclass(frozen=True)
class Part:
    """A stage's games.

    Attributes:
        name: of the stage.
        command: that plays the same games.
        size: how many there are when it is complete.
        records: those that there are.
    """

    name: str
    command: str
    size: int
    records: tuple[GameRecord, ...]

    @property
    def complete(self) -> bool:
        """Whether no game is missing."""
        return len(self.records) == self.size


# --- the tables that are the page's own ---------------------------------------------------------


def ladder_sheet(records: Sequence[GameRecord], anchor: str) -> Sheet | None:
    """The agents by their Elo with two players, with what they do solo."""
    pairs = [record for record in records if record.num_players == 2]
    solo = {(cell.agent, cell.difficulty): cell for cell in solo_cells(records)}
    players = {agent for record in pairs for agent in record.agents}
    elo = {}
    if len(players) > 1:
        elo = elo_ratings(pairs, anchor=anchor if anchor in players else None)
    agents = [*elo, *dict.fromkeys(agent for agent, _ in solo if agent not in elo)]
    if not agents:
        return None
    levels = [d for d in DIFFICULTIES if any(level == d for _, level in solo)]
    rows = [
        [
            f"{rank}.",
            agent,
            elo_text(elo.get(agent)),
            *(text for d in levels for text in _solo_cells(solo.get((agent, d)))),
        ]
        for rank, agent in enumerate(agents, 1)
    ]
    headings = ["", "agent", "Elo\n[95 %]"]
    for level in levels:
        headings += [f"{level}:\nwins\n[95 %]", "\nmargin\n[95 %]"]
    note = (
        f"Elo: from all games of two players, {anchor} at 0. normal, advanced, expert: solo "
        "against the Competition at that difficulty; margin: own VP less the Competition's."
    )
    if any(rating.separated for rating in elo.values()):
        note += (
            " *: always before, or always behind, those it met: the points rest on the prior "
            "and say only that the distance is large."
        )
    return Sheet("The ladder", headings, rows, names=2, folds=1, note=note)


def _solo_cells(cell: SoloCell | None) -> tuple[str, str]:
    if cell is None:
        return NOTHING, NOTHING
    return percent(cell.win_rate), signed(bootstrap_interval(cell.margin))


def _yes(excluded: bool, value: float) -> str:
    """Whether a claim holds."""
    if not excluded:
        return "no: not told apart"
    return "yes" if value > 0 else "yes, but the other way round"


def claims_sheet(records: Sequence[GameRecord], claims: Sequence[Claim]) -> Sheet:
    """Each claim in each kind of game, and whether its interval excludes equality."""
    rows: list[list[str]] = []
    for claim in claims:
        rows += [*_solo_claims(records, claim), *_pair_claims(records, claim)]
    headings = ["claim", "games", "deals", "difference [95 %]", "excludes equality?"]
    note = (
        "Solo: the mean difference of the margins, and of the win rates in percentage points, on "
        "the same deals. Two players: every deal with both seatings. An interval that excludes "
        "equality by little may do so by chance: of twenty true equalities one looks like that."
    )
    return Sheet("What the games say", headings, rows, names=2, note=note)


def _solo_claims(records: Sequence[GameRecord], claim: Claim) -> Iterator[list[str]]:
    name = f"{claim.better} – {claim.worse}"
    own = [r for r in records if r.agents in ((claim.better,), (claim.worse,))]
    for d in differences(solo_cells(own), claim.worse):
        where, pairs = f"solo, {d.difficulty}", f"{d.pairs:,}"
        vp, wins = excludes(d.margin, 0), excludes(d.win_rate, 0)
        yield [name, where, pairs, f"{signed(d.margin)} VP", _yes(vp, d.margin.value)]
        text = f"{signed_percent(d.win_rate)} points"
        yield [name, f"{where}: wins", pairs, text, _yes(wins, d.win_rate.value)]


def _pair_claims(records: Sequence[GameRecord], claim: Claim) -> Iterator[list[str]]:
    both = sorted([claim.better, claim.worse])
    met = [r for r in records if r.num_players == 2 and sorted(r.agents) == both]
    if not met:
        return
    name = f"{claim.better} – {claim.worse}"
    deals = [record.deal for record in met]
    number = f"{len(set(deals)):,}"
    margin = bootstrap_interval([_margin(record, claim.better) for record in met], deals)
    won = win_rate_interval([_won(record, claim.better) for record in met], deals)
    vp, wins = excludes(margin, 0), excludes(won, 0.5)
    yield [name, "2 players", number, f"{signed(margin)} VP", _yes(vp, margin.value)]
    yield [name, "2 players: wins", number, f"{percent(won)} won", _yes(wins, won.value - 0.5)]


def _margin(record: GameRecord, agent: str) -> int:
    """VP of the agent less the other's, of two."""
    return sum(seat.vp if seat.agent == agent else -seat.vp for seat in record.seats)


def _won(record: GameRecord, agent: str) -> bool:
    return any(seat.agent == agent and seat.place == 0 for seat in record.seats)


def precision_sheet(records: Sequence[GameRecord], claims: Sequence[Claim]) -> Sheet | None:
    """How far the games scatter, and how well so many would know a mean."""
    rows = []

    def add(what: str, values: npt.NDArray[np.float64]) -> None:
        if len(values) > 1:
            deviation = float(values.std(ddof=1))
            widths = [f"±{half_width(deviation, games):.2f}" for games in _PRECISION_GAMES]
            rows.append([what, f"{deviation:.1f}", *widths])

    cells = solo_cells(records)
    for cell in cells:
        add(f"solo margin: {cell.agent}, {cell.difficulty}", cell.margin.astype(np.float64))
    for claim in claims:
        for d in DIFFICULTIES:
            one, other = (
                {g.deal: g.seats[0].vp - g.seats[1].vp for g in cell.games}
                for agent in (claim.better, claim.worse)
                for cell in _first(cells, agent, d)
            )
            shared = sorted(one.keys() & other.keys())
            values = np.array([one[deal] - other[deal] for deal in shared], np.float64)
            add(f"paired difference: {claim.better} – {claim.worse}, {d}", values)
        both = sorted([claim.better, claim.worse])
        deals: dict[int, list[int]] = {}
        for record in records:
            if record.num_players == 2 and sorted(record.agents) == both:
                deals.setdefault(record.deal, []).append(_margin(record, claim.better))
        means = np.array([np.mean(margins) for margins in deals.values()])
        add(f"margin, 2 players, mean of a deal's games: {claim.better} – {claim.worse}", means)
    headings = ["what", "standard deviation", *(f"{n:,} deals" for n in _PRECISION_GAMES)]
    note = "VP. The last columns: half the width of the 95 % interval of a mean of so many deals."
    return Sheet("How well a mean is known", headings, rows, note=note) if rows else None


def _first(cells: Sequence[SoloCell], agent: str, difficulty: str) -> list[SoloCell]:
    """The cell in a list; one without games if there is none."""
    found = [c for c in cells if (c.agent, c.difficulty) == (agent, difficulty)]
    return found or [SoloCell(agent, difficulty, ())]


def summary_sheets(
    records: Sequence[GameRecord], claims: Sequence[Claim], anchor: str
) -> list[Sheet]:
    """What stands first on the page."""
    ladder = ladder_sheet(records, anchor)
    return [*([ladder] if ladder else []), claims_sheet(records, claims)]


# --- the page -----------------------------------------------------------------------------------


def page(
    parts: Sequence[Part],
    *,
    claims: Sequence[Claim],
    anchor: str,
    balance: Sequence[str],
    box: Box,
    seed: int,
    command: str,
    images: Path,
) -> tuple[str, str]:
    """The page in Markdown, and a line that says what is missing from it, or "".

    Args:
        images: the folder, beside the page, that its pictures are written to.
    """
    records = [record for part in parts if part.complete for record in part.records]
    solo = [record for record in records if record.difficulty]
    trouble = ""
    try:
        pictures = [*solo_plots(solo, images), *tournament_plots(records, images, anchor=anchor)]
    except PlotError as error:
        pictures, trouble = [], f"no pictures: {error}"
    shown = {path.stem: f"{images.name}/{path.name}" for path in pictures}

    def picture(name: str) -> list[str]:
        return [f"![{name.replace('-', ' ')}]({shown[name]})\n"] if name in shown else []

    out = [
        "# Results\n",
        "Written by a command; no figure is typed by hand. What the words mean, and how to read an "
        "interval, stands in [evaluation.md](evaluation.md).\n",
        measured_with(box, seed, command),
        *_missing(parts),
    ]
    out += [sheet.markdown(2) for sheet in summary_sheets(records, claims, anchor)]
    if solo:
        cells = solo_cells(solo)
        out += ["## Solo\n", results_sheet(cells, "Against the Competition").markdown()]
        out += [*picture("solo-margins"), *picture("solo-scores")]
        out += [sources_sheet(cells).markdown(), *picture("solo-sources")]
        out.append(pace_sheet(cells).markdown())
    for table in tournament_tables(records, anchor):
        name = f"{table.players}-players"
        ranking, *others = sheets(table, "Ranking")
        out += [f"## {table.players} players\n", ranking.markdown(), *picture(f"ratings-{name}")]
        out += [sheet.markdown() for sheet in others]
        out += picture(f"cross-{name}")
    fit = [record for record in records if set(record.agents) <= set(balance)]
    if fit:
        out += [f"## Balance of the game, as {' and '.join(balance)} play it\n"]
        out.append(balance_tables.as_markdown(fit))
    precision = precision_sheet(records, claims)
    out += [precision.markdown(2)] if precision else []
    out.append(_stages(parts))
    return "\n".join(out), trouble


def _missing(parts: Sequence[Part]) -> list[str]:
    """A line about stages that are not complete; their games are not on the page."""
    open_ = [f"{p.name} ({len(p.records):,} of {p.size:,} games)" for p in parts if not p.complete]
    return [f"Not complete, and left out: {', '.join(open_)}.\n"] if open_ else []


def _stages(parts: Sequence[Part]) -> str:
    rows = [[p.name, p.command, f"{len(p.records):,}"] for p in parts if p.complete]
    title = "The games, and commands that play them one stage at a time"
    return Sheet(title, ["stage", "command", "games"], rows, names=2).markdown(2)
