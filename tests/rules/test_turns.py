"""§7.2 Player turns and the end of a round's turns (rulings B01-B29, C01-C03)."""

from __future__ import annotations

import pytest

from nijar_env.game import Game

from .scenes import (
    WORKERS,
    Scene,
    act,
    at,
    at_home,
    bonuses,
    cleanup,
    draft,
    edit,
    holds,
    legal,
    load,
    me,
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
    turn_of,
    wheels,
)

EVERY_ACTION = {
    f"action:{name}"
    for name in (
        *("acquire", "play", "clay", "tech", "throw", "fire", "paint", "clean", "esparto"),
        "first_player",
    )
}


def able(s: Scene, number: int = 0) -> Scene:
    """Every action would change something for this seat."""
    edit(s, number, hand=["C01"], cleaning_area=1, drying=pieces(plate=1))
    return edit(s, number, firing_kilns=row("F00", "F01", pieces=[None, "jug"]))


# --- placing craftswomen (§7.2.1.1) ---------------------------------------------------------------


@rulings("B02", "B05", "B06")
@section("7.2.1", "7.2.1.1")
@pytest.mark.parametrize("standing", (0, 1, 2, 3))
def test_one_more_than_stand_there_and_those_go_home(standing: int) -> None:
    s = scene()
    if standing:
        stand(s, (1, 0), 1, standing)
    game = play(load(s), "place:1,0")
    assert at(game, (1, 0)) == (0, standing + 1)
    holds(game, craftswomen=7 - standing - 1)
    holds(game, 1, craftswomen=7, shop_craftswomen=0)  # before action and bonuses
    assert game.current_player == 0


@rulings("B03")
@section("7.2.1.1")
def test_a_space_is_illegal_with_too_few_craftswomen() -> None:
    s = stand(stand(scene(), (0, 0), 1, 2), (0, 1), 1, 1)
    assert "place:0,0" in legal(load(at_home(s, 0, 3)))
    assert "place:0,0" not in legal(load(at_home(s, 0, 2)))
    assert "place:0,1" in legal(load(at_home(s, 0, 2)))
    assert "place:0,1" not in legal(load(at_home(s, 0, 1)))


@rulings("B04")
@section("7.2.1.1")
def test_no_placing_on_a_space_with_own_craftswomen() -> None:
    s = stand(stand(scene(), (0, 0), 0, 1), (0, 1), 1, 1)
    spaces = {f"place:{r},{c}" for r in range(3) for c in range(3)}
    assert offered(load(s), "place") == spaces - {"place:0,0"}
    assert offered(load(turn_of(s, 1)), "place") == spaces - {"place:0,1"}


@rulings("B14", "A03", "D30")
@section("4.1", "7.2.1.1", "12.1.1")
@pytest.mark.parametrize(("players", "columns"), [(1, 3), (2, 3), (3, 4), (4, 5)])
def test_blocked_columns_do_not_exist(players: int, columns: int) -> None:
    spaces = {f"place:{r},{c}" for r in range(3) for c in range(columns)}
    assert offered(load(scene(players)), "place") == spaces


@rulings("B10", "D05", "D19", "D30")
@section("7.2.1.1")
@pytest.mark.parametrize(
    ("space", "actions", "bonus"),
    [
        ("0,1", {"acquire", "play", "clay"}, "throw"),
        ("1,2", {"throw", "tech", "fire", "paint"}, "clean"),
        ("2,0", {"clean", "esparto", "first_player"}, "clay"),
    ],
)
def test_actions_of_the_row_and_the_bonus_of_the_column(
    space: str, actions: set[str], bonus: str
) -> None:
    game = play(load(able(scene())), f"place:{space}")
    menu = {f"action:{name}" for name in actions} | {f"bonus:{bonus}", "done"}
    assert legal(game) == menu


@rulings("B10", "B08")
@section("7.2.1.1")
def test_the_action_may_be_chosen_after_the_bonus() -> None:
    game = play(load(able(scene())), "place:1,0", "bonus:clay")
    holds(game, clay=4)
    assert legal(game) == {f"action:{n}" for n in ("throw", "tech", "fire", "paint")} | {"done"}
    assert game.current_player == 0


