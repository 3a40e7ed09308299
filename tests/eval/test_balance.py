"""Tables of balance: they find what was put in, and nothing else."""

from __future__ import annotations

import itertools

import msgspec
import numpy as np
import pytest

from eval.balance import (
    Seats,
    as_markdown,
    levels,
    mode,
    start_sheets,
    strategy_sheet,
    turn_order_sheets,
    winners_sheets,
)
from eval.records import GameRecord
from eval.text import Sheet

from .synthetic import ranked, solo_games, tournament

SOLO = solo_games({"good": 85, "bad": 60}, 200)
TWO = tournament({"good": 0, "bad": -100}, 2, 100)


def with_bonus(record: GameRecord, wheel: str, vp: int) -> GameRecord:
    """The same game, with more VP for the agents that began with a wheel."""
    seats = [
        msgspec.structs.replace(seat, vp=seat.vp + vp * (seat.start_wheel == wheel))
        for seat in record.seats
    ]
    return msgspec.structs.replace(record, seats=tuple(seats))


def rows(sheet: Sheet) -> dict[str, list[str]]:
    return {row[0]: list(row[1:]) for row in sheet.rows}


def test_kinds_of_games() -> None:
    assert mode(SOLO[0]) == "solo, normal"
    assert mode(TWO[0]) == "2 players"
    assert Seats([*TWO, *SOLO]).modes == ["solo, normal", "solo, expert", "2 players"]
    with pytest.raises(ValueError, match="at least one game"):
        Seats([])


def test_par_is_of_the_same_agent_against_the_same_others() -> None:
    """So the difference between two agents and two difficulties drops out."""
    games = [ranked(i, ("a",), (100 + i % 2, 5), "normal") for i in range(40)]
    games += [ranked(i, ("b",), (10 + i % 2, 5), "expert") for i in range(40)]
    table = Seats(games)
    odd = table.deal % 2 == 1
    group = table.group("odd", odd)
    assert group is not None
    assert group.games == 40
    assert group.vp == 56
    assert group.difference.value == pytest.approx(0.5)
    assert table.group("none", odd & ~odd) is None


def test_a_wheel_that_is_worth_more_is_found() -> None:
    for games, kind in ((SOLO, "solo"), (TWO, "2–4 players")):
        fair = next(s for s in start_sheets(games) if s.title == f"Starting wheel, {kind}")
        sheet = next(
            s
            for s in start_sheets([with_bonus(game, "SW2", 6) for game in games])
            if s.title == f"Starting wheel, {kind}"
        )
        assert sum(int(cells[0].replace(",", "")) for cells in rows(sheet).values()) == (
            800 if kind == "solo" else 400
        )
        assert "SW2 (+" not in fair.note
        assert "SW2 (+" in sheet.note and "(-" in sheet.note
        value = float(rows(sheet)["SW2"][2].split()[0])
        chosen = np.mean([s.start_wheel == "SW2" for g in games for s in g.seats if s.start_wheel])
        assert value - float(rows(fair)["SW2"][2].split()[0]) == pytest.approx(
            6 * (1 - chosen), abs=0.4
        )


def test_a_place_in_turn_order_that_wins_is_found() -> None:
    games = []
    for deal in range(60):
        game = ranked(deal, ("m", "m"), (50, 40))
        first = deal % 4 == 0  # the winner is the first player in a quarter of the games
        seats = [
            msgspec.structs.replace(seat, first_turn=int((seat.place == 1) == first))
            for seat in game.seats
        ]
        games.append(msgspec.structs.replace(game, seats=tuple(seats)))
    (sheet,) = turn_order_sheets(games)
    assert sheet.title == "Place in the first turn order, 2 players"
    table = rows(sheet)
    assert table["1."][3].startswith("25.0 %")
    assert table["2."][3].startswith("75.0 %")
    assert "excludes that for: 1., 2." in sheet.note
    assert turn_order_sheets(SOLO) == []


def test_levels() -> None:
    assert levels(np.array([3, 3, 3])) == [(3, 3)]
    assert levels(np.array([0, 2, 2, 5])) == [(0, 0), (2, 2), (5, 5)]
    assert levels(np.arange(9)) == [(0, 2), (3, 5), (6, 8)]
    skew = levels(np.array([0] * 90 + [1, 2, 3, 4]))
    assert skew == [(0, 0), (1, 4)]
    rng = np.random.default_rng(0)
    for _ in range(50):
        counts = rng.poisson(rng.uniform(0.2, 9), 40)
        ranges = levels(counts)
        assert 1 <= len(ranges) <= 3
        assert sum(int(((counts >= a) & (counts <= b)).sum()) for a, b in ranges) == 40
        assert all(a <= b < c for (a, b), (c, _) in itertools.pairwise(ranges))


def test_a_strategy_that_goes_with_vp_is_found() -> None:
    games = []
    for deal in range(90):
        game = ranked(deal, ("good",), (60 + 10 * (deal % 3), 70), "normal")
        counts = {**game.seats[0].counts, "wheels": deal % 3, "esparto": 1}
        seat = msgspec.structs.replace(game.seats[0], counts=counts)
        games.append(msgspec.structs.replace(game, seats=(seat, game.seats[1])))
    sheet = strategy_sheet(games, "good")
    assert sheet is not None
    wheels = [row for row in sheet.rows if row[0] == "wheels completed"]
    assert [row[1] for row in wheels] == ["0", "1", "2"]
    assert [row[3] for row in wheels] == ["60.0", "70.0", "80.0"]
    assert wheels[0][5].startswith("0.0 %")
    assert wheels[2][5].startswith("100.0 %")
    assert not any(row[0] == "esparto cards" for row in sheet.rows)  # always one
    assert "correlations" in sheet.note
    assert strategy_sheet(games, "nobody") is None


def test_where_the_vp_of_winners_came_from() -> None:
    games = [ranked(deal, ("a", "b"), (50 + deal, 40)) for deal in range(3)]
    (sheet,) = winners_sheets(games)
    assert list(sheet.headings) == ["source", "winners (3)", "the others (3)", "difference"]
    table = rows(sheet)
    assert table["all"] == ["51.0", "40.0", "+11.0"]
    sales = [np.mean([g.seats[i].vp_from["sales"] for g in games]) for i in (0, 1)]
    assert table["sales"][0] == f"{sales[0]:.1f} ({100 * sales[0] / 51:.0f} %)"
    assert winners_sheets([]) == []
    assert winners_sheets([ranked(0, ("a",), (9, 1), "normal")]) == []  # nobody lost


def test_the_page() -> None:
    text = as_markdown([*SOLO, *TWO], ["good"])
    for title in (
        "### Place in the first turn order, 2 players",
        "### Starting wheel, solo",
        "### Starting resources, 2–4 players",
        "### What good had at the end",
        "### Where VP came from, solo, expert",
    ):
        assert title in text
    assert "What bad had" not in text
    assert "What bad had" in as_markdown(SOLO)
    assert text == as_markdown([*TWO, *SOLO][::-1], ["good"])
    assert as_markdown([]) == "No games.\n"
