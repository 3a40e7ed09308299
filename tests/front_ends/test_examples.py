"""The Gymnasium examples and the samples of docs/front_ends.md run as they stand, all of them."""

from __future__ import annotations

import inspect
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from nijar_env.gym_env import NijarEnv

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples"
DOCUMENT = ROOT / "docs" / "front_ends.md"
SAMPLES = re.findall(r"^```python\n(.*?)\n```$", DOCUMENT.read_text("utf-8"), re.M | re.S)
CALLS = [
    ("vector_loop.py --games 16 --steps 150", "games,"),
    ("vector_loop.py --games 4 --steps 5 --difficulty expert", "decisions a second"),
    ("solo_maskable_ppo.py --steps 8192 --games 16", "the Competition"),
    ("custom_opponent.py --games 1 --playouts 1", "many at once"),
]


@pytest.mark.parametrize(("call", "said"), CALLS)
def test_example_runs(
    call: str, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    name, *options = call.split()
    if "maskable" in name:
        pytest.importorskip("sb3_contrib", reason="the extra `train` is not installed")
    monkeypatch.setattr(sys, "argv", [name, *options])
    runpy.run_path(str(FOLDER / name), run_name="__main__")
    assert said in capsys.readouterr().out


def test_every_example_is_run_by_some_test() -> None:
    tests = "".join(
        path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py")
    )
    assert [path.name for path in FOLDER.glob("*.py") if f'"{path.name}' not in tests] == []


@pytest.mark.parametrize("number", range(len(SAMPLES)))
def test_samples_of_the_document_run(number: int) -> None:
    sample = SAMPLES[number]
    for module in ("sb3_contrib", "pyspiel"):
        if module in sample:
            pytest.importorskip(module, reason=f"{module} is not installed")
    done = subprocess.run([sys.executable, "-c", sample], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_documents_arguments_are_the_environments() -> None:
    text = DOCUMENT.read_text("utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| `(.*?)` \|", text, re.M))
    given = inspect.signature(NijarEnv).parameters
    assert {name: str(given[name].default) for name in given} == {
        name: default.strip('"') for name, default in rows.items()
    }


def test_links_and_files_exist() -> None:
    text = DOCUMENT.read_text("utf-8")
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)\)", text)
    files = re.findall(r"`((?:examples|docs|tests)/[\w./-]*)`", text)
    missing = [link for link in links if not (DOCUMENT.parent / link).exists()]
    missing += [name for name in files if not (ROOT / name).exists()]
    assert not missing
    titles = {title.lower().replace(" ", "-") for title in re.findall(r"^#+ (.*)$", text, re.M)}
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= titles
