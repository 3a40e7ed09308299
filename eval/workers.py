"""Playing a measurement's games, in this process or in several.

The games of a measurement are handed out in chunks. Results do not depend on who plays what, so
the chunks are cut as it suits: large ones for fast agents, single games for slow ones, and a
little of every line-up in turn, so that a measurement that is stopped early is an even one.
"""

from __future__ import annotations

import contextlib
import math
import multiprocessing
import os
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any, ClassVar, Final, Generic, TypeVar

import msgspec
import numpy as np

from agents import Agent, GameView, make_agent
from nijar_env import Box, GameBatch
from nijar_env.core.constants import PHASE_TURNS

from .provenance import agent_fingerprint
from .ray_cluster import cores
from .records import GameRecord
from .table import BATCH, AgentFault, Assignment, Cast, play
from .worker import DONE, FAULT, GAME, SameAgents, serve

# A chunk should take about this long, so that workers end together and progress shows.
_CHUNK_S: Final = 5.0
_MOST_BATCHES: Final = 8  # in a chunk
_STOP_S: Final = 3.0  # for workers to hand in what they have finished
_THREAD_VARIABLES: Final = (
    "NUMBA_NUM_THREADS",
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
)
Line = tuple[str, tuple[str, ...]]


class WorkersError(RuntimeError):
    """Worker processes that cannot be started. One line, with a remedy."""


@dataclass
class _Group:
    """Games of one line-up: the same difficulty and agents, at whatever seats."""

    games: deque[Assignment]
    total: int
    batch: int
    fixed: bool  # an agent said how many games it wants
    seconds: float = 0.0  # a game, as last measured; 0: not yet


@dataclass
class _Work:
    """What is still to be played, in chunks."""

    groups: dict[Line, _Group]
    workers: int
    again: deque[Assignment] = field(default_factory=deque)

    @classmethod
    def of(
        cls, assignments: Sequence[Assignment], cast: Cast, workers: int, batch_size: int | None
    ) -> _Work:
        """All of these games."""
        lines: dict[Line, deque[Assignment]] = {}
        for game in assignments:
            lines.setdefault((game.difficulty, tuple(sorted(game.agents))), deque()).append(game)
        groups = {}
        for line, games in lines.items():
            wanted = [getattr(cast.agent(spec), "games_at_once", None) for spec in line[1]]
            said = [int(number) for number in wanted if number is not None]
            batch = batch_size or min(said, default=BATCH)
            groups[line] = _Group(games, len(games), batch, bool(said))
        return cls(groups, workers)

    def next(self) -> tuple[list[Assignment], int]:
        """The next chunk and its batch size; an empty one if nothing is left."""
        # Games that a worker died with go one by one, so that a bad one takes no other along.
        if self.again:
            return [self.again.popleft()], 1
        group = max(self.groups.values(), key=lambda g: len(g.games) / g.total, default=None)
        if group is None or not group.games:
            return [], 1
        left = len(group.games)
        if group.fixed:
            size = group.batch
        elif group.seconds == 0:
            size = 1  # to see how long it takes
        else:
            size = min(int(_CHUNK_S / group.seconds), _MOST_BATCHES * group.batch)
        if self.workers > 1:
            size = min(size, math.ceil(left / self.workers))
        return [group.games.popleft() for _ in range(min(max(size, 1), left))], group.batch

    def left(self) -> bool:
        """Whether there is a next chunk."""
        return bool(self.again) or any(group.games for group in self.groups.values())

    def measured(self, chunk: Sequence[Assignment], seconds: float) -> None:
        """Note how long a chunk took."""
        group = self.groups[chunk[0].difficulty, tuple(sorted(chunk[0].agents))]
        group.seconds = max(seconds, 1e-6) / len(chunk)


