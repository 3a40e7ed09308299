"""Where a value comes from: the rulebook states it, it follows from the rulebook, or neither.

    "rulebook §8.3"        the text states the value
    "implied §4.1.2"       the value follows from the text
    "reconstructed"        chosen by this project: the text does not give it
    "printed"              read off a real copy of the game; the default box has no such value

Several places are separated by commas; the list of components counts as a place of its own:
"rulebook components list, §5.3".
"""

from __future__ import annotations

import re
from typing import Final

RECONSTRUCTED: Final = "reconstructed"
PRINTED: Final = "printed"
KINDS: Final = ("rulebook", "implied", RECONSTRUCTED, PRINTED)
COMPONENTS_LIST: Final = "components list"


def _items(section: str, count: int) -> list[str]:
    return [f"{section}.{number}" for number in range(1, count + 1)]


# Section numbers of the rulebook, with the numbered steps of the set-up and of the Competition.
PLACES: Final = frozenset(
    [
        *(str(chapter) for chapter in range(4, 13)),
        *_items("4", 3),
        *_items("4.1", 7),
        *_items("4.2", 8),
        *_items("4.3", 3),
        *_items("5", 4),
        *_items("7", 3),
        *_items("7.2", 5),
        *_items("7.2.1", 2),
        *_items("8", 11),
        *_items("9", 8),
        *_items("10", 4),
        *_items("11", 6),
        *_items("12", 10),
        *_items("12.1", 3),
        *_items("12.5", 3),
    ]
)
_PLACE = re.compile(r"§(\d+(?:\.\d+)*)")


def source_kind(source: str) -> str:
    """The kind of a valid source, one of `KINDS`."""
    return source.split(" ", 1)[0]


def source_fault(source: str) -> str | None:
    """Tell what is wrong with a source, or None."""
    expected = "expected 'rulebook §x', 'implied §x', 'reconstructed' or 'printed'"
    if source in (RECONSTRUCTED, PRINTED):
        return None
    kind, _, places = source.partition(" ")
    if kind not in KINDS[:2] or not places:
        return expected
    for place in places.split(", "):
        match = _PLACE.fullmatch(place)
        if place != COMPONENTS_LIST and match is None:
            return f"{expected}; '{place}' is no section such as '§8.3'"
        if match is not None and match[1] not in PLACES:
            return f"the rulebook has no section {match[1]}"
    return None
