"""The observer's own part of an observation, and the pending effects."""

from __future__ import annotations

from typing import Any

from ..components.vocabulary import (
    ACT_CLEAN_ONE,
    ACT_FIRE,
    ACT_FIRE_ONE,
    ACT_SHAPE,
    EFFECT_ACTION,
    EFFECT_CLAY,
    EFFECT_GLAZE,
    EFFECT_PG,
    EFFECT_VP,
    ESPARTO_SPACES,
    MAX_ROW,
    NUM_ACTIONS,
    NUM_CARDS,
    NUM_ENDGAME_KINDS,
    WHEEL_SPACES,
)
from .constants import (
    F_ACQUIRE,
    F_CLEAN,
    F_ESPARTO,
    F_FIRE,
    F_PAINT,
    F_PAY,
    F_PLACEMENT,
    F_REWARDS,
    F_SELL,
    F_SHOP,
    F_SIDES,
    F_SPECIAL,
    F_THROW,
    FRAME_FIELDS,
    NO_LIMIT,
)
from .jit import kernel
from .layout import (
    AT,
    COPIES_SCALE,
    EFFECT_FEATURES,
    FRAME_SCALE,
    FRAMES_SHOWN,
    HAND_COST_SCALE,
    POINTS_SCALE,
    PRICE_SCALE,
    REWARD_FEATURES,
    STEPS_SCALE,
)

HAND = AT["own.hand"]
HAND_TYPES = AT["own.hand_types"]
HAND_COST = AT["own.hand_cost"]
ENDGAME_HAND = AT["own.endgame_hand"]
ENDGAME_PLAYED = AT["own.endgame_played"]
ENDGAME_DISCARDED = AT["own.endgame_discarded"]
WHEEL_NEXT = AT["own.wheel_next"]
WHEEL_DONE_VP = AT["own.wheel_done_vp"]
ESPARTO_REWARDS = AT["own.esparto_rewards"]
CLEANUP_REWARD = AT["own.cleanup_reward"]
WORKSHOP_PRICE = AT["own.workshop_price"]
OPEN_ICON = AT["own.open_icon"]

DEPTH = AT["pending.depth"]
FRAMES = AT["pending.frames"]
KINDS = AT["pending.kinds"]
KIND = AT["pending.kind"]
LEFT = AT["pending.left"]
UNLIMITED = AT["pending.unlimited"]
ACTION_OWED = AT["pending.action_owed"]
ROW = AT["pending.row"]
BONUS = AT["pending.bonus"]
ICONS = AT["pending.icons"]
MASK = AT["pending.mask"]
PIECE = AT["pending.piece"]

NUM_EFFECT_FEATURES = len(EFFECT_FEATURES)
NUM_REWARD_FEATURES = len(REWARD_FEATURES)
FIRST_ACTION = EFFECT_FEATURES.index("acquire")
FIRST_SINGLE = REWARD_FEATURES.index("fire")


@kernel
def write_price(box: Any, card: int, ov: Any) -> None:
    """What a workshop asks for painting: glazes and cracks, and the alternative's cracks."""
    ov[0] = box.card_paint[card, 0, 0] / PRICE_SCALE
    ov[1] = box.card_paint[card, 0, 1] / PRICE_SCALE
    ov[2] = box.card_paint[card, 1, 1] / PRICE_SCALE


@kernel
def write_effect(effect: Any, ov: Any) -> None:
    """A printed effect: fixed gains, then the action; a single move counts half."""
    ov[0] = effect[EFFECT_VP] / PRICE_SCALE
    ov[1] = effect[EFFECT_PG] / PRICE_SCALE
    ov[2] = effect[EFFECT_GLAZE] / PRICE_SCALE
    ov[3] = effect[EFFECT_CLAY] / PRICE_SCALE
    action = effect[EFFECT_ACTION]
    if action > ACT_SHAPE:
        ov[FIRST_ACTION + action - ACT_FIRE_ONE + ACT_FIRE - 1] = 0.5
    elif action > 0:
        ov[FIRST_ACTION + action - 1] = 1.0


@kernel
def write_reward(effect: Any, ov: Any) -> None:
    """A reward of an esparto card: gains or single moves (§8.10)."""
    ov[0] = effect[EFFECT_PG] / PRICE_SCALE
    ov[1] = effect[EFFECT_GLAZE] / PRICE_SCALE
    ov[2] = effect[EFFECT_CLAY] / PRICE_SCALE
    action = effect[EFFECT_ACTION]
    if ACT_FIRE_ONE <= action <= ACT_CLEAN_ONE:
        ov[FIRST_SINGLE + action - ACT_FIRE_ONE] = 1.0


@kernel
def write_own_hand(box: Any, g: Any, p: int, out: Any) -> None:
    """The hand by identity, by type and by cost; endgame cards by kind."""
    hand = g.hand[p]
    ov = out[HAND : HAND + NUM_CARDS]
    for card in range(NUM_CARDS):
        ov[card] = hand[card] / COPIES_SCALE
    left = int(g.hand_size[p])
    card = 0
    while left > 0 and card < NUM_CARDS:
        copies = int(hand[card])
        if copies > 0:
            left -= copies
            out[HAND_TYPES + box.card_type[card]] += copies / COPIES_SCALE
            for i in range(4):
                out[HAND_COST + i] += copies * box.card_cost[card, i] / HAND_COST_SCALE
        card += 1
    for kind in range(NUM_ENDGAME_KINDS):
        out[ENDGAME_HAND + kind] = g.endgame_hand[p, kind] / COPIES_SCALE
        out[ENDGAME_PLAYED + kind] = g.endgame_played[p, kind] / COPIES_SCALE
        out[ENDGAME_DISCARDED + kind] = g.endgame_discarded[p, kind] / COPIES_SCALE


