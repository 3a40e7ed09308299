"""Learning curves as PNG files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from eval.plots import COLOURS, PlotError, _draw, _figure, _load

__all__ = ["Panel", "PlotError", "draw_curves", "draw_series"]


@dataclass(frozen=True)
class Panel:
    """One of the pictures that stand side by side.

    Attributes:
        title: above it.
        label: of its vertical axis.
        lines: columns of the log, each with its name in the legend.
        levels: heights to compare with, each with its name.
        percent: whether the values are shares, shown from 0 to 100 %.
    """

    title: str
    label: str
    lines: Mapping[str, str]
    levels: Mapping[str, float] = field(default_factory=dict)
    percent: bool = False


def draw_curves(
    path: Path,
    rows: Sequence[Mapping[str, float]],
    panels: Sequence[Panel],
    *,
    unit: str = "environment steps",
) -> Path:
    """Draw columns of a log (`Run.rows`) over its steps.

    Panels without any value are left out.

    Raises:
        PlotError: matplotlib is not installed.
    """
    used = [p for p in panels if any(column in row for row in rows for column in p.lines)]
    return _draw(path, partial(_curves, rows, used or list(panels[:1]), unit))


def draw_series(
    path: Path,
    panels: Sequence[tuple[str, Mapping[str, Sequence[tuple[Sequence[float], Sequence[float]]]]]],
    label: str,
) -> Path:
    """Draw runs of several kinds: for each panel, the name of its horizontal axis and by kind the
    (x, y) of each run; a kind has one colour.

    Raises:
        PlotError: matplotlib is not installed.
    """
    return _draw(path, partial(_series, panels, label))


def _series(panels: Any, label: str) -> Any:
    figure, axes = _figure(4.5, len(panels))
    for ax, (unit, kinds) in zip(axes, panels, strict=True):
        for index, (name, runs) in enumerate(kinds.items()):
            for number, (x, y) in enumerate(runs):
                colour = COLOURS[index % len(COLOURS)]
                shown = name if number == 0 else None
                ax.plot(x, y, color=colour, marker="o", markersize=3, linewidth=1.2, label=shown)
        ax.set_xlabel(unit)
        ax.set_ylabel(label)
        if ax.get_xlim()[1] > 1000:
            ax.xaxis.set_major_formatter(_load(".ticker").EngFormatter(sep=""))  # 500k, 1M
        ax.grid(axis="y", color="#dddddd")
        ax.legend(frameon=False, fontsize=10)
    return figure


def _curves(rows: Sequence[Mapping[str, float]], panels: Sequence[Panel], unit: str) -> Any:
    figure, axes = _figure(4.5, len(panels))
    for ax, panel in zip(axes, panels, strict=True):
        for index, (column, name) in enumerate(panel.lines.items()):
            points = [(row["step"], row[column]) for row in rows if column in row]
            if points:
                x, y = zip(*points, strict=True)
                marker = "o" if len(points) < 40 else ""
                colour = COLOURS[index % len(COLOURS)]
                ax.plot(x, y, color=colour, marker=marker, markersize=4, label=name)
        for name, height in panel.levels.items():
            ax.axhline(height, color="#777777", linestyle="--", linewidth=1, label=name)
        ax.set_title(panel.title)
        ax.set_ylabel(panel.label)
        ax.set_xlabel(unit)
        ax.xaxis.set_major_formatter(_load(".ticker").EngFormatter(sep=""))  # 500k, 1M
        if panel.percent:
            ax.set_ylim(-0.02, 1.02)
            ax.yaxis.set_major_formatter(_load(".ticker").PercentFormatter(1.0))
        ax.grid(axis="y", color="#dddddd")
        if ax.lines:
            ax.legend(frameon=False, fontsize=10)
    return figure
