"""What the log is made of: readers, lines, and the words for pieces, cards, spaces and amounts."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Final, NamedTuple

from .components import Box
from .components.vocabulary import (
    BASE_COLUMNS,
    DRAFT_COLUMNS,
    EFFECT_ACTION,
    EFFECT_ACTIONS,
    EFFECT_CLAY,
    EFFECT_GLAZE,
    EFFECT_PG,
    EFFECT_VP,
    ENDGAME_KINDS,
    NO_ACTION,
    PIECES,
    PRINTED_ESPARTO,
    TYPE_DECK,
)
from .core.constants import COMPETITION

Event = tuple[int, ...]


class Reader(NamedTuple):
    """Who reads the log of which game. `viewer` None sees everything, a player its own secrets."""

    box: Box
    num_players: int
    viewer: int | None = None

    def sees(self, seat: int) -> bool:
        """Whether what only `seat` knows may be told."""
        return self.viewer is None or self.viewer == seat

    def is_competition(self, seat: int) -> bool:
        """In solo seat 1 is the Competition."""
        return self.num_players == 1 and seat == COMPETITION

    def who(self, seat: int) -> str:
        """A seat's name."""
        return "the Competition" if self.is_competition(seat) else f"player {seat}"

    def whose(self, seat: int) -> str:
        """The same as an owner."""
        return f"{self.who(seat)}'s"


class Line(NamedTuple):
    """A line; or `tail`, where the line before is open to what `joins` it."""

    text: str
    opens: Hashable = None
    joins: Hashable = None
    tail: str = ""
    mark: bool = False  # a heading, for rounds and turns
    listing: bool = False  # its text ends with the first item of a list already
    verb: str = ""  # which a tail leaves out after a tail with the same


Teller = Callable[[Reader, int, int, int, int, int], Line | None]
TELLERS: Final[dict[int, Teller]] = {}


def tells(kind: int) -> Callable[[Teller], Teller]:
    """Enter a function into the table by kind of event."""

    def enter(teller: Teller) -> Teller:
        TELLERS[kind] = teller
        return teller

    return enter


def deed(r: Reader, seat: int, text: str) -> Line:
    """What a seat did; what it gains and pays by it is told on the same line."""
    return Line(f"{r.who(seat)} {text}", opens=seat)


def consequence(r: Reader, seat: int, verb: str, what: str) -> Line:
    """A gain or payment: joins the deed that caused it."""
    return Line(f"{r.who(seat)} {verb} {what}", seat, seat, what, listing=True, verb=verb)


# -- words ----------------------------------------------------------------------------------------

_ACTION_WORDS: Final = {
    "acquire": "Acquire cards",
    "play": "Play a card",
    "clay": "Extract clay",
    "tech": "Technology",
    "throw": "Throw",
    "fire": "Fire",
    "paint": "Paint",
    "clean": "Clean",
    "esparto": "Collect esparto",
    "first_player": "First player",
    "shape": "Shape",
    "fire 1": "Fire 1",
    "paint 1": "Paint 1",
    "clean 1": "Clean 1",
}
# By the code of an effect's action; 0 is none.
ACTION_WORDS: Final = ("nothing", *(_ACTION_WORDS[name] for name in EFFECT_ACTIONS[1:]))
BONUS_WORDS: Final = (
    "Clay",
    "Fire 1",
    "Paint 1",
    "Throw",
    "Clean 1",
    "Acquire card",
    "Perra gorda or glaze",
    "Collect esparto",
)
_CARD_WORDS: Final = (
    "wheel",
    "esparto card",
    "cleanup card",
    "glazing workshop",
    "glaze kiln",
    "firing kiln",
)
_ENDGAME_WORDS: Final = {
    "wheel": "wheels",
    "esparto": "esparto cards",
    "cleanup": "cleanup cards",
    "firing_kiln": "firing kilns",
    "workshop": "glazing workshops",
    "glaze_kiln": "glaze kilns",
    "plate": "sold plates",
    "jug": "sold jugs",
    "pot": "sold pots",
}
SOURCE_WORDS: Final = (
    "sale",
    "wheel",
    "technology",
    "cleanup card",
    "esparto card",
    "pieces left in kilns",
    "endgame card",
    "esparto set",
    "cracks",
    "first player token",
    "resources left",
    "solo rules",
)
_DIRECTIONS: Final = {(0, -1): "left of", (0, 1): "right of", (-1, 0): "above", (1, 0): "below"}
_RESOURCE_WORDS: Final = (  # one, several
    ("perra gorda", "perra gorda"),
    ("glaze", "glazes"),
    ("clay", "clay"),
    ("crack", "cracks"),
)


