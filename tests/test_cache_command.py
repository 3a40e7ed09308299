"""`nijar cache`: what it shows, what it removes, and above all what it does not remove."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from nijar_env.cli import app
from nijar_env.core.cache_folder import source_hash
from nijar_env.core.jit import JIT
from nijar_env.kernel_caches import kernel_folders, remove, versions

CURRENT = source_hash(kernel_folders()[0])
OLD = "0123456789abcdef"
ROOT = Path(__file__).resolve().parents[1]


def nijar(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["cache", *arguments], env={"COLUMNS": "160"})


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the current version and an old one."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("NIJAR_CACHE_DIR", str(folder))
    for name, words in ((CURRENT, {"kernels": "/x/nijar_env/core", "python": "3.12.1"}), (OLD, {})):
        (folder / name).mkdir(parents=True)
        (folder / name / "kernels.play-1.kernel").write_bytes(b"x" * 2_000_000)
        (folder / name / "kernels.play-1-2.tmp").write_bytes(b"x")
        (folder / name / "version.json").write_text(json.dumps(words), "utf-8")
    os.utime(folder / OLD / "version.json", (1e9, 1e9))
    return folder


def test_it_shows_the_folder_and_its_versions(root: Path) -> None:
    result = nijar()
    assert result.exit_code == 0
    assert f"folder: {root}" in result.output
    rows = [line for line in result.output.splitlines() if "│" in line]
    assert len(rows) == 2
    assert all(word in rows[0] for word in (CURRENT, "current", "nijar_env/core", "2.0 MB", "3.12"))
    assert all(word in rows[1] for word in (OLD, "old", "2001-09-0", " 2 "))
    assert "2 in all, 4.0 MB" in result.output
    assert "clear" not in result.output


def test_many_old_versions_are_mentioned(root: Path) -> None:
    for number in range(4):
        (root / f"{number:016x}").mkdir()
        (root / f"{number:016x}" / "a-1.kernel").write_bytes(b"x" * 1_000_000)
    assert "`nijar cache clear` frees the 6.0 MB of 5 old versions" in nijar().output


def test_an_empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NIJAR_CACHE_DIR", str(tmp_path / "none"))
    assert "no kernels in it" in nijar().output
    assert "nothing removed" in nijar("clear").output
    assert not (tmp_path / "none").exists()


def test_clear_removes_old_versions(root: Path) -> None:
    result = nijar("clear")
    assert result.exit_code == 0
    assert f"{root}: 1 version removed, 2.0 MB freed, 1 kept" in result.output
    assert [path.name for path in root.iterdir()] == [CURRENT]
    assert "0 versions removed, 0.0 MB freed, 1 kept" in nijar("clear").output
    assert "1 version removed, 2.0 MB freed, 0 kept" in nijar("clear", "--all").output
    assert root.is_dir() and not list(root.iterdir())


def test_clear_knows_what_numba_wrote_there(root: Path) -> None:
    inner = root / "aaaabbbbccccdddd" / "core_1f"
    inner.mkdir(parents=True)
    for name in ("a-1.py311.nbi", "a-1.py311.1.nbc", "a-1.py311.1.nbc.tmp.0a"):
        (inner / name).touch()
    assert "2 versions removed" in nijar("clear").output
    assert [path.name for path in root.iterdir()] == [CURRENT]


@pytest.mark.parametrize("where", ["beside", "inside", "below", "link", "folder that is a link"])
def test_clear_leaves_alone_what_is_not_the_caches(root: Path, tmp_path: Path, where: str) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "a-1.kernel").write_text("mine", "utf-8")
    strange = {
        "beside": root / "thesis.txt",
        "inside": root / OLD / "thesis.txt",
        "below": root / OLD / "core" / "deep" / "thesis.txt",
        "link": root / OLD / "a-1.kernel",
        "folder that is a link": root / "ffffffffffffffff",
    }[where]
    strange.parent.mkdir(parents=True, exist_ok=True)
    if "link" in where:
        target = mine if "folder" in where else mine / "a-1.kernel"
        strange.symlink_to(target, target_is_directory=target.is_dir())
    else:
        strange.write_text("mine", "utf-8")
    result = nijar("clear", "--all")
    assert result.exit_code == 0
    assert strange.exists()
    assert (mine / "a-1.kernel").read_text("utf-8") == "mine"
    name = strange.relative_to(root).parts[0]
    assert f"not of this cache, left alone: {name}" in result.output
    assert (root / OLD).exists() == (name == OLD)


def test_clear_of_a_strange_folder_removes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("anna", "0123456789abcdef", "bert"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "letter.txt").write_text("dear", "utf-8")
    monkeypatch.setenv("NIJAR_CACHE_DIR", str(tmp_path))
    result = nijar("clear", "--all")
    assert "no kernels of nijar_env in it, nothing removed" in result.output
    assert "left alone: 0123456789abcdef and 2 more" in result.output
    assert len(list(tmp_path.rglob("letter.txt"))) == 3


def test_what_was_put_there_since_is_not_removed(root: Path) -> None:
    (old,) = (version for version in versions(root) if not version.current)
    (root / OLD / "thesis.txt").touch()
    assert remove(old) == 0
    assert (root / OLD / "kernels.play-1.kernel").exists()


@pytest.mark.parametrize("command", [(), ("clear",), ("warm",)])
def test_a_folder_that_is_a_file(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.write_text("mine", "utf-8")
    monkeypatch.setenv("NIJAR_CACHE_DIR", str(file))
    monkeypatch.setattr("nijar_env.core.cache_folder.cache_dir", lambda folder=None: None)
    result = nijar(*command)
    assert result.exit_code == 1
    assert result.output.count("error:") == 1
    if JIT or command != ("warm",):
        assert "NIJAR_CACHE_DIR" in result.output and str(file) in result.output
    assert file.read_text("utf-8") == "mine"


# In a process of its own: what other tests have called is compiled.
COLD = """
from nijar_env.core import determinize, kernels, observe, seats
from nijar_env.warm import jobs

for _, work in jobs(agents=False):
    work()
entries = {
    name: value
    for module in (determinize, kernels, observe, seats)
    for name, value in vars(module).items()
    if getattr(value, "targetoptions", {}).get("nogil") and value.__module__ == module.__name__
}
assert len(entries) > 12
print(*(name for name, value in entries.items() if not value.overloads))
"""


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_warm_calls_every_entry_of_the_core() -> None:
    """All that front ends call is compiled; what only `nijar speed` calls is left to it."""
    done = subprocess.run(
        [sys.executable, "-c", COLD], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert set(done.stdout.split()) == {"random_actions", "random_steps", "random_playouts"}
