"""What `light` looks at in a position, read out of its kernels for the tests."""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
import numpy.typing as npt

from agents.greedy_pieces import expect_rows
from agents.greedy_weights import by_turns, fitted_weights
from agents.light_policy import score_game
from agents.light_weights import light_policy
from agents.mind import make_mind
from nijar_env import load_box


@numba.njit
def _score(boxes: Any, game: Any, mind: Any) -> int:
    expect_rows(boxes[0], game[0], mind.expected)
    mind.items[0].row_actions[:] = 0
    return score_game(boxes[0], game[0], mind)


class Look(NamedTuple):
    """The legal actions of a position, and the heads of each."""

    actions: npt.NDArray[np.int64]
    heads: list[list[tuple[int, float]]]  # (head, times)
    menus: npt.NDArray[np.int64]
    odds: npt.NDArray[np.float64]  # 1 for the most likely
    row_actions: npt.NDArray[np.int64]
    features: npt.NDArray[np.float64]


def looks_at(games: Any) -> list[Look]:
    """A look at each of these games."""
    mind = make_mind(by_turns(fitted_weights()), light_policy())
    items = mind.items[0]
    found = []
    for i in range(len(games)):
        n = int(_score(load_box().record, games[i : i + 1], mind))
        heads = [
            list(zip(items.head[k, :c].tolist(), items.times[k, :c].tolist(), strict=True))
            for k, c in enumerate(items.count[:n].tolist())
        ]
        found.append(
            Look(
                items.action[:n].astype(np.int64),
                heads,
                items.menu[:n].astype(np.int64),
                items.score[:n].astype(np.float64),
                items.row_actions.astype(np.int64),
                mind.row[0].copy(),
            )
        )
    return found
