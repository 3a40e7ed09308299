"""Solo games as tables, JSON and Markdown."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest
from rich.console import Console

import nijar_env
from eval.records import GameRecord
from eval.solo_report import (
    FORMAT,
    as_json,
    as_markdown,
    as_text,
    differences,
    print_table,
    solo_cells,
)
from eval.stats import bootstrap_interval, wilson_interval

from .synthetic import ranked, solo_games, tournament

BOX = nijar_env.load_box()
GAMES = solo_games({"good": 85, "[bold]bad|*one*": 60}, 60)


def shown(records: list[GameRecord], width: int, reference: str | None = None) -> str:
    console = Console(width=width, file=io.StringIO())
    print_table(console, records, BOX, 7, "0.1.0", reference=reference)
    return console.file.getvalue()  # type: ignore[attr-defined,no-any-return]


def test_the_numbers_of_a_cell() -> None:
    data = as_json(GAMES, BOX, 7, "the command", complete=True, reference=None)
    assert data["format"] == FORMAT
    assert data["complete"] is True
    assert (data["seed"], data["command"]) == (7, "the command")
    assert data["box"]["fingerprint"] == BOX.fingerprint
    names = [(cell["agent"], cell["difficulty"]) for cell in data["results"]]
    assert names == [
        ("good", "normal"),
        ("good", "expert"),
        ("[bold]bad|*one*", "normal"),
        ("[bold]bad|*one*", "expert"),
    ]
    own = [g for g in GAMES if g.difficulty == "normal" and g.seats[0].agent == "good"]
    cell = data["results"][0]
    vp = np.array([g.seats[0].vp for g in own])
    margin = vp - [g.seats[1].vp for g in own]
    wins = sum(g.seats[0].place == 0 for g in own)
    assert (cell["games"], cell["wins"]) == (60, wins)
    assert cell["win_rate"] == wilson_interval(wins, 60)._asdict()
    assert cell["own_vp"]["mean"] == pytest.approx(vp.mean())
    assert cell["own_vp"]["quantiles"]["0.9"] == pytest.approx(np.quantile(vp, 0.9))
    assert cell["margin"]["mean"] == pytest.approx(margin.mean())
    assert cell["margin"]["low"] == bootstrap_interval(margin).low
    assert sum(cell["vp_from"].values()) == pytest.approx(vp.mean())
    assert cell["decisions_per_game"] == 100
    assert cell["seconds_per_decision"] == pytest.approx(0.005)
    assert cell["games_per_second"] == pytest.approx(2)
    assert cell["per_game"]["number"] == list(range(60))
    assert cell["per_game"]["own_vp"] == vp.tolist()
    assert cell["difference"] is None


def test_differences_are_paired_by_deal() -> None:
    # The other agent has played other deals too, and in another order.
    mine = [ranked(deal, ("a",), (70 + deal + 3, 70), "normal") for deal in range(0, 40, 2)]
    other = [ranked(deal, ("b",), (70 + deal, 70), "normal") for deal in reversed(range(40))]
    (one,) = differences(solo_cells([*mine, *other]), "b")
    assert (one.agent, one.difficulty, one.pairs) == ("a", "normal", 20)
    assert one.margin == (3, 3, 3)  # the deals differ by up to 38, the pairs do not
    assert one.win_rate.value == pytest.approx(0)  # both win all of the shared deals but equal ones
    data = as_json([*mine, *other], BOX, 0, "", complete=True, reference="b")
    assert data["reference"] == "b"
    assert [c["difference"] and c["difference"]["pairs"] for c in data["results"]] == [20, None]


def test_a_reference_that_shares_no_deal_gives_no_difference() -> None:
    records = [ranked(0, ("a",), (9, 1), "normal"), ranked(1, ("b",), (9, 1), "normal")]
    assert differences(solo_cells(records), "b") == []
    assert differences(solo_cells(records), "nobody") == []
    assert "Difference" not in shown(records, 100, "b")


def test_the_order_of_the_records_does_not_matter() -> None:
    first = as_json(GAMES, BOX, 0, "", complete=True)
    second = as_json(GAMES[::-1], BOX, 0, "", complete=True)
    assert first == second


def test_games_of_several_players_are_passed_over() -> None:
    games = tournament({"x": 0, "y": 0}, 2, 3)
    assert as_json([*games, *GAMES], BOX, 0, "", complete=True) == as_json(
        GAMES, BOX, 0, "", complete=True
    )
    assert as_json(games, BOX, 0, "", complete=False)["results"] == []


def test_the_text_is_json_with_a_line_a_cell() -> None:
    data = as_json(GAMES, BOX, 0, "", complete=True, reference="good")
    text = as_text(data)
    assert json.loads(text) == data
    assert len(text.splitlines()) == len(data) - 1 + 3 + 4


def test_a_single_game_is_valid_json() -> None:
    data = as_json([ranked(0, ("a",), (9, 1), "expert")], BOX, 0, "", complete=False)
    assert json.loads(as_text(data))["results"][0]["margin"]["low"] is None


@pytest.mark.parametrize("width", [100, 140])
def test_tables_fit_and_show_names_as_they_are(width: int) -> None:
    text = shown(GAMES, width, "good")
    assert max(map(len, text.splitlines())) <= width
    assert "…" not in text
    assert text.count("[bold]bad|*one*") == 8  # twice in each of four tables
    for word in (
        "Competition",
        "Difference to good",
        "sales",
        "games/s",
        BOX.fingerprint,
        "seed 7",
    ):
        assert word in text
    rate = solo_cells(GAMES)[0].win_rate
    assert f"{100 * rate.value:.1f} %" in text
    assert f"[{100 * rate.low:.1f}, {100 * rate.high:.1f}]" in text


def test_markdown() -> None:
    text = as_markdown(GAMES, BOX, 7, "python -m x", reference="good")
    lines = text.splitlines()
    assert "### Solo games against the Competition" in lines
    tables = [line for line in lines if line.startswith("|")]
    assert any(line.startswith("| [bold]bad\\|\\*one\\* | normal | 60 |") for line in tables)
    for line in tables:
        assert line.endswith(" |")
    assert "`python -m x`" in text and BOX.fingerprint in text
