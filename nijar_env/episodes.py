"""Episodes of the front ends that play one game after another: their seeds, and how they begin."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .components import Box
from .errors import SceneError
from .game import Game
from .options import check_seed


class Episode(NamedTuple):
    """Episode `number` of an environment whose first one was dealt with seed `first`."""

    first: int
    number: int

    @property
    def seed(self) -> int:
        """The seed its game is dealt with: episode 0 is `first` itself, later ones are hashed."""
        from .core.kernels import seed_of_episode

        return int(seed_of_episode(np.uint64(self.first), self.number))


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


def deal(
    seed: int, scene: Any, num_players: int, difficulty: str, box: Box, auto_forced: bool
) -> Game:
    """The game of an episode: a new one, or that of a scene with the environment's options.

    Raises:
        SceneError: a broken scene, one for another number of players, or a finished one.
    """
    if scene is None:
        return Game(
            num_players,
            difficulty=difficulty,
            seed=seed,
            components=box,
            auto_forced=auto_forced,
            log=False,
        )
    game = Game.from_dict(
        {**scene, "auto_forced": auto_forced}, seed=seed, components=box, log=False
    )
    if game.num_players != num_players:
        raise SceneError(
            f"num_players: the scene has {game.num_players}, the environment {num_players}"
        )
    if game.done:
        raise SceneError("phase: the scene is finished; there is nothing to play")
    return game
