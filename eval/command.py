"""What the command lines of measurements share: their options, errors, progress and results."""

from __future__ import annotations

import argparse
import contextlib
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NoReturn

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from agents import Agent, AgentSpecError, make_agent
from agents.registry import AGENTS
from nijar_env import Box, BoxError, load_box
from nijar_env.options import MAX_SEED

from .meter import BarOrLines
from .plots import PlotError
from .ray_cluster import ClusterError, connect
from .records import GameRecord
from .store import Store, StoreError, header_of, write_whole
from .table import AgentFault, Assignment, Cast
from .workers import WorkersError, run

FAILED: Final = 1
BAD_INPUT: Final = 2
INTERRUPTED: Final = 130
_PIPE_WIDTH: Final = 140
_MOST_WORKERS: Final = 256


class Parser(argparse.ArgumentParser):
    """Reports bad input in one line. `prog` is "python -m eval.NAME"."""

    def error(self, message: str) -> NoReturn:
        """Exit with the message."""
        self.exit(BAD_INPUT, f"{self.prog.rpartition('.')[2]}: error: {message}\n")


def whole_from(low: int, high: int | None = None) -> Callable[[str], int]:
    """A converter for whole numbers of a range."""

    def convert(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = low - 1
        if value < low or (high is not None and value > high):
            limits = f"from {low}" if high is None else f"from {low} to {high}"
            raise argparse.ArgumentTypeError(f"must be a whole number {limits}, not '{text}'")
        return value

    return convert


def add_common_options(parser: argparse.ArgumentParser, writes: str) -> None:
    """Options of every measurement; `writes` says what `--out` gets."""
    parser.add_argument(
        "--seed",
        type=whole_from(0, MAX_SEED),
        default=0,
        metavar="S",
        help="which games: the same seed, the same games (default: %(default)s)",
    )
    add_worker_options(parser)
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help=f"keep the games there and write {writes}; the same measurement is gone on with",
    )
    parser.add_argument("--components", type=Path, metavar="PATH", help="a box folder")
    add_replays_option(parser, "games that --out holds already get none")
    parser.add_argument(
        "--batch",
        type=whole_from(1, 100_000),
        metavar="N",
        help="games played at a time; does not change the results (default: by the agents)",
    )


def add_replays_option(parser: argparse.ArgumentParser, limits: str) -> None:
    """`--replays`; `limits` says of which games it writes none, or where."""
    parser.add_argument(
        "--replays",
        type=Path,
        metavar="DIR",
        help=f"write a replay of each game that is played, for `nijar replay`; {limits}",
    )


def add_worker_options(parser: argparse.ArgumentParser) -> None:
    """Who plays."""
    parser.add_argument(
        "--workers",
        type=whole_from(1, _MOST_WORKERS),
        metavar="W",
        help="processes that play; does not change the results (default: 1; with --ray as many "
        "as the cluster has cores)",
    )
    add_ray_option(parser, "have a Ray cluster play")


def add_ray_option(parser: argparse.ArgumentParser, does: str) -> None:
    """`--ray`, which does something."""
    parser.add_argument(
        "--ray",
        nargs="?",
        const="",
        metavar="ADDRESS",
        help=f"{does}: that at HOST:PORT, or auto for the one that runs here; without an address "
        "one that is started for the command",
    )


def open_ray(parser: argparse.ArgumentParser, address: str | None) -> bool:
    """Connect to the cluster of `--ray`, if it was given; whether it was."""
    if address is None:
        return False

    try:
        connect(address)
    except ClusterError as error:
        parser.error(f"argument --ray: {error}")
    return True


def no_repeats(parser: argparse.ArgumentParser, option: str, values: Sequence[str]) -> None:
    """Refuse an option that names a thing twice."""
    for value in values:
        if values.count(value) > 1:
            parser.error(f"argument {option}: '{value}' is given twice")


def make_agents(
    parser: argparse.ArgumentParser, option: str, specs: Sequence[str]
) -> dict[str, Agent]:
    """The agents of an option by their specifications, all different."""
    no_repeats(parser, option, specs)
    agents: dict[str, Agent] = {}
    try:
        for spec in specs:
            agents[spec] = make_agent(spec)
    except AgentSpecError as error:
        parser.error(f"argument {option}: {one_line(error)}")
    named: dict[str, str] = {}
    for spec, agent in agents.items():
        # Names of agents from outside the registry are not always specifications.
        if agent.name.partition(":")[0] in AGENTS and named.setdefault(agent.name, spec) != spec:
            parser.error(f"argument {option}: '{named[agent.name]}' and '{spec}' are the same")
    return agents


def load_components(parser: argparse.ArgumentParser, path: Path | None) -> Box:
    """The box of `--components`."""
    try:
        return load_box(path)
    except BoxError as error:
        parser.error(f"argument --components: {str(error).splitlines()[0]}")


def open_replays(parser: argparse.ArgumentParser, folder: Path | None) -> Path | None:
    """The folder of `--replays`, made if it is not there."""
    if folder is not None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            parser.error(f"argument --replays: {folder} cannot be made: {error.strerror}")
    return folder


