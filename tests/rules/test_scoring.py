"""§11 Endgame scoring (rulings O01-O10, I12, D33)."""

from __future__ import annotations

import pytest

from nijar_env.game import Game

from .scenes import (
    Scene,
    batch_winner,
    cleanup,
    edit,
    end_of_round,
    holds,
    load,
    me,
    pieces,
    play,
    row,
    rulings,
    scene,
    section,
    turn_of,
    wheels,
)


def last(players: int = 2) -> Scene:
    """The end of round 3; nobody has anything that scores but the token of seat 0."""
    s = scene(players, number=3)
    for p in range(players):
        edit(s, p, pg=0, glaze=0, clay=0, endgame_hand=[], endgame_discarded=[])
    return s


def ready(s: Scene) -> tuple[Game, int]:
    """Give everybody the endgame cards that are missing; the number of players who are asked."""
    left = ["plate", "plate", "jug", "jug", "pot", "pot", "wheel", "esparto", "cleanup"]
    left += ["firing_kiln", "workshop", "glaze_kiln"]
    for player in s["players"]:
        for card in (*player["endgame_played"], *player["endgame_hand"]):
            left.remove(card)
    for player in s["players"]:
        while len(player["endgame_played"]) + len(player["endgame_hand"]) < 3:
            player["endgame_hand"].append(left.pop())
    s = end_of_round(s)
    asked = [p for p in s["turn_order"] if s["players"][p]["endgame_hand"]]
    return load(turn_of(s, asked[0])), len(asked)


def score(s: Scene) -> Game:
    """Score; nobody plays another endgame card."""
    game, asked = ready(s)
    play(game, *["done"] * asked)
    assert game.done
    return game


def earned(game: Game, number: int = 0) -> dict[str, int]:
    """VP of a seat by source."""
    sources: dict[str, int] = me(game, number)["vp_from"]
    return sources


def scored(s: Scene, *cards: str) -> int:
    """VP of seat 0's endgame cards."""
    game = score(edit(s, endgame_played=list(cards)))
    return earned(game).get("endgame_cards", 0)


TOKEN = {"first_player_token": 2}


@rulings("O02", "I12", "O01")
@section("11.1")
def test_pieces_left_in_kilns_are_sold_at_a_flat_price() -> None:
    s = edit(
        last(),
        firing_kilns=row("F00", "F01", pieces=["plate", "jug"]),
        glaze_kilns=row("G00", "G01", pieces=["pot", "pot"]),
        workshops=row("Y00", pieces=["plate"]),
        drying=pieces(jug=3),
    )
    s["market"]["position"] = {"plate": 12, "jug": 12, "pot": 12}
    game = score(s)
    assert earned(game) == {"pieces_left": 1 + 1 + 2 + 2, **TOKEN}
    holds(game, sold=pieces(plate=1, jug=1, pot=2), drying=pieces(jug=3))
    holds(game, workshops=row("Y00", pieces=["plate"]), firing_kilns=row("F00", "F01"))
    assert game.to_dict()["market"]["position"] == {"plate": 12, "jug": 12, "pot": 12}


@rulings("O01")
@section("11.1", "11.2")
def test_the_last_pieces_count_for_the_piece_cards() -> None:
    s = edit(last(), glaze_kilns=row("G00", pieces=["pot"]), sold=pieces(pot=2, plate=1))
    assert scored(s, "pot") == 3


@rulings("O03", "N04")
@section("11.2", "10.2")
def test_cards_in_hand_and_discarded_cards_score_nothing() -> None:
    s = edit(last(), sold=pieces(plate=5))
    game = score(edit(s, endgame_hand=["plate"], endgame_played=[]))
    assert earned(game) == TOKEN


@rulings("O04", "H09")
@section("11.2")
@pytest.mark.parametrize(("count", "vp"), [(1, 0), (2, 1), (3, 3), (4, 6), (5, 10)])
def test_wheels_in_play_with_the_starting_one(count: int, vp: int) -> None:
    row = wheels(("SW1", 0), ("W01", "done"), ("W02", 1), ("W03", 0), ("W04", "done"))
    assert scored(edit(last(), wheels=[*row[:count], *[None] * (5 - count)]), "wheel") == vp


@rulings("O04")
@section("11.2")
@pytest.mark.parametrize(
    ("count", "vp"), [(1, 0), (2, 1), (3, 3), (4, 6), (5, 10), (6, 10), (8, 10)]
)
@pytest.mark.parametrize("kind", ("cleanup", "firing_kiln", "workshop", "glaze_kiln"))
def test_cards_of_a_type_with_the_starting_one(kind: str, count: int, vp: int) -> None:
    letter = {"cleanup": "C", "firing_kiln": "F", "workshop": "Y", "glaze_kiln": "G"}[kind]
    cards = [f"{letter}{n:02}" for n in range(count)]
    name = kind if kind == "cleanup" else f"{kind}s"
    line = cleanup(**dict.fromkeys(cards, 0)) if kind == "cleanup" else row(*cards)
    assert scored(edit(last(), **{name: line}), kind) == vp


