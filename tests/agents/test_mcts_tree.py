"""The tree of `mcts`: its kernels one by one, against small trees and independent sums."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest

from agents.mcts_kernels import begin_tree, best_action, descend, read_root
from agents.mcts_search import value_seats
from agents.mcts_tree import (
    NODE_DTYPE,
    NONE,
    add_child,
    back_up,
    find_child,
    legal_children,
    select_child,
)
from nijar_env.core.catalogue import NUM_GAME_ACTIONS
from nijar_env.core.record import GAME_DTYPE


@numba.njit
def _add(nodes: Any, size: Any, parent: int, player: int, action: int, prior: float) -> bool:
    return add_child(nodes, size, parent, player, action, prior)


@numba.njit
def _find(nodes: Any, parent: int, player: int, action: int) -> int:
    return find_child(nodes, parent, player, action)


@numba.njit
def _count(nodes: Any, parent: int, games: Any) -> int:
    return legal_children(nodes, parent, games[0])


@numba.njit
def _select(
    nodes: Any, parent: int, games: Any, bias: float, exploration: float, first: float
) -> int:
    return select_child(nodes, parent, games[0], bias, exploration, first)


@numba.njit
def _back_up(nodes: Any, path: Any, length: int, values: Any) -> None:
    back_up(nodes, path, length, values)


class Tree:
    """Nodes, and a way to them by (player, action) from the root."""

    def __init__(self, room: int = 200) -> None:
        self.nodes = np.zeros(room, NODE_DTYPE)
        self.size = np.zeros(1, np.int64)
        begin_tree(self.nodes, self.size)

    def add(self, parent: int, player: int, action: int, prior: float = 0.1) -> int:
        assert _add(self.nodes, self.size, parent, player, action, prior)
        return int(self.size[0]) - 1

    def set(self, node: int, **values: float) -> None:
        for name, value in values.items():
            self.nodes[node][name] = value

    def children(self, parent: int) -> list[int]:
        return children(self.nodes, parent)


def children(nodes: Any, parent: int) -> list[int]:
    found = []
    child = int(nodes[parent]["first_child"])
    while child != NONE:
        found.append(child)
        child = int(nodes[child]["next_sibling"])
    return found


def statistics(nodes: Any, node: int) -> dict[Any, Any]:
    """A subtree as {(player, action): (visits, value, available, prior, subtree)}."""
    return {
        (int(nodes[c]["player"]), int(nodes[c]["action"])): (
            int(nodes[c]["visits"]),
            float(nodes[c]["value"]),
            int(nodes[c]["available"]),
            float(nodes[c]["prior"]),
            statistics(nodes, c),
        )
        for c in children(nodes, node)
    }


def game(player: int, *legal: int) -> Any:
    """A record in which these actions are legal."""
    games = np.zeros(1, GAME_DTYPE)
    games[0]["current_player"] = player
    games[0]["legal"][list(legal)] = 1
    games[0]["num_legal"] = len(legal)
    return games


def random_tree(seed: int, nodes: int = 120) -> Tree:
    rng = np.random.default_rng(seed)
    tree = Tree()
    while tree.size[0] < nodes:
        parent = int(rng.integers(tree.size[0]))
        player, action = int(rng.integers(3)), int(rng.integers(NUM_GAME_ACTIONS))
        if _find(tree.nodes, parent, player, action) == NONE:
            node = tree.add(parent, player, action, float(rng.random()))
            visits = int(rng.integers(9))
            tree.set(
                node,
                visits=visits,
                value=visits * rng.normal(50, 10),
                available=visits + int(rng.integers(5)),
            )
    return tree


def test_a_new_tree_is_a_root() -> None:
    tree = Tree()
    assert tree.size[0] == 1 and tree.children(0) == []
    root = tree.nodes[0]
    assert root["visits"] == root["value"] == root["available"] == 0
    assert root["player"] == root["action"] == NONE


def test_children_are_found_by_player_and_action() -> None:
    tree = Tree()
    first, second = tree.add(0, 1, 7, 0.25), tree.add(0, 2, 7, 0.5)
    below = tree.add(first, 0, 9)
    assert _find(tree.nodes, 0, 1, 7) == first
    assert _find(tree.nodes, 0, 2, 7) == second
    assert _find(tree.nodes, first, 0, 9) == below
    for parent, player, action in ((0, 0, 7), (0, 1, 9), (first, 1, 9), (second, 0, 9)):
        assert _find(tree.nodes, parent, player, action) == NONE
    assert tree.nodes[first]["prior"] == 0.25
    assert sorted(tree.children(0)) == [first, second]


def test_children_of_another_player_or_not_legal_do_not_count() -> None:
    tree = Tree()
    for player, action in ((0, 3), (0, 4), (1, 3), (1, 5)):
        tree.add(0, player, action)
    assert _count(tree.nodes, 0, game(0, 3, 4, 5)) == 2
    assert _count(tree.nodes, 0, game(1, 3, 4, 5)) == 2
    assert _count(tree.nodes, 0, game(1, 4)) == 0
    assert _count(tree.nodes, 0, game(2, 3, 4, 5)) == 0


def test_a_full_array_takes_no_more_and_stays_as_it_is() -> None:
    tree = Tree(room=3)
    tree.add(0, 0, 1)
    tree.add(0, 0, 2)
    before = tree.nodes.tobytes()
    assert not _add(tree.nodes, tree.size, 0, 0, 3, 0.1)
    assert tree.nodes.tobytes() == before and tree.size[0] == 3


def bounds(
    tree: Tree, parent: int, player: int, legal: list[int], c: tuple[float, float, float]
) -> dict[int, float]:
    """The bound of each legal child, worked out anew; `c` are bias, exploration and first."""
    bias, exploration, first = c
    usable = [
        tree.nodes[k]
        for k in tree.children(parent)
        if tree.nodes[k]["player"] == player and tree.nodes[k]["action"] in legal
    ]
    visits = sum(int(n["visits"]) for n in usable)
    start = (sum(float(n["value"]) for n in usable) / visits if visits else 0.0) - first
    found = {}
    for n in usable:
        tries, available = int(n["visits"]), int(n["available"]) + 1
        mean = float(n["value"]) / tries if tries else start
        found[int(n["action"])] = (
            mean
            + bias * float(n["prior"]) * available**0.5 / (1 + tries)
            + exploration * (np.log(available) / (1 + tries)) ** 0.5
        )
    return found


@pytest.mark.parametrize("seed", range(6))
def test_the_child_of_the_highest_bound_is_selected(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tree = random_tree(seed)
    selected = 0
    for parent in range(40):
        for player in range(3):
            own = [k for k in tree.children(parent) if tree.nodes[k]["player"] == player]
            actions = [int(tree.nodes[k]["action"]) for k in own]
            legal = [a for a in actions if rng.random() < 0.7]
            c = (float(rng.random() * 10), float(rng.random() * 5), float(rng.normal()))
            wanted = bounds(tree, parent, player, legal, c)
            before = tree.nodes.copy()
            found = _select(tree.nodes, parent, game(player, *legal), *c)
            if not wanted:
                assert found == NONE and tree.nodes.tobytes() == before.tobytes()
                continue
            selected += len(wanted) > 1
            action = int(tree.nodes[found]["action"])
            assert wanted[action] == pytest.approx(max(wanted.values()))
            # All that could have been chosen, and they alone, were available once more.
            changed = np.flatnonzero(tree.nodes["available"] != before["available"])
            assert {int(tree.nodes[k]["action"]) for k in changed} == set(legal)
            assert set(changed) <= set(own)
            assert (tree.nodes["available"] - before["available"] <= 1).all()
    assert selected > 5


def test_values_go_to_the_seats_that_chose() -> None:
    tree = Tree()
    path = [0]
    for player in (0, 1, 1, 2, 0):
        path.append(tree.add(path[-1], player, 10 + len(path)))
    beside = tree.add(0, 0, 99)
    values = np.array([1.0, 20.0, 300.0, 0.0])
    room = np.array([*path, 7, 7], np.int64)
    for _ in range(2):
        _back_up(tree.nodes, room, len(path), values)
    _back_up(tree.nodes, room, 3, values)
    nodes = tree.nodes[path]
    assert nodes["visits"].tolist() == [3, 3, 3, 2, 2, 2]
    assert nodes["value"].tolist() == [0, 3, 60, 40, 600, 2]
    assert tree.nodes[beside]["visits"] == 0


@pytest.mark.parametrize("seed", range(4))
def test_going_down_keeps_exactly_the_subtree(seed: int) -> None:
    tree = random_tree(seed)
    for child in tree.children(0):
        nodes, size = tree.nodes.copy(), tree.size.copy()
        spare = np.zeros(len(nodes), NODE_DTYPE)
        player, action = int(nodes[child]["player"]), int(nodes[child]["action"])
        wanted = statistics(nodes, child)
        assert descend(nodes, spare, size, player, action)
        assert statistics(nodes, 0) == wanted
        for name in ("visits", "value", "available"):
            assert nodes[0][name] == tree.nodes[child][name]
        assert nodes[0]["action"] == nodes[0]["player"] == nodes[0]["next_sibling"] == NONE

        def count(subtree: dict[Any, Any]) -> int:
            return sum(1 + count(entry[-1]) for entry in subtree.values())

        assert size[0] == 1 + count(wanted)


def test_where_there_is_no_such_child_nothing_happens() -> None:
    tree = random_tree(1)
    before = tree.nodes.tobytes()
    taken = {(int(tree.nodes[k]["player"]), int(tree.nodes[k]["action"])) for k in tree.children(0)}
    missing = next((0, a) for a in range(NUM_GAME_ACTIONS) if (0, a) not in taken)
    assert not descend(tree.nodes, np.zeros(200, NODE_DTYPE), tree.size, *missing)
    assert tree.nodes.tobytes() == before


def test_the_most_visited_legal_child_is_the_choice() -> None:
    tree = Tree()
    for action, player, visits, mean in (
        (1, 0, 9, 5.0),
        (2, 0, 12, 4.0),
        (3, 0, 12, 6.0),
        (4, 0, 12, 5.0),
        (5, 0, 40, 9.0),  # not legal
        (6, 1, 50, 9.0),  # another player's
        (7, 0, 0, 0.0),
    ):
        tree.set(tree.add(0, player, action, 0.5), visits=visits, value=visits * mean)
    assert best_action(tree.nodes, game(0, 1, 2, 3, 4, 7)) == 3  # of equal ones the better
    assert best_action(tree.nodes, game(0, 1, 7)) == 1
    assert best_action(tree.nodes, game(0, 7)) == NONE  # never tried
    assert best_action(tree.nodes, game(1, 6)) == 6


def test_what_is_known_of_the_root_can_be_read() -> None:
    tree = Tree()
    for action, visits, value in ((1, 4, 20.0), (2, 0, 0.0), (3, 5, 30.0)):
        tree.set(tree.add(0, 0, action, action / 8), visits=visits, value=value)
    actions, visits = np.zeros(9, np.int64), np.zeros(9, np.int64)
    means, priors = np.zeros(9), np.zeros(9)
    n = read_root(tree.nodes, game(0, 1, 2), actions, visits, means, priors)
    known = {int(actions[k]): (int(visits[k]), float(means[k]), float(priors[k])) for k in range(n)}
    assert known == {1: (4, 5.0, 0.125), 2: (0, 0.0, 0.25)}


@numba.njit
def _values(boxes: Any, games: Any, mind: Any, rivalry: float, values: Any) -> None:
    value_seats(boxes[0], games[0], mind, rivalry, values)


@pytest.mark.parametrize(
    ("vp", "rivalry", "wanted"),
    [
        # own VP less half the best rival's; then less half of what that is for the best other
        ([50, 40], 0.0, [30, 15]),
        ([50, 40], 0.5, [22.5, 0]),
        ([50, 40, 60], 0.5, [20 - 17.5, 10 - 17.5, 35 - 10]),
        ([50, 50, 10], 0.5, [12.5, 12.5, -15 - 12.5]),
        ([50], 0.5, [50 - 15]),
    ],
)
def test_every_seat_has_its_own_value(vp: list[int], rivalry: float, wanted: list[float]) -> None:
    from agents.greedy_weights import by_turns, fitted_weights
    from agents.light_weights import light_policy
    from agents.mind import make_mind
    from nijar_env import load_box
    from nijar_env.core.constants import PHASE_FINISHED

    games = np.zeros(1, GAME_DTYPE)
    games[0]["phase"] = PHASE_FINISHED
    games[0]["num_players"] = len(vp)
    games[0]["num_seats"] = max(len(vp), 2)
    games[0]["vp"][: max(len(vp), 2)] = vp if len(vp) > 1 else [*vp, 30]
    values = np.zeros(4)
    mind = make_mind(by_turns(fitted_weights()), light_policy())
    _values(load_box().record, games, mind, rivalry, values)
    assert values[: len(vp)].tolist() == wanted
