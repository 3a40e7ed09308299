"""The pending effects in an observation: the stack's frames, and the top one spelled out."""

from __future__ import annotations

from typing import Any

from ..components.vocabulary import MAX_ROW
from .constants import (
    F_ACQUIRE,
    F_CLEAN,
    F_ESPARTO,
    F_FIRE,
    F_PAINT,
    F_PAY,
    F_PLACEMENT,
    F_REWARDS,
    F_SELL,
    F_SHOP,
    F_SIDES,
    F_SPECIAL,
    F_THROW,
    NO_LIMIT,
)
from .jit import kernel
from .layout import (
    AT,
    COPIES_SCALE,
    FRAME_PAIR_SCALE,
    FRAME_SCALE,
    FRAMES_SHOWN,
    STEPS_SCALE,
)

DEPTH = AT["pending.depth"]
WHO = AT["pending.who"]
ARGUMENT_A = AT["pending.a"]
ARGUMENT_B = AT["pending.b"]
ARGUMENTS_CD = AT["pending.cd"]
KINDS = AT["pending.kinds"]
KIND = AT["pending.kind"]
LEFT = AT["pending.left"]
UNLIMITED = AT["pending.unlimited"]
ACTION_OWED = AT["pending.action_owed"]
ROW = AT["pending.row"]
BONUS = AT["pending.bonus"]
ICONS = AT["pending.icons"]
MASK = AT["pending.mask"]
PIECE = AT["pending.piece"]


@kernel
def count_left(frame: Any) -> int:
    """How many bonuses, cards, steps, cracks, sales, rewards or moves a frame has left."""
    kind = frame[0]
    if kind == F_PLACEMENT:
        return int(frame[5])
    if kind == F_ACQUIRE:
        return int(frame[2]) - int(frame[3])
    if kind == F_ESPARTO:
        return int(frame[3])
    if (
        kind == F_SELL
        or kind == F_SHOP
        or kind == F_THROW
        or kind == F_FIRE
        or kind == F_PAINT
        or kind == F_CLEAN
    ):
        return int(frame[2])
    return 0


@kernel
def choice_mask(frame: Any) -> int:
    """The frame's set of bonuses, rows, cleanup cards or spaces; the workshop to be paid."""
    kind = frame[0]
    if kind == F_SPECIAL or kind == F_REWARDS or kind == F_ESPARTO:
        return int(frame[2])
    if kind == F_ACQUIRE:
        return int(frame[4])
    if kind == F_PAY:
        return 1 << int(frame[3])
    return 0


@kernel
def write_top(frame: Any, out: Any) -> None:
    """The top frame, spelled out for networks."""
    kind = int(frame[0])
    out[KIND + kind] = 1.0
    left = count_left(frame)
    if left == NO_LIMIT:
        out[UNLIMITED] = 1.0
    else:
        out[LEFT] = left / STEPS_SCALE
    mask = choice_mask(frame)
    for k in range(MAX_ROW):
        out[MASK + k] = (mask >> k) & 1
    if kind == F_PLACEMENT:
        out[ROW + int(frame[2])] = 1.0
        out[ACTION_OWED] = frame[3]
        out[BONUS + int(frame[4])] = 1.0
    elif kind == F_SIDES:
        for i in range(2, 4):
            if frame[i] > 0:
                out[ICONS + int(frame[i]) - 1] += 0.5
    elif kind == F_PAY:
        out[PIECE + int(frame[2])] = 1.0


@kernel
def write_pending(g: Any, p: int, n: int, out: Any) -> None:
    """The stack of frames; seats counted from the observer."""
    depth = int(g.depth)
    out[DEPTH] = depth / FRAME_SCALE
    if depth == 0:
        return
    for k in range(depth):
        frame = g.frames[depth - 1 - k]
        kind, seat = int(frame[0]), int(frame[1])
        out[KINDS + kind] += 1.0 / COPIES_SCALE
        if k < FRAMES_SHOWN:
            out[WHO + k] = (4 * (kind + 1) + (seat + n - p) % n) / FRAME_PAIR_SCALE
            out[ARGUMENT_A + k] = frame[2] / FRAME_SCALE
            out[ARGUMENT_B + k] = frame[3] / FRAME_SCALE
            out[ARGUMENTS_CD + k] = (16 * frame[4] + frame[5]) / FRAME_PAIR_SCALE
    write_top(g.frames[depth - 1], out)
