"""§7.1 Update the market, §7.2.3 Sell pieces (rulings MK01-MK10, D15, D17)."""

from __future__ import annotations

import pytest

from tests.philox import SeededChance

from .scenes import (
    Scene,
    act,
    edit,
    end_of_round,
    holds,
    legal,
    load,
    offered,
    pieces,
    play,
    position,
    row,
    rulings,
    scene,
    section,
    shut,
    supply,
    turn_of,
)


def asked(dice: list[int], number: int = 2, players: int = 2, **rows: int) -> Scene:
    """The first player is asked for a re-roll; markers stand in `rows` before the dice."""
    s = scene(players, number=number)
    s["phase"] = "market"
    s["market"].update(dice=dice, position={"plate": 2, "jug": 1, "pot": 3, **rows})
    return s


# --- update the market (§7.1) ---------------------------------------------------------------------


@rulings("MK01", "D17")
@section("7.1", "10.3")
@pytest.mark.parametrize(("players", "start"), [(2, 1), (3, 2), (4, 3)])
def test_markers_start_anew_each_round_and_rise_by_demand(players: int, start: int) -> None:
    s = end_of_round(scene(players))
    s["market"]["position"] = {"plate": 12, "jug": 0, "pot": 9}
    game = play(load(s), *["done"] * players)
    assert (game.phase, game.round) == ("market", 2)
    # Round 2 asks for 1 plate, 0 jugs, 2 pots.
    assert position(game) == {"plate": start + 1, "jug": start, "pot": start + 2}


@rulings("MK01", "MK03", "P01")
@section("7.1", "12.1.1")
def test_solo_markers_start_in_row_one() -> None:
    s = end_of_round(scene(1))
    s["first_player_track"][0] = 0  # the player stays first player
    game = play(load(s), "done")
    assert position(game) == {"plate": 2, "jug": 1, "pot": 3}


@rulings("MK01", "MK03")
@section("7.1")
def test_the_highest_die_goes_to_the_highest_demand() -> None:
    game = load(asked([2, 6, 3]))
    assert legal(game) == {"keep", "reroll"}
    play(game, "keep")  # demand: plate 1, jug 0, pot 2
    assert position(game) == {"plate": 2 + 3, "jug": 1 + 2, "pot": 3 + 6}
    assert (game.phase, game.current_player) == ("turns", 0)


@rulings("MK02")
@section("7.1")
@pytest.mark.parametrize("dice", ([4, 4, 1], [1, 4, 4], [4, 1, 4]))
def test_equal_dice_have_equal_effect(dice: list[int]) -> None:
    game = play(load(asked(dice)), "keep")
    assert position(game) == {"plate": 2 + 4, "jug": 1 + 1, "pot": 3 + 4}


@rulings("D15", "MK03")
@section("7.1", "10.4")
@pytest.mark.parametrize("number", (2, 3))
def test_a_reroll_is_of_all_dice_once_and_binding(number: int) -> None:
    seed = 11
    game = play(load(asked([6, 6, 6], number, players=3), seed=seed), "reroll")
    low, middle, high = sorted(SeededChance(seed).dice(number, 1))
    raised = {2: (middle, low, high), 3: (low, high, middle)}[number]  # plate, jug, pot
    expected = {"plate": 2 + raised[0], "jug": 1 + raised[1], "pot": 3 + raised[2]}
    assert position(game) == expected
    assert sorted(game.to_dict()["market"]["dice"]) == [low, middle, high]
    assert game.phase == "turns"  # no second re-roll


@rulings("D15", "N05")
@section("7.1", "10.4")
def test_the_holder_of_the_token_is_asked() -> None:
    s = scene(3)
    s["first_player_track"] = [None, 2, None]
    game = play(load(end_of_round(s)), "done", "done", "done")
    assert game.to_dict()["turn_order"] == [2, 0, 1]
    assert (game.phase, game.current_player) == ("market", 2)
    assert legal(game) == {"keep", "reroll"}


@rulings("MK04")
@section("7.1")
def test_a_marker_stops_at_the_top() -> None:
    game = play(load(asked([6, 5, 1], pot=7, plate=12)), "keep")
    assert position(game) == {"plate": 12, "jug": 2, "pot": 12}


# --- sell (§7.2.3) --------------------------------------------------------------------------------


@rulings("MK05")
@section("7.2.3")
def test_the_second_sale_uses_the_moved_marker() -> None:
    s = edit(scene(), glaze_kilns=row("G00", "G01", pieces=["plate", "plate"]))
    game = play(load(s), "sell:plate:painted")
    holds(game, vp=7)  # row 6
    assert position(game)["plate"] == 4
    play(game, "sell:plate:painted")
    holds(game, vp=7 + 5)  # row 4
    assert position(game) == {"plate": 2, "jug": 5, "pot": 4}


