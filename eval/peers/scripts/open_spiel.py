"""OpenSpiel through its Python binding: `pyspiel`."""

from __future__ import annotations

import sys
from typing import Any

import pyspiel

from .loop import OBSERVE, Make, Play, draw, run_script

# Decisions before the position that is searched: about half a random game.
_MIDDLE = {"gin_rummy": 50, "backgammon": 55}
_NAMES = ("gin_rummy", "hanabi", "backgammon")
_EXPLORATION, _SEED, _MEMORY_MB = 2.0, 1, 500


class _Games(Play):
    """States stepped from Python; chance nodes are drawn in the loop, as a user has to."""

    def __init__(self, name: str, part: str) -> None:
        self._game = pyspiel.load_game(name)
        super().__init__(
            observation=self._game.observation_tensor_size() if part == OBSERVE else None,
            actions=self._game.num_distinct_actions(),
        )
        self._observe = part == OBSERVE
        self._state = self._game.new_initial_state()

    def play(self, count: int) -> None:
        state, observe, widths = self._state, self._observe, self.widths
        taken = 0
        while taken < count:
            if state.is_chance_node():
                chance_step(state)
                self.chance += 1
                continue
            if state.is_terminal():
                self.games += 1
                state = self._state = self._game.new_initial_state()
                continue
            legal = state.legal_actions()
            if observe:
                state.observation_tensor(state.current_player())
            if widths is not None:
                widths.append(len(legal))
            state.apply_action(legal[int(draw() * len(legal))])
            taken += 1
        self.decisions += taken


def chance_step(state: Any) -> None:
    """Take an outcome by its probability."""
    left = draw()
    outcomes = state.chance_outcomes()
    chosen = outcomes[-1][0]
    for action, probability in outcomes:
        left -= probability
        if left <= 0.0:
            chosen = action
            break
    state.apply_action(chosen)


def _to_decision(state: Any) -> None:
    while state.is_chance_node():
        chance_step(state)


def _random_decision(state: Any) -> None:
    legal = state.legal_actions()
    state.apply_action(legal[int(draw() * len(legal))])
    _to_decision(state)


def rest_of_game(state: Any, games: int) -> tuple[float, float]:
    """Decisions and chance steps from here to the end by random play: means of so many games."""
    decisions = chance = 0
    for _ in range(games):
        copy = state.clone()
        while not copy.is_terminal():
            if copy.is_chance_node():
                chance_step(copy)
                chance += 1
            else:
                legal = copy.legal_actions()
                copy.apply_action(legal[int(draw() * len(legal))])
                decisions += 1
    return decisions / games, chance / games


class _Search(Play):
    """The C++ MCTS in the middle of a random game, one random rollout an iteration."""

    unit = "iterations"
    iterations, rollouts = 200, 1

    def __init__(self, name: str) -> None:
        game = pyspiel.load_game(name)
        state = self.position(game, name)
        decisions, chance = rest_of_game(state, 50)
        super().__init__(decisions_an_iteration=decisions, chance_an_iteration=chance)
        evaluator = pyspiel.RandomRolloutEvaluator(self.rollouts, _SEED)
        self._bot = pyspiel.MCTSBot(
            game, evaluator, _EXPLORATION, self.iterations, _MEMORY_MB, False, _SEED, False
        )
        self._state = state

    def position(self, game: Any, name: str) -> Any:
        """Where the search begins: a decision in the middle of a random game."""
        while True:
            state = game.new_initial_state()
            _to_decision(state)
            for _ in range(_MIDDLE[name]):
                if not state.is_terminal():
                    _random_decision(state)
            if not state.is_terminal() and len(state.legal_actions()) > 1:
                return state

    def play(self, count: int) -> None:
        self._bot.mcts_search(self._state)
        self.decisions += self.iterations


class _Rollouts(_Search):
    """Random games to their ends in C++, from the first decision: MCTS that evaluates with many
    rollouts at each of two iterations, so that the tree is next to nothing."""

    unit = "playouts"
    iterations, rollouts = 2, 100

    def position(self, game: Any, name: str) -> Any:
        state = game.new_initial_state()
        _to_decision(state)
        return state

    def play(self, count: int) -> None:
        self._bot.mcts_search(self._state)
        self.decisions += self.iterations * self.rollouts


def _games() -> dict[str, Make]:
    games: dict[str, Make] = {}
    for name in _NAMES:
        games[name] = lambda part, name=name: _Games(name, part)  # type: ignore[misc]
    for name in _MIDDLE:  # Hanabi's rewards along the way are not for its MCTS
        games[f"{name} search"] = lambda part, name=name: _Search(name)  # type: ignore[misc]
        games[f"{name} playouts"] = lambda part, name=name: _Rollouts(name)  # type: ignore[misc]
    return games


GAMES = _games()

if __name__ == "__main__":
    sys.exit(run_script(GAMES, ["open_spiel"]))
