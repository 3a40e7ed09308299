"""What is launched on the GPU: one thread a game, each the core's own loop over a range of one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import cuda

from ..core.kernels import deal_games, find_illegal, random_actions, random_steps, step_games
from ..core.observe import observe_with
from .build import relinked


def deal_all(boxes: Any, games: Any, raw: Any, seeds: Any) -> None:
    """`core.kernels.deal_games`."""
    i = cuda.grid(1)
    if i < games.shape[0]:
        deal_games(boxes, games, raw, seeds, i, i + 1)

def random_step_all(
    boxes: Any, games: Any, raw: Any, seeds: Any, episodes: Any, key: np.uint64, index: int, steps: int
) -> None:
    i = cuda.grid(1)
    if i < games.shape[0]:
        for k in range(index, index + steps):
            random_steps(boxes, games, raw, seeds, episodes, key, k, i, i + 1)
