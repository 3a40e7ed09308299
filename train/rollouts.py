"""Playing the games that a self-play run learns from: rewards, trajectories, games in shards.

A run's games are in one or several shards. Each has its own company and its own draws, so what
comes of it depends neither on the other shards nor on where it is played (`ray_rollouts`). The
games themselves are the same, however many shards they are in.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch

from eval.table import hashed_seed
from nijar_env import Box, GameBatch
from nijar_env.components.vocabulary import DIFFICULTIES
from nijar_env.core.catalogue import NUM_GAME_ACTIONS
from nijar_env.core.constants import MARGIN_SCALE

from .evaluate import masked, sample
from .inputs import Reader
from .pool import Pool
from .progress import Clock
from .selfplay_config import RewardSection, SelfPlayConfig
from .selfplay_log import ENVIRONMENT, INFERENCE, OPPONENTS
from .state import batch_state, restore_batch

NOBODY: Final = -1  # the seat of a slot without a decision of the learner

Rows = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]
Seats = npt.NDArray[np.int8]
Truths = npt.NDArray[np.bool_]


# --- rewards ------------------------------------------------------------------------------------


class Rewards:
    """The rewards of a batch's seats, with VP as they come mixed in at first.

    A seat gets (1 - share) × scheme + share × VP / 50, where the share falls in a line from
    `vp_share` to nothing. "outcome" and "margin" come at the end of a game (see `GameBatch`). VP
    are its own, less `rival` times those of the others on average, the Competition's in solo.
    """

    def __init__(self, batch: GameBatch, config: RewardSection) -> None:
        self._batch, self._config = batch, config
        self._seats = int(batch.games[0]["num_seats"])
        self.look()

    def look(self) -> None:
        """Note the VP as they stand."""
        self._vp = self._batch.games["vp"][:, : self._seats].astype(np.float32)

    def share(self, progress: float) -> float:
        """The share of VP in the reward, `progress` (0 to 1) of the way through the run."""
        if progress >= self._config.vp_until:
            return 0.0
        return self._config.vp_share * (1 - progress / self._config.vp_until)

    def of_step(self, share: float) -> Floats:
        """float32 (B, players): of the step that the batch has just taken."""
        players = self._batch.num_players
        paid = self._batch.rewards[:, :players]
        if self._config.scheme == "vp":
            return self._gained()[:, :players]
        if share == 0.0:
            return paid
        gained = self._gained()[:, :players]
        return np.asarray((1 - share) * paid + share * gained, np.float32)

    def _gained(self) -> Floats:
        """VP / 50 since the last look, less the rivals' share; float32 (B, seats)."""
        batch, before, seats = self._batch, self._vp, self._seats
        self.look()
        gained = np.where(batch.dones[:, None], batch.final_scores[:, :seats], self._vp) - before
        if self._config.rival:
            others = (gained.sum(axis=1, keepdims=True) - gained) / (seats - 1)
            gained = gained - self._config.rival * others
        return np.asarray(gained / MARGIN_SCALE, np.float32)


# --- trajectories --------------------------------------------------------------------------------


_TENSORS: Final = ("observations", "masks", "actions", "log_probs", "values")
_ARRAYS: Final = ("seats", "rewards", "dones")


