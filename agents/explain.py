"""`python -m agents.explain`: an agent plays a game and says at each choice what it considered.

python -m agents.explain --agent expert --seed 7 --difficulty normal
python -m agents.explain --agent mcts:iterations=400 --players 2 --decisions 20
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from typing import Any, Protocol, cast

import numpy as np

from nijar_env import Box, GameBatch
from nijar_env.components.vocabulary import DIFFICULTIES
from nijar_env.core.catalogue import action_names
from nijar_env.options import MAX_SEED

from .base import Agent, GameView
from .notes import MOST_CHOICES, Note, note_lines
from .registry import AgentSpecError, make_agent

__all__ = ["MOST_CHOICES", "explained_game", "main", "note_lines"]


class Explaining(Agent, Protocol):
    """An agent that keeps notes, as `expert` and `mcts` do."""

    keep_notes: bool
    notes: dict[int, Note]


def explained_game(
    agents: Sequence[Agent],
    seed: int,
    difficulty: str | None = None,
    box: Box | None = None,
) -> Iterator[list[str]]:
    """Play one game, an agent for each player; yields lines at each choice with a note, and the
    result at the end.

    Raises:
        ValueError: `difficulty` with more than one player.
    """
    if difficulty is not None and len(agents) > 1:
        raise ValueError("a difficulty belongs to solo games")
    options: dict[str, Any] = {} if difficulty is None else {"difficulty": difficulty}
    batch = GameBatch(
        1,
        len(agents),
        seed=np.array([seed], np.uint64),
        components=box,
        auto_reset=False,
        **options,
    )
    names = action_names(batch.box.card_ids)
    for number, agent in enumerate(agents):
        agent.reset((seed + number) % (MAX_SEED + 1))
        if hasattr(agent, "keep_notes"):
            cast(Explaining, agent).keep_notes = True
    while not batch.dones[0]:
        view = GameView(batch)
        player = int(view.players[0])
        agent = agents[player]
        seen = batch.observe()[view.rows] if agent.needs_observations else None
        notes: dict[int, Note] = getattr(agent, "notes", {})
        notes.pop(int(view.ids[0]), None)
        action = agent.act(seen, batch.action_masks[view.rows], view)
        note = notes.get(int(view.ids[0]))
        if note is not None:
            game = batch.games[0]
            head = f"round {game['round_number']}, player {player}, {game['vp'][player]} VP"
            yield [f"{head}: {names[int(action[0])]}", *note_lines(note, names)]
        batch.step(action)
    scores = batch.final_scores[0]
    if len(agents) == 1:
        yield [f"{scores[0]} VP, the Competition {scores[1]}"]
    else:
        yield ["VP: " + ", ".join(str(vp) for vp in scores[: len(agents)])]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m agents.explain",
        description="Play a game and say at each choice what the agent considered.",
    )
    parser.add_argument("--agent", default="expert", metavar="SPEC", help="default: expert")
    parser.add_argument("--players", type=int, default=1, choices=(1, 2, 3, 4), metavar="N")
    parser.add_argument("--difficulty", choices=DIFFICULTIES, help="of a solo game: normal")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--decisions", type=int, metavar="N", help="stop after so many choices")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = _parser()
    args = parser.parse_args(argv)
    if args.players > 1 and args.difficulty:
        parser.error("--difficulty belongs to solo games")
    if not 0 <= args.seed <= MAX_SEED:
        parser.error(f"--seed must be 0 to {MAX_SEED}")
    if args.decisions is not None and args.decisions < 1:
        parser.error("--decisions must be at least 1")
    try:
        agents = [make_agent(args.agent) for _ in range(args.players)]
    except AgentSpecError as error:
        parser.error(str(error))
    difficulty = (args.difficulty or DIFFICULTIES[0]) if args.players == 1 else None
    if not hasattr(agents[0], "keep_notes"):
        print(f"{agents[0].name} keeps no notes: only the result is shown", file=sys.stderr)
    for number, lines in enumerate(explained_game(agents, args.seed, difficulty)):
        print("\n".join(lines))
        if number + 1 == args.decisions:
            break
    return 0


if __name__ == "__main__":
    sys.exit(main())
