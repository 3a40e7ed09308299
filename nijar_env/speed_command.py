"""The command `nijar speed`: measures, shows a table, or prints JSON."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table


def speed(
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
    seconds: Annotated[
        float, typer.Option(min=0.01, max=60, help="Length of each of the five runs a figure.")
    ] = 0.3,
    starts: Annotated[
        bool, typer.Option(help="Measure the cold and warm start too (about a minute).")
    ] = True,
) -> None:
    """Decisions a second of the core (random legal play, two players), playouts, start times."""
    from .speed import PARTS, measure

    notes = Console(stderr=True)
    with notes.status("measuring") as status:
        figures = measure(
            seconds=seconds, starts=starts, progress=lambda what: status.update(f"measuring {what}")
        )
    if as_json:
        print(json.dumps(figures, indent=2))
        return
    console = Console()
    table = Table(title="Decisions a second (thousands), random legal play, 2 players")
    for heading in ("batch", "threads", "rules alone", "with masks", "with masks, observations"):
        table.add_column(heading, justify="right")
    for row in figures["decisions_per_second"]:
        rates = (f"{row[part] / 1000:,.0f}" for part in PARTS)
        table.add_row(f"{row['batch']:,}", str(row["threads"]), *rates)
    console.print(table)
    console.print(
        f"One Game in a Python loop: {figures['game_loop_decisions_per_second']:,.0f} decisions a "
        "second."
    )
    console.print(
        f"Complete random playouts from the middle of a game, one core: "
        f"{figures['playouts_per_second']:,.0f} a second "
        f"({figures['decisions_per_playout']:.0f} decisions each)."
    )
    if starts:
        start = figures["start_seconds"]
        console.print(
            f"From import to the first step: {start['cold']:.1f} s when kernels are compiled, "
            f"{start['warm']:.2f} s from the cache."
        )
    what = figures["machine"]
    console.print(
        f"{what['system']}, {what['cores']} cores, Python {what['python']}, NumPy {what['numpy']}, "
        f"Numba {what['numba']}; median of {figures['runs']} runs of {seconds} s."
    )
