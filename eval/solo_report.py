"""Solo results as numbers with intervals, as tables and as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.text import Text

from nijar_env import Box
from nijar_env.components.vocabulary import DIFFICULTIES
from nijar_env.core.constants import VP_SOURCES

from .provenance import machine_line, measured_with, provenance
from .records import GameRecord, Seat
from .stats import (
    QUANTILES,
    Interval,
    bootstrap_interval,
    paired_difference,
    paired_rate_difference,
    quantiles,
    wilson_interval,
)
from .text import NOTHING, Sheet, figures, milliseconds, percent, signed, signed_percent

FORMAT = "nijar-benchmark-2"
_MARGIN = "margin: the player's VP less the Competition's"
_PACE = "games/s: by the agent's own time, in one process"


@dataclass(frozen=True)
class SoloCell:
    """An agent's games at one difficulty, by deal."""

    agent: str
    difficulty: str
    games: tuple[GameRecord, ...]

    @property
    def seats(self) -> list[Seat]:
        """The agent's."""
        return [game.seats[0] for game in self.games]

    @property
    def own_vp(self) -> npt.NDArray[np.int64]:
        """The player's VP, by game."""
        return np.array([game.seats[0].vp for game in self.games], np.int64)

    @property
    def competition_vp(self) -> npt.NDArray[np.int64]:
        """The Competition's, by game."""
        return np.array([game.seats[1].vp for game in self.games], np.int64)

    @property
    def margin(self) -> npt.NDArray[np.int64]:
        """The first less the second."""
        return self.own_vp - self.competition_vp

    @property
    def won(self) -> npt.NDArray[np.bool_]:
        """Who won by the rules, equal VP included."""
        return np.array([game.seats[0].place == 0 for game in self.games], np.bool_)

    @property
    def win_rate(self) -> Interval:
        """Every deal is one game here, so Wilson's interval holds."""
        return wilson_interval(int(self.won.sum()), len(self.games))

    @property
    def decisions(self) -> int:
        """In all games."""
        return sum(seat.decisions for seat in self.seats)

    @property
    def seconds(self) -> float:
        """That the agent took, in all games."""
        return sum(seat.seconds for seat in self.seats)

    @property
    def games_per_second(self) -> float:
        """By the agent's own time; 0 where none was measured."""
        return len(self.games) / self.seconds if self.seconds > 0 else 0.0

    def vp_from(self) -> dict[str, float]:
        """Mean VP by source, in the order of `VP_SOURCES`; sources that gave none are left out."""
        totals = {s: sum(seat.vp_from.get(s, 0) for seat in self.seats) for s in VP_SOURCES}
        return {source: vp / len(self.games) for source, vp in totals.items() if vp}


def solo_cells(records: Sequence[GameRecord]) -> list[SoloCell]:
    """The solo games of each agent at each difficulty; agents by mean margin, the best first."""
    groups: dict[tuple[str, str], list[GameRecord]] = {}
    for record in records:
        if record.difficulty:
            groups.setdefault((record.seats[0].agent, record.difficulty), []).append(record)
    cells = [
        SoloCell(agent, difficulty, tuple(sorted(games, key=lambda game: game.deal)))
        for (agent, difficulty), games in groups.items()
    ]
    margins: dict[str, list[float]] = {}
    for cell in cells:
        margins.setdefault(cell.agent, []).append(float(cell.margin.mean()))
    return sorted(
        cells,
        key=lambda cell: (
            -float(np.mean(margins[cell.agent])),
            cell.agent,
            DIFFICULTIES.index(cell.difficulty),
        ),
    )


@dataclass(frozen=True)
class Difference:
    """An agent less the reference over the deals that both have played at a difficulty."""

    agent: str
    difficulty: str
    pairs: int
    margin: Interval
    win_rate: Interval


