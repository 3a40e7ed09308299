"""A player's workshop: wheels, esparto, cleanup cards, kilns, workshops, goods (§4.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

from ..components import vocabulary as v
from ..render_words import type_of
from .cards import (
    card_title,
    crack_boxes,
    effects_of,
    paint_tokens,
    side_tokens,
    wheel_spaces,
)
from .icons import TYPE_ICONS, TYPE_TINTS, action_token, effect_tokens, piece_icon, tokens
from .shapes import (
    EMPTY,
    GREY,
    INK,
    LINE,
    YELLOW,
    badge,
    group,
    icon,
    lines_of,
    rect,
    text,
)
from .table import Sheet

WORKSHOP_WIDTH: Final = 591
WORKSHOP_HEIGHT: Final = 412
_WORDS: Final = 11  # size of the words about a hand, where two lines suffice
_COLUMN: Final = 116  # of the wheel and esparto spaces
_BOX: Final = 113
_LABEL: Final = 74  # before rows of cards
_ROW: Final = 43
_NONE: Final = "#b9b4a8"


def workshop(sheet: Sheet, seat: int) -> str:
    """One player's panel, with its corner at the origin."""
    view = sheet.view
    player = view.scene["players"][seat]
    turn = view.scene["current_player"] == seat
    out = [
        rect(
            0,
            0,
            WORKSHOP_WIDTH,
            WORKSHOP_HEIGHT,
            stroke=INK if turn else LINE,
            line=2.5 if turn else 1,
            radius=6,
        ),
        _head(sheet, seat, player),
        _wheels(sheet, seat, player),
        _esparto(sheet, seat, player),
    ]
    y = 208
    for label, body in (
        ("cleanup", _cleanup(sheet, seat, player, y)),
        ("firing kilns", _row(sheet, seat, player["firing_kilns"], y + _ROW, "firing")),
        ("workshops", _row(sheet, seat, player["workshops"], y + 2 * _ROW, "workshop")),
        ("glaze kilns", _row(sheet, seat, player["glaze_kilns"], y + 3 * _ROW, "glaze")),
    ):
        out.append(text(6, y + 18, label, 10.5, fill=GREY, width=_LABEL - 8))
        out.append(body)
        y += _ROW
    if not view.sees(seat):
        said = hidden_hand(sheet, seat)
    elif view.scene["phase"] == "finished":  # the results have taken the place of the hand
        said = own_hand(player)
    else:
        said = "hand: shown above"
    size: float = _WORDS
    while len(lines := lines_of(said, size, WORKSHOP_WIDTH - 12)) * size > 2 * _WORDS:
        size -= 0.5
    for i, line in enumerate(lines):
        low = WORKSHOP_HEIGHT - 20 + i * size * 1.15
        out.append(text(6, low, line, size, width=WORKSHOP_WIDTH - 12))
    return "".join(out)


def _names(sheet: Sheet, seat: int, *beginnings: str) -> list[str]:
    """The viewer's choices that begin so, on the viewer's own board only."""
    return sheet.choices.beginning(*beginnings) if seat == sheet.view.viewer else []


def _own(sheet: Sheet, seat: int, *names: str) -> tuple[str, ...]:
    return names if seat == sheet.view.viewer else ()


def shop_card(sheet: Sheet, part: dict[str, Any], x: float, y: float, names: Iterable[str]) -> str:
    """§7.2.4-5: the shop, open or closed, with the craftswomen that were sent home to it."""
    closed = part["shop"] == "closed"
    face = rect(x, y, 106, 24, fill="#4a4a4a" if closed else "#DCF1E6", stroke=INK) + text(
        x + 8, y + 16.5, f"shop {part['shop']}", 12, bold=True, fill="#ffffff" if closed else INK
    )
    if part["shop_craftswomen"]:
        white = "#ffffff" if closed else INK
        face += text(
            x + 101, y + 16.5, f"+{part['shop_craftswomen']}", 12, anchor="end", fill=white
        )
    return sheet.choices.mark(face, (x, y, 106, 24), names)


