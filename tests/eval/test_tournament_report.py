"""Tournaments as tables, JSON and Markdown."""

from __future__ import annotations

import importlib.util
import io
import json

import numpy as np
import pytest
from rich.console import Console

from eval.ratings import elo_ratings
from eval.records import GameRecord
from eval.tournament_report import (
    TournamentTable,
    as_json,
    as_markdown,
    print_report,
    tournament_tables,
)

from .synthetic import ranked, solo_games, tournament

TRUE = {"weak": -200.0, "middle": 0.0, "[red]strong": 150.0}
TWO, THREE = tournament(TRUE, 2, 30), tournament(TRUE, 3, 20)
MIRROR = [
    ranked(deal, ("m",) * 4, np.random.default_rng(deal).permutation(9)[:4].tolist())
    for deal in range(120)
]


def shown(records: list[GameRecord], width: int) -> str:
    console = Console(width=width, file=io.StringIO())
    print_report(console, records, title="Round robin")
    return console.file.getvalue()  # type: ignore[attr-defined,no-any-return]


def test_the_ranking() -> None:
    (table,) = tournament_tables(TWO)
    assert (table.players, table.deals, len(table.records)) == (2, 30, 180)
    assert [s.agent for s in table.standings] == ["[red]strong", "middle", "weak"]
    best = table.standings[0]
    own = [(g, s) for g in TWO for s in g.seats if s.agent == "[red]strong"]
    won = [s.place == 0 for _, s in own]
    assert best.games == 120
    assert best.win_rate.value == pytest.approx(np.mean(won))
    assert best.win_rate.low < np.mean(won) < best.win_rate.high
    assert best.place == pytest.approx(2 - np.mean(won))
    assert best.vp == pytest.approx(np.mean([s.vp for _, s in own]))
    margins = [2 * s.vp - sum(x.vp for x in g.seats) for g, s in own]
    assert best.margin.value == pytest.approx(np.mean(margins))
    elo = elo_ratings(TWO)
    assert best.elo == elo["[red]strong"]
    if importlib.util.find_spec("openskill"):
        assert best.skill is not None and best.skill.mu > 25


def test_the_margin_is_to_the_best_other_seat() -> None:
    games = [ranked(0, ("a", "b", "c"), (50, 80, 70))]
    margins = {s.agent: s.margin.value for s in TournamentTable(games).standings}
    assert margins == {"a": -30, "b": 10, "c": -10}
    level = TournamentTable([ranked(0, ("a", "b", "c"), (80, 80, 70))])
    assert {s.agent: s.margin.value for s in level.standings} == {"a": 0, "b": 0, "c": -10}


def test_who_is_placed_before_whom() -> None:
    (table,) = tournament_tables(THREE)
    for one in TRUE:
        for other in TRUE:
            share = table.before(one, other)
            if one == other:
                assert share is None
                continue
            counted = [
                next(s.place for s in g.seats if s.agent == one)
                < next(s.place for s in g.seats if s.agent == other)
                for g in THREE
            ]
            assert share is not None
            assert share.value == pytest.approx(np.mean(counted))
            back = table.before(other, one)
            assert back is not None and back.value == pytest.approx(1 - share.value)


def test_agents_that_never_met() -> None:
    games = [ranked(0, ("a", "b"), (9, 1)), ranked(1, ("b", "c"), (9, 1))]
    assert TournamentTable(games).before("a", "c") is None
    assert "–" in shown(games, 100)
    assert "not by win rate" in " ".join(shown(games, 100).split())
    assert "not by win rate" not in " ".join(shown([*TWO, *THREE, *MIRROR], 100).split())


def test_seats_of_a_mirror_match_bracket_an_even_share() -> None:
    (table,) = tournament_tables(MIRROR)
    assert table.neutral == 0.25
    for rates in (table.by_seat("m"), table.by_first_turn("m")):
        assert sum(r.value for r in rates if r) == pytest.approx(1)
        for rate in rates:
            assert rate is not None and rate.low < 0.25 < rate.high
    (standing,) = table.standings
    assert standing.games == 480
    assert standing.win_rate.value == 0.25
    assert standing.elo is None and standing.skill is None
    text = shown(MIRROR, 100)
    assert "no interval excludes 25.0 %" in text
    assert "beats" not in text and "before the column" not in text


def test_a_seat_that_wins_too_often_is_named() -> None:
    games = [ranked(deal, ("m", "m"), (9, 1 if deal % 5 else 12)) for deal in range(100)]
    text = shown(games, 100)
    assert "the interval of seat 0, seat 1 excludes 50.0 %" in text


def test_a_repeated_agent_beside_another() -> None:
    games = [ranked(deal, ("a", "b", "a"), (deal % 7, 3, 5)) for deal in range(70)]
    (table,) = tournament_tables(games)
    assert {s.agent: s.games for s in table.standings} == {"a": 140, "b": 70}
    share = table.before("a", "b")
    assert share is not None
    # Seat 0 is before b where it has at least as many VP (the lower seat); seat 2 always.
    assert share.value == pytest.approx((np.mean([d % 7 >= 3 for d in range(70)]) + 1) / 2)


@pytest.mark.parametrize("width", [100, 140])
def test_tables_fit_and_show_names_as_they_are(width: int) -> None:
    text = shown([*TWO, *THREE, *solo_games({"z": 1}, 2)], width)
    assert max(map(len, text.splitlines())) <= width
    assert "…" not in text
    assert "[red]strong" in text
    for words in ("Round robin: 2 players", "Round robin: 3 players", "wins 33.3 %", "seat 2"):
        assert words in text
    assert "z" not in [line.split()[0] for line in text.splitlines() if line.split()]


def test_separation_is_marked() -> None:
    games = [ranked(deal, ("a", "b"), (9, 1)) for deal in range(20)]
    text = shown(games, 100)
    assert "*" in text and "rest on the prior" in text
    data = as_json(games)["tables"][0]["ranking"]
    assert any(row["elo"]["separated"] for row in data)


def test_json() -> None:
    data = as_json([*THREE, *TWO], anchor="middle")
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    two, three = data["tables"]
    assert (two["players"], three["players"]) == (2, 3)
    assert (two["games"], two["deals"]) == (180, 30)
    assert [row["agent"] for row in two["ranking"]] == ["[red]strong", "middle", "weak"]
    assert two["ranking"][1]["elo"]["value"] == 0
    assert set(two["before"]["weak"]) == {"[red]strong", "middle"}
    assert len(three["by_seat"]["all"]) == 3
    assert set(three["by_first_turn"]) == {"all", *TRUE}
    assert data == as_json([*TWO, *THREE][::-1], anchor="middle")


def test_a_single_game_is_valid_json() -> None:
    data = as_json([ranked(0, ("a", "b"), (9, 1))])
    json.dumps(data, allow_nan=False)
    assert data["tables"][0]["ranking"][0]["margin"] == {"mean": 8, "low": None, "high": None}


def test_markdown() -> None:
    text = as_markdown(THREE)
    assert "### Tournament: 3 players" in text
    assert "### How often the row is placed before the column" in text
    assert "| 1. | [red]strong |" in text
    assert as_markdown([]) == ""
