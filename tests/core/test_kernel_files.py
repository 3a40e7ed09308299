"""Files of the kernel cache: broken ones heal, a full disk is said, an edit is never missed.

Kernels are tiny, and lie in a folder of their own.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from nijar_env.core import cache_file, jit
from nijar_env.core.cache_file import BrokenFile, read_file, write_file
from nijar_env.core.kernel_values import UnknownValue, function_digest
from tests.core.test_kernel_cache import (
    BUY,
    CORE,
    PATIENCE,
    ROOT,
    finish,
    launch,
    needs_jit,
    prices,
)

__all__ = ["prices"]  # the fixture

# --- one file -----------------------------------------------------------------------------------


def test_a_file_is_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.kernel"
    write_file(path, "key", cache_file.dumps([1, 2]))
    assert read_file(path, "key") == [1, 2]
    assert [file.name for file in path.parent.iterdir()] == ["a.kernel"]


@pytest.mark.parametrize("length", [0, 5, 20, 47, 60, -1])
def test_a_cut_file_is_broken(tmp_path: Path, length: int) -> None:
    path = tmp_path / "a.kernel"
    write_file(path, "key", cache_file.dumps(list(range(100))))
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(BrokenFile, match=r"a\.kernel"):
        read_file(path, "key")


def test_a_changed_byte_and_another_key_are_broken(tmp_path: Path) -> None:
    path = tmp_path / "a.kernel"
    write_file(path, "key", cache_file.dumps(7))
    with pytest.raises(BrokenFile):
        read_file(path, "another")
    data = bytearray(path.read_bytes())
    data[-3] ^= 1
    path.write_bytes(data)
    with pytest.raises(BrokenFile):
        read_file(path, "key")


def test_nothing_is_left_of_a_file_that_could_not_be_written(tmp_path: Path) -> None:
    (tmp_path / "a.kernel").mkdir()  # nothing can be moved to its place
    with pytest.raises(OSError):
        write_file(tmp_path / "a.kernel", "key", b"")
    assert [path.name for path in tmp_path.iterdir()] == ["a.kernel"]


# --- what a kernel is compiled from -------------------------------------------------------------

MODULE: Final = """
import math
import numpy as np
from typing import NamedTuple
from {package} import sizes
class Pair(NamedTuple):
    low: int
    high: int
STEP, TABLE, PAIR, SCALE = 2, np.arange(3), Pair(1, 2), np.float32(0.5)
def helper(n):
    return n * STEP
def work(n, more=1):
    return helper(n) + TABLE[0] + PAIR.low + SCALE + sizes.DEEP + math.floor(0.5) + more
def unrelated(n):
    return n
