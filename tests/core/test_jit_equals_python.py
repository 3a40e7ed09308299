"""The kernels give the same bytes compiled and as plain Python."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from .play_hashes import GAMES, all_hashes

ROOT = Path(__file__).resolve().parents[2]


def in_a_process(folder: Path, disable: str) -> dict[str, Any]:
    environment = {**os.environ, "NUMBA_DISABLE_JIT": disable}
    command = [sys.executable, "-m", "tests.core.play_hashes", str(folder)]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=1800
    )
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def test_compiled_and_plain_games_are_the_same_bytes(tmp_path: Path) -> None:
    from nijar_env.core.jit import JIT

    # The other way from this process, so that one of the two is compiled however tests are run.
    ours = all_hashes(tmp_path / "here")
    other = in_a_process(tmp_path / "there", "1" if JIT else "0")
    assert other["jit"] is not JIT
    theirs = other["hashes"]
    assert list(ours) == list(theirs) and len(ours) == len(GAMES)
    for name, told in ours.items():
        for decision, (here, there) in enumerate(zip(told, theirs[name], strict=False)):
            assert here == there, f"{name}: different bytes at decision {decision}"
        assert len(told) == len(theirs[name]), name
        assert len(set(told)) == len(told) > 40, name


@pytest.mark.parametrize("name", ("NUMBA_DISABLE_JIT",))
def test_the_switch_is_read_at_import(name: str) -> None:
    code = "from nijar_env.core import jit, rng; print(jit.JIT, type(rng.philox).__name__)"
    environment = {**os.environ, name: "1"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert done.stdout.split() == ["False", "function"], done.stderr
