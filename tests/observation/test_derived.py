"""Derived fields say what their description promises, worked out here from box and record."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from nijar_env.components import load_box
from nijar_env.components import vocabulary as v
from nijar_env.core import constants as c
from nijar_env.core import layout as lay
from tests.observation.states import KIND_IDS, KINDS, random_states

CARDS = load_box().record[0]
ACTION_COLUMN = {**{a: a - 1 for a in range(1, 12)}, 12: 5, 13: 6, 14: 7}
SINGLES = (v.ACT_FIRE_ONE, v.ACT_PAINT_ONE, v.ACT_CLEAN_ONE)


def effects_of(card: int) -> list[list[int]]:
    kind = CARDS["card_type"][card]
    number = {v.WHEEL: int(CARDS["card_spaces"][card]), v.ESPARTO: 2, v.CLEANUP: 1}.get(kind, 0)
    return CARDS["card_effect"][card][:number].tolist()


def action_row(action: int) -> Any:
    row = np.zeros(len(lay.FEATURE_ACTIONS))
    if action:
        row[ACTION_COLUMN[action]] = 0.5 if action in SINGLES else 1.0
    return row


def draft_row(card: int) -> Any:
    effects = effects_of(card)
    actions = sum((lay.SPACE_WEIGHT * action_row(e[4]) for e in effects), np.zeros(11))
    left, right = CARDS["card_icon"][card].tolist()
    actions += action_row(left) + lay.RIGHT_WEIGHT * action_row(right)
    vp = CARDS["card_vp"][card] + CARDS["card_done_vp"][card] + sum(e[0] for e in effects)
    gains = sum(sum(e[1:4]) for e in effects)
    second = CARDS["card_type"][card] in (v.ESPARTO, v.WORKSHOP, v.FIRING_KILN)
    return [
        *(CARDS["card_cost"][card] / lay.PRICE_SCALE),
        second,
        vp / lay.POINTS_SCALE,
        CARDS["card_spaces"][card] / lay.STEPS_SCALE,
        gains / lay.POINTS_SCALE,
        *actions,
    ]


def price_row(card: int) -> list[float]:
    (glaze, crack), (_, other) = CARDS["card_paint"][card].tolist()
    return [glaze / lay.PRICE_SCALE, crack / lay.PRICE_SCALE, other / lay.PRICE_SCALE]


def game_fields(g: Any) -> dict[str, Any]:
    draft = [int(card) for card in g.draft.ravel()]
    width = len(lay.DRAFT_FEATURES)
    paint = [
        price_row(card) if card >= 0 and CARDS["card_type"][card] == v.WORKSHOP else [0, 0, 0]
        for card in draft[5:10]
    ]
    rows = np.zeros((3, v.NUM_ACTIONS))
    for r in range(3):
        for tile in g.tile[r]:
            for action in CARDS["tile_action"][tile]:
                if action:
                    rows[r, action - 1] = 1
    return {
        "price": CARDS["market_vp"][:, g.market] / lay.POINTS_SCALE,
        "row_actions": rows,
        "draft_features": [draft_row(card) if card >= 0 else [0] * width for card in draft],
        "draft_paint": paint,
    }


def own_fields(g: Any, p: int) -> dict[str, Any]:
    following = np.zeros((5, len(lay.EFFECT_FEATURES)))
    left, done_vp = np.zeros(5), np.zeros(5)
    for k, card in enumerate(g.wheel[p]):
        if card >= 0 and not g.wheel_done[p, k]:
            done_vp[k] = CARDS["card_done_vp"][card]
            left[k] = CARDS["card_spaces"][card] - g.vase[p, k]
            if left[k]:
                effect = CARDS["card_effect"][card, g.vase[p, k]]
                following[k] = [*(effect[:4] / lay.PRICE_SCALE), *action_row(int(effect[4]))]
    rewards = np.zeros((4, 2, 6))
    for k, card in enumerate(g.esparto[p]):
        if card >= 0:
            for i in range(2):
                effect = CARDS["card_effect"][card, i]
                single = [effect[4] == action for action in SINGLES]
                rewards[k, i] = [*(effect[1:4] / lay.PRICE_SCALE), *single]
    cleanup = np.zeros((13, 4))
    for k in range(g.cleanup_size[p]):
        card = g.cleanup[p, k]
        effect = CARDS["card_effect"][card, 0].tolist()
        spaces = CARDS["card_spaces"][card] - g.cleanup_cracks[p, k]
        cleanup[k] = np.array([spaces, effect[0], sum(effect[1:4]), 8 * (effect[4] > 0)]) / 8
    prices = np.zeros((13, 3))
    for k in range(g.workshop_size[p]):
        prices[k] = price_row(int(g.workshop[p, k]))
    icons = np.zeros((3, v.NUM_ACTIONS))
    rows = (
        (g.firing_kiln[p], g.firing_size[p]),
        (g.workshop[p], g.workshop_size[p]),
        (g.glaze_kiln[p], g.glaze_size[p]),
    )
    for i, (codes, size) in enumerate(rows):
        icons[i, CARDS["card_icon"][codes[size - 1], 1] - 1] = 1
    types = np.repeat(range(6), v.TYPE_COPIES)
    return {
        "own.hand_types": np.bincount(types, weights=g.hand[p], minlength=6) / lay.COPIES_SCALE,
        "own.wheel_next": following,
        "own.wheel_left": left / lay.STEPS_SCALE,
        "own.wheel_done_vp": done_vp / lay.POINTS_SCALE,
        "own.esparto_rewards": rewards,
        "own.cleanup": cleanup,
        "own.workshop_price": prices,
        "own.open_icon": icons,
    }


def pending_fields(g: Any) -> dict[str, Any]:
    kinds = np.zeros(len(c.FRAME_KINDS))
    for frame in g.frames[: g.depth]:
        kinds[frame[0]] += 1 / lay.COPIES_SCALE
    fields: dict[str, Any] = {
        "pending.kinds": kinds,
        "pending.kind": np.zeros(len(c.FRAME_KINDS)),
        "pending.left": [0.0],
        "pending.unlimited": [0.0],
        "pending.action_owed": [0.0],
        "pending.row": np.zeros(3),
        "pending.bonus": np.zeros(8),
        "pending.icons": np.zeros(v.NUM_ACTIONS),
        "pending.mask": np.zeros(v.MAX_ROW),
        "pending.piece": np.zeros(3),
    }
    if g.depth == 0:
        return fields
    kind, _, a, b, cc, d = g.frames[g.depth - 1].tolist()
    name = c.FRAME_KINDS[kind]
    fields["pending.kind"][kind] = 1
    left = {"placement": d, "acquire": a - b, "esparto": b}.get(name, 0)
    if name in ("sell", "shop", "throw", "fire", "paint", "clean"):
        left = a
    fields["pending.left"] = [max(left, 0) / lay.STEPS_SCALE]
    fields["pending.unlimited"] = [left == c.NO_LIMIT]
    mask = a if name in ("special", "rewards", "esparto") else 0
    mask = {"acquire": cc, "pay": 1 << max(b, 0)}.get(name, mask)
    fields["pending.mask"] = [(mask >> k) & 1 for k in range(v.MAX_ROW)]
    if name == "placement":
        fields["pending.row"][a] = 1
        fields["pending.action_owed"] = [b]
        fields["pending.bonus"][cc] = 1
    elif name == "sides":
        for icon in (a, b):
            fields["pending.icons"] += 0.5 * action_row(icon)[: v.NUM_ACTIONS]
    elif name == "pay":
        fields["pending.piece"][a] = 1
    return fields


def contents(g: Any, q: int) -> Any:
    rows = (
        (g.firing_piece[q], g.firing_size[q]),
        (g.workshop_piece[q], g.workshop_size[q]),
        (g.glaze_piece[q], g.glaze_size[q]),
    )
    return [np.bincount(pieces[:size] + 1, minlength=4) / 8 for pieces, size in rows]


@pytest.mark.parametrize(("players", "difficulty"), KINDS, ids=KIND_IDS)
def test_derived_fields(players: int, difficulty: str) -> None:
    fields = {field.name: field for field in lay.observation_layout(players)}
    derived = {name for name, field in fields.items() if field.visibility == lay.DERIVED}
    for number, game in enumerate(random_states(players, difficulty, seed=11)):
        g, player = game.record, number % players
        expected = {**game_fields(g), **own_fields(g, player), **pending_fields(g)}
        for i in range(players):
            expected[f"seat{i}.contents"] = contents(g, (player + i) % players)
        if players == 1:
            top = np.zeros(9)
            if g.comp_revealed:
                top[g.comp_deck[g.comp_revealed - 1]] = 1
            expected["competition.top"] = top
        assert set(expected) == derived
        observation = game.observation(player)
        for name, values in expected.items():
            field = fields[name]
            shown = observation[field.start : field.stop].reshape(field.shape)
            assert np.array_equal(shown, np.asarray(values, np.float32)), (name, number)
