"""Agents for the tests of measurements; `make` knows them by name, also in worker processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from agents import Agent, GameView, make_agent
from agents.base import Actions, Masks, Observations


class Mixed:
    """Takes a legal action that depends on the number of decisions alone."""

    needs_observations = False

    def __init__(self, name: str = "mixed", step: int = 7919) -> None:
        self.name = name
        self.step = step
        self.seeds: list[int] = []

    def reset(self, seed: int) -> None:
        self.seeds.append(seed)

    def act(self, observations: Observations | None, masks: Masks, games: GameView) -> Actions:
        return np.array(
            [self.pick(mask, int(k)) for mask, k in zip(masks, games.decisions, strict=True)],
            np.int64,
        )

    def pick(self, mask: Masks, decisions: int) -> int:
        legal = np.flatnonzero(mask)
        return int(legal[decisions * self.step % len(legal)])


class Deadly(Mixed):
    """Kills its process at the end of game `deadly`: every time, or until a file is there."""

    def __init__(self, name: str, until: Path | None) -> None:
        super().__init__(name)
        self.until = until

    def act(self, observations: Observations | None, masks: Masks, games: GameView) -> Actions:
        if (games.decisions > 60).any() and self._is_time():
            os.kill(os.getpid(), signal.SIGKILL)
        return super().act(observations, masks, games)

    def _is_time(self) -> bool:
        if self.until is None:
            return True
        try:
            self.until.touch(exist_ok=False)  # of workers that come here at once, one dies
        except FileExistsError:
            return False
        return True


class Dying(Deadly):
    """The same, every time, as an agent that can be named by its class."""

    def __init__(self) -> None:
        super().__init__("dying", None)


class Slow(Mixed):
    """Takes its time."""

    games_at_once = 1

    def act(self, observations: Observations | None, masks: Masks, games: GameView) -> Actions:
        time.sleep(0.02)
        return super().act(observations, masks, games)


class Broken(Mixed):
    """Fails in the middle of a game."""

    def act(self, observations: Observations | None, masks: Masks, games: GameView) -> Actions:
        if (games.decisions > 40).any():
            raise ZeroDivisionError("no\nreason")
        return super().act(observations, masks, games)


class Changing(Mixed):
    """An agent of a file that is another in worker processes."""

    @property
    def fingerprint(self) -> str:
        return "new" if multiprocessing.parent_process() else "old"


def make(spec: str) -> Agent:
    """These agents, and those that `make_agent` knows."""
    name, _, rest = spec.partition(":")
    if name == "mixed":
        return Mixed(spec, int(rest or 7919))
    if name == "deadly":
        return Deadly(spec, Path(rest) if rest else None)
    if name == "slow":
        return Slow(spec)
    if name == "changing":
        return Changing(spec)
    if name == "broken":
        return Broken(spec)
    return make_agent(spec)


class Unreadable:
    """Cannot be handed to a worker process: reading it fails there."""

    def __call__(self, spec: str) -> Agent:
        raise AssertionError("nobody gets this far")

    def __reduce__(self) -> tuple[Callable[[], Agent], tuple[()]]:
        return _refuse, ()


def _refuse() -> Agent:
    raise RuntimeError("as the test wants it")
