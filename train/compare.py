"""`python -m train.compare --config FILE --network NAME=OPTIONS ... --seeds 0 1 2 --minutes 3`.

Trains several networks with the same program (`train.ppo`), settings and time, each with several
seeds, and says what they came to: after the same time, and after the same number of steps. Each
run is a process with one thread and a folder of its own; the same command goes on where it was.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from eval.command import (
    FAILED,
    INTERRUPTED,
    Parser,
    ended_by_sigterm,
    no_repeats,
    one_line,
    output_console,
    whole_from,
)
from eval.text import Sheet

from .config import ConfigError, load_config
from .plots import PlotError, draw_series
from .ppo_config import PpoConfig
from .run import read_progress
from .run_provenance import RunError, check_settings

STEPS, MINUTES, MARGIN = "environment_steps", "seconds/run", "held_out/margin"
_PATIENCE_S: Final = 3.0  # for runs that were interrupted by the same key


@dataclass(frozen=True)
class Curve:
    """What a run measured on held-out deals, in order.

    Attributes:
        steps: environment steps before each measurement.
        minutes: since the run began.
        margins: VP of margin.
        rate: environment steps a second over the whole run, measuring included.
    """

    steps: tuple[float, ...]
    minutes: tuple[float, ...]
    margins: tuple[float, ...]
    rate: float

    def best(self, steps: float) -> float:
        """The best margin measured within so many steps."""
        return max(m for s, m in zip(self.steps, self.margins, strict=True) if s <= steps)


def read_curve(path: Path) -> Curve:
    """The curve in a run's progress.csv."""
    rows = read_progress(path)
    measured = [row for row in rows if MARGIN in row]
    last = rows[-1]
    return Curve(
        tuple(row.get(STEPS, 0.0) for row in measured),
        tuple(row.get(MINUTES, 0.0) / 60 for row in measured),
        tuple(row[MARGIN] for row in measured),
        last.get(STEPS, 0.0) / max(last.get(MINUTES, 0.0), 1e-9),
    )


def table(curves: Mapping[str, Sequence[Curve]]) -> Sheet:
    """What each network came to, over its seeds."""
    shared = min(curve.steps[-1] for runs in curves.values() for curve in runs)
    headings = (
        "network",
        "runs",
        "steps/s",
        "steps",
        "margin after the same time",
        f"margin after {shared:,.0f} steps",
    )
    rows = [
        (
            name,
            str(len(runs)),
            f"{np.mean([one.rate for one in runs]):,.0f}",
            f"{np.mean([one.steps[-1] for one in runs]):,.0f}",
            _spread([one.best(one.steps[-1]) for one in runs]),
            _spread([one.best(shared) for one in runs]),
        )
        for name, runs in curves.items()
    ]
    note = (
        "margin: own VP less the Competition's on held-out deals, the best measured so far; mean "
        "over the runs (lowest to highest)"
    )
    return Sheet("Networks compared", headings, rows, note=note)


def _spread(values: Sequence[float]) -> str:
    return f"{np.mean(values):+.1f} ({min(values):+.1f} to {max(values):+.1f})"


# --- the runs -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Job:
    """A run to make: of which network, with which seed, in which folder."""

    network: str
    seed: int
    folder: Path

    @property
    def output(self) -> Path:
        """What the run prints, beside its folder."""
        return self.folder.with_suffix(".txt")

    @property
    def finished(self) -> bool:
        """Whether it has been made."""
        return (self.folder / "finished.json").is_file()


def jobs_of(args: argparse.Namespace) -> list[Job]:
    """All runs, a seed of every network after the other."""
    return [
        Job(name, seed, args.out / f"{name}-seed{seed}")
        for seed in args.seeds
        for name in args.network
    ]


def changes_of(job: Job, args: argparse.Namespace) -> list[str]:
    """What a run has over the values of the file."""
    words = [f"network={args.network[job.network]}", f"seed={job.seed}", "threads=1"]
    words += [f"max_minutes={args.minutes:g}", "ppo.schedule=constant", "benchmark=null"]
    return [*words, *args.set]


def command_of(job: Job, args: argparse.Namespace) -> list[str]:
    """The command of a run."""
    words = [sys.executable, "-m", "train.ppo", "--config", str(args.config)]
    return [*words, "--out", str(job.folder), "--set", *changes_of(job, args)]


def check(jobs: Sequence[Job], args: argparse.Namespace) -> None:
    """See that all runs can be made, and that those that have been were made with these settings.

    Raises:
        ConfigError, RunError: one line.
        OSError: a run cannot be read.
    """
    for job in jobs:
        config = load_config(args.config, PpoConfig, changes_of(job, args))
        if job.finished:
            check_settings(job.folder, config)


