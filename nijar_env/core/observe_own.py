"""The observer's own part of an observation: its hand, and what its own cards give and ask."""

from __future__ import annotations

from typing import Any

from ..components.vocabulary import (
    ACT_CLEAN_ONE,
    ACT_FIRE_ONE,
    EFFECT_ACTION,
    EFFECT_CLAY,
    EFFECT_GLAZE,
    EFFECT_PG,
    EFFECT_VP,
    ESPARTO_SPACES,
    NUM_ACTIONS,
    NUM_ENDGAME_KINDS,
    WHEEL_SPACES,
)
from .jit import kernel
from .layout import (
    AT,
    COPIES_SCALE,
    EFFECT_FEATURES,
    PAINT_FEATURES,
    POINTS_SCALE,
    PRICE_SCALE,
    REWARD_FEATURES,
    STEPS_SCALE,
)
from .observe_cards import HAND_BLOCK, add_action, any_card, write_price

HAND = AT["own.hand"]
HAND_TYPES = AT["own.hand_types"]
ENDGAME_HAND = AT["own.endgame_hand"]
ENDGAME_PLAYED = AT["own.endgame_played"]
ENDGAME_DISCARDED = AT["own.endgame_discarded"]
WHEEL_NEXT = AT["own.wheel_next"]
WHEEL_LEFT = AT["own.wheel_left"]
WHEEL_DONE_VP = AT["own.wheel_done_vp"]
ESPARTO_REWARDS = AT["own.esparto_rewards"]
CLEANUP_CARD = AT["own.cleanup"]
WORKSHOP_PRICE = AT["own.workshop_price"]
OPEN_ICON = AT["own.open_icon"]

NUM_EFFECT = len(EFFECT_FEATURES)
NUM_REWARD = len(REWARD_FEATURES)
NUM_PAINT = len(PAINT_FEATURES)
NUM_CLEANUP = 4
BEFORE_ACTIONS = EFFECT_FEATURES.index("acquire") - 1
FIRST_SINGLE = REWARD_FEATURES.index("fire")


@kernel
def write_own_hand(box: Any, g: Any, p: int, out: Any) -> None:
    """The hand by identity and by type; endgame cards by kind."""
    hand = g.hand[p]
    left = int(g.hand_size[p])
    block = 0
    while left > 0:
        if any_card(hand, block):
            for card in range(block, block + HAND_BLOCK):
                copies = int(hand[card])
                if copies > 0:
                    left -= copies
                    out[HAND + card] = copies / COPIES_SCALE
                    out[HAND_TYPES + int(box.card_type[card])] += copies / COPIES_SCALE
        block += HAND_BLOCK
    for kind in range(NUM_ENDGAME_KINDS):
        out[ENDGAME_HAND + kind] = g.endgame_hand[p, kind] / COPIES_SCALE
        out[ENDGAME_PLAYED + kind] = g.endgame_played[p, kind] / COPIES_SCALE
        out[ENDGAME_DISCARDED + kind] = g.endgame_discarded[p, kind] / COPIES_SCALE


@kernel
def write_wheel(box: Any, card: int, step: int, ov: Any) -> None:
    """What the vase's next step gives: fixed gains, then the action."""
    ov[0] = box.card_effect[card, step, EFFECT_VP] / PRICE_SCALE
    ov[1] = box.card_effect[card, step, EFFECT_PG] / PRICE_SCALE
    ov[2] = box.card_effect[card, step, EFFECT_GLAZE] / PRICE_SCALE
    ov[3] = box.card_effect[card, step, EFFECT_CLAY] / PRICE_SCALE
    add_action(int(box.card_effect[card, step, EFFECT_ACTION]), 1.0, ov[BEFORE_ACTIONS:])


@kernel
def write_reward(box: Any, card: int, i: int, ov: Any) -> None:
    """A reward of an esparto card: gains or single moves (§8.10)."""
    ov[0] = box.card_effect[card, i, EFFECT_PG] / PRICE_SCALE
    ov[1] = box.card_effect[card, i, EFFECT_GLAZE] / PRICE_SCALE
    ov[2] = box.card_effect[card, i, EFFECT_CLAY] / PRICE_SCALE
    action = int(box.card_effect[card, i, EFFECT_ACTION])
    if ACT_FIRE_ONE <= action <= ACT_CLEAN_ONE:
        ov[FIRST_SINGLE + action - ACT_FIRE_ONE] = 1.0


@kernel
def write_cleanup(box: Any, card: int, cracks: int, ov: Any) -> None:
    """A cleanup card's empty spaces and its reward."""
    effect = box.card_effect[card, 0]
    gains = effect[EFFECT_PG] + effect[EFFECT_GLAZE] + effect[EFFECT_CLAY]
    ov[0] = (box.card_spaces[card] - cracks) / PRICE_SCALE
    ov[1] = effect[EFFECT_VP] / PRICE_SCALE
    ov[2] = gains / PRICE_SCALE
    ov[3] = 1.0 if effect[EFFECT_ACTION] > 0 else 0.0


@kernel
def write_open_icon(box: Any, card: int, ov: Any) -> None:
    """The right icon of a row's last card: one of the two actions of the next (§8.2, D01)."""
    icon = int(box.card_icon[card, 1])
    if icon > 0:
        ov[icon - 1] = 1.0


@kernel
def write_own(box: Any, g: Any, p: int, out: Any) -> None:
    """The hand, and what the cards of the own board give and ask."""
    write_own_hand(box, g, p, out)
    for k in range(WHEEL_SPACES):
        card, step = int(g.wheel[p, k]), int(g.vase[p, k])
        if card >= 0 and g.wheel_done[p, k] == 0:
            out[WHEEL_DONE_VP + k] = box.card_done_vp[card] / POINTS_SCALE
            left = box.card_spaces[card] - step
            out[WHEEL_LEFT + k] = left / STEPS_SCALE
            if left > 0:
                at = WHEEL_NEXT + k * NUM_EFFECT
                write_wheel(box, card, step, out[at : at + NUM_EFFECT])
    for k in range(ESPARTO_SPACES):
        card = int(g.esparto[p, k])
        if card >= 0:
            for i in range(2):
                at = ESPARTO_REWARDS + (2 * k + i) * NUM_REWARD
                write_reward(box, card, i, out[at : at + NUM_REWARD])
    for k in range(g.cleanup_size[p]):
        at = CLEANUP_CARD + k * NUM_CLEANUP
        write_cleanup(
            box, int(g.cleanup[p, k]), int(g.cleanup_cracks[p, k]), out[at : at + NUM_CLEANUP]
        )
    for k in range(g.workshop_size[p]):
        at = WORKSHOP_PRICE + k * NUM_PAINT
        write_price(box, int(g.workshop[p, k]), out[at : at + NUM_PAINT])
    write_open_icon(box, int(g.firing_kiln[p, g.firing_size[p] - 1]), out[OPEN_ICON:])
    write_open_icon(box, int(g.workshop[p, g.workshop_size[p] - 1]), out[OPEN_ICON + NUM_ACTIONS :])
    write_open_icon(
        box, int(g.glaze_kiln[p, g.glaze_size[p] - 1]), out[OPEN_ICON + 2 * NUM_ACTIONS :]
    )
