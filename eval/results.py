"""`python -m eval.results`: plays the ladder and writes docs/results.md with its pictures.

The games of every stage are kept in a folder of their own, so the command can be stopped and goes
on where it was, and the page can be written anew without playing.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rich.console import Console

from agents import Agent, AgentSpecError, make_agent
from nijar_env import Box, load_box
from nijar_env.components.vocabulary import DIFFICULTIES

from . import benchmark, tournament
from .command import (
    FAILED,
    INTERRUPTED,
    Outcome,
    Parser,
    add_replays_option,
    add_worker_options,
    ended_by_sigterm,
    measure,
    no_repeats,
    one_line,
    open_ray,
    open_replays,
    output_console,
)
from .records import GameRecord
from .results_page import Claim, Part, page, summary_sheets
from .store import Store, StoreError, header_of, write_whole
from .table import Assignment

MCTS: Final = "mcts:iterations=400"
# At most as long at a decision as MCTS, alone and in pairs (docs/agents.md).
SEARCH: Final = "search:iterations=130"
SEED: Final = 0


@dataclass(frozen=True)
class Stage:
    """Some games of the ladder.

    Attributes:
        name: of its folder, and for `--only`.
        agents: by specification.
        players: at a table; 1 is solo, at all difficulties.
        deals: for each difficulty, or for each line-up, which plays them with every seating.
        quick: deals with `--quick`.
    """

    name: str
    agents: tuple[str, ...]
    players: int
    deals: int
    quick: int

    def games(self, quick: bool) -> list[Assignment]:
        """All games."""
        deals = self.quick if quick else self.deals
        if self.players == 1:
            return benchmark.games_of(self.agents, DIFFICULTIES, deals)
        return tournament.games_of(self.agents, self.players, deals)

    def command(self, quick: bool) -> str:
        """The command that plays the same games."""
        deals = str(self.quick if quick else self.deals)
        if self.players == 1:
            words = ["benchmark", "--agent", *self.agents]
        else:
            words = ["tournament", "--agents", *self.agents, "--players", str(self.players)]
        return shlex.join(
            ["python", "-m", f"eval.{words[0]}", *words[1:], "--games", deals, "--seed", str(SEED)]
        )


@dataclass(frozen=True)
class Plan:
    """What the page is made of.

    Attributes:
        claims: pairs of agents, of which the first is said to be the better one.
        anchor: the agent whose Elo is 0. Not the weakest: where that never wins, the distance to it
            is a guess, and would be added to all others.
        balance: agents good enough for their games to say something about the game itself.
    """

    stages: tuple[Stage, ...]
    claims: tuple[Claim, ...]
    anchor: str
    balance: tuple[str, ...]


LADDER: Final = Plan(
    stages=(
        Stage("solo", ("random", "light", "greedy", "expert"), 1, 2000, 20),
        Stage("solo-mcts", (MCTS,), 1, 100, 2),
        Stage("solo-ppo", ("ppo",), 1, 2000, 20),
        Stage("solo-search", (SEARCH,), 1, 100, 2),
        Stage("light-random", ("light", "random"), 2, 1000, 10),
        Stage("greedy-light", ("greedy", "light"), 2, 1000, 10),
        Stage("greedy-random", ("greedy", "random"), 2, 1000, 10),
        Stage("expert-greedy", ("expert", "greedy"), 2, 1000, 10),
        Stage("mcts-expert", (MCTS, "expert"), 2, 50, 1),
        Stage("ppo-greedy", ("ppo", "greedy"), 2, 1000, 10),
        Stage("ppo-expert", ("ppo", "expert"), 2, 500, 5),
        Stage("search-mcts", (SEARCH, MCTS), 2, 50, 1),
        Stage("three", ("greedy", "expert", MCTS), 3, 8, 1),
        Stage("three-even", ("greedy", "expert"), 3, 20, 3),
        Stage("four", ("light", "greedy", "expert", MCTS), 4, 1, 1),
        Stage("four-even", ("greedy", "expert"), 4, 3, 1),
    ),
    claims=(
        Claim("light", "random"),
        Claim("greedy", "light"),
        Claim("greedy", "random"),
        Claim("expert", "greedy"),
        Claim(MCTS, "expert"),
        Claim("ppo", "greedy"),
        Claim("ppo", "expert"),
        Claim(SEARCH, MCTS),
    ),
    anchor="greedy",
    balance=("greedy", "expert"),
)


def _parser(plan: Plan) -> argparse.ArgumentParser:
    names = [stage.name for stage in plan.stages]
    parser = Parser(
        prog="python -m eval.results",
        description="Play the ladder and write the page of results. "
        f"Stages: {', '.join(names)}. Stopped, it goes on where it was.",
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help="where results.md and images/ go (default: docs; with --quick: FOLDER/quick)",
    )
    parser.add_argument(
        "--folder",
        type=Path,
        default=Path("results/ladder"),
        metavar="DIR",
        help="where the games are kept (default: %(default)s)",
    )
    add_worker_options(parser)
    parser.add_argument(
        "--quick", action="store_true", help="a few deals of each stage: to try the command"
    )
    parser.add_argument(
        "--only",
        nargs="+",
        action="extend",
        choices=names,
        metavar="STAGE",
        help="play these stages; the page is made of all stages that are complete",
    )
    add_replays_option(parser, "in a folder for each stage; games that --folder holds get none")
    return parser


def main(
    argv: Sequence[str] | None = None,
    plan: Plan = LADDER,
) -> int:
    """Run the command; returns its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    parser = _parser(plan)
    args = parser.parse_args(arguments)
    no_repeats(parser, "--only", args.only or [])
    out: Path = args.out or (args.folder / "quick" if args.quick else Path("docs"))
    box, console = load_box(), output_console()
    ray = open_ray(parser, args.ray)
    wanted = args.only or [stage.name for stage in plan.stages]
    try:
        with ended_by_sigterm():
            for stage in plan.stages:
                if stage.name in wanted:
                    console.print(f"{stage.name}: {stage.command(args.quick)}", highlight=False)
                    replays = args.replays and open_replays(parser, args.replays / stage.name)
                    outcome = _play(stage, args, box, replays, ray)
                    if not outcome.complete:
                        outcome.show_trouble(console)
                        return outcome.code
            command = shlex.join(["python", "-m", "eval.results", *arguments])
            return _write(console, plan, args, box, command, out)
    except KeyboardInterrupt:
        return INTERRUPTED
    except (AgentSpecError, StoreError) as error:
        parser.error(one_line(error))
    except OSError as error:
        parser.error(one_line(error))


