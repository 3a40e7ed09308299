"""Rewards of a finished game, in one place for all front ends of single games."""

from __future__ import annotations

from .core.constants import MARGIN_SCALE, REWARD_OUTCOME
from .game import Game


def final_rewards(game: Game, kind: int) -> list[float]:
    """The rewards of a finished game by seat: as `GameBatch` gives them."""
    scores = game.scores()
    if kind == REWARD_OUTCOME:
        loss = -1.0 / (len(scores) - 1)
        return [1.0 if seat == game.winner else loss for seat in range(len(scores))]
    return [
        (own - max(scores[:seat] + scores[seat + 1 :])) / MARGIN_SCALE
        for seat, own in enumerate(scores)
    ]