def listed(words: Iterable[str]) -> str:
    """Join words as in a sentence: `a, b and c`."""
    *head, last = words
    return f"{', '.join(head)} and {last}" if head else last


def counted(count: int, one: str, several: str) -> str:
    """A number with its noun: `1 crack`, `2 cracks`."""
    return f"{count} {one if count == 1 else several}"


def amount_text(resource: int, amount: int) -> str:
    """An amount of a resource, such as `2 glazes`; none is `no clay`."""
    one, several = _RESOURCE_WORDS[resource]
    return counted(amount, one, several) if amount else f"no {several}"


def amounts_text(amounts: Sequence[int]) -> str:
    """Amounts in the order of `RESOURCES`, those of 0 left out."""
    return listed(amount_text(i, n) for i, n in enumerate(amounts) if n) if any(amounts) else "none"


def craftswomen_text(count: int) -> str:
    """`1 craftswoman`, `3 craftswomen`."""
    return counted(count, "craftswoman", "craftswomen")


def piece_text(piece: int, painted: int = 0) -> str:
    """`a jug`, `a painted jug`."""
    return f"a {'painted ' if painted else ''}{PIECES[piece]}"


def card_text(box: Box, card: int) -> str:
    """A game or starting card by type and id, such as `wheel W03`."""
    if card < 0:
        return "no card"
    if card == PRINTED_ESPARTO:
        return f"the printed esparto card {box.card_ids[card]}"
    return f"{_CARD_WORDS[box.record[0]['card_type'][card]]} {box.card_ids[card]}"


def deck_text(box: Box, card: int) -> str:
    """What the back of a game card shows: its deck, which is also its draft row."""
    return f"a card of deck {TYPE_DECK[box.record[0]['card_type'][card]]}"


def endgame_text(kind: int) -> str:
    """An endgame card by what it scores."""
    return f"the endgame card for {_ENDGAME_WORDS[ENDGAME_KINDS[kind]]}"


def effect_text(effect: Any) -> str:
    """A printed effect, such as `1 VP and Play a card`."""
    vp, action = effect[EFFECT_VP], effect[EFFECT_ACTION]
    amounts = (effect[EFFECT_PG], effect[EFFECT_GLAZE], effect[EFFECT_CLAY])
    parts = [f"{vp} VP"] if vp else []
    parts += [amount_text(resource, int(n)) for resource, n in enumerate(amounts) if n]
    parts += [ACTION_WORDS[action]] if action else []
    return listed(parts) if parts else ACTION_WORDS[NO_ACTION]


def place_text(row: int, column: int) -> str:
    """A space of the draft area."""
    return f"row {row}, column {column}"


def draft_text(space: int) -> str:
    """A space of the draft area by its number."""
    return place_text(space // DRAFT_COLUMNS, space % DRAFT_COLUMNS)


def column_text(column: int) -> str:
    """A column of the action board; those after the third are A and B (§4.1)."""
    extra = column - BASE_COLUMNS
    return f"column {'AB'[extra] if extra >= 0 else column}"


def space_text(row: int, column: int) -> str:
    """An action space of the main board."""
    return f"row {row}, {column_text(column)}"


def market_text(box: Box, row: int) -> str:
    """A row of the market with its prices for an unpainted and a painted piece."""
    plain, painted = (int(vp) for vp in box.record[0]["market_vp"][:, row])
    return f"row {row} ({plain} VP, painted {painted})"


def direction_text(offset: Any) -> str:
    """Where one space lies seen from another: `left of`, `above`."""
    row, column = (int(step) for step in offset)
    return _DIRECTIONS.get((row, column), f"{row}, {column} from")
