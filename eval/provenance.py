"""What a measurement was made with: enough to repeat it, and nothing that dates it."""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import Any

import numba
import numpy as np

import nijar_env
from nijar_env import Box

_besides: dict[str, str] = {}


def note_version(name: str, version: str) -> None:
    """Have `machine` name one more library that this process plays with."""
    _besides[name] = version


def agent_fingerprint(agent: object) -> str:
    """Of the file that an agent plays by; "" for one without."""
    return str(getattr(agent, "fingerprint", ""))


def processor() -> str:
    """The processor's name, as well as the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    for line in lines:
        key, _, value = line.partition(":")
        if key.strip() == "model name":
            return value.strip()
    return platform.processor() or platform.machine()


def machine() -> dict[str, Any]:
    """Processor, cores, system and the versions that matter for speed."""
    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        **_besides,
    }


def machine_line() -> str:
    """The same in one line."""
    m = machine()
    besides = "".join(f", {name.capitalize()} {version}" for name, version in _besides.items())
    return (
        f"{m['processor']}, {m['cores']} cores, {m['system']}, Python {m['python']}, "
        f"NumPy {m['numpy']}, Numba {m['numba']}{besides}"
    )


def provenance(box: Box, seed: int, command: str) -> dict[str, Any]:
    """Version, box, seed, command and machine of a measurement, as plain data."""
    return {
        "version": nijar_env.__version__,
        "box": {"name": box.name, "version": box.version, "fingerprint": box.fingerprint},
        "seed": seed,
        "command": command,
        "machine": machine(),
    }


def measured_with(box: Box, seed: int, command: str) -> str:
    """The same as lines of Markdown."""
    return (
        f"Measured with `{command}`: seed {seed}; nijar-env {nijar_env.__version__}; "
        f"box {box.name}, version {box.version}, fingerprint `{box.fingerprint}`. "
        f"{machine_line()}.\n"
    )
