"""`python -m eval.tournament`: who plays whom, and results that survive being stopped."""

from __future__ import annotations

import json
import math
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

import nijar_env
from eval import command, tournament
from eval.plots import PlotError
from eval.records import GameRecord
from eval.store import Store
from eval.table import Assignment, Cast, play
from eval.tournament import games_of, lineups, seatings, size_line

from .stubs import make
from .test_table import untimed

ROOT = Path(__file__).resolve().parents[2]
AGENTS = ["mixed", "random", "mixed:3"]


@pytest.fixture(autouse=True)
def stubs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands that run in this process know the stubs, and say nothing of how far they are,
    however long compiling takes."""
    monkeypatch.setattr(command, "make_agent", make)
    monkeypatch.setattr(command.Meter, "LINE_S", math.inf)


def start(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "eval.tournament", *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Where the tests run in the background, a shell has had Ctrl-C ignored.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )


def kept(folder: Path) -> list[GameRecord]:
    """Every whole line of a folder, read as plainly as can be."""
    records = []
    for path in sorted((folder / "games").glob("*.jsonl")):
        for line in path.read_bytes().splitlines(keepends=True):
            if line.endswith(b"\n"):
                records.append(msgspec.json.decode(line, type=GameRecord))
    return records


# Seconds. A run that hangs fails, a slow one does not: it may compile all kernels beside others.
PATIENCE: Final = 1800
# What a run without a terminal says while it is at it.
ON_THE_WAY: Final = re.compile(
    r"nijar_env: compiling the game's kernels, .*\n|[\d,]+ of [\d,]+ games, about \d+ min left\n"
)


def wait_for_games(running: subprocess.Popen[str], folder: Path, number: int) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if sum(path.read_bytes().count(b"\n") for path in folder.rglob("*.jsonl")) >= number:
            return
        assert running.poll() is None, running.communicate()
        time.sleep(0.02)
    running.kill()
    raise AssertionError("no games are played")


# --- who plays whom -------------------------------------------------------------------------------


def test_lineups() -> None:
    assert lineups("abc", 2) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert lineups("abcd", 3) == [
        ("a", "b", "c"),
        ("a", "b", "d"),
        ("a", "c", "d"),
        ("b", "c", "d"),
    ]
    assert lineups("ab", 3) == [("a", "a", "b"), ("a", "b", "b")]
    assert lineups("ab", 4) == [
        ("a", "a", "a", "b"),
        ("a", "a", "b", "b"),
        ("a", "b", "b", "b"),
    ]
    assert len(lineups("abc", 4)) == math.comb(6, 4) - 3
    assert lineups("a", 4) == [("a",) * 4]


def test_every_seating_once() -> None:
    assert seatings("ab") == [("a", "b"), ("b", "a")]
    assert seatings("aab") == [("a", "a", "b"), ("a", "b", "a"), ("b", "a", "a")]
    assert len(seatings("abcd")) == 24
    assert len(seatings("aabb")) == 6
    assert seatings("aaa") == [("a", "a", "a")]


@pytest.mark.parametrize(("agents", "players"), [("abcd", 3), ("abc", 3), ("ab", 4), ("a", 2)])
def test_every_agent_sits_everywhere_as_often_on_every_deal(agents: str, players: int) -> None:
    games = games_of(agents, players, 2)
    assert len({game.key() for game in games}) == len(games)
    for deal in (0, 1):
        seats = Counter(
            (seat, agent)
            for game in games
            if game.deal == deal
            for seat, agent in enumerate(game.agents)
        )
        assert len(seats) == len(agents) * players
        assert len(set(seats.values())) == 1


def test_the_size_says_how_it_comes_about() -> None:
    assert size_line("abc", 2, 100) == "3 pairings × 100 deals × 2 seatings = 600 games"
    assert size_line("a", 2, 10) == "1 pairing × 10 deals × 1 seating = 10 games"
    assert size_line("ab", 4, 5) == (
        "2 line-ups × 5 deals × 4 seatings + 1 line-up × 5 deals × 6 seatings = 70 games"
    )
    for agents, players in (("abcde", 4), ("abc", 4), ("ab", 3)):
        total = len(games_of(agents, players, 7))
        assert size_line(agents, players, 7).endswith(f" = {total:,} games")


# --- the command ----------------------------------------------------------------------------------


def test_from_end_to_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--agents", *AGENTS, "--games", "3", "--seed", "5", "--out", str(tmp_path / "new")]
    assert tournament.main(arguments) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    box = nijar_env.load_box()
    for word in (*AGENTS, "= 18 games", box.fingerprint, "seed 5", "win rate"):
        assert word in shown.out
    folder = tmp_path / "new"
    for name in ("tournament.json", "tournament.md"):
        assert f"written: {folder / name}" in shown.out.replace("\n", "")
    data = json.loads((folder / "tournament.json").read_text())
    assert data["format"] == "nijar-tournament-1"
    assert data["complete"] is True
    assert data["version"] == nijar_env.__version__
    assert data["box"]["fingerprint"] == box.fingerprint
    assert data["seed"] == 5
    assert data["command"].startswith("python -m eval.tournament --agents mixed random mixed:3")
    (table,) = data["tables"]
    assert table["players"] == 2
    assert table["games"] == 18
    assert sorted(standing["agent"] for standing in table["ranking"]) == sorted(AGENTS)
    page = (folder / "tournament.md").read_text()
    assert "mixed:3" in page
    assert box.fingerprint in page
    # The games are those that the same agents play outside the command.
    records: list[GameRecord] = []
    play(games_of(AGENTS, 2, 3), Cast(make), 5, finished=records.append)
    assert untimed(sorted(kept(folder), key=GameRecord.key)) == untimed(
        sorted(records, key=GameRecord.key)
    )


@pytest.mark.parametrize("players", ["3", "4"])
def test_larger_tables(players: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        tournament.main(["--agents", "mixed", "random", "--players", players, "--games", "1"]) == 0
    )
    assert f"{players} players" in capsys.readouterr().out


def test_an_agent_alone_plays_itself(tmp_path: Path) -> None:
    assert tournament.main(["--agents", "random", "--games", "4", "--out", str(tmp_path)]) == 0
    assert [record.agents for record in kept(tmp_path)] == [("random", "random")] * 4


def test_the_same_command_goes_on_and_more_games_extend(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(agents: list[str], games: int) -> list[GameRecord]:
        code = tournament.main(["--agents", *agents, "--games", str(games), "--out", str(tmp_path)])
        assert code == 0
        return kept(tmp_path)

    first = run(AGENTS[:2], 2)
    assert len(first) == 4
    assert run(AGENTS[:2], 2) == first
    more = run(AGENTS[:2], 4)
    assert more[:4] == first
    assert {record.deal for record in more[4:]} == {2, 3}
    with_third = run(AGENTS, 4)
    assert with_third[:8] == more
    assert {record.key() for record in with_third} == {
        game.key() for game in games_of(AGENTS, 2, 4)
    }
    data = json.loads((tmp_path / "tournament.json").read_text())
    assert data["tables"][0]["games"] == len(with_third) == 24
    capsys.readouterr()


def test_without_out_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert tournament.main(["--agents", "random", "--games", "1"]) == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], ["--agents"]),
        (["--agents"], ["--agents"]),
        (["--agents", "greddy"], ["greddy", "did you mean 'greedy'"]),
        (["--agents", "random", "random"], ["'random' is given twice"]),
        (["--agents", "greedy", "greedy:beam=16"], ["'greedy' and 'greedy:beam=16' are the same"]),
        (["--agents", "random", "--players", "5"], ["--players", "5"]),
        (["--agents", "random", "--players", "1"], ["--players", "1"]),
        (["--agents", "random", "--games", "0"], ["--games", "'0'"]),
        (["--agents", "random", "--workers", "0"], ["--workers", "from 1 to 256"]),
        (["--agents", "random", "--batch", "x"], ["--batch", "'x'"]),
        (["--agents", "random", "--seed", "-1"], ["--seed", "'-1'"]),
        (["--agents", "random", "--components", "no-such-box"], ["no-such-box"]),
    ],
)
def test_bad_input_gets_one_line_and_writes_nothing(
    arguments: list[str],
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as stop:
        tournament.main([*arguments, "--out", "results"])
    assert stop.value.code == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("tournament: error: ")
    assert shown.err.count("\n") == 1
    for word in words:
        assert word in shown.err
    assert list(tmp_path.iterdir()) == []


def test_another_measurements_folder_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--agents", "random", "--games", "1", "--out", str(tmp_path)]
    assert tournament.main(arguments) == 0
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    capsys.readouterr()
    for other, words in (
        (["--seed", "9"], "the seed is 0 there, 9 here"),
        (["--players", "3"], "what is played is tables of 2 there, tables of 3 here"),
    ):
        with pytest.raises(SystemExit) as stop:
            tournament.main([*arguments, *other])
        assert stop.value.code == 2
        assert words in capsys.readouterr().err
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_missing_matplotlib_is_said_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def plots(records: Any, folder: Path) -> list[Path]:
        raise PlotError("plots need matplotlib: pip install matplotlib")

    monkeypatch.setattr(tournament, "tournament_plots", plots)
    assert tournament.main(["--agents", "random", "--games", "1", "--out", str(tmp_path)]) == 0
    assert "no pictures: plots need matplotlib: pip install matplotlib" in capsys.readouterr().out
    assert (tmp_path / "tournament.json").exists()


def test_an_agent_that_fails_leaves_what_was_finished(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--agents", "random", "broken", "--batch", "1", "--out", str(tmp_path)]
    assert tournament.main(["--agents", "random", "mixed", "--games", "2", *arguments[3:]]) == 0
    capsys.readouterr()
    assert tournament.main(arguments) == 1
    shown = capsys.readouterr()
    assert shown.err.startswith("error: agent 'broken' failed at stubs.py:")
    assert shown.err.count("\n") == 1
    assert len(kept(tmp_path)) == 4
    assert json.loads((tmp_path / "tournament.json").read_text())["complete"] is False


# --- being stopped --------------------------------------------------------------------------------

# More games than are played before the run is stopped.
MANY: Final = "60000"


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_killed_run_is_gone_on_with(tmp_path: Path, workers: str) -> None:
    arguments = ["--agents", "random", "--workers", workers, "--out", str(tmp_path), "--games"]
    killed = start(*arguments, MANY)
    wait_for_games(killed, tmp_path, 300)
    killed.kill()
    killed.communicate()
    assert killed.returncode == -signal.SIGKILL
    before = kept(tmp_path)
    assert len(before) >= 300
    assert not (tmp_path / "tournament.json").exists()
    deals = max(record.deal for record in before) + 50
    done = start(*arguments, str(deals))
    _, errors = done.communicate()
    assert done.returncode == 0, errors
    after = kept(tmp_path)
    assert after[: len(before)] == before
    assert sorted(record.deal for record in after) == list(range(deals))
    data = json.loads((tmp_path / "tournament.json").read_text())
    assert data["complete"] is True
    assert data["tables"][0]["games"] == deals
    # What was played before and after the kill is what an undisturbed run plays.
    some = [*before[:10], *after[-10:]]
    again: list[GameRecord] = []
    games = [Assignment(record.deal, "", record.agents) for record in some]
    play(games, Cast(), 0, finished=again.append)
    assert untimed(sorted(again, key=GameRecord.key)) == untimed(sorted(some, key=GameRecord.key))


@pytest.mark.parametrize(
    ("workers", "number"), [("1", signal.SIGINT), ("2", signal.SIGINT), ("2", signal.SIGTERM)]
)
def test_a_stopped_run_ends_soon_and_cleanly(
    tmp_path: Path, workers: str, number: signal.Signals
) -> None:
    running = start(
        "--agents", "random", "--games", MANY, "--workers", workers, "--out", str(tmp_path)
    )
    wait_for_games(running, tmp_path, 100)
    children = Path(f"/proc/{running.pid}/task/{running.pid}/children")
    workers_there = children.read_text().split() if children.exists() else []
    running.send_signal(number)
    output, errors = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130
    assert ON_THE_WAY.sub("", errors) == ""
    assert "interrupted: these are the games that were finished" in output
    data = json.loads((tmp_path / "tournament.json").read_text())
    assert data["complete"] is False
    games = kept(tmp_path)
    assert data["tables"][0]["games"] == len(games) == len({game.key() for game in games}) >= 100
    assert ended(workers_there)


def test_workers_do_not_outlive_a_killed_parent(tmp_path: Path) -> None:
    running = start("--agents", "random", "--games", MANY, "--workers", "2", "--out", str(tmp_path))
    wait_for_games(running, tmp_path, 10)
    children = Path(f"/proc/{running.pid}/task/{running.pid}/children")
    if not children.exists():
        pytest.skip("this system does not list a process's children")
    workers = children.read_text().split()
    assert len(workers) >= 2
    running.kill()
    running.communicate()
    assert ended(workers)


def ended(processes: Sequence[str]) -> bool:
    """Whether processes end within a while; a zombie, which nobody has waited for, has ended."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if not any(_runs(Path(f"/proc/{process}/stat")) for process in processes):
            return True
        time.sleep(0.05)
    return False