def differences(cells: Sequence[SoloCell], reference: str | None) -> list[Difference]:
    """Every other agent against the reference, where they share deals."""
    theirs = {cell.difficulty: cell for cell in cells if cell.agent == reference}
    out = []
    for cell in cells:
        if cell.agent == reference or cell.difficulty not in theirs:
            continue
        other = theirs[cell.difficulty]
        at = {game.deal: i for i, game in enumerate(other.games)}
        shared = [(i, at[game.deal]) for i, game in enumerate(cell.games) if game.deal in at]
        if not shared:
            continue
        a, b = np.array(shared).T
        out.append(
            Difference(
                cell.agent,
                cell.difficulty,
                len(shared),
                paired_difference(cell.margin[a], other.margin[b]),
                paired_rate_difference(cell.won[a], other.won[b]),
            )
        )
    return out


# --- JSON ---------------------------------------------------------------------------------------


def interval_json(interval: Interval, name: str = "value") -> dict[str, float | None]:
    """An interval as plain data; what is unbounded becomes null."""
    low, high = (x if np.isfinite(x) else None for x in interval[1:])
    return {name: interval.value, "low": low, "high": high}


def _spread(values: npt.NDArray[np.int64]) -> dict[str, Any]:
    """Mean with interval, and quantiles."""
    return {
        **interval_json(bootstrap_interval(values), "mean"),
        "quantiles": dict(zip(map(str, QUANTILES), quantiles(values), strict=True)),
    }


def _cell_json(cell: SoloCell, difference: Difference | None) -> dict[str, Any]:
    return {
        "agent": cell.agent,
        "difficulty": cell.difficulty,
        "games": len(cell.games),
        "wins": int(cell.won.sum()),
        "win_rate": interval_json(cell.win_rate),
        "own_vp": _spread(cell.own_vp),
        "competition_vp": _spread(cell.competition_vp),
        "margin": _spread(cell.margin),
        "difference": difference
        and {
            "pairs": difference.pairs,
            "margin": interval_json(difference.margin),
            "win_rate": interval_json(difference.win_rate),
        },
        "vp_from": cell.vp_from(),
        "decisions_per_game": cell.decisions / len(cell.games),
        "seconds": cell.seconds,
        "seconds_per_decision": cell.seconds / cell.decisions if cell.decisions else None,
        "games_per_second": cell.games_per_second,
        "per_game": {
            "number": [game.deal for game in cell.games],
            "own_vp": cell.own_vp.tolist(),
            "competition_vp": cell.competition_vp.tolist(),
            "won": cell.won.tolist(),
            "decisions": [seat.decisions for seat in cell.seats],
        },
    }


def as_json(
    records: Sequence[GameRecord],
    box: Box,
    seed: int,
    command: str,
    *,
    complete: bool,
    reference: str | None = None,
) -> dict[str, Any]:
    """Everything that was measured, and what it was measured with."""
    cells = solo_cells(records)
    to = {(d.agent, d.difficulty): d for d in differences(cells, reference)}
    return {
        "format": FORMAT,
        "complete": complete,
        **provenance(box, seed, command),
        "reference": reference,
        "results": [_cell_json(cell, to.get((cell.agent, cell.difficulty))) for cell in cells],
    }


def as_text(data: dict[str, Any]) -> str:
    """JSON with a line for each key and each cell, so that it can be read and compared."""
    lines = [f"{json.dumps(k)}: {json.dumps(v)}" for k, v in data.items() if k != "results"]
    cells = ",\n".join(json.dumps(cell, allow_nan=False) for cell in data["results"])
    return "{\n" + ",\n".join(lines) + ',\n"results": [\n' + cells + "\n]}\n"


# --- tables -------------------------------------------------------------------------------------


def _quantiles(values: npt.NDArray[np.int64]) -> str:
    return "/".join(f"{q:.0f}" for q in quantiles(values))