"""
CHANGES: Final = {
    "code": ("+ TABLE[0]", "- TABLE[0]"),
    "constant": ("= 2, np", "= 3, np"),
    "table": ("arange(3)", "arange(4)"),
    "named tuple": ("Pair(1, 2)", "Pair(2, 2)"),
    "type of a constant": ("np.float32(", "np.float64("),
    "function it calls": ("return n * STEP", "return n + STEP"),
    "default": ("more=1", "more=2"),
    "number in the code": ("floor(0.5)", "floor(1.5)"),
}


def digest_of(folder: Path, name: str, text: str, deep: int = 1) -> str:
    package = folder / name
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "sizes.py").write_text(f"DEEP = {deep}\n", "utf-8")
    (package / "main.py").write_text(text.format(package=name), "utf-8")
    work = importlib.import_module(f"{name}.main").work
    work.__module__ = work.__globals__["helper"].__module__ = "main"  # not a difference here
    return function_digest(work)


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_the_digest_follows_all_that_a_kernel_names(modules: Path) -> None:
    text = MODULE
    before = digest_of(modules, "as_it_was", text)
    assert len(before) == 64
    seen = {before}
    for number, (what, (old, new)) in enumerate(CHANGES.items()):
        changed = text.replace(old, new)
        assert changed != text, what
        digest = digest_of(modules, f"changed_{number}", changed)
        assert digest not in seen, what
        seen.add(digest)
    assert digest_of(modules, "deep", text, deep=2) not in seen


def test_what_cannot_be_compared_is_refused(modules: Path) -> None:
    text = MODULE.replace("np.arange(3)", "{{1: object()}}")
    with pytest.raises(UnknownValue, match=r"work: a builtins\.object"):
        digest_of(modules, "strange", text)


def test_every_kernel_of_the_game_has_a_digest() -> None:
    """None is compiled in every process for want of one, and no two have the same."""
    modules = [f"nijar_env.core.{path.stem}" for path in CORE.glob("[a-z]*.py")]
    for folder in ("agents", "agents.networks"):
        files = (ROOT / folder.replace(".", "/")).glob("[a-z]*.py")
        modules += [
            f"{folder}.{f.stem}" for f in files if "core.jit import" in f.read_text("utf-8")
        ]
    kernels: dict[str, Any] = {}
    for name in modules:
        for value in vars(importlib.import_module(name)).values():
            function = getattr(value, "py_func", None)
            if function is not None:
                kernels[f"{function.__module__}.{function.__qualname__}"] = function
    assert len(kernels) > 250 or not jit.JIT
    assert len({function_digest(function) for function in kernels.values()}) == len(kernels)


EDIT_WHILE_RUNNING: Final = """
import pathlib, sys
import prices.price                      # as it was: 2
path = pathlib.Path(prices.price.__file__)
path.write_text(path.read_text().replace("STEP = 2", "STEP = 3"))
from prices.shop import total            # its hash is that of the new files
print(total(20))
"""


@needs_jit
def test_an_edit_while_a_process_runs_is_not_mistaken(prices: Path, tmp_path: Path) -> None:
    """The process compiles what it imported before the edit; nobody else gets that."""
    cache = tmp_path / "cache"
    assert finish(launch(EDIT_WHILE_RUNNING, cache, path=tmp_path))[0] == "41"
    assert finish(launch(BUY, cache, path=tmp_path))[0] == "61 0"
    assert finish(launch(BUY, cache, path=tmp_path))[0] == "61 1"


# --- files that are broken, and disks that are full ---------------------------------------------


@needs_jit
@pytest.mark.parametrize("cut", ["half", "empty", "nonsense"])
def test_a_broken_file_is_compiled_anew(prices: Path, tmp_path: Path, cut: str) -> None:
    cache = tmp_path / "cache"
    assert finish(launch(BUY, cache, path=tmp_path))[0] == "41 0"
    (file,) = cache.glob("*/shop.total-*.kernel")
    whole = file.read_bytes()
    file.write_bytes({"half": whole[: len(whole) // 2], "empty": b"", "nonsense": b"x" * 999}[cut])
    out, err = finish(launch(BUY, cache, path=tmp_path))
    assert out == "41 0"
    lines = [line for line in err.splitlines() if "compiling the game" not in line]
    assert lines == [f"nijar_env: compiling anew what cannot be read in {file.parent} (broken)"]
    assert finish(launch(BUY, cache, path=tmp_path))[0] == "41 1"


FULL: Final = f"""
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))  # bytes a file
{BUY}
"""


@needs_jit
@pytest.mark.skipif(sys.platform == "win32", reason="no such limit there")
def test_a_full_disk_is_said_once_and_stops_nothing(prices: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    out, err = finish(launch(FULL, cache, path=tmp_path, NUMBA_NUM_THREADS="1"))
    assert out == "41 0"
    assert err.count("compiled kernels cannot be kept in") == 1
    assert "(File too large)" in err and "NIJAR_CACHE_DIR" in err
    assert not list(cache.rglob("*.kernel")) and not list(cache.rglob("*.tmp"))
    assert finish(launch(BUY, cache, path=tmp_path))[0] == "41 0"  # nothing half written was left


READ_ONLY: Final = """
import tempfile, nijar_env.core.cache_file as f, nijar_env.core.cache_folder as d
def refuse(*_, **__):
    raise OSError(30, "Read-only file system")