@kernel
def write_open_icon(box: Any, codes: Any, size: int, ov: Any) -> None:
    """The right icon of a row's last card: one of the two actions of the next (§8.2, D01)."""
    icon = box.card_icon[codes[size - 1], 1]
    if icon > 0:
        ov[icon - 1] = 1.0


@kernel
def write_own(box: Any, g: Any, p: int, out: Any) -> None:
    """The hand, and what the cards of the own board give and ask."""
    write_own_hand(box, g, p, out)
    for k in range(WHEEL_SPACES):
        card = g.wheel[p, k]
        if card >= 0 and g.wheel_done[p, k] == 0:
            out[WHEEL_DONE_VP + k] = box.card_done_vp[card] / POINTS_SCALE
            if g.vase[p, k] < box.card_spaces[card]:
                write_effect(
                    box.card_effect[card, g.vase[p, k]],
                    out[WHEEL_NEXT + k * NUM_EFFECT_FEATURES : WHEEL_DONE_VP],
                )
    for k in range(ESPARTO_SPACES):
        card = g.esparto[p, k]
        if card >= 0:
            for i in range(2):
                at = ESPARTO_REWARDS + (2 * k + i) * NUM_REWARD_FEATURES
                write_reward(box.card_effect[card, i], out[at : at + NUM_REWARD_FEATURES])
    for k in range(g.cleanup_size[p]):
        effect = box.card_effect[g.cleanup[p, k], 0]
        gains = effect[EFFECT_PG] + effect[EFFECT_GLAZE] + effect[EFFECT_CLAY]
        out[CLEANUP_REWARD + 3 * k] = effect[EFFECT_VP] / PRICE_SCALE
        out[CLEANUP_REWARD + 3 * k + 1] = gains / PRICE_SCALE
        out[CLEANUP_REWARD + 3 * k + 2] = 1.0 if effect[EFFECT_ACTION] > 0 else 0.0
    for k in range(g.workshop_size[p]):
        at = WORKSHOP_PRICE + 3 * k
        write_price(box, int(g.workshop[p, k]), out[at : at + 3])
    write_open_icon(box, g.firing_kiln[p], g.firing_size[p], out[OPEN_ICON:])
    write_open_icon(box, g.workshop[p], g.workshop_size[p], out[OPEN_ICON + NUM_ACTIONS :])
    write_open_icon(box, g.glaze_kiln[p], g.glaze_size[p], out[OPEN_ICON + 2 * NUM_ACTIONS :])


@kernel
def count_left(frame: Any) -> int:
    """How many bonuses, cards, steps, cracks, sales, rewards or moves a frame has left."""
    kind = frame[0]
    if kind == F_PLACEMENT:
        return int(frame[5])
    if kind == F_ACQUIRE:
        return int(frame[2]) - int(frame[3])
    if kind == F_ESPARTO:
        return int(frame[3])
    if (
        kind == F_SELL
        or kind == F_SHOP
        or kind == F_THROW
        or kind == F_FIRE
        or kind == F_PAINT
        or kind == F_CLEAN
    ):
        return int(frame[2])
    return 0


@kernel
def choice_mask(frame: Any) -> int:
    """The frame's set of bonuses, rows, cleanup cards or spaces; the workshop to be paid."""
    kind = frame[0]
    if kind == F_SPECIAL or kind == F_REWARDS or kind == F_ESPARTO:
        return int(frame[2])
    if kind == F_ACQUIRE:
        return int(frame[4])
    if kind == F_PAY:
        return 1 << int(frame[3])
    return 0


@kernel
def write_top(frame: Any, out: Any) -> None:
    """The top frame, spelled out for networks."""
    kind = frame[0]
    out[KIND + kind] = 1.0
    left = count_left(frame)
    if left == NO_LIMIT:
        out[UNLIMITED] = 1.0
    else:
        out[LEFT] = left / STEPS_SCALE
    mask = choice_mask(frame)
    for k in range(MAX_ROW):
        out[MASK + k] = (mask >> k) & 1
    if kind == F_PLACEMENT:
        out[ROW + frame[2]] = 1.0
        out[ACTION_OWED] = frame[3]
        out[BONUS + frame[4]] = 1.0
    elif kind == F_SIDES:
        for i in range(2, 4):
            if frame[i] > 0:
                out[ICONS + frame[i] - 1] += 0.5
    elif kind == F_PAY:
        out[PIECE + frame[2]] = 1.0


@kernel
def write_pending(g: Any, p: int, n: int, out: Any) -> None:
    """The stack of frames; seats counted from the observer."""
    depth = int(g.depth)
    out[DEPTH] = depth / FRAME_SCALE
    if depth == 0:
        return
    for k in range(depth):
        frame = g.frames[depth - 1 - k]
        out[KINDS + frame[0]] += 1.0 / COPIES_SCALE
        if k < FRAMES_SHOWN:
            at = FRAMES + k * FRAME_FIELDS
            out[at] = (frame[0] + 1) / FRAME_SCALE
            out[at + 1] = (frame[1] + n - p) % n / FRAME_SCALE
            for i in range(2, FRAME_FIELDS):
                out[at + i] = frame[i] / FRAME_SCALE
    write_top(g.frames[depth - 1], out)
