"""Agent steps a second of the PettingZoo environment, beside PettingZoo's own Connect Four.

The same loop for all: `last()`, `flatnonzero` of the mask, a random pick, `step`. Rounds are
interleaved and their ratios taken, since machines are noisy.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from statistics import median
from typing import Any, Final

import numpy as np

from .nijar_v0 import env, raw_env

ROUNDS: Final = 5
# What the ratios to Connect Four's env() should reach.
RAW_AIM: Final = 4.0
ENV_AIM: Final = 1.5
NO_PYGAME: Final = (
    "connect_four_v3 was not measured: it needs pygame (pip install 'pettingzoo[classic]')"
)


def connect_four() -> Any | None:
    """PettingZoo's `connect_four_v3.env()`, or None where pygame is missing."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from pettingzoo.classic import connect_four_v3  # type: ignore[import-untyped]
    except ImportError:
        return None
    return connect_four_v3.env()


def agent_step_rate(environment: Any, seconds: float) -> float:
    """Agent steps a second (dead steps and resets take time, but do not count) over at least so
    many seconds of random play."""
    rng = np.random.default_rng(1)
    environment.reset(seed=1)
    count = 0
    start = time.perf_counter()
    while True:
        for _ in environment.agent_iter():
            observation, _, termination, truncation, _ = environment.last()
            if termination or truncation:
                environment.step(None)
                continue
            legal = np.flatnonzero(observation["action_mask"])
            environment.step(legal[rng.integers(len(legal))])
            count += 1
        elapsed = time.perf_counter() - start
        if elapsed >= seconds:
            return count / elapsed
        environment.reset()


def aec_rates(
    *, seconds: float = 0.5, progress: Callable[[str], None] = lambda _: None
) -> dict[str, Any]:
    """Medians of five rounds.

    Args:
        seconds: length of each run.
        progress: told what is measured next.

    Returns:
        `agent_steps_per_second` of "raw_env", "env" and, if pygame is there, "connect_four"; and
        `ratio` of the first two to the last (empty without pygame, `note` then says so).
    """
    environments = {"raw_env": raw_env(), "env": env(), "connect_four": connect_four()}
    rates: dict[str, list[float]] = {
        name: [] for name, environment in environments.items() if environment is not None
    }
    for name in rates:
        agent_step_rate(environments[name], 0.0)  # loads the kernels
    for number in range(ROUNDS):
        for name, found in rates.items():
            progress(f"{name}, round {number + 1} of {ROUNDS}")
            found.append(agent_step_rate(environments[name], seconds))
    base = rates.get("connect_four")
    ratio = {
        name: median(own / other for own, other in zip(rates[name], base, strict=True))
        for name in ("raw_env", "env")
        if base
    }
    return {
        "agent_steps_per_second": {name: median(found) for name, found in rates.items()},
        "ratio": ratio,
        "note": "" if base else NO_PYGAME,
        "rounds": ROUNDS,
        "seconds_per_run": seconds,
    }


def aec_lines(figures: dict[str, Any]) -> list[str]:
    """The figures of `aec_rates` as lines of text."""
    aims = {"raw_env": RAW_AIM, "env": ENV_AIM}
    lines = []
    for name, rate in figures["agent_steps_per_second"].items():
        line = f"{name}: {rate:,.0f} agent steps a second"
        if name in figures["ratio"]:
            line += f", {figures['ratio'][name]:.1f} times connect_four (aim {aims[name]:g})"
        lines.append(line)
    return [*lines, figures["note"]] if figures["note"] else lines


if __name__ == "__main__":
    print("\n".join(aec_lines(aec_rates())))
