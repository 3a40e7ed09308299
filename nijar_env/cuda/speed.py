"""Decisions a second on a GPU, once it has been found to play the CPU's games.

    python -m nijar_env.cuda.speed [--seconds 0.3] [--json]

Random legal play of two players, as in `nijar speed`: the rules alone, with masks, with
observations. Every figure is the median of five runs.
"""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import redirect_stdout
from typing import Any

from ..core.catalogue import NUM_GAME_ACTIONS
from ..core.layout import observation_size
from ..speed import PARTS, RUNS, machine, median_rate
from . import compare
from .batch import CudaBatch
from .build import DEVICE_GAME, SIMULATED, require_cuda

BATCHES = (1_024, 8_192, 65_536, 262_144)
LAUNCH = 16  # decisions of each game in one launch of the rules alone


def bytes_a_game() -> int:
    """GPU memory of a two-player game: its record, its masks, its observation."""
    return DEVICE_GAME.itemsize + NUM_GAME_ACTIONS + 4 * observation_size(2)


def batch_rate(num_games: int, part: str, seconds: float) -> float:
    """Decisions a second of a batch: the rules alone, with masks, or with observations too."""
    batch = CudaBatch(num_games, 2, seed=1)

    def rules(index: int) -> int:
        batch.random_steps(compare.KEY, index * LAUNCH, LAUNCH)
        batch.synchronize()
        return LAUNCH * num_games

    def steps(index: int) -> int:
        batch.step(batch.random_actions(compare.KEY, index), check=False)
        if part == "observations":
            batch.observe()
        batch.synchronize()
        return num_games

    return median_rate(rules if part == "rules" else steps, seconds)


def measure(seconds: float) -> dict[str, Any]:
    """All figures, as plain data; batches that do not fit the GPU's memory are left out."""
    from numba import cuda

    free = cuda.current_context().get_memory_info().free
    rows = []
    for num_games in BATCHES:
        if num_games * bytes_a_game() > 0.9 * free:
            break
        row: dict[str, Any] = {"batch": num_games}
        for part in PARTS:
            print(f"measuring {num_games:,} games, {part} ...", file=sys.stderr)
            row[part] = batch_rate(num_games, part, seconds)
        rows.append(row)
    name = cuda.get_current_device().name
    return {
        "decisions_per_second": rows,
        "bytes_a_game": bytes_a_game(),
        "runs": RUNS,
        "seconds_per_run": seconds,
        "machine": {**machine(), "gpu": name.decode() if isinstance(name, bytes) else name},
    }


def main(arguments: list[str] | None = None) -> int:
    """The command line; the exit status."""
    parser = argparse.ArgumentParser(description="Measure the games of a GPU.")
    parser.add_argument("--seconds", type=float, default=0.3, help="length of each of five runs")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    given = parser.parse_args(arguments)
    try:
        require_cuda()
    except ImportError as error:
        print(error, file=sys.stderr)
        return 2
    if SIMULATED:
        print(
            "the simulator has no speed to measure; it can `python -m nijar_env.cuda.compare`",
            file=sys.stderr,
        )
        return 2
    with redirect_stdout(sys.stderr):
        status = compare.main([])
    if status:
        return status
    figures = measure(given.seconds)
    if given.json:
        print(json.dumps(figures, indent=2))
        return 0
    print("Decisions a second (thousands), random legal play, 2 players")
    print(f"{'batch':>10}" + "".join(f"{part:>16}" for part in PARTS))
    for row in figures["decisions_per_second"]:
        print(f"{row['batch']:>10,}" + "".join(f"{row[part] / 1000:>16,.0f}" for part in PARTS))
    what = figures["machine"]
    print(
        f"{what['gpu']}, {figures['bytes_a_game']:,} bytes a game, Numba {what['numba']}; median "
        f"of {RUNS} runs of {given.seconds} s."
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
