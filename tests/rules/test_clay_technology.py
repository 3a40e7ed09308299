"""§8.3 Extract clay, §8.4 Technology (rulings G01-G03)."""

from __future__ import annotations

import pytest

from .scenes import (
    act,
    edit,
    holds,
    legal,
    load,
    play,
    rulings,
    scene,
    section,
    stand,
    supply,
    wheels,
)


@rulings("G01")
@section("8.3")
@pytest.mark.parametrize(
    ("pg", "amounts"), [(0, {1}), (1, {1, 2}), (2, {1, 2}), (3, {1, 2, 3}), (9, {1, 2, 3})]
)
def test_extract_what_can_be_paid(pg: int, amounts: set[int]) -> None:
    game = act(load(edit(scene(), pg=pg)), "clay")
    assert legal(game) == {f"clay:{n}" for n in amounts} | {"done"}


@rulings("G01", "M03")
@section("8.3")
@pytest.mark.parametrize(("amount", "price"), [(1, 0), (2, 1), (3, 3)])
def test_the_price_of_clay(amount: int, price: int) -> None:
    before = supply(load(scene()))["pg"]
    game = act(load(scene()), "clay", f"clay:{amount}")
    holds(game, clay=3 + amount, pg=5 - price, glaze=2, cleaning_area=0, vp=0)
    assert supply(game)["pg"] == before + price


@rulings("G01", "G02")
@section("5.1", "8.3")
def test_the_full_price_even_if_clay_is_lost() -> None:
    game = act(load(edit(scene(), clay=6)), "clay")
    assert legal(game) == {"clay:1", "clay:2", "clay:3", "done"}
    play(game, "clay:3")
    holds(game, clay=7, pg=2)


@rulings("G01")
@section("8.3")
def test_none_is_a_choice() -> None:
    game = act(load(scene()), "clay", "done")
    holds(game, clay=3, pg=5)


@rulings("G02")
@section("5.1")
def test_at_seven_clay_no_more_can_be_gained() -> None:
    s = edit(scene(), clay=7)
    assert "action:clay" not in legal(play(load(s), "discard:wheel"))
    assert "bonus:clay" not in legal(play(load(s), "place:1,0"))
    # Met on a wheel, the action ends by itself.
    game = act(load(edit(s, wheels=wheels(("SW1", 1)))), "throw", "throw:0")
    assert game.current_player == 1


@rulings("G02")
@section("5.1", "5.3")
def test_clay_has_no_supply() -> None:
    s = scene(4)
    for number in range(4):
        edit(s, number, clay=7)
    edit(s, 0, clay=0)
    game = act(load(s), "clay", "clay:3")
    holds(game, clay=3)
    assert "clay" not in supply(game)


@rulings("G03")
@section("8.4")
def test_technology_goes_up_one_and_pays_at_the_end_once() -> None:
    game = act(load(scene()), "tech")
    holds(game, technology=2, vp=0)
    game = act(load(edit(scene(), technology=2)), "tech")
    holds(game, technology=3, vp=2)
    menu = play(load(edit(scene(), technology=3)), "discard:wheel")
    assert "action:tech" not in legal(menu)


@rulings("G03")
@section("8.4")
def test_technology_at_the_end_does_nothing_where_it_is_met() -> None:
    s = edit(scene(), technology=3, wheels=wheels(("SW1", 0), ("W10", 1)))  # W10: shape tech shape
    game = play(load(s), "place:1,1", "bonus:throw", "throw:1")
    holds(game, technology=3, vp=0, wheels=wheels(("SW1", 0), ("W10", 2)))


@rulings("H02")
@section("8.4", "8.5")
@pytest.mark.parametrize("technology", (1, 2, 3))
def test_technology_is_the_number_of_steps(technology: int) -> None:
    s = edit(scene(), technology=technology, clay=0, wheels=wheels(("SW1", 0), ("W11", 0)))
    game = act(load(s), "throw")
    for _ in range(technology):
        play(game, "throw:1")  # shape play shape: nothing can be done, each resolves by itself
    assert game.current_player == 1
    holds(game, wheels=wheels(("SW1", 0), ("W11", technology)))


@rulings("B13", "H02")
@section("9.4")
def test_a_throw_bonus_does_not_depend_on_technology() -> None:
    s = stand(edit(scene(), technology=3, clay=0), (1, 1), 1, 1)
    game = play(load(s), "place:1,1", "bonus:throw", "throw:0", "throw:0", "done")
    holds(game, wheels=wheels(("SW1", 2)))
    assert "throw:0" not in legal(game)
