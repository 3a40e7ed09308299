"""The network of kind "choices": every legal action is scored by what it refers to.

It is given `choice_layout`'s rows: features of the position, and for each legal action the heads
that say what it is (a card, its type, its worth; a piece, its price; a bonus; a row of the board).
A small network over the features gives every head a score, linear in greedy's features besides;
an action's score is the sum of its heads' scores, each times its number. `light` is the linear part
alone, and that is how training begins.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from nijar_env import Box
from nijar_env.components.vocabulary import NUM_ACTIONS

from ..choice_layout import (
    AT_COUNT,
    AT_MENU,
    AT_PAIRS,
    MOST_PAIRS,
    NUM_INPUTS,
    NUM_MENU,
    choice_layout_hash,
)
from ..greedy_weights import NUM_FEATURES
from ..light_heads import H_ACTION, MOST_SCORE, NUM_HEADS
from ..light_weights import light_policy
from .forward import POLICY_GAIN, Architecture, Array, Ops, Options, Shape, check_width

# Odds of a row of the board that offers no action at all.
NOTHING: Final = 1e-6
# What the policy is before training: light's, or nearly even.
BEGINNINGS: Final = ("light", "even")


def _check(options: Options) -> None:
    if options["begin"] not in BEGINNINGS:
        raise ValueError(f"begin must be {' or '.join(BEGINNINGS)}, not {options['begin']!r}")
    for name in ("hidden", "value_hidden"):
        if len(options[name]) > 3:
            raise ValueError(f"{name} must list at most 3 layer sizes, not {options[name]!r}")
        for size in options[name]:
            check_width("a hidden layer's size", size, 1024)


def _shapes(num_players: int, options: Options) -> dict[str, Shape]:
    shapes: dict[str, Shape] = {}
    for part in ("hidden", "value_hidden"):
        size = NUM_INPUTS
        for number, width in enumerate(options[part]):
            shapes[f"{part}{number}_weight"] = Shape((width, size))
            shapes[f"{part}{number}_bias"] = Shape((width,), "zeros")
            size = width
    last = options["hidden"][-1] if options["hidden"] else 0
    shapes["policy_weight"] = Shape((NUM_HEADS, NUM_FEATURES + last), gain=POLICY_GAIN)
    last = options["value_hidden"][-1] if options["value_hidden"] else 0
    shapes["value_weight"] = Shape((1, NUM_INPUTS + last), gain=0.1)
    shapes["value_bias"] = Shape((1,), "zeros")
    return shapes


def _constants(box: Box) -> dict[str, npt.NDArray[np.float32]]:
    from ..choice_rows import input_statistics

    mean, spread = input_statistics(box)
    return {"input_mean": mean, "input_spread": spread}


def _layers(ops: Ops, w: Mapping[str, Array], x: Array, part: str, options: Options) -> list[Array]:
    """The last hidden layer, if there is one."""
    for number in range(len(options[part])):
        x = ops.relu(ops.linear(x, w[f"{part}{number}_weight"], w[f"{part}{number}_bias"]))
    return [x] if options[part] else []


def _forward(
    ops: Ops, w: Mapping[str, Array], rows: Array, num_players: int, options: Options
) -> tuple[Array, Array]:
    x = (rows[:, :NUM_INPUTS] - w["input_mean"]) / w["input_spread"]
    beside = [x[:, :NUM_FEATURES], *_layers(ops, w, x, "hidden", options)]
    heads = ops.linear(ops.concat(beside, 1), w["policy_weight"])
    odds = ops.exp(ops.at_most(heads[:, H_ACTION : H_ACTION + NUM_ACTIONS], MOST_SCORE))
    offered = rows[:, AT_MENU : AT_MENU + NUM_MENU].reshape(len(rows), -1, NUM_ACTIONS)
    menus = ops.log((offered * odds[:, None]).sum(-1) + NOTHING)
    pairs = rows[:, AT_PAIRS:].reshape(len(rows), MOST_PAIRS, 3)
    logits = ops.add_pairs(ops.concat([heads, menus], 1), pairs, rows[:, AT_COUNT])
    seen = ops.concat([x, *_layers(ops, w, x, "value_hidden", options)], 1)
    return logits, ops.linear(seen, w["value_weight"], w["value_bias"])[:, 0]


def _begin(
    constants: Mapping[str, npt.NDArray[np.float32]], options: Options
) -> dict[str, npt.NDArray[np.float32]]:
    """Weights that play as `light` does, if wanted."""
    if options["begin"] != "light":
        return {}
    light = light_policy().astype(np.float64)
    hidden = options["hidden"][-1] if options["hidden"] else 0
    weight = np.zeros((NUM_HEADS, NUM_FEATURES + hidden), np.float32)
    weight[:, :NUM_FEATURES] = light * constants["input_spread"][:NUM_FEATURES]
    weight[:, 0] += light @ constants["input_mean"][:NUM_FEATURES]
    return {"policy_weight": weight}


CHOICES: Final = Architecture(
    defaults={"hidden": [128], "value_hidden": [64], "begin": "light"},
    check=_check,
    shapes=_shapes,
    forward=_forward,
    constants=_constants,
    constant_names=("input_mean", "input_spread"),
    begin=_begin,
    reads="choices",
    layout=lambda num_players: choice_layout_hash(),
)
