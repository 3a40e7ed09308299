"""A digest of all that a kernel is compiled from, taken from the running process.

The names of cache folders follow the files on disk. A process can hold something else: a file that
was edited after it was imported, a constant that was replaced. So each compiled kernel is filed
under its own code and the values of its constants, and those of every kernel that it calls.
"""

from __future__ import annotations

import functools
import hashlib
import types
from collections.abc import Callable, Iterator
from typing import Any, Final

import numba
import numpy as np

# Libraries whose versions are in the name of the folder.
_LIBRARIES: Final = ("numpy", "math", "numba", "llvmlite", "builtins")
Function = Callable[..., Any]


class UnknownValue(TypeError):
    """A kernel names something that has no digest here: it is not kept."""


def function_digest(function: Function) -> str:
    """Of a kernel's plain function: its code, its constants, and all that it calls."""
    digest = hashlib.sha256()
    seen: set[Function] = set()
    left = [function]
    while left:
        current = left.pop()
        if current in seen:
            continue
        seen.add(current)
        text, calls = _own(current)
        digest.update(text.encode())
        left += calls
    return digest.hexdigest()


@functools.cache
def _own(function: Function) -> tuple[str, tuple[Function, ...]]:
    """What a function itself is, and the functions that it names. A kernel is compiled once in a
    process, with the values of that moment, so they are read once too."""
    calls: list[Function] = []
    words = [function.__module__, function.__qualname__]
    try:
        words += _of_code(function.__code__, function.__globals__, calls)
        closure = [cell.cell_contents for cell in function.__closure__ or ()]
        words += _of_value([function.__defaults__, function.__kwdefaults__, *closure], calls)
    except UnknownValue as error:
        raise UnknownValue(f"{function.__module__}.{function.__qualname__}: {error}") from None
    return "\0".join(words), tuple(calls)


def _of_code(code: types.CodeType, names: dict[str, Any], calls: list[Function]) -> Iterator[str]:
    """The instructions, and the values of all names in them."""
    yield hashlib.sha256(code.co_code).hexdigest()
    yield repr((code.co_varnames, code.co_cellvars, code.co_freevars, code.co_argcount))
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _of_code(constant, names, calls)
        else:
            yield from _of_value(constant, calls)
    for name in code.co_names:
        yield name
        value = names.get(name)
        if isinstance(value, types.ModuleType):
            yield value.__name__
            if value.__name__.partition(".")[0] not in _LIBRARIES:
                for other in code.co_names:  # one of them is what is read from the module
                    yield from _of_value(getattr(value, other, None), calls)
        else:
            yield from _of_value(value, calls)


def _of_value(value: Any, calls: list[Function]) -> Iterator[str]:
    yield type(value).__qualname__
    match value:
        case None | bool() | int() | float() | complex() | str() | bytes() | np.generic():
            yield repr(value)
        case tuple() | list():
            yield repr((len(value), getattr(value, "_fields", None)))
            for item in value:
                yield from _of_value(item, calls)
        case frozenset():
            yield repr(sorted(map(repr, value)))
        case dict():
            yield from _of_value(tuple(value.items()), calls)
        case np.dtype():
            yield repr(value)
        case np.ndarray() if not value.dtype.hasobject:
            yield repr((value.dtype, value.shape))
            yield hashlib.sha256(value.tobytes()).hexdigest()
        case type():
            yield f"{value.__module__}.{value.__qualname__}"
        case numba.types.Type():
            yield str(value)
        case types.FunctionType():
            calls.append(value)
        case _ if isinstance(getattr(value, "py_func", None), types.FunctionType):
            calls.append(value.py_func)
        case types.BuiltinFunctionType() | np.ufunc():
            yield value.__name__
        case _:
            raise UnknownValue(f"a {type(value).__module__}.{type(value).__qualname__}")
