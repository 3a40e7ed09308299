"""What shows how far long work is: a bar on a terminal, else a line now and then."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any, Self

from rich.console import Console
from rich.progress import Progress, ProgressColumn, TaskID


class BarOrLines:
    """Shows on standard error.

    Args:
        columns: of the bar.
        name: of what is counted.
        total: how much of it there is.
        begin: how much of it there is already.
        fields: of the columns, at the beginning.
    """

    def __init__(
        self, columns: list[ProgressColumn], name: str, total: int, begin: int = 0, **fields: Any
    ) -> None:
        console = Console(stderr=True)
        self._bar = console.is_terminal
        self._start = self._shown = time.monotonic()
        self._progress = Progress(*columns, console=console, disable=not self._bar)
        self._task: TaskID = self._progress.add_task(name, total=total, completed=begin, **fields)

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._progress.stop()

    def _is_time(self, seconds: float) -> bool:
        """Whether so long has passed since the last time that it was."""
        now = time.monotonic()
        if now - self._shown < seconds:
            return False
        self._shown = now
        return True

    def tell(self, line: str) -> None:
        """Show a line that stays."""
        if self._bar:
            self._progress.console.print(line, highlight=False, markup=False)
        else:
            print(line, file=sys.stderr, flush=True)
