"""`random`: every legal action is equally likely."""

from __future__ import annotations

import numpy as np

from .base import Actions, GameView, Keys, Masks, Observations


def draw_keys(seed: int, games: GameView) -> Keys:
    """uint64 (n,): a key for the present decision of each game, from an agent's seed."""
    from .kernels import stream_keys

    keys = np.empty(len(games), np.uint64)
    stream_keys(np.uint64(seed), games.ids, games.decisions, keys)
    return keys


class RandomAgent:
    """Uniform over the legal actions."""

    needs_observations = False

    def __init__(self) -> None:
        self.name = "random"
        self._seed = 0

    def reset(self, seed: int) -> None:
        """Draw from this seed, in [0, 2**64), from now on."""
        self._seed = seed

    def act(self, observations: Observations | None, masks: Masks, games: GameView) -> Actions:
        """See `Agent.act`."""
        from .kernels import random_actions

        actions = np.empty(len(masks), np.int64)
        random_actions(masks, draw_keys(self._seed, games), actions)
        return actions
