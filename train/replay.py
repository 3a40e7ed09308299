"""Plays a data set's games again, for what a network reads at each decision, in minibatches.

Many games go on side by side, each at another stage, and each that ends makes room for the next.
What comes out is shuffled once more in a buffer.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from nijar_env import Box, GameBatch, IllegalActionError, load_box
from nijar_env.components.vocabulary import MAX_PLAYERS
from nijar_env.core.catalogue import NUM_GAME_ACTIONS

from .data import DataError, GameData
from .inputs import Reader

LANES: Final = 512
BUFFER: Final = 32_768
_REMEDY: Final = "the rules or the data have changed since; generate games anew"


class Decisions(NamedTuple):
    """Some decisions of a data set.

    Attributes:
        numbers: int64 (B,): which decisions of the data set they are.
        inputs: float32 (B, size), what a network reads (see `train.inputs`).
        masks: int8 (B, NUM_GAME_ACTIONS): 1 for each legal action.
        choices: int64 (B, CHOICES): the teacher's; 0 where there is none.
        odds: float32 (B, CHOICES): their probabilities; 0 where there is none.
        margins: float32 (B,): how the game ended for the player to act, in VP / 50.
        vp: int16 (B, 4): VP by seat as they stand, the Competition's too.
    """

    numbers: npt.NDArray[np.int64]
    inputs: npt.NDArray[np.float32]
    masks: npt.NDArray[np.int8]
    choices: npt.NDArray[np.int64]
    odds: npt.NDArray[np.float32]
    margins: npt.NDArray[np.float32]
    vp: npt.NDArray[np.int16]


class _Part(NamedTuple):
    """Decisions `start` to `stop` of a game; those before are played, not shown."""

    game: int
    start: int
    stop: int


class _Lanes:
    """Games of a data set side by side on one batch."""

    def __init__(
        self, data: GameData, box: Box, lanes: int, rng: np.random.Generator | None
    ) -> None:
        self.data = data
        self.starts = data.starts
        self.queue = _parts(data, lanes, rng)
        n = min(lanes, len(self.queue))
        self.batch = GameBatch(n, data.num_players, seed=0, components=box, auto_reset=False)
        games = self.batch.games
        self._raw = games.view(np.uint8).reshape(n, games.dtype.itemsize)
        self.parts: list[_Part | None] = [None] * n
        self.place = np.zeros(n, np.int64)  # decisions of its game that are behind each lane
        self.first = np.zeros(n, np.int64)  # the number of its game's first decision
        self.start, self.stop = np.zeros(n, np.int64), np.zeros(n, np.int64)
        self._next = 0
        for lane in range(n):
            self._begin(lane)

    def _begin(self, lane: int) -> bool:
        """Deal a lane its next part; False if there is none."""
        from nijar_env.core.kernels import deal_games

        if self._next == len(self.queue):
            self.parts[lane] = None
            return False
        part = self.parts[lane] = self.queue[self._next]
        self._next += 1
        batch = self.batch
        batch.games["difficulty"][lane] = self.data.difficulties[part.game]
        batch.seeds[lane] = self.data.seeds[part.game]
        deal_games(batch.box.record, batch.games, self._raw, batch.seeds, lane, lane + 1)
        batch.action_masks[lane] = batch.games["legal"][lane]
        batch.current_players[lane] = batch.games["current_player"][lane]
        self.place[lane] = 0
        self.first[lane] = self.starts[part.game]
        self.start[lane], self.stop[lane] = part.start, part.stop
        return True

    def steps(self) -> Iterator[tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]]:
        """At each step: the lanes to look at, and the numbers of their decisions."""
        batch = self.batch
        busy = np.array([part is not None for part in self.parts])
        actions = np.zeros(len(batch), np.int64)
        while busy.any():
            lanes = np.flatnonzero(busy & (self.place >= self.start))
            numbers = self.first + self.place
            if len(lanes):
                self._check(lanes, numbers[lanes])
                yield lanes, numbers[lanes]
            actions[:] = batch.action_masks.argmax(axis=1)  # of lanes without a part
            actions[busy] = self.data.played[numbers[busy]]
            try:
                batch.step(actions)
            except IllegalActionError as error:
                raise DataError(f"a game cannot be played again ({error}); {_REMEDY}") from None
            self.place += busy
            for lane in np.flatnonzero(busy & (self.place == self.stop)).tolist():
                self._check_end(lane)
                busy[lane] = self._begin(lane)
            if (busy & (batch.current_players < 0)).any():
                raise DataError(f"a game is over too early; {_REMEDY}")

    def _check(self, lanes: npt.NDArray[np.int64], numbers: npt.NDArray[np.int64]) -> None:
        chosen = self.data.choices[numbers, 0]
        fits = self.batch.action_masks[lanes, chosen] != 0
        fits &= self.batch.current_players[lanes] == self.data.seats[numbers]
        if not fits.all():
            raise DataError(f"a choice does not fit its game; {_REMEDY}")

    def _check_end(self, lane: int) -> None:
        part = self.parts[lane]
        assert part is not None
        if part.stop < self.data.lengths[part.game]:
            return
        scores, known = self.batch.final_scores[lane], self.data.scores[part.game]
        if not self.batch.dones[lane] or not np.array_equal(scores, known):
            raise DataError(f"a game ends otherwise than it did; {_REMEDY}")


def _parts(data: GameData, lanes: int, rng: np.random.Generator | None) -> list[_Part]:
    """All games, in random order with a generator; the first ones begin somewhere within, so that
    the lanes are at different stages, and what is before follows at the end."""
    games = np.flatnonzero(data.lengths > 0)
    lengths = data.lengths.astype(np.int64)
    if rng is None:
        return [_Part(int(game), 0, int(lengths[game])) for game in games]
    games = rng.permutation(games)
    first, rest = games[:lanes], games[lanes:]
    cuts = (rng.random(len(first)) * lengths[first]).astype(np.int64)
    pairs = list(zip(first.tolist(), cuts.tolist(), strict=True))
    parts = [_Part(game, cut, int(lengths[game])) for game, cut in pairs]
    parts += [_Part(game, 0, int(lengths[game])) for game in rest.tolist()]
    return parts + [_Part(game, 0, cut) for game, cut in pairs if cut]


def minibatches(
    data: GameData,
    size: int,
    *,
    rng: np.random.Generator | None = None,
    box: Box | None = None,
    reader: Reader | None = None,
    lanes: int = LANES,
    buffer: int = BUFFER,
) -> Iterator[Decisions]:
    """All decisions of a data set once.

    Args:
        data: the games.
        size: decisions in a minibatch; the last one may have fewer.
        rng: shuffles; None: in the order of the games, as far as lanes allow.
        box: that the games were played with; None is the default one.
        reader: of what the network reads; None: of observations.
        lanes: games that go on side by side.
        buffer: decisions that are shuffled together.

    Raises:
        DataError: the games were played with another box, or cannot be played again.
    """
    box = load_box(None) if box is None else box
    if data.header["fingerprint"] != box.fingerprint:
        raise DataError(
            f"the games were played with box {data.header['box']} "
            f"({data.header['fingerprint']}), this is {box.name} ({box.fingerprint}); "
            "generate games with this one"
        )
    if not data.num_decisions:
        return
    reader = reader or Reader()
    room = max(buffer, size, lanes)
    seen = np.empty((room, reader.size(data.num_players)), np.float32)
    masks = np.empty((room, NUM_GAME_ACTIONS), np.int8)
    vp = np.empty((room, MAX_PLAYERS), np.int16)
    numbers = np.empty(room, np.int64)
    margins = _margins(data)
    filled = 0
    going = _Lanes(data, box, lanes, rng)
    for at, which in going.steps():
        if filled + len(at) > room:
            yield from _cut(data, margins, seen, masks, vp, numbers[:filled], size, rng)
            filled = 0
        inputs, batch = reader.of_batch(going.batch), going.batch
        part = slice(filled, filled + len(at))
        whole = len(at) == len(batch)  # then nothing need be picked out
        seen[part] = inputs if whole else inputs[at]
        masks[part] = batch.action_masks if whole else batch.action_masks[at]
        vp[part] = batch.games["vp"][at]
        numbers[part] = which
        filled += len(at)
    yield from _cut(data, margins, seen, masks, vp, numbers[:filled], size, rng)


def _margins(data: GameData) -> npt.NDArray[np.float32]:
    """float32 (D,): how each decision's game ended for its player."""
    games = np.repeat(np.arange(data.num_games), data.lengths)
    return data.margins()[games, data.seats]


def _cut(
    data: GameData,
    margins: npt.NDArray[np.float32],
    seen: npt.NDArray[np.float32],
    masks: npt.NDArray[np.int8],
    vp: npt.NDArray[np.int16],
    numbers: npt.NDArray[np.int64],
    size: int,
    rng: np.random.Generator | None,
) -> Iterator[Decisions]:
    """A buffer as minibatches."""
    order: Any = np.arange(len(numbers)) if rng is None else rng.permutation(len(numbers))
    for start in range(0, len(order), size):
        part = order[start : start + size]
        which = numbers[part]
        choices = data.choices[which]
        yield Decisions(
            which,
            seen[part],
            masks[part],
            np.maximum(choices, 0).astype(np.int64),
            data.odds[which].astype(np.float32),
            margins[which],
            vp[part],
        )
