"""Which test proves which ruling and section, read from the sources of the tests.

    python -m tests.rules.index           write the lists of tests into docs/rules.md

The tests are not imported: the index is the same for one test and for all of them.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from pathlib import Path
from typing import Final, NamedTuple

FOLDER: Final = Path(__file__).resolve().parent
ROOT: Final = FOLDER.parents[1]
DOCUMENT: Final = ROOT / "docs" / "rules.md"
CORE: Final = ROOT / "nijar_env" / "core"


def _numbered(chapter: str, last: int) -> tuple[str, ...]:
    return tuple(f"{chapter}{n:02}" for n in range(1, last + 1))


# Every ruling there is, chapter by chapter.
RULINGS: Final = (
    *_numbered("D", 37),
    *_numbered("A", 16),
    *_numbered("B", 29),
    *_numbered("C", 3),
    *_numbered("MK", 10),
    *_numbered("E", 17),
    *_numbered("F", 11),
    *_numbered("G", 3),
    *_numbered("H", 11),
    *_numbered("I", 12),
    *_numbered("J", 9),
    *_numbered("K", 4),
    *_numbered("L", 7),
    *_numbered("M", 7),
    *_numbered("N", 6),
    *_numbered("O", 10),
    *_numbered("P", 24),
)

# Every numbered section of the rulebook from the setup on, but for headings over others.
SECTIONS: Final = (
    *("4.1", "4.2", "4.3", "5.1", "5.2", "5.3", "5.4", "6"),
    *("7.1", "7.2", "7.2.1", "7.2.1.1", "7.2.1.2", "7.2.2", "7.2.3", "7.2.4", "7.2.5"),
    "7.3",
    *(f"8.{n}" for n in range(1, 12)),
    *(f"9.{n}" for n in range(1, 9)),
    *(f"10.{n}" for n in range(1, 5)),
    *(f"11.{n}" for n in range(1, 7)),
    *("12.1.1", "12.1.2", "12.1.3", "12.2", "12.3", "12.4", "12.5", "12.6", "12.7", "12.8"),
    *("12.9", "12.10"),
)


class Proof(NamedTuple):
    """A test with what it is said to prove."""

    module: str
    name: str
    rulings: tuple[str, ...]
    sections: tuple[str, ...]

    @property
    def label(self) -> str:
        """`test_module.test_name`, as it stands in the document."""
        return f"{self.module}.{self.name}"


class Entry(NamedTuple):
    """A ruling as it stands in the document."""

    ruling: str
    text: str
    code: tuple[str, ...]
    reason: str
    tests: tuple[str, ...]


def _arguments(function: ast.FunctionDef, decorator: str) -> tuple[str, ...]:
    found: list[str] = []
    for call in function.decorator_list:
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == decorator:
            for argument in call.args:
                assert isinstance(argument, ast.Constant), f"{function.name}: @{decorator}"
                found.append(str(argument.value))
    return tuple(found)


def proofs() -> list[Proof]:
    """All tests of the folder, in the order of the files."""
    found = []
    for path in sorted(FOLDER.glob("test_*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                ids, numbers = _arguments(node, "rulings"), _arguments(node, "section")
                found.append(Proof(path.stem, node.name, ids, numbers))
    return found


def functions() -> set[str]:
    """`module.function` of every function in the core."""
    return {
        f"{path.stem}.{node.name}"
        for path in CORE.glob("*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef)
    }


def entries(document: str) -> list[Entry]:
    """The rulings of the document, in its order."""
    found = []
    for part in re.split(r"^### ", document, flags=re.MULTILINE)[1:]:
        part = re.split(r"^## ", part, flags=re.MULTILINE)[0]
        title, _, body = part.partition("\n")
        text = body.split("\n- ")[0].strip()
        code = re.search(r"^- Code: (.*)$", body, re.MULTILINE)
        reason = re.search(r"^- No code: (.*)$", body, re.MULTILINE)
        tests = re.search(r"^- Tests: ?(.*)$", body, re.MULTILINE)
        found.append(
            Entry(
                title.strip(),
                text,
                tuple(re.findall(r"`([^`]+)`", code[1])) if code else (),
                reason[1] if reason else "",
                tuple(re.findall(r"`([^`]+)`", tests[1])) if tests else (),
            )
        )
    return found


def tests_by_ruling() -> dict[str, list[str]]:
    """The labels of the tests of each ruling."""
    labels = defaultdict(list)
    for proof in proofs():
        for ruling in proof.rulings:
            labels[ruling].append(proof.label)
    return labels


def with_tests(document: str) -> str:
    """The document with its lists of tests written anew."""
    labels = tests_by_ruling()
    ruling = ""
    lines = []
    for line in document.splitlines():
        if line.startswith("### "):
            ruling = line[4:].strip()
        if line.startswith("- Tests:"):
            line = f"- Tests: {', '.join(f'`{label}`' for label in labels[ruling])}".rstrip()
        lines.append(line)
    return "\n".join(lines) + "\n"


def main() -> int:
    """Write the lists of tests into docs/rules.md."""
    document = DOCUMENT.read_text(encoding="utf-8")
    DOCUMENT.write_text(with_tests(document), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
