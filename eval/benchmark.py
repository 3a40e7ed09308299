"""`python -m eval.benchmark`: agents in solo games against the Competition.

Every agent meets the same games at every difficulty: game i of seed s is dealt from a hash of
(s, i). Results go to standard output, progress to standard error.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from agents import Agent
from nijar_env import Box, __version__
from nijar_env.components.vocabulary import DIFFICULTIES

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
    no_repeats,
    one_line,
    open_ray,
    open_replays,
    open_store,
    output_console,
    whole_from,
    write_results,
)
from .plots import solo_plots
from .solo_report import as_json, as_markdown, as_text, print_table
from .store import StoreError, agents_of
from .table import Assignment

DEFAULT_AGENTS: Final = ("greedy", "random")
DEFAULT_GAMES: Final = 1000
MEASURES: Final = "solo games"
RESULTS: Final = ("benchmark.json", "benchmark.md")


def games_of(agents: Sequence[str], difficulties: Sequence[str], deals: int) -> list[Assignment]:
    """All games of a benchmark."""
    return [
        Assignment(deal, difficulty, (agent,))
        for agent in agents
        for difficulty in difficulties
        for deal in range(deals)
    ]


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="python -m eval.benchmark",
        description="Measure agents in solo games against the Competition.",
    )
    parser.add_argument(
        "--agent",
        nargs="+",
        action="extend",
        metavar="SPEC",
        help="agents by specification, such as greedy:beam=32 (default: greedy random)",
    )
    parser.add_argument(
        "--difficulty",
        nargs="+",
        action="extend",
        choices=DIFFICULTIES,
        metavar="LEVEL",
        help="any of: normal advanced expert (default: all)",
    )
    parser.add_argument(
        "--games",
        type=whole_from(1),
        default=DEFAULT_GAMES,
        metavar="N",
        help="games for each agent and difficulty (default: %(default)s)",
    )
    parser.add_argument(
        "--reference",
        metavar="SPEC",
        help="the agent that the others are compared with, deal by deal (default: the first)",
    )
    add_common_options(parser, "benchmark.json, benchmark.md and pictures")
    return parser


def _check_reference(
    parser: argparse.ArgumentParser, args: argparse.Namespace, agents: Mapping[str, Agent]
) -> None:
    """A reference must be measured here, or have been in the folder."""
    if args.reference is None or args.reference in agents:
        return
    try:
        there = agents_of(args.out) if args.out is not None else ()
    except StoreError as error:
        parser.error(f"argument --out: {error}")
    if args.reference not in there:
        known = ", ".join(dict.fromkeys([*agents, *there]))
        parser.error(f"argument --reference: '{args.reference}' is none of the agents ({known})")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    parser = _parser()
    args = parser.parse_args(arguments)
    # Not as defaults of the options, to which those given would be added.
    args.agent = args.agent or list(DEFAULT_AGENTS)
    args.difficulty = args.difficulty or list(DIFFICULTIES)
    no_repeats(parser, "--difficulty", args.difficulty)
    agents = make_agents(parser, "--agent", args.agent)
    box = load_components(parser, args.components)
    _check_reference(parser, args, agents)
    ray = open_ray(parser, args.ray)
    replays = open_replays(parser, args.replays)
    store = open_store(parser, args.out, MEASURES, box, args.seed, agents, RESULTS)
    games = games_of(args.agent, args.difficulty, args.games)
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
            command = shlex.join(["python", "-m", "eval.benchmark", *arguments])
            _report(args, command, box, outcome)
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        print(f"error: the results could not be written: {one_line(error)}", file=sys.stderr)
        return FAILED
    return outcome.code


def _reference(given: str | None, first: str, outcome: Outcome) -> str | None:
    """The agent to compare with; None where there is nobody to be compared."""
    played = {record.agents[0] for record in outcome.records}
    reference = given or first
    return reference if reference in played and len(played) > 1 else None


def _report(args: argparse.Namespace, command: str, box: Box, outcome: Outcome) -> None:
    console = output_console()
    records, seed = outcome.records, args.seed
    if records:
        reference = _reference(args.reference, args.agent[0], outcome)
        print_table(console, records, box, seed, __version__, reference=reference)
        if args.out is not None:
            folder: Path = args.out
            data = as_json(
                records, box, seed, command, complete=outcome.complete, reference=reference
            )
            page = as_markdown(records, box, seed, command, reference=reference)
            texts = (as_text(data), page)
            write_results(console, folder, dict(zip(RESULTS, texts, strict=True)))
            draw(console, solo_plots, records, folder)
    elif outcome.code == INTERRUPTED:
        console.print("interrupted: no game was finished")
        return
    outcome.show_trouble(console)


if __name__ == "__main__":
    sys.exit(main())
