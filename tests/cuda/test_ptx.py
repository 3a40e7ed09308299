"""Everything that is launched compiles to PTX, and that to machine code; no GPU is needed."""

from __future__ import annotations

import json
from functools import cache
from importlib.util import find_spec
from typing import Any

import pytest

from . import running

NAMES = ("card_features", "deal", "check", "step", "pick", "play", "observe")
MOST_LOCAL_MEMORY = 1_024  # bytes a thread: the few small arrays of the core, and no more


@cache
def reports() -> dict[str, dict[str, Any]]:
    done = running.python("-m", "tests.cuda.ptx", simulator=False)
    assert done.returncode == 0, done.stderr
    told = [json.loads(line) for line in done.stdout.splitlines()]
    return {report["name"]: report for report in told}


@pytest.fixture(autouse=True)
def compilers() -> None:
    if find_spec("numba_cuda") is None:
        running.skip("numba-cuda is not installed: pip install 'nijar-env[cuda]'")
    if running.python(
        "-c", "import tests.cuda.ptx as p; assert p.find_ptxas()", simulator=False
    ).returncode:
        running.skip("NVIDIA's compilers are not installed: pip install 'nijar-env[cuda]'")


def test_all_launched_functions_are_reported() -> None:
    assert set(reports()) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_function_compiles(name: str) -> None:
    report = reports()[name]
    print(json.dumps(report))
    assert report["entries"] == 1
    assert report["undefined"] == []
    assert 0 < report["registers"] <= 255
    assert report["stack_bytes"] <= MOST_LOCAL_MEMORY
    assert report["spilled_bytes"] == 0
