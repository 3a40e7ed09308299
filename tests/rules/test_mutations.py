"""The tests of the rules can fail: each listed mutation of the kernels breaks the tests it names.

Every mutation is a copy of the package with a ruling turned round, in which only the named tests
are run, as plain Python in two processes of their own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from xml.etree import ElementTree

import pytest

from . import index
from .mutations import MUTATIONS, Mutation

PROCESSES = 2
Outcomes = dict[str, list[str]]  # module::test -> failure messages, one a case, "" = passed


def copy_of_the_package(folder: Path) -> None:
    """What the tests of the rules need, in a folder of its own."""
    skip = shutil.ignore_patterns("__pycache__", "*.nbi", "*.nbc")
    shutil.copytree(index.ROOT / "nijar_env", folder / "nijar_env", ignore=skip)
    (folder / "tests").mkdir()
    for name in ("__init__.py", "philox.py"):
        shutil.copy(index.ROOT / "tests" / name, folder / "tests" / name)
    shutil.copytree(index.FOLDER, folder / "tests" / "rules", ignore=skip)


def prepare(folder: Path, mutation: Mutation | None) -> None:
    """A copy to run: the named tests of a mutation, or all of them on the package as it is."""
    copy_of_the_package(folder)
    if mutation is not None:
        mutate(folder, mutation)
    tests = mutation.tests if mutation else {test for each in MUTATIONS for test in each.tests}
    nodes = [f"tests/rules/{test.replace('::', '.py::')}" for test in sorted(tests)]
    (folder / "nodes.txt").write_text("\n".join(nodes), encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")


def run(folders: list[Path]) -> str:
    """Run the tests of these copies in one process; what it printed."""
    command = [sys.executable, str(index.FOLDER / "run_mutated.py"), *map(str, folders)]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    for name in ("PYTEST_ADDOPTS", "PYTHONPATH", "COVERAGE_PROCESS_START"):
        environment.pop(name, None)
    done = subprocess.run(
        command, cwd=folders[0], env=environment, capture_output=True, text=True, timeout=300
    )
    return done.stdout + done.stderr


def outcomes_of(folder: Path, printed: str) -> Outcomes:
    """What the tests of a copy came to."""
    report = folder / "report.xml"
    assert report.is_file(), printed
    outcomes: Outcomes = {}
    for case in ElementTree.parse(report).iter("testcase"):
        assert case.find("error") is None, printed
        module = str(case.get("classname")).rsplit(".", 1)[-1]
        name = f"{module}::{str(case.get('name')).partition('[')[0]}"
        failure = case.find("failure")
        message = "" if failure is None else str(failure.get("message"))
        outcomes.setdefault(name, []).append(message)
    return outcomes


def mutate(folder: Path, mutation: Mutation) -> None:
    path = folder / "nijar_env" / "core" / f"{mutation.module}.py"
    text = path.read_text(encoding="utf-8")
    for old, new in mutation.edits:
        assert text.count(old) == 1, (
            f"{mutation.ruling}: the text to replace stands {text.count(old)} times in "
            f"{mutation.module}.py, not once; update tests/rules/mutations.py:\n{old}"
        )
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcomes | Exception]:
    """The outcomes of all mutations, by ruling; "" is the package as it is."""
    found: dict[str, Outcomes | Exception] = {}
    folders: dict[str, Path] = {}
    for mutation in (None, *MUTATIONS):
        name = mutation.ruling if mutation else ""
        folders[name] = tmp_path_factory.mktemp(name or "unchanged")
        try:
            prepare(folders[name], mutation)
        except AssertionError as error:
            found[name] = error
    ready = [folders[name] for name in folders if name not in found]
    with ThreadPoolExecutor(PROCESSES) as pool:
        printed = "\n".join(pool.map(run, [ready[k::PROCESSES] for k in range(PROCESSES)]))
    for name, folder in folders.items():
        try:
            found.setdefault(name, outcomes_of(folder, printed))
        except AssertionError as error:
            found.setdefault(name, error)
        shutil.rmtree(folder, ignore_errors=True)
    return found


def test_the_list_names_rulings_and_tests_that_exist() -> None:
    labels = {f"{proof.module}::{proof.name}": proof for proof in index.proofs()}
    assert len({each.ruling for each in MUTATIONS}) == len(MUTATIONS) >= 20
    for each in MUTATIONS:
        assert each.ruling in index.RULINGS
        assert each.tests and set(each.tests) <= set(labels)
        assert any(each.ruling in labels[test].rulings for test in each.tests), each.ruling


def test_the_copy_itself_passes(results: dict[str, Outcomes | Exception]) -> None:
    outcomes = results[""]
    assert not isinstance(outcomes, Exception), outcomes
    assert set(outcomes) == {test for each in MUTATIONS for test in each.tests}
    assert all(message == "" for messages in outcomes.values() for message in messages)


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.ruling)
def test_a_ruling_turned_round_is_noticed(
    mutation: Mutation, results: dict[str, Outcomes | Exception]
) -> None:
    outcomes = results[mutation.ruling]
    if isinstance(outcomes, Exception):
        raise outcomes
    for test in mutation.tests:
        failed = [message for message in outcomes[test] if message]
        assert failed, f"{test} passes although {mutation.reading}"
        # Noticed by an assertion, not by a crash on the way.
        assert all(message.startswith(("AssertionError", "assert ")) for message in failed), failed