def _open(stage: Stage, folder: Path, box: Box) -> tuple[dict[str, Agent], Store]:
    """The agents of a stage and the games that it has."""
    agents = {spec: make_agent(spec) for spec in stage.agents}
    measures = benchmark.MEASURES if stage.players == 1 else f"tables of {stage.players}"
    return agents, Store(folder / stage.name, header_of(measures, box, SEED, agents))


def _play(
    stage: Stage, args: argparse.Namespace, box: Box, replays: Path | None, ray: bool
) -> Outcome:
    """Play what a stage lacks."""
    agents, store = _open(stage, args.folder, box)
    games = stage.games(args.quick)
    return measure(games, agents, SEED, box, store, workers=args.workers, replays=replays, ray=ray)


def _part(stage: Stage, args: argparse.Namespace, box: Box) -> Part:
    """A stage with those of its games that there are."""
    games = stage.games(args.quick)
    records: list[GameRecord] = []
    if (args.folder / stage.name).is_dir():
        try:
            _, store = _open(stage, args.folder, box)
        except (AgentSpecError, StoreError):
            pass  # of another version, say: as good as none
        else:
            keys = {game.key() for game in games}
            records = [record for record in store.records() if record.key() in keys]
    return Part(stage.name, stage.command(args.quick), len(games), tuple(records))


def _write(
    console: Console,
    plan: Plan,
    args: argparse.Namespace,
    box: Box,
    command: str,
    out: Path,
) -> int:
    """Write the page and show its first tables."""
    parts = [_part(stage, args, box) for stage in plan.stages]
    records = [record for part in parts if part.complete for record in part.records]
    for sheet in summary_sheets(records, plan.claims, plan.anchor):
        sheet.show(console)
    out.mkdir(parents=True, exist_ok=True)
    text, trouble = page(
        parts,
        claims=plan.claims,
        anchor=plan.anchor,
        balance=plan.balance,
        box=box,
        seed=SEED,
        command=command,
        images=out / "images",
    )
    path = out / "results.md"
    write_whole(path, text)
    console.print(f"written: {path}", highlight=False, markup=False, soft_wrap=True)
    if trouble:
        console.print(trouble, highlight=False, markup=False)
        return FAILED
    return 0


if __name__ == "__main__":
    sys.exit(main())
