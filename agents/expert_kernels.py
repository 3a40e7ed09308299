"""Entry points of expert: planning for a batch of games, and what a plan is worth by feature."""

from __future__ import annotations

from typing import Any

from nijar_env.core.catalogue import A_KEEP, A_REROLL
from nijar_env.core.constants import PHASE_MARKET
from nijar_env.core.decisions import choose
from nijar_env.core.jit import entry, kernel
from nijar_env.core.kernels import copy_game

from .expert_search import rate_plans
from .greedy_features import best_rival, note_features, turns_left
from .greedy_kernels import load, note_codes
from .greedy_pieces import expect_rows
from .greedy_search import own_base, plan_turns, settle_turn
from .greedy_weights import NUM_FEATURES, RIVAL_VP


@kernel
def find_plans(box: Any, mind: Any, pool: Any, raw: Any, found: Any) -> int:
    """Plans for the turn of the player to act in pool[0]; of the market's dice both choices, since
    what a roll brings only futures can tell."""
    if pool[0].phase == PHASE_MARKET:
        found.lengths[0] = 1
        found.lengths[1] = 1
        found.paths[0, 0] = A_KEEP
        found.paths[1, 0] = A_REROLL
        return 2
    return plan_turns(
        box,
        mind.weights,
        pool,
        raw,
        mind.features[0],
        mind.row[0],
        found.values,
        found.lengths,
        found.paths,
    )


@kernel
def keep_different(found: Any, n: int, most: int, alike: int) -> int:
    """Of `n` plans, sorted by value, keep `most` at most, and `alike` at most that begin with the
    same action; returns how many are kept."""
    kept = 0
    for k in range(n):
        same = 0
        for i in range(kept):
            same += 1 if found.paths[i, 0] == found.paths[k, 0] else 0
        if same < alike:
            found.values[kept] = found.values[k]
            found.lengths[kept] = found.lengths[k]
            found.paths[kept, :] = found.paths[k]
            kept += 1
            if kept == most:
                break
    return kept


@entry
def plan_ahead(
    boxes: Any,
    mind: Any,
    games: Any,
    raw_games: Any,
    rows: Any,
    ids: Any,
    keys: Any,
    plans: Any,
    pool: Any,
    raw_pool: Any,
    scratch: Any,
    raw_scratch: Any,
    found: Any,
    most: int,
    alike: int,
    futures: int,
    turns: int,
    out: Any,
) -> int:
    """Plan the turn of the player to act in each game; note the plan and give its first action.

    `games` are determinized ones. Returns the number of plans found for the last of them.
    """
    box = boxes[0]
    n = 0
    for i in range(games.shape[0]):
        g = games[i]
        load(pool, raw_pool, raw_games, i, g.depth)
        n = find_plans(box, mind, pool, raw_pool, found)
        if g.phase != PHASE_MARKET:
            n = keep_different(found, n, most, alike)
        found.order[0] = 0
        found.means[0] = found.values[0]
        found.looks[0] = 0
        if n > 1:
            copy_game(raw_scratch, 0, raw_games, i, g.depth)
            rate_plans(
                box,
                mind,
                scratch,
                raw_scratch,
                keys[i],
                futures,
                turns,
                n,
                found.lengths,
                found.paths,
                found.means,
                found.looks,
                found.order,
            )
        best = found.order[0]
        plan = plans[rows[i]]
        plan.game = ids[i]
        plan.player = g.current_player
        plan.at = 1
        plan.length = 1
        out[i] = found.paths[best, 0]
        if g.phase != PHASE_MARKET:
            plan.length = found.lengths[best]
            load(pool, raw_pool, raw_games, i, g.depth)
            note_codes(box, pool[0], found.paths[best], plan)
    return n


@entry
def worth_by_feature(
    boxes: Any,
    mind: Any,
    games: Any,
    raw_games: Any,
    pool: Any,
    raw_pool: Any,
    path: Any,
    length: int,
    out: Any,
) -> None:
    """What greedy's evaluation sees in where a plan for games[0] ends: the VP of each feature, then
    own VP and the rival's share, into float64 (NUM_FEATURES + 2,)."""
    box = boxes[0]
    load(pool, raw_pool, raw_games, 0, games[0].depth)
    g = pool[0]
    p = int(g.current_player)
    expect_rows(box, g, mind.expected)
    base = own_base(g, p)
    for k in range(length):
        choose(box, g, path[k])
        settle_turn(box, g, p, base)
    turns = turns_left(box, g, p)
    note_features(box, g, p, mind.expected, turns, mind.features[0], mind.row[0])
    for k in range(NUM_FEATURES):
        out[k] = mind.row[0, k] * mind.weights[turns, k]
    out[NUM_FEATURES] = g.vp[p]
    out[NUM_FEATURES + 1] = -RIVAL_VP * best_rival(g, p)
