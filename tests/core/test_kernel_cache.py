"""The kernel cache: stale code never runs, a cold start says so, a warm one says nothing.

Faults of its files are in `test_kernel_files`. Only tiny kernels are compiled here; the game's own
are taken from the cache of the test run.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from nijar_env.core import cache_folder, jit

ROOT: Final = Path(__file__).resolve().parents[2]
CORE: Final = ROOT / "nijar_env" / "core"
COMPONENTS: Final = ROOT / "nijar_env" / "components"
OWN: Final = {"nijar_env", "agents"}
HASHED: Final = ("record.py", "vocabulary.py")  # of the components, beside the whole core
# Seconds for a process that may compile all kernels beside others: one that hangs fails.
PATIENCE: Final = 1800

needs_jit = pytest.mark.skipif(not jit.JIT, reason="without compilation there is no cache")


def launch(
    code: str, cache: Path | str | None, *, path: Path = ROOT, **variables: str
) -> subprocess.Popen[str]:
    """Run a script in a process of its own; `cache` None is the cache of this test run."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(path), str(ROOT)]), **variables}
    # Python's own cache would miss an edit of the same size within a second.
    env["PYTHONDONTWRITEBYTECODE"] = "1"
    if "NUMBA_DISABLE_JIT" not in variables:
        env.pop("NUMBA_DISABLE_JIT", None)
    if cache is not None:
        env["NIJAR_CACHE_DIR"] = str(cache)
    return subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=path,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process: subprocess.Popen[str]) -> tuple[str, str]:
    """What a process has printed to standard output and standard error."""
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, err
    return out.strip(), err


# --- the hash -----------------------------------------------------------------------------------

