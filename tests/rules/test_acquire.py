"""§8.1 Acquire cards (rulings E01-E17, D08, M07)."""

from __future__ import annotations

import pytest

from tests.philox import SeededChance

from .scenes import (
    DRAFT,
    Scene,
    act,
    draft,
    edit,
    holds,
    left_in_deck,
    legal,
    load,
    me,
    offered,
    play,
    rulings,
    scene,
    section,
    shut,
    stand,
    turn_of,
)

SPACES = [(r, c) for r in range(3) for c in range(5)]


def names(family: str, spaces: list[tuple[int, int]]) -> set[str]:
    return {f"{family}:{r},{c}" for r, c in spaces}


def wheels_in_row_0(s: Scene) -> Scene:
    """All five cards of row 0 are wheels; row 1 as always; row 2 all glaze kilns."""
    s["draft"] = [
        ["W12", "W13", "W14", "W15", "W16"],
        list(DRAFT[1]),
        ["G08", "G09", "G10", "G11", "G12"],
    ]
    return s


# --- prices ---------------------------------------------------------------------------------------


@rulings("E01", "E08", "E16")
@section("8.1")
@pytest.mark.parametrize("pg", range(7))
def test_the_price_is_the_orthogonal_distance(pg: int) -> None:
    s = edit(scene(), pg=pg, donkey=[1, 1])
    game = act(load(s), "acquire")
    near = [(r, c) for r, c in SPACES if abs(r - 1) + abs(c - 1) <= pg and (r, c) != (2, 4)]
    assert offered(game, "take") == names("take", near)


@rulings("E01")
@section("8.1")
def test_paying_the_distance_through_empty_spaces() -> None:
    s = edit(scene(), pg=9)
    s["draft"][0] = ["W14", None, None, "E2", "W16"]
    game = act(load(s), "acquire", "take:0,4")
    holds(game, pg=5, hand=["W16"])
    play(game, "take:2,2")
    holds(game, pg=1, hand=["W16", "F11"], glaze=2, clay=3, cleaning_area=0, vp=0)


@rulings("E02")
@section("8.1")
def test_both_cards_are_priced_from_where_the_donkey_stood() -> None:
    game = act(load(scene()), "acquire", "take:0,3", "take:0,2")
    holds(game, pg=5 - 3 - 2, donkey=[0, 0])


@rulings("E15", "E16")
@section("8.1")
def test_without_perra_gorda_only_the_card_under_the_donkey() -> None:
    game = act(load(edit(scene(), pg=0)), "acquire")
    assert offered(game, "take") == {"take:0,0"}
    play(game, "take:0,0")
    holds(game, pg=0, hand=["W14"])
    assert offered(game, "take") == set()


# --- the order of things --------------------------------------------------------------------------


@rulings("E03", "E07")
@section("8.1")
def test_take_then_donkey_then_refill() -> None:
    game = act(load(scene()), "acquire", "take:0,0", "take:0,1")
    assert draft(game)[0] == [None, None, "W15", "E2", "W16"]  # no refill between
    free = [x for x in SPACES if x not in ((0, 0), (0, 1), (2, 4))]
    assert legal(game) == names("donkey", free)  # not onto a space about to be refilled
    play(game, "donkey:0,2")
    assert draft(game)[0] == ["W01", "W02", "W15", "E2", "W16"]
    holds(game, donkey=[0, 2])
    assert game.current_player == 1


@rulings("E04")
@section("8.1")
def test_the_donkey_must_move_after_a_purchase() -> None:
    game = act(load(scene()), "acquire", "take:0,1")
    assert "done" not in legal(game)
    # Not to its present card, not under a rival's donkey, not to an empty space.
    free = [x for x in SPACES if x not in ((0, 0), (0, 1), (2, 4))]
    assert offered(game, "donkey") == names("donkey", free)


