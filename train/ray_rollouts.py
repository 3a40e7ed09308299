"""The rollouts of a self-play run, played by actors of a Ray cluster, shard by shard.

The run's own process keeps all that there is between two rollouts, and sends with each shard what
it takes to play it: so any worker can play any shard, and where one is lost, another plays the
same again. Nothing is learned from before all shards are there. What comes of a run depends
neither on the number of workers nor on their order, and is what it would be without Ray.
"""

from __future__ import annotations

import os
import sys
import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import ray
import torch
from ray.exceptions import RayError as Lost
from ray.exceptions import RayTaskError

from eval.ray_cluster import (
    STILL_WAITING,
    ClusterError,
    Facts,
    check,
    cores,
    facts_of_worker,
    one_line,
)
from eval.ray_cluster import place as machine
from nijar_env import Box

from .inputs import Reader
from .networks import PolicyValueNet, make_network
from .progress import Clock
from .rollouts import Shard, Trajectories, shards_of
from .selfplay_config import SelfPlayConfig

_MOST_LOSSES: Final = 3  # of workers with the same rollout
_NO_WORKER_S: Final = 30.0
_REMEDY: Final = "look at the cluster with 'ray status', or leave out --ray"
Weights = dict[str, Any]


class Player:
    """What an actor is: it plays any shard's next rollout."""

    def __init__(self, config: SelfPlayConfig, box: Box) -> None:
        torch.set_num_threads(config.threads)
        players, network = config.players, config.network
        self._config, self._box = config, box
        self._network = make_network(network.kind, players, network.options)
        self._network.use_box(box)
        self._reader = Reader(self._network.reads)
        self._shards: dict[int, Shard] = {}
        self._born: dict[int, list[int]] = {}

    def hello(self, folder: str) -> tuple[Facts, str]:
        """What it plays with, and on which machine."""
        specs = self._config.opponents.scripted
        return facts_of_worker(self._box, specs, folder), machine()

    def play(
        self,
        index: int,
        state: Mapping[str, Any],
        weights: Weights,
        past: Sequence[Any],
        born: list[int],
        update: int,
        share: float,
    ) -> tuple[dict[str, Any], dict[str, Any], dict[str, float]]:
        """Play a rollout of a shard.

        Args:
            index: which shard.
            state: of it.
            weights: of the learner.
            past: a reference to the weights of the past selves, fetched where they are others.
            born: the updates that those are of.
            update, share: see `Shard.play`.

        Returns:
            What was played, the state after it, and seconds by part.
        """
        shard = self._shard(index)
        self._network.load_state_dict(_tensors(weights))
        if self._born.get(index) != born:
            selves = [_tensors(one) for one in ray.get(past[0])]
            shard.pool.restore_past(born, selves, self._network)
            self._born[index] = born
        shard.restore(state)
        clock = Clock()
        shard.play(update, share, clock)
        return shard.kept.played(), shard.state(), clock.seconds

    def _shard(self, index: int) -> Shard:
        if index not in self._shards:
            config, games = self._config, shards_of(self._config)[index]
            size = self._reader.size(config.players)
            cpu = torch.device("cpu")
            shape = (config.ppo.steps, games.stop - games.start, config.players, size, cpu)
            kept = Trajectories(*shape)
            self._shards[index] = Shard(config, self._box, index, kept, self._network, self._reader)
        return self._shards[index]


def _arrays(weights: Mapping[str, torch.Tensor]) -> Weights:
    """Weights as arrays, which Ray shares between the workers of a machine."""
    return {name: tensor.detach().cpu().numpy() for name, tensor in weights.items()}


def _tensors(weights: Weights) -> dict[str, torch.Tensor]:
    return {name: torch.from_numpy(np.array(array)) for name, array in weights.items()}


