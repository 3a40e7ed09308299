"""§12 Solo mode (rulings P01-P24, D11-D13, D29, D30)."""

from __future__ import annotations

import pytest

from nijar_env.game import Game

from .scenes import (
    Scene,
    act,
    at,
    at_home,
    batch_winner,
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
    supply,
)

# Cards by number: space; donkey; pieces of rounds 1, 2, 3 on the back.
#   1 (0,0) move right/left         plate jug | jug pot | pot plate
#   2 (0,1) discard left and right  jug pot | pot plate | plate jug
#   3 (0,2) move below/above        pot plate | plate jug | jug pot
#   4 (1,0) discard above and below plate jug | jug pot | pot plate
#   5 (1,1) stay                    jug pot | pot plate | plate jug
#   6 (1,2) discard left and right  pot plate | plate jug | jug pot
#   7 (2,0) move above/below        plate jug | jug pot | pot plate
#   8 (2,1) discard above and below jug pot | pot plate | plate jug
#   9 (2,2) move left/right         pot plate | plate jug | jug pot

LEVELS = ("normal", "advanced", "expert")
BUMP = {"normal": 3, "advanced": 5, "expert": 5}
IDLE = {"normal": 1, "advanced": 1, "expert": 2}


def deck(s: Scene, *first: int, revealed: int = 0) -> Scene:
    """These cards next, the others after them; so many of the latter are turned up already."""
    rest = [card for card in range(1, 10) if card not in first]
    return edit(s, 1, deck=[*first, *rest[revealed:]], revealed=rest[:revealed])


def solo(*first: int, difficulty: str = "normal", number: int = 1, revealed: int = 0) -> Scene:
    return deck(scene(1, difficulty=difficulty, number=number), *first, revealed=revealed)


def passed(game: Game) -> Game:
    """The player places one on the Special Action and declines; the Competition's turn follows."""
    return play(game, "special", "done")


def standing(**kinds: str) -> dict[str, str | None]:
    return {"plate": None, "jug": None, "pot": None, **kinds}


# --- its turn (§12.4) -----------------------------------------------------------------------------


@rulings("P03", "D12")
@section("12.4", "12.5")
def test_a_card_is_turned_up_and_the_next_back_gives_the_pieces() -> None:
    game = passed(load(solo(5, 3, 1)))
    competition = game.to_dict()["competition"]
    assert competition["revealed"] == [5]
    assert competition["deck"][:2] == [3, 1]
    assert at(game, (1, 1)) == (1, 1)  # the front of 5
    # The back of 3: pot, plate.
    holds(game, 1, pieces=standing(pot="unpainted", plate="unpainted"), craftswomen=6)
    passed(game)
    assert at(game, (0, 2)) == (1, 1)
    # The back of 1: plate, jug.
    holds(game, 1, pieces=standing(pot="unpainted", plate="painted", jug="unpainted"))


@rulings("D12", "P03", "P04", "P20")
@section("12.4")
@pytest.mark.parametrize("difficulty", LEVELS)
def test_eight_turns_and_then_it_closes(difficulty: str) -> None:
    s = solo(5, 9, difficulty=difficulty, revealed=7)
    game = passed(load(s))  # the eighth card
    competition = game.to_dict()["competition"]
    assert (competition["shop"], competition["deck"]) == ("open", [9])
    assert competition["craftswomen"] == 6
    passed(game)
    holds(game, 1, shop="closed", vp=IDLE[difficulty], craftswomen=6, deck=[9])


@rulings("P04")
@section("12.4")
def test_without_craftswomen_it_closes_and_reveals_nothing() -> None:
    game = passed(load(at_home(solo(5, 1), 1, 0)))
    holds(game, 1, shop="closed", vp=1, revealed=[], pieces=standing())
    assert game.to_dict()["board"]["special"] == [1, 7]


