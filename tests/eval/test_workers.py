"""Handing out games: chunks, worker processes, and what happens when one of them dies."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from eval import tournament, workers
from eval.records import GameRecord
from eval.table import AgentFault, Assignment, Cast
from eval.workers import WorkersError, _Work, run
from nijar_env import load_box

from . import playing
from .playing import solo, tables
from .stubs import Slow, Unreadable, make
from .test_table import untimed

ROOT = Path(__file__).resolve().parents[2]
played = partial(playing.played, make)


def test_workers_do_not_change_the_results() -> None:
    games = [*tables(6, "random", "mixed"), *tables(6, "mixed", "random"), *solo(9, "random")]
    alone, _ = played(games)
    shared, lost = played(games, workers=3, batch_size=2)
    assert lost == []
    assert [record.key() for record in shared] == sorted(game.key() for game in games)
    assert untimed(shared) == untimed(alone)


def test_a_worker_that_dies_is_told_and_its_games_are_played_again(tmp_path: Path) -> None:
    flag = tmp_path / "died"
    games = [*tables(3, f"deadly:{flag}", "mixed"), *solo(3, "random")]
    told: list[str] = []
    records, lost = played(games, workers=2, tell=told.append)
    assert flag.exists()
    assert lost == []
    assert len(told) == 1
    assert "died (killed by signal 9)" in told[0]
    assert [record.key() for record in records] == sorted(game.key() for game in games)


def test_a_game_that_kills_twice_is_left_out(tmp_path: Path) -> None:
    games = [*tables(1, "deadly", "mixed"), *solo(4, "random"), *tables(2, "random", "mixed")]
    told: list[str] = []
    records, lost = played(games, workers=2, tell=told.append)
    assert lost == games[:1]
    assert len(told) == 2
    assert "deal 0 of deadly, mixed: that game is left out" in told[1]
    assert [record.key() for record in records] == sorted(game.key() for game in games[1:])


def test_an_agent_that_fails_in_a_worker_is_named() -> None:
    with pytest.raises(AgentFault, match=r"'broken' failed at stubs.py:\d+ in deal \d: Zero"):
        played(tables(2, "broken", "mixed"), workers=2)


def test_an_agent_of_another_file_in_a_worker_is_a_fault() -> None:
    with pytest.raises(AgentFault, match="the file of agent 'changing' has changed meanwhile"):
        played(tables(4, "changing", "mixed"), workers=2)


def test_an_interruption_ends_the_workers_and_tells_what_has_ended() -> None:
    records: list[GameRecord] = []
    games = [*tables(50, "slow", "mixed"), *solo(5, "mixed")]
    pool: list[int] = []
    start = workers._Processes._start

    def watched(self: workers._Processes) -> None:
        start(self)
        pool.append(self._workers[-1].process.pid)

    def stop(record: GameRecord) -> None:
        records.append(record)
        if len(records) == 3:
            raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workers._Processes, "_start", watched)
        with pytest.raises(KeyboardInterrupt):
            run(games, Cast(make), 7, load_box(), finished=stop, workers=2, make=make)
    assert 3 <= len(records) < len(games)
    assert len(pool) == 2
    for process in pool:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)


def test_workers_that_cannot_start() -> None:
    with pytest.raises(WorkersError, match=r"does not start .*--workers 1"):
        run(
            tables(2, "random", "random"),
            Cast(),
            0,
            load_box(),
            finished=lambda record: None,
            workers=2,
            make=Unreadable(),
        )


def test_nothing_to_play() -> None:
    assert played([], workers=4) == ([], [])


def test_threads_are_limited_in_workers_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    monkeypatch.delenv("MKL_NUM_THREADS", raising=False)
    with workers._single_threads():
        assert os.environ["OMP_NUM_THREADS"] == os.environ["MKL_NUM_THREADS"] == "1"
    assert os.environ["OMP_NUM_THREADS"] == "3"
    assert "MKL_NUM_THREADS" not in os.environ


# --- chunks ---------------------------------------------------------------------------------------


def chunks(work: _Work, seconds: float) -> list[int]:
    """Sizes of all chunks, if a game takes so long."""
    sizes = []
    while (found := work.next())[0]:
        sizes.append(len(found[0]))
        work.measured(found[0], seconds * len(found[0]))
    return sizes


def test_chunks_fit_the_time_a_game_takes() -> None:
    def cut(seconds: float, n: int = 3000, workers: int = 1) -> list[int]:
        return chunks(_Work.of(solo(n, "mixed"), Cast(make), workers, None), seconds)

    assert cut(0.0001) == [1, 1024, 1024, 951]
    assert cut(0.1, 200) == [1, 50, 50, 50, 49]
    assert cut(60, 3) == [1, 1, 1]
    shared = cut(0.0001, 401, workers=4)
    assert shared[:4] == [1, 100, 75, 57]
    assert shared == [1, *sorted(shared[1:], reverse=True)]
    assert sum(shared) == 401


def test_an_agent_may_say_how_many_games_it_wants() -> None:
    assert Slow.games_at_once == 1
    work = _Work.of(tables(3, "slow", "mixed"), Cast(make), 1, None)
    assert work.next()[1] == 1
    assert chunks(work, 0.0001) == [1, 1]
    assert _Work.of(tables(3, "mixed", "mixed"), Cast(make), 1, None).next()[1] == 128
    assert _Work.of(tables(3, "slow", "mixed"), Cast(make), 1, 16).next()[1] == 16


def test_line_ups_take_turns() -> None:
    games = [
        Assignment(deal, "", agents)
        for agents in (("mixed", "random"), ("random", "mixed"), ("random", "random"))
        for deal in range(600)
    ]
    work = _Work.of(games, Cast(make), 1, 10)
    seen: dict[tuple[str, ...], int] = {}
    for _ in range(14):
        chunk, _ = work.next()
        work.measured(chunk, 0.5)
        line = tuple(sorted(chunk[0].agents))
        assert all(tuple(sorted(game.agents)) == line for game in chunk)
        seen[line] = seen.get(line, 0) + len(chunk)
    assert len(seen) == 2
    done = [seen["mixed", "random"] / 1200, seen["random", "random"] / 600]
    assert abs(done[0] - done[1]) < 0.2


# --- a cluster ------------------------------------------------------------------------------------


def test_without_ray_a_line_says_how_to_get_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is played with it is in tests/ray."""
    monkeypatch.setitem(sys.modules, "ray", None)
    out = tmp_path / "out"
    with pytest.raises(SystemExit) as ended:
        tournament.main(["--agents", "random", "--out", str(out), "--ray"])
    assert ended.value.code == 2
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert "argument --ray: Ray is not installed: pip install 'nijar-env[ray]', or leave" in line
    assert not out.exists()


def test_measurements_load_no_ray_of_themselves() -> None:
    code = "import sys, eval.tournament, eval.results; print('ray' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.strip() == "False", done.stderr
