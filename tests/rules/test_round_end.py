"""§10 End of round (rulings N01-N06, D04, D10, D24)."""

from __future__ import annotations

import pytest

from .scenes import (
    at_home,
    edit,
    end_of_round,
    holds,
    legal,
    load,
    me,
    pieces,
    play,
    rulings,
    scene,
    section,
    shut,
    stand,
    turn_of,
)


@rulings("N01", "N02")
@section("7.3", "10.1")
@pytest.mark.parametrize(("number", "home"), [(1, 6), (2, 5), (3, 4)])
def test_everybody_comes_home_and_one_goes_to_the_box(number: int, home: int) -> None:
    s = scene(number=number)
    stand(stand(s, (0, 0), 0, 2), (1, 1), 1, 1)
    s = at_home(shut(s, 0, returned=1), 1, 0)
    game = play(load(turn_of(s, 1)), "close", "done")
    assert game.phase == "end_of_round"
    for p in (0, 1):
        holds(game, p, craftswomen=home, shop_craftswomen=0, shop="open")
    board = game.to_dict()["board"]
    assert board["spaces"] == [[None] * 3] * 3 and board["special"] == [0, 0]


@rulings("N02")
@section("10.1")
@pytest.mark.parametrize(("number", "expected"), [(1, 6), (2, 5)])
def test_craftswomen_in_the_next_round(number: int, expected: int) -> None:
    game = play(load(end_of_round(scene(3, number=number))), "done", "done", "done", "keep")
    assert (game.round, game.phase) == (number + 1, "turns")
    assert [me(game, p)["craftswomen"] for p in range(3)] == [expected] * 3


@rulings("N03")
@section("10.2")
def test_one_card_or_none_each_in_turn_order() -> None:
    s = scene(3)
    s["turn_order"] = [2, 0, 1]
    game = load(end_of_round(s))
    assert game.current_player == 2
    assert legal(game) == {"score:workshop", "score:glaze_kiln", "score:pot", "done"}
    play(game, "score:pot")
    holds(game, 2, endgame_played=["pot"], endgame_hand=["workshop", "glaze_kiln"], vp=0)
    assert game.current_player == 0
    play(game, "done")
    holds(game, 0, endgame_played=[], endgame_hand=["wheel", "esparto", "plate"])
    assert game.current_player == 1
    play(game, "score:jug")
    assert (game.phase, game.round) == ("market", 2)


@rulings("N04", "N03")
@section("10.2", "7.2.2")
def test_a_discarded_card_cannot_be_played_and_who_has_none_is_not_asked() -> None:
    s = edit(scene(3), 0, endgame_hand=["esparto"], endgame_discarded=["wheel", "plate"])
    edit(
        s, 1, endgame_hand=[], endgame_played=["cleanup", "firing_kiln"], endgame_discarded=["jug"]
    )
    game = load(end_of_round(s))
    assert legal(game) == {"score:esparto", "done"}
    play(game, "score:esparto")
    assert game.current_player == 2
    holds(game, 0, endgame_played=["esparto"], endgame_discarded=["wheel", "plate"])


@rulings("N04")
@section("10.2")
def test_three_cards_over_three_rounds() -> None:
    s = edit(scene(number=3), endgame_hand=["wheel"], endgame_played=["esparto", "plate"])
    game = play(load(end_of_round(s)), "score:wheel", "done")
    assert game.done
    assert sorted(me(game)["endgame_played"]) == ["esparto", "plate", "wheel"]


@rulings("D04", "D24", "N05")
@section("10.4")
@pytest.mark.parametrize(
    ("track", "order"),
    [
        ([None, None, None, None], [0, 1, 2, 3]),
        ([None, None, None, 2], [2, 0, 1, 3]),
        ([3, None, None, 2], [3, 2, 0, 1]),
        ([None, 3, 1, None], [3, 1, 0, 2]),
        ([None, 0, None, None], [0, 1, 2, 3]),
        ([3, 2, 1, 0], [3, 2, 1, 0]),
    ],
)
def test_markers_on_the_right_come_first_and_the_others_keep_their_order(
    track: list[int | None], order: list[int]
) -> None:
    s = scene(4)
    s["first_player_track"] = track
    game = play(load(end_of_round(s)), *["done"] * 4)
    assert game.to_dict()["turn_order"] == order
    assert game.to_dict()["first_player_track"] == [None] * 4
    assert game.current_player == order[0]  # asked for a re-roll


@rulings("D04")
@section("10.4")
def test_the_old_order_is_the_tracks_not_the_seats() -> None:
    s = scene(4)
    s["turn_order"] = [1, 3, 0, 2]
    s["first_player_track"] = [None, 0, None, None]
    game = play(load(end_of_round(s)), *["done"] * 4)
    assert game.to_dict()["turn_order"] == [0, 1, 3, 2]


@rulings("N01", "N05")
@section("10.4", "11.5")
def test_the_update_after_round_three_decides_the_token() -> None:
    s = scene(number=3)
    s["first_player_track"] = [None, 1]
    for p in (0, 1):
        edit(s, p, pg=0, glaze=0, clay=0)
    game = play(load(end_of_round(s)), "done", "done")
    assert game.done and game.to_dict()["turn_order"] == [1, 0]
    assert game.scores() == [0, 2]


@rulings("N06", "D17")
@section("10.3", "7.1")
def test_the_next_round_uses_its_own_demand() -> None:
    s = scene()
    s["market"]["position"] = {"plate": 12, "jug": 12, "pot": 12}
    s["turn_order"] = [1, 0]
    game = load(end_of_round(s))
    play(game, "done", "done")
    assert game.to_dict()["market"]["position"] == {"plate": 2, "jug": 1, "pot": 3}


@rulings("N01", "C01")
@section("6", "10.4")
def test_three_rounds_and_the_game_is_over() -> None:
    game = load(end_of_round(scene(number=3)))
    play(game, "done", "done")
    assert game.done and game.current_player is None
    assert game.legal_actions() == []


@rulings("N02", "I04")
@section("10.1")
def test_nothing_else_is_returned_at_the_end_of_a_round() -> None:
    s = edit(scene(), drying=pieces(plate=2), cleaning_area=5, clay=6, hand=["W01"])
    before = me(load(end_of_round(s)))
    game = play(load(end_of_round(s)), "done", "done", "keep")
    after = me(game)
    for name in ("drying", "cleaning_area", "clay", "hand", "pg", "glaze", "wheels", "donkey"):
        assert after[name] == before[name]
