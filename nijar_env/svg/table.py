"""What lies on the table for all: turn order, market, supply, action board, draft area (§4.1)."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from ..components import vocabulary as v
from ..log_words import column_text
from ..render_words import View
from .cards import CARD_HEIGHT, CARD_WIDTH, card_face
from .icons import TYPE_ICONS, Token, bonus_tokens, tokens
from .shapes import (
    EMPTY,
    GREY,
    INK,
    LINE,
    YELLOW,
    Choices,
    badge,
    circle,
    icon,
    panel,
    rect,
    scaled,
    text,
)

WIDTH: Final = 1200  # of the picture
MARGIN: Final = 6
TOP_HEIGHT: Final = 306
LEFT_WIDTH: Final = 446
DRAFT_WIDTH: Final = 806
_STRIP: Final = 20  # below a card of the draft area: its price and the donkeys
_DRAFT_ROW: Final = CARD_HEIGHT + _STRIP + 4
DRAFT_HEIGHT: Final = 3 * _DRAFT_ROW + 24
_STEP: Final = 23  # of the market's positions
_SPACE: Final = 78  # of the action board's columns, at least
_ROW: Final = 62


class Sheet(NamedTuple):
    """What every part of the picture needs."""

    view: View
    choices: Choices

    @property
    def prices_for(self) -> int | None:
        """Whose prices of the draft area are shown: the viewer's, else who decides."""
        if self.view.scene["phase"] == "finished":
            return None
        viewer = self.view.viewer
        if viewer is not None and viewer >= 0:
            return viewer
        current = self.view.scene["current_player"]
        return None if current is None else int(current)


def title_bar(sheet: Sheet) -> str:
    """One line: the kind of game, how far it is, whose view it is."""
    view, scene = sheet.view, sheet.view.scene
    kind = f"{view.num_players} players"
    if view.num_players == 1:
        kind = f"solo, {scene['difficulty']}"
    words = [
        "Níjar",
        kind,
        *([f"round {scene['round']} of {v.NUM_ROUNDS}"] if scene["round"] else []),
        scene["phase"].replace("_", " "),
    ]
    seen = "as everybody sees it" if view.viewer == -1 else f"as {view.who(view.viewer)} sees it"
    return (
        rect(0, 0, WIDTH - 2 * MARGIN, 28, fill="#2f3b45", stroke="#2f3b45", radius=6)
        + text(10, 19.5, "  ·  ".join(words), 14, bold=True, fill="#ffffff", width=800)
        + text(WIDTH - 2 * MARGIN - 10, 19, seen, 12, anchor="end", fill="#ffffff", width=300)
    )


