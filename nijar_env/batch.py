"""`GameBatch`: many games stepped by one call, into buffers that are used again."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from .action_names import illegal_action_text
from .components import load_box
from .components.vocabulary import MAX_PLAYERS
from .core.catalogue import NUM_GAME_ACTIONS
from .core.constants import FAULTS
from .core.layout import observation_size
from .core.record import GAME_DTYPE
from .errors import EngineFault, IllegalActionError
from .game import Components, Game
from .options import check_count, check_difficulty, check_players, check_reward, check_seed

# Below this many games a second thread costs more than it brings (`nijar speed`).
THREADS_FROM = 4096
Seeds = int | npt.ArrayLike | None


def undealt_games(
    n: int, num_players: int, difficulty: str, auto_forced: bool, dtype: Any = GAME_DTYPE
) -> npt.NDArray[Any]:
    """Records that hold their options alone. Raises ValueError for an option out of range."""
    games = np.zeros(n, dtype)
    games["num_players"] = check_players(num_players)
    level = check_difficulty(difficulty)
    games["difficulty"] = level if num_players == 1 else 0
    games["auto_forced"] = bool(auto_forced)
    return games


def game_seeds(n: int, seed: Seeds) -> npt.NDArray[np.uint64]:
    """One seed a game: those given, or hashed from the one given; None draws one."""
    if seed is None or np.ndim(seed) == 0:
        sequence = np.random.SeedSequence(check_seed(seed))
        return np.asarray(sequence.generate_state(n, np.uint64), np.uint64)
    seeds = np.asarray(seed)
    if seeds.shape != (n,) or seeds.dtype.kind not in "iu" or (seeds < 0).any():
        raise ValueError(
            f"seed must be a whole number or {n} whole numbers from 0, one a game; got "
            f"{seeds.dtype} of shape {seeds.shape}"
        )
    return seeds.astype(np.uint64)


class GameBatch:
    """`num_games` games of one kind in one record array.

    The arguments that are not listed are those of `Game`. The attributes are buffers, rewritten by
    every `step` and `reset`.

    Args:
        num_games: at least 1.
        seed: an array of `num_games` seeds; or one seed, from which each game's is derived by
            hashing; None draws one. A game with seed s is the game `Game(seed=s)` plays.
        auto_reset: a finished game is dealt anew in the same step, with a seed derived from its
            first seed and the number of the episode.
        reward: "outcome", "margin" or "vp" (see `rewards`).
        threads: Python threads that share a step of 4,096 games or more; the results do not
            depend on it.
        keep_finished: keep the record of each game's last finished episode in `finished_games`,
            for its final observation.

    Attributes:
        games: GAME_DTYPE (B,): the records.
        action_masks: int8 (B, NUM_GAME_ACTIONS): legal actions of the next decision.
        current_players: int8 (B,): who decides; -1 where a game is over.
        rewards: float32 (B, 4) by seat, since the last step. "outcome": 1 to the winner and the
            loss shared by the others, at the end; "margin": (own - best other VP) / 50 at the
            end; "vp": VP as they come.
        dones: bool (B,): the game ended in this step (or, without auto_reset, is over).
        final_scores: int16 (B, 4): VP of the game that ended last, where one has.
        final_winners: int8 (B,): its winning seat.
        final_lengths: int32 (B,): its decisions.
        episodes: int64 (B,): games dealt before the present one.
        observations: float32 (B, observation_size): written by `observe` alone.
        finished_games: GAME_DTYPE (B,) with keep_finished, else (0,).

    Raises:
        ValueError: an option out of range.
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
        threads: int = 1,
        keep_finished: bool = False,
    ) -> None:
        n = check_count("num_games", num_games)
        self.box = load_box(components)
        self.auto_reset = bool(auto_reset)
        self._reward = check_reward(reward)
        self.games = undealt_games(n, num_players, difficulty, auto_forced)
        self.action_masks = np.zeros((n, NUM_GAME_ACTIONS), np.int8)
        self.current_players = np.zeros(n, np.int8)
        self.rewards = np.zeros((n, MAX_PLAYERS), np.float32)
        self.dones = np.zeros(n, np.bool_)
        self.final_scores = np.zeros((n, MAX_PLAYERS), np.int16)
        self.final_winners = np.full(n, -1, np.int8)
        self.final_lengths = np.zeros(n, np.int32)
        self.seeds = np.zeros(n, np.uint64)
        self.episodes = np.zeros(n, np.int64)
        self._actions = np.zeros(n, np.int64)
        self.finished_games = np.zeros(n if keep_finished else 0, GAME_DTYPE)
        self._observations: npt.NDArray[np.float32] | None = None
        self.threads = check_count("threads", threads)
        self._pool: ThreadPoolExecutor | None = None
        self._link()
        self.reset(seed)

    def _link(self) -> None:
        """The records' memory as bytes, which the kernels take beside the records."""
        self._raw = self.games.view(np.uint8).reshape(-1, GAME_DTYPE.itemsize)
        self._raw_finished = self.finished_games.view(np.uint8).reshape(-1, GAME_DTYPE.itemsize)

    def __getstate__(self) -> dict[str, Any]:
        left_out = ("_raw", "_raw_finished", "_pool")
        return {name: value for name, value in self.__dict__.items() if name not in left_out}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._pool = None
        self._link()

    def __len__(self) -> int:
        return len(self.games)

    @property
    def num_players(self) -> int:
        """Players of each game; 1 is solo."""
        return int(self.games[0]["num_players"])

    def reset(self, seed: Seeds = None) -> None:
        """Deal all games anew, each as its first episode; None draws new seeds."""
        self.seeds[:] = game_seeds(len(self.games), seed)
        self.episodes[:] = 0
        from .core.kernels import deal_games

        self._share(
            lambda a, b: deal_games(self.box.record, self.games, self._raw, self.seeds, a, b)
        )
        self.rewards[:] = 0
        self.dones[:] = False
        self.action_masks[:] = self.games["legal"]
        self.current_players[:] = self.games["current_player"]

    def step(self, actions: npt.ArrayLike) -> None:
        """Take one action in each game (whatever is given for a finished game is ignored).

        Args:
            actions: integers (B,).

        Raises:
            IllegalActionError: names the first such game, its action and what is legal there;
                no game of the batch has changed.
        """
        from .core.kernels import find_illegal, step_games

        given = np.asarray(actions)
        if given.shape != self._actions.shape or given.dtype.kind not in "iu":
            raise ValueError(
                f"actions must be {len(self.games)} whole numbers, one a game; got {given.dtype} "
                f"of shape {given.shape}"
            )
        self._actions[:] = given
        wrong = find_illegal(self.games, self._actions)
        if wrong >= 0:
            raise IllegalActionError(
                illegal_action_text(
                    self.box, int(self._actions[wrong]), self.games[wrong], f"game {wrong}: "
                )
            )

        def work(start: int, stop: int) -> int:
            return int(
                step_games(
                    self.box.record,
                    self.games,
                    self._raw,
                    self._actions,
                    start,
                    stop,
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
                    self._raw_finished,
                )
            )

        faulty = max(self._share(work))
        if faulty >= 0:
            raise EngineFault(f"game {faulty}: {FAULTS[self.games[faulty]['fault']]}")

    @property
    def observation_size(self) -> int:
        """Length of one observation; it depends on the number of players alone."""
        return observation_size(self.num_players)

    @property
    def observations(self) -> npt.NDArray[np.float32]:
        """float32 (B, observation_size): the buffer of `observe`, made on first use."""
        if self._observations is None:
            self._observations = np.zeros((len(self.games), self.observation_size), np.float32)
        return self._observations

    def observe(
        self,
        players: npt.ArrayLike | None = None,
        out: npt.NDArray[np.float32] | None = None,
        *,
        finished: bool = False,
    ) -> npt.NDArray[np.float32]:
        """What players see of their games (see `observation_layout`).

        Args:
            players: one player for all games, or one a game, -1 for a row of zeros; None: the
                player to act, zeros where a game is over.
            out: float32 (B, observation_size), C-contiguous; None: the buffer `observations`.
            finished: of the last finished games (needs `keep_finished`), not of the present ones.

        Returns:
            `out` or the buffer.
        """
        from .core.observe import observe_games

        n = len(self.games)
        games = self.finished_games if finished else self.games
        if len(games) != n:
            raise ValueError("observing finished games needs GameBatch(..., keep_finished=True)")
        if players is None:
            seats = self.current_players
        else:
            seats = np.broadcast_to(np.asarray(players), (n,)).astype(np.int8)
            if (seats < -1).any() or (seats >= self.num_players).any():
                raise ValueError(f"players must be -1 to {self.num_players - 1}, not {players!r}")
        target = self.observations if out is None else out
        wanted = (n, self.observation_size)
        if (
            target.shape != wanted
            or target.dtype != np.float32
            or not target.flags.c_contiguous
            or not target.flags.writeable
        ):
            raise ValueError(
                f"out must be a writeable C-contiguous float32 array of shape {wanted}"
            )
        self._share(lambda a, b: observe_games(self.box.record, games, seats, a, b, target))
        return target

    def _share(self, work: Any) -> list[Any]:
        """Run `work(start, stop)` over the batch, in threads where that pays."""
        n = len(self.games)
        if self.threads == 1 or n < THREADS_FROM:
            return [work(0, n)]
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads - 1, thread_name_prefix="nijar")
        cuts = [n * k // self.threads for k in range(self.threads + 1)]
        rest = [self._pool.submit(work, cuts[k], cuts[k + 1]) for k in range(1, self.threads)]
        first = work(cuts[0], cuts[1])
        return [first, *(part.result() for part in rest)]

    def game(self, index: int) -> Game:
        """An independent `Game` that goes on like game `index` of the batch (without a log)."""
        if not 0 <= index < len(self.games):
            raise IndexError(f"the batch has games 0 to {len(self.games) - 1}, not {index}")
        return Game._of_record(self.box, self.games[index:])

    def close(self) -> None:
        """End the threads, if any were started."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None
