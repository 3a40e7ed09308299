"""What is launched on a GPU: one thread a game, each the core's own loop over a range of one.

Every function here takes device arrays. `compiled` gives the launchable build of one of them.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import cuda

from ..core.kernels import (
    copy_values,
    deal_games,
    find_illegal,
    random_actions,
    random_steps,
    step_games,
)
from ..core.observe import observe_range
from ..core.observe_cards import write_card_features
from .build import OPTIONS, relinked

# Places of the array `worst`: the first game with an illegal action, and with a fault.
ILLEGAL = 0
FAULTY = 1


def card_features(boxes: Any, cards: Any) -> None:
    """The box's card features for `observe`, worked out once, by one thread."""
    if cuda.grid(1) == 0:
        write_card_features(boxes[0], cards)


def deal(boxes: Any, games: Any, raw: Any, seeds: Any, masks: Any, players: Any) -> None:
    """`deal_games`, and what may be chosen first."""
    i = cuda.grid(1)
    if i < games.shape[0]:
        deal_games(boxes, games, raw, seeds, i, i + 1)
        copy_values(masks[i], games[i].legal)
        players[i] = games[i].current_player


def check(games: Any, actions: Any, worst: Any) -> None:
    """`find_illegal`."""
    i = cuda.grid(1)
    if i < games.shape[0] and find_illegal(games[i : i + 1], actions[i : i + 1]) >= 0:
        cuda.atomic.min(worst, ILLEGAL, i)


def step(
    boxes: Any,
    games: Any,
    raw: Any,
    actions: Any,
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
    worst: Any,
) -> None:
    """`step_games`."""
    i = cuda.grid(1)
    if i < games.shape[0]:
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
            raw[:0],
        )
        if faulty >= 0:
            cuda.atomic.min(worst, FAULTY, i)


def pick(games: Any, key: np.uint64, index: int, actions: Any) -> None:
    """`random_actions`."""
    i = cuda.grid(1)
    if i < games.shape[0]:
        random_actions(games, key, index, i, i + 1, actions)


def play(
    boxes: Any,
    games: Any,
    raw: Any,
    seeds: Any,
    episodes: Any,
    key: np.uint64,
    index: int,
    steps: int,
) -> None:
    """`random_steps`, several in a launch: draws `index` to `index + steps`."""
    i = cuda.grid(1)
    if i < games.shape[0]:
        for k in range(index, index + steps):
            random_steps(boxes, games, raw, seeds, episodes, key, k, i, i + 1)


def observe(boxes: Any, cards: Any, games: Any, players: Any, out: Any) -> None:
    """`observe_games`."""
    i = cuda.grid(1)
    if i < games.shape[0]:
        observe_range(boxes, cards, games, players, i, i + 1, out)


LAUNCHED: tuple[Callable[..., None], ...] = (card_features, deal, check, step, pick, play, observe)


@functools.cache
def compiled(function: Callable[..., None]) -> Any:
    """The build of one of these functions for launches; compiled at the first."""
    return cuda.jit(relinked(function), **OPTIONS)
