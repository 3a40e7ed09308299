"""Where compiled kernels are kept: one folder for each version of what they are compiled from.

A version's name is a hash of the kernels' sources, of the box's vocabulary and of what compiles
them (Python, NumPy, Numba, LLVM, the processor), so nothing that changes meets an old folder.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import platform
import re
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

import llvmlite
import llvmlite.binding as llvm
import numba
import numpy as np

SUFFIX: Final = ".kernel"  # one compiled signature of one kernel
ABOUT: Final = "version.json"  # what a version's folder is for; its time is that of the last use
_CORE = Path(__file__).resolve().parent
_COMPONENTS = _CORE.parent / "components"
# Settings of Numba that change the code it makes, beside the processor's.
_SETTINGS: Final = (
    *("BOUNDSCHECK", "OPT", "DEBUGINFO_DEFAULT", "LOOP_VECTORIZE", "SLP_VECTORIZE"),
    *("CPU_NAME", "CPU_FEATURES", "ENABLE_AVX"),
)
_said: set[str] = set()


def say_once(text: str) -> None:
    """One line on standard error, in this process no second time."""
    if text not in _said:
        _said.add(text)
        print(f"nijar_env: {text}", file=sys.stderr)


def cache_root() -> Path:
    """The folder of all kernel caches: `NIJAR_CACHE_DIR`, or the user's cache folder.

    Raises:
        OSError: there is no such variable, and the user has no home.
    """
    override = os.environ.get("NIJAR_CACHE_DIR")
    if override:
        return Path(override).absolute()
    from platformdirs import user_cache_path

    path = user_cache_path("nijar_env")
    if not path.is_absolute():  # "~" that stands for nothing
        raise OSError("the user has no home folder")
    return path


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


def hashed_sources(folder: Path) -> list[Path]:
    """The files that a version's name depends on, for kernels in `folder`."""
    files = [*_CORE.glob("*.py"), _COMPONENTS / "vocabulary.py", _COMPONENTS / "record.py"]
    if folder != _CORE:
        files += kernel_sources(folder)
    return sorted(files)


@functools.cache
def _compiler() -> tuple[Any, ...]:
    """What compiles, and for which processor."""
    return (
        *(numba.__version__, llvmlite.__version__, np.__version__),
        *(platform.python_version(), platform.machine(), sys.platform),
        *(llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()),
        *(str(getattr(numba.config, name, None)) for name in _SETTINGS),
    )


@functools.cache
def source_hash(folder: Path) -> str:
    """Hash of the kernel sources a function in `folder` can reach, and of what compiles them."""
    digest = hashlib.sha256()
    for path in hashed_sources(folder):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    digest.update(repr(_compiler()).encode())
    return digest.hexdigest()[:16]


@functools.cache
def cache_dir(folder: Path = _CORE) -> Path | None:
    """The folder of this version of the kernels in `folder`: one that is there, perhaps only to be
    read, or a new one; None where there is neither."""
    try:
        path = cache_root() / source_hash(folder)
        path.mkdir(parents=True, exist_ok=True)
        _note_use(path, folder)
    except OSError:
        return None
    return path


def _note_use(path: Path, folder: Path) -> None:
    """Say in the folder what it is for and, by the file's time, when it was last used."""
    about = path / ABOUT
    try:
        if about.is_file():
            os.utime(about)
            return
        from .. import __version__

        words = {
            "kernels": str(folder),
            "nijar_env": __version__,
            "numba": numba.__version__,
            "python": platform.python_version(),
            "processor": llvm.get_host_cpu_name(),
        }
        about.write_text(json.dumps(words, indent=1) + "\n", encoding="utf-8")
    except OSError:
        pass  # a cache that is only read, or a full disk: what is in it serves all the same


def is_compiled(kernel: str, folder: Path = _CORE) -> bool:
    """Whether the cache has the kernel `module.function` of `folder`, in any signature."""
    path = cache_dir(folder)
    return path is not None and any(path.glob(f"{kernel}-*{SUFFIX}"))


def is_kept(folder: Path = _CORE) -> bool:
    """Whether what is compiled now will be there for the next process."""
    path = cache_dir(folder)
    if path is None:
        return False
    try:
        with tempfile.TemporaryFile(dir=path):
            return True
    except OSError:
        return False
