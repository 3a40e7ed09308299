"""`python -m train.ppo --config configs/quickstart.yaml`: MaskablePPO in solo games.

Trains on a native batch of games, measures on held-out deals as it goes, keeps the best weights,
and ends with the benchmark. The same command on a run that was stopped goes on with it.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import torch

from eval import benchmark
from nijar_env import Box

from .command import Program, run_program
from .plots import Panel, PlotError, draw_curves
from .ppo_config import PpoConfig
from .ppo_training import BEST, Training, columns_of
from .progress import Meter
from .run import Run

CURVE, BENCHMARK = "learning-curve.png", "benchmark"


class Ppo:
    """A run from its first iteration, or where it was stopped, to the benchmark.

    Args:
        run, config, box, device, command: as of `Training`.

    Raises:
        WeightsError, ValueError: weights, options or agents that do not fit.
    """

    def __init__(
        self, run: Run, config: PpoConfig, box: Box, device: torch.device, command: str
    ) -> None:
        self._run, self._config = run, config
        self._training = Training(run, config, box, device, command)

    def train(self) -> dict[str, Any]:
        """Train to the end; returns what came of it.

        Raises:
            SystemExit: the benchmark did not come to its end; the same command goes on with it.
        """
        config, folder = self._config, self._run.folder
        steps = int(self._training.model.num_timesteps)
        left = None
        if config.max_minutes is not None:
            left = 60 * config.max_minutes - self._run.elapsed()
        with Meter(config.total_steps, begin=steps, limit_s=left) as meter:
            self._training.learn(meter)
        summary = self._training.summary()
        print(f"trained {summary['stopped']}; {summary['speed']}")
        draw(folder / CURVE, self._run.rows(), config)
        agent = f"ppo:{(folder / BEST).as_posix()}"
        if config.benchmark is not None:
            code = benchmark.main(benchmark_arguments(agent, folder / BENCHMARK, config))
            if code:
                raise SystemExit(code)
        print(f"the agent that was trained: {agent}")
        return {**summary, "agent": agent}


def draw(path: Path, rows: Sequence[Mapping[str, float]], config: PpoConfig) -> None:
    """Draw the learning curve, or say what is missing for it."""
    levels = config.evaluation.difficulties
    vp = {f"{d}/vp": f"player, {d}" for d in levels}
    theirs = {f"{d}/competition_vp": f"Competition, {d}" for d in levels}
    own = {"training/vp": "player while it learns"}
    panels = [
        Panel("Held-out deals", "VP a game", {**vp, **theirs, **own}),
        Panel("Held-out deals", "games won", {f"{d}/win_rate": d for d in levels}, percent=True),
    ]
    try:
        print(f"written: {draw_curves(path, rows, panels, unit='decisions learned from')}")
    except PlotError as error:
        print(f"no picture: {error}")


def benchmark_arguments(agent: str, folder: Path, config: PpoConfig) -> list[str]:
    """Of `eval.benchmark`: the agent that was trained, and those beside it."""
    wanted = config.benchmark
    assert wanted is not None
    arguments = ["--agent", agent, *wanted.beside, "--games", str(wanted.games)]
    arguments += ["--seed", str(wanted.seed), "--out", str(folder)]
    arguments += ["--workers", str(config.threads)]
    if wanted.replays:
        arguments += ["--replays", str(folder.parent / "replays")]
    if config.components is not None:
        arguments += ["--components", str(config.components)]
    return arguments


PROGRAM: Final = Program(
    name="ppo",
    description="Train a network in solo games with MaskablePPO; the same command goes on with a "
    "stopped run.",
    config=PpoConfig,
    players=lambda config: 1,
    columns=columns_of,
    begin=Ppo,
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    return run_program(PROGRAM, argv)


if __name__ == "__main__":
    sys.exit(main())
