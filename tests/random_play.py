"""Random play of whole batches with every invariant checked after every decision."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from nijar_env.action_names import names_of_actions
from nijar_env.batch import GameBatch
from nijar_env.components import Box
from nijar_env.core.constants import PHASE_FINISHED
from nijar_env.game import Game

from .invariants import check, check_step


class Kind(NamedTuple):
    """A kind of game: players and, in solo, difficulty."""

    players: int
    difficulty: str = "normal"

    def __str__(self) -> str:
        return f"{self.players}p" if self.players > 1 else f"solo-{self.difficulty}"


KINDS: Final = (
    Kind(1, "normal"),
    Kind(1, "advanced"),
    Kind(1, "expert"),
    Kind(2),
    Kind(3),
    Kind(4),
)

# How players lean, by the first word of an action's name: games differ in what they are rich in.
LEANINGS: Final[tuple[dict[str, float], ...]] = (
    {},
    {"done": 0.05, "close": 0.5, "discard": 0.3},
    {"done": 0.05, "play": 8, "take": 4, "action:play": 8, "action:acquire": 6, "discard": 0.2},
    {"done": 0.03, "shape": 8, "throw": 6, "action:throw": 8, "fire": 6, "paint": 8, "sell": 0.3},
    {"done": 0.1, "clean": 6, "action:clean": 6, "paint": 4, "shape": 5, "reward": 8},
    {"done": 0.2, "place": 6, "special": 0.1, "shop": 2, "discard": 0.2, "track": 4},
)


def leanings(box: Box) -> npt.NDArray[np.float64]:
    """Weights of all actions, one row a leaning."""
    names = names_of_actions(box)
    return np.array(
        [[lean.get(n, lean.get(n.split(":")[0], 1.0)) for n in names] for lean in LEANINGS]
    )


class RandomPlay:
    """A batch of random games; game i leans like row i of `LEANINGS`, over and over."""

    def __init__(
        self,
        kind: Kind,
        games: int,
        seed: int,
        *,
        components: str | Path | Box | None = None,
        auto_forced: bool = False,
        auto_reset: bool = False,
    ) -> None:
        self.batch = GameBatch(
            games,
            kind.players,
            difficulty=kind.difficulty,
            seed=seed,
            components=components,
            auto_forced=auto_forced,
            auto_reset=auto_reset,
        )
        self.box = self.batch.box.record[0]
        self.chance = np.random.default_rng([seed, kind.players])
        rows = leanings(self.batch.box)
        self.weights = rows[np.arange(games) % len(rows)]
        self.forced = auto_forced
        self.placements = np.zeros((games, 4), np.int64)  # by round
        self.steps = np.zeros(games, np.int64)
        check(self.batch.games, self.box)

    @property
    def live(self) -> npt.NDArray[np.bool_]:
        found: npt.NDArray[np.bool_] = self.batch.games["phase"] != PHASE_FINISHED
        return found

    def choose(self) -> npt.NDArray[np.int64]:
        """A legal action of each game, by weight (0 where it is over)."""
        shape = self.batch.action_masks.shape
        lots = self.chance.exponential(size=shape) / self.weights
        lots[self.batch.action_masks == 0] = np.inf
        actions: npt.NDArray[np.int64] = lots.argmin(axis=1)
        return actions

    def step(self, actions: npt.NDArray[np.int64] | None = None) -> int:
        """One decision of every live game, with all invariants; returns how many there were."""
        live = self.live
        chosen = self.choose() if actions is None else actions
        before = self.batch.games.copy()
        self.batch.step(chosen)
        check(self.batch.games, self.box)
        assert (self.batch.action_masks == self.batch.games["legal"]).all()
        same = live & (self.batch.episodes == 0)
        if not self.forced:
            check_step(before[same], chosen[same], self.batch.games[same])
        self.steps += live
        return int(live.sum())


def round_trip(games: Any, box: Box) -> None:
    """Scenes keep everything: the record of a scene's game equals the record it came from."""
    game = Game._of_record(box, games)
    scene = game.to_dict()
    again = Game.from_dict(scene, components=box, log=False)
    if game.record.tobytes() == again.record.tobytes():
        return
    fields = [n for n in games.dtype.names if not np.array_equal(game.record[n], again.record[n])]
    raise AssertionError(f"a scene changed {fields}: {scene}")


def whole_games(play: RandomPlay, *, sample: int = 0, longest: int = 5_000) -> Iterator[int]:
    """Play all games to their end; yields the number of the step. Every `sample`-th step, one
    game (another each time) goes through a scene and back."""
    number = 0
    while play.live.any():
        assert number < longest, "a game does not end"
        if sample and number % sample == 0:
            live = np.flatnonzero(play.live)
            round_trip(play.batch.games[live[number // sample % len(live)] :], play.batch.box)
        play.step()
        number += 1
        yield number
