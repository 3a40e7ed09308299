"""greedy's search: a beam over the choices of one turn, on copies of the record.

The search ends where the player's turn does (or the interrupt that it was asked in), before
anybody else moves and before chance decides anything. Nothing in it depends on what is hidden: the
decks of the searched copy are empty, so that spaces of the draft area stay empty until the turn
is over, and rows are never refreshed.

Positions in the middle of a turn are compared by their evaluation plus the usual worth of what is
still owed. Of equal ones a single one is kept, so orders of the same choices do not crowd the beam.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nijar_env.components.vocabulary import (
    ACT_ACQUIRE,
    ACT_CLAY,
    ACT_CLEAN_ONE,
    ACT_ESPARTO,
    ACT_FIRE_ONE,
    ACT_FIRST_PLAYER,
    ACT_PAINT_ONE,
    ACT_PLAY,
    ACT_SHAPE,
    ACT_THROW,
    DRAFT_ROWS,
    NUM_PIECES,
    NUM_ROUNDS,
)
from nijar_env.core.catalogue import A_KEEP, A_REFRESH, A_REROLL, NUM_GAME_ACTIONS
from nijar_env.core.constants import (
    F_ACQUIRE,
    F_ANY_ACTION,
    F_BONUS,
    F_CLAY,
    F_CLEAN,
    F_COMPLETE_WHEEL,
    F_ESPARTO,
    F_FIRE,
    F_GAIN,
    F_PAINT,
    F_PAY,
    F_PLACEMENT,
    F_PLAY,
    F_REWARDS,
    F_SELL,
    F_SHAPE,
    F_SIDES,
    F_SLOT,
    F_SPECIAL,
    F_THROW,
    F_TRACK,
)
from nijar_env.core.decisions import choose, finish_frame, offer
from nijar_env.core.engine import only_action
from nijar_env.core.jit import kernel
from nijar_env.core.kernels import copy_game
from nijar_env.core.market import apply_dice
from nijar_env.core.throw import complete_wheel

from .greedy_features import evaluate
from .greedy_pieces import expect_rows
from .greedy_weights import ACTION_WORTH, BONUS_WORTH, MAX_PLIES, REWARDS_WORTH, SALE_WORTH

DIE_SIDES = 6


@kernel
def own_base(g: Any, p: int) -> int:
    """How many frames lie below those on top that are all this player's."""
    base = int(g.depth)
    while base > 0 and g.frames[base - 1, 1] == p:
        base -= 1
    return base


@kernel
def settle_turn(box: Any, g: Any, p: int, base: int) -> bool:
    """Run on to the player's next real choice; False if its frames are done before.

    A rival's interrupt (its reward for craftswomen sent to its closed shop) is answered by the
    first legal choice.
    """
    while g.depth > base and g.fault == 0:
        frame = g.frames[g.depth - 1]
        if frame[0] == F_COMPLETE_WHEEL:
            complete_wheel(box, g, frame[1], frame[2])
        elif offer(box, g) == 0:
            finish_frame(box, g)
        elif g.num_legal > 1 and g.current_player == p:
            return True
        else:
            choose(box, g, only_action(g))
    return False


