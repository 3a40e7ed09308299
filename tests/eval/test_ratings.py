"""Ratings of agents whose strengths are known."""

from __future__ import annotations

import math
import random
import sys
from typing import Any

import numpy as np
import pytest

from eval.ratings import elo_ratings, openskill_ratings, placements
from eval.records import GameRecord
from eval.stats import excludes

from .synthetic import ranked, solo_games, tournament

TRUE = {"weak": 0.0, "middle": 150.0, "strong": 300.0, "best": 420.0}


def two(wins: int, losses: int, better: str = "a", worse: str = "b") -> list[GameRecord]:
    won = [ranked(i, (better, worse), (9, 1)) for i in range(wins)]
    return won + [ranked(wins + i, (better, worse), (1, 9)) for i in range(losses)]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_known_strengths_are_found(players: int) -> None:
    games = tournament(TRUE, players, {2: 200, 3: 80, 4: 80}[players], seed=players)
    ratings = elo_ratings(games, anchor="weak", resamples=300)
    assert list(ratings) == ["best", "strong", "middle", "weak"]
    for agent, points in TRUE.items():
        assert ratings[agent].points.value == pytest.approx(points, abs=35)
        assert not ratings[agent].separated
    assert ratings["weak"].points == (0, 0, 0)
    assert all(r.points.low < r.points.value < r.points.high for r in list(ratings.values())[:3])


def test_two_players_give_bradley_and_terrys_odds() -> None:
    ratings = elo_ratings(two(7500, 2500), anchor="b", resamples=10)
    assert ratings["a"].points.value == pytest.approx(400 * math.log10(3), abs=0.2)


def hunter(
    rankings: list[tuple[int, ...]], agents: int, rounds: int = 3000
) -> np.ndarray[Any, Any]:
    """Hunter's MM algorithm as he wrote it; the last agent is the virtual one, of strength 1."""
    strength = np.ones(agents + 1)
    chosen = np.zeros(agents + 1)
    for ranking in rankings:
        for agent in ranking[:-1]:
            chosen[agent] += 1
    chosen[:agents] += 0.5
    chosen[agents] += 0.5 * agents
    for _ in range(rounds):
        below = np.zeros(agents + 1)
        for ranking in rankings:
            for stage in range(len(ranking) - 1):
                left = list(ranking[stage:])
                below[left] += 1 / strength[left].sum()
        for agent in range(agents):
            met = 1 / (strength[agent] + strength[agents])
            below[[agent, agents]] += met
        strength = chosen / below
        strength /= strength[agents]
    return np.log10(strength[:agents]) * 400


def test_the_maximum_is_the_one_that_hunters_algorithm_climbs_to() -> None:
    names = ["a", "b", "c", "d"]
    rng = np.random.default_rng(5)
    games, rankings = [], []
    for deal in range(40):
        agents = rng.choice(4, int(rng.integers(2, 5)), replace=False)
        vp = rng.permutation(len(agents)) * 5 + 3 * (agents == 2)
        games.append(ranked(deal, [names[a] for a in agents], vp.tolist()))
        rankings.append(tuple(names.index(name) for name in placements(games[-1])))
    expected = hunter(rankings, 4)
    ratings = elo_ratings(games, anchor="a", resamples=10)
    for i, name in enumerate(names):
        assert ratings[name].points.value == pytest.approx(expected[i] - expected[0], abs=1e-3)


def test_the_order_of_the_games_does_not_matter() -> None:
    games = tournament(TRUE, 3, 5)
    mixed = list(games)
    random.Random(1).shuffle(mixed)
    assert elo_ratings(games, resamples=50) == elo_ratings(mixed, resamples=50)


def test_openskill_does_not_care_how_the_games_are_handed_over() -> None:
    pytest.importorskip("openskill")
    games = tournament(TRUE, 3, 5)
    mixed = list(games)
    random.Random(1).shuffle(mixed)
    assert openskill_ratings(games, orders=2) == openskill_ratings(mixed, orders=2)


def test_without_an_anchor_the_mean_is_zero() -> None:
    ratings = elo_ratings(tournament(TRUE, 2, 30), resamples=20)
    assert sum(r.points.value for r in ratings.values()) == pytest.approx(0, abs=1e-6)