def run(
    assignments: Sequence[Assignment],
    cast: Cast,
    seed: int,
    box: Box,
    *,
    finished: Callable[[GameRecord], None],
    workers: int | None = None,
    batch_size: int | None = None,
    make: Callable[[str], Agent] = make_agent,
    tell: Callable[[str], None] = lambda line: None,
    idle: Callable[[], None] = lambda: None,
    replays: Path | None = None,
    ray: bool = False,
) -> list[Assignment]:
    """Play games to their ends; an exception (KeyboardInterrupt, say) stops all within seconds.

    Args:
        cast: the agents of this process.
        finished: told of each game in this process, in no certain order.
        workers: processes that play; 1: this one does; None: 1, or one a core of the cluster.
        batch_size: games at a time; None: as many as the agents' attribute `games_at_once` says,
            or 128.
        make: makes the workers' agents; found by its name there.
        tell: told, in a line, of workers that died.
        idle: called now and then while workers play.
        replays: a folder that gets a replay of each game; None for none.
        ray: all workers are of the Ray cluster that `ray_cluster.connect` has connected to.

    Returns:
        The games that were not finished, because workers died with them twice.

    Raises:
        AgentFault: an agent failed; the games that had ended were told.
        WorkersError: worker processes do not start.
    """
    if not assignments:
        return []
    if workers is None:
        workers = cores() if ray else 1
    work = _Work.of(assignments, cast, workers, batch_size)
    warm_up(assignments, cast, seed, box)
    if ray:
        from .ray_workers import RayPool

        return RayPool(work, seed, box, finished, make, tell, idle, replays).run()
    if workers > 1:
        specs = {spec for game in assignments for spec in game.agents}
        same = SameAgents(make, {spec: agent_fingerprint(cast.agent(spec)) for spec in specs})
        return _Processes(work, seed, box, finished, same, tell, idle, replays).run()
    while True:
        chunk, batch = work.next()
        if not chunk:
            return []
        start = time.perf_counter()
        play(chunk, cast, seed, box, batch, finished, replays)
        work.measured(chunk, time.perf_counter() - start)


def warm_up(assignments: Sequence[Assignment], cast: Cast, seed: int, box: Box) -> None:
    """Have each agent decide once for each number of players: compiles all that it needs.

    Workers then find it in the cache instead of compiling it each for themselves.
    """
    pairs = {(spec, len(game.agents)) for game in assignments for spec in game.agents}
    for spec, players in sorted(pairs):
        agent = cast.agent(spec)
        batch = GameBatch(1, players, seed=0, components=box, auto_reset=False)
        agent.reset(seed)
        while batch.games["phase"][0] != PHASE_TURNS:
            batch.step(batch.action_masks.argmax(axis=1))
        seen = batch.observe() if agent.needs_observations else None
        try:
            agent.act(seen, batch.action_masks, GameView(batch, np.zeros(1)))
        except Exception as error:
            text = " ".join(str(error).split())
            raise AgentFault(f"agent '{spec}' failed: {type(error).__name__}: {text}") from error


# --- several processes ----------------------------------------------------------------------------


@dataclass
class Hand:
    """A worker, as the process that hands out the games sees it.

    Attributes:
        ready: it has said that it is there.
        chunk: what it was given last.
        unfinished: what it has still to play of that, by key.
    """

    ready: bool = False
    chunk: Sequence[Assignment] = ()
    unfinished: dict[tuple[Any, ...], Assignment] = field(default_factory=dict)


H = TypeVar("H", bound=Hand)


