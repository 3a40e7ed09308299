"""Building blocks of the picture: escaped text that fits, boxes, icons, and clickable groups."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Final

# The palette of Okabe and Ito, which colour-blind people can tell apart. A colour never stands
# alone: seats have names and shapes, cards and pieces have words and outlines.
INK: Final = "#222222"
GREY: Final = "#6b6b6b"
LINE: Final = "#9a9a9a"
PAPER: Final = "#fbfaf7"
PANEL: Final = "#ffffff"
EMPTY: Final = "#efede8"
VERMILION: Final = "#D55E00"
SKY: Final = "#56B4E9"
YELLOW: Final = "#F0E442"
SEAT_COLOURS: Final = ("#0072B2", "#E69F00", "#009E73", "#CC79A7")
SEAT_INKS: Final = ("#ffffff", "#000000", "#ffffff", "#000000")
COMPETITION_COLOUR: Final = "#000000"
FONT: Final = "DejaVu Sans, Verdana, Arial, Helvetica, sans-serif"

# Width of a character in sizes of type. The fonts above are wide; others leave more room.
_CHARACTER: Final = 0.61
_BOLD_CHARACTER: Final = 0.69
_WIDE: Final = frozenset("+=×→←mwMW%")  # these take about a quarter more
SMALLEST: Final = 4.0


def number(value: float) -> str:
    """A coordinate, the same on every machine: at most two decimals."""
    return f"{round(value, 2):g}"


def text_width(content: str, size: float, *, bold: bool = False) -> float:
    """About how wide a text is; on the safe side."""
    characters = len(content) + 0.25 * sum(letter in _WIDE for letter in content)
    return characters * size * (_BOLD_CHARACTER if bold else _CHARACTER)


def text(
    x: float,
    y: float,
    content: str,
    size: float = 12,
    *,
    anchor: str = "start",
    bold: bool = False,
    fill: str = INK,
    width: float | None = None,
) -> str:
    """A line of text with its baseline at y, made smaller where it would be wider than `width`."""
    if width is not None:
        wanted = text_width(content, size, bold=bold)
        if wanted > width:
            size = max(SMALLEST, size * width / wanted)
    weight = ' font-weight="bold"' if bold else ""
    place = f' text-anchor="{anchor}"' if anchor != "start" else ""
    colour = f' fill="{fill}"' if fill != INK else ""
    return (
        f'<text x="{number(x)}" y="{number(y)}" font-size="{number(size)}"{place}{weight}{colour}>'
        f"{escape(content)}</text>"
    )


def lines_of(content: str, size: float, width: float) -> list[str]:
    """A text broken between words into lines that fit."""
    lines = [""]
    for word in content.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def rect(
    x: float,
    y: float,
    width: float,
    height: float,
    *,
    fill: str = PANEL,
    stroke: str = LINE,
    line: float = 1,
    radius: float = 4,
    dash: str = "",
) -> str:
    """A rectangle with rounded corners."""
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    thick = f' stroke-width="{number(line)}"' if line != 1 else ""
    return (
        f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}" '
        f'rx="{number(radius)}" fill="{fill}" stroke="{stroke}"{thick}{dashes}/>'
    )


def circle(x: float, y: float, radius: float, *, fill: str, stroke: str = INK) -> str:
    """A circle about (x, y)."""
    return (
        f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="{fill}" '
        f'stroke="{stroke}"/>'
    )


def icon(name: str, x: float, y: float, size: float, *, fill: str = "") -> str:
    """An icon of `icons.ICONS` in a square whose upper left corner is (x, y)."""
    colour = f' fill="{fill}"' if fill else ""
    return (
        f'<use href="#nijar-{name}" x="{number(x)}" y="{number(y)}" width="{number(size)}" '
        f'height="{number(size)}"{colour}/>'
    )


def group(
    body: str, *, title: str = "", shift: tuple[float, float] | None = None, part: str = ""
) -> str:
    """A group, with a text that browsers show under the pointer; a part of the page has a name."""
    told = f"<title>{escape(title)}</title>" if title else ""
    moved = ""
    if shift is not None:
        moved = f' transform="translate({number(shift[0])} {number(shift[1])})"'
    named = f' data-part="{part}"' if part else ""
    return f"<g{named}{moved}>{told}{body}</g>"


def scaled(body: str, x: float, y: float, factor: float) -> str:
    """What was drawn at the origin, moved to (x, y) and made smaller or larger."""
    return f'<g transform="translate({number(x)} {number(y)}) scale({number(factor)})">{body}</g>'


def panel(x: float, y: float, width: float, height: float, title: str, body: str) -> str:
    """A framed part of the picture; `body` is drawn with its origin at the frame's corner."""
    head = text(8, 15, title, 12, bold=True, width=width - 16)
    return group(rect(0, 0, width, height, radius=6) + head + body, shift=(x, y))


