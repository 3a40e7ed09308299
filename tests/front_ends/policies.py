"""Policies that depend on what they see alone, so that every front end plays the same game; random
play of Gymnasium environments."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.utils.env_checker import data_equivalence

from nijar_env.opponents import batched
from nijar_env.sampling import sample_action


def choose(observation: npt.NDArray[np.float32], mask: npt.NDArray[np.int8]) -> int:
    """A legal action that looks random and follows from the observation."""
    legal = np.flatnonzero(mask)
    return int(legal[zlib.crc32(observation.tobytes()) % len(legal)])


@batched
def choose_many(observations: Any, masks: Any) -> npt.NDArray[np.int64]:
    """The same for many seats."""
    return np.array([choose(*pair) for pair in zip(observations, masks, strict=True)], np.int64)


class Chooser:
    """The same by looking at the games."""

    def act_in(self, batch: Any, rows: Any) -> list[int]:
        games = [batch.game(int(row)) for row in rows]
        return [choose(game.observation(game.current_player), game.action_mask()) for game in games]


EVERY_KIND = {"function": choose, "batched": choose_many, "object": Chooser()}


def play(env: Any, steps: int = 10**6, seed: int = 0) -> list[Any]:
    """Random steps from wherever a Gymnasium episode is, to its end at most: what `step` gave."""
    rng = np.random.default_rng(seed)
    seen = []
    for _ in range(steps):
        seen.append(env.step(sample_action(env.unwrapped.action_masks(), rng)))
        if seen[-1][2]:
            break
    return seen


def same(one: Any, other: Any) -> bool:
    """Equal to the bit, dtypes and keys included."""
    return data_equivalence(one, other, exact=True)
