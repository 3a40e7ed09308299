"""Intervals and quantiles against known values."""

from __future__ import annotations

import math

import numpy as np
import pytest

from eval.stats import mean_interval, quantiles, student_quantile, wilson_interval


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [
        # Newcombe 1998, table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_against_published_values(wins: int, games: int, low: float, high: float) -> None:
    interval = wilson_interval(wins, games)
    assert interval.value == wins / games
    assert interval.low == pytest.approx(low, abs=5e-5)
    assert interval.high == pytest.approx(high, abs=5e-5)


def test_wilson_touches_the_ends_and_is_symmetric() -> None:
    assert wilson_interval(0, 7).low == 0.0
    assert wilson_interval(7, 7).high == 1.0
    for wins in range(8):
        mirror = wilson_interval(7 - wins, 7)
        assert wilson_interval(wins, 7).low == pytest.approx(1 - mirror.high)


def test_wilson_holds_the_rate_it_says() -> None:
    """Of many samples about 95 % of the intervals hold the true rate."""
    rng = np.random.default_rng(1)
    held = 0
    for wins in rng.binomial(100, 0.1, 4000):
        interval = wilson_interval(int(wins), 100)
        held += interval.low <= 0.1 <= interval.high
    assert 0.93 < held / 4000 < 0.97


@pytest.mark.parametrize(("wins", "games"), [(0, 0), (-1, 5), (6, 5)])
def test_wilson_refuses_impossible_counts(wins: int, games: int) -> None:
    with pytest.raises(ValueError, match="wins must lie in 0 to games"):
        wilson_interval(wins, games)


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    # Any table of Student's t, 97.5 %.
    [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (9, 2.262), (29, 2.045), (999, 1.962)],
)
def test_student_quantiles_against_the_table(freedom: int, quantile: float) -> None:
    assert student_quantile(0.975, freedom) == pytest.approx(quantile, rel=2e-3)


def test_the_interval_of_a_mean() -> None:
    # Mean 5, standard deviation sqrt(32 / 7), error 0.756, 7 degrees of freedom: 2.365.
    interval = mean_interval([2, 4, 4, 4, 5, 5, 7, 9])
    assert interval.value == 5
    assert interval.high - 5 == pytest.approx(2.3646 * math.sqrt(32 / 7 / 8), rel=1e-3)
    assert interval.low + interval.high == pytest.approx(10)


def test_a_single_value_has_an_unbounded_interval_and_none_is_refused() -> None:
    assert mean_interval([3]) == (3, -math.inf, math.inf)
    with pytest.raises(ValueError, match="at least one value"):
        mean_interval([])


def test_quantiles() -> None:
    assert quantiles(range(11)) == (1, 5, 9)
    assert quantiles([4]) == (4, 4, 4)
    assert quantiles([0, 10], [0.25]) == (2.5,)
