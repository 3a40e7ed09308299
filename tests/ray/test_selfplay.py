"""Rollouts on a Ray cluster: the same run, bit for bit, whatever happens to the workers."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from .needed import need

need("ray")
torch = need("torch")
need("pydantic")
need("safetensors")

from agents.weights_file import read_weights  # noqa: E402
from eval.ray_cluster import ClusterError  # noqa: E402
from train import ray_rollouts  # noqa: E402
from train.ray_rollouts import RayRollouts  # noqa: E402
from train.selfplay import SelfPlay, main  # noqa: E402
from train.state import read_state  # noqa: E402

from ..train.selfplay_runs import (  # noqa: E402
    CHOICES,
    SOLO,
    rows_without_times,
    same,
    single_thread,
    trainings,
    write_config,
)
from .agents import armed  # noqa: E402
from .ending import ended_by_ctrl_c  # noqa: E402

pytestmark = pytest.mark.usefixtures("cluster")
ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    with single_thread():
        yield


@pytest.fixture
def begin(tmp_path: Path, cluster: None) -> Iterator[Callable[..., SelfPlay]]:
    with trainings(tmp_path, shards=3) as make:
        yield make


def equal(one: Path, other: Path) -> None:
    """Two finished runs came to the same: weights, games, draws, opponents, all that was logged."""
    states = [read_state(folder / "checkpoint.safetensors") for folder in (one, other)]
    same(states[0]["state"], states[1]["state"])
    same(states[0]["random"], states[1]["random"])
    assert rows_without_times(one) == rows_without_times(other)
    for name in ("best.safetensors", "last.safetensors"):
        prints = [read_weights(folder / name).fingerprint for folder in (one, other)]
        assert prints[0] == prints[1]


@pytest.mark.parametrize(
    ("workers", "changes"),
    [(1, {}), (3, {}), (2, {**SOLO, "shards": 2}), (2, {"players": 3, "network": CHOICES})],
    ids=["one-worker", "three-workers", "solo", "three-players"],
)
def test_a_cluster_does_not_change_the_run(
    workers: int,
    changes: dict[str, Any],
    begin: Callable[..., SelfPlay],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Past selves and scripted opponents included, and several rollouts to a game."""
    begin("alone", ray=False, **changes).train()
    monkeypatch.setattr(ray_rollouts, "cores", lambda: workers)
    begin("shared", ray=True, **changes).train()
    equal(tmp_path / "alone", tmp_path / "shared")


def test_a_lost_worker_changes_nothing(
    begin: Callable[..., SelfPlay], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Killed in the middle of a rollout, twice: a third time with the same games ends a run."""
    files = tmp_path / "files"
    spec = armed(files, 2)
    beside = {"itself": 0.4, "past": 0.3, "scripted": {spec: 0.3}}
    changes = {"opponents": {**beside, "snapshot_every": 2, "snapshots": 2}}
    shared = begin("shared", ray=True, **changes)
    shared.train()
    assert not list(files.iterdir())
    assert capfd.readouterr().err.count("a Ray worker was lost (") == 2
    begin("alone", ray=False, **changes).train()  # the agent kills nobody any more
    equal(tmp_path / "alone", tmp_path / "shared")


def test_a_rollout_that_always_kills_ends_the_run(
    begin: Callable[..., SelfPlay], tmp_path: Path
) -> None:
    spec = armed(tmp_path / "files", 99, after=20)
    beside = {"itself": 0.0, "past": 0.0, "scripted": {spec: 1.0}}
    with pytest.raises(ClusterError, match="was lost 3 times with the same games") as failed:
        begin("run", ray=True, opponents=beside).train()
    assert "\n" not in str(failed.value)


def test_a_run_goes_from_a_cluster_to_none_and_back(
    begin: Callable[..., SelfPlay], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped while some shards of a rollout are there and others are not."""
    begin("whole", ray=False).train()

    def stop_at(training: SelfPlay, update: int) -> None:
        real, answers = RayRollouts._next, 0

        def interrupted(self: RayRollouts, *args: Any, **options: Any) -> Any:
            nonlocal answers
            answers += training.update == update
            if answers > 2:
                raise KeyboardInterrupt
            return real(self, *args, **options)

        with monkeypatch.context() as patch:
            patch.setattr(RayRollouts, "_next", interrupted)
            with pytest.raises(KeyboardInterrupt):
                training.train()
        training._run.close()

    stop_at(begin("run", ray=True), 3)
    local = begin("run", ray=False)
    assert local.update == 3
    monkeypatch.setattr(local._run, "finish", lambda summary: None)
    real = SelfPlay._iterate

    def until_four(self: SelfPlay, meter: Any) -> None:
        if self.update == 4:
            raise KeyboardInterrupt
        real(self, meter)

    with monkeypatch.context() as patch:
        patch.setattr(SelfPlay, "_iterate", until_four)
        with pytest.raises(KeyboardInterrupt):
            local.train()
    local._run.close()
    begin("run", ray=True).train()
    equal(tmp_path / "whole", tmp_path / "run")


def test_a_worker_with_another_version_is_refused(
    begin: Callable[..., SelfPlay], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nijar_env.__version__", "9.9")
    with pytest.raises(ClusterError, match=r"nijar-env is '0.*' there, '9.9' here; install"):
        begin("run", ray=True).train()


# --- the command --------------------------------------------------------------------------------


def test_one_shard_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = write_config(tmp_path / "tiny.yaml")
    with pytest.raises(SystemExit) as ended:
        main(["--config", str(config), "--out", str(tmp_path / "run"), "--ray"])
    assert ended.value.code == 2
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert "argument --ray: the games are one shard" in line and "set shards=2" in line
    assert not (tmp_path / "run").exists()


def test_an_interrupted_command_is_gone_on_with(tmp_path: Path) -> None:
    """By Ctrl-C, with a cluster of its own; then without one."""
    import json

    import ray

    config = write_config(tmp_path / "tiny.yaml", shards=2)
    run, whole = tmp_path / "run", tmp_path / "whole"
    command = [sys.executable, "-m", "train.selfplay", "--config", str(config), "--out", str(run)]
    process = subprocess.Popen(
        [*command, "--ray"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )
    log = run / "progress.csv"
    out = ended_by_ctrl_c(process, log, 4)
    if process.returncode != 0:  # it may just have come to its end
        assert process.returncode == 130, out
        assert f"interrupted; the same command goes on with {run}" in out
        assert main(["--config", str(config), "--out", str(run)]) == 0
    assert main(["--config", str(config), "--out", str(whole)]) == 0
    equal(whole, run)
    provenance = json.loads((run / "provenance.json").read_text(encoding="utf-8"))
    assert provenance["machine"]["ray"] == ray.__version__
