"""§5.3 Component limitations (rulings M01-M07)."""

from __future__ import annotations

import pytest

from .scenes import (
    act,
    edit,
    holds,
    legal,
    load,
    offered,
    pieces,
    play,
    row,
    rulings,
    scene,
    section,
    shut,
    stand,
    supply,
    wheels,
)


@rulings("M01")
@section("5.3")
def test_perra_gorda_and_glazes_are_pools_of_value() -> None:
    # One player may hold all 54 and 42: ones and fives change freely.
    s = edit(edit(scene(), 1, pg=0, glaze=0), 0, pg=54, glaze=42)
    game = load(s)
    assert (supply(game)["pg"], supply(game)["glaze"]) == (0, 0)
    act(game, "clay", "clay:2")
    assert supply(game)["pg"] == 1


@rulings("M02")
@section("5.3")
@pytest.mark.parametrize(("left", "got"), [(9, 4), (4, 4), (3, 3), (1, 1)])
def test_a_gain_takes_what_is_left(left: int, got: int) -> None:
    s = edit(scene(), 1, pg=49 - left)
    edit(s, esparto=["E0", "E1", None, None])
    assert supply(load(s))["pg"] == left
    game = act(load(s), "esparto", "esparto:1:0", "done")
    holds(game, pg=5 + got)
    assert supply(game)["pg"] == left - got


@rulings("M02", "M05")
@section("5.3", "7.2.5")
def test_an_empty_supply_offers_nothing() -> None:
    s = edit(scene(), 1, pg=49, glaze=40)
    game = act(load(s), "esparto")
    assert legal(game) == {"esparto:0:0", "done"}  # clay has no supply
    s = shut(stand(edit(scene(), 1, pg=49, glaze=3), (1, 0), 1, 1), 1)
    game = play(load(s), "place:1,0")
    assert legal(game) == {"shop:clay", "shop:glaze"}


@rulings("M05", "B07")
@section("7.2.5")
def test_a_shop_reward_that_can_change_nothing_is_none() -> None:
    s = shut(stand(edit(scene(), 1, pg=49, glaze=40, clay=7), (1, 0), 1, 1), 1)
    game = play(load(s), "place:1,0")
    assert (game.current_player, game.turn_player) == (0, 0)
    holds(game, 1, pg=49, glaze=40, clay=7, shop_craftswomen=1)


@rulings("M03")
@section("5.1", "5.3")
def test_a_payment_can_be_gained_again_in_the_same_turn() -> None:
    s = edit(scene(), 1, pg=49)
    edit(s, hand=["E1"])
    game = load(s)
    assert supply(game)["pg"] == 0
    play(game, "special")
    assert "esparto:0:1" not in legal(play(game.clone(), "bonus:esparto"))
    game = act(load(s), "play", "play:E1", "slot:1", "clay:1")
    assert supply(game)["pg"] == 2
    play(game, "special", "done", "special", "bonus:esparto")
    assert "esparto:1:0" in legal(game)


@rulings("M04")
@section("5.3")
def test_contention_goes_by_the_order_of_effects() -> None:
    # Three perra gorda left: the closed owner's reward comes before the placer's gain.
    s = shut(stand(edit(scene(), 1, pg=46), (2, 1), 1, 1), 1)
    assert supply(load(s))["pg"] == 3
    game = play(load(s), "place:2,1", "shop:pg", "action:esparto")
    holds(game, 1, pg=49)
    assert "esparto:0:1" not in legal(game)


@rulings("M06")
@section("5.3", "7.2.3", "12.5")
def test_sold_pieces_never_return() -> None:
    s = edit(scene(1), firing_kilns=row("F00", pieces=["pot"]))
    edit(s, 1, sold=pieces(pot=3), pieces={"plate": None, "jug": None, "pot": "painted"})
    assert supply(load(s))["pot"] == 8 - 1 - 3 - 1


@rulings("M07")
@section("5.3", "8.1")
def test_discards_are_never_shuffled_in() -> None:
    s = scene()
    everything = load(s).to_dict()["decks"][0]
    s["discards"] = list(everything)
    game = act(load(s), "acquire", "take:0,0", "donkey:0,1")
    assert game.to_dict()["draft"][0] == [None, "E1", "W15", "E2", "W16"]
    assert sorted(game.to_dict()["discards"]) == sorted(everything)


@rulings("M05", "I03")
@section("5.3", "8.6")
def test_an_exhausted_type_of_piece() -> None:
    s = edit(scene(), 1, sold=pieces(jug=8))
    game = act(load(s), "throw", "throw:0")
    assert not any("jug" in name for name in offered(game, "shape"))


@rulings("M02")
@section("5.3", "9.7")
def test_the_supply_bonus_without_one_of_the_two() -> None:
    s = edit(scene(4), 1, pg=39)
    game = play(load(s), "place:1,4", "bonus:supply")
    assert legal(game) == {"gain:glaze", "done"}
    play(game, "gain:glaze")
    holds(game, glaze=4)
    edit(s, 1, pg=39, glaze=36)
    assert "bonus:supply" not in legal(play(load(s), "place:1,4"))


@rulings("M01", "O10")
@section("5.2")
def test_vp_are_a_plain_number() -> None:
    s = edit(scene(), vp=149, technology=2)
    game = act(load(s), "tech")
    holds(game, vp=151)
    assert game.scores() == [151, 0]


@rulings("M02")
@section("5.3", "8.5")
def test_a_wheel_gain_from_a_short_supply() -> None:
    s = edit(edit(scene(), 1, glaze=39), wheels=wheels(("SW1", 0), ("W15", 0)))
    s["draft"][0][2] = "W13"
    game = act(load(s), "throw", "throw:1")
    holds(game, glaze=3)


@rulings("M05", "M02")
@section("5.3", "9.7")
def test_the_supply_bonus_without_glazes() -> None:
    s = edit(scene(4), 1, glaze=36)
    game = play(load(s), "place:1,4", "bonus:supply")
    assert legal(game) == {"gain:pg", "done"}
