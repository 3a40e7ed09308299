"""expert's search: its best plans for a turn, played on over the turns after it.

Of each plan many futures are looked at: what is hidden is dealt anew, the plan is carried out, and
all seats go on by light's policy until the player would begin a turn some turns later. All plans
meet the same deals. The weaker half of the plans drops out again and again (sequential halving),
so most futures go to plans that are hard to tell apart.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from nijar_env.core.constants import PHASE_FINISHED
from nijar_env.core.determinize import determinize
from nijar_env.core.engine import run
from nijar_env.core.jit import kernel
from nijar_env.core.kernels import copy_game
from nijar_env.core.rng import philox

from .greedy_pieces import expect_rows
from .light_policy import draw_action
from .light_rollout import outcome, play_on

STREAM_FUTURES: Final = 8
# Draws of rivals that are asked within a plan come from a key of their own.
_WITHIN = np.uint64(0x9E3779B97F4A7C15)


@kernel
def carry_out(box: Any, g: Any, mind: Any, key: np.uint64, path: Any, length: int) -> None:
    """Take a plan's actions as far as the game offers them; a rival that is asked in between (for
    its reward at a closed shop) answers by light's policy."""
    p = int(g.current_player)
    answers = 0
    for k in range(length):
        while g.phase != PHASE_FINISHED and g.depth > 0 and g.current_player != p:
            run(box, g, draw_action(box, g, mind, key ^ _WITHIN, answers), True)
            answers += 1
        if g.current_player != p or g.legal[path[k]] == 0:
            return
        run(box, g, path[k], True)


@kernel
def look_ahead(
    box: Any, mind: Any, games: Any, raw: Any, key: np.uint64, turns: int, path: Any, length: int
) -> float:
    """What a plan comes to in the future of `key`: games[0] is the root, games[1] a scratch."""
    copy_game(raw, 1, raw, 0, games[0].depth)
    g = games[1]
    p = int(games[0].current_player)
    determinize(box, g, p, key)
    carry_out(box, g, mind, key, path, length)
    play_on(box, g, p, turns, mind, key)
    return outcome(box, g, p, mind)


@kernel
def sort_plans(order: Any, n: int, values: Any) -> None:
    """The first `n` of `order` by value, the highest first; equal ones stay as they are."""
    for i in range(1, n):
        at = i
        while at > 0 and values[order[at]] > values[order[at - 1]]:
            order[at], order[at - 1] = order[at - 1], order[at]
            at -= 1


@kernel
def rate_plans(
    box: Any,
    mind: Any,
    games: Any,
    raw: Any,
    key: np.uint64,
    futures: int,
    turns: int,
    n: int,
    lengths: Any,
    paths: Any,
    values: Any,
    counts: Any,
    order: Any,
) -> None:
    """Value `n` plans for games[0]: over `futures` futures each, twice as many for the better half,
    and so on. Fills `values` (means), `counts` (futures looked at) and `order`, the best first."""
    expect_rows(box, games[0], mind.expected)
    for k in range(n):
        counts[k] = 0
        values[k] = 0.0
        order[k] = k
    left = n
    done = 0
    wanted = futures
    while left > 1:
        for d in range(done, done + wanted):
            future = philox(key, np.uint64(d), np.uint64(STREAM_FUTURES), np.uint64(0))
            for c in range(left):
                k = order[c]
                value = look_ahead(box, mind, games, raw, future, turns, paths[k], int(lengths[k]))
                counts[k] += 1
                values[k] += (value - values[k]) / counts[k]
        done += wanted
        wanted = done
        sort_plans(order, left, values)
        left = (left + 1) // 2 if left > 2 else 1