def _runs(stat: Path) -> bool:
    try:
        return stat.read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


def test_an_interruption_before_the_first_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*args: Any, **kwargs: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "run", interrupted)
    assert tournament.main(["--agents", "random"]) == 130
    assert "no game was finished" in capsys.readouterr().out


def test_ctrl_c_right_after_a_game_was_written_counts_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The report is of what the folder has, wherever the interruption falls."""
    add = Store.add

    def struck(self: Store, record: GameRecord) -> None:
        add(self, record)
        if len(self.records()) == 3:
            del self._records[record.key()]  # written, and not noted yet
            raise KeyboardInterrupt

    monkeypatch.setattr(Store, "add", struck)
    out = ["--out", str(tmp_path)]
    assert tournament.main(["--agents", "random", "--games", "9", *out]) == 130
    data = json.loads((tmp_path / "tournament.json").read_text())
    assert data["tables"][0]["games"] == len(kept(tmp_path)) == 3
    monkeypatch.undo()
    assert tournament.main(["--agents", "random", "--games", "9", *out]) == 0
    assert len(kept(tmp_path)) == len({game.key() for game in kept(tmp_path)}) == 9


def test_ctrl_c_and_a_folder_that_cannot_be_read_again_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*args: Any, **kwargs: Any) -> Any:
        (tmp_path / "games" / "0001.jsonl").write_text("nonsense\n")
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "run", interrupted)
    assert tournament.main(["--agents", "random", "--out", str(tmp_path)]) == 1
    shown = capsys.readouterr()
    assert "0001.jsonl, line 1, is no finished game" in shown.err
    assert shown.err.count("\n") == 1
