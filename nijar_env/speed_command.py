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
    front_ends: Annotated[
        bool, typer.Option("--front-ends", help="Measure the front ends instead of the core.")
    ] = False,
    starts: Annotated[
        bool, typer.Option(help="Measure the cold and warm start too (about a minute).")
    ] = True,
) -> None:
    """Decisions a second of the core (random legal play, two players), playouts, start times."""
    from .speed import PARTS, measure

    notes = Console(stderr=True)
    if front_ends:
        _front_ends(notes, as_json, seconds)
        return
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


def _front_ends(notes: Console, as_json: bool, seconds: float) -> None:
    """One game through PettingZoo beside a game of PettingZoo's own, and the vector environments
    beside the core."""
    from .front_end_speed import aec_lines, aec_rates
    from .speed import machine
    from .vector_speed import measure_vector, vector_lines

    with notes.status("measuring") as status:

        def tell(what: str) -> None:
            status.update(f"measuring {what}")

        aec = aec_rates(seconds=seconds, progress=tell)
        vector = measure_vector(seconds, progress=tell)
    if as_json:
        print(json.dumps({"aec": aec, "vector": vector, "machine": machine()}, indent=2))
        return
    console = Console()
    console.print("[bold]One game, agent steps, 2 players")
    console.print("\n".join(aec_lines(aec)), highlight=False)
    console.print("[bold]Batches of 1,024 games")
    console.print("\n".join(vector_lines(vector)), highlight=False)
