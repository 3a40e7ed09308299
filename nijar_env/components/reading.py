"""Reading a box folder: TOML text to checked entries, collecting every fault on the way."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from .notation import NotationError, listed, suggestion
from .schema import Entry
from .sections import FILES, SECTIONS, Section, T
from .sources import source_fault

R = TypeVar("R")
_STEP = re.compile(r"\.(\w+)|\[(\d+|\.\.\.)\]")


class Incomplete(Exception):
    """A section that is needed could not be read; its faults are reported already."""


@dataclass
class Tables:
    """The entries of a box folder, with the faults found so far."""

    path: Path
    entries: dict[tuple[str, str], list[tuple[str, Any]]] = field(default_factory=dict)
    broken: set[tuple[str, str]] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)

    def whole(self, section: Section[T]) -> bool:
        """Whether every entry of the section could be read."""
        return (section.file, section.name) not in self.broken

    def some(self, section: Section[T]) -> list[tuple[str, T]]:
        """The entries that could be read, each with its name for messages."""
        return list(self.entries.get((section.file, section.name), ()))

    def all(self, section: Section[T]) -> list[tuple[str, T]]:
        """All entries of a section; raises `Incomplete` where one could not be read."""
        if not self.whole(section):
            raise Incomplete
        return self.some(section)

    def one(self, section: Section[T]) -> T:
        """The entry of a section that has one."""
        return self.all(section)[0][1]

    def parse(
        self,
        section: Section[Any],
        entry: str,
        name: str,
        text: str,
        parser: Callable[..., R],
        *options: Any,
    ) -> R | None:
        """Read a field's notation; None, and a fault, where it cannot be read."""
        try:
            return parser(text, *options)
        except NotationError as error:
            self.fault(section, entry, name, f"found '{text}'; {error}")
            return None

    def fault(self, section: Section[Any], entry: str, name: str, message: str) -> None:
        """Report a fault of a field (or of the whole entry where `name` is empty)."""
        where = [section.file, entry, f"field {name}" if name else ""]
        self.faults.append(f"{', '.join(part for part in where if part)}: {message}")


def read_folder(path: Path) -> Tables:
    """Read all files of a box folder."""
    tables = Tables(path)
    if not path.is_dir():
        kind = "is a file" if path.exists() else "does not exist"
        tables.faults.append(
            f"{path}: {kind}; a box is a folder of TOML files "
            "(`nijar components copy FOLDER` makes one to edit)"
        )
        tables.broken.update((section.file, section.name) for section in SECTIONS)
        return tables
    for file in sorted(path.glob("*.toml")):
        if file.name not in FILES:
            tables.faults.append(
                f"{file.name}: no such file belongs to a box{suggestion(file.name, FILES)}; "
                "rename or remove it"
            )
    for name in FILES:
        _read_file(tables, name)
    return tables


def _read_file(tables: Tables, name: str) -> None:
    sections = [section for section in SECTIONS if section.file == name]
    document = _parse(tables, name)
    if document is None:
        tables.broken.update((name, section.name) for section in sections)
        return
    known = [section.name for section in sections]
    for key in document:
        if key not in known:
            tables.faults.append(
                f"{name}: found '{key}' outside every section; expected the sections "
                f"{listed(known)}{suggestion(key, known)}"
            )
    for section in sections:
        _read_section(tables, section, document.get(section.name))


def _parse(tables: Tables, name: str) -> dict[str, Any] | None:
    file = tables.path / name
    try:
        return tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        message = "the file is missing; copy it from the default box (`nijar components copy`)"
    except OSError as error:
        message = f"the file cannot be read: {error.strerror}"
    except UnicodeDecodeError:
        message = "the file is not UTF-8 text; save it as UTF-8"
    except tomllib.TOMLDecodeError as error:
        hint = "; a field stands twice in one entry, or the entry's [header] is missing"
        hint = hint if "overwrite" in str(error) else ""
        message = f"the file is not valid TOML: {error}{hint}"
    tables.faults.append(f"{name}: {message}")
    return None


