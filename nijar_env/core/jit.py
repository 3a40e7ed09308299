"""`@kernel`, `@fixed_kernel`, `@entry`: Numba compilation with a cache that never runs stale code.

`cache_folder` says where compiled kernels are kept, `cache_file` how. `NUMBA_DISABLE_JIT=1` runs
the same source as plain Python.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np

from ..components.record import BOX_DTYPE
from .cache_file import KernelCache
from .cache_folder import cache_dir, cache_root, is_compiled, is_kept
from .record import GAME_DTYPE

F = TypeVar("F", bound=Callable[..., Any])

JIT: bool = not numba.config.DISABLE_JIT


def announce_compilation() -> None:
    """Say on standard error that kernels are about to be compiled, if their cache is cold."""
    if is_compiled("kernels.*"):  # entry points, which are compiled last
        return
    when = "once for this version" if is_kept() else f"in every process: {_why_not_kept()}"
    print(f"nijar_env: compiling the game's kernels, about a minute ({when}) ...", file=sys.stderr)


def _why_not_kept() -> str:
    try:
        root = cache_root()
    except OSError as error:
        return f"{error}; name a folder in NIJAR_CACHE_DIR"
    return f"{root} cannot be written; name another folder in NIJAR_CACHE_DIR"


if JIT:
    announce_compilation()

# A few numbers that a kernel needs on the way: a fixed shape and a type. Kernels name it by this
# name because the GPU, which allocates nothing, has another one (nijar_env/cuda/build.py).
local_array = np.empty

# The sources of the fixed kernels, for builds other than this one.
fixed_sources: set[Callable[..., Any]] = set()


@functools.cache
def _types(game: np.dtype[Any], box: np.dtype[Any]) -> dict[str, Any]:
    return {
        "int": numba.int64,
        "bool": numba.boolean,
        "None": numba.void,
        "np.uint64": numba.uint64,
        "g": numba.from_dtype(game),
        "box": numba.from_dtype(box),
        "effect": numba.types.Array(numba.int16, 1, "C"),
    }


def signature(
    function: Callable[..., Any],
    game: np.dtype[Any] = GAME_DTYPE,
    box: np.dtype[Any] = BOX_DTYPE,
) -> Any:
    """The one signature of a fixed kernel: records by parameter name, the rest by annotation."""
    types = _types(game, box)
    hints = dict(function.__annotations__)
    result = types[hints.pop("return")]
    return result(*(types.get(name) or types[hint] for name, hint in hints.items()))


def _compile(function: Callable[..., Any], types: Any, *, from_python: bool) -> Any:
    if not JIT:
        return function
    # Without wrappers for calls from Python, compilation takes a quarter less time.
    # Entries let other Python threads run.
    dispatcher = numba.njit(
        no_cpython_wrapper=not from_python, no_cfunc_wrapper=True, nogil=from_python
    )(function)
    path = cache_dir(Path(function.__code__.co_filename).resolve().parent)
    if path is not None:
        dispatcher._cache = KernelCache(function, path)
    if types is not None:
        dispatcher.compile(types)
        dispatcher.disable_compile()
    return dispatcher


def kernel(function: F) -> F:
    """A compiled function that other kernels call (under JIT not callable from Python)."""
    return cast(F, _compile(function, None, from_python=False))


def fixed_kernel(function: F) -> F:
    """A kernel with one signature, taken from its annotations (`g` and `box` are records).

    For small functions called with many mixtures of integer sizes: each would compile its own.
    """
    fixed_sources.add(function)
    return cast(F, _compile(function, signature(function) if JIT else None, from_python=False))


def entry(function: F) -> F:
    """A kernel that Python calls, compiled on first use."""
    return cast(F, _compile(function, None, from_python=True))
