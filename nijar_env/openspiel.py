"""The game in OpenSpiel: `pyspiel.load_game("python_nijar")` after importing this module.

    import pyspiel, nijar_env.openspiel

    game = pyspiel.load_game("python_nijar", {"players": 3})

Parameters: players (1-4; 1 is solo), difficulty (solo: normal, advanced, expert), reward (outcome,
margin, vp: as in the other front ends, given at the end), deals.

OpenSpiel wants every chance event as a node of the game tree. Here there is one, the first: it
chooses one of `deals` seeds, and outcome k leads to `Game(seed=k)`, all of whose luck (decks,
dice, refreshes) follows from it. To players this is the same game, since none of it shows before
its time; a search that resamples chance nodes in mid-game has nothing to resample, and should
deal anew what a player does not know.

Needs OpenSpiel: `pip install open_spiel`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyspiel

from .action_names import names_of_actions
from .components import Box, load_box
from .core.catalogue import NUM_GAME_ACTIONS
from .core.constants import REWARD_VP
from .core.layout import observation_layout, observation_size
from .game import Game
from .options import check_count, check_difficulty, check_players, check_reward
from .results import final_rewards

SHORT_NAME: Final = "python_nijar"
DEALS: Final = 10_000
BEFORE: Final = "before the deal"
MAX_DECISIONS: Final = 4096  # far above any game met: random ones have about 85 a player
# No game that was met comes near these.
UTILITY_BOUND: Final = {"outcome": 1.0, "margin": 20.0, "vp": 1000.0}
PARAMETERS: Final = {"players": 2, "difficulty": "normal", "reward": "outcome", "deals": DEALS}


def game_type(zero_sum: bool) -> Any:
    """OpenSpiel's description of the game."""
    utility = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=SHORT_NAME,
        long_name="Nijar",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility.ZERO_SUM if zero_sum else utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=4,
        min_num_players=1,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
    )


@dataclass(frozen=True)
class Options:
    """The parameters of a game, shared by its states."""

    players: int
    difficulty: str
    reward: int
    deals: int
    box: Box

    def __deepcopy__(self, memo: dict[int, Any]) -> Options:
        return self


class NijarGame(pyspiel.Game):  # type: ignore[misc] # a compiled module without types
    """The game of one set of parameters (see the module).

    Raises:
        ValueError: a parameter out of range.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**PARAMETERS, **(params or {})}
        check_difficulty(given["difficulty"])
        self.options = options = Options(
            players=check_players(given["players"]),
            difficulty=str(given["difficulty"]),
            reward=check_reward(given["reward"]),
            deals=check_count("deals", given["deals"]),
            box=load_box(None),
        )
        bound = UTILITY_BOUND[given["reward"]]
        zero_sum = given["reward"] == "outcome" and options.players > 1
        info = pyspiel.GameInfo(
            num_distinct_actions=NUM_GAME_ACTIONS,
            max_chance_outcomes=options.deals,
            num_players=options.players,
            min_utility=-bound,
            max_utility=bound,
            utility_sum=0.0 if zero_sum else None,
            max_game_length=MAX_DECISIONS,
        )
        super().__init__(game_type(zero_sum), info, params or {})

    def new_initial_state(self) -> NijarState:
        """The chance node that chooses the deal."""
        return NijarState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> NijarObserver:
        """An observer of what one player sees; the type of observation is not looked at."""
        if params:
            raise ValueError(f"observation parameters are not supported: {params}")
        return NijarObserver(self.options.players)


class NijarState(pyspiel.State):  # type: ignore[misc]
    """A state: before the deal, or a `Game` (attribute `position`)."""

    def __init__(self, game: NijarGame) -> None:
        super().__init__(game)
        self.options = game.options
        self.position: Game | None = None

    def current_player(self) -> int:
        """Who is to act: a player, chance, or nobody at the end."""
        if self.position is None:
            return int(pyspiel.PlayerId.CHANCE)
        player = self.position.current_player
        return int(pyspiel.PlayerId.TERMINAL) if player is None else player

    def _legal_actions(self, player: int) -> list[int]:
        assert self.position is not None
        return self.position.legal_actions()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every deal, equally likely."""
        deals = self.options.deals
        return [(deal, 1.0 / deals) for deal in range(deals)]

    def _apply_action(self, action: int) -> None:
        if self.position is None:
            options = self.options
            self.position = Game(
                options.players,
                difficulty=options.difficulty,
                seed=action,
                components=options.box,
                log=False,
            )
        else:
            self.position.step(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal:{action}"
        return names_of_actions(self.options.box)[action]

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.position is not None and self.position.done

    def returns(self) -> list[float]:
        """Each player's utility; 0 before the end."""
        position, options = self.position, self.options
        if position is None or not position.done:
            return [0.0] * options.players
        if options.reward == REWARD_VP:
            return [float(vp) for vp in position.scores()[: options.players]]
        return final_rewards(position, options.reward)[: options.players]

    def __str__(self) -> str:
        return BEFORE if self.position is None else repr(self.position)


class NijarObserver:
    """What a player sees: OpenSpiel's PyObserver interface.

    Attributes:
        tensor: float32 (observation_size,), see `observation_layout`.
        dict: the same by field, as views of their shapes.
    """

    def __init__(self, num_players: int) -> None:
        self.tensor = np.zeros(observation_size(num_players), np.float32)
        self.dict = {
            field.name: self.tensor[field.start : field.stop].reshape(field.shape)
            for field in observation_layout(num_players)
        }

    def set_from(self, state: NijarState, player: int) -> None:
        """Write what `player` sees of a state; zeros before the deal."""
        position = state.position
        if position is None:
            self.tensor.fill(0.0)
        else:
            self.tensor[:] = position.observation(player)

    def string_from(self, state: NijarState, player: int) -> str:
        """The board as `player` sees it."""
        if state.position is None:
            return BEFORE
        return state.position.render(player)


pyspiel.register_game(game_type(zero_sum=True), NijarGame)
