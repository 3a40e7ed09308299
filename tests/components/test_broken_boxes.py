"""Every fault of a box gives one error that names file, entry and field."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from nijar_env.components import BoxError, check_box, load_box
from nijar_env.components.sections import FILES

# file, text, replacement, what the one error must contain
FAULTS = {
    "unknown field": (
        "wheels.toml",
        "play_vp =",
        "plays_vp =",
        "card W01, field plays_vp: no such",
    ),
    "missing field": ("wheels.toml", "play_vp = 1\n", "", "card W01, field play_vp: it is missing"),
    "missing id": ("wheels.toml", 'id = "W02"\n', "", "card number 2, field id: it is missing"),
    "missing source": (
        "market.toml",
        'source = "reconstructed"\n\n# Position',
        "\n# Position",
        "[track], field source: it is missing",
    ),
    "wrong type": ("wheels.toml", "play_vp = 1", 'play_vp = "1"', "card W01, field play_vp", "'1'"),
    "fraction": ("wheels.toml", "play_vp = 1", "play_vp = 1.5", "field play_vp: found 1.5"),
    "truth value": ("wheels.toml", "play_vp = 1", "play_vp = true", "field play_vp: found true"),
    "too many VP": ("wheels.toml", "play_vp = 1", "play_vp = 21", "found 21", "<= 20"),
    "huge": ("wheels.toml", "play_vp = 1", f"play_vp = {10**30}", "card W01, field play_vp", "20"),
    "negative VP": ("wheels.toml", "done_vp = 2", "done_vp = -1", "found -1", ">= 0"),
    "text for a list": ("wheels.toml", '["shape", "shape"]', '"shape"', "card W05, field spaces"),
    "nine spaces": (
        "wheels.toml",
        '["shape", "shape"]',
        str(["shape"] * 9).replace("'", '"'),
        "card W05, field spaces",
        "8",
    ),
    "no spaces": ("wheels.toml", '["shape", "shape"]', "[]", "card W05, field spaces", "1"),
    "number among spaces": (
        "wheels.toml",
        '["shape", "shape"]',
        '["shape", 3]',
        "card W05, field spaces number 2: found 3",
    ),
    "unknown action": (
        "wheels.toml",
        '["shape", "shape"]',
        '["shape", "shap"]',
        "card W05, field spaces number 2: found 'shap'",
        "did you mean 'shape'?",
    ),
    "empty space": (
        "wheels.toml",
        '["shape", "shape"]',
        '["shape", ""]',
        "card W05, field spaces number 2: found ''; it does nothing",
    ),
    "two actions": ("wheels.toml", '"+2glaze"', '"play+clay"', "field spaces number 1", "second"),
    "gain after action": ("wheels.toml", '"+2glaze"', '"play+1VP"', "W15", "gains come first"),
    "cracks as a gain": ("wheels.toml", '"+2glaze"', '"+2crack"', "'crack' may not stand here"),
    "unknown unit": ("wheels.toml", 'cost = "2pg"', 'cost = "2pgs"', "field cost", "mean 'pg'?"),
    "no amount": ("wheels.toml", 'cost = "2pg"', 'cost = "pg"', "field cost", "not an amount"),
    "no cost": ("wheels.toml", 'cost = "2pg"', 'cost = ""', "card W01, field cost", "'free'"),
    "zero": ("wheels.toml", 'cost = "2pg"', 'cost = "0pg"', "card W01, field cost", "1 to 20"),
    "twice": ("wheels.toml", 'cost = "2pg"', 'cost = "2pg 1pg"', "'pg' stands twice"),
    "too much clay": ("wheels.toml", '"3clay"', '"8clay"', "card W16, field cost", "1 to 7"),
    "too many cracks": ("wheels.toml", '"2crack"', '"9crack"', "card W09, field cost", "1 to 8"),
    "VP as a cost": ("wheels.toml", 'cost = "2pg"', 'cost = "2vp"', "'vp' may not stand here"),
    "bad id": ("wheels.toml", '"W01"', '"W 01"', "field id: found 'W 01'", "beginning with a let"),
    "reserved id": ("wheels.toml", '"W01"', '"SW1"', "card SW1, field id", "starting card"),
    "placeholder id": ("wheels.toml", '"W01"', '"Unused_1"', "card Unused_1, field id", "unused"),
    "double id": ("cleanup.toml", '"C01"', '"W01"', "card W01, field id", "wheels.toml"),
    "too many kinds": (
        "wheels.toml",
        "[[card]]",
        '[[card]]\nid="W"\ncost="free"\nplay_vp=0\nspaces=["clay"]\ndone_vp=0\nsource="printed"\n'
        "[[card]]",
        "wheels.toml, [[card]], field copies: found 17 cards",
        "expected 16",
    ),
    "too few copies": ("esparto.toml", "copies = 4", "copies = 3", "found 15", "expected 16"),
    "no copies": ("esparto.toml", "copies = 4", "copies = 0", "card E1, field copies: found 0"),
    "one reward": ("esparto.toml", '["4pg", "clean 1"]', '["4pg"]', "card E1, field rewards"),
    "full action as esparto": ("esparto.toml", '"clean 1"]', '"clean"]', "field rewards number 2"),
    "VP as esparto": ("esparto.toml", '"4pg"', '"4VP"', "card E1, field rewards number 1", "'VP'"),
    "shape as cleanup": ("cleanup.toml", '"3VP"', '"shape"', "card C01, field reward"),
    "no crack spaces": ("cleanup.toml", "cracks = 2", "cracks = 0", "card C01, field cracks"),
    "nine crack spaces": ("cleanup.toml", "cracks = 2", "cracks = 9", "card C01, field cracks"),
    "single as side icon": (
        "firing_kilns.toml",
        'left = "clay"',
        'left = "fire 1"',
        "card F01, field left",
    ),
    "gain as side icon": ("glaze_kilns.toml", 'right = "clean"', 'right = "2pg"', "G01, field ri"),
    "clay for painting": ("workshops.toml", '"3crack"', '"1clay"', "card Y06, field paint", "clay"),
    "two glaze prices": ("workshops.toml", '"3crack"', '"1glaze|2glaze"', "Y06, field paint"),
    "mixed alternative": ("workshops.toml", '"3crack"', '"1glaze+1crack|2crack"', "Y06, field pa"),
    "three alternatives": ("workshops.toml", '"3crack"', '"1glaze|1crack|2crack"', "Y06, field pa"),
    "free alternative": ("workshops.toml", '"3crack"', '"free|2crack"', "card Y06, field paint"),
    "start id": ("starting_cards.toml", '"SW1"', '"SW9"', "wheel SW9, field id", "fixed", "'SW1'"),
    "start cards missing": (
        "starting_cards.toml",
        '[[wheel]]\nid = "SW5"\nspaces = ["shape", "fire", "shape", "clean"]\ndone_vp = 2\n'
        'source = "reconstructed"\n',
        "",
        "[[wheel]]: found 4 entries, expected 5",
    ),
    "start resources": ("starting_cards.toml", "7pg 2", "7vp 2", "resources SR4, field resources"),
    "resource twice": ("starting_cards.toml", "5clay 5pg", "5clay 5clay", "SR1, field resources"),
    "section missing": ("starting_cards.toml", "[workshop]", "[shed]", "shed"),
    "table for an array": ("action_tiles.toml", "[[tile]]", "[tile]", "not valid TOML"),
    "centre with an action": (
        "workshop_board.toml",
        '"none"\n',
        '"clay"\n',
        "wheel_space number 1",
    ),
    "space without action": ("workshop_board.toml", '"fire"', '"none"', "wheel_space number 3"),
    "action on no tile": ("action_tiles.toml", '"throw", "tech"', '"throw"', "no tile has 'tech'"),
    "two play tiles": ("action_tiles.toml", '["clay"]', '["clay", "play"]', "'play' on 2 tiles"),
    "two turn order tiles": ("action_tiles.toml", '["clay"]', '["clay", "first_player"]', "on 2"),
    "same action twice": ("action_tiles.toml", '["clay"]', '["clay", "clay"]', "tile number 3"),
    "shape on a tile": ("action_tiles.toml", '["clay"]', '["clay", "shape"]', "tile number 3, fie"),
    "three on a tile": ("action_tiles.toml", '["clay"]', '["clay", "fire", "paint"]', "tile numb"),
    "esparto as a tile": ("bonus_tiles.toml", '"acquire"', '"esparto"', "tile number 6, field bo"),
    "bonus twice": ("bonus_tiles.toml", '"acquire"', '"clay"', "tile number 6, field bonus"),
    "tile for two": ("bonus_tiles.toml", "players = 3", "players = 2", "tile number 6, field play"),
    "too many tiles": ("bonus_tiles.toml", "players = 3", "players = 1", "found 6 tiles in use"),
    "players out of range": ("bonus_tiles.toml", "players = 3", f"players = {10**9}", "field play"),
    "short market": ("market.toml", "[2, 3, 4, 4,", "[3, 4, 4,", "[track], field painted", "13"),
    "market start": ("market.toml", "solo = 1", "solo = 13", "[start], field solo: found 13"),
    "demand order": ("market.toml", "[2, 1, 0]", "[1, 2, 0]", "[demand], field values", "highest"),
    "negative demand": ("market.toml", "[2, 1, 0]", "[2, 1, -1]", "field values number 3: found -"),
    "dice": ("market.toml", "sides = 6", "sides = 8", "[dice], field sides", "fixed, restore 6"),
    "short track": ("first_player_track.toml", "[-2, 2]", "[-2]", "track for 2, field pg", "1 spa"),
    "wide track": ("first_player_track.toml", "pg = [-2]", "pg = [-2, 1]", "track for 1, field pg"),
    "track players": (
        "first_player_track.toml",
        "players = 4",
        "players = 5",
        "field players",
        "4",
    ),
    "clay limit": ("players.toml", "clay = 7", "clay = 9", "[limits], field clay", "fixed"),
    "craftswomen": ("players.toml", "[7, 6, 5]", "[8, 7, 6]", "[craftswomen], field rounds", "[7"),
    "shape price": ("players.toml", '"2clay 2crack"', '"2clay 2pg"', "[shape], field two_pieces"),
    "clay prices": ("players.toml", "[0, 1, 3]", "[0, 1]", "[extract_clay], field prices", "3"),
    "supply": ("supply.toml", "ones = 34", "ones = 100000", "[perra_gorda], field ones", "fixed"),
    "deck": ("main_board.toml", '"cleanup", "w', '"wheel", "w', "deck number 2, field types"),
    "endgame sum": ("endgame.toml", "copies = 2", "copies = 3", "found 13 cards", "expected 12"),
    "endgame kind": ("endgame.toml", '"jug"', '"mug"', "card mug, field kind", "restore 'jug'"),
    "scale": ("endgame.toml", "[0, 1, 3, 6, 10]", "[0, 1, 3, 6]", "[scales], field cards", "5"),
    "gain for cracks": ("endgame.toml", "a_crack = 1", "a_crack = -1", "field lost_for_a_crack"),
    "doubled field": ("wheels.toml", "play_vp = 1", "play_vp = 1\nplay_vp = 1", "stands twice"),
    "division by zero": ("endgame.toml", "one_vp = 5", "one_vp = 0", "field resources_for_one_vp"),
    "space outside": (
        "competition.toml",
        "[0, 1]",
        "[0, 3]",
        "card number 2, field space number 2",
    ),
    "donkey icon": ("competition.toml", "right/left", "right/above", "card number 1, field donkey"),
    "three pieces": ("competition.toml", '"jug pot"', '"jug pot jug"', "number 1, field round_2"),
    "no piece": (
        "competition.toml",
        'round_1 = "plate jug"',
        'round_1 = ""',
        "card number 1, field round_1",
    ),
    "unknown piece": (
        "competition.toml",
        '"plate jug"',
        '"plates jug"',
        "field round_1",
        "mean 'plate'?",
    ),
    "difficulty": (
        "competition.toml",
        '"expert"',
        '"hard"',
        "difficulty hard, field name",
        "fixed",
    ),
    "side icons": ("box.toml", '"junction"\nsource', '"both"\nsource', "[rules], field side_icons"),
    "box name": ("box.toml", '"reconstructed-v1"', '"my box"', "[box], field name: found 'my box'"),
    "format": ("box.toml", "format = 1", "format = 2", "[box], field format: found 2", "fixed"),
    "stray value": ("box.toml", "[box]", "nme = 3\n[box]", "found 'nme' outside every section"),
    "source": ("market.toml", '"rulebook §7.1"', '"rulebook §99"', "[demand], field source", "99"),
    "source override": (
        "workshops.toml",
        'paint = "implied §8.8"',
        'paint = "guess"',
        "card Y01, field sources.paint: found 'guess'",
    ),
    "source of no field": (
        "workshops.toml",
        'paint = "implied §8.8"',
        'pant = "implied §8.8"',
        "card Y01, field sources: found 'pant'",
    ),
    "empty side icon": ("firing_kilns.toml", 'left = "clay"', 'left = ""', "card F01, field left"),
    "line break in an id": ("wheels.toml", '"W01"', '"W01\\n"', "field id", "beginning with a let"),
    "other digits": ("wheels.toml", 'cost = "2pg"', 'cost = "٢pg"', "card W01, field cost"),
    "text for sources": (
        "workshops.toml",
        'sources = { paint = "implied §8.8" }',
        'sources = "implied §8.8"',
        "card Y01, field sources: found 'implied §8.8'; expected a table",
    ),
    "syntax": ("wheels.toml", "play_vp = 1", "play_vp = = 1", "not valid TOML", "line"),
}
# These edits break two things at once.
SEVERAL = {"section missing", "unknown field"}


@pytest.mark.parametrize("case", FAULTS)
def test_fault(edit: Any, folder: Path, case: str) -> None:
    file, old, new, *fragments = FAULTS[case]
    edit(file, old, new)
    with pytest.raises(BoxError) as caught:
        load_box(folder)
    first = caught.value.faults[0]
    assert first.startswith(file)
    for fragment in fragments:
        assert fragment in first, first
    if case not in SEVERAL:
        assert len(caught.value.faults) == 1, caught.value.faults
    assert isinstance(caught.value, ValueError)


def test_faults_are_listed_in_one_run(edit: Any, folder: Path) -> None:
    edit("wheels.toml", "play_vp = 1", "play_vp = 21")
    edit("wheels.toml", '["shape", "shape"]', '["shape", "shap"]')
    edit("cleanup.toml", '"3VP"', '"shape"')
    edit("players.toml", "clay = 7", "clay = 9")
    with pytest.raises(BoxError) as caught:
        load_box(folder)
    assert len(caught.value.faults) == 4
    assert str(caught.value).endswith("(and 3 more: run `nijar components check`)")
    tables, box = check_box(folder)
    assert box is None
    assert tuple(tables.faults) == caught.value.faults


def test_start_resources_above_the_supply(edit: Any, folder: Path) -> None:
    edit("starting_cards.toml", "4glaze", "20glaze")
    edit("starting_cards.toml", "5glaze", "20glaze")
    expected = r"\[\[resources\]\], field resources: found 45 glaze on four .* the 42 of the supply"
    with pytest.raises(BoxError, match=expected):
        load_box(folder)


def test_no_move_icon(folder: Path) -> None:
    path = folder / "competition.toml"
    text = path.read_text(encoding="utf-8")
    for sides in ("right/left", "below/above", "above/below", "left/right"):
        text = text.replace(f'donkey = "move {sides}"', 'donkey = "stay"')
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BoxError, match="no card that moves the donkey"):
        load_box(folder)


def test_play_and_first_player_on_one_tile(edit: Any, folder: Path) -> None:
    edit("action_tiles.toml", '["play"]', '["play", "first_player"]')
    edit("action_tiles.toml", '["first_player"]', '["clay"]')
    with pytest.raises(BoxError, match=r"tile number 2, field actions.*one row"):
        load_box(folder)


ODD_VALUES = ('""', '"+"', '"1pg+"', "-1", str(10**12), "true", "[]", "[[]]", '["x"]', "{}")


@pytest.mark.parametrize("file", FILES)
def test_odd_values_never_crash(folder: Path, file: str) -> None:
    """A field with a value of another kind is refused, or (rarely) allowed; it does no worse."""
    path = folder / file
    lines = path.read_text(encoding="utf-8").splitlines()
    fields = [n for n, line in enumerate(lines) if re.match(r"\w+ = ", line)]
    for turn, number in enumerate(fields[:20]):
        name = lines[number].split(" = ")[0]
        odd = f"{name} = {ODD_VALUES[turn % len(ODD_VALUES)]}"
        edited = [*lines[:number], odd, *lines[number + 1 :]]
        path.write_text("\n".join(edited), encoding="utf-8")
        tables, box = check_box(folder)
        assert (box is None) == bool(tables.faults)
        for fault in tables.faults:
            assert fault.startswith(f"{file}, "), fault


def test_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(BoxError, match="nowhere: does not exist"):
        load_box(tmp_path / "nowhere")


def test_file_for_a_folder(folder: Path) -> None:
    with pytest.raises(BoxError, match=r"box\.toml: is a file; a box is a folder"):
        load_box(folder / "box.toml")


def test_missing_file(folder: Path) -> None:
    (folder / "market.toml").unlink()
    with pytest.raises(BoxError) as caught:
        load_box(folder)
    assert caught.value.faults[0].startswith("market.toml: the file is missing")
    assert len(caught.value.faults) == 1


def test_unknown_file(folder: Path) -> None:
    (folder / "wheel.toml").write_text("", encoding="utf-8")
    with pytest.raises(BoxError, match=r"^wheel\.toml: no such file.*did you mean 'wheels\.toml'"):
        load_box(folder)


def test_not_utf8(folder: Path) -> None:
    (folder / "market.toml").write_bytes("# perra gorda für Ñ".encode("latin-1"))
    with pytest.raises(BoxError, match=r"market\.toml: the file is not UTF-8"):
        load_box(folder)


def test_empty_file(folder: Path) -> None:
    (folder / "wheels.toml").write_text("", encoding="utf-8")
    with pytest.raises(BoxError, match=r"wheels\.toml: section \[\[card\]\] is missing"):
        load_box(folder)
