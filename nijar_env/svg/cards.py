"""The faces of cards: what they cost, what they do, what stands on them (§8.2)."""

from __future__ import annotations

from typing import Any, Final

from ..components import Box
from ..components import vocabulary as v
from ..render_words import content_text, cost_text, title_text, type_of
from .icons import (
    TYPE_ICONS,
    TYPE_TINTS,
    TYPE_WORDS,
    Token,
    action_token,
    amount_tokens,
    effect_tokens,
    tokens,
)
from .shapes import EMPTY, GREY, INK, LINE, SKY, group, icon, rect, text

CARD_WIDTH: Final = 148
CARD_HEIGHT: Final = 82
_CELL: Final = 27  # a space of a wheel
_LABELS: Final = {
    "acquire": "acq",
    "play": "play",
    "clay": "clay",
    "tech": "tech",
    "throw": "thr",
    "fire": "fire",
    "paint": "paint",
    "clean": "clean",
    "esparto": "esp",
    "first_player": "1st",
    "shape": "shape",
}


def effects_of(box: Box, card: str) -> Any:
    """The printed effects of a card, (spaces, 5): a wheel's spaces, rewards of other cards."""
    code, kind = box.card_code(card), type_of(box, card)
    count = {v.WHEEL: int(box.record[0]["card_spaces"][code]), v.ESPARTO: 2}.get(kind, 1)
    return box.record[0]["card_effect"][code][:count]


def paint_tokens(box: Box, card: str) -> list[Token]:
    """The price of painting at a glazing workshop, its alternatives joined by "or" (§8.8)."""
    code = box.card_code(card)
    options = int(box.record[0]["card_paint_options"][code])
    out: list[Token] = []
    for i, (glaze, crack) in enumerate(box.record[0]["card_paint"][code][:options]):
        if i:
            out.append(("or", ""))
        out += amount_tokens((0, glaze, 0, crack))
    return out


def side_tokens(box: Box, card: str) -> tuple[list[Token], list[Token]]:
    """The side icons of a kiln or workshop, left and right."""
    names = (v.EFFECT_ACTIONS[code] for code in box.record[0]["card_icon"][box.card_code(card)])
    left, right = ([action_token(name)] if name else [("–", "")] for name in names)
    return left, right


def crack_boxes(x: float, y: float, size: float, filled: int, spaces: int, width: float) -> str:
    """The crack spaces of a cleanup card, or of a cleaning area (§8.9)."""
    step = min(size + 2, width / max(spaces, 1))
    size = min(size, step - 0.5)
    return "".join(
        icon("crack", x + k * step, y, size)
        if k < filled
        else rect(x + k * step, y, size, size, fill=EMPTY, radius=2)
        for k in range(spaces)
    )


def wheel_spaces(
    box: Box, card: str, x: float, y: float, width: float, *, vase: int | None = None
) -> str:
    """A row of a wheel's spaces after the grey one (§8.5): passed ones are dark, the vase stands
    before the next; `vase` None is a wheel without one."""
    effects = effects_of(box, card)
    grey = vase is not None
    step = min(_CELL + 1, width / (len(effects) + grey))
    size = step - 1
    out = []
    if vase is not None:
        out.append(rect(x, y, size, _CELL, fill=LINE, stroke=INK if vase == 0 else LINE))
        if vase == 0:
            out.append(icon("vase", x + 2, y + 4, min(size - 4, 19), fill=SKY))
        x += step
    for i, effect in enumerate(effects):
        here = vase is not None and vase == i + 1
        passed = vase is not None and vase > i
        fill = "#cfcfcf" if passed else "#ffffff"
        out.append(
            rect(x, y, size, _CELL, fill=fill, stroke=INK if here else LINE, line=2 if here else 1)
        )
        if here:
            out.append(icon("vase", x + 2, y + 4, min(size - 4, 19), fill=SKY))
        elif passed:
            out.append(text(x + size / 2, y + 18, "✓", 12, anchor="middle", fill=GREY))
        else:
            out.append(_space(effect, x, y, size))
        x += step
    return "".join(out)


