"""Weights of networks as files: safetensors with what they fit in the header, no pickle.

Reading is here, for agents; `train.weights` writes. A file fits games of one number of players,
played with one box: observations of another layout would be misread, and cards of another box are
other cards.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

import nijar_env
from nijar_env import Box
from nijar_env.core.catalogue import action_names
from nijar_env.core.layout import layout_hash

from .networks.forward import architectures

FORMAT: Final = "nijar-weights-1"
# Without these a header says nothing that could be checked.
_ENTRIES: Final = (
    "network",
    "options",
    "num_players",
    "layout",
    "actions",
    "box",
    "box_fingerprint",
    "version",
)


class WeightsError(ValueError):
    """Weights that cannot be read, or do not fit. One line, with a remedy."""


@dataclass(frozen=True)
class Weights:
    """A network as a file holds it.

    Attributes:
        arrays: by name, those of a `state_dict()`.
        kind, options: which network of `agents.networks`.
        num_players: of its games; 1 is solo.
        fingerprint: of the file's content; the same weights for the same games have the same.
        metadata: the header as it stands there, all text.
    """

    arrays: dict[str, npt.NDArray[Any]]
    kind: str
    options: dict[str, Any]
    num_players: int
    fingerprint: str
    metadata: dict[str, str]


def actions_hash(box: Box) -> str:
    """Twelve hexadecimal digits that change with the catalogue of actions and the cards' ids."""
    names = "\n".join(action_names(box.card_ids))
    return hashlib.sha256(names.encode()).hexdigest()[:12]


def read_weights(path: Path, *, box: Box | None = None, num_players: int | None = None) -> Weights:
    """Read a weights file.

    Args:
        path: the file.
        box: that it is to play with; None does not look.
        num_players: that it is to play with; None does not look.

    Raises:
        WeightsError: the file cannot be read, is none, or does not fit.
    """
    metadata, arrays = _read(path)
    if metadata.get("format") != FORMAT:
        raise WeightsError(
            f"{path} holds no weights for Níjar of format {FORMAT} (its header says "
            f"{metadata.get('format')!r}); give the weights of a training run"
        )
    try:
        lacking = [name for name in _ENTRIES if name not in metadata]
        if lacking:
            raise ValueError(f"no {lacking[0]}")
        own, options = int(metadata["num_players"]), dict(json.loads(metadata["options"]))
        layout_hash(own)
    except (TypeError, ValueError) as error:
        raise WeightsError(
            f"{path} has a header that cannot be read ({error}); give the weights of a training run"
        ) from None
    kind = metadata["network"]
    if kind not in architectures():
        raise WeightsError(
            f"{path} is for a network of kind '{kind}'; this version knows "
            f"{', '.join(architectures())}"
        )
    _check_fit(path, metadata, own, box, num_players)
    return Weights(
        arrays=arrays,
        kind=kind,
        options=options,
        num_players=own,
        fingerprint=_fingerprint(arrays, metadata),
        metadata=metadata,
    )


def _read(path: Path) -> tuple[dict[str, str], dict[str, npt.NDArray[Any]]]:
    """The header and the arrays of a file."""
    try:
        import safetensors
        from safetensors.numpy import load
    except ImportError:
        raise WeightsError(
            f"{path}: reading weights needs safetensors, which is not installed: "
            "pip install -c constraints.txt -e '.[eval]'"
        ) from None
    try:
        data = path.read_bytes()
        with safetensors.safe_open(path, framework="numpy") as file:
            metadata = dict(file.metadata() or {})
        arrays = {name: np.array(array) for name, array in load(data).items()}
    except OSError as error:
        raise WeightsError(f"{path} cannot be read: {error.strerror or error}") from None
    except (safetensors.SafetensorError, ValueError) as error:
        what = " ".join(str(error).split())
        raise WeightsError(
            f"{path} is no safetensors file ({what}); give the weights of a training run"
        ) from None
    return metadata, arrays


def _check_fit(
    path: Path, metadata: Mapping[str, str], own: int, box: Box | None, num_players: int | None
) -> None:
    """Raise WeightsError where the weights, of games of `own` players, are for other games."""
    if num_players is not None and own != num_players:
        raise WeightsError(
            f"{path} plays {_games(own)}, not {_games(num_players)}; give weights that were "
            "trained for those"
        )
    present = architectures()[metadata["network"]].layout(own)
    if metadata["layout"] != present:
        raise WeightsError(
            f"{path} reads games by layout {metadata['layout']} (nijar-env "
            f"{metadata['version']}), this is {present} (nijar-env {nijar_env.__version__}); train "
            "anew, or use that version"
        )
    if box is None:
        return
    if metadata["box_fingerprint"] != box.fingerprint:
        raise WeightsError(
            f"{path} was trained with box {metadata['box']} ({metadata['box_fingerprint']}), this "
            f"is {box.name} ({box.fingerprint}); play with that box, or train with this one"
        )
    if metadata["actions"] != actions_hash(box):
        raise WeightsError(
            f"{path} chooses among actions {metadata['actions']} (nijar-env "
            f"{metadata['version']}), these are {actions_hash(box)}; train anew, or use that "
            "version"
        )


def _games(num_players: int) -> str:
    return "solo games" if num_players == 1 else f"games of {num_players} players"


def _fingerprint(arrays: Mapping[str, npt.NDArray[Any]], metadata: Mapping[str, str]) -> str:
    """Twelve hexadecimal digits of what decides how it plays: not of command and notes."""
    digest = hashlib.sha256()
    for key in ("network", "options", "num_players", "layout", "actions"):
        digest.update(f"{key}={metadata[key]}\n".encode())
    for name in sorted(arrays):
        digest.update(f"{name} {arrays[name].dtype} {arrays[name].shape}\n".encode())
        digest.update(arrays[name].tobytes())
    return digest.hexdigest()[:12]