def results_sheet(cells: Sequence[SoloCell], title: str) -> Sheet:
    """A row for each agent and difficulty."""
    rows = [
        [
            cell.agent,
            cell.difficulty,
            f"{len(cell.games):,}",
            percent(cell.win_rate),
            f"{cell.own_vp.mean():.1f}\n{_quantiles(cell.own_vp)}",
            f"{cell.competition_vp.mean():.1f}\n{_quantiles(cell.competition_vp)}",
            signed(bootstrap_interval(cell.margin)) + f"\n{_quantiles(cell.margin)}",
        ]
        for cell in cells
    ]
    headings = [
        "agent",
        "difficulty",
        "games",
        "win rate\n[95 %]",
        "VP: mean,\n10/50/90 %",
        "Competition:\nmean,\n10/50/90 %",
        "margin:\nmean [95 %],\n10/50/90 %",
    ]
    return Sheet(title, headings, rows, names=2, note=_MARGIN)


def difference_sheet(cells: Sequence[SoloCell], reference: str) -> Sheet | None:
    """Every agent less the reference; None where they share no deals."""
    rows = [
        [d.agent, d.difficulty, f"{d.pairs:,}", signed(d.margin), signed_percent(d.win_rate)]
        for d in differences(cells, reference)
    ]
    headings = [
        "agent",
        "difficulty",
        "shared\ndeals",
        "margin\n[95 %]",
        "win rate,\npoints [95 %]",
    ]
    title = f"Difference to {reference} on the same deals"
    return Sheet(title, headings, rows, names=2) if rows else None


def sources_sheet(cells: Sequence[SoloCell]) -> Sheet:
    """Mean VP of the player by source."""
    tables = [cell.vp_from() for cell in cells]
    used = [source for source in VP_SOURCES if any(source in table for table in tables)]
    rows = [
        [
            cell.agent,
            cell.difficulty,
            *(f"{table[source]:.1f}" if source in table else NOTHING for source in used),
            f"{cell.own_vp.mean():.1f}",
        ]
        for cell, table in zip(cells, tables, strict=True)
    ]
    headings = ["agent", "difficulty", *(s.replace("_", "\n") for s in used), "all"]
    return Sheet("Where the player's VP came from, mean a game", headings, rows, names=2)


def pace_sheet(cells: Sequence[SoloCell]) -> Sheet:
    """How many decisions a game takes and how long the agent takes for them."""
    rows = [
        [
            cell.agent,
            cell.difficulty,
            f"{cell.decisions / len(cell.games):.0f}",
            milliseconds(cell.seconds, cell.decisions),
            figures(cell.games_per_second),
        ]
        for cell in cells
    ]
    headings = ["agent", "difficulty", "decisions\na game", "ms a\ndecision", "games/s"]
    return Sheet("Pace", headings, rows, names=2, note=_PACE)


def _sheets(records: Sequence[GameRecord], reference: str | None) -> list[Sheet]:
    cells = solo_cells(records)
    difference = difference_sheet(cells, reference) if reference else None
    sheets = [results_sheet(cells, "Solo games against the Competition")]
    if difference:
        sheets.append(difference)
    return [*sheets, sources_sheet(cells), pace_sheet(cells)]


def print_table(
    console: Console,
    records: Sequence[GameRecord],
    box: Box,
    seed: int,
    version: str,
    *,
    reference: str | None = None,
) -> None:
    """The tables, and below them what they were measured with."""
    for sheet in _sheets(records, reference):
        sheet.show(console)
    console.print(
        Text(
            f"box {box.name}, version {box.version}, fingerprint {box.fingerprint}; seed {seed}; "
            f"nijar-env {version}"
        )
    )
    console.print(Text(machine_line()))


def as_markdown(
    records: Sequence[GameRecord],
    box: Box,
    seed: int,
    command: str,
    *,
    reference: str | None = None,
) -> str:
    """The same as sections of a page."""
    sections = [sheet.markdown() for sheet in _sheets(records, reference)]
    return "\n".join([*sections, measured_with(box, seed, command)])
