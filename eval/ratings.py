"""Strengths of agents from who was placed before whom.

Two kinds. *Elo* is the maximum-likelihood fit of the Plackett-Luce model to all placements at once:
the winner is drawn with chances in proportion to strength, then the second from the rest, and so
on. With two players that is Bradley and Terry's model. It depends on the set of games alone and
comes with an interval. *OpenSkill* updates its estimate game by game, as a ladder does that people
play on, and says how sure it is of it.
"""

from __future__ import annotations

import importlib
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .records import GameRecord
from .stats import CONFIDENCE, Interval

Floats = npt.NDArray[np.float64]

ELO = 400 / math.log(10)  # ten times the strength is 400 points
PRIOR = 0.5  # wins and losses of every agent against a virtual average player
ORDERS = 10  # in which OpenSkill sees the games
_STEPS = 200
_TOLERANCE = 1e-9
_RESAMPLES = 1000


@dataclass(frozen=True)
class Elo:
    """An agent's strength.

    Attributes:
        points: on the Elo scale, with the interval of a bootstrap over deals.
        separated: games do not tie this agent to the others: between it and them one side came
            before the other always. The distance then rests on the prior; it is at least large, and
            the interval says nothing of it.
    """

    points: Interval
    separated: bool


@dataclass(frozen=True)
class Skill:
    """OpenSkill's estimate, the mean over several orders of the games.

    Attributes:
        mu: the strength; everybody starts at 25.
        sigma: how unsure it is; everybody starts at 25 / 3.
        ordinal: mu - 3 sigma, which the strength exceeds almost surely.
    """

    mu: float
    sigma: float
    ordinal: float


def placements(record: GameRecord) -> tuple[str, ...]:
    """The agents of a game from first to last; the Competition is one of them."""
    return tuple(seat.agent for seat in sorted(record.seats, key=lambda seat: seat.place))


def agents_of(records: Iterable[GameRecord]) -> list[str]:
    """The agents that play, in alphabetical order."""
    return sorted({agent for record in records for agent in record.agents})


class _Choices:
    """The games as choices of the next best from those who are left.

    That is all the model looks at: how often each agent was chosen (`wins`, a row for each deal),
    and how often each set of agents was chosen from (`asked`, likewise; `sets` tells how many of
    each agent are in it). The last column of `sets` is the virtual player of the prior.
    """

    def __init__(self, records: Sequence[GameRecord], agents: Sequence[str]) -> None:
        index = {agent: i for i, agent in enumerate(agents)}
        deals: dict[tuple[int, int], int] = {}
        tables: dict[int, Counter[tuple[str, ...]]] = defaultdict(Counter)
        wins: Counter[tuple[int, int]] = Counter()
        asked: Counter[tuple[int, tuple[int, ...]]] = Counter()
        for record in records:
            deal = deals.setdefault((record.num_players, record.deal), len(deals))
            tables[deal][tuple(sorted(record.agents))] += 1
            left = [index[agent] for agent in placements(record)]
            while len(set(left)) > 1:  # a choice among copies of one agent tells nothing
                asked[deal, tuple(np.bincount(left, minlength=len(agents) + 1).tolist())] += 1
                wins[deal, left[0]] += 1
                left = left[1:]
        names = sorted({name for _, name in asked})
        column = {name: i for i, name in enumerate(names)}
        self.sets: Floats = np.array(names, np.float64).reshape(len(names), len(agents) + 1)
        self.wins: Floats = np.zeros((len(deals), len(agents)))
        self.asked: Floats = np.zeros((len(deals), len(names)))
        for (deal, agent), times in wins.items():
            self.wins[deal, agent] = times
        for (deal, name), times in asked.items():
            self.asked[deal, column[name]] = times
        # Deals at which the same agents met: each kind is drawn from apart, so that no pairing
        # gets more or fewer games than it had.
        kinds: dict[frozenset[tuple[tuple[str, ...], int]], list[int]] = defaultdict(list)
        for deal, met in tables.items():
            kinds[frozenset(met.items())].append(deal)
        self.kinds = list(kinds.values())

    def resample(self, times: int, rng: np.random.Generator) -> Floats:
        """How often each deal is drawn: (times, deals)."""
        drawn = np.zeros((times, len(self.wins)))
        for deals in self.kinds:
            drawn[:, deals] = rng.multinomial(len(deals), [1 / len(deals)] * len(deals), times)
        return drawn


def _with_prior(sets: Floats, wins: Floats, asked: Floats) -> tuple[Floats, Floats, Floats]:
    """The same with every agent's games against the virtual player."""
    agents = wins.shape[1]
    virtual = np.concatenate([np.eye(agents), np.ones((agents, 1))], axis=1)
    games = np.full((len(asked), agents), 2 * PRIOR)
    return np.concatenate([sets, virtual]), wins + PRIOR, np.concatenate([asked, games], axis=1)


