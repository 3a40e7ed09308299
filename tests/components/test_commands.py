"""`nijar components show`, `check` and `copy`."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from nijar_env.cli import app
from nijar_env.components import DEFAULT_FOLDER, Box, check_box, load_box
from nijar_env.components.sections import FILES
from nijar_env.components.show import count_sources


def nijar(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def test_show_default(default: Box) -> None:
    result = nijar("components", "show")
    assert result.exit_code == 0
    for word in (*FILES, "W14", "1VP+esparto", "reconstructed; cost: rulebook §5.1"):
        assert word in result.output
    assert f"reconstructed-v1, version 1, fingerprint {default.fingerprint}" in result.output
    counts = count_sources(check_box(DEFAULT_FOLDER)[0])
    summary = re.search(
        r"(\d+) values: (\d+) stated by the rulebook, (\d+) implied by it, (\d+) reconstructed",
        " ".join(result.output.split()),
    )
    assert summary is not None
    total, *numbers = map(int, summary.groups())
    assert numbers == [counts[kind] for kind in ("rulebook", "implied", "reconstructed")]
    assert total == sum(numbers)


def test_show_gives_every_value_a_source() -> None:
    """Every row of values ends with a source."""
    rows = [line for line in nijar("components", "show").output.splitlines() if "│" in line]
    plain = [row for row in rows if not re.search(r"│ (name|version|format|id) +│", row)]
    assert len(plain) > 150
    for row in plain:
        assert re.search(r"(rulebook|implied|reconstructed)", row), row


def test_show_a_folder(edit: Any, folder: Path) -> None:
    edit("box.toml", '"reconstructed-v1"', '"mine"')
    edit("wheels.toml", 'source = "reconstructed"', 'source = "printed"')
    result = nijar("components", "show", str(folder))
    assert result.exit_code == 0
    assert "mine, version 1" in result.output
    assert "4 read off a real copy" in " ".join(result.output.split())


def test_show_a_broken_folder(edit: Any, folder: Path) -> None:
    edit("wheels.toml", "play_vp = 1", "play_vp = 21")
    result = nijar("components", "show", str(folder))
    assert result.exit_code == 1
    assert "wheels.toml, card W01, field play_vp: found 21" in result.output


def test_check_ok(folder: Path, default: Box) -> None:
    result = nijar("components", "check", str(folder))
    assert result.exit_code == 0
    assert result.output == f"ok: reconstructed-v1, version 1, fingerprint {default.fingerprint}\n"


def test_check_reminds_of_the_name(edit: Any, folder: Path) -> None:
    edit("wheels.toml", "play_vp = 1", "play_vp = 2")
    result = nijar("components", "check", str(folder))
    assert result.exit_code == 0
    first, second = result.output.splitlines()
    assert first == f"ok: reconstructed-v1, version 1, fingerprint {load_box(folder).fingerprint}"
    assert second.startswith("note: box.toml, [box], field name")


def test_check_lists_every_fault(edit: Any, folder: Path) -> None:
    edit("wheels.toml", "play_vp = 1", "play_vp = 21")
    edit("cleanup.toml", '"3VP"', '"shape"')
    result = nijar("components", "check", str(folder))
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("wheels.toml, card W01")
    assert lines[1].startswith("cleanup.toml, card C01")


def test_check_missing_folder(tmp_path: Path) -> None:
    result = nijar("components", "check", str(tmp_path / "nowhere"))
    assert result.exit_code == 1
    assert "does not exist" in result.output


def test_copy(tmp_path: Path, default: Box) -> None:
    target = tmp_path / "new" / "box"
    result = nijar("components", "copy", str(target))
    assert result.exit_code == 0
    assert "nijar components check" in result.output
    assert {file.name for file in target.iterdir()} == set(FILES)
    assert load_box(target) == default


def test_copy_overwrites_nothing(folder: Path) -> None:
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    (folder / "market.toml").unlink()
    result = nijar("components", "copy", str(folder))
    assert result.exit_code == 1
    assert "exists already" in result.output
    assert "market.toml" not in {file.name for file in folder.iterdir()}
    assert len(before) == len(FILES)


@pytest.mark.parametrize("arguments", [["--help"], ["components", "--help"]])
def test_help(arguments: list[str]) -> None:
    result = nijar(*arguments)
    assert result.exit_code == 0
    assert "components" in result.output


def test_loading_a_box_needs_no_command_line_packages() -> None:
    code = (
        "import sys; from nijar_env.components import load_box; load_box();"
        "print({'typer', 'rich', 'numba'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
