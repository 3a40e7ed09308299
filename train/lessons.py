"""Decisions of a data set as tensors, pass by pass: kept in memory, or made anew each time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from nijar_env import Box
from nijar_env.core.catalogue import NUM_GAME_ACTIONS
from nijar_env.core.constants import MARGIN_SCALE

from .data import GameData
from .inputs import Reader
from .replay import Decisions, minibatches


def vp_to_come(
    final: npt.NDArray[np.int16],
    present: npt.NDArray[np.int16],
    seats: npt.NDArray[np.int8],
    num_seats: int,
    rival: float,
) -> npt.NDArray[np.float32]:
    """What self-play with VP as the reward pays from a decision to the end of its game.

    Args:
        final, present: int16 (B, at least num_seats): VP by seat, at the end and at the decision.
        seats: int8 (B,): who decides.
        num_seats: at the table; 2 in solo, where the Competition is the other.
        rival: share of the other seats' mean that counts against one's own.

    Returns:
        float32 (B,): VP to come / 50.
    """
    gained = final[:, :num_seats].astype(np.float32) - present[:, :num_seats]
    own = gained[np.arange(len(seats)), seats]
    others = (gained.sum(axis=1) - own) / (num_seats - 1)
    return np.asarray((own - rival * others) / MARGIN_SCALE, np.float32)


class Lesson(NamedTuple):
    """A minibatch on the device.

    Attributes:
        inputs: float32 (B, size), what a network reads.
        masks: int8 (B, NUM_GAME_ACTIONS).
        choices: int64 (B, CHOICES): the teacher's, the best first.
        odds: float32 (B, CHOICES).
        values: float32 (B,).
    """

    inputs: Tensor
    masks: Tensor
    choices: Tensor
    odds: Tensor
    values: Tensor


class Lessons:
    """The decisions of a data set, again and again.

    Args:
        data: the games.
        box: that they were played with.
        size: of a minibatch.
        device: where the tensors go.
        reader: of what the network reads.
        value_target, rival: see `LearningSection`.
        sharpen: power of the teacher's probabilities.
        keep_gb: up to this size they are kept.
    """

    def __init__(
        self,
        data: GameData,
        box: Box,
        size: int,
        device: torch.device,
        *,
        reader: Reader,
        value_target: str,
        rival: float,
        sharpen: float,
        keep_gb: float,
    ) -> None:
        self.data, self._box, self._size, self._device = data, box, size, device
        self._reader, self._sharpen = reader, sharpen
        self._rival = rival if value_target == "vp" else None
        each = 4 * reader.size(data.num_players) + NUM_GAME_ACTIONS
        self._keep = 0 < each * data.num_decisions <= keep_gb * 1e9
        self._kept: Lesson | None = None
        self._games = np.repeat(np.arange(data.num_games), data.lengths)

    def __len__(self) -> int:
        """Decisions in a pass."""
        return self.data.num_decisions

    def shuffled(self, rng: np.random.Generator) -> Iterator[Lesson]:
        """A pass in random order."""
        if not self._keep:
            yield from map(self._lesson, self._replayed(rng))
            return
        kept = self._all()
        order = torch.from_numpy(rng.permutation(len(self))).to(self._device)
        for start in range(0, len(self), self._size):
            which = order[start : start + self._size]
            yield Lesson(*(column[which] for column in kept))

    def in_order(self) -> Iterator[Lesson]:
        """A pass in an order that is always the same."""
        if not self._keep:
            yield from map(self._lesson, self._replayed())
            return
        kept = self._all()
        for start in range(0, len(self), self._size):
            yield Lesson(*(column[start : start + self._size] for column in kept))

    def _all(self) -> Lesson:
        """All decisions in memory, made on first use."""
        if self._kept is None:
            lessons = [self._lesson(part) for part in self._replayed()]
            self._kept = Lesson(*(torch.cat(column) for column in zip(*lessons, strict=True)))
        return self._kept

    def _replayed(self, rng: np.random.Generator | None = None) -> Iterator[Decisions]:
        """The decisions made anew; the generator shuffles."""
        return minibatches(self.data, self._size, rng=rng, box=self._box, reader=self._reader)

    def _lesson(self, part: Decisions) -> Lesson:
        odds = np.asarray(part.odds, np.float32)
        # The greatest is 1 then: none of its powers is too small for a number.
        odds = (odds / odds.max(axis=1, keepdims=True)) ** self._sharpen
        odds /= odds.sum(axis=1, keepdims=True)
        values = part.margins
        if self._rival is not None:
            data, which = self.data, part.numbers
            values = vp_to_come(
                data.scores[self._games[which]],
                part.vp,
                data.seats[which],
                max(data.num_players, 2),
                self._rival,
            )
        columns = (part.inputs, part.masks, part.choices, odds, values)
        return Lesson(*(torch.from_numpy(column).to(self._device) for column in columns))