def market(sheet: Sheet) -> str:
    """§7.1: the markers, what a sale pays at each position, the demand of the three rounds."""
    view, scene = sheet.view, sheet.view.scene
    part = scene["market"]
    prices = view.box.record[0]["market_vp"]
    x0 = 70
    demand_x = x0 + v.MARKET_ROWS * _STEP + 8
    out = []
    for side, label in ((1, "painted"), (0, "plain")):
        y = 35 if side else 51
        out.append(text(8, y, label, 10, fill=GREY))
        out.append(icon("vp", 50, y - 11, 13))
        for row in range(v.MARKET_ROWS):
            price = str(int(prices[side, row]))
            out.append(text(x0 + (row + 0.5) * _STEP, y, price, 11, anchor="middle", bold=True))
    for k in range(v.NUM_ROUNDS):
        now = k + 1 == scene["round"]
        out.append(text(demand_x + 10 + 20 * k, 51, f"R{k + 1}", 10, anchor="middle", bold=now))
    out.append(text(demand_x, 35, "demand", 10, fill=GREY))
    for i, piece in enumerate(v.PIECES):
        y = 58 + 27 * i
        position = part["position"][piece]
        names = (f"sell:{piece}", f"sell:{piece}:painted")
        marker = circle(x0 + (position + 0.5) * _STEP, y + 11, 11, fill=YELLOW) + icon(
            piece, x0 + position * _STEP + 4, y + 3.5, 15
        )
        cells = "".join(
            rect(x0 + k * _STEP, y, _STEP - 1, 22, fill=EMPTY, radius=2)
            for k in range(v.MARKET_ROWS)
        )
        label = icon(piece, 8, y + 2, 18) + text(29, y + 15, piece, 11)
        frame = (6, y - 2, x0 + v.MARKET_ROWS * _STEP - 6, 26)
        out.append(sheet.choices.mark(label + cells + marker, frame, names))
        for k, n in enumerate(part["demand"][piece]):
            now = k + 1 == scene["round"]
            left = demand_x + 20 * k
            out.append(
                rect(
                    left,
                    y + 1,
                    19,
                    20,
                    fill=YELLOW if now else "#ffffff",
                    stroke=INK if now else LINE,
                    line=2 if now else 1,
                    radius=2,
                )
                + text(left + 9.5, y + 15.5, str(n), 12, anchor="middle", bold=now)
            )
    out.append(text(8, 155, "dice", 11, fill=GREY))
    for k, n in enumerate(part["dice"] or ["–"] * 3):
        out.append(
            rect(40 + 24 * k, 141, 20, 20, stroke=INK)
            + text(50 + 24 * k, 156, str(n), 13, anchor="middle", bold=True)
        )
    rolled = "".join(out)
    keep = sheet.choices.beginning("keep", "reroll")
    for k, name in enumerate(keep):
        button = rect(124 + 70 * k, 140, 64, 22, fill=YELLOW, stroke=INK) + text(
            156 + 70 * k, 155, name, 12, anchor="middle", bold=True
        )
        rolled += sheet.choices.mark(button, (122 + 70 * k, 138, 68, 26), (name,))
    return panel(0, 0, LEFT_WIDTH, 168, "Market: VP of a sale by position", rolled)


def order(sheet: Sheet) -> str:
    """Turn order, the first-player track (§8.11), general supply and decks (§5.3)."""
    view, scene = sheet.view, sheet.view.scene
    out = [text(8, 41, "turn order", 11, fill=GREY)]
    for k, seat in enumerate(scene["turn_order"]):
        x = 84 + 34 * k
        if seat == scene["turn_player"]:
            out.append(rect(x - 4, 22, 32, 31, fill=YELLOW, stroke=INK))
        out.append(badge(x, 25, 24, seat, view.who(seat)))
    prices = view.box.record[0]["track_pg"][view.num_players]
    out.append(text(232, 41, "next round", 11, fill=GREY))
    for k, marker in enumerate(scene["first_player_track"]):
        x = 302 + 35 * k
        space = rect(x, 22, 33, 31, fill=EMPTY)
        if marker is None:
            space += tokens(x + 1, 30, [(f"{prices[k]:+d}", "pg")], 15, width=31, centred=True)
        else:
            space += badge(x + 5, 26, 23, marker, view.who(marker))
        out.append(sheet.choices.mark(space, (x - 1, 21, 35, 33), (f"track:{k}",)))
    supply = scene["supply"]
    stock: list[Token] = [(str(supply[name]), name) for name in ("pg", "glaze", "crack")]
    stock += [(str(supply[piece]), piece) for piece in v.PIECES]
    out.append(text(8, 78, "supply", 11, fill=GREY))
    for k, item in enumerate(stock):
        out.append(tokens(60 + 62 * k, 64, [item], 19))
    out.append(text(8, 111, "decks", 11, fill=GREY))
    for d, deck in enumerate(scene["decks"]):
        x = 60 + 84 * d
        kinds = [kind for kind, home in enumerate(v.TYPE_DECK) if home == d]
        out.append(rect(x, 94, 78, 26, fill="#d6d0c4", stroke=GREY))
        for i, kind in enumerate(kinds):
            out.append(icon(TYPE_ICONS[kind], x + 4 + 19 * i, 98, 17))
        out.append(text(x + 72, 112, str(len(deck)), 13, anchor="end", bold=True))
    return panel(0, 174, LEFT_WIDTH, TOP_HEIGHT - 174, "Order and supply", "".join(out))


