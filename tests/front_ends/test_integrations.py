"""The examples of docs/integrations.md, each where its library is installed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples" / "integrations"
DOCUMENT = ROOT / "docs" / "integrations.md"
# What the example imports, its smallest call, what it says at the end.
EXAMPLES = [
    (("torchrl",), "torchrl_ppo.py --iterations 1 --batch 200", "trained on 200 decisions"),
    (("ray.rllib", "torch"), "rllib_ppo.py --iterations 1", "trained"),
    (("ray.rllib", "torch"), "rllib_ppo.py --iterations 1 --players 3", "trained"),
    (("tianshou",), "tianshou_dqn.py --steps 300 --games 2", "VP in 4 games"),
    (("open_spiel.python", "torch", "tree"), "openspiel_dqn.py --games 2", "mean outcome"),
    (("pufferlib", "torch"), "pufferlib_actor_critic.py --steps 90 --games 4", "360 decisions"),
]


def is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # the package above it
        return False


@pytest.mark.parametrize(("modules", "call", "said"), EXAMPLES, ids=lambda value: str(value)[:30])
def test_example_trains_within_the_masks(modules: tuple[str, ...], call: str, said: str) -> None:
    """An action that the mask forbids raises, and so fails the example."""
    missing = [module for module in modules if not is_installed(module)]
    if missing:
        pytest.skip(f"{missing[0]} is not installed (see docs/integrations.md)")
    name, *options = call.split()
    done = subprocess.run(
        [sys.executable, str(FOLDER / name), *options],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert said in done.stdout


def test_every_example_has_a_test_a_row_and_its_requirements() -> None:
    text = DOCUMENT.read_text("utf-8")
    tested = {call.split()[0] for _, call, _ in EXAMPLES}
    assert {path.name for path in FOLDER.glob("*.py")} == tested
    for name in tested:
        assert f"examples/integrations/{name}" in text
    pinned = "".join(
        path.read_text("utf-8") for path in sorted((FOLDER / "requirements").glob("*.txt"))
    )
    assert all(name in pinned for name in tested)
    job = (ROOT / ".ci" / "integrations").read_text("utf-8")
    assert all(name in job for name in tested)


def test_the_document_names_the_versions_that_are_pinned() -> None:
    text = DOCUMENT.read_text("utf-8")
    for path in (FOLDER / "requirements").glob("*.txt"):
        for name, version in re.findall(r"^([\w-]+)(?:\[\w+\])?==(\S+)$", path.read_text(), re.M):
            if name not in ("psutil", "rich-argparse", "setuptools"):
                assert version in text, f"{path.name}: {name} {version}"


def test_links_exist() -> None:
    text = DOCUMENT.read_text("utf-8")
    for link in re.findall(r"\]\((?!https?:|#)([^)#]+)", text):
        assert (DOCUMENT.parent / link).exists(), link
