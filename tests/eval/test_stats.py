"""Intervals and quantiles against known values."""

from __future__ import annotations

import math

import numpy as np
import pytest

from eval.stats import (
    bootstrap_interval,
    excludes,
    games_for,
    half_width,
    mean_interval,
    paired_difference,
    paired_rate_difference,
    quantiles,
    student_quantile,
    wilson_interval,
    win_rate_interval,
)


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


# --- bootstrap and pairs ------------------------------------------------------------------------


def test_the_bootstrap_agrees_with_students_interval_where_both_hold() -> None:
    values = np.random.default_rng(3).normal(10, 4, 400).round()
    drawn, student = bootstrap_interval(values), mean_interval(values)
    assert drawn.value == pytest.approx(student.value)
    assert drawn.low == pytest.approx(student.low, abs=0.06)
    assert drawn.high == pytest.approx(student.high, abs=0.06)
    assert drawn == bootstrap_interval(values)
    assert drawn != bootstrap_interval(values, seed=1)


def test_few_values_get_students_interval_and_one_an_unbounded_one() -> None:
    values = [2, 4, 4, 4, 5, 5, 7, 9]
    assert bootstrap_interval(values) == pytest.approx(mean_interval(values))
    assert bootstrap_interval([3]) == (3, -math.inf, math.inf)
    assert bootstrap_interval([1, 5], [0, 0]) == (3, -math.inf, math.inf)
    assert bootstrap_interval([7] * 20) == (7, 7, 7)


@pytest.mark.parametrize("values", ["whole", "real"])
@pytest.mark.parametrize("count", [12, 120])
def test_the_bootstrap_holds_the_mean_it_says(values: str, count: int) -> None:
    """Also of skew values, where it is made from counts and where it is made from rows."""
    rng = np.random.default_rng(4)
    held = 0
    for seed in range(300):
        sample = rng.exponential(10, count)
        if values == "whole":
            sample = np.floor(sample)
        true = 10.0 if values == "real" else 1 / math.expm1(0.1)
        interval = bootstrap_interval(sample, resamples=600, seed=seed)
        held += not excludes(interval, true)
    assert 0.88 <= held / 300 <= 0.99


def test_the_interval_leans_to_the_long_tail() -> None:
    values = np.random.default_rng(8).exponential(10, 60)
    interval = bootstrap_interval(values)
    assert interval.high - interval.value > 1.1 * (interval.value - interval.low)


def test_clusters_are_drawn_whole() -> None:
    rng = np.random.default_rng(6)
    deals = rng.normal(0, 10, 50)
    alike = bootstrap_interval(np.repeat(deals, 8), np.repeat(np.arange(50), 8))
    assert alike.value == pytest.approx(deals.mean())
    single = bootstrap_interval(deals)
    assert alike.low == pytest.approx(single.low, abs=1.0)
    assert alike.high == pytest.approx(single.high, abs=1.0)
    naive = bootstrap_interval(np.repeat(deals, 8))
    assert naive.high - naive.low < 0.5 * (alike.high - alike.low)


def test_clusters_may_differ_in_size() -> None:
    sizes = np.random.default_rng(2).integers(1, 6, 80)
    values = np.random.default_rng(3).integers(0, 9, sizes.sum())
    interval = bootstrap_interval(values, np.repeat(np.arange(80), sizes))
    assert interval.value == pytest.approx(values.mean())
    assert interval.low < values.mean() < interval.high


def test_a_win_rate_over_deals_takes_the_wider_end() -> None:
    deals = np.repeat(np.arange(100), 2)
    wilson = wilson_interval(100, 200)
    # The deal decides: both games of it end alike.
    alike = win_rate_interval(np.repeat(np.arange(100) % 2 == 0, 2), deals)
    assert alike.value == 0.5
    assert alike.low < wilson.low - 0.02 and alike.high > wilson.high + 0.02
    assert alike.high - alike.low == pytest.approx(2 * 1.96 * 0.05, rel=0.1)
    # The seat decides: every deal is shared, and the bootstrap sees no spread.
    assert win_rate_interval(np.arange(200) % 2 == 0, deals) == wilson
    assert win_rate_interval(np.ones(200, np.bool_), deals) == wilson_interval(200, 200)
    assert win_rate_interval(np.arange(200) % 2 == 0) == wilson
    assert win_rate_interval([True, False], [3, 3]) == wilson_interval(1, 2)
    few = win_rate_interval([True] * 4 + [False, False], [0, 0, 1, 1, 2, 2])
    assert (few.low, few.high) == (0.0, 1.0)


def test_pairs_know_a_difference_better_than_two_means() -> None:
    rng = np.random.default_rng(9)
    luck = rng.normal(70, 11, 300)
    ours, theirs = luck + rng.normal(1, 2, 300), luck + rng.normal(0, 2, 300)
    paired = paired_difference(ours, theirs)
    assert paired.value == pytest.approx((ours - theirs).mean())
    assert excludes(paired, 0)
    assert paired.low > 0
    assert not excludes(bootstrap_interval(ours), float(theirs.mean()))


def test_paired_win_rates_worked_by_hand() -> None:
    # 8 of 40 deals that only we win and 2 that only they win.
    ours = np.array([1] * 8 + [0] * 2 + [1] * 15 + [0] * 15, bool)
    theirs = np.array([0] * 8 + [1] * 2 + [1] * 15 + [0] * 15, bool)
    interval = paired_rate_difference(ours, theirs)
    up, down = 9 / 42, 3 / 42
    half = 1.95996 * math.sqrt((up + down - (up - down) ** 2) / 42)
    assert interval.value == pytest.approx(0.15)
    assert interval.low == pytest.approx(up - down - half, abs=1e-5)
    assert interval.high == pytest.approx(up - down + half, abs=1e-5)


def test_equal_agents_have_a_difference_of_zero_with_an_honest_interval() -> None:
    won = [True, False] * 10
    interval = paired_rate_difference(won, won)
    assert interval.value == 0
    assert interval.low == pytest.approx(-interval.high)
    assert 0.05 < interval.high < 0.2
    assert paired_difference([1, 2], [1, 2]) == (0, 0, 0)


def test_lists_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match="lists of one length"):
        paired_difference([1, 2], [1])
    with pytest.raises(ValueError, match="lists of one length"):
        paired_rate_difference([True], [])
    with pytest.raises(ValueError, match="3 values cannot stand in 2 clusters"):
        bootstrap_interval([1, 2, 3], [0, 0])
    with pytest.raises(ValueError, match="at least one value"):
        bootstrap_interval([])


def test_games_for_a_precision() -> None:
    assert half_width(11, 100) == pytest.approx(2.156, abs=1e-3)
    assert games_for(2.156, 11) == pytest.approx(100, abs=1)
    assert half_width(11, games_for(0.5, 11)) <= 0.5 < half_width(11, games_for(0.5, 11) - 1)