@rulings("B08", "B13")
@section("7.2.1.1", "9.1")
def test_bonuses_may_come_before_and_after_the_action() -> None:
    s = stand(edit(scene(), clay=0, technology=1), (1, 0), 1, 1)
    game = play(load(s), "place:1,0", "bonus:clay", "action:tech")
    holds(game, clay=1, technology=2)
    assert legal(game) == {"bonus:clay", "done"}
    play(game, "bonus:clay")
    holds(game, clay=2)
    assert game.current_player == 1


@rulings("B08", "B11")
@section("7.2.1.1", "8.2")
def test_the_action_is_taken_once() -> None:
    game = play(load(able(scene())), "place:1,0", "action:tech")
    assert legal(game) == {"bonus:clay", "done"}


@rulings("B09")
@section("7.2.1.1", "8.2")
def test_no_bonus_during_the_action_and_what_it_triggers() -> None:
    s = edit(scene(), pg=9, hand=["F01"], cleaning_area=3, drying=pieces(plate=1))
    game = play(load(s), "place:0,0", "action:play", "play:F01")
    # Fire of F00 and clay of F01 are pending: the clay bonus of the column is not offered.
    assert legal(game) == {"action:fire", "action:clay", "done"}
    play(game, "action:fire")
    assert legal(game) == {"fire:plate", "done"}
    play(game, "fire:plate", "action:clay")
    assert legal(game) == {"clay:1", "clay:2", "clay:3", "done"}
    play(game, "clay:1")
    assert legal(game) == {"bonus:clay", "done"}


@rulings("B09")
@section("7.2.1.1", "9.4")
def test_no_action_during_a_bonus() -> None:
    s = edit(scene(), wheels=wheels(("SW4", 0)), hand=["F05"], pg=3)
    edit(s, drying=pieces(plate=1), glaze=0)
    game = play(load(s), "place:1,1", "bonus:throw", "throw:0")
    assert legal(game) == {"play:F05", "done"}  # the wheel space's action, within the bonus
    play(game, "play:F05")
    assert legal(game) == {"action:fire", "done"}  # side icons, still within the bonus
    play(game, "action:fire", "fire:plate")
    assert legal(game) == {"action:throw", "action:tech", "done"}


@rulings("B11", "D32")
@section("7.2.1.1", "8.2")
def test_action_and_bonuses_may_be_skipped() -> None:
    s = stand(scene(), (1, 0), 1, 1)
    game = play(load(s), "place:1,0", "done")
    assert at(game, (1, 0)) == (0, 2)
    holds(game, clay=3, craftswomen=5, technology=1)
    assert (game.current_player, game.turn_player) == (1, 1)


@rulings("B11")
@section("7.2.1.1")
def test_a_skipped_action_leaves_the_bonuses() -> None:
    game = play(load(scene()), "place:1,0", "action:throw", "done")
    assert legal(game) == {"bonus:clay", "done"}
    play(game, "bonus:clay")
    holds(game, clay=4)


@rulings("B12", "D32")
@section("7.2.1.1", "9.1")
def test_one_of_two_bonuses_may_be_declined() -> None:
    s = stand(scene(), (1, 0), 1, 1)
    game = play(load(s), "place:1,0", "bonus:clay", "done")
    holds(game, clay=4)
    assert game.current_player == 1


# --- n craftswomen, n bonuses (ruling B13) --------------------------------------------------------


@rulings("B13")
@section("9.4", "8.4")
def test_three_throw_bonuses_are_one_throw_of_three_steps() -> None:
    s = stand(edit(scene(), technology=1), (1, 1), 1, 2)
    edit(s, wheels=wheels(("SW1", 0), ("W05", 0)), clay=0, pg=0)
    game = play(load(s), "place:1,1", "bonus:throw")
    assert legal(game) == {"throw:0", "throw:1", "done"}
    play(game, "throw:1")  # Shape without clay: nothing to choose
    play(game, "throw:0")  # Shape
    play(game, "throw:0")  # Extract clay
    assert legal(game) == {"clay:1", "done"}
    play(game, "clay:1")
    assert offered(game, "throw") == set()
    assert "bonus:throw" not in legal(game)
    holds(game, wheels=wheels(("SW1", 2), ("W05", 1)))


