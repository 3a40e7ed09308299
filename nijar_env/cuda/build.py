"""The core's kernels compiled for a CUDA GPU: the same sources, built a second time.

A kernel is plain Python that names other kernels. `on_device` takes such a function, builds every
kernel it names, and compiles the same code for the GPU with those in their place: no rule is
written twice. In the simulator (`NUMBA_ENABLE_CUDASIM=1`) the same functions stay plain Python.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import cuda

from ..core.jit import fixed_sources, local_array, signature
from ..core.record import GAME_FIELDS

# The record with every field at an address that is a multiple of its size, which a GPU insists on
# and `GAME_DTYPE`, packed, does not give. Same fields, same order: only the gaps differ.
DEVICE_DTYPE: np.dtype[Any] = np.dtype(
    (np.record, np.dtype([(name, kind, shape) for name, kind, shape, _ in GAME_FIELDS], align=True))
)

SIMULATED: bool = bool(cuda.config.ENABLE_CUDASIM)
_PACKAGE = __name__.split(".")[0] + "."
_built: dict[Callable[..., Any], Any] = {}


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
    copy = types.FunctionType(function.__code__, names, function.__name__, function.__defaults__)
    copy.__module__ = function.__module__
    copy.__qualname__ = function.__qualname__
    copy.__annotations__ = function.__annotations__
    return copy


def _device_function(source: Callable[..., Any]) -> Any:
    """One device function a kernel. Kernels never call themselves, however far round."""
    if source not in _built:
        copy = _relinked(source)
        if SIMULATED:
            _built[source] = copy
        elif source in fixed_sources:
            _built[source] = cuda.jit(signature(source, DEVICE_DTYPE), device=True)(copy)
        else:
            _built[source] = cuda.jit(copy, device=True)
    return _built[source]


def relinked(launched: Callable[..., Any]) -> Any:
    """A function to be launched on a grid, as `cuda.jit` and `cuda.compile` take it."""
    if not SIMULATED:
        _name_local_arrays()
    return _relinked(launched)


def _name_local_arrays() -> None:
    """Let device code name `cuda.local.array` by a variable, as it may name any other function."""
    from numba.cuda import cudadecl
    from numba.cuda import types as cuda_types

    cudadecl.registry.register_global(
        cuda.local.array, cuda_types.Function(cudadecl.Cuda_local_array)
    )
