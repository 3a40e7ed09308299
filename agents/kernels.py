"""Small kernels that agents share."""

from __future__ import annotations

from typing import Any

import numpy as np

from nijar_env.core.determinize import determinize
from nijar_env.core.jit import entry
from nijar_env.core.rng import below, philox

_LOW = 0xFFFFFFFF
_32 = 32


@entry
def stream_keys(seed: np.uint64, ids: Any, decisions: Any, out: Any) -> None:
    """A random 64-bit key for each game at each decision: hashed, so that games are independent
    and what is drawn in one depends on nothing but the seed, its number and how far it has come."""
    for i in range(ids.shape[0]):
        low = np.uint64(ids[i] & _LOW)
        high = np.uint64(ids[i] >> _32)
        out[i] = philox(seed, low, high, np.uint64(decisions[i] & _LOW))


@entry
def random_actions(masks: Any, keys: Any, out: Any) -> None:
    """A uniformly random legal action for each row of `masks`, by the row's key."""
    for i in range(masks.shape[0]):
        legal = 0
        for action in range(masks.shape[1]):
            legal += 1 if masks[i, action] else 0
        skip = below(keys[i], 0, 0, legal)
        for action in range(masks.shape[1]):
            if masks[i, action]:
                if skip == 0:
                    out[i] = action
                    break
                skip -= 1


@entry
def determinize_rows(boxes: Any, games: Any, rows: Any, keys: Any, out: Any) -> None:
    """Copies of the games of `rows`, determinized for the player to act in each."""
    for i in range(rows.shape[0]):
        out[i] = games[rows[i]]
        determinize(boxes[0], out[i], out[i].current_player, keys[i])