def _pawns(view: View, x: float, y: float, seat: int, count: int, size: float = 24) -> str:
    """Craftswomen on a space: whose, and how many."""
    return badge(x, y, size, seat, view.who(seat)) + text(
        x + size + 4, y + size * 0.72, f"×{count}", 13, bold=True
    )


def _action(name: str, x: float, y: float, width: float, height: float) -> str:
    words = name.replace("_", " ")
    return (
        rect(x, y, width, height, fill="#F4EAD5", stroke=GREY)
        + icon(name, x + (width - 26) / 2, y + 5, 26)
        + text(
            x + width / 2, y + height - 6, words, 11, anchor="middle", bold=True, width=width - 4
        )
    )


def board(sheet: Sheet) -> str:
    """§4.1, §7.2.1: rows of action tiles, columns of spaces with their bonuses, Special Action."""
    view, part = sheet.view, sheet.view.scene["board"]
    choices = sheet.choices
    width = WIDTH - 2 * MARGIN - LEFT_WIDTH - 6
    columns = len(part["bonuses"])
    tile_width = min(126.0, (width - 16 - columns * _SPACE) / 3)
    x0 = 8 + 3 * tile_width + 4
    wide = (width - x0 - 2) / columns
    owed = {frame["row"] for frame in view.scene["pending"] if frame["kind"] == "placement"}
    # The tiles of the row of the craftswomen, or of all rows for an endgame card (§7.2.2). Side
    # icons (§8.2) offer actions too, but not those of a tile.
    top = view.scene["pending"][-1]["kind"] if view.scene["pending"] else ""
    offered = {"placement": owed, "any_action": set(range(v.BOARD_ROWS))}.get(top, set())
    out = []
    for r, row in enumerate(part["tiles"]):
        y = 22 + _ROW * r
        if r in owed:
            out.append(rect(4, y - 3, x0 + columns * wide - 4, _ROW, fill=YELLOW, line=0))
        for t, tile in enumerate(row):
            each = (tile_width - 4) / len(tile)
            for i, name in enumerate(tile):
                x = 8 + t * tile_width + i * each
                face = _action(name, x, y, each, _ROW - 6)
                names = (f"action:{name}",) if r in offered else ()
                out.append(choices.mark(face, (x, y, each, _ROW - 6), names))
        for c in range(columns):
            x = x0 + c * wide
            space = part["spaces"][r][c]
            face = rect(x, y, wide - 6, _ROW - 6, fill=EMPTY, stroke=GREY, radius=14)
            if space:
                face += _pawns(view, x + wide / 2 - 32, y + 20, space["owner"], space["count"], 26)
            else:
                face += icon("craftswoman", x + wide / 2 - 14, y + 17, 22, fill="#d9d5cb")
            # As the log and the choices call it.
            place = f"{r},{column_text(c).split()[-1]}"
            face += text(x + 9, y + 13, place, 10, fill=GREY)
            frame = (x, y, wide - 6, _ROW - 6)
            out.append(choices.mark(face, frame, (f"place:{r},{c}",)))
    y = 22 + 3 * _ROW + 2
    out.append(text(x0 - 8, y + 22, "bonus of the column", 11, anchor="end", fill=GREY))
    for c, bonus in enumerate(part["bonuses"]):
        x = x0 + c * wide
        out.append(_bonus(sheet, bonus, x, y, wide - 6))
    y += 42
    there = "".join(
        _pawns(view, 222 + 62 * seat, y + 7, seat, n, 22)
        for seat, n in enumerate(part["special"])
        if n
    )
    face = (
        rect(8, y, 204 + 62 * len(part["special"]), 36, fill=EMPTY, stroke=GREY, radius=14)
        + icon("craftswoman", 16, y + 7, 22, fill="#d9d5cb")
        + text(44, y + 23, "Special Action", 12, bold=True)
        + there
    )
    frame = (8, y, 204 + 62 * len(part["special"]), 36)
    out.append(choices.mark(face, frame, ("special",)))
    x = 220 + 62 * len(part["special"])
    for bonus in ("esparto", *part["special_bonuses"]):
        out.append(_bonus(sheet, bonus, x, y, _SPACE - 6))
        x += _SPACE
    return panel(LEFT_WIDTH + 6, 0, width, TOP_HEIGHT, "Action board", "".join(out))


