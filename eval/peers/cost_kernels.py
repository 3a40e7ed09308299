"""Entry points that repeat one step of a decision over a batch, to time it alone."""

from __future__ import annotations

from typing import Any

from nijar_env.core.decisions import offer
from nijar_env.core.jit import entry


@entry
def offer_games(boxes: Any, games: Any) -> int:
    """Work out the legal actions of every game anew; they come out as they were."""
    total = 0
    for i in range(games.shape[0]):
        total += offer(boxes[0], games[i])
    return total
