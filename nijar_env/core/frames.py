"""The stack of pending effects: what is still owed inside a turn, the innermost on top.

A frame is six numbers: kind (F_*), the seat that decides, and four arguments (see `constants`).
Rules push frames; `decisions` asks the top one. A frame with nothing left to choose is dropped
before what it started is pushed, which keeps the stack short (components/bounds.py proves a bound).
"""

from __future__ import annotations

from typing import Any

from .catalogue import A_DONE
from .constants import FAULT_FRAMES, MAX_FRAMES
from .jit import fixed_kernel, kernel


@fixed_kernel
def push(g: Any, kind: int, seat: int, a: int, b: int, c: int, d: int) -> None:
    depth = g.depth
    if depth >= MAX_FRAMES:
        g.fault = FAULT_FRAMES
        return
    frame = g.frames[depth]
    frame[0] = kind
    frame[1] = seat
    frame[2] = a
    frame[3] = b
    frame[4] = c
    frame[5] = d
    g.depth = depth + 1


@kernel
def pop(g: Any) -> None:
    depth = g.depth - 1
    g.frames[depth, :] = 0  # so that equal positions are equal bytes
    g.depth = depth


@kernel
def count_down(g: Any, field: int) -> None:
    """Use up one of the top frame's remaining moves (NO_LIMIT stays); drop it with the last."""
    frame = g.frames[g.depth - 1]
    left = frame[field]
    if left == 1:
        pop(g)
    elif left > 1:
        frame[field] = left - 1


@fixed_kernel
def allow(g: Any, action: int) -> None:
    """Offer an action at this decision."""
    if g.legal[action] == 0:
        g.legal[action] = 1
        g.num_legal += 1


@kernel
def allow_done(g: Any) -> None:
    """Offer `done`, beside at least one choice that changes something."""
    if g.num_legal > 0:
        allow(g, A_DONE)
