"""A beam search through the choices of one turn. (draft)"""

from __future__ import annotations

from typing import Any

import numpy as np

from nijar_env.components.vocabulary import (
    ACT_CLAY,
    ACT_CLEAN_ONE,
    ACT_ESPARTO,
    ACT_FIRE_ONE,
    ACT_FIRST_PLAYER,
    ACT_PAINT_ONE,
    ACT_PLAY,
    ACT_SHAPE,
    DRAFT_ROWS,
    NUM_DECKS,
)
from nijar_env.core.catalogue import A_REFRESH, NUM_GAME_ACTIONS
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
    F_SHOP,
    F_SIDES,
    F_SLOT,
    F_SPECIAL,
    F_THROW,
    F_TRACK,
    PHASE_MARKET,
)
from nijar_env.core.engine import choose, finish_frame, offer, only_action
from nijar_env.core.jit import entry, kernel
from nijar_env.core.kernels import copy_game
from nijar_env.core.throw import complete_wheel
from nijar_env.core.market import apply_dice

from .evaluation import ACTION_WORTH, NF, evaluate, expected_rows

MAX_PLIES = 48


@kernel
def own_base(g: Any, p: int) -> int:
    """The lowest of the frames on top that are all this player's."""
    base = int(g.depth)
    while base > 0 and g.frames[base - 1, 1] == p:
        base -= 1
    return base


@kernel
def settle_turn(box: Any, g: Any, p: int, base: int) -> bool:
    """Run on to the player's next decision with a choice; False if the turn is over before."""
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
def frame_value(frame: Any, w: Any) -> float:
    """What a pending frame will still bring."""
    kind = frame[0]
    a = frame[2]
    b = frame[3]
    if kind == F_PLACEMENT:
        return b * 2.0 * 1.0 + frame[5] * 1.0
    if kind == F_SPECIAL:
        return 1.0 * ((a & 1) + ((a >> 1) & 1) + ((a >> 2) & 1))
    if kind == F_SIDES:
        return ACTION_WORTH[a] + ACTION_WORTH[b]
    if kind == F_ANY_ACTION:
        return ACTION_WORTH[ACT_FIRST_PLAYER]
    if kind == F_BONUS:
        return 1.0
    if kind == F_SELL:
        return 1.0
    if kind == F_ACQUIRE:
        return ACTION_WORTH[1] * 0.5 * (a - b)
    if kind == F_PLAY:
        return ACTION_WORTH[ACT_PLAY]
    if kind == F_SLOT:
        return ACTION_WORTH[ACT_PLAY]
    if kind == F_CLAY:
        return ACTION_WORTH[ACT_CLAY]
    if kind == F_THROW:
        return ACTION_WORTH[5] * a
    if kind == F_SHAPE:
        return ACTION_WORTH[ACT_SHAPE]
    if kind == F_FIRE:
        return ACTION_WORTH[ACT_FIRE_ONE] * (2.0 if a < 0 else 1.0)
    if kind == F_PAINT:
        return ACTION_WORTH[ACT_PAINT_ONE] * (2.0 if a < 0 else 1.0)
    if kind == F_PAY:
        return ACTION_WORTH[ACT_PAINT_ONE]
    if kind == F_CLEAN:
        return ACTION_WORTH[ACT_CLEAN_ONE] * a
    if kind == F_REWARDS:
        return 2.0
    if kind == F_ESPARTO:
        return ACTION_WORTH[ACT_ESPARTO] * (0.5 if b == 1 else 1.0)
    if kind == F_TRACK:
        return ACTION_WORTH[ACT_FIRST_PLAYER]
    return 0.0


@kernel
def pending_value(g: Any, p: int, base: int, w: Any) -> float:
    value = 0.0
    for k in range(base, g.depth):
        frame = g.frames[k]
        if frame[1] == p:
            value += frame_value(frame, w)
    return value


