"""Workers that are actors of a Ray cluster, for the games of a measurement.

Ray is to repeat nothing by itself: what becomes of the games of a worker that is lost is decided
where it is for processes, in `workers.Pool`.
"""

from __future__ import annotations

import os
import queue
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec
import ray
from ray.exceptions import RayError as Lost
from ray.exceptions import RayTaskError

from agents import Agent
from nijar_env import Box

from .ray_cluster import STILL_WAITING, Facts, check, facts, facts_of_worker, one_line, place
from .records import GameRecord
from .table import AgentFault, Assignment, Cast, play
from .worker import DONE, FAULT, GAME, READY
from .workers import Hand, Pool, WorkersError

# Games are sent in groups, since every message costs; but none waits for longer.
_GATHER_S: Final = 0.2
_NO_WORKER_S: Final = 30.0
# A message, and the files (by name) that are to lie in the folder of replays before it is told.
Message = tuple[bytes, dict[str, bytes]]


class Player:
    """What an actor is: it plays chunks, as `worker.serve` does in a process."""

    def __init__(self, seed: int, box: Box, make: Callable[[str], Agent], replays: bool) -> None:
        self._seed, self._box, self._make = seed, box, make
        self._cast = Cast(make)
        self._folder = Path(tempfile.mkdtemp(prefix="nijar-")) if replays else None

    def hello(self, specs: Sequence[str], folder: str) -> tuple[Facts, str]:
        """What it plays with, and on which machine."""
        return facts_of_worker(self._box, specs, folder, self._make), place()

    def play(self, chunk: Sequence[Assignment], batch: int) -> Iterator[list[Message]]:
        """Play a chunk; yields what is to be told as it comes."""
        told: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        thread = threading.Thread(target=self._play, args=(chunk, batch, told.put), daemon=True)
        thread.start()
        going = True
        while going:
            messages, until = [told.get()], time.monotonic() + _GATHER_S
            while messages[-1] is not None and (left := until - time.monotonic()) > 0:
                try:
                    messages.append(told.get(timeout=left))
                except queue.Empty:
                    break
            going = messages[-1] is not None
            yield [message for message in messages if message is not None]
        thread.join()

    def _play(
        self,
        chunk: Sequence[Assignment],
        batch: int,
        tell: Callable[[Message | None], None],
    ) -> None:
        """A thread's work; ends with None whatever comes."""

        def finished(record: GameRecord) -> None:
            tell((GAME + msgspec.json.encode(record), self._files()))

        start = time.perf_counter()
        try:
            play(chunk, self._cast, self._seed, self._box, batch, finished, self._folder)
            tell((DONE + str(time.perf_counter() - start).encode(), {}))
        except AgentFault as error:
            tell((FAULT + str(error).encode(), {}))
        except Exception as error:
            text = f"a Ray worker failed: {type(error).__name__}: {one_line(error)}"
            tell((FAULT + text.encode(), {}))
        finally:
            tell(None)

    def _files(self) -> dict[str, bytes]:
        """The replays that have been written since the last time."""
        files = {}
        for path in sorted(self._folder.glob("*.json")) if self._folder else ():
            files[path.name] = path.read_bytes()
            path.unlink()
        return files


@dataclass
class _Actor(Hand):
    actor: Any = None
    hello: Any = None  # the answer to it
    stream: Any = None  # of what it plays; None until it is there
    why: str = ""  # it was lost


class RayPool(Pool[_Actor]):
    """Workers on the cluster that this process is connected to."""

    remedy = "look at the cluster with 'ray status', or leave out --ray"

    def run(self) -> list[Assignment]:
        """See `workers.run`."""
        _seed, box, make, replays = self._args
        self._folder = replays or Path()  # without replays nothing is sent
        # Ray starts none of them, nor what they did, a second time: see the module.
        self._kind = ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0)(Player)
        groups = self._work.groups.values()
        self._specs = sorted({spec for group in groups for g in group.games for spec in g.agents})
        self._own = facts(box, {spec: make(spec) for spec in self._specs})
        self._begun = time.monotonic()
        return super().run()

    def _start(self) -> None:
        seed, box, make, replays = self._args
        actor = self._kind.remote(seed, box, make, replays is not None)
        hello = actor.hello.remote(self._specs, os.getcwd())
        self._workers.append(_Actor(actor=actor, hello=hello))

    def _hear(self, seconds: float) -> None:
        waited = {self._next(worker): worker for worker in self._workers}
        ready, _ = ray.wait(list(waited), num_returns=1, timeout=seconds)
        more, _ = ray.wait(list(waited), num_returns=len(waited), timeout=0)
        for one in dict.fromkeys([*ready, *more]):
            self._listen(waited[one])
        if self._begun and any(worker.ready for worker in self._workers):
            self._begun = 0.0
        elif self._begun and time.monotonic() - self._begun > _NO_WORKER_S:
            self._begun = 0.0
            self._tell(STILL_WAITING)

    def _next(self, worker: _Actor) -> Any:
        """What a worker's next message comes from."""
        return worker.hello if worker.stream is None else worker.stream

    def _listen(self, worker: _Actor) -> None:
        try:
            if worker.stream is None:
                own, where = ray.get(worker.hello)
                check(self._own, own, where)
                messages: list[Message] = [(READY, {})]
            else:
                messages = ray.get(next(worker.stream))
        except RayTaskError as error:  # our code, or the agents' there: they do not know a file
            raise WorkersError(
                f"a Ray worker does not start ({one_line(error.cause or error)}); {self.remedy}"
            ) from None
        except Lost as error:
            worker.why = one_line(error)
            self._bury(worker)
            return
        for message, files in messages:
            self._keep(files)
            self._take(worker, message)

    def _keep(self, files: dict[str, bytes]) -> None:
        for name, data in files.items():
            (self._folder / name).write_bytes(data)

    def _send(self, worker: _Actor, chunk: list[Assignment], batch: int) -> None:
        play = worker.actor.play.options(num_returns="streaming")
        worker.stream = play.remote(chunk, batch)

    def _dismiss(self, worker: _Actor) -> None:
        ray.kill(worker.actor)

    def _end(self, worker: _Actor) -> str:
        ray.kill(worker.actor)
        return f"lost by Ray: {worker.why}"

    def _stop(self) -> None:
        """End all workers; what has reached this process by then is told."""
        for worker in self._workers:
            while worker.stream is not None and ray.wait([worker.stream], timeout=0)[0]:
                try:
                    messages = ray.get(next(worker.stream))
                except (Lost, StopIteration):
                    break
                for message, files in messages:
                    self._keep(files)
                    if message[:1] == GAME:
                        self._finished(self._decoder.decode(message[1:]))
            ray.kill(worker.actor)
        self._workers = []
