"""What planning kernels think with: weights, and room for features, scores and plans."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from nijar_env.components.vocabulary import BOARD_ROWS, DRAFT_SPACES, NUM_PIECES, NUM_ROUNDS
from nijar_env.core.catalogue import NUM_GAME_ACTIONS

from .choice_layout import NUM_CONTEXT, NUM_INPUTS
from .greedy_weights import FEATURES_DTYPE, MAX_PLIES, NUM_FEATURES
from .light_heads import MOST_ITEMS, NUM_HEADS

ITEMS_DTYPE: Final = np.dtype(
    (
        np.record,
        [
            ("action", np.int16, (NUM_GAME_ACTIONS,)),  # the legal actions, by place
            ("count", np.int8, (NUM_GAME_ACTIONS,)),  # heads of each
            ("menu", np.int8, (NUM_GAME_ACTIONS,)),  # rows to choose an action from, as bits
            ("head", np.int16, (NUM_GAME_ACTIONS, MOST_ITEMS)),
            ("times", np.float32, (NUM_GAME_ACTIONS, MOST_ITEMS)),
            ("score", np.float32, (NUM_GAME_ACTIONS,)),
            ("row_actions", np.int16, (BOARD_ROWS,)),  # actions of each row, as bits
            ("draft", np.float64, (DRAFT_SPACES,)),  # worth of the cards of the draft area
        ],
    )
)

PLAYOUTS: Final = ("random", "light")
PLAYOUT_RANDOM, PLAYOUT_LIGHT = range(2)

# Of `mcts`; VP where not said otherwise.
PARAMETERS_DTYPE: Final = np.dtype(
    (
        np.record,
        [
            ("bias", np.float64),  # weight of the prior (see `mcts_tree.select_child`)
            ("exploration", np.float64),  # weight of the UCT bound
            ("first", np.float64),  # what a choice never tried is thought to be worse than others
            ("evenness", np.float64),  # share of the priors that is even
            (
                "rivalry",
                np.float64,
            ),  # share of the best rival's value that counts against one's own
            ("turns", np.int64),  # an iteration is valued where the player would begin this turn
            ("playout", np.int64),  # PLAYOUT_*
        ],
    )
)


class Network(NamedTuple):
    """A network of kind "choices" with one hidden layer, as kernels want it.

    Inputs are not scaled any more: the weights are. Arrays of no columns stand for no network:
    then the policy is linear (light), and positions are valued by greedy's evaluation.

    Attributes:
        hidden: float32 (NUM_INPUTS, n): of the policy's hidden layer; biases float32 (n,).
        value_hidden: float32 (NUM_INPUTS, m): of the value's; biases float32 (m,).
        value: float64 (NUM_INPUTS + m,): VP to come, of the inputs and that layer.
        value_bias: float64 (1,).
        rival: float64 (1,): share of the others' mean VP to come that this is less.
    """

    hidden: Any
    hidden_bias: Any
    value_hidden: Any
    value_hidden_bias: Any
    value: Any
    value_bias: Any
    rival: Any


def no_network() -> Network:
    """What stands for no network."""
    nothing, none = np.zeros((NUM_INPUTS, 0), np.float32), np.zeros(0, np.float32)
    zero = np.zeros(1, np.float64)
    return Network(nothing, none, nothing, none, np.zeros(NUM_INPUTS), zero, zero)


class Mind(NamedTuple):
    """Passed to kernels beside the box and the game.

    Attributes:
        weights: float64 (MOST_TURNS + 1, NUM_FEATURES): greedy's, by turns left.
        policy: float32 (NUM_HEADS, NUM_FEATURES + n): of light, or of a network whose hidden layer
            has n units.
        expected: float64 (rounds, pieces): market rows to expect (`expect_rows`), set by game.
        items: ITEMS_DTYPE (1,): the heads of the legal actions of a position.
        features: FEATURES_DTYPE (1,): the features of a position.
        row: float64 (1, NUM_FEATURES): the same memory.
        network: see `Network`.
        context: float64 (NUM_CONTEXT,): of a position.
        seen: float64 (NUM_FEATURES + n,): what heads are scored by, where there is a network.
        units: float32 (n,), value_units: float32 (m,): hidden layers.
        scores: float64 (NUM_HEADS,): of heads in a position, as far as they are known.
        known: int64 (NUM_HEADS + 1,): the last is the position's number; a head whose number it
            is has been scored.
    """

    weights: Any
    policy: Any
    expected: Any
    items: Any
    features: Any
    row: Any
    network: Any
    context: Any
    seen: Any
    units: Any
    value_units: Any
    scores: Any
    known: Any


def make_mind(weights: Any, policy: Any, network: Network | None = None) -> Mind:
    """A mind of one's own: kernels that run at the same time must not share one."""
    features = np.zeros(1, FEATURES_DTYPE)
    network = network or no_network()
    return Mind(
        np.ascontiguousarray(weights, np.float64),
        # A copy that can be written: kernels would be compiled anew for one that cannot.
        np.array(policy, np.float32, order="C"),
        np.zeros((NUM_ROUNDS, NUM_PIECES), np.float64),
        np.zeros(1, ITEMS_DTYPE),
        features,
        features.view(np.float64).reshape(1, NUM_FEATURES),
        network,
        np.zeros(NUM_CONTEXT, np.float64),
        np.zeros(policy.shape[1], np.float64),
        np.zeros(network.hidden.shape[1], np.float32),
        np.zeros(network.value_hidden.shape[1], np.float32),
        np.zeros(NUM_HEADS, np.float64),
        np.zeros(NUM_HEADS + 1, np.int64),
    )


class Candidates(NamedTuple):
    """Plans for one turn, k of them at most.

    Attributes:
        values: float64 (k,): greedy's evaluation of where they end, the highest first.
        lengths: int64 (k,).
        paths: int64 (k, MAX_PLIES): their actions.
        means: float64 (k,): the mean over the futures looked at.
        looks: int64 (k,): how many those were.
        order: int64 (k,): the best first.
    """

    values: Any
    lengths: Any
    paths: Any
    means: Any
    looks: Any
    order: Any


def make_candidates(plans: int) -> Candidates:
    """Room for so many plans."""
    return Candidates(
        np.zeros(plans, np.float64),
        np.zeros(plans, np.int64),
        np.zeros((plans, MAX_PLIES), np.int64),
        np.zeros(plans, np.float64),
        np.zeros(plans, np.int64),
        np.zeros(plans, np.int64),
    )
