"""Loading boxes: `load_box` for the library, `check_box` for whoever edits one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from ..errors import NijarError
from . import sections as s
from .bounds import pending_bound
from .box import Box
from .fill import fill
from .reading import Tables, read_folder
from .vocabulary import MAX_PENDING

DEFAULT_FOLDER: Final = Path(__file__).parent / "data"


class BoxError(NijarError, ValueError):
    """A box cannot be used; the message names file, entry and field of the first fault.

    Attributes:
        faults: every fault, one text each.
    """

    def __init__(self, faults: Sequence[str]) -> None:
        self.faults = tuple(faults)
        super().__init__(self.faults)

    def __str__(self) -> str:
        more = len(self.faults) - 1
        rest = f" (and {more} more: run `nijar components check`)" if more else ""
        return f"{self.faults[0]}{rest}"


def check_box(path: str | Path) -> tuple[Tables, Box | None]:
    """Read a box folder; returns its entries (with all faults) and the box if there is none."""
    tables = read_folder(Path(path).expanduser())
    record, ids = fill(tables)
    if tables.faults:
        return tables, None
    bound = pending_bound(record[0])
    if bound > MAX_PENDING:
        tables.faults.append(
            f"{tables.path}: with these crack costs effects could nest {bound} deep, but the "
            f"engine keeps {MAX_PENDING} pending effects; lower the cracks of card, shape or paint "
            "costs"
        )
        return tables, None
    header = tables.one(s.BOX)
    return tables, Box(header.name, header.version, record, ids, tables.path)


@lru_cache(maxsize=1)
def _default_box() -> Box:
    return _load(DEFAULT_FOLDER)


def _load(path: str | Path) -> Box:
    tables, box = check_box(path)
    if box is None:
        raise BoxError(tables.faults)
    return box


def load_box(source: str | Path | Box | None = None) -> Box:
    """Load a box of components.

    Args:
        source: None for the default box, the path of a folder of TOML files, or a `Box`, which is
            returned as it is.

    Raises:
        BoxError: the folder does not hold a valid box; the message names file, entry and field.
    """
    if source is None:
        return _default_box()
    if isinstance(source, Box):
        return source
    if isinstance(source, str | Path):
        return _load(source)
    raise TypeError(
        f"components must be None, the path of a box folder or a Box, not {type(source).__name__}"
    )
