"""docs/state.md is held to the record by generation."""

from __future__ import annotations

from tests.state_doc import DOCUMENT, rendered


def test_the_document_is_what_the_record_generates() -> None:
    text = DOCUMENT.read_text("utf-8")
    assert rendered(text) == text, "run `python -m tests.state_doc`"
