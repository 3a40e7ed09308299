"""Pictures of games: valid, complete, for one viewer's eyes, and clickable."""

from __future__ import annotations

import re
from html import escape
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from nijar_env import Game
from nijar_env.components import vocabulary as v
from nijar_env.svg.icons import ICONS
from nijar_env.svg.page import page_size
from nijar_env.svg.shapes import SMALLEST, Choices, text, text_width
from tests.agents.games import states_in_play, with_other_secrets
from tests.observation.states import KIND_IDS, KINDS, random_states
from tests.pictures.reading import actions_by_part, places
from tests.rules.scenes import cleanup, edit, load, pending, pieces, row, scene

every_kind = pytest.mark.parametrize(("players", "difficulty"), KINDS, ids=KIND_IDS)

# Choices of these kinds refer to nothing on the table: they have buttons. The others are found on
# the table; `clay:`, `pay:`, `gain:` and `shop:` refer to the viewer's goods.
BUTTONS = ("done", "shape:", "action:", "bonus:", "start:", "keep", "reroll")


def fonts(svg: str) -> list[float]:
    return [float(size) for size in re.findall(r'font-size="([\d.]+)"', svg)]


def check_picture(game: Game, svg: str) -> None:
    """Valid, of the promised size, without anything outside the page or too small to read."""
    root = ElementTree.fromstring(svg)
    width, height = page_size(game.num_players)
    assert (root.get("width"), root.get("height")) == (str(width), str(height))
    assert {use.removeprefix("#nijar-") for use in re.findall(r'href="(.*?)"', svg)} <= set(ICONS)
    assert not re.search(r"\b(nan|inf|None|True|False)\b", svg)
    for place in places(svg):
        assert place.part or place.tag == "rect", place
        assert place.x >= 0 and place.y >= 0, place
        assert place.x + place.width <= width + 1, place
        assert place.y + place.height <= height + 1, place


# --- what is drawn -------------------------------------------------------------------------------


@every_kind
def test_pictures_of_random_games(players: int, difficulty: str) -> None:
    phases = set()
    for number, game in enumerate(random_states(players, difficulty, seed=4)):
        fresh = game.phase not in phases
        phases.add(game.phase)
        if number % 41 and not fresh:
            continue
        before = game.record.tobytes()
        for viewer in (None, *range(players)):
            svg = game.to_svg(viewer)
            check_picture(game, svg)
            assert min(fonts(svg)) >= SMALLEST
        assert game.record.tobytes() == before
        assert game.clone().to_svg() == game.to_svg()
        assert Game.from_dict(game.to_dict(), seed=1).to_svg() == game.to_svg() or game.done
    assert phases >= {"setup", "turns", "finished"}


def test_sizes_are_even_and_depend_on_the_number_of_players() -> None:
    sizes = [page_size(players) for players in (1, 2, 3, 4)]
    assert all(width == 1200 and height % 2 == 0 for width, height in sizes)
    assert sizes[0] == sizes[1] and sizes[2] == sizes[3]


def test_everything_that_lies_on_the_table_is_named() -> None:
    s = edit(scene(3), 0, hand=["W01", "Y01"], pg=17, endgame_hand=["jug", "wheel", "pot"])
    svg = load(s).to_svg(0)
    words = {place.words for place in places(svg)}
    assert {"W01", "Y01", "jug", "wheel"} <= words
    assert {card for row in s["draft"] for card in row} <= words
    assert {"17", "C00", "F00", "Y00", "G00", "E0", "shop open"} <= words
    assert {"P0", "P1", "P2", "turn order", "cleaning area"} <= words
    spaces = {f"{row},{column}" for row in range(3) for column in "012A"}
    assert spaces <= words  # as the log and the choices call them


