"""§8.2 Play a card (rulings F01-F11, D01, D22, D26)."""

from __future__ import annotations

from pathlib import Path

import pytest

from nijar_env.components import DEFAULT_FOLDER

from .scenes import (
    Scene,
    act,
    cleanup,
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
    wheels,
)


@pytest.fixture(scope="module")
def own_icons(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The default box with the other reading of the side icons."""
    folder = tmp_path_factory.mktemp("box")
    for file in DEFAULT_FOLDER.glob("*.toml"):
        text = file.read_text(encoding="utf-8")
        if file.name == "box.toml":
            assert 'side_icons = "junction"' in text
            text = text.replace('side_icons = "junction"', 'side_icons = "own"')
        (folder / file.name).write_text(text, encoding="utf-8")
    return folder


def rich(*hand: str) -> Scene:
    """Everything can be paid, and every action would change something."""
    s = edit(scene(), pg=15, glaze=8, clay=4, cleaning_area=2, hand=list(hand))
    edit(s, drying=pieces(plate=2), firing_kilns=row("F00", "F04", pieces=["jug"]))
    return s


# --- what can be played ---------------------------------------------------------------------------


@rulings("F01", "D22")
@section("8.2")
def test_one_card_an_action() -> None:
    game = act(load(rich("C01", "C02")), "play")
    assert legal(game) == {"play:C01", "play:C02", "done"}
    play(game, "play:C01")
    assert game.current_player == 1
    holds(game, hand=["C02"], pg=12)


@rulings("F01")
@section("8.2", "7.2.2")
def test_endgame_cards_cannot_be_played() -> None:
    assert "action:play" not in legal(play(load(edit(scene(), pg=20)), "discard:wheel"))


@rulings("F02")
@section("8.2", "5.1")
def test_a_wheel_or_esparto_card_needs_a_free_space() -> None:
    s = rich("W01", "E1", "C01")
    full = wheels(("SW1", 0), ("W02", 0), ("W03", 0), ("W04", 0), ("W05", "done"))
    edit(s, wheels=full)
    assert offered(act(load(s), "play"), "play") == {"play:E1", "play:C01"}
    edit(s, wheels=[*full[:4], None], esparto=["E0", "E2", "E3", "E4"])
    assert offered(act(load(s), "play"), "play") == {"play:W01", "play:C01"}


@rulings("F03")
@section("8.2")
@pytest.mark.parametrize(
    ("pg", "clay", "playable"), [(2, 1, True), (2, 0, False), (1, 7, False), (3, 1, True)]
)
def test_the_whole_cost_or_nothing(pg: int, clay: int, playable: bool) -> None:
    s = edit(scene(), pg=pg, clay=clay, hand=["W03", "C03"])  # 2 pg and 1 clay; 1 pg
    game = act(load(s), "play")
    assert ("play:W03" in legal(game)) == playable
    if playable:
        play(game, "play:W03", "slot:1")
        holds(game, pg=pg - 2, clay=clay - 1)


@rulings("F03", "M03")
@section("8.2", "5.1")
def test_a_cost_of_several_resources_goes_back_to_the_supply() -> None:
    s = edit(scene(), pg=5, glaze=2, hand=["W12"])  # 4 pg 1 glaze
    before = supply(load(s))
    game = act(load(s), "play", "play:W12", "slot:1")
    holds(game, pg=1, glaze=1, vp=3)
    after = supply(game)
    assert (after["pg"], after["glaze"]) == (before["pg"] + 4, before["glaze"] + 1)


@rulings("F04", "D26", "J08")
@section("5.1", "8.2")
@pytest.mark.parametrize(("cracks", "playable"), [(0, True), (6, True), (7, False), (8, False)])
def test_a_crack_cost_gains_cracks_and_needs_room(cracks: int, playable: bool) -> None:
    s = edit(scene(), cleaning_area=cracks, hand=["W09", "C03"])  # W09 costs 2 cracks
    game = act(load(s), "play")
    assert ("play:W09" in legal(game)) == playable
    if playable:
        before = supply(game)["crack"]
        play(game, "play:W09", "slot:1")
        holds(game, cleaning_area=cracks + 2, pg=5)
        assert supply(game)["crack"] == before - 2


@rulings("F04", "J09")
@section("5.3", "8.2")
@pytest.mark.parametrize(("left", "playable"), [(2, True), (1, False), (0, False)])
def test_a_crack_cost_needs_tokens_in_the_supply(left: int, playable: bool) -> None:
    s = edit(scene(4), cleaning_area=6, hand=["Y02", "C03"])  # 2 cracks
    for rival in (1, 2, 3):
        edit(s, rival, cleaning_area=8)
    edit(s, 1, cleanup=cleanup(C00=1, C05=1))
    taken = 2 - left
    edit(s, 1, cleanup=cleanup(C00=min(taken, 1), C05=max(taken - 1, 0)))
    assert supply(load(s))["crack"] == left
    assert ("play:Y02" in legal(act(load(s), "play"))) == playable


@rulings("F11")
@section("8.2")
def test_nothing_playable_means_nothing_happens() -> None:
    s = edit(scene(), pg=0, hand=["C01"])
    assert "action:play" not in legal(play(load(s), "discard:wheel"))
    # Reached by a wheel space, the action ends by itself.
    edit(s, wheels=wheels(("SW4", 0)))
    game = act(load(s), "throw", "throw:0")
    assert game.current_player == 1
    holds(game, hand=["C01"], wheels=wheels(("SW4", 1)))


# --- where cards go -------------------------------------------------------------------------------


@rulings("F05", "K04")
@section("8.2")
def test_the_player_chooses_the_wheel_space_and_gets_its_action() -> None:
    s = rich("W01")
    edit(s, esparto=["E0", None, None, None], wheels=wheels(("SW1", 0), ("W02", 0)))
    game = act(load(s), "play", "play:W01")
    assert legal(game) == {"slot:2", "slot:3", "slot:4"}  # no way back: it is paid for
    after = {
        "slot:2": {"fire:plate", "done"},
        "slot:3": {"esparto:0:0", "esparto:0:1", "done"},
        "slot:4": {"throw:0", "throw:1", "throw:4", "done"},
    }
    for slot, choices in after.items():
        there = play(game.clone(), slot)
        assert legal(there) == choices
    game = act(load(edit(s, wheels=wheels(("SW1", 0)))), "play", "play:W01", "slot:1")
    assert legal(game) == {"clay:1", "clay:2", "clay:3", "done"}


@rulings("K04", "F05")
@section("8.2", "8.10")
def test_the_player_chooses_the_esparto_space_and_gets_its_action() -> None:
    game = act(load(rich("E1")), "play", "play:E1")
    assert legal(game) == {"slot:1", "slot:2", "slot:3"}
    assert legal(play(game.clone(), "slot:1")) == {"clay:1", "clay:2", "clay:3", "done"}
    assert "take:0,0" in legal(play(game.clone(), "slot:2"))
    assert legal(play(game.clone(), "slot:3")) == {"throw:0", "done"}
    play(game, "slot:3", "done")
    holds(game, esparto=["E0", None, None, "E1"], hand=[])


@rulings("K03")
@section("8.2", "8.10")
def test_playing_an_esparto_card_collects_nothing() -> None:
    game = act(load(rich("E1")), "play", "play:E1", "slot:1", "done")
    holds(game, pg=13, clay=4, glaze=8)
    assert game.current_player == 1


@rulings("F05")
@section("8.2")
def test_kilns_and_workshops_extend_their_rows_to_the_right() -> None:
    s = rich("F01", "G01", "Y01")
    for card, name, cards in (
        ("F01", "firing_kilns", ["F00", "F04", "F01"]),
        ("G01", "glaze_kilns", ["G00", "G01"]),
        ("Y01", "workshops", ["Y00", "Y01"]),
    ):
        game = act(load(s), "play", f"play:{card}")
        assert [holder["card"] for holder in me(game)[name]] == cards


@rulings("F06", "H10", "H11")
@section("8.2")
def test_a_wheel_gets_vase_and_vp_before_the_action_of_the_space() -> None:
    s = rich("W05")  # 2 VP; spaces: shape shape
    before = supply(load(s))["vase"]
    game = act(load(s), "play", "play:W05", "slot:4")
    holds(game, vp=2, wheels=wheels(("SW1", 0), None, None, None, ("W05", 0)))
    assert supply(game)["vase"] == before - 1
    # No benefit for the grey space; the Throw of the space may move the new vase.
    assert legal(game) == {"throw:0", "throw:4", "done"}
    play(game, "throw:4")
    assert offered(game, "shape")


@rulings("F10", "J01")
@section("8.2", "8.9")
def test_a_cleanup_card_does_nothing_at_once_and_raises_the_next_clean() -> None:
    s = edit(rich("C02"), cleaning_area=8)
    game = act(load(s), "play", "play:C02")
    assert game.current_player == 1
    holds(game, cleanup=cleanup(C00=0, C02=0), cleaning_area=8, vp=0)
    play(game, "special", "done")
    act(game, "clean", "clean:0", "clean:0", "clean:1")
    holds(game, cleaning_area=5)  # three cracks
    assert offered(game, "clean") == set()


# --- the two actions at a junction (ruling D01) ---------------------------------------------------


@rulings("D01", "F07")
@section("8.2")
@pytest.mark.parametrize(
    ("card", "icons"),
    [
        # F04 is the last firing kiln (right: throw), G00 the last glaze kiln (clean), Y00 (paint).
        ("F01", {"throw", "clay"}),
        ("F05", {"throw", "clean"}),
        ("G01", {"clean", "fire"}),
        ("Y01", {"paint"}),
        ("Y02", {"paint", "clay"}),
    ],
)
def test_the_two_icons_that_face_each_other(card: str, icons: set[str]) -> None:
    game = act(load(rich(card)), "play", f"play:{card}")
    assert legal(game) == {f"action:{icon}" for icon in icons} | {"done"}


@rulings("D01")
@section("8.2")
def test_the_box_may_say_that_a_card_gives_its_own_icons(own_icons: Path) -> None:
    game = act(load(rich("F01"), components=own_icons), "play", "play:F01")
    assert legal(game) == {"action:clay", "action:fire", "done"}
    assert legal(act(load(rich("G03", "C01"), components=own_icons), "play", "play:G03")) == {
        *("action:esparto", "action:play", "done"),
    }


@rulings("F07")
@section("8.2")
def test_side_actions_in_any_order_each_skippable() -> None:
    game = act(load(rich("F01")), "play", "play:F01", "action:clay", "clay:2")
    assert legal(game) == {"action:throw", "done"}
    play(game, "action:throw", "throw:0")
    assert offered(game, "shape")
    play(game, "done")
    assert game.current_player == 1
    game = act(load(rich("F01")), "play", "play:F01", "action:throw", "done")
    assert legal(game) == {"action:clay", "done"}
    play(game, "done")
    assert game.current_player == 1
    holds(game, clay=4)


@rulings("F07", "D01")
@section("8.2")
def test_two_equal_icons_are_two_actions() -> None:
    s = edit(rich("Y01"), cleaning_area=0)  # Y00 paint | paint Y01
    edit(s, firing_kilns=row("F00", "F04", pieces=["jug", "pot"]), glaze=2)
    game = act(load(s), "play", "play:Y01")
    assert legal(game) == {"action:paint", "done"}
    play(game, "action:paint", "paint:jug@0", "done")
    assert legal(game) == {"action:paint", "done"}
    play(game, "action:paint", "paint:pot@1", "pay:crack")
    assert game.current_player == 1
    holds(game, workshops=row("Y00", "Y01", pieces=["jug", "pot"]))


@rulings("F07")
@section("8.2", "8.7")
def test_the_new_kiln_can_be_used_by_its_own_actions() -> None:
    s = edit(rich("F02"), firing_kilns=row("F00", pieces=["jug"]))  # F00 fire | fire F02
    game = act(load(s), "play", "play:F02", "action:fire", "fire:plate")
    holds(game, firing_kilns=row("F00", "F02", pieces=["jug", "plate"]))


@rulings("F08", "F07")
@section("8.2")
def test_a_play_within_a_play() -> None:
    s = rich("F08", "F01", "C01")  # F08: play | fire, on its left F00 fire
    edit(s, firing_kilns=row("F00", "F02"))  # F02: right clay
    game = act(load(s), "play", "play:F08", "action:play", "play:F01")
    # F08 fire | clay F01 first; F02 clay of the outer card afterwards.
    assert legal(game) == {"action:fire", "action:clay", "done"}
    play(game, "action:clay", "clay:1", "done")
    assert legal(game) == {"action:clay", "done"}
    play(game, "done")
    holds(game, clay=4 - 1 + 1, hand=["C01"])  # F08 costs 1 clay
    assert game.current_player == 1


@rulings("F09", "I07")
@section("8.2", "8.7")
def test_no_action_replaces_a_card_or_moves_a_piece_back() -> None:
    # With everything full the only choices left are the ones that add nothing.
    s = edit(scene(), pg=9, hand=["W01", "E1"], drying=pieces(pot=1), glaze=9)
    full = wheels(*((card, "done") for card in ("SW1", "W02", "W03", "W04", "W05")))
    edit(s, wheels=full, esparto=["E0", "E2", "E3", "E4"])
    edit(s, firing_kilns=row("F00", pieces=["plate"]), workshops=row("Y00", pieces=["jug"]))
    edit(s, glaze_kilns=row("G00", pieces=["pot"]))
    game = play(load(s), "discard:wheel")
    for stuck in ("play", "throw", "fire", "paint"):
        assert f"action:{stuck}" not in legal(game)


@rulings("F08", "B27")
@section("8.2", "9.4")
def test_a_play_reached_from_a_bonus() -> None:
    s = shut(edit(scene(), wheels=wheels(("SW4", 0)), hand=["C01"]), 0)
    game = play(load(s), "bonus:throw", "throw:0", "play:C01")
    holds(game, pg=2, cleanup=cleanup(C00=0, C01=0))


@rulings("D26")
@section("5.1", "8.2")
def test_a_crack_cost_never_hands_cracks_in() -> None:
    # Ten cracks about, none to pay with: the player has none and may still play the card.
    s = stand(edit(scene(), cleaning_area=0, hand=["Y02"], pg=0), (0, 0), 1)
    game = act(load(s), "play", "play:Y02", "done")
    holds(game, cleaning_area=2, pg=0)
