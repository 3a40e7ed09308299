"""Every worked example of the rulebook, with its numbers, one test an example.

Named after the section that the example stands in. Where a picture is lost the test sets the scene
so that the numbers of the text come out.
"""

from __future__ import annotations

import pytest

from nijar_env.game import Game

from .scenes import (
    act,
    at,
    bonuses,
    cleanup,
    draft,
    edit,
    end_of_round,
    holds,
    legal,
    load,
    me,
    offered,
    pieces,
    play,
    position,
    row,
    rulings,
    scene,
    section,
    shut,
    stand,
    supply,
    turn_of,
    wheels,
)


@rulings("A12")
@section("4.1")
def test_example_4_1_pieces_of_two_players() -> None:
    amounts = supply(Game(2, seed=1, log=False))
    assert [amounts[piece] for piece in ("plate", "jug", "pot")] == [8, 8, 8]


@rulings("A13", "A11")
@section("4.3")
def test_example_4_3_starting_resources() -> None:
    number = next(
        seed
        for seed in range(99)
        if Game(2, seed=seed, log=False).to_dict()["combinations"][1]["resources"] == "SR1"
    )
    game = Game(2, seed=number, log=False, auto_forced=False)
    paula = game.current_player or 0
    play(game, "start:1")
    holds(game, paula, clay=5, pg=5, glaze=2, cleaning_area=3)


@rulings("D26")
@section("5.1")
def test_example_5_1_a_workshop_for_two_cracks() -> None:
    game = act(load(edit(scene(), hand=["Y02"])), "play", "play:Y02")
    holds(game, cleaning_area=2, pg=5, glaze=2, clay=3)
    assert [workshop["card"] for workshop in me(game)["workshops"]] == ["Y00", "Y02"]


@rulings("MK01")
@section("7.1")
def test_example_7_1_the_market_of_three_players() -> None:
    game = play(load(end_of_round(scene(3)), seed=6), *["done"] * 3)
    assert position(game) == {"plate": 2 + 1, "jug": 2, "pot": 2 + 2}
    low, middle, high = sorted(game.to_dict()["market"]["dice"])
    play(game, "keep")
    expected = {"plate": 3 + middle, "jug": 2 + low, "pot": 4 + high}
    assert position(game) == expected


@rulings("B13", "E16", "D36")
@section("7.2.1.1")
def test_example_7_2_1_1_clay_and_one_card() -> None:
    game = play(load(scene(3)), "place:0,3", "action:clay", "clay:1", "bonus:acquire")
    assert at(game, (0, 3)) == (0, 1)
    play(game, "take:0,0")
    assert offered(game, "take") == set()  # only one
    play(game, "donkey:0,1")
    holds(game, clay=4, hand=["W14"])
    # In the order she chooses:
    play(load(scene(3)), "place:0,3", "bonus:acquire", "take:0,0", "donkey:0,1", "action:clay")


@rulings("B02", "B05", "B06", "B13")
@section("7.2.1.1")
def test_example_7_2_1_1_two_craftswomen_two_cards() -> None:
    s = stand(scene(3), (0, 3), 2, 1)
    game = play(load(s), "place:0,3")
    assert at(game, (0, 3)) == (0, 2)
    holds(game, 2, craftswomen=7)
    play(game, "action:clay", "clay:1", "bonus:acquire", "take:0,0", "take:0,1", "donkey:1,0")
    holds(game, clay=4, hand=["W14", "E1"], craftswomen=5)


@rulings("B15", "B16", "D36")
@section("7.2.1.2")
@pytest.mark.parametrize(
    "order",
    [
        ["bonus:esparto", "esparto:0:1", "bonus:clay", "bonus:acquire", "take:0,0", "donkey:0,1"],
        ["bonus:acquire", "take:0,0", "donkey:0,1", "bonus:clay", "bonus:esparto", "esparto:0:1"],
    ],
)
def test_example_7_2_1_2_the_special_action(order: list[str]) -> None:
    s = bonuses(scene(3), ["fire", "paint", "throw", "clean"], ["clay", "acquire"])
    game = play(load(s), "special", *order)
    holds(game, pg=7, clay=4, hand=["W14"], craftswomen=6)
    assert game.current_player == 1


