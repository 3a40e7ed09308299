"""`python -m eval.benchmark`, from the command line to the JSON."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import nijar_env
from eval import benchmark, command, meter
from eval.records import GameRecord
from eval.store import Store
from eval.table import Assignment, Cast, play
from nijar_env.components import DEFAULT_FOLDER

from .stubs import make

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def stubs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands that run in this process know the stubs."""
    monkeypatch.setattr(command, "make_agent", make)


def snapshot(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "eval.benchmark", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )


def read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def test_from_end_to_end(tmp_path: Path) -> None:
    arguments = ["--agent", "greedy", "random", "--difficulty", "normal", "expert"]
    folder = tmp_path / "new" / "dir"
    done = run(*arguments, "--games", "4", "--seed", "5", "--workers", "2", "--out", str(folder))
    assert done.returncode == 0, done.stderr
    for name in ("benchmark.json", "benchmark.md"):
        assert f"written: {folder / name}" in done.stdout.replace("\n", "")
    data = read(folder / "benchmark.json")
    box = nijar_env.load_box()
    assert data["complete"] is True
    assert data["version"] == nijar_env.__version__
    assert data["box"] == {"name": box.name, "version": box.version, "fingerprint": box.fingerprint}
    assert data["seed"] == 5
    assert data["reference"] == "greedy"
    assert data["command"].startswith("python -m eval.benchmark --agent greedy random")
    assert {"processor", "cores", "python", "numpy", "numba"} <= set(data["machine"])
    cells = {(cell["agent"], cell["difficulty"]): cell for cell in data["results"]}
    assert set(cells) == {
        (agent, level) for agent in ("greedy", "random") for level in ("normal", "expert")
    }
    games = [Assignment(deal, level, (agent,)) for agent, level in cells for deal in range(4)]
    records: list[GameRecord] = []
    play(games, Cast(), 5, finished=records.append)
    for (agent, level), cell in cells.items():
        own = sorted((r for r in records if r.key()[:2] == (level, (agent,))), key=lambda r: r.deal)
        assert cell["games"] == 4
        assert cell["per_game"]["number"] == [0, 1, 2, 3]
        assert cell["per_game"]["own_vp"] == [record.seats[0].vp for record in own]
        assert cell["per_game"]["competition_vp"] == [record.seats[1].vp for record in own]
        assert cell["per_game"]["won"] == [record.seats[0].place == 0 for record in own]
        assert cell["per_game"]["decisions"] == [record.seats[0].decisions for record in own]
    for word in ("greedy", "random", "normal", "expert", box.fingerprint, "seed 5", "games/s"):
        assert word in done.stdout


def test_it_is_quiet_on_standard_error_when_that_is_no_terminal(tmp_path: Path) -> None:
    run("--agent", "random", "--games", "1")  # whatever was not compiled before
    done = run("--agent", "random", "--difficulty", "normal", "--games", "2")
    assert done.returncode == 0
    assert done.stderr == ""
    assert "interrupted" not in done.stdout


def test_the_same_folder_is_gone_on_with(tmp_path: Path) -> None:
    def measured(*arguments: str) -> dict[tuple[str, str], list[int]]:
        assert benchmark.main([*arguments, "--out", str(tmp_path)]) == 0
        data = read(tmp_path / "benchmark.json")
        return {
            (cell["agent"], cell["difficulty"]): cell["per_game"]["own_vp"]
            for cell in data["results"]
        }

    first = measured("--agent", "random", "--difficulty", "normal", "--games", "3")
    assert {cell: len(vp) for cell, vp in first.items()} == {("random", "normal"): 3}
    shards = sorted((tmp_path / "games").glob("*.jsonl"))
    assert measured("--agent", "random", "--difficulty", "normal", "--games", "2") == first
    assert sorted((tmp_path / "games").glob("*.jsonl")) == shards
    more = measured("--agent", "mixed", "--difficulty", "normal", "expert", "--games", "4")
    assert {cell: len(vp) for cell, vp in more.items()} == {
        ("random", "normal"): 3,
        ("mixed", "normal"): 4,
        ("mixed", "expert"): 4,
    }
    assert more["random", "normal"] == first["random", "normal"]


