"""The documents and the metadata agree with each other and with the code."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import nijar_env

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = (".ci", "agents", "configs", "docs", "eval", "nijar_env", "tests", "train")
SUFFIXES = {"", ".cff", ".json", ".md", ".py", ".toml", ".txt", ".yaml", ".yml"}
FOREIGN = {
    "a path of one machine": re.compile(r"(?<![\w.~])/(work|tmp|root|home|opt|farm)/"),
    "the host of a package registry": re.compile(r"pypi\.org|pythonhosted|download\.pytorch"),
    "the story of how it was made": re.compile(r"\b(this session|closing note|issue #?\d)", re.I),
    "unfinished work": re.compile(r"\b(T[O]DO|F[I]XME)\b"),
}


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(language: str, name: str = "README.md") -> list[str]:
    """A document's code blocks in `language`, the README's by default."""
    return re.findall(rf"^```{language}\n(.*?)\n```$", read(name), re.M | re.S)


DOCUMENTS = [
    "README.md",
    "CONTRIBUTING.md",
    *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")),
]
# Samples of the other documents are run with their front ends (tests/front_ends), or where there is
# a GPU (tests/cuda).
SAMPLES = [
    (name, number)
    for name in DOCUMENTS
    if name not in ("docs/cuda.md", "docs/environment.md", "docs/front_ends.md")
    for number in range(len(blocks("python", name)))
]


def project() -> dict[str, Any]:
    return tomllib.loads(read("pyproject.toml"))["project"]


def texts() -> Iterator[Path]:
    candidates = list(ROOT.glob("*"))
    for folder in FOLDERS:
        candidates += (ROOT / folder).rglob("*")
    for path in candidates:
        if path.name == ".git":  # a file in a linked worktree
            continue
        if path.is_file() and path.suffix in SUFFIXES and "__pycache__" not in path.parts:
            yield path


# --- the README's promises


def test_first_two_commands_are_one_line_each_and_run_what_they_say() -> None:
    training, tests = blocks("bash")[:2]
    assert "\n" not in training + tests
    assert training.endswith("python -m train.ppo --config configs/quickstart.yaml")
    assert "python -m pytest" in tests
    assert "[train,eval]" in training and "[dev]" in tests


def test_the_benchmark_alone_needs_no_extra() -> None:
    benchmark = [block for block in blocks("bash") if block.endswith("python -m eval.benchmark")]
    assert len(benchmark) == 1 and "-e . &&" in benchmark[0]


def test_ci_runs_the_readme_test_command() -> None:
    assigned = re.search(r'^readme_test_command="(.*)"$', read(".ci/run"), re.M)
    assert assigned is not None
    assert assigned.group(1) == blocks("bash")[1]


@pytest.mark.parametrize(("name", "number"), SAMPLES)
def test_samples_run(name: str, number: int, tmp_path: Path) -> None:
    sample = blocks("python", name)[number]
    done = subprocess.run(
        [sys.executable, "-c", sample],
        cwd=tmp_path,  # where a sample may write what it likes
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() or name != "README.md"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_linked_and_named_documents_exist(name: str) -> None:
    text = read(name)
    links = re.findall(r"\]\((?!https?:)([^)#]+)", text)
    missing = [link for link in links if not ((ROOT / name).parent / link).exists()]
    named = re.findall(
        r"`((?:configs|docs|tests|agents|eval|nijar_env|train)/(?!Nijar-)[\w./-]*)`", text
    )
    missing += [path for path in named if not (ROOT / path).exists()]
    assert not missing


# --- versions


def test_one_version_everywhere() -> None:
    version = nijar_env.__version__
    assert project()["dynamic"] == ["version"]
    assert re.findall(r"^version: (.*)$", read("CITATION.cff"), re.M) == [version]
    newest = re.search(r"^## (\S+)", read("CHANGELOG.md"), re.M)
    assert newest is not None
    assert newest.group(1) == version


def test_constraints_satisfy_every_range() -> None:
    lines = [line for line in read("constraints.txt").splitlines() if line and line[0] != "#"]
    pins = dict(line.split("==") for line in lines)
    tested = {canonicalize_name(name): version for name, version in pins.items()}
    assert len(tested) == len(lines)
    wanted = list(project()["dependencies"])
    for extra in project()["optional-dependencies"].values():
        wanted += extra
    for text in wanted:
        requirement = Requirement(text)
        if requirement.name == project()["name"]:  # an extra that brings another one
            assert requirement.extras <= set(project()["optional-dependencies"])
            continue
        version = tested.get(canonicalize_name(requirement.name))
        assert version is not None, f"{requirement.name} has no tested version"
        assert requirement.specifier.contains(version), f"{text} does not allow {version}"


# --- what does not belong here


def test_texts_name_nothing_foreign() -> None:
    found = []
    for path in texts():
        if path == Path(__file__).resolve():
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for what, pattern in FOREIGN.items():
                if pattern.search(line):
                    found.append(f"{path.relative_to(ROOT)}:{number}: {what}: {line.strip()}")
    assert not found, "\n".join(found)
