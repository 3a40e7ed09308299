"""Networks of kind "choices" for compiled kernels: search and playouts in the mind."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from .choice_layout import NUM_INPUTS
from .greedy_weights import NUM_FEATURES, by_turns, fitted_weights
from .mind import Mind, Network, make_mind
from .networks.forward import check_arrays, complete_options
from .weights_file import Weights

# Networks estimate VP / 50.
VP_UNIT: Final = 50.0
KIND: Final = "choices"


def mind_of(weights: Weights) -> Mind:
    """A mind that thinks with a network.

    Raises:
        ValueError: the network is of another kind, has not one hidden layer each for policy and
            value, lacks an array, or its values are not of VP.
    """
    if weights.kind != KIND:
        raise ValueError(
            f"search needs a network of kind '{KIND}', not '{weights.kind}'; train one so"
        )
    options = complete_options(KIND, weights.options)
    if len(options["hidden"]) != 1 or len(options["value_hidden"]) != 1:
        raise ValueError(
            "search needs a network with one hidden layer each for policy and value, not "
            f"{options['hidden']} and {options['value_hidden']}"
        )
    if weights.metadata.get("value") != "vp":
        raise ValueError(
            "search needs a network whose values are VP to come (reward.scheme: vp), not "
            f"{weights.metadata.get('value', 'unknown')}"
        )
    check_arrays(KIND, weights.num_players, options, weights.arrays)
    network, policy = network_of(weights)
    return make_mind(by_turns(fitted_weights()), policy, network)


def network_of(weights: Weights) -> tuple[Network, npt.NDArray[np.float32]]:
    """The network, and the weights of its heads; both with the scaling of inputs in them."""
    w = {name: array.astype(np.float64) for name, array in weights.arrays.items()}
    mean, spread = w["input_mean"], w["input_spread"]
    hidden, hidden_bias = _layer(w["hidden0_weight"], w["hidden0_bias"], mean, spread)
    # Heads are worked out four numbers at a time (`head_score`): units of nothing fill the last.
    room = -len(hidden_bias) % 4
    value_hidden, value_bias = _layer(
        w["value_hidden0_weight"], w["value_hidden0_bias"], mean, spread
    )
    value = w["value_weight"][0].copy()
    value[:NUM_INPUTS] /= spread
    shift = float(value[:NUM_INPUTS] @ mean)
    network = Network(
        hidden=np.pad(hidden, ((0, 0), (0, room))),
        hidden_bias=np.pad(hidden_bias, (0, room)),
        value_hidden=value_hidden,
        value_hidden_bias=value_bias,
        value=value * VP_UNIT,
        value_bias=(w["value_bias"] - shift) * VP_UNIT,
        rival=np.array([float(weights.metadata.get("rival", 0.0))]),
    )
    policy = w["policy_weight"].copy()
    policy[:, :NUM_FEATURES] /= spread[:NUM_FEATURES]
    policy[:, 0] -= policy[:, :NUM_FEATURES] @ mean[:NUM_FEATURES]  # the first input is always 1
    return network, np.pad(policy, ((0, 0), (0, room))).astype(np.float32)


def _layer(
    weight: npt.NDArray[np.float64],
    bias: npt.NDArray[np.float64],
    mean: npt.NDArray[np.float64],
    spread: npt.NDArray[np.float64],
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """A hidden layer over unscaled inputs: (inputs, n) and (n,)."""
    scaled = weight / spread
    moved = bias - scaled @ mean
    return np.ascontiguousarray(scaled.T, np.float32), moved.astype(np.float32)
