"""What a run shows while it goes on, and where its time goes."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Mapping
from typing import Final

from rich.progress import BarColumn, TextColumn, TimeElapsedColumn

from eval.meter import BarOrLines


def minutes(seconds: float) -> str:
    """A time in words."""
    if seconds < 90:
        return f"{max(seconds, 0):.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


class Clock:
    """Adds up seconds by name; what is timed inside another name counts for the inner one only."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._open: list[tuple[str, float]] = []

    @contextlib.contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        """Time a block."""
        now = time.perf_counter()
        if self._open:
            self._add(self._open[-1], now)
        self._open.append((name, now))
        try:
            yield
        finally:
            now = time.perf_counter()
            self._add(self._open.pop(), now)
            if self._open:
                self._open[-1] = (self._open[-1][0], now)

    def divide(self, seconds: float, parts: Mapping[str, float]) -> None:
        """Count so many of the open block's seconds as these parts, in their proportion."""
        whole = sum(parts.values())
        if whole and self._open:
            for name, share in parts.items():
                self._add((name, 0.0), seconds * share / whole)
            name, since = self._open[-1]
            self._open[-1] = (name, since + seconds)

    def _add(self, entry: tuple[str, float], now: float) -> None:
        name, since = entry
        self.seconds[name] = self.seconds.get(name, 0.0) + now - since


class Meter(BarOrLines):
    """Shows how far a run is.

    Args:
        total: steps (or whatever is counted) at the end.
        unit: what is counted.
        begin: how many there are already.
        limit_s: seconds after which the run ends anyway; None: never.
    """

    LINE_S: Final = 20.0

    def __init__(
        self, total: int, unit: str = "steps", begin: int = 0, limit_s: float | None = None
    ) -> None:
        columns = [
            TextColumn("{task.completed:,.0f} of {task.total:,.0f} " + unit),
            BarColumn(bar_width=24),
            TimeElapsedColumn(),
            TextColumn("{task.fields[left]}"),
            TextColumn("{task.fields[figures]}"),
        ]
        super().__init__(columns, unit, total, begin, left="", figures="")
        self._total, self._unit, self._limit = total, unit, limit_s
        self._first: tuple[int, float] | None = None

    def _left(self, done: int) -> str:
        """How long it will take yet, by the pace since the first call of `show`."""
        now = time.monotonic()
        if self._first is None:
            self._first = done, now
        done_before, then = self._first
        if done <= done_before:
            return ""
        left = (now - then) / (done - done_before) * (self._total - done)
        if self._limit is not None:
            left = min(left, self._limit - (now - self._start))
        return f"about {minutes(left)} left"

    def show(self, done: int, figures: Mapping[str, str]) -> None:
        """The present state, and figures to show beside it."""
        text = ", ".join(f"{name} {value}" for name, value in figures.items())
        left = self._left(done)
        if self._bar:
            self._progress.update(self._task, completed=done, left=left, figures=text)
            return
        if self._is_time(self.LINE_S):
            parts = [f"{done:,} of {self._total:,} {self._unit}", left, text]
            self.tell("; ".join(part for part in parts if part))
