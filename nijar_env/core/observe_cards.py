"""Features of the box's game cards, as observations show them; worked out once a call.

Of one game only the cards in the draft area: those are all that its observation shows.
"""

from __future__ import annotations

from typing import Any

from ..components.vocabulary import (
    ACT_FIRE,
    ACT_FIRE_ONE,
    ACT_SHAPE,
    CLEANUP,
    EFFECT_ACTION,
    EFFECT_CLAY,
    EFFECT_GLAZE,
    EFFECT_PG,
    EFFECT_VP,
    ESPARTO,
    NUM_CARDS,
    WHEEL,
)
from .jit import kernel
from .layout import (
    DRAFT_FEATURES,
    PAINT_FEATURES,
    POINTS_SCALE,
    PRICE_SCALE,
    RIGHT_WEIGHT,
    SPACE_WEIGHT,
    STEPS_SCALE,
)

NUM_FEATURES = len(DRAFT_FEATURES)
NUM_CARD_FEATURES = NUM_FEATURES + len(PAINT_FEATURES)
SECOND_TYPE = DRAFT_FEATURES.index("second_type")
VP = DRAFT_FEATURES.index("vp")
SPACES = DRAFT_FEATURES.index("spaces")
GAINS = DRAFT_FEATURES.index("gains")
BEFORE_ACTIONS = DRAFT_FEATURES.index("acquire") - 1
SINGLE = 0.5  # a single move, of the whole action
HAND_BLOCK = 8  # identities looked at together: most are not in hand
assert NUM_CARDS % HAND_BLOCK == 0


@kernel
def any_card(hand: Any, first: int) -> bool:
    """Whether a block of a hand's identities holds a card."""
    found = 0
    for card in range(first, first + HAND_BLOCK):
        found |= hand[card]
    return found != 0


@kernel
def write_price(box: Any, card: int, ov: Any) -> None:
    """What a workshop asks for painting: glazes and cracks, and the alternative's cracks."""
    ov[0] = box.card_paint[card, 0, 0] / PRICE_SCALE
    ov[1] = box.card_paint[card, 0, 1] / PRICE_SCALE
    ov[2] = box.card_paint[card, 1, 1] / PRICE_SCALE


@kernel
def add_action(action: int, weight: float, ov: Any) -> None:
    """Count an action; `ov` begins one place before the first, where no action falls."""
    if action > ACT_SHAPE:
        ov[ACT_FIRE + action - ACT_FIRE_ONE] += SINGLE * weight
    elif action > 0:
        ov[action] += weight


@kernel
def write_card(box: Any, card: int, ov: Any) -> None:
    """The features of one game card (see `layout`, `draft_features`)."""
    kind = box.card_type[card]
    for i in range(4):
        ov[i] = box.card_cost[card, i] / PRICE_SCALE
    ov[SECOND_TYPE] = kind % 2
    ov[SPACES] = box.card_spaces[card] / STEPS_SCALE
    actions = ov[BEFORE_ACTIONS:]
    add_action(int(box.card_icon[card, 0]), 1.0, actions)
    add_action(int(box.card_icon[card, 1]), RIGHT_WEIGHT, actions)
    effects = 0
    if kind == WHEEL:
        effects = int(box.card_spaces[card])
    elif kind == ESPARTO:
        effects = 2
    elif kind == CLEANUP:
        effects = 1
    vp = int(box.card_vp[card]) + int(box.card_done_vp[card])
    gains = 0
    for k in range(effects):
        effect = box.card_effect[card, k]
        vp += effect[EFFECT_VP]
        gains += effect[EFFECT_PG] + effect[EFFECT_GLAZE] + effect[EFFECT_CLAY]
        add_action(int(effect[EFFECT_ACTION]), SPACE_WEIGHT, actions)
    ov[VP] = vp / POINTS_SCALE
    ov[GAINS] = gains / POINTS_SCALE
    write_price(box, card, ov[NUM_FEATURES:])


@kernel
def write_card_features(box: Any, cards: Any) -> None:
    """Fill float32 (NUM_CARDS, NUM_CARD_FEATURES), which must be zero."""
    for card in range(NUM_CARDS):
        if box.card_type[card] >= 0:
            write_card(box, card, cards[card])


@kernel
def write_drafted_features(box: Any, g: Any, cards: Any) -> None:
    """`write_card_features` for the cards in the draft area alone; other rows stay as they are."""
    for row in range(g.draft.shape[0]):
        for column in range(g.draft.shape[1]):
            card = int(g.draft[row, column])
            if card >= 0:
                cards[card, :] = 0.0
                write_card(box, card, cards[card])