@kernel
def search_turn(box: Any, w: Any, pool: Any, raw: Any, width: int, path: Any, stats: Any) -> int:
    """Plan from pool[0] on. Returns the number of actions."""
    root = pool[0]
    p = int(root.current_player)
    base = own_base(root, p)
    rows = np.empty((3, 3), np.float64)
    expected_rows(box, root, rows)
    f = np.empty(NF, np.float64)
    size = width * MAX_PLIES + 2
    parent = np.empty(size, np.int32)
    move = np.empty(size, np.int16)
    slots = np.empty((2, width), np.int32)
    nodes = np.empty((2, width), np.int32)
    values = np.empty((2, width), np.float64)
    free = np.empty(2 * width + 2, np.int32)
    n_free = 0
    for k in range(2 * width + 1, 0, -1):
        free[n_free] = k
        n_free += 1
    parent[0] = -1
    n_nodes = 1
    slots[0, 0] = 0
    nodes[0, 0] = 0
    count = 1
    best = -1e18
    best_parent = -1
    best_move = -1
    n_free -= 1
    scratch = free[n_free]
    for ply in range(MAX_PLIES):
        now = ply % 2
        after = 1 - now
        n = 0
        worst = -1
        for c in range(count):
            s = slots[now, c]
            g = pool[s]
            for action in range(NUM_GAME_ACTIONS):
                if g.legal[action] == 0 or A_REFRESH <= action < A_REFRESH + DRAFT_ROWS:
                    continue
                copy_game(raw, scratch, raw, s, g.depth)
                child = pool[scratch]
                choose(box, child, action)
                alive = settle_turn(box, child, p, base)
                value = evaluate(box, child, p, w, rows, f)
                stats[0] += 1
                if not alive:
                    if value > best:
                        best = value
                        best_parent = nodes[now, c]
                        best_move = action
                    continue
                value += pending_value(child, p, base, w)
                if n == width and value <= values[after, worst]:
                    continue
                twin = False
                for k in range(n):
                    if values[after, k] == value:
                        other = pool[slots[after, k]]
                        if other.depth == child.depth and other.num_legal == child.num_legal:
                            twin = True
                            break
                if twin:
                    continue
                if n < width:
                    k = n
                    n += 1
                    nodes[after, k] = n_nodes
                    n_nodes += 1
                    n_free -= 1
                    slots[after, k] = scratch
                    scratch = free[n_free]
                else:
                    k = worst
                    evicted = slots[after, k]
                    slots[after, k] = scratch
                    scratch = evicted
                values[after, k] = value
                parent[nodes[after, k]] = nodes[now, c]
                move[nodes[after, k]] = action
                if n == width:
                    worst = 0
                    for k in range(1, width):
                        if values[after, k] < values[after, worst]:
                            worst = k
            free[n_free] = s
            n_free += 1
        count = n
        if count == 0:
            break
    length = 1
    node = best_parent
    while node > 0:
        length += 1
        node = parent[node]
    path[length - 1] = best_move
    node = best_parent
    at = length - 2
    while node > 0:
        path[at] = move[node]
        at -= 1
        node = parent[node]
    stats[1] += 1
    stats[2] = best
    return length


@kernel
def reroll_action(box: Any, w: Any, pool: Any, raw: Any, keep: int) -> int:
    """keep, or reroll where the average of all rolls is better."""
    root = pool[0]
    p = int(root.current_player)
    rows = np.empty((3, 3), np.float64)
    expected_rows(box, root, rows)
    f = np.empty(NF, np.float64)
    child = pool[1]
    copy_game(raw, 1, raw, 0, root.depth)
    apply_dice(child)
    kept = evaluate(box, child, p, w, rows, f)
    total = 0.0
    for roll in range(216):
        copy_game(raw, 1, raw, 0, root.depth)
        child.dice[0] = roll % 6 + 1
        child.dice[1] = roll // 6 % 6 + 1
        child.dice[2] = roll // 36 + 1
        apply_dice(child)
        total += evaluate(box, child, p, w, rows, f)
    return keep if kept >= total / 216.0 else keep + 1
