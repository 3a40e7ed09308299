"""The cache of one kernel's compiled signatures, one file each, in place of Numba's own.

Numba's cache sees edits of one file only, trusts what it reads and, where processes compile at
once, can leave an index that names another signature's code. Here a file's name is a digest of all
that it was compiled from, it carries its own checksum, and it is written beside its place and moved
there: a file is whole and right, or it is compiled anew. No fault of a disk stops a game.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from .cache_folder import SUFFIX, say_once
from .kernel_values import UnknownValue, function_digest

_MAGIC: Final = b"nijar kernel 1\n"
_CHECKSUM: Final = hashlib.sha256().digest_size


class BrokenFile(ValueError):
    """A cache file is not what was written."""


class KernelCache:
    """What Numba's dispatchers ask of a cache (`numba.core.caching._Cache`)."""

    _full = False  # after a fault of the disk nothing more is written by this process

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        self._function = function
        self._folder = folder
        module = Path(function.__code__.co_filename).stem
        self._name = f"{module}.{function.__qualname__}".replace("<", "").replace(">", "")

    @property
    def cache_path(self) -> str:
        """The folder of the files."""
        return str(self._folder)

    def enable(self) -> None:
        """It always is."""

    def disable(self) -> None:
        """It never is."""

    def flush(self) -> None:
        """Forget every compiled signature."""
        for path in self._folder.glob(f"{self._name}-*{SUFFIX}"):
            path.unlink(missing_ok=True)

    def load_overload(self, signature: Any, context: Any) -> Any:
        """The compiled signature, or None if it has to be compiled."""
        context.refresh()
        key = self._key(signature, context.codegen())
        if key is None:
            return None
        path = self._path(key)
        try:
            return CompileResult._rebuild(context, *read_file(path, key))
        except FileNotFoundError:
            return None
        except Exception as error:  # whatever unpickling or linking makes of a broken file
            why = error.strerror if isinstance(error, OSError) else "broken"
            say_once(f"compiling anew what cannot be read in {self._folder} ({why})")
            with contextlib.suppress(OSError):
                path.unlink()
            return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep what was compiled, if there is room."""
        key = self._key(signature, result.codegen)
        if key is None or KernelCache._full or result.lifted or result.library.has_dynamic_globals:
            return
        try:
            write_file(self._path(key), key, dumps(result._reduce()))
        except OSError as error:
            KernelCache._full = True
            say_once(
                f"compiled kernels cannot be kept in {self._folder} ({error.strerror}), so other "
                "processes compile them again; make room, or name another folder in NIJAR_CACHE_DIR"
            )

    def _key(self, signature: Any, codegen: Any) -> str | None:
        try:
            return repr((str(signature), codegen.magic_tuple(), function_digest(self._function)))
        except UnknownValue as error:
            say_once(f"compiled in every process, since its constants cannot be compared: {error}")
            return None

    def _path(self, key: str) -> Path:
        return (
            self._folder / f"{self._name}-{hashlib.sha256(key.encode()).hexdigest()[:32]}{SUFFIX}"
        )


def write_file(path: Path, key: str, payload: bytes) -> None:
    """Write a file that is whole or not there, also where others write the same.

    Raises:
        OSError: it cannot be written; nothing is left of it.
    """
    body = pickle.dumps((key, payload))
    part = path.with_name(f"{path.stem}-{uuid.uuid4().hex[:8]}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(_MAGIC + hashlib.sha256(body).digest() + body)
        os.replace(part, path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            part.unlink()
        # Windows lets nobody replace what another process is reading: it has the same in it.
        if not (isinstance(error, PermissionError) and path.exists()):
            raise


def read_file(path: Path, key: str) -> Any:
    """What `write_file` was given.

    Raises:
        OSError: there is no such file, or it cannot be read.
        BrokenFile: it was cut or changed, or belongs to another key.
    """
    data = path.read_bytes()
    start = len(_MAGIC) + _CHECKSUM
    body = data[start:]
    if data[:start] != _MAGIC + hashlib.sha256(body).digest():
        raise BrokenFile(path.name)
    written_key, payload = pickle.loads(body)
    if written_key != key:
        raise BrokenFile(path.name)
    return pickle.loads(payload)
