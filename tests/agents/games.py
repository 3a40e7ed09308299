"""Games played by agents, for the tests."""

from __future__ import annotations

import numpy as np

from agents import Agent, GameView
from nijar_env import GameBatch


def play_on(batch: GameBatch, agent: Agent, decisions: int) -> None:
    """Let an agent take all decisions of a batch, at most this many; an illegal one would raise."""
    actions = np.zeros(len(batch), np.int64)
    for _ in range(decisions):
        view = GameView(batch)
        if len(view) == 0:
            return
        chosen = agent.act(None, batch.action_masks[view.rows], view)
        assert chosen.shape == (len(view),)
        assert chosen.dtype == np.int64
        actions[view.rows] = chosen
        batch.step(actions)


def first_choices(batch: GameBatch, agent: Agent) -> list[int]:
    """What an agent chooses now in every game that goes on."""
    view = GameView(batch)
    return [int(a) for a in agent.act(None, batch.action_masks[view.rows], view)]
