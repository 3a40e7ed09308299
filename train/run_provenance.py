"""What a run is: its `provenance.json`, and whether a folder's run is the same as another."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, Final

import torch
from pydantic import BaseModel

import nijar_env
from agents.networks.forward import architectures
from agents.weights_file import actions_hash
from eval.provenance import provenance
from nijar_env import Box
from nijar_env.core.layout import layout_hash

from .config import as_plain

FORMAT: Final = "nijar-run-1"
PROVENANCE: Final = "provenance.json"
_PACKAGES: Final = ("torch", "stable_baselines3", "sb3_contrib", "safetensors", "pydantic")

_Pair = tuple[str, Any, Any]  # what something is called, there and here


class RunError(ValueError):
    """A folder that a run cannot go on in. One line, with a remedy."""


def versions() -> dict[str, str]:
    """Of the packages that training uses."""
    found = {}
    for name in _PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "not installed"
    return found


def device_name(device: torch.device) -> str:
    """A device as its maker names it, where torch knows."""
    if device.type == "cuda":
        return f"{device}: {torch.cuda.get_device_name(device)}"
    return str(device)


def provenance_of(
    config: BaseModel,
    kind: str,
    box: Box,
    num_players: int,
    command: str,
    device: torch.device | str,
) -> dict[str, Any]:
    """All that is to be known of a run; see `Run` for the arguments."""
    plain = as_plain(config)
    return {
        "format": FORMAT,
        "kind": kind,
        **provenance(box, int(plain.get("seed", 0)), command),
        "packages": versions(),
        "device": device_name(torch.device(device)),
        "num_players": num_players,
        "layout": _layout(config, num_players),
        "actions": actions_hash(box),
        "config": plain,
    }


def _read_json(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise RunError(f"{path} cannot be read ({error}); give another folder") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise RunError(f"{path} is of another version; give another folder")
    return data


def _completed(earlier: dict[str, Any], config: BaseModel) -> dict[str, Any]:
    """What a run was, with today's defaults for keys that its configuration did not have yet."""
    try:
        whole = type(config).model_validate(earlier["config"])
    except ValueError:
        return earlier
    return {**earlier, "config": as_plain(whole)}


def _layout(config: Any, num_players: int) -> str:
    """The hash of what the network of a configuration reads."""
    kind = getattr(getattr(config, "network", None), "kind", "")
    known = architectures()
    return known[kind].layout(num_players) if kind in known else layout_hash(num_players)


def _flat(data: Mapping[str, Any], name: str = "") -> dict[str, Any]:
    """A tree of dicts as one, with dotted keys."""
    out: dict[str, Any] = {}
    for key, value in data.items():
        if isinstance(value, Mapping):
            out.update(_flat(value, f"{name}{key}."))
        else:
            out[name + key] = value
    return out


def check_same(folder: Path, present: Mapping[str, Any], config: BaseModel) -> None:
    """See that a folder's run is the one that `provenance_of` tells of.

    Raises:
        RunError: it is not; the message names what differs.
        OSError: it cannot be read.
    """
    _check(folder, config, ("kind", "version", "num_players", "layout", "actions", "box"), present)


def check_settings(folder: Path, config: BaseModel) -> None:
    """See that a folder's run is one of this version with this configuration.

    Raises:
        RunError: it is not; the message names what differs.
        OSError: it cannot be read.
    """
    _check(folder, config, ("version",), {"version": nijar_env.__version__})


def _check(
    folder: Path, config: BaseModel, facts: Sequence[str], present: Mapping[str, Any]
) -> None:
    """Raise RunError unless a folder's run has these facts and this configuration."""
    path = folder / PROVENANCE
    earlier = _read_json(path)
    try:
        before = _completed(earlier, config)
        pairs = [(name, _fact(before, name), _fact(present, name)) for name in facts]
        pairs += _settings(before["config"], as_plain(config))
    except (AttributeError, KeyError, TypeError):
        raise RunError(f"{path} is damaged; give another folder") from None
    _refuse(folder, pairs)


def _fact(provenance: Mapping[str, Any], name: str) -> Any:
    """An entry; of the box its fingerprint, which says all that its name does."""
    return provenance["box"]["fingerprint"] if name == "box" else provenance.get(name)


def _settings(earlier: Mapping[str, Any], present: Mapping[str, Any]) -> list[_Pair]:
    """Each key of two configurations with both values."""
    before, here = _flat(earlier), _flat(present)
    return [(key, before.get(key), here.get(key)) for key in dict.fromkeys([*here, *before])]


def _refuse(folder: Path, pairs: Sequence[_Pair]) -> None:
    differing = [f"{name} is {old!r} there, {new!r} here" for name, old, new in pairs if old != new]
    if differing:
        shown = "; ".join(differing[:3]) + ("; ..." if len(differing) > 3 else "")
        raise RunError(f"{folder} holds another run: {shown}; give another --out")
