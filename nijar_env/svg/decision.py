"""What is being decided, and buttons for choices that have no place on the table."""

from __future__ import annotations

from typing import Final

from ..components import vocabulary as v
from ..render_words import PHASE_TASKS, frame_text
from .cards import wheel_spaces
from .icons import amount_tokens, tokens
from .shapes import (
    EMPTY,
    GREY,
    INK,
    SKY,
    YELLOW,
    badge,
    icon,
    panel,
    rect,
    scaled,
    text,
    text_width,
)
from .table import MARGIN, WIDTH, Sheet

DECISION_HEIGHT: Final = 112
_WIDTH: Final = WIDTH - 2 * MARGIN
_BUTTON: Final = 24
_TOP: Final = 50  # of the buttons


def task(sheet: Sheet) -> str:
    """The pending effects in words, the innermost first, or what the phase asks."""
    view, scene = sheet.view, sheet.view.scene
    if scene["pending"]:
        return "  <  ".join(
            f"{view.who(frame['player'])}: {frame_text(frame)}"
            for frame in reversed(scene["pending"])
        )
    if scene["phase"] == "turns" and scene["players"][scene["current_player"]]["shop"] == "closed":
        return "a bonus, for the shop is closed"
    return PHASE_TASKS[scene["phase"]]


def decision(sheet: Sheet) -> str:
    """The panel of the decision. Draw it last: its buttons are the choices that no element of
    the table has for itself."""
    view, scene = sheet.view, sheet.view.scene
    seat = scene["current_player"]
    if seat is None:
        return panel(0, 0, _WIDTH, DECISION_HEIGHT, "The game is over", _totals(sheet))
    out = [
        badge(8, 22, 22, seat, view.who(seat)),
        text(38, 38, task(sheet), 13, bold=True, width=_WIDTH - 46),
    ]
    combinations = _combinations(sheet)
    buttons = _buttons(sheet)
    out.append(combinations or buttons)
    if sheet.choices and not combinations and not buttons:
        out.append(text(38, 66, "choose what has a dashed frame", 12, fill=GREY))
    return panel(0, 0, _WIDTH, DECISION_HEIGHT, f"{view.who(seat)} decides", "".join(out))


def _totals(sheet: Sheet) -> str:
    """The VP of all seats, once the game is over."""
    view, scene = sheet.view, sheet.view.scene
    parts = [*scene["players"], *([scene["competition"]] if view.num_players == 1 else [])]
    return "".join(
        badge(12 + 150 * seat, 38, 34, seat, view.who(seat))
        + tokens(56 + 150 * seat, 40, [(str(part["vp"]), "vp")], 30)
        for seat, part in enumerate(parts)
    )


def _buttons(sheet: Sheet) -> str:
    names = sheet.choices.without_element()
    places, rows = _flow(names, _WIDTH - 16)
    factor = min(1.0, (DECISION_HEIGHT - _TOP - 4) / max(rows * (_BUTTON + 5), 1))
    if factor < 1:
        # Smaller buttons have longer lines, so that fewer lines are needed.
        places, rows = _flow(names, (_WIDTH - 16) / factor)
    if not names:
        return ""
    body = ""
    for name, (x, y, width) in zip(names, places, strict=True):
        face = rect(x, y, width, _BUTTON, fill=YELLOW, stroke=INK) + text(
            x + width / 2, y + 16.5, name, 12, anchor="middle", bold=True
        )
        body += sheet.choices.mark(face, (x, y, width, _BUTTON), (name,))
    return scaled(body, 8, _TOP, factor)


def _flow(names: list[str], width: float) -> tuple[list[tuple[float, float, float]], int]:
    """Where buttons go, line by line: x, y, width; and the number of lines."""
    places = []
    x = y = 0.0
    rows = 1 if names else 0
    for name in names:
        wide = text_width(name, 12, bold=True) + 16
        if x + wide > width and x > 0:
            x, y, rows = 0.0, y + _BUTTON + 5, rows + 1
        places.append((x, y, wide))
        x += wide + 6
    return places, rows


def _combinations(sheet: Sheet) -> str:
    """§4.3: the starting combinations that are left, while they are chosen."""
    view, box = sheet.view, sheet.view.box
    parts = view.scene["combinations"]
    if not any(parts) or sheet.choices.beginning("donkey:"):
        return ""
    out = []
    width = min(236.0, (_WIDTH - 16) / len(parts))
    for k, part in enumerate(parts):
        x, y = 8 + width * k, _TOP
        if part is None:
            out.append(
                rect(x, y, width - 6, 56, fill=EMPTY, dash="4 3")
                + text(x + width / 2, y + 32, "taken", 12, anchor="middle", fill=GREY)
            )
            continue
        start = box.start_resource_ids.index(part["resources"])
        done = int(box.record[0]["card_done_vp"][box.card_code(part["wheel"])])
        body = (
            rect(x, y, width - 6, 56, stroke=INK)
            + text(x + 6, y + 14, f"{part['wheel']} + {part['resources']}", 11, bold=True)
            + tokens(x + width - 48, y + 3, [(str(done), "vp")], 13)
            + wheel_spaces(box, part["wheel"], x + 5, y + 22, width * 0.5)
            + tokens(
                x + width * 0.54,
                y + 27,
                amount_tokens(box.record[0]["start_resources"][start]),
                15,
                width=width * 0.42,
            )
        )
        out.append(sheet.choices.mark(body, (x, y, width - 6, 56), (f"start:{k}",)))
    return "".join(out)


def legend() -> str:
    """The icons of actions and resources with their names."""
    items = [
        *((name, name) for name in (*v.ACTIONS, "shape")),
        *(("glaze", "glaze"), ("crack", "crack"), ("pg", "perra gorda"), ("vp", "VP")),
        *((piece, piece) for piece in v.PIECES),
        ("pot-painted", "painted"),
        ("vase", "vase"),
    ]
    names = [(name, word.replace("_", " ")) for name, word in items]
    places, _ = _flow([word for _, word in names], float("inf"))
    x, _, width = places[-1]
    body = "".join(
        (icon(name, left, 2, 17, fill=SKY) if name == "vase" else tokens(left, 2, [("", name)], 17))
        + text(left + 20, 15, word, 11, fill=GREY)
        for (name, word), (left, _, _) in zip(names, places, strict=True)
    )
    return scaled(body, 4, 2, min(1.0, (_WIDTH - 8) / (x + width)))
