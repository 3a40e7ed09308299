"""The search tree of `mcts`: nodes in one array, and what is done to them.

A node stands for the actions that led to it, whatever was hidden: an information set as the
searching player tells them apart. Its children are the actions that were legal there in any of
the games dealt so far, each by the seat that chose it. An iteration deals one game, so only some
children may be legal in it; `available` counts how often a child could have been chosen, and takes
the place of the parent's visits in the bounds (Cowling, Powley and Whitehouse, Information Set
Monte Carlo Tree Search, 2012).
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from nijar_env.core.jit import kernel

NONE: Final = -1
NODE_DTYPE: Final = np.dtype(
    (
        np.record,
        [
            ("value", np.float64),  # sum over visits, to the seat that chose the node's action
            ("first_child", np.int32),
            ("next_sibling", np.int32),
            ("visits", np.int32),
            ("available", np.int32),  # iterations in which it could be chosen
            ("prior", np.float32),
            ("action", np.int16),  # that leads here
            ("player", np.int8),  # that chose it
        ],
    )
)
# An iteration does not follow the tree further down.
MAX_DEPTH: Final = 128


@kernel
def clear_node(nodes: Any, i: int) -> None:
    """An untried node without children."""
    node = nodes[i]
    node.value = 0.0
    node.first_child = NONE
    node.next_sibling = NONE
    node.visits = 0
    node.available = 0
    node.prior = 0.0
    node.action = NONE
    node.player = NONE


@kernel
def start_tree(nodes: Any, size: Any) -> None:
    """A tree of nothing but a root; size[0] is the number of nodes."""
    clear_node(nodes, 0)
    size[0] = 1


@kernel
def find_child(nodes: Any, parent: int, player: int, action: int) -> int:
    """The child of an action, NONE if there is none."""
    child = nodes[parent].first_child
    while child != NONE and (nodes[child].action != action or nodes[child].player != player):
        child = nodes[child].next_sibling
    return int(child)


@kernel
def legal_children(nodes: Any, parent: int, g: Any) -> int:
    """How many of the actions that are legal in `g` are children already."""
    n = 0
    child = nodes[parent].first_child
    while child != NONE:
        node = nodes[child]
        n += 1 if node.player == g.current_player and g.legal[node.action] else 0
        child = node.next_sibling
    return n


@kernel
def add_child(nodes: Any, size: Any, parent: int, player: int, action: int, prior: float) -> bool:
    """False where the array is full."""
    i = size[0]
    if i == nodes.shape[0]:
        return False
    clear_node(nodes, i)
    node = nodes[i]
    node.action = action
    node.player = player
    node.prior = prior
    node.next_sibling = nodes[parent].first_child
    nodes[parent].first_child = i
    size[0] = i + 1
    return True


@kernel
def select_child(
    nodes: Any, parent: int, g: Any, bias: float, exploration: float, first: float
) -> int:
    """The legal child with the highest bound, NONE if there is none; counts availabilities.

    The bound is the mean value, plus `bias` x prior x sqrt(available) / (1 + visits) (progressive
    bias), plus `exploration` x sqrt(ln available / (1 + visits)) (UCT), all in VP. A child without
    visits starts at the mean of its siblings less `first`.
    """
    player = g.current_player
    total = 0.0
    visits = 0
    child = nodes[parent].first_child
    while child != NONE:
        node = nodes[child]
        if node.player == player and g.legal[node.action]:
            total += node.value
            visits += node.visits
        child = node.next_sibling
    start = (total / visits if visits > 0 else 0.0) - first
    best = NONE
    best_bound = -1e30
    child = nodes[parent].first_child
    while child != NONE:
        node = nodes[child]
        if node.player == player and g.legal[node.action]:
            node.available += 1
            bound = node.value / node.visits if node.visits > 0 else start
            bound += bias * node.prior * math.sqrt(node.available) / (1 + node.visits)
            bound += exploration * math.sqrt(math.log(node.available) / (1 + node.visits))
            if bound > best_bound:
                best_bound = bound
                best = child
        child = node.next_sibling
    return best


@kernel
def back_up(nodes: Any, path: Any, length: int, values: Any) -> None:
    """Add the values by seat to the nodes of an iteration's path; path[0] is the root."""
    nodes[path[0]].visits += 1
    for k in range(1, length):
        node = nodes[path[k]]
        node.visits += 1
        node.value += values[node.player]


@kernel
def is_better(node: Any, other: Any) -> bool:
    """More visits, or as many and a higher mean."""
    if node.visits != other.visits:
        return bool(node.visits > other.visits)
    return bool(node.value > other.value)


@kernel
def most_visited(nodes: Any, g: Any) -> int:
    """The child of the root with the most visits, of equal ones the one of the highest mean, among
    those legal in `g`; NONE if no child was visited."""
    best = NONE
    child = nodes[0].first_child
    while child != NONE:
        node = nodes[child]
        usable = node.player == g.current_player and g.legal[node.action] and node.visits > 0
        if usable and (best == NONE or is_better(node, nodes[best])):
            best = child
        child = node.next_sibling
    return best


@kernel
def keep_subtree(nodes: Any, spare: Any, size: Any, root: int) -> None:
    """Make `root` the root: its part of the tree is copied to the front, level by level."""
    n = 1
    spare[0] = nodes[root]
    spare[0].next_sibling = NONE
    spare[0].action = NONE
    spare[0].player = NONE
    at = 0
    while at < n:
        child = spare[at].first_child
        last = NONE
        spare[at].first_child = NONE
        while child != NONE:
            after = nodes[child].next_sibling
            spare[n] = nodes[child]
            spare[n].next_sibling = NONE
            if last == NONE:
                spare[at].first_child = n
            else:
                spare[last].next_sibling = n
            last = n
            n += 1
            child = after
        at += 1
    for i in range(n):
        nodes[i] = spare[i]
    size[0] = n
