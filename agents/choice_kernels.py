"""Rows of numbers for networks of kind "choices" (see `choice_layout`)."""

from __future__ import annotations

from typing import Any

from nijar_env.components.vocabulary import BOARD_ROWS, NUM_ACTIONS
from nijar_env.core.jit import entry, kernel

from .choice_context import note_context
from .choice_layout import AT_COUNT, AT_MENU, AT_PAIRS, MOST_PAIRS
from .greedy_features import note_features, turns_left
from .greedy_pieces import expect_rows
from .greedy_weights import MOST_TURNS, NUM_FEATURES
from .light_heads import NUM_HEADS
from .light_items import note_items


@kernel
def write_pairs(items: Any, n: int, out: Any) -> int:
    """The pairs of the first `n` actions, to `out`, a whole row; returns how many there are.

    Actions for which there is no more room are left out whole, the last ones of the catalogue.
    """
    count = 0
    for k in range(n):
        heads, menu = int(items.count[k]), int(items.menu[k])
        rows = 0
        for row in range(BOARD_ROWS):
            rows += (menu >> row) & 1
        if count + heads + rows > MOST_PAIRS:
            break
        for i in range(heads + rows):
            at = AT_PAIRS + 3 * (count + i)
            out[at] = items.action[k]
            if i < heads:
                out[at + 1] = items.head[k, i]
                out[at + 2] = items.times[k, i]
        count += heads
        for row in range(BOARD_ROWS):
            if (menu >> row) & 1:
                at = AT_PAIRS + 3 * count
                out[at + 1] = NUM_HEADS + row
                out[at + 2] = 1.0
                count += 1
    out[AT_COUNT] = count
    return count


@entry
def write_rows(boxes: Any, mind: Any, games: Any, start: int, stop: int, out: Any) -> None:
    """What the player to act in each game of start:stop is given, to `out`, float32
    (B, ROW_SIZE); rows of games that are over keep a count of 0."""
    box = boxes[0]
    items = mind.items[0]
    for i in range(start, stop):
        g = games[i]
        p = int(g.current_player)
        out[i, AT_COUNT] = 0.0
        if p < 0:
            continue
        expect_rows(box, g, mind.expected)
        turns = turns_left(box, g, p)
        note_features(box, g, p, mind.expected, turns, mind.features[0], mind.row[0])
        for k in range(NUM_FEATURES):
            out[i, k] = mind.row[0, k]
        note_context(box, g, p, mind.expected, out[i, NUM_FEATURES:])
        items.row_actions[:] = 0
        n = note_items(box, g, turns / MOST_TURNS, mind.expected, items)
        for row in range(BOARD_ROWS):
            for action in range(NUM_ACTIONS):
                offered = (items.row_actions[row] >> action) & 1
                out[i, AT_MENU + row * NUM_ACTIONS + action] = offered
        write_pairs(items, n, out[i])
