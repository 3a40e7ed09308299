"""How much of the bare core's rate the vector environments reach.

The same loop around each: random legal actions from the same kernel, a step, observations of who is
to act. "core" is `GameBatch.step` and `GameBatch.observe` into buffers that are used again; the
others return new arrays of observations and masks, infos and final observations. Rounds are
interleaved and their ratios taken, since machines are noisy.

    python -m nijar_env.vector_speed
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from statistics import median
from timeit import repeat
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from .batch import GameBatch

NUM_GAMES: Final = 1024
ROUNDS: Final = 5
# What the shares of the core's rate should reach.
AIM: Final = 0.7
NO_SB3: Final = "the stable-baselines3 front end was not measured: it is not installed"
_KEY: Final = np.uint64(20_260_101)
_STEPS: Final = 20  # between two looks at the clock
_WARM_UP: Final = 300  # steps that spread the games over their length

# Plays a step with these actions; returns how many of them were decisions.
Step = Callable[[npt.NDArray[np.int64]], int]


def _core(num_games: int, num_players: int) -> tuple[GameBatch, Step]:
    batch = GameBatch(num_games, num_players, seed=1)

    def step(actions: npt.NDArray[np.int64]) -> int:
        batch.step(actions)
        batch.observe()
        return num_games

    return batch, step


def _vector(num_games: int, num_players: int, **options: Any) -> tuple[GameBatch, Step]:
    from .vector_env import NijarVectorEnv

    envs = NijarVectorEnv(num_games, num_players, **options)
    envs.reset(seed=1)

    def step(actions: npt.NDArray[np.int64]) -> int:
        over = int(np.count_nonzero(envs.batch.current_players < 0))
        envs.step(actions)
        return num_games - over

    return envs.batch, step


def _sb3(num_games: int) -> tuple[GameBatch, Step]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from .sb3 import NijarVecEnv

    envs = NijarVecEnv(num_games, seed=1)
    envs.reset()

    def step(actions: npt.NDArray[np.int64]) -> int:
        envs.env_method("action_masks")
        envs.step(actions)
        return num_games

    return envs.vector.batch, step


class _Runner:
    """Plays one of these at random, again and again."""

    def __init__(self, batch: GameBatch, step: Step) -> None:
        self.batch = batch
        self.step = step
        self.actions = np.zeros(len(batch), np.int64)
        self.index = 0

    def run(self, steps: int) -> int:
        """Decisions in so many steps."""
        from .core.kernels import random_actions

        decisions = 0
        for _ in range(steps):
            random_actions(self.batch.games, _KEY, self.index, 0, len(self.batch), self.actions)
            self.index += 1
            decisions += self.step(self.actions)
        return decisions

    def rate(self, seconds: float) -> float:
        """Decisions a second over at least so many seconds."""
        start = time.perf_counter()
        decisions = 0
        while True:
            decisions += self.run(_STEPS)
            elapsed = time.perf_counter() - start
            if elapsed >= seconds:
                return decisions / elapsed


def measure_vector(
    seconds: float = 0.3,
    *,
    num_games: int = NUM_GAMES,
    progress: Callable[[str], None] = lambda _: None,
) -> dict[str, Any]:
    """Medians of five rounds.

    Args:
        seconds: length of each run.
        num_games: games in a batch.
        progress: told what is measured next.

    Returns:
        `decisions_per_second` of "core" and of the front ends, all solo, and of "one of two", the
        learner's alone against a random opponent; `share_of_core` of those that play solo;
        `note` says what is missing.
    """
    runners = {
        "core": _Runner(*_core(num_games, 1)),
        "vector": _Runner(*_vector(num_games, 1)),
        "vector, flat": _Runner(*_vector(num_games, 1, observation="flat")),
        "vector, same step": _Runner(*_vector(num_games, 1, autoreset_mode="SameStep")),
        "one of two": _Runner(*_vector(num_games, 2)),
    }
    note = ""
    try:
        runners["sb3"] = _Runner(*_sb3(num_games))
    except ImportError:
        note = NO_SB3
    for runner in runners.values():
        runner.run(_WARM_UP)
    rates: dict[str, list[float]] = {name: [] for name in runners}
    for number in range(ROUNDS):
        for name, runner in runners.items():
            progress(f"{name}, round {number + 1} of {ROUNDS}")
            rates[name].append(runner.rate(seconds))
    return {
        "decisions_per_second": {name: median(found) for name, found in rates.items()},
        "share_of_core": {
            name: median(own / core for own, core in zip(found, rates["core"], strict=True))
            for name, found in rates.items()
            if name not in ("core", "one of two")
        },
        "note": note,
        "num_games": num_games,
        "rounds": ROUNDS,
        "seconds_per_run": seconds,
    }


def sampling_times() -> dict[str, float]:
    """Microseconds a mask: `Discrete.sample(mask)`, `sample_action`, `sample_actions` of 1,024
    masks, with masks from the middle of solo games."""
    from gymnasium.spaces import Discrete

    from .sampling import sample_action, sample_actions

    batch, step = _core(NUM_GAMES, 1)
    _Runner(batch, step).run(_WARM_UP)
    masks = batch.action_masks.copy()
    some = list(masks[:100])
    space, rng = Discrete(masks.shape[1], seed=1), np.random.default_rng(1)
    ways: dict[str, tuple[Callable[[], Any], int]] = {
        "Discrete.sample": (lambda: [space.sample(mask) for mask in some], len(some)),
        "sample_action": (lambda: [sample_action(mask, rng) for mask in some], len(some)),
        "sample_actions": (lambda: sample_actions(masks, rng), len(masks)),
    }
    return {
        name: 1e6 * min(repeat(sample, number=10, repeat=ROUNDS)) / (10 * count)
        for name, (sample, count) in ways.items()
    }


def vector_lines(figures: dict[str, Any]) -> list[str]:
    """The figures of `measure_vector` as lines of text."""
    lines = []
    for name, rate in figures["decisions_per_second"].items():
        line = f"{name}: {rate:,.0f} decisions a second"
        if name in figures["share_of_core"]:
            line += f", {figures['share_of_core'][name]:.0%} of the core's (aim {AIM:.0%})"
        lines.append(line)
    return [*lines, figures["note"]] if figures["note"] else lines


if __name__ == "__main__":
    print("\n".join(vector_lines(measure_vector())))
    for name, time_of_one in sampling_times().items():
        print(f"{name}: {time_of_one:.2f} us a mask")
