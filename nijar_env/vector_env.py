"""The Gymnasium vector environments: a native batch, without a loop over environments.

```python
import gymnasium, nijar_env

envs = gymnasium.make_vec("nijar_env/Nijar-Solo-v0", num_envs=1024)
observations, infos = envs.reset(seed=0)
observations, rewards, terminations, truncations, infos = envs.step(envs.action_space.sample())
```
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from .batch import GameBatch
from .core.catalogue import NUM_GAME_ACTIONS
from .core.constants import FAULTS
from .errors import EngineFault
from .game import Components, Game
from .gym_env import OBSERVATIONS, observation_space
from .opponents import RANDOM, ROTATE, check_opponents, check_seat
from .options import RENDER_MODES, check_choice, check_count, check_render_mode, check_seed
from .sampling import LegalDiscrete, LegalMultiDiscrete
from .vector_info import step_infos

AUTORESET_MODES: Final = (AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP)
Observations = npt.NDArray[np.float32] | dict[str, npt.NDArray[Any]]
Rows = npt.NDArray[np.int64]
Step = tuple[
    Observations,
    npt.NDArray[np.float64],
    npt.NDArray[np.bool_],
    npt.NDArray[np.bool_],
    dict[str, Any],
]


def check_autoreset(mode: Any) -> AutoresetMode:
    """A mode, or its value such as "SameStep".

    Raises:
        ValueError: another one.
    """
    for known in AUTORESET_MODES:
        if mode in (known, known.value):
            return known
    choices = ", ".join(known.value for known in AUTORESET_MODES)
    raise ValueError(f"autoreset_mode must be one of {choices}, not {mode!r}")


class NijarVectorEnv(VectorEnv[Any, Any, npt.NDArray[Any]]):
    """`num_envs` games of `NijarEnv` in one `GameBatch`, stepped by one call.

    Game i does exactly what `NijarEnv` does with seed + i, episode after episode. All arrays that
    are returned are new ones: keep them, change them.

    The arguments that are not listed are those of `NijarEnv`.

    Args:
        num_envs: games.
        opponents: as in `NijarEnv`. Mark functions with `nijar_env.opponents.batched` to have them
            called with many games at once.
        autoreset_mode: "NextStep" (the default, as Gymnasium's): where a game ends, its mask is
            all zero; the next step ignores its action, deals the next game and rewards 0.
            "SameStep": the next game is dealt within the step, so that every mask has a legal
            action; `infos["final_obs"]` and `infos["final_info"]` have what the game ended with.
        threads: threads that share a step of 4,096 games or more; results do not depend on it.
        render_mode: None or "ansi".

    The infos hold `action_mask`, int8 (num_envs, NUM_GAME_ACTIONS), and `seat`, int64 (num_envs,),
    the learner's. Where a game ended, in `final_info` or, with "NextStep", beside these: `scores`,
    int16 (num_envs, seats), and `winner`, int64 (num_envs,). As in Gymnasium, `_name` is a bool
    (num_envs,) that says which games have `name`.

    Raises:
        ValueError: an option out of range.
        BoxError: a broken box.
    """

    def __init__(
        self,
        num_envs: int = 1,
        num_players: int = 2,
        *,
        opponents: Any = RANDOM,
        seat: int | str = 0,
        difficulty: str = "normal",
        components: Components = None,
        reward: str = "outcome",
        auto_forced: bool = True,
        observation: str = "dict",
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        render_mode: str | None = None,
    ) -> None:
        mode = check_autoreset(autoreset_mode)
        self._same_step = mode == AutoresetMode.SAME_STEP
        self._flat = check_choice("observation", observation, OBSERVATIONS) == "flat"
        self.render_mode = check_render_mode(render_mode, RENDER_MODES[:1])
        self.metadata = {
            "render_modes": list(RENDER_MODES[:1]),
            "render_fps": 2,
            "autoreset_mode": mode,
        }
        self.num_envs = num_envs = check_count("num_envs", num_envs)
        self._batch = GameBatch(
            num_envs,
            num_players,
            difficulty=difficulty,
            components=components,
            auto_forced=auto_forced,
            auto_reset=self._same_step,
            reward=reward,
            threads=threads,
            keep_finished=self._same_step,
        )
        self.num_players = self._batch.num_players
        self.opponents = check_opponents(opponents, self.num_players)
        self.seat_option = check_seat(seat, self.num_players)
        self.single_observation_space = observation_space(self.num_players, observation)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.single_action_space = LegalDiscrete(NUM_GAME_ACTIONS)
        self.action_space = LegalMultiDiscrete(num_envs, NUM_GAME_ACTIONS)
        self.action_space.legal = self._batch.action_masks
        self._size = self._batch.observation_size
        self._rows = np.arange(num_envs)
        self._learners = np.zeros(num_envs, np.int64)
        self._ended = np.zeros(num_envs, np.bool_)
        self._fresh = np.zeros(num_envs, np.bool_)
        self._next_seeds = np.zeros(num_envs, np.uint64)
        self._given = np.zeros(num_envs, np.bool_)
        self._final_seats = np.zeros(num_envs, np.int64)
        self._earned = np.zeros(num_envs, np.float64)
        self._carried = np.zeros(num_envs, np.float64)
        self._begun = False

    @property
    def batch(self) -> GameBatch:
        """The games: read it, but step the environment."""
        return self._batch

    def game(self, index: int) -> Game:
        """An independent `Game` that goes on like game `index`."""
        return self._batch.game(index)

    def action_masks(self) -> npt.NDArray[np.int8]:
        """int8 (num_envs, NUM_GAME_ACTIONS): 1 for each legal action of each game; a copy."""
        return self._batch.action_masks.copy()

    # -- an episode -----------------------------------------------------------------------------

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin an episode in every game.

        Args:
            seed: game i is dealt with seed + i; a sequence has one for each game, None draws that
                one. None goes on with each game's next episode; before any seed `np_random` draws.
            options: none are known; ignored.

        Raises:
            ValueError: seeds out of range, or not as many as games.
        """
        if isinstance(seed, np.integer):
            seed = int(seed)
        super().reset(seed=seed if isinstance(seed, int) else None)
        if seed is None and self._begun:
            self._deal(self._rows)
        else:
            self._batch.reset(self._seeds(seed))
            self._assign_learners(self._rows)
        self._begun = True
        self._ended[:] = False
        self._carried[:] = 0.0
        self._fresh[:] = True
        self._run_to_learners()
        infos = self._infos()
        return self._observations(infos), infos

    def _seeds(self, seed: int | Sequence[int | None] | None) -> npt.NDArray[np.uint64]:
        if seed is None:
            return self.np_random.integers(2**63, size=self.num_envs, dtype=np.uint64)
        if isinstance(seed, int):
            seed = range(seed, seed + self.num_envs)
        if len(seed) != self.num_envs:
            raise ValueError(f"seed must be one number or {self.num_envs}, one a game")
        return np.array([check_seed(one) for one in seed], np.uint64)

    def _assign_learners(self, rows: Rows) -> None:
        if self.seat_option == ROTATE:
            n = self.num_players
            first = (self._batch.seeds[rows] % np.uint64(n)).astype(np.int64)
            self._learners[rows] = (first + self._batch.episodes[rows]) % n
        else:
            self._learners[rows] = self.seat_option

    def _deal(self, rows: Rows) -> None:
        """Begin the next episode of some games."""
        from .core.kernels import deal_games
        from .core.seats import next_seeds

        batch = self._batch
        next_seeds(batch.seeds, batch.episodes, rows, self._next_seeds)
        box, games, raw = batch.box.record, batch.games, batch._raw
        if len(rows) == self.num_envs:
            deal_games(box, games, raw, self._next_seeds, 0, self.num_envs)
        else:
            for i in rows.tolist():
                deal_games(box, games, raw, self._next_seeds, i, i + 1)
        batch.dones[rows] = False
        batch.action_masks[rows] = games["legal"][rows]
        batch.current_players[rows] = games["current_player"][rows]
        self._assign_learners(rows)

    def step(self, actions: npt.ArrayLike) -> Step:
        """Take the learner's action in every game, play on to its next decision.

        Args:
            actions: integers (num_envs,).

        Returns:
            observations, rewards float64 (num_envs,), terminations bool (num_envs,), truncations
            (all False), infos.

        Raises:
            IllegalActionError: names the first such game; no game has changed. Also when an
                opponent's action is not legal; call `reset` then.
        """
        if not self._begun:
            raise gymnasium.error.ResetNeeded("call reset() first")
        batch = self._batch
        over = np.flatnonzero(self._ended) if not self._same_step else self._rows[:0]
        batch.step(actions)
        self._earned, self._carried = self._carried, self._earned
        self._earned += batch.rewards[self._rows, self._learners]
        self._carried[:] = 0.0
        self._ended[:] = batch.dones
        self._ended[over] = False
        self._final_seats[:] = self._learners
        self._fresh[:] = self._ended
        if over.size:
            self._fresh[over] = True
            self._earned[over] = 0.0
            self._deal(over)
        if self._same_step and self.seat_option == ROTATE:
            self._assign_learners(np.flatnonzero(self._ended))
        self._run_to_learners()
        infos = self._infos()
        return (
            self._observations(infos),
            self._earned.copy(),
            self._ended.copy(),
            np.zeros(self.num_envs, np.bool_),
            infos,
        )

    def _run_to_learners(self) -> None:
        """Let the opponents play until every game is over or waits for its learner."""
        if self.num_players == 1:
            return
        batch = self._batch
        self._given[:] = False
        while True:
            self._play_random_opponents()
            players = batch.current_players
            waiting = np.flatnonzero((players != self._learners) & (players >= 0))
            if not waiting.size:
                return
            offsets = (players[waiting] - self._learners[waiting]) % self.num_players
            batch._actions[waiting] = self.opponents.act_many(batch, waiting, offsets)
            self._given[waiting] = True

    def _play_random_opponents(self) -> None:
        from .core.seats import run_to_learners

        batch = self._batch
        by_chance = self.opponents.by_chance

        def work(start: int, stop: int) -> int:
            return int(
                run_to_learners(
                    batch.box.record,
                    batch.games,
                    batch._raw,
                    batch._actions,
                    self._given,
                    start,
                    stop,
                    batch._reward,
                    batch.auto_reset,
                    batch.seeds,
                    batch.episodes,
                    batch.action_masks,
                    batch.current_players,
                    batch.rewards,
                    batch.dones,
                    batch.final_scores,
                    batch.final_winners,
                    batch.final_lengths,
                    batch._raw_finished,
                    self._learners,
                    by_chance,
                    self.seat_option == ROTATE,
                    self._ended,
                    self._fresh,
                    self._final_seats,
                    self._earned,
                    self._carried,
                )
            )

        faulty = max(batch._share(work))
        if faulty >= 0:
            raise EngineFault(f"game {faulty}: {FAULTS[batch.games[faulty]['fault']]}")

    # -- what is returned -----------------------------------------------------------------------

    def _observations(self, infos: dict[str, Any]) -> Observations:
        """What the learners see."""
        seen = np.empty((self.num_envs, self._size), np.float32)
        self._batch.observe(self._learners, out=seen)
        return seen if self._flat else {"observation": seen, "action_mask": infos["action_mask"]}

    def _infos(self) -> dict[str, Any]:
        return step_infos(
            self._batch,
            ended=self._ended,
            learners=self._learners,
            final_seats=self._final_seats,
            flat=self._flat,
        )

    def render(self) -> tuple[str, ...] | None:
        """A board of text of every game as its learner sees it (mode "ansi")."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render_mode, given when the env is made")
            return None
        return tuple(self.render_game(i) for i in range(self.num_envs))

    def render_game(self, index: int) -> str:
        """A board of text of game `index` as its learner sees it."""
        return self.game(index).render(int(self._learners[index]))

    # -- copies ---------------------------------------------------------------------------------

    def close_extras(self, **_: Any) -> None:
        """End the threads, if any were started."""
        if hasattr(self, "_batch"):  # an option may have been out of range
            self._batch.close()


class NijarSoloVectorEnv(NijarVectorEnv):
    """`num_envs` games of `NijarSoloEnv`; the options are its and `NijarVectorEnv`'s."""

    def __init__(
        self,
        num_envs: int = 1,
        *,
        difficulty: str = "normal",
        components: Components = None,
        reward: str = "outcome",
        auto_forced: bool = True,
        observation: str = "dict",
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        render_mode: str | None = None,
    ) -> None:
        super().__init__(
            num_envs,
            1,
            difficulty=difficulty,
            components=components,
            reward=reward,
            auto_forced=auto_forced,
            observation=observation,
            autoreset_mode=autoreset_mode,
            threads=threads,
            render_mode=render_mode,
        )
