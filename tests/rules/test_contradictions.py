"""Where the texts disagree (rulings D01-D37): scenes in which the readings differ.

Each test holds the reading that was taken against the one that was not.
"""

from __future__ import annotations

import pytest

from .scenes import (
    act,
    at_home,
    cleanup,
    draft,
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
    stand,
    turn_of,
    wheels,
)


@rulings("D01")
@section("8.2")
def test_side_icons_of_the_junction_not_of_the_new_card() -> None:
    # F03: throw on its left, acquire on its right; F00 on its left shows fire.
    s = edit(scene(), hand=["F03"], drying=pieces(plate=1))
    assert legal(act(load(s), "play", "play:F03")) == {"action:fire", "action:throw", "done"}


@rulings("D02")
@section("8.10", "8.11")
def test_single_moves_are_esparto_rewards_not_of_the_first_player() -> None:
    s = edit(scene(), cleaning_area=3, cleanup=cleanup(C02=0), esparto=["E0", "E1", None, None])
    s["players"][0]["cleanup"].insert(0, {"card": "C00", "cracks": 0})
    game = act(load(s), "esparto", "esparto:1:1", "clean:0")
    assert offered(game, "clean") == set()  # one crack
    game = act(load(s), "first_player", "track:1", "action:clean", "clean:0")
    assert offered(game, "clean") != set()  # a whole Clean, the player's choice of action


@rulings("D03")
@section("9.6", "9.7", "4.1")
@pytest.mark.parametrize(("players", "acquire", "either"), [(3, 3, None), (4, 3, 4)])
def test_the_acquire_tile_serves_three_and_four(
    players: int, acquire: int | None, either: int | None
) -> None:
    game = play(load(scene(players)), f"place:0,{acquire}")
    assert "bonus:acquire" in legal(game)
    if either is not None:
        assert "bonus:supply" in legal(play(load(scene(players)), f"place:0,{either}"))


@rulings("D04")
@section("10.4")
def test_the_place_on_the_right_track_is_no_place_in_the_order() -> None:
    # Alone on the second space: first in the order, not second.
    s = scene(3)
    s["first_player_track"] = [None, 2, None]
    game = play(load(end_of_round(s)), "done", "done", "done")
    assert game.to_dict()["turn_order"] == [2, 0, 1]


@rulings("D06")
@section("8.6")
def test_two_pieces_gain_cracks_and_do_not_spend_them() -> None:
    game = act(load(edit(scene(), cleaning_area=0)), "throw", "throw:0", "shape:jug+pot")
    holds(game, cleaning_area=2)


@rulings("D07")
@section("8.9")
def test_a_card_filled_in_mid_clean_is_not_empty_again() -> None:
    # Emptied at once, it could take the third crack.
    s = edit(scene(), cleaning_area=5, cleanup=cleanup(C05=0))
    s["players"][0]["cleanup"] = [{"card": "C00", "cracks": 1}, {"card": "C05", "cracks": 1}]
    game = act(load(s), "clean", "clean:0", "clean:1")
    assert legal(game) == {"clean:supply", "done"}
    holds(game, vp=0)


@rulings("D08")
@section("8.1")
def test_no_refresh_after_taking_cards() -> None:
    s = scene()
    s["draft"][0] = ["W12", "W13", "W14", "W15", "E1"]
    game = act(load(s), "acquire")
    assert offered(game, "refresh") == set()
    play(game, "take:0,4")  # now all cards of the row are wheels
    assert offered(game, "refresh") == set()


@rulings("D09")
@section("7.2.1.2")
def test_the_special_action_has_one_printed_bonus_and_two_random_tiles() -> None:
    game = play(load(edit(scene(), drying=pieces(jug=1))), "special")
    assert legal(game) == {"bonus:esparto", "bonus:fire", "done"}  # no clay, no acquire


@rulings("D10")
@section("7.2")
def test_after_the_leftmost_comes_the_next_on_the_track() -> None:
    s = scene(4)
    s["turn_order"] = [1, 3, 0, 2]
    game = play(load(turn_of(s, 1)), "special", "done")
    assert game.current_player == 3


@rulings("D12", "P03")
@section("12.4", "12.5")
def test_the_last_card_is_never_turned_up() -> None:
    s = edit(scene(1), 1, deck=[9], revealed=[1, 2, 3, 4, 5, 6, 7, 8])
    game = play(load(s), "special", "done")
    holds(game, 1, deck=[9], shop="closed", vp=1)


@rulings("D13")
@section("12.5", "12.10")
def test_three_vp_once_for_two_craftswomen_sent_home() -> None:
    s = stand(edit(scene(1), 1, deck=[5, 1, 2, 3, 4, 6, 7, 8, 9]), (1, 1), 0, 2)
    holds(play(load(s), "special", "done"), 1, vp=3, craftswomen=4)


@rulings("D15")
@section("7.1")
def test_a_worse_reroll_stays() -> None:
    s = scene(number=2)
    s["phase"] = "market"
    s["market"].update(dice=[6, 6, 6], position={"plate": 2, "jug": 1, "pot": 3})
    game = play(load(s, seed=2), "reroll")
    assert sum(position(game).values()) < 2 + 1 + 3 + 18
    assert game.phase == "turns"


@rulings("D17", "D18")
@section("7.1")
def test_last_rounds_market_is_forgotten() -> None:
    results = []
    for rows in (0, 12):
        s = end_of_round(scene())
        s["market"]["position"] = {"plate": rows, "jug": rows, "pot": rows}
        results.append(position(play(load(s), "done", "done", "keep")))
    assert results[0] == results[1]


