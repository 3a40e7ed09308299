"""An experiment: the core's kernels on a CUDA GPU, one thread a game (docs/cuda.md).

    from nijar_env.cuda import CudaBatch

needs the extra `cuda`, and a GPU or `NUMBA_ENABLE_CUDASIM=1`, the simulator of CUDA in Python.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .batch import CudaBatch

__all__ = ["CudaBatch"]


def __getattr__(name: str) -> Any:
    if name != "CudaBatch":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .batch import CudaBatch

    return CudaBatch
