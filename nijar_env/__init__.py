"""Níjar, the board game of pottery workshops, as a reinforcement-learning environment.

    from nijar_env import Game, GameBatch

Everything is imported on first use: `import nijar_env` itself loads no compiled kernels.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from . import registration as registration  # Gymnasium ids, names only

if TYPE_CHECKING:
    from . import nijar_v0
    from .batch import GameBatch
    from .components import Box, BoxError, load_box
    from .errors import EngineFault, IllegalActionError, NijarError, SceneError
    from .game import Game

__version__ = "0.1.0"
"""The version of the package: docs/versioning.md says what it promises."""

_HOMES = {
    "Box": "components",
    "BoxError": "components",
    "EngineFault": "errors",
    "Game": "game",
    "GameBatch": "batch",
    "IllegalActionError": "errors",
    "NijarError": "errors",
    "SceneError": "errors",
    "load_box": "components",
}
_MODULES = ("nijar_v0",)

__all__ = [
    "Box",
    "BoxError",
    "EngineFault",
    "Game",
    "GameBatch",
    "IllegalActionError",
    "NijarError",
    "SceneError",
    "__version__",
    "load_box",
    "nijar_v0",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f".{_HOMES[name]}", __name__), name)
    if name in _MODULES:
        return import_module(f".{name}", __name__)
    raise AttributeError(f"module 'nijar_env' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