@rulings("B13")
@section("9.2")
def test_two_firing_bonuses_are_two_moves_one_at_a_time() -> None:
    s = bonuses(scene(), ["fire", "clay", "throw"], ["paint", "clean"])
    edit(s, drying=pieces(plate=2, jug=1), firing_kilns=row("F00", "F01", "F02"))
    stand(s, (1, 0), 1, 1)
    game = play(load(s), "place:1,0", "bonus:fire")
    assert legal(game) == {"fire:plate", "fire:jug", "done"}
    play(game, "fire:plate")
    assert "bonus:fire" in legal(game)
    play(game, "action:tech", "bonus:fire", "fire:jug")
    assert game.current_player == 1
    holds(game, firing_kilns=row("F00", "F01", "F02", pieces=["plate", "jug"]))


@rulings("B13", "K02")
@section("9.3")
def test_two_painting_bonuses_are_paid_one_by_one() -> None:
    s = bonuses(scene(), ["paint", "clay", "throw"], ["fire", "clean"])
    edit(s, glaze=4, firing_kilns=row("F00", "F01", pieces=["plate", "jug"]))
    edit(s, workshops=row("Y00", "Y02"))
    stand(s, (1, 0), 1, 1)
    game = play(load(s), "place:1,0", "bonus:paint", "paint:plate@0")
    holds(game, glaze=2)
    play(game, "bonus:paint", "paint:jug@1")
    holds(game, glaze=0, workshops=row("Y00", "Y02", pieces=["plate", "jug"]))


@rulings("B13", "J06")
@section("9.5")
def test_two_cleaning_bonuses_complete_a_card_in_between() -> None:
    s = stand(edit(scene(), cleaning_area=2, cleanup=cleanup(C00=1)), (1, 2), 1, 1)
    game = play(load(s), "place:1,2", "bonus:clean", "clean:0")
    assert legal(game) == {"reward:0", "done"}
    play(game, "reward:0")
    holds(game, vp=2, cleaning_area=1, cleanup=cleanup(C00=0))
    play(game, "bonus:clean", "clean:0")
    holds(game, vp=2, cleaning_area=0, cleanup=cleanup(C00=1))


@rulings("B13", "E02")
@section("9.6")
def test_two_acquire_bonuses_are_one_acquisition_of_two_cards() -> None:
    s = stand(scene(3), (1, 3), 1, 1)
    game = play(load(s), "place:1,3", "bonus:acquire", "take:0,0", "take:0,2")
    holds(game, hand=["W14", "W15"], pg=3)
    assert offered(game, "take") == set()
    play(game, "donkey:1,0")
    assert "bonus:acquire" not in legal(game)  # both bonuses are used, with one donkey move
    assert draft(game)[0] == ["W01", "E1", "W02", "E2", "W16"]


@rulings("B13")
@section("9.7")
def test_two_supply_bonuses_are_chosen_separately() -> None:
    s = stand(scene(4), (1, 4), 1, 1)
    game = play(load(s), "place:1,4", "bonus:supply", "gain:pg", "bonus:supply", "gain:glaze")
    holds(game, pg=7, glaze=4)


# --- the Special Action (§7.2.1.2) ----------------------------------------------------------------


@rulings("B15")
@section("7.2.1.2")
def test_the_special_action_takes_one_and_returns_nobody() -> None:
    s = scene()
    s["board"]["special"] = [1, 3]
    game = play(load(s), "special", "done")
    assert game.to_dict()["board"]["special"] == [2, 3]
    holds(game, craftswomen=5)
    holds(game, 1, craftswomen=4)
    assert game.current_player == 1  # one placement a turn
    play(game, "special", "done", "special", "done")
    assert game.to_dict()["board"]["special"] == [3, 4]


@rulings("B15")
@section("7.2.1.2")
def test_the_special_action_is_always_open_to_one_craftswoman() -> None:
    s = scene()
    s["board"]["spaces"] = [
        [{"owner": 1, "count": 2}, {"owner": 1, "count": 2}, {"owner": 1, "count": 1}],
        [{"owner": 1, "count": 1}, {"owner": 1, "count": 1}, {"owner": 0, "count": 1}],
        [{"owner": 0, "count": 1}, {"owner": 0, "count": 1}, {"owner": 0, "count": 2}],
    ]
    game = load(at_home(s, 0, 1))
    assert offered(game, "place") == set()
    assert "special" in legal(game) and "close" not in legal(game)


