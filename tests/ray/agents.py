"""Agents for the tests, named by module and class, so that workers of a cluster know them."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import numpy as np

from agents import Agent

from ..eval.stubs import make


class Deadly:
    """Takes the first legal action, and kills its process in the middle of what it plays: once for
    each file in a folder, of which it takes one away."""

    needs_observations = False
    name = ""

    def __init__(self, folder: str, after: int = 60) -> None:
        self.folder, self.after = Path(folder), after
        self.asked = 0

    def reset(self, seed: int) -> None:
        pass

    def act(self, observations: Any, masks: Any, games: Any) -> Any:
        self.asked += 1
        if self.asked > self.after:
            for path in sorted(self.folder.glob("*")):
                try:
                    path.unlink()
                except FileNotFoundError:  # another worker's
                    continue
                os.kill(os.getpid(), signal.SIGKILL)
        return np.argmax(masks, axis=1)


def armed(folder: Path, times: int, after: int = 60) -> str:
    """The specification of one that dies so often."""
    folder.mkdir()
    for number in range(times):
        (folder / f"{number}").touch()
    return f"tests.ray.agents:Deadly:folder={folder},after={after}"


def known_in(process: int, spec: str) -> Agent:
    """Makes agents in one process alone."""
    if os.getpid() != process:
        raise ValueError(f"no file of {spec}")
    return make(spec.replace("mine", "mixed"))
