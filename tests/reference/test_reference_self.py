"""Quick checks of the reference engine alone: invariants in random games, rulings by scene."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from typing import Any

import pytest

from . import box
from .chance import RandomChance
from .deal import make_setup_scene
from .engine import ReferenceGame

GAMES = 20
Scene = dict[str, Any]


# --- invariants of rules.md section 3 ---


def check_invariants(scene: Scene, cards: Counter[str], pieces: int) -> None:
    players, supply, rival = scene["players"], scene["supply"], scene["competition"]
    owners = [*players, rival] if rival else players
    assert supply["pg"] + sum(p["pg"] for p in players) == 54
    assert supply["glaze"] + sum(p["glaze"] for p in players) == 42
    assert min(supply.values()) >= 0
    cracks = sum(p["cleaning_area"] + sum(c["cracks"] for c in p["cleanup"]) for p in players)
    assert supply["crack"] + cracks == 32
    assert supply["vase"] + sum(w is not None for p in players for w in p["wheels"]) == 20
    for piece in box.PIECES:
        held = sum(
            p["drying"][piece]
            + p["sold"][piece]
            + sum(
                h["piece"] == piece
                for row in ("firing_kilns", "workshops", "glaze_kilns")
                for h in p[row]
            )
            for p in players
        )
        rivals = rival["sold"][piece] + (rival["pieces"][piece] is not None) if rival else 0
        assert supply[piece] + held + rivals == pieces
        assert 0 <= scene["market"]["position"][piece] <= 12
    for p in players:
        assert 0 <= p["clay"] <= 7 and 0 <= p["cleaning_area"] <= 8 and 1 <= p["technology"] <= 3
        assert min(p["pg"], p["glaze"], p["craftswomen"], p["shop_craftswomen"]) >= 0
        assert not Counter(p["hand_dealt"]) - Counter(p["hand"])
        assert len(p["endgame_hand"] + p["endgame_played"] + p["endgame_discarded"]) == 3
    donkeys = [tuple(o["donkey"]) for o in owners if o["donkey"] is not None]
    assert len(set(donkeys)) == len(donkeys)
    at_home = scene["phase"] in ("end_of_round", "finished")
    for seat, owner in enumerate(owners):
        on_board = sum(
            s["count"] for row in scene["board"]["spaces"] for s in row if s and s["owner"] == seat
        )
        total = (
            owner["craftswomen"]
            + owner["shop_craftswomen"]
            + on_board
            + scene["board"]["special"][seat]
        )
        assert total == 7 - max(0, scene["round"] - 1) - at_home
    assert all_cards(scene) == cards


def all_cards(scene: Scene) -> Counter[str]:
    cards = [card for row in scene["draft"] for card in row] + [
        c for deck in scene["decks"] for c in deck
    ]
    cards += scene["discards"]
    for p in scene["players"]:
        cards += p["hand"] + p["esparto"] + [w["card"] for w in p["wheels"] if w]
        cards += [
            h["card"]
            for row in ("cleanup", "firing_kilns", "workshops", "glaze_kilns")
            for h in p[row]
        ]
    starting = {"E0", "C00", "F00", "G00", "Y00", "SW1", "SW2", "SW3", "SW4", "SW5", None}
    return Counter(card for card in cards if card not in starting)


def craftswomen_on_board(scene: Scene) -> int:
    normal = [space["count"] for row in scene["board"]["spaces"] for space in row if space]
    return int(sum(normal) + sum(scene["board"]["special"]))


# What a player looks for first; the rest is random. The first exhausts the draft area, the second
# paints, fires and sells.
TASTES: dict[str, tuple[str, ...]] = {
    "none": (),
    "cards": ("take:", "action:acquire", "bonus:acquire", "discard:"),
    "pottery": (
        *("pay:", "paint:", "shape:", "play:", "fire:", "throw:"),
        *("action:paint", "action:play", "action:throw", "action:fire"),
    ),
}


def play_random_game(
    num_players: int, seed: int, difficulty: str = "normal", taste: str = "none"
) -> ReferenceGame:
    rng = random.Random(seed)
    start = make_setup_scene(num_players, rng, difficulty)
    cards = Counter(card for deck in box.DECKS for card in deck)
    pieces = 8 if num_players == 1 else 4 * num_players
    game = ReferenceGame.from_scene(start, RandomChance(rng))
    scene = game.scene()
    for _ in range(10_000):
        check_invariants(scene, cards, pieces)
        json.dumps(scene)
        legal = game.legal()
        if game.done:
            break
        assert len(legal) >= 2 and legal == sorted(set(legal))
        assert game.current_player == scene["current_player"]
        name = rng.choice([n for n in legal if n.startswith(TASTES[taste])] or legal)
        placed = name == "special" or name.startswith("place:")
        before, turn_before = craftswomen_on_board(scene), (scene["round"], scene["turn_player"])
        game.step(name)
        scene = game.scene()
        same_turn = turn_before == (scene["round"], scene["turn_player"]) and "done" in game.legal()
        if placed and same_turn and scene["phase"] == "turns" and num_players > 1:
            assert craftswomen_on_board(scene) == before + 1
    assert game.done and game.current_player is None and game.legal() == []
    assert scene["phase"] == "finished" and scene["round"] == 3
    assert len(game.scores()) == max(2, num_players)
    return game


@pytest.mark.parametrize("num_players", [1, 2, 3, 4])
def test_random_games_keep_the_invariants(num_players: int) -> None:
    for seed in range(GAMES):
        play_random_game(num_players, seed)


@pytest.mark.parametrize("taste", ["cards", "pottery"])
@pytest.mark.parametrize("num_players", [1, 2, 3, 4])
def test_single_minded_games_keep_the_invariants(num_players: int, taste: str) -> None:
    for seed in range(GAMES // 4):
        play_random_game(num_players, seed, taste=taste)


@pytest.mark.parametrize("difficulty", ["advanced", "expert"])
def test_harder_solo_games(difficulty: str) -> None:
    for seed in range(GAMES // 4):
        play_random_game(1, seed, difficulty)


def test_illegal_names_are_refused() -> None:
    game = new_game(2)
    with pytest.raises(ValueError):
        game.step("close")


@pytest.mark.parametrize("num_players", [1, 3])
def test_a_game_read_from_a_fresh_turn_plays_on_alike(num_players: int) -> None:
    """A twin read from the scene of a fresh turn meets the same decisions and scenes after it."""
    rng = random.Random(5)
    game = ReferenceGame.from_scene(make_setup_scene(num_players, rng), FixedChance())
    twins: list[ReferenceGame] = []
    made = 0
    while not game.done:
        legal = game.legal()
        if "special" in legal or "close" in legal:  # only a fresh turn offers these
            twins = [
                *twins[-2:],
                ReferenceGame.from_scene(json.loads(json.dumps(game.scene())), FixedChance()),
            ]
            made += 1
        assert all(twin.legal() == legal and twin.scene() == game.scene() for twin in twins)
        name = rng.choice(legal)
        for runner in (game, *twins):
            runner.step(name)
    assert made > 20 and all(twin.scores() == game.scores() for twin in twins)


# --- single rulings ---


class FixedChance:
    """Dice 1, 2, 3; decks stay in the order given."""

    def dice(self, round: int, roll: int) -> list[int]:
        return [1, 2, 3] if roll == 0 else [6, 6, 6]

    def shuffle_row(self, row: int, cards: list[str]) -> list[str]:
        return list(cards)

    def shuffle_competition(self, cards: list[int]) -> list[int]:
        return list(cards)


def new_game(num_players: int, seed: int = 1, difficulty: str = "normal") -> ReferenceGame:
    return ReferenceGame.from_scene(
        make_setup_scene(num_players, random.Random(seed), difficulty), FixedChance()
    )


def first_turn(num_players: int, seed: int = 1, difficulty: str = "normal") -> Scene:
    """The scene of the first turn, everybody having taken the first choices of the setup."""
    game = new_game(num_players, seed, difficulty)
    while game.scene()["phase"] != "turns":
        game.step(game.legal()[0])
    return game.scene()


def set_resources(scene: Scene, seat: int, **values: int) -> Scene:
    """Set a player's resources and keep the supply consistent."""
    player = scene["players"][seat]
    for name, value in values.items():
        supply = {"cleaning_area": "crack", "pg": "pg", "glaze": "glaze"}.get(name)
        if supply:
            scene["supply"][supply] += player[name] - value
        player[name] = value
    return scene


