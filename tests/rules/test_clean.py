"""§8.9 Clean (rulings J01-J09, D07, D25)."""

from __future__ import annotations

import pytest

from .scenes import (
    act,
    cleanup,
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
    supply,
    wheels,
)

# C00: 2 spaces, 2 VP. C02: 3, 4 VP. C05: 2, 2 clay. C06: 3, 1 VP + play. C12: 2, 1 VP + fire.


@rulings("J01")
@section("8.9")
@pytest.mark.parametrize("cards", (1, 2, 3, 4))
def test_a_clean_is_of_as_many_cracks_as_cards_plus_one(cards: int) -> None:
    row = cleanup(C00=0, C02=0, C06=0, C07=0)[:cards]
    s = edit(scene(), cleaning_area=8, cleanup=row)
    game = act(load(s), "clean")
    done = 0
    while choices := offered(game, "clean"):
        play(game, max(choices))
        done += 1
    assert done == cards + 1
    holds(game, cleaning_area=8 - done)


@rulings("J02")
@section("8.9", "8.2")
def test_fewer_cracks_or_stopping_early() -> None:
    game = act(load(edit(scene(), cleaning_area=1)), "clean", "clean:0")
    holds(game, cleaning_area=0, cleanup=cleanup(C00=1))
    assert game.current_player == 1
    game = act(load(edit(scene(), cleaning_area=3)), "clean", "clean:0", "done")
    holds(game, cleaning_area=2, cleanup=cleanup(C00=1))
    game = act(load(edit(scene(), cleaning_area=3)), "clean", "done")
    holds(game, cleaning_area=3, cleanup=cleanup(C00=0))


@rulings("J02")
@section("8.9")
def test_a_clean_stopped_with_a_full_card_still_pays_it() -> None:
    s = edit(scene(), cleaning_area=3, cleanup=cleanup(C00=1, C02=0))
    game = act(load(s), "clean", "clean:0", "done", "reward:0")
    holds(game, vp=2, cleaning_area=2, cleanup=cleanup(C00=0, C02=0))


@rulings("J03")
@section("8.9")
def test_onto_a_card_of_choice_while_a_space_is_empty() -> None:
    s = edit(scene(), cleaning_area=5, cleanup=cleanup(C00=1, C02=2, C05=0))
    game = act(load(s), "clean")
    assert legal(game) == {"clean:0", "clean:1", "clean:2", "done"}
    play(game, "clean:1")
    assert legal(game) == {"clean:0", "clean:2", "done"}  # not to the supply
    play(game, "clean:2", "clean:2")
    assert legal(game) == {"clean:0", "done"}
    holds(game, cleaning_area=2, cleanup=cleanup(C00=1, C02=3, C05=2), vp=0)


@rulings("J03", "J04", "D07")
@section("8.9")
def test_cards_stay_full_until_the_clean_is_over() -> None:
    s = edit(scene(), cleaning_area=4, cleanup=cleanup(C00=1, C05=1), clay=0)
    before = supply(load(s))["crack"]
    game = act(load(s), "clean", "clean:0", "clean:1")
    # Both are full and not yet emptied: the third crack goes to the supply.
    assert legal(game) == {"clean:supply", "done"}
    play(game, "clean:supply")
    assert legal(game) == {"reward:0", "reward:1", "done"}
    holds(game, vp=0, clay=0, cleaning_area=1, cleanup=cleanup(C00=0, C05=0))
    assert supply(game)["crack"] == before + 5
    play(game, "reward:1", "reward:0")
    holds(game, vp=2, clay=2)


@rulings("J04")
@section("8.9")
def test_rewards_in_any_order_each_with_what_it_triggers() -> None:
    s = edit(scene(), cleaning_area=3, cleanup=cleanup(C06=2, C00=1), hand=["C01"], pg=3)
    s["players"][0]["cleanup"] = s["players"][0]["cleanup"][::-1]
    game = act(load(s), "clean", "clean:0", "clean:1", "clean:supply")
    play(game, "reward:1")  # 1 VP, then Play a Card
    assert legal(game) == {"play:C01", "done"}
    holds(game, vp=1)
    play(game, "play:C01")
    assert legal(game) == {"reward:0", "done"}
    play(game, "reward:0")
    holds(game, vp=3, cleanup=cleanup(C00=0, C06=0, C01=0))


@rulings("J05")
@section("8.9")
def test_rewards_may_be_declined_and_cards_are_used_again() -> None:
    s = edit(scene(), cleaning_area=8, cleanup=cleanup(C00=0))
    game = act(load(s), "clean", "clean:0", "clean:0", "done")
    holds(game, vp=0, cleanup=cleanup(C00=0))
    for vp in (2, 4):
        play(game, "special", "done")
        act(game, "clean", "clean:0", "clean:0", "reward:0")
        holds(game, vp=vp, cleanup=cleanup(C00=0))


