"""`python -m eval.peers.costs`: what it measures, its tables and its page. No times are tested."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from eval.peers import costs, page
from eval.peers.cost_tables import sheets
from nijar_env import GameBatch
from nijar_env.core.record import GAME_DTYPE

DATA: dict[str, Any] = {
    "command": "python -m eval.peers.costs",
    "machine": {
        "processor": "P",
        "cores": 2,
        "system": "S",
        "python": "3",
        "numpy": "2",
        "numba": "0",
    },
    "rounds": 5,
    "seconds": 0.25,
    "profile": {"64": {"a": 100.0, "b": 300.0}, "1024": {"a": 500.0, "b": 500.0}},
    "growth": [{"batch": 64, "threads": 1, "rules": 1e6, "masks": 5e5, "observations": 2.5e5}],
    "start_seconds": {"cold": 30.0, "warm": 0.7},
    "memory": {"record": 10, "copied for search": 5, "buffers": 7, "observation": 40},
}


def test_the_tables() -> None:
    profile, growth, start, memory = sheets(DATA)
    assert profile.rows == [
        ["a", "100", "25 %", "500", "50 %"],
        ["b", "300", "75 %", "500", "50 %"],
    ]
    assert growth.rows == [["64", "1", "1,000", "1,000", "500", "2,000", "250", "4,000"]]
    assert [row[1] for row in start.rows] == ["30.0", "0.70"]
    assert [row[1] for row in memory.rows] == ["10", "5", "7", "40", "–"]


def test_what_was_not_measured_has_no_table() -> None:
    assert sheets({"profile": {}, "growth": DATA["growth"]})[0].title == "Batch and threads"
    assert sheets({}) == []


def test_offering_again_changes_nothing() -> None:
    from eval.peers.cost_kernels import offer_games

    batch = GameBatch(32, 2, seed=3)
    rng = np.random.default_rng(1)
    for _ in range(60):
        batch.step((rng.random(batch.action_masks.shape) * batch.action_masks).argmax(axis=1))
    before = batch.games.copy()
    assert offer_games(batch.box.record, batch.games) > 0
    assert batch.games.tobytes() == before.tobytes()


def test_the_profile_names_every_part() -> None:
    found = costs.profile(64, 0.0)
    assert {"legal actions", "observation", "the choice and what follows"} <= found.keys()
    assert all(value >= 0 for value in found.values()) and found["observation"] > 0


def test_memory_is_what_the_arrays_have(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs, "_MEMORY_BATCH", 4)
    found = costs.memory()
    batch = GameBatch(1, 2, seed=1)
    assert found["record"] == GAME_DTYPE.itemsize
    assert found["observation"] == 4 * batch.observation_size
    assert found["buffers"] > batch.action_masks.nbytes
    assert found["copied for search"] < found["record"]


def test_the_command_writes_the_page_of_a_file(tmp_path: Path) -> None:
    saved, target = tmp_path / "speed.json", tmp_path / "page.md"
    page.save(saved, page.COSTS_PART, DATA)
    target.write_text("a\n<!-- costs: begin -->\n<!-- costs: end -->\nb\n", encoding="utf-8")
    assert costs.main(["--from", str(saved), "--page", str(target)]) == 0
    text = target.read_text(encoding="utf-8")
    assert "`python -m eval.peers.costs`" in text and "Memory" in text


def test_an_interrupted_command_keeps_what_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(costs, "profile", lambda *_: {"a": 1.0})
    monkeypatch.setattr(costs, "memory", interrupted)
    saved = tmp_path / "speed.json"
    assert costs.main(["--quick", "--save", str(saved)]) == 130
    assert page.load(saved)["costs"]["profile"] == {"64": {"a": 1.0}, "1024": {"a": 1.0}}


def test_bad_options_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        costs.main(["--page", str(tmp_path / "nothing.md")])
    assert stopped.value.code == 2
    error = capsys.readouterr().err
    assert "cannot be read" in error and error.count("\n") == 1