def resume(scene: Scene, *names: str) -> ReferenceGame:
    game = ReferenceGame.from_scene(scene, FixedChance())
    for name in names:
        game.step(name)
    return game


def only_discard(scene: Scene, kind: str = "pot") -> tuple[int, Scene]:
    """The turn player holds one endgame card, to be discarded for any action."""
    seat = scene["turn_player"]
    scene["players"][seat]["endgame_hand"] = [kind]
    return seat, scene


def test_clean_finishes_all_assignments_before_a_card_is_emptied() -> None:
    """D07, the worked example: the third crack goes free to the supply, then two rewards."""
    seat, scene = only_discard(first_turn(2))
    set_resources(scene, seat, cleaning_area=4)
    scene["players"][seat]["cleanup"] = [{"card": "C00", "cracks": 1}, {"card": "C01", "cracks": 1}]
    game = resume(scene, "discard:pot", "action:clean")
    assert game.legal() == ["clean:0", "clean:1", "done"]
    game.step("clean:0")
    game.step("clean:1")
    assert game.legal() == ["clean:supply", "done"]
    game.step("clean:supply")
    assert game.legal() == ["done", "reward:0", "reward:1"]
    player = game.scene()["players"][seat]
    assert [card["cracks"] for card in player["cleanup"]] == [0, 0] and player["cleaning_area"] == 1
    before = player["vp"]
    game.step("reward:1")
    assert game.legal() == ["done", "reward:0"]
    game.step("reward:0")
    assert game.scene()["players"][seat]["vp"] == before + 5


