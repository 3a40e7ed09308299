"""Playing games with agents on the batched core."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from agents import Agent, GameView
from nijar_env import Box, GameBatch

BATCH = 128


def hashed_seed(*parts: object) -> int:
    """A seed in [0, 2**64) from anything that has a text: hashed, never added."""
    text = "\0".join(str(part) for part in parts)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def game_seed(seed: int, number: int) -> int:
    """The seed of game `number` of a measurement with this seed: the same for every agent."""
    return hashed_seed("game", seed, number)


@dataclass
class SoloResults:
    """Finished solo games, in the order of their numbers."""

    numbers: list[int] = field(default_factory=list)
    own_vp: list[int] = field(default_factory=list)
    competition_vp: list[int] = field(default_factory=list)
    won: list[bool] = field(default_factory=list)
    decisions: list[int] = field(default_factory=list)
    seconds: float = 0.0

    def __len__(self) -> int:
        return len(self.numbers)

    def _sort(self) -> None:
        order = np.argsort(self.numbers)
        for column in (self.numbers, self.own_vp, self.competition_vp, self.won, self.decisions):
            column[:] = [column[i] for i in order]


def play_solo(
    agent: Agent,
    difficulty: str,
    games: int,
    seed: int,
    *,
    box: Box | None = None,
    batch_size: int = BATCH,
    results: SoloResults | None = None,
    finished: Callable[[int], None] = lambda count: None,
) -> SoloResults:
    """Let an agent play `games` solo games, numbered from 0.

    Args:
        seed: game i has `game_seed(seed, i)`, whoever plays it.
        batch_size: games at a time; the results do not depend on it.
        results: filled as games end, so that they outlive an interruption.
        finished: told the number of games that have just ended.
    """
    out = SoloResults() if results is None else results
    agent.reset(hashed_seed("agent", seed))
    try:
        for first in range(0, games, batch_size):
            numbers = range(first, min(first + batch_size, games))
            _play_batch(agent, difficulty, numbers, seed, box, out, finished)
    finally:
        out._sort()
    return out


def _play_batch(
    agent: Agent,
    difficulty: str,
    numbers: Sequence[int],
    seed: int,
    box: Box | None,
    out: SoloResults,
    finished: Callable[[int], None],
) -> None:
    """Play the games of these numbers to their ends."""
    start = time.perf_counter()
    seeds = np.array([game_seed(seed, number) for number in numbers], np.uint64)
    batch = GameBatch(
        len(seeds), 1, difficulty=difficulty, seed=seeds, components=box, auto_reset=False
    )
    ids = np.array(numbers, np.int64)
    alive = np.ones(len(seeds), np.bool_)
    actions = np.zeros(len(seeds), np.int64)
    while alive.any():
        view = GameView(batch, ids)
        rows = view.rows
        seen = batch.observe()[rows] if agent.needs_observations else None
        actions[rows] = agent.act(seen, batch.action_masks[rows], view)
        batch.step(actions)
        over = alive & batch.dones
        if over.any():
            alive &= ~over
            _note(batch, ids, np.flatnonzero(over), out)
            out.seconds += time.perf_counter() - start
            start = time.perf_counter()
            finished(int(over.sum()))
    out.seconds += time.perf_counter() - start


def _note(
    batch: GameBatch, ids: npt.NDArray[np.int64], rows: npt.NDArray[np.int64], out: SoloResults
) -> None:
    out.numbers.extend(ids[rows].tolist())
    out.own_vp.extend(batch.final_scores[rows, 0].tolist())
    out.competition_vp.extend(batch.final_scores[rows, 1].tolist())
    out.won.extend((batch.final_winners[rows] == 0).tolist())
    out.decisions.extend(batch.final_lengths[rows].tolist())
