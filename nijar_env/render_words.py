"""Short words for the text board: what cards cost and do, what is pending, who is who."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from .components import Box
from .components import vocabulary as v

WIDTH: Final = 100
LABEL: Final = 12  # before the items of a line
_TYPE_WORDS: Final = ("wheel", "esparto", "cleanup", "workshop", "glaze kiln", "firing kiln")

# What a phase asks while nothing is pending.
PHASE_TASKS: Final = {
    "setup": "a starting combination, then a space for the donkey",
    "market": "keep the market dice or roll them again",
    "turns": "a turn",
    "end_of_round": "an endgame card to play face down, or none",
}
# A pending frame by kind; the arguments are those of a scene (docs/state.md).
FRAME_WORDS: Final = {
    "placement": "placed on row {row}: action owed {action_owed}, bonus {bonus} x{bonuses_owed}",
    "special": "Special Action: bonuses {owed} owed (0 the printed one, 1 and 2 its tiles)",
    "sides": "side icons: {left}, {right}",
    "any_action": "any action of the action tiles",
    "bonus": "one bonus tile of choice",
    "sell": "sell: {left} more",
    "shop": "craftswomen returned to the closed shop: {left} rewards",
    "gain": "perra gorda or glazes",
    "acquire": "acquire cards: {taken} of {limit} taken, rows refreshed {refreshed}",
    "play": "play a card",
    "slot": "a space for {card}",
    "clay": "extract clay",
    "throw": "throw: steps left {left}",
    "shape": "shape",
    "fire": "fire: moves left {left}",
    "paint": "paint: pieces left {left}",
    "pay": "pay for painting a {piece} in workshop {workshop}",
    "clean": "clean: cracks left {left}",
    "rewards": "rewards of completed cleanup cards {owed}",
    "esparto": "collect esparto: spaces {owed}, rewards left {left}",
    "track": "a space of the first-player track",
    "complete_wheel": "wheel {space} is completed",
    "competition": "the rest of the Competition's turn",
}


def frame_text(frame: dict[str, Any]) -> str:
    """A pending frame of a scene in words."""
    values = {
        name: "any" if value is None else _joined(value) if isinstance(value, list) else value
        for name, value in frame.items()
    }
    if frame["kind"] == "sides":
        values["left"], values["right"] = frame["left"] or "taken", frame["right"] or "taken"
    return FRAME_WORDS[frame["kind"]].format(**values)


def _joined(numbers: list[int]) -> str:
    return "+".join(map(str, numbers)) if numbers else "none"


def type_of(box: Box, card: str) -> int:
    """The type code of a card id."""
    return int(box.record[0]["card_type"][box.card_code(card)])


def title_text(box: Box, card: str) -> str:
    """A card's id and type, such as `F10 firing kiln`."""
    return f"{card} {_TYPE_WORDS[type_of(box, card)]}"


def amounts_text(amounts: Any) -> str:
    """A cost (pg, glaze, clay, cracks gained), such as `3pg 1clay`, or `free`."""
    parts = [f"{n}{name}" for n, name in zip(amounts, v.RESOURCES, strict=True) if n]
    return " ".join(parts) or "free"


def cost_text(box: Box, card: str) -> str:
    """What playing a card costs."""
    return amounts_text(box.record[0]["card_cost"][box.card_code(card)])


def effect_text(effect: Any) -> str:
    """A printed effect in the notation of box files, such as `1VP+play`."""
    units = ("VP", "pg", "glaze", "clay")
    parts = [f"{n}{unit}" for n, unit in zip(effect[: v.EFFECT_ACTION], units, strict=True) if n]
    action = v.EFFECT_ACTIONS[effect[v.EFFECT_ACTION]]
    return "+".join([*parts, action] if action else parts) or "nothing"


def paint_text(box: Box, card: str) -> str:
    """What a glazing workshop asks for painting, such as `2glaze|2crack`."""
    code = box.card_code(card)
    prices = box.record[0]["card_paint"][code][: box.record[0]["card_paint_options"][code]]
    return "|".join(amounts_text((0, glaze, 0, crack)).replace(" ", "+") for glaze, crack in prices)


def spaces_of(box: Box, card: str) -> list[str]:
    """The effects of a wheel's spaces in order."""
    code = box.card_code(card)
    spaces = int(box.record[0]["card_spaces"][code])
    return [effect_text(effect) for effect in box.record[0]["card_effect"][code][:spaces]]


def sides_text(box: Box, card: str) -> str:
    """The side icons of a kiln or workshop: `clay <> fire`."""
    left, right = box.record[0]["card_icon"][box.card_code(card)]
    return f"{v.EFFECT_ACTIONS[left] or '-'} <> {v.EFFECT_ACTIONS[right] or '-'}"


def reward_text(box: Box, card: str) -> str:
    """The reward of a cleanup card, or the two of an esparto card."""
    code = box.card_code(card)
    effects = box.record[0]["card_effect"][code]
    if type_of(box, card) == v.ESPARTO:
        return f"{effect_text(effects[0])} or {effect_text(effects[1])}"
    return effect_text(effects[0])


def content_text(box: Box, card: str) -> str:
    """What a card does, in short: see `LEGEND`."""
    cards, code, kind = box.record[0], box.card_code(card), type_of(box, card)
    if kind == v.WHEEL:
        vp, done = cards["card_vp"][code], cards["card_done_vp"][code]
        return f"{vp}VP [{' '.join(spaces_of(box, card))}] {done}VP"
    if kind == v.ESPARTO:
        return reward_text(box, card)
    if kind == v.CLEANUP:
        return f"{cards['card_spaces'][code]} cracks: {reward_text(box, card)}"
    if kind == v.WORKSHOP:
        return f"paint {paint_text(box, card)}; {sides_text(box, card)}"
    return sides_text(box, card)


LEGEND: Final = (
    "wheels: VP when played [spaces in order] VP when completed; left <> right side icons; a cost "
    "in cracks is taken into the cleaning area; > the next step of a vase"
)


class View(NamedTuple):
    """A scene (`Game.to_dict`) as one viewer sees it; `viewer` None sees every hand."""

    box: Box
    scene: dict[str, Any]
    viewer: int | None

    @property
    def num_players(self) -> int:
        """Players; 1 is solo."""
        return int(self.scene["num_players"])

    def sees(self, seat: int) -> bool:
        """Whether the viewer knows what `seat` holds in secret."""
        return self.viewer is None or self.viewer == seat

    def who(self, seat: int | None) -> str:
        """`P0`-`P3`, `Comp`, or `-`."""
        if seat is None:
            return "-"
        return f"P{seat}" if seat < self.num_players else "Comp"

    def donkeys(self) -> dict[int, list[int] | None]:
        """The draft space of each seat's donkey."""
        spaces = {p: player["donkey"] for p, player in enumerate(self.scene["players"])}
        if self.num_players == 1:
            spaces[1] = self.scene["competition"]["donkey"]
        return spaces


def heading(text: str) -> str:
    """A line that begins a section."""
    return f"== {text} ".ljust(WIDTH, "=")


def columns(cells: Iterable[str], width: int) -> str:
    """Cells side by side."""
    return "".join(cell.ljust(width) for cell in cells).rstrip()


def wrapped(label: str, items: Iterable[str], between: str = "  ") -> list[str]:
    """A label and its items, broken into lines between items only."""
    lines: list[str] = []
    line = label.ljust(LABEL)
    empty = True
    for item in items:
        if not empty and len(line) + len(between) + len(item) > WIDTH:
            lines.append(line)
            line, empty = " " * LABEL, True
        line += item if empty else between + item
        empty = False
    return [*lines, line.rstrip()]
