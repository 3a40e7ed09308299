"""The folders of compiled kernels as `nijar cache` lists and clears them.

Only what the cache itself has written is ever removed: folders with the name of a version that hold
its kinds of files and nothing else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from .core.cache_folder import ABOUT, SUFFIX, source_hash

_VERSION: Final = re.compile(r"[0-9a-f]{16}")
# Also what Numba's own cache wrote, in folders below a version's, before there was another.
_OWN_FILE: Final = re.compile(rf".*({re.escape(SUFFIX)}|\.tmp|\.nb[ic](\.tmp\.[0-9a-f]+)?)")
_LIBRARY: Final = Path(__file__).resolve().parent


@dataclass(frozen=True)
class KernelVersion:
    """One version's folder.

    Attributes:
        path: the folder; its name is the version's hash.
        current: whether the sources, here and now, would use it.
        files, size: compiled kernels in it, and bytes in all.
        used: seconds since 1970 of its last use.
        about: what its `version.json` says.
    """

    path: Path
    current: bool
    files: int
    size: int
    used: float
    about: dict[str, Any]


def kernel_folders() -> list[Path]:
    """The folders of this installation, or checkout, that hold kernels."""
    beside = _LIBRARY.parent / "agents"
    return [_LIBRARY / "core", *(f for f in (beside, beside / "networks") if f.is_dir())]


def versions(root: Path) -> list[KernelVersion]:
    """All versions in a cache folder, the last used first.

    Raises:
        OSError: the folder is there and cannot be read.
    """
    current = {source_hash(folder) for folder in kernel_folders()}
    found = [_version(path, current) for path in _children(root) if _is_version(path)]
    return sorted(found, key=lambda version: -version.used)


def strangers(root: Path) -> list[Path]:
    """What lies in a cache folder and is not the cache's."""
    return [path for path in _children(root) if not _is_version(path)]


def remove(version: KernelVersion) -> int:
    """Remove a version's folder; the bytes that were freed.

    Raises:
        OSError: a file cannot be removed.
    """
    freed = 0
    if not _is_version(version.path):  # something was put there since it was listed
        return 0
    for path in list(_files(version.path)):
        size = path.lstat().st_size
        path.unlink(missing_ok=True)
        freed += size
    for path in _children(version.path):
        path.rmdir()
    version.path.rmdir()
    return freed


def _children(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []


def _files(folder: Path) -> Iterator[Path]:
    for path in _children(folder):
        if path.is_dir() and not path.is_symlink():
            yield from _children(path)
        else:
            yield path


def _is_version(path: Path) -> bool:
    """Whether a folder has a version's name and holds what a cache writes, and that alone."""
    if path.is_symlink() or not path.is_dir() or not _VERSION.fullmatch(path.name):
        return False
    return all(not file.is_symlink() and file.is_file() and _is_own(file) for file in _files(path))


def _is_own(file: Path) -> bool:
    return file.name == ABOUT or _OWN_FILE.fullmatch(file.name) is not None


def _version(path: Path, current: set[str]) -> KernelVersion:
    files = [(file.name, file.stat()) for file in _files(path)]
    about = path / ABOUT
    try:
        words = json.loads(about.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        words = {}
    return KernelVersion(
        path,
        path.name in current,
        sum(name != ABOUT for name, _ in files),
        sum(stat.st_size for _, stat in files),
        (about if about.is_file() else path).stat().st_mtime,
        words if isinstance(words, dict) else {},
    )
