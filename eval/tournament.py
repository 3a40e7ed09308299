"""`python -m eval.tournament`: agents against each other at tables of two, three or four.

Every line-up plays every deal once for each way to seat it, so neither seats nor deals favour
anyone. Results go to standard output, progress to standard error.
"""

from __future__ import annotations

import argparse
import itertools
import json
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from rich.console import Console

from nijar_env import Box

from .command import (
    FAILED,
    INTERRUPTED,
    Outcome,
    Parser,
    add_common_options,
    draw,
    ended_by_sigterm,
    load_components,
    make_agents,
    measure,
    one_line,
    open_ray,
    open_replays,
    open_store,
    output_console,
    whole_from,
    write_results,
)
from .plots import tournament_plots
from .provenance import machine_line, measured_with, provenance
from .table import Assignment
from .tournament_report import as_json, as_markdown, print_report

DEFAULT_GAMES: Final = 100
RESULTS: Final = ("tournament.json", "tournament.md")


def lineups(agents: Sequence[str], players: int) -> list[tuple[str, ...]]:
    """Who plays together.

    All choices of different agents; where there are fewer agents than seats, all choices in
    which some sit more than once but not one alone; a single agent meets itself.
    """
    if len(agents) >= players:
        return list(itertools.combinations(agents, players))
    if len(agents) == 1:
        return [tuple(agents) * players]
    repeated = itertools.combinations_with_replacement(agents, players)
    return [lineup for lineup in repeated if len(set(lineup)) > 1]


def seatings(lineup: Sequence[str]) -> list[tuple[str, ...]]:
    """All different ways to seat a line-up."""
    return sorted(set(itertools.permutations(lineup)))


def games_of(agents: Sequence[str], players: int, deals: int) -> list[Assignment]:
    """All games of a tournament; a deal's seatings stand together."""
    seated = [seatings(lineup) for lineup in lineups(agents, players)]
    return [
        Assignment(deal, "", seats) for deal in range(deals) for ways in seated for seats in ways
    ]


def size_line(agents: Sequence[str], players: int, deals: int) -> str:
    """How many games a tournament has, and why."""
    groups: dict[int, int] = {}
    for lineup in lineups(agents, players):
        ways = len(seatings(lineup))
        groups[ways] = groups.get(ways, 0) + 1

    def some(number: int, name: str) -> str:
        return f"{number:,} {name}{'' if number == 1 else 's'}"

    name = "pairing" if players == 2 else "line-up"
    parts = [
        f"{some(count, name)} × {some(deals, 'deal')} × {some(ways, 'seating')}"
        for ways, count in sorted(groups.items())
    ]
    total = sum(ways * count for ways, count in groups.items()) * deals
    return f"{' + '.join(parts)} = {some(total, 'game')}"


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="python -m eval.tournament",
        description="Let agents play each other, every line-up at all seats on the same deals.",
    )
    parser.add_argument(
        "--agents",
        nargs="+",
        action="extend",
        required=True,
        metavar="SPEC",
        help="agents by specification, such as greedy:beam=32; a single one plays itself",
    )
    parser.add_argument(
        "--players",
        type=int,
        choices=(2, 3, 4),
        default=2,
        metavar="P",
        help="seats at a table: 2, 3 or 4 (default: %(default)s)",
    )
    parser.add_argument(
        "--games",
        type=whole_from(1),
        default=DEFAULT_GAMES,
        metavar="N",
        help="deals for each line-up, each played with every seating (default: %(default)s)",
    )
    add_common_options(parser, "tournament.json, tournament.md and pictures")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    parser = _parser()
    args = parser.parse_args(arguments)
    agents = make_agents(parser, "--agents", args.agents)
    box = load_components(parser, args.components)
    measures = f"tables of {args.players}"
    ray = open_ray(parser, args.ray)
    replays = open_replays(parser, args.replays)
    store = open_store(parser, args.out, measures, box, args.seed, agents, RESULTS)
    games = games_of(args.agents, args.players, args.games)
    try:
        with ended_by_sigterm():
            outcome = measure(
                games,
                agents,
                args.seed,
                box,
                store,
                workers=args.workers,
                batch_size=args.batch,
                replays=replays,
                ray=ray,
            )
            command = shlex.join(["python", "-m", "eval.tournament", *arguments])
            _report(args, command, box, outcome)
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        print(f"error: the results could not be written: {one_line(error)}", file=sys.stderr)
        return FAILED
    return outcome.code


def _report(args: argparse.Namespace, command: str, box: Box, outcome: Outcome) -> None:
    console = output_console()
    if outcome.records:
        print_report(console, outcome.records, title="Tournament")
        console.print(size_line(args.agents, args.players, args.games), highlight=False)
        console.print(
            f"box {box.name}, version {box.version}, fingerprint {box.fingerprint}; "
            f"seed {args.seed}",
            highlight=False,
        )
        console.print(machine_line(), highlight=False)
        if args.out is not None:
            _write(console, args.out, args.seed, command, box, outcome)
    elif outcome.code == INTERRUPTED:
        console.print("interrupted: no game was finished")
        return
    outcome.show_trouble(console)


def _write(
    console: Console, folder: Path, seed: int, command: str, box: Box, outcome: Outcome
) -> None:
    numbers = as_json(outcome.records)
    data: dict[str, Any] = {
        "format": numbers.pop("format"),
        "complete": outcome.complete,
        **provenance(box, seed, command),
        **numbers,
    }
    page = as_markdown(outcome.records) + "\n" + measured_with(box, seed, command)
    texts = (json.dumps(data, indent=1, allow_nan=False) + "\n", page)
    write_results(console, folder, dict(zip(RESULTS, texts, strict=True)))
    draw(console, tournament_plots, outcome.records, folder)


if __name__ == "__main__":
    sys.exit(main())
