"""The command `nijar`. Each group of commands lives beside what it is about."""

from __future__ import annotations

from typing import Final

import typer

from .cache_command import app as cache_app
from .components.commands import app as components_app
from .play_command import play
from .replay_command import replay
from .speed_command import speed

app: Final = typer.Typer(
    name="nijar", no_args_is_help=True, help="The board game Níjar as a research environment."
)
app.add_typer(components_app, name="components")
app.add_typer(cache_app, name="cache")
app.command()(speed)
app.command()(replay)
app.command()(play)


@app.callback()
def _nijar() -> None:
    """Keep `nijar` a group of commands however many there are."""


def main() -> None:
    """Entry point of the command line."""
    app()


if __name__ == "__main__":
    main()
