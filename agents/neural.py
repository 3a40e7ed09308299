"""`ppo`: a trained network that takes the action it finds most likely, without any search.

`ppo:PATH` plays with a weights file, or with a folder of them, one for each number of players;
plain `ppo` plays with those that come with the agents. Networks are worked out in NumPy and
compiled kernels (`agents.networks`), so that playing needs no PyTorch and a choice does not depend
on the other games of the batch.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from nijar_env import Box

from .base import Actions, GameView, Masks, Observations
from .choice_rows import ChoiceRows
from .networks.forward import NumpyOps, architectures, check_arrays, complete_options
from .random_agent import draw_keys
from .weights_shelf import Shelf

# Rows that are worked out together, to bound the memory.
_ROWS: Final = 128


class Player:
    """A network, ready to play.

    Args:
        kind, num_players, options: of `agents.networks`.
        arrays: weights and constants by name, of any precision.

    Raises:
        ValueError: they are not those of such a network.
    """

    def __init__(
        self,
        kind: str,
        num_players: int,
        options: Mapping[str, Any],
        arrays: Mapping[str, npt.NDArray[Any]],
    ) -> None:
        self._architecture = architectures()[kind]
        self._num_players = num_players
        self._options = complete_options(kind, options)
        self._ops = NumpyOps()
        check_arrays(kind, num_players, self._options, arrays)
        given = {name: np.asfortranarray(array, np.float32) for name, array in arrays.items()}
        self._arrays = {**given, **self._architecture.fixed(self._ops, given, self._options)}

        self._rows = ChoiceRows() if self._architecture.reads == "choices" else None

    def inputs(self, observations: Observations | None, games: GameView) -> Observations:
        """What it reads of games, float32 (n, size)."""
        if self._rows is not None:
            return self._rows.of_view(games)
        if observations is None:
            raise ValueError("this network needs observations")
        return observations

    def __call__(
        self, inputs: Observations
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Scores of all actions, float32 (n, actions), and values (n,) of n games' inputs."""
        parts = [
            self._architecture.forward(
                self._ops,
                self._arrays,
                inputs[start : start + _ROWS],
                self._num_players,
                self._options,
            )
            for start in range(0, len(inputs), _ROWS)
        ]
        logits, values = zip(*parts, strict=True)
        return np.concatenate(logits), np.concatenate(values)


class NeuralAgent:
    """Plays by a trained network.

    Args:
        path: a weights file, or a folder of them for different numbers of players; None: those
            that come with the agents.
        draw: draw from the network's probabilities instead of taking the likeliest action.

    Attributes:
        fingerprint: of the weights.
        needs_observations: whether any of its networks reads them.

    Raises:
        ValueError: no weights there, or a broken file. Whether they fit the games is seen when it
            is first asked to act.
    """

    def __init__(self, path: Path | None = None, draw: bool = False) -> None:
        self.name = "ppo" if path is None else f"ppo:{path.as_posix()}"
        if draw:
            self.name += ":draw=true"
        self._draw = draw
        self._seed = 0
        self._shelf = Shelf("ppo", path)
        self.fingerprint = self._shelf.fingerprint
        self.needs_observations = self._shelf.needs_observations
        self._players: dict[tuple[int, str], Player] = {}

    def reset(self, seed: int) -> None:
        """Draw from this seed, in [0, 2**64), from now on."""
        self._seed = seed

    def act(self, observations: Observations | None, masks: Masks, games: GameView) -> Actions:
        """See `Agent.act`.

        Raises:
            ValueError: there are no weights for these games; the message says for which there are.
        """
        player = self._player(games.num_players, games.box)
        logits, _ = player(player.inputs(observations, games))
        scores = np.where(masks != 0, logits.astype(np.float64), -np.inf)
        if not self._draw:
            return np.asarray(scores.argmax(axis=1), np.int64)
        odds = np.exp(scores - scores.max(axis=1, keepdims=True)).cumsum(axis=1)
        drawn = (draw_keys(self._seed, games) >> np.uint64(11)) / 2.0**53
        return np.asarray((odds <= drawn[:, None] * odds[:, -1:]).sum(axis=1), np.int64)

    def _player(self, num_players: int, box: Box) -> Player:
        key = num_players, box.fingerprint
        if key not in self._players:
            weights = self._shelf.read(num_players, box)
            self._players[key] = Player(weights.kind, num_players, weights.options, weights.arrays)
        return self._players[key]
