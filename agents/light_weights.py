"""The weights of `light`: a data file beside this module, checked when it is read."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from .greedy_weights import FEATURES, NUM_FEATURES
from .light_heads import HEADS, NUM_HEADS

PATH: Final = Path(__file__).resolve().parent / "light_weights.npz"


def layout_hash() -> str:
    """A hash of the names of all heads and features, in order: what the weights belong to."""
    text = repr((HEADS, [name for name, _, _ in FEATURES]))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def write_policy(path: Path, policy: npt.NDArray[np.float32]) -> None:
    """Write weights, float32 (NUM_HEADS, NUM_FEATURES), in half precision."""
    np.savez_compressed(path, policy=policy.astype(np.float16), layout=np.array(layout_hash()))


def read_policy(path: Path) -> npt.NDArray[np.float32]:
    """The weights in a file that `write_policy` wrote.

    Raises:
        ValueError: the file is not readable, or belongs to other heads or features.
    """
    try:
        with np.load(path, allow_pickle=False) as data:
            policy, layout = np.asarray(data["policy"], np.float32), str(data["layout"])
    except Exception as error:  # a broken file fails in many ways
        raise ValueError(f"{path} holds no weights of light: {error}") from None
    if layout != layout_hash() or policy.shape != (NUM_HEADS, NUM_FEATURES):
        raise ValueError(
            f"{path} belongs to other heads or features; fit weights anew: "
            "python -m agents.light_fit --help"
        )
    return policy


@functools.cache
def light_policy() -> npt.NDArray[np.float32]:
    """float32 (NUM_HEADS, NUM_FEATURES): the weights that come with the agents."""
    policy = read_policy(PATH)
    policy.flags.writeable = False
    return policy