@rulings("E05")
@section("8.1")
def test_without_a_purchase_the_donkey_may_move_or_stay() -> None:
    game = act(load(scene()), "acquire")
    assert "done" in legal(game)
    assert offered(game, "donkey") == names("donkey", [x for x in SPACES[1:] if x != (2, 4)])
    play(game, "done")
    holds(game, donkey=[0, 0], hand=[], pg=5)
    game = act(load(scene()), "acquire", "donkey:1,2")
    holds(game, donkey=[1, 2], hand=[], pg=5)
    assert game.current_player == 1


@rulings("E06")
@section("8.1")
def test_the_donkey_stays_when_there_is_no_other_card() -> None:
    s = scene()
    s["draft"] = [["W14", "W15", *[None] * 3], [None] * 5, [*[None] * 4, "F12"]]
    for number in range(3):
        left_in_deck(s, number)
    game = act(load(s), "acquire", "take:0,1")
    assert legal(game) == {"take:0,0", "done"}
    play(game, "take:0,0")
    assert game.current_player == 1  # nowhere to land, so nothing to choose
    holds(game, donkey=[0, 0], hand=["W14", "W15"])
    assert draft(game)[0] == [None] * 5
    # Distances are still measured from the empty space.
    s["discards"].append("W15")
    s["draft"] = [[None, None, "W14", None, None], [None] * 5, [*[None] * 4, "F12"]]
    assert offered(act(load(edit(s, pg=1)), "acquire"), "take") == set()
    assert offered(act(load(edit(s, pg=2)), "acquire"), "take") == {"take:0,2"}


@rulings("E08", "E17")
@section("8.1", "4.3")
def test_rival_donkeys_block_and_the_own_one_does_not() -> None:
    s = edit(scene(3), pg=9)
    edit(s, 1, donkey=[0, 1])
    edit(s, 2, donkey=[1, 0])
    game = act(load(s), "acquire")
    free = [x for x in SPACES if x not in ((0, 1), (1, 0))]
    assert offered(game, "take") == names("take", free)
    assert offered(game, "donkey") == names("donkey", free[1:])  # next to others is fine
    play(game, "donkey:0,2")
    game = act(play(load(s), "special", "done"), "acquire")  # now the rival's view
    assert "take:0,0" not in legal(game) and "donkey:0,0" not in legal(game)


# --- refreshing a row -----------------------------------------------------------------------------


@rulings("E09", "D08", "E11")
@section("8.1")
def test_a_row_of_one_type_is_returned_shuffled_and_drawn_again() -> None:
    seed = 9
    s = wheels_in_row_0(scene())
    game = act(load(s, seed=seed), "acquire")
    assert offered(game, "refresh") == {"refresh:0", "refresh:2"}
    deck = game.to_dict()["decks"][0]
    play(game, "refresh:0")
    expected = SeededChance(seed).shuffle_row(0, [*deck, *s["draft"][0]])
    assert draft(game)[0] == expected[:5]
    assert game.to_dict()["decks"][0] == expected[5:]
    assert game.to_dict()["discards"] == []
    holds(game, donkey=[0, 0], pg=5)


@rulings("E09", "E08")
@section("8.1")
def test_only_available_cards_count_for_a_refresh() -> None:
    s = wheels_in_row_0(scene())
    s["draft"][0][3] = "E1"
    assert offered(act(load(s), "acquire"), "refresh") == {"refresh:2"}
    edit(s, 1, donkey=[0, 3])  # the odd card is under a rival's donkey
    game = act(load(s), "acquire")
    assert offered(game, "refresh") == {"refresh:0", "refresh:2"}
    play(game, "refresh:0")
    assert draft(game)[0][3] == "E1"
    assert len(game.to_dict()["decks"][0]) == 27
    # The other player: seat 0's donkey hides a wheel, its own stands on the odd card.
    assert offered(act(load(turn_of(s, 1)), "acquire"), "refresh") == {"refresh:2"}


