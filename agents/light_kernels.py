"""Entry point of light."""

from __future__ import annotations

from typing import Any

from nijar_env.core.jit import entry

from .greedy_pieces import expect_rows
from .light_policy import most_likely, sample, score_game


@entry
def choose_light(boxes: Any, mind: Any, games: Any, keys: Any, draw: bool, out: Any) -> None:
    """An action of the player to act in each game: drawn by the policy, or the most likely."""
    box = boxes[0]
    items = mind.items[0]
    for i in range(games.shape[0]):
        expect_rows(box, games[i], mind.expected)
        n = score_game(box, games[i], mind)
        k = sample(items, n, keys[i], 0) if draw else most_likely(items, n)
        out[i] = items.action[k]


@entry
def note_choices(
    boxes: Any,
    mind: Any,
    games: Any,
    chosen: Any,
    features: Any,
    counts: Any,
    heads: Any,
    times: Any,
    menus: Any,
    row_actions: Any,
    places: Any,
) -> None:
    """What light would look at in each game, and the place of the action that was chosen there, for
    fitting its weights; -1 where there are more legal actions than room."""
    box = boxes[0]
    items = mind.items[0]
    most = heads.shape[1]
    for i in range(games.shape[0]):
        expect_rows(box, games[i], mind.expected)
        items.row_actions[:] = 0
        n = score_game(box, games[i], mind)
        features[i, :] = mind.row[0]
        counts[i] = n
        row_actions[i, :] = items.row_actions
        places[i] = -1
        if n > most:
            continue
        for k in range(n):
            menus[i, k] = items.menu[k]
            if items.action[k] == chosen[i]:
                places[i] = k
            for j in range(items.count[k]):
                heads[i, k, j] = items.head[k, j]
                times[i, k, j] = items.times[k, j]
