"""`python -m eval.results`: from nothing to the page, and again from the games that are kept."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from agents.registry import AGENTS
from eval import results
from eval.records import GameRecord
from eval.results import LADDER, Plan, Stage
from eval.results_page import Claim, claims_sheet, ladder_sheet, precision_sheet
from eval.table import Assignment
from nijar_env.replay import read_replay

from .stubs import Mixed
from .synthetic import ranked, solo_games, tournament

pytest.importorskip("matplotlib")

PLAN = Plan(
    stages=(
        Stage("solo", ("random", "mixed"), 1, 12, 2),
        Stage("pair", ("mixed", "random"), 2, 12, 2),
        Stage("three", ("mixed", "random"), 3, 3, 1),
    ),
    claims=(Claim("mixed", "random"),),
    anchor="random",
    balance=("mixed", "random"),
)


@pytest.fixture(autouse=True)
def _mixed_is_an_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(AGENTS, "mixed", (Mixed, {}))  # type: ignore[arg-type]


def run(folder: Path, *arguments: str) -> int:
    words = ["--folder", str(folder / "games"), "--out", str(folder / "docs"), *arguments]
    return results.main(words, PLAN)


def test_the_whole_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(tmp_path) == 0
    shown = capsys.readouterr().out
    assert "The ladder" in shown and "What the games say" in shown
    path = tmp_path / "docs" / "results.md"
    assert f"written: {path}" in shown.replace("\n", "")
    page = path.read_text(encoding="utf-8")
    for title in (
        "## The ladder",
        "## What the games say",
        "## Solo",
        "## 2 players",
        "## 3 players",
        "## Balance of the game",
        "### Starting wheel, solo",
        "## How well a mean is known",
    ):
        assert f"\n{title}" in page
    assert page.index("## The ladder") < page.index("## What the games say") < page.index("## Solo")
    assert "Not complete" not in page
    assert not re.search(r"\b20\d\d-\d\d-\d\d\b", page)  # no date
    assert "python -m eval.benchmark --agent random mixed --games 12 --seed 0" in page
    pictures = re.findall(r"!\[[^]]*\]\((images/[^)]+)\)", page)
    assert len(pictures) == len(set(pictures)) == 7
    assert all((path.parent / name).is_file() for name in pictures)
    # Every table has as many cells in a row as in its heading.
    for block in page.split("\n\n"):
        lines = [line for line in block.splitlines() if line.startswith("|")]
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in lines}) <= 1

    # Again: nothing is played, and the page is the same, byte for byte.
    before = {p.name: p.read_bytes() for p in path.parent.rglob("*") if p.is_file()}

    def nothing(games: list[Assignment], *args: object, **kwargs: object) -> object:
        assert all(game.key() in args[3] for game in games)  # type: ignore[operator]
        return measure(games, *args, **kwargs)  # type: ignore[arg-type]

    measure = results.measure
    monkeypatch.setattr(results, "measure", nothing)
    assert run(tmp_path) == 0
    assert before == {p.name: p.read_bytes() for p in path.parent.rglob("*") if p.is_file()}


def test_stages_one_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "docs" / "results.md"
    replays = tmp_path / "replays"
    assert run(tmp_path, "--quick", "--only", "pair", "--replays", str(replays)) == 0
    assert [folder.name for folder in replays.iterdir()] == ["pair"]
    files = list((replays / "pair").iterdir())
    assert len(files) == 4 and all(read_replay(file).winner is not None for file in files)
    page = path.read_text(encoding="utf-8")
    assert "left out: solo (0 of 12 games), three (0 of 6 games)." in page
    assert "## Solo" not in page and "## 2 players" in page
    assert run(tmp_path, "--quick", "--only", "solo", "--only", "three") == 0
    page = path.read_text(encoding="utf-8")
    assert "left out" not in page
    assert "## Solo" in page and "## 2 players" in page


def test_quick_games_do_not_go_over_the_page_and_serve_the_full_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert results.main(["--quick"], PLAN) == 0
    assert not (tmp_path / "docs").exists()
    assert (tmp_path / "results/ladder/quick/results.md").is_file()
    games = next((tmp_path / "results/ladder/pair/games").glob("*.jsonl")).read_text()
    assert len(games.splitlines()) == 4


def test_an_interruption_writes_no_page_and_is_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measure = results.measure

    def interrupted(*args: object, **kwargs: object) -> object:
        if args[0][0].difficulty:  # type: ignore[index]
            return measure(*args, **kwargs)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    monkeypatch.setattr(results, "measure", interrupted)
    assert run(tmp_path, "--quick") == 130
    assert not (tmp_path / "docs").exists()
    monkeypatch.setattr(results, "measure", measure)
    assert run(tmp_path, "--quick") == 0
    assert (tmp_path / "docs" / "results.md").is_file()


def test_without_matplotlib_the_page_has_no_pictures_and_a_line_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert run(tmp_path, "--quick", "--only", "pair") == 1
    assert "no pictures: plots need matplotlib" in capsys.readouterr().out
    assert "![" not in (tmp_path / "docs" / "results.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--only", "nothing"], "nothing"),
        (["--only", "pair", "pair"], "'pair' is given twice"),
        (["--workers", "0"], "--workers"),
    ],
)
def test_bad_input_gets_one_line(
    arguments: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        run(tmp_path, *arguments)
    assert stop.value.code == 2
    shown = capsys.readouterr().err
    assert shown.startswith("results: error: ") and shown.count("\n") == 1
    assert words in shown


def test_an_agent_that_is_not_known(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = Plan((Stage("solo", ("greddy",), 1, 1, 1),), (), "greddy", ())
    with pytest.raises(SystemExit) as stop:
        results.main(["--folder", str(tmp_path)], plan)
    assert stop.value.code == 2
    assert "greddy" in capsys.readouterr().err


def test_the_ladder_is_a_sound_plan() -> None:
    names = [stage.name for stage in LADDER.stages]
    assert len(set(names)) == len(names)
    agents = {agent for stage in LADDER.stages for agent in stage.agents}
    assert {LADDER.anchor, *LADDER.balance} <= agents
    for claim in LADDER.claims:
        assert {claim.better, claim.worse} <= agents
    sizes = {stage.name: len(stage.games(quick=False)) for stage in LADDER.stages}
    assert sizes["solo"] == 4 * 3 * 2000
    assert sizes["greedy-random"] == sizes["expert-greedy"] == 2000
    for stage in LADDER.stages:
        assert 0 < stage.quick <= stage.deals
        few, all_ = set(stage.games(quick=True)), set(stage.games(quick=False))
        assert few <= all_ and len(all_) == len(stage.games(quick=False))


# --- what the page says -------------------------------------------------------------------------


def cells(records: list[GameRecord], better: str, worse: str) -> dict[str, list[str]]:
    sheet = claims_sheet(records, [Claim(better, worse)])
    return {row[1]: list(row[2:]) for row in sheet.rows}


def test_claims_are_computed() -> None:
    records = solo_games({"good": 80, "bad": 60}, 80)
    records += tournament({"good": 250, "bad": 0}, 2, 80, seed=1)
    found = cells(records, "good", "bad")
    assert list(found) == [
        "solo, normal",
        "solo, normal: wins",
        "solo, expert",
        "solo, expert: wins",
        "2 players",
        "2 players: wins",
    ]
    assert found["solo, normal"][0] == "80"
    difference = float(found["solo, normal"][1].split()[0])
    assert difference == pytest.approx(20, abs=3)
    assert found["solo, normal"][2] == "yes"
    share = float(found["2 players: wins"][1].split()[0])
    assert share == pytest.approx(100 / (1 + 10 ** (-250 / 400)), abs=8)
    assert found["2 players: wins"][2] == "yes"
    # The same, claimed the other way round.
    turned = cells(records, "bad", "good")
    assert float(turned["solo, normal"][1].split()[0]) == pytest.approx(-difference)
    assert turned["2 players"][2] == "yes, but the other way round"
    equal = tournament({"one": 0, "two": 0}, 2, 60)
    assert cells(equal, "one", "two")["2 players: wins"][2] == "no: not told apart"
    assert cells(equal, "one", "nobody") == {}


def test_the_ladder_table() -> None:
    records = solo_games({"good": 80, "bad": 60, "lonely": 10}, 20)
    records += tournament({"good": 150, "bad": 0}, 2, 40)
    sheet = ladder_sheet(records, "bad")
    assert sheet is not None
    assert [row[1] for row in sheet.rows] == ["good", "bad", "lonely"]
    assert [row[2] == "0" for row in sheet.rows] == [False, True, False]
    assert sheet.rows[2][2] == "–"  # it met nobody
    assert len(sheet.headings) == len(sheet.rows[0]) == 3 + 2 * 2
    assert ladder_sheet([], "bad") is None


def test_precision_tells_pairs_from_single_games() -> None:
    records = solo_games({"good": 80, "bad": 60}, 400, difficulties={"normal": 70})
    records += [ranked(deal, ("good", "bad"), (60 + deal % 5, 50)) for deal in range(20)]
    sheet = precision_sheet(records, [Claim("good", "bad")])
    assert sheet is not None
    table = {row[0]: row[1:] for row in sheet.rows}
    # Luck of the deal 8, own 6 and the Competition's 6; in a pair the deal's luck drops out.
    single = float(table["solo margin: good, normal"][0])
    assert single == pytest.approx((64 + 36 + 36) ** 0.5, rel=0.1)
    paired = float(table["paired difference: good – bad, normal"][0])
    assert paired == pytest.approx((4 * 36) ** 0.5, rel=0.1)
    width = float(table["solo margin: good, normal"][1].removeprefix("±"))
    assert width == pytest.approx(1.96 * single / 10, rel=0.02)
    assert any(name.startswith("margin, 2 players") for name in table)
