"""Solo results as numbers with intervals, as a table and as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from nijar_env import Box

from .match import SoloResults
from .provenance import machine_line, provenance
from .stats import QUANTILES, Interval, mean_interval, quantiles, wilson_interval

FORMAT = "nijar-benchmark-1"


@dataclass(frozen=True)
class Cell:
    """An agent's games at one difficulty."""

    agent: str
    difficulty: str
    results: SoloResults


def _spread(values: Sequence[int]) -> dict[str, Any]:
    """Mean with interval, and quantiles."""
    mean = mean_interval(values)
    return {
        "mean": mean.value,
        "low": _finite(mean.low),
        "high": _finite(mean.high),
        "quantiles": dict(zip(map(str, QUANTILES), quantiles(values), strict=True)),
    }


def _finite(value: float) -> float | None:
    return value if np.isfinite(value) else None


def _rate(results: SoloResults) -> float:
    return len(results) / results.seconds if results.seconds > 0 else 0.0


def summary(cell: Cell) -> dict[str, Any]:
    """The measured numbers of a cell with games in it, and every game's result."""
    r = cell.results
    win = wilson_interval(sum(r.won), len(r))
    margin = [own - other for own, other in zip(r.own_vp, r.competition_vp, strict=True)]
    return {
        "agent": cell.agent,
        "difficulty": cell.difficulty,
        "games": len(r),
        "wins": sum(r.won),
        "win_rate": win._asdict(),
        "own_vp": _spread(r.own_vp),
        "competition_vp": _spread(r.competition_vp),
        "margin": _spread(margin),
        "decisions_per_game": sum(r.decisions) / len(r),
        "seconds": r.seconds,
        "games_per_second": _rate(r),
        "per_game": {
            "number": r.numbers,
            "own_vp": r.own_vp,
            "competition_vp": r.competition_vp,
            "won": r.won,
            "decisions": r.decisions,
        },
    }


def as_json(
    cells: Sequence[Cell], box: Box, seed: int, command: str, *, complete: bool
) -> dict[str, Any]:
    """Everything that was measured, and what it was measured with."""
    return {
        "format": FORMAT,
        "complete": complete,
        **provenance(box, seed, command),
        "results": [summary(cell) for cell in cells if len(cell.results)],
    }


def as_text(data: dict[str, Any]) -> str:
    """JSON with a line for each key and each cell, so that it can be read and compared."""
    lines = [f"{json.dumps(k)}: {json.dumps(v)}" for k, v in data.items() if k != "results"]
    cells = ",\n".join(json.dumps(cell, allow_nan=False) for cell in data["results"])
    return "{\n" + ",\n".join(lines) + ',\n"results": [\n' + cells + "\n]}\n"


def _percent(rate: Interval) -> str:
    return f"{100 * rate.value:.1f}%\n[{100 * rate.low:.1f}, {100 * rate.high:.1f}]"


def _tenths(values: Sequence[int]) -> str:
    return "/".join(f"{q:.0f}" for q in quantiles(values))


def _row(cell: Cell) -> list[str]:
    r = cell.results
    margin = [own - other for own, other in zip(r.own_vp, r.competition_vp, strict=True)]
    mean = mean_interval(margin)
    spread = f" [{mean.low:+.1f}, {mean.high:+.1f}]" if np.isfinite(mean.low) else ""
    return [
        cell.agent,
        cell.difficulty,
        f"{len(r):,}",
        _percent(wilson_interval(sum(r.won), len(r))),
        f"{np.mean(r.own_vp):.1f}\n{_tenths(r.own_vp)}",
        f"{np.mean(r.competition_vp):.1f}\n{_tenths(r.competition_vp)}",
        f"{mean.value:+.1f}{spread}\n{_tenths(margin)}",
        f"{np.mean(r.decisions):.0f}",
        f"{_rate(r):,.1f}",
    ]


def print_table(console: Console, cells: Sequence[Cell], box: Box, seed: int, version: str) -> None:
    """The cells with games in them, and below them what they were measured with."""
    table = Table(title="Solo games against the Competition", box=SIMPLE_HEAD, padding=(0, 0, 0, 1))
    for heading in ("agent", "difficulty"):
        table.add_column(heading, overflow="fold")
    for heading in (
        "games",
        "win rate\n[95 %]",
        "VP: mean,\n10/50/90 %",
        "Competition:\nmean,\n10/50/90 %",
        "margin:\nmean [95 %],\n10/50/90 %",
        "decisions\na game",
        "games/s",
    ):
        table.add_column(heading, justify="right")
    for cell in cells:
        if len(cell.results):
            table.add_row(*_row(cell))
    console.print(table)
    console.print(
        f"box {box.name}, version {box.version}, fingerprint {box.fingerprint}; seed {seed}; "
        f"nijar-env {version}",
        highlight=False,
    )
    console.print(machine_line(), highlight=False)
