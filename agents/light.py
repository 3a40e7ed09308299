"""`light`: one look at the position, no search.

It scores each legal action by a few linear heads (`light_heads`) and takes the best, or draws by
the scores. It plays thousands of games a second and is what `expert` and `mcts` play on with in
their minds. Its weights were fitted to the choices of a stronger agent (`light_fit`).
"""

from __future__ import annotations

import numpy as np

from .base import Actions, GameView, Masks, Observations
from .greedy_weights import by_turns, fitted_weights
from .light_weights import light_policy
from .mind import make_mind
from .plans import announce_compilation
from .random_agent import draw_keys


class LightAgent:
    """Takes the action that its policy finds most likely.

    Args:
        draw: draw from the policy's probabilities instead.
    """

    needs_observations = False

    def __init__(self, draw: bool = False) -> None:
        self.name = "light:draw=true" if draw else "light"
        self._draw = draw
        self._mind = make_mind(by_turns(fitted_weights()), light_policy())
        self._seed = 0
        self._ready = False

    def reset(self, seed: int) -> None:
        """Draw from this seed, in [0, 2**64), from now on."""
        self._seed = seed

    def act(self, observations: Observations | None, masks: Masks, games: GameView) -> Actions:
        """See `Agent.act`."""
        if not self._ready:
            announce_compilation("light", "light_kernels.choose_light", "some seconds")
            self._ready = True
        from .light_kernels import choose_light

        keys = draw_keys(self._seed, games)
        known = games.determinize(keys)
        actions = np.empty(len(masks), np.int64)
        choose_light(games.box.record, self._mind, known, keys, self._draw, actions)
        return actions
