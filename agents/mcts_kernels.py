"""Entry points of mcts: a search in one game, and what is done to its tree between decisions."""

from __future__ import annotations

from typing import Any

import numpy as np

from nijar_env.core.jit import entry

from .mcts_search import search
from .mcts_tree import NONE, find_child, keep_subtree, most_visited, start_tree


@entry
def begin_tree(nodes: Any, size: Any) -> None:
    """An empty tree."""
    start_tree(nodes, size)


@entry
def descend(nodes: Any, spare: Any, size: Any, player: int, action: int) -> bool:
    """Go on with the subtree of an action that was taken; False if there is none."""
    child = find_child(nodes, 0, player, action)
    if child == NONE:
        return False
    keep_subtree(nodes, spare, size, child)
    return True


@entry
def run_search(
    boxes: Any,
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
    """`search` from games[0], games[1] being room for its iterations."""
    return search(boxes[0], mind, params[0], games, raw, nodes, size, key, first, iterations)


@entry
def best_action(nodes: Any, games: Any) -> int:
    """The action at the root with the most visits, legal in games[0]; NONE without any."""
    child = most_visited(nodes, games[0])
    return int(nodes[child].action) if child != NONE else NONE


@entry
def read_root(nodes: Any, games: Any, actions: Any, visits: Any, means: Any, priors: Any) -> int:
    """Write what is known of each legal action at the root; returns how many there are."""
    g = games[0]
    n = 0
    child = nodes[0].first_child
    while child != NONE:
        node = nodes[child]
        if node.player == g.current_player and g.legal[node.action]:
            actions[n] = node.action
            visits[n] = node.visits
            means[n] = node.value / node.visits if node.visits > 0 else 0.0
            priors[n] = node.prior
            n += 1
        child = node.next_sibling
    return n
