"""Printing a box as tables: every value with its source, and how much of it is reconstructed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from .box import Box
from .reading import Tables
from .schema import Entry
from .sections import FILES, SECTIONS, Section
from .sources import KINDS, source_kind

_STYLES: Final = {
    "rulebook": "green",
    "implied": "cyan",
    "reconstructed": "yellow",
    "printed": "blue",
}
_NOT_VALUES: Final = ("source", "sources")
_PIPE_WIDTH: Final = 120


def values_of(entry: Entry) -> Iterator[tuple[str, Any, str]]:
    """The values of an entry: (field, value, source). Its keys and defaults left alone are none."""
    for field in msgspec.structs.fields(type(entry)):
        value = getattr(entry, field.name)
        skip = field.name in _NOT_VALUES or field.name in entry.KEYS
        if not skip and value != field.default:
            yield field.name, value, entry.sources.get(field.name, entry.source)


def count_sources(tables: Tables) -> dict[str, int]:
    """How many values of a box are of each kind of source."""
    kinds = Counter(
        source_kind(source)
        for section in SECTIONS
        for _, entry in tables.some(section)
        if isinstance(entry, Entry)
        for _, _, source in values_of(entry)
    )
    return {kind: kinds[kind] for kind in KINDS}


def show_box(tables: Tables, box: Box, console: Console | None = None) -> None:
    """Print all tables of a box and a closing summary."""
    console = console or _console()
    for file in FILES:
        console.print()
        console.print(Text(file, style="bold"))
        for section in SECTIONS:
            if section.file == file:
                console.print(_table(section, [entry for _, entry in tables.some(section)]))
    counts = count_sources(tables)
    total = sum(counts.values())
    console.print()
    console.print(f"{box.name}, version {box.version}, fingerprint {box.fingerprint}")
    printed = f", {counts['printed']} read off a real copy" if counts["printed"] else ""
    console.print(
        f"{total} values: {counts['rulebook']} stated by the rulebook, {counts['implied']} implied "
        f"by it, {counts['reconstructed']} reconstructed (not the publisher's values){printed}"
    )


def _console() -> Console:
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = _PIPE_WIDTH
    return console


def _table(section: Section[Any], entries: list[Any]) -> Table:
    title = f"[[{section.name}]]" if section.many else f"[{section.name}]"
    table = Table(title=Text(title), title_justify="left", title_style="italic")
    if section.many:
        _fill_rows(table, section, entries)
    else:
        _fill_fields(table, entries[0])
    return table


def _fill_rows(table: Table, section: Section[Any], entries: list[Any]) -> None:
    """One row an entry, one column a field."""
    fields = [name for name in section.type.__struct_fields__ if name not in _NOT_VALUES]
    keys: tuple[str, ...] = section.type.KEYS
    fields.sort(key=lambda name: (name not in keys, name != "cost", name == "copies"))
    for name in fields:
        table.add_column(name)
    table.add_column("source")
    for entry in entries:
        cells = [
            _cell(getattr(entry, name), None if name in keys else _source(entry, name))
            for name in fields
        ]
        table.add_row(*cells, _sources_text(entry))


def _fill_fields(table: Table, entry: Any) -> None:
    """One row a field: field, value, source."""
    for heading in ("field", "value", "source"):
        table.add_column(heading)
    for name in entry.__struct_fields__:
        if name not in _NOT_VALUES:
            source = _source(entry, name) if name not in entry.KEYS else None
            table.add_row(name, _cell(getattr(entry, name), source), source or "")


def _source(entry: Entry, name: str) -> str:
    return entry.sources.get(name, entry.source)


def _sources_text(entry: Entry) -> Text:
    single = [f"{name}: {source}" for name, source in entry.sources.items()]
    return Text("; ".join([entry.source, *single]))


def _cell(value: Any, source: str | None) -> Text:
    text = ", ".join(str(item) for item in value) if isinstance(value, list) else str(value)
    return Text(text, style=_STYLES[source_kind(source)] if source else "bold")
