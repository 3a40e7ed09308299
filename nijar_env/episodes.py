"""Seeds of the episodes that one environment plays after another.

The same numbers as `core.rng.episode_seed`, in Python integers: a front end deals one game at a
time and needs no compiled kernel for its seed.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from .core.constants import STREAM_EPISODE
from .options import check_seed

_ROUNDS: Final = 10
_M0: Final = 0xD2511F53
_M1: Final = 0xCD9E8D57
_W0: Final = 0x9E3779B9
_W1: Final = 0xBB67AE85
_LOW: Final = 0xFFFFFFFF


def _philox(key: int, c0: int, c1: int) -> int:
    """Philox4x32-10 of two counters; the other two are 0."""
    x0, x1, x2, x3 = c0, c1, 0, 0
    k0, k1 = key & _LOW, key >> 32
    for _ in range(_ROUNDS):
        p0, p1 = _M0 * x0, _M1 * x2
        x0, x1, x2, x3 = (p1 >> 32) ^ x1 ^ k0, p1 & _LOW, (p0 >> 32) ^ x3 ^ k1, p0 & _LOW
        k0, k1 = (k0 + _W0) & _LOW, (k1 + _W1) & _LOW
    return (x1 << 32) | x0


class Episode(NamedTuple):
    """Episode `number` of an environment whose first one was dealt with seed `first`."""

    first: int
    number: int

    @property
    def seed(self) -> int:
        """The seed its game is dealt with: episode 0 is `first` itself, later ones are hashed."""
        return _philox(self.first, self.number, STREAM_EPISODE) if self.number else self.first


def next_episode(last: Episode | None, seed: Any = None) -> Episode:
    """The episode that `reset(seed)` begins after `last`.

    A seed begins a series of its own; None goes on with the series, and before any seed draws
    one from the operating system.

    Raises:
        ValueError: a seed that is no whole number in [0, 2**64).
    """
    if last is None or seed is not None:
        return Episode(check_seed(seed), 0)
    return Episode(last.first, last.number + 1)
