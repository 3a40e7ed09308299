"""`render_ansi`: a game as a board of text, 100 columns wide, as one viewer sees it.

What the viewer may not know is not there: cards dealt to others, their endgame cards, what others
may choose from, the order of decks, dice to come.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from .components import vocabulary as v
from .log import check_viewer
from .render_seats import competition_lines, hand_lines, player_lines, result_lines
from .render_words import (
    LEGEND,
    PHASE_TASKS,
    WIDTH,
    View,
    amounts_text,
    columns,
    content_text,
    cost_text,
    frame_text,
    heading,
    spaces_of,
    title_text,
    wrapped,
)

if TYPE_CHECKING:
    from .game import Game

CELL: Final = 19  # of the draft area and the action board
ROW_LABEL: Final = 5
MARKET_COLUMNS: Final = (8, 6, 11, 10, 20)
# Select Graphic Rendition codes of a terminal.
_RESET: Final = "\x1b[0m"
_BOLD: Final = "\x1b[1m"
_SEAT_COLOURS: Final = {"P0": "32", "P1": "33", "P2": "36", "P3": "35", "Comp": "31"}


def _title(view: View) -> list[str]:
    scene = view.scene
    players = f"{view.num_players} players" if view.num_players > 1 else "solo"
    number = f"round {scene['round']} of {v.NUM_ROUNDS}, " if scene["round"] else ""
    phase = scene["phase"].replace("_", " ")
    seen = "everything" if view.viewer is None else f"as P{view.viewer} sees it"
    prices = view.box.record[0]["track_pg"][view.num_players]
    track = (
        f"free ({prices[k]:+d}pg)" if marker is None else view.who(marker)
        for k, marker in enumerate(scene["first_player_track"])
    )
    return [
        heading(f"Nijar, {players}, {number}{phase}; {seen}"),
        *wrapped("turn order", (view.who(other) for other in scene["turn_order"])),
        *wrapped("right track", track),
    ]


def _market(view: View) -> list[str]:
    """§7.1: markers with what a sale pays, demand by round; the general supply."""
    scene, market = view.scene, view.scene["market"]
    prices, supply = view.box.record[0]["market_vp"], scene["supply"]
    dice = " ".join(map(str, market["dice"])) or "-"
    side = (
        f"dice {dice}",
        f"supply: {supply['pg']} perra gorda, {supply['glaze']} glazes, {supply['crack']} cracks",
        f"pieces: {', '.join(f'{piece} {supply[piece]}' for piece in v.PIECES)}",
        f"decks: {', '.join(f'{d}: {len(deck)}' for d, deck in enumerate(scene['decks']))}",
    )
    rows = [("", "row", "VP plain", "painted", "demand 1 2 3")]
    for piece in v.PIECES:
        row = market["position"][piece]
        demand = (
            f"[{n}]" if i + 1 == scene["round"] else f" {n} "
            for i, n in enumerate(market["demand"][piece])
        )
        rows.append((piece, str(row), str(prices[0, row]), str(prices[1, row]), "".join(demand)))
    lines = []
    for cells, note in zip(rows, side, strict=True):
        padded = (cell.ljust(n) for cell, n in zip(cells, MARKET_COLUMNS, strict=True))
        lines.append("".join(padded) + note)
    return [heading("market"), *lines]


def _board(view: View) -> list[str]:
    """§4.1, §7.2.1: rows of tiles, columns of spaces with their bonuses, the Special Action."""
    board = view.scene["board"]
    tiles = [", ".join("/".join(tile) for tile in row) for row in board["tiles"]]
    special = ", ".join(["special: esparto", *board["special_bonuses"]])
    width = max(len(text) for text in (*tiles, special)) + ROW_LABEL
    cell = (WIDTH - width) // len(board["bonuses"])
    names = [
        f"{c} {'AB'[c - v.BASE_COLUMNS] if c >= v.BASE_COLUMNS else ''}".strip()
        for c in range(len(board["bonuses"]))
    ]
    labels = [f"{c}: {bonus}" for c, bonus in zip(names, board["bonuses"], strict=True)]
    lines = ["column: bonus".ljust(width) + columns(labels, cell)]
    for r, row in enumerate(board["spaces"]):
        spaces = (
            f"{view.who(space['owner'])} x{space['count']}" if space else "." for space in row
        )
        lines.append(f"{r}  {tiles[r]}".ljust(width) + columns(spaces, cell))
    there = [f"{view.who(seat)} x{n}" for seat, n in enumerate(board["special"]) if n]
    lines.append(special.ljust(width) + " ".join(there or ["."]))
    return [heading("action board"), *lines]


def _card_cell(view: View, space: list[int], card: str | None) -> list[str]:
    """A card of the draft area: its price for the viewer, what it costs to play, what it does."""
    donkeys = {seat: place for seat, place in view.donkeys().items() if place is not None}
    on_it = [seat for seat, place in donkeys.items() if place == space]
    viewer = view.viewer if view.viewer is not None else view.scene["current_player"]
    donkey = " ".join(f"<{view.who(seat)}" for seat in on_it)
    if card is None:
        return ["empty", donkey]
    price = ""
    if viewer in donkeys and all(seat == viewer for seat in on_it):
        here = donkeys[viewer]
        price = f"take {abs(space[0] - here[0]) + abs(space[1] - here[1])}pg"
    words = content_text(view.box, card)
    place = f"{price} {donkey}".strip()
    return [
        title_text(view.box, card),
        *([place] if place else []),
        f"play {cost_text(view.box, card)}",
        *textwrap.wrap(words, CELL - 1, break_long_words=False, break_on_hyphens=False),
    ]


def _draft(view: View) -> list[str]:
    """§4.1.6: the draft area."""
    viewer = view.viewer if view.viewer is not None else view.scene["current_player"]
    whose = f"; prices for {view.who(viewer)}" if viewer is not None else ""
    lines = [heading(f"draft area, rows 0-2, columns 0-4{whose}; <P0 = a donkey")]
    for r, row in enumerate(view.scene["draft"]):
        cells = [_card_cell(view, [r, c], card) for c, card in enumerate(row)]
        height = max(map(len, cells))
        for i in range(height):
            label = str(r) if i == 0 else ""
            texts = (cell[i] if i < len(cell) else "" for cell in cells)
            lines.append((label.ljust(2) + columns(texts, CELL + 1)).rstrip())
        lines.append("")
    return lines[:-1] + textwrap.wrap(LEGEND, WIDTH)


def _combinations(view: View) -> list[str]:
    """§4.3: the starting combinations that are left."""
    lines = []
    for k, part in enumerate(view.scene["combinations"]):
        if part is not None:
            start = view.box.start_resource_ids.index(part["resources"])
            amounts = amounts_text(view.box.record[0]["start_resources"][start])
            wheel = " ".join(spaces_of(view.box, part["wheel"]))
            lines.append(f"start:{k}  {part['wheel']} [{wheel}]  {part['resources']} {amounts}")
    return [heading("starting combinations"), *lines] if lines else []


def _decision(view: View, choices: list[str]) -> list[str]:
    """Who decides what; the choices only if the viewer is to see them."""
    scene = view.scene
    seat = scene["current_player"]
    if scene["phase"] == "turns" and not scene["pending"]:
        closed = scene["players"][seat]["shop"] == "closed"
        task = "a bonus, for the shop is closed" if closed else PHASE_TASKS["turns"]
    else:
        task = PHASE_TASKS[scene["phase"]]
    tasks: list[str] = [
        f"{view.who(frame['player'])}: {frame_text(frame)}" for frame in reversed(scene["pending"])
    ]
    lines = [heading(f"{view.who(seat)} decides"), *wrapped("pending", tasks or [task], "  <  ")]
    if view.sees(seat):
        lines += wrapped("choices", choices)
    return lines


def _sections(view: View, game: Game) -> Iterator[list[str]]:
    seats = range(view.num_players)
    yield _title(view)
    yield _market(view)
    yield _board(view)
    yield _draft(view)
    for seat in seats:
        yield player_lines(view, seat)
    if view.num_players == 1:
        yield competition_lines(view)
    for seat in seats:
        if view.sees(seat):
            yield hand_lines(view, seat)
    yield _combinations(view)
    if game.done:
        yield result_lines(view, game.winner)
    else:
        yield _decision(view, [game.action_name(action) for action in game.legal_actions()])


def _coloured(text: str) -> str:
    """Headings bold, each seat in a colour of its own."""

    def paint(match: re.Match[str]) -> str:
        return f"\x1b[{_SEAT_COLOURS[match[0]]}m{match[0]}{_RESET}"

    lines = []
    for line in text.split("\n"):
        plain = re.sub(r"\b(?:P[0-3]|Comp)\b", paint, line)
        if line.startswith("== "):
            plain = _BOLD + plain.replace(_RESET, _RESET + _BOLD) + _RESET
        lines.append(plain)
    return "\n".join(lines)


def render_ansi(game: Game, viewer: int | None = None, *, color: bool = False) -> str:
    """A game as text, about 100 columns wide: market, action board, draft area, workshops, hands,
    what is pending and the choices by name.

    Args:
        game: any game, also a finished one; it is only read.
        viewer: the player whose view it is: others' hidden cards and choices are left out. None
            shows everything.
        color: with the colour codes of a terminal; otherwise plain ASCII for an ASCII box.

    Returns:
        Lines joined by newlines, without one at the end.

    Raises:
        ValueError: there is no such player.
    """
    seat = None if viewer is None else check_viewer(viewer, game.num_players)
    view = View(game.box, game.to_dict(), seat)
    text = "\n".join(line for lines in _sections(view, game) for line in lines)
    return _coloured(text) if color else text
