"""`card_features`: all that is printed on the cards of a box as a table for networks.

Observations give cards by code (`CARD_SCALE`) or by identity, with a few features beside. An
encoder that treats cards as a set looks the rest up here: row `code` of the table.
"""

from __future__ import annotations

import functools
from typing import Final

import numpy as np
import numpy.typing as npt

from ..components.box import Box
from ..components.vocabulary import (
    ACT_FIRE,
    ACT_FIRE_ONE,
    ACT_SHAPE,
    ACTIONS,
    CARD_TYPES,
    EFFECT_ACTION,
    MAX_CARD_SPACES,
    NUM_CARD_CODES,
    RESOURCES,
)
from .layout import COPIES_SCALE, EFFECT_FEATURES, POINTS_SCALE, PRICE_SCALE, STEPS_SCALE

_SINGLE: Final = 0.5  # fire 1, paint 1, clean 1 count half of their action
_GAINS: Final = EFFECT_ACTION  # the fixed gains stand before the action


@functools.cache
def card_feature_names() -> tuple[str, ...]:
    """The names of the table's columns."""
    return (
        "copies",
        *(f"type_{name}" for name in CARD_TYPES),
        *(f"cost_{name}" for name in RESOURCES),
        *("play_vp", "done_vp", "spaces"),
        *(f"effect{k}_{name}" for k in range(MAX_CARD_SPACES) for name in EFFECT_FEATURES),
        *(f"left_{name}" for name in ACTIONS),
        *(f"right_{name}" for name in ACTIONS),
        *(f"paint{option}_{name}" for option in range(2) for name in ("glaze", "crack")),
    )


def _effect(effect: npt.NDArray[np.int16]) -> npt.NDArray[np.float32]:
    row = np.zeros(len(EFFECT_FEATURES), np.float32)
    row[:_GAINS] = effect[:_GAINS] / PRICE_SCALE
    action = int(effect[EFFECT_ACTION])
    if action > ACT_SHAPE:
        row[_GAINS - 1 + action - ACT_FIRE_ONE + ACT_FIRE] = _SINGLE
    elif action > 0:
        row[_GAINS - 1 + action] = 1.0
    return row


def _icon(action: int) -> npt.NDArray[np.float32]:
    row = np.zeros(len(ACTIONS), np.float32)
    row[np.arange(1, len(ACTIONS) + 1) == action] = 1.0
    return row


def card_features(box: Box) -> npt.NDArray[np.float32]:
    """Everything printed on each card, float32 (90, columns), by card code.

    Columns as in `card_feature_names`: copies / 4; the type, one-hot; costs / 8; wheels' VP when
    played and completed / 16; wheel or crack spaces / 8; effects (a wheel's spaces, an esparto
    card's two rewards, a cleanup card's reward as effect 0) with gains / 8 and the action at 1, a
    single move at 0.5; side icons, one-hot; prices of painting / 8. Codes that the box does not
    use have zero rows. Starting cards (80-89) count no copies.
    """
    record = box.record[0]
    table = np.zeros((NUM_CARD_CODES, len(card_feature_names())), np.float32)
    for code in range(NUM_CARD_CODES):
        if not box.is_used(code):
            continue
        table[code] = np.concatenate(
            [
                [record["card_copies"][code] / COPIES_SCALE],
                np.arange(len(CARD_TYPES)) == record["card_type"][code],
                record["card_cost"][code] / PRICE_SCALE,
                [record["card_vp"][code] / POINTS_SCALE],
                [record["card_done_vp"][code] / POINTS_SCALE],
                [record["card_spaces"][code] / STEPS_SCALE],
                *(_effect(effect) for effect in record["card_effect"][code]),
                *(_icon(int(icon)) for icon in record["card_icon"][code]),
                record["card_paint"][code].ravel() / PRICE_SCALE,
            ]
        )
    return table
