"""Run on this CPU what numba-cuda makes for a GPU: a check of all but NVIDIA's part of the way.

    python -m tests.cuda.on_host [--games 64] [--steps 480]

numba-cuda types a kernel, lowers it to LLVM's language and hands that to NVIDIA's compiler. Here
the very text is compiled for the CPU instead and launched game by game under `CudaBatch`, which
`nijar_env.cuda.compare` then compares with the core. Needs numba-cuda and its compilers.
"""

from __future__ import annotations

import ctypes
import functools
import re
import sys
from types import SimpleNamespace
from typing import Any
from unittest import mock

import numpy as np
from llvmlite import binding as llvm
from numba.cuda import compiler, dispatcher

from nijar_env.cuda import batch, build, compare, kernels

from .ptx import signature

CAPABILITY = (9, 0)
# The registers of a thread: game i is thread i of block 0.
REGISTERS = {"tid": "@thread", "ctaid": "@zero", "ntid": "@zero"}
READ = re.compile(r'@"?llvm\.nvvm\.read\.ptx\.sreg\.(\w+)\.x"?')
THREAD = """
@thread_number = global i32 0
define i32 @thread() {
  %1 = load i32, ptr @thread_number
  ret i32 %1
}
define i32 @zero() {
  ret i32 0
}
"""


def nvvm_texts(function: Any) -> tuple[str, list[str]]:
    """The name of a launched function's code, and the modules that make it up."""
    device = SimpleNamespace(compute_capability=CAPABILITY)
    with mock.patch.object(dispatcher, "get_current_device", lambda: device):
        library, _ = compiler._compile_pyfunc_with_fixup(
            build.relinked(function),
            signature(function),
            debug=None,
            lineinfo=False,
            device=False,
            fastmath=False,
            cc=CAPABILITY,
            opt=None,
            abi="numba",
            abi_info=None,
            forceinline=False,
            launch_bounds=None,
            lto=False,
        )
    texts = list(library.llvm_strs)
    kernel = re.search(r'void \([^@]*\)\* @"(\w+)", !"kernel"', "\n".join(texts))
    assert kernel is not None
    return kernel.group(1), texts


def _start_of_type(line: str, end: int) -> int:
    """Where the type that ends before `end` begins: a word, brackets, or a function's type."""
    if line[end - 1] in "}])":
        opening = {"}": "{", "]": "[", ")": "("}[line[end - 1]]
        depth = 0
        for at in range(end - 1, -1, -1):
            depth += (line[at] == line[end - 1]) - (line[at] == opening)
            if depth == 0:
                break
        if opening != "(":
            return at
        return _start_of_type(line, len(line[:at].rstrip()))
    word = re.search(r"[\w.]+$", line[:end])
    assert word is not None, line
    return word.start()


def with_plain_pointers(line: str) -> str:
    """The line with `ptr` for every pointer type: NVVM wants them typed, LLVM has them no more."""
    while (star := line.find("*")) >= 0:
        end = star
        space = re.search(r"\s*addrspace\(\d+\)$", line[:end])
        if space:
            end = space.start()
        start = _start_of_type(line, end)
        line = f"{line[:start]}ptr{space.group() if space else ''}{line[star + 1 :]}"
    return line


def for_host(text: str) -> Any:
    """A module in the CPU's language."""
    declared: dict[str, None] = {}
    lines = []
    for line in text.splitlines():
        if line.startswith(("target ", "!nvvm", '@"llvm.used"')):
            continue
        plain = with_plain_pointers(READ.sub(lambda found: REGISTERS[found.group(1)], line))
        if plain.startswith("declare "):
            declared[plain] = None  # once: two registers may have become one
        else:
            lines.append(plain)
    return llvm.parse_assembly("\n".join([*declared, *lines]))


class HostCode:
    """Everything `CudaBatch` launches, compiled for the CPU."""

    def __init__(self) -> None:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        machine = llvm.Target.from_default_triple().create_target_machine(opt=2)
        self.names = {}
        texts: dict[str, None] = {}
        for function in kernels.LAUNCHED:
            print(f"lowering {function.__name__} ...", file=sys.stderr, flush=True)
            self.names[function.__name__], parts = nvvm_texts(function)
            texts |= dict.fromkeys(parts)
        whole = llvm.parse_assembly(THREAD)
        for text in texts:
            whole.link_in(for_host(text))
        whole.triple = machine.triple
        whole.verify()
        options = llvm.create_pipeline_tuning_options(speed_level=2)
        builder = llvm.create_pass_builder(machine, options)
        builder.getModulePassManager().run(whole, builder)
        self.engine = llvm.create_mcjit_compiler(whole, machine)
        self.engine.finalize_object()
        self.thread = ctypes.c_int32.from_address(
            self.engine.get_global_value_address("thread_number")
        )

    def launch(self, name: str, threads: int, arguments: tuple[Any, ...]) -> None:
        address = self.engine.get_function_address(self.names[name])
        values: list[Any] = []
        for argument in arguments:
            if isinstance(argument, HostArray):  # as numba takes an array apart
                ary = argument.ary
                assert ary.flags.c_contiguous
                parts = (0, 0, ary.size, ary.itemsize, ary.ctypes.data, *ary.shape, *ary.strides)
                values += [ctypes.c_int64(part) for part in parts]
            elif isinstance(argument, bool):
                values.append(ctypes.c_uint8(argument))
            else:
                values.append(ctypes.c_uint64(int(argument)))
        run = ctypes.CFUNCTYPE(None, *(type(value) for value in values))(address)
        for self.thread.value in range(threads):
            run(*values)


class HostArray:
    """The few things `CudaBatch` asks of a device array."""

    def __init__(self, ary: Any) -> None:
        self.ary = ary
        self.shape, self.dtype = ary.shape, ary.dtype

    def copy_to_host(self) -> Any:
        return self.ary.copy()

    def copy_to_device(self, values: Any) -> None:
        assert values.shape == self.shape and values.dtype == self.dtype
        self.ary[...] = values

    def reshape(self, *shape: int) -> HostArray:
        return HostArray(self.ary.reshape(*shape))

    def view(self, dtype: Any) -> HostArray:
        return HostArray(self.ary.view(dtype))


@functools.cache
def code() -> HostCode:
    return HostCode()


class HostBatch(batch.CudaBatch):
    """`CudaBatch` with the CPU for a GPU."""

    def _launch(self, name: str, *arguments: Any) -> None:
        code().launch(name, len(self), arguments)


def to_device(values: Any) -> HostArray:
    return HostArray(np.array(values))


def device_array(shape: Any, dtype: Any) -> HostArray:
    return HostArray(np.full(shape, 77, dtype))


def main() -> int:
    import numba.cuda

    with (
        mock.patch.object(batch, "require_cuda"),
        mock.patch.object(compare, "CudaBatch", HostBatch),
        mock.patch.object(numba.cuda, "to_device", to_device),
        mock.patch.object(numba.cuda, "device_array", device_array),
    ):
        return compare.main(who="the code for a GPU, on this CPU,")


if __name__ == "__main__":
    sys.exit(main())
