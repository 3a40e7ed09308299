"""docs/performance.md: its marked parts are written from a file of measurements."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from ..store import write_whole
from ..text import Sheet
from .tables import TITLES, absent_lines, sheets

PEERS_PART, COSTS_PART = "peers", "costs"
FORMAT: Final = 1


class PageError(ValueError):
    """A file that is not what it should be; the message is one line."""


def load(path: Path) -> dict[str, Any]:
    """The measurements of a file by part; empty where there is none.

    Raises:
        PageError: the file is none of ours.
    """
    try:
        saved = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise PageError(f"{path} cannot be read: {' '.join(str(error).split())}") from error
    if not isinstance(saved, dict) or saved.get("format") != FORMAT:
        raise PageError(f"{path} is no file of measurements of this version")
    return saved


def save(path: Path, part: str, data: dict[str, Any]) -> dict[str, Any]:
    """Put a part into a file of measurements; returns all of it."""
    saved = {**load(path), "format": FORMAT, part: data}
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, json.dumps(saved, indent=1, ensure_ascii=False) + "\n")
    return saved


def _marks(part: str) -> tuple[str, str]:
    return f"<!-- {part}: begin -->", f"<!-- {part}: end -->"


def with_part(text: str, part: str, content: str) -> str:
    """A page with what stands between the marks of a part replaced.

    Raises:
        PageError: the page has no such marks.
    """
    begin, end = _marks(part)
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        raise PageError(f"the page needs one '{begin}' and, after it, one '{end}'")
    before, _, rest = text.partition(begin)
    return f"{before}{begin}\n{content.strip()}\n{end}{rest.partition(end)[2]}"


def measured_line(data: dict[str, Any]) -> str:
    """The command and the machine of a part."""
    m = data["machine"]
    rounds = f"{data['rounds']} runs of {data['seconds']:g} s a figure"
    if "rows" in data:
        rounds += ", all rows in each round"
    load = data.get("load_before")
    busy = "" if load is None else f"; {load:g} other processes were running when it began"
    return (
        f"Measured with `{data['command']}`: medians of {rounds}{busy}. "
        f"{m['processor']}, {m['cores']} cores, {m['system']}, Python {m['python']}, "
        f"NumPy {m['numpy']}, Numba {m['numba']}."
    )


def peers_part(data: dict[str, Any]) -> str:
    """The part about other projects, in Markdown."""
    lines = [measured_line(data) + "\n"]
    if data.get("interrupted"):
        lines.append("The measurement was interrupted: medians of the rounds there are.\n")
    lines += [sheet.markdown(3) for sheet in sheets(data)]
    lines.append("### Not measured\n")
    lines += [f"- {line}" for line in absent_lines(data)]
    lines.append("\n### Versions\n")
    for peer, versions in data["versions"].items():
        found = ", ".join(f"{name} {number}" for name, number in versions.items())
        lines.append(f"- {TITLES[peer]}: {found}")
    return "\n".join(lines)


def write_page(page: Path, part: str, content: str) -> None:
    """Replace a part of a page that is there.

    Raises:
        PageError: it is not, or lacks the marks.
    """
    try:
        text = page.read_text(encoding="utf-8")
    except OSError as error:
        raise PageError(f"{page} cannot be read: {error.strerror}") from error
    write_whole(page, with_part(text, part, content))


def markdown(all_sheets: list[Sheet]) -> str:
    """Tables one below the other."""
    return "\n".join(sheet.markdown(3) for sheet in all_sheets)
