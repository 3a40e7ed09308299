"""The picture of docs/index.md is what its command draws."""

from __future__ import annotations

from docs.tools.picture import FILE, drawn


def test_the_picture_of_the_first_page_is_of_today() -> None:
    assert FILE.read_text("utf-8") == drawn(), "run `python -m docs.tools.picture`"