def _head(sheet: Sheet, seat: int, player: dict[str, Any]) -> str:
    view, scene = sheet.view, sheet.view.scene
    marks = [
        *(["you"] if view.viewer == seat else []),
        *(["to act"] if scene["current_player"] == seat else []),
        *(["turn"] if scene["turn_player"] == seat else []),
    ]
    out = [
        badge(9, 6, 28, seat, view.who(seat)),
        tokens(46, 7, [(str(player["vp"]), "vp")], 25),
        text(128, 25, ", ".join(marks), 12, width=120),
        icon("craftswoman", 262, 8, 22, fill="#ffffff"),
        text(288, 25, f"×{player['craftswomen']}", 14, bold=True),
        shop_card(sheet, player, 478, 6, _own(sheet, seat, "close")),
    ]
    steps = view.box.record[0]["tech_steps"]
    out.append(icon("tech", 336, 9, 19))
    x = 334.0
    for k in range(1, v.MAX_TECHNOLOGY + 1):
        here = player["technology"] == k
        x += 26
        out.append(
            rect(
                x,
                7,
                24,
                22,
                fill=YELLOW if here else EMPTY,
                stroke=INK if here else LINE,
                line=2 if here else 1,
            )
            + text(x + 12, 23, str(int(steps[k])), 12, anchor="middle", bold=here)
        )
    x = 12
    for name, count, beginnings in (
        ("pg", str(player["pg"]), ("gain:pg", "shop:pg")),
        ("glaze", str(player["glaze"]), ("gain:glaze", "shop:glaze", "pay:glaze")),
        ("clay", f"{player['clay']}/{v.CLAY_CAP}", ("clay:", "shop:clay")),
    ):
        good = icon(name, x, 40, 21) + text(x + 26, 56, count, 15, bold=True)
        frame = (x - 3, 37, 76, 27)
        out.append(sheet.choices.mark(good, frame, _names(sheet, seat, *beginnings)))
        x += 86
    area = text(x + 8, 55, "cleaning area", 11, fill=GREY) + crack_boxes(
        x + 100, 40, 20, player["cleaning_area"], v.CLEANING_CAP, 186
    )
    frame = (x + 3, 37, 282, 27)
    out.append(sheet.choices.mark(area, frame, _own(sheet, seat, "clean:supply", "pay:crack")))
    return "".join(out)


def _wheels(sheet: Sheet, seat: int, player: dict[str, Any]) -> str:
    box = sheet.view.box
    slots = _own(sheet, seat, *_slots(sheet, v.WHEEL))
    out = []
    for k, wheel in enumerate(player["wheels"]):
        x, y = 6 + _COLUMN * k, 72
        frame = (x, y, _BOX, 76)
        if wheel is None:
            printed = v.EFFECT_ACTIONS[box.record[0]["wheel_space_action"][k]]
            body = rect(*frame, fill=EMPTY, dash="4 3") + text(
                x + 6, y + 15, f"wheel {k}", 10, fill=GREY
            )
            if printed:
                body += _printed(printed, x, y + 26)
            names = tuple(name for name in slots if name == f"slot:{k}")
        else:
            card, done = wheel["card"], wheel["vase"] == "done"
            body = rect(*frame, fill="#e4e4e4" if done else "#ffffff", stroke=GREY)
            body += rect(x, y, _BOX, 18, fill=TYPE_TINTS[v.WHEEL], stroke=GREY)
            body += icon("throw", x + 3, y + 2, 14) + text(
                x + 20, y + 13, card, 11, bold=True, width=40
            )
            vp = int(box.record[0]["card_done_vp"][box.card_code(card)])
            body += tokens(x + 74, y + 2, [(str(vp), "vp")], 14, width=36)
            if done:
                body += text(x + _BOX / 2, y + 50, "completed ✓", 13, anchor="middle", bold=True)
            else:
                body += wheel_spaces(box, card, x + 4, y + 24, _BOX - 8, vase=wheel["vase"])
                body += text(
                    x + 5,
                    y + 68,
                    f"{wheel['vase']} of {len(effects_of(box, card))} steps",
                    10,
                    fill=GREY,
                )
            body = group(body, title=card_title(box, card))
            names = _own(sheet, seat, f"throw:{k}")
        out.append(sheet.choices.mark(body, frame, names))
    return "".join(out)


def _slots(sheet: Sheet, kind: int) -> list[str]:
    """The choices of a space for a card of this type, if one waits for a space (§8.2)."""
    pending = sheet.view.scene["pending"]
    if not pending or pending[-1]["kind"] != "slot":
        return []
    waits = type_of(sheet.view.box, pending[-1]["card"]) == kind
    return sheet.choices.beginning("slot:") if waits else []


