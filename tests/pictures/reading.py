"""Reads pictures: where their texts and boxes lie, and what can be clicked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"


class Place(NamedTuple):
    """An element of a picture in pixels of the page."""

    tag: str
    part: str
    x: float
    y: float
    width: float
    height: float
    words: str
    actions: tuple[str, ...]


def places(svg: str) -> Iterator[Place]:
    """Every drawn element, with the part of the page it belongs to; groups that can be clicked
    too, at (0, 0)."""
    yield from _walk(ElementTree.fromstring(svg), "", 0.0, 0.0, 1.0)


def _walk(
    element: ElementTree.Element, part: str, x: float, y: float, scale: float
) -> Iterator[Place]:
    part = element.get("data-part", part)
    moves = re.findall(r"(\w+)\(([^)]*)\)", element.get("transform", ""))
    for kind, numbers in moves:
        values = [float(n) for n in numbers.split()]
        if kind == "translate":
            x, y = x + scale * values[0], y + scale * values[1]
        else:
            assert kind == "scale"
            scale *= values[0]
    tag = element.tag.removeprefix(SVG)
    if tag in ("defs", "style", "title"):
        return
    if "data-actions" in element.attrib:
        yield Place("choice", part, 0, 0, 0, 0, "", tuple(element.attrib["data-actions"].split()))
    if tag in ("rect", "use", "text"):
        size = scale * float(element.get("font-size", 0))
        words = element.text or ""
        left = x + scale * float(element.get("x", 0))
        # A cautious 0.5 of the size a character: fonts narrower than ours exist.
        width = scale * float(element.get("width", 0)) if tag != "text" else 0.5 * size * len(words)
        anchor = element.get("text-anchor", "start")
        left -= {"start": 0.0, "middle": width / 2, "end": width}[anchor]
        height = scale * float(element.get("height", 0)) or size
        top = y + scale * float(element.get("y", 0)) - (size if tag == "text" else 0)
        yield Place(tag, part, left, top, width, height, words, ())
    for child in element:
        yield from _walk(child, part, x, y, scale)


def actions_by_part(svg: str) -> dict[str, list[str]]:
    """The names in `data-actions`, by part of the page."""
    found: dict[str, list[str]] = {}
    for place in places(svg):
        found.setdefault(place.part, []).extend(place.actions)
    return found