def _bonus(sheet: Sheet, bonus: str, x: float, y: float, width: float) -> str:
    face = (
        rect(x, y, width, 36, fill="#E3F1FA", stroke=GREY)
        + tokens(x + 2, y + 3, bonus_tokens(bonus), 18, width=width - 4, centred=True)
        + text(x + width / 2, y + 32, bonus, 10, anchor="middle", width=width - 4)
    )
    return sheet.choices.mark(face, (x, y, width, 36), (f"bonus:{bonus}",))


def draft(sheet: Sheet) -> str:
    """§4.1.6: the draft area, its donkeys, and what each card would cost to take (§8.1)."""
    view = sheet.view
    whose = sheet.prices_for
    donkeys = {seat: place for seat, place in view.donkeys().items() if place is not None}
    out = []
    for r, row in enumerate(view.scene["draft"]):
        y = 22 + _DRAFT_ROW * r
        label = rect(6, y, 34, CARD_HEIGHT, fill=EMPTY) + text(
            23, y + 26, str(r), 16, anchor="middle", bold=True
        )
        if f"refresh:{r}" in sheet.choices.beginning("refresh"):
            label += text(23, y + 52, "new", 11, anchor="middle") + text(
                23, y + 66, "cards", 11, anchor="middle", width=32
            )
        out.append(sheet.choices.mark(label, (6, y, 34, CARD_HEIGHT), (f"refresh:{r}",)))
        for c, card in enumerate(row):
            out.append(
                _draft_space(sheet, [r, c], card, 44 + (CARD_WIDTH + 4) * c, y, donkeys, whose)
            )
    named = f"; price to take for {view.who(whose)}" if whose is not None else ""
    title = f"Draft area{named}"
    return panel(0, 0, DRAFT_WIDTH, DRAFT_HEIGHT, title, "".join(out))


def _draft_space(
    sheet: Sheet,
    space: list[int],
    card: str | None,
    x: float,
    y: float,
    donkeys: dict[int, Any],
    whose: int | None,
) -> str:
    view = sheet.view
    on_it = [seat for seat, place in donkeys.items() if place == space]
    r, c = space
    price = ""
    if card is None:
        face = rect(x, y, CARD_WIDTH, CARD_HEIGHT, fill=EMPTY, dash="3 3") + text(
            x + CARD_WIDTH / 2, y + 46, "empty", 11, anchor="middle", fill=GREY
        )
    else:
        face = scaled(card_face(view.box, card), x, y, 1)
        if whose in donkeys and all(seat == whose for seat in on_it):
            here = donkeys[whose]
            price = f"take {abs(r - here[0]) + abs(c - here[1])} pg"
    low = y + CARD_HEIGHT
    out = sheet.choices.mark(face, (x, y, CARD_WIDTH, CARD_HEIGHT), (f"take:{r},{c}",))
    out += text(x + 4, low + 14, price, 11, bold=True)
    for k, seat in enumerate(on_it):
        left = x + CARD_WIDTH - 44 - 48 * k
        out += icon("donkey", left, low + 1, 18, fill="#9a9a9a")
        out += badge(left + 22, low + 1, 18, seat, view.who(seat))
    landing = f"donkey:{r},{c}"
    if landing in sheet.choices.beginning("donkey:"):
        # A place of its own, since the card may be for the taking too.
        frame = (x + CARD_WIDTH - 64, low + 2, 64, 17)
        spot = rect(*frame, fill=YELLOW, stroke=INK, radius=8) + icon(
            "donkey", x + CARD_WIDTH - 60, low + 2.5, 16, fill="#ffffff"
        )
        spot += text(x + CARD_WIDTH - 40, low + 14, "here", 11)
        out += sheet.choices.mark(spot, frame, (landing,))
    return out
