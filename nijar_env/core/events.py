"""Writing the game's log events into the record (only where `log_on` is set)."""

from __future__ import annotations

from typing import Any

from .constants import MAX_EVENTS
from .jit import fixed_kernel


@fixed_kernel
def emit(g: Any, kind: int, seat: int, a: int, b: int, c: int, d: int) -> None:
    """Append one event. Past the last place only the count goes on, so a loss is visible."""
    if g.log_on == 0:
        return
    n = g.num_events
    if n < MAX_EVENTS:
        event = g.events[n]
        event[0] = kind
        event[1] = seat
        event[2] = a
        event[3] = b
        event[4] = c
        event[5] = d
    g.num_events = n + 1