@rulings("O05", "D33")
@section("11.2", "11.3")
@pytest.mark.parametrize(
    ("cards", "card_vp", "set_vp"),
    [
        (["E0", None, None, None], 0, 0),
        (["E0", "E1", None, None], 1, 1),
        (["E0", "E1", None, "E1"], 5, 1),
        (["E0", "E1", "E1", "E1"], 10, 1),
        (["E0", "E3", "E1", "E3"], 10, 3),
        (["E0", "E1", "E2", None], 5, 3),
        (["E0", "E1", "E2", "E4"], 10, 6),
    ],
)
def test_esparto_card_and_set(cards: list[str | None], card_vp: int, set_vp: int) -> None:
    s = edit(last(), esparto=cards)
    s["draft"][0] = ["W12", "W13", "W14", "W15", "W16"]
    game = score(edit(s, endgame_played=["esparto"]))
    found = earned(game)
    assert found.get("endgame_cards", 0) == card_vp
    assert found.get("esparto_set", 0) == set_vp


@rulings("O05")
@section("11.3")
def test_the_set_scores_without_any_card() -> None:
    s = edit(last(), 1, esparto=["E0", "E1", "E2", "E4"])
    assert earned(score(s), 1) == {"esparto_set": 6}


@rulings("O06")
@section("11.2")
def test_two_equal_cards_both_score() -> None:
    assert scored(edit(last(), sold=pieces(jug=4)), "jug", "jug") == 8


@rulings("O04")
@section("11.2")
@pytest.mark.parametrize("piece", ("plate", "jug", "pot"))
def test_one_vp_for_each_sold_piece_of_the_type(piece: str) -> None:
    s = edit(last(), sold={"plate": 1, "jug": 2, "pot": 3})
    assert scored(s, piece) == {"plate": 1, "jug": 2, "pot": 3}[piece]


@rulings("O07", "J07")
@section("11.4")
def test_cracks_in_the_cleaning_area_cost_vp_and_may_go_below_zero() -> None:
    s = edit(last(), 1, cleaning_area=8, cleanup=cleanup(C00=1, C02=2), vp=3)
    game = score(s)
    assert earned(game, 1) == {"cracks": -8, "given": 3}
    assert game.scores() == [2, -5]


@rulings("O08")
@section("11.6")
@pytest.mark.parametrize(
    ("pg", "glaze", "clay", "vp"),
    [(4, 0, 0, 0), (5, 0, 0, 1), (2, 2, 1, 1), (3, 3, 3, 1), (4, 4, 7, 3), (12, 3, 0, 3)],
)
def test_five_resources_of_any_kind_make_one_vp(pg: int, glaze: int, clay: int, vp: int) -> None:
    game = score(edit(last(), pg=pg, glaze=glaze, clay=clay))
    assert earned(game).get("resources", 0) == vp
    holds(game, pg=pg, glaze=glaze, clay=clay)


@rulings("N05", "O01")
@section("11.5")
@pytest.mark.parametrize("first", (0, 1, 2))
def test_the_token_is_worth_two_vp(first: int) -> None:
    s = last(3)
    s["turn_order"] = [first, (first + 1) % 3, (first + 2) % 3]
    game = score(s)
    assert game.scores() == [2 if p == first else 0 for p in range(3)]


@rulings("O09")
@section("11.6")
@pytest.mark.parametrize(
    ("order", "track", "winner"),
    [
        ([0, 1, 2], [None, None, None], 1),
        ([0, 2, 1], [None, None, None], 2),
        ([0, 2, 1], [0, 1, None], 1),
    ],
)
def test_a_tie_goes_to_the_leftmost(order: list[int], track: list[int | None], winner: int) -> None:
    s = last(3)
    edit(s, 1, vp=9)
    edit(s, 2, vp=9)
    edit(s, 0, vp=1)
    s["turn_order"], s["first_player_track"] = order, track
    before, asked = ready(s)
    assert batch_winner(before, *["done"] * asked) == winner
    game = score(s)
    assert game.scores() == [3, 9, 9]
    assert game.winner == winner


@rulings("O09")
@section("11.6")
def test_the_token_may_make_the_tie() -> None:
    s = last()
    edit(s, 1, vp=2)
    assert score(s).winner == 0
    s = last()
    edit(s, 1, vp=3)
    assert score(s).winner == 1


@rulings("O10")
@section("5.2")
def test_vp_beyond_two_laps() -> None:
    s = edit(last(), vp=137)
    assert score(s).scores() == [139, 0]


@rulings("O01")
@section("11.1", "11.2", "11.3", "11.4", "11.5", "11.6")
def test_everything_adds_up() -> None:
    s = edit(
        last(),
        vp=20,
        pg=7,
        glaze=1,
        clay=2,
        cleaning_area=3,
        esparto=["E0", "E1", "E2", None],
        glaze_kilns=row("G00", "G01", pieces=["plate"]),
        sold=pieces(plate=2, pot=1),
        endgame_played=["plate", "glaze_kiln", "pot"],
    )
    game = score(s)
    assert earned(game) == {
        "given": 20,
        "pieces_left": 2,
        "endgame_cards": 3 + 1 + 1,
        "esparto_set": 3,
        "cracks": -3,
        "first_player_token": 2,
        "resources": 2,
    }
    assert game.scores() == [31, 0]
