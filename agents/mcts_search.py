"""The iterations of `mcts`: deal, follow the tree, add a node, play on, value, back up."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from nijar_env.components.vocabulary import MAX_PLAYERS
from nijar_env.core.constants import PHASE_FINISHED
from nijar_env.core.determinize import determinize
from nijar_env.core.engine import run
from nijar_env.core.jit import kernel
from nijar_env.core.kernels import copy_game, random_legal
from nijar_env.core.rng import philox

from .greedy_pieces import expect_rows
from .light_policy import draw_action, score_game
from .light_rollout import begins_turn, outcome
from .mcts_tree import (
    MAX_DEPTH,
    NONE,
    add_child,
    back_up,
    find_child,
    legal_children,
    select_child,
)
from .mind import PLAYOUT_LIGHT

STREAM_ITERATIONS: Final = 9


@kernel
def expand(
    box: Any, g: Any, mind: Any, nodes: Any, size: Any, parent: int, evenness: float
) -> None:
    """Make all legal actions children; their priors are light's probabilities."""
    n = score_game(box, g, mind)
    items = mind.items[0]
    total = 0.0
    for k in range(n):
        total += float(items.score[k])
    for k in range(n):
        action = int(items.action[k])
        if find_child(nodes, parent, g.current_player, action) == NONE:
            prior = (1.0 - evenness) * float(items.score[k]) / total + evenness / n
            if not add_child(nodes, size, parent, g.current_player, action, prior):
                return


@kernel
def playout_action(box: Any, g: Any, mind: Any, playout: int, key: np.uint64, count: int) -> int:
    """The action of a playout."""
    if playout == PLAYOUT_LIGHT:
        return draw_action(box, g, mind, key, count)
    return random_legal(g, key, count)


@kernel
def value_seats(box: Any, g: Any, mind: Any, rivalry: float, values: Any) -> None:
    """What the position is worth to each player; with rivals, less a share of what it is worth to
    the best of them."""
    players = int(g.num_players)
    if players == 2 and mind.network.value_hidden.shape[1] > 0 and mind.network.rival[0] == 1.0:
        # What one wins the other loses. The network knows the value for a player who is to act.
        p = max(int(g.current_player), 0)
        values[p] = outcome(box, g, p, mind)
        values[1 - p] = -values[p]
        return
    for q in range(players):
        values[q] = outcome(box, g, q, mind)
    if players == 1 or rivalry == 0.0:
        return
    first = second = -1e30
    for q in range(players):
        if values[q] > first:
            first, second = values[q], first
        elif values[q] > second:
            second = values[q]
    for q in range(players):
        values[q] -= rivalry * (second if values[q] == first else first)


@kernel
def iterate(
    box: Any,
    mind: Any,
    params: Any,
    games: Any,
    raw: Any,
    nodes: Any,
    size: Any,
    key: np.uint64,
    path: Any,
    values: Any,
) -> int:
    """One iteration from games[0], on games[1]; returns the decisions that it took."""
    copy_game(raw, 1, raw, 0, games[0].depth)
    g = games[1]
    p = int(games[0].current_player)
    determinize(box, g, p, key)
    path[0] = 0
    length = 1
    begun = 0
    in_tree = True
    count = 0
    while g.phase != PHASE_FINISHED and g.fault == 0:
        child = NONE
        if in_tree and length <= MAX_DEPTH:
            parent = path[length - 1]
            if legal_children(nodes, parent, g) < g.num_legal:
                expand(box, g, mind, nodes, size, parent, params.evenness)
            child = select_child(nodes, parent, g, params.bias, params.exploration, params.first)
        if child != NONE:
            in_tree = nodes[child].visits > 0
            path[length] = child
            length += 1
            action = int(nodes[child].action)
        else:
            in_tree = False
            action = playout_action(box, g, mind, params.playout, key, count)
        run(box, g, action, True)
        count += 1
        if begins_turn(g, p):
            begun += 1
            if begun >= params.turns:
                break
    value_seats(box, g, mind, params.rivalry, values)
    back_up(nodes, path, length, values)
    return count


@kernel
def search(
    box: Any,
    mind: Any,
    params: Any,
    games: Any,
    raw: Any,
    nodes: Any,
    size: Any,
    key: np.uint64,
    first: int,
    iterations: int,
) -> int:
    """Iterations number `first` and on from games[0], added to the tree; returns the decisions
    that they took."""
    expect_rows(box, games[0], mind.expected)
    path = np.empty(MAX_DEPTH + 1, np.int64)
    values = np.zeros(MAX_PLAYERS, np.float64)
    total = 0
    for i in range(first, first + iterations):
        deal = philox(key, np.uint64(i), np.uint64(STREAM_ITERATIONS), np.uint64(0))
        total += iterate(box, mind, params, games, raw, nodes, size, deal, path, values)
    return total
