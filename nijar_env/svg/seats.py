"""What belongs to one viewer or to the Competition: the hand, endgame cards, results (§10-12)."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from ..components import vocabulary as v
from ..render_words import View
from .cards import CARD_HEIGHT, CARD_WIDTH, card_face
from .icons import KIND_ICONS, piece_icon, tokens
from .shapes import (
    EMPTY,
    GREY,
    INK,
    LINE,
    badge,
    icon,
    panel,
    rect,
    scaled,
    text,
)
from .table import DRAFT_HEIGHT, DRAFT_WIDTH, MARGIN, WIDTH, Sheet
from .workshop import WORKSHOP_HEIGHT, WORKSHOP_WIDTH, shop_card

SIDE_WIDTH: Final = WIDTH - 2 * MARGIN - DRAFT_WIDTH - 6
_ENDGAME_TOP: Final = DRAFT_HEIGHT - 76
_ARROWS: Final = {(0, 1): "→", (0, -1): "←", (1, 0): "↓", (-1, 0): "↑"}


def hand(sheet: Sheet, seat: int) -> str:
    """The viewer's cards, each with its face, and below them the endgame cards (§10.2, §11.2)."""
    player = sheet.view.scene["players"][seat]
    cards = sorted(Counter(player["hand"]).items())
    out = []
    width, columns = _grid(len(cards), SIDE_WIDTH - 12, _ENDGAME_TOP - 26)
    factor = (width - 4) / CARD_WIDTH
    for i, (card, copies) in enumerate(cards):
        x = 8 + (i % columns) * width
        y = 22 + (i // columns) * (CARD_HEIGHT * factor + 4)
        face = scaled(card_face(sheet.view.box, card, copies=copies), x, y, factor)
        frame = (x, y, CARD_WIDTH * factor, CARD_HEIGHT * factor)
        out.append(sheet.choices.mark(face, frame, (f"play:{card}",)))
    if not cards:
        out.append(text(SIDE_WIDTH / 2, 90, "no cards", 13, anchor="middle", fill=GREY))
    out.append(_endgame(sheet, player))
    count = len(player["hand"])
    title = f"Hand of {sheet.view.who(seat)}: {count} card{'' if count == 1 else 's'}"
    return panel(0, 0, SIDE_WIDTH, DRAFT_HEIGHT, title, "".join(out))


def _grid(count: int, width: float, height: float) -> tuple[float, int]:
    """Column width and number of columns so that `count` cards fit."""

    def each(columns: int) -> float:
        rows = max(-(-count // columns), 1)
        fits = (height / rows - 4) * CARD_WIDTH / CARD_HEIGHT + 4
        return min(width / columns, fits, CARD_WIDTH + 4)

    columns = max(range(2, 12), key=each)
    return each(columns), columns


def _endgame(sheet: Sheet, player: dict[str, Any]) -> str:
    """Endgame cards in hand, played face down, and discarded for an action (§7.2.2)."""
    groups = (
        ("", "endgame_hand"),
        ("played", "endgame_played"),
        ("discarded", "endgame_discarded"),
    )
    cards = [(note, kind) for note, key in groups for kind in sorted(player[key])]
    out = [text(8, _ENDGAME_TOP + 10, "endgame cards", 11, fill=GREY)]
    width = min(72.0, (SIDE_WIDTH - 12) / max(len(cards), 1))
    for k, (note, kind) in enumerate(cards):
        x, y = 8 + width * k, _ENDGAME_TOP + 16
        body = rect(x, y, width - 5, 54, fill="#F6E9C8" if not note else EMPTY, stroke=GREY)
        body += icon(KIND_ICONS[kind], x + (width - 5) / 2 - 10, y + 5, 20)
        word = kind.replace("_", " ")
        body += text(x + (width - 5) / 2, y + 37, word, 10, anchor="middle", width=width - 8)
        body += text(
            x + (width - 5) / 2, y + 49, note, 9.5, anchor="middle", fill=GREY, width=width - 8
        )
        names = () if note else (f"discard:{kind}", f"score:{kind}")
        out.append(sheet.choices.mark(body, (x, y, width - 5, 54), names))
    return "".join(out)


def results(sheet: Sheet, winner: int | None) -> str:
    """VP by source, once the game is over (§11); nothing of a hand before that."""
    view, scene = sheet.view, sheet.view.scene
    seats = [*scene["players"]]
    if view.num_players == 1:
        seats.append(scene["competition"])
    if winner is None:
        note = text(SIDE_WIDTH / 2, 90, "hands are hidden", 13, anchor="middle", fill=GREY)
        return panel(0, 0, SIDE_WIDTH, DRAFT_HEIGHT, "Hands", note)
    sources = list(dict.fromkeys(name for part in seats for name in part["vp_from"]))
    step = min(18.0, (DRAFT_HEIGHT - 96) / max(len(sources) + 1, 1))
    column = 220 / len(seats)
    out = []
    for k, part in enumerate(seats):
        x = 150 + column * (k + 0.5)
        out.append(badge(x - 12, 26, 24, k, view.who(k)))
        if k == winner:
            out.append(rect(x - 17, 21, 34, 34, fill="none", stroke=INK, line=2))
        for i, name in enumerate(sources):
            value = str(part["vp_from"].get(name, 0))
            out.append(text(x + 8, 74 + step * i, value, min(12, step - 2), anchor="end"))
        total = str(part["vp"])
        out.append(text(x + 12, 78 + step * len(sources), total, 14, anchor="end", bold=True))
    for i, name in enumerate(sources):
        word = name.replace("_", " ")
        out.append(text(10, 74 + step * i, word, min(12, step - 2), width=136))
    out.append(text(10, 78 + step * len(sources), "VP", 14, bold=True))
    title = f"The game is over: {view.who(winner)} wins"
    return panel(0, 0, SIDE_WIDTH, DRAFT_HEIGHT, title, "".join(out))


# -- the Competition (§12) ------------------------------------------------------------------------


def competition(sheet: Sheet) -> str:
    """The Competition's panel: pieces, sales, what is open of its cards (§12.10, ruling P21)."""
    view, scene = sheet.view, sheet.view.scene
    part = scene["competition"]
    out = [
        rect(0, 0, WORKSHOP_WIDTH, WORKSHOP_HEIGHT, radius=6),
        badge(9, 6, 28, 1, "Comp"),
        tokens(46, 7, [(str(part["vp"]), "vp")], 25),
        text(128, 25, f"Competition ({scene['difficulty']})", 13, bold=True, width=190),
        icon("craftswoman", 330, 8, 22, fill="#ffffff"),
        text(356, 25, f"×{part['craftswomen']}", 14, bold=True),
        shop_card(sheet, part, 478, 6, ()),
        text(10, 64, "pieces", 12, fill=GREY),
        text(10, 126, "sold", 12, fill=GREY),
    ]
    for i, piece in enumerate(v.PIECES):
        x = 70 + 150 * i
        state = part["pieces"][piece]
        out.append(rect(x, 44, 140, 48, fill="#ffffff" if state else EMPTY))
        if state:
            out.append(icon(piece_icon(piece, painted=state == "painted"), x + 8, 52, 32))
        out.append(text(x + 48, 66, piece, 12, bold=True))
        out.append(text(x + 48, 82, state or "none", 11, fill=GREY))
        out.append(icon(piece, x + 8, 109, 24) + text(x + 40, 127, f"×{part['sold'][piece]}", 14))
    revealed = part["revealed"]
    shown = revealed if scene["difficulty"] == "expert" else revealed[-1:]
    out.append(
        text(
            10, 164, f"cards turned up: {len(revealed)} of {v.NUM_COMPETITION_CARDS}", 12, bold=True
        )
    )
    for k, number in enumerate(shown):
        out.append(_competition_card(view, number, 10 + 64 * k, 172))
    out.append(_next_back(view, 10, 256))
    return "".join(out)


def _competition_card(view: View, number: int, x: float, y: float) -> str:
    """A front: the action space as a dot on the board, and what the donkeys do (§12.5)."""
    record = view.box.record[0]
    row, column = (int(n) for n in record["comp_space"][number - 1])
    kind = int(record["comp_donkey"][number - 1])
    arrows = [
        _ARROWS.get((int(dr), int(dc)), "") for dr, dc in record["comp_direction"][number - 1]
    ]
    words = {
        v.DONKEY_STAY: ("donkey", "stays"),
        v.DONKEY_MOVE: ("donkey", f"{arrows[0]} or {arrows[1]}"),
        v.DONKEY_DISCARD: ("discard", f"{arrows[0]} and {arrows[1]}"),
    }[kind]
    cells = "".join(
        rect(
            x + 14 + 11 * c,
            y + 7 + 9 * r,
            10,
            8,
            fill=INK if (r, c) == (row, column) else EMPTY,
            stroke=LINE,
            radius=1,
        )
        for r in range(v.BOARD_ROWS)
        for c in range(v.BASE_COLUMNS)
    )
    return (
        rect(x, y, 60, 64, stroke=INK)
        + text(x + 3, y + 12, str(number), 10, bold=True)
        + cells
        + text(x + 30, y + 46, words[0], 9.5, anchor="middle", width=56)
        + text(x + 30, y + 58, words[1], 9.5, anchor="middle", width=56)
    )


def _next_back(view: View, x: float, y: float) -> str:
    """The back of the next card, which lies open and sets the piece actions (§12.6)."""
    part = view.scene["competition"]
    out = [text(x, y + 14, "back of the next card", 12, bold=True)]
    if view.scene["phase"] == "setup" or not part["deck"]:
        return "".join(out) + text(x, y + 34, "none open", 12, fill=GREY)
    back = view.box.record[0]["comp_piece"][part["deck"][0] - 1]
    for i, row in enumerate(back):
        left = x + 150 * i
        now = i + 1 == view.scene["round"]
        out.append(rect(left, y + 24, 142, 44, fill="#d6d0c4", stroke=INK if now else LINE, line=2))
        out.append(text(left + 8, y + 51, f"R{i + 1}", 12, bold=now))
        for k, code in enumerate(code for code in row if code >= 0):
            out.append(icon(v.PIECES[code], left + 40 + 42 * k, y + 30, 32))
    return "".join(out)
