"""`python -m eval.benchmark`, from the command line to the JSON."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nijar_env
from eval import benchmark
from eval.stats import wilson_interval
from nijar_env.components import DEFAULT_FOLDER

ROOT = Path(__file__).resolve().parents[2]


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
    done = run(*arguments, "--games", "4", "--seed", "5", "--out", str(tmp_path / "new" / "dir"))
    assert done.returncode == 0, done.stderr
    path = tmp_path / "new" / "dir" / "benchmark.json"
    assert f"written: {path}" in done.stdout.replace("\n", "")
    data = read(path)
    box = nijar_env.load_box()
    assert data["format"] == "nijar-benchmark-1"
    assert data["complete"] is True
    assert data["version"] == nijar_env.__version__
    assert data["box"] == {"name": box.name, "version": box.version, "fingerprint": box.fingerprint}
    assert data["seed"] == 5
    assert data["command"].startswith("python -m eval.benchmark --agent greedy random")
    assert {"processor", "cores", "python", "numpy", "numba"} <= set(data["machine"])
    cells = [(cell["agent"], cell["difficulty"]) for cell in data["results"]]
    assert cells == [
        ("greedy", "normal"),
        ("greedy", "expert"),
        ("random", "normal"),
        ("random", "expert"),
    ]
    for cell in data["results"]:
        games = cell["per_game"]
        assert games["number"] == [0, 1, 2, 3]
        assert cell["games"] == 4
        assert cell["wins"] == sum(games["won"])
        assert cell["win_rate"] == wilson_interval(cell["wins"], 4)._asdict()
        assert cell["own_vp"]["mean"] == pytest.approx(np.mean(games["own_vp"]))
        margin = np.subtract(games["own_vp"], games["competition_vp"])
        assert cell["margin"]["mean"] == pytest.approx(margin.mean())
        assert cell["margin"]["low"] < margin.mean() < cell["margin"]["high"]
        assert cell["margin"]["quantiles"]["0.5"] == pytest.approx(np.median(margin))
        assert cell["decisions_per_game"] == pytest.approx(np.mean(games["decisions"]))
        assert cell["games_per_second"] > 0
    for word in ("greedy", "random", "normal", "expert", box.fingerprint, "seed 5", "games/s"):
        assert word in done.stdout


def test_it_is_quiet_on_standard_error_when_that_is_no_terminal(tmp_path: Path) -> None:
    run("--agent", "random", "--games", "1")  # whatever was not compiled before
    done = run("--agent", "random", "--difficulty", "normal", "--games", "2")
    assert done.returncode == 0
    assert done.stderr == ""
    assert "interrupted" not in done.stdout


def test_earlier_results_stay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "benchmark.json").write_text("mine")
    arguments = ["--agent", "random", "--difficulty", "normal", "--out", str(tmp_path)]
    assert benchmark.main([*arguments, "--games", "2"]) == 0
    assert benchmark.main([*arguments, "--games", "3"]) == 0
    assert (tmp_path / "benchmark.json").read_text() == "mine"
    assert read(tmp_path / "benchmark-2.json")["results"][0]["games"] == 2
    assert read(tmp_path / "benchmark-3.json")["results"][0]["games"] == 3
    assert "benchmark-3.json" in capsys.readouterr().out.replace("\n", "")


def test_the_same_command_measures_the_same(tmp_path: Path) -> None:
    arguments = ["--agent", "random", "--games", "6", "--out", str(tmp_path)]
    benchmark.main(arguments)
    benchmark.main([*arguments, "--batch", "2"])
    first, second = read(tmp_path / "benchmark.json"), read(tmp_path / "benchmark-2.json")
    for one, two in zip(first["results"], second["results"], strict=True):
        assert one["per_game"] == two["per_game"]


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
        (["--agent", "greddy"], ["greddy", "known: greedy, random"]),
        (["--agent", "greedy:beam=0"], ["beam must be 1 to 1024"]),
        (["--agent", "random", "random"], ["'random' is given twice"]),
        (["--agent"], ["--agent"]),
        (["--difficulty", "hard"], ["hard", "normal", "advanced", "expert"]),
        (["--difficulty", "normal", "normal"], ["'normal' is given twice"]),
        (["--games", "0"], ["--games", "'0'"]),
        (["--games", "-3"], ["--games", "'-3'"]),
        (["--games", "many"], ["--games", "'many'"]),
        (["--batch", "0"], ["--batch", "'0'"]),
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
    play = benchmark.play_solo

    def interrupted(*args: Any, **kwargs: Any) -> Any:
        if args[1] == "advanced":
            args = (args[0], args[1], 2, *args[3:])
            play(*args, **kwargs)
            raise KeyboardInterrupt
        return play(*args, **kwargs)

    monkeypatch.setattr(benchmark, "play_solo", interrupted)
    code = benchmark.main(["--agent", "random", "--games", "5", "--out", str(tmp_path)])
    assert code == 130
    assert "interrupted" in capsys.readouterr().out
    data = read(tmp_path / "benchmark.json")
    assert data["complete"] is False
    assert [(c["difficulty"], c["games"]) for c in data["results"]] == [
        ("normal", 5),
        ("advanced", 2),
    ]


def test_an_interruption_before_the_first_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*args: Any, **kwargs: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(benchmark, "play_solo", interrupted)
    assert benchmark.main(["--agent", "random"]) == 130
    assert "no game was finished" in capsys.readouterr().out
