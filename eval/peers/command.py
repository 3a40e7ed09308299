"""`python -m eval.peers`: decisions a second beside other projects' games, on this machine."""

from __future__ import annotations

import contextlib
import shlex
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from ..command import (
    FAILED,
    INTERRUPTED,
    Parser,
    ended_by_sigterm,
    no_repeats,
    one_line,
    output_console,
    whole_from,
)
from ..meter import BarOrLines
from ..provenance import machine
from . import environments
from .measuring import Answers, Measurement, Tell
from .page import PEERS_PART, PageError, load, peers_part, save, with_part, write_page
from .plan import OURS, PEERS, ROWS, Peer
from .tables import absent_lines, sheets
from .talk import Script

ROUNDS, SECONDS = 5, 0.4
QUICK_ROUNDS, QUICK_SECONDS = 1, 0.05
# Seconds for an answer: JAX and Numba compile within the first, minutes on a busy machine.
PATIENCE: Final = 900.0


def parser() -> Parser:
    """The options."""
    found = Parser(prog="python -m eval.peers", description=__doc__)
    names = [peer.name for peer in PEERS]
    found.add_argument(
        "--peers", nargs="*", choices=names, metavar="PEER", help=f"only these: {', '.join(names)}"
    )
    found.add_argument(
        "--install",
        action="store_true",
        help="first make the environments that are missing (several GB, from the package registry)",
    )
    found.add_argument(
        "--envs",
        type=Path,
        metavar="DIR",
        default=environments.default_folder(),
        help="where the environments are (default: %(default)s)",
    )
    found.add_argument("--quick", action="store_true", help="one short round, to see that it works")
    found.add_argument(
        "--rounds", type=whole_from(1, 100), metavar="N", help=f"rounds (default: {ROUNDS})"
    )
    add_outputs(found)
    return found


def add_outputs(found: Parser) -> None:
    """Where measurements go, for this command and `eval.peers.costs`."""
    found.add_argument(
        "--save", type=Path, metavar="FILE", help="keep the measurements in this file of JSON"
    )
    found.add_argument(
        "--page", type=Path, metavar="FILE", help="write them into the marked part of this page"
    )
    found.add_argument(
        "--from",
        dest="saved",
        type=Path,
        metavar="FILE",
        help="measure nothing, show what this file has",
    )


def main(
    argv: Sequence[str] | None = None, *, start: Callable[[str], Answers] | None = None
) -> int:
    """Run the command; returns its exit code. `start` starts the script of a peer."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    options = parser()
    args = options.parse_args(arguments)
    no_repeats(options, "--peers", args.peers or [])
    console = output_console()
    command = shlex.join(["python", "-m", "eval.peers", *arguments])
    try:
        with ended_by_sigterm():
            check_page(args, PEERS_PART)
            if args.saved:
                data = saved_part(args.saved, PEERS_PART)
            else:
                data = _measure(args, command, start)
            return _show(console, args, data)
    except KeyboardInterrupt:
        return INTERRUPTED
    except (PageError, OSError) as error:
        options.error(one_line(error))


def check_page(args: Namespace, part: str) -> None:
    """Refuse before measuring what could not be written after it.

    Raises:
        PageError: the page or the file of measurements does not fit.
    """
    if args.page:
        try:
            with_part(args.page.read_text(encoding="utf-8"), part, "")
        except OSError as error:
            raise PageError(f"{args.page} cannot be read: {error.strerror}") from error
    if args.save:
        load(args.save)


def saved_part(path: Path, part: str) -> dict[str, Any]:
    """A part of a file of measurements.

    Raises:
        PageError: it has none.
    """
    found: dict[str, Any] | None = load(path).get(part)
    if found is None:
        raise PageError(f"{path} has no measurements of '{part}'")
    return found


class _Rows(BarOrLines):
    """Shows how many rows have been measured; without a terminal in a line a minute."""

    LINE_S: Final = 60.0

    def __init__(self) -> None:
        columns = [BarColumn(20), TimeElapsedColumn(), TimeRemainingColumn()]
        super().__init__([TextColumn("{task.description}"), *columns], "", 1)

    def show(self, what: str, done: int, total: int) -> None:
        """What is measured now, and how many of all rows are done."""
        self._progress.update(self._task, description=what, completed=done, total=total)
        if not self._bar and self._is_time(self.LINE_S):
            self.tell(f"{done} of {total}: {what}")


@contextlib.contextmanager
def progress() -> Iterator[Tell]:
    """A bar on standard error, or lines where that is no terminal."""
    with _Rows() as rows:
        yield rows.show


def _measure(
    args: Namespace, command: str, start: Callable[[str], Answers] | None
) -> dict[str, Any]:
    wanted = [peer for peer in PEERS if args.peers is None or peer.name in args.peers]
    absent = {peer.name: "left out by --peers" for peer in PEERS if peer not in wanted} | _absent(
        args, wanted, installed=start is not None
    )

    def run_script(name: str) -> Answers:
        module = next((peer.script for peer in PEERS if peer.name == name), _OUR_SCRIPT)
        python = environments.python_of(args.envs, name)
        # JAX keeps what it has compiled, which takes a minute.
        cache = str(args.envs.absolute() / "jax_cache")
        command = [str(python), "-m", module, "--serve"]
        return Script(command, PATIENCE, JAX_COMPILATION_CACHE_DIR=cache)

    rounds = args.rounds or (QUICK_ROUNDS if args.quick else ROUNDS)
    seconds = QUICK_SECONDS if args.quick else SECONDS
    measurement = Measurement(ROWS, start or run_script, absent, rounds, seconds)
    interrupted = False
    try:
        with progress() as tell:
            measurement.run(tell)
    except KeyboardInterrupt:
        interrupted = True
    return {
        **measurement.data,
        "command": command,
        "machine": machine(),
        "interrupted": interrupted,
    }


_OUR_SCRIPT: Final = "eval.peers.scripts.ours"


def _absent(args: Namespace, wanted: Sequence[Peer], installed: bool) -> dict[str, str]:
    """Peers without an environment, after those that shall be installed have been."""
    if installed:
        return {}
    absent = {}
    for peer in wanted:
        why = environments.missing(args.envs, peer)
        if why and args.install:
            print(f"installing {peer.title} ...", file=sys.stderr, flush=True)
            why = environments.install(args.envs, peer)
        if why:
            absent[peer.name] = why
    return absent


def _show(console: Console, args: Namespace, data: dict[str, Any]) -> int:
    for sheet in sheets(data):
        sheet.show(console)
    for line in absent_lines(data):
        console.print(line, highlight=False, markup=False)
    if args.save and not args.saved:
        save(args.save, PEERS_PART, data)
        console.print(f"written: {args.save}", highlight=False, markup=False, soft_wrap=True)
    if args.page:
        write_page(args.page, PEERS_PART, peers_part(data))
        console.print(f"written: {args.page}", highlight=False, markup=False, soft_wrap=True)
    if data.get("interrupted"):
        console.print("interrupted: these are medians of the rounds that were finished")
        return INTERRUPTED
    ours = [row for key, row in data["rows"].items() if f"/ {OURS} /" in key]
    return FAILED if any("error" in row for row in ours) else 0
