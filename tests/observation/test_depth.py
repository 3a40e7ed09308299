"""The stack of pending frames stays within the frames that an observation spells out."""

from __future__ import annotations

import numpy as np
import pytest

from nijar_env.batch import GameBatch
from nijar_env.core.catalogue import A_DONE
from nijar_env.core.jit import JIT
from nijar_env.core.kernels import random_actions
from nijar_env.core.layout import FRAMES_SHOWN, observation_layout
from nijar_env.decode import decode
from nijar_env.game import Game
from tests.observation.states import observe_record, random_states

GAMES, STEPS = (1024, 1500) if JIT else (8, 150)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_deepest_stack(players: int) -> None:
    """Players that seldom stop early nest deepest; even they stay within half of what is shown."""
    batch = GameBatch(GAMES, players, seed=17)
    actions = np.zeros(GAMES, np.int64)
    deepest = 0
    for number in range(STEPS):
        random_actions(batch.games, np.uint64(23), 2 * number, 0, GAMES, actions)
        stops = (actions == A_DONE) & (batch.games["num_legal"] > 1)
        again = np.zeros_like(actions)
        random_actions(batch.games, np.uint64(23), 2 * number + 1, 0, GAMES, again)
        batch.step(np.where(stops, again, actions))
        deepest = max(deepest, int(batch.games["depth"].max()))
    assert 3 <= deepest <= FRAMES_SHOWN // 2


def test_deeper_than_shown() -> None:
    """A stack beyond what is shown keeps its exact depth, top frames and numbers by kind."""
    game: Game = next(g for g in random_states(2, seed=1) if g.record.depth == 1)
    games = game._games[:1].copy()
    g = games[0]
    g.depth = FRAMES_SHOWN + 3
    g.frames[: g.depth] = g.frames[0]
    g.frames[: g.depth, 2] = np.arange(g.depth) % 3
    known = decode(observe_record(games, 0), 0)
    assert known["depth"] == FRAMES_SHOWN + 3
    assert np.array_equal(known["frames"], g.frames[3 : g.depth])
    field = next(f for f in observation_layout(2) if f.name == "pending.kinds")
    kinds = observe_record(games, 0)[field.start : field.stop] * field.scale
    assert kinds.tolist() == np.bincount(g.frames[: g.depth, 0], minlength=len(kinds)).tolist()
