"""§8.7 Fire and §8.8 Paint (rulings I05-I12, D27)."""

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
    supply,
    wheels,
)

# --- fire -----------------------------------------------------------------------------------------


@rulings("I05", "D27")
@section("8.7")
def test_one_fire_moves_any_number_in_both_stages() -> None:
    s = edit(scene(), drying=pieces(plate=1, jug=1, pot=1), firing_kilns=row("F00", "F01"))
    edit(s, workshops=row("Y00", "Y02", pieces=["pot", "plate"]), glaze_kilns=row("G00", "G01"))
    game = act(load(s), "fire")
    assert legal(game) == {"fire:plate", "fire:jug", "fire:pot", "glaze:0", "glaze:1", "done"}
    play(game, "glaze:1", "fire:pot")
    assert legal(game) == {"fire:plate", "fire:jug", "glaze:0", "done"}
    play(game, "fire:plate")
    assert legal(game) == {"glaze:0", "done"}  # the firing kilns are full
    play(game, "glaze:0")
    assert game.current_player == 1
    holds(
        game,
        drying=pieces(jug=1),
        firing_kilns=row("F00", "F01", pieces=["pot", "plate"]),
        workshops=row("Y00", "Y02"),
        glaze_kilns=row("G00", "G01", pieces=["plate", "pot"]),
        pg=5,
        glaze=2,
        clay=3,
        cleaning_area=0,
    )


@rulings("I05")
@section("8.7")
@pytest.mark.parametrize("moves", (["fire:plate", "glaze:0"], ["glaze:0", "fire:plate"]))
def test_the_order_of_moves_does_not_matter(moves: list[str]) -> None:
    s = edit(scene(), drying=pieces(plate=1), workshops=row("Y00", pieces=["jug"]))
    game = act(load(s), "fire", *moves)
    holds(game, firing_kilns=row("F00", pieces=["plate"]))
    holds(game, glaze_kilns=row("G00", pieces=["jug"]))


@rulings("I05")
@section("8.7")
def test_no_piece_moves_twice_in_one_fire() -> None:
    s = edit(scene(), drying=pieces(plate=1), firing_kilns=row("F00", "F01"))
    game = act(load(s), "fire", "fire:plate")
    # From a firing kiln only Paint moves it on: the action has ended.
    assert game.current_player == 1
    holds(game, firing_kilns=row("F00", "F01", pieces=["plate"]), glaze_kilns=row("G00"))


@rulings("I05")
@section("8.7")
def test_a_fire_may_stop_at_any_time() -> None:
    s = edit(scene(), drying=pieces(plate=2), firing_kilns=row("F00", "F01"))
    game = act(load(s), "fire", "fire:plate", "done")
    holds(game, drying=pieces(plate=1))
    game = act(load(s), "fire", "done")
    holds(game, drying=pieces(plate=2))


@rulings("I06")
@section("8.7")
def test_kilns_are_alike_for_a_piece() -> None:
    kilns = row("F00", "F01", "F02", pieces=["jug", None, "jug"])
    s = edit(scene(), drying=pieces(plate=1), firing_kilns=kilns)
    game = act(load(s), "fire")
    assert offered(game, "fire") == {"fire:plate"}  # no choice of a kiln
    play(game, "fire:plate")
    holds(game, firing_kilns=row("F00", "F01", "F02", pieces=["jug", "plate", "jug"]))


@rulings("I07")
@section("8.7")
def test_a_full_kiln_takes_no_second_piece_and_gives_none_back() -> None:
    s = edit(scene(), drying=pieces(plate=1), firing_kilns=row("F00", pieces=["jug"]))
    edit(s, workshops=row("Y00", pieces=["pot"]), glaze_kilns=row("G00", pieces=["pot"]), pg=0)
    game = play(load(s), "discard:wheel")
    assert "action:fire" not in legal(game) and "action:paint" not in legal(game)


@rulings("I07", "MK08")
@section("8.7", "7.2.3")
def test_a_fired_piece_can_be_sold_at_once() -> None:
    s = edit(scene(), drying=pieces(plate=1), workshops=row("Y00", pieces=["pot"]))
    assert offered(load(s), "sell") == set()
    game = act(load(s), "fire", "fire:plate", "glaze:0")
    play(game, "special", "done")
    assert offered(game, "sell") == {"sell:plate", "sell:pot:painted"}


# --- paint ----------------------------------------------------------------------------------------


@rulings("I08")
@section("8.8")
def test_any_number_of_pieces_each_to_an_empty_workshop_of_choice() -> None:
    s = edit(scene(), glaze=5, firing_kilns=row("F00", "F01", "F02", pieces=["jug", "pot", "jug"]))
    edit(s, workshops=row("Y00", "Y02", "Y07", pieces=[None, "plate", None]))
    game = act(load(s), "paint")
    assert legal(game) == {"paint:jug@0", "paint:jug@2", "paint:pot@0", "paint:pot@2", "done"}
    play(game, "paint:pot@2")  # 1 glaze
    holds(game, glaze=4)
    assert legal(game) == {"paint:jug@0", "done"}
    play(game, "paint:jug@0")  # 2 glazes
    holds(game, glaze=2, workshops=row("Y00", "Y02", "Y07", pieces=["jug", "plate", "pot"]))
    assert game.current_player == 1  # a jug is left, but no workshop


