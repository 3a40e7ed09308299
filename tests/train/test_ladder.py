"""Measuring a policy against scripted agents: `train.ladder`."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the extra `train` is not installed")

from train.evaluate import evaluate_solo, most_likely  # noqa: E402
from train.inputs import Reader  # noqa: E402
from train.ladder import LadderResult, measure  # noqa: E402
from train.networks import make_network  # noqa: E402


def first_legal(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    assert len(observations) == len(masks)
    return masks.argmax(1).astype(np.int64)


def numbers(result: LadderResult) -> tuple[float, ...]:
    return (*result.win_rate, result.margin, result.vp)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_deal_is_played_at_every_seat(players: int) -> None:
    results = measure(first_legal, ["random", "light"], players, 3)
    assert [one.opponent for one in results] == ["random", "light"]
    assert [one.games for one in results] == [3 * players] * 2
    for one in results:
        rate, low, high = one.win_rate
        assert 0 <= low <= rate <= high <= 1
        assert round(rate * one.games) == pytest.approx(rate * one.games)
    assert results[1].margin < 0
    assert results[1].win_rate.value < 0.5


def test_a_measurement_repeats_and_another_seed_deals_others() -> None:
    first, again, other = (measure(first_legal, ["random"], 2, 4, seed=s)[0] for s in (1, 1, 2))
    assert numbers(first) == numbers(again)
    assert numbers(first) != numbers(other)


def test_an_agent_against_its_like_wins_its_share() -> None:
    """The policy plays as an agent of the table would: the same choices at the other seat."""
    result = measure(first_legal, ["tests.train.test_ladder:FirstLegal"], 2, 5)[0]
    assert result.win_rate.value == 0.5
    assert result.margin == 0.0


def test_a_network_of_choices_that_has_not_learnt_plays_as_light() -> None:
    network = make_network("choices", 3, {"hidden": [4], "value_hidden": []})
    reader = Reader(network.reads)
    assert not reader.needs_observations
    result = measure(most_likely(network), ["light"], 3, 3, reader=reader)[0]
    assert result.win_rate.value == pytest.approx(1 / 3)
    deals = [measure(most_likely(network), ["light"], 3, n, reader=reader)[0].vp for n in (1, 3)]
    assert deals[1] == result.vp and deals[0] > 20


def test_solo_games_are_those_of_evaluate_at_each_difficulty() -> None:
    results = measure(first_legal, ["normal", "expert"], 1, 5, seed=3)
    assert [one.opponent for one in results] == ["normal", "expert"]
    for one in results:
        alone = evaluate_solo(first_legal, one.opponent, 5, seed=3)
        assert (one.games, one.vp, one.margin) == (5, alone.vp, alone.margin)
        rate, low, high = one.win_rate
        assert 0 <= low <= rate == alone.win_rate <= high <= 1
    assert str(results[0]).startswith("normal ")


class FirstLegal:
    """The same policy as an agent."""

    needs_observations = False

    def reset(self, seed: int) -> None:
        pass

    def act(self, observations: object, masks: np.ndarray, games: object) -> np.ndarray:
        return masks.argmax(1).astype(np.int64)