f.write_file = tempfile.TemporaryFile = d.os.utime = refuse
"""


@needs_jit
def test_a_cache_that_can_only_be_read_serves(prices: Path, tmp_path: Path) -> None:
    """As in a container whose image was warmed: nothing is written, so nothing is said."""
    cache = tmp_path / "cache"
    assert finish(launch(BUY, cache, path=tmp_path))[0] == "41 0"
    (folder,) = {file.parent for file in cache.glob("*/shop.*")}
    assert finish(launch(READ_ONLY + BUY, cache, path=tmp_path))[0] == "41 1"
    for file in folder.glob("shop.total-*"):
        file.unlink()
    out, err = finish(launch(READ_ONLY + BUY, cache, path=tmp_path))
    assert out == "41 0"
    assert f"cannot be kept in {folder} (Read-only file system)" in err


def test_a_user_without_a_home_has_no_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from nijar_env.core import cache_folder

    monkeypatch.delenv("NIJAR_CACHE_DIR", raising=False)
    monkeypatch.setattr("platformdirs.user_cache_path", lambda name: Path("~/.cache") / name)
    with pytest.raises(OSError, match="no home folder"):
        cache_folder.cache_root()
    monkeypatch.chdir(tmp_path)
    assert cache_folder.cache_dir.__wrapped__() is None
    assert not list(tmp_path.iterdir())


# --- several processes at once ------------------------------------------------------------------

MANY: Final = """
import numpy as np
from prices.shop import total
kinds = [np.int64, np.float64, np.int8, np.float32, np.uint8]
for kind in kinds[START:] + kinds[:START]:
    print(kind.__name__, total(kind(20)))
"""


@needs_jit
def test_processes_that_start_at_once_on_a_cold_cache(prices: Path, tmp_path: Path) -> None:
    """Each compiles other signatures first; what is kept is right for all."""
    cache = tmp_path / "cache"
    codes = [MANY.replace("START", str(start)) for start in (0, 2, 3)]
    together = [launch(code, cache, path=tmp_path) for code in codes]
    results = [sorted(finish(process)[0].splitlines()) for process in together]
    assert results[0] == results[1] == results[2]
    assert results[0] == ["float32 41.0", "float64 41.0", "int64 41", "int8 41", "uint8 41"]
    assert len(list(cache.glob("*/shop.total-*.kernel"))) == 5
    assert not list(cache.rglob("*.tmp"))
    hits = "print(sum(total.stats.cache_hits.values()))"
    assert finish(launch(codes[0] + hits, cache, path=tmp_path))[0].splitlines()[-1] == "5"


@needs_jit
@pytest.mark.skipif(sys.platform == "win32", reason="other signals there")
def test_a_process_that_is_killed_leaves_nothing_that_is_taken_for_a_kernel(
    prices: Path, tmp_path: Path
) -> None:
    cache = tmp_path / "cache"
    die = "import os, nijar_env.core.cache_file as f\nf.os.replace = lambda *_: os._exit(9)\n"
    process = launch(die + BUY, cache, path=tmp_path)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 9
    assert list(cache.rglob("*.tmp")) and not list(cache.rglob("*.kernel"))
    assert finish(launch(BUY, cache, path=tmp_path))[0] == "41 0"


def test_numba_has_what_the_cache_builds_on() -> None:
    """Names of Numba's inside that `jit` and `cache_file` use, in the version installed."""
    from numba.core.caching import _Cache
    from numba.core.compiler import CompileResult

    wanted = {name for name in vars(_Cache) if name in _Cache.__abstractmethods__}
    assert wanted <= set(dir(cache_file.KernelCache))
    assert hasattr(CompileResult, "_reduce") and hasattr(CompileResult, "_rebuild")
    if jit.JIT:
        from nijar_env.core.kernels import play

        assert isinstance(play._cache, cache_file.KernelCache)