@rulings("J05")
@section("8.9")
def test_one_of_two_rewards_may_be_declined() -> None:
    s = edit(scene(), cleaning_area=2, cleanup=cleanup(C00=1, C05=1))
    game = act(load(s), "clean", "clean:0", "clean:1", "reward:1", "done")
    holds(game, vp=0, clay=5)
    assert game.current_player == 1


@rulings("J06")
@section("9.5", "8.9")
def test_a_single_clean_goes_onto_a_card_and_completes_it_at_once() -> None:
    s = shut(edit(scene(), cleaning_area=2, cleanup=cleanup(C00=1, C05=0)), 0)
    game = play(load(s), "bonus:clean")
    assert legal(game) == {"clean:0", "clean:1", "done"}  # never to the supply
    play(game, "clean:0")
    assert legal(game) == {"reward:0", "done"}
    play(game, "reward:0")
    holds(game, vp=2, cleaning_area=1, cleanup=cleanup(C00=0, C05=0))
    assert game.current_player == 1


@rulings("J06", "D25")
@section("8.10", "5.1")
def test_the_esparto_clean_frees_a_space_too() -> None:
    s = edit(scene(), cleaning_area=8, esparto=["E0", "E1", None, None])
    game = act(load(s), "esparto", "esparto:1:1", "clean:0")
    holds(game, cleaning_area=7, cleanup=cleanup(C00=1))
    assert offered(game, "esparto") == {"esparto:0:0", "esparto:0:1"}  # back to the other card


@rulings("J07")
@section("5.1", "11.4")
def test_cracks_on_cards_leave_the_cleaning_area_free() -> None:
    s = edit(scene(), cleaning_area=6, cleanup=cleanup(C00=1, C02=2), hand=["W09"])
    game = act(load(s), "play", "play:W09", "slot:1", "done")
    holds(game, cleaning_area=8, cleanup=cleanup(C00=1, C02=2))


@rulings("J08")
@section("5.1")
def test_an_effect_with_cracks_is_taken_whole_or_not_at_all() -> None:
    # Room for one: a cost of one crack is fine, two are not, and nothing is taken in part.
    s = edit(scene(), cleaning_area=7, hand=["W10", "Y02"], glaze=0)
    edit(s, firing_kilns=row("F00", pieces=["jug"]), workshops=row("Y00", "Y12", "Y01"))
    s["draft"][1][3] = "C09"
    assert offered(act(load(s), "play"), "play") == {"play:W10"}
    assert offered(act(load(s), "paint"), "paint") == {"paint:jug@1"}  # Y12: 1 crack, Y01: 2


@rulings("J09")
@section("5.3", "8.6")
def test_a_dry_crack_supply_makes_crack_costs_illegal_until_tokens_return() -> None:
    s = edit(scene(4), cleaning_area=6, hand=["Y02"], cleanup=cleanup(C00=1))
    for rival in (1, 2, 3):
        edit(s, rival, cleaning_area=8)
    edit(s, 1, cleanup=cleanup(C00=1))
    assert supply(load(s))["crack"] == 0
    game = load(s)
    assert "action:play" not in legal(play(game.clone(), "discard:wheel"))
    act(game, "clean", "clean:0", "done", "reward:0")  # two tokens come back
    assert supply(game)["crack"] == 2
    play(game, *["special", "done"] * 3)
    assert "action:play" in legal(play(game, "discard:esparto"))


@rulings("J01", "M03")
@section("8.9")
def test_a_wheel_space_may_clean() -> None:
    s = edit(scene(), technology=1, cleaning_area=8, wheels=wheels(("SW5", 3)))
    edit(s, 1, wheels=wheels(("SW2", 0)))
    game = act(load(s), "throw", "throw:0", "clean:0", "clean:0", "reward:0")
    holds(game, vp=4, cleaning_area=6, wheels=wheels(("SW5", "done")))  # 2 VP each


@rulings("J04", "B09")
@section("8.9", "8.7")
def test_a_reward_with_fire() -> None:
    s = edit(scene(), cleaning_area=2, drying=pieces(plate=1))
    s["draft"][1][4] = "C09"
    edit(s, cleanup=[{"card": "C00", "cracks": 0}, {"card": "C12", "cracks": 1}])
    game = act(load(s), "clean", "clean:1", "clean:0")
    play(game, "reward:1", "fire:plate")
    holds(game, vp=1, firing_kilns=row("F00", pieces=["plate"]), cleanup=cleanup(C00=1, C12=0))
