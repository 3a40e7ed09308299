"""The policy of light, or of a network: a softmax over the scores of the legal actions.

See `light_heads` for what is scored. A network adds a hidden layer to what the heads are scored by,
and a value (`agents.networks.choices`); light has neither.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from nijar_env.components.vocabulary import BOARD_ROWS, NUM_ACTIONS
from nijar_env.core.jit import kernel
from nijar_env.core.rng import philox

from .choice_context import note_context
from .choice_layout import NUM_CONTEXT, NUM_INPUTS
from .greedy_features import note_features, turns_left
from .greedy_weights import MOST_TURNS, NUM_FEATURES
from .light_heads import H_ACTION, MOST_SCORE, NUM_HEADS
from .light_items import note_items

STREAM_LIGHT: Final = 7
# Odds of a row that offers no action at all.
_NOTHING = 1e-6
_TOP = float(2**53)
assert NUM_FEATURES % 4 == 0


@kernel
def head_score(mind: Any, head: int, x: Any) -> float:
    """A head's weights times what is seen, worked out once for a position; in four sums, since
    each addition waits for the last."""
    known = mind.known
    if known[head] == known[NUM_HEADS]:
        return float(mind.scores[head])
    w = mind.policy[head]
    a = b = c = d = 0.0
    for i in range(0, x.shape[0], 4):
        a += w[i] * x[i]
        b += w[i + 1] * x[i + 1]
        c += w[i + 2] * x[i + 2]
        d += w[i + 3] * x[i + 3]
    score = a + b + (c + d)
    mind.scores[head] = score
    known[head] = known[NUM_HEADS]
    return score


@kernel
def row_scores(mind: Any, x: Any, items: Any, rows: Any) -> None:
    """For each row of the board the log of the summed odds of its actions."""
    odds = np.zeros(NUM_ACTIONS, np.float64)
    wanted = 0
    for row in range(BOARD_ROWS):
        wanted |= int(items.row_actions[row])
    for action in range(NUM_ACTIONS):
        if (wanted >> action) & 1:
            odds[action] = math.exp(min(head_score(mind, H_ACTION + action, x), MOST_SCORE))
    for row in range(BOARD_ROWS):
        total = _NOTHING
        for action in range(NUM_ACTIONS):
            if (items.row_actions[row] >> action) & 1:
                total += odds[action]
        rows[row] = math.log(total)


@kernel
def score_items(mind: Any, x: Any, items: Any, n: int) -> float:
    """Score the first `n` actions of `items`; returns the highest score."""
    mind.known[NUM_HEADS] += 1
    rows = np.zeros(BOARD_ROWS, np.float64)
    menus = False
    best = -1e30
    for k in range(n):
        score = 0.0
        for i in range(items.count[k]):
            score += float(items.times[k, i]) * head_score(mind, items.head[k, i], x)
        if items.menu[k]:
            if not menus:
                row_scores(mind, x, items, rows)
                menus = True
            for row in range(BOARD_ROWS):
                if (items.menu[k] >> row) & 1:
                    score += rows[row]
        items.score[k] = score
        best = max(best, score)
    return best


@kernel
def add_inputs(values: Any, weight: Any, first: int, units: Any) -> None:
    """Add values times their rows of weights, `first` and on, to a layer; most values are 0."""
    for k in range(values.shape[0]):
        if values[k] != 0.0:
            x = np.float32(values[k])
            row = weight[first + k]
            for j in range(units.shape[0]):
                units[j] += x * row[j]


@kernel
def hidden_layer(mind: Any, weight: Any, bias: Any, units: Any) -> None:
    """A layer over the features and the context that the mind holds; negative units become 0."""
    units[:] = bias
    add_inputs(mind.row[0], weight, 0, units)
    add_inputs(mind.context, weight, NUM_FEATURES, units)
    for j in range(units.shape[0]):
        units[j] = max(units[j], np.float32(0.0))


@kernel
def look(box: Any, g: Any, p: int, mind: Any, turns: int) -> None:
    """Fill the features of a position and, where there is a network, its context."""
    note_features(box, g, p, mind.expected, turns, mind.features[0], mind.row[0])
    if mind.network.value_hidden.shape[1] > 0:
        note_context(box, g, p, mind.expected, mind.context)


@kernel
def policy_inputs(mind: Any) -> Any:
    """What heads are scored by: the features, and the hidden layer where there is a network."""
    network = mind.network
    if network.hidden.shape[1] == 0:
        return mind.row[0]
    hidden_layer(mind, network.hidden, network.hidden_bias, mind.units)
    mind.seen[:NUM_FEATURES] = mind.row[0]
    mind.seen[NUM_FEATURES:] = mind.units
    return mind.seen


@kernel
def learned_value(mind: Any) -> float:
    """The network's estimate of the VP to come in the position that the mind looks at."""
    network = mind.network
    hidden_layer(mind, network.value_hidden, network.value_hidden_bias, mind.value_units)
    value = float(network.value_bias[0])
    for k in range(NUM_FEATURES):
        value += network.value[k] * mind.row[0, k]
    for k in range(NUM_CONTEXT):
        value += network.value[NUM_FEATURES + k] * mind.context[k]
    for k in range(mind.value_units.shape[0]):
        value += network.value[NUM_INPUTS + k] * mind.value_units[k]
    return value


@kernel
def score_game(box: Any, g: Any, mind: Any) -> int:
    """Score all legal actions of the player to act; returns how many there are.

    Afterwards `items.action` holds them and `items.score` their odds, 1 for the most likely.
    """
    p = int(g.current_player)
    items = mind.items[0]
    turns = turns_left(box, g, p)
    look(box, g, p, mind, turns)
    n = note_items(box, g, turns / MOST_TURNS, mind.expected, items)
    best = score_items(mind, policy_inputs(mind), items, n)
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