def _space(effect: Any, x: float, y: float, size: float) -> str:
    """One space: its icon, with a word for an action."""
    items = effect_tokens(effect)
    action = v.EFFECT_ACTIONS[effect[v.EFFECT_ACTION]]
    word = _LABELS[action.split()[0]] if action else ""
    height = min(size - 2, 16)
    row = tokens(x + 1, y + 2 + (0 if word else 4), items, height, width=size - 2, centred=True)
    return row + text(x + size / 2, y + 25, word, 8, anchor="middle", width=size - 1, fill=GREY)


def card_title(box: Box, card: str) -> str:
    """A card in words, for the pointer."""
    return f"{title_text(box, card)}, costs {cost_text(box, card)}: {content_text(box, card)}"


def card_face(box: Box, card: str, *, copies: int = 1) -> str:
    """A whole card, `CARD_WIDTH` x `CARD_HEIGHT`, with its corner at the origin.

    Args:
        box: the box of the card.
        card: its id.
        copies: equal cards in a hand.
    """
    kind = type_of(box, card)
    code = box.card_code(card)
    record = box.record[0]
    times = f" ×{copies}" if copies > 1 else ""
    out = [
        rect(0, 0, CARD_WIDTH, CARD_HEIGHT, stroke=GREY),
        rect(0, 0, CARD_WIDTH, 18, fill=TYPE_TINTS[kind], stroke=GREY),
        icon(TYPE_ICONS[kind], 3, 2, 14),
        text(20, 13.5, f"{card}{times}", 12, bold=True, width=50),
        text(CARD_WIDTH - 4, 13, TYPE_WORDS[kind], 10, anchor="end", width=74),
    ]
    if kind == v.WHEEL:
        played = [(str(int(record["card_vp"][code])), "vp")]
        done = [(str(int(record["card_done_vp"][code])), "vp")]
        out.append(wheel_spaces(box, card, 4, 24, CARD_WIDTH - 8))
        # The lower slot pays when the wheel is completed, the upper one when it is played.
        out.append(tokens(54, 63, [("play", ""), *played, ("done", ""), *done], 13, width=90))
    elif kind == v.ESPARTO:
        first, second = effects_of(box, card)
        out.append(tokens(6, 30, effect_tokens(first), 19, width=54, centred=True))
        out.append(text(CARD_WIDTH / 2, 44, "or", 11, anchor="middle", fill=GREY))
        out.append(tokens(86, 30, effect_tokens(second), 19, width=54, centred=True))
    elif kind == v.CLEANUP:
        spaces = int(record["card_spaces"][code])
        out.append(crack_boxes(6, 32, 15, 0, spaces, 68))
        out.append(text(78, 44, "→", 12))
        reward = effect_tokens(effects_of(box, card)[0])
        out.append(tokens(92, 31, reward, 18, width=52))
    else:
        left, right = side_tokens(box, card)
        out.append(tokens(4, 30, left, 19, width=24))
        out.append(tokens(CARD_WIDTH - 24, 30, right, 19, width=24))
        if kind == v.WORKSHOP:
            out.append(tokens(30, 31, paint_tokens(box, card), 17, width=88, centred=True))
        else:
            out.append(icon(TYPE_ICONS[kind], CARD_WIDTH / 2 - 11, 29, 22))
        if left[0][1]:
            out.append(text(4, 58, left[0][1].replace("_", " "), 9, fill=GREY, width=60))
        if right[0][1]:
            word = right[0][1].replace("_", " ")
            out.append(text(CARD_WIDTH - 4, 58, word, 9, anchor="end", fill=GREY, width=60))
    cost = amount_tokens(record["card_cost"][code])
    out.append(tokens(4, 63, cost, 15, width=48 if kind == v.WHEEL else CARD_WIDTH - 8))
    return group("".join(out), title=card_title(box, card))


def back(x: float, y: float, width: float, height: float, word: str) -> str:
    """A card seen from behind."""
    return rect(x, y, width, height, fill="#d6d0c4", stroke=GREY) + text(
        x + width / 2, y + height / 2 + 4, word, 11, anchor="middle", width=width - 4
    )
