"""The Gymnasium environments: solo, and one learning seat among two to four.

```python
import gymnasium, nijar_env

env = gymnasium.make("nijar_env/Nijar-Solo-v0", difficulty="normal")
observation, info = env.reset(seed=7)
observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
```
"""

from __future__ import annotations

import sys
from typing import Any, Final

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from .components import load_box
from .core.catalogue import NUM_GAME_ACTIONS
from .core.constants import REWARD_VP
from .core.layout import observation_bounds
from .episodes import Episode, deal, next_episode
from .errors import IllegalActionError, SceneError
from .game import Components, Game
from .opponents import RANDOM, check_opponents, check_seat, learner_seat
from .options import (
    ILLEGAL_ACTION,
    ILLEGAL_REWARD,
    RENDER_MODES,
    check_choice,
    check_difficulty,
    check_players,
    check_render_mode,
    check_reward,
)
from .results import final_rewards
from .sampling import LegalDiscrete

Observation = npt.NDArray[np.float32] | dict[str, npt.NDArray[Any]]

OBSERVATIONS: Final = ("dict", "flat")


def observation_space(num_players: int, kind: str) -> spaces.Space[Any]:
    """The space of one observation.

    "flat": Box float32 (observation_size,), see `observation_layout`. "dict": that under
    `observation`, and under `action_mask` a Box int8 (NUM_GAME_ACTIONS,) of 0 and 1.
    """
    low, high = observation_bounds(num_players)
    flat = spaces.Box(low, high, dtype=np.float32)
    if kind == "flat":
        return flat
    mask = spaces.Box(0, 1, (NUM_GAME_ACTIONS,), np.int8)
    return spaces.Dict({"observation": flat, "action_mask": mask})


