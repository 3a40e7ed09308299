"""Replays of a measurement's games: what the agents chose and considered, as files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy.typing as npt

from agents import Agent, GameView
from agents.notes import Note
from nijar_env import Game
from nijar_env.replay import make_replay, write_replay

if TYPE_CHECKING:
    from .table import Assignment

_MOST_NAME: Final = 60  # characters of the agents in a file's name


def replay_name(assignment: Assignment) -> str:
    """The name of a game's file: readable, and no other game's of the measurement."""
    line = "-".join(assignment.agents)
    words = re.sub(r"[^A-Za-z0-9.=]+", "_", line)[:_MOST_NAME].strip("_.")
    # What the words leave out or make alike, such as the path of a weights file.
    tail = blake2b("\0".join(assignment.agents).encode(), digest_size=3).hexdigest()
    kind = assignment.difficulty or f"{len(assignment.agents)}players"
    return f"{kind}-{words}-{tail}-{assignment.deal:05d}.json"


class Scribe:
    """Keeps what happens in a batch of games, and writes the replay of each that has ended.

    Args:
        folder: of the files, which must be there.
        games: how many.
        agents: those that take part; they are asked to keep notes, if they can.
    """

    def __init__(self, folder: Path, games: int, agents: Sequence[Agent]) -> None:
        self._folder = folder
        self._actions: list[list[int]] = [[] for _ in range(games)]
        self._notes: list[dict[int, Note]] = [{} for _ in range(games)]
        for agent in agents:
            if hasattr(agent, "keep_notes"):
                agent.keep_notes = True

    def note(self, agent: Agent, view: GameView) -> None:
        """Take over what an agent has noted at its decisions in these games."""
        notes: dict[int, Note] | None = getattr(agent, "notes", None)
        if not notes:
            return
        for row, game in zip(view.rows.tolist(), view.ids.tolist(), strict=True):
            note = notes.pop(game, None)  # one is not to be found again at the next decision
            if note is not None:
                self._notes[row][len(self._actions[row])] = note

    def add(self, rows: npt.NDArray[Any], actions: npt.NDArray[Any]) -> None:
        """Note the actions that were taken in these games."""
        for row, action in zip(rows.tolist(), actions.tolist(), strict=True):
            self._actions[row].append(action)

    def write(self, row: int, game: Game, assignment: Assignment, seed: int) -> None:
        """Write the replay of a game that has ended; `seed` is the measurement's.

        Raises:
            OSError: it cannot be written.
        """
        replay = make_replay(
            game,
            self._actions[row],
            assignment.agents,
            self._notes[row],
            deal=assignment.deal,
            measurement_seed=seed,
        )
        write_replay(replay, self._folder / replay_name(assignment))
        self._actions[row], self._notes[row] = [], {}