@kernel
def frame_worth(frame: Any) -> float:
    """What a pending frame will usually still bring."""
    kind = frame[0]
    a = frame[2]
    b = frame[3]
    worth = 0.0
    if kind == F_PLACEMENT:
        worth = ACTION_WORTH[ACT_THROW] * b + BONUS_WORTH * frame[5]
    elif kind == F_SPECIAL:
        worth = BONUS_WORTH * ((a & 1) + (a >> 1 & 1) + (a >> 2 & 1))
    elif kind == F_SIDES:
        worth = ACTION_WORTH[a] + ACTION_WORTH[b]
    elif kind in (F_ANY_ACTION, F_TRACK):
        worth = ACTION_WORTH[ACT_FIRST_PLAYER]
    elif kind in (F_BONUS, F_GAIN):
        worth = BONUS_WORTH
    elif kind == F_SELL:
        worth = SALE_WORTH
    elif kind == F_ACQUIRE:
        worth = ACTION_WORTH[ACT_ACQUIRE] * 0.5 * (a - b)
    elif kind in (F_PLAY, F_SLOT):
        worth = ACTION_WORTH[ACT_PLAY]
    elif kind == F_CLAY:
        worth = ACTION_WORTH[ACT_CLAY]
    elif kind == F_THROW:
        worth = ACTION_WORTH[ACT_THROW] * a
    elif kind == F_SHAPE:
        worth = ACTION_WORTH[ACT_SHAPE]
    elif kind == F_FIRE:
        worth = ACTION_WORTH[ACT_FIRE_ONE] * (2 if a < 0 else 1)
    elif kind == F_PAINT:
        worth = ACTION_WORTH[ACT_PAINT_ONE] * (2 if a < 0 else 1)
    elif kind == F_PAY:
        worth = ACTION_WORTH[ACT_PAINT_ONE]
    elif kind == F_CLEAN:
        worth = ACTION_WORTH[ACT_CLEAN_ONE] * a
    elif kind == F_REWARDS:
        worth = REWARDS_WORTH
    elif kind == F_ESPARTO:
        worth = ACTION_WORTH[ACT_ESPARTO] * (0.5 if b == 1 else 1.0)
    return worth


@kernel
def pending_worth(g: Any, base: int) -> float:
    """What all frames above `base` will usually still bring."""
    worth = 0.0
    for k in range(base, g.depth):
        worth += frame_worth(g.frames[k])
    return worth


@kernel
def is_twin(pool: Any, slots: Any, values: Any, n: int, child: Any, value: float) -> bool:
    """A position of the same value, with as much pending and as many choices, is in the beam."""
    for k in range(n):
        if values[k] == value:
            other = pool[slots[k]]
            if other.depth == child.depth and other.num_legal == child.num_legal:
                return True
    return False


@kernel
def lowest(values: Any, n: int) -> int:
    """The place of the lowest of the first `n` values."""
    worst = 0
    for k in range(1, n):
        if values[k] < values[worst]:
            worst = k
    return worst


@kernel
def write_path(parents: Any, moves: Any, node: int, last: int, path: Any) -> int:
    """The actions from the root to `node` and the last one after it; returns their number."""
    length = 1
    k = node
    while k > 0:
        length += 1
        k = parents[k]
    path[length - 1] = last
    at = length - 2
    k = node
    while k > 0:
        path[at] = moves[k]
        at -= 1
        k = parents[k]
    return length


@kernel
def note_end(values: Any, ends: Any, n: int, value: float, node: int, move: int) -> int:
    """Keep an end of the turn among the best, highest first; of equal ones the first that was
    found. Returns how many are kept."""
    at = n
    while at > 0 and values[at - 1] < value:
        at -= 1
    if at == values.shape[0] or (at > 0 and values[at - 1] == value):
        return n
    last = min(n, values.shape[0] - 1)
    for k in range(last, at, -1):
        values[k] = values[k - 1]
        ends[k, 0] = ends[k - 1, 0]
        ends[k, 1] = ends[k - 1, 1]
    values[at] = value
    ends[at, 0] = node
    ends[at, 1] = move
    return int(last) + 1


