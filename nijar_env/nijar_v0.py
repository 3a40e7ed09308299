"""The PettingZoo environment: `nijar_v0.env()` and `nijar_v0.raw_env()`. See docs/environment.md.

```python
from nijar_env import nijar_v0

env = nijar_v0.env(num_players=2)
env.reset(seed=7)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    mask = observation["action_mask"]
    env.step(None if termination else env.action_space(agent).sample(mask))
```
"""

from __future__ import annotations

import operator
import sys
from typing import Any, Final

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv  # type: ignore[import-untyped]
from pettingzoo.utils import wrappers  # type: ignore[import-untyped]
from pettingzoo.utils.env_logger import EnvLogger  # type: ignore[import-untyped]

from .action_names import illegal_action_text
from .components import load_box
from .core.catalogue import NUM_GAME_ACTIONS
from .core.constants import FAULTS, REWARD_VP
from .core.kernels import play
from .core.layout import observation_bounds, observation_size
from .core.observe import observe_game
from .episodes import Episode, deal, next_episode
from .errors import EngineFault, IllegalActionError
from .game import Components, Game
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
from .render_ansi import render_ansi
from .results import final_rewards

__all__ = ["env", "raw_env"]

_SET_BY_RESET: Final = (
    *("agents", "agent_selection", "rewards", "terminations", "truncations", "infos"),
    *("num_agents", "_cumulative_rewards", "game", "_actor"),
)
_VIEWS: Final = ("_games", "_legal", "_current", "_vp", "_fault")

Observation = dict[str, npt.NDArray[Any]]


def env(
    num_players: int = 2,
    *,
    difficulty: str = "normal",
    components: Components = None,
    reward: str = "outcome",
    auto_forced: bool = True,
    illegal_action: str = "terminate",
    render_mode: str | None = None,
) -> Any:
    """The environment with PettingZoo's usual checks around it; the options are `raw_env`'s.

    An action outside the action space raises AssertionError, a call out of order what
    `OrderEnforcingWrapper` says. By default an illegal action ends the episode, with -1 for who
    took it and 0 for the others.
    """
    inner = raw_env(
        num_players,
        difficulty=difficulty,
        components=components,
        reward=reward,
        auto_forced=auto_forced,
        illegal_action=illegal_action,
        render_mode=render_mode,
    )
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(inner))