@rulings("P04", "P05", "P24")
@section("12.4", "12.10")
@pytest.mark.parametrize("difficulty", LEVELS)
def test_a_closed_competition_gains_vp_each_turn(difficulty: str) -> None:
    game = load(shut(solo(5, 1, difficulty=difficulty), 1))
    for turns in (1, 2, 3):
        passed(game)
        holds(game, 1, vp=turns * IDLE[difficulty], revealed=[])


@rulings("P05", "C01")
@section("12.4", "10.1")
@pytest.mark.parametrize(("order", "vp"), [([0, 1], 1), ([1, 0], 0)])
def test_equal_turns_in_solo(order: list[int], vp: int) -> None:
    s = at_home(shut(solo(5), 1), 0, 0)
    s["turn_order"] = order
    game = play(load(s), "close", "done")
    # First in order: the Competition has one more turn. Last: the round ends at once.
    assert game.phase == "end_of_round"
    holds(game, 1, vp=vp)


@rulings("P20")
@section("12.2")
def test_its_space_gives_neither_action_nor_bonus() -> None:
    before = load(solo(1, 4)).to_dict()
    game = passed(load(solo(1, 4)))  # the space of acquire, play, first player and of 1 clay
    after = game.to_dict()
    assert game.current_player == 0
    assert {**before["players"][0], "craftswomen": 6} == after["players"][0]
    assert {**before["supply"], "plate": 7, "jug": 7} == after["supply"]
    assert after["draft"] == before["draft"] and after["discards"] == []


# --- step 1: a craftswoman (§12.5) ----------------------------------------------------------------


@rulings("P06", "P08", "D13")
@section("12.5")
@pytest.mark.parametrize("difficulty", LEVELS)
@pytest.mark.parametrize("count", (1, 2, 3))
def test_it_bumps_k_with_k_and_one_for_one_reward(difficulty: str, count: int) -> None:
    s = stand(solo(5, 1, difficulty=difficulty), (1, 1), 0, count)
    game = passed(load(s))
    assert at(game, (1, 1)) == (1, count + 1)
    holds(game, 1, craftswomen=7 - count - 1, vp=BUMP[difficulty])
    holds(game, 0, craftswomen=6)  # all but the one on the Special Action


@rulings("P06")
@section("12.5")
def test_too_few_for_a_bump_go_one_to_the_special_action() -> None:
    s = at_home(stand(solo(5, 1), (1, 1), 0, 2), 1, 2)
    game = passed(load(s))
    assert at(game, (1, 1)) == (0, 2)
    assert game.to_dict()["board"]["special"] == [1, 6]
    holds(game, 1, craftswomen=1, vp=0, pieces=standing(plate="unpainted", jug="unpainted"))
    holds(game, 0, craftswomen=4)


@rulings("P06", "D13")
@section("12.5")
def test_just_enough_for_a_bump() -> None:
    s = at_home(stand(solo(5, 1), (1, 1), 0, 2), 1, 3)
    game = passed(load(s))
    assert at(game, (1, 1)) == (1, 3)
    holds(game, 1, craftswomen=0, vp=3)


@rulings("P07")
@section("12.5")
def test_a_space_with_its_own_craftswomen_sends_one_to_the_special_action() -> None:
    game = passed(load(stand(solo(5, 1), (1, 1), 1, 2)))
    assert at(game, (1, 1)) == (1, 2)
    assert game.to_dict()["board"]["special"] == [1, 1]
    holds(game, 1, craftswomen=4, vp=0)


@rulings("P08", "B07")
@section("12.5", "7.2.5")
def test_a_bump_with_your_shop_closed_gives_you_a_reward_for_each() -> None:
    s = shut(stand(solo(1, 4), (0, 0), 0, 2), 0)
    edit(s, donkey=[0, 1])
    game = play(load(s), "done")
    # Before its donkey moves and its pieces come.
    assert (game.current_player, game.turn_player) == (0, 1)
    assert legal(game) == {"shop:clay", "shop:pg", "shop:glaze"}
    holds(game, 1, vp=3, donkey=[2, 4], pieces=standing())
    play(game, "shop:pg", "shop:clay")
    holds(game, 0, pg=8, clay=5, shop_craftswomen=2, craftswomen=0)
    holds(game, 1, vp=3, donkey=[0, 2], pieces=standing(plate="unpainted", jug="unpainted"))


