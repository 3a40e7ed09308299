"""With a GPU: it plays the CPU's games."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from . import running

PAGE = Path(__file__).resolve().parents[2] / "docs" / "cuda.md"


def _needs(asked: str, missing: str) -> None:
    if running.python("-c", asked, simulator=False).stdout.strip() != "True":
        pytest.skip(missing)


def test_games_are_the_same_bytes() -> None:
    _needs("from numba import cuda; print(cuda.is_available())", "there is no CUDA GPU")
    done = running.python("-m", "nijar_env.cuda.compare", simulator=False)
    assert done.returncode == 0, done.stdout + done.stderr
    running.check_all_kinds(done.stdout, "the GPU")


def test_the_sample_of_the_page_runs() -> None:
    asked = (
        "from numba import cuda; import torch; "
        "print(cuda.is_available() and torch.cuda.is_available())"
    )
    _needs(asked, "there is no CUDA GPU, or no PyTorch that uses it")
    (sample,) = re.findall(r"^```python\n(.*?)\n```$", PAGE.read_text("utf-8"), re.M | re.S)
    done = running.python("-c", sample, simulator=False)
    assert done.returncode == 0, done.stderr
