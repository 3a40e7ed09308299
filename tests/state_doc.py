"""The generated parts of docs/state.md: `python -m tests.state_doc` writes them anew."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from nijar_env.core.constants import (
    EVENTS,
    FRAME_KINDS,
    PHASES,
    STREAMS,
    VP_SOURCES,
)
from nijar_env.core.record import GAME_DTYPE, GAME_FIELDS
from nijar_env.scene_pending import ARGUMENTS

DOCUMENT = Path(__file__).parent.parent / "docs" / "state.md"


def field_table() -> str:
    rows = ["| field | type | shape | meaning |", "|---|---|---|---|"]
    for name, kind, shape, meaning in GAME_FIELDS:
        text = " x ".join(map(str, shape)) if shape else "-"
        rows.append(f"| `{name}` | {np.dtype(kind).name} | {text} | {meaning} |")
    rows.append(f"\nOne record is {GAME_DTYPE.itemsize:,} bytes.".replace(",", " "))
    return "\n".join(rows)


def code_lists() -> str:
    lists = (
        ("phase", PHASES),
        ("VP source", VP_SOURCES),
        ("random stream", STREAMS),
        ("event", EVENTS),
    )
    return "\n".join(
        f"* {name}: " + ", ".join(f"{i} {word}" for i, word in enumerate(words))
        for name, words in lists
    )


def frame_table() -> str:
    rows = ["| code | kind | arguments in a scene |", "|---|---|---|"]
    for code, kind in enumerate(FRAME_KINDS):
        arguments = ", ".join(f"`{name}` ({form})" for name, form, _, _ in ARGUMENTS[kind])
        rows.append(f"| {code} | `{kind}` | {arguments or '-'} |")
    return "\n".join(rows)


PARTS = {"fields": field_table, "codes": code_lists, "frames": frame_table}


def rendered(text: str) -> str:
    """The document with its generated parts written anew."""
    for name, part in PARTS.items():
        begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
        pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
        assert pattern.search(text), f"docs/state.md has no part {begin}"
        body = part()
        text = pattern.sub(lambda _, b=begin, e=end, body=body: f"{b}\n{body}\n{e}", text)
    return text


if __name__ == "__main__":
    DOCUMENT.write_text(rendered(DOCUMENT.read_text("utf-8")), "utf-8")
