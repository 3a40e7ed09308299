"""`nijar components`: show, check and copy boxes. Imported by the command line only."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final, NoReturn

import typer

from .box import Box
from .loader import DEFAULT_FOLDER, check_box, load_box
from .sections import FILES
from .show import show_box

app: Final = typer.Typer(
    no_args_is_help=True,
    help="The box: what is printed on boards, cards and tiles, and where each value comes from.",
)


@app.command()
def show(
    path: Annotated[
        Path | None, typer.Argument(help="A box folder; the default box without it.")
    ] = None,
) -> None:
    """Print every value of a box with its source."""
    tables, box = check_box(path or DEFAULT_FOLDER)
    if box is None:
        _fail(tables.faults)
    show_box(tables, box)


@app.command()
def check(path: Annotated[Path, typer.Argument(help="A box folder.")]) -> None:
    """Check a box; list every fault, one a line."""
    tables, box = check_box(path)
    if box is None:
        _fail(tables.faults)
    typer.echo(f"ok: {box.name}, version {box.version}, fingerprint {box.fingerprint}")
    _note_name(box)


@app.command()
def copy(
    dest: Annotated[Path, typer.Argument(help="A new folder, which must not exist yet.")],
) -> None:
    """Copy the default box to a new folder for editing."""
    dest = dest.expanduser()
    try:
        dest.mkdir(parents=True)
        for name in FILES:
            (dest / name).write_bytes((DEFAULT_FOLDER / name).read_bytes())
    except FileExistsError:
        _fail([f"{dest}: exists already and is left as it is; choose a new folder"])
    except OSError as error:
        _fail([f"{dest}: cannot be written: {error.strerror}"])
    typer.echo(
        f"{dest}: {len(FILES)} files written; edit them, give the box a name in box.toml, then run "
        f"`nijar components check {dest}`"
    )


def _note_name(box: Box) -> None:
    """Remind the author of an edited copy that still has the default box's name."""
    default = load_box()
    if box.name == default.name and box != default:
        typer.echo(
            f"note: box.toml, [box], field name: the values differ from those of {default.name}, "
            "so give the box another name"
        )


def _fail(faults: list[str]) -> NoReturn:
    for fault in faults:
        typer.echo(fault)
    raise typer.Exit(code=1)
