"""PettingZoo's classic games, as `env()` and, where they have one, `raw_env()`."""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from typing import Any

from .aec import AecGames
from .loop import Make, run_script

# The module of each, and its options.
_MODULES: dict[str, tuple[str, dict[str, Any]]] = {
    "connect_four": ("connect_four_v3", {}),
    "tictactoe": ("tictactoe_v3", {}),
    "leduc_holdem": ("leduc_holdem_v4", {}),
    "texas_holdem_no_limit": ("texas_holdem_no_limit_v6", {}),
    "hanabi": ("hanabi_v5", {}),
    "chess": ("chess_v6", {}),
    "go, 9 x 9": ("go_v5", {"board_size": 9}),
}


def _make(name: str, raw: bool) -> AecGames:
    module, options = _MODULES[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = import_module(f"pettingzoo.classic.{module}")
    return AecGames((found.raw_env if raw else found.env)(**options))


def _games() -> dict[str, Make]:
    games: dict[str, Make] = {}
    for name in _MODULES:
        games[name] = lambda part, name=name: _make(name, False)  # type: ignore[misc]
        games[f"{name}, raw"] = lambda part, name=name: _make(name, True)  # type: ignore[misc]
    return games


GAMES = _games()

if __name__ == "__main__":
    sys.exit(run_script(GAMES, ["pettingzoo"]))