@rulings("B16", "B17", "D09")
@section("7.2.1.2", "9.8")
def test_special_bonuses_once_each_in_any_order() -> None:
    s = able(scene())
    edit(s, esparto=["E0", "E1", None, None], pg=0, clay=0)
    game = play(load(s), "special")
    assert legal(game) == {"bonus:esparto", "bonus:fire", "bonus:paint", "done"}
    play(game, "bonus:paint", "paint:jug@0", "bonus:esparto")
    # One reward of one card, whichever.
    assert legal(game) == {"esparto:0:0", "esparto:0:1", "esparto:1:0", "esparto:1:1", "done"}
    play(game, "esparto:1:0")
    holds(game, pg=4, clay=0, glaze=0)
    assert legal(game) == {"bonus:fire", "done"}
    play(game, "done")
    assert game.current_player == 1


# --- discard an endgame card (§7.2.2) -------------------------------------------------------------


@rulings("B23", "B24", "N04")
@section("7.2.2")
def test_a_discarded_card_gives_any_action_and_no_bonus() -> None:
    game = play(load(able(scene())), "discard:plate")
    assert legal(game) == EVERY_ACTION | {"done"}  # nine tiles, ten actions; no Shape, no bonus
    play(game, "action:tech")
    holds(
        game,
        endgame_hand=["wheel", "esparto"],
        endgame_discarded=["plate"],
        endgame_played=[],
        craftswomen=7,
        technology=2,
    )
    assert game.current_player == 1


@rulings("B19")
@section("7.2.2")
def test_without_endgame_cards_there_is_nothing_to_discard() -> None:
    s = edit(scene(), endgame_hand=[], endgame_played=["wheel", "esparto", "plate"])
    assert offered(load(s), "discard") == set()


@rulings("B25", "L03")
@section("7.2.2", "8.11")
def test_the_indalo_leads_to_first_player_once() -> None:
    game = act(load(able(scene())), "first_player")
    assert legal(game) == {"track:0", "track:1", "done"}
    play(game, "track:1")
    assert legal(game) == (EVERY_ACTION - {"action:first_player"}) | {"done"}


# --- selling and closing (§7.2.3, §7.2.4) ---------------------------------------------------------


@rulings("B18", "D20", "D31")
@section("7.2", "7.2.4")
def test_an_open_shop_without_craftswomen_may_not_pass() -> None:
    s = at_home(edit(scene(), firing_kilns=row("F00", pieces=["pot"])), 0, 0)
    assert legal(load(s)) == {
        "close",
        "sell:pot",
        "discard:wheel",
        "discard:esparto",
        "discard:plate",
    }


@rulings("D20")
@section("7.2.4")
def test_closing_needs_an_empty_personal_supply() -> None:
    assert "close" not in legal(load(at_home(scene(), 0, 1)))
    assert "close" in legal(load(at_home(scene(), 0, 0)))
    # Craftswomen on the board do not matter.
    assert "close" in legal(load(at_home(stand(scene(), (0, 0), 0, 3), 0, 0)))


@rulings("B18")
@section("7.2", "7.2.4")
def test_closing_is_forced_with_nothing_else_left() -> None:
    played = ["wheel", "esparto", "plate"]
    s = at_home(edit(scene(), endgame_hand=[], endgame_played=played), 0, 0)
    assert legal(load(s)) == {"close"}
    game = load(s, forced=True)
    holds(game, shop="closed")


@rulings("B20")
@section("7.2.4")
def test_closing_with_cards_and_pieces_left() -> None:
    s = at_home(edit(scene(), glaze_kilns=row("G00", pieces=["pot"])), 0, 0)
    game = play(load(s), "close", "done")
    holds(game, shop="closed", endgame_hand=["wheel", "esparto", "plate"])
    holds(game, glaze_kilns=row("G00", pieces=["pot"]))


@rulings("B19", "B20")
@section("7.2.3")
def test_a_sale_is_at_least_one_piece() -> None:
    s = edit(scene(), firing_kilns=row("F00", pieces=["pot"]))
    assert offered(load(s), "sell") == {"sell:pot"}
    game = play(load(s), "sell:pot")
    assert game.current_player == 1  # nothing left to sell
    assert offered(load(scene()), "sell") == set()


@rulings("B21", "B06")
@section("7.2.1.1", "7.2.4")
def test_a_returned_craftswoman_must_be_used_before_closing() -> None:
    s = at_home(stand(scene(), (1, 0), 1, 1), 1, 0)
    game = load(s)
    play(game, "place:1,0", "done")
    assert game.current_player == 1
    holds(game, 1, craftswomen=1)
    assert "close" not in legal(game)
    assert "special" in legal(game)


