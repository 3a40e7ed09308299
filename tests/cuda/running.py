"""Running Python with and without the simulator, and when these tests may be skipped."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final, NoReturn

import pytest

ROOT: Final = Path(__file__).resolve().parents[2]
# Set by .ci/cuda, where nothing but a missing GPU is an excuse.
REQUIRED: Final = "NIJAR_CUDA_TESTS"


def skip(reason: str) -> NoReturn:
    """Skip the test, or fail it where it must run."""
    if os.environ.get(REQUIRED):
        pytest.fail(f"must run here, and cannot: {reason}", pytrace=False)
    pytest.skip(reason)


def python(*arguments: str, simulator: bool, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a process of its own: what CUDA is, is settled at import."""
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": str(int(simulator)), **variables}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=3600,
    )


def simulated(*arguments: str) -> str:
    """What Python prints in the simulator, which must go well."""
    done = python(*arguments, simulator=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def check_all_kinds(told: str, who: str) -> None:
    """What `nijar_env.cuda.compare` tells: six kinds of game, ends of games among them."""
    lines = told.splitlines()
    assert len(lines) == 6
    for line in lines:
        assert line.endswith(f"{who} plays the same bytes"), line
        ends = re.search(r"(\d+) ends", line)
        assert ends is not None and int(ends.group(1)) > 0, line
