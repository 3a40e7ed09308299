"""The weights that a network agent plays with: a file, or a folder with one for each number of
players."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

from nijar_env import Box

from .networks.forward import architectures
from .weights_file import Weights, read_weights

SHIPPED: Final = Path(__file__).resolve().parent / "weights"
PATTERN: Final = "*.safetensors"


class Shelf:
    """Weights by number of players.

    Args:
        agent: the name of the agent that asks, for messages.
        path: a weights file or a folder of them; None: those that come with the agents.

    Attributes:
        fingerprint: of all of them; "" without any.
        needs_observations: whether any of the networks reads them.

    Raises:
        ValueError: no weights there, a broken file, or two for the same games.
    """

    def __init__(self, agent: str, path: Path | None) -> None:
        self._agent = agent
        self._where = SHIPPED if path is None else path
        self._files: dict[int, Path] = {}
        self._reads: dict[int, str] = {}
        self._prints: dict[int, str] = {}
        for file in self._found(path is None):
            weights = read_weights(file)
            if weights.num_players in self._files:
                raise ValueError(
                    f"{file} and {self._files[weights.num_players]} are for the same number of "
                    "players; give one of them"
                )
            self._files[weights.num_players] = file
            self._reads[weights.num_players] = architectures()[weights.kind].reads
            self._prints[weights.num_players] = weights.fingerprint
        self.needs_observations = any(reads != "choices" for reads in self._reads.values())
        prints = list(self._prints.values())
        self.fingerprint = prints[0] if len(prints) == 1 else _joined(prints)

    def _found(self, shipped: bool) -> list[Path]:
        """The weights files."""
        if not self._where.is_dir():
            if shipped:
                return []
            if not self._where.exists():
                raise ValueError(f"there is no weights file {self._where}")
            return [self._where]
        files = sorted(self._where.glob(PATTERN))
        if not files and not shipped:
            raise ValueError(f"the folder {self._where} holds no weights ({PATTERN})")
        return files

    def read(self, num_players: int, box: Box) -> Weights:
        """The weights for games of so many players with this box.

        A table for which there are none is played with those of the table that is nearest in size,
        if their network reads choices, which look the same everywhere; solo stands apart.

        Raises:
            ValueError: there are none (the message says for which games there are), or others than
            when the shelf was made.
        """
        if num_players in self._files:
            return self._same(num_players, box, num_players)
        tables = [n for n in self._files if n > 1 and self._reads[n] == "choices"]
        if num_players == 1 or not tables:
            raise ValueError(self._missing(num_players))
        nearest = min(tables, key=lambda n: (abs(n - num_players), n))
        return self._same(nearest, box, None)

    def _same(self, number: int, box: Box, num_players: int | None) -> Weights:
        """A file once more: a training run may have written others in its place, and those are not
        the ones that `fingerprint` is of."""
        path = self._files[number]
        weights = read_weights(path, box=box, num_players=num_players)
        if weights.fingerprint != self._prints[number]:
            raise ValueError(f"{path} has changed since it was first read; begin again")
        return weights

    def _missing(self, num_players: int) -> str:
        wanted = "solo games" if num_players == 1 else f"games of {num_players} players"
        there = ", ".join("solo" if n == 1 else f"{n} players" for n in sorted(self._files))
        return (
            f"{self._where} has no weights for {wanted} (it has {there or 'none at all'}); give "
            f"others, as {self._agent}:PATH, or train some: docs/training.md"
        )


def _joined(prints: list[str]) -> str:
    return hashlib.sha256("\n".join(prints).encode()).hexdigest()[:12] if prints else ""