def test_acquire_prices_and_the_donkey_that_must_move() -> None:
    """E01, E02, E04: Manhattan prices from the start; no `done` after a card was taken."""
    seat, scene = only_discard(first_turn(2))
    set_resources(scene, seat, pg=2)
    scene["players"][seat]["donkey"] = [1, 1]
    scene["players"][1 - seat]["donkey"] = [0, 1]
    game = resume(scene, "discard:pot", "action:acquire")
    legal = game.legal()
    assert "take:1,1" in legal and "take:2,2" in legal and "done" in legal
    assert "take:0,1" not in legal and "donkey:0,1" not in legal and "donkey:1,1" not in legal
    assert "take:1,4" not in legal
    game.step("take:2,2")
    assert "done" not in game.legal() and not any(
        name.startswith("refresh") for name in game.legal()
    )
    assert "take:1,1" in game.legal() and "take:1,2" not in game.legal()
    game.step("take:1,1")
    assert all(name.startswith("donkey:") for name in game.legal())
    game.step("donkey:0,0")
    assert game.scene()["players"][seat]["donkey"] == [0, 0]
    assert all(card for row in game.scene()["draft"] for card in row)


def test_vase_on_the_last_space_waits_for_its_benefit() -> None:
    """H04, H07, H08: a throw within the benefit of the last space cannot move that vase."""
    seat, scene = only_discard(first_turn(2))
    set_resources(scene, seat, pg=5, clay=0, glaze=0, cleaning_area=0)
    player = scene["players"][seat]
    player["wheels"][0] = {"card": "SW1", "vase": 3}  # last space: play
    player["hand"], player["hand_dealt"] = ["E1"], ["E1"]
    player["wheels"][1] = {"card": "W05", "vase": 0}
    game = resume(scene, "discard:pot", "action:throw", "throw:0", "play:E1")
    assert (
        game.scene()["players"][seat]["hand"] == ["E1"] and game.scene()["players"][seat]["pg"] == 3
    )
    assert game.legal() == ["slot:1", "slot:2", "slot:3"]
    before = player["vp"]
    game.step("slot:3")  # prints throw
    assert game.legal() == ["done", "throw:1"]
    assert game.scene()["players"][seat]["wheels"][0] == {"card": "SW1", "vase": 4}
    game.step("done")
    assert game.scene()["players"][seat]["wheels"][0] == {"card": "SW1", "vase": "done"}
    assert game.scene()["players"][seat]["vp"] == before + 2