KERNELS: Final = "from nijar_env.core.jit import kernel\n"


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the library to edit, which `source_hash` looks at."""
    copy = tmp_path / "nijar_env"
    shutil.copytree(ROOT / "nijar_env", copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(cache_folder, "_CORE", copy / "core")
    monkeypatch.setattr(cache_folder, "_COMPONENTS", copy / "components")
    return copy


def hash_of(folder: Path) -> str:
    """`source_hash`, computed anew."""
    return cache_folder.source_hash.__wrapped__(folder)


def test_an_edit_of_any_kernel_source_is_another_folder(sources: Path) -> None:
    core = sources / "core"
    before = hash_of(core)
    assert hash_of(core) == before
    files = [*core.glob("*.py"), *(sources / "components" / name for name in HASHED)]
    assert len(files) > 25
    seen = {before}
    for file in files:
        text, stat = file.read_text("utf-8"), file.stat()
        file.write_text(text.replace("e", "a", 1), "utf-8")  # same size, and same time:
        os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))
        seen.add(hash_of(core))
        file.write_text(text, "utf-8")
        assert hash_of(core) == before  # the time of a file does not count
    assert len(seen) == len(files) + 1


def test_a_rule_that_changes_is_another_folder(sources: Path) -> None:
    """The cap on cracks lies in a module that no entry point names."""
    before = hash_of(sources / "core")
    supply = sources / "core" / "supply.py"
    text = supply.read_text("utf-8")
    changed = text.replace("<= CLEANING_CAP", "< CLEANING_CAP")
    assert changed != text
    supply.write_text(changed, "utf-8")
    assert hash_of(sources / "core") != before


def test_new_renamed_and_removed_sources_count(sources: Path) -> None:
    core = sources / "core"
    seen = [hash_of(core)]
    (core / "extra.py").write_text("", "utf-8")
    seen.append(hash_of(core))
    (core / "extra.py").rename(core / "extra2.py")
    seen.append(hash_of(core))
    (core / "extra2.py").unlink()
    assert hash_of(core) == seen[0]
    assert len(set(seen)) == 3


def test_other_sources_do_not_make_the_kernels_stale(sources: Path) -> None:
    before = hash_of(sources / "core")
    for name in ("game.py", "components/loader.py", "components/data/wheels.toml"):
        (sources / name).write_text("# changed\n", "utf-8")
    assert hash_of(sources / "core") == before


def test_kernels_of_another_folder_depend_on_the_core_too(sources: Path, tmp_path: Path) -> None:
    own = tmp_path / "search"
    own.mkdir()
    (own / "tree.py").write_text(f"{KERNELS}DEPTH = 1\n", "utf-8")
    first = hash_of(own)
    assert first != hash_of(sources / "core")
    (own / "tree.py").write_text(f"{KERNELS}DEPTH = 2\n", "utf-8")
    second = hash_of(own)
    (sources / "core" / "rng.py").write_text("", "utf-8")
    assert len({first, second, hash_of(own)}) == 3


@pytest.mark.parametrize(
    "imports",
    [
        "from .{} import X",
        "    from .{} import (\n    X,\n)",
        "from search.{} import X",
        "import search.{}",
    ],
)
def test_of_another_folder_what_kernels_import_counts(tmp_path: Path, imports: str) -> None:
    own = tmp_path / "search"
    own.mkdir()
    (own / "tree.py").write_text(f"{KERNELS}{imports.format('nodes')}\n", "utf-8")
    (own / "nodes.py").write_text("from .sizes import X\n", "utf-8")
    (own / "sizes.py").write_text("X = 1\n", "utf-8")
    (own / "player.py").write_text("from .tree import DEPTH\n", "utf-8")
    before = hash_of(own)
    (own / "player.py").write_text("", "utf-8")
    assert hash_of(own) == before
    (own / "sizes.py").write_text("X = 2\n", "utf-8")
    assert hash_of(own) != before


def test_where_a_kernel_imports_from_the_package_itself_all_of_it_counts(tmp_path: Path) -> None:
    own = tmp_path / "search"
    own.mkdir()
    (own / "tree.py").write_text(f"{KERNELS}from . import sizes\n", "utf-8")
    (own / "other.py").write_text("", "utf-8")
    before = hash_of(own)
    (own / "other.py").write_text("X = 1\n", "utf-8")
    assert hash_of(own) != before


def imported(file: Path) -> set[Path]:
    """The library's modules that a module imports, where its kernels see them: not in functions."""
    found = set()
    for node in ast.parse(file.read_text("utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.level:
            home = file.parents[node.level - 1] / (node.module or "").replace(".", "/")
            found.add(home.with_suffix(".py") if node.module else home / "__init__.py")
        elif isinstance(node, ast.ImportFrom | ast.Import):
            names = (
                [node.module] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
            )
            own = [name for name in names if name and name.split(".")[0] in OWN]
            found |= {(ROOT / name.replace(".", "/")).with_suffix(".py") for name in own}
            assert not set(own) & OWN, f"{file.name}: names of a whole package"
    return found


def test_kernels_reach_nothing_that_is_not_hashed() -> None:
    """Of the library, kernels import the core and two modules of the components."""
    decorated = re.compile(r"^@(kernel|fixed_kernel|entry)$", re.M)
    todo = [file for file in CORE.glob("*.py") if decorated.search(file.read_text("utf-8"))]
    assert len(todo) > 20
    reached = set(todo)
    while todo:
        new = imported(todo.pop()) - reached
        reached |= new
        todo += new
    hashed = {*CORE.glob("*.py"), *(COMPONENTS / name for name in HASHED)}
    assert not reached - hashed


@pytest.mark.parametrize("name", ["agents", "agents/networks"])
def test_kernels_of_agents_reach_nothing_that_is_not_hashed(name: str) -> None:
    """What they import of the agents and of the library, however it is written."""
    folder = ROOT / name
    hashed = set(cache_folder.hashed_sources(folder))
    todo = [f for f in folder.glob("*.py") if "jit import" in f.read_text("utf-8")]
    todo = [file for file in todo if re.search(r"^@(kernel|entry)$", file.read_text("utf-8"), re.M)]
    assert len(todo) >= (1 if "networks" in name else 15)
    reached = set(todo)
    while todo:
        new = {file for file in imported(todo.pop()) if file.exists()} - reached
        reached |= new
        todo += new
    assert not reached - hashed


@pytest.mark.parametrize(
    "change",
    [
        (cache_folder.numba, "__version__"),
        (cache_folder.llvmlite, "__version__"),
        (cache_folder.np, "__version__"),
        (cache_folder.platform, "python_version"),
        (cache_folder.llvm, "get_host_cpu_name"),
        (cache_folder.numba.config, "BOUNDSCHECK"),
        (cache_folder.numba.config, "CPU_FEATURES"),
    ],
    ids=lambda change: f"{change[0].__name__}.{change[1]}",
)
def test_what_compiles_counts(change: tuple[Any, str], monkeypatch: pytest.MonkeyPatch) -> None:
    def compiler() -> Any:
        return cache_folder._compiler.__wrapped__()

    before = compiler()
    module, name = change
    old = getattr(module, name)
    monkeypatch.setattr(module, name, (lambda: "another") if callable(old) else "another")
    assert compiler() != before


# --- stale code ---------------------------------------------------------------------------------

PRICE: Final = """
from nijar_env.core.jit import kernel

STEP = {step}

@kernel
def price(n):
    return n * STEP
"""
SHOP: Final = """
from nijar_env.core.jit import entry
from prices.price import price

@entry
def total(n):
    return price(n) + 1
"""
BUY: Final = """
from prices.shop import total
print(total(20), sum(total.stats.cache_hits.values()))
"""


@pytest.fixture
def prices(tmp_path: Path) -> Path:
    """A folder of two kernel modules, one of which calls the other."""
    folder = tmp_path / "prices"
    folder.mkdir()
    (folder / "__init__.py").write_text("", "utf-8")
    (folder / "price.py").write_text(PRICE.format(step=2), "utf-8")
    (folder / "shop.py").write_text(SHOP, "utf-8")
    return folder


@needs_jit
def test_a_changed_kernel_never_runs_from_a_stale_cache(prices: Path, tmp_path: Path) -> None:
    """The entry point's own file stays as it was: Numba's cache alone would miss the change."""
    cache = tmp_path / "cache"

    def buy() -> str:
        return finish(launch(BUY, cache, path=tmp_path))[0]

    assert buy() == "41 0"
    assert buy() == "41 1"  # from the cache
    price = prices / "price.py"
    stat = price.stat()
    price.write_text(PRICE.format(step=3), "utf-8")
    os.utime(price, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert buy() == "61 0"
    assert buy() == "61 1"
    assert len(list(cache.glob("*/shop.total-*.kernel"))) == 2


# --- where the cache lies, and what is said -----------------------------------------------------

IMPORT: Final = "from nijar_env.core import jit, cache_folder; print(cache_folder.cache_dir())"
COLD: Final = "nijar_env: compiling the game's kernels, about a minute (once for this version) ..."
NO_CACHE: Final = "in every process: {} cannot be written; name another folder in NIJAR_CACHE_DIR"


@needs_jit
def test_a_cold_start_says_so_in_one_line(tmp_path: Path) -> None:
    out, err = finish(launch(IMPORT, tmp_path / "new" / "cache"))
    assert err == COLD + "\n"
    assert out == str(tmp_path / "new" / "cache" / cache_folder.source_hash(CORE))


@needs_jit
def test_what_was_only_half_compiled_is_cold(tmp_path: Path) -> None:
    """Entry points are compiled last: without one, another minute is to come."""
    folder = tmp_path / cache_folder.source_hash(CORE)
    folder.mkdir(parents=True)
    (folder / "engine.run-1.kernel").touch()
    assert finish(launch(IMPORT, tmp_path))[1] == COLD + "\n"
    (folder / "kernels.play-1.kernel").touch()
    assert finish(launch(IMPORT, tmp_path))[1] == ""


def test_without_compilation_nothing_is_said(tmp_path: Path) -> None:
    out, err = finish(launch("import nijar_env.core.engine", tmp_path, NUMBA_DISABLE_JIT="1"))
    assert (out, err) == ("", "")


@needs_jit
@pytest.mark.parametrize("inside", [False, True])
def test_without_a_place_for_the_cache_all_works(
    prices: Path, tmp_path: Path, inside: bool
) -> None:
    """The folder's name is that of a file, or would lie below one."""
    file = tmp_path / "taken"
    file.write_text("mine", "utf-8")
    cache = file / "cache" if inside else file
    out, err = finish(launch(BUY, cache, path=tmp_path))
    assert out == "41 0"
    assert NO_CACHE.format(cache) in err and err.count("\n") == 1
    assert file.read_text("utf-8") == "mine"
    assert not list(tmp_path.rglob("*.kernel"))
    assert prices.exists()


PLAY: Final = """
import random
from nijar_env import Game
game, chance = Game(3, seed=5), random.Random(5)
while not game.done:
    game.step(chance.choice(game.legal_actions()))
print(game.scores(), game.record.decisions)
"""


@needs_jit
@pytest.mark.skipif(jit.JIT and cache_folder.cache_dir() is None, reason="nowhere to keep a cache")
def test_a_warm_start_is_silent_also_in_several_processes_at_once() -> None:
    first, _ = finish(launch(PLAY, None))  # compiles, where this is the first test of all
    together = [launch(PLAY, None) for _ in range(4)]
    assert [finish(process) for process in together] == [(first, "")] * 4
