"""§4 Game setup, and what §12.1 changes in solo (rulings A01-A16, D03, D05, D14, D35)."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pytest

from nijar_env.core.constants import EV_DEALT, EV_REFILLED
from nijar_env.game import Game

from .scenes import legal, load, offered, play, rulings, scene, section

COUNTS = (1, 2, 3, 4)
SEEDS = 300
ALWAYS = {"clay", "fire", "paint", "throw", "clean"}
# Starting resource cards: clay, perra gorda, glazes, cracks.
RESOURCES = {
    "SR1": (5, 5, 2, 3),
    "SR2": (3, 6, 3, 2),
    "SR3": (4, 4, 4, 3),
    "SR4": (2, 7, 2, 1),
    "SR5": (3, 5, 5, 4),
}


@cache
def deals(players: int) -> tuple[dict[str, Any], ...]:
    """Many setups, each before its first choice."""
    return tuple(Game(players, seed=seed, log=False).to_dict() for seed in range(SEEDS))


def place_of(tiles: list[list[list[str]]], action: str) -> tuple[int, int]:
    found = [(r, c) for r in range(3) for c in range(3) if action in tiles[r][c]]
    assert len(found) == 1
    return found[0]


def through_setup(players: int, seed: int) -> Game:
    """Everybody takes the first combination left and the first free card."""
    game = Game(players, seed=seed, log=False, auto_forced=False)
    while game.phase == "setup":
        game.step(game.legal_actions()[0])
    return game


@rulings("A01")
@section("4.3")
@pytest.mark.parametrize("players", (2, 3, 4))
def test_a_random_player_starts_and_the_others_follow_clockwise(players: int) -> None:
    first = Counter(s["turn_order"][0] for s in deals(players))
    assert set(first) == set(range(players))
    assert min(first.values()) > SEEDS / players * 0.75
    for s in deals(players):
        start = s["turn_order"][0]
        assert s["turn_order"] == [(start + k) % players for k in range(players)]


@rulings("P02")
@section("12.1.2")
def test_in_solo_the_player_starts_and_the_second_marker_blocks_the_track() -> None:
    for s in deals(1):
        assert s["turn_order"] == [0, 1]
        assert s["first_player_track"] == [None, 1]


@rulings("A02", "D05", "D28")
@section("4.1")
@pytest.mark.parametrize("players", (2, 3, 4))
def test_first_player_and_play_lie_in_different_rows(players: int) -> None:
    pairs = Counter[tuple[tuple[int, int], tuple[int, int]]]()
    for s in deals(players):
        tiles = s["board"]["tiles"]
        assert sorted("/".join(tile) for line in tiles for tile in line) == [
            *("acquire", "clay", "clean", "esparto", "fire", "first_player", "paint", "play"),
            "throw/tech",
        ]
        first, second = place_of(tiles, "first_player"), place_of(tiles, "play")
        assert first[0] != second[0]
        pairs[first, second] += 1
    # Uniform over the legal layouts: all 9 x 6 pairs of places occur, none too often.
    assert len(pairs) == 54
    assert max(pairs.values()) <= 16  # 5.6 expected


@rulings("A02", "D29")
@section("12.1.1")
def test_in_solo_first_player_and_play_lie_in_one_row() -> None:
    pairs = Counter[tuple[tuple[int, int], tuple[int, int]]]()
    for s in deals(1):
        first = place_of(s["board"]["tiles"], "first_player")
        second = place_of(s["board"]["tiles"], "play")
        assert first[0] == second[0]
        pairs[first, second] += 1
    assert len(pairs) == 18
    assert max(pairs.values()) <= 34  # 16.7 expected


@rulings("A03", "D03", "D30", "P01")
@section("4.1", "9.6", "9.7", "12.1.1")
@pytest.mark.parametrize(
    ("players", "columns", "tiles"),
    [
        (1, 3, ALWAYS),
        (2, 3, ALWAYS),
        (3, 4, ALWAYS | {"acquire"}),
        (4, 5, ALWAYS | {"acquire", "supply"}),
    ],
)
def test_bonus_tiles_by_number_of_players(players: int, columns: int, tiles: set[str]) -> None:
    anywhere: list[set[str]] = [set() for _ in range(columns + 2)]
    for s in deals(players):
        laid = s["board"]["special_bonuses"] + s["board"]["bonuses"]
        assert len(laid) == columns + 2
        assert sorted(laid) == sorted(tiles)
        for place, tile in enumerate(laid):
            anywhere[place].add(tile)
        assert [len(line) for line in s["board"]["spaces"]] == [columns] * 3
    assert anywhere == [tiles] * (columns + 2)


@rulings("A04", "A05", "D18")
@section("4.1", "7.1")
@pytest.mark.parametrize("players", COUNTS)
def test_each_round_has_its_three_demand_tiles_from_the_start(players: int) -> None:
    layouts = Counter[tuple[int, ...]]()
    for s in deals(players):
        demand = s["market"]["demand"]
        for number in range(3):
            tiles = tuple(demand[piece][number] for piece in ("plate", "jug", "pot"))
            assert sorted(tiles) == [0, 1, 2]
            layouts[tiles] += 1
    assert len(layouts) == 6
    assert min(layouts.values()) > SEEDS * 3 / 6 * 0.75


@rulings("A05", "N06")
@section("10.3")
def test_demand_never_changes_during_a_game() -> None:
    game = Game(2, seed=8, log=False)
    before = game.to_dict()["market"]["demand"]
    while not game.done:
        game.step(game.legal_actions()[-1])
        assert game.to_dict()["market"]["demand"] == before


@rulings("A06")
@section("4.1", "4.2")
@pytest.mark.parametrize("players", COUNTS)
def test_the_draft_area_is_laid_before_hands_are_dealt(players: int) -> None:
    game = Game(players, seed=3)
    kinds = [event[0] for event in game._events or () if event[0] in (EV_REFILLED, EV_DEALT)]
    assert kinds == [EV_REFILLED] * 15 + [EV_DEALT] * 3 * players
    for s in deals(players)[:20]:
        assert [len(deck) for deck in s["decks"]] == [27 - players, 19 - players, 19 - players]
        assert all(card is not None for line in s["draft"] for card in line)
        for player in s["players"]:
            backs = sorted("WE CY GF".index(card[0]) // 3 for card in player["hand"])
            assert backs == [0, 1, 2]


@rulings("A07", "P23")
@section("4.2", "4.3")
@pytest.mark.parametrize("players", COUNTS)
def test_hands_are_dealt_before_the_first_choice(players: int) -> None:
    game = Game(players, seed=3, log=False, auto_forced=False)
    assert game.phase == "setup"
    assert offered(game, "start") == legal(game)
    assert [len(p["hand"]) for p in game.to_dict()["players"]] == [3] * players


@rulings("A08")
@section("4.3", "12.1.1")
@pytest.mark.parametrize("players", COUNTS)
def test_combinations_are_paired_at_random(players: int) -> None:
    pairs = set()
    for s in deals(players):
        assert len(s["combinations"]) == players + 1  # solo: 2
        assert len({c["wheel"] for c in s["combinations"]}) == players + 1
        assert len({c["resources"] for c in s["combinations"]}) == players + 1
        pairs |= {(c["wheel"], c["resources"]) for c in s["combinations"]}
    assert len(pairs) == 25


@rulings("A09", "A14")
@section("4.3")
def test_the_last_player_takes_combination_and_donkey_then_the_one_before() -> None:
    game = Game(3, seed=5, log=False, auto_forced=False)
    order = game.to_dict()["turn_order"]
    seen = []
    while game.phase == "setup":
        assert "done" not in legal(game)
        seen.append((game.current_player, min(legal(game)).split(":")[0]))
        game.step(game.legal_actions()[-1])
    assert seen == [(p, what) for p in order[::-1] for what in ("start", "donkey")]


@rulings("A14", "E17")
@section("4.3")
def test_a_donkey_starts_on_any_card_without_a_donkey() -> None:
    game = Game(2, seed=5, log=False, auto_forced=False)
    every = {f"donkey:{r},{c}" for r in range(3) for c in range(5)}
    play(game, "start:1")
    assert legal(game) == every
    play(game, "donkey:1,3", "start:0")
    assert legal(game) == every - {"donkey:1,3"}


@rulings("A10")
@section("4.3")
def test_a_chosen_combination_is_gone_and_the_rest_leave_the_game() -> None:
    game = Game(2, seed=5, log=False, auto_forced=False)
    combinations = game.to_dict()["combinations"]
    play(game, "start:1", "donkey:0,0")
    assert legal(game) == {"start:0", "start:2"}
    play(game, "start:2", "donkey:0,1")
    s = game.to_dict()
    assert s["combinations"] == []
    text = repr(s["players"]) + repr(s["draft"]) + repr(s["decks"]) + repr(s["discards"])
    assert combinations[0]["wheel"] not in text
    assert combinations[1]["wheel"] in text and combinations[2]["wheel"] in text


@rulings("A11", "A13", "D14")
@section("4.3", "5.1")
@pytest.mark.parametrize("players", COUNTS)
def test_a_combination_gives_its_resources_and_a_wheel_without_vp_or_action(players: int) -> None:
    for seed in range(12):
        game = Game(players, seed=seed, log=False, auto_forced=False)
        taken = game.to_dict()["combinations"][0]
        p = game.current_player or 0
        play(game, "start:0")
        s = game.to_dict()
        me = s["players"][p]
        clay, pg, glaze, cracks = RESOURCES[taken["resources"]]
        assert (me["clay"], me["pg"], me["glaze"], me["cleaning_area"]) == (clay, pg, glaze, cracks)
        assert me["wheels"] == [{"card": taken["wheel"], "vase": 0}, None, None, None, None]
        assert me["vp"] == 0
        assert game.current_player == p and offered(game, "donkey") == legal(game)
        assert (s["supply"]["pg"], s["supply"]["glaze"]) == (54 - pg, 42 - glaze)
        assert (s["supply"]["crack"], s["supply"]["vase"]) == (32 - cracks, 19)


@rulings("A12", "D14", "M01")
@section("4.1", "5.3", "12.1.1")
@pytest.mark.parametrize(("players", "each"), [(1, 8), (2, 8), (3, 12), (4, 16)])
def test_the_supply_is_whole_and_pieces_depend_on_players(players: int, each: int) -> None:
    assert deals(players)[0]["supply"] == {
        "pg": 54,
        "glaze": 42,
        "crack": 32,
        "vase": 20,
        "plate": each,
        "jug": each,
        "pot": each,
    }


@rulings("A15", "D14", "D15")
@section("4.3", "7.1")
@pytest.mark.parametrize("players", COUNTS)
def test_round_one_has_dice_but_no_reroll(players: int) -> None:
    game = through_setup(players, 4)
    assert (game.phase, game.round) == ("turns", 1)
    assert len(game.to_dict()["market"]["dice"]) == 3
    assert game.current_player == game.to_dict()["turn_order"][0]


@rulings("A16")
@section("4.2")
@pytest.mark.parametrize("players", COUNTS)
def test_three_endgame_cards_each(players: int) -> None:
    box = Counter({"plate": 2, "jug": 2, "pot": 2})
    box.update(["wheel", "esparto", "cleanup", "firing_kiln", "workshop", "glaze_kiln"])
    seen = set()
    for s in deals(players):
        hands = [card for p in s["players"] for card in p["endgame_hand"]]
        assert len(hands) == 3 * players
        assert Counter(hands) <= box
        seen |= set(hands)
        if players == 4:
            assert Counter(hands) == box
    assert seen == set(box)


@rulings("D35")
@section("4.2", "5.1", "5.4")
@pytest.mark.parametrize("players", COUNTS)
def test_starting_cards_and_markers(players: int) -> None:
    for p in deals(players)[0]["players"]:
        assert p["cleanup"] == [{"card": "C00", "cracks": 0}]
        assert p["firing_kilns"] == [{"card": "F00", "piece": None}]
        assert p["glaze_kilns"] == [{"card": "G00", "piece": None}]
        assert p["workshops"] == [{"card": "Y00", "piece": None}]
        assert p["esparto"] == ["E0", None, None, None]
        assert (p["vp"], p["technology"], p["clay"], p["craftswomen"]) == (0, 1, 0, 7)
        assert p["shop"] == "open"


@rulings("D11", "P20")
@section("12.1.2")
def test_the_competition_starts_with_craftswomen_and_nothing_else() -> None:
    s = deals(1)[0]
    competition = s["competition"]
    assert competition["craftswomen"] == 7
    assert competition["shop"] == "open"
    assert competition["vp"] == 0
    assert competition["pieces"] == {"plate": None, "jug": None, "pot": None}
    # Three markers of its own: VP, and a place on both turn-order tracks.
    assert s["turn_order"] == [0, 1] and s["first_player_track"] == [None, 1]
    assert sorted(competition["deck"]) == list(range(1, 10))


@rulings("P12")
@section("12.1.3")
def test_the_competition_donkey_stands_beside_the_players() -> None:
    seen = set()
    orders = set()
    for seed in range(60):
        here = divmod(seed % 15, 5)
        game = Game(1, seed=seed, log=False, auto_forced=False)
        play(game, "start:0", f"donkey:{here[0]},{here[1]}")
        s = game.to_dict()
        row, column = s["competition"]["donkey"]
        step = (row - here[0], column - here[1])
        assert abs(step[0]) + abs(step[1]) == 1
        seen.add(step)
        assert s["competition"]["revealed"] == []  # shuffled again
        assert sorted(s["competition"]["deck"]) == list(range(1, 10))
        orders.add(tuple(s["competition"]["deck"]))
    assert seen == {(0, 1), (0, -1), (1, 0), (-1, 0)}
    assert len(orders) == 60


@rulings("A15")
@section("7.1")
def test_a_scene_of_round_one_starts_with_the_leftmost_player() -> None:
    s = scene(3)
    s["turn_order"] = [2, 0, 1]
    s["current_player"] = s["turn_player"] = 2
    assert load(s).current_player == 2
