"""The state of a training run as one file without pickle, and what it takes to go on exactly.

`write_state` keeps a tree of dicts, lists, plain values and arrays; `read_state` gives it back bit
for bit. The other functions turn what a run consists of into such trees and back: random
generators, optimisers, batches of games.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import safetensors
import torch
from safetensors.numpy import load, save

from nijar_env import GameBatch

from .files import write_bytes

FORMAT: Final = "nijar-train-state-1"
_ARRAY, _TENSOR = "$array", "$tensor"
# What a `GameBatch` is besides its options: everything that a step reads or leaves behind.
_BATCH_ARRAYS: Final = (
    "action_masks",
    "current_players",
    "rewards",
    "dones",
    "final_scores",
    "final_winners",
    "final_lengths",
    "seeds",
    "episodes",
)
_BATCH_RECORDS: Final = ("games", "finished_games")


class StateError(ValueError):
    """A state file that cannot be read, or does not fit. One line, with a remedy."""


def write_state(path: Path, tree: Mapping[str, Any]) -> None:
    """Write a tree: dicts with text keys, lists, plain values, NumPy arrays, torch tensors.

    Tuples come back as lists. The old file stays until the new one is complete.
    """
    arrays: dict[str, npt.NDArray[Any]] = {}
    text = json.dumps(_take_apart(tree, "", arrays))
    write_bytes(path, save(arrays, {"format": FORMAT, "tree": text}))


def _take_apart(node: Any, name: str, arrays: dict[str, npt.NDArray[Any]]) -> Any:
    """The tree with names in place of its arrays."""
    if isinstance(node, np.ndarray):
        arrays[name] = np.array(node, order="C")
        return {_ARRAY: name}
    if isinstance(node, torch.Tensor):
        arrays[name] = np.array(node.detach().cpu().numpy(), order="C")
        return {_TENSOR: name}
    if isinstance(node, Mapping):
        wrong = [key for key in node if not isinstance(key, str)]
        if wrong:
            raise TypeError(f"keys of a state must be text, not {wrong[0]!r}")
        return {key: _take_apart(one, f"{name}/{key}", arrays) for key, one in node.items()}
    if isinstance(node, (list, tuple)):
        return [_take_apart(one, f"{name}/{i}", arrays) for i, one in enumerate(node)]
    if isinstance(node, np.generic):
        return node.item()
    return node


def read_state(path: Path) -> dict[str, Any]:
    """Read what `write_state` wrote; tensors are on the CPU.

    Raises:
        StateError: it is no such file.
        OSError: it cannot be read.
    """
    data = path.read_bytes()
    try:
        with safetensors.safe_open(path, framework="numpy") as file:
            metadata = file.metadata() or {}
        arrays = {name: np.array(array) for name, array in load(data).items()}
        if metadata.get("format") != FORMAT:
            raise ValueError(f"its format is {metadata.get('format')!r}, not {FORMAT!r}")
        tree = _put_together(json.loads(metadata["tree"]), arrays)
    except (safetensors.SafetensorError, ValueError, KeyError) as error:
        raise StateError(
            f"{path} is no checkpoint of this version ({' '.join(str(error).split())}); delete "
            "the run's folder to begin again, or give another one"
        ) from None
    return dict(tree)


def _put_together(node: Any, arrays: Mapping[str, npt.NDArray[Any]]) -> Any:
    if isinstance(node, dict):
        if len(node) == 1 and _ARRAY in node:
            return arrays[node[_ARRAY]]
        if len(node) == 1 and _TENSOR in node:
            return torch.from_numpy(arrays[node[_TENSOR]])
        return {key: _put_together(one, arrays) for key, one in node.items()}
    if isinstance(node, list):
        return [_put_together(one, arrays) for one in node]
    return node


# --- random generators ---------------------------------------------------------------------------


def seed_everything(seed: int) -> None:
    """Seed the global generators of Python, NumPy and PyTorch."""
    random.seed(seed)
    np.random.seed(seed % 2**32)  # noqa: NPY002 (stable-baselines3 draws from it)
    torch.manual_seed(seed % 2**63)


def random_states() -> dict[str, Any]:
    """The states of the global generators of Python, NumPy and PyTorch, GPUs included."""
    name, words, *rest = np.random.get_state(legacy=True)  # noqa: NPY002
    gpus = torch.cuda.get_rng_state_all() if torch.cuda.is_available() else []
    return {
        "python": list(random.getstate()),
        "numpy": [name, words, *rest],
        "torch": torch.get_rng_state(),
        "cuda": list(gpus),
    }


def restore_random_states(states: Mapping[str, Any]) -> None:
    """Set the generators to what `random_states` returned."""
    version, words, gauss = states["python"]
    random.setstate((version, tuple(words), gauss))
    name, keys, *rest = states["numpy"]
    np.random.set_state((name, keys, *rest))  # noqa: NPY002
    torch.set_rng_state(states["torch"])
    if states["cuda"] and torch.cuda.is_available():
        torch.cuda.set_rng_state_all(states["cuda"][: torch.cuda.device_count()])


# --- optimisers and games ------------------------------------------------------------------------


def optimizer_state(optimizer: torch.optim.Optimizer) -> dict[str, Any]:
    """An optimiser's state."""
    state = optimizer.state_dict()
    return {
        "state": {str(index): dict(one) for index, one in state["state"].items()},
        "groups": state["param_groups"],
    }


def restore_optimizer(optimizer: torch.optim.Optimizer, state: Mapping[str, Any]) -> None:
    """Set an optimiser, over parameters of the same shapes, to what `optimizer_state` returned."""
    # An option that is a tuple has come back as a list.
    groups = [
        {k: tuple(v) if isinstance(v, list) and k != "params" else v for k, v in group.items()}
        for group in state["groups"]
    ]
    numbered = {int(index): one for index, one in state["state"].items()}
    optimizer.load_state_dict({"state": numbered, "param_groups": groups})


def batch_state(batch: GameBatch) -> dict[str, Any]:
    """The games of a batch and how far each is; copies."""
    state: dict[str, Any] = {name: getattr(batch, name).copy() for name in _BATCH_ARRAYS}
    for name in _BATCH_RECORDS:
        records = getattr(batch, name)
        state[name] = records.view(np.uint8).reshape(len(records), records.dtype.itemsize).copy()
    return state


def restore_batch(batch: GameBatch, state: Mapping[str, Any]) -> None:
    """Set a batch that was made with the same options to what `batch_state` returned.

    Its arrays stay where they are, so views of them stay right.

    Raises:
        StateError: another number of games, or records of another version.
    """
    for name in (*_BATCH_ARRAYS, *_BATCH_RECORDS):
        target = getattr(batch, name)
        if name in _BATCH_RECORDS:
            target = target.view(np.uint8).reshape(len(target), target.dtype.itemsize)
        given = state[name]
        if given.shape != target.shape or given.dtype != target.dtype:
            raise StateError(
                f"the checkpoint's games do not fit ({name}: {given.dtype} {given.shape}, here "
                f"{target.dtype} {target.shape}); give another folder to begin again"
            )
        target[...] = given
