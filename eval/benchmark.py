"""`python -m eval.benchmark`: agents in solo games against the Competition.

Every agent meets the same games at every difficulty: game i of seed s is dealt from a hash of
(s, i). Results go to standard output, progress to standard error.
"""

from __future__ import annotations

import argparse
import shlex
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)

import nijar_env
from agents import Agent, AgentSpecError, make_agent
from nijar_env import Box, BoxError, load_box
from nijar_env.components.vocabulary import DIFFICULTIES
from nijar_env.options import MAX_SEED

from .match import BATCH, SoloResults, play_solo
from .solo_report import Cell, as_json, as_text, print_table

DEFAULT_AGENTS = ("greedy", "random")
DEFAULT_GAMES = 1000
INTERRUPTED = 130
_PIPE_WIDTH = 140


class _Parser(argparse.ArgumentParser):
    """Reports bad input in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"benchmark: error: {message}\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="python -m eval.benchmark",
        description="Measure agents in solo games against the Competition.",
    )
    parser.add_argument(
        "--agent",
        nargs="+",
        default=list(DEFAULT_AGENTS),
        metavar="SPEC",
        help="agents by specification, such as greedy:beam=32 (default: greedy random)",
    )
    parser.add_argument(
        "--difficulty",
        nargs="+",
        default=list(DIFFICULTIES),
        choices=DIFFICULTIES,
        metavar="LEVEL",
        help="any of: normal advanced expert (default: all)",
    )
    parser.add_argument(
        "--games",
        type=_whole_from(1),
        default=DEFAULT_GAMES,
        metavar="N",
        help="games for each agent and difficulty (default: %(default)s)",
    )
    parser.add_argument(
        "--seed",
        type=_whole_from(0, MAX_SEED),
        default=0,
        help="which games: the same seed, the same games (default: %(default)s)",
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="write the results there, as JSON")
    parser.add_argument("--components", type=Path, metavar="PATH", help="a box folder")
    parser.add_argument(
        "--batch",
        type=_whole_from(1, 100_000),
        default=BATCH,
        metavar="N",
        help="games played at a time; does not change the results (default: %(default)s)",
    )
    return parser


def _whole_from(low: int, high: int | None = None) -> Any:
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


def _no_repeats(parser: argparse.ArgumentParser, option: str, values: Sequence[str]) -> None:
    for value in values:
        if values.count(value) > 1:
            parser.error(f"argument {option}: '{value}' is given twice")


def _open_folder(path: Path) -> None:
    """Make the folder of the results and see that it can be written; raises OSError."""
    path.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=path):
        pass


def _write(folder: Path, data: dict[str, Any]) -> Path:
    """Write a new file; those of earlier measurements stay as they are."""
    text = as_text(data)
    number = 1
    while True:
        path = folder / ("benchmark.json" if number == 1 else f"benchmark-{number}.json")
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
        except FileExistsError:
            number += 1
        else:
            return path


def _progress() -> Progress:
    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        disable=not console.is_terminal,
    )


def _measure(
    agents: Sequence[Agent], args: argparse.Namespace, box: Box, cells: list[Cell]
) -> None:
    """Play all games; `cells` fills up as they end."""
    with _progress() as progress:
        task: TaskID = progress.add_task(
            "preparing", total=len(agents) * len(args.difficulty) * args.games
        )
        for agent in agents:
            progress.update(task, description=f"{agent.name}: preparing")
            play_solo(agent, args.difficulty[0], 1, args.seed, box=box)  # compiles its kernels
            for difficulty in args.difficulty:
                progress.update(task, description=f"{agent.name}, {difficulty}")
                cells.append(Cell(agent.name, difficulty, SoloResults()))
                play_solo(
                    agent,
                    difficulty,
                    args.games,
                    args.seed,
                    box=box,
                    batch_size=args.batch,
                    results=cells[-1].results,
                    finished=lambda count: progress.advance(task, count),
                )


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    parser = _parser()
    args = parser.parse_args(arguments)
    _no_repeats(parser, "--agent", args.agent)
    _no_repeats(parser, "--difficulty", args.difficulty)
    try:
        agents = [make_agent(spec) for spec in args.agent]
    except AgentSpecError as error:
        parser.error(f"argument --agent: {error}")
    try:
        box = load_box(args.components)
    except BoxError as error:
        parser.error(f"argument --components: {str(error).splitlines()[0]}")
    if args.out is not None:
        try:
            _open_folder(args.out)
        except OSError as error:
            parser.error(f"argument --out: {args.out} cannot be written: {error.strerror}")
    cells: list[Cell] = []
    complete = True
    try:
        _measure(agents, args, box, cells)
    except KeyboardInterrupt:
        complete = False
    _report(args, arguments, box, cells, complete)
    return 0 if complete else INTERRUPTED


def _report(
    args: argparse.Namespace,
    arguments: Sequence[str],
    box: Box,
    cells: Sequence[Cell],
    complete: bool,
) -> None:
    console = Console()
    if not console.is_terminal:
        console = Console(width=_PIPE_WIDTH)
    if not any(len(cell.results) for cell in cells):
        console.print("interrupted: no game was finished")
        return
    print_table(console, cells, box, args.seed, nijar_env.__version__)
    if not complete:
        console.print("interrupted: these are the games that were finished")
    if args.out is not None:
        command = shlex.join(["python", "-m", "eval.benchmark", *arguments])
        data = as_json(cells, box, args.seed, command, complete=complete)
        console.print(f"written: {_write(args.out, data)}", highlight=False, soft_wrap=True)


if __name__ == "__main__":
    sys.exit(main())
