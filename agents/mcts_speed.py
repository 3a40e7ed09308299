"""`python -m agents.mcts_speed`: complete iterations of mcts a second, on one core.

An iteration deals what is hidden, follows the tree, adds a node, plays on and values the position.
It is measured at choices in the middle of games (round 2) that `light` plays, from an empty tree.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Sequence

import numpy as np

from nijar_env import GameBatch

from .base import GameView
from .light import LightAgent
from .mcts import MctsAgent
from .registry import AgentSpecError, make_agent

FIRST_SEED = 6_000_000
MIDDLE = 2  # the round


def iterations_a_second(spec: str, players: int, games: int, iterations: int) -> list[float]:
    """One rate for each game.

    Args:
        spec: of an mcts agent without a budget, such as `mcts:playout=random`.

    Raises:
        AgentSpecError: no such agent.
    """
    budget = f"iterations={iterations}"
    agent = make_agent(f"{spec},{budget}" if ":" in spec else f"{spec}:{budget}")
    if not isinstance(agent, MctsAgent):
        raise AgentSpecError(f"'{spec}' is no mcts")
    light = LightAgent()
    seeds = np.arange(FIRST_SEED, FIRST_SEED + games, dtype=np.uint64)
    rates: list[float] = []
    for seed in seeds:
        batch = GameBatch(1, players, seed=np.array([seed]), auto_reset=False)
        while batch.games["round_number"][0] < MIDDLE or batch.action_masks[0].sum() < 3:
            view = GameView(batch)
            batch.step(light.act(None, batch.action_masks, view))
        view = GameView(batch)
        if not rates:  # compiles
            agent.act(None, batch.action_masks, view)
        agent.reset(int(seed))
        start = time.perf_counter()
        agent.act(None, batch.action_masks, view)
        rates.append(iterations / (time.perf_counter() - start))
    return rates


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m agents.mcts_speed", description=__doc__)
    parser.add_argument("--agent", nargs="+", action="extend")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--iterations", type=int, default=2000)
    args = parser.parse_args(argv)
    if args.games < 1 or args.iterations < 1:
        parser.error("--games and --iterations must be at least 1")
    for spec in args.agent or ("mcts", "mcts:playout=random"):
        for players in (1, 2, 3, 4):
            try:
                rates = iterations_a_second(spec, players, args.games, args.iterations)
            except AgentSpecError as error:
                parser.error(str(error))
            low, middle, high = min(rates), statistics.median(rates), max(rates)
            print(f"{spec}, {players} players: {middle:,.0f} a second ({low:,.0f} to {high:,.0f})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
