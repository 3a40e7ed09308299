"""`greedy`: legal, fair, reproducible, and far better than random."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from agents import make_agent
from agents.greedy import GreedyAgent
from agents.greedy_weights import (
    FEATURES,
    KNOTS,
    MOST_TURNS,
    NUM_FEATURES,
    by_turns,
    fitted_weights,
)
from nijar_env import GameBatch
from nijar_env.core.catalogue import A_KEEP, A_REROLL
from tests.agents.games import play_solo

from .games import first_choices, play_on


@pytest.mark.parametrize("auto_forced", [True, False])
@pytest.mark.parametrize("num_players", [1, 2, 3, 4])
def test_it_plays_whole_legal_games_of_any_number_of_players(
    num_players: int, auto_forced: bool
) -> None:
    batch = GameBatch(3, num_players, seed=8, auto_forced=auto_forced, auto_reset=False)
    play_on(batch, GreedyAgent(beam=4), 5000)
    assert batch.dones.all()
    assert (batch.final_scores[:, :num_players] > 20).all()


@pytest.mark.parametrize("difficulty", ["normal", "advanced", "expert"])
def test_it_beats_random_by_far(difficulty: str) -> None:
    greedy = play_solo(make_agent("greedy"), difficulty, 30, seed=1)
    random = play_solo(make_agent("random"), difficulty, 30, seed=1)
    assert np.mean(greedy.own_vp) > np.mean(random.own_vp) + 45
    assert min(greedy.own_vp) > max(random.own_vp)


def test_results_do_not_depend_on_the_batch() -> None:
    whole = play_solo(make_agent("greedy"), "normal", 9, seed=2, batch_size=9)
    parts = play_solo(make_agent("greedy"), "normal", 9, seed=2, batch_size=4)
    again = play_solo(make_agent("greedy"), "normal", 9, seed=2, batch_size=9)
    for other in (parts, again):
        assert other.own_vp == whole.own_vp
        assert other.competition_vp == whole.competition_vp
        assert other.decisions == whole.decisions


@pytest.mark.parametrize("num_players", [1, 2, 3, 4])
def test_nothing_hidden_changes_its_choice(num_players: int) -> None:
    """Everything that the player to act cannot know is dealt anew: the choice stays."""
    from agents.kernels import determinize_rows

    batch = GameBatch(24, num_players, seed=21, auto_reset=False)
    other = GameBatch(24, num_players, seed=0, auto_reset=False)
    random = make_agent("random")
    for _ in range(4):
        play_on(batch, random, 12)
        rows = np.flatnonzero(batch.current_players >= 0)
        other.games[:] = batch.games
        dealt = np.zeros(len(rows), batch.games.dtype)
        determinize_rows(batch.box.record, batch.games, rows, rows.astype(np.uint64), dealt)
        other.games[rows] = dealt
        other.action_masks[:] = batch.action_masks
        other.current_players[:] = batch.current_players
        assert (dealt["deck"] != batch.games["deck"][rows]).any()
        assert first_choices(other, GreedyAgent(8)) == first_choices(batch, GreedyAgent(8))


def test_its_own_seed_changes_nothing() -> None:
    """All chance is left out of the search, so different determinizations agree."""
    batch = GameBatch(24, 2, seed=5)
    play_on(batch, make_agent("random"), 30)
    first, second = GreedyAgent(8), GreedyAgent(8)
    first.reset(1)
    second.reset(2)
    assert first_choices(batch, first) == first_choices(batch, second)


def test_a_plan_does_not_outlive_its_game() -> None:
    """An agent that is not told of a new game in a row of the batch plans for it anew."""
    agent = GreedyAgent(4)
    old = GameBatch(8, 1, seed=1)
    play_on(old, agent, 21)
    new = GameBatch(8, 1, seed=2)
    play_on(new, make_agent("random"), 21)
    new.episodes[:] = 1
    assert first_choices(new, agent) == first_choices(new, GreedyAgent(4))


def test_market_dice_are_kept_or_rolled_again_by_what_they_show() -> None:
    batch = GameBatch(64, 1, seed=9, auto_reset=False)
    agent = GreedyAgent(4)
    chosen: set[int] = set()
    while not batch.dones.all():
        actions = first_choices(batch, agent)
        rows = np.flatnonzero(batch.current_players >= 0)
        chosen |= {a for a in actions if a in (A_KEEP, A_REROLL)}
        full = np.zeros(len(batch), np.int64)
        full[rows] = actions
        batch.step(full)
    assert chosen == {A_KEEP, A_REROLL}


def test_the_table_of_weights() -> None:
    names = [name for name, _, _ in FEATURES]
    assert len(set(names)) == NUM_FEATURES
    assert all(meaning for _, meaning, _ in FEATURES)
    table = fitted_weights()
    assert table.shape == (NUM_FEATURES, len(KNOTS))
    weights = by_turns(table)
    assert weights.shape == (MOST_TURNS + 1, NUM_FEATURES)
    for k, turns in enumerate(KNOTS):
        assert weights[turns] == pytest.approx(table[:, k])
    assert weights[MOST_TURNS] == pytest.approx(table[:, -1])


def test_weights_of_another_shape_are_refused() -> None:
    with pytest.raises(ValueError, match="weights must have shape"):
        GreedyAgent(weights=np.zeros((3, 3)))


_ONE_GAME = """
import json
from agents.greedy import GreedyAgent
from tests.agents.games import play_solo
r = play_solo(GreedyAgent(beam=1), "normal", 1, seed=4)
print(json.dumps([r.own_vp, r.competition_vp, r.decisions]))
"""


def test_compiled_or_not_it_plays_the_same_game() -> None:
    def run(**environment: str) -> list[list[int]]:
        done = subprocess.run(
            [sys.executable, "-c", _ONE_GAME],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)  # type: ignore[no-any-return]

    assert run(NUMBA_DISABLE_JIT="1") == run(NUMBA_DISABLE_JIT="0")
