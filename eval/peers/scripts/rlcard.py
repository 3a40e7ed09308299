"""RLCard: card games in Python."""

from __future__ import annotations

import random
import sys
from typing import Any

import numpy as np
import rlcard

from .loop import LEGAL, Make, Play, draw, run_script


class _Environment(Play):
    """`env.step`, which makes legal actions and observation at each step."""

    def __init__(self, name: str) -> None:
        self._env = rlcard.make(name, config={"seed": 1})
        super().__init__(
            observation=int(np.prod(self._env.state_shape[0])), actions=self._env.num_actions
        )
        self._state: dict[str, Any] = self._env.reset()[0]

    def play(self, count: int) -> None:
        env, state, widths = self._env, self._state, self.widths
        for _ in range(count):
            if env.is_over():
                self.games += 1
                state = env.reset()[0]
            legal = list(state["legal_actions"])
            if widths is not None:
                widths.append(len(legal))
            state, _ = env.step(legal[int(draw() * len(legal))])
        self._state = state
        self.decisions += count


class _GinRummy(Play):
    """The game inside the environment: without observations."""

    def __init__(self) -> None:
        env = rlcard.make("gin-rummy", config={"seed": 1})
        super().__init__(actions=env.num_actions)
        self._game = env.game
        self._game.init_game()

    def play(self, count: int) -> None:
        game, widths = self._game, self.widths
        for _ in range(count):
            if game.is_over():
                self.games += 1
                game.init_game()
            legal = game.judge.get_legal_actions()
            if widths is not None:
                widths.append(len(legal))
            game.step(legal[int(draw() * len(legal))])
        self.decisions += count


random.seed(1)
GAMES: dict[str, Make] = {
    "gin-rummy": lambda part: _GinRummy() if part == LEGAL else _Environment("gin-rummy"),
    "mahjong": lambda part: _Environment("mahjong"),
    "no-limit-holdem": lambda part: _Environment("no-limit-holdem"),
}

if __name__ == "__main__":
    sys.exit(run_script(GAMES, ["rlcard"]))