def test_an_option_given_twice_adds_up(tmp_path: Path) -> None:
    agents = ["--agent", "random", "--agent", "mixed"]
    levels = ["--difficulty", "normal", "--difficulty", "expert"]
    assert benchmark.main([*agents, *levels, "--games", "1", "--out", str(tmp_path)]) == 0
    cells = read(tmp_path / "benchmark.json")["results"]
    assert {(cell["agent"], cell["difficulty"]) for cell in cells} == {
        (agent, level) for agent in ("random", "mixed") for level in ("normal", "expert")
    }


def test_a_folder_of_another_measurement_stays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "benchmark.json").write_text("mine")
    arguments = ["--agent", "random", "--difficulty", "normal", "--games", "1"]
    before = snapshot(tmp_path)
    with pytest.raises(SystemExit) as stop:
        benchmark.main([*arguments, "--out", str(tmp_path)])
    assert stop.value.code == 2
    assert "already holds benchmark.json" in capsys.readouterr().err
    assert snapshot(tmp_path) == before
    folder = tmp_path / "new"
    assert benchmark.main([*arguments, "--out", str(folder)]) == 0
    before = snapshot(folder)
    capsys.readouterr()
    for other, words in (
        (["--seed", "1"], "the seed is 0 there, 1 here"),
        (["--components", str(_other_box(tmp_path / "other"))], "the box is"),
    ):
        with pytest.raises(SystemExit) as stop:
            benchmark.main([*arguments, *other, "--out", str(folder)])
        assert stop.value.code == 2
        assert words in capsys.readouterr().err
        assert snapshot(folder) == before


def _other_box(folder: Path) -> Path:
    """A copy of the default box with another value in it."""
    shutil.copytree(DEFAULT_FOLDER, folder)
    path = folder / "market.toml"
    path.write_text(path.read_text().replace("solo = 1", "solo = 2"))
    return folder


def test_the_reference_is_the_first_agent_or_the_one_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def reference(folder: str, *arguments: str) -> str | None:
        folder = str(tmp_path / folder)
        common = ["--difficulty", "normal", "--games", "2", "--out", folder]
        assert benchmark.main([*arguments, *common]) == 0
        return read(Path(folder) / "benchmark.json")["reference"]  # type: ignore[no-any-return]

    assert reference("a", "--agent", "mixed", "random") == "mixed"
    assert reference("b", "--agent", "mixed", "random", "--reference", "random") == "random"
    assert reference("c", "--agent", "mixed") is None
    # An agent that was measured earlier can be referred to.
    assert reference("c", "--agent", "random", "--reference", "mixed") == "mixed"
    capsys.readouterr()
    with pytest.raises(SystemExit) as stop:
        reference("c", "--agent", "random", "--reference", "greedy")
    assert stop.value.code == 2
    words = "argument --reference: 'greedy' is none of the agents (random, mixed)"
    assert words in capsys.readouterr().err


def test_batches_and_workers_do_not_change_the_results(tmp_path: Path) -> None:
    arguments = ["--agent", "random", "--games", "6", "--difficulty", "advanced"]
    benchmark.main([*arguments, "--out", str(tmp_path / "one")])
    benchmark.main([*arguments, "--out", str(tmp_path / "two"), "--batch", "2"])
    benchmark.main([*arguments, "--out", str(tmp_path / "three"), "--workers", "2"])
    one, two, three = (
        read(tmp_path / name / "benchmark.json")["results"][0]["per_game"]
        for name in ("one", "two", "three")
    )
    assert one == two == three


def test_without_out_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert benchmark.main(["--agent", "random", "--difficulty", "normal", "--games", "1"]) == 0
    assert list(tmp_path.iterdir()) == []


