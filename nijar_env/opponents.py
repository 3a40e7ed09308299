"""Who plays the other seats of `nijar_env/Nijar-v0`, and how they are asked.

An opponent is one of

- `"random"`: uniformly random legal actions, the same ones for the same seed in every front end;
- a function `f(observation, mask) -> action` of what its seat sees: float32 (observation_size,)
  and int8 (NUM_GAME_ACTIONS,); marked with `@batched` it is given M seats at once, float32
  (M, observation_size) and int8 (M, NUM_GAME_ACTIONS), and returns M actions;
- an object with a method `act_in(batch, rows) -> actions`: it is given a `GameBatch` and the int64
  (M,) games of it in which it is to decide, and returns M actions. That is how agents that search
  play; they must not look at what is hidden from the player to act.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol, TypeVar, runtime_checkable

import numpy as np
import numpy.typing as npt

from .action_names import illegal_action_text
from .batch import GameBatch
from .core.catalogue import NUM_GAME_ACTIONS
from .errors import IllegalActionError
from .game import Game

RANDOM: Final = "random"
ROTATE: Final = "rotate"
_BATCHED: Final = "_nijar_batched"

F = TypeVar("F", bound=Callable[..., Any])
Rows = npt.NDArray[np.int64]


@runtime_checkable
class BatchPlayer(Protocol):
    """What plays by looking at the games themselves."""

    def act_in(self, batch: GameBatch, rows: Rows) -> npt.ArrayLike:
        """Actions, integers (M,), for the M games `rows` of a batch, in which it is to decide."""


def batched(function: F) -> F:
    """Mark an opponent function that takes many seats at once (see the module)."""
    setattr(function, _BATCHED, True)
    return function


def _random(player: Any) -> bool:
    return isinstance(player, str) and player == RANDOM


def check_seat(seat: Any, num_players: int) -> int | str:
    """A seat of the learner, or "rotate".

    Raises:
        ValueError: neither.
    """
    if isinstance(seat, str) and seat == ROTATE:
        return ROTATE
    if isinstance(seat, bool | str) or seat not in range(num_players):
        raise ValueError(f'seat must be 0 to {num_players - 1} or "{ROTATE}", not {seat!r}')
    return int(seat)


def learner_seat(seat: int | str, num_players: int, first: int, episode: int) -> int:
    """The learner's seat in an episode: `seat`, or with "rotate" (first seed + episode) mod N."""
    if seat == ROTATE:
        return (first + episode) % num_players
    return int(seat)


class Opponents:
    """The players of the seats after the learner's.

    Args:
        players: `players[k]` has the seat (learner + 1 + k) mod N.
    """

    def __init__(self, players: tuple[Any, ...]) -> None:
        self.players = players
        self._scratch: GameBatch | None = None

    @property
    def by_chance(self) -> npt.NDArray[np.bool_]:
        """bool (N,), by seats from the learner's on: played at random."""
        return np.array([False, *map(_random, self.players)], np.bool_)

    def act(self, game: Game, offset: int, episode: int) -> int:
        """The action of the seat `offset` after the learner's, whose turn it is in `game`."""
        player = self.players[offset - 1]
        if _random(player):
            from .core.seats import random_choice

            return int(random_choice(game._games, 0))
        if isinstance(player, BatchPlayer):
            batch = self._as_batch(game, episode)
            return int(np.asarray(player.act_in(batch, np.zeros(1, np.int64)))[0])
        seen = game.observation(int(game.record.current_player))
        mask = game.action_mask()
        if getattr(player, _BATCHED, False):
            return int(player(seen[np.newaxis], mask[np.newaxis])[0])
        return int(player(seen, mask))

    def _as_batch(self, game: Game, episode: int) -> GameBatch:
        """A game as a batch of one, to look at."""
        if self._scratch is None:
            self._scratch = GameBatch(1, game.num_players, seed=0, components=game.box)
        batch = self._scratch
        batch.games[:] = game._games
        batch.action_masks[:] = batch.games["legal"]
        batch.current_players[:] = batch.games["current_player"]
        batch.episodes[:] = episode
        return batch

    def act_many(self, batch: GameBatch, rows: Rows, offsets: Rows) -> Rows:
        """The actions of seats in games `rows` of a batch, which are `offsets` after the learners'.

        Raises:
            IllegalActionError: names the first such game; no game has changed.
        """
        actions = np.zeros(len(rows), np.int64)
        owners = np.array([id(player) for player in self.players])[offsets - 1]
        for player in {id(player): player for player in self.players}.values():
            mine = np.flatnonzero(owners == id(player))
            if mine.size:
                actions[mine] = _choices(player, batch, rows[mine])
        legal = (actions >= 0) & (actions < NUM_GAME_ACTIONS)
        legal[legal] = batch.action_masks[rows[legal], actions[legal]] != 0
        if not legal.all():
            k = int(np.argmin(legal))
            where = f"game {rows[k]}, an opponent: "
            raise IllegalActionError(
                illegal_action_text(batch.box, int(actions[k]), batch.games[rows[k]], where)
            )
        return actions

    def __getstate__(self) -> dict[str, Any]:
        return {"players": self.players, "_scratch": None}


def _choices(player: Any, batch: GameBatch, rows: Rows) -> npt.ArrayLike:
    """The actions of one opponent in games `rows`, in all of which it is to decide."""
    if isinstance(player, BatchPlayer):
        return np.asarray(player.act_in(batch, rows))
    from .core.observe import observe_game

    seen = np.empty((len(rows), batch.observation_size), np.float32)
    for k, i in enumerate(rows.tolist()):
        observe_game(batch.box.record, batch.games, i, batch.current_players[i], seen[k])
    masks = batch.action_masks[rows]
    if getattr(player, _BATCHED, False):
        return np.asarray(player(seen, masks))
    return [player(one, mask) for one, mask in zip(seen, masks, strict=True)]


def check_opponents(opponents: Any, num_players: int) -> Opponents:
    """The opponents of an environment: one for all other seats, or one a seat.

    Raises:
        ValueError: something that cannot play, or not one a seat.
    """
    rivals = num_players - 1
    if isinstance(opponents, Sequence) and not isinstance(opponents, str):
        players = tuple(opponents)
        if len(players) != rivals:
            raise ValueError(
                f"opponents must be one, or one for each of the {rivals} other seats; got "
                f"{len(players)}"
            )
    else:
        players = (opponents,) * rivals
    for player in players:
        if not (_random(player) or callable(player) or isinstance(player, BatchPlayer)):
            raise ValueError(
                f'an opponent is "{RANDOM}", a function (observation, mask) -> action or an '
                f"object with act_in(batch, rows), not {player!r}"
            )
    return Opponents(players)