class NijarEnv(gymnasium.Env[Any, np.int64]):
    """`nijar_env/Nijar-v0`: one learner among 2-4 players; the other seats are played for it.

    A step is one decision of the learner and everything that happens until its next one, in its
    own turn, in the next, or between (§7.2.5); rewards of all that are the step's.

    Args:
        num_players: 2-4 (1 is solo, see `NijarSoloEnv`).
        opponents: one for all other seats, or a sequence of one for each, in order from the seat
            after the learner's: "random", a function (observation, mask) -> action, or an object
            with `act_in(batch, rows)` (see `nijar_env.opponents`).
        seat: the learner's, 0 to num_players - 1; or "rotate": (seed + episode) mod num_players.
        difficulty: of the solo mode, see `NijarSoloEnv`.
        components: None for the default box, the path of a box folder, or a `Box`.
        reward: "outcome" (1 for winning, the loss shared by the others), "margin" ((own - best
            other VP) / 50), both at the end, or "vp" (VP as they come: the sum is the final VP).
        auto_forced: decisions with a single legal action are taken by the engine.
        observation: "dict" (`observation` and `action_mask`) or "flat" (the observation alone).
        illegal_action: "raise" raises IllegalActionError and changes nothing; "terminate" ends
            the episode with reward -1.
        render_mode: None, "ansi" (`render` returns a board of text), "human" (it is printed
            after `reset` and every `step`) or "rgb_array" (`render` returns a picture, uint8
            (height, width, 3); needs the extra `pictures`).

    The infos hold `action_mask`, int8 (NUM_GAME_ACTIONS,), all zero at the end, and `seat`, the
    learner's; at the end also `scores`, int16 (seats,), VP by seat, and `winner`, a seat.

    Raises:
        ValueError: an option out of range.
        BoxError: a broken box.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 (as Gymnasium has it)
        "render_modes": list(RENDER_MODES),
        "render_fps": 2,
    }

    def __init__(
        self,
        num_players: int = 2,
        *,
        opponents: Any = RANDOM,
        seat: int | str = 0,
        difficulty: str = "normal",
        components: Components = None,
        reward: str = "outcome",
        auto_forced: bool = True,
        observation: str = "dict",
        illegal_action: str = "raise",
        render_mode: str | None = None,
    ) -> None:
        self.num_players = check_players(num_players)
        self.opponents = check_opponents(opponents, self.num_players)
        self.seat_option = check_seat(seat, self.num_players)
        check_difficulty(difficulty)
        self.difficulty = difficulty
        self.box = load_box(components)
        self._reward = check_reward(reward)
        self.auto_forced = bool(auto_forced)
        self._flat = check_choice("observation", observation, OBSERVATIONS) == "flat"
        self.illegal_action = check_choice("illegal_action", illegal_action, ILLEGAL_ACTION)
        self.render_mode = check_render_mode(render_mode)
        self.observation_space = observation_space(self.num_players, observation)
        self._legal_space = LegalDiscrete(NUM_GAME_ACTIONS)
        self.action_space = self._legal_space
        self._episode: Episode | None = None
        self._game: Game | None = None
        self._refused = False
        self.seat = 0

    @property
    def game(self) -> Game:
        """The game that is played: look at it or clone it, but step the environment.

        Raises:
            gymnasium.error.ResetNeeded: before the first `reset`.
        """
        if self._game is None:
            raise gymnasium.error.ResetNeeded("call reset() first")
        return self._game

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode, up to the learner's first decision.

        Args:
            seed: in [0, 2**64): the game is the one of `Game(seed=seed)`. None goes on with the
                episodes of the last seed, hashed from it; before any seed `np_random` draws one.
            options: {"scene": scene} begins with that scene (`Game.to_dict`) for this number of
                players; its `rng`, if it has one, outranks the seed. Other keys are ignored.

        Raises:
            ValueError: not a seed.
            SceneError: a broken scene, or one that the learner has no
                decision in. The episode that was going on then goes on.
        """
        super().reset(seed=seed)
        if seed is None and self._episode is None:
            seed = int(self.np_random.integers(2**63))
        episode = next_episode(self._episode, seed)
        game = deal(
            episode.seed,
            (options or {}).get("scene"),
            self.num_players,
            self.difficulty,
            self.box,
            self.auto_forced,
        )
        learner = learner_seat(self.seat_option, self.num_players, episode.first, episode.number)
        before = game.scores()[learner]
        self._run(game, learner, episode.number)
        if game.done:
            raise SceneError("the game ends before the learner has a decision")
        self._episode, self._game, self.seat = episode, game, learner
        self._refused = False
        self._vp = before
        if self.render_mode == "human":
            self.render()
        return self._observation(), self._info()

    def _run(self, game: Game, learner: int, episode: int) -> None:
        """Play the opponents until the learner is to decide, or to the end."""
        while (player := game.current_player) is not None and player != learner:
            offset = (player - learner) % self.num_players
            game.step(self.opponents.act(game, offset, episode))

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Take the learner's action, play on to its next decision.

        Returns:
            observation, reward, terminated, truncated (always False), info.

        Raises:
            IllegalActionError: not legal now, or the episode is over; nothing has changed. Also
                when an opponent's action is not legal.
        """
        game = self.game
        if self._refused:
            raise IllegalActionError("the episode is over; call reset()")
        try:
            game.step(action)
        except IllegalActionError:
            if self.illegal_action == "raise" or game.done:
                raise
            self._refused = True
            reward = ILLEGAL_REWARD
        else:
            self._run(game, self.seat, self._episode.number if self._episode else 0)
            reward = self._earned(game)
        if self.render_mode == "human":
            self.render()
        terminated = self._refused or game.done
        return self._observation(), reward, terminated, False, self._info()

    def _earned(self, game: Game) -> float:
        """The learner's reward since its last decision."""
        if self._reward == REWARD_VP:
            before, self._vp = self._vp, game.scores()[self.seat]
            return float(self._vp - before)
        if not game.done:
            return 0.0
        # Rounded like the rewards of `GameBatch`.
        return float(np.float32(final_rewards(game, self._reward)[self.seat]))

    def action_masks(self) -> npt.NDArray[np.int8]:
        """int8 (NUM_GAME_ACTIONS,), 1 for each legal action; the name is sb3-contrib's."""
        if self._refused:
            return np.zeros(NUM_GAME_ACTIONS, np.int8)
        return self.game.action_mask()

    def _observation(self) -> Observation:
        seen = self.game.observation(self.seat)
        return seen if self._flat else {"observation": seen, "action_mask": self.action_masks()}

    def _info(self) -> dict[str, Any]:
        game = self.game
        mask = self.action_masks()
        self._legal_space.legal[:] = mask
        info: dict[str, Any] = {"action_mask": mask, "seat": self.seat}
        if game.done:
            info["scores"] = np.array(game.scores(), np.int16)
            info["winner"] = game.winner
        return info

    def render(self) -> Any:
        """The game as the learner sees it: a text in mode "ansi", pixels, uint8 (height, width,
        3), in "rgb_array"; printed in "human"."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render_mode, given when the env is made")
            return None
        if self.render_mode == "rgb_array":
            from .svg.raster import game_pixels

            return game_pixels(self.game, self.seat)
        if self.render_mode == "ansi":
            return self.game.render(self.seat)
        print(self.game.render(self.seat, color=sys.stdout.isatty()), end="\n\n")
        return None


class NijarSoloEnv(NijarEnv):
    """`nijar_env/Nijar-Solo-v0`: one player against the Competition (§12).

    The other arguments are those of `NijarEnv`. As a reward, "outcome" is 1 for beating the
    Competition and -1 otherwise.

    Args:
        difficulty: "normal", "advanced" or "expert" (§12.10).
    """

    def __init__(
        self,
        *,
        difficulty: str = "normal",
        components: Components = None,
        reward: str = "outcome",
        auto_forced: bool = True,
        observation: str = "dict",
        illegal_action: str = "raise",
        render_mode: str | None = None,
    ) -> None:
        super().__init__(
            1,
            difficulty=difficulty,
            components=components,
            reward=reward,
            auto_forced=auto_forced,
            observation=observation,
            illegal_action=illegal_action,
            render_mode=render_mode,
        )
