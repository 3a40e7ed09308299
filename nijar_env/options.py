"""Options that every front end takes, checked in one place."""

from __future__ import annotations

import operator
from typing import Any, Final

import numpy as np

from .components.vocabulary import DIFFICULTIES, MAX_PLAYERS
from .core.constants import REWARDS

MAX_SEED = 2**64 - 1
RENDER_MODES: Final = ("ansi", "human", "rgb_array")
ILLEGAL_ACTION: Final = ("raise", "terminate")
ILLEGAL_REWARD: Final = -1.0  # of who acts illegally, where that ends the episode


def check_choice(name: str, value: Any, choices: tuple[str, ...]) -> str:
    """One of a few words."""
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}, not {value!r}")
    return str(value)


def check_render_mode(mode: Any, modes: tuple[str, ...] = RENDER_MODES) -> str | None:
    """None or one of the modes; ImportError where "rgb_array" lacks the extra `pictures`."""
    if mode is not None and mode not in modes:
        raise ValueError(f"render_mode must be None, {' or '.join(modes)}, not {mode!r}")
    if mode == "rgb_array":
        from .svg.raster import check_tools

        check_tools()
    return None if mode is None else str(mode)


def check_count(name: str, value: Any) -> int:
    """A whole number from 1."""
    n = _whole(value)
    if n is None or n < 1:
        raise ValueError(f"{name} must be a whole number from 1, not {value!r}")
    return n


def _whole(value: Any) -> int | None:
    """A whole number of any integer type (True is none), or None."""
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def check_players(num_players: Any) -> int:
    """1-4; 1 is solo against the Competition."""
    n = _whole(num_players)
    if n is None or not 1 <= n <= MAX_PLAYERS:
        raise ValueError(f"num_players must be 1, 2, 3 or 4 (1 is solo), not {num_players!r}")
    return n


def check_difficulty(difficulty: Any) -> int:
    """The code of a difficulty of the solo mode (§12.10)."""
    if difficulty not in DIFFICULTIES:
        raise ValueError(
            f"difficulty must be one of {', '.join(DIFFICULTIES)} (solo only), not {difficulty!r}"
        )
    return DIFFICULTIES.index(difficulty)


def check_reward(reward: Any) -> int:
    """The code of a reward scheme."""
    if reward not in REWARDS:
        raise ValueError(f"reward must be one of {', '.join(REWARDS)}, not {reward!r}")
    return REWARDS.index(reward)


def check_seed(seed: Any) -> int:
    """A seed in [0, 2**64); None draws one from the operating system."""
    if seed is None:
        return int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
    value = _whole(seed)
    if value is None:
        raise ValueError(f"seed must be a whole number or None, not {seed!r}")
    if not 0 <= value <= MAX_SEED:
        raise ValueError(f"seed must lie in 0 to 2**64 - 1, not {seed!r}")
    return value