@rulings("B26", "D09", "D21")
@section("7.2.4")
@pytest.mark.parametrize("players", (2, 3, 4))
def test_closing_gives_one_bonus_tile_in_play_but_not_the_printed_one(players: int) -> None:
    s = at_home(able(scene(players)), 0, 0)
    tiles = ["fire", "paint", "clay", "throw", "clean", "acquire", "supply"][: 3 + players]
    game = play(load(s), "close")
    assert legal(game) == {f"bonus:{name}" for name in tiles} | {"done"}
    play(game, "bonus:clay")
    holds(game, clay=4, shop="closed")
    assert game.current_player == 1  # exactly one


@rulings("D21", "B28")
@section("7.2.4", "7.2.5")
def test_the_closing_bonus_and_the_bonus_turn_are_optional() -> None:
    game = play(load(at_home(scene(), 0, 0)), "close", "done")
    holds(game, clay=3)
    play(game, "special", "done")
    assert game.current_player == 0
    assert legal(game) == {"bonus:clay", "bonus:throw", "done"}
    play(game, "done")
    holds(game, clay=3)
    assert game.current_player == 1


# --- the closed shop (§7.2.5) ---------------------------------------------------------------------


@rulings("B26", "B29")
@section("7.2.5")
def test_a_closed_shop_only_gains_a_bonus() -> None:
    s = shut(able(scene()), 0, returned=2)
    edit(s, glaze_kilns=row("G00", pieces=["pot"]))
    game = load(s)
    assert legal(game) == {
        *("bonus:clay", "bonus:throw", "bonus:clean", "bonus:fire", "bonus:paint", "done"),
    }
    play(game, "bonus:clay")
    holds(game, clay=4, shop="closed", shop_craftswomen=2, craftswomen=0)
    assert game.current_player == 1


@rulings("B27")
@section("7.2.5", "8.5")
def test_a_bonus_turn_may_trigger_actions() -> None:
    s = shut(edit(scene(), wheels=wheels(("SW1", 3)), hand=["C02"], pg=2), 0)
    game = play(load(s), "bonus:throw", "throw:0")
    assert legal(game) == {"play:C02", "done"}
    play(game, "play:C02")
    holds(game, hand=[], pg=0, vp=2, wheels=wheels(("SW1", "done")))
    holds(game, cleanup=cleanup(C00=0, C02=0))


@rulings("B06", "B07", "B29")
@section("7.2.5")
def test_a_closed_owner_is_rewarded_for_each_before_play_goes_on() -> None:
    s = shut(stand(scene(), (1, 0), 1, 2), 1)
    game = play(load(s), "place:1,0")
    assert (game.current_player, game.turn_player) == (1, 0)
    assert legal(game) == {"shop:clay", "shop:pg", "shop:glaze"}
    play(game, "shop:clay")
    assert (game.current_player, game.turn_player) == (1, 0)
    play(game, "shop:glaze")
    holds(game, 1, clay=5, glaze=5, pg=5, shop_craftswomen=2, craftswomen=0, shop="closed")
    assert (game.current_player, game.turn_player) == (0, 0)
    assert legal(game) == {"bonus:clay", "action:throw", "action:tech", "done"}


@rulings("B07")
@section("7.2.5")
@pytest.mark.parametrize(
    ("reward", "expected"),
    [
        ("clay", {"clay": 5, "pg": 5, "glaze": 2}),
        ("pg", {"clay": 3, "pg": 8, "glaze": 2}),
        ("glaze", {"clay": 3, "pg": 5, "glaze": 5}),
    ],
)
def test_the_three_rewards_of_the_closed_shop(reward: str, expected: dict[str, int]) -> None:
    s = shut(stand(scene(), (1, 0), 1, 1), 1)
    game = play(load(s), "place:1,0", f"shop:{reward}")
    holds(game, 1, **expected)
    assert game.current_player == 0


# --- order of turns and the end of a round (§7.2, §10) --------------------------------------------


@rulings("D10", "B01")
@section("7.2")
def test_turns_follow_the_track_not_the_seats() -> None:
    s = scene(4)
    s["turn_order"] = [2, 0, 3, 1]
    game = load(turn_of(s, 2))
    seen = []
    for _ in range(8):
        seen.append(game.turn_player)
        play(game, "special", "done")
    assert seen == [2, 0, 3, 1] * 2


