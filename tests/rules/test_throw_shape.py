"""§8.5 Throw and §8.6 Shape (rulings H01-H11, I01-I04, D06, D23)."""

from __future__ import annotations

import pytest

from .scenes import (
    act,
    cleanup,
    edit,
    holds,
    legal,
    load,
    me,
    offered,
    pieces,
    play,
    rulings,
    scene,
    section,
    supply,
    wheels,
)

ONE = {"shape:plate", "shape:jug", "shape:pot"}
PAIRS = {
    f"shape:{pair}"
    for pair in ("plate+plate", "plate+jug", "plate+pot", "jug+jug", "jug+pot", "pot+pot")
}

# SW1: shape clay shape play; SW4: play shape paint shape; W05: shape shape; W10: shape tech shape.


# --- throw ----------------------------------------------------------------------------------------


@rulings("H01")
@section("8.5")
def test_each_step_is_resolved_before_the_next() -> None:
    s = edit(scene(), technology=3)
    game = act(load(s), "throw", "throw:0")
    assert offered(game, "throw") == set()
    assert legal(game) == ONE | PAIRS | {"done"}
    play(game, "shape:plate")
    assert legal(game) == {"throw:0", "done"}
    play(game, "throw:0", "clay:1", "throw:0", "shape:jug")
    holds(game, wheels=wheels(("SW1", 3)), drying=pieces(plate=1, jug=1), clay=2)
    assert game.current_player == 1  # the third step was the last


@rulings("H01")
@section("8.5")
def test_steps_divided_among_vases_in_the_order_they_advance() -> None:
    s = edit(scene(), technology=2, wheels=wheels(("SW1", 1), ("W02", 0)), pg=0)
    game = act(load(s), "throw")
    assert legal(game) == {"throw:0", "throw:1", "done"}
    play(game, "throw:1")
    assert legal(game) == {"clay:1", "done"}
    play(game, "clay:1", "throw:0")
    assert legal(game) == {"clay:1", "done"}
    play(game, "done")
    holds(game, wheels=wheels(("SW1", 2), ("W02", 1)), clay=4)


@rulings("H02")
@section("8.4", "8.5")
@pytest.mark.parametrize(("technology", "steps"), [(1, 1), (2, 2)])
def test_technology_raised_during_a_throw_adds_no_steps(technology: int, steps: int) -> None:
    s = edit(scene(), technology=technology, clay=0, wheels=wheels(("SW1", 3), ("W10", 1)))
    game = act(load(s), "throw", "throw:1")
    holds(game, technology=technology + 1)
    for _ in range(steps - 1):
        play(game, "throw:1")
    assert game.current_player == 1
    holds(game, wheels=wheels(("SW1", 3), ("W10", "done" if steps == 2 else 2)))


@rulings("H03")
@section("8.2", "8.5")
def test_a_wheel_played_during_a_throw_may_use_the_steps_left() -> None:
    s = edit(scene(), technology=2, wheels=wheels(("SW4", 0)), hand=["W05"])
    game = act(load(s), "throw", "throw:0", "play:W05", "slot:1", "done")
    assert legal(game) == {"throw:0", "throw:1", "done"}
    play(game, "throw:1", "done")
    holds(game, wheels=wheels(("SW4", 1), ("W05", 1)))
    assert game.current_player == 1


@rulings("H04")
@section("8.5")
def test_a_nested_throw_has_its_own_budget_and_ends_first() -> None:
    s = edit(scene(), technology=2, clay=0, wheels=wheels(("SW4", 0)), hand=["W14"], pg=5)
    s["draft"][0][0] = "W13"
    game = act(load(s), "throw", "throw:0", "play:W14", "slot:4")
    # W14: shape fire shape paint fire; nothing can be done on them.
    play(game, "throw:4", "throw:4")
    assert legal(game) == {"throw:0", "throw:4", "done"}  # the outer throw's second step
    play(game, "throw:4")
    assert game.current_player == 1
    holds(game, wheels=wheels(("SW4", 1), None, None, None, ("W14", 3)))


@rulings("H05", "D32")
@section("8.5")
def test_a_skipped_benefit_is_lost() -> None:
    game = act(load(scene()), "throw", "throw:0", "done")
    holds(game, wheels=wheels(("SW1", 1)), drying=pieces(), clay=3)
    play(game, "special", "done")
    act(game, "throw", "throw:0")
    assert offered(game, "shape") == set()
    assert "clay:1" in legal(game)


@rulings("H06")
@section("8.4", "8.5")
def test_stopping_early_or_at_once() -> None:
    s = edit(scene(), technology=3)
    game = act(load(s), "throw", "done")
    holds(game, wheels=wheels(("SW1", 0)))
    game = act(load(s), "throw", "throw:0", "done", "done")
    holds(game, wheels=wheels(("SW1", 1)))
    assert game.current_player == 1


