"""What an owner of the game may change."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from nijar_env.components import Box, load_box
from nijar_env.components import vocabulary as v


def test_new_ids(folder: Path) -> None:
    path = folder / "cleanup.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(re.sub(r'id = "C(\d+)"', r'id = "broom-\1"', text), encoding="utf-8")
    box = load_box(folder)
    assert box.card_code("broom-07") == v.TYPE_BASE[v.CLEANUP] + 6


def test_wheel_with_eight_spaces(edit: Any, folder: Path) -> None:
    spaces = ["shape", "2VP+play", "+1pg+2glaze+1clay", "fire 1", "paint 1", "clean 1"]
    spaces += ["first_player", "1VP"]
    edit("wheels.toml", '["shape", "shape"]', str(spaces).replace("'", '"'))
    box = load_box(folder)
    code = box.card_code("W05")
    assert box.record[0]["card_spaces"][code] == 8
    assert box.record[0]["card_effect"][code].tolist() == [
        [0, 0, 0, 0, v.ACT_SHAPE],
        [2, 0, 0, 0, v.ACT_PLAY],
        [0, 1, 2, 1, v.NO_ACTION],
        [0, 0, 0, 0, v.ACT_FIRE_ONE],
        [0, 0, 0, 0, v.ACT_PAINT_ONE],
        [0, 0, 0, 0, v.ACT_CLEAN_ONE],
        [0, 0, 0, 0, v.ACT_FIRST_PLAYER],
        [1, 0, 0, 0, v.NO_ACTION],
    ]


def test_two_kinds_merged(edit: Any, folder: Path, default: Box) -> None:
    text = (folder / "wheels.toml").read_text(encoding="utf-8")
    start, end = text.index('[[card]]\nid = "W02"'), text.index('[[card]]\nid = "W03"')
    (folder / "wheels.toml").write_text(text[:start] + text[end:], encoding="utf-8")
    edit("wheels.toml", 'id = "W01"\n', 'id = "W01"\ncopies = 2\n')
    box = load_box(folder)
    record = box.record[0]
    assert record["card_copies"][:16].tolist() == [2] + [1] * 14 + [0]
    assert record["card_type"][15] == -1
    assert box.card_ids[15] == "unused-15"
    assert box.card_code("W03") == default.card_code("W03") - 1
    assert box != default


def test_one_kind_of_esparto(folder: Path) -> None:
    (folder / "esparto.toml").write_text(
        '[[card]]\nid = "Only"\ncost = "free"\nrewards = ["1pg+1clay+clean 1", "fire 1"]\n'
        'copies = 16\nsource = "printed"\n',
        encoding="utf-8",
    )
    box = load_box(folder)
    code = box.card_code("Only")
    assert box.record[0]["card_copies"][code] == 16
    assert not box.record[0]["card_cost"][code].any()
    assert box.record[0]["card_effect"][code, 0].tolist() == [0, 1, 0, 1, v.ACT_CLEAN_ONE]


def test_sixteen_kinds_of_esparto(folder: Path) -> None:
    cards = [
        f'[[card]]\nid = "E{n}x"\ncost = "{n}pg"\nrewards = ["1pg", "1clay"]\nsource = "printed"\n'
        for n in range(1, 17)
    ]
    (folder / "esparto.toml").write_text("\n".join(cards), encoding="utf-8")
    box = load_box(folder)
    assert (box.record[0]["card_type"][:80] >= 0).all()
    assert not any(card.startswith("unused") for card in box.card_ids)


def test_other_values(edit: Any, folder: Path) -> None:
    edit("box.toml", '"junction"\nsource', '"own"\nsource')
    edit("cleanup.toml", "cracks = 2", "cracks = 8")
    edit("workshops.toml", '"3crack"', '"free"')
    edit("market.toml", "[2, 1, 0]", "[3, 1, 1]")
    edit("action_tiles.toml", '["clay"]', '["clay", "tech"]')
    edit("action_tiles.toml", '["throw", "tech"]', '["throw"]')
    edit("bonus_tiles.toml", "players = 1", "players = 4")
    edit(
        "bonus_tiles.toml",
        'players = 4\nsource = "rulebook §9.7"',
        'players = 1\nsource = "printed"',
    )
    edit("first_player_track.toml", "[-2, 0, 1, 2]", "[-3, -1, 0, 20]")
    edit("competition.toml", 'round_1 = "plate jug"', 'round_1 = "plate plate"')
    edit("endgame.toml", "copies = 2", "copies = 0")
    edit("endgame.toml", "copies = 1", "copies = 3")
    edit("players.toml", '"2clay 2crack"', '"free"')
    box = load_box(folder)
    record = box.record[0]
    assert box.side_icons == "own"
    assert record["card_spaces"][box.card_code("C01")] == 8
    assert record["card_paint_options"][box.card_code("Y06")] == 1
    assert record["demand"].tolist() == [3, 1, 1]
    assert "clay/tech" in box.tile_names
    assert record["bonus_tile_players"].tolist() == [4, 1, 1, 1, 1, 3, 1]
    assert record["track_pg"][4].tolist() == [-3, -1, 0, 20]
    assert record["comp_piece"][0, 0].tolist() == [0, 0]
    assert record["endgame_copies"].tolist() == [3, 1, 1, 1, 1, 1, 0, 2, 2]
    assert record["shape_clay"].tolist() == [0, 1, 0]


@pytest.mark.parametrize("note", ["notes.txt", "README.md", "wheels.toml.bak", ".DS_Store"])
def test_other_files_beside_the_box(folder: Path, default: Box, note: str) -> None:
    (folder / note).write_text("mine", encoding="utf-8")
    assert load_box(folder) == default


def test_home_folder(folder: Path, default: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(folder.parent))
    monkeypatch.setenv("USERPROFILE", str(folder.parent))
    assert load_box("~/box") == default
