"""`python -m eval.peers.costs`: where the time of a decision goes, how it grows with the batch and
with threads, how long a start takes, and how much memory a game needs."""

from __future__ import annotations

import shlex
import subprocess
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any, Final

import numpy as np
from rich.console import Console

from nijar_env import GameBatch
from nijar_env.batch import THREADS_FROM
from nijar_env.core.record import FRAME_BYTES, GAME_DTYPE, STATE_BYTES
from nijar_env.speed import PARTS, RUNS, batch_rate, start_times

from ..command import INTERRUPTED, Parser, ended_by_sigterm, one_line, output_console
from ..provenance import machine
from .command import add_outputs, check_page, progress, saved_part
from .cost_tables import sheets
from .measuring import Tell, running_before
from .page import COSTS_PART, PageError, markdown, measured_line, save, write_page

BATCHES: Final = (16, 64, 256, 1024, 4096, 16_384, 65_536)
THREADS: Final = (1, 2)
# The profile's: one that fits into the processor's caches, and one that does not.
PROFILE_BATCHES: Final = (64, 1024)
SECONDS, QUICK_SECONDS = 0.25, 0.01
_MEMORY_BATCH: Final = 16_384
_KEY: Final = np.uint64(20_260_101)
_WARM_UP: Final = 200  # steps that spread games over their length
_RESIDENT = """
import sys
from nijar_env import GameBatch
def resident():
    with open("/proc/self/status", encoding="ascii") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmRSS"))
def step(batch):
    batch.step(batch.action_masks.argmax(axis=1))
    batch.observe()
step(GameBatch(1, 2, seed=1))
before = resident()
batch = GameBatch(int(sys.argv[1]), 2, seed=1)
step(batch)
print(before, resident() - before)
"""


def _nanoseconds(work: Callable[[], Any], count: int, seconds: float) -> float:
    """Time by game: the median of some runs."""
    work()
    found = []
    for _ in range(RUNS):
        start, times = time.perf_counter(), 0
        while (elapsed := time.perf_counter() - start) < seconds or not times:
            work()
            times += 1
        found.append(1e9 * elapsed / (times * count))
    return median(found)


def profile(num_games: int, seconds: float) -> dict[str, float]:
    """Nanoseconds a decision by what they are spent on, in a batch on one thread.

    Legal actions, observations, draws and checks are timed alone; a deal by its share in a
    decision; what a choice does, and the buffers, by what is left.
    """
    from nijar_env.core.kernels import (
        deal_games,
        find_illegal,
        random_actions,
        random_steps,
        step_games,
    )

    from .cost_kernels import offer_games

    batch = GameBatch(num_games, 2, seed=1)
    box, games, raw = batch.box.record, batch.games, batch._raw
    actions = np.zeros(num_games, np.int64)
    index = 0

    def draw() -> None:
        nonlocal index
        random_actions(games, _KEY, index, 0, num_games, actions)
        index += 1

    def step() -> None:
        draw()
        step_games(
            *(box, games, raw, actions, 0, num_games, batch._reward, True),
            *(batch.seeds, batch.episodes, batch.action_masks, batch.current_players),
            *(batch.rewards, batch.dones, batch.final_scores, batch.final_winners),
            *(batch.final_lengths, batch._raw_finished),
        )

    def rules() -> None:
        nonlocal index
        random_steps(box, games, raw, batch.seeds, batch.episodes, _KEY, index, 0, num_games)
        index += 1

    for _ in range(_WARM_UP):
        step()
    spread = games.copy()
    found: dict[str, float] = {}

    def measure(name: str, work: Callable[[], Any]) -> None:
        games[:] = spread
        found[name] = _nanoseconds(work, num_games, seconds)

    measure("draw", draw)
    measure("check", lambda: find_illegal(games, actions))
    measure("offer", lambda: offer_games(box, games))
    measure("observe", batch.observe)
    measure("rules", rules)
    measure("step", step)
    length = float(batch.final_lengths[batch.final_lengths > 0].mean())
    measure("deal", lambda: deal_games(box, games, raw, batch.seeds, 0, num_games))
    deal = found["deal"] / length
    return {
        "legal actions": found["offer"],
        "the choice and what follows": max(
            found["rules"] - found["draw"] - found["offer"] - deal, 0
        ),
        "dealing the next game": deal,
        "masks, rewards and other buffers": max(found["step"] - found["rules"], 0),
        "check that actions are legal": found["check"],
        "observation": found["observe"],
        "random action (the loop's own)": found["draw"],
    }