def _read_section(tables: Tables, section: Section[T], found: Any) -> None:
    place = (section.file, section.name)
    brackets = f"[[{section.name}]]" if section.many else f"[{section.name}]"
    raw = found if section.many else [found]
    if not (isinstance(raw, list) and raw and all(isinstance(item, dict) for item in raw)):
        kind = "is missing" if found is None else "has another form"
        tables.faults.append(f"{section.file}: section {brackets} {kind}; write it as {brackets}")
        tables.broken.add(place)
        return
    if section.count is not None and len(raw) != section.count:
        tables.faults.append(
            f"{section.file}, {brackets}: found {len(raw)} entries, expected {section.count}; "
            "their number is fixed"
        )
        tables.broken.add(place)
        return
    names = [_entry_name(section, item, index) for index, item in enumerate(raw)]
    read = [
        (name, _convert(tables, section, name, item)) for name, item in zip(names, raw, strict=True)
    ]
    entries = [(name, entry) for name, entry in read if entry is not None]
    tables.entries[place] = entries
    if len(entries) < len(raw):
        tables.broken.add(place)
        return
    for index, fixed in enumerate(section.fixed):
        for name, value in fixed.items():
            actual = getattr(entries[index][1], name)
            if actual != value:
                tables.fault(
                    section,
                    entries[index][0],
                    name,
                    f"found {_shown(actual)}; this value is fixed, restore {_shown(value)}",
                )
                tables.broken.add(place)


def _entry_name(section: Section[T], item: dict[str, Any], index: int) -> str:
    if not section.many:
        return f"[{section.name}]"
    keys: tuple[str, ...] = getattr(section.type, "KEYS", ())
    key = item.get(keys[0]) if keys else None
    if isinstance(key, str) and key:
        return f"{section.name} {key}"
    return f"{section.name} number {index + 1}"


def _convert(tables: Tables, section: Section[T], name: str, item: dict[str, Any]) -> T | None:
    """Check one entry's structure and sources; None where its structure is at fault."""
    try:
        entry = msgspec.convert(item, section.type)
    except msgspec.ValidationError as error:
        tables.fault(section, name, *_explain(str(error), section, item))
        return None
    if isinstance(entry, Entry):
        _check_sources(tables, section, name, entry)
    return entry


def _check_sources(tables: Tables, section: Section[Any], name: str, entry: Entry) -> None:
    if message := source_fault(entry.source):
        tables.fault(section, name, "source", f"found {_shown(entry.source)}; {message}")
    fields = [key for key in type(entry).__struct_fields__ if key not in ("source", "sources")]
    for key, source in entry.sources.items():
        if key not in fields:
            tables.fault(
                section,
                name,
                "sources",
                f"found '{key}'; expected a field of the entry: {listed(fields)}",
            )
        elif message := source_fault(source):
            tables.fault(section, name, f"sources.{key}", f"found {_shown(source)}; {message}")


def _explain(message: str, section: Section[T], item: dict[str, Any]) -> tuple[str, str]:
    """Turn msgspec's words into (field, what was found and what was expected)."""
    text, _, path = message.partition(" - at `$")
    fields = section.type.__struct_fields__
    if match := re.match(r"Object missing required field `(\w+)`", text):
        missing = match[1]
        strangers = [key for key in item if key not in fields]
        hint = f" (found '{strangers[0]}' instead?)" if strangers else ""
        return missing, f"it is missing{hint}; add a line `{missing} = ...`"
    if match := re.match(r"Object contains unknown field `(.*)`", text):
        return match[1], f"no such field; expected {listed(fields)}{suggestion(match[1], fields)}"
    found: Any = item
    name = ""
    for step in _STEP.finditer(path):
        if step[1] is not None:
            found, name = found[step[1]], f"{name}.{step[1]}" if name else step[1]
        elif step[2].isdigit():
            found, name = found[int(step[2])], f"{name} number {int(step[2]) + 1}"
    return name, f"found {_shown(found)}; {_plain(text)}"


def _plain(text: str) -> str:
    """Say msgspec's expectations in the words of the files."""
    if "matching regex" in text:
        return 'expected letters, digits, "_" and "-", beginning with a letter'
    text = re.sub(r"`array` of (at (?:least|most) )?length( [<>]?=? ?)?", "a list of length ", text)
    text = re.sub(r", got `\w+`", "", text)
    replacements = {
        "`int`": "a whole number",
        "`str`": "a text in quotes",
        "`array`": "a list",
        "`object`": 'a table such as { cost = "rulebook §5.1" }',
    }
    for word, plain in replacements.items():
        text = text.replace(word, plain)
    return text[:1].lower() + text[1:]


def _shown(value: Any) -> str:
    """A value as a person would have written it in the file."""
    if isinstance(value, str):
        return f"'{value}'"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return "[" + ", ".join(_shown(item) for item in value) + "]"
    return str(value)
