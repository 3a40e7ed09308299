"""Game cards and starting cards: from entries to the card rows of the record (§8.2, §4.3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from . import schema as e
from . import sections as s
from . import vocabulary as v
from .notation import (
    CLEANUP_ACTIONS,
    GAINS,
    RESOURCE_GAINS,
    SINGLES,
    WHEEL_ACTIONS,
    parse_action,
    parse_cost,
    parse_effect,
    parse_paint,
)
from .reading import Tables

_RESERVED: Final = frozenset((*v.START_WHEEL_IDS, *v.START_RESOURCE_IDS, *v.START_CARD_IDS))
_Wheel = e.WheelCard | e.StartWheel
_Cleanup = e.CleanupCard | e.StartCleanup
_Esparto = e.EspartoCard | e.PrintedEsparto


def fill_game_cards(tables: Tables, box: Any, ids: list[str]) -> None:
    """Fill rows 0-79 and the ids of the cards in use; check ids, kinds and copies."""
    taken: dict[str, str] = {}
    for card_type, section in enumerate(s.GAME_CARDS):
        entries = tables.some(section)
        for index, (name, card) in enumerate(entries):
            _check_id(tables, section, name, card.id, taken)
            if index < v.TYPE_COPIES[card_type]:
                code = v.TYPE_BASE[card_type] + index
                ids[code] = card.id
                box["card_copies"][code] = card.copies
                cost = tables.parse(section, name, "cost", card.cost, parse_cost)
                if cost is not None:
                    box["card_cost"][code] = cost
                _FILL[card_type](tables, section, name, box, code, card)
        if tables.whole(section):
            _check_copies(tables, section, card_type, [card.copies for _, card in entries])


def _check_id(
    tables: Tables, section: s.Section[Any], name: str, card: str, taken: dict[str, str]
) -> None:
    if card.lower().startswith("unused"):
        message = "names beginning with 'unused' are kept for identities not in use"
    elif card in _RESERVED:
        message = "a starting card has this name"
    elif card in taken:
        message = f"another card in {taken[card]} has this name"
    else:
        taken[card] = section.file
        return
    tables.fault(section, name, "id", f"found '{card}'; {message}, choose another")


def _check_copies(
    tables: Tables, section: s.Section[Any], card_type: int, copies: list[int]
) -> None:
    expected = v.TYPE_COPIES[card_type]
    if sum(copies) != expected:
        tables.fault(
            section,
            "[[card]]",
            "copies",
            f"found {sum(copies)} cards in all ({len(copies)} kinds with their copies), "
            f"expected {expected}; add or remove kinds or copies",
        )


def _wheel(
    tables: Tables, section: s.Section[Any], name: str, box: Any, code: int, card: _Wheel
) -> None:
    box["card_type"][code] = v.WHEEL
    box["card_spaces"][code] = len(card.spaces)
    box["card_done_vp"][code] = card.done_vp
    if isinstance(card, e.WheelCard):
        box["card_vp"][code] = card.play_vp
    for index, text in enumerate(card.spaces):
        field = f"spaces number {index + 1}"
        effect = tables.parse(section, name, field, text, parse_effect, WHEEL_ACTIONS, GAINS)
        if effect is not None:
            box["card_effect"][code, index] = effect


def _esparto(
    tables: Tables, section: s.Section[Any], name: str, box: Any, code: int, card: _Esparto
) -> None:
    box["card_type"][code] = v.ESPARTO
    for index, text in enumerate(card.rewards):
        field = f"rewards number {index + 1}"
        effect = tables.parse(section, name, field, text, parse_effect, SINGLES, RESOURCE_GAINS)
        if effect is not None:
            box["card_effect"][code, index] = effect


def _cleanup(
    tables: Tables, section: s.Section[Any], name: str, box: Any, code: int, card: _Cleanup
) -> None:
    box["card_type"][code] = v.CLEANUP
    box["card_spaces"][code] = card.cracks
    effect = tables.parse(section, name, "reward", card.reward, parse_effect, CLEANUP_ACTIONS)
    if effect is not None:
        box["card_effect"][code, 0] = effect


def _row_card(card_type: int) -> Callable[..., None]:
    """Kilns and glazing workshops: side icons, and the price of painting."""

    def fill(
        tables: Tables,
        section: s.Section[Any],
        name: str,
        box: Any,
        code: int,
        card: e.KilnCard | e.StartKiln,
    ) -> None:
        box["card_type"][code] = card_type
        for side, field in enumerate(("left", "right")):
            text = getattr(card, field, None)
            if text is None:  # starting cards have no left side
                continue
            action = tables.parse(section, name, field, text, parse_action)
            if action is not None:
                box["card_icon"][code, side] = action
        if isinstance(card, e.WorkshopCard | e.StartWorkshop):
            prices = tables.parse(section, name, "paint", card.paint, parse_paint)
            if prices is not None:
                box["card_paint_options"][code] = len(prices)
                box["card_paint"][code, : len(prices)] = prices

    return fill


# By card type, in the order of `vocabulary.CARD_TYPES`.
_FILL: Final[tuple[Callable[..., None], ...]] = (
    _wheel,
    _esparto,
    _cleanup,
    _row_card(v.WORKSHOP),
    _row_card(v.GLAZE_KILN),
    _row_card(v.FIRING_KILN),
)

_START_CARDS: Final[tuple[tuple[s.Section[Any], int, int], ...]] = (
    (s.START_CLEANUP, v.CLEANUP, v.START_CLEANUP),
    (s.START_FIRING_KILN, v.FIRING_KILN, v.START_FIRING_KILN),
    (s.START_GLAZE_KILN, v.GLAZE_KILN, v.START_GLAZE_KILN),
    (s.START_WORKSHOP, v.WORKSHOP, v.START_WORKSHOP),
    (s.PRINTED_ESPARTO, v.ESPARTO, v.PRINTED_ESPARTO),
)


def fill_start_cards(tables: Tables, box: Any) -> None:
    """Fill rows 80-89 and the starting resources."""
    for index, (name, wheel) in enumerate(tables.some(s.START_WHEELS)):
        _wheel(tables, s.START_WHEELS, name, box, v.START_WHEEL + index, wheel)
    for section, card_type, code in _START_CARDS:
        for name, card in tables.some(section):
            _FILL[card_type](tables, section, name, box, code, card)
    for index, (name, start) in enumerate(tables.some(s.START_RESOURCES)):
        amounts = tables.parse(s.START_RESOURCES, name, "resources", start.resources, parse_cost)
        if amounts is not None:
            box["start_resources"][index] = amounts