@rulings("D19")
@section("7.2.1.1")
def test_the_bonus_is_the_columns_and_the_action_the_rows() -> None:
    game = play(load(edit(scene(), cleaning_area=1)), "place:1,2")
    assert {"bonus:clean"} == offered(game, "bonus")
    assert "action:clay" not in legal(game)  # the tile above in the column


@rulings("D20")
@section("7.2.4")
def test_craftswomen_on_the_board_do_not_prevent_closing() -> None:
    s = at_home(stand(stand(scene(), (0, 0), 0, 3), (2, 2), 0, 2), 0, 0)
    assert "close" in legal(load(s))


@rulings("D21")
@section("7.2.4")
def test_the_bonus_of_closing_may_be_declined() -> None:
    game = play(load(at_home(scene(), 0, 0)), "close")
    assert "done" in legal(game)


@rulings("D22")
@section("8.2")
def test_play_is_of_one_card() -> None:
    game = act(load(edit(scene(), hand=["C01", "C03"])), "play", "play:C03")
    assert game.current_player == 1


@rulings("D23")
@section("8.5")
def test_a_completed_wheel_gives_benefit_and_vp() -> None:
    s = edit(scene(), wheels=wheels(("SW3", 2)), technology=2)  # shape esparto shape acquire
    edit(s, 1, wheels=wheels(("SW2", 0)))
    game = act(load(s), "throw", "throw:0", "shape:plate", "throw:0", "take:0,0", "donkey:0,1")
    holds(game, vp=2, drying=pieces(plate=1), hand=["W14"])


@rulings("D25")
@section("5.1")
def test_every_cleaning_effect_frees_space() -> None:
    # By an action, a bonus, an esparto card and a wheel.
    s = edit(scene(), cleaning_area=8, esparto=["E0", "E1", None, None], wheels=wheels(("W06", 1)))
    edit(s, wheels=wheels(("SW1", 0), ("W06", 1)))
    for moves in (
        ["discard:wheel", "action:clean", "clean:0"],
        ["place:0,2", "bonus:clean", "clean:0"],
        ["discard:wheel", "action:esparto", "esparto:1:1", "clean:0"],
        ["discard:wheel", "action:throw", "throw:1", "clean:0"],
    ):
        holds(play(load(s), *moves), cleaning_area=7)


@rulings("D27")
@section("8.7")
def test_both_stages_in_one_fire() -> None:
    s = edit(scene(), drying=pieces(jug=1), workshops=row("Y00", pieces=["pot"]))
    game = act(load(s), "fire", "fire:jug")
    assert legal(game) == {"glaze:0", "done"}


@rulings("D29")
@section("4.1", "12.1.1")
def test_the_row_rule_is_opposite_in_solo() -> None:
    both = {"action:play", "action:first_player"}
    assert both <= legal(play(load(edit(scene(1), hand=["C01"])), "place:0,0"))
    for space in ("0,0", "2,0"):
        assert len(both & legal(play(load(edit(scene(2), hand=["C01"])), f"place:{space}"))) == 1


@rulings("D31")
@section("7.2")
def test_an_open_shop_has_no_pass() -> None:
    assert "done" not in legal(load(scene()))
    assert "done" not in legal(load(at_home(scene(), 0, 0)))
    assert "done" in legal(load(shut(scene(), 0)))


@rulings("D32")
@section("9.1", "9.5", "9.6")
def test_bonuses_may_be_declined_one_and_all() -> None:
    s = edit(scene(3), cleaning_area=1)
    for space in ("1,0", "1,1", "1,2", "1,3"):
        game = play(load(s), f"place:{space}")
        assert offered(game, "bonus")
        play(game, "done")
        assert game.current_player == 1


@rulings("D33")
@section("11.2", "11.3")
def test_esparto_card_and_set_both_score() -> None:
    s = edit(scene(number=3), esparto=["E0", "E1", "E3", None], endgame_played=["esparto"])
    s = edit(s, endgame_hand=["wheel", "plate"], pg=0, glaze=0, clay=0)
    game = play(load(end_of_round(s)), "done", "done")
    sources = game.to_dict()["players"][0]["vp_from"]
    assert (sources["endgame_cards"], sources["esparto_set"]) == (5, 3)


@rulings("D34")
@section("10.1")
def test_equal_turns() -> None:
    game = play(load(at_home(shut(scene(), 1), 0, 0)), "close", "done")
    assert game.phase == "turns"  # seat 1 has had one turn less
    play(game, "done")
    assert game.phase == "end_of_round"


@rulings("D05", "D28", "B24")
@section("8.4", "8.5", "4.1")
def test_nine_tiles_carry_ten_actions() -> None:
    tiles = scene()["board"]["tiles"]
    assert sum(len(tile) for line in tiles for tile in line) == 10
    game = play(load(scene()), "place:1,0")
    # One tile, two actions, of which one is taken.
    assert {"action:throw", "action:tech"} <= legal(game)
    play(game, "action:tech")
    assert "action:throw" not in legal(game)


@rulings("D08", "E05")
@section("8.1")
def test_refreshing_does_not_oblige_to_acquire() -> None:
    s = scene()
    s["draft"][0] = ["W12", "W13", "W14", "W15", "W16"]
    game = act(load(s), "acquire", "refresh:0")
    before = draft(game)
    play(game, "done")
    assert draft(game) == before
