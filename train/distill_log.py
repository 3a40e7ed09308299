"""What a run of expert iteration logs: the columns, and how its figures become their values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from nijar_env.core.constants import MARGIN_SCALE

from .clone import FIGURES
from .data import GameData
from .distill_config import DistillConfig
from .ladder import ladder_columns

# Where the time of a round goes.
PARTS: Final = ("playing", "learning", "measuring")
_LEARNED: Final = tuple(f"{part}/{name}" for part in ("learning", "held_out") for name in FIGURES)


def columns_of(config: DistillConfig) -> Sequence[str]:
    """The columns of a run's log; its steps are games."""
    return (
        "games/vp",
        "games/margin",
        *_LEARNED,
        *ladder_columns(config.rungs),
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
