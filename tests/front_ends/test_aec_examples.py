"""The examples of the PettingZoo environment run as they stand."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize(
    ("call", "lines"),
    [
        ("aec_loop.py --games 2", 2),
        ("aec_loop.py --players 1 --games 1", 1),
        ("aec_loop.py --players 4 --games 1", 1),
        ("determinize_for_search.py --samples 1", 1),
        ("custom_box.py", 2),
    ],
)
def test_example_runs(
    call: str,
    lines: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    name, *arguments = call.split()
    monkeypatch.setattr(sys, "argv", [name, *arguments])
    runpy.run_path(str(FOLDER / name), run_name="__main__")
    assert len(capsys.readouterr().out.strip().split("\n")) == lines