@rulings("E09")
@section("8.1")
def test_a_refresh_needs_an_available_card_and_ignores_empty_spaces() -> None:
    s = scene()
    s["draft"][2] = [None, None, None, None, "F12"]  # under the rival's donkey
    left_in_deck(s, 2)
    assert offered(act(load(s), "acquire"), "refresh") == set()
    s = scene()
    s["draft"][2] = [None, "G10", None, "G11", "F12"]
    left_in_deck(s, 2)
    game = act(load(s), "acquire")
    assert offered(game, "refresh") == {"refresh:2"}
    play(game, "refresh:2")
    # Two cards come back, from the left.
    cards = draft(game)[2]
    assert {cards[0], cards[1]} == {"G10", "G11"}
    assert cards[2:] == [None, None, "F12"]


@rulings("E10", "D08")
@section("8.1")
def test_each_row_once_and_only_before_the_first_card() -> None:
    game = act(load(wheels_in_row_0(scene())), "acquire", "refresh:2")
    assert "refresh:2" not in legal(game)
    assert "refresh:0" in legal(game)
    play(game, "take:0,1")
    assert offered(game, "refresh") == set()


@rulings("E10", "D08")
@section("8.1")
def test_no_second_refresh_even_if_the_new_cards_are_alike() -> None:
    s = wheels_in_row_0(scene())
    left_in_deck(s, 0, "W01", "W02")
    game = act(load(s), "acquire", "refresh:0")
    assert all(str(card).startswith("W") for card in draft(game)[0])
    assert offered(game, "refresh") == {"refresh:2"}


@rulings("D08", "E05")
@section("8.1")
def test_a_refresh_without_a_purchase() -> None:
    game = act(load(wheels_in_row_0(scene())), "acquire", "refresh:0", "done")
    holds(game, hand=[], donkey=[0, 0])
    assert game.current_player == 1


@rulings("E12")
@section("9.6", "8.1")
def test_a_refresh_in_the_acquire_bonus() -> None:
    s = wheels_in_row_0(scene(3))
    edit(s, 2, donkey=[1, 4])
    game = play(load(s), "place:1,3", "bonus:acquire")
    assert offered(game, "refresh") == {"refresh:0", "refresh:2"}
    play(game, "refresh:0", "take:0,0")
    assert offered(game, "take") == set()  # one craftswoman, one card


@rulings("E12")
@section("9.6")
@pytest.mark.parametrize("standing", (0, 2))
def test_the_acquire_bonus_takes_as_many_cards_as_craftswomen(standing: int) -> None:
    s = edit(scene(3), pg=9)
    if standing:
        stand(s, (0, 3), 1, standing)
    game = play(load(s), "place:0,3", "bonus:acquire")
    for column in range(standing + 1):
        assert offered(game, "take")
        play(game, f"take:0,{column}")
    assert offered(game, "take") == set()
    assert len(me(game)["hand"]) == standing + 1


# --- refilling ------------------------------------------------------------------------------------


@rulings("E13", "M07")
@section("8.1")
def test_refill_from_the_left_as_far_as_the_deck_goes() -> None:
    s = scene()
    s["draft"][0][0] = "W01"
    left_in_deck(s, 0, "W03")
    game = act(load(s), "acquire", "take:0,1", "take:0,3", "donkey:1,0")
    assert draft(game)[0] == ["W01", "W03", "W15", None, "W16"]
    assert draft(game)[1:] == DRAFT[1:]
    assert game.to_dict()["decks"][0] == []


@rulings("E13")
@section("8.1")
def test_each_row_is_filled_from_its_own_deck() -> None:
    game = act(load(edit(scene(), donkey=[1, 0])), "acquire", "take:1,1", "take:2,0", "donkey:0,0")
    assert draft(game)[1] == ["C10", "C01", "C11", "Y11", "C12"]
    assert draft(game)[2] == ["G01", "G10", "F11", "G11", "F12"]


@rulings("E13")
@section("8.1")
def test_spaces_left_empty_are_filled_at_a_later_refill() -> None:
    s = edit(scene(), donkey=[1, 0])
    s["draft"][0] = ["W14", None, "W15", None, "W16"]
    left_in_deck(s, 0, "E3", "E4", "W02")
    game = act(load(s), "acquire", "take:1,0", "donkey:1,1")
    assert draft(game)[0] == ["W14", "E3", "W15", "E4", "W16"]
    assert game.to_dict()["decks"][0] == ["W02"]


