"""Every value of the default box says where it comes from, and says so truthfully."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from nijar_env.components import DEFAULT_FOLDER, check_box
from nijar_env.components.schema import Entry
from nijar_env.components.sections import FILES, SECTIONS
from nijar_env.components.show import count_sources, values_of
from nijar_env.components.sources import source_fault, source_kind


@pytest.fixture(scope="module")
def sources() -> dict[tuple[str, str, str], str]:
    """(file, entry, field) to source, for every value."""
    tables, _ = check_box(DEFAULT_FOLDER)
    return {
        (section.file, name, field): source
        for section in SECTIONS
        for name, entry in tables.some(section)
        if isinstance(entry, Entry)
        for field, _, source in values_of(entry)
    }


def test_every_entry_has_a_source() -> None:
    tables, _ = check_box(DEFAULT_FOLDER)
    for section in SECTIONS:
        for name, entry in tables.some(section):
            if section.name != "box":
                assert source_fault(entry.source) is None, (section.file, name)


def test_stated_values_cite_a_section(sources: dict[Any, str]) -> None:
    for place, source in sources.items():
        if source != "reconstructed":
            assert re.match(r"(rulebook|implied) .*§\d", source), place


@pytest.mark.parametrize(
    ("file", "entry", "field", "source"),
    [
        ("starting_cards.toml", "resources SR1", "resources", "rulebook §4.3"),
        ("starting_cards.toml", "resources SR2", "resources", "reconstructed"),
        ("starting_cards.toml", "[workshop]", "paint", "rulebook §8.8"),
        ("starting_cards.toml", "[workshop]", "right", "reconstructed"),
        ("workshops.toml", "card Y01", "paint", "implied §8.8"),
        ("workshops.toml", "card Y02", "cost", "rulebook §5.1"),
        ("workshops.toml", "card Y02", "left", "reconstructed"),
        ("bonus_tiles.toml", "tile number 6", "players", "implied §4.1.3, §9.6"),
        ("first_player_track.toml", "track number 1", "pg", "rulebook §12.7"),
        ("first_player_track.toml", "track number 2", "pg", "reconstructed"),
        ("market.toml", "[track]", "painted", "reconstructed"),
        ("market.toml", "[start]", "solo", "reconstructed"),
        ("market.toml", "[demand]", "values", "rulebook §7.1"),
        ("market.toml", "[dice]", "sides", "reconstructed"),
        ("players.toml", "[shape]", "two_pieces", "rulebook §8.6"),
        ("players.toml", "[extract_clay]", "prices", "rulebook §8.3"),
        ("players.toml", "[craftswomen]", "rounds", "rulebook §10.1"),
        ("endgame.toml", "[scales]", "esparto_set", "rulebook §11.3"),
        ("endgame.toml", "[final_scoring]", "painted_piece", "rulebook §11.1"),
        ("endgame.toml", "[final_scoring]", "lost_for_a_crack", "rulebook §11.4"),
        ("endgame.toml", "card wheel", "copies", "reconstructed"),
        ("competition.toml", "difficulty expert", "idle_vp", "rulebook §12.10"),
        ("competition.toml", "card number 1", "round_1", "reconstructed"),
        ("main_board.toml", "[action_board]", "columns", "implied §4.1.2, §4.1.3, §7.2.1.1"),
        ("box.toml", "[rules]", "side_icons", "implied §8.2"),
    ],
)
def test_source(
    sources: dict[tuple[str, str, str], str], file: str, entry: str, field: str, source: str
) -> None:
    assert sources[file, entry, field] == source


@pytest.mark.parametrize(
    "file", ["wheels.toml", "esparto.toml", "cleanup.toml", "glaze_kilns.toml", "firing_kilns.toml"]
)
def test_card_files_are_reconstructed(sources: dict[Any, str], file: str) -> None:
    assert {source for place, source in sources.items() if place[0] == file} == {"reconstructed"}


@pytest.mark.parametrize("file", ["supply.toml", "players.toml"])
def test_files_of_stated_values(sources: dict[Any, str], file: str) -> None:
    kinds = {source_kind(source) for place, source in sources.items() if place[0] == file}
    assert kinds == {"rulebook"}


def test_counts_add_up(sources: dict[Any, str]) -> None:
    tables, _ = check_box(DEFAULT_FOLDER)
    counts = count_sources(tables)
    assert sum(counts.values()) == len(sources)
    assert counts["reconstructed"] > counts["rulebook"] > counts["implied"] > counts["printed"] == 0


@pytest.mark.parametrize(
    "source",
    ["rulebook §8.3", "implied §4.1.2, §7.2.1.1", "rulebook components list, §5.3", "printed"],
)
def test_valid_source(source: str) -> None:
    assert source_fault(source) is None


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("", "expected 'rulebook §x'"),
        ("rulebook", "expected 'rulebook §x'"),
        ("rulebook 8.3", "'8.3' is no section"),
        ("guessed §8.3", "expected 'rulebook §x'"),
        ("rulebook §8.12", "no section 8.12"),
        ("rulebook §13", "no section 13"),
        ("rulebook §8.3,§8.4", "is no section"),
        ("Reconstructed", "expected 'rulebook §x'"),
    ],
)
def test_invalid_source(source: str, message: str) -> None:
    assert message in (source_fault(source) or "")


def test_every_file_ships_and_explains_itself() -> None:
    assert {file.name for file in DEFAULT_FOLDER.iterdir()} == set(FILES)
    for name in FILES:
        assert (DEFAULT_FOLDER / name).read_text(encoding="utf-8").startswith("# "), name


def test_documents_name_every_file_and_field() -> None:
    document = Path(__file__).parents[2] / "docs" / "components.md"
    text = document.read_text(encoding="utf-8")
    for section in SECTIONS:
        assert section.file in text
        assert f"`[[{section.name}]]`" in text or f"`[{section.name}]`" in text, section
        for field in section.type.__struct_fields__:
            assert f"`{field}`" in text, (section.file, section.name, field)
