"""`nijar speed`: decisions a second of the core, and how long a start takes.

Random legal play of two players. Rates count decisions with two or more legal actions. Every
figure is the median of several runs of a fixed length; machines are noisy, so compare rows of one
run, not runs.
"""

from __future__ import annotations

import os
import platform
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np

from . import __version__
from .batch import THREADS_FROM, GameBatch
from .game import Game

BATCHES = (1, 64, 1024, 8192)
THREADS = (1, 2)
PARTS = ("rules", "masks", "observations")
RUNS = 5
_KEY = np.uint64(20_260_101)
_START = """
import time
start = time.perf_counter()
from nijar_env import Game
game = Game(2, seed=1)
game.step(game.legal_actions()[0])
print(time.perf_counter() - start)
"""


def median_rate(work: Callable[[int], int], seconds: float) -> float:
    """Decisions a second: the median of runs of `work(index)` for about `seconds` each."""
    work(0)
    rates = []
    index = 1
    for _ in range(RUNS):
        start = time.perf_counter()
        decisions = 0
        while True:
            decisions += work(index)
            index += 1
            elapsed = time.perf_counter() - start
            if elapsed >= seconds:
                break
        rates.append(decisions / elapsed)
    return median(rates)


def batch_rate(num_games: int, threads: int, part: str, seconds: float) -> float:
    """Decisions a second of a batch: the rules alone, with masks, or with observations too."""
    from .core.kernels import random_actions, random_steps

    batch = GameBatch(num_games, 2, seed=1, threads=threads)
    actions = np.zeros(num_games, np.int64)
    repeats = max(1, 256 // num_games)

    def rules(index: int) -> int:
        for k in range(repeats):
            batch._share(
                lambda a, b, at=index * repeats + k: random_steps(
                    batch.box.record,
                    batch.games,
                    batch._raw,
                    batch.seeds,
                    batch.episodes,
                    _KEY,
                    at,
                    a,
                    b,
                )
            )
        return repeats * num_games

    def steps(index: int) -> int:
        for k in range(repeats):
            random_actions(batch.games, _KEY, index * repeats + k, 0, num_games, actions)
            batch.step(actions)
            if part == "observations":
                batch.observe()
        return repeats * num_games

    try:
        return median_rate(rules if part == "rules" else steps, seconds)
    finally:
        batch.close()


def game_rate(seconds: float) -> float:
    """Decisions a second of one `Game` in a Python loop, picking from `legal_actions()`."""
    draw = random.Random(1).random  # ten times quicker than a draw of NumPy's
    state: list[Any] = [Game(2, seed=0, log=False), 0]

    def steps(_: int) -> int:
        for _ in range(100):
            game: Game = state[0]
            legal = game.legal_actions()
            game.step(legal[int(draw() * len(legal))])
            if game.done:
                state[1] += 1
                state[0] = Game(2, seed=state[1], log=False)
        return 100

    return median_rate(steps, seconds)


def playout_rate(seconds: float) -> tuple[float, float]:
    """Complete random playouts a second on one core, from the middle of two-player games (their
    70th decision), and decisions a playout."""
    from .core.kernels import random_actions, random_playouts
    from .core.record import GAME_DTYPE

    batch = GameBatch(8, 2, seed=5)
    actions = np.zeros(8, np.int64)
    for index in range(70):
        random_actions(batch.games, _KEY, index, 0, 8, actions)
        batch.step(actions)
    scratch = np.zeros(1, GAME_DTYPE)
    raw = scratch.view(np.uint8).reshape(1, -1)
    counted = [0, 0]

    def playouts(index: int) -> int:
        counted[0] += 20
        counted[1] += random_playouts(
            batch.box.record,
            batch.games,
            index % 8,
            batch._raw,
            scratch,
            raw,
            np.uint64(index * 1000 + 1),
            20,
        )
        return 20

    rate = median_rate(playouts, seconds)
    return rate, counted[1] / counted[0]


def start_times() -> dict[str, float]:
    """Seconds from `import` to the first step of a game in a new process: with an empty kernel
    cache, then with the cache that run has left (the median of three)."""
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, NIJAR_CACHE_DIR=folder)
        seconds: dict[str, list[float]] = {"cold": [], "warm": []}
        for name in ("cold", "warm", "warm", "warm"):
            run = subprocess.run(
                [sys.executable, "-c", _START],
                env=environment,
                capture_output=True,
                text=True,
                check=True,
            )
            seconds[name].append(float(run.stdout))
        return {name: median(found) for name, found in seconds.items()}


def machine() -> dict[str, Any]:
    """What the figures were measured on."""
    import numba

    return {
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "nijar_env": __version__,
    }


def measure(
    *, seconds: float = 0.3, starts: bool = True, progress: Callable[[str], None] = lambda _: None
) -> dict[str, Any]:
    """All figures, as plain data. `progress` is told what is measured next."""
    rows = []
    for num_games in BATCHES:
        for threads in THREADS:
            if threads > 1 and num_games < THREADS_FROM:
                continue
            row: dict[str, Any] = {"batch": num_games, "threads": threads}
            for part in PARTS:
                progress(f"batch {num_games}, {threads} threads, {part}")
                row[part] = batch_rate(num_games, threads, part, seconds)
            rows.append(row)
    progress("one game in a Python loop")
    single = game_rate(seconds)
    progress("playouts")
    playouts, length = playout_rate(seconds)
    result = {
        "decisions_per_second": rows,
        "game_loop_decisions_per_second": single,
        "playouts_per_second": playouts,
        "decisions_per_playout": length,
        "runs": RUNS,
        "seconds_per_run": seconds,
        "machine": machine(),
    }
    if starts:
        progress("cold and warm start")
        result["start_seconds"] = start_times()
    return result
