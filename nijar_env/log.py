"""The log of a game: its events in plain English, one line an event.

A line is either a heading (a round, a turn) or stands indented under one. What a deed costs and
gains is told on the line of that deed; choices that an event of their own tells have no line.
"""

from __future__ import annotations

import operator
from collections.abc import Hashable, Sequence
from typing import Any, Final

from . import log_competition, log_lines, log_rounds  # noqa: F401  (they fill the table of tellers)
from .core.constants import EV_CHOICE
from .log_words import TELLERS, Event, Line, Reader

__all__ = ["Reader", "Transcript", "check_viewer", "line_of"]

INDENT: Final = "    "
FORCED: Final = " (no other choice)"


def line_of(reader: Reader, event: Event) -> Line | None:
    """The line of one event for one reader, or None where another event tells it."""
    kind, *values = event
    return TELLERS[kind](reader, *values)


def check_viewer(player: Any, num_players: int) -> int:
    """A player whose view of the log is asked for."""
    try:
        number = operator.index(player)
    except TypeError:
        number = -1
    if not 0 <= number < num_players:
        raise ValueError(f"player must be 0 to {num_players - 1}, not {player!r}")
    return number


class Transcript:
    """The lines of a growing list of events for one reader; each event is rendered once."""

    __slots__ = ("_events", "_forced", "_lines", "_listing", "_open", "_reader", "_told", "_verb")

    def __init__(self, reader: Reader, events: Sequence[Event]) -> None:
        self._reader = reader
        self._events = events
        self._told = 0
        self._lines: list[str] = []
        self._open: Hashable = None  # what may be appended to the last line
        self._listing = False  # it has an item after its colon
        self._verb = ""  # of its last item
        self._forced = False  # the next line tells a choice without alternative

    def lines(self) -> list[str]:
        """All lines so far; a new list."""
        for event in self._events[self._told :]:
            self._tell(event)
        self._told = len(self._events)
        return list(self._lines)

    def _tell(self, event: Event) -> None:
        if event[0] == EV_CHOICE:
            self._open = None
            self._forced = bool(event[4])
        line = line_of(self._reader, event)
        if line is not None:
            self._add(line)

    def _add(self, line: Line) -> None:
        if line.joins is not None and line.joins == self._open:
            tail = f"{line.verb} {line.tail}" if line.verb != self._verb else line.tail
            self._lines[-1] += f"{', ' if self._listing else ': '}{tail.lstrip()}"
            self._listing = True
        else:
            forced = FORCED if self._forced else ""
            self._lines.append(f"{'' if line.mark else INDENT}{line.text}{forced}")
            self._listing = line.listing
            self._forced = False
        self._open = line.opens
        self._verb = line.verb
