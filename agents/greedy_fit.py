"""Fit greedy's weights to its own solo games: `python -m agents.greedy_fit --out weights.json`.

A round of the fit plays games, a few at a time with weights that are shaken a little, and notes the
features of the positions that turns end in. Weights are then solved for by least-squares temporal
differences (LSTD; Bradtke and Barto 1996): the worth of a position shall be the VP up to the next
one plus the worth of that one, own VP less a share of the best rival's. Eligibility traces carry
later VP back; a ridge holds weights near those that the fit starts from, and those of neighbouring
numbers of turns near each other. Games of earlier rounds count less and less. The next round plays
with the new weights.

Each round's weights are measured on games of their own, and the best are written. The table in
`greedy_weights` is such a result. Seeds start at 1,000,000, far from those that are hashed for
measurements.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from nijar_env import GameBatch
from nijar_env.core.catalogue import A_KEEP, A_REROLL

from .base import Actions, GameView
from .greedy import GreedyAgent, bytes_of
from .greedy_weights import (
    FEATURES,
    KNOTS,
    MOST_TURNS,
    NUM_FEATURES,
    RIVAL_VP,
    fitted_weights,
)
from .random_agent import draw_keys

Floats = npt.NDArray[np.float64]

# How far weights may lie from where the fit starts, and from their neighbours: of features that
# are VP or come by the dozen, and of those that are counted one by one.
VP_SCALE, COUNT_SCALE = 0.35, 1.0
START_SPREAD, NEIGHBOUR_SPREAD = 2.0, 1.5
VP_FEATURES: Final = (
    "pg_few pg_some pg_many glaze_few glaze_many clay_few clay_many cracks_few cracks_many "
    "ready_price workshop_price firing_price firing_plain drying_price market paint_cost icons "
    "wheel_progress wheel_vp ahead shapes throws set_now set_next cleanup_reward cleanup_progress "
    "hand_worth donkey_best donkey_second played_now played_next held_now held_next rival_ready "
    "rival_coming supply"
)
SCALES: Final = np.array(
    [VP_SCALE if name in VP_FEATURES.split() else COUNT_SCALE for name, _, _ in FEATURES]
)
# Variance of what happens between two turns, VP². Traces. What a round's games count in the next.
NOISE, TRACE, MEMORY = 100.0, 0.8, 0.8
# Games that share one shaking of the weights, and how much of it is independent of their size.
GROUP, LOOSE = 8, 0.3
SHAKE_FIRST, SHAKE_LAST = 0.15, 0.06
FIRST_SEED, MEASURE_SEED = 1_000_000, 20_000


@dataclass
class Trajectory:
    """The positions at the ends of a player's turns in one game, and how it ended."""

    features: list[Floats] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)
    worth: list[float] = field(default_factory=list)  # VP less the rival's share, as they stand
    final: float = 0.0


class Recorder(GreedyAgent):
    """greedy, noting where its plans lead."""

    def reset(self, seed: int) -> None:
        """See `GreedyAgent.reset`."""
        super().reset(seed)
        self.paths: dict[int, Trajectory] = {}

    def _plan(self, games: GameView) -> Actions:
        from .greedy_kernels import note_plans

        actions = super()._plan(games)
        known = games.determinize(draw_keys(self._seed, games))
        n = len(games)
        features, worth = np.zeros((n, NUM_FEATURES)), np.zeros(n)
        turns, again = np.zeros(n, np.int64), np.zeros(n, np.bool_)
        note_plans(
            games.box.record,
            known,
            bytes_of(known),
            games.rows,
            self._plans,
            self._pool,
            bytes_of(self._pool),
            self._features,
            self._feature_rows,
            features,
            turns,
            worth,
            again,
        )
        for i in np.flatnonzero(~np.isin(actions, (A_KEEP, A_REROLL))).tolist():
            path = self.paths.setdefault(int(games.ids[i]), Trajectory())
            if again[i] and path.turns:  # the same turn, planned once more
                for column in (path.features, path.turns, path.worth):
                    column.pop()
            path.features.append(features[i])
            path.turns.append(int(turns[i]))
            path.worth.append(float(worth[i]))
        return actions


def play_solo_games(agent: GreedyAgent, seeds: Sequence[int]) -> Floats:
    """Play a solo game in Normal for each seed; returns the final VP, (n, 2)."""
    batch = GameBatch(len(seeds), 1, seed=np.array(seeds, np.uint64), auto_reset=False)
    actions = np.zeros(len(batch), np.int64)
    while not batch.dones.all():
        view = GameView(batch)
        actions[view.rows] = agent.act(None, batch.action_masks[view.rows], view)
        batch.step(actions)
    return batch.final_scores[:, :2].astype(np.float64)