def test_another_box(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    box = tmp_path / "box"
    shutil.copytree(DEFAULT_FOLDER, box)
    arguments = ["--agent", "random", "--difficulty", "normal", "--games", "1"]
    assert benchmark.main([*arguments, "--components", str(box)]) == 0
    assert nijar_env.load_box(box).fingerprint in capsys.readouterr().out
    (box / "box.toml").write_text("broken = ")
    with pytest.raises(SystemExit) as stop:
        benchmark.main([*arguments, "--components", str(box)])
    assert stop.value.code == 2
    assert "box.toml" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--agent", "greddy"], ["greddy", "did you mean 'greedy'"]),
        (["--agent", "greedy:beam=0"], ["beam must be 1 to 1024"]),
        (["--agent", "random", "random"], ["'random' is given twice"]),
        (["--agent"], ["--agent"]),
        (["--difficulty", "hard"], ["hard", "normal", "advanced", "expert"]),
        (["--difficulty", "normal", "normal"], ["'normal' is given twice"]),
        (["--games", "0"], ["--games", "'0'"]),
        (["--games", "-3"], ["--games", "'-3'"]),
        (["--games", "many"], ["--games", "'many'"]),
        (["--batch", "0"], ["--batch", "'0'"]),
        (["--workers", "0"], ["--workers", "'0'"]),
        (["--reference", "mixed"], ["--reference", "'mixed'", "greedy, random"]),
        (["--seed", "-1"], ["--seed", "'-1'"]),
        (["--seed", str(2**64)], ["--seed"]),
        (["--components", "no-such-box"], ["no-such-box"]),
        (["--colour"], ["--colour"]),
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
        benchmark.main([*arguments, "--out", "results"])
    assert stop.value.code == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("benchmark: error: ")
    assert shown.err.count("\n") == 1
    for word in words:
        assert word in shown.err
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_the_place_of_the_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "results"
    path.write_text("mine")
    for out in (path, path / "below"):
        with pytest.raises(SystemExit) as stop:
            benchmark.main(["--agent", "random", "--games", "1", "--out", str(out)])
        assert stop.value.code == 2
        assert str(out) in capsys.readouterr().err
    assert path.read_text() == "mine"


def test_an_interruption_shows_what_was_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    play_all = command.run

    def interrupted(games: Any, *args: Any, **kwargs: Any) -> Any:
        play_all(games[:7], *args, **kwargs)
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "run", interrupted)
    code = benchmark.main(["--agent", "random", "--games", "5", "--out", str(tmp_path)])
    assert code == 130
    assert "interrupted: these are the games that were finished" in capsys.readouterr().out
    data = read(tmp_path / "benchmark.json")
    assert data["complete"] is False
    assert [(c["difficulty"], c["games"]) for c in data["results"]] == [
        ("normal", 5),
        ("advanced", 2),
    ]


def test_an_interruption_before_the_first_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*args: Any, **kwargs: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "run", interrupted)
    assert benchmark.main(["--agent", "random", "--out", str(tmp_path)]) == 130
    assert "no game was finished" in capsys.readouterr().out
    assert not (tmp_path / "benchmark.json").exists()


def test_a_full_disk_is_said_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(self: Store, record: GameRecord) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Store, "add", full)
    assert benchmark.main(["--agent", "random", "--games", "2", "--out", str(tmp_path)]) == 1
    assert "error: a game could not be kept: " in capsys.readouterr().err


class Full:
    """A games file on a full disk."""

    def __init__(self, file: Any) -> None:
        self.file = file

    def write(self, line: bytes) -> None:
        pass

    def flush(self) -> None:
        raise OSError(28, "No space left on device")

    def close(self) -> None:
        self.file.close()
        raise OSError(28, "No space left on device")


def test_a_disk_that_is_full_at_the_end_of_a_line_is_said_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Closing the file then fails once more."""
    new = Store._new_shard
    monkeypatch.setattr(Store, "_new_shard", lambda self: Full(new(self)))
    arguments = ["--agent", "random", "--difficulty", "normal", "--games", "3"]
    assert benchmark.main([*arguments, "--out", str(tmp_path)]) == 1
    shown = capsys.readouterr().err
    assert shown == "error: a game could not be kept: [Errno 28] No space left on device\n"


def test_results_that_cannot_be_written_are_said_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--agent", "random", "--difficulty", "normal", "--games", "1"]
    assert benchmark.main([*arguments, "--out", str(tmp_path)]) == 0
    (tmp_path / "benchmark.md").unlink()
    (tmp_path / "benchmark.md").mkdir()
    assert benchmark.main([*arguments, "--out", str(tmp_path)]) == 1
    shown = capsys.readouterr().err
    assert shown.startswith("error: the results could not be written: ")
    assert shown.count("\n") == 1


def test_long_runs_say_how_far_they_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # A minute goes by from game to game.
    monkeypatch.setattr(meter, "time", SimpleNamespace(monotonic=count(0, 60).__next__))
    arguments = ["--agent", "random", "--difficulty", "normal", "--games", "3"]
    assert benchmark.main(arguments) == 0
    lines = capsys.readouterr().err.splitlines()
    assert lines == ["1 of 3 games, about 2 min left", "2 of 3 games, about 1 min left"]
