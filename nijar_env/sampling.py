"""Random legal actions from masks, fast, and action spaces that sample legal actions by themselves.

`Discrete.sample(mask)` takes 13 microseconds or more a mask, `sample_action` 1.4, `sample_actions`
0.07 a row of a large batch (`python -m nijar_env.vector_speed`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

if TYPE_CHECKING:  # generic from Gymnasium 1.4 on
    _Discrete = spaces.Discrete[np.int64]
    _MultiDiscrete = spaces.MultiDiscrete[np.int64]
else:
    _Discrete = spaces.Discrete
    _MultiDiscrete = spaces.MultiDiscrete

Mask = npt.NDArray[np.integer[Any]] | npt.NDArray[np.bool_]


def _as_bool(mask: Mask) -> npt.NDArray[np.bool_]:
    """A mask of one byte an action as booleans, without a copy where that can be."""
    if mask.dtype == np.bool_:
        return np.asarray(mask, np.bool_)
    return mask.view(np.bool_) if mask.dtype.itemsize == 1 else mask != 0


def sample_action(mask: Mask, rng: np.random.Generator) -> int:
    """A uniformly random legal action.

    Args:
        mask: integers or bool (actions,), values 0 and 1.
        rng: one `rng.random()` is drawn.

    Raises:
        ValueError: no action is legal.
    """
    legal = _as_bool(mask).nonzero()[0]
    if not legal.size:
        raise ValueError("no action is legal: the game is over, or another player is to act")
    return int(legal[int(rng.random() * legal.size)])


def sample_actions(masks: Mask, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """A uniformly random legal action of every row; 0 for a row without any.

    Args:
        masks: integers or bool (B, actions), values 0 and 1.
        rng: one `rng.random(B)` is drawn.

    Returns:
        int64 (B,).
    """
    rows, width = masks.shape
    begin = np.arange(rows + 1) * width
    given = cast(Mask, np.ascontiguousarray(masks))
    legal = np.flatnonzero(_as_bool(given))
    edges = np.searchsorted(legal, begin)
    counts = np.diff(edges)
    picks = edges[:-1] + (rng.random(rows) * counts).astype(np.int64)
    if counts.all():
        return np.asarray(legal[picks] - begin[:-1], np.int64)
    some = counts > 0
    actions = np.zeros(rows, np.int64)
    actions[some] = legal[picks[some]] - begin[:-1][some]
    return actions


class LegalDiscrete(_Discrete):
    """A `Discrete` space of one environment: `sample()` without a mask draws a legal action.

    It equals `Discrete(n)`, contains the same numbers, and takes masks like it, only faster.

    Attributes:
        legal: int8 (n,): the mask of the environment's present decision, which the environment
            keeps up to date. While it is all zero (before `reset`, after the end), `sample()`
            draws any of the n actions.
    """

    def __init__(self, n: int, seed: int | np.random.Generator | None = None) -> None:
        super().__init__(n, seed)
        self.legal = np.zeros(n, np.int8)

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """A random action: legal now, or legal by `mask` (int8 (n,)), or by `probability`."""
        if probability is not None:
            return super().sample(mask, probability)
        if mask is None:
            if not self.legal.any():
                return super().sample()
            mask = self.legal
        elif not isinstance(mask, np.ndarray) or mask.dtype != np.int8 or mask.shape != (self.n,):
            return super().sample(mask)
        elif not mask.any():
            return self.start
        return np.int64(sample_action(mask, self.np_random))

    def __repr__(self) -> str:
        return f"Discrete({self.n})"


class LegalMultiDiscrete(_MultiDiscrete):
    """The action space of a vector environment: `sample()` draws a legal action in every game.

    It equals `MultiDiscrete([n] * num_envs)`.

    Attributes:
        legal: int8 (num_envs, n): the present masks, kept up to date by the environment; a game
            without a legal action (before `reset`, after the end) gets action 0.
    """

    def __init__(self, num_envs: int, n: int) -> None:
        super().__init__(np.full(num_envs, n, np.int64))
        self.legal = np.zeros((num_envs, n), np.int8)

    def sample(self, mask: Any = None, probability: Any = None) -> npt.NDArray[np.int64]:
        """Random legal actions, int64 (num_envs,); with arguments as in `MultiDiscrete`."""
        if mask is not None or probability is not None:
            return np.asarray(super().sample(mask, probability), np.int64)
        return sample_actions(self.legal, self.np_random)
