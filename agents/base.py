"""What an agent is: a batch of observations and masks in, a batch of actions out.

Agents that search also get a `GameView`: the games of the batch as the player to act knows them.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from nijar_env import Game, GameBatch
from nijar_env.components import Box

Observations = npt.NDArray[np.float32]
Masks = npt.NDArray[np.int8]
Actions = npt.NDArray[np.int64]
Keys = npt.NDArray[np.uint64]


class Agent(Protocol):
    """A player of any number of games at once.

    What an agent chooses in a game depends on its seed, on that game's number and on the game
    alone, never on the other games of the batch: so results do not depend on the batch size.

    Attributes:
        name: the specification string that `make_agent` makes this agent from.
        needs_observations: whether `act` looks at observations; where not, it may get None.
    """

    name: str
    needs_observations: bool

    def reset(self, seed: int) -> None:
        """Start a new match: forget all games and draw from this seed."""

    def act(self, observations: Observations | None, masks: Masks, games: GameView) -> Actions:
        """Choose an action in each of n games, none of which is over.

        Args:
            observations: float32 (n, observation_size), of the player to act in each game, or
                None if the agent does not need them.
            masks: int8 (n, NUM_GAME_ACTIONS): 1 for each legal action.
            games: the same n games, for agents that search.

        Returns:
            int64 (n,): a legal action for each game.
        """


class GameView:
    """Some games of a batch, as the player to act in each may know them.

    The games themselves are out of reach. `determinize` gives random games that agree with all
    that the player to act knows; what is hidden from it is dealt anew.

    Args:
        batch: the games.
        ids: a number for each game of the batch that stays with it until it ends, in [0, 2**63);
            None numbers them by row and episode.
        rows: the games of the batch that the view shows; None: all that are not over.
    """

    __slots__ = ("__batch", "_all_ids", "rows")

    def __init__(
        self,
        batch: GameBatch,
        ids: npt.ArrayLike | None = None,
        rows: npt.ArrayLike | None = None,
    ) -> None:
        if ids is None:
            ids = batch.episodes * len(batch) + np.arange(len(batch))
        self.__batch = batch
        self._all_ids = np.asarray(ids, np.int64)
        self.rows = np.asarray(
            np.flatnonzero(batch.current_players >= 0) if rows is None else rows, np.int64
        )

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def box(self) -> Box:
        """The box that the games are played with."""
        return self.__batch.box

    @property
    def num_players(self) -> int:
        """1-4; 1 is solo."""
        return self.__batch.num_players

    @property
    def ids(self) -> npt.NDArray[np.int64]:
        """int64 (n,): the number of each game."""
        return np.asarray(self._all_ids[self.rows])

    @property
    def players(self) -> npt.NDArray[np.int8]:
        """int8 (n,): the player to act in each game."""
        return np.asarray(self.__batch.current_players[self.rows])

    @property
    def decisions(self) -> npt.NDArray[np.int64]:
        """int64 (n,): decisions with two or more choices taken so far in each game."""
        return np.asarray(self.__batch.games["decisions"][self.rows], np.int64)

    @property
    def phases(self) -> npt.NDArray[np.int8]:
        """int8 (n,): the phase of each game, `nijar_env.core.constants.PHASE_*`."""
        return np.asarray(self.__batch.games["phase"][self.rows])

    def select(self, which: npt.ArrayLike) -> GameView:
        """A view of some of these games, by their places in this view."""
        return GameView(self.__batch, self._all_ids, self.rows[np.asarray(which)])

    def determinize(self, keys: Keys) -> npt.NDArray[Any]:
        """A random game for each of these games, consistent with what its player to act knows.

        Args:
            keys: uint64 (n,): the same key gives the same game, whatever is hidden.

        Returns:
            GAME_DTYPE (n,): a new array.
        """
        from .kernels import determinize_rows

        batch = self.__batch
        out = np.zeros(len(self.rows), batch.games.dtype)
        determinize_rows(batch.box.record, batch.games, self.rows, keys, out)
        return out

    def determinized_game(self, index: int, key: int) -> Game:
        """The same for one of these games, as a `Game`."""
        record = self.select([index]).determinize(np.array([key], np.uint64))
        return Game._of_record(self.__batch.box, record)