def _printed(action: str, x: float, y: float) -> str:
    """The action printed on an empty space, which a card played there gives (§8.2)."""
    return tokens(x + 8, y, [action_token(action)], 20) + text(
        x + 34, y + 15, action.replace("_", " "), 11, fill=GREY, width=74
    )


def _esparto(sheet: Sheet, seat: int, player: dict[str, Any]) -> str:
    box = sheet.view.box
    slots = _own(sheet, seat, *_slots(sheet, v.ESPARTO))
    out = []
    y = 152
    for k, card in enumerate(player["esparto"]):
        x = 6 + _COLUMN * k
        frame = (x, y, _BOX, 50)
        if card is None:
            printed = v.EFFECT_ACTIONS[box.record[0]["esparto_space_action"][k]]
            body = rect(*frame, fill=EMPTY, dash="4 3") + text(
                x + 6, y + 13, f"esparto {k}", 10, fill=GREY
            )
            if printed:
                body += _printed(printed, x, y + 20)
            names = tuple(name for name in slots if name == f"slot:{k}")
            out.append(sheet.choices.mark(body, frame, names))
            continue
        body = rect(*frame, stroke=GREY) + rect(
            x, y, _BOX, 16, fill=TYPE_TINTS[v.ESPARTO], stroke=GREY
        )
        body += icon("esparto", x + 3, y + 1, 14) + text(
            x + 20, y + 12.5, card, 11, bold=True, width=88
        )
        out.append(group(body, title=card_title(box, card)))
        for i, effect in enumerate(effects_of(box, card)):
            left = x + 3 + 55 * i
            half = rect(left, y + 19, 52, 28, fill="#ffffff") + tokens(
                left + 2, y + 24, effect_tokens(effect), 17, width=48, centred=True
            )
            names = _own(sheet, seat, f"esparto:{k}:{i}")
            out.append(sheet.choices.mark(half, (left, y + 19, 52, 28), names))
    x = 6 + _COLUMN * v.ESPARTO_SPACES
    out.append(rect(x, y, _BOX, 50, fill="#ffffff"))
    out.append(
        text(x + 5, y + 15, "dry", 10, fill=GREY) + text(x + 5, y + 40, "sold", 10, fill=GREY)
    )
    for i, piece in enumerate(v.PIECES):
        left = x + 32 + 27 * i
        here = icon(piece, left, y + 4, 15) + text(
            left + 17, y + 16, str(player["drying"][piece]), 12, bold=True
        )
        frame = (left - 2, y + 2, 28, 20)
        out.append(sheet.choices.mark(here, frame, _own(sheet, seat, f"fire:{piece}")))
        out.append(icon(piece, left, y + 28, 15))
        out.append(text(left + 17, y + 40, str(player["sold"][piece]), 12))
    return "".join(out)


def _width(count: int) -> float:
    """Of each card of a row, so that a row of any length fits."""
    return min(96.0, (WORKSHOP_WIDTH - _LABEL - 8) / max(count, 1) - 3)


def _cleanup(sheet: Sheet, seat: int, player: dict[str, Any], y: float) -> str:
    box = sheet.view.box
    width = _width(len(player["cleanup"]))
    out = []
    for k, part in enumerate(player["cleanup"]):
        x = _LABEL + k * (width + 3)
        card = part["card"]
        spaces = int(box.record[0]["card_spaces"][box.card_code(card)])
        body = _face(v.CLEANUP, card, x, y, width)
        reward = effect_tokens(effects_of(box, card)[0])
        if width > 70:
            body += crack_boxes(x + 4, y + 19, 15, part["cracks"], spaces, width * 0.5)
            body += tokens(x + width * 0.56, y + 19, reward, 15, width=width * 0.42)
        else:
            body += text(
                x + 3, y + 28, f"{part['cracks']}/{spaces}", 10, bold=True, width=width - 4
            )
            body += tokens(x + 2, y + 29, reward, 10, width=width - 4)
        names = _own(sheet, seat, f"clean:{k}", f"reward:{k}")
        frame = (x, y, width, 39)
        out.append(sheet.choices.mark(group(body, title=card_title(box, card)), frame, names))
    return "".join(out)


