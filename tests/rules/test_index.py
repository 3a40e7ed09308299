"""docs/rules.md and the tests of the rules hold each other in place.

Works on the sources alone, so it is the same for a partial run.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from . import index
from .scenes import rulings, section

DOCUMENT = index.DOCUMENT.read_text(encoding="utf-8")
ENTRIES = index.entries(DOCUMENT)
PROOFS = index.proofs()


def test_every_ruling_stands_in_the_document_once() -> None:
    assert [entry.ruling for entry in ENTRIES] == list(index.RULINGS)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.ruling)
def test_every_ruling_has_text_code_and_a_test_or_a_reason(entry: index.Entry) -> None:
    assert re.match(r"§\d", entry.text), "the text begins with its section"
    assert len(entry.text.split()) >= 7
    if entry.reason:
        assert not entry.code and not entry.tests
        assert len(entry.reason.split()) >= 4
    else:
        assert entry.code and entry.tests


def test_the_judgement_calls_are_listed() -> None:
    listed = DOCUMENT.split("## Judgement calls")[1].split("\n## ")[0]
    named = set(re.findall(r"\b[A-Z]{1,2}\d\d\b", listed))
    assert named == {entry.ruling for entry in ENTRIES if "*judgement*" in entry.text.lower()}


def test_the_named_functions_exist() -> None:
    missing = {name for entry in ENTRIES for name in entry.code} - index.functions()
    assert not missing


def test_the_lists_of_tests_are_up_to_date() -> None:
    assert index.with_tests(DOCUMENT) == DOCUMENT, "run `python -m tests.rules.index`"


def test_no_test_names_an_unknown_ruling_or_section() -> None:
    for proof in PROOFS:
        assert set(proof.rulings) <= set(index.RULINGS), proof.label
        assert set(proof.sections) <= set(index.SECTIONS), proof.label
        assert len(set(proof.rulings)) == len(proof.rulings), proof.label


def test_every_test_of_the_rules_says_what_it_proves() -> None:
    helpers = {"test_index", "test_mutations"}
    for proof in PROOFS:
        assert bool(proof.rulings) == (proof.module not in helpers), proof.label
        assert bool(proof.sections) == (proof.module not in helpers), proof.label


def test_every_section_of_the_rulebook_has_a_test() -> None:
    proved = {number for proof in PROOFS for number in proof.sections}
    assert set(index.SECTIONS) - proved == set()


def test_every_ruling_but_those_without_code_has_a_test() -> None:
    without = {entry.ruling for entry in ENTRIES if entry.reason}
    proved = {ruling for proof in PROOFS for ruling in proof.rulings}
    assert set(index.RULINGS) - proved <= without


def test_names_of_tests_are_unique_within_a_module() -> None:
    labels = [proof.label for proof in PROOFS]
    assert len(set(labels)) == len(labels)


def test_kernels_name_only_rulings_that_exist() -> None:
    for path in index.CORE.glob("*.py"):
        for named in re.findall(r"\b(?:D|A|B|C|MK|E|F|G|H|I|J|K|L|M|N|O|P)\d\d\b", comments(path)):
            assert named in index.RULINGS, f"{path.name}: {named}"


def comments(path: Path) -> str:
    """Docstrings and comments of a source."""
    text = path.read_text(encoding="utf-8")
    return "\n".join(re.findall(r'"""[\s\S]*?"""|#.*', text))


def test_the_decorators_leave_a_test_as_it_is() -> None:
    def some_test() -> None: ...

    assert rulings("A01")(section("4.1")(some_test)) is some_test
