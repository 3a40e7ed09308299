"""`greedy`: plans its turn to the end and goes for the position that it likes best.

At the start of a turn it searches through the choices of that turn (`greedy_search`), values where
they lead (`greedy_features`), and then follows its plan while the game offers what the plan
expected; where chance or a rival changes that, it plans again. It sees a game only through
`GameView.determinize`, and what is hidden does not enter.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from nijar_env.core.record import GAME_DTYPE

from .base import Actions, GameView
from .greedy_weights import (
    BEAM,
    FEATURES_DTYPE,
    MAX_PLIES,
    MOST_BEAM,
    NUM_FEATURES,
    by_turns,
    fitted_weights,
)
from .plans import PlanningAgent, announce_compilation
from .random_agent import draw_keys


class GreedyAgent(PlanningAgent):
    """A beam search through one turn, for any number of players.

    Args:
        beam: positions kept at each step of the search, 1 to 1024.
        weights: float64 (NUM_FEATURES, 3), in the order of `greedy_weights.FEATURES`; None: the
            fitted ones.

    Raises:
        ValueError: an option out of range.
    """

    def __init__(self, beam: int = BEAM, weights: npt.ArrayLike | None = None) -> None:
        super().__init__()
        if not 1 <= beam <= MOST_BEAM:
            raise ValueError(f"beam must be 1 to {MOST_BEAM}, not {beam}")
        table = fitted_weights() if weights is None else np.asarray(weights, np.float64)
        if table.shape != fitted_weights().shape:
            raise ValueError(f"weights must have shape {fitted_weights().shape}, not {table.shape}")
        self.name = "greedy" if beam == BEAM else f"greedy:beam={beam}"
        self._weights = by_turns(table)
        self._pool = np.zeros(2 * beam + 2, GAME_DTYPE)
        self._features = np.zeros(1, FEATURES_DTYPE)
        self._feature_rows = self._features.view(np.float64).reshape(1, NUM_FEATURES)
        self._path = np.zeros(MAX_PLIES, np.int64)

    def _prepare(self) -> None:
        announce_compilation("greedy", "greedy_kernels.plan_games", "about half a minute")

    def _plan(self, games: GameView) -> Actions:
        """New plans; returns the first action of each."""
        from .greedy_kernels import plan_games

        known = games.determinize(draw_keys(self._seed, games))
        actions = np.empty(len(games), np.int64)
        plan_games(
            games.box.record,
            self._weights,
            known,
            bytes_of(known),
            games.rows,
            games.ids,
            self._plans,
            self._pool,
            bytes_of(self._pool),
            self._features,
            self._feature_rows,
            self._path,
            actions,
        )
        return actions


def bytes_of(records: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """The memory of an array of records as uint8 (n, bytes)."""
    return records.view(np.uint8).reshape(len(records), records.dtype.itemsize)