@rulings("I08")
@section("8.8")
def test_partial_painting_and_what_can_be_paid() -> None:
    s = edit(scene(), glaze=2, firing_kilns=row("F00", "F01", pieces=["jug", "pot"]))
    edit(s, workshops=row("Y00", "Y02"))  # 2 glazes each
    game = act(load(s), "paint", "paint:jug@1")
    assert game.current_player == 1  # no glazes for the second
    holds(game, glaze=0, firing_kilns=row("F00", "F01", pieces=[None, "pot"]))
    game = act(load(edit(s, glaze=4)), "paint", "paint:jug@1", "done")
    holds(game, glaze=2)
    assert "action:paint" not in legal(play(load(edit(s, glaze=1)), "discard:wheel"))


@rulings("I09")
@section("8.8")
def test_a_choice_of_price_is_made_piece_by_piece() -> None:
    s = edit(scene(), glaze=4, firing_kilns=row("F00", "F01", pieces=["jug", "pot"]))
    edit(s, workshops=row("Y00", "Y01", "Y04", pieces=["plate"]))  # 2 glazes or 2 cracks
    game = act(load(s), "paint", "paint:jug@1")
    assert legal(game) == {"pay:glaze", "pay:crack"}
    play(game, "pay:crack")
    holds(game, glaze=4, cleaning_area=2)
    play(game, "paint:pot@2", "pay:glaze")
    holds(game, glaze=2, cleaning_area=2)
    holds(game, workshops=row("Y00", "Y01", "Y04", pieces=["plate", "jug", "pot"]))


@rulings("I09", "I10")
@section("8.8", "5.1")
def test_only_prices_that_can_be_paid_are_offered() -> None:
    s = edit(scene(), glaze=1, firing_kilns=row("F00", pieces=["jug"]))
    edit(s, workshops=row("Y00", "Y01", pieces=["plate"]))
    game = act(load(s), "paint", "paint:jug@1")
    assert legal(game) == {"pay:crack"}
    edit(s, glaze=2, cleaning_area=7)
    game = act(load(s), "paint", "paint:jug@1")
    assert legal(game) == {"pay:glaze"}
    assert "action:paint" not in legal(play(load(edit(s, glaze=1)), "discard:wheel"))


@rulings("I10", "J08")
@section("8.8", "5.1")
@pytest.mark.parametrize(("cracks", "second"), [(4, True), (5, False)])
def test_cracks_of_several_paintings_add_up(cracks: int, second: bool) -> None:
    s = edit(scene(), glaze=0, cleaning_area=cracks)
    edit(s, firing_kilns=row("F00", "F01", pieces=["jug", "pot"]))
    edit(s, workshops=row("Y00", "Y01", "Y04", pieces=["plate"]))
    game = act(load(s), "paint", "paint:jug@1", "pay:crack")
    holds(game, cleaning_area=cracks + 2)
    assert (game.current_player == 0) == second
    if second:
        play(game, "paint:pot@2", "pay:crack")
        holds(game, cleaning_area=8)


@rulings("I10", "J09")
@section("8.8", "5.3")
@pytest.mark.parametrize(("left", "possible"), [(3, True), (2, False)])
def test_painting_for_cracks_needs_tokens(left: int, possible: bool) -> None:
    s = edit(scene(4), cleaning_area=5, glaze=0, firing_kilns=row("F00", pieces=["jug"]))
    edit(s, workshops=row("Y00", "Y06"))  # Y06: 3 cracks
    for rival in (1, 2, 3):
        edit(s, rival, cleaning_area=8)
    if left == 2:
        edit(s, 1, cleanup=cleanup(C00=1))
    assert supply(load(s))["crack"] == left
    assert ("action:paint" in legal(play(load(s), "discard:wheel"))) == possible


@rulings("I08", "I10")
@section("8.8")
def test_a_price_of_glaze_and_crack_together() -> None:
    s = edit(scene(), firing_kilns=row("F00", pieces=["jug"]), workshops=row("Y00", "Y03"))
    game = act(load(s), "paint", "paint:jug@1")
    holds(game, glaze=1, cleaning_area=1)
    assert offered(act(load(edit(s, cleaning_area=8)), "paint"), "paint") == {"paint:jug@0"}


@rulings("I11")
@section("8.7", "8.8")
def test_painting_and_firing_may_cycle_within_a_turn() -> None:
    s = edit(scene(), technology=3, glaze=4, clay=0)
    edit(s, wheels=wheels(("SW1", 0), ("W07", 1)))  # shape paint fire
    edit(s, firing_kilns=row("F00", "F01", pieces=["jug", "pot"]))
    game = act(load(s), "throw", "throw:1", "paint:jug@0")
    play(game, "throw:1", "glaze:0")  # the workshop is empty again
    holds(game, workshops=row("Y00"), glaze_kilns=row("G00", pieces=["jug"]), vp=3)
    play(game, "done", "special", "done")
    act(game, "paint", "paint:pot@0")
    holds(game, workshops=row("Y00", pieces=["pot"]), glaze=0)


@rulings("I11")
@section("8.8")
def test_a_workshop_with_a_piece_takes_no_other() -> None:
    s = edit(scene(), glaze=9, firing_kilns=row("F00", pieces=["jug"]))
    edit(s, workshops=row("Y00", "Y02", pieces=["plate", None]))
    assert offered(act(load(s), "paint"), "paint") == {"paint:jug@1"}


@rulings("I08")
@section("8.8")
def test_only_fired_pieces_are_painted() -> None:
    s = edit(scene(), glaze=9, drying=pieces(plate=1), glaze_kilns=row("G00", pieces=["pot"]))
    assert "action:paint" not in legal(play(load(s), "discard:wheel"))
