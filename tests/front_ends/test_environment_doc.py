"""docs/environment.md is held to the code by generation; its samples run; what it names exists."""

from __future__ import annotations

import re

from nijar_env import nijar_v0
from nijar_env.core.constants import REWARDS
from tests.environment_doc import COMMAND, DOCUMENT, PARTS, rendered

TEXT = DOCUMENT.read_text("utf-8")
ROOT = DOCUMENT.parent.parent


def test_the_document_is_what_the_code_generates() -> None:
    assert rendered(TEXT) == TEXT, f"run `{COMMAND}`"


def test_every_generated_part_is_there_once() -> None:
    assert re.findall(r"<!-- (\w+): begin -->", TEXT) == list(PARTS)


def test_a_change_of_the_code_would_be_seen() -> None:
    assert rendered(TEXT.replace("| 0-4 | `phase` |", "| 0-3 | `phase` |")) == TEXT
    assert TEXT.replace("| 0-4 | `phase` |", "| 0-3 | `phase` |") != TEXT


def test_samples_run() -> None:
    samples = re.findall(r"^```python\n(.*?)\n```$", TEXT, re.M | re.S)
    assert samples
    for sample in samples:
        exec(compile(sample, str(DOCUMENT), "exec"), {})


def test_links_and_files_exist() -> None:
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)\)", TEXT)
    files = re.findall(r"`((?:examples|docs|tests)/[\w./-]*)`", TEXT)
    missing = [link for link in links if not (DOCUMENT.parent / link).exists()]
    missing += [name for name in files if not (ROOT / name).exists()]
    assert not missing
    anchors = {
        re.sub(r"[^\w-]", "", title.lower().replace(" ", "-"))
        for title in re.findall(r"^#+ (.*)$", TEXT, re.M)
    }
    assert set(re.findall(r"\]\(#([^)]+)\)", TEXT)) <= anchors


def test_rewards_of_the_page_are_those_of_the_code() -> None:
    table = TEXT.split("## Rewards")[1].split("##")[0]
    assert tuple(re.findall(r"^\| `\"(\w+)\"`", table, re.M)) == REWARDS


def test_environment_version() -> None:
    name = nijar_v0.raw_env.metadata["name"]
    history = TEXT.split("## Version history")[1]
    assert re.findall(r"^\* (v\d+):", history, re.M)[0] == name.split("_")[1]
