"""Playing games for measurements: paired, and independent of the batch."""

from __future__ import annotations

import numpy as np
import pytest

from agents import GameView, make_agent
from agents.base import Actions, Masks, Observations
from eval.match import SoloResults, game_seed, hashed_seed, play_solo
from nijar_env import Game


class Watcher:
    """Takes the first legal action and remembers what it was shown."""

    name = "watcher"

    def __init__(self, needs_observations: bool) -> None:
        self.needs_observations = needs_observations
        self.seeds: list[int] = []
        self.starts: dict[int, list[int]] = {}
        self.observed: list[tuple[int, ...] | None] = []

    def reset(self, seed: int) -> None:
        self.seeds.append(seed)

    def act(self, observations: Observations | None, masks: Masks, games: GameView) -> Actions:
        assert len(masks) == len(games)
        self.observed.append(None if observations is None else observations.shape)
        known = games.determinize(np.zeros(len(games), np.uint64))
        for game, record in zip(games.ids.tolist(), known, strict=True):
            self.starts.setdefault(game, record["tile"].ravel().tolist())
        return masks.argmax(axis=1)


def test_seeds_are_hashed_and_all_differ() -> None:
    seeds = {game_seed(s, i) for s in range(20) for i in range(50)}
    assert len(seeds) == 1000
    assert hashed_seed("a", 1, 23) != hashed_seed("a", 12, 3)
    assert all(0 <= seed < 2**64 for seed in seeds)
    assert max(seeds) > 2**63


def test_game_i_is_dealt_from_its_seed_for_every_agent_and_difficulty() -> None:
    for difficulty in ("normal", "expert"):
        agent = Watcher(needs_observations=False)
        play_solo(agent, difficulty, 5, seed=7, batch_size=2)
        for number in range(5):
            game = Game(1, difficulty=difficulty, seed=game_seed(7, number))
            assert agent.starts[number] == game.record["tile"].ravel().tolist()


def test_observations_are_made_for_agents_that_need_them() -> None:
    blind, seeing = Watcher(False), Watcher(True)
    play_solo(blind, "normal", 3, seed=1)
    play_solo(seeing, "normal", 3, seed=1)
    assert set(blind.observed) == {None}
    assert seeing.observed[0] is not None
    assert seeing.observed[0][0] == 3
    assert blind.seeds == seeing.seeds == [hashed_seed("agent", 1)]


@pytest.mark.parametrize("batch_size", [1, 4, 100])
def test_results_are_in_order_and_do_not_depend_on_the_batch(batch_size: int) -> None:
    results = play_solo(make_agent("random"), "normal", 10, seed=3, batch_size=batch_size)
    reference = play_solo(make_agent("random"), "normal", 10, seed=3)
    assert results.numbers == list(range(10))
    assert results.own_vp == reference.own_vp
    assert results.competition_vp == reference.competition_vp
    assert results.won == reference.won
    assert results.decisions == reference.decisions
    assert results.seconds > 0


def test_finished_games_outlive_an_interruption() -> None:
    results = SoloResults()

    def stop(count: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_solo(make_agent("random"), "normal", 10, seed=3, results=results, finished=stop)
    assert 1 <= len(results) < 10
    assert results.numbers == sorted(results.numbers)
    assert len(results.own_vp) == len(results.won) == len(results.decisions) == len(results)