def test_the_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    true = {"a": 0.0, "b": 100.0, "c": 250.0}
    held = 0
    for seed in range(100):
        ratings = elo_ratings(
            tournament(true, 2, 40, seed=seed), anchor="a", resamples=200, seed=seed
        )
        held += sum(not excludes(ratings[agent].points, true[agent]) for agent in "bc")
    assert 0.88 <= held / 200 <= 0.99


def test_deals_are_drawn_whole() -> None:
    """Eight games of a deal that all end alike tell no more than one."""
    few = two(30, 20)
    alike = [
        GameRecord(deal=game.deal, difficulty="", seats=game.seats)
        for game in few
        for _ in range(8)
    ]
    spread = [
        GameRecord(deal=8 * game.deal + i, difficulty="", seats=game.seats)
        for game in few
        for i in range(8)
    ]

    def width(games: list[GameRecord]) -> float:
        points = elo_ratings(games, anchor="b")["a"].points
        return points.high - points.low

    assert width(alike) == pytest.approx(width(few), rel=0.15)
    assert width(spread) < width(few) / 2


def test_every_pairing_keeps_its_games_in_the_bootstrap() -> None:
    """A pairing of two deals beside one of hundreds is never drawn away."""
    games = [*two(200, 100), ranked(0, ("c", "a"), (9, 1)), ranked(1, ("c", "a"), (1, 9))]
    c = elo_ratings(games, anchor="a", resamples=500)["c"].points
    assert abs(c.value) < 30
    assert c.low > -700 and c.high < 700


def test_separation_stays_finite_and_is_marked() -> None:
    games = two(50, 0, "a", "b") + two(30, 20, "b", "c")
    ratings = elo_ratings(games, anchor="b", resamples=50)
    assert all(math.isfinite(x) for r in ratings.values() for x in r.points)
    assert ratings["a"].points.value > 400
    assert [agent for agent, r in ratings.items() if r.separated] == ["a"]
    more = elo_ratings(two(500, 0, "a", "b"), anchor="b", resamples=50)
    assert more["a"].points.value > elo_ratings(two(50, 0), anchor="b")["a"].points.value


def test_an_agent_in_several_seats() -> None:
    mirror = [ranked(i, ("a", "a"), (i % 3, 1)) for i in range(10)]
    assert elo_ratings(mirror, resamples=10)["a"].points == (0, 0, 0)
    three = [ranked(i, ("a", "a", "b"), (5, 4, 9 if i % 3 else 1)) for i in range(60)]
    ratings = elo_ratings(three, anchor="a", resamples=50)
    # b is first in 40 games and last in 20: g^40 / ((g + 2)^60 (g + 1)^20) is greatest at this g.
    g = (20 + math.sqrt(20**2 + 4 * 40 * 80)) / 80
    assert ratings["b"].points.value == pytest.approx(400 * math.log10(g), abs=2)


def test_openskill_of_an_agent_that_only_meets_itself() -> None:
    pytest.importorskip("openskill")
    skills = openskill_ratings([ranked(i, ("a", "a"), (i % 3, 1)) for i in range(10)])
    assert skills is not None
    assert skills["a"].mu == pytest.approx(25)
    assert skills["a"].sigma == pytest.approx(25 / 3)


def test_openskill_agrees_on_the_order() -> None:
    pytest.importorskip("openskill")
    games = tournament(TRUE, 4, 20)
    skills = openskill_ratings(games, orders=3)
    assert skills is not None
    assert sorted(skills, key=lambda agent: skills[agent].mu) == list(TRUE)
    for skill in skills.values():
        assert 0 < skill.sigma < 25 / 3
        assert skill.ordinal == pytest.approx(skill.mu - 3 * skill.sigma)
    assert skills == openskill_ratings(games, orders=3)
    assert skills != openskill_ratings(games, orders=3, seed=1)


def test_openskill_is_not_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    assert openskill_ratings(two(3, 2)) is None


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one game"):
        elo_ratings([])
    with pytest.raises(ValueError, match="the anchor 'x' does not play"):
        elo_ratings(two(1, 1), anchor="x")
    with pytest.raises(ValueError, match="solo"):
        elo_ratings(solo_games({"a": 70}, 1))
