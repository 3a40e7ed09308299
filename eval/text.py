"""Tables of measured numbers, written once and shown on a terminal or in Markdown."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from .stats import Interval

NOTHING = "–"


def percent(rate: Interval, digits: int = 1) -> str:
    """A rate with its interval on a second line, in percent."""
    value, low, high = (f"{100 * x:.{digits}f}" for x in rate)
    return f"{value} %\n[{low}, {high}]"


def signed(mean: Interval, digits: int = 1) -> str:
    """A difference with its interval on a second line; an unbounded interval is left out."""
    if not (math.isfinite(mean.low) and math.isfinite(mean.high)):
        return _signed(mean.value, digits)
    value, low, high = (_signed(x, digits) for x in mean)
    return f"{value}\n[{low}, {high}]"


def signed_percent(difference: Interval, digits: int = 1) -> str:
    """A difference of two rates, in percentage points."""
    return signed(Interval(*(100 * x for x in difference)), digits)


def _signed(value: float, digits: int) -> str:
    text = f"{value:+.{digits}f}"
    return text.replace("-", "+", 1) if float(text) == 0 else text  # no "-0.0"


def milliseconds(seconds: float, times: int) -> str:
    """Time a decision, to three figures or so."""
    if not times:
        return NOTHING
    value = 1000 * seconds / times
    return "< 0.01" if 0 < value < 0.01 else figures(value)


def figures(value: float) -> str:
    """A positive number to three figures or so."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def plain(text: str) -> str:
    """Text that Markdown shows as it is."""
    for sign in "\\`*_<|":
        text = text.replace(sign, "\\" + sign)
    return text.replace("](", "]\\(")  # brackets alone make no link


@dataclass(frozen=True)
class Sheet:
    """A table with a title.

    Attributes:
        headings, rows: cells may have several lines.
        names: columns from the left that hold names, not numbers.
        folds: the column that may be folded.
        note: what a reader must know, below.
    """

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    names: int = 1
    folds: int = 0
    note: str = ""

    def show(self, console: Console) -> None:
        """Print it; nothing in it is taken for markup."""
        table = Table(title=Text(self.title), box=SIMPLE_HEAD, padding=(0, 0, 0, 1))
        for i, heading in enumerate(self.headings):
            # A narrow terminal folds these names and leaves the rest as it is.
            if i == self.folds:
                table.add_column(Text(heading), overflow="fold")
            else:
                justify: Literal["left", "right"] = "left" if i < self.names else "right"
                table.add_column(Text(heading), justify=justify, no_wrap=True)
        for row in self.rows:
            table.add_row(*(Text(cell) for cell in row))
        console.print(table)
        if self.note:
            console.print(Text(self.note))
            console.print()

    def markdown(self, level: int = 3) -> str:
        """The same as a section in Markdown; level 0 leaves the title out."""

        def line(cells: Sequence[str]) -> str:
            return "| " + " | ".join(plain(" ".join(cell.split("\n"))) for cell in cells) + " |"

        marks = ["---"] * self.names + ["---:"] * (len(self.headings) - self.names)
        lines = [line(self.headings), "| " + " | ".join(marks) + " |", *map(line, self.rows)]
        if level:
            lines = ["#" * level + " " + plain(self.title), "", *lines]
        if self.note:
            lines += ["", plain(self.note)]
        return "\n".join(lines) + "\n"
