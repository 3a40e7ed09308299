"""Runs that cannot begin, or cannot go on: one line, and nothing in the way of the next try."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

for needed in ("torch", "stable_baselines3", "sb3_contrib", "safetensors", "pydantic", "yaml"):
    pytest.importorskip(needed, reason="the extra `train` is not installed")

import yaml  # noqa: E402

from agents.weights_shelf import SHIPPED  # noqa: E402
from train import ppo, selfplay  # noqa: E402
from train.run import Run  # noqa: E402

CHOICES = {"kind": "choices", "hidden": [8], "value_hidden": [4]}
SELFPLAY: dict[str, Any] = {
    "name": "tiny",
    "players": 2,
    "games": 8,
    "total_steps": 256,
    "checkpoint_minutes": 0,
    "network": CHOICES,
    "ppo": {"steps": 16, "minibatch": 32},
    "opponents": {"itself": 1.0, "past": 0.0},
    "evaluation": {"deals": 1, "opponents": ["random"]},
}
PPO: dict[str, Any] = {
    "name": "tiny",
    "games": 8,
    "total_steps": 256,
    "checkpoint_minutes": 0,
    "network": CHOICES,
    "ppo": {"steps": 16, "minibatch": 64},
    "evaluation": {"every_steps": 256, "games": 2},
    "benchmark": None,
}
OF_SOLO, OF_TABLES = (f"ppo:{SHIPPED}/{name}.safetensors" for name in ("solo", "2p"))


def run(program: Any, config: dict[str, Any], folder: Path, **changes: Any) -> int:
    """Run a program's command with some keys of its configuration changed."""
    path = folder / "tiny.yaml"
    path.write_text(yaml.safe_dump({**config, **changes}), encoding="utf-8")
    return int(program.main(["--config", str(path), "--out", str(folder / "run")]))


@pytest.mark.parametrize(
    ("program", "config", "changes", "message"),
    [
        (selfplay, SELFPLAY, {"start_from": "/nowhere"}, "/nowhere cannot be read"),
        (selfplay, SELFPLAY, {"network": {"kind": "tree"}}, "no network is of kind 'tree'"),
        (selfplay, SELFPLAY, {"games": 10**12}, "too little memory"),
        (
            selfplay,
            SELFPLAY,
            {"opponents": {"itself": 0.5, "past": 0.0, "scripted": {OF_SOLO: 0.5}}},
            "no weights for games of 2 players",
        ),
        (
            selfplay,
            SELFPLAY,
            {"evaluation": {"opponents": [OF_SOLO]}},
            "no weights for games of 2 players",
        ),
        (ppo, PPO, {"warm_start": {"teacher": OF_TABLES}}, "no weights for solo games"),
        (ppo, PPO, {"benchmark": {"beside": [OF_TABLES]}}, "no weights for solo games"),
        (ppo, PPO, {"benchmark": {"beside": ["greedy", "greedy"]}}, "must name each agent once"),
        (ppo, PPO, {"ppo": {"steps": 16, "minibatch": 1}}, "ppo.minibatch must be greater than"),
        (ppo, PPO, {"threads": 257}, "threads must be less than or equal to 256"),
    ],
)
def test_what_cannot_begin_leaves_nothing(
    program: Any,
    config: dict[str, Any],
    changes: dict[str, Any],
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as caught:
        run(program, config, tmp_path, **changes)
    assert caught.value.code == 2
    said = capsys.readouterr().err
    assert message in said and said.count("\n") == 1
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(("program", "config"), [(selfplay, SELFPLAY), (ppo, PPO)])
def test_a_run_that_diverges_ends_before_it_keeps_anything(
    program: Any, config: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    learning = {**config["ppo"], "learning_rate": 1e30}
    assert run(program, config, tmp_path, ppo=learning) == 1
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.endswith("lower the learning rate, and give another --out")
    assert "learning has diverged" in last
    assert not (tmp_path / "run" / "checkpoint.safetensors").exists()


def test_a_full_disk_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    log = Run.log

    def full(self: Run, step: int, values: Any) -> None:
        if step:
            raise OSError(28, "No space left on device")
        log(self, step, values)

    monkeypatch.setattr(Run, "log", full)
    assert run(selfplay, SELFPLAY, tmp_path) == 1
    last = capsys.readouterr().err.splitlines()[-1]
    assert "No space left on device; the same command goes on with" in last
    monkeypatch.undo()
    assert run(selfplay, SELFPLAY, tmp_path) == 0


def test_a_checkpoint_that_lacks_something_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    state = selfplay.SelfPlay.state
    part = {"update": 1, "best": [0.0, 0]}
    monkeypatch.setattr(selfplay.SelfPlay, "state", lambda self: part)
    monkeypatch.setattr(Run, "finish", lambda self, summary: None)
    assert run(selfplay, SELFPLAY, tmp_path) == 0
    monkeypatch.setattr(selfplay.SelfPlay, "state", state)
    with pytest.raises(SystemExit):
        run(selfplay, SELFPLAY, tmp_path)
    assert "is of another version, without 'network'" in capsys.readouterr().err
    assert (tmp_path / "run" / "checkpoint.safetensors").exists()