class Runs:
    """The processes of the runs that are made at the moment."""

    def __init__(self) -> None:
        self._going: list[subprocess.Popen[bytes]] = []
        self._ending = threading.Event()

    def make(self, job: Job, args: argparse.Namespace) -> int:
        """Make a run, or the rest of it; returns the exit code."""
        job.folder.parent.mkdir(parents=True, exist_ok=True)
        with job.output.open("a") as output:
            process = subprocess.Popen(command_of(job, args), stdout=output, stderr=output)
            self._going.append(process)
            if self._ending.is_set():
                process.terminate()
            return process.wait()

    def end(self) -> None:
        """End them all, each at its last checkpoint; Ctrl-C may have told them already."""
        self._ending.set()
        until = time.monotonic() + _PATIENCE_S
        for process in list(self._going):
            try:
                process.wait(max(until - time.monotonic(), 0.0))
            except subprocess.TimeoutExpired:
                process.terminate()


# --- the command --------------------------------------------------------------------------------


def _named(text: str) -> tuple[str, str]:
    """NAME=OPTIONS; the options are YAML, such as {kind: set, dim: 24}."""
    name, equals, options = text.partition("=")
    if not equals or not name.replace("-", "").replace("_", "").isalnum():
        raise argparse.ArgumentTypeError(
            f"{text!r} is not NAME=OPTIONS, as in 'flat={{kind: mlp}}'"
        )
    return name, options


def _minutes(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 1440:
        raise argparse.ArgumentTypeError(f"must be a number above 0 and at most 1440, not {text}")
    return value


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="python -m train.compare",
        description="Train networks side by side with train.ppo; the same command goes on with "
        "what was stopped.",
    )
    parser.add_argument("--config", type=Path, required=True, metavar="FILE", help="of train.ppo")
    parser.add_argument(
        "--network",
        type=_named,
        nargs="+",
        action="extend",
        required=True,
        metavar="NAME=OPTIONS",
        help="a network, such as flat='{kind: mlp, hidden: [256, 256]}'",
    )
    parser.add_argument(
        "--seeds",
        type=whole_from(0),
        nargs="+",
        action="extend",
        metavar="S",
        help="default: 0 1 2",
    )
    parser.add_argument("--minutes", type=_minutes, default=3.0, metavar="M", help="for each run")
    parser.add_argument(
        "--workers", type=whole_from(1, 256), default=1, metavar="W", help="runs at a time"
    )
    parser.add_argument("--out", type=Path, default=Path("runs/compare"), metavar="DIR")
    parser.add_argument(
        "--set",
        nargs="+",
        action="extend",
        default=[],
        metavar="KEY=VALUE",
        help="as of train.ppo, for all runs",
    )
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = _parser()
    arguments = list(sys.argv[1:] if argv is None else argv)
    args = parser.parse_args(arguments)
    args.seeds = args.seeds or [0, 1, 2]
    no_repeats(parser, "--network", [name for name, _ in args.network])
    no_repeats(parser, "--seeds", [str(seed) for seed in args.seeds])
    args.network = dict(args.network)
    if not args.config.is_file():
        parser.error(f"there is no file {args.config}")
    jobs = jobs_of(args)
    try:
        check(jobs, args)
        with ended_by_sigterm():
            return _make_all(jobs, args, shlex.join(["python", "-m", "train.compare", *arguments]))
    except (ConfigError, RunError) as error:
        parser.error(str(error))
    except OSError as error:
        parser.error(one_line(error))


def _make_all(jobs: Sequence[Job], args: argparse.Namespace, command: str) -> int:
    """Make what is left, and report."""
    console = output_console()
    left = [job for job in jobs if not job.finished]
    console.print(f"{len(left)} of {len(jobs)} runs of {args.minutes:g} minutes are left")
    failed: list[Job] = []
    runs = Runs()
    with ThreadPoolExecutor(args.workers) as pool:
        try:
            results = {job: pool.submit(runs.make, job, args) for job in left}
            for job, result in results.items():
                code = result.result()
                console.print(f"{job.folder}: {'done' if code == 0 else 'failed'}")
                failed += [job] if code else []
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            runs.end()
            print(f"interrupted; the same command goes on with {args.out}", file=sys.stderr)
            return INTERRUPTED
    if failed:
        console.print(f"see {failed[0].output}")
        return FAILED
    _report(jobs, args, command)
    return 0


def _report(jobs: Sequence[Job], args: argparse.Namespace, command: str) -> None:
    """Print and write the table and the picture."""
    console = output_console()
    curves: dict[str, list[Curve]] = {name: [] for name in args.network}
    for job in jobs:
        curves[job.network].append(read_curve(job.folder / "progress.csv"))
    sheet = table(curves)
    sheet.show(console)
    path = args.out / "compare.md"
    path.write_text(f"Measured with `{command}`.\n\n{sheet.markdown(0)}", encoding="utf-8")
    console.print(f"written: {path}")
    by_steps = {n: [(c.steps, c.margins) for c in runs] for n, runs in curves.items()}
    by_time = {n: [(c.minutes, c.margins) for c in runs] for n, runs in curves.items()}
    panels: list[tuple[str, Mapping[str, Any]]] = [
        ("environment steps", by_steps),
        ("minutes", by_time),
    ]
    try:
        console.print(f"written: {draw_series(args.out / 'compare.png', panels, 'VP of margin')}")
    except PlotError as error:
        console.print(f"no picture: {error}")


if __name__ == "__main__":
    sys.exit(main())