@rulings("B01", "D24")
@section("8.11", "10.4")
def test_a_marker_on_the_right_track_does_not_change_this_round() -> None:
    s = scene(3)
    game = play(load(turn_of(s, 1)), "place:2,0", "action:first_player", "track:0", "done", "done")
    assert game.to_dict()["turn_order"] == [0, 1, 2]
    assert game.to_dict()["first_player_track"] == [1, None, None]
    assert game.current_player == 2
    play(game, "special", "done")
    assert game.current_player == 0


@rulings("C01")
@section("7.2", "10.1")
def test_the_round_ends_when_the_last_in_order_closes_last() -> None:
    s = at_home(shut(scene(), 0), 1, 0)
    game = load(turn_of(s, 1))
    play(game, "close", "bonus:clay")
    assert game.phase == "end_of_round"
    holds(game, 1, clay=4)


@rulings("C01", "C02")
@section("7.2", "10.1")
def test_later_players_have_one_more_bonus_turn() -> None:
    s = at_home(shut(shut(scene(3), 1), 2), 0, 0)
    game = play(load(s), "close", "bonus:clay")
    assert (game.phase, game.current_player) == ("turns", 1)
    assert "close" not in legal(game) and "done" in legal(game)
    play(game, "bonus:clay")
    assert (game.phase, game.current_player) == ("turns", 2)
    play(game, "bonus:clay")
    assert game.phase == "end_of_round"
    assert [me(game, p)["clay"] for p in range(3)] == [4, 4, 4]


@rulings("C03", "B28")
@section("7.2.5", "10.1")
def test_a_skipped_bonus_counts_as_a_turn() -> None:
    s = at_home(shut(scene(), 1), 0, 0)
    game = play(load(s), "close", "done")
    assert game.current_player == 1
    play(game, "done")
    assert game.phase == "end_of_round"


@rulings("C03", "D34")
@section("7.2", "10.1")
def test_the_round_goes_on_until_everybody_has_closed() -> None:
    game = load(shut(scene(), 1))
    for _ in range(3):
        play(game, "special", "done")
        assert (game.phase, game.current_player) == ("turns", 1)
        play(game, "done")
        assert (game.phase, game.current_player) == ("turns", 0)


@rulings("B29", "B06")
@section("7.2.4", "7.2.5")
def test_a_shop_stays_closed_when_craftswomen_come_back() -> None:
    s = shut(stand(scene(), (1, 0), 1, 1), 1)
    game = play(load(s), "place:1,0", "shop:pg", "done")
    assert game.current_player == 1
    assert offered(game, "place") == set() and "special" not in legal(game)
    assert {name.split(":")[0] for name in legal(game)} == {"bonus", "done"}


@rulings("B22")
@section("7.2.1.1", "7.2.1.2")
def test_each_placement_adds_one_craftswoman_to_the_board() -> None:
    s = stand(stand(scene(), (0, 0), 1, 2), (0, 1), 1, 1)
    for choice in ("place:0,0", "place:0,1", "place:2,2", "special"):
        before = load(s)
        game = play(load(s), choice)
        assert on_board(game) == on_board(before) + 1


def on_board(game: Game) -> int:
    board = game.to_dict()["board"]
    spaces = [space for line in board["spaces"] for space in line if space]
    return sum(int(space["count"]) for space in spaces) + sum(map(int, board["special"]))


@rulings("B22", "MK06")
@section("7.2.3", "10.1")
def test_a_round_is_finite() -> None:
    # A player with seven craftswomen, three cards and one piece: no longer than all of these.
    s = shut(edit(scene(), firing_kilns=row("F00", pieces=["pot"])), 1)
    game = load(s)
    turns = 0
    while game.phase == "turns":
        stalling = ("sell:pot", "discard:wheel", "discard:esparto", "discard:plate")
        choice = next((n for n in stalling if n in legal(game)), None)
        play(game, choice or ("special" if "special" in legal(game) else "close"))
        while game.phase == "turns" and game.turn_player == 0:
            play(game, "done")
        turns += 1
        while game.phase == "turns" and game.turn_player == 1:
            play(game, "done")
    assert turns == WORKERS[1] + 3 + 1 + 1


@rulings("B05", "M03")
@section("7.2.5", "5.3")
def test_rewards_come_out_of_the_supply() -> None:
    s = shut(stand(scene(), (1, 0), 1, 1), 1)
    game = play(load(s), "place:1,0", "shop:pg")
    assert supply(game)["pg"] == 54 - 5 - 8