class Pool(ABC, Generic[H]):
    """The workers of a run: who gets which games, and what becomes of those of one that dies.

    Where workers are and how they are talked to is up to those who inherit.
    """

    remedy: ClassVar[str]  # where workers do not start

    def __init__(
        self,
        work: _Work,
        seed: int,
        box: Box,
        finished: Callable[[GameRecord], None],
        make: Callable[[str], Agent],
        tell: Callable[[str], None],
        idle: Callable[[], None],
        replays: Path | None,
    ) -> None:
        self._work = work
        self._args = (seed, box, make, replays)
        self._finished = finished
        self._tell = tell
        self._idle = idle
        self._decoder = msgspec.json.Decoder(GameRecord)
        self._workers: list[H] = []
        self._retried: set[tuple[Any, ...]] = set()
        self._given_up: list[Assignment] = []

    def run(self) -> list[Assignment]:
        """See the function `run`."""
        games = sum(group.total for group in self._work.groups.values())
        try:
            for _ in range(min(self._work.workers, games)):
                self._start()
            while self._workers:
                self._hear(0.5)
                self._idle()
        finally:
            self._stop()
        return self._given_up

    @abstractmethod
    def _start(self) -> None:
        """Have one more worker."""

    @abstractmethod
    def _hear(self, seconds: float) -> None:
        """`_take` what workers have sent, `_bury` those that have died; wait so long for any."""

    @abstractmethod
    def _send(self, worker: H, chunk: list[Assignment], batch: int) -> None:
        """Give a worker its next chunk."""

    @abstractmethod
    def _dismiss(self, worker: H) -> None:
        """Let a worker go that has nothing left to do."""

    @abstractmethod
    def _end(self, worker: H) -> str:
        """Put away a worker that has died; returns how."""

    @abstractmethod
    def _stop(self) -> None:
        """End all workers; what they have finished by then is told."""

    def _take(self, worker: H, message: bytes) -> None:
        """Do what a message of a worker asks for."""
        kind, rest = message[:1], message[1:]
        if kind == GAME:
            record = self._decoder.decode(rest)
            worker.unfinished.pop(record.key(), None)
            self._finished(record)
        elif kind == FAULT:
            raise AgentFault(rest.decode())
        else:
            if kind == DONE:
                self._work.measured(worker.chunk, float(rest))
            worker.ready = True
            self._employ(worker)

    def _employ(self, worker: H) -> None:
        """Give a worker its next chunk, or send it home."""
        chunk, batch = self._work.next()
        worker.chunk = chunk
        worker.unfinished = {game.key(): game for game in chunk}
        if chunk:
            self._send(worker, chunk, batch)
        else:
            self._workers.remove(worker)
            self._dismiss(worker)

    def _bury(self, worker: H) -> None:
        """Have the games of a worker that died played once more, by a new one."""
        self._workers.remove(worker)
        how = self._end(worker)
        if not worker.ready:
            raise WorkersError(f"a worker process does not start ({how}); {self.remedy}")
        lost = list(worker.unfinished.values())
        again = [game for game in lost if game.key() not in self._retried]
        for game in lost:
            if game.key() in self._retried:
                self._given_up.append(game)
                self._tell(
                    f"a worker process died again ({how}) in deal {game.deal} of "
                    f"{', '.join(game.agents)}: that game is left out"
                )
        if again:
            self._retried.update(game.key() for game in again)
            self._work.again.extend(again)
            self._tell(f"a worker process died ({how}); its {len(again)} games are played again")
        if self._work.left():
            self._start()


@dataclass
class _Process(Hand):
    process: Any = None
    link: Any = None  # a Connection


class _Processes(Pool[_Process]):
    """Workers that are processes of this machine."""

    remedy = "try --workers 1"
    _context = multiprocessing.get_context("spawn")

    def _start(self) -> None:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(
            target=serve, args=(theirs, *self._args), daemon=True, name="nijar-worker"
        )
        with _single_threads():
            process.start()
        theirs.close()  # so that its death ends the link
        self._workers.append(_Process(process=process, link=ours))

    def _hear(self, seconds: float) -> None:
        ready = wait([worker.link for worker in self._workers], timeout=seconds)
        for worker in [w for w in self._workers if w.link in ready]:
            try:
                message = worker.link.recv_bytes()
            except (EOFError, OSError):
                self._bury(worker)
                continue
            self._take(worker, message)

    def _send(self, worker: _Process, chunk: list[Assignment], batch: int) -> None:
        with contextlib.suppress(OSError):  # it has just died: the next message says so
            worker.link.send((chunk, batch))

    def _dismiss(self, worker: _Process) -> None:
        with contextlib.suppress(OSError):
            worker.link.send(([], 1))
        worker.link.close()
        worker.process.join()

    def _end(self, worker: _Process) -> str:
        worker.process.join(_STOP_S)
        worker.link.close()
        code = worker.process.exitcode
        return f"killed by signal {-code}" if code is not None and code < 0 else f"exit code {code}"

    def _stop(self) -> None:
        for worker in self._workers:
            worker.process.terminate()
        until = time.monotonic() + _STOP_S
        going: dict[Any, _Process] = {worker.link: worker for worker in self._workers}
        while going and time.monotonic() < until:
            for link in wait(list(going), timeout=until - time.monotonic()):
                try:
                    message = going[link].link.recv_bytes()
                except (EOFError, OSError):
                    del going[link]
                    continue
                if message[:1] == GAME:
                    self._finished(self._decoder.decode(message[1:]))
        for worker in self._workers:
            worker.process.kill()
            worker.process.join()
            worker.link.close()
        self._workers = []


@contextlib.contextmanager
def _single_threads() -> Iterator[None]:
    """Processes started meanwhile use one thread each: there are as many of them as wanted."""
    before = {name: os.environ.get(name) for name in _THREAD_VARIABLES}
    os.environ.update(dict.fromkeys(_THREAD_VARIABLES, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
