"""Networks of kind "choices" for the tests, and what compiled kernels make of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from agents.choice_network import mind_of
from agents.greedy_pieces import expect_rows
from agents.light_policy import learned_value, score_game
from agents.mind import Mind
from agents.networks.forward import NumpyOps, architectures, complete_options
from agents.weights_file import Weights
from nijar_env import load_box

# Six units: heads are worked out four numbers at a time.
SMALL: dict[str, Any] = {"hidden": [6], "value_hidden": [5]}
Arrays = dict[str, npt.NDArray[Any]]


def make_arrays(options: dict[str, Any], seed: int = 0, *, like_light: bool = False) -> Arrays:
    """Random weights; `like_light`: of a policy that is light's."""
    rng = np.random.default_rng(seed)
    architecture = architectures()["choices"]
    complete = complete_options("choices", options)
    constants = architecture.constants(load_box())
    arrays = {
        name: (rng.standard_normal(shape.size) * 0.2).astype(np.float32)
        for name, shape in architecture.shapes(1, complete).items()
    }
    if like_light:
        arrays |= architecture.begin(constants, complete)
    return {**arrays, **constants}


def make_weights(
    seed: int = 0,
    options: dict[str, Any] = SMALL,
    *,
    players: int = 1,
    like_light: bool = False,
    **metadata: str,
) -> Weights:
    """Weights as a file of a run would hold them, whose rewards were VP less those of rivals."""
    return Weights(
        arrays=make_arrays(options, seed, like_light=like_light),
        kind="choices",
        options=complete_options("choices", options),
        num_players=players,
        fingerprint="",
        metadata={"value": "vp", "rival": "0.5", **metadata},
    )


def write_network(path: Path, weights: Weights) -> Path:
    """The file of such weights."""
    from train.weights import write_weights

    write_weights(
        path,
        weights.arrays,
        kind=weights.kind,
        options=weights.options,
        num_players=weights.num_players,
        box=load_box(),
        command="test",
        extra=weights.metadata,
    )
    return path


def forward(
    weights: Weights, rows: npt.NDArray[np.float32]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Scores and values by the pass that is trained, in NumPy."""
    logits, values = architectures()["choices"].forward(
        NumpyOps(), weights.arrays, rows, weights.num_players, weights.options
    )
    return logits, values


@numba.njit
def _think(boxes: Any, games: Any, mind: Any, out: Any) -> int:
    expect_rows(boxes[0], games[0], mind.expected)
    n = score_game(boxes[0], games[0], mind)
    out[0] = learned_value(mind) if mind.network.value_hidden.shape[1] > 0 else 0.0
    return n


def think(
    mind: Mind, games: Any, box: Any = None
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64], float]:
    """The legal actions of the first game, their odds (1 for the likeliest), and the VP to come
    that a network expects."""
    value = np.zeros(1)
    n = int(_think((box or load_box()).record, games, mind, value))
    items = mind.items[0]
    return (
        items.action[:n].astype(np.int64),
        items.score[:n].astype(np.float64),
        float(value[0]),
    )


def probabilities(logits: npt.NDArray[Any], legal: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Of all actions, 0 for those that are not legal."""
    scores = np.where(legal != 0, logits.astype(np.float64), -np.inf)
    odds = np.exp(scores - scores.max())
    return np.asarray(odds / odds.sum())


__all__ = ["SMALL", "forward", "make_arrays", "make_weights", "mind_of", "probabilities", "think"]
