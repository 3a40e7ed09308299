"""What numba-cuda makes for a GPU plays the CPU's games, compiled for the CPU."""

from __future__ import annotations

from importlib.util import find_spec

from . import running


def test_games_are_the_same_bytes() -> None:
    if find_spec("numba_cuda") is None:
        running.skip("numba-cuda is not installed: pip install 'nijar-env[cuda]'")
    done = running.python("-m", "tests.cuda.on_host", simulator=False)
    assert done.returncode == 0, done.stdout + done.stderr
    running.check_all_kinds(done.stdout, "the code for a GPU, on this CPU,")
