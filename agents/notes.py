"""What an agent considered: kept for whoever asks why (`python -m agents.explain`), for replays."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Choice:
    """One thing that an agent could do.

    Attributes:
        actions: catalogue numbers of what it would do, the present action first.
        value: what it expects from it, in VP; agents say in `Note.measure` of what.
        looks: how often it looked at it: futures, visits.
        prior: the probability that it gave to it before it looked, if it has one.
    """

    actions: tuple[int, ...]
    value: float
    looks: int
    prior: float | None = None


@dataclass(frozen=True)
class Note:
    """An agent's view of one decision.

    Attributes:
        choices: what it considered, its choice first.
        measure: what the values mean.
        reasons: why the first rather than the second, in VP, the weightiest first: (name, VP).
    """

    choices: tuple[Choice, ...]
    measure: str
    reasons: tuple[tuple[str, float], ...] = field(default=())
