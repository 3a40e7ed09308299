"""Self-play: one policy decides for every seat of many games, and every seat's rewards reach it.

In a game of several players the rewards of a decision go on arriving after it: while others are to
act, and at the end, which mostly comes in somebody else's turn. `SelfPlay` keeps a decision open
until its own seat decides again or the game ends, and adds up what that seat gets in between. So
the rewards of a seat's decisions sum to what the reward scheme gives it, the loser's too.

```python
from nijar_env.selfplay import SelfPlay

games = SelfPlay(256, num_players=2, reward="outcome", seed=0)
rollout = games.collect(policy, steps=64)   # policy(observations, masks) -> actions
batch = rollout.flatten()                   # finished decisions: observations, masks, ...
```
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from .batch import GameBatch, Seeds
from .core.catalogue import NUM_GAME_ACTIONS
from .game import Components
from .options import check_count

Floats = npt.NDArray[np.float32]
Extras = dict[str, npt.NDArray[Any]]
_CARRIED: Final = ("observations", "masks", "actions", "seats", "rewards")
# What it returns: actions, integers (B,); or these and arrays (B, ...) to be kept with them.
Policy = Callable[[Floats, npt.NDArray[np.int8]], Any]


@dataclass
class Rollout:
    """Decisions by slot and game: T = players + steps slots, B games.

    Slots from `players` on are the steps. The first slots, one a seat, hold decisions that an
    earlier rollout left open. A slot without a decision, or with one that is still open, is not
    `complete`; an open one has its observation, which a value estimate may be made of.

    Attributes:
        observations: float32 (T, B, observation_size), of the seat that decided.
        masks: int8 (T, B, NUM_GAME_ACTIONS).
        actions: int64 (T, B).
        seats: int8 (T, B): who decided; -1: no decision in this slot.
        rewards: float32 (T, B): the seat's, from this decision to its next one or the end.
        dones: bool (T, B): the game ended before the seat decided again.
        complete: bool (T, B): nothing is owed to the decision any more.
        next: int32 (T, B): the slot of the seat's next decision in this game; -1 after the last.
        extras: what the policy returned beside its actions, arrays (T, B, ...).
    """

    observations: Floats
    masks: npt.NDArray[np.int8]
    actions: npt.NDArray[np.int64]
    seats: npt.NDArray[np.int8]
    rewards: Floats
    dones: npt.NDArray[np.bool_]
    complete: npt.NDArray[np.bool_]
    next: npt.NDArray[np.int32]
    extras: Extras = field(default_factory=dict)

    def flatten(self) -> dict[str, npt.NDArray[Any]]:
        """The complete decisions as arrays (M, ...), oldest first, copied: observations, masks,
        actions, seats, rewards, dones, games (their index), and the extras by name."""
        slots, games = np.nonzero(self.complete)
        names = ("observations", "masks", "actions", "seats", "rewards", "dones")
        arrays = {name: getattr(self, name) for name in names} | self.extras
        return {name: array[slots, games] for name, array in arrays.items()} | {"games": games}

    def advantages(self, values: Floats, gamma: float = 1.0, lam: float = 0.95) -> Floats:
        """Generalised advantage estimates (Schulman et al. 2016), each seat's decisions a series
        of its own.

        Args:
            values: float32 (T, B): the estimate for each slot's observation; those of open
                decisions are what the series before them end in.
            gamma: discount from one of a seat's decisions to its next.
            lam: weight of longer differences.

        Returns:
            float32 (T, B), 0 where not complete; add `values` for the targets of a value loss.
        """
        result = np.zeros(values.shape, np.float32)
        for slot in range(len(values) - 1, -1, -1):
            games = np.flatnonzero(self.complete[slot])
            follow = self.next[slot, games]
            going_on = follow >= 0
            ahead = np.where(going_on, values[follow, games], 0.0)
            later = np.where(going_on, result[follow, games], 0.0)
            error = self.rewards[slot, games] + gamma * ahead - values[slot, games]
            result[slot, games] = error + gamma * lam * later
        return result


class SelfPlay:
    """Games in which one policy plays every seat.

    The arguments that are not listed are those of `GameBatch`.

    Args:
        num_games: games at once.
        num_players: 1-4; each seat's decisions come out as a series of their own.

    Attributes:
        batch: the games; read it, but let `collect` step it.

    Raises:
        ValueError: an option out of range.
        BoxError: a broken box.
    """

    def __init__(
        self,
        num_games: int,
        num_players: int = 2,
        *,
        seed: Seeds = None,
        difficulty: str = "normal",
        components: Components = None,
        auto_forced: bool = True,
        reward: str = "outcome",
        threads: int = 1,
    ) -> None:
        self.batch = GameBatch(
            num_games,
            num_players,
            seed=seed,
            difficulty=difficulty,
            components=components,
            auto_forced=auto_forced,
            reward=reward,
            threads=threads,
        )
        self._rollout: Rollout | None = None
        self._open = np.full((num_games, num_players), -1, np.int64)
        self._early = np.zeros((num_games, num_players), np.float32)
        self._games = np.arange(num_games)

    def reset(self, seed: Seeds = None) -> None:
        """Deal all games anew; what was open is dropped."""
        self.batch.reset(seed)
        self._open[:] = -1
        self._early[:] = 0.0

    def collect(self, policy: Policy, steps: int) -> Rollout:
        """Play `steps` decisions in every game.

        Args:
            policy: is given float32 (B, observation_size) of the seats to act and int8
                (B, NUM_GAME_ACTIONS), and returns actions, integers (B,); or a pair of these and
                a dict of arrays (B, ...), which are kept as `extras`. The arrays that it is given
                belong to the rollout.
            steps: at least 1; the same number again uses the same memory again.

        Returns:
            The rollout. The next `collect` overwrites it.

        Raises:
            ValueError: not a number of steps.
            IllegalActionError: an action that is not legal.
        """
        rollout = self._begin(check_count("steps", steps))
        batch = self.batch
        for slot in range(batch.num_players, batch.num_players + steps):
            seats = rollout.seats[slot]
            seats[:] = batch.current_players
            seen = batch.observe(out=rollout.observations[slot])
            rollout.masks[slot] = batch.action_masks
            chosen = policy(seen, rollout.masks[slot])
            if isinstance(chosen, tuple):
                chosen, extras = chosen
                for name, given in extras.items():
                    values = np.asarray(given)
                    self._extra(rollout, name, values)[slot] = values
            batch.step(chosen)
            rollout.actions[slot] = chosen
            self._turn(rollout, slot, seats)
            self._pay(rollout)
            if batch.dones.any():
                self._end(rollout, np.flatnonzero(batch.dones))
        return rollout

    def _turn(self, rollout: Rollout, slot: int, seats: npt.NDArray[np.int8]) -> None:
        """The seats to act close their last decision and open one in this slot."""
        last = self._open[self._games, seats]
        games = np.flatnonzero(last >= 0)
        rollout.next[last[games], games] = slot
        rollout.complete[last[games], games] = True
        self._open[self._games, seats] = slot
        rollout.rewards[slot] = self._early[self._games, seats]
        self._early[self._games, seats] = 0.0

    def _pay(self, rollout: Rollout) -> None:
        """Give each seat's reward of the step to its open decision; before its first, keep it."""
        for seat in range(self.batch.num_players):
            gains = self.batch.rewards[:, seat]
            games = np.flatnonzero(gains)
            slots = self._open[games, seat]
            acted = slots >= 0
            rollout.rewards[slots[acted], games[acted]] += gains[games[acted]]
            self._early[games[~acted], seat] += gains[games[~acted]]

    def _end(self, rollout: Rollout, games: npt.NDArray[np.int64]) -> None:
        """All decisions of finished games are complete."""
        for seat in range(self.batch.num_players):
            slots = self._open[games, seat]
            acted = slots >= 0
            rollout.complete[slots[acted], games[acted]] = True
            rollout.dones[slots[acted], games[acted]] = True
        self._open[games] = -1
        self._early[games] = 0.0

    def _extra(self, rollout: Rollout, name: str, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The buffer of something that the policy returns: `values` is one slot's."""
        if name not in rollout.extras:
            shape = (*rollout.actions.shape, *values.shape[1:])
            rollout.extras[name] = np.zeros(shape, values.dtype)
        return rollout.extras[name]

    def _begin(self, steps: int) -> Rollout:
        """The buffers, with the open decisions of the last rollout in the first slots."""
        players, num_games = self._open.shape[1], len(self.batch)
        slots = players + steps
        last = self._rollout
        if last is not None and len(last.actions) == slots:
            rollout = last
        else:
            rollout = Rollout(
                observations=np.zeros((slots, num_games, self.batch.observation_size), np.float32),
                masks=np.zeros((slots, num_games, NUM_GAME_ACTIONS), np.int8),
                actions=np.zeros((slots, num_games), np.int64),
                seats=np.zeros((slots, num_games), np.int8),
                rewards=np.zeros((slots, num_games), np.float32),
                dones=np.zeros((slots, num_games), np.bool_),
                complete=np.zeros((slots, num_games), np.bool_),
                next=np.zeros((slots, num_games), np.int32),
            )
        self._carry(last, rollout)
        rollout.rewards[players:] = 0.0
        rollout.seats[players:] = -1
        rollout.dones[:] = False
        rollout.complete[:] = False
        rollout.next[:] = -1
        self._rollout = rollout
        return rollout

    def _carry(self, last: Rollout | None, rollout: Rollout) -> None:
        """Copy open decisions to the slots of their seats."""
        players = self._open.shape[1]
        moved = []
        for seat in range(players):
            games = np.flatnonzero(self._open[:, seat] >= 0)
            slots = self._open[games, seat]
            if last is not None:
                kept = {name: getattr(last, name)[slots, games] for name in _CARRIED}
                extras = {name: array[slots, games] for name, array in last.extras.items()}
                moved.append((seat, games, kept, extras))
        rollout.seats[:players] = -1
        rollout.rewards[:players] = 0.0
        for seat, games, kept, extras in moved:
            for name, values in kept.items():
                getattr(rollout, name)[seat, games] = values
            for name, values in extras.items():
                self._extra(rollout, name, values)[seat, games] = values
            self._open[games, seat] = seat
