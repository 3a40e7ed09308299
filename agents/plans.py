"""Agents that plan a whole turn: they follow a plan while the game offers what it expected."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import numpy as np

from .base import Actions, GameView, Masks, Observations
from .greedy_weights import MAX_PLIES

PLAN_DTYPE: Final = np.dtype(
    (
        np.record,
        [
            ("game", np.int64),  # its number; -1: no plan
            ("player", np.int64),
            ("at", np.int64),  # actions taken
            ("length", np.int64),
            ("moves", np.int64, (MAX_PLIES,)),
            ("codes", np.int64, (MAX_PLIES,)),  # the mask that each belongs to
        ],
    )
)


class PlanningAgent:
    """Follows its plans; a subclass makes them in `_plan`.

    There is one plan for each row of the batch; it holds for one player of one game.
    """

    needs_observations = False
    name = ""

    def __init__(self) -> None:
        self._plans = np.zeros(0, PLAN_DTYPE)
        self._seed = 0

    def reset(self, seed: int) -> None:
        """Forget all plans; determinize by this seed, in [0, 2**64), from now on."""
        self._seed = seed
        self._plans = np.zeros(0, PLAN_DTYPE)

    def act(self, observations: Observations | None, masks: Masks, games: GameView) -> Actions:
        """See `Agent.act`."""
        if not self._plans.size:
            self._prepare()
        from .greedy_kernels import UNPLANNED, follow_plans

        self._make_room(games)
        actions = np.empty(len(masks), np.int64)
        follow_plans(masks, games.rows, games.ids, games.players, self._plans, actions)
        unplanned = np.flatnonzero(actions == UNPLANNED)
        if len(unplanned):
            actions[unplanned] = self._plan(games.select(unplanned))
        return actions

    def _prepare(self) -> None:
        """Called before the first plan."""

    def _plan(self, games: GameView) -> Actions:
        """Note new plans; return the first action of each."""
        raise NotImplementedError

    def _make_room(self, games: GameView) -> None:
        """A plan for each row of the batch."""
        size = int(games.rows.max(initial=-1)) + 1
        if size > len(self._plans):
            plans = np.zeros(size, PLAN_DTYPE)
            plans["game"] = -1
            plans[: len(self._plans)] = self._plans
            self._plans = plans


def announce_compilation(agent: str, entry: str, how_long: str) -> None:
    """Say on standard error that an agent's kernels are about to be compiled, if their cache is
    cold; `entry` is the module and function of the last one."""
    from nijar_env.core.cache_folder import is_compiled
    from nijar_env.core.jit import JIT

    if JIT and not is_compiled(entry, Path(__file__).resolve().parent):
        print(f"agents: compiling {agent}'s search, {how_long} ...", file=sys.stderr)
