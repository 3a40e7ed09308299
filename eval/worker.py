"""A worker process: plays the chunks of games that it is sent, and sends what comes of them."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

import msgspec

from agents import Agent
from nijar_env import Box

from .provenance import agent_fingerprint
from .records import GameRecord
from .table import AgentFault, Cast, play

# First byte of what a worker sends: it has started; a game; seconds of a chunk; an agent's fault.
READY: Final = b"r"
GAME: Final = b"g"
DONE: Final = b"d"
FAULT: Final = b"f"


class _Stopped(BaseException):
    """The worker was told to end."""


class _Sender:
    """Sends whole messages, whenever the worker is told to end."""

    def __init__(self, link: Connection) -> None:
        self._link = link
        self._encoder = msgspec.json.Encoder()
        self._sending = self._told = self._ending = False

    def stop(self, signum: int, frame: object) -> None:
        """The handler of the signal to end: at once, but not in the middle of a message."""
        self._told = True
        if not self._sending:
            self._end()

    def _end(self) -> None:
        if not self._ending:
            self._ending = True
            raise _Stopped

    def send(self, kind: bytes, rest: bytes = b"") -> None:
        """Send a message."""
        self._sending = True
        try:
            self._link.send_bytes(kind + rest)
        finally:
            self._sending = False
        if self._told:
            self._end()

    def game(self, record: GameRecord) -> None:
        """Send a finished game."""
        self.send(GAME, self._encoder.encode(record))


@dataclass(frozen=True)
class SameAgents:
    """Makes the agents of a worker process, from what the one that hands out the games has read.

    A file may change meanwhile, such as the best weights of a run that goes on: its games would be
    of several players, and none of them the one that the results name.

    Attributes:
        make: makes an agent of a specification.
        prints: fingerprints of the agents by specification.
    """

    make: Callable[[str], Agent]
    prints: Mapping[str, str]

    def __call__(self, spec: str) -> Agent:
        """The agent.

        Raises:
            AgentFault: it is another, or cannot be made any more.
        """
        try:
            agent = self.make(spec)
        except ValueError as error:
            raise AgentFault(" ".join(str(error).split())) from error
        if agent_fingerprint(agent) != self.prints[spec]:
            raise AgentFault(f"the file of agent '{spec}' has changed meanwhile; begin again")
        return agent


def end_with_parent() -> None:
    """A thread's work: a worker whose parent was killed has nobody to play for."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def serve(
    link: Connection,
    seed: int,
    box: Box,
    make: Callable[[str], Agent],
    replays: Path | None = None,
) -> None:
    """A worker's life: it says that it is there, and plays chunks until an empty one comes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all; the parent decides
    sender = _Sender(link)
    signal.signal(signal.SIGTERM, sender.stop)
    threading.Thread(target=end_with_parent, daemon=True).start()
    with contextlib.suppress(_Stopped, EOFError, OSError):  # told to end; the parent has gone
        _play_chunks(link, Cast(make), seed, box, sender, replays)


def _play_chunks(
    link: Connection, cast: Cast, seed: int, box: Box, sender: _Sender, replays: Path | None
) -> None:
    sender.send(READY)
    while True:
        chunk, batch = link.recv()
        if not chunk:
            return
        start = time.perf_counter()
        try:
            play(chunk, cast, seed, box, batch, sender.game, replays)
        except AgentFault as error:
            sender.send(FAULT, str(error).encode())
            return
        sender.send(DONE, str(time.perf_counter() - start).encode())
