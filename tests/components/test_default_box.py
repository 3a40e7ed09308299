"""The default box, value by value, against tables written down apart from the data files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from nijar_env.components import BOX_DTYPE, Box
from nijar_env.components import vocabulary as v

WHEELS = """
W01 2pg         1  shape clay shape                2
W02 3pg         1  clay shape fire shape           3
W03 2pg 1clay   2  shape fire shape                2
W04 1pg 2clay   2  play shape paint                3
W05 3pg         2  shape shape                     2
W06 4pg         2  shape clean shape esparto       4
W07 2pg 1glaze  1  shape paint fire                3
W08 2glaze      1  acquire shape play              3
W09 2crack      1  clean shape clay shape          3
W10 1pg 1crack  1  shape tech shape                2
W11 3pg 1clay   2  shape play shape acquire        4
W12 4pg 1glaze  3  shape paint shape fire          5
W13 2pg         1  esparto shape clean             2
W14 5pg         3  shape fire shape paint fire     6
W15 1pg         1  +2glaze shape +2pg              1
W16 3clay       2  shape +3pg shape play           4
"""
START_WHEELS = """
shape clay shape play
clay shape fire shape
shape esparto shape acquire
play shape paint shape
shape fire shape clean
"""
ESPARTO = """
E1 2pg; 4pg; clean 1
E2 2pg; 3glaze; fire 1
E3 1pg 1glaze; 2clay; paint 1
E4 1pg 1clay; 2glaze; 3pg
"""
CLEANUP = """
C01 3pg 2 3VP
C02 2pg 3 4VP
C03 1pg 2 3pg
C04 1pg 2 2glaze
C05 1pg 2 2clay
C06 2pg 3 1VP+play
C07 2pg 3 1VP+esparto
C08 1clay 2 2VP
C09 2glaze 3 3VP+2pg
C10 2pg 4 6VP
C11 2pg 3 2VP+acquire
C12 1pg 2 1VP+fire
"""
KILNS = """
F01 2pg clay fire
F02 2pg fire clay
F03 3pg throw acquire
F04 3pg acquire throw
F05 1pg clean clay
F06 1pg clay clean
F07 3pg fire play
F08 2pg 1clay play fire
F09 2clay esparto clay
F10 2pg 1clay tech fire
F11 4pg throw esparto
F12 1pg 1crack acquire clean
G01 2pg fire clean
G02 2pg clean fire
G03 3pg esparto play
G04 3pg play esparto
G05 2pg fire acquire
G06 1pg 1glaze acquire fire
G07 3pg clay throw
G08 2pg 1clay throw clay
G09 2pg 1glaze paint fire
G10 2crack clean play
G11 1pg 2glaze tech esparto
G12 4pg fire throw
"""
WORKSHOPS = """
Y01 2pg paint clay 2glaze|2crack
Y02 2crack clay paint 2glaze
Y03 3pg paint fire 1glaze+1crack
Y04 2pg 1clay fire paint 2glaze|2crack
Y05 1pg 1glaze clean paint 1glaze+1crack
Y06 1pg paint clean 3crack
Y07 4pg esparto paint 1glaze
Y08 4pg paint esparto 1glaze
Y09 3pg play acquire 2glaze
Y10 2pg acquire tech 2glaze|2crack
Y11 2clay tech play 1glaze+1crack
Y12 5pg throw paint 1crack
"""
PRICES = {  # (glaze, cracks) of each alternative, and how many there are
    "2glaze|2crack": ([[2, 0], [0, 2]], 2),
    "2glaze": ([[2, 0], [0, 0]], 1),
    "1glaze+1crack": ([[1, 1], [0, 0]], 1),
    "3crack": ([[0, 3], [0, 0]], 1),
    "1glaze": ([[1, 0], [0, 0]], 1),
    "1crack": ([[0, 1], [0, 0]], 1),
}
ACTION = {
    "": 0,
    "acquire": 1,
    "play": 2,
    "clay": 3,
    "tech": 4,
    "throw": 5,
    "fire": 6,
    "paint": 7,
    "clean": 8,
    "esparto": 9,
    "first_player": 10,
    "shape": 11,
    "fire 1": 12,
    "paint 1": 13,
    "clean 1": 14,
}
COST = r"((?:\d(?:pg|glaze|clay|crack) ?)+)"


def lines(table: str) -> list[str]:
    return [" ".join(line.split()) for line in table.strip().splitlines()]


def amounts(text: str, units: str) -> list[int]:
    return [int((re.search(rf"(\d){unit}", text) or "00")[1]) for unit in units.split()]


def cost(text: str) -> list[int]:
    return amounts(text, "pg glaze clay crack")


def effect(text: str) -> list[int]:
    action = re.sub(r"^\+|\d(VP|pg|glaze|clay)\+?", "", text)
    return [*amounts(text, "VP pg glaze clay"), ACTION[action]]


def card(box: Box, name: str, card_type: int) -> tuple[Any, int]:
    code = box.card_code(name)
    record = box.record[0]
    assert record["card_type"][code] == card_type
    assert v.TYPE_BASE[card_type] <= code < v.TYPE_BASE[card_type] + v.TYPE_COPIES[card_type]
    return record, code


def effects(record: Any, code: int, expected: list[list[int]]) -> None:
    padded = expected + [[0] * 5] * (v.MAX_CARD_SPACES - len(expected))
    assert record["card_effect"][code].tolist() == padded


@pytest.mark.parametrize("line", lines(WHEELS))
def test_wheel(default: Box, line: str) -> None:
    name, price, played, spaces, done = re.fullmatch(rf"(\w+) {COST}(\d) (.*) (\d)", line).groups()  # type: ignore[union-attr]
    record, code = card(default, name, v.WHEEL)
    assert record["card_cost"][code].tolist() == cost(price)
    assert record["card_vp"][code] == int(played)
    assert record["card_done_vp"][code] == int(done)
    assert record["card_spaces"][code] == len(spaces.split())
    assert record["card_copies"][code] == 1
    effects(record, code, [effect(space) for space in spaces.split()])


@pytest.mark.parametrize("index", range(5))
def test_start_wheel(default: Box, index: int) -> None:
    spaces = lines(START_WHEELS)[index].split()
    record, code = default.record[0], v.START_WHEEL + index
    assert default.card_ids[code] == f"SW{index + 1}"
    assert record["card_type"][code] == v.WHEEL
    assert record["card_spaces"][code] == len(spaces) == 4
    assert (record["card_vp"][code], record["card_done_vp"][code]) == (0, 2)
    effects(record, code, [effect(space) for space in spaces])


@pytest.mark.parametrize("line", lines(ESPARTO))
def test_esparto(default: Box, line: str) -> None:
    head, *rewards = line.split("; ")
    name, price = head.split(" ", 1)
    record, code = card(default, name, v.ESPARTO)
    assert record["card_cost"][code].tolist() == cost(price)
    assert record["card_copies"][code] == 4
    effects(record, code, [effect(reward) for reward in rewards])


@pytest.mark.parametrize("line", lines(CLEANUP))
def test_cleanup(default: Box, line: str) -> None:
    name, price, spaces, reward = line.split()
    record, code = card(default, name, v.CLEANUP)
    assert record["card_cost"][code].tolist() == cost(price)
    assert record["card_spaces"][code] == int(spaces)
    assert record["card_copies"][code] == 1
    effects(record, code, [effect(reward)])


@pytest.mark.parametrize("line", lines(KILNS))
def test_kiln(default: Box, line: str) -> None:
    name, price, left, right = re.fullmatch(rf"(\w+) {COST}(\w+) (\w+)", line).groups()  # type: ignore[union-attr]
    record, code = card(default, name, v.FIRING_KILN if name[0] == "F" else v.GLAZE_KILN)
    assert record["card_cost"][code].tolist() == cost(price)
    assert record["card_icon"][code].tolist() == [ACTION[left], ACTION[right]]
    assert record["card_copies"][code] == 1


@pytest.mark.parametrize("line", lines(WORKSHOPS))
def test_workshop(default: Box, line: str) -> None:
    match = re.fullmatch(rf"(\w+) {COST}(\w+) (\w+) (\S+)", line)
    name, price, left, right, paint = match.groups()  # type: ignore[union-attr]
    record, code = card(default, name, v.WORKSHOP)
    assert record["card_cost"][code].tolist() == cost(price)
    assert record["card_icon"][code].tolist() == [ACTION[left], ACTION[right]]
    prices, options = PRICES[paint]
    assert record["card_paint"][code].tolist() == prices
    assert record["card_paint_options"][code] == options


def test_tables_hold_all_80_cards(default: Box) -> None:
    copies = default.record[0]["card_copies"].tolist()
    counts = [len(lines(table)) for table in (WHEELS, CLEANUP, WORKSHOPS, KILNS)]
    assert counts == [16, 12, 12, 24]
    assert sum(counts) + 4 * len(lines(ESPARTO)) == sum(copies) == 80
    for card_type, base in enumerate(v.TYPE_BASE):
        assert sum(copies[base : base + v.TYPE_COPIES[card_type]]) == v.TYPE_COPIES[card_type]


def test_unused_identities_are_empty(default: Box) -> None:
    record = default.record[0]
    unused = [code for code in range(80) if record["card_type"][code] < 0]
    assert unused == list(range(20, 32))
    assert [default.card_ids[code] for code in unused] == [f"unused-{code}" for code in unused]
    for field in ("card_copies", "card_cost", "card_spaces", "card_effect", "card_icon"):
        assert not record[field][unused].any()


def test_starting_cards(default: Box) -> None:
    record = default.record[0]
    assert default.card_ids[85:] == ("C00", "F00", "G00", "Y00", "E0")
    types = [v.CLEANUP, v.FIRING_KILN, v.GLAZE_KILN, v.WORKSHOP, v.ESPARTO]
    assert record["card_type"][85:].tolist() == types
    assert not record["card_cost"][80:].any()
    assert not record["card_copies"][80:].any()
    assert record["card_spaces"][85] == 2
    effects(record, 85, [effect("2VP")])
    right = [["", "fire"], ["", "clean"], ["", "paint"]]
    assert record["card_icon"][86:89].tolist() == [[ACTION[a], ACTION[b]] for a, b in right]
    assert record["card_paint"][88].tolist() == [[2, 0], [0, 0]]
    assert record["card_paint_options"][88] == 1
    effects(record, 89, [effect("1clay"), effect("2pg")])


def test_starting_resources(default: Box) -> None:
    clay_pg_glaze_crack = ["5523", "3632", "4443", "2721", "3554"]
    expected = [[int(t[1]), int(t[2]), int(t[0]), int(t[3])] for t in clay_pg_glaze_crack]
    assert default.record[0]["start_resources"].tolist() == expected
    assert default.start_resource_ids == ("SR1", "SR2", "SR3", "SR4", "SR5")


def test_boards_and_tiles(default: Box) -> None:
    record = default.record[0]
    wheel = ["", "clay", "fire", "esparto", "throw"]
    assert record["wheel_space_action"].tolist() == [ACTION[word] for word in wheel]
    esparto = ["", "clay", "acquire", "throw"]
    assert record["esparto_space_action"].tolist() == [ACTION[word] for word in esparto]
    tiles = [sorted(ACTION[word] for word in actions) for actions in default.tile_actions]
    assert [sorted(filter(None, tile)) for tile in record["tile_action"].tolist()] == tiles
    singles = ("acquire", "play", "clay", "fire", "paint", "clean", "esparto", "first_player")
    assert set(default.tile_actions) == {*((word,) for word in singles), ("throw", "tech")}
    assert len(default.tile_names) == 9
    assert "throw/tech" in default.tile_names
    bonuses = ("clay", "fire", "paint", "throw", "clean", "acquire", "supply")
    assert default.bonus_tile_names == bonuses
    assert record["bonus_tile"].tolist() == list(range(7))
    players = record["bonus_tile_players"]
    assert [int((players <= n).sum()) for n in (1, 2, 3, 4)] == [5, 5, 6, 7]
    assert default.bonus_tile_names[players.tolist().index(3)] == "acquire"
    assert default.bonus_tile_names[players.tolist().index(4)] == "supply"
    assert (record["bonus_clay"], record["bonus_supply"].tolist()) == (1, [2, 2])
    assert default.side_icons == "junction"


def test_market(default: Box) -> None:
    record = default.record[0]
    assert record["market_vp"].tolist() == [
        [1, 1, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 6],
        [2, 3, 4, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
    ]
    assert record["market_start"].tolist() == [0, 1, 1, 2, 3]
    assert record["demand"].tolist() == [2, 1, 0]


def test_first_player_track(default: Box) -> None:
    record = default.record[0]
    assert record["track_spaces"].tolist() == [0, 2, 2, 3, 4]
    assert record["track_pg"][1:].tolist() == [
        [-2, 0, 0, 0],
        [-2, 2, 0, 0],
        [-2, 0, 2, 0],
        [-2, 0, 1, 2],
    ]


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("clay_price", [0, 0, 1, 3]),
        ("tech_steps", [0, 1, 2, 3]),
        ("tech_vp", 2),
        ("shape_clay", [0, 1, 2]),
        ("shape_cracks", [0, 0, 2]),
        ("shop_reward", [2, 3, 3]),
        ("supply", [54, 42, 0, 32]),
        ("vases", 20),
        ("pieces", [0, 8, 8, 12, 16]),
        ("craftswomen", [0, 7, 6, 5]),
        ("endgame_copies", [1, 1, 1, 1, 1, 1, 2, 2, 2]),
        ("type_scale", [0, 0, 1, 3, 6, 10]),
        ("esparto_scale", [0, 0, 1, 5, 10]),
        ("set_scale", [0, 0, 1, 3, 6]),
        ("sold_vp", 1),
        ("left_piece_vp", [1, 2]),
        ("crack_vp", 1),
        ("token_vp", 2),
        ("resources_per_vp", 5),
        ("comp_bump_vp", [3, 5, 5]),
        ("comp_idle_vp", [1, 1, 2]),
        ("own_side_icons", 0),
    ],
)
def test_value(default: Box, field: str, expected: int | list[int]) -> None:
    assert default.record[0][field].tolist() == expected


COMPETITION = """
1 (0,0) move right/left     r1 plate jug  r2 jug pot     r3 pot plate
2 (0,1) discard left+right  r1 jug pot    r2 pot plate   r3 plate jug
3 (0,2) move below/above    r1 pot plate  r2 plate jug   r3 jug pot
4 (1,0) discard above+below r1 plate jug  r2 jug pot     r3 pot plate
5 (1,1) stay                r1 jug pot    r2 pot plate   r3 plate jug
6 (1,2) discard left+right  r1 pot plate  r2 plate jug   r3 jug pot
7 (2,0) move above/below    r1 plate jug  r2 jug pot     r3 pot plate
8 (2,1) discard above+below r1 jug pot    r2 pot plate   r3 plate jug
9 (2,2) move left/right     r1 pot plate  r2 plate jug   r3 jug pot
"""
SIDE = {"left": [0, -1], "right": [0, 1], "above": [-1, 0], "below": [1, 0]}
ICON = {"stay": 0, "move": 1, "discard": 2}


@pytest.mark.parametrize("line", lines(COMPETITION))
def test_competition_card(default: Box, line: str) -> None:
    pattern = r"(\d) \((\d),(\d)\) (\w+) ?([\w+/]*) r1 (\w+) (\w+) r2 (\w+) (\w+) r3 (\w+) (\w+)"
    match = re.fullmatch(pattern, line)
    number, row, column, icon, sides, *pieces = match.groups()  # type: ignore[union-attr]
    record, index = default.record[0], int(number) - 1
    assert record["comp_space"][index].tolist() == [int(row), int(column)]
    assert record["comp_donkey"][index] == ICON[icon]
    offsets = [SIDE[side] for side in re.findall(r"\w+", sides)] or [[0, 0], [0, 0]]
    assert record["comp_direction"][index].tolist() == offsets
    codes = [["plate", "jug", "pot"].index(piece) for piece in pieces]
    expected = [codes[:2], codes[2:4], codes[4:]]
    assert record["comp_piece"][index].tolist() == expected


def test_every_field_of_the_record_is_covered_here() -> None:
    """A new field of the record must be given a test; this file names every field."""
    text = Path(__file__).read_text(encoding="utf-8")
    assert [name for name in BOX_DTYPE.names or () if f'"{name}"' not in text] == []
