"""`python -m eval.peers`: measuring, tables, page and what goes wrong, without any peer."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from eval.peers import environments, page
from eval.peers.command import main
from eval.peers.measuring import Measurement
from eval.peers.plan import GROUPS, OURS, PEERS, ROWS, reference
from eval.peers.scripts.loop import LEGAL
from eval.peers.tables import group_sheet, headline_sheet, ratio
from eval.peers.talk import PeerError
from eval.text import NOTHING

PAGE = "# Speed\n\n<!-- peers: begin -->\nold\n<!-- peers: end -->\n\nafter\n"


class Answering:
    """A script without a process: every row at the same rate, or as `rate` says."""

    versions = {"fake": "1.0"}  # noqa: RUF012 (as the real one has it)
    alive = True

    def __init__(self, rate: Callable[[str], float]) -> None:
        self.rate = rate
        self.closed = False

    def ask(self, **request: Any) -> dict[str, Any]:
        if request.get("survey"):
            return {"unit": "decisions", "observation": 12, "actions": 34, "decisions_a_game": 56.7}
        return {"decisions": self.rate(request["game"]) * 2, "seconds": 2.0}

    def close(self) -> None:
        self.closed = True


def start(peer: str) -> Answering:
    return Answering(lambda game: 40_000.0 if peer == OURS else 10_000.0)


def measured(**absent: str) -> dict[str, Any]:
    measurement = Measurement(ROWS, start, absent, 2, 0.1)
    measurement.run(lambda *_: None)
    return measurement.data


# --- measuring ------------------------------------------------------------------------------------


def test_every_row_gets_a_rate_a_round() -> None:
    data = measured()
    assert data["rows"].keys() == {row.key for row in ROWS}
    assert all(set(found["rates"]) == {"1", "2"} for found in data["rows"].values())
    assert data["versions"].keys() == {OURS, *(peer.name for peer in PEERS)}
    assert json.loads(json.dumps(data)) == data


def test_rounds_are_interleaved_and_scripts_are_closed() -> None:
    asked: list[str] = []
    scripts: list[Answering] = []

    def begin(peer: str) -> Answering:
        scripts.append(Answering(lambda game: asked.append(f"{peer} {game}") or 1.0))  # type: ignore[func-returns-value]
        return scripts[-1]

    Measurement(ROWS, begin, {}, 3, 0.1).run(lambda *_: None)
    assert asked == 3 * [f"{row.peer} {row.game}" for row in ROWS]
    assert len(scripts) == len(PEERS) + 1 and all(script.closed for script in scripts)


def test_a_peer_that_fails_is_a_line_and_no_more() -> None:
    def begin(peer: str) -> Answering:
        if peer == "pgx":
            raise PeerError("ended: no jaxlib")
        if peer == "rlcard":

            class Failing(Answering):
                def ask(self, **request: Any) -> dict[str, Any]:
                    raise PeerError("KeyError: 'gin'")

            return Failing(lambda game: 1.0)
        return start(peer)

    measurement = Measurement(ROWS, begin, {}, 1, 0.1)
    measurement.run(lambda *_: None)
    data = measurement.data
    assert data["absent"] == {"pgx": "ended: no jaxlib"}
    sheet = group_sheet(data, "loop")
    assert sheet is not None
    assert "RLCard: gin-rummy was not measured: KeyError: 'gin'." in sheet.note
    assert [row[3] for row in sheet.rows if row[0] == "RLCard"] == 4 * [NOTHING]
    assert all(row[3] != NOTHING for row in sheet.rows if row[0] == "OpenSpiel")


def test_an_interruption_keeps_what_there_is() -> None:
    def stop(what: str, done: int, total: int) -> None:
        if done == total // 2:
            raise KeyboardInterrupt

    measurement = Measurement(ROWS, start, {}, 3, 0.1)
    with pytest.raises(KeyboardInterrupt):
        measurement.run(stop)
    rounds = [len(found["rates"]) for found in measurement.data["rows"].values()]
    assert set(rounds) <= {0, 1, 2} and max(rounds) > 0
    assert headline_sheet(measurement.data).rows


# --- tables ---------------------------------------------------------------------------------------


def test_every_group_has_a_reference_and_something_to_compare() -> None:
    for name, group in GROUPS.items():
        rows = [row for row in ROWS if row.group == name]
        assert any(row.peer == OURS and row.game == group.reference for row in rows)
        assert any(row.comparable for row in rows)
    assert len({row.key for row in ROWS}) == len(ROWS)
    for row in ROWS:
        assert reference(row).part == row.part and reference(row).group == row.group
    raw = next(row for row in ROWS if row.game == "hanabi, raw")
    assert reference(raw).game == "raw_env()"


def test_ratios_are_medians_of_rounds_that_both_have() -> None:
    data = measured()
    ours = next(row for row in ROWS if row.peer == OURS)
    other = next(row for row in ROWS if row.game == "hanabi" and row.part == LEGAL)
    data["rows"][ours.key]["rates"] = {"1": 30.0, "2": 80.0, "3": 90.0}
    data["rows"][other.key]["rates"] = {"1": 10.0, "2": 10.0}
    assert ratio(data, ours, other) == 5.5
    data["rows"][other.key]["rates"] = {}
    assert ratio(data, ours, other) is None


def test_the_headline_names_its_rows_and_the_fastest() -> None:
    data = measured()
    key = next(r.key for r in ROWS if (r.game, r.part) == ("hanabi", LEGAL) and r.group == "loop")
    data["rows"][key]["rates"] = {"1": 20_000.0, "2": 20_000.0}
    sheet = headline_sheet(data)
    loop = next(row for row in sheet.rows if row[0] == "One game in a Python loop")
    assert loop[1:] == ["nijar-env: Game, 2 players", "40.0", "OpenSpiel: hanabi", "20.0", "2 ×"]
    unlike = [row for row in sheet.rows if row[0].startswith("unlike")]
    assert len(unlike) == 2 and unlike[0][1] == "nijar-env: GameBatch, 1,024"
    assert "10 times" in sheet.note


def test_playouts_and_searches_are_compared_by_decisions() -> None:
    data = measured()
    for row in ROWS:
        if row.group == "search":
            data["rows"][row.key]["decisions_an_iteration"] = 5.0 if row.peer == OURS else 80.0
    sheet = group_sheet(data, "search")
    assert sheet is not None
    theirs = next(row for row in sheet.rows if row[1] == "gin_rummy search")
    assert theirs[3:] == ["800.0", "0.25 ×", "10,000", "decisions", "80"]


# --- environments ---------------------------------------------------------------------------------


def test_requirements_are_pinned() -> None:
    for peer in PEERS:
        lines = peer.requirements.read_text(encoding="utf-8").splitlines()
        named = [line for line in lines if not line.startswith("#")]
        assert named and all("==" in line for line in named), peer.name


def test_what_is_missing_is_told(tmp_path: Path) -> None:
    peer = PEERS[0]
    assert "not installed" in environments.missing(tmp_path, peer)
    python = environments.python_of(tmp_path, peer.name)
    python.parent.mkdir(parents=True)
    python.touch()
    assert "did not end" in environments.missing(tmp_path, peer)
    stamp = tmp_path / peer.name / "installed.txt"
    stamp.write_text("of other versions", encoding="utf-8")
    assert "other versions" in environments.missing(tmp_path, peer)
    stamp.write_text(environments._stamp(peer), encoding="utf-8")
    assert environments.missing(tmp_path, peer) == ""


def test_an_installation_that_fails_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        text = "warning: slow\nERROR: no matching distribution\nhint: none"
        return subprocess.CompletedProcess(command, 1, "", text)

    monkeypatch.setattr(environments.subprocess, "run", fail)
    why = environments.install(tmp_path / "envs", PEERS[0])
    assert why == "could not be installed: ERROR: no matching distribution"


# --- the command and the page ---------------------------------------------------------------------


def test_the_command_writes_file_and_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved, target = tmp_path / "new" / "speed.json", tmp_path / "page.md"
    target.write_text(PAGE, encoding="utf-8")
    assert main(["--quick", "--save", str(saved), "--page", str(target)], start=start) == 0
    text = target.read_text(encoding="utf-8")
    assert text.startswith("# Speed\n") and text.endswith("\n\nafter\n") and "\nold\n" not in text
    for words in ("`python -m eval.peers --quick", "OpenSpiel", "TAG: not measured", "fake 1.0"):
        assert words in text
    written = target.read_text(encoding="utf-8")
    assert main(["--from", str(saved), "--page", str(target)]) == 0
    assert target.read_text(encoding="utf-8") == written
    assert "Ours and the fastest comparable game" in capsys.readouterr().out


def test_the_command_without_any_peer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Only ours is measured, and every peer is a line."""
    from eval.peers import command

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(command, "Script", lambda words, patience, **_: start(OURS))
        assert main(["--quick", "--envs", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    for peer in PEERS:
        assert f"{peer.title}: not measured: not installed (--install)." in out


def test_an_interrupted_command_keeps_its_rounds(tmp_path: Path) -> None:
    saved = tmp_path / "speed.json"
    asked = 0

    def begin(peer: str) -> Answering:
        def rate(game: str) -> float:
            nonlocal asked
            asked += 1
            if asked > len(ROWS) + 3:
                raise KeyboardInterrupt
            return 1000.0

        return Answering(rate)

    assert main(["--rounds", "3", "--save", str(saved)], start=begin) == 130
    data = page.load(saved)[page.PEERS_PART]
    assert data["interrupted"]
    assert sum(len(found["rates"]) for found in data["rows"].values()) == len(ROWS) + 3
    assert "interrupted" in page.peers_part(data)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--peers", "chess"], "invalid choice"),
        (["--peers", "pgx", "pgx"], "'pgx' is given twice"),
        (["--rounds", "0"], "whole number from 1 to 100"),
        (["--from", "nothing.json"], "has no measurements of 'peers'"),
        (["--page", "nothing.md"], "nothing.md cannot be read"),
    ],
)
def test_bad_options_are_one_line(
    arguments: list[str],
    words: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as stopped:
        main(arguments, start=start)
    assert stopped.value.code == 2
    error = capsys.readouterr().err
    assert words in error and error.count("\n") == 1


def test_a_page_without_marks_is_refused_before_measuring(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "page.md"
    target.write_text("# Speed\n", encoding="utf-8")

    def never(peer: str) -> Answering:
        raise AssertionError("measured")

    with pytest.raises(SystemExit):
        main(["--page", str(target)], start=never)
    assert "needs one '<!-- peers: begin -->'" in capsys.readouterr().err
    assert target.read_text(encoding="utf-8") == "# Speed\n"


def test_a_foreign_file_is_not_overwritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = tmp_path / "speed.json"
    saved.write_text('{"other": 1}', encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["--save", str(saved)], start=start)
    assert "is no file of measurements" in capsys.readouterr().err
    assert saved.read_text(encoding="utf-8") == '{"other": 1}'


def test_parts_of_a_file_do_not_touch_each_other(tmp_path: Path) -> None:
    saved = tmp_path / "speed.json"
    page.save(saved, "costs", {"a": 1})
    page.save(saved, "peers", {"b": 2})
    assert page.save(saved, "costs", {"a": 3}) == {
        "format": page.FORMAT,
        "costs": {"a": 3},
        "peers": {"b": 2},
    }
    assert [path.name for path in tmp_path.iterdir()] == ["speed.json"]
