"""Kernels of `nijar_env/Nijar-v0`: random opponents, games that run on to the learner."""

from __future__ import annotations

from typing import Any

import numpy as np

from .constants import PHASE_FINISHED
from .jit import entry, kernel
from .kernels import random_legal, step_games
from .rng import episode_seed


@kernel
def choose_randomly(g: Any) -> int:
    """A random legal action that depends on the game's seed and its number of decisions alone."""
    return random_legal(g, g.seed, g.decisions)


@entry
def random_choice(games: Any, i: int) -> int:
    """The action of a random opponent in game `i`."""
    return choose_randomly(games[i])


@entry
def next_seeds(seeds: Any, episodes: Any, rows: Any, out: Any) -> None:
    """The seeds of the next episodes of games `rows`, and their numbers."""
    for k in range(rows.shape[0]):
        i = rows[k]
        episodes[i] += 1
        out[i] = episode_seed(seeds[i], episodes[i])


@entry
def run_to_learners(
    boxes: Any,
    games: Any,
    raw: Any,
    actions: Any,
    given: Any,
    start: int,
    stop: int,
    reward: int,
    reset: bool,
    seeds: Any,
    episodes: Any,
    masks: Any,
    players: Any,
    rewards: Any,
    dones: Any,
    final_scores: Any,
    final_winners: Any,
    final_lengths: Any,
    raw_finished: Any,
    learners: Any,
    by_chance: Any,
    rotate: bool,
    ended: Any,
    fresh: Any,
    final_seats: Any,
    earned: Any,
    carried: Any,
) -> int:
    """Games `start` to `stop`: take `actions[i]` where `given[i]`, then play the random opponents
    until another player is to decide.

    The learner's rewards are added to `earned`, or to `carried` once the game is a `fresh` one.
    Where a game ends, `ended`, `final_seats` and the learner's next seat are set, and `fresh`.
    Returns the first game with a fault, or -1.
    """
    n = by_chance.shape[0]
    for i in range(start, stop):
        g = games[i]
        while g.phase != PHASE_FINISHED:
            if not given[i]:
                if not by_chance[(g.current_player - learners[i] + n) % n]:
                    break
                actions[i] = choose_randomly(g)
            given[i] = False
            faulty = step_games(
                boxes,
                games,
                raw,
                actions,
                i,
                i + 1,
                reward,
                reset,
                seeds,
                episodes,
                masks,
                players,
                rewards,
                dones,
                final_scores,
                final_winners,
                final_lengths,
                raw_finished,
            )
            if faulty >= 0:
                return faulty
            if fresh[i]:
                carried[i] += rewards[i, learners[i]]
            else:
                earned[i] += rewards[i, learners[i]]
            if dones[i]:
                ended[i] = True
                fresh[i] = True
                final_seats[i] = learners[i]
                if reset and rotate:
                    learners[i] = (np.int64(seeds[i] % np.uint64(n)) + episodes[i]) % n
    return -1
