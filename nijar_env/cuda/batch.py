"""`CudaBatch`: many games on a GPU, stepped by one launch, into device arrays used again."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..action_names import illegal_action_text
from ..batch import Seeds, game_seeds, undealt_games
from ..components import load_box
from ..components.vocabulary import MAX_PLAYERS, NUM_CARDS
from ..core.catalogue import NUM_GAME_ACTIONS
from ..core.constants import FAULTS
from ..core.layout import observation_size
from ..core.record import GAME_DTYPE
from ..errors import EngineFault, IllegalActionError
from ..game import Components, Game
from ..options import check_count, check_reward
from .build import DEVICE_BOX, DEVICE_GAME, require_cuda

# Threads a block. Games diverge, so a block gains nothing by being large.
BLOCK = 64


class CudaBatch:
    """`num_games` games of one kind on a GPU, one thread a game: `GameBatch` in device arrays.

    Args:
        num_games, num_players, difficulty, seed, components, auto_forced, auto_reset, reward: as
            in `GameBatch`, of which this plays the very games.

    Device arrays, rewritten by every `step` and `reset`; with `__cuda_array_interface__`, so that
    `torch.as_tensor` takes them without a copy:
        action_masks, current_players, rewards, dones, final_scores, final_winners, final_lengths,
        episodes, seeds: as in `GameBatch`.
        games: the records, with gaps (`build.DEVICE_GAME`); `records()` has them as GAME_DTYPE.

    Raises:
        ImportError: numba-cuda or a GPU is missing. ValueError: an option out of range.
        BoxError: a broken box.
    """

    def __init__(
        self,
        num_games: int,
        num_players: int = 2,
        *,
        difficulty: str = "normal",
        seed: Seeds = None,
        components: Components = None,
        auto_forced: bool = True,
        auto_reset: bool = True,
        reward: str = "vp",
    ) -> None:
        n = check_count("num_games", num_games)
        self._reward = check_reward(reward)
        self.auto_reset = bool(auto_reset)
        self.box = load_box(components)
        records = undealt_games(n, num_players, difficulty, auto_forced, DEVICE_GAME)
        first_seeds = game_seeds(n, seed)
        require_cuda()
        from numba import cuda

        from ..core.observe_cards import NUM_CARD_FEATURES

        self._cuda = cuda
        self._num_players = int(num_players)
        self._raw = cuda.to_device(records.view(np.uint8).reshape(n, DEVICE_GAME.itemsize))
        self.games = self._raw.reshape(n * DEVICE_GAME.itemsize).view(DEVICE_GAME)
        self._box = cuda.to_device(self.box.record.astype(DEVICE_BOX))
        self._cards = cuda.to_device(np.zeros((NUM_CARDS, NUM_CARD_FEATURES), np.float32))
        self.action_masks = cuda.to_device(np.zeros((n, NUM_GAME_ACTIONS), np.int8))
        self.current_players = cuda.to_device(np.zeros(n, np.int8))
        self.rewards = cuda.to_device(np.zeros((n, MAX_PLAYERS), np.float32))
        self.dones = cuda.to_device(np.zeros(n, np.bool_))
        self.final_scores = cuda.to_device(np.zeros((n, MAX_PLAYERS), np.int16))
        self.final_winners = cuda.to_device(np.full(n, -1, np.int8))
        self.final_lengths = cuda.to_device(np.zeros(n, np.int32))
        self.seeds = cuda.to_device(np.zeros(n, np.uint64))
        self.episodes = cuda.to_device(np.zeros(n, np.int64))
        self._actions = cuda.to_device(np.zeros(n, np.int64))
        self._worst = cuda.to_device(np.zeros(2, np.int64))
        self._observations: Any = None
        self.reset(first_seeds)

    def __len__(self) -> int:
        return int(self.games.shape[0])

    @property
    def num_players(self) -> int:
        """Players of each game; 1 is solo."""
        return self._num_players

    def _launch(self, name: str, *arguments: Any) -> None:
        """Launch a function of `kernels`, a thread a game."""
        from . import kernels

        blocks = -(-len(self) // BLOCK)
        kernels.compiled(getattr(kernels, name))[blocks, min(BLOCK, len(self))](*arguments)

    def reset(self, seed: Seeds = None) -> None:
        """Deal all games anew, each as its first episode; None draws new seeds."""
        n = len(self)
        self.seeds.copy_to_device(game_seeds(n, seed))
        self.episodes.copy_to_device(np.zeros(n, np.int64))
        self.rewards.copy_to_device(np.zeros((n, MAX_PLAYERS), np.float32))
        self.dones.copy_to_device(np.zeros(n, np.bool_))
        self._launch(
            "deal",
            self._box,
            self.games,
            self._raw,
            self.seeds,
            self.action_masks,
            self.current_players,
        )

    def step(self, actions: Any, *, check: bool = True) -> None:
        """Take one action in each game (whatever is given for a finished game is ignored).

        Args:
            actions: integers (B,), a NumPy array; or an int64 device array, which is not copied.
            check: look for illegal actions before and faults after, which waits for the GPU.
                Without it an illegal action has no defined effect.

        Raises:
            IllegalActionError: names the first such game; no game of the batch has changed.
        """
        given = self._device_actions(actions)
        n = len(self)
        if check:
            self._worst.copy_to_device(np.full(2, n, np.int64))
            self._launch("check", self.games, given, self._worst)
            wrong = int(self._worst.copy_to_host()[0])
            if wrong < n:
                action = int(given.copy_to_host()[wrong])
                record = _packed(self._raw[wrong : wrong + 1])[0]
                raise IllegalActionError(
                    illegal_action_text(self.box, action, record, f"game {wrong}: ")
                )
        self._launch(
            "step",
            self._box,
            self.games,
            self._raw,
            given,
            self._reward,
            self.auto_reset,
            self.seeds,
            self.episodes,
            self.action_masks,
            self.current_players,
            self.rewards,
            self.dones,
            self.final_scores,
            self.final_winners,
            self.final_lengths,
            self._worst,
        )
        if check:
            faulty = int(self._worst.copy_to_host()[1])
            if faulty < n:
                fault = FAULTS[_packed(self._raw[faulty : faulty + 1])[0]["fault"]]
                raise EngineFault(f"game {faulty}: {fault}")

    def _device_actions(self, actions: Any) -> Any:
        """The actions as an int64 device array; what lies on the GPU already stays there."""
        there = hasattr(actions, "copy_to_host")
        if not there and hasattr(actions, "__cuda_array_interface__"):  # a torch tensor, say
            actions, there = self._cuda.as_cuda_array(actions), True
        given = actions if there else np.asarray(actions)
        if given.shape != (len(self),) or given.dtype.kind not in ("i" if there else "iu"):
            raise ValueError(
                f"actions must be {len(self)} whole numbers, one a game; got {given.dtype} of "
                f"shape {tuple(given.shape)}"
            )
        if there:
            return given
        self._actions.copy_to_device(given.astype(np.int64))
        return self._actions

    def random_actions(self, key: int, index: int) -> Any:
        """A random legal action of each game, int64 (B,) on the device, 0 where it is over: those
        of `core.kernels.random_actions`, draw `index` of `key`."""
        self._launch("pick", self.games, np.uint64(key), index, self._actions)
        return self._actions

    def random_steps(self, key: int, index: int, steps: int = 1) -> None:
        """`steps` random decisions in each game in one launch, dealt anew where it ends: the rules
        alone (`core.kernels.random_steps`, draws from `index` on). Masks and the other arrays stay
        as they are until the next `step` or `reset`."""
        self._launch(
            "play",
            self._box,
            self.games,
            self._raw,
            self.seeds,
            self.episodes,
            np.uint64(key),
            index,
            steps,
        )

    @property
    def observation_size(self) -> int:
        """Length of one observation; it depends on the number of players alone."""
        return observation_size(self._num_players)

    def observe(self) -> Any:
        """What the players to act see: float32 (B, observation_size) on the device, rewritten by
        every call; zeros where a game is over."""
        if self._observations is None:
            self._observations = self._cuda.device_array(
                (len(self), self.observation_size), np.float32
            )
            self._launch("card_features", self._box, self._cards)
        self._launch(
            "observe", self._box, self._cards, self.games, self.current_players, self._observations
        )
        return self._observations

    def records(self) -> npt.NDArray[Any]:
        """The games as they stand, copied to the host: GAME_DTYPE (B,), as in `GameBatch.games`."""
        return _packed(self._raw)

    def game(self, index: int) -> Game:
        """An independent `Game` that goes on like game `index` of the batch (without a log)."""
        if not 0 <= index < len(self):
            raise IndexError(f"the batch has games 0 to {len(self) - 1}, not {index}")
        return Game._of_record(self.box, _packed(self._raw[index : index + 1]))

    def synchronize(self) -> None:
        """Wait until the GPU has done all that was launched."""
        self._cuda.synchronize()


def _packed(raw: Any) -> npt.NDArray[Any]:
    """Records on the device, as bytes, copied to the host without their gaps."""
    device = raw.copy_to_host().view(DEVICE_GAME).reshape(-1)
    games = np.zeros(len(device), GAME_DTYPE)
    for name in GAME_DTYPE.names or ():
        games[name] = device[name]
    return games
