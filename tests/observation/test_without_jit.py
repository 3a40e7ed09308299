"""Observations and determinized games are the same bytes with and without compilation."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from nijar_env.core.jit import JIT
from tests.observation.states import KINDS, random_states

ROOT = Path(__file__).resolve().parents[2]
GAMES = 2
PROGRAM = """
from tests.observation.test_without_jit import digests
print("\\n".join(digests()))
"""


def digests() -> list[str]:
    """One hash a kind of game over what is seen on the way, and over determinized records."""
    lines = []
    for players, difficulty in KINDS:
        digest = hashlib.sha256()
        for seed in range(GAMES):
            for number, game in enumerate(random_states(players, difficulty, 30 + seed)):
                player = number % players
                digest.update(game.observation(player).tobytes())
                if number % 9 == 0:
                    digest.update(game.determinize(player, number).record.tobytes())
        lines.append(digest.hexdigest())
    return lines


@pytest.mark.skipif(not JIT, reason="runs without JIT already")
def test_same_bytes() -> None:
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    program = [sys.executable, "-c", PROGRAM]
    result = subprocess.run(
        program, env=environment, cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert result.stdout.split() == digests()