@rulings("H07", "D23")
@section("8.5")
def test_the_last_benefit_comes_before_the_slot_and_its_vp() -> None:
    s = edit(scene(), wheels=wheels(("SW1", 3)), hand=["C01"])
    game = act(load(s), "throw", "throw:0")
    holds(game, vp=0, wheels=wheels(("SW1", 4)))
    assert legal(game) == {"play:C01", "done"}
    play(game, "play:C01")
    holds(game, vp=2, wheels=wheels(("SW1", "done")))


@rulings("H07")
@section("8.5")
def test_completion_vp_even_if_the_benefit_is_skipped_or_impossible() -> None:
    s = edit(scene(), wheels=wheels(("SW1", 3)), hand=["C01"])
    game = act(load(s), "throw", "throw:0", "done")
    holds(game, vp=2, wheels=wheels(("SW1", "done")))
    game = act(load(edit(s, hand=[])), "throw", "throw:0")
    holds(game, vp=2, wheels=wheels(("SW1", "done")))


@rulings("H07")
@section("8.5")
def test_the_move_to_the_slot_costs_no_step() -> None:
    s = edit(scene(), technology=2, clay=0, wheels=wheels(("SW1", 3), ("W05", 0)))
    game = act(load(s), "throw", "throw:0")
    assert legal(game) == {"throw:1", "done"}


@rulings("H08")
@section("8.5")
def test_a_vase_on_its_last_space_cannot_be_moved_by_a_throw_of_its_benefit() -> None:
    s = edit(scene(), wheels=wheels(("SW1", 3)), hand=["W05"], clay=0)
    game = act(load(s), "throw", "throw:0", "play:W05", "slot:4")
    assert legal(game) == {"throw:4", "done"}
    holds(game, vp=2)  # W05 when played; SW1 is not completed yet
    play(game, "throw:4")
    holds(game, vp=4, wheels=wheels(("SW1", "done"), None, None, None, ("W05", 1)))


@rulings("H09")
@section("8.5", "11.2")
def test_a_completed_wheel_is_out_of_throws() -> None:
    s = edit(scene(), wheels=wheels(("SW1", "done"), ("W05", 0)))
    assert offered(act(load(s), "throw"), "throw") == {"throw:1"}
    edit(s, wheels=wheels(("SW1", "done")))
    assert "action:throw" not in legal(play(load(s), "discard:wheel"))
    assert "bonus:throw" not in legal(play(load(s), "place:1,1"))


@rulings("H10")
@section("8.2", "8.5")
def test_the_grey_space_gives_nothing() -> None:
    s = edit(scene(), hand=["W05"], wheels=wheels(("SW1", 0)))
    game = act(load(s), "play", "play:W05", "slot:1")
    assert offered(game, "shape") == set()  # only the clay of the board's space
    play(game, "done")
    assert game.current_player == 1


@rulings("H11")
@section("5.3", "8.2")
def test_there_is_a_vase_for_every_wheel_of_the_box() -> None:
    s = edit(scene(4), hand=["W16"])
    s["draft"][0] = ["E1", "E1", "E1", "E1", "E2"]
    number = 1
    for seat in range(4):
        cards = [(f"SW{seat + 1}", 0)]
        for _ in range(4 if seat else 3):
            cards.append((f"W{number:02}", 0))
            number += 1
        edit(s, seat, wheels=wheels(*cards))
    assert number == 16
    game = load(s)
    assert supply(game)["vase"] == 1
    act(game, "play", "play:W16", "slot:4")
    assert supply(game)["vase"] == 0


@rulings("D23")
@section("8.5")
@pytest.mark.parametrize(
    ("card", "spaces", "vp"), [("W06", 4, 4), ("W12", 4, 5), ("W14", 5, 6), ("W15", 3, 1)]
)
def test_the_vp_of_a_completed_wheel(card: str, spaces: int, vp: int) -> None:
    s = edit(scene(), clay=0, wheels=wheels(("SW1", 0), (card, spaces - 1)), pg=0)
    s["draft"][0] = ["E1", "E1", "E1", "E1", "E2"]
    game = act(load(s), "throw", "throw:1")
    play(game, *["done"] * (game.current_player == 0))
    holds(game, vp=vp, wheels=wheels(("SW1", 0), (card, "done")))