def test_two_side_icons_come_from_the_junction() -> None:
    """D01: previous right icon and new left icon; equal icons are two actions."""
    seat, scene = only_discard(first_turn(2))
    set_resources(scene, seat, pg=9, clay=3)
    player = scene["players"][seat]
    player["hand"], player["hand_dealt"] = ["F01", "F02"], []
    player["drying"]["pot"] = 2
    game = resume(scene, "discard:pot", "action:play", "play:F01")
    assert game.legal() == ["action:clay", "action:fire", "done"]
    game.step("action:fire")
    game.step("fire:pot")
    game.step("fire:pot")  # ends by itself
    assert game.legal() == ["action:clay", "done"]


def test_bumped_player_with_a_closed_shop_is_asked_first() -> None:
    """B05-B07: one reward a craftswoman, before the action and the bonuses."""
    scene = first_turn(2)
    seat = scene["turn_player"]
    other = 1 - seat
    rival = scene["players"][other]
    rival.update(shop="closed", craftswomen=5, clay=7)
    scene["board"]["spaces"][0][0] = {"owner": other, "count": 2}
    game = resume(scene, "place:0,0")
    assert (game.current_player, game.scene()["turn_player"]) == (other, seat)
    assert game.legal() == ["shop:glaze", "shop:pg"]
    game.step("shop:pg")
    game.step("shop:glaze")
    assert game.scene()["players"][other]["shop_craftswomen"] == 2
    assert game.scene()["board"]["spaces"][0][0] == {"owner": seat, "count": 3}
    assert game.current_player == seat and "done" in game.legal()


def test_bonuses_are_owed_one_by_one_but_throw_once() -> None:
    """B08, B13."""
    scene = first_turn(2)
    seat = scene["turn_player"]
    scene["board"]["bonuses"] = ["clay", "throw", "fire"]
    scene["board"]["special_bonuses"] = ["paint", "clean"]
    set_resources(scene, seat, clay=0)
    for column in (0, 1):
        scene["board"]["spaces"][0][column] = {"owner": 1 - seat, "count": 1}
    scene["players"][1 - seat]["craftswomen"] = 5
    game = resume(copy.deepcopy(scene), "place:0,0", "bonus:clay")
    assert "bonus:clay" in game.legal() and any(name.startswith("action:") for name in game.legal())
    game.step("bonus:clay")
    assert "bonus:clay" not in game.legal() and game.scene()["players"][seat]["clay"] == 2
    game = resume(scene, "place:0,1", "bonus:throw", "throw:0")
    while not any(name.startswith("action:") for name in game.legal()):
        game.step("throw:0" if "throw:0" in game.legal() else "done")
    assert "bonus:throw" not in game.legal()
    assert game.scene()["players"][seat]["wheels"][0]["vase"] == 2  # two craftswomen, technology 1


