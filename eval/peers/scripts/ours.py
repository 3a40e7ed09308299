"""This project's own loops, by the same rules as the others'."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from agents.greedy import bytes_of
from agents.light import LightAgent
from agents.mcts import MctsAgent
from nijar_env import Game, GameBatch, nijar_v0
from nijar_env.core.catalogue import NUM_GAME_ACTIONS
from nijar_env.core.kernels import random_actions, random_playouts
from nijar_env.core.layout import observation_size
from nijar_env.core.record import GAME_DTYPE
from nijar_env.vector_env import NijarVectorEnv

from .aec import AecGames
from .loop import OBSERVE, Make, Play, draw, run_script

_KEY = np.uint64(20_260_101)
_DECISIONS_A_CALL = 1024  # of batches between two looks at the clock, at least


class _Games(Play):
    """`Game` in a Python loop."""

    def __init__(self, players: int, part: str) -> None:
        self._observe = part == OBSERVE
        super().__init__(
            observation=observation_size(players) if self._observe else None,
            actions=NUM_GAME_ACTIONS,
        )
        self._players = players
        self._game = Game(players, seed=0, log=False)

    def play(self, count: int) -> None:
        game, observe, widths = self._game, self._observe, self.widths
        for _ in range(count):
            if game.done:
                self.games += 1
                game = self._game = Game(self._players, seed=self.games, log=False)
            legal = game.legal_actions()
            if observe and (player := game.current_player) is not None:
                game.observation(player)
            if widths is not None:
                widths.append(len(legal))
            game.step(legal[int(draw() * len(legal))])
        self.decisions += count


class _Batch(Play):
    """A batch: random actions from a kernel, a step, and observations where wanted."""

    def __init__(
        self,
        batch: GameBatch,
        step: Callable[[Any], Any],
        observe: Callable[[], Any] | None,
    ) -> None:
        size = batch.observation_size
        super().__init__(observation=size if observe else None, actions=NUM_GAME_ACTIONS)
        self._batch, self._step, self._observe = batch, step, observe
        self.lanes = len(batch)
        self._actions = np.zeros(self.lanes, np.int64)
        self._index = 0

    def play(self, count: int) -> None:
        batch, widths = self._batch, self.widths
        for _ in range(max(1, _DECISIONS_A_CALL // self.lanes)):
            if widths is not None:
                widths += batch.games["num_legal"].tolist()
            random_actions(batch.games, _KEY, self._index, 0, self.lanes, self._actions)
            self._index += 1
            self._step(self._actions)
            if self._observe is not None:
                self._observe()
            self.games += int(np.count_nonzero(batch.dones))
            self.decisions += self.lanes


def _native(games: int, threads: int, part: str) -> _Batch:
    batch = GameBatch(games, 2, seed=1, threads=threads)
    return _Batch(batch, batch.step, batch.observe if part == OBSERVE else None)


def _vector(games: int) -> _Batch:
    envs = NijarVectorEnv(games, 1, autoreset_mode="SameStep")
    envs.reset(seed=1)
    # The step returns observations.
    return _Batch(envs.batch, envs.step, lambda: None)


class _Playouts(Play):
    """Random games to their ends in compiled code, from a new deal."""

    unit = "playouts"

    def __init__(self) -> None:
        self._batch = GameBatch(1, 2, seed=5)
        self._scratch = np.zeros(1, GAME_DTYPE)
        self._number = 0
        super().__init__(decisions_an_iteration=self._run(1000) / 1000)

    def _run(self, count: int) -> int:
        batch, scratch = self._batch, self._scratch
        self._number += 1
        taken = random_playouts(
            batch.box.record,
            batch.games,
            0,
            batch._raw,
            scratch,
            bytes_of(scratch),
            np.uint64(self._number * 10_000),
            count,
        )
        return int(taken)

    def play(self, count: int) -> None:
        self._run(20)
        self.decisions += 20


class _Search(Play):
    """`mcts` in the middle of a game that `light` plays, from an empty tree each time."""

    unit = "iterations"
    iterations = 200

    def __init__(self, playout: str) -> None:
        from agents.mcts_kernels import begin_tree, run_search

        batch, light = GameBatch(1, 2, seed=np.array([6_000_000]), auto_reset=False), LightAgent()
        from agents.base import GameView

        while batch.games["round_number"][0] < 2 or batch.action_masks[0].sum() < 3:
            batch.step(light.act(None, batch.action_masks, GameView(batch)))
        agent = MctsAgent(iterations=self.iterations, playout=playout)
        agent.reset(1)
        agent.act(None, batch.action_masks, GameView(batch))
        tree = agent._trees[0]
        games = np.concatenate([batch.games, batch.games])
        keys = np.random.default_rng(1)

        def search() -> int:
            begin_tree(tree.nodes, tree.size)
            taken = run_search(
                batch.box.record,
                agent._mind,
                agent._params,
                games,
                bytes_of(games),
                tree.nodes,
                tree.size,
                keys.integers(2**63, dtype=np.uint64),
                0,
                self.iterations,
            )
            return int(taken)

        self._search = search
        taken = sum(search() for _ in range(10))
        super().__init__(decisions_an_iteration=taken / (10 * self.iterations))

    def play(self, count: int) -> None:
        self._search()
        self.decisions += self.iterations


GAMES: dict[str, Make] = {
    "Game, 2 players": lambda part: _Games(2, part),
    "Game, 4 players": lambda part: _Games(4, part),
    "raw_env()": lambda part: AecGames(nijar_v0.raw_env()),
    "env()": lambda part: AecGames(nijar_v0.env()),
    "GameBatch, 1": lambda part: _native(1, 1, part),
    "GameBatch, 64": lambda part: _native(64, 1, part),
    "GameBatch, 1,024": lambda part: _native(1024, 1, part),
    "GameBatch, 8,192, 2 threads": lambda part: _native(8192, 2, part),
    "NijarVectorEnv, 1,024 solo": lambda part: _vector(1024),
    "random playouts": lambda part: _Playouts(),
    "mcts": lambda part: _Search("light"),
    "mcts:playout=random": lambda part: _Search("random"),
}

if __name__ == "__main__":
    sys.exit(run_script(GAMES, ["nijar-env", "numba"]))
