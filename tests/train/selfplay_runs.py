"""Small self-play runs for tests, and what they are compared by."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("pydantic")
pytest.importorskip("safetensors")

from nijar_env import load_box  # noqa: E402
from train.config import check_config  # noqa: E402
from train.run import Run, read_progress  # noqa: E402
from train.selfplay import SelfPlay  # noqa: E402
from train.selfplay_config import SelfPlayConfig  # noqa: E402
from train.selfplay_log import columns_of  # noqa: E402

TINY: dict[str, Any] = {
    "name": "tiny",
    "players": 2,
    "device": "cpu",
    "games": 24,
    "total_steps": 24 * 40 * 6,
    "checkpoint_minutes": 0,
    "network": {"kind": "mlp", "hidden": [16]},
    "ppo": {"steps": 40, "minibatch": 256, "learning_rate": 0.003},
    "opponents": {
        "itself": 0.5,
        "past": 0.25,
        "scripted": {"random": 0.15, "light": 0.1},
        "snapshot_every": 2,
        "snapshots": 2,
    },
    "evaluation": {"every_updates": 4, "deals": 2, "opponents": ["random"]},
}
ALONE = {"itself": 1.0, "past": 0.0, "snapshot_every": 2}
MIXED = {"scheme": "margin", "vp_share": 0.5, "vp_until": 1.0}
CHOICES = {"kind": "choices", "hidden": [8], "value_hidden": [4]}
# A solo run of what `search` can think with.
SOLO: dict[str, Any] = {
    "players": 1,
    "difficulty": "mixed",
    "network": CHOICES,
    "reward": {"scheme": "vp", "rival": 1.0},
    "opponents": ALONE,
    "evaluation": {"opponents": ["normal", "expert"]},
}


def tiny(**changes: Any) -> SelfPlayConfig:
    data = {**TINY, **changes}
    for name, value in changes.items():
        if isinstance(value, dict) and name not in ("opponents", "network"):
            data[name] = {**TINY.get(name, {}), **value}
    return check_config(data, SelfPlayConfig, "tiny")


@contextmanager
def trainings(folder: Path, **usual: Any) -> Iterator[Callable[..., SelfPlay]]:
    """Makes trainings of `tiny` with these changes, each in a folder that is its name."""
    runs: list[Run] = []

    def make(name: str = "run", ray: bool = False, **changes: Any) -> SelfPlay:
        config, box = tiny(**{**usual, **changes}), load_box(None)
        torch.manual_seed(config.seed)
        run = Run(
            folder / name,
            config,
            kind="selfplay",
            box=box,
            num_players=config.players,
            command="test",
            columns=columns_of(config),
            checkpoint_minutes=config.checkpoint_minutes,
        )
        runs.append(run)
        return SelfPlay(run, config, box, torch.device("cpu"), "test", ray=ray)

    yield make
    for run in runs:
        run.close()


@contextmanager
def single_thread() -> Iterator[None]:
    """Tiny networks are slow on several threads."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def same(a: Any, b: Any, place: str = "state") -> None:
    """Two trees are equal bit by bit."""
    if isinstance(a, dict):
        assert a.keys() == b.keys(), place
        for key in a:
            same(a[key], b[key], f"{place}.{key}")
    elif isinstance(a, list):
        assert len(a) == len(b), place
        for i, (x, y) in enumerate(zip(a, b, strict=True)):
            same(x, y, f"{place}[{i}]")
    elif isinstance(a, (np.ndarray, torch.Tensor)):
        assert np.array_equal(np.asarray(a), np.asarray(b)), place
    else:
        assert a == b, place


def rows_without_times(folder: Path) -> list[dict[str, float]]:
    rows = read_progress(folder / "progress.csv")
    return [{k: v for k, v in row.items() if not k.startswith("seconds/")} for row in rows]


def write_config(path: Path, **changes: Any) -> Path:
    import yaml

    path.write_text(yaml.safe_dump({**TINY, **changes}), encoding="utf-8")
    return path
