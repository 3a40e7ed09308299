"""Runs the tests of several copies of the project, one after another in one process.

    python run_mutated.py FOLDER ...

Each folder holds a copy of the package and its tests and a file `nodes.txt` with the tests to run;
`report.xml` is written there. One process for many copies: numpy and numba load once.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest


def forget(*packages: str) -> None:
    """Let these packages be imported anew, from where `sys.path` now points."""
    for name in list(sys.modules):
        if name.split(".")[0] in packages:
            del sys.modules[name]


def run(folder: Path) -> None:
    """Run the tests of one copy."""
    forget("nijar_env", "tests")
    sys.path.insert(0, str(folder))
    nodes = (folder / "nodes.txt").read_text(encoding="utf-8").split()
    arguments = ["-q", "-p", "no:cacheprovider", "--tb=line", "--import-mode=importlib"]
    arguments += [f"--rootdir={folder}", "-c", str(folder / "pytest.ini")]
    arguments += [f"--junitxml={folder / 'report.xml'}"]
    try:
        pytest.main([*arguments, *(str(folder / node) for node in nodes)])
    finally:
        sys.path.remove(str(folder))


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    for name in sys.argv[1:]:
        run(Path(name))
