"""`@kernel`, `@fixed_kernel`, `@entry`: Numba compilation with a cache that never runs stale code.

Numba's own cache looks at one file only, so an edit in an imported module would go unseen. Here
the cache folder's name is a hash of every kernel source, the vocabulary and the versions involved.
`NUMBA_DISABLE_JIT=1` runs the same source as plain Python.
"""

from __future__ import annotations

import functools
import hashlib
import os
import platform
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np

from ..components.record import BOX_DTYPE
from .record import GAME_DTYPE

F = TypeVar("F", bound=Callable[..., Any])

JIT: bool = not numba.config.DISABLE_JIT
_CORE = Path(__file__).resolve().parent
_COMPONENTS = _CORE.parent / "components"


def cache_root() -> Path:
    """The folder of all kernel caches: `NIJAR_CACHE_DIR`, or the user's cache folder."""
    override = os.environ.get("NIJAR_CACHE_DIR")
    if override:
        return Path(override)
    from platformdirs import user_cache_path

    return user_cache_path("nijar_env")


# However it is written: from core.jit import entry, kernel; from core import jit.
_HAS_KERNELS = re.compile(
    r"core\.jit import[^\n]*\b(entry|kernel|fixed_kernel)\b|core import jit\b"
)


def kernel_sources(folder: Path) -> list[Path]:
    """The modules of a folder outside the core that hold kernels, and those of the folder that
    they import, directly or not. Edits elsewhere in the folder need no compilation."""
    texts = {path.stem: path.read_text(encoding="utf-8") for path in folder.glob("*.py")}
    package = re.escape(folder.name)
    imports = re.compile(rf"^\s*(?:from|import)\s+(?:\.|(?:\w+\.)*{package}\.)(\w+)", re.MULTILINE)
    bare = re.compile(rf"^\s*from\s+(?:\.|(?:\w+\.)*{package})\s+import", re.MULTILINE)
    found: set[str] = set()
    left = [name for name, text in texts.items() if _HAS_KERNELS.search(text)]
    while left:
        name = left.pop()
        if name in found:
            continue
        found.add(name)
        if bare.search(texts[name]):  # names of the package itself: whatever they are
            return sorted(folder.glob("*.py"))
        left += [other for other in imports.findall(texts[name]) if other in texts]
    return sorted(folder / f"{name}.py" for name in found)


@functools.cache
def source_hash(folder: Path) -> str:
    """Hash of the kernel sources a function in `folder` can reach, and of what compiles them."""
    digest = hashlib.sha256()
    files = [*_CORE.glob("*.py"), _COMPONENTS / "vocabulary.py", _COMPONENTS / "record.py"]
    if folder != _CORE:
        files += kernel_sources(folder)
    for path in sorted(files):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    versions = (numba.__version__, np.__version__, platform.python_version(), platform.machine())
    digest.update(repr((versions, numba.config.BOUNDSCHECK, numba.config.CPU_NAME)).encode())
    return digest.hexdigest()[:16]


@functools.cache
def cache_dir(folder: Path = _CORE) -> Path | None:
    """A writable folder for this version of the kernels, or None where there is none."""
    path = cache_root() / source_hash(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            pass
    except OSError:
        return None
    return path


def announce_compilation() -> None:
    """Say on standard error that kernels are about to be compiled, if their cache is cold."""
    path = cache_dir()
    if path is None:
        when = "there is no writable cache folder, so in every process"
    elif any(path.rglob("kernels.*.nbi")):  # entry points, which are compiled last
        return
    else:
        when = "once for this version"
    print(f"nijar_env: compiling the game's kernels, about a minute ({when}) ...", file=sys.stderr)


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
    folder = Path(function.__code__.co_filename).resolve().parent
    path = cache_dir(folder)
    # Without wrappers for calls from Python, compilation takes a quarter less time.
    # Entries let other Python threads run.
    options = {
        "no_cpython_wrapper": not from_python,
        "no_cfunc_wrapper": True,
        "nogil": from_python,
    }
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(path)
    try:
        return numba.njit(types, cache=path is not None, **options)(function)
    finally:
        numba.config.CACHE_DIR = before


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
