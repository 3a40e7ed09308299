"""Plots of measured games, as PNG files that are the same for the same games.

matplotlib is needed here only, and is loaded when a plot is asked for.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from nijar_env.components.vocabulary import DIFFICULTIES
from nijar_env.core.constants import VP_SOURCES

from .records import GameRecord
from .solo_report import SoloCell, solo_cells
from .stats import bootstrap_interval
from .tournament_report import TournamentTable, tournament_tables

# Okabe and Ito's colours, which most kinds of colour blindness tell apart; black is for text.
COLOURS = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#CC79A7",
    "#56B4E9",
    "#D55E00",
    "#F0E442",
    "#999999",
)
# For more than eight parts: the same again, hatched.
_HATCHES = ("", "///", "...")
_DPI = 120
_WIDTH = 10.0  # inches: 1,200 pixels
_NAME = 24  # letters of an agent's name before it goes on below


class PlotError(RuntimeError):
    """Plots that cannot be made. One line, with a remedy."""


def solo_plots(records: Sequence[GameRecord], folder: Path) -> list[Path]:
    """Scores, margins and where VP came from, of solo games; returns the files written.

    Raises:
        PlotError: matplotlib is not installed.
    """
    cells = solo_cells(records)
    if not cells:
        return []
    return [
        _draw(folder / "solo-scores.png", partial(_scores, cells)),
        _draw(folder / "solo-margins.png", partial(_margins, cells)),
        _draw(folder / "solo-sources.png", partial(_sources, cells)),
    ]


def tournament_plots(
    records: Sequence[GameRecord], folder: Path, *, anchor: str | None = None
) -> list[Path]:
    """Ratings and cross tables for each number of players; returns the files written.

    Raises:
        PlotError: matplotlib is not installed.
    """
    out = []
    for table in tournament_tables(records, anchor):
        if len(table.standings) > 1:
            name = f"{table.players}-players"
            out += [
                _draw(folder / f"ratings-{name}.png", partial(_ratings, table)),
                _draw(folder / f"cross-{name}.png", partial(_cross, table)),
            ]
    return out


# --- drawing ------------------------------------------------------------------------------------


def _draw(path: Path, make: Callable[[], Any]) -> Path:
    """Write the figure that `make` makes, without a date or a version in it."""
    matplotlib = _load("")
    style: dict[str, Any] = {
        "backend": "Agg",
        "text.parse_math": False,  # a "$" in a name is a "$"
        "font.family": "DejaVu Sans",  # comes with matplotlib: the same everywhere
        "font.size": 12,
        "axes.titlesize": 14,
        "axes.titlelocation": "left",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.axisbelow": True,
        "hatch.linewidth": 0.6,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    with matplotlib.rc_context({**matplotlib.rcParamsDefault, **style}):
        figure = make()
        figure.savefig(path, dpi=_DPI, metadata={"Software": None, "Creation Time": None})
    return path


def _load(module: str) -> Any:
    """matplotlib, or one of its modules."""
    try:
        return importlib.import_module("matplotlib" + module)
    except ImportError:
        raise PlotError("plots need matplotlib: pip install matplotlib") from None


def _figure(height: float, columns: int = 1, **kwargs: Any) -> tuple[Any, Any]:
    """A figure that no window system knows of, and its axes."""
    figure = _load(".figure").Figure(figsize=(_WIDTH, height), layout="constrained")
    _load(".backends.backend_agg").FigureCanvasAgg(figure)
    return figure, figure.subplots(1, columns, squeeze=False, **kwargs)[0]


def short(name: str) -> str:
    """An agent's name in lines that fit beside a plot."""
    lines = [""]
    for part in name.replace(",", ",\0").replace(":", ":\0").split("\0"):
        if lines[-1] and len(lines[-1]) + len(part) > _NAME:
            lines.append("")
        lines[-1] += part
    return "\n".join(lines)


def _agents(cells: Sequence[SoloCell]) -> list[str]:
    return list(dict.fromkeys(cell.agent for cell in cells))


def _levels(cells: Sequence[SoloCell]) -> list[str]:
    used = {cell.difficulty for cell in cells}
    return [difficulty for difficulty in DIFFICULTIES if difficulty in used]