def badge(x: float, y: float, size: float, seat: int, who: str) -> str:
    """The mark of a seat: a shape, a colour and a name, `size` high and about as wide."""
    r = size / 2
    cx, cy = x + r, y + r
    points: tuple[tuple[float, float], ...]
    if who == "Comp":
        points = ((0, -1), (0.87, -0.5), (0.87, 0.5), (0, 1), (-0.87, 0.5), (-0.87, -0.5))
        fill, ink = COMPETITION_COLOUR, "#ffffff"
    else:
        points = (
            (),
            ((-0.86, -0.86), (0.86, -0.86), (0.86, 0.86), (-0.86, 0.86)),
            ((0, -1), (1, 0.85), (-1, 0.85)),
            ((0, -1.1), (1.1, 0), (0, 1.1), (-1.1, 0)),
        )[seat]
        fill, ink = SEAT_COLOURS[seat], SEAT_INKS[seat]
    if points:
        corners = " ".join(f"{number(cx + r * px)},{number(cy + r * py)}" for px, py in points)
        shape = f'<polygon points="{corners}" fill="{fill}" stroke="{INK}"/>'
    else:
        shape = circle(cx, cy, r, fill=fill)
    name = "C" if who == "Comp" else who
    low = 0.18 if who == "P2" else 0.0  # a triangle is wider below
    return shape + text(
        cx, cy + size * (0.17 + low), name, size * 0.48, anchor="middle", bold=True, fill=ink
    )


class Choices:
    """The choices that the viewer has, and which of them can be seen on the table.

    Every element that a choice refers to is wrapped in a group with its names in `data-actions`,
    separated by spaces, the class `choice` and a dashed frame.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._legal = dict.fromkeys(names)
        self._drawn: set[str] = set()
        self._alone: set[str] = set()

    def __bool__(self) -> bool:
        return bool(self._legal)

    def mark(
        self, body: str, frame: tuple[float, float, float, float], names: Iterable[str]
    ) -> str:
        """`body`, made clickable if one of these actions is legal; `frame` is x, y, width,
        height of what can be clicked."""
        here = [name for name in names if name in self._legal]
        if not here:
            return body
        self._drawn.update(here)
        if len(here) == 1:
            self._alone.update(here)
        outline = rect(*frame, fill="none", stroke=VERMILION, line=2.4, dash="6 2")
        shown = escape(" ".join(here))
        return f'<g class="choice" data-actions="{shown}"><title>{shown}</title>{body}{outline}</g>'

    def without_element(self) -> list[str]:
        """The choices that no element drawn so far has for itself, so that they need buttons."""
        return [name for name in self._legal if name not in self._alone]

    def missing(self) -> list[str]:
        """The choices that nothing drawn so far refers to."""
        return [name for name in self._legal if name not in self._drawn]

    def beginning(self, *beginnings: str) -> list[str]:
        """The choices whose names begin so."""
        return [name for name in self._legal if name.startswith(beginnings)]
