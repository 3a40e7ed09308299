"""Intervals and quantiles of measured results."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

CONFIDENCE = 0.95
QUANTILES = (0.1, 0.5, 0.9)
RESAMPLES = 2000
_FEW = 10  # clusters; a bootstrap of fewer is too narrow
_DRAWN_AT_ONCE = 4_000_000


class Interval(NamedTuple):
    """An estimate and the ends of its confidence interval."""

    value: float
    low: float
    high: float


def wilson_interval(wins: int, games: int, confidence: float = CONFIDENCE) -> Interval:
    """A proportion with Wilson's score interval, which holds for few games and for none won.

    Raises:
        ValueError: `games` < 1, or `wins` outside 0 to `games`.
    """
    if games < 1 or not 0 <= wins <= games:
        raise ValueError(f"wins must lie in 0 to games, and games be at least 1: {wins}, {games}")
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    rate = wins / games
    shrink = 1 + z * z / games
    centre = (rate + z * z / (2 * games)) / shrink
    half = z * math.sqrt(rate * (1 - rate) / games + z * z / (4 * games * games)) / shrink
    # At the ends the interval touches 0 and 1 exactly, whatever the rounding.
    low = 0.0 if wins == 0 else centre - half
    high = 1.0 if wins == games else centre + half
    return Interval(rate, low, high)


def student_quantile(probability: float, freedom: int) -> float:
    """Quantile of Student's t, by Hill's expansion about the normal quantile.

    Good to 0.1 % for 95 % intervals from 3 degrees of freedom on; exact for 1 and 2.
    """
    if freedom == 1:
        return math.tan(math.pi * (probability - 0.5))
    if freedom == 2:
        spread = 2 * probability - 1
        return spread * math.sqrt(2 / (1 - spread * spread))
    z: float = NormalDist().inv_cdf(probability)
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return sum(term / float(freedom) ** power for power, term in enumerate(terms))


def mean_interval(
    values: Sequence[float] | npt.NDArray[np.generic], confidence: float = CONFIDENCE
) -> Interval:
    """A mean with Student's interval; of a single value the interval is unbounded.

    Raises:
        ValueError: no values.
    """
    numbers = np.asarray(values, np.float64)
    if numbers.size == 0:
        raise ValueError("a mean needs at least one value")
    mean = float(numbers.mean())
    if numbers.size == 1:
        return Interval(mean, -math.inf, math.inf)
    error = float(numbers.std(ddof=1)) / math.sqrt(numbers.size)
    half = student_quantile((1 + confidence) / 2, numbers.size - 1) * error
    return Interval(mean, mean - half, mean + half)


def quantiles(
    values: Sequence[float] | npt.NDArray[np.generic],
    probabilities: Sequence[float] = QUANTILES,
) -> tuple[float, ...]:
    """Quantiles of a sample, interpolated between neighbours (NumPy's default)."""
    return tuple(float(q) for q in np.quantile(np.asarray(values, np.float64), probabilities))


def _clusters(
    values: Sequence[float] | npt.NDArray[np.generic],
    clusters: Sequence[int] | npt.NDArray[np.generic] | None,
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Sum and number of the values of each cluster; without clusters each value is one."""
    numbers = np.asarray(values, np.float64)
    if numbers.size == 0:
        raise ValueError("a mean needs at least one value")
    if clusters is None:
        return numbers, np.ones_like(numbers)
    if len(clusters) != numbers.size:
        raise ValueError(f"{numbers.size} values cannot stand in {len(clusters)} clusters")
    _, member = np.unique(np.asarray(clusters), return_inverse=True)
    sums: npt.NDArray[np.float64] = np.bincount(member, numbers).astype(np.float64)
    return sums, np.bincount(member).astype(np.float64)


def _resampled_means(
    sums: npt.NDArray[np.float64],
    sizes: npt.NDArray[np.float64],
    resamples: int,
    rng: np.random.Generator,
) -> npt.NDArray[np.float64]:
    """Means of samples of as many clusters, drawn with replacement."""
    count = len(sums)
    alike, frequency = np.unique(np.stack([sums, sizes]), axis=1, return_counts=True)
    if alike.shape[1] * 4 < count:
        # Results are whole numbers, so many clusters are alike: it is enough to draw how often each
        # different one comes.
        drawn = rng.multinomial(count, frequency / count, resamples)
        return np.asarray((drawn @ alike[0]) / (drawn @ alike[1]))
    means = np.empty(resamples)
    step = max(_DRAWN_AT_ONCE // count, 1)
    for first in range(0, resamples, step):
        rows = rng.integers(0, count, (min(step, resamples - first), count))
        means[first : first + step] = sums[rows].sum(axis=1) / sizes[rows].sum(axis=1)
    return means


def bootstrap_interval(
    values: Sequence[float] | npt.NDArray[np.generic],
    clusters: Sequence[int] | npt.NDArray[np.generic] | None = None,
    *,
    confidence: float = CONFIDENCE,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Interval:
    """A mean with its BCa bootstrap interval; of a single cluster the interval is unbounded.

    BCa (Efron 1987) is the percentile interval corrected for the bias and the skewness of the
    estimate. The level is widened as Student's t asks (Hesterberg 2015's "expanded" interval),
    because a plain bootstrap is too narrow for few values. For fewer than ten clusters it is too
    narrow even so, and Student's interval takes its place.

    Args:
        values: one number for each game.
        clusters: what each value belongs to, such as its deal: values of a cluster depend on each
            other, so whole clusters are drawn. None: the values are independent.
        seed: of the resampling; the same seed gives the same interval.

    Raises:
        ValueError: no values, or as many clusters as there are not values.
    """
    sums, sizes = _clusters(values, clusters)
    count = len(sums)
    mean = float(sums.sum() / sizes.sum())
    if count == 1:
        return Interval(mean, -math.inf, math.inf)
    pull = sums - mean * sizes  # how much each cluster pulls at the mean
    spread = float(np.sqrt((pull**2).sum()))
    if spread == 0:
        return Interval(mean, mean, mean)
    reach = student_quantile((1 + confidence) / 2, count - 1) * math.sqrt(count / (count - 1))
    if count < _FEW:
        half = reach * spread / float(sizes.sum())
        return Interval(mean, mean - half, mean + half)
    means = _resampled_means(sums, sizes, resamples, np.random.default_rng(seed))
    normal = NormalDist()
    near = 1e-9 * max(abs(mean), 1.0)  # equal but for rounding
    below = float((means < mean - near).mean() + (means <= mean + near).mean()) / 2
    bias = normal.inv_cdf(min(max(below, 0.5 / resamples), 1 - 0.5 / resamples))
    skew = float((pull**3).sum()) / (6 * spread**3)
    ends = []
    for z in (-reach, reach):
        moved = bias + z
        # Beyond this the correction turns round; only tiny, very skew samples come near.
        moved = bias + moved / max(1 - skew * moved, 0.1)
        ends.append(float(np.quantile(means, normal.cdf(moved))))
    return Interval(mean, ends[0], ends[1])


def win_rate_interval(
    won: Sequence[bool] | npt.NDArray[np.generic],
    clusters: Sequence[int] | npt.NDArray[np.generic] | None = None,
    *,
    confidence: float = CONFIDENCE,
    seed: int = 0,
) -> Interval:
    """A win rate with the wider of Wilson's interval and the bootstrap over deals, end by end.

    Where a deal is played several times, with the seats rotated, its games are not independent:
    the deals are. If a deal favours an agent's style in every seat, the games agree more than
    chance would make them, and Wilson's interval, which counts games, is too narrow: the bootstrap
    over deals is right. If a deal favours a seat, the games of a deal cancel, and the bootstrap is
    narrower; Wilson's is then on the safe side. And where all deals ended alike (all won, or all
    shared evenly) the bootstrap has nothing to draw from, while Wilson's still holds. So the wider
    end is taken each time: never less cautious than either.

    Raises:
        ValueError: no games.
    """
    wins = np.asarray(won, np.bool_)
    wilson = wilson_interval(int(wins.sum()), wins.size, confidence)
    if clusters is None or len(np.unique(np.asarray(clusters))) in (1, wins.size):
        return wilson
    drawn = bootstrap_interval(wins, clusters, confidence=confidence, seed=seed)
    low, high = min(wilson.low, drawn.low), max(wilson.high, drawn.high)
    return Interval(wilson.value, max(low, 0.0), min(high, 1.0))


def paired_difference(
    ours: Sequence[float] | npt.NDArray[np.generic],
    theirs: Sequence[float] | npt.NDArray[np.generic],
    *,
    confidence: float = CONFIDENCE,
    seed: int = 0,
) -> Interval:
    """Mean of ours minus theirs over the same deals, in the same order, with a bootstrap interval.

    What a deal gives to both cancels, so this is known better than either mean.

    Raises:
        ValueError: no values, or lists of two lengths.
    """
    a, b = np.asarray(ours, np.float64), np.asarray(theirs, np.float64)
    if a.shape != b.shape:
        raise ValueError(f"pairs need lists of one length, not {a.size} and {b.size}")
    return bootstrap_interval(a - b, confidence=confidence, seed=seed)


def paired_rate_difference(
    ours: Sequence[bool] | npt.NDArray[np.generic],
    theirs: Sequence[bool] | npt.NDArray[np.generic],
    *,
    confidence: float = CONFIDENCE,
) -> Interval:
    """Win rate of ours minus that of theirs over the same deals, with Bonett and Price's interval.

    It adds one deal that only we win and one that only they win (2012), so that it holds where few
    deals or none tell the two apart.

    Raises:
        ValueError: no values, or lists of two lengths.
    """
    a, b = np.asarray(ours, np.bool_), np.asarray(theirs, np.bool_)
    if a.shape != b.shape or a.size == 0:
        raise ValueError(f"pairs need lists of one length above 0, not {a.size} and {b.size}")
    only_ours, only_theirs = int((a & ~b).sum()), int((b & ~a).sum())
    up, down = (only_ours + 1) / (a.size + 2), (only_theirs + 1) / (a.size + 2)
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    half = z * math.sqrt((up + down - (up - down) ** 2) / (a.size + 2))
    return Interval(
        (only_ours - only_theirs) / a.size,
        max(up - down - half, -1.0),
        min(up - down + half, 1.0),
    )


def excludes(interval: Interval, value: float) -> bool:
    """Whether the interval leaves a value out, so that chance alone would seldom give it."""
    return value < interval.low or value > interval.high


def games_for(half_width: float, deviation: float, confidence: float = CONFIDENCE) -> int:
    """Games (or pairs) that bring a mean's interval down to ± `half_width`."""
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    return math.ceil((z * deviation / half_width) ** 2)


def half_width(deviation: float, games: int, confidence: float = CONFIDENCE) -> float:
    """Half the width of the interval of a mean of so many games (or pairs)."""
    return NormalDist().inv_cdf((1 + confidence) / 2) * deviation / math.sqrt(games)
