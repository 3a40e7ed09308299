"""The `Box` object: immutable, hashable, picklable; its fingerprint follows its values."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nijar_env.components import BOX_DTYPE, Box, load_box
from nijar_env.components.box import fingerprint_of

DEFAULT_FINGERPRINT = "cc429d0db7e0"


def test_default_box_is_the_frozen_one(default: Box) -> None:
    """A change of any value of the default box shows here and needs a new name of the box."""
    assert (default.name, default.version) == ("reconstructed-v1", 1)
    assert default.fingerprint == DEFAULT_FINGERPRINT


def test_default_box_is_loaded_once(default: Box) -> None:
    assert load_box() is default
    assert load_box(default) is default


def test_record(default: Box) -> None:
    assert default.record.shape == (1,)
    assert default.record.dtype == BOX_DTYPE
    assert not default.record.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        default.record["tech_vp"] = 3


def test_record_round_trip(default: Box) -> None:
    again = np.frombuffer(default.record.tobytes(), dtype=BOX_DTYPE)
    assert fingerprint_of(again, default.card_ids) == default.fingerprint
    assert (again == default.record).all()


def test_immutable(default: Box) -> None:
    with pytest.raises(AttributeError, match="immutable"):
        default.name = "other"
    with pytest.raises(AttributeError, match="immutable"):
        del default.name


def test_pickle_and_copies(default: Box) -> None:
    for again in (pickle.loads(pickle.dumps(default)), copy.deepcopy(default), copy.copy(default)):
        assert again == default
        assert hash(again) == hash(default)
        assert again.card_ids == default.card_ids
        assert again.path == default.path
        assert not again.record.flags.writeable
        assert again.record.tobytes() == default.record.tobytes()
    assert default != "reconstructed-v1"
    assert "reconstructed-v1" in repr(default)


def test_card_codes(default: Box) -> None:
    for code, name in enumerate(default.card_ids):
        if default.is_used(code):
            assert default.card_code(name) == code
    assert len(set(default.card_ids)) == 90
    assert default.start_wheel_ids == ("SW1", "SW2", "SW3", "SW4", "SW5")
    with pytest.raises(KeyError, match=r"no card 'W1'.*did you mean"):
        default.card_code("W1")
    with pytest.raises(KeyError, match="unused-20"):
        default.card_code("unused-20")


def test_load_box_accepts_paths_and_nothing_else(folder: Path, default: Box) -> None:
    assert load_box(folder) == load_box(str(folder)) == default
    assert load_box(folder).path == folder
    with pytest.raises(TypeError, match="components must be"):
        load_box(7)  # type: ignore[arg-type]


@pytest.mark.parametrize("field", BOX_DTYPE.names or ())
def test_fingerprint_follows_every_value(default: Box, field: str) -> None:
    seen = {default.fingerprint}
    size = default.record[field].size
    for position in {0, size // 2, size - 1}:
        record = default.record.copy()
        values: Any = record[field].reshape(-1)
        values[position] += 1
        record[field] = values.reshape(record[field].shape)
        seen.add(fingerprint_of(record, default.card_ids))
    assert len(seen) == 1 + len({0, size // 2, size - 1})


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("wheels.toml", 'cost = "2pg"', 'cost = "3pg"'),
        ("wheels.toml", 'id = "W01"', 'id = "Tall"'),
        ("wheels.toml", '"shape", "clay", "shape"', '"clay", "shape", "shape"'),
        ("market.toml", "solo = 1", "solo = 2"),
        ("competition.toml", 'round_1 = "plate jug"', 'round_1 = "jug"'),
        ("box.toml", '"junction"\nsource', '"own"\nsource'),
        ("endgame.toml", "lost_for_a_crack = 1", "lost_for_a_crack = 2"),
    ],
)
def test_fingerprint_follows_files(
    edit: Any, folder: Path, default: Box, file: str, old: str, new: str
) -> None:
    edit(file, old, new)
    assert load_box(folder).fingerprint != default.fingerprint


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("wheels.toml", "# The 16", "# My own\n# The 16"),
        ("wheels.toml", 'source = "reconstructed"', 'source = "printed"'),
        ("wheels.toml", 'cost = "2pg 1clay"', 'cost   =  "1 clay + 2 pg" # the same'),
        ("wheels.toml", 'spaces = ["shape", "clay"', 'spaces = [\n  "shape",\n  "clay"'),
        ("workshops.toml", '"2glaze|2crack"', '"2crack | 2glaze"'),
        ("workshops.toml", 'sources = { paint = "implied §8.8" }\n', ""),
        ("box.toml", 'name = "reconstructed-v1"', 'name = "mine"'),
        ("box.toml", "version = 1", "version = 2"),
        ("cleanup.toml", 'reward = "3VP"', 'reward = "+3 vp"'),
    ],
)
def test_fingerprint_ignores_all_but_values(
    edit: Any, folder: Path, default: Box, file: str, old: str, new: str
) -> None:
    edit(file, old, new)
    assert load_box(folder).fingerprint == default.fingerprint


def test_windows_files_load(folder: Path, default: Box) -> None:
    for file in folder.glob("*.toml"):
        text = file.read_text(encoding="utf-8").replace("\n", "\r\n")
        file.write_bytes(b"\xef\xbb\xbf" + text.encode("utf-8"))
    assert load_box(folder) == default
