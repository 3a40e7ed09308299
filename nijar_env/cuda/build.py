"""The core's kernels compiled for a CUDA GPU: the same sources, built a second time.

A kernel is plain Python that names other kernels. `relinked` takes such a function, builds every
kernel it names, and gives the same code with those in their place: no rule is written twice.
In the simulator (`NUMBA_ENABLE_CUDASIM=1`) the same functions stay plain Python.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, Final

import numpy as np

from ..components.record import BOX_DTYPE
from ..core.jit import JIT, fixed_sources, local_array, signature
from ..core.record import GAME_DTYPE

OR: Final = "or set NUMBA_ENABLE_CUDASIM=1 for the slow simulator"
MISSING: Final = f"games on a GPU need the extra `cuda`: pip install 'nijar-env[cuda]', {OR}"

try:
    from numba import cuda
except ImportError as error:
    raise ImportError(MISSING) from error

SIMULATED: Final = bool(cuda.config.ENABLE_CUDASIM)
# No optimization at link time: what is launched is what the tests compile. (The simulator, which
# has none, does not know the word.)
OPTIONS: Final = {} if SIMULATED else {"lto": False}


def aligned(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The record with every field at a multiple of its size, which a GPU insists on and a packed
    record does not give. Same fields, same order: only the gaps differ."""
    assert dtype.fields is not None
    kinds = [(name, dtype.fields[name][0]) for name in dtype.names or ()]
    fields = [(name, kind.base, kind.shape) for name, kind in kinds]
    return np.dtype((np.record, np.dtype(fields, align=True)))


DEVICE_GAME: Final = aligned(GAME_DTYPE)
DEVICE_BOX: Final = aligned(BOX_DTYPE)

_PACKAGE: Final = __name__.split(".")[0] + "."
_built: dict[Callable[..., Any], Any] = {}


def require_cuda() -> None:
    """Raise ImportError, in one line, where nothing can be launched."""
    if SIMULATED:
        return
    if find_spec("numba_cuda") is None:
        raise ImportError(MISSING)
    if not JIT:
        raise ImportError(f"a GPU runs compiled code alone: unset NUMBA_DISABLE_JIT, {OR}")
    if not cuda.is_available():
        raise ImportError(f"there is no CUDA GPU, or no driver for it: see `nvidia-smi`, {OR}")


def _source(value: Any) -> Callable[..., Any] | None:
    """The Python source of a kernel, compiled or not; None for anything else."""
    function = getattr(value, "py_func", value)
    if isinstance(function, types.FunctionType) and function.__module__.startswith(_PACKAGE):
        return function
    return None


def _relinked(function: Any) -> Any:
    """The function with the kernels it names replaced by their device builds."""
    names = dict(function.__globals__)
    for name in function.__code__.co_names:
        value = names.get(name)
        if value is local_array:
            names[name] = np.empty if SIMULATED else cuda.local.array
        elif (source := _source(value)) is not None:
            names[name] = _device_function(source)
    copy = types.FunctionType(function.__code__, names, function.__name__)
    copy.__module__ = function.__module__
    copy.__qualname__ = function.__qualname__
    return copy


def _device_function(source: Callable[..., Any]) -> Any:
    """One device function a kernel. No kernel calls itself, however far round."""
    if source not in _built:
        copy = _relinked(source)
        if SIMULATED:
            _built[source] = copy
        elif source in fixed_sources:
            one = signature(source, DEVICE_GAME, DEVICE_BOX)
            _built[source] = cuda.jit(one, device=True, **OPTIONS)(copy)
        else:
            _built[source] = cuda.jit(copy, device=True, **OPTIONS)
    return _built[source]


def relinked(launched: Callable[..., Any]) -> Any:
    """A function to launch, as `cuda.jit` and `cuda.compile` take it: what it calls is built."""
    if not SIMULATED:
        _let_local_arrays_be_named()
    return _relinked(launched)


def _let_local_arrays_be_named() -> None:
    """Device code knows `cuda.local.array` by that path alone; let a variable name it too."""
    from numba.cuda import cudadecl
    from numba.cuda import types as cuda_types

    cudadecl.registry.register_global(
        cuda.local.array, cuda_types.Function(cudadecl.Cuda_local_array)
    )
