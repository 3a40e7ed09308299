"""What planning kernels think with: weights, and room for features, scores and plans."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from nijar_env.components.vocabulary import BOARD_ROWS, DRAFT_SPACES, NUM_PIECES, NUM_ROUNDS
from nijar_env.core.catalogue import NUM_GAME_ACTIONS

from .greedy_weights import FEATURES_DTYPE, MAX_PLIES, NUM_FEATURES
from .light_heads import MOST_ITEMS

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


class Mind(NamedTuple):
    """Passed to kernels beside the box and the game.

    Attributes:
        weights: float64 (MOST_TURNS + 1, NUM_FEATURES): greedy's, by turns left.
        policy: float32 (NUM_HEADS, NUM_FEATURES): light's.
        expected: float64 (rounds, pieces): market rows to expect (`expect_rows`), set by game.
        items: ITEMS_DTYPE (1,): the heads of the legal actions of a position.
        features: FEATURES_DTYPE (1,): the features of a position.
        row: float64 (1, NUM_FEATURES): the same memory.
    """

    weights: Any
    policy: Any
    expected: Any
    items: Any
    features: Any
    row: Any


def make_mind(weights: Any, policy: Any) -> Mind:
    """A mind of one's own: kernels that run at the same time must not share one."""
    features = np.zeros(1, FEATURES_DTYPE)
    return Mind(
        np.ascontiguousarray(weights, np.float64),
        np.ascontiguousarray(policy, np.float32),
        np.zeros((NUM_ROUNDS, NUM_PIECES), np.float64),
        np.zeros(1, ITEMS_DTYPE),
        features,
        features.view(np.float64).reshape(1, NUM_FEATURES),
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