# --- the player bumps it (§12.6) ------------------------------------------------------------------


@rulings("P09")
@section("12.6")
def test_its_craftswomen_return_to_an_open_shop() -> None:
    s = at_home(stand(solo(5, 1), (0, 0), 1, 2), 1, 3)
    game = play(load(s), "place:0,0")
    assert at(game, (0, 0)) == (0, 3)
    holds(game, 1, craftswomen=5, shop_craftswomen=0, vp=0)
    assert game.current_player == 0


@rulings("P09", "P24")
@section("12.6", "12.10")
@pytest.mark.parametrize("difficulty", LEVELS)
@pytest.mark.parametrize("count", (1, 2))
def test_on_a_closed_shop_each_is_worth_vp(difficulty: str, count: int) -> None:
    s = shut(stand(solo(5, 1, difficulty=difficulty), (0, 0), 1, count), 1)
    game = play(load(s), "place:0,0")
    holds(game, 1, craftswomen=0, shop_craftswomen=count, vp=count * IDLE[difficulty])
    assert game.current_player == 0  # no choice of a reward


# --- step 2: the donkey (§12.5.2) -----------------------------------------------------------------


@rulings("P10", "E08")
@section("12.5")
@pytest.mark.parametrize(
    ("card", "player", "target"),
    [
        (1, [1, 1], [1, 2]),  # right
        (1, [1, 4], [1, 3]),  # off the grid: left
        (9, [1, 1], [1, 0]),  # left
        (9, [1, 0], [1, 1]),
        (3, [1, 1], [2, 1]),  # below
        (3, [2, 1], [1, 1]),
        (7, [1, 1], [0, 1]),  # above
        (7, [0, 1], [1, 1]),
    ],
)
def test_beside_your_donkey_preferred_then_alternative(
    card: int, player: list[int], target: list[int]
) -> None:
    s = edit(solo(card, 5), donkey=player)
    game = passed(load(edit(s, 1, donkey=[2, 3])))
    holds(game, 1, donkey=target)
    assert game.to_dict()["discards"] == []


@rulings("P10")
@section("12.5")
def test_an_empty_space_is_not_available() -> None:
    s = edit(solo(1, 5), donkey=[1, 1])
    s["draft"][1] = ["C10", "Y10", None, "Y11", "C12"]
    holds(passed(load(s)), 1, donkey=[1, 0])
    s["draft"][1] = [None, "Y10", None, "Y11", "C12"]
    holds(passed(load(s)), 1, donkey=[2, 4])  # both fail: it stays
    # Already on the preferred card: it stays there.
    s["draft"][1] = ["C10", "Y10", "C11", "Y11", "C12"]
    holds(passed(load(edit(s, 1, donkey=[1, 2]))), 1, donkey=[1, 2])


@rulings("P11")
@section("12.5")
@pytest.mark.parametrize(
    ("card", "donkey", "gone"),
    [
        (2, [1, 2], ["Y10", "Y11"]),
        (6, [1, 4], ["Y11"]),
        (4, [1, 2], ["W15", "F11"]),
        (8, [2, 2], ["C11"]),
        (2, [1, 1], ["C10", "C11"]),
        (2, [0, 1], ["W15"]),  # the card under your donkey is blocked
    ],
)
def test_the_neighbours_of_its_donkey_leave_the_game(
    card: int, donkey: list[int], gone: list[str]
) -> None:
    game = passed(load(edit(solo(card, 5), 1, donkey=donkey)))
    assert sorted(game.to_dict()["discards"]) == sorted(gone)
    holds(game, 1, donkey=donkey)
    assert all(name is not None for line in draft(game) for name in line)  # filled again
    assert not set(gone) & {name for line in draft(game) for name in line}


