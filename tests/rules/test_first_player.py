"""§8.11 First Player action (rulings L01-L07, D02, D24, D28)."""

from __future__ import annotations

import pytest

from .scenes import (
    act,
    edit,
    end_of_round,
    holds,
    legal,
    load,
    offered,
    play,
    rulings,
    scene,
    section,
    stand,
    supply,
    turn_of,
)

# 2 players: -2 +2; 3 players: -2 0 +2; 4 players: -2 0 +1 +2.


@rulings("L01")
@section("8.11")
@pytest.mark.parametrize(
    ("players", "space", "amount"),
    [(2, 0, -2), (2, 1, 2), (3, 1, 0), (3, 2, 2), (4, 0, -2), (4, 2, 1), (4, 3, 2)],
)
def test_marker_then_payment_then_any_action(players: int, space: int, amount: int) -> None:
    before = supply(load(scene(players)))["pg"]
    game = act(load(scene(players)), "first_player", f"track:{space}")
    track = [None] * players
    track[space] = 0  # type: ignore[call-overload]
    assert game.to_dict()["first_player_track"] == track
    holds(game, pg=5 + amount, glaze=2, clay=3, cleaning_area=0, vp=0)
    assert supply(game)["pg"] == before - amount
    assert "action:tech" in legal(game) and "action:first_player" not in legal(game)
    play(game, "action:tech")
    holds(game, technology=2)
    assert game.current_player == 1


@rulings("L01")
@section("8.11")
def test_the_action_may_be_skipped_and_the_marker_stays() -> None:
    game = act(load(scene()), "first_player", "track:1", "done")
    assert game.to_dict()["first_player_track"] == [None, 0]
    holds(game, pg=7)
    assert game.current_player == 1


@rulings("L01", "L02")
@section("8.11")
def test_only_empty_spaces_that_can_be_paid() -> None:
    s = scene(4)
    s["first_player_track"] = [None, 2, None, None]
    assert offered(act(load(s), "first_player"), "track") == {"track:0", "track:2", "track:3"}
    edit(s, pg=1)
    assert offered(act(load(s), "first_player"), "track") == {"track:2", "track:3"}


@rulings("L02")
@section("8.11")
def test_without_a_space_the_action_cannot_be_performed() -> None:
    s = edit(scene(), pg=1)
    s["first_player_track"] = [None, 1]
    assert "action:first_player" not in legal(play(load(s), "discard:wheel"))
    assert "action:first_player" in legal(play(load(edit(s, pg=2)), "discard:wheel"))


@rulings("L03", "B25")
@section("8.11")
def test_once_a_round_whatever_the_source() -> None:
    s = scene()
    s["first_player_track"] = [None, 0]
    assert "action:first_player" not in legal(play(load(s), "place:2,0"))
    assert "action:first_player" not in legal(play(load(s), "discard:wheel"))
    assert "action:first_player" in legal(play(load(turn_of(s, 1)), "place:2,0"))


@rulings("L03")
@section("8.11", "10.4")
def test_again_in_the_next_round() -> None:
    s = scene()
    s["first_player_track"] = [None, 0]
    game = play(load(end_of_round(s)), "done", "done", "keep")
    assert game.to_dict()["first_player_track"] == [None, None]
    assert "action:first_player" in legal(play(game, "place:2,0"))


@rulings("L04", "M02")
@section("5.3", "8.11")
def test_gaining_from_a_short_supply() -> None:
    s = edit(scene(), 1, pg=48)
    assert supply(load(s))["pg"] == 1
    game = act(load(s), "first_player", "track:1", "done")
    holds(game, pg=6)
    assert supply(game)["pg"] == 0


@rulings("L05")
@section("8.11")
@pytest.mark.parametrize("players", (2, 3, 4))
def test_there_is_a_space_for_every_player(players: int) -> None:
    s = scene(players)
    s["first_player_track"] = [None, *range(1, players)]
    assert len(s["first_player_track"]) == players
    game = act(load(s), "first_player")
    assert legal(game) == {"track:0", "done"}


@rulings("L06", "B08")
@section("8.11", "7.2.1.1")
def test_the_column_bonus_comes_as_well() -> None:
    game = play(load(stand(scene(), (2, 0), 1, 1)), "place:2,0", "bonus:clay")
    play(game, "action:first_player", "track:1", "action:tech", "bonus:clay")
    holds(game, clay=5, pg=7, technology=2)


@rulings("L07", "D04", "D24")
@section("10.4")
def test_the_own_later_place_comes_from_the_track_alone() -> None:
    s = end_of_round(scene(4))
    s["first_player_track"] = [None, None, None, 3]
    game = play(load(s), *["done"] * 4)
    assert game.to_dict()["turn_order"] == [3, 0, 1, 2]


@rulings("D02")
@section("8.11")
def test_first_player_gives_no_single_moves() -> None:
    game = act(load(edit(scene(), cleaning_area=1)), "first_player", "track:1")
    assert all(n == "done" or n.startswith("action:") for n in legal(game))
    play(game, "action:clean", "clean:0")  # a whole Clean
    holds(game, cleaning_area=0)


@rulings("D28")
@section("8.11", "4.1")
def test_the_action_is_on_one_tile_of_its_row() -> None:
    for space, there in (("0,0", False), ("1,0", False), ("2,0", True)):
        menu = legal(play(load(scene()), f"place:{space}"))
        assert ("action:first_player" in menu) == there