def test_the_longest_rows_and_hands_fit() -> None:
    """Twelve cards of a type beside the starting one, and a hand of forty different cards: more
    than a game has, so the record is filled as it is."""
    game = Game(2, seed=1, log=False)
    while game.phase == "setup":
        game.step(game.legal_actions()[0])
    g: Any = game.record
    for name, start, kind in (
        ("firing_kiln", v.START_FIRING_KILN, v.FIRING_KILN),
        ("glaze_kiln", v.START_GLAZE_KILN, v.GLAZE_KILN),
        ("workshop", v.START_WORKSHOP, v.WORKSHOP),
        ("cleanup", v.START_CLEANUP, v.CLEANUP),
    ):
        first = v.TYPE_BASE[kind]
        g[name][0] = [start, *range(first, first + 12)]
        g[name.split("_")[0] + "_size"][0] = v.MAX_ROW
    g.firing_piece[0] = 0
    g.workshop_piece[0] = 1
    g.glaze_piece[0] = 2
    g.wheel[0] = [v.START_WHEEL, 13, 14, 15, 11]
    used = np.flatnonzero(game.box.record[0]["card_copies"][: v.NUM_CARDS])[:40]
    g.hand[:2, used] = 1
    g.hand_size[:2] = len(used)
    g.endgame_hand[0] = 1
    for viewer in (0, 1):
        svg = game.to_svg(viewer)
        check_picture(game, svg)
        parts = {"hand": 0, f"workshop-{viewer}": 0}
        for place in places(svg):
            if place.tag == "use" and place.part in parts:
                parts[place.part] += 1
        assert all(n > 40 for n in parts.values()) or viewer == 1


def test_texts_are_escaped_and_made_to_fit() -> None:
    assert escape("<&>") in text(0, 0, "<&>")
    svg = text(0, 0, "a long line of text", 20, width=50)
    assert text_width("a long line of text", fonts(svg)[0]) <= 50.5


def test_notebooks_show_the_picture() -> None:
    game = Game(2, seed=1)
    assert game._repr_html_() == game.to_svg() == game.to_svg(game.current_player)


# --- who sees what -------------------------------------------------------------------------------


@every_kind
def test_hidden_things_do_not_change_a_picture(players: int, difficulty: str) -> None:
    """The picture is the same for every game that agrees with what the viewer knows."""
    for batch in states_in_play(players, difficulty, games=1, every=60):
        other = with_other_secrets(batch, seed=5)
        for number in np.flatnonzero(batch.current_players >= 0).tolist():
            game = batch.game(number)
            assert other.game(number).to_svg() == game.to_svg()
            for viewer in range(players):
                dealt_anew = game.determinize(viewer, seed=number)
                assert dealt_anew.to_svg(viewer) == game.to_svg(viewer)


def test_hands_are_the_viewers_alone() -> None:
    s = edit(scene(2), 1, hand=["W01", "Y01", "G01"])
    edit(s, 1, endgame_hand=["jug", "pot"], endgame_played=["cleanup"])
    s["players"][1]["hand_dealt"] = ["W01", "G01"]
    game = load(s)
    rival, own = game.to_svg(0), game.to_svg(1)
    assert "W01" not in rival and "G01" not in rival
    lines = " ".join(place.words for place in places(rival) if place.part == "workshop-1")
    assert "hand 3: Y01, 1 unseen of deck 0, 1 unseen of deck 2" in lines
    assert "hand 2, played 1, discarded 0" in lines
    assert {"W01", "Y01", "G01"} <= {place.words for place in places(own)}


def test_a_finished_game_still_shows_the_viewers_own_cards() -> None:
    *_, game = random_states(2, "normal", seed=3)
    assert game.done
    for viewer, player in enumerate(game.to_dict()["players"]):
        drawn = [place for place in places(game.to_svg(viewer)) if place.tag == "text"]
        own = " ".join(place.words for place in drawn if place.part == f"workshop-{viewer}")
        assert "shown above" not in own
        kinds = {kind.replace("_", " ") for kind in player["endgame_discarded"]}
        assert player["hand"] and kinds
        assert all(words in own for words in {*player["hand"], *kinds})
        rival = " ".join(place.words for place in drawn if place.part == f"workshop-{1 - viewer}")
        assert "hand" in rival


@pytest.mark.parametrize("viewer", [-1, 2, "0"])
def test_viewers_are_players(viewer: Any) -> None:
    with pytest.raises(ValueError, match="player must be 0 to 1"):
        Game(2, seed=1).to_svg(viewer)


# --- what can be clicked -------------------------------------------------------------------------