@rulings("E14")
@section("8.1", "4.2")
def test_hands_have_no_limit_and_taken_cards_are_public() -> None:
    dealt = ["W01", "W02", "W03", "W04", "C01", "C02", "C03", "F01", "F02", "F03", "G01", "G02"]
    s = edit(scene(), hand=dealt)
    game = act(load(s), "acquire", "take:0,0", "take:0,1", "donkey:1,1")
    part = me(game)
    assert len(part["hand"]) == 14
    assert sorted(part["hand_dealt"]) == sorted(dealt)


@rulings("E17", "E07")
@section("4.3", "8.1")
def test_two_donkeys_never_share_a_card() -> None:
    game = act(load(scene()), "acquire", "donkey:2,3", "discard:cleanup", "action:acquire")
    assert "donkey:2,3" not in legal(game) and "take:2,3" not in legal(game)
    assert "donkey:0,0" in legal(game)  # the space that the other has left


@rulings("E03")
@section("8.1")
def test_two_cards_at_most() -> None:
    game = act(load(edit(scene(), pg=20)), "acquire", "take:0,0", "take:1,0")
    assert offered(game, "take") == set()
    holds(game, hand=["W14", "C10"])


@rulings("E03", "B27")
@section("8.1", "9.6")
def test_acquire_in_a_bonus_turn() -> None:
    s = shut(scene(3), 0)
    game = play(load(s), "bonus:acquire", "take:0,0")
    assert offered(game, "take") == set()
    play(game, "donkey:1,1")
    assert game.current_player == 1


@rulings("E14", "F01")
@section("8.1", "8.2")
def test_a_taken_card_can_be_played_like_a_dealt_one() -> None:
    s = edit(scene(), pg=9)
    s["draft"][0][0] = "W01"
    s["draft"][1][0] = "C03"
    game = act(load(s), "acquire", "take:0,0", "take:1,0", "donkey:0,1")
    holds(game, hand=["W01", "C03"], pg=8)
    play(game, "special", "done")
    act(game, "play", "play:C03")
    holds(game, hand=["W01"], pg=7)
    play(game, "special", "done")
    act(game, "play", "play:W01", "slot:1", "done")
    holds(game, hand=[], pg=5)


@rulings("E14")
@section("8.1", "8.2")
def test_of_two_equal_cards_the_one_that_all_have_seen_is_played_first() -> None:
    s = edit(scene(), hand=["E3", "E3", "E4"], pg=9, glaze=9)
    s["players"][0]["hand_dealt"] = ["E3", "E4"]
    game = act(load(s), "play", "play:E3", "slot:1", "done")
    holds(game, hand=["E3", "E4"], hand_dealt=["E3", "E4"])
    play(game, "special", "done")
    act(game, "play", "play:E3", "slot:2", "done")
    holds(game, hand=["E4"], hand_dealt=["E4"])


@rulings("E09")
@section("8.1")
@pytest.mark.parametrize(
    ("row", "deck", "offered_too"),
    [
        (["E3", "E3", "E3", "E3", "W16"], [], False),  # the same four cards again
        (["E3", "E3", "E3", "E3", "W16"], ["W02"], True),
        ([None, "E3", "E3", "E3", "W16"], [], True),  # they close the gap
        (["E3", "E3", "E3", None, "W16"], [], False),
        (["E3", "E3", "E3", "E4", "W16"], [], True),
    ],
)
def test_a_refresh_that_would_change_nothing_is_not_offered(
    row: list[str | None], deck: list[str], offered_too: bool
) -> None:
    s = edit(scene(), 1, donkey=[0, 4])
    s["draft"][0] = row
    left_in_deck(s, 0, *deck)
    assert ("refresh:0" in legal(act(load(s), "acquire"))) == offered_too