class RayRollouts:
    """Plays the shards of a run on the cluster that this process is connected to.

    Args:
        config, box: of the run.
    """

    def __init__(self, config: SelfPlayConfig, box: Box) -> None:
        self._arguments = ray.put(config), ray.put(box)
        # Ray starts none of them, nor what they did, a second time: see the module.
        options = {"num_cpus": config.threads, "max_restarts": 0, "max_task_retries": 0}
        self._kind = ray.remote(**options)(Player)
        self._own = facts_of_worker(box, config.opponents.scripted, os.getcwd())
        self._past: tuple[list[int], Any] | None = None
        self._coming: dict[Any, Any] = {}  # workers that have not said yet what they have
        self._idle: list[Any] = []
        for _ in range(min(config.shards, max(cores() // config.threads, 1))):
            self._start()

    def _start(self) -> None:
        actor = self._kind.remote(*self._arguments)
        self._coming[actor.hello.remote(os.getcwd())] = actor

    def play(
        self,
        shards: Sequence[Shard],
        network: PolicyValueNet,
        update: int,
        share: float,
        clock: Clock,
    ) -> None:
        """Play a rollout of every shard, and take what was played and the states after it.

        Raises:
            ClusterError: a worker does not start, or is not like this process, or workers are lost
                again and again.
        """
        start = time.perf_counter()
        weights = ray.put(_arrays(network.state_dict()))
        pool = shards[0].pool
        if self._past is None or self._past[0] != pool.born:
            past = ray.put([_arrays(one.state_dict()) for one in pool.past])
            self._past = list(pool.born), past
        born, past = self._past
        # The states as they were before: what is lost is played from them again.
        states = [ray.put(shard.state()) for shard in shards]
        lost = [0] * len(shards)
        waiting = deque(range(len(shards)))
        playing: dict[Any, tuple[int, Any]] = {}
        parts: dict[str, float] = {}
        while waiting or playing:
            while waiting and self._idle:
                index, actor = waiting.popleft(), self._idle.pop()
                rest = (weights, [past], born, update, share)
                playing[actor.play.remote(index, states[index], *rest)] = index, actor
            one = self._next([*playing, *self._coming], waits=not playing)
            if one in self._coming:
                self._greet(one)
                continue
            index, actor = playing.pop(one)
            try:
                played, state, seconds = ray.get(one)
            except RayTaskError as error:
                raise _failure("failed", error.cause or error) from None
            except Lost as error:
                lost[index] += 1
                self._bury(actor, index, lost[index], error)
                waiting.appendleft(index)
                continue
            self._idle.append(actor)
            shards[index].kept.take(played)
            shards[index].restore(state)
            for name, spent in seconds.items():
                parts[name] = parts.get(name, 0.0) + spent
        clock.divide(time.perf_counter() - start, parts)

    def _next(self, answers: Sequence[Any], waits: bool) -> Any:
        """The first of these answers that comes; says so if no worker plays for long."""
        while not (done := ray.wait(list(answers), timeout=_NO_WORKER_S)[0]):
            if waits:
                _tell(STILL_WAITING)
                waits = False
        return done[0]

    def _greet(self, hello: Any) -> None:
        """See that a new worker is there, and has what this process has."""
        actor = self._coming.pop(hello)
        try:
            own, where = ray.get(hello)
        except RayTaskError as error:
            raise _failure("does not start", error.cause or error) from None
        except Lost as error:
            raise _failure("does not start", error) from None
        check(self._own, own, where)
        self._idle.append(actor)

    def _bury(self, actor: Any, index: int, times: int, error: Exception) -> None:
        """Have another worker in place of one that was lost."""
        if times == _MOST_LOSSES:
            raise _failure(f"was lost {times} times with the same games", error)
        _tell(f"a Ray worker was lost ({one_line(error)}); another plays shard {index} again")
        ray.kill(actor)
        self._start()


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _failure(what: str, error: Exception) -> ClusterError:
    return ClusterError(f"a Ray worker {what} ({one_line(error)}); {_REMEDY}")