@rulings("P11", "E13")
@section("12.5")
def test_the_gaps_are_filled_in_the_usual_way() -> None:
    game = passed(load(edit(solo(2, 5), 1, donkey=[0, 3])))
    assert draft(game)[0] == ["W14", "E1", "W01", "E2", "W02"]
    assert game.to_dict()["decks"][0][0] == "W03"


@rulings("P11", "E09")
@section("12.5", "8.1")
def test_its_donkey_guards_a_card_against_a_refresh() -> None:
    s = edit(solo(5, 1), 1, donkey=[0, 2])
    s["draft"][0] = ["W12", "W13", "E1", "W15", "W16"]
    game = act(load(s), "acquire", "refresh:0")
    assert draft(game)[0][2] == "E1"
    assert "take:0,2" not in legal(game)


@rulings("P10")
@section("12.5")
def test_the_third_icon_changes_nothing() -> None:
    before = load(solo(5, 1))
    game = passed(load(solo(5, 1)))
    assert draft(game) == draft(before)
    holds(game, 1, donkey=[2, 4])


# --- step 3: the pieces (§12.5.3) -----------------------------------------------------------------


@rulings("P13", "P15")
@section("12.5")
def test_take_paint_sell_in_turn() -> None:
    game = passed(load(solo(5, 1, 4, 7)))  # backs 1, 4, 7: plate, jug in round 1
    holds(game, 1, pieces=standing(plate="unpainted", jug="unpainted"))
    assert supply(game)["plate"] == supply(game)["jug"] == 7
    passed(game)
    holds(game, 1, pieces=standing(plate="painted", jug="painted"), vp=0)
    passed(game)
    # Rows 6 and 5 of the market.
    holds(game, 1, pieces=standing(), sold=pieces(plate=1, jug=1), vp=7 + 6)
    assert position(game) == {"plate": 4, "jug": 4, "pot": 4}
    assert supply(game)["plate"] == supply(game)["jug"] == 7  # to the box


@rulings("P13", "P03")
@section("12.5")
@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (1, standing(plate="unpainted", jug="unpainted")),
        (2, standing(jug="unpainted", pot="unpainted")),
        (3, standing(pot="unpainted", plate="unpainted")),
    ],
)
def test_the_row_of_the_round(number: int, expected: dict[str, str | None]) -> None:
    holds(passed(load(solo(5, 1, number=number))), 1, pieces=expected)


@rulings("P13")
@section("12.5")
def test_each_action_looks_at_what_the_one_before_left() -> None:
    # Back of 4 in round 3: pot, then plate. The pot sold first lowers no plate marker.
    s = solo(5, 4, number=3)
    edit(s, 1, pieces=standing(pot="painted", plate="unpainted"))
    game = passed(load(s))
    holds(game, 1, pieces=standing(plate="painted"), vp=5, sold=pieces(pot=1))
    assert position(game) == {"plate": 6, "jug": 5, "pot": 3}


@rulings("P14", "P24")
@section("12.5", "12.10")
@pytest.mark.parametrize("difficulty", LEVELS)
def test_a_piece_that_is_not_there_is_worth_vp(difficulty: str) -> None:
    s = edit(solo(5, 1, difficulty=difficulty), sold=pieces(plate=8))
    game = passed(load(s))
    holds(game, 1, pieces=standing(jug="unpainted"), vp=IDLE[difficulty])


@rulings("P14")
@section("12.5")
def test_painting_and_selling_never_fail() -> None:
    s = edit(solo(5, 1, 4), sold=pieces(plate=7))
    edit(s, 1, pieces=standing(plate="unpainted"))
    game = passed(load(s))
    holds(game, 1, pieces=standing(plate="painted", jug="unpainted"), vp=0)
    passed(game)
    holds(game, 1, pieces=standing(jug="painted"), vp=7)


