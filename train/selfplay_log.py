"""What a self-play run logs: the columns, and how its figures become their values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from .ladder import column, ladder_columns
from .plots import Panel, PlotError, draw_curves
from .progress import minutes
from .selfplay_config import SelfPlayConfig

# Where the time of training goes; measuring stands apart.
ENVIRONMENT, INFERENCE, OPPONENTS = "environment", "inference", "opponents"
LEARNING, OTHER, EVALUATION = "learning", "other", "evaluation"
_PARTS: Final = (ENVIRONMENT, INFERENCE, OPPONENTS, LEARNING, OTHER)
LOSSES: Final = ("policy_loss", "value_loss", "entropy", "kl", "clipped", "grad_norm")
_LEARNING: Final = ("decisions", "explained", "epochs", "learning_rate", "vp_share")


def columns_of(config: SelfPlayConfig) -> tuple[str, ...]:
    """The columns of a run's log."""
    beside = [column(spec) for spec in (*config.opponents.scripted, "past")]
    return (
        "games",
        *(f"learning/{name}" for name in (*LOSSES, *_LEARNING)),
        *(f"{what}/{name}" for what in ("games", "won") for name in beside),
        *ladder_columns(config.evaluation.opponents),
        *(f"seconds/{name}" for name in (*_PARTS, EVALUATION)),
        "seconds/run",
    )


def opponent_values(report: Mapping[str, tuple[int, int]]) -> dict[str, float]:
    """Of `Pool.report`: finished games against each opponent, and the share that was won."""
    values: dict[str, float] = {}
    for spec, (games, wins) in report.items():
        values[f"games/{column(spec)}"] = games
        if games:
            values[f"won/{column(spec)}"] = wins / games
    return values


def times(before: Mapping[str, float], after: Mapping[str, float]) -> dict[str, float]:
    """What was spent on what, of a `Clock`'s seconds before and after."""
    names = (*_PARTS, EVALUATION)
    return {f"seconds/{name}": after.get(name, 0.0) - before.get(name, 0.0) for name in names}


def shown(values: Mapping[str, float], config: SelfPlayConfig) -> dict[str, str]:
    """What of an update stands beside the bar."""
    training = sum(values[f"seconds/{name}"] for name in _PARTS)
    figures = {"steps/s": f"{config.steps_per_update / max(training, 1e-9):,.0f}"}
    for name, value in values.items():
        kind, _, opponent = name.partition("/")
        if kind == "won":
            figures[f"won against {opponent}"] = f"{100 * value:.0f} %"
    return figures


def draw_ladder(path: Path, rows: Sequence[Mapping[str, float]], config: SelfPlayConfig) -> str:
    """Draw what was measured in a run; returns a line that says where, or what is missing."""
    names = {spec: column(spec) for spec in config.evaluation.opponents}
    panels = [
        Panel(
            "Held-out deals", "VP of margin", {f"ladder/{c}/margin": s for s, c in names.items()}
        ),
        Panel(
            "Held-out deals",
            "games won",
            {f"ladder/{c}/win_rate": s for s, c in names.items()},
            percent=True,
        ),
    ]
    try:
        return f"written: {draw_curves(path, rows, panels)}"
    except PlotError as error:
        return f"no picture: {error}"


def speed_line(rows: Sequence[Mapping[str, float]]) -> str:
    """Steps a second, and where the time of training went."""
    timed = [row for row in rows if f"seconds/{LEARNING}" in row]
    if not timed:
        return "no update was made"
    seconds = {n: sum(row[f"seconds/{n}"] for row in timed) for n in (*_PARTS, EVALUATION)}
    total = sum(seconds[name] for name in _PARTS)
    shares = ", ".join(f"{100 * seconds[name] / total:.0f} % {name}" for name in _PARTS)
    return (
        f"{timed[-1]['step'] / total:,.0f} environment steps a second over {minutes(total)} of "
        f"training: {shares}; besides, {minutes(seconds[EVALUATION])} of measuring"
    )