@rulings("MK05", "MK07", "MK08")
@section("7.2.3")
def test_example_7_2_3_two_sales_for_eleven_vp() -> None:
    s = edit(
        scene(),
        glaze_kilns=row("G00", pieces=["plate"]),
        firing_kilns=row("F00", pieces=["pot"]),
    )
    s["market"]["position"] = {"plate": 7, "jug": 5, "pot": 4}
    game = play(load(s), "sell:plate:painted")
    holds(game, vp=8)
    assert position(game)["plate"] == 5  # two down
    play(game, "sell:pot")
    assert position(game)["pot"] == 4
    holds(game, vp=11, sold=pieces(plate=1, pot=1))


@rulings("B26")
@section("7.2.5")
def test_example_7_2_5_a_closed_shop_takes_clay() -> None:
    game = play(load(shut(scene(), 0)), "bonus:clay")
    holds(game, clay=4)
    assert game.current_player == 1


@rulings("B07")
@section("7.2.5")
def test_example_7_2_5_three_perra_gorda_for_a_returned_craftswoman() -> None:
    s = shut(stand(scene(), (1, 1), 0, 1), 0)  # Paula's; Nilo is seat 1
    game = play(load(turn_of(s, 1)), "place:1,1")
    assert at(game, (1, 1)) == (1, 2)
    assert legal(game) == {"shop:clay", "shop:pg", "shop:glaze"}
    play(game, "shop:pg")
    holds(game, 0, pg=8, shop_craftswomen=1)


@rulings("E01", "E03")
@section("8.1")
def test_example_8_1_two_cards_for_nothing_and_three() -> None:
    game = act(load(scene()), "acquire", "take:0,0")
    holds(game, pg=5)
    play(game, "take:1,2")
    holds(game, pg=2, hand=["W14", "C11"])
    play(game, "donkey:0,3")
    holds(game, donkey=[0, 3])
    assert draft(game)[0] == ["W01", "E1", "W15", "E2", "W16"]
    assert draft(game)[1] == ["C10", "Y10", "C01", "Y11", "C12"]


@rulings("E09", "D08")
@section("8.1")
def test_example_8_1_a_row_of_wheels_is_drawn_anew() -> None:
    s = scene()
    s["draft"][0] = ["W12", "W13", "W14", "W15", "W16"]
    game = act(load(s), "acquire", "refresh:0")
    under = draft(game)[0][0]
    play(game, "take:0,0")
    holds(game, pg=5, hand=[under])
    play(game, "donkey:0,1")
    holds(game, donkey=[0, 1])
    assert draft(game)[0][0] is not None


@rulings("H01")
@section("8.5")
def test_example_8_5_two_vases_one_step_each() -> None:
    # SW1's fourth space is Play a Card, SW2's first Extract Clay: here SW1 and W02.
    s = edit(scene(), technology=2, wheels=wheels(("SW1", 3), ("W02", 0)), hand=["C03"])
    game = act(load(s), "throw", "throw:0")
    assert legal(game) == {"play:C03", "done"}
    play(game, "play:C03", "throw:1", "clay:1")
    holds(game, hand=[], clay=4, pg=4)
    assert game.current_player == 1


@rulings("D06", "I01")
@section("8.6")
def test_example_8_6_a_plate_and_a_pot_for_two_clay_and_two_cracks() -> None:
    game = act(load(scene()), "throw", "throw:0", "shape:plate+pot")
    holds(game, clay=1, cleaning_area=2, drying=pieces(plate=1, pot=1))


@rulings("I05", "D27")
@section("8.7")
def test_example_8_7_three_moves_in_one_fire() -> None:
    s = edit(scene(), drying=pieces(plate=1, pot=1), firing_kilns=row("F00", "F01"))
    edit(s, workshops=row("Y00", pieces=["plate"]))
    game = act(load(s), "fire", "fire:plate", "fire:pot", "glaze:0")
    holds(game, drying=pieces(), firing_kilns=row("F00", "F01", pieces=["plate", "pot"]))
    holds(game, workshops=row("Y00"), glaze_kilns=row("G00", pieces=["plate"]))


