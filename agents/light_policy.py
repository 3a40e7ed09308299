"""light's policy: a softmax over the scores of the legal actions (see `light_heads`)."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from nijar_env.components.vocabulary import BOARD_ROWS, NUM_ACTIONS
from nijar_env.core.jit import kernel
from nijar_env.core.rng import philox

from .greedy_features import note_features, turns_left
from .greedy_weights import MOST_TURNS, NUM_FEATURES
from .light_heads import H_ACTION, MOST_SCORE
from .light_items import note_items

STREAM_LIGHT: Final = 7
# Odds of a row that offers no action at all.
_NOTHING = 1e-6
_TOP = float(2**53)
assert NUM_FEATURES % 4 == 0


@kernel
def head_score(policy: Any, head: int, x: Any) -> float:
    """A head's weights times the features; in four sums, since each addition waits for the last."""
    w = policy[head]
    a = b = c = d = 0.0
    for i in range(0, NUM_FEATURES, 4):
        a += w[i] * x[i]
        b += w[i + 1] * x[i + 1]
        c += w[i + 2] * x[i + 2]
        d += w[i + 3] * x[i + 3]
    return a + b + (c + d)


@kernel
def row_scores(policy: Any, x: Any, items: Any, rows: Any) -> None:
    """For each row of the board the log of the summed odds of its actions."""
    odds = np.zeros(NUM_ACTIONS, np.float64)
    wanted = 0
    for row in range(BOARD_ROWS):
        wanted |= int(items.row_actions[row])
    for action in range(NUM_ACTIONS):
        if (wanted >> action) & 1:
            odds[action] = math.exp(min(head_score(policy, H_ACTION + action, x), MOST_SCORE))
    for row in range(BOARD_ROWS):
        total = _NOTHING
        for action in range(NUM_ACTIONS):
            if (items.row_actions[row] >> action) & 1:
                total += odds[action]
        rows[row] = math.log(total)


@kernel
def score_items(policy: Any, x: Any, items: Any, n: int) -> float:
    """Score the first `n` actions of `items`; returns the highest score."""
    rows = np.zeros(BOARD_ROWS, np.float64)
    menus = False
    best = -1e30
    for k in range(n):
        score = 0.0
        for i in range(items.count[k]):
            score += items.times[k, i] * head_score(policy, items.head[k, i], x)
        if items.menu[k]:
            if not menus:
                row_scores(policy, x, items, rows)
                menus = True
            for row in range(BOARD_ROWS):
                if (items.menu[k] >> row) & 1:
                    score += rows[row]
        items.score[k] = score
        best = max(best, score)
    return best


@kernel
def score_game(box: Any, g: Any, mind: Any) -> int:
    """Score all legal actions of the player to act; returns how many there are.

    Afterwards `items.action` holds them and `items.score` their odds, 1 for the most likely.
    """
    p = int(g.current_player)
    items = mind.items[0]
    turns = turns_left(box, g, p)
    note_features(box, g, p, mind.expected, turns, mind.features[0], mind.row[0])
    n = note_items(box, g, turns / MOST_TURNS, mind.expected, items)
    best = score_items(mind.policy, mind.row[0], items, n)
    for k in range(n):
        items.score[k] = math.exp(float(items.score[k]) - best)
    return n


@kernel
def sample(items: Any, n: int, key: np.uint64, index: int) -> int:
    """A place among the first `n`, drawn by the odds that `score_game` left."""
    total = 0.0
    for k in range(n):
        total += float(items.score[k])
    bits = philox(key, np.uint64(index), np.uint64(STREAM_LIGHT), np.uint64(0))
    at = float(bits >> np.uint64(11)) / _TOP * total
    for k in range(n):
        at -= float(items.score[k])
        if at < 0.0:
            return k
    return n - 1


@kernel
def most_likely(items: Any, n: int) -> int:
    """The place with the highest odds, the first of equal ones."""
    best = 0
    for k in range(1, n):
        if items.score[k] > items.score[best]:
            best = k
    return best


@kernel
def draw_action(box: Any, g: Any, mind: Any, key: np.uint64, index: int) -> int:
    """An action of the player to act, drawn by the policy."""
    n = score_game(box, g, mind)
    return int(mind.items[0].action[sample(mind.items[0], n, key, index)])
