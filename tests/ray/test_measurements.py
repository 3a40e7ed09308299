"""Games of a measurement on a Ray cluster: the same records, whatever happens to its workers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from eval import provenance, tournament
from eval.ray_cluster import ClusterError, Facts
from eval.records import GameRecord
from eval.store import Store, read_header
from eval.table import AgentFault, Cast
from eval.workers import WorkersError, run
from nijar_env import load_box

from ..eval import playing
from ..eval.playing import solo, tables
from ..eval.stubs import make
from ..eval.test_table import untimed
from .agents import armed, known_in
from .ending import ended_by_ctrl_c
from .needed import need

need("ray")
pytestmark = pytest.mark.usefixtures("cluster")

ROOT = Path(__file__).resolve().parents[2]
played = partial(playing.played, make)


def kept(folder: Path) -> list[GameRecord]:
    return Store(folder, read_header(folder / "games" / "header.json")).records()


# --- results ------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [1, 3])
def test_a_cluster_does_not_change_the_results(workers: int) -> None:
    games = [*tables(6, "random", "mixed"), *tables(6, "mixed", "random"), *solo(9, "random")]
    alone, _ = played(games)
    shared, lost = played(games, workers=workers, batch_size=2, ray=True)
    assert lost == []
    assert [record.key() for record in shared] == sorted(game.key() for game in games)
    assert untimed(shared) == untimed(alone)


def test_the_command_plays_on_a_cluster(tmp_path: Path) -> None:
    """What is there already, of a run without one, is gone on with."""
    arguments = ["--agents", "random", "light", "--games"]
    assert tournament.main([*arguments, "8", "--out", str(tmp_path / "alone")]) == 0
    assert tournament.main([*arguments, "3", "--out", str(tmp_path / "shared")]) == 0
    there = kept(tmp_path / "shared")
    shared = [*arguments, "8", "--out", str(tmp_path / "shared"), "--ray", "--workers", "2"]
    assert tournament.main(shared) == 0
    assert untimed(kept(tmp_path / "shared")) == untimed(kept(tmp_path / "alone"))
    assert all(record in kept(tmp_path / "shared") for record in there)
    import ray

    data = json.loads((tmp_path / "shared" / "tournament.json").read_text(encoding="utf-8"))
    assert data["machine"]["ray"] == ray.__version__
    page = (tmp_path / "shared" / "tournament.md").read_text(encoding="utf-8")
    assert f", Ray {ray.__version__}" in page
    alone = json.loads((tmp_path / "alone" / "tournament.json").read_text(encoding="utf-8"))
    assert "ray" not in alone["machine"] or provenance._besides  # of an earlier test


def test_replays_come_back(tmp_path: Path) -> None:
    games = [*tables(3, "random", "light"), *solo(2, "random")]
    folders = [tmp_path / "alone", tmp_path / "shared"]
    for folder, ray in zip(folders, (False, True), strict=True):
        folder.mkdir()
        played(games, workers=2 if ray else 1, replays=folder, ray=ray)
    alone, shared = ({path.name: path.read_bytes() for path in one.iterdir()} for one in folders)
    assert len(alone) == 5
    assert alone == shared


# --- what goes wrong ----------------------------------------------------------------------------


def test_a_lost_worker_changes_nothing(tmp_path: Path) -> None:
    """It is killed with two games finished or in play; others play what it had not told."""
    deadly = armed(tmp_path / "files", 1)
    games = [*tables(7, deadly, "mixed"), *solo(3, "random")]
    told: list[str] = []
    records, lost = played(games, workers=2, batch_size=1, tell=told.append, ray=True)
    assert not list((tmp_path / "files").iterdir())
    assert lost == []
    assert len(told) == 1
    assert "a worker process died (lost by Ray: " in told[0]
    assert [record.key() for record in records] == sorted(game.key() for game in games)
    alone, _ = played(games)
    assert untimed(records) == untimed(alone)


def test_a_game_that_kills_twice_is_left_out(tmp_path: Path) -> None:
    deadly = armed(tmp_path / "files", 2)
    games = [*tables(1, deadly, "mixed"), *solo(4, "random"), *tables(2, "random", "mixed")]
    told: list[str] = []
    records, lost = played(games, workers=2, tell=told.append, ray=True)
    assert lost == games[:1]
    assert len(told) == 2
    assert "that game is left out" in told[1]
    assert [record.key() for record in records] == sorted(game.key() for game in games[1:])


def test_an_agent_that_fails_is_named() -> None:
    with pytest.raises(AgentFault, match=r"'broken' failed at stubs.py:\d+ in deal \d: Zero"):
        played(tables(2, "broken", "mixed"), workers=2, ray=True)


def test_an_interruption_ends_the_workers(all_free: Callable[[], bool]) -> None:
    records: list[GameRecord] = []
    games = [*tables(50, "slow", "mixed"), *solo(5, "mixed")]

    def stop(record: GameRecord) -> None:
        records.append(record)
        if len(records) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(games, Cast(make), 7, load_box(), finished=stop, workers=2, make=make, ray=True)
    assert 3 <= len(records) < len(games)
    assert all_free()


def test_a_worker_with_another_version_is_refused(
    monkeypatch: pytest.MonkeyPatch, all_free: Callable[[], bool]
) -> None:
    from eval import ray_workers

    own = ray_workers.facts

    def other(*given: object) -> Facts:
        here = own(*given)  # type: ignore[arg-type]
        return Facts("9.9", here.code, here.box, here.agents)

    monkeypatch.setattr(ray_workers, "facts", other)
    with pytest.raises(ClusterError, match=r"nijar-env is '0.*' there, '9.9' here; install") as no:
        played(tables(2, "mixed", "mixed"), workers=2, ray=True)
    assert "\n" not in str(no.value)
    assert all_free()


def test_an_agent_that_a_worker_does_not_have_is_told(all_free: Callable[[], bool]) -> None:
    known = partial(known_in, os.getpid())
    with pytest.raises(WorkersError, match=r"does not start .*no file of mine.*leave out --ray"):
        run(
            tables(2, "mine", "mixed"),
            Cast(known),
            0,
            load_box(),
            finished=lambda record: None,
            make=known,
            ray=True,
        )
    assert all_free()


# --- the command, as a process ------------------------------------------------------------------


def test_an_interrupted_command_is_gone_on_with(tmp_path: Path) -> None:
    """With a cluster of its own, which ends with it."""
    arguments = ["--agents", "random", "light", "--seed", "3"]
    command = [sys.executable, "-m", "eval.tournament", *arguments, "--games", "20000"]
    process = subprocess.Popen(
        [*command, "--out", str(tmp_path / "shared"), "--ray", "--workers", "2", "--batch", "4"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )
    games = tmp_path / "shared" / "games" / "0001.jsonl"
    out = ended_by_ctrl_c(process, games, 6)
    assert process.returncode == 130, out
    assert "interrupted: these are the games that were finished" in out
    begun = kept(tmp_path / "shared")
    assert len(begun) > 5
    arguments += ["--games", str(max(record.deal for record in begun) + 50)]
    assert tournament.main([*arguments, "--out", str(tmp_path / "shared")]) == 0
    assert tournament.main([*arguments, "--out", str(tmp_path / "alone")]) == 0
    assert untimed(kept(tmp_path / "shared")) == untimed(kept(tmp_path / "alone"))
