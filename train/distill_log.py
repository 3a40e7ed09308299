"""What a run of expert iteration logs: the columns, and how its figures become their values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from nijar_env.core.constants import MARGIN_SCALE

from .clone import FIGURES
from .data import GameData
from .distill_config import DistillConfig
from .ladder import LadderResult

# Where the time of a round goes.
PARTS: Final = ("playing", "learning", "measuring")
_RESULTS: Final = ("win_rate", "margin", "vp")
_LEARNED: Final = tuple(f"{part}/{name}" for part in ("learning", "held_out") for name in FIGURES)


def columns_of(config: DistillConfig) -> Sequence[str]:
    """The columns of a run's log; its steps are games."""
    return (
        "games/vp",
        "games/margin",
        *_LEARNED,
        *(f"ladder/{_name(rung)}/{result}" for rung in config.rungs for result in _RESULTS),
        "ladder/margin",
        *(f"seconds/{part}" for part in (*PARTS, "run")),
    )


def game_values(data: GameData) -> dict[str, float]:
    """Of a round's games: the players' VP on average, and the first seat's margin."""
    return {
        "games/vp": float(data.scores[:, : data.num_players].mean()),
        "games/margin": float(data.margins()[:, 0].mean() * MARGIN_SCALE),
    }


def learning_values(row: Mapping[str, float]) -> dict[str, float]:
    """Of a line of the log of `train.clone`."""
    return {name: row[name] for name in _LEARNED if name in row}


def ladder_values(results: Sequence[LadderResult]) -> dict[str, float]:
    """Of a measurement; "ladder/margin" is the mean over the opponents."""
    values = {"ladder/margin": sum(one.margin for one in results) / len(results)}
    for one in results:
        figures = zip(_RESULTS, (one.win_rate[0], one.margin, one.vp), strict=True)
        values |= {f"ladder/{_name(one.opponent)}/{name}": value for name, value in figures}
    return values


def _name(spec: str) -> str:
    """An agent's specification as a part of a column's name."""
    return spec.replace(",", ";")
