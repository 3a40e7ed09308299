"""The command `nijar replay`: prints a replay, or makes a page of it. Used by the command line."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NoReturn

import typer

if TYPE_CHECKING:
    from .components import Box
    from .replay import Replay

PAGE_BEGINS: Final = b"<!doctype html>"


def replay(
    file: Annotated[Path, typer.Argument(help="A replay file.")],
    html: Annotated[
        Path | None,
        typer.Option(help="Write one page to step through in a browser, instead of printing."),
    ] = None,
    notes: Annotated[
        bool, typer.Option("--notes", help="Print what the agents considered, too (a page has it).")
    ] = False,
    player: Annotated[
        int | None, typer.Option(help="Show only what this player knew (without: everything).")
    ] = None,
    components: Annotated[
        Path | None, typer.Option(help="The box folder that it was played with.")
    ] = None,
) -> None:
    """Print a game from its replay: the log by turn, and the scores."""
    from .components import BoxError, load_box
    from .log import check_viewer
    from .replay import ReplayError, read_replay

    try:
        box = load_box(components)
        game = read_replay(file, box)
        if player is not None:
            check_viewer(player, game.num_players)
    except BoxError as error:
        _fail(f"--components: {str(error).splitlines()[0]}")
    except OSError as error:
        _fail(f"{file}: cannot be read: {error.strerror}")
    except ReplayError as error:
        _fail(str(error))
    except ValueError as error:
        _fail(f"--player: {error}")
    if html is None:
        for line in replay_lines(game, box, viewer=player, notes=notes):
            typer.echo(line)
        return
    from .replay import write_whole
    from .replay_html import replay_page

    try:
        if not _is_ours(html):
            _fail(f"--html: {html} is there already and is no such page: name another file")
        write_whole(html, replay_page(game, box, viewer=player).encode())
    except OSError as error:
        _fail(f"{html}: cannot be written: {error.strerror}")
    typer.echo(f"written: {html} ({html.stat().st_size / 1e6:.1f} MB); open it in a browser")


def _is_ours(path: Path) -> bool:
    """Whether a page may be written there: a page of before is replaced, nothing else is."""
    if not os.path.lexists(path):
        return True
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(PAGE_BEGINS)) == PAGE_BEGINS


def replay_lines(
    replay: Replay, box: Box, *, viewer: int | None = None, notes: bool = False
) -> Iterator[str]:
    """A replay as text: who plays, the log, how it ended.

    Args:
        replay: a checked one.
        box: that it was played with.
        viewer: the player whose view it is; None sees everything.
        notes: with what the agents considered, before each choice that the viewer may follow.
    """
    from .action_names import names_of_actions
    from .notes import note_lines
    from .replay import iterate_replay

    mode = f"solo, {replay.difficulty}" if replay.difficulty else f"{replay.num_players} players"
    deal = "" if replay.deal is None else f", deal {replay.deal}"
    # From the seed all that is hidden could be worked out.
    dealt = f"as player {viewer} saw it" if viewer is not None else f"seed {replay.seed}{deal}"
    yield f"Nijar, {mode}, {dealt}; box {replay.box.name} ({box.fingerprint})"
    yield from (f"    {name}" for name in replay.seat_names())
    told, names = 0, names_of_actions(box)
    for step in iterate_replay(replay, box):
        log = step.game.log if viewer is None else step.game.log_for(viewer)
        yield from log[told:]
        told = len(log)
        if notes and step.note is not None and viewer in (None, step.game.current_player):
            yield f"    player {step.game.current_player} considers ({step.note.measure}):"
            yield from (f"      {line}" for line in note_lines(step.note, names))
    yield ""
    yield from result_lines(replay)


def result_lines(replay: Replay) -> list[str]:
    """The scores, and the winner if the game is over."""
    width = max(map(len, replay.seat_names()))
    lines = [
        f"{name.ljust(width)}  {vp:4d} VP{'  wins' if seat == replay.winner else ''}"
        for seat, (name, vp) in enumerate(zip(replay.seat_names(), replay.scores, strict=True))
    ]
    count = len(replay.actions)
    if replay.winner is None:
        lines.append(f"not played to its end ({count} decisions so far)")
    return lines


def _fail(message: str) -> NoReturn:
    typer.echo(f"error: {message}", err=True)
    raise typer.Exit(code=1)
