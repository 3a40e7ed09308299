"""Playing on in the mind, by the policy of light or of a network, and what is reached."""

from __future__ import annotations

from typing import Any

import numpy as np

from nijar_env.core.constants import PHASE_FINISHED, PHASE_TURNS
from nijar_env.core.engine import run
from nijar_env.core.jit import kernel

from .greedy_features import best_rival, evaluate, turns_left
from .greedy_weights import RIVAL_VP
from .light_policy import draw_action, learned_value, look


@kernel
def begins_turn(g: Any, p: int) -> bool:
    """The player is about to begin a turn with an open shop."""
    return bool(
        g.depth == 0 and g.phase == PHASE_TURNS and g.current_player == p and g.shop_closed[p] == 0
    )


@kernel
def play_on(box: Any, g: Any, p: int, turns: int, mind: Any, key: np.uint64) -> int:
    """Let all seats draw actions from the mind's policy until player `p` would begin its `turns`-th
    turn from here, or the game is over. Returns the number of decisions."""
    begun = 0
    count = 0
    while g.phase != PHASE_FINISHED and g.fault == 0:
        if begins_turn(g, p):
            begun += 1
            if begun >= turns:
                break
        run(box, g, draw_action(box, g, mind, key, count), True)
        count += 1
    return count


@kernel
def others_vp(g: Any, p: int) -> float:
    """Mean VP of the other seats."""
    total = 0.0
    for q in range(g.num_seats):
        if q != p:
            total += g.vp[q]
    return float(total / (g.num_seats - 1.0))


@kernel
def outcome(box: Any, g: Any, p: int, mind: Any) -> float:
    """What a position is worth to `p` in VP, and once the game is over what that estimates.

    By greedy's evaluation: own VP less a share of the best rival's. By a network: own VP less a
    share of the others', on average, and what is to come of both.
    """
    if mind.network.value_hidden.shape[1] > 0:
        value = g.vp[p] - mind.network.rival[0] * others_vp(g, p)
        if g.phase != PHASE_FINISHED:
            look(box, g, p, mind, turns_left(box, g, p))
            value += learned_value(mind)
        return float(value)
    if g.phase == PHASE_FINISHED:
        return float(g.vp[p] - RIVAL_VP * best_rival(g, p))
    return evaluate(box, g, p, mind.weights, mind.expected, mind.features[0], mind.row[0])