def _look(index: int) -> dict[str, str]:
    """Colour and hatching of the part with this number."""
    hatch = _HATCHES[index // len(COLOURS) % len(_HATCHES)]
    return {"facecolor": COLOURS[index % len(COLOURS)], "hatch": hatch, "edgecolor": "white"}


def _by_agent(axes: Any, agents: Sequence[str]) -> None:
    """The vertical axis names the agents, the first at the top."""
    axes.set_yticks(range(len(agents)), [short(agent) for agent in agents])
    axes.set_ylim(len(agents) - 0.45, -0.55)
    axes.tick_params(axis="y", length=0)


# --- solo ---------------------------------------------------------------------------------------


def _scores(cells: Sequence[SoloCell]) -> Any:
    """Box plots of own VP by agent, beside the Competition's."""
    agents, levels = _agents(cells), _levels(cells)
    figure, axes = _figure(1.6 + 0.75 * len(agents), len(levels), sharex=True, sharey=True)
    at = {(cell.agent, cell.difficulty): cell for cell in cells}
    for ax, level in zip(axes, levels, strict=True):
        for row, agent in enumerate(agents):
            cell = at.get((agent, level))
            if cell is None:
                continue
            for values, shift, colour in (
                (cell.own_vp, -0.17, COLOURS[0]),
                (cell.competition_vp, 0.17, COLOURS[1]),
            ):
                ax.boxplot(
                    values,
                    positions=[row + shift],
                    orientation="horizontal",
                    widths=0.28,
                    whis=(10, 90),
                    showfliers=False,
                    patch_artist=True,
                    manage_ticks=False,
                    boxprops={"facecolor": colour, "edgecolor": "black", "linewidth": 0.8},
                    medianprops={"color": "black", "linewidth": 1.6},
                    whiskerprops={"linewidth": 0.8},
                    capprops={"linewidth": 0.8},
                )
        ax.set_title(level.capitalize(), loc="center", fontsize=13)
        ax.set_xlabel("VP at the end of a game")
        ax.grid(axis="x", color="#dddddd")
        _by_agent(ax, agents)
    figure.suptitle("Solo scores: box 25–75 %, line 50 %, whiskers 10–90 % of games", fontsize=14)
    _legend(figure, [("agent", _look(0)), ("Competition", _look(1))])
    return figure


def _margins(cells: Sequence[SoloCell]) -> Any:
    """Mean margins with their intervals, by difficulty."""
    agents, levels = _agents(cells), _levels(cells)
    figure, (ax,) = _figure(5.4)
    width = 0.8 / len(agents)
    for i, agent in enumerate(agents):
        own = [cell for cell in cells if cell.agent == agent]
        means = [bootstrap_interval(cell.margin) for cell in own]
        x = [levels.index(cell.difficulty) - 0.4 + width * (i + 0.5) for cell in own]
        # A single game has no interval.
        errors = np.array(
            [
                [m.value - m.low if np.isfinite(m.low) else 0 for m in means],
                [m.high - m.value if np.isfinite(m.high) else 0 for m in means],
            ]
        )
        ax.bar(x, [m.value for m in means], width, label=short(agent), **_look(i))
        ax.errorbar(
            x, [m.value for m in means], errors, fmt="none", ecolor="black", capsize=4, lw=1.4
        )
    ax.axhline(0, color="black", linewidth=1)
    ax.set_xticks(range(len(levels)), [level.capitalize() for level in levels])
    ax.tick_params(axis="x", length=0)
    ax.set_xlabel("difficulty of the Competition")
    ax.set_ylabel("own VP less the Competition's, mean")
    ax.set_title("Solo margins, with 95 % intervals")
    ax.grid(axis="y", color="#dddddd")
    ax.margins(y=0.08)
    figure.legend(loc="outside lower center", ncols=min(len(agents), 4), frameon=False)
    return figure


def _sources(cells: Sequence[SoloCell]) -> Any:
    """Stacked bars of mean VP by source; losses go to the left of zero."""
    agents = _agents(cells)
    pooled = {a: [c for c in cells if c.agent == a] for a in agents}
    tables: dict[str, dict[str, float]] = {}
    for agent, own in pooled.items():
        games = sum(len(cell.games) for cell in own)
        tables[agent] = {}
        for cell in own:
            for source, vp in cell.vp_from().items():
                share = vp * len(cell.games) / games
                tables[agent][source] = tables[agent].get(source, 0.0) + share
    used = [source for source in VP_SOURCES if any(source in t for t in tables.values())]
    figure, (ax,) = _figure(2.4 + 0.6 * len(agents))
    left = dict.fromkeys(agents, 0.0)
    below = dict.fromkeys(agents, 0.0)
    parts = []
    for i, source in enumerate(used):
        for row, agent in enumerate(agents):
            vp = tables[agent].get(source, 0.0)
            edge = left if vp >= 0 else below
            ax.barh(row, vp, 0.62, left=edge[agent], linewidth=0.6, **_look(i))
            if vp >= 4:
                ax.text(
                    edge[agent] + vp / 2,
                    row,
                    f"{vp:.0f}",
                    ha="center",
                    va="center",
                    fontsize=10,
                    bbox={"facecolor": "white", "edgecolor": "none", "pad": 1, "alpha": 0.75},
                )
            edge[agent] += vp
        parts.append((source.replace("_", " "), _look(i)))
    for row, agent in enumerate(agents):
        total = left[agent] + below[agent]
        ax.annotate(
            f"{total:.1f}", (left[agent], row), (5, 0), textcoords="offset points", va="center"
        )
    ax.axvline(0, color="black", linewidth=1)
    _by_agent(ax, agents)
    ax.set_xlim(1.08 * min(0.0, *below.values()) - 1, 1.08 * max(1.0, *left.values()))
    ax.set_xlabel("VP, mean a game; the number at the end is the sum, losses included")
    ax.set_title("Where the VP came from in solo games")
    ax.grid(axis="x", color="#dddddd")
    _legend(figure, parts)
    return figure


def _legend(figure: Any, parts: Sequence[tuple[str, dict[str, str]]]) -> None:
    handles = [_load(".patches").Patch(label=name, **look) for name, look in parts]
    figure.legend(
        handles=handles, loc="outside lower center", ncols=min(len(parts), 5), frameon=False
    )


# --- tournaments --------------------------------------------------------------------------------


def _ratings(table: TournamentTable) -> Any:
    """Elo with intervals; agents whose place rests on the prior stand at the edge."""
    elos = [(s.agent, s.elo) for s in table.standings if s.elo]
    known = [x for _, elo in elos if not elo.separated for x in elo.points]
    low, high = min(known), max(known)
    room = 0.12 * max(high - low, 100.0)
    figure, (ax,) = _figure(1.8 + 0.55 * len(elos))
    for row, (_, elo) in enumerate(elos):
        points = elo.points
        text = f"{points.value:+.0f}".replace("-", "−") if round(points.value) else "0"
        if elo.separated:
            below = points.value < low
            at = low - room if below else high + room
            ax.plot([at], [row], "<" if below else ">", color=COLOURS[5], markersize=9)
            text = f"{text} or {'less' if below else 'more'}"
        else:
            at = points.value
            errors = [[points.value - points.low], [points.high - points.value]]
            ax.errorbar([at], [row], xerr=errors, fmt="none", ecolor="black", capsize=4)
            ax.plot([at], [row], "o", color=COLOURS[0], markersize=9)
        place = {"textcoords": "offset points", "ha": "center", "fontsize": 10}
        ax.annotate(text, (at, row), (0, 9), **place)
    _by_agent(ax, [agent for agent, _ in elos])
    ax.set_xlim(low - 2 * room, high + 2 * room)
    label = "Elo points (400 are odds of ten to one)"
    if any(elo.separated for _, elo in elos):
        label += "; triangle: off the scale, always behind or always before"
    ax.set_xlabel(label)
    ax.set_title(f"Strength with {table.players} players, with 95 % intervals")
    ax.grid(axis="x", color="#dddddd")
    return figure


def _cross(table: TournamentTable) -> Any:
    """A heat map of who beats whom."""
    agents = [s.agent for s in table.standings]
    n = len(agents)
    shares = np.full((n, n), np.nan)
    figure, (ax,) = _figure(2.8 + 0.8 * n)
    for i, row in enumerate(agents):
        for j, column in enumerate(agents):
            share = table.before(row, column)
            if share is None:
                continue
            shares[i, j] = share.value
            text = f"{100 * share.value:.0f} %\n{100 * share.low:.0f}–{100 * share.high:.0f}"
            dark = abs(share.value - 0.5) > 0.3
            ax.text(
                j,
                i,
                text,
                ha="center",
                va="center",
                color="white" if dark else "black",
                fontsize=11,
            )
    # Orange for losing, blue for winning, white for even.
    colours = _load(".colors").LinearSegmentedColormap.from_list(
        "shares", ["#A34700", "#FFFFFF", "#00507D"]
    )
    ax.set_facecolor("#eeeeee")  # where two never met
    image = ax.imshow(shares, cmap=colours, vmin=0, vmax=1, aspect="auto")
    bar = figure.colorbar(image, ax=ax, ticks=[0, 0.25, 0.5, 0.75, 1])
    bar.ax.set_yticklabels(["0 %", "25 %", "50 %", "75 %", "100 %"])
    bar.set_label("share of games")
    ax.set_xticks(range(n), [short(agent) for agent in agents], rotation=30 if n > 4 else 0)
    ax.set_yticks(range(n), [short(agent) for agent in agents])
    ax.tick_params(length=0)
    verb = "beats" if table.players == 2 else "is placed before"
    ax.set_title(f"How often the row {verb} the column, {table.players} players")
    return figure