def gather(weights: Floats, games: int, seed: int, shake: float, beam: int) -> list[Trajectory]:
    """Play games with shaken weights and note their positions."""
    rng = np.random.default_rng(seed)
    paths: list[Trajectory] = []
    for first in range(seed, seed + games, GROUP):
        sizes = np.abs(weights) + LOOSE * SCALES[:, None]
        agent = Recorder(beam, weights + shake * sizes * rng.standard_normal((NUM_FEATURES, 1)))
        agent.reset(first)
        scores = play_solo_games(agent, range(first, min(first + GROUP, seed + games)))
        for game, path in agent.paths.items():
            path.final = float(scores[game, 0] - RIVAL_VP * scores[game, 1])
            paths.append(path)
    return paths


def shares_of_knots() -> Floats:
    """How much each knot's weight counts with so many turns left: (MOST_TURNS + 1, knots)."""
    return np.stack(
        [np.interp(range(MOST_TURNS + 1), KNOTS, row) for row in np.eye(len(KNOTS))], axis=1
    )


def temporal_differences(paths: Sequence[Trajectory]) -> tuple[Floats, Floats]:
    """LSTD with traces: A and b of A w = b for the weights w, by feature and then by knot."""
    shares = shares_of_knots()
    size = NUM_FEATURES * len(KNOTS)
    matrix, vector = np.zeros((size, size)), np.zeros(size)
    for path in paths:
        rows = np.array(path.features)[:, :, None] * shares[path.turns][:, None, :]
        now = rows.reshape(len(rows), size)
        after = np.vstack([now[1:], np.zeros((1, size))])
        gains = np.diff([*path.worth, path.final])
        traces = now.copy()
        for t in range(1, len(traces)):
            traces[t] += TRACE * traces[t - 1]
        matrix += traces.T @ (now - after)
        vector += traces.T @ gains
    return matrix, vector


def ridge() -> Floats:
    """The prior's precision: near the start, and neighbours near each other."""
    knots = len(KNOTS)
    steps = np.diff(np.eye(knots), axis=0)
    one = np.eye(knots) / START_SPREAD**2 + steps.T @ steps / NEIGHBOUR_SPREAD**2
    return np.asarray(np.kron(np.diag(1 / SCALES**2), one), np.float64)


def solve(rounds: Sequence[tuple[Floats, Floats]], start: Floats) -> Floats:
    """Weights from the sums of all rounds, the last one counting fully."""
    matrix, vector = ridge(), np.zeros(start.size)
    for age, (a, b) in enumerate(reversed(rounds)):
        count = MEMORY**age / NOISE
        matrix = matrix + count * a
        vector = vector + count * (b - a @ start.ravel())
    return start + np.linalg.solve(matrix, vector).reshape(start.shape)


def fit(rounds: int, games: int, measured: int, beam: int, start: Floats) -> Floats:
    """Fit and measure round by round, saying how it goes; returns the best weights."""
    weights, best, best_worth = start, start, -np.inf
    sums: list[tuple[Floats, Floats]] = []
    for number in range(rounds):
        part = number / max(rounds - 1, 1)
        shake = SHAKE_FIRST * (SHAKE_LAST / SHAKE_FIRST) ** part
        paths = gather(weights, games, FIRST_SEED + number * games, shake, beam)
        sums.append(temporal_differences(paths))
        weights = solve(sums, start)
        agent = GreedyAgent(beam, weights)
        scores = play_solo_games(agent, range(MEASURE_SEED, MEASURE_SEED + measured))
        own, rival = scores.mean(axis=0)
        print(f"round {number}: VP {own:.2f}, Competition {rival:.2f}", flush=True)
        if own - RIVAL_VP * rival > best_worth:
            best, best_worth = weights, own - RIVAL_VP * rival
    return best


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m agents.greedy_fit", description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--games", type=int, default=1600, help="games a round")
    parser.add_argument("--measured", type=int, default=400, help="games to measure a round by")
    parser.add_argument("--beam", type=int, default=16)
    parser.add_argument("--out", type=Path, required=True, help="a new JSON file")
    args = parser.parse_args(argv)
    if args.out.exists():
        parser.error(f"{args.out} exists already")
    weights = fit(args.rounds, args.games, args.measured, args.beam, fitted_weights())
    names = [name for name, _, _ in FEATURES]
    table = {name: [round(w, 2) for w in row] for name, row in zip(names, weights, strict=True)}
    args.out.write_text(json.dumps(table, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