@rulings("I08", "I09")
@section("8.8")
def test_example_8_8_two_glazes_here_two_cracks_there() -> None:
    s = edit(scene(), glaze=2, firing_kilns=row("F00", "F01", pieces=["pot", "jug"]))
    edit(s, workshops=row("Y00", "Y01"))
    game = act(load(s), "paint", "paint:pot@0", "paint:jug@1", "pay:crack")
    holds(game, glaze=0, cleaning_area=2, firing_kilns=row("F00", "F01"))
    holds(game, workshops=row("Y00", "Y01", pieces=["pot", "jug"]))


@rulings("J01", "J03", "J04", "D07")
@section("8.9")
def test_example_8_9_three_cracks_on_two_cards() -> None:
    s = edit(scene(), cleaning_area=3, cleanup=cleanup(C00=1, C01=1))
    before = supply(load(s))["crack"]
    game = act(load(s), "clean", "clean:0", "clean:1", "clean:supply")
    assert supply(game)["crack"] == before + 5
    play(game, "reward:1", "reward:0")
    holds(game, vp=3 + 2, cleaning_area=0, cleanup=cleanup(C00=0, C01=0))


@rulings("K01")
@section("8.10")
def test_example_8_10_four_perra_gorda_and_a_clay() -> None:
    s = edit(scene(), esparto=["E0", "E1", None, None])
    game = act(load(s), "esparto", "esparto:1:0", "esparto:0:0")
    holds(game, pg=9, clay=4)
    assert game.current_player == 1


@rulings("L01", "L06", "B08")
@section("8.11")
def test_example_8_11_the_first_player_action() -> None:
    game = play(load(edit(scene(), hand=["C02"])), "place:2,0", "bonus:clay")
    holds(game, clay=4)
    play(game, "action:first_player", "track:1")
    holds(game, pg=7)
    play(game, "action:play", "play:C02")
    holds(game, pg=5, hand=[], cleanup=cleanup(C00=0, C02=0))
    assert game.current_player == 1


@rulings("D04")
@section("8.11", "10.4")
def test_example_8_11_second_in_the_next_round() -> None:
    # A marker already stands to the left of Paula's (seat 0), and nobody else comes.
    s = scene(3)
    s["first_player_track"] = [2, None, None]
    game = act(load(s), "first_player", "track:2", "done")
    holds(game, pg=7)
    s["first_player_track"] = game.to_dict()["first_player_track"]
    game = play(load(end_of_round(s)), "done", "done", "done")
    assert game.to_dict()["turn_order"] == [2, 0, 1]


@rulings("D04")
@section("10.4")
def test_example_10_4_the_order_is_reorganised() -> None:
    s = scene(4)
    s["turn_order"] = [3, 0, 2, 1]
    s["first_player_track"] = [2, None, 3, None]
    game = play(load(end_of_round(s)), *["done"] * 4)
    assert game.to_dict()["turn_order"] == [2, 3, 0, 1]


def competition(first: int, second: int, number: int, **held: str) -> Game:
    """The Competition has revealed `first` and looks at the back of `second`."""
    s = scene(1, number=number)
    rest = [card for card in range(1, 10) if card not in (first, second)]
    edit(s, 1, deck=[first, second, *rest])
    edit(s, 1, pieces={"plate": None, "jug": None, "pot": None, **held})
    return play(load(s), "special", "done")


@rulings("P13", "P15")
@section("12.5")
def test_example_12_5_takes_a_plate_and_sells_a_jug() -> None:
    game = competition(5, 3, 2, jug="painted")  # back of 3 in round 2: plate, jug
    holds(game, 1, pieces={"plate": "unpainted", "jug": None, "pot": None})
    holds(game, 1, sold=pieces(jug=1), vp=6)


@rulings("P13")
@section("12.5")
def test_example_12_5_paints_pot_and_plate() -> None:
    game = competition(5, 1, 3, pot="unpainted", plate="unpainted")  # round 3: pot, plate
    holds(game, 1, pieces={"plate": "painted", "jug": None, "pot": "painted"}, vp=0)
