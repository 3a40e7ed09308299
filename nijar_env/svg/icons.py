"""The icons, drawn by paths in squares of 20 units, and rows of numbers with icons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from ..components import vocabulary as v
from .shapes import INK, SKY, VERMILION, YELLOW, icon, text, text_width

_CLAY: Final = "#B5793C"
_RAW: Final = "#EBD3AE"  # pieces before they are painted
_PAINTED: Final = "#0072B2"
_GRASS: Final = "#009E73"

_PLATE: Final = "M1 9C1 7 5 6 10 6S19 7 19 9C18 13 14 15 10 15S2 13 1 9Z"
_JUG: Final = "M6 2H13L12 6C15 8 15.5 15 12.5 18H6C3 15 3.5 8 7 6Z"
_HANDLE: Final = "M12.5 7C18 5 18.5 14 14 14.5"
_POT: Final = "M5 3H15V5.5H13.5C18.5 8 18.5 15 14.5 18H5.5C1.5 15 1.5 8 6.5 5.5H5Z"
_KILN: Final = "M2 18V10A8 8 0 0 1 18 10V18Z"
_PAWN: Final = (
    "M10 1.5A3.6 3.6 0 0 1 12.4 7.8C15 9 16.5 14 17 18.5H3C3.5 14 5 9 7.6 7.8A3.6 3.6 0 0 1 10 1.5Z"
)
_DONKEY: Final = (
    "M5 1L8 6.2H12L15 1L15.2 6.5C14.8 8 14.2 9 13.6 10L12.6 17C12 19.4 8 19.4 7.4 17"
    "L6.4 10C5.8 9 5.2 8 4.8 6.5Z"
)
_CARD: Final = "M4 2H13V13H4Z"


def _outline(path: str, fill: str = "none", line: float = 1.4) -> str:
    return (
        f'<path d="{path}" fill="{fill}" stroke="{INK}" stroke-width="{line}" '
        'stroke-linejoin="round" stroke-linecap="round"/>'
    )


def _inherit(path: str) -> str:
    """A shape in the colour that its user gives it."""
    return f'<path d="{path}" stroke="{INK}" stroke-width="1.2" stroke-linejoin="round"/>'


def _dot(x: float, y: float) -> str:
    """An eye."""
    return f'<circle cx="{x}" cy="{y}" r="1" fill="#ffffff"/>'


def _band(path: str) -> str:
    """The white glaze pattern that tells painted pieces apart without their colour."""
    return f'<path d="{path}" fill="none" stroke="#ffffff" stroke-width="1.8"/>'


ICONS: Final[dict[str, str]] = {
    # -- resources (§5.1)
    "pg": _outline("M10 2A8 8 0 1 1 9.99 2Z", YELLOW)
    + _outline("M8 14V6H10.5A2.4 2.4 0 0 1 10.5 11H8"),
    "glaze": _outline("M10 1.5C13 7 16 10 16 13A6 6 0 0 1 4 13C4 10 7 7 10 1.5Z", SKY),
    "clay": _outline("M2 8L10 4L18 8V14L10 18L2 14Z", _CLAY) + _outline("M2 8L10 12L18 8M10 12V18"),
    "crack": _outline("M2 2H18V18H2Z", "#ffffff", 1)
    + _outline("M8 2L12 7L7 11L12 14L9 18", line=2),
    "vp": _outline(
        "M10 1L12.6 7L19 7.5L14 11.8L15.6 18.4L10 14.8L4.4 18.4L6 11.8L1 7.5L7.4 7Z", YELLOW
    ),
    # -- pieces (§5.2)
    "plate": _outline(_PLATE, _RAW) + _outline("M5 9C7 10.5 13 10.5 15 9", line=1),
    "jug": _outline(_HANDLE, line=2) + _outline(_JUG, _RAW),
    "pot": _outline(_POT, _RAW) + _outline("M6.5 5.5H13.5", line=1),
    "plate-painted": _outline(_PLATE, _PAINTED) + _band("M4 9.5L7 8L10 10L13 8L16 9.5M7 12.5H13"),
    "jug-painted": _outline(_HANDLE, line=2)
    + _outline(_JUG, _PAINTED)
    + _band("M4.7 10H14M4.7 13.5L7 12L9.5 14L12 12L14 13.5"),
    "pot-painted": _outline(_POT, _PAINTED)
    + _band("M3.5 10H16.5M3.5 14L6.5 12.3L10 14.3L13.5 12.3L16.5 14"),
    "vase": _inherit("M7.5 2H12.5L11.7 5.5C16.5 8 15.5 14.5 12.5 18H7.5C4.5 14.5 3.5 8 8.3 5.5Z"),
    # -- people and animals
    "craftswoman": _inherit(_PAWN),
    "donkey": _inherit(_DONKEY) + _dot(8.2, 9.5) + _dot(11.8, 9.5),
    # -- actions (§8)
    "acquire": _outline(_CARD, "#ffffff")
    + _outline("M15.5 6V17M12 13.5L15.5 17.5L19 13.5", line=2),
    "play": _outline("M7 7H16V18H7Z", "#ffffff") + _outline("M4 13V2.5M0.8 6L4 2L7.2 6", line=2),
    "tech": _outline("M10 1.5V18.5M1.5 10H18.5M4 4L16 16M16 4L4 16", line=2.4)
    + _outline("M10 4.5A5.5 5.5 0 1 1 9.99 4.5Z", "#ffffff")
    + _outline("M10 8A2 2 0 1 1 9.99 8Z", INK),
    "throw": _outline("M10 1.5A8.5 8.5 0 1 1 9.99 1.5Z", "#ffffff")
    + _outline("M10 10C11 8 14 9 13.5 11.5C13 14.5 7.5 15 6.5 11C5.6 7 9.5 4.5 13 5.5"),
    "shape": _outline(_POT, "#ffffff") + _outline("M10 7.5V16M5.8 11.8H14.2", line=2),
    "fire": _outline(
        "M10 1.5C11 5.5 16 8 16 13A6 6 0 0 1 4 13C4 10.5 5.5 9 6.5 6.5C7.5 8.5 9.5 7 10 1.5Z",
        VERMILION,
    )
    + _outline("M10 11C12 13.5 12 16 10 17.5C8 16 8 13.5 10 11Z", YELLOW, 0.8),
    "paint": _outline("M15.5 1.5L18.5 4.5L10.5 12.5L7.5 9.5Z", "#ffffff")
    + _outline("M7.5 9.5L10.5 12.5C10 17 5 18.8 1.5 17.5C4 16 3.5 11 7.5 9.5Z", _PAINTED),
    "clean": _outline("M17 2L11 9", line=2)
    + _outline("M8 7L13.5 12L9 18.5L1.5 12.5Z", "#ffffff")
    + _outline("M4.5 14.5L8.5 10M6.8 16.5L11 11.5", line=1),
    "esparto": _outline(
        "M9 18C9 12 7 6 3 3M10 18C10 12 10 6 10 1.5M11 18C11 12 13 6 17 3", line=1.8
    ).replace(INK, _GRASS)
    + _outline("M6.5 14H13.5", line=2.4),
    "first_player": _outline("M5 19V1.5", line=2)
    + _outline("M5 2H18L14.5 6L18 10H5Z", "#ffffff")
    + _outline("M8.5 4.5L10 3.5V8.5", line=1.3),
    # -- kinds of cards
    "firing_kiln": _outline(_KILN, "#ffffff")
    + _outline("M10 7C11 9.5 13 10.5 13 13A3 3 0 0 1 7 13C7 11.5 8.5 10.5 10 7Z", VERMILION, 1),
    "glaze_kiln": _outline(_KILN, "#ffffff")
    + _outline("M10 7C11.5 10 13 11.3 13 13A3 3 0 0 1 7 13C7 11.3 8.5 10 10 7Z", SKY, 1),
}
TYPE_ICONS: Final = ("throw", "esparto", "clean", "paint", "glaze_kiln", "firing_kiln")
TYPE_WORDS: Final = (
    "wheel",
    "esparto",
    "cleanup",
    "glazing workshop",
    "glaze kiln",
    "firing kiln",
)
TYPE_TINTS: Final = ("#DCEAF6", "#DCF1E6", "#EFEBD0", "#F6E1EE", "#D8F0FC", "#FBE2D1")
# Endgame kinds (§11.2): six types of cards, three of pieces.
KIND_ICONS: Final = {
    "wheel": "throw",
    "esparto": "esparto",
    "cleanup": "clean",
    "firing_kiln": "firing_kiln",
    "workshop": "paint",
    "glaze_kiln": "glaze_kiln",
    "plate": "plate",
    "jug": "jug",
    "pot": "pot",
}

Token = tuple[str, str]  # a number or word, and the icon after it; either may be empty


def definitions() -> str:
    """The icons as symbols, to be used by `shapes.icon`."""
    symbols = (
        f'<symbol id="nijar-{name}" viewBox="0 0 20 20">{body}</symbol>'
        for name, body in ICONS.items()
    )
    return f"<defs>{''.join(symbols)}</defs>"


def piece_icon(piece: str, *, painted: bool) -> str:
    """The icon of a piece."""
    return f"{piece}-painted" if painted else piece


def action_token(name: str) -> Token:
    """The token of an action word; "fire 1" is one move."""
    word, _, single = name.partition(" ")
    return (single, word)


def amount_tokens(amounts: Any) -> list[Token]:
    """A cost or stock (pg, glaze, clay, cracks)."""
    return [(str(int(n)), name) for n, name in zip(amounts, v.RESOURCES, strict=True) if n] or [
        ("free", "")
    ]


def effect_tokens(effect: Any) -> list[Token]:
    """A printed effect: gains, then an action."""
    names = ("vp", "pg", "glaze", "clay")
    gains = zip(effect[: v.EFFECT_ACTION], names, strict=True)
    items: list[Token] = [(f"+{int(n)}", name) for n, name in gains if n]
    action = v.EFFECT_ACTIONS[effect[v.EFFECT_ACTION]]
    return [*items, action_token(action)] if action else items


def bonus_tokens(bonus: str) -> list[Token]:
    """A bonus tile (§9)."""
    return [("", "pg"), ("/", "glaze")] if bonus == "supply" else [("", bonus)]


def tokens_width(items: Iterable[Token], size: float) -> float:
    """How wide a row of tokens is."""
    return sum(_number_width(item, size) + (size if item[1] else 0) + size * 0.2 for item in items)


def _number_width(item: Token, size: float) -> float:
    """The number of a token, with room before its icon."""
    word, name = item
    return text_width(word, size * 0.8, bold=True) + (size * 0.08 if word and name else 0)


def tokens(
    x: float,
    y: float,
    items: Sequence[Token],
    size: float,
    *,
    width: float | None = None,
    centred: bool = False,
) -> str:
    """A row of numbers with icons, `size` high, smaller where it would be wider than `width`."""
    wanted = tokens_width(items, size)
    if width is not None and wanted > width:
        y += size * (1 - width / wanted) / 2
        size *= width / wanted
        wanted = width
    if centred and width is not None:
        x += (width - wanted) / 2
    out = []
    for word, name in items:
        if word:
            out.append(text(x, y + size * 0.79, word, size * 0.8, bold=True))
            x += _number_width((word, name), size)
        if name:
            out.append(icon(name, x, y, size))
            x += size
        x += size * 0.2
    return "".join(out)
