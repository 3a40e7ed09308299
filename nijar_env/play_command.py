"""The command `nijar play`: people against agents, against each other, or solo."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from .play_table import Table


def play(
    seats: Annotated[
        list[str] | None,
        typer.Argument(
            help="Who plays, seat by seat: person, random, or another player of the checkout such "
            "as greedy, expert, mcts:iterations=400. One seat is a solo game. Without: person."
        ),
    ] = None,
    difficulty: Annotated[
        str | None, typer.Option(help="Of a solo game: normal, advanced or expert.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Which deal; without, a new one.")] = None,
    hints: Annotated[
        str | None, typer.Option(help="Who gives hints (in the checkout: expert).")
    ] = None,
    save: Annotated[
        Path | None, typer.Option(help="Save the game to this new file after each choice.")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(help="Go on with a saved game, and save to the same file.")
    ] = None,
    components: Annotated[Path | None, typer.Option(help="A box folder.")] = None,
    color: Annotated[bool, typer.Option(help="Colours (none where NO_COLOR is set).")] = True,
    web: Annotated[
        bool, typer.Option("--web", help="Play on a page in the browser (extra `web`).")
    ] = False,
    port: Annotated[
        int | None, typer.Option(help="Of the page, with --web; without, a free one.")
    ] = None,
    host: Annotated[
        str | None, typer.Option(help="Where the page is served, with --web: this machine alone.")
    ] = None,
    browser: Annotated[bool, typer.Option(help="With --web: open the page.")] = True,
) -> None:
    """Play in the terminal or on a web page: against agents, with others, or solo."""
    from .play_table import PlayError, find_agents

    if not web and (port is not None or host is not None):
        _fail("--port and --host belong to --web")
    if resume is not None and (seats or difficulty or seed is not None or save is not None):
        _fail("--resume takes seats, difficulty and seed from the file, and saves to it")
    if save is not None:
        _check_new(save)
    if find_agents() is None:
        typer.echo(
            "Here play people and `random`: the other players, and hints, are in the project's "
            "checkout.",
            err=True,
        )
    try:
        if resume is not None:
            table = _resumed(resume, components, hints)
        else:
            table = _dealt(seats or ["person"], difficulty, seed, components, hints)
    except PlayError as error:
        _fail(str(error))
    if not table.people:
        _fail("nobody is a person here; python -m eval.tournament lets agents play")
    for stream in (sys.stdin, sys.stdout):  # bytes that are no text: typed, or in a file's name
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if web:
        _serve(table, resume or save, host, port, browser)
        return
    from .play_terminal import Terminal, make_ask

    colored = color and sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    ask = make_ask(history=len(table.people) == 1)
    Terminal(table, ask, colored, resume or save).run()


def _check_new(file: Path) -> None:
    """What cannot be a new file is told now, not after the first choice."""
    if os.path.lexists(file):
        _fail(f"--save: {file} is there already: --resume goes on with it, or name another file")
    if not file.parent.is_dir():
        _fail(f"--save: {file} cannot be written: there is no folder {file.parent}")


def _serve(
    table: Table, file: Path | None, host: str | None, port: int | None, browser: bool
) -> None:
    """On a web page."""
    from .play_session import Session
    from .play_table import PlayError

    try:
        from .play_web_server import LOOPBACK, serve
    except ImportError as error:
        _fail(f"--web needs the extra `web` ({error.name}): pip install 'nijar-env[web]'")
    session = Session(table, file, "nijar play --web --resume")
    try:
        serve(session, host or LOOPBACK, port or 0, browser=browser)
    except PlayError as error:
        _fail(str(error))


def _dealt(
    seats: list[str],
    difficulty: str | None,
    seed: int | None,
    components: Path | None,
    hints: str | None,
) -> Table:
    """A new game. Raises PlayError."""
    from .components import BoxError
    from .components.vocabulary import DIFFICULTIES
    from .game import Game
    from .play_table import PlayError, Table

    if difficulty is not None and len(seats) > 1:
        raise PlayError("--difficulty belongs to solo games")
    try:
        level = difficulty or DIFFICULTIES[0]
        game = Game(len(seats), difficulty=level, seed=seed, components=components)
    except BoxError as error:
        raise PlayError(f"--components: {str(error).splitlines()[0]}") from None
    except ValueError as error:
        raise PlayError(str(error)) from None
    return Table(game, seats, hints=hints)


def _resumed(file: Path, components: Path | None, hints: str | None) -> Table:
    """A game that was saved. Raises PlayError."""
    from .components import BoxError, load_box
    from .play_table import PlayError, Table
    from .replay import ReplayError, read_replay

    try:
        box = load_box(components)
        return Table.of_replay(read_replay(file, box), box, hints)
    except BoxError as error:
        raise PlayError(f"--components: {str(error).splitlines()[0]}") from None
    except OSError as error:
        raise PlayError(f"{file}: cannot be read: {error.strerror}") from None
    except ReplayError as error:
        raise PlayError(str(error)) from None


def _fail(message: str) -> NoReturn:
    typer.echo(f"error: {message}", err=True)
    raise typer.Exit(code=1)