@rulings("P16")
@section("12.8", "12.9", "11.1")
def test_pieces_stay_between_rounds_and_are_sold_at_the_end() -> None:
    s = edit(solo(5), 1, pieces=standing(plate="painted", jug="unpainted"))
    s["first_player_track"] = [0, 1]
    game = play(load(end_of_round(s)), "done", "keep")
    holds(game, 1, pieces=standing(plate="painted", jug="unpainted"))
    s = edit(solo(number=3), 1, pieces=standing(plate="painted", jug="unpainted", pot="painted"))
    s["first_player_track"] = [0, 1]
    game = play(load(end_of_round(s)), "done")
    assert game.done
    holds(game, 1, vp=2 + 1 + 2, pieces=standing(), sold=pieces(plate=1, jug=1, pot=1))


# --- first player (§12.7, §12.8) ------------------------------------------------------------------


@rulings("P17", "L02")
@section("12.7")
@pytest.mark.parametrize(("pg", "possible"), [(1, False), (2, True)])
def test_your_one_space_costs_two(pg: int, possible: bool) -> None:
    s = edit(solo(5, 1), pg=pg)
    game = play(load(s), "place:0,1")
    assert ("action:first_player" in legal(game)) == possible
    if possible:
        play(game, "action:first_player")
        assert legal(game) == {"track:0", "done"}
        play(game, "track:0")
        holds(game, pg=0)
        assert game.to_dict()["first_player_track"] == [0, 1]
        assert "action:first_player" not in legal(game)


@rulings("P17", "P02", "P19", "D04", "D11")
@section("12.7", "12.8", "12.3")
def test_without_it_the_competition_is_first_and_rolls_without_a_choice() -> None:
    game = play(load(end_of_round(solo(5, 1))), "done")
    assert game.to_dict()["turn_order"] == [1, 0]
    assert game.to_dict()["first_player_track"] == [None, 1]
    # No re-roll is asked for, and it has already had its first turn.
    assert (game.phase, game.round, game.current_player) == ("turns", 2, 0)
    assert len(game.to_dict()["competition"]["revealed"]) == 1
    assert len(game.to_dict()["market"]["dice"]) == 3


@rulings("P17", "P19")
@section("12.7", "12.3", "10.4")
def test_with_it_you_are_first_and_may_roll_again() -> None:
    s = solo(5, 1)
    s["turn_order"] = [1, 0]
    s["first_player_track"] = [0, 1]
    s = end_of_round(s)
    s["current_player"] = s["turn_player"] = 0
    game = play(load(s), "done")
    assert game.to_dict()["turn_order"] == [0, 1]
    assert game.to_dict()["first_player_track"] == [None, 1]
    assert legal(game) == {"keep", "reroll"}


@rulings("P18", "N05")
@section("12.9", "11.5")
@pytest.mark.parametrize(("track", "scores"), [([0, 1], [2, 0]), ([None, 1], [0, 2])])
def test_the_token_after_round_three(track: list[int | None], scores: list[int]) -> None:
    s = edit(solo(number=3), pg=0, glaze=0, clay=0)
    s["first_player_track"] = track
    game = play(load(end_of_round(s)), "done")
    assert game.scores() == scores


@rulings("P20", "N02")
@section("12.8", "10.1")
@pytest.mark.parametrize("number", (1, 2))
def test_its_end_of_round(number: int) -> None:
    s = solo(5, number=number, revealed=4)
    s = shut(stand(stand(s, (0, 0), 1, 2), (1, 2), 0, 1), 1, returned=1)
    s = at_home(s, 0, 0)
    s["first_player_track"] = [0, 1]
    game = play(load(s), "close", "done")
    assert game.phase == "end_of_round"
    holds(game, 1, craftswomen=7 - number, shop="open", shop_craftswomen=0, revealed=[])
    assert sorted(game.to_dict()["competition"]["deck"]) == list(range(1, 10))
    play(game, "done")
    assert legal(game) == {"keep", "reroll"}
    assert game.to_dict()["board"]["special"] == [0, 0]


