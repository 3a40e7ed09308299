"""Rewards of a finished game for the front ends of single games."""

from __future__ import annotations

import numpy as np

from .components.vocabulary import MAX_PLAYERS
from .core.kernels import game_rewards
from .game import Game


def final_rewards(game: Game, kind: int) -> list[float]:
    """The rewards, "outcome" or "margin", of a finished game by seat: as `GameBatch` gives them."""
    out = np.zeros(MAX_PLAYERS)
    game_rewards(game._games, 0, kind, out)
    return [float(value) for value in out[: game.num_seats]]
