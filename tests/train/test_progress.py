"""Where the time goes, and what is said of it."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from train import progress
from train.progress import Clock, Meter, minutes


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """The time, as a list that a test may change."""
    at = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: at[0])
    monkeypatch.setattr(time, "perf_counter", lambda: at[0])
    assert progress.time is time
    yield at


def test_what_is_timed_inside_counts_there_alone(now: list[float]) -> None:
    clock = Clock()
    with clock("outer"):
        now[0] += 1
        with clock("inner"):
            now[0] += 2
        now[0] += 1
    assert clock.seconds == {"outer": 2.0, "inner": 2.0}


def test_a_wait_is_divided_as_others_spent_it(now: list[float]) -> None:
    clock = Clock()
    with clock("outer"):
        now[0] += 4
        clock.divide(3.0, {"play": 10.0, "choose": 5.0})
        clock.divide(1.0, {})
        now[0] += 1
    assert clock.seconds == {"outer": 2.0, "play": 2.0, "choose": 1.0}


@pytest.mark.parametrize(
    ("limit", "left"), [(None, "about 3 min left"), (100.0, "about 60 s left")]
)
def test_a_line_now_and_then_without_a_terminal(
    now: list[float], limit: float | None, left: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with Meter(1000, limit_s=limit) as meter:
        now[0] += 20
        meter.show(100, {"steps/s": "5"})  # the pace is not known yet
        now[0] += 10
        meter.show(150, {})  # too early for another line
        now[0] += 10
        meter.show(200, {"steps/s": "5"})
        meter.tell("measured")
    first, second, third = capsys.readouterr().err.splitlines()
    assert first == "100 of 1,000 steps; steps/s 5"
    assert second.startswith("200 of 1,000 steps; " + left) and second.endswith("; steps/s 5")
    assert third == "measured"


def test_times_in_words() -> None:
    assert [minutes(s) for s in (-1, 89, 90, 600, 7200)] == [
        "0 s",
        "89 s",
        "2 min",
        "10 min",
        "2.0 h",
    ]
