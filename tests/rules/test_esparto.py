"""§8.10 Collect Esparto, §9.8 (rulings K01-K04, D02, D16)."""

from __future__ import annotations

import pytest

from .scenes import (
    Scene,
    act,
    cleanup,
    edit,
    holds,
    legal,
    load,
    offered,
    pieces,
    play,
    row,
    rulings,
    scene,
    section,
)

# E0: 1 clay | 2 pg. E1: 4 pg | clean 1. E2: 3 glazes | fire 1. E3: 2 clay | paint 1.
# E4: 2 glazes | 3 pg.
ALL = {f"esparto:{k}:{i}" for k in range(4) for i in (0, 1)}


def collector() -> Scene:
    s = edit(scene(), esparto=["E0", "E1", "E2", "E3"], cleaning_area=1, clay=0)
    s["draft"][0] = ["W12", "W13", "W14", "W15", "W16"]
    return edit(s, drying=pieces(jug=1), firing_kilns=row("F00", "F01", pieces=["pot"]))


@rulings("K01")
@section("8.10")
def test_one_reward_of_each_card_in_any_order() -> None:
    game = act(load(collector()), "esparto")
    assert legal(game) == ALL | {"done"}
    play(game, "esparto:2:0")
    assert legal(game) == {n for n in ALL if ":2:" not in n} | {"done"}
    play(game, "esparto:0:1", "esparto:3:0", "esparto:1:0")
    holds(game, pg=5 + 2 + 4, glaze=2 + 3, clay=2)
    assert game.current_player == 1


@rulings("K01")
@section("8.10")
def test_the_same_reward_twice_and_skipping_the_rest() -> None:
    s = edit(collector(), esparto=["E0", "E1", "E1", None])
    game = act(load(s), "esparto", "esparto:1:0", "esparto:2:0", "done")
    holds(game, pg=13, clay=0)
    assert game.current_player == 1


@rulings("K01", "D16")
@section("5.1", "8.10", "5.4")
def test_the_printed_card_serves_from_the_start() -> None:
    game = act(load(edit(scene(), clay=0)), "esparto")
    assert legal(game) == {"esparto:0:0", "esparto:0:1", "done"}
    holds(play(game.clone(), "esparto:0:0"), pg=5, clay=1)
    holds(play(game, "esparto:0:1"), pg=7, clay=0)


@rulings("K02", "D02")
@section("8.10", "8.7")
@pytest.mark.parametrize(("move", "paint"), [("fire:jug", set()), ("glaze:0", {"esparto:3:1"})])
def test_fire_one_is_a_single_move_of_either_stage(move: str, paint: set[str]) -> None:
    s = edit(collector(), workshops=row("Y00", pieces=["plate"]))
    game = act(load(s), "esparto", "esparto:2:1")
    assert legal(game) == {"fire:jug", "glaze:0", "done"}
    play(game, move)  # a workshop emptied by it can be painted in again
    rest = {"esparto:0:0", "esparto:0:1", "esparto:1:0", "esparto:1:1", "esparto:3:0"}
    assert legal(game) == rest | paint | {"done"}


@rulings("K02", "D02")
@section("8.10", "8.8")
def test_paint_one_pays_the_normal_price() -> None:
    game = act(load(collector()), "esparto", "esparto:3:1", "paint:pot@0")
    holds(game, glaze=0, workshops=row("Y00", pieces=["pot"]))
    s = edit(collector(), glaze=1)
    assert "esparto:3:1" not in legal(act(load(s), "esparto"))


@rulings("K02", "D02")
@section("8.10", "8.9")
def test_clean_one_completes_a_card() -> None:
    s = edit(collector(), cleanup=cleanup(C00=1))
    game = act(load(s), "esparto", "esparto:1:1", "clean:0", "reward:0")
    holds(game, vp=2, cleaning_area=0, cleanup=cleanup(C00=0))
    assert "esparto:1:0" not in legal(game)


@rulings("K04")
@section("8.10", "8.2")
def test_cards_played_during_a_collection_are_not_served_by_it() -> None:
    # Clean 1 completes C06, whose reward plays an esparto card.
    s = edit(collector(), esparto=["E0", "E1", None, None], hand=["E4"], glaze=2, clay=3)
    s["players"][0]["cleanup"] = [
        {"card": "C00", "cracks": 0},
        {"card": "C06", "cracks": 2},
    ]
    game = act(
        load(s), "esparto", "esparto:1:1", "clean:1", "reward:1", "play:E4", "slot:2", "done"
    )
    assert legal(game) == {"esparto:0:0", "esparto:0:1", "done"}


@rulings("B17")
@section("9.8")
def test_the_special_bonus_collects_from_one_card() -> None:
    game = play(load(collector()), "special", "bonus:esparto")
    assert legal(game) == ALL | {"done"}
    play(game, "esparto:1:0")
    assert offered(game, "esparto") == set() and "bonus:esparto" not in legal(game)
    holds(game, pg=9)


@rulings("G02", "K01")
@section("5.1", "8.10")
@pytest.mark.parametrize(("clay", "offered_too"), [(6, True), (7, False)])
def test_clay_beyond_the_track_is_no_reward(clay: int, offered_too: bool) -> None:
    game = act(load(edit(scene(), clay=clay)), "esparto")
    assert ("esparto:0:0" in legal(game)) == offered_too


@rulings("D02")
@section("8.10")
@pytest.mark.parametrize(
    ("reward", "gain"),
    [
        ("esparto:0:0", {"clay": 1}),
        ("esparto:0:1", {"pg": 7}),
        ("esparto:1:0", {"pg": 9}),
        ("esparto:2:0", {"glaze": 5}),
        ("esparto:3:0", {"clay": 2}),
    ],
)
def test_the_gains(reward: str, gain: dict[str, int]) -> None:
    game = act(load(collector()), "esparto", reward)
    holds(game, **{"clay": 0, "pg": 5, "glaze": 2, **gain})