def open_store(
    parser: argparse.ArgumentParser,
    folder: Path | None,
    measures: str,
    box: Box,
    seed: int,
    agents: Mapping[str, Agent],
    results: Sequence[str],
) -> Store | None:
    """The games of `--out`; None without it."""
    if folder is None:
        return None
    try:
        return Store(folder, header_of(measures, box, seed, agents), results)
    except StoreError as error:
        parser.error(f"argument --out: {error}")
    except OSError as error:
        parser.error(f"argument --out: {folder} cannot be written: {error.strerror}")


def one_line(error: BaseException) -> str:
    """A message without line breaks."""
    return " ".join(str(error).split())


def output_console() -> Console:
    """Standard output, wide enough for tables where it is no terminal."""
    console = Console()
    return console if console.is_terminal else Console(width=_PIPE_WIDTH)


class Meter(BarOrLines):
    """Shows how far the games are; without a terminal in a line a minute."""

    REFRESH_S: Final = 0.1
    LINE_S: Final = 60.0

    def __init__(self, total: int) -> None:
        columns = [BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn()]
        super().__init__([TextColumn("games"), *columns], "games", total)
        self._total, self._count = total, 0

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._progress.update(self._task, completed=self._count)
        super().__exit__(kind, error, trace)

    def add(self) -> None:
        """A game has ended."""
        self._count += 1
        self.idle()

    def idle(self) -> None:
        """Show the present state, if it is time to."""
        if not self._is_time(self.REFRESH_S if self._bar else self.LINE_S):
            return
        if self._bar:
            self._progress.update(self._task, completed=self._count)
        elif 0 < self._count < self._total:
            left = (self._shown - self._start) / self._count * (self._total - self._count)
            self.tell(
                f"{self._count:,} of {self._total:,} games, about {max(left / 60, 1):.0f} min left"
            )


@contextlib.contextmanager
def ended_by_sigterm() -> Iterator[None]:
    """SIGTERM interrupts as Ctrl-C does."""

    def interrupt(signum: int, frame: object) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@dataclass(frozen=True)
class Outcome:
    """What a run of a measurement came to.

    Attributes:
        records: all finished games, those of earlier runs too, sorted by `GameRecord.key`.
        code: exit code: 0, `FAILED` or `INTERRUPTED`.
        trouble: a line that says why some games are missing; "" if none is.
    """

    records: list[GameRecord]
    code: int
    trouble: str

    @property
    def complete(self) -> bool:
        """Whether no game is missing."""
        return self.code == 0

    def show_trouble(self, console: Console) -> None:
        """Print the line; what failed goes to standard error."""
        if self.code == INTERRUPTED:
            console.print(self.trouble)
        elif self.trouble:
            print(f"error: {self.trouble}", file=sys.stderr)


def measure(
    games: Sequence[Assignment],
    agents: Mapping[str, Agent],
    seed: int,
    box: Box,
    store: Store | None,
    *,
    workers: int | None = None,
    batch_size: int | None = None,
    replays: Path | None = None,
    ray: bool = False,
) -> Outcome:
    """Play those of the games that the store does not have yet, showing progress."""
    records: dict[tuple[Any, ...], GameRecord] = {}
    missing = [game for game in games if store is None or game.key() not in store]
    code, trouble = 0, ""
    with contextlib.ExitStack() as stack:
        meter = stack.enter_context(Meter(len(missing)))

        def finished(record: GameRecord) -> None:
            if store is None:
                records[record.key()] = record
            else:
                store.add(record)
            meter.add()

        if store is not None:
            stack.enter_context(store)
        try:
            given_up = run(
                missing,
                Cast(make_agent, agents),
                seed,
                box,
                finished=finished,
                workers=workers,
                batch_size=batch_size,
                tell=meter.tell,
                idle=meter.idle,
                replays=replays,
                ray=ray,
            )
            if given_up:
                code = FAILED
                trouble = f"{len(given_up)} games are missing: worker processes died with them"
        except KeyboardInterrupt:
            code, trouble = INTERRUPTED, "interrupted: these are the games that were finished"
            if store is not None:
                try:
                    store.reread()
                except (OSError, StoreError) as error:
                    code, trouble = FAILED, f"interrupted, and {error}"
        except (AgentFault, ClusterError, WorkersError) as error:
            code, trouble = FAILED, str(error)
        except OSError as error:
            code, trouble = FAILED, f"a game could not be kept: {error}"
            if store is not None:  # which has room now perhaps for the rest of its line
                with contextlib.suppress(OSError, StoreError):
                    store.reread()
    kept = [records[key] for key in sorted(records)] if store is None else store.records()
    return Outcome(kept, code, trouble)


def write_results(console: Console, folder: Path, texts: Mapping[str, str]) -> None:
    """Write files of results by name, over those of earlier runs of the measurement."""
    for name, text in texts.items():
        write_whole(folder / name, text)
        console.print(f"written: {folder / name}", highlight=False, markup=False, soft_wrap=True)


def draw(
    console: Console,
    plots: Callable[[Sequence[GameRecord], Path], list[Path]],
    records: Sequence[GameRecord],
    folder: Path,
) -> None:
    """Write the pictures, or say what is missing for them."""
    try:
        paths = plots(records, folder)
    except PlotError as error:
        console.print(f"no pictures: {error}", highlight=False, markup=False)
        return
    for path in paths:
        console.print(f"written: {path}", highlight=False, markup=False, soft_wrap=True)
