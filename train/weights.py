"""Writing networks to weights files, and loading them back into PyTorch.

The files, and reading them without PyTorch, are in `agents.weights_file`. Writing needs none
either; `load_network` and `put_weights` do.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors.numpy import save

import nijar_env
from agents.networks.forward import architectures, complete_options
from agents.weights_file import FORMAT, Weights, WeightsError, actions_hash, read_weights
from nijar_env import Box

from .files import write_bytes


def header(
    *,
    kind: str,
    options: Mapping[str, Any],
    num_players: int,
    box: Box,
    command: str,
    extra: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """The metadata of a weights file."""
    return {
        **(extra or {}),
        "format": FORMAT,
        "network": kind,
        "options": json.dumps(dict(options), sort_keys=True),
        "num_players": str(num_players),
        "layout": architectures()[kind].layout(num_players),
        "actions": actions_hash(box),
        "box": box.name,
        "box_version": str(box.version),
        "box_fingerprint": box.fingerprint,
        "version": nijar_env.__version__,
        "command": command,
    }


def write_weights(
    path: Path,
    state: Mapping[str, Any],
    *,
    kind: str,
    options: Mapping[str, Any],
    num_players: int,
    box: Box,
    command: str,
    extra: Mapping[str, str] | None = None,
) -> None:
    """Write a network's weights; an old file stays until the new one is complete.

    Args:
        path: the file; its folder must be there.
        state: `network.state_dict()`: tensors, or NumPy arrays.
        kind, options: what `make_network` makes the network from.
        num_players: of the games that it plays; 1 is solo.
        box: that it was trained with.
        command: that trained it, for the reader of the file.
        extra: more for that reader.
    """
    arrays = {name: _array(value) for name, value in state.items()}
    metadata = header(
        kind=kind,
        options=options,
        num_players=num_players,
        box=box,
        command=command,
        extra=extra,
    )
    write_bytes(path, save(arrays, metadata))


def _array(value: Any) -> npt.NDArray[Any]:
    if not isinstance(value, np.ndarray):
        value = value.detach().cpu().numpy()
    return np.array(value, order="C")


def load_network(path: Path, *, box: Box | None = None, num_players: int | None = None) -> Any:
    """The network of a weights file (a `torch.nn.Module`, on the CPU, ready to play).

    Raises:
        WeightsError: as `read_weights`, or the arrays are not those of such a network.
    """
    from .networks import make_network

    weights = read_weights(path, box=box, num_players=num_players)
    network = make_network(weights.kind, weights.num_players, weights.options)
    put_weights(network, weights, path)
    network.eval()
    return network


def put_weights(network: Any, weights: Weights, path: Path) -> None:
    """Load weights into a network of the same kind and options.

    Raises:
        WeightsError: they do not fit.
    """
    import torch

    try:
        network.load_state_dict({k: torch.from_numpy(v) for k, v in weights.arrays.items()})
    except RuntimeError as error:
        what = " ".join(str(error).split())
        raise WeightsError(f"{path} does not fit its network: {what}; train anew") from None


def begin_with(network: Any, path: Path, box: Box) -> Weights:
    """Put a file's weights into a new network; returns what the file holds.

    A network that reads choices, which look the same at every table, may begin with the weights of
    another number of players.

    Raises:
        WeightsError: the file cannot be read, or is of another network, box or number of players.
    """
    players = None if network.reads == "choices" else network.num_players
    weights = read_weights(path, box=box, num_players=players)
    # An older file may lack options that have come since.
    options = complete_options(weights.kind, weights.options)
    if (weights.kind, options) != (network.kind, network.options):
        raise WeightsError(
            f"start_from: {path} is a network of kind {weights.kind} {options}, 'network' asks for "
            f"{network.kind} {network.options}; write what the file is"
        )
    put_weights(network, weights, path)
    return weights