def memory() -> dict[str, Any]:
    """Bytes a game: of the record, of a batch's buffers, of observations; and what the system
    counts for a batch, where it tells (Linux)."""
    batch = GameBatch(2, 2, seed=1)
    arrays = [v for v in vars(batch).values() if isinstance(v, np.ndarray) and v.base is None]
    buffers = sum(array.nbytes for array in arrays) - batch.games.nbytes
    found: dict[str, Any] = {
        "record": GAME_DTYPE.itemsize,
        "copied for search": STATE_BYTES + 2 * FRAME_BYTES,
        "buffers": buffers // 2,
        "observation": batch.observations.nbytes // 2,
    }
    run = subprocess.run(
        [sys.executable, "-c", _RESIDENT, str(_MEMORY_BATCH)], capture_output=True, text=True
    )
    if run.returncode == 0:
        before, grown = (int(number) for number in run.stdout.split())
        found |= {"process": before, "resident": grown / _MEMORY_BATCH, "games": _MEMORY_BATCH}
    return found


def growth(batches: Sequence[int], seconds: float, tell: Tell, rows: list[dict[str, Any]]) -> None:
    """Decisions a second by batch and threads, added to `rows`."""
    plan = [(n, t) for n in batches for t in THREADS if t == 1 or n >= THREADS_FROM]
    for at, (num_games, threads) in enumerate(plan):
        row: dict[str, Any] = {"batch": num_games, "threads": threads}
        for part in PARTS:
            tell(f"{num_games:,} games, {threads} threads, {part}", at, len(plan))
            row[part] = batch_rate(num_games, threads, part, seconds)
        rows.append(row)


def measure(data: dict[str, Any], seconds: float, quick: bool, tell: Tell) -> None:
    """Measure everything into `data`, piece by piece."""
    data["profile"] = {}
    for num_games in PROFILE_BATCHES:
        tell(f"profile of {num_games:,} games", 0, 1)
        data["profile"][str(num_games)] = profile(num_games, seconds)
    data["memory"] = memory()
    data["growth"] = []
    growth(BATCHES[:3] if quick else BATCHES, seconds, tell, data["growth"])
    if not quick:
        tell("cold and warm start: kernels are compiled anew", 0, 1)
        data["start_seconds"] = start_times()


def parser() -> Parser:
    """The options."""
    found = Parser(prog="python -m eval.peers.costs", description=__doc__)
    found.add_argument(
        "--quick", action="store_true", help="small batches, short runs, no cold start"
    )
    add_outputs(found)
    return found


def _measured(args: Namespace, arguments: Sequence[str]) -> dict[str, Any]:
    seconds = QUICK_SECONDS if args.quick else SECONDS
    data: dict[str, Any] = {
        "command": shlex.join(["python", "-m", "eval.peers.costs", *arguments]),
        "machine": machine(),
        "rounds": RUNS,
        "seconds": seconds,
        "load_before": running_before(),
        "interrupted": False,
    }
    try:
        with progress() as tell:
            measure(data, seconds, args.quick, tell)
    except KeyboardInterrupt:
        data["interrupted"] = True
    return data


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    options = parser()
    args = options.parse_args(arguments)
    console = output_console()
    try:
        with ended_by_sigterm():
            check_page(args, COSTS_PART)
            saved = saved_part(args.saved, COSTS_PART) if args.saved else None
            data = saved or _measured(args, arguments)
            return _show(console, args, data)
    except KeyboardInterrupt:
        return INTERRUPTED
    except (PageError, OSError) as error:
        options.error(one_line(error))


def _show(console: Console, args: Namespace, data: dict[str, Any]) -> int:
    found = sheets(data)
    for sheet in found:
        sheet.show(console)
    written: list[Path] = []
    if args.save and not args.saved:
        save(args.save, COSTS_PART, data)
        written.append(args.save)
    if args.page:
        write_page(args.page, COSTS_PART, f"{measured_line(data)}\n\n{markdown(found)}")
        written.append(args.page)
    for path in written:
        console.print(f"written: {path}", highlight=False, markup=False, soft_wrap=True)
    if data.get("interrupted"):
        console.print("interrupted: this is what was measured before")
        return INTERRUPTED
    return 0


if __name__ == "__main__":
    sys.exit(main())
