"""Compile what `CudaBatch` launches to PTX, and that to machine code, on a machine without a GPU.

    python -m tests.cuda.ptx [--arch 90] [NAME ...]

prints a line of JSON a function: seconds, bytes of PTX, and what ptxas says of registers and of
local memory a thread. Needs numba-cuda with NVIDIA's compilers, `pip install 'nijar-env[cuda]'`.
"""

from __future__ import annotations

import argparse
import inspect
import json
import re
import subprocess
import tempfile
import time
from importlib.metadata import files
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

import numba
from numba import cuda
from numba.cuda import dispatcher

from nijar_env.cuda import build, kernels

# What `CudaBatch` passes, by the name of the parameter.
SCALARS = {"reward": numba.int64, "reset": numba.boolean, "key": numba.uint64}
INTEGERS = ("index", "steps")
ARRAYS: dict[str, tuple[Any, int]] = {
    "boxes": (numba.from_dtype(build.DEVICE_BOX), 1),
    "games": (numba.from_dtype(build.DEVICE_GAME), 1),
    "raw": (numba.uint8, 2),
    "seeds": (numba.uint64, 1),
    "episodes": (numba.int64, 1),
    "actions": (numba.int64, 1),
    "worst": (numba.int64, 1),
    "masks": (numba.int8, 2),
    "players": (numba.int8, 1),
    "rewards": (numba.float32, 2),
    "dones": (numba.boolean, 1),
    "final_scores": (numba.int16, 2),
    "final_winners": (numba.int8, 1),
    "final_lengths": (numba.int32, 1),
    "cards": (numba.float32, 2),
    "out": (numba.float32, 2),
}


def signature(function: Any) -> tuple[Any, ...]:
    types = []
    for name in inspect.signature(function).parameters:
        if name in ARRAYS:
            types.append(numba.types.Array(*ARRAYS[name], "C"))
        else:
            types.append(numba.int64 if name in INTEGERS else SCALARS[name])
    return tuple(types)


def compile_ptx(function: Any, arch: int) -> str:
    """PTX of a launched function. Device functions ask the present GPU what to compile for."""
    capability = (arch // 10, arch % 10)
    device = SimpleNamespace(compute_capability=capability)
    with mock.patch.object(dispatcher, "get_current_device", lambda: device):
        code, _ = cuda.compile(
            build.relinked(function),
            signature(function),
            device=False,
            abi="numba",
            cc=capability,
            output="ptx",
        )
    return str(code)


def find_ptxas() -> Path | None:
    for name in ("nvidia-cuda-nvcc-cu12", "nvidia-cuda-nvcc"):
        try:
            listed = files(name) or []
        except ModuleNotFoundError:
            continue
        for file in listed:
            if file.name == "ptxas":
                return Path(str(file.locate()))
    return None


def assemble(ptx: str, arch: int, ptxas: Path) -> dict[str, Any]:
    """Machine code, of which ptxas tells the registers and local memory of the whole kernel."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "kernel.ptx"
        source.write_text(ptx)
        command = [
            str(ptxas),
            "-v",
            f"-arch=sm_{arch}",
            str(source),
            "-o",
            f"{folder}/kernel.cubin",
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        size = (Path(folder) / "kernel.cubin").stat().st_size
    spilled = [int(n) for n in re.findall(r"(\d+) bytes spill (?:stores|loads)", done.stderr)]
    stack = re.search(r"(\d+) bytes cumulative stack", done.stderr)
    registers = re.search(r"Used (\d+) registers", done.stderr)
    assert registers is not None, done.stderr
    return {
        "registers": int(registers.group(1)),
        "stack_bytes": int(stack.group(1)) if stack else 0,
        "spilled_bytes": sum(spilled),
        "machine_code_bytes": size,
    }


def report(function: Any, arch: int) -> dict[str, Any]:
    start = time.perf_counter()
    ptx = compile_ptx(function, arch)
    told: dict[str, Any] = {
        "name": function.__name__,
        "arch": f"sm_{arch}",
        "ptx_bytes": len(ptx),
        "ptx_seconds": round(time.perf_counter() - start, 1),
        "entries": ptx.count(".visible .entry"),
        "undefined": re.findall(r"^\.extern \.func.*?\b(\w+)\s*$", ptx, re.M),
    }
    ptxas = find_ptxas()
    if ptxas is not None:
        start = time.perf_counter()
        told |= assemble(ptx, arch, ptxas)
        told["ptxas_seconds"] = round(time.perf_counter() - start, 1)
    return told


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--arch", type=int, default=90, help="compute capability without the dot")
    parser.add_argument("names", nargs="*", help="some of the launched functions")
    given = parser.parse_args()
    for launched in kernels.LAUNCHED:
        if not given.names or launched.__name__ in given.names:
            print(json.dumps(report(launched, given.arch)), flush=True)