class Trajectories:
    """A rollout: T = players + steps slots of B games; in memory of the device, where it is large.

    The first slots, one a seat, hold the decisions that the last rollout left open, with what they
    were paid so far.
    """

    def __init__(
        self, steps: int, games: int, players: int, size: int, device: torch.device
    ) -> None:
        shape = (players + steps, games)
        self.players = players
        self.observations = torch.zeros((*shape, size), device=device)
        self.masks = torch.zeros((*shape, NUM_GAME_ACTIONS), dtype=torch.bool, device=device)
        self.actions = torch.zeros(shape, dtype=torch.int64, device=device)
        self.log_probs = torch.zeros(shape, device=device)
        self.values = torch.zeros(shape, device=device)
        self.seats = np.full(shape, NOBODY, np.int8)
        self.rewards = np.zeros((*shape, players), np.float32)
        self.dones = np.zeros(shape, np.bool_)

    def tensors(self) -> dict[str, torch.Tensor]:
        """Those arrays that are tensors, by name."""
        return {name: getattr(self, name) for name in _TENSORS}

    def part(self, games: slice) -> Trajectories:
        """Those of some games, in the same memory."""
        one = copy.copy(self)
        for name in (*_TENSORS, *_ARRAYS):
            setattr(one, name, getattr(self, name)[:, games])
        return one

    def played(self) -> dict[str, npt.NDArray[Any]]:
        """What the last rollout has written."""
        own = slice(self.players, None)
        tensors = {name: tensor[own].numpy() for name, tensor in self.tensors().items()}
        return {**tensors, **{name: getattr(self, name)[own] for name in _ARRAYS}}

    def take(self, played: Mapping[str, npt.NDArray[Any]]) -> None:
        """Write what another object of the same shape has `played`."""
        own = slice(self.players, None)
        for name, tensor in self.tensors().items():
            tensor[own] = torch.from_numpy(np.array(played[name]))
        for name in _ARRAYS:
            getattr(self, name)[own] = played[name]

    def carry(self, complete: Truths, paid: Floats) -> None:
        """Move the open decisions, one of a game's seat at most, to the slots of their seats."""
        slots, games = np.nonzero((self.seats != NOBODY) & ~complete)
        seats, owed = self.seats[slots, games], paid[slots, games]
        for tensor in self.tensors().values():
            tensor[seats.astype(np.int64), games] = tensor[slots, games]
        self.seats[: self.players], self.rewards[: self.players] = NOBODY, 0.0
        self.seats[seats, games] = seats
        self.rewards[seats, games, seats] = owed

    def state(self) -> dict[str, Any]:
        """The open decisions, all that there is between two rollouts."""
        first = slice(0, self.players)
        carried = {name: tensor[first].clone() for name, tensor in self.tensors().items()}
        return {**carried, "seats": self.seats[first].copy(), "rewards": self.rewards[first].copy()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Set a new object of the same shape to a state."""
        for name, kept in state.items():
            getattr(self, name)[: self.players] = kept


# --- games --------------------------------------------------------------------------------------


def shards_of(config: SelfPlayConfig) -> list[slice]:
    """Which games each shard has, as even as can be."""
    edges = np.linspace(0, config.games, config.shards + 1).round().astype(int).tolist()
    return [slice(*pair) for pair in itertools.pairwise(edges)]


def make_batch(config: SelfPlayConfig, box: Box, games: slice | None = None) -> GameBatch:
    """The games to learn from, or some of them; of "mixed" difficulty a third of all is of each."""
    numbers = np.arange(config.games)[games or slice(None)]
    # As a batch of all games takes them from one seed.
    seeds = np.random.SeedSequence(config.seed).generate_state(config.games, np.uint64)[numbers]
    mixed = config.difficulty == "mixed"
    batch = GameBatch(
        len(numbers),
        config.players,
        seed=seeds,
        difficulty=DIFFICULTIES[0] if mixed else config.difficulty,
        components=box,
        reward=config.reward.scheme,
        threads=config.game_threads,
    )
    if mixed and config.players == 1:
        batch.games["difficulty"] = numbers % len(DIFFICULTIES)
        batch.reset(seeds)
    return batch


class Shard:
    """Some of a run's games, played on rollout by rollout.

    Args:
        config, box: of the run.
        index: which shard.
        kept: gets the rollouts of its games.
        network: the learner, which plays as it is at the time.
        reader: of what the network reads.

    Attributes:
        generator: of its actions, where there are several shards.
        finished_games: so far.
    """

    def __init__(
        self,
        config: SelfPlayConfig,
        box: Box,
        index: int,
        kept: Trajectories,
        network: Any,
        reader: Reader,
    ) -> None:
        games, beside = shards_of(config)[index], config.opponents
        self.batch, self.kept = make_batch(config, box, games), kept
        self.network, self.reader = network, reader
        # A single shard draws from PyTorch's own generators, and its company from the run's seed.
        # Others draw on the CPU, so that it makes no difference to them where they are played.
        self._alone = config.shards == 1
        seed = config.seed if self._alone else hashed_seed("shard", config.seed, index) % 2**63
        self._device = kept.values.device
        self.generator = torch.Generator()
        self.generator.manual_seed(seed % 2**63)
        shares = (beside.itself, beside.past, beside.scripted)
        self.pool = Pool(self.batch, *shares, beside.snapshots, seed, first=games.start)
        self.rewards = Rewards(self.batch, config.reward)
        self.finished_games = 0

    @torch.inference_mode()
    def play(self, update: int, share: float, clock: Clock) -> None:
        """Take `ppo.steps` steps in every game, and keep the learner's decisions.

        Args:
            update: the number of the rollout.
            share: of VP in the reward.
            clock: that the time is counted on.
        """
        kept, batch = self.kept, self.batch
        self.pool.begin(update)
        for slot in range(kept.players, len(kept.seats)):
            with clock(ENVIRONMENT):
                seen = self.reader.of_batch(batch)
            with clock(INFERENCE):
                kept.observations[slot] = torch.from_numpy(seen)
                kept.masks[slot] = torch.from_numpy(batch.action_masks)
                learner = self.pool.learner_acts()
                kept.seats[slot] = np.where(learner, batch.current_players, NOBODY)
                actions = self._decide(slot, np.flatnonzero(learner))
            with clock(OPPONENTS):
                self.pool.act(actions, partial(self._past, slot))
            with clock(ENVIRONMENT):
                batch.step(actions)
            kept.rewards[slot] = self.rewards.of_step(share)
            kept.dones[slot] = batch.dones
            if batch.dones.any():
                self.finished_games += int(batch.dones.sum())
                self.pool.finish(np.flatnonzero(batch.dones))

    def _decide(self, slot: int, rows: Rows) -> Rows:
        """The learner's actions in the games `rows`, written to their slot too; (B,)."""
        kept, actions = self.kept, np.zeros(len(self.batch), np.int64)
        if len(rows):
            at = torch.from_numpy(rows).to(self._device)
            logits, values = self.network(kept.observations[slot, at])
            log_probs = torch.log_softmax(masked(logits, kept.masks[slot, at]), 1)
            chosen = self._sample(log_probs)
            kept.actions[slot, at], kept.values[slot, at] = chosen, values
            kept.log_probs[slot, at] = log_probs.gather(1, chosen[:, None])[:, 0]
            actions[rows] = chosen.cpu().numpy()
        return actions

    def _past(self, slot: int, network: Any, rows: Rows) -> Rows:
        """The actions of a past self in the games `rows`."""
        at = torch.from_numpy(rows).to(self._device)
        logits, _ = network(self.kept.observations[slot, at])
        log_probs = torch.log_softmax(masked(logits, self.kept.masks[slot, at]), 1)
        chosen = self._sample(log_probs)
        return np.asarray(chosen.cpu().numpy(), np.int64)

    def _sample(self, log_probs: Any) -> Any:
        return sample(log_probs, None if self._alone else self.generator)

    # -- elsewhere ---------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Of one of several shards, all that it takes to play on, but the networks: the learner and
        the past selves."""
        return {
            "games": batch_state(self.batch),
            "pool": self.pool.state(past=False),
            "random": self.generator.get_state(),
            "finished_games": self.finished_games,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Set a shard of the same index and networks to a state."""
        restore_batch(self.batch, state["games"])
        self.pool.restore(state["pool"])
        self.generator.set_state(state["random"])
        self.finished_games = int(state["finished_games"])
        self.rewards.look()