def _fit(sets: Floats, wins: Floats, asked: Floats) -> Floats:
    """Log strengths of greatest likelihood, a row for each row of `wins` and `asked`.

    The likelihood is concave in them. Hunter's MM algorithm (2004) climbs to its top safely but
    slowly where one agent wins nearly always; Newton's method with bounded steps gets there in a
    few.
    """
    sets, wins, asked = _with_prior(sets, wins, asked)
    theta = np.zeros_like(wins)
    agents = wins.shape[1]
    diagonal = np.arange(agents)
    for _ in range(_STEPS):
        strength = np.concatenate([np.exp(theta), np.ones((len(theta), 1))], axis=1)
        chance = sets * strength[:, None, :]
        chance /= chance.sum(axis=2, keepdims=True)
        chance = chance[:, :, :agents]
        weighted = chance * asked[:, :, None]
        gradient = wins - weighted.sum(axis=1)
        curvature = -np.matmul(weighted.transpose(0, 2, 1), chance)
        curvature[:, diagonal, diagonal] += weighted.sum(axis=1)
        step = np.linalg.solve(curvature, gradient[:, :, None])[:, :, 0]
        longest = np.abs(step).max(axis=1, keepdims=True)
        theta += step / np.maximum(longest, 1.0)
        if longest.max() < _TOLERANCE:
            return theta
    raise RuntimeError("the ratings did not converge")


def _tied(records: Sequence[GameRecord], agents: Sequence[str]) -> npt.NDArray[np.bool_]:
    """Which agents are tied to each other: a chain of "came before" leads there and back."""
    index = {agent: i for i, agent in enumerate(agents)}
    before = np.eye(len(agents), dtype=np.bool_)
    for record in records:
        order = [index[agent] for agent in placements(record)]
        for place, agent in enumerate(order):
            before[agent, order[place:]] = True
    for through in range(len(agents)):
        before |= before[:, through, None] & before[None, through, :]
    return before & before.T


def elo_ratings(
    records: Sequence[GameRecord],
    *,
    anchor: str | None = None,
    confidence: float = CONFIDENCE,
    resamples: int = _RESAMPLES,
    seed: int = 0,
) -> dict[str, Elo]:
    """Strengths by maximum likelihood from games of two to four players, strongest first.

    Every agent also has half a win and half a loss against a virtual player, which keeps the
    strength of one that always won, or never, finite. Beside a hundred games that weighs next to
    nothing.

    Args:
        anchor: the agent whose strength is 0. Without one it is the mean of all, but for those that
            are separated from most: where they stand is anybody's guess.
        resamples: of the bootstrap over deals.

    Raises:
        ValueError: no games, solo games, or an anchor that does not play.
    """
    if any(record.difficulty for record in records):
        raise ValueError("solo games give no ratings: their rival is no agent")
    records = sorted(records, key=GameRecord.key)
    agents = agents_of(records)
    if not agents:
        raise ValueError("ratings need at least one game")
    if anchor is not None and anchor not in agents:
        raise ValueError(f"the anchor '{anchor}' does not play (agents: {', '.join(agents)})")
    tied = _tied(records, agents)
    home = agents.index(anchor) if anchor else int(tied.sum(axis=1).argmax())
    zero = np.flatnonzero(tied[home]) if anchor is None else np.array([home])
    choices = _Choices(records, agents)
    point = _points(choices, np.ones((1, len(choices.wins))), zero)[0]
    drawn = _points(choices, choices.resample(resamples, np.random.default_rng(seed)), zero)
    low, high = np.quantile(drawn, [(1 - confidence) / 2, (1 + confidence) / 2], axis=0)
    out = {
        agent: Elo(Interval(float(point[i]), float(low[i]), float(high[i])), not tied[home, i])
        for i, agent in enumerate(agents)
    }
    return dict(sorted(out.items(), key=lambda item: (-item[1].points.value, item[0])))


def _points(choices: _Choices, drawn: Floats, zero: npt.NDArray[np.int64]) -> Floats:
    """Elo for each way to draw the deals, with the mean of the agents `zero` at 0."""
    theta = _fit(choices.sets, drawn @ choices.wins, drawn @ choices.asked)
    points: Floats = (theta - theta[:, zero].mean(axis=1, keepdims=True)) * ELO
    return points


def openskill_ratings(
    records: Sequence[GameRecord], *, orders: int = ORDERS, seed: int = 0
) -> dict[str, Skill] | None:
    """OpenSkill's Plackett-Luce ratings; None where the package openskill is not installed.

    An online rating depends on the order of the games, and no order is the right one. So the games
    are sorted, shuffled `orders` times by the seed, rated in each order from the start, and the
    results are averaged. An
    agent in several seats of a game moves by the mean of what its seats move.
    """
    try:
        model = importlib.import_module("openskill.models").PlackettLuce()
    except ImportError:
        return None
    games = [
        placements(record)
        for record in sorted(records, key=GameRecord.key)
        if len(set(record.agents)) > 1
    ]
    agents = agents_of(records)
    rng = np.random.default_rng(seed)
    sums = {agent: np.zeros(2) for agent in agents}
    for _ in range(orders):
        ratings: dict[str, Any] = {agent: model.rating() for agent in agents}
        for number in rng.permutation(len(games)).tolist():
            order = games[number]
            teams = [[model.rating(mu=ratings[a].mu, sigma=ratings[a].sigma)] for a in order]
            rated = model.rate(teams, ranks=[float(place) for place in range(len(order))])
            for agent in set(order):
                own = [team[0] for team, name in zip(rated, order, strict=True) if name == agent]
                ratings[agent] = model.rating(
                    mu=sum(r.mu for r in own) / len(own), sigma=sum(r.sigma for r in own) / len(own)
                )
        for agent, rating in ratings.items():
            sums[agent] += rating.mu, rating.sigma
    return {
        agent: Skill(mu, sigma, mu - 3 * sigma)
        for agent, (mu, sigma) in ((a, (s / orders).tolist()) for a, s in sums.items())
    }