@kernel
def plan_turns(
    box: Any,
    weights: Any,
    pool: Any,
    raw: Any,
    f: Any,
    row: Any,
    values: Any,
    lengths: Any,
    paths: Any,
) -> int:
    """The best plans for the turn of the player to act in pool[0], the best first.

    `pool` holds 2 x beam + 2 records, `raw` is the same memory. Up to len(values) plans that end
    in positions of different values are written: their values, their numbers of actions and the
    actions. Returns how many there are, at least 1: of a turn longer than the search only the
    first action is planned.
    """
    beam = (pool.shape[0] - 2) // 2
    p = int(pool[0].current_player)
    base = own_base(pool[0], p)
    expected = np.empty((NUM_ROUNDS, NUM_PIECES), np.float64)
    expect_rows(box, pool[0], expected)
    parents = np.zeros(beam * MAX_PLIES + 1, np.int32)
    moves = np.zeros(beam * MAX_PLIES + 1, np.int16)
    nodes = np.zeros((2, beam), np.int32)
    slots = np.zeros((2, beam), np.int32)
    worths = np.zeros((2, beam), np.float64)
    ends = np.zeros((values.shape[0], 2), np.int64)
    free = np.arange(2 * beam + 1, 0, -1)
    n_free = 2 * beam  # the last one is the scratch slot
    scratch = free[n_free]
    n_nodes = 1
    count = 1
    n_ends = 0
    for ply in range(MAX_PLIES):
        now, after = ply % 2, (ply + 1) % 2
        n = 0
        for c in range(count):
            g = pool[slots[now, c]]
            for action in range(NUM_GAME_ACTIONS):
                if g.legal[action] == 0 or A_REFRESH <= action < A_REFRESH + DRAFT_ROWS:
                    continue
                copy_game(raw, scratch, raw, slots[now, c], g.depth)
                child = pool[scratch]
                choose(box, child, action)
                goes_on = settle_turn(box, child, p, base)
                value = evaluate(box, child, p, weights, expected, f, row)
                if not goes_on:
                    n_ends = note_end(values, ends, n_ends, value, nodes[now, c], action)
                    continue
                value += pending_worth(child, base)
                k = n if n < beam else lowest(worths[after], n)
                if n == beam and value <= worths[after, k]:
                    continue
                if is_twin(pool, slots[after], worths[after], n, child, value):
                    continue
                if n < beam:
                    n += 1
                    nodes[after, k] = n_nodes
                    n_nodes += 1
                    n_free -= 1
                    slots[after, k] = scratch
                    scratch = free[n_free]
                else:
                    slots[after, k], scratch = scratch, slots[after, k]
                worths[after, k] = value
                parents[nodes[after, k]] = nodes[now, c]
                moves[nodes[after, k]] = action
            free[n_free] = slots[now, c]
            n_free += 1
        count = n
        if count == 0:
            break
    if n_ends == 0:  # the turn is longer than the search: its first action
        ends[0, 0], ends[0, 1] = 0, moves[1]
        values[0] = 0.0
        n_ends = 1
    for k in range(n_ends):
        lengths[k] = write_path(parents, moves, ends[k, 0], ends[k, 1], paths[k])
    return int(n_ends)


@kernel
def plan_turn(box: Any, weights: Any, pool: Any, raw: Any, f: Any, row: Any, path: Any) -> int:
    """The best plan for the turn alone, into `path`; returns its number of actions."""
    value = np.zeros(1, np.float64)
    length = np.zeros(1, np.int64)
    plan_turns(box, weights, pool, raw, f, row, value, length, path.reshape(1, MAX_PLIES))
    return int(length[0])


@kernel
def choose_dice(box: Any, weights: Any, pool: Any, raw: Any, f: Any, row: Any) -> int:
    """§7.1: re-roll where the average over all rolls is better than what was rolled."""
    root, child = pool[0], pool[1]
    p = int(root.current_player)
    expected = np.empty((NUM_ROUNDS, NUM_PIECES), np.float64)
    expect_rows(box, root, expected)
    copy_game(raw, 1, raw, 0, root.depth)
    apply_dice(child)
    kept = evaluate(box, child, p, weights, expected, f, row)
    total = 0.0
    for i in range(DIE_SIDES):
        for j in range(DIE_SIDES):
            for k in range(DIE_SIDES):
                copy_game(raw, 1, raw, 0, root.depth)
                child.dice[0], child.dice[1], child.dice[2] = i + 1, j + 1, k + 1
                apply_dice(child)
                total += evaluate(box, child, p, weights, expected, f, row)
    return A_KEEP if kept >= total / DIE_SIDES**3 else A_REROLL
