"""The golden playthroughs. They are regenerated with

    python -m tests.golden.generate

A difference means that the games of seeds have changed, or the log: read it, regenerate the files
and review their difference with the change that caused it (docs/versioning.md).
"""

from __future__ import annotations

import difflib
import re
from itertools import islice

import pytest

from nijar_env.core.catalogue import BLOCKS

from .generate import COMMAND, PLAYTHROUGHS, Playthrough, choose, family, path_of, playthrough_text

SHOWN = 80  # lines of a difference
MAX_BYTES = 400_000
FEWEST_FAMILIES = 0.9


def difference(old: str, new: str, name: str) -> str:
    """The first lines of a unified diff."""
    lines = difflib.unified_diff(
        old.splitlines(), new.splitlines(), f"{name} (kept)", f"{name} (now)", lineterm="", n=6
    )
    return "\n".join(islice(lines, SHOWN))


@pytest.mark.parametrize("plan", PLAYTHROUGHS, ids=lambda plan: plan.name)
def test_playthrough_is_as_it_was(plan: Playthrough) -> None:
    kept = path_of(plan).read_text(encoding="utf-8")
    now = playthrough_text(plan)
    if now != kept:
        pytest.fail(
            "The golden playthrough has changed: this seed plays, or is told, differently.\n"
            f"If that is meant, run `{COMMAND}`, review the difference, and see "
            "docs/versioning.md:\na changed trajectory needs a minor version and a line under "
            f"Trajectories in CHANGELOG.md.\n\n{difference(kept, now, path_of(plan).name)}",
            pytrace=False,
        )


def test_files_are_the_plans() -> None:
    files = {path.name for path in path_of(PLAYTHROUGHS[0]).parent.glob("*.txt")}
    assert files == {path_of(plan).name for plan in PLAYTHROUGHS}


@pytest.mark.parametrize("plan", PLAYTHROUGHS, ids=lambda plan: plan.name)
def test_file_can_be_reviewed(plan: Playthrough) -> None:
    assert path_of(plan).stat().st_size < MAX_BYTES


def test_playthroughs_use_the_catalogue() -> None:
    """Together they choose actions of nearly every family, and make, paint and sell pieces."""
    chosen = {
        family(name)
        for plan in PLAYTHROUGHS
        for name in re.findall(r"^chosen: (\S+)$", path_of(plan).read_text(encoding="utf-8"), re.M)
    }
    families = {block for block, _ in BLOCKS}
    assert chosen <= families
    assert len(chosen) >= FEWEST_FAMILIES * len(families), sorted(families - chosen)


def test_choices_depend_on_seed_and_decision_alone() -> None:
    names = ["donkey:0,1", "take:0,0", "take:0,1", "take:2,4", "done"]
    first = [choose(names, 7, decision) for decision in range(40)]
    assert first == [choose(names, 7, decision) for decision in range(40)]
    assert set(first) > {"take:0,0", "take:0,1", "take:2,4"}
    assert first != [choose(names, 8, decision) for decision in range(40)]
