"""With a GPU: it plays the CPU's games."""

from __future__ import annotations

import pytest

from . import running


def test_games_are_the_same_bytes() -> None:
    asked = "from numba import cuda; print(cuda.is_available())"
    if running.python("-c", asked, simulator=False).stdout.strip() != "True":
        pytest.skip("there is no CUDA GPU")
    done = running.python("-m", "nijar_env.cuda.compare", simulator=False)
    assert done.returncode == 0, done.stdout + done.stderr
    running.check_all_kinds(done.stdout, "the GPU")