@rulings("MK06", "MK07")
@section("7.2.3")
def test_two_sales_in_either_order_or_one() -> None:
    firing = row("F00", "F01", "F02", pieces=["plate", "jug", "jug"])
    s = edit(scene(), firing_kilns=firing)
    game = play(load(s), "sell:jug")
    assert legal(game) == {"sell:plate", "sell:jug", "done"}
    play(game, "sell:plate")
    assert game.current_player == 1  # at most two
    holds(game, vp=3 + 3, sold=pieces(plate=1, jug=1))
    assert position(game) == {"plate": 4, "jug": 4, "pot": 4}
    game = play(load(s), "sell:plate", "done")
    assert game.current_player == 1
    holds(game, vp=3, sold=pieces(plate=1))


@rulings("MK07")
@section("7.2.3", "10.3")
@pytest.mark.parametrize(("number", "after"), [(1, 4), (2, 5), (3, 6)])
def test_a_sale_lowers_by_the_demand_of_the_round(number: int, after: int) -> None:
    s = edit(scene(number=number), firing_kilns=row("F00", pieces=["plate"]))
    game = play(load(s), "sell:plate")
    assert position(game) == {"plate": after, "jug": 5, "pot": 4}


@rulings("MK04")
@section("7.2.3")
def test_a_marker_stops_at_the_bottom_and_the_row_still_pays() -> None:
    s = edit(scene(), firing_kilns=row("F00", "F01", pieces=["plate", "plate"]))
    s["market"]["position"]["plate"] = 1
    game = play(load(s), "sell:plate", "sell:plate")
    holds(game, vp=1 + 1)
    assert position(game)["plate"] == 0


@rulings("MK08")
@section("7.2.3", "8.7")
def test_only_pieces_in_kilns_can_be_sold_each_with_its_side() -> None:
    s = edit(
        scene(),
        drying=pieces(plate=1),
        firing_kilns=row("F00", pieces=["jug"]),
        workshops=row("Y00", pieces=["plate"]),
        glaze_kilns=row("G00", pieces=["pot"]),
    )
    assert offered(load(s), "sell") == {"sell:jug", "sell:pot:painted"}
    game = play(load(s), "sell:jug", "sell:pot:painted")
    holds(game, vp=3 + 5, drying=pieces(plate=1), workshops=row("Y00", pieces=["plate"]))


@rulings("MK08", "D18")
@section("7.2.3")
@pytest.mark.parametrize("rows", range(13))
def test_the_whole_price_list(rows: int) -> None:
    painted = [2, 3, 4, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13][rows]
    unpainted = [1, 1, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 6][rows]
    s = edit(scene(), firing_kilns=row("F00", pieces=["pot"]))  # demand 0: the marker stays
    edit(s, glaze_kilns=row("G00", pieces=["pot"]))
    s["market"]["position"]["pot"] = rows
    game = play(load(s), "sell:pot")
    holds(game, vp=unpainted)
    play(game, "sell:pot:painted")
    holds(game, vp=unpainted + painted)
    assert position(game)["pot"] == rows


@rulings("MK09", "M06")
@section("7.2.3", "5.3")
def test_sold_pieces_stay_with_the_seller() -> None:
    s = edit(scene(), firing_kilns=row("F00", pieces=["pot"]))
    before = supply(load(s))
    game = play(load(s), "sell:pot")
    assert supply(game) == before
    holds(game, sold=pieces(pot=1), firing_kilns=row("F00"))


@rulings("MK10")
@section("7.2.3")
def test_selling_frees_the_kiln() -> None:
    s = shut(edit(scene(), firing_kilns=row("F00", pieces=["pot"]), drying=pieces(jug=1)), 1)
    game = load(s)
    play(game, "discard:wheel")
    assert "action:fire" not in legal(game)
    play(game, "done", "done", "sell:pot", "done")
    act(game, "fire", "fire:jug")
    holds(game, firing_kilns=row("F00", pieces=["jug"]))


@rulings("B19")
@section("7.2.3")
def test_selling_is_a_turn_of_its_own() -> None:
    s = edit(scene(), 1, glaze_kilns=row("G00", pieces=["jug"]))
    game = play(load(turn_of(s, 1)), "sell:jug:painted")
    assert game.current_player == 0
    holds(game, 1, craftswomen=7, vp=6)
