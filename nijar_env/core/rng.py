"""Random numbers: Philox4x32-10 (Salmon et al. 2011), addressed by (seed, stream, index).

A counter-based generator needs no state but its counters, so the streams of a game (setup, dice,
refreshes, Competition deck) are independent: choices that draw from one leave the others alone.
Only 32 x 32 -> 64 bit products occur, so plain Python and compiled code agree bit for bit.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .constants import STREAM_DICE, STREAM_EPISODE
from .jit import fixed_kernel, kernel

_M0 = np.uint64(0xD2511F53)
_M1 = np.uint64(0xCD9E8D57)
_W0 = np.uint64(0x9E3779B9)
_W1 = np.uint64(0xBB67AE85)
_LOW = np.uint64(0xFFFFFFFF)
_32 = np.uint64(32)


@fixed_kernel
def philox(key: np.uint64, c0: np.uint64, c1: np.uint64, c2: np.uint64) -> np.uint64:
    """64 random bits for a 64-bit key and three 32-bit counters (the fourth is 0)."""
    x0, x1, x2, x3 = c0, c1, c2, np.uint64(0)
    k0 = key & _LOW
    k1 = key >> _32
    for _ in range(10):
        p0 = _M0 * x0
        p1 = _M1 * x2
        x0, x1, x2, x3 = (p1 >> _32) ^ x1 ^ k0, p1 & _LOW, (p0 >> _32) ^ x3 ^ k1, p0 & _LOW
        k0 = (k0 + _W0) & _LOW
        k1 = (k1 + _W1) & _LOW
    return (x1 << _32) | x0


@fixed_kernel
def below(key: np.uint64, stream: int, index: int, bound: int) -> int:
    """An unbiased integer in [0, bound), the `index`-th of its stream; 1 <= bound < 2**31."""
    size = np.uint64(bound)
    threshold = (np.uint64(0x100000000) - size) % size
    attempt = np.uint64(0)
    while True:
        bits = philox(key, np.uint64(index), np.uint64(stream), attempt) & _LOW
        product = bits * size
        if (product & _LOW) >= threshold:
            return np.int64(product >> _32)  # type: ignore[return-value]
        attempt += np.uint64(1)


@fixed_kernel
def draw(g: Any, stream: int, bound: int) -> int:
    """The next integer in [0, bound) of one of the game's streams."""
    index = g.draws[stream]
    g.draws[stream] = index + 1
    return below(g.seed, stream, index, bound)


@kernel
def shuffle(g: Any, stream: int, cards: Any, size: int) -> None:
    """Shuffle the first `size` entries of an array in place (Fisher-Yates)."""
    for i in range(size - 1, 0, -1):
        j = draw(g, stream, i + 1)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card


@fixed_kernel
def die(g: Any, number: int, roll: int, which: int) -> int:
    """Market die `which` of a round's first roll (0) or re-roll (1): 1-6.

    Addressed by round, not drawn in sequence: a re-roll does not change later rounds' dice.
    """
    return 1 + below(g.seed, STREAM_DICE, (number * 2 + roll) * 3 + which, 6)


@kernel
def episode_seed(seed: np.uint64, episode: int) -> np.uint64:
    """The seed of a game's `episode`-th successor: hashed, never added. Episode 0 is the seed."""
    if episode == 0:
        return seed
    return philox(seed, np.uint64(episode), np.uint64(STREAM_EPISODE), np.uint64(0))
