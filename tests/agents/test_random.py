"""`random` is uniform over the legal actions, whatever batch a game is played in."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from agents import GameView, make_agent
from nijar_env import GameBatch

from .games import first_choices, play_on


def test_every_legal_action_is_equally_likely() -> None:
    games = 6000
    batch = GameBatch(games, 1, seed=np.full(games, 4))  # the same game many times
    play_on(batch, make_agent("random"), 0)
    legal = np.flatnonzero(batch.action_masks[0])
    counts = Counter(first_choices(batch, make_agent("random")))
    assert set(counts) == set(legal.tolist())
    expected = games / len(legal)
    chi2 = sum((counts[a] - expected) ** 2 / expected for a in legal.tolist())
    # Far beyond the 99.99 % point for so few degrees of freedom.
    assert chi2 < 6 * len(legal)


@pytest.mark.parametrize("num_players", [1, 2, 3, 4])
def test_it_plays_whole_games_of_any_number_of_players(num_players: int) -> None:
    batch = GameBatch(16, num_players, seed=1, auto_reset=False)
    play_on(batch, make_agent("random"), 5000)
    assert batch.dones.all()


def test_seeds_differ_and_repeat() -> None:
    def run(seed: int) -> list[int]:
        batch = GameBatch(8, 2, seed=2)
        agent = make_agent("random")
        agent.reset(seed)
        play_on(batch, agent, 40)
        return [int(v) for v in batch.games["vp"].ravel()] + first_choices(batch, agent)

    assert run(1) == run(1)
    assert run(1) != run(2)


def test_a_game_does_not_depend_on_the_others_of_its_batch() -> None:
    def run(rows: list[int]) -> list[bytes]:
        batch = GameBatch(len(rows), 1, seed=np.array(rows) + 50, auto_reset=False)
        agent = make_agent("random")
        agent.reset(3)
        actions = np.zeros(len(rows), np.int64)
        for _ in range(30):
            view = GameView(batch, ids=rows)
            actions[view.rows] = agent.act(None, batch.action_masks[view.rows], view)
            batch.step(actions)
        return [game.tobytes() for game in batch.games]

    together = run([0, 1, 2, 3])
    assert [*run([0]), *run([1, 2]), *run([3])] == together