class raw_env(AECEnv):  # type: ignore[misc] # PettingZoo has no types
    """One game of Níjar as a PettingZoo AEC environment, without wrappers.

    Args:
        num_players: 2-4, or 1 for solo, with one agent and the Competition as part of the
            environment (§12).
        difficulty: of the solo mode: "normal", "advanced" or "expert".
        components: None for the default box, the path of a box folder, or a `Box`.
        reward: "outcome" (1 to the winner, the loss shared by the others; solo 1 or -1), "margin"
            ((own - best other VP) / 50), both at the end, or "vp" (VP as they come).
        auto_forced: decisions with a single legal action are taken by the engine.
        illegal_action: "raise" raises IllegalActionError and changes nothing; "terminate" ends
            the episode, with -1 for who took it and 0 for the others.
        render_mode: None, "ansi" (`render` returns a text board), "human" (the board is printed
            after `reset` and every `step`) or "rgb_array" (`render` returns a picture, uint8
            (height, width, 3); needs the extra `pictures`).

    Attributes:
        game: the `Game` that is played; look at it, or clone it for search, but step the
            environment.

    Raises:
        ValueError: an option out of range.
        BoxError: a broken box.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 (as PettingZoo's wrappers expect it)
        "name": "nijar_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 2,
    }
    game: Game

    def __init__(
        self,
        num_players: int = 2,
        *,
        difficulty: str = "normal",
        components: Components = None,
        reward: str = "outcome",
        auto_forced: bool = True,
        illegal_action: str = "raise",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.num_players = check_players(num_players)
        check_difficulty(difficulty)
        self.difficulty = difficulty
        self.box = load_box(components)
        self._reward = check_reward(reward)
        self.auto_forced = bool(auto_forced)
        self.illegal_action = check_choice("illegal_action", illegal_action, ILLEGAL_ACTION)
        self.render_mode = check_render_mode(render_mode)
        self.possible_agents = [f"player_{seat}" for seat in range(self.num_players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._size = observation_size(self.num_players)
        low, high = observation_bounds(self.num_players)
        self.action_spaces = {
            agent: spaces.Discrete(NUM_GAME_ACTIONS) for agent in self.possible_agents
        }
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(low, high, dtype=np.float32),
                    "action_mask": spaces.Box(0, 1, (NUM_GAME_ACTIONS,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._episode: Episode | None = None

    def observation_space(self, agent: str) -> spaces.Dict:
        """A Dict of `observation`, float32 (size,), and `action_mask`, int8 (actions,)."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Discrete(NUM_GAME_ACTIONS): the catalogue, the same for every number of players."""
        return self.action_spaces[agent]

    # -- an episode -----------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode.

        Args:
            seed: in [0, 2**64): the game is the one of `Game(seed=seed)`. None goes on with the
                episodes of the last seed, hashed from it; before any seed one is drawn.
            options: {"scene": scene} begins with that scene (`Game.to_dict`) for this number of
                players; its `rng`, if it has one, outranks the seed. Other keys are ignored.

        Raises:
            ValueError: not a seed.
            SceneError: a broken scene, one for another number of players,
                or a finished one. The episode that was going on then goes on.
        """
        episode = next_episode(self._episode, seed)
        game = deal(
            episode.seed,
            (options or {}).get("scene"),
            self.num_players,
            self.difficulty,
            self.box,
            self.auto_forced,
        )
        self._episode = episode
        self._hold(game)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: self._info() for agent in self.agents}
        self._skip_agent_selection = None
        self._rewarded = False
        self._before = self._vp.tolist()
        self._actor: str | None = None
        self._select(self.possible_agents[self._current[0]])
        if self.render_mode == "human":
            self.render()

    def _hold(self, game: Game) -> None:
        """Keep a game, with views of the fields that every step reads."""
        games = game._games
        self.game = game
        self._games = games
        self._legal = game._legal
        self._current = games["current_player"]
        self._vp = games["vp"][0, : self.num_players]
        self._fault = games["fault"]

    def _info(self) -> dict[str, Any]:
        """The info of an agent that is not to act."""
        return {"action_mask": np.zeros(NUM_GAME_ACTIONS, np.int8)}

    def _select(self, agent: str) -> None:
        """`agent` decides now."""
        actor = self._actor
        if actor is not None and actor != agent:
            self.infos[actor] = self._info()
        self._actor = self.agent_selection = agent
        self.infos[agent] = {"action_mask": self._legal.copy()}

    def step(self, action: int | None) -> None:
        """Take the selected agent's action; with None, take an agent that is done out.

        Raises:
            IllegalActionError: with illegal_action="raise"; nothing has changed.
            ValueError: an action other than None for an agent that is done.
        """
        agent = self.agent_selection
        try:
            dead = self.terminations[agent]
        except KeyError:
            raise IllegalActionError("the episode is over; call reset()") from None
        if dead:
            self._was_dead_step(action)
            return
        try:
            number = operator.index(action)  # type: ignore[arg-type]
        except TypeError:
            number = -1
        if not 0 <= number < NUM_GAME_ACTIONS or not self._legal[number]:
            self._refuse(agent, number if number >= 0 else action)
        else:
            play(self.box.record, self._games, 0, number, self.auto_forced)
            if self._fault[0]:
                raise EngineFault(f"{FAULTS[self._fault[0]]}: please report this")
            self._cumulative_rewards[agent] = 0.0
            seat = self._current[0]
            self._give_rewards(over=seat < 0)
            if seat < 0:
                self._end()
            else:
                self._select(self.possible_agents[seat])
        if self.render_mode == "human":
            self.render()

    def _refuse(self, agent: str, action: Any) -> None:
        """An illegal action: raise, or end the episode at its taker's expense."""
        if self.illegal_action == "raise":
            raise IllegalActionError(illegal_action_text(self.box, action, self.game.record))
        EnvLogger.warn_on_illegal_move()
        self._clear_rewards()
        self.rewards[agent] = ILLEGAL_REWARD
        self._cumulative_rewards[agent] = 0.0
        self._accumulate_rewards()
        self._end()

    def _give_rewards(self, *, over: bool) -> None:
        """Set every agent's reward for this step; add it to what it has had since it acted."""
        if self._reward == REWARD_VP:
            vp = self._vp.tolist()
            earned = vp != self._before
        else:
            earned = over
        if not earned:
            if self._rewarded:
                self._clear_rewards()
                self._rewarded = False
            return
        if self._reward == REWARD_VP:
            values = [float(now - then) for now, then in zip(vp, self._before, strict=True)]
            self._before = vp
        else:
            values = final_rewards(self.game, self._reward)
        self.rewards = dict(zip(self.possible_agents, values, strict=False))
        self._accumulate_rewards()
        self._rewarded = True

    def _end(self) -> None:
        """All agents are done; each is taken out by a step with None, in order of number."""
        self.terminations = dict.fromkeys(self.agents, True)
        self.infos = {agent: self._info() for agent in self.agents}
        self._actor = None
        self.agent_selection = self.agents[0]

    # -- what agents and people see -------------------------------------------------------------

    def observe(self, agent: str) -> Observation:
        """What an agent sees now, in arrays of its own; the mask is zero if it is not to act.

        Returns:
            `observation`: float32 (size,), see `observation_layout`; `action_mask`: int8
            (NUM_GAME_ACTIONS,).
        """
        out = np.empty(self._size, np.float32)
        observe_game(self.box.record, self._games, 0, self._seats[agent], out)
        legal = agent == self._actor
        mask = self._legal.copy() if legal else np.zeros(NUM_GAME_ACTIONS, np.int8)
        return {"observation": out, "action_mask": mask}

    def render(self) -> Any:
        """The game as the selected agent sees it: a text in mode "ansi", pixels, uint8 (height,
        width, 3), in "rgb_array"; printed in "human"."""
        if self.render_mode is None:
            gymnasium.logger.warn(
                "You are calling render method without specifying any render mode."
            )
            return None
        viewer = self._seats[self.agent_selection]
        if self.render_mode == "rgb_array":
            from .svg.raster import game_pixels

            return game_pixels(self.game, viewer)
        if self.render_mode == "ansi":
            return render_ansi(self.game, viewer)
        print(render_ansi(self.game, viewer, color=sys.stdout.isatty()), end="\n\n")
        return None

    def close(self) -> None:
        """Nothing is held open."""

    # -- copies ---------------------------------------------------------------------------------

    def __getattr__(self, name: str) -> Any:
        if name in _SET_BY_RESET:
            raise AttributeError(f"'{name}' is there after reset()")
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in _VIEWS}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if "game" in state:
            self._hold(self.game)
