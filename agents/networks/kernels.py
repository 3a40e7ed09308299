"""Products of matrices for networks at play, row by row.

A library's product may round a row differently with the rows beside it, and its threads get in the
way of workers. Here a row of the result depends on its own row alone, and zeros, which most of an
observation is, cost nothing.
"""

from __future__ import annotations

from typing import Any

from nijar_env.core.jit import JIT, entry, kernel

__all__ = ["JIT", "linear_rows", "matmul_rows"]


@kernel
def add_row(x: Any, weight: Any, out: Any) -> None:
    """Add x (in,) times weight (in, out) to `out` (out,), two of the inputs at a time."""
    last = -1
    for k in range(x.shape[0]):
        if x[k] == 0.0:
            continue
        if last < 0:
            last = k
            continue
        a, b = x[last], x[k]
        rows, more = weight[last], weight[k]
        for j in range(out.shape[0]):
            out[j] += a * rows[j] + b * more[j]
        last = -1
    if last >= 0:
        a = x[last]
        rows = weight[last]
        for j in range(out.shape[0]):
            out[j] += a * rows[j]


@entry
def linear_rows(x: Any, weight: Any, out: Any) -> None:
    """Add x (n, in) times weight (in, out) to `out` (n, out), all float32 and C-contiguous."""
    for i in range(x.shape[0]):
        add_row(x[i], weight, out[i])


@entry
def matmul_rows(a: Any, b: Any, out: Any) -> None:
    """Add a (B, n, k) times b (B, k, m) to `out` (B, n, m), all float32 and C-contiguous."""
    for i in range(a.shape[0]):
        for row in range(a.shape[1]):
            add_row(a[i, row], b[i], out[i, row])
