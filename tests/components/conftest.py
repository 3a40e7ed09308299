from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from nijar_env.components import DEFAULT_FOLDER, Box, load_box

Edit = Callable[[str, str, str], None]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the default box."""
    copy = tmp_path / "box"
    copy.mkdir()
    for file in DEFAULT_FOLDER.glob("*.toml"):
        (copy / file.name).write_bytes(file.read_bytes())
    return copy


@pytest.fixture
def edit(folder: Path) -> Edit:
    """Replace the first occurrence of a text in a file of the copy."""

    def replace(file: str, old: str, new: str) -> None:
        path = folder / file
        text = path.read_text(encoding="utf-8")
        assert old in text, f"{file} has no {old!r}"
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    return replace


@pytest.fixture(scope="session")
def default() -> Box:
    return load_box()
