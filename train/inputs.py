"""What networks read: observations, or rows of choices, of a batch of games."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from agents import GameView
from agents.choice_layout import ROW_SIZE
from agents.choice_rows import ChoiceRows
from nijar_env import GameBatch
from nijar_env.core.layout import observation_size

Inputs = npt.NDArray[np.float32]
READS: Final = ("observations", "choices")


class Reader:
    """Reads games for a network.

    Args:
        reads: what the network reads, one of READS (`PolicyValueNet.reads`).
    """

    def __init__(self, reads: str = "observations") -> None:
        self.reads = reads
        self.needs_observations = reads == "observations"
        self._rows = None if self.needs_observations else ChoiceRows()
        self._out: Inputs | None = None

    def size(self, num_players: int) -> int:
        """Numbers of a game."""
        return observation_size(num_players) if self._rows is None else ROW_SIZE

    def of_batch(self, batch: GameBatch) -> Inputs:
        """float32 (B, size), of the player to act in each game; the next call overwrites it."""
        if self._rows is None:
            return batch.observe()
        if self._out is None or len(self._out) != len(batch):
            self._out = np.zeros((len(batch), ROW_SIZE), np.float32)
        return self._rows.of_batch(batch, self._out)

    def of_view(self, observations: Any, games: GameView) -> Inputs:
        """float32 (n, size), of what an agent is given."""
        return observations if self._rows is None else self._rows.of_view(games)
