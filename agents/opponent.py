"""Agents as opponents in `nijar_env/Nijar-v0` and its vector environment."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from nijar_env import GameBatch

from .base import Actions, Agent, GameView


class Opponent:
    """An agent that plays the other seats: `gymnasium.make(..., opponents=Opponent(agent))`.

    Args:
        agent: from `make_agent`, or any `Agent`.
        seed: of its own randomness.
    """

    def __init__(self, agent: Agent, seed: int = 0) -> None:
        self.agent = agent
        agent.reset(seed)

    def act_in(self, batch: GameBatch, rows: npt.NDArray[np.int64]) -> Actions:
        """Actions, int64 (M,), for the M games `rows` of a batch in which it is to decide."""
        observations = None
        if self.agent.needs_observations:
            players = np.full(len(batch), -1)
            players[rows] = batch.current_players[rows]
            out = np.empty((len(batch), batch.observation_size), np.float32)
            observations = batch.observe(players, out=out)[rows]
        return self.agent.act(observations, batch.action_masks[rows], GameView(batch, rows=rows))