@rulings("H01", "M02")
@section("8.5")
def test_a_space_with_a_fixed_gain() -> None:
    s = edit(scene(), clay=0, technology=3, wheels=wheels(("SW1", 0), ("W15", 0)))
    s["draft"][0][2] = "W13"
    game = act(load(s), "throw", "throw:1")  # 2 glazes, then shape, then 2 pg
    holds(game, glaze=4)
    play(game, "throw:1", "throw:1")
    holds(game, pg=7, vp=1, wheels=wheels(("SW1", 0), ("W15", "done")))


# --- shape ----------------------------------------------------------------------------------------


@rulings("I01")
@section("8.6")
def test_one_two_or_no_pieces() -> None:
    game = act(load(scene()), "throw", "throw:0")
    assert legal(game) == ONE | PAIRS | {"done"}
    none = play(game.clone(), "done")
    holds(none, clay=3, cleaning_area=0, drying=pieces())


@rulings("I01", "D06")
@section("8.6")
@pytest.mark.parametrize(
    ("choice", "shaped", "clay", "cracks"),
    [
        ("plate", {"plate": 1}, 1, 0),
        ("jug", {"jug": 1}, 1, 0),
        ("pot", {"pot": 1}, 1, 0),
        ("plate+plate", {"plate": 2}, 2, 2),
        ("plate+jug", {"plate": 1, "jug": 1}, 2, 2),
        ("plate+pot", {"plate": 1, "pot": 1}, 2, 2),
        ("jug+jug", {"jug": 2}, 2, 2),
        ("jug+pot", {"jug": 1, "pot": 1}, 2, 2),
        ("pot+pot", {"pot": 2}, 2, 2),
    ],
)
def test_shape_pays_clay_and_two_pieces_gain_two_cracks(
    choice: str, shaped: dict[str, int], clay: int, cracks: int
) -> None:
    before = supply(load(scene()))
    game = act(load(scene()), "throw", "throw:0", f"shape:{choice}")
    holds(game, clay=3 - clay, cleaning_area=cracks, drying=pieces(**shaped), pg=5, glaze=2)
    after = supply(game)
    assert after["crack"] == before["crack"] - cracks
    for piece in ("plate", "jug", "pot"):
        assert after[piece] == before[piece] - shaped.get(piece, 0)


@rulings("I01", "I02", "D06", "J08")
@section("5.1", "8.6")
@pytest.mark.parametrize(
    ("clay", "cracks", "choices"),
    [
        (0, 0, set()),
        (1, 0, ONE),
        (2, 6, ONE | PAIRS),
        (2, 7, ONE),
        (7, 8, ONE),
    ],
)
def test_clay_and_room_limit_the_shape(clay: int, cracks: int, choices: set[str]) -> None:
    s = edit(scene(), clay=clay, cleaning_area=cracks, pg=0, glaze=0)
    game = act(load(s), "throw", "throw:0")
    assert offered(game, "shape") == choices


@rulings("I02", "J09")
@section("5.3", "8.6")
def test_two_pieces_need_two_cracks_in_the_supply() -> None:
    s = edit(scene(4), cleaning_area=5)
    for rival in (1, 2, 3):
        edit(s, rival, cleaning_area=8)
    edit(s, 1, cleanup=cleanup(C00=1))
    assert supply(load(s))["crack"] == 2
    assert offered(act(load(s), "throw", "throw:0"), "shape") == ONE | PAIRS
    edit(s, 2, cleanup=cleanup(C00=1))
    assert supply(load(s))["crack"] == 1
    assert offered(act(load(s), "throw", "throw:0"), "shape") == ONE


@rulings("I02", "I03")
@section("5.3", "8.6")
def test_pieces_must_be_left_in_the_supply() -> None:
    s = edit(scene(), 1, sold=pieces(plate=8, jug=7))
    game = act(load(s), "throw", "throw:0")
    assert offered(game, "shape") == {"shape:jug", "shape:pot", "shape:jug+pot", "shape:pot+pot"}
    edit(s, 1, sold=pieces(plate=8, jug=7, pot=8))
    game = act(load(s), "throw", "throw:0")
    assert offered(game, "shape") == {"shape:jug"}  # not two with one left
    edit(s, 1, sold=pieces(plate=8, jug=8, pot=8))
    game = act(load(s), "throw", "throw:0")
    assert game.current_player == 1


@rulings("I04")
@section("8.6")
def test_the_drying_area_has_no_limit() -> None:
    s = edit(scene(4), drying=pieces(plate=14, jug=14, pot=14))
    game = act(load(s), "throw", "throw:0", "shape:plate+pot")
    assert me(game)["drying"] == {"plate": 15, "jug": 14, "pot": 15}


@rulings("I01", "D05")
@section("8.5", "8.6")
def test_shape_is_on_no_tile() -> None:
    game = play(load(scene()), "discard:wheel")
    assert not any("shape" in name for name in legal(game))
