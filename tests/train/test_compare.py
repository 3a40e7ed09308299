"""`train.compare`: the same time and seeds for several networks, and what is said of them."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

for needed in ("torch", "stable_baselines3", "sb3_contrib", "safetensors", "pydantic", "yaml"):
    pytest.importorskip(needed, reason="the extra `train` is not installed")

from train import compare  # noqa: E402
from train.compare import Curve, Job, Runs, command_of, jobs_of, main, table  # noqa: E402
from train.files import lock  # noqa: E402

TINY = """
name: tiny
games: 8
total_steps: 256
checkpoint_minutes: 0
ppo: {steps: 16, minibatch: 64}
evaluation: {every_steps: 128, games: 2}
"""


def words(tmp_path: Path, *more: str) -> list[str]:
    config = tmp_path / "tiny.yaml"
    config.write_text(TINY, encoding="utf-8")
    networks = ["flat={kind: mlp, hidden: [8]}", "choices={kind: choices, hidden: [8]}"]
    given = ["--config", str(config), "--out", str(tmp_path / "out"), "--network", *networks]
    return [*given, "--seeds", "0", "1", *more]


def test_runs_are_made_once_and_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(words(tmp_path, "--minutes", "5")) == 0
    assert "4 of 4 runs of 5 minutes are left" in capsys.readouterr().out
    text = (tmp_path / "out" / "compare.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith(("| flat", "| choices"))]
    assert [row.split("|")[2].strip() for row in rows] == ["2", "2"]
    assert [row.split("|")[4].strip() for row in rows] == ["256", "256"]
    assert "python -m train.compare --config" in text
    for name in ("flat-seed0", "choices-seed1"):
        provenance = (tmp_path / "out" / name / "provenance.json").read_text(encoding="utf-8")
        assert '"threads": 1' in provenance
    monkeypatch.setattr(Runs, "make", None)  # nothing is left to be made
    assert main(words(tmp_path, "--minutes", "5")) == 0
    assert "0 of 4 runs" in capsys.readouterr().out
    # What was made with other settings is not reported as made with these.
    written = (tmp_path / "out" / "compare.md").read_bytes()
    for given, named in (
        (["--minutes", "6"], "max_minutes is 5.0 there, 6.0 here"),
        (["--minutes", "5", "--set", "games=16"], "games is 8 there, 16 here"),
    ):
        with pytest.raises(SystemExit):
            main(words(tmp_path, *given))
        said = capsys.readouterr().err
        assert "flat-seed0 holds another run: " in said and named in said
    assert (tmp_path / "out" / "compare.md").read_bytes() == written


def test_runs_end_with_the_command(tmp_path: Path) -> None:
    """A signal that reaches the command alone ends its runs, too."""
    arguments = words(tmp_path, "--workers", "2", "--set", "total_steps=1_000_000")
    root = Path(__file__).resolve().parents[2]
    process = subprocess.Popen(
        [sys.executable, "-m", "train.compare", *arguments],
        cwd=root,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
    )
    logs = [tmp_path / "out" / f"{name}-seed0" / "progress.csv" for name in ("flat", "choices")]
    try:
        while not all(log.exists() for log in logs):
            assert process.poll() is None
            time.sleep(0.1)
        process.terminate()
        _, said = process.communicate()
    finally:
        process.kill()
    assert process.returncode == 130
    assert b"interrupted; the same command goes on with" in said
    for log in logs:  # nobody holds the folder any more
        held = lock(log.parent / ".lock")
        assert held is not None
        held.close()


def test_every_network_gets_the_same_settings(tmp_path: Path) -> None:
    parser = compare._parser()
    args = parser.parse_args(words(tmp_path, "--minutes", "2", "--set", "games=16"))
    args.network = dict(args.network)
    jobs = jobs_of(args)
    assert [(job.network, job.seed) for job in jobs] == [
        ("flat", 0),
        ("choices", 0),
        ("flat", 1),
        ("choices", 1),
    ]
    first, second = (command_of(job, args) for job in jobs[:2])
    differing = [(a, b) for a, b in zip(first, second, strict=True) if a != b]
    assert len(differing) == 2  # folder and network
    assert {"max_minutes=2", "threads=1", "games=16", "seed=0"} <= set(first)


def test_margins_are_compared_at_equal_steps_and_at_the_end() -> None:
    quick = Curve((0, 100, 200), (0, 1, 2), (-20.0, -5.0, 1.0), 90.0)
    slow = Curve((0, 100), (0, 2), (-30.0, -3.0), 45.0)
    slower = Curve((0, 110), (0, 2), (-30.0, -4.0), 45.0)
    sheet = table({"quick": [quick], "slow": [slow, slower]})
    assert sheet.headings[-1] == "margin after 100 steps"
    assert sheet.rows[0][-2:] == ("+1.0 (+1.0 to +1.0)", "-5.0 (-5.0 to -5.0)")
    assert sheet.rows[1][-2:] == ("-3.5 (-4.0 to -3.0)", "-16.5 (-30.0 to -3.0)")


def test_a_run_that_fails_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(job: Job, args: Any) -> int:
        return 1 if job.network == "flat" and job.seed == 1 else 0

    monkeypatch.setattr(Runs, "make", lambda self, job, args: fail(job, args))
    assert main(words(tmp_path)) == 1
    out = capsys.readouterr().out
    assert "flat-seed1: failed" in out and "flat-seed1.txt" in out


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--network", "mlp"], "is not NAME=OPTIONS"),
        (["--minutes", "0"], "must be a number above 0"),
        (["--seeds", "1", "1"], "--seeds"),
        (["--config", "nowhere.yaml"], "there is no file nowhere.yaml"),
        (["--set", "gamess=3"], "unknown key 'gamess'; did you mean 'games'?"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    given: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main([*words(tmp_path), *given])
    assert caught.value.code == 2
    said = capsys.readouterr().err.strip()
    assert message in said and "\n" not in said