@rulings("P03", "P12")
@section("12.8")
def test_all_nine_cards_are_shuffled_for_each_round() -> None:
    decks = set()
    for seed in range(30):
        s = at_home(shut(solo(1, 2, 3), 1), 0, 0)
        s["first_player_track"] = [0, 1]
        game = play(load(s, seed=seed), "close", "done", "done", "keep")
        decks.add(tuple(game.to_dict()["competition"]["deck"]))
    assert len(decks) == 30


# --- scoring (§12.9) ------------------------------------------------------------------------------


@rulings("P20", "P16")
@section("12.9")
def test_the_competition_scores_pieces_and_token_alone() -> None:
    s = edit(solo(number=3), pg=0, glaze=0, clay=0)
    edit(s, 1, vp=40, pieces=standing(jug="painted"), sold=pieces(plate=3))
    game = play(load(end_of_round(s)), "done")
    assert game.to_dict()["competition"]["vp_from"] == {
        "given": 40,
        "pieces_left": 2,
        "first_player_token": 2,
    }
    assert game.scores() == [0, 44]


@rulings("P22", "O09")
@section("12.9", "11.6")
@pytest.mark.parametrize(
    ("track", "own", "winner"),
    [([0, 1], 38, 0), ([0, 1], 37, 1), ([None, 1], 42, 1), ([None, 1], 43, 0)],
)
def test_a_tie_is_won_by_the_leftmost(track: list[int | None], own: int, winner: int) -> None:
    s = edit(solo(number=3), pg=0, glaze=0, clay=0, vp=own)
    edit(s, 1, vp=40)
    s["first_player_track"] = track
    game = play(load(end_of_round(s)), "done")
    assert game.winner == winner
    assert batch_winner(load(end_of_round(s)), "done") == winner


# --- the player (§12.6) ---------------------------------------------------------------------------


@rulings("P01", "P23", "B26")
@section("12.1.1", "12.6")
def test_the_players_turn_is_the_usual_one() -> None:
    s = edit(solo(5, 1), firing_kilns=row("F00", pieces=["pot"]), cleaning_area=1)
    assert legal(load(s)) == {
        *(f"place:{r},{c}" for r in range(3) for c in range(3)),
        *("special", "sell:pot", "discard:wheel", "discard:esparto", "discard:plate"),
    }
    game = play(load(at_home(edit(s, drying=pieces(jug=1)), 0, 0)), "close")
    assert offered(game, "bonus") == {f"bonus:{b}" for b in ("clay", "throw", "clean", "paint")}


@rulings("D29", "B25")
@section("12.1.1", "12.7")
def test_first_player_and_play_from_one_row() -> None:
    game = play(load(edit(solo(5, 1), hand=["C01"])), "place:0,0")
    assert {"action:play", "action:first_player"} <= legal(game)
    play(game, "action:first_player", "track:0", "action:play", "play:C01")
    holds(game, pg=0, hand=[])


@rulings("P15", "MK04")
@section("12.5", "7.2.3")
def test_it_sells_at_the_painted_price_of_the_row() -> None:
    s = edit(solo(5, 3), 1, pieces=standing(pot="painted"))
    s["market"]["position"]["pot"] = 11
    game = passed(load(s))
    holds(game, 1, vp=12, sold=pieces(pot=1))
    assert position(game)["pot"] == 11  # no demand for pots in round 1


@rulings("P21")
@section("12.10")
@pytest.mark.parametrize("difficulty", LEVELS)
def test_of_the_cards_turned_up_the_top_one_is_seen_and_in_expert_all(difficulty: str) -> None:
    def seen(revealed: list[int], cards: list[int]) -> bytes:
        s = edit(scene(1, difficulty=difficulty), 1, revealed=revealed, deck=cards)
        return load(s).observation(0).tobytes()

    first = seen([2, 3, 5], [1, 4, 6, 7, 8, 9])
    other_below = seen([4, 3, 5], [1, 2, 6, 7, 8, 9])
    other_on_top = seen([2, 5, 3], [1, 4, 6, 7, 8, 9])
    assert (first == other_below) == (difficulty != "expert")
    assert first != other_on_top
