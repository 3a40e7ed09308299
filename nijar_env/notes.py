"""What a player considered at a decision: kept for whoever asks why, for replays and for hints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

MOST_CHOICES: Final = 4


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
        left_out: how many more it considered, which a replay leaves out for room.
    """

    choices: tuple[Choice, ...]
    measure: str
    reasons: tuple[tuple[str, float], ...] = field(default=())
    left_out: int = 0


def note_lines(note: Note, names: Sequence[str], most: int = MOST_CHOICES) -> list[str]:
    """A note in words; `names` are those of the actions (`action_names`)."""
    lines = []
    for k, choice in enumerate(note.choices[:most]):
        what = " > ".join(names[action] for action in choice.actions)
        prior = "" if choice.prior is None else f", prior {choice.prior:.0%}"
        if choice.looks:
            looks = f"{choice.value:+6.1f} VP, looked at {choice.looks} times{prior}"
        else:
            looks = f"{choice.value:+6.1f} VP{prior}"
        lines.append(f"  {'*' if k == 0 else ' '} {looks}: {what}")
    more = len(note.choices[most:]) + note.left_out
    if more:
        lines.append(f"    and {more} more")
    if note.reasons:
        why = "; ".join(f"{words} {vp:+.1f}" for words, vp in note.reasons)
        lines.append(f"    rather than the second: {why}")
    return lines