def test_paint_price_is_asked_only_where_the_card_leaves_a_choice() -> None:
    """I08-I10."""
    seat, scene = only_discard(first_turn(2))
    set_resources(scene, seat, glaze=4, cleaning_area=0)
    player = scene["players"][seat]
    player["firing_kilns"] = [{"card": "F00", "piece": "jug"}, {"card": "F01", "piece": "pot"}]
    player["workshops"].append({"card": "Y01", "piece": None})
    scene["supply"]["jug"] -= 1
    scene["supply"]["pot"] -= 1
    game = resume(scene, "discard:pot", "action:paint")
    assert game.legal() == ["done", "paint:jug@0", "paint:jug@1", "paint:pot@0", "paint:pot@1"]
    game.step("paint:pot@1")
    assert game.legal() == ["pay:crack", "pay:glaze"]
    game.step("pay:crack")
    assert game.scene()["players"][seat]["cleaning_area"] == 2
    assert game.legal() == ["done", "paint:jug@0"]


def test_first_player_action_is_once_a_round() -> None:
    """L01, L03, B25."""
    seat, scene = only_discard(first_turn(2))
    set_resources(scene, seat, pg=1)
    game = resume(scene, "discard:pot", "action:first_player")
    assert game.legal() == ["done", "track:1"]  # 2 perra gorda are missing for space 0
    game.step("track:1")
    assert game.scene()["players"][seat]["pg"] == 3 and game.scene()["first_player_track"] == [
        None,
        seat,
    ]
    assert "action:first_player" not in game.legal() and "done" in game.legal()


def test_selling_lowers_the_marker_between_two_sales() -> None:
    """MK05, §7.2.3."""
    scene = first_turn(2)
    seat = scene["turn_player"]
    player = scene["players"][seat]
    player["firing_kilns"] = [{"card": "F00", "piece": "jug"}, {"card": "F01", "piece": "jug"}]
    scene["supply"]["jug"] -= 2
    scene["market"]["demand"]["jug"][0] = 2
    scene["market"]["position"]["jug"] = 8
    game = resume(scene, "sell:jug")
    assert game.legal() == ["done", "sell:jug"]
    game.step("sell:jug")
    after = game.scene()["players"][seat]
    assert after["vp"] == player["vp"] + 4 + 3 and after["sold"]["jug"] == 2
    assert game.scene()["market"]["position"]["jug"] == 4


def test_equal_turns_end_the_round() -> None:
    """C01: the last in order closes last, so the round ends after the closing bonus."""
    scene = first_turn(2)
    first, last = scene["turn_order"]
    for seat in (first, last):
        scene["players"][seat].update(craftswomen=0, endgame_hand=[])
        scene["board"]["special"][seat] = 7
    scene["players"][first]["shop"] = "closed"
    scene["turn_player"] = last
    game = resume(scene)  # `close` is forced
    game.step("done")
    after = game.scene()
    assert after["round"] == 2 and after["phase"] == "market" and game.legal() == ["keep", "reroll"]
    assert [p["craftswomen"] for p in after["players"]] == [6, 6] and after["board"]["special"] == [
        0,
        0,
    ]
    game.step("reroll")
    assert game.scene()["market"]["dice"] == [6, 6, 6]


def test_competition_bumps_and_expert_scores_more() -> None:
    """D13, P06-P08 with the deck in the order 1, 2, ...: card 1 goes to space 0,0."""
    for difficulty, points in (("normal", 3), ("advanced", 5), ("expert", 5)):
        scene = first_turn(1, difficulty=difficulty)
        scene["board"]["spaces"][0][0] = {"owner": 0, "count": 2}
        scene["players"][0]["craftswomen"] = 5
        before = scene["competition"]["vp"]
        game = resume(scene, "special")
        while not game.scene()["competition"]["revealed"]:
            game.step("done")
        after = game.scene()
        assert after["board"]["spaces"][0][0] == {"owner": 1, "count": 3}
        assert (
            after["competition"]["vp"] == before + points
            and after["competition"]["craftswomen"] == 4
        )
        assert after["players"][0]["craftswomen"] == 6
        assert after["competition"]["pieces"] == {
            "plate": None,
            "jug": "unpainted",
            "pot": "unpainted",
        }  # back of card 2


