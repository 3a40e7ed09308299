"""A data set of a teacher's games: what was dealt, what was played, what the teacher would play.

A file (`.npz`, no pickle) holds games of one number of players. Observations are not stored: they
are recomputed by playing the games again on the batched core (`train.replay`), so a decision takes
a few dozen bytes. `python -m train.generate` makes such files; their header says with what.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from nijar_env.components.vocabulary import MAX_PLAYERS
from nijar_env.core.catalogue import NUM_GAME_ACTIONS
from nijar_env.core.constants import MARGIN_SCALE

from .files import write_bytes

FORMAT: Final = "nijar-games-1"
# Actions kept of what the teacher considered at a decision.
CHOICES: Final = 8
NO_CHOICE: Final = -1
# Seeds of games to learn from begin here; those of measurements are hashed, so they are elsewhere.
FIRST_SEED: Final = 10_000_000

# By game, and by decision: dtype and shape after the first axis.
_BY_GAME: Final[Mapping[str, tuple[Any, tuple[int, ...]]]] = {
    "seeds": (np.uint64, ()),
    "difficulties": (np.int8, ()),
    "scores": (np.int16, (MAX_PLAYERS,)),
    "winners": (np.int8, ()),
    "lengths": (np.int32, ()),
}
_BY_DECISION: Final[Mapping[str, tuple[Any, tuple[int, ...]]]] = {
    "played": (np.int16, ()),
    "seats": (np.int8, ()),
    "choices": (np.int16, (CHOICES,)),
    "odds": (np.float16, (CHOICES,)),
    "worth": (np.float16, (CHOICES,)),
}


# Without these a header says nothing that could be checked.
_ENTRIES: Final = ("players", "teacher", "box", "fingerprint")
_DAMAGED: Final = (zipfile.BadZipFile, zlib.error)


class DataError(ValueError):
    """A file that is no data set, or one that does not fit."""


@dataclass(frozen=True)
class GameData:
    """Games of one number of players and their decisions (those with two or more legal actions).

    The decisions of all games follow one another, game by game.

    Attributes:
        header: what made it: teacher, players, box, versions, options.
        seeds: uint64 (G,): of the deals.
        difficulties: int8 (G,): codes of `DIFFICULTIES`; 0 but in solo.
        scores: int16 (G, 4): final VP by seat.
        winners: int8 (G,): winning seat.
        lengths: int32 (G,): decisions of each game.
        played: int16 (D,): the action taken.
        seats: int8 (D,): who took it.
        choices: int16 (D, CHOICES): what the teacher would play, the best first; -1: nothing.
        odds: float16 (D, CHOICES): its probabilities, which add up to 1.
        worth: float16 (D, CHOICES): the VP that it expects of each (see `agents.notes.Note`); NaN
            where it does not say.
    """

    header: Mapping[str, Any]
    seeds: npt.NDArray[np.uint64]
    difficulties: npt.NDArray[np.int8]
    scores: npt.NDArray[np.int16]
    winners: npt.NDArray[np.int8]
    lengths: npt.NDArray[np.int32]
    played: npt.NDArray[np.int16]
    seats: npt.NDArray[np.int8]
    choices: npt.NDArray[np.int16]
    odds: npt.NDArray[np.float16]
    worth: npt.NDArray[np.float16]

    @property
    def num_games(self) -> int:
        """G."""
        return len(self.seeds)

    @property
    def num_decisions(self) -> int:
        """D."""
        return len(self.played)

    @property
    def num_players(self) -> int:
        """1-4; 1 is solo."""
        return int(self.header["players"])

    @property
    def starts(self) -> npt.NDArray[np.int64]:
        """int64 (G + 1,): where the decisions of each game begin, and the end of the last."""
        return np.concatenate([np.zeros(1, np.int64), np.cumsum(self.lengths, dtype=np.int64)])

    def margins(self) -> npt.NDArray[np.float32]:
        """float32 (G, 4): (own VP - best other VP) / 50 by seat; 0 at seats not in play."""
        seats = max(self.num_players, 2)
        vp = self.scores[:, :seats].astype(np.float32)
        out = np.zeros(self.scores.shape, np.float32)
        for seat in range(seats):
            out[:, seat] = vp[:, seat] - np.delete(vp, seat, axis=1).max(axis=1)
        return out / np.float32(MARGIN_SCALE)

    def select(self, games: npt.ArrayLike) -> GameData:
        """Some of the games, by their places."""
        wanted = np.asarray(games, np.int64)
        starts = self.starts
        parts = [np.arange(starts[g], starts[g + 1]) for g in wanted]
        rows = np.concatenate(parts) if parts else np.zeros(0, np.int64)
        columns = {name: getattr(self, name)[wanted] for name in _BY_GAME}
        columns |= {name: getattr(self, name)[rows] for name in _BY_DECISION}
        return GameData(self.header, **columns)

    def save(self, path: Path) -> None:
        """Write a file, whole or not at all."""
        columns = {name: getattr(self, name) for name in (*_BY_GAME, *_BY_DECISION)}
        file = io.BytesIO()
        np.savez_compressed(file, header=np.array(json.dumps(dict(self.header))), **columns)
        write_bytes(path, file.getvalue())


def load_games(path: Path) -> GameData:
    """Read a data set.

    Raises:
        DataError: it is none, or its parts do not fit together.
    """
    try:
        # As a ZIP file: NumPy would take a plain array too.
        with zipfile.ZipFile(path), np.load(path, allow_pickle=False) as file:
            header = dict(json.loads(str(file["header"])))
            columns = {name: file[name] for name in (*_BY_GAME, *_BY_DECISION)}
    except (OSError, ValueError, TypeError, KeyError, EOFError, *_DAMAGED) as error:
        raise DataError(f"{path}: not a data set of games ({error})") from error
    if header.get("format") != FORMAT:
        raise DataError(f"{path}: its format is {header.get('format')!r}, not '{FORMAT}'")
    lacking = [name for name in _ENTRIES if name not in header]
    if lacking:
        raise DataError(f"{path}: its header has no '{lacking[0]}'")
    data = GameData(header, **columns)
    _check(data, path)
    return data


def _check(data: GameData, path: Path) -> None:
    for parts, count in ((_BY_GAME, data.num_games), (_BY_DECISION, data.num_decisions)):
        for name, (dtype, shape) in parts.items():
            column = getattr(data, name)
            if column.dtype != dtype or column.shape != (count, *shape):
                raise DataError(f"{path}: {name} is {column.dtype} of shape {column.shape}")
    if int(data.lengths.sum()) != data.num_decisions:
        raise DataError(f"{path}: the games have other numbers of decisions than it says")
    for name, low in (("played", 0), ("choices", NO_CHOICE)):
        column = getattr(data, name)
        if column.size and not low <= column.min() <= column.max() < NUM_GAME_ACTIONS:
            raise DataError(f"{path}: {name} has numbers that are no actions")


def join_games(parts: Sequence[GameData], header: Mapping[str, Any] | None = None) -> GameData:
    """The games of several data sets, in order.

    Raises:
        DataError: none given, or for different numbers of players or boxes.
    """
    if not parts:
        raise DataError("there are no games")
    for part in parts:
        for key in ("players", "fingerprint"):
            if part.header[key] != parts[0].header[key]:
                raise DataError(
                    f"data sets with different {key}: {parts[0].header[key]} and {part.header[key]}"
                )
    columns = {
        name: np.concatenate([getattr(part, name) for part in parts])
        for name in (*_BY_GAME, *_BY_DECISION)
    }
    return GameData(parts[0].header if header is None else header, **columns)


def held_out_games(seeds: npt.NDArray[np.uint64], share: float) -> npt.NDArray[np.bool_]:
    """bool (G,): which games are held out, by their seeds: the same whatever else there is.

    Args:
        share: of all games, at least 0 and below 1.
    """
    # A multiplicative hash: neighbours in seed are not neighbours in it.
    hashed = (seeds * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)
    return np.asarray(hashed < np.uint64(share * 2**32))


def split_games(data: GameData, held_out: float) -> tuple[GameData, GameData]:
    """Games to learn from, and those that `held_out_games` says are held out."""
    apart = held_out_games(data.seeds, held_out)
    return data.select(np.flatnonzero(~apart)), data.select(np.flatnonzero(apart))
