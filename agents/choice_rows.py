"""`choice_layout`'s rows of whole batches and of what agents see."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import numpy.typing as npt

from nijar_env import Box, GameBatch

from .base import GameView
from .choice_layout import NUM_INPUTS, ROW_SIZE
from .greedy_weights import NUM_FEATURES, by_turns, fitted_weights
from .light_heads import NUM_HEADS
from .mind import make_mind
from .random_agent import draw_keys

Rows = npt.NDArray[np.float32]


class ChoiceRows:
    """Writes rows; one object is for one thread."""

    def __init__(self) -> None:
        policy = np.zeros((NUM_HEADS, NUM_FEATURES), np.float32)
        self._mind = make_mind(by_turns(fitted_weights()), policy)

    def of_games(self, box: Box, games: npt.NDArray[Any], out: Rows | None = None) -> Rows:
        """float32 (B, ROW_SIZE) for the player to act in each of some games, GAME_DTYPE (B,)."""
        from .choice_kernels import write_rows

        rows = np.empty((len(games), ROW_SIZE), np.float32) if out is None else out
        rows[:] = 0  # no pairs of earlier positions behind those of this one
        write_rows(box.record, self._mind, games, 0, len(games), rows)
        return rows

    def of_batch(self, batch: GameBatch, out: Rows | None = None) -> Rows:
        """The same of a batch's games. Rows tell nothing that is hidden from the player to act."""
        return self.of_games(batch.box, batch.games, out)

    def of_view(self, games: GameView) -> Rows:
        """The same of the games that an agent is asked about, float32 (n, ROW_SIZE)."""
        return self.of_games(games.box, games.determinize(draw_keys(0, games)))


def input_statistics(box: Box) -> tuple[Rows, Rows]:
    """Mean and spread of the inputs over some of light's games, float32 (NUM_INPUTS,) each: what
    networks scale them by. The first input, which is always 1, stays as it is."""
    mean, spread = _statistics(box)
    return mean.copy(), spread.copy()


@functools.lru_cache(maxsize=8)
def _statistics(box: Box) -> tuple[Rows, Rows]:
    """The same; playing takes seconds, and every new network asks."""
    from .light import LightAgent

    seen = []
    rows = ChoiceRows()
    for players in (1, 2):
        batch = GameBatch(64, players, seed=1, components=box, auto_reset=False)
        light = LightAgent(draw=True)
        light.reset(1)
        actions = np.zeros(len(batch), np.int64)
        while not batch.dones.all():
            view = GameView(batch)
            seen.append(rows.of_batch(batch)[view.rows, :NUM_INPUTS])
            actions[view.rows] = light.act(None, batch.action_masks[view.rows], view)
            batch.step(actions)
    inputs = np.concatenate(seen).astype(np.float64)
    mean, spread = inputs.mean(axis=0), inputs.std(axis=0)
    spread[spread < 0.05] = 1.0  # hardly ever seen: not to be blown up
    mean[0] = 0.0
    return mean.astype(np.float32), spread.astype(np.float32)