def _face(kind: int, card: str, x: float, y: float, width: float) -> str:
    """The frame and name of a card laid down."""
    tint = rect(x, y, width, 39, stroke=GREY) + rect(
        x, y, width, 15, fill=TYPE_TINTS[kind], stroke=GREY, radius=3
    )
    if width > 50:
        tint += icon(TYPE_ICONS[kind], x + 2, y + 1, 13)
        return tint + text(x + 17, y + 12, card, 10.5, bold=True, width=width - 20)
    return tint + text(x + 2, y + 12, card, 10, bold=True, width=width - 4)


def _row(sheet: Sheet, seat: int, holders: list[dict[str, Any]], y: float, kind: str) -> str:
    """Firing kilns, workshops or glaze kilns: cards with the pieces in them."""
    box = sheet.view.box
    code = {"firing": v.FIRING_KILN, "workshop": v.WORKSHOP, "glaze": v.GLAZE_KILN}[kind]
    width = _width(len(holders))
    out = []
    for k, holder in enumerate(holders):
        x = _LABEL + k * (width + 3)
        piece = holder["piece"]
        body = _face(code, holder["card"], x, y, width)
        left, right = side_tokens(box, holder["card"])
        wide = width > 70
        if wide:
            body += tokens(x + 2, y + 19, left, 14) if left[0][1] else ""
            body += tokens(x + width - 18, y + 19, right, 14) if right[0][1] else ""
        if wide and kind == "workshop":
            body += tokens(x + 44, y + 2, paint_tokens(box, holder["card"]), 12, width=width - 47)
        middle = x + (width - 19) / 2
        if piece:
            body += icon(piece_icon(piece, painted=kind != "firing"), middle, y + 17, 20)
        else:
            body += rect(middle + 1, y + 19, 16, 16, fill=EMPTY, stroke=_NONE, dash="3 2", radius=8)
        names = _own(sheet, seat, *_holder_names(sheet, kind, k, piece))
        frame = (x, y, width, 39)
        out.append(
            sheet.choices.mark(group(body, title=card_title(box, holder["card"])), frame, names)
        )
    return "".join(out)


def _holder_names(sheet: Sheet, kind: str, k: int, piece: str | None) -> list[str]:
    """What could be done with a kiln or workshop and the piece in it (§7.2.3, §8.7, §8.8)."""
    if kind == "firing":
        return [f"sell:{piece}", *sheet.choices.beginning(f"paint:{piece}@")] if piece else []
    if kind == "glaze":
        return [f"sell:{piece}:painted"] if piece else []
    paints = [name for name in sheet.choices.beginning("paint:") if name.endswith(f"@{k}")]
    return [f"glaze:{k}"] if piece else paints


def own_hand(player: dict[str, Any]) -> str:
    """The viewer's own cards in words."""
    cards = _listed(Counter(player["hand"]))
    parts = [f"hand {len(player['hand'])}" + (f": {cards}" if cards else "")]
    for name in ("hand", "played", "discarded"):
        kinds = _listed(Counter(kind.replace("_", " ") for kind in player[f"endgame_{name}"]))
        parts.append(f"endgame {name}: {kinds or 'none'}")
    return ";  ".join(parts)


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{name} ×{n}" if n > 1 else name for name, n in sorted(counts.items()))


def hidden_hand(sheet: Sheet, seat: int) -> str:
    """What all know of a hand: cards everybody saw, the backs of the others, numbers (§10.2)."""
    view = sheet.view
    player = view.scene["players"][seat]
    dealt = Counter(player["hand_dealt"])
    known = Counter(player["hand"]) - dealt
    words = [_listed(known)] if known else []
    decks = Counter(v.TYPE_DECK[type_of(view.box, card)] for card in dealt.elements())
    words += [f"{n} unseen of deck {deck}" for deck, n in sorted(decks.items())]
    count = len(player["hand"])
    line = f"hand {count}" + (f": {', '.join(words)}" if words else "")
    # What was played face down has been turned up to score.
    scored = player["endgame_played"] if view.scene["phase"] == "finished" else []
    ends = ", ".join(
        f"{name} {len(player[f'endgame_{name}'])}" for name in ("hand", "played", "discarded")
    )
    if scored:
        ends += f" ({', '.join(kind.replace('_', ' ') for kind in sorted(scored))} scored)"
    return f"{line};  endgame cards: {ends}"
