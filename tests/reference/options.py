"""What may be chosen: pure functions from the table to action names (without `done`).

An effect whose list is empty could change nothing now, so no menu offers it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement

from . import box
from .box import Amounts, Effect
from .state import Player, Space, Table


def distance(a: Space, b: Space) -> int:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def parse_space(text: str) -> Space:
    row, column = text.split(",")
    return int(row), int(column)


# --- acquire (§8.1) ---


def landing_spaces(table: Table, seat: int) -> list[Space]:
    present = table.players[seat].donkey
    return [space for space in table.available_cards(seat) if space != present]


def refreshable(table: Table, seat: int, row: int) -> bool:
    """All available cards of the row, at least one, are of one type (rulings E09, E10).

    With an empty deck, equal cards and no gap to the left of any, it would change nothing.
    """
    cards = [table.draft[r][c] for r, c in table.available_cards(seat) if r == row]
    if not cards or len({box.card_type(card) for card in cards if card}) > 1:
        return False
    last = max(column for r, column in table.available_cards(seat) if r == row)
    gap = None in table.draft[row][:last]
    return bool(table.decks[row]) or len(set(cards)) > 1 or gap


def acquire_options(
    table: Table, seat: int, left: int, nothing_taken: bool, refreshed: set[int] | frozenset[int]
) -> list[str]:
    player = table.players[seat]
    assert player.donkey is not None
    options = []
    if nothing_taken:
        options += [
            f"refresh:{row}"
            for row in range(box.DRAFT_ROWS)
            if row not in refreshed and refreshable(table, seat, row)
        ]
    if left > 0:
        options += [
            f"take:{space[0]},{space[1]}"
            for space in table.available_cards(seat)
            if distance(space, player.donkey) <= player.pg
        ]
    return options + [f"donkey:{row},{column}" for row, column in landing_spaces(table, seat)]


# --- play a card (§8.2) ---


def free_spaces(player: Player, kind: str) -> list[int]:
    spaces: Sequence[object] = player.wheels if kind == "wheel" else player.esparto
    return [k for k, space in enumerate(spaces) if space is None]


def play_options(table: Table, seat: int) -> list[str]:
    player = table.players[seat]
    options = []
    for card in dict.fromkeys(player.hand):
        kind = box.card_type(card)
        has_room = kind not in ("wheel", "esparto") or bool(free_spaces(player, kind))
        if has_room and table.can_pay(seat, box.card_cost(card)):
            options.append(f"play:{card}")
    return options


# --- the other actions ---


def clay_options(table: Table, seat: int) -> list[str]:
    player = table.players[seat]
    if player.clay >= box.CLAY_CAP:
        return []
    return [f"clay:{amount}" for amount, price in box.EXTRACT_COST.items() if price <= player.pg]


def throw_options(table: Table, seat: int) -> list[str]:
    return [
        f"throw:{k}"
        for k, wheel in enumerate(table.players[seat].wheels)
        if wheel is not None and wheel.movable
    ]


def shape_options(table: Table, seat: int) -> list[str]:
    options = []
    if table.can_pay(seat, box.SHAPE_ONE):
        options += [f"shape:{piece}" for piece in box.PIECES if table.supply[piece] > 0]
    if table.can_pay(seat, box.SHAPE_TWO):
        options += [
            f"shape:{first}+{second}"
            for first, second in combinations_with_replacement(box.PIECES, 2)
            if table.supply[first] > 0 and table.supply[second] > (1 if first == second else 0)
        ]
    return options


def fire_options(table: Table, seat: int) -> list[str]:
    player = table.players[seat]
    options = []
    if any(kiln.piece is None for kiln in player.firing_kilns):
        options += [f"fire:{piece}" for piece in box.PIECES if player.drying[piece] > 0]
    if any(kiln.piece is None for kiln in player.glaze_kilns):
        options += [
            f"glaze:{k}"
            for k, workshop in enumerate(player.workshops)
            if workshop.piece is not None
        ]
    return options


def payable_prices(table: Table, seat: int, workshop: str) -> list[Amounts]:
    return [price for price in box.WORKSHOPS[workshop].prices if table.can_pay(seat, price)]


def paint_options(table: Table, seat: int) -> list[str]:
    player = table.players[seat]
    fired = [
        piece for piece in box.PIECES if any(kiln.piece == piece for kiln in player.firing_kilns)
    ]
    return [
        f"paint:{piece}@{k}"
        for k, workshop in enumerate(player.workshops)
        if workshop.piece is None and payable_prices(table, seat, workshop.card)
        for piece in fired
    ]


def clean_options(table: Table, seat: int) -> list[str]:
    """A cleaned crack goes to a card while any card has room, else to the supply (ruling J03)."""
    player = table.players[seat]
    if player.cleaning_area == 0:
        return []
    return [f"clean:{k}" for k, card in enumerate(player.cleanup) if not card.full] or [
        "clean:supply"
    ]


def esparto_options(table: Table, seat: int, spaces: list[int]) -> list[str]:
    options = []
    for k in spaces:
        card = table.players[seat].esparto[k]
        assert card is not None
        options += [
            f"esparto:{k}:{i}"
            for i, reward in enumerate(box.ESPARTO[card].rewards)
            if effect_changes_something(table, seat, reward)
        ]
    return options


def filled_esparto_spaces(player: Player) -> list[int]:
    return [k for k, card in enumerate(player.esparto) if card is not None]


def track_options(table: Table, seat: int) -> list[str]:
    """Empty spaces that the player can pay; none once the action was used this round (L01-L03)."""
    if seat in table.first_player_track:
        return []
    prices = box.FIRST_PLAYER_TRACK[table.num_players]
    return [
        f"track:{k}"
        for k, owner in enumerate(table.first_player_track)
        if owner is None and table.players[seat].pg + prices[k] >= 0
    ]


def gain_options(table: Table, seat: int) -> list[str]:
    return [f"gain:{what}" for what in box.SUPPLY_BONUS if table.supply[what] > 0]


def shop_options(table: Table, seat: int) -> list[str]:
    return [
        f"shop:{what}" for what in box.SHOP_REWARDS if table.gain_changes_something(seat, {what: 1})
    ]


# --- could it change anything now? ---


def action_options(table: Table, seat: int, action: str) -> list[str]:
    """The first choices of an action (technology, which has none, stands for itself)."""
    match action:
        case "acquire":
            return acquire_options(table, seat, box.ACQUIRE_LIMIT, True, frozenset())
        case "play":
            return play_options(table, seat)
        case "clay":
            return clay_options(table, seat)
        case "tech":
            return ["tech"] if table.players[seat].technology < box.TECHNOLOGY_LAST else []
        case "throw":
            return throw_options(table, seat)
        case "shape":
            return shape_options(table, seat)
        case "fire" | "fire 1":
            return fire_options(table, seat)
        case "paint" | "paint 1":
            return paint_options(table, seat)
        case "clean" | "clean 1":
            return clean_options(table, seat)
        case "esparto":
            return esparto_options(table, seat, filled_esparto_spaces(table.players[seat]))
        case "first_player":
            return track_options(table, seat)
    raise ValueError(action)


def bonus_changes_something(table: Table, seat: int, bonus: str) -> bool:
    match bonus:
        case "clay":
            return table.gain_changes_something(seat, box.CLAY_BONUS)
        case "supply":
            return bool(gain_options(table, seat))
        case _:
            return bool(action_options(table, seat, bonus))


def effect_changes_something(table: Table, seat: int, effect: Effect) -> bool:
    if table.gain_changes_something(seat, effect.gains):
        return True
    return effect.action is not None and bool(action_options(table, seat, effect.action))


def menu_item_changes_something(table: Table, seat: int, item: str) -> bool:
    kind, name = item.split(":")
    if kind == "action":
        return bool(action_options(table, seat, name))
    return bonus_changes_something(table, seat, name)


# --- the options of a turn (§7.2) ---


def sell_options(player: Player) -> list[str]:
    unpainted = {kiln.piece for kiln in player.firing_kilns}
    painted = {kiln.piece for kiln in player.glaze_kilns}
    return [f"sell:{piece}" for piece in box.PIECES if piece in unpainted] + [
        f"sell:{piece}:painted" for piece in box.PIECES if piece in painted
    ]


def turn_options(table: Table, seat: int) -> list[str]:
    """An open shop's turn: exactly one option, no pass (ruling D31)."""
    player = table.players[seat]
    options = [
        f"place:{row},{column}"
        for row, spaces in enumerate(table.spaces)
        for column, space in enumerate(spaces)
        if player.craftswomen >= (space.count if space else 0) + 1
        and (space is None or space.owner != seat)
    ]
    options.append("special" if player.craftswomen else "close")
    options += [f"discard:{kind}" for kind in dict.fromkeys(player.endgame_hand)]
    return options + sell_options(player)