@every_kind
def test_every_choice_can_be_clicked_by_who_has_it(players: int, difficulty: str) -> None:
    blocks = set()
    for number, game in enumerate(random_states(players, difficulty, seed=8)):
        if (number > 3 and number % (5 * players - 1)) or game.done:
            continue
        names = {game.action_name(action) for action in game.legal_actions()}
        by_part = actions_by_part(game.to_svg())
        assert {name for part in by_part.values() for name in part} == names
        buttons = set(by_part.pop("decision"))
        on_the_table = {name for part in by_part.values() for name in part}
        assert {name for name in names if not name.startswith(BUTTONS)} <= on_the_table
        # What shares its element with another choice has a button as well.
        assert names - on_the_table <= buttons
        blocks |= {name.split(":")[0] for name in on_the_table}
        for other in range(players):
            if other != game.current_player:
                assert not any(actions_by_part(game.to_svg(other)).values())
    assert blocks >= {"donkey", "place"}


def frame(kind: str, **arguments: Any) -> dict[str, Any]:
    return {"kind": kind, "player": 0, **arguments}


CROWDED: dict[str, Any] = {
    "hand": ["W01", "E1", "Y03"],
    "firing_kilns": row("F00", "F01", pieces=["plate", "jug"]),
    "workshops": row("Y00", "Y01", "Y02", pieces=[None, None, "pot"]),
    "glaze_kilns": row("G00", "G01", pieces=["pot"]),
    "cleanup": cleanup(C00=1, C01=0),
    "cleaning_area": 3,
    "drying": pieces(plate=1, pot=1),
    "esparto": ["E0", "E1", None, "E2"],
}


@pytest.mark.parametrize(
    ("pending_frame", "names"),
    [
        (frame("paint", left=None), {"paint:plate@0", "paint:jug@1", "done"}),
        (frame("fire", left=None), {"glaze:2", "done"}),
        (frame("pay", piece="jug", workshop=1), {"pay:glaze", "pay:crack"}),
        (frame("clean", left=2), {"clean:0", "clean:1", "done"}),
        (frame("esparto", owed=[0, 3], left=None), {"esparto:0:0", "esparto:3:1", "done"}),
        (frame("track"), {"track:0", "track:1"}),
        (frame("play"), {"play:W01", "play:E1", "play:Y03", "done"}),
        (frame("slot", card="W01"), {"slot:1", "slot:4"}),
        (frame("slot", card="E1"), {"slot:2"}),
        (frame("throw", left=2), {"throw:0", "done"}),
        (frame("sell", left=1), {"sell:plate", "sell:jug", "sell:pot:painted"}),
        (frame("clay"), {"clay:1", "clay:3"}),
        (frame("shape"), {"shape:plate", "shape:jug+pot"}),
        (frame("gain"), {"gain:pg", "gain:glaze"}),
        (frame("any_action"), {"action:clay", "action:paint"}),
        (frame("bonus"), {"bonus:clay", "bonus:paint"}),
        (frame("sides", left="clay", right="play"), {"action:clay", "action:play"}),
    ],
    ids=lambda value: value["kind"] if isinstance(value, dict) else "",
)
def test_choices_of_every_kind(pending_frame: dict[str, Any], names: set[str]) -> None:
    s = edit(scene(2), 0, **CROWDED)
    s["draft"][0][1] = s["draft"][0][3] = "E3"
    game = load(pending(s, pending_frame))
    offered = {game.action_name(action) for action in game.legal_actions()}
    assert names <= offered
    svg = game.to_svg()
    check_picture(game, svg)
    by_part = actions_by_part(svg)
    assert {name for part in by_part.values() for name in part} == offered
    del by_part["decision"]
    on_the_table = {name for part in by_part.values() for name in part}
    assert {name for name in offered if not name.startswith(BUTTONS)} <= on_the_table
    assert not any(actions_by_part(game.to_svg(1)).values())


def test_choices_that_share_an_element_have_buttons_too() -> None:
    choices = Choices(["clay:1", "clay:2", "done", "throw:0"])
    both = choices.mark("<g/>", (0, 0, 1, 1), ["clay:1", "clay:2", "clay:3"])
    assert 'data-actions="clay:1 clay:2"' in both
    assert 'data-actions="throw:0"' in choices.mark("<g/>", (0, 0, 1, 1), ["throw:0"])
    assert choices.mark("<g/>", (0, 0, 1, 1), ["place:0,0"]) == "<g/>"
    assert choices.without_element() == ["clay:1", "clay:2", "done"]
