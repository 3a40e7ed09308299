"""Measuring a policy while it learns: against scripted agents at tables of 2-4, or solo.

At a table every deal is played once with the policy at each seat and the same opponent at all
others. The deals are hashed from a word of their own: they are neither those that the run learns
from nor those of `eval.tournament`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from agents import GameView
from agents.base import Actions, Masks, Observations
from eval.records import GameRecord
from eval.stats import Interval, win_rate_interval
from eval.table import AgentFault, Assignment, Cast, hashed_seed, play
from eval.workers import warm_up
from nijar_env import Box
from nijar_env.components.vocabulary import DIFFICULTIES

from .evaluate import Policy, evaluate_difficulties
from .inputs import Reader

LEARNER: Final = "learner"


@dataclass(frozen=True)
class LadderResult:
    """Games of a policy against one opponent.

    Attributes:
        opponent: its specification, or in solo the Competition's difficulty.
        games: how many, the seats together.
        win_rate: with its 95 % interval; against equals at a table it is 1 / seats.
        margin: mean of the policy's VP less the best rival's.
        vp: mean of the policy's VP.
    """

    opponent: str
    games: int
    win_rate: Interval
    margin: float
    vp: float

    def __str__(self) -> str:
        rate, low, high = (100 * share for share in self.win_rate)
        return (
            f"{self.opponent} {rate:.0f} % [{low:.0f}, {high:.0f}] won, margin {self.margin:+.1f}"
        )


class _PolicyAgent:
    """A policy in memory as an agent."""

    name = LEARNER

    def __init__(self, policy: Policy, reader: Reader) -> None:
        self._policy, self._reader = policy, reader
        self.needs_observations = reader.needs_observations

    def reset(self, seed: int) -> None:
        """Nothing is kept."""

    def act(self, observations: Observations | None, masks: Masks, games: GameView) -> Actions:
        """See `Agent.act`."""
        return self._policy(self._reader.of_view(observations, games), masks)


def measure(
    policy: Policy,
    opponents: Sequence[str],
    num_players: int,
    deals: int,
    *,
    seed: int = 0,
    box: Box | None = None,
    reader: Reader | None = None,
) -> list[LadderResult]:
    """Play against each opponent in turn.

    Args:
        policy: chooses for any number of games at once.
        opponents: agents by specification; in solo difficulties.
        num_players: 1-4; 1 is solo.
        deals: each is played once at every seat, so `deals` × `num_players` games an opponent.
        seed: which deals.
        box: None for the default one.
        reader: of what the policy reads; None: of observations.
    """
    reader = reader or Reader()
    if num_players == 1:
        return _measure_solo(policy, reader, opponents, deals, seed, box)
    cast = Cast(given={LEARNER: _PolicyAgent(policy, reader)})
    held_out = hashed_seed("held out", seed)
    results = []
    for opponent in opponents:
        records: list[GameRecord] = []
        games = [
            Assignment(deal, "", _seats(opponent, num_players, seat))
            for deal in range(deals)
            for seat in range(num_players)
        ]
        play(games, cast, held_out, box, finished=records.append)
        results.append(_result(opponent, sorted(records, key=GameRecord.key)))
    return results


def _measure_solo(
    policy: Policy,
    reader: Reader,
    difficulties: Sequence[str],
    deals: int,
    seed: int,
    box: Box | None,
) -> list[LadderResult]:
    results = evaluate_difficulties(policy, difficulties, deals, seed=seed, box=box, reader=reader)
    return [
        LadderResult(
            opponent=one.difficulty,
            games=deals,
            win_rate=win_rate_interval(one.won.tolist(), range(deals)),
            margin=one.margin,
            vp=one.vp,
        )
        for one in results
    ]


def _seats(opponent: str, num_players: int, seat: int) -> tuple[str, ...]:
    seats = [opponent] * num_players
    seats[seat] = LEARNER
    return tuple(seats)


def _result(opponent: str, records: Sequence[GameRecord]) -> LadderResult:
    won, margins, vp = [], [], []
    for record in records:
        own = next(seat for seat in record.seats if seat.agent == LEARNER)
        won.append(own.place == 0)
        vp.append(own.vp)
        margins.append(own.vp - max(seat.vp for seat in record.seats if seat is not own))
    return LadderResult(
        opponent=opponent,
        games=len(records),
        win_rate=win_rate_interval(won, [record.deal for record in records]),
        margin=float(np.mean(margins)),
        vp=float(np.mean(vp)),
    )


def check_agents(specs: Iterable[str], num_players: int, box: Box) -> None:
    """Have each agent decide once at a table of its own, before anything is trained.

    Raises:
        ValueError: one cannot play there: its weights are for other games, say. One line.
    """
    level = DIFFICULTIES[0] if num_players == 1 else ""
    games = [Assignment(0, level, (spec,) * num_players) for spec in specs]
    try:
        warm_up(games, Cast(), 0, box)
    except AgentFault as error:
        raise ValueError(str(error)) from None


# --- in logs --------------------------------------------------------------------------------------

_RESULTS: Final = ("win_rate", "win_rate_low", "win_rate_high", "margin", "vp")


def column(spec: str) -> str:
    """An agent's specification as a part of a column's name."""
    return spec.replace(",", ";")


def ladder_columns(opponents: Sequence[str]) -> tuple[str, ...]:
    """The columns of `ladder_values`."""
    own = (f"ladder/{column(spec)}/{result}" for spec in opponents for result in _RESULTS)
    return (*own, "ladder/margin")


def ladder_values(results: Sequence[LadderResult]) -> dict[str, float]:
    """Of a measurement; "ladder/margin" is the mean over the opponents."""
    values = {"ladder/margin": sum(one.margin for one in results) / len(results)}
    for one in results:
        figures = (*one.win_rate, one.margin, one.vp)
        name = f"ladder/{column(one.opponent)}"
        values.update({f"{name}/{n}": v for n, v in zip(_RESULTS, figures, strict=True)})
    return values
