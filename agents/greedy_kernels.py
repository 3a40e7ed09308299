"""Entry points of greedy: following plans, and planning for a batch of games."""

from __future__ import annotations

from typing import Any

import numpy as np

from nijar_env.components.vocabulary import NUM_PIECES, NUM_ROUNDS
from nijar_env.core.catalogue import NUM_GAME_ACTIONS
from nijar_env.core.constants import PHASE_MARKET
from nijar_env.core.decisions import choose
from nijar_env.core.jit import entry, kernel
from nijar_env.core.kernels import copy_game

from .greedy_features import best_rival, note_features, turns_left
from .greedy_pieces import expect_rows
from .greedy_search import choose_dice, own_base, plan_turn, settle_turn
from .greedy_weights import RIVAL_VP

UNPLANNED = -1
_FACTOR, _PRIME = 1_000_003, 2_147_483_647


@kernel
def mask_code(mask: Any) -> int:
    """A number that tells masks apart: a plan is followed only where its mask turns up."""
    code = 0
    for action in range(NUM_GAME_ACTIONS):
        if mask[action]:
            code = (code * _FACTOR + action + 1) % _PRIME
    return code


@kernel
def only_legal(mask: Any) -> int:
    """The action of a mask that has a single one, else -1."""
    found = -1
    for action in range(NUM_GAME_ACTIONS):
        if mask[action]:
            if found >= 0:
                return -1
            found = action
    return found


@entry
def follow_plans(masks: Any, rows: Any, ids: Any, players: Any, plans: Any, out: Any) -> None:
    """The next action of each game's plan, UNPLANNED where it has none that fits.

    `plans` is an array of PLAN_DTYPE by row of the batch (see `greedy`).
    """
    for i in range(masks.shape[0]):
        plan = plans[rows[i]]
        out[i] = only_legal(masks[i])
        if out[i] >= 0:
            continue
        at = plan.at
        if plan.game == ids[i] and plan.player == players[i] and at < plan.length:
            action = plan.moves[at]
            if masks[i, action] and plan.codes[at] == mask_code(masks[i]):
                out[i] = action
                plan.at = at + 1


@kernel
def load(pool: Any, raw: Any, raw_games: Any, i: int, depth: int) -> None:
    """Put a game into pool[0]; what its decks would bring is not for the search to know."""
    copy_game(raw, 0, raw_games, i, depth)
    pool[0].deck_size[:] = 0


@kernel
def note_codes(box: Any, g: Any, path: Any, plan: Any) -> None:
    """Play a plan through in `g` and note the mask that each of its actions belongs to."""
    p = int(g.current_player)
    base = own_base(g, p)
    for k in range(plan.length):
        plan.moves[k] = path[k]
        plan.codes[k] = mask_code(g.legal)
        choose(box, g, path[k])
        settle_turn(box, g, p, base)


@entry
def plan_games(
    boxes: Any,
    weights: Any,
    games: Any,
    raw_games: Any,
    rows: Any,
    ids: Any,
    plans: Any,
    pool: Any,
    raw: Any,
    features: Any,
    feature_rows: Any,
    path: Any,
    out: Any,
) -> None:
    """Plan the turn of the player to act in each game; note the plan and give its first action."""
    box = boxes[0]
    f, row = features[0], feature_rows[0]
    for i in range(games.shape[0]):
        g = games[i]
        plan = plans[rows[i]]
        plan.game = ids[i]
        plan.player = g.current_player
        plan.at = 0
        plan.length = 0
        load(pool, raw, raw_games, i, g.depth)
        if g.phase == PHASE_MARKET:
            out[i] = choose_dice(box, weights, pool, raw, f, row)
            continue
        plan.length = plan_turn(box, weights, pool, raw, f, row, path)
        load(pool, raw, raw_games, i, g.depth)
        note_codes(box, pool[0], path, plan)
        out[i] = path[0]
        plan.at = 1


@entry
def note_plans(
    boxes: Any,
    games: Any,
    raw_games: Any,
    rows: Any,
    plans: Any,
    pool: Any,
    raw: Any,
    features: Any,
    feature_rows: Any,
    out: Any,
    turns: Any,
    worth: Any,
    again: Any,
) -> None:
    """Where the new plan of each game leads, for fitting weights: features, turns left, VP less
    the rival's share; and whether the turn had begun before it was planned."""
    box = boxes[0]
    expected = np.empty((NUM_ROUNDS, NUM_PIECES), np.float64)
    for i in range(games.shape[0]):
        plan = plans[rows[i]]
        g = pool[0]
        load(pool, raw, raw_games, i, games[i].depth)
        p = int(g.current_player)
        base = own_base(g, p)
        again[i] = g.depth > 0 and g.turn_player == p
        expect_rows(box, g, expected)
        for k in range(plan.length):
            choose(box, g, plan.moves[k])
            settle_turn(box, g, p, base)
        turns[i] = turns_left(box, g, p)
        note_features(box, g, p, expected, turns[i], features[0], feature_rows[0])
        out[i, :] = feature_rows[0]
        worth[i] = g.vp[p] - RIVAL_VP * best_rival(g, p)