def test_competition_closes_with_one_card_left() -> None:
    """D12, P04, P24."""
    scene = first_turn(1, difficulty="expert")
    scene["competition"]["deck"] = [9]
    scene["competition"]["revealed"] = [1, 2, 3, 4, 5, 6, 7, 8]
    game = resume(scene, "special")
    while game.scene()["competition"]["shop"] == "open":
        game.step("done")
    assert game.scene()["competition"]["vp"] == 2


def test_solo_first_player_update() -> None:
    """§12.7: without the action the Competition comes first and is asked nothing."""
    scene = first_turn(1)
    player, rival = scene["players"][0], scene["competition"]
    player.update(craftswomen=0, endgame_hand=[])
    scene["board"]["special"] = [7, 7]
    rival.update(craftswomen=0, shop="closed")
    game = resume(scene)
    game.step("done")
    after = game.scene()
    assert after["turn_order"] == [1, 0] and after["first_player_track"] == [None, 1]
    assert after["round"] == 2 and after["phase"] == "turns"
    assert after["competition"]["revealed"] == [1]


def test_refresh_needs_one_type_and_something_to_change() -> None:
    """E09-E11; a rival's donkey keeps its card out of it."""
    seat, scene = only_discard(first_turn(2))
    set_resources(scene, seat, pg=0)
    scene["players"][seat]["donkey"] = [0, 0]
    scene["players"][1 - seat]["donkey"] = [0, 4]
    scene["draft"][0] = ["E1", "E1", "E2", "E1", "W01"]
    scene["decks"][0] = ["W02"]
    game = resume(copy.deepcopy(scene), "discard:pot", "action:acquire")
    assert "refresh:0" in game.legal()
    game.step("refresh:0")
    assert game.scene()["draft"][0] == ["W02", "E1", "E1", "E2", "W01"] and game.scene()["decks"][
        0
    ] == ["E1"]
    assert "refresh:0" not in game.legal()
    scene["draft"][0] = ["E1", "E1", "E1", None, "W01"]
    scene["decks"][0] = []
    assert "refresh:0" not in resume(copy.deepcopy(scene), "discard:pot", "action:acquire").legal()
    scene["draft"][0] = ["E1", None, "E1", "E1", "W01"]  # they would move to the left
    assert "refresh:0" in resume(scene, "discard:pot", "action:acquire").legal()


def test_final_scoring() -> None:
    """§11: kilns, scales, set, cracks, token and pooled resources."""
    scene = first_turn(2)
    scene["round"] = 3
    first, last = scene["turn_order"]
    for seat in (first, last):
        scene["players"][seat].update(
            vp=10,
            craftswomen=0,
            endgame_hand=[],
            pg=3,
            glaze=3,
            clay=4,
            cleaning_area=3,
            shop="closed",
            esparto=["E0", "E1", "E1", None],
            drying=dict.fromkeys(box.PIECES, 0),
        )
    scene["players"][last].update(shop="open", endgame_played=["esparto", "jug", "firing_kiln"])
    scene["players"][last]["firing_kilns"] = [
        {"card": "F00", "piece": "jug"},
        {"card": "F01", "piece": None},
    ]
    scene["players"][last]["glaze_kilns"] = [{"card": "G00", "piece": "jug"}]
    scene["turn_player"] = last
    game = resume(scene)
    game.step("close")
    while not game.done:
        game.step("done")
    base = 10 + 1 - 3 + 10 // 5
    assert game.scores()[first] == base + 2
    assert game.scores()[last] == base + 3 + 5 + 2 + 1
    assert game.scene()["players"][last]["sold"]["jug"] == 2
