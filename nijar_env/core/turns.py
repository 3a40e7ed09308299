"""§7.2 Player turns: craftswomen, discards, closing the shop (rulings B01-B29)."""

from __future__ import annotations

from typing import Any

from ..components.vocabulary import (
    BOARD_ROWS,
    CLAY_CAP,
    MAX_COLUMNS,
    NUM_ENDGAME_KINDS,
)
from .actions import offer_tiles, start
from .bonuses import bonus_changes, combined, start_bonus
from .catalogue import (
    A_ACTION,
    A_BONUS,
    A_CLOSE,
    A_DISCARD,
    A_PLACE,
    A_SELL,
    A_SHOP,
    A_SPECIAL,
)
from .competition import competition_gains_returned
from .constants import (
    COMPETITION,
    EV_CLOSED,
    EV_DISCARDED_ENDGAME,
    EV_PLACED,
    EV_PLACED_SPECIAL,
    F_ANY_ACTION,
    F_BONUS,
    F_PLACEMENT,
    F_SPECIAL,
)
from .events import emit
from .frames import allow, allow_done, count_down, pop, push
from .jit import fixed_kernel, kernel
from .market import choose_first_sale, offer_sales
from .returns import return_craftswomen
from .supply import gain_clay, gain_glaze, gain_pg

ALL_SPECIAL_BONUSES = 0b111


@fixed_kernel
def can_place(g: Any, p: int, row: int, column: int) -> bool:
    """A space in play without own craftswomen, and one more at hand than stand there (B02-B04)."""
    return bool(
        g.bonus[column] >= 0
        and g.space_owner[row, column] != p
        and g.craftswomen[p] > g.space_count[row, column]
    )


@kernel
def offer_turn(g: Any, p: int) -> int:
    """The options of an open shop (§7.2); there is no pass (rulings D31, B18)."""
    if g.craftswomen[p] > 0:
        for row in range(BOARD_ROWS):
            for column in range(MAX_COLUMNS):
                if can_place(g, p, row, column):
                    allow(g, A_PLACE + row * MAX_COLUMNS + column)
        allow(g, A_SPECIAL)
    else:
        allow(g, A_CLOSE)
    for kind in range(NUM_ENDGAME_KINDS):
        if g.endgame_hand[p, kind] > 0:
            allow(g, A_DISCARD + kind)
    offer_sales(g, p)
    return int(g.num_legal)


@kernel
def place(box: Any, g: Any, p: int, row: int, column: int) -> None:
    """§7.2.1.1: one more than stand there; those go home first (B05), then the owed menu."""
    before = int(g.space_count[row, column])
    owner = int(g.space_owner[row, column])
    placed = before + 1
    g.craftswomen[p] -= placed
    g.space_owner[row, column] = p
    g.space_count[row, column] = placed
    emit(g, EV_PLACED, p, row, column, placed, owner)
    push(g, F_PLACEMENT, p, row, 1, g.bonus[column], placed)
    if before > 0:
        return_craftswomen(g, owner, before)
        if g.num_players == 1 and owner == COMPETITION:
            competition_gains_returned(box, g, before)


@kernel
def place_special(g: Any, p: int) -> None:
    """§7.2.1.2: one craftswoman, nobody is returned (ruling B15)."""
    g.craftswomen[p] -= 1
    g.special[p] += 1
    emit(g, EV_PLACED_SPECIAL, p, 0, 0, 0, 0)
    push(g, F_SPECIAL, p, ALL_SPECIAL_BONUSES, 0, 0, 0)


@kernel
def choose_turn(box: Any, g: Any, p: int, action: int) -> None:
    if action == A_SPECIAL:
        place_special(g, p)
    elif A_PLACE <= action < A_SPECIAL:
        space = action - A_PLACE
        place(box, g, p, space // MAX_COLUMNS, space % MAX_COLUMNS)
    elif A_DISCARD <= action < A_SELL:
        # §7.2.2: out of the game unseen, for any action of the tiles (rulings B23, B24)
        kind = action - A_DISCARD
        g.endgame_hand[p, kind] -= 1
        g.endgame_discarded[p, kind] += 1
        emit(g, EV_DISCARDED_ENDGAME, p, kind, 0, 0, 0)
        push(g, F_ANY_ACTION, p, 0, 0, 0, 0)
    elif A_SELL <= action < A_CLOSE:
        choose_first_sale(box, g, p, action - A_SELL)
    elif action == A_CLOSE:
        # §7.2.4: closing earns one bonus of choice (rulings D20, D21)
        g.shop_closed[p] = 1
        emit(g, EV_CLOSED, p, 0, 0, 0, 0)
        push(g, F_BONUS, p, 0, 0, 0, 0)


@kernel
def offer_placement(box: Any, g: Any, p: int, row: int, action: int, bonus: int, owed: int) -> int:
    """The row's action (once) and the bonuses still owed, in any order (§7.2.1.1, B08-B13)."""
    if action:
        offer_tiles(box, g, p, row)
    if owed > 0 and bonus_changes(box, g, p, bonus):
        allow(g, A_BONUS + bonus)
    choices = g.num_legal
    allow_done(g)
    return int(choices)


@kernel
def choose_placement(box: Any, g: Any, p: int, action: int) -> None:
    frame = g.frames[g.depth - 1]
    if action < A_BONUS:
        frame[3] = 0
        if frame[5] == 0:
            pop(g)
        start(box, g, p, action - A_ACTION + 1)
        return
    bonus = frame[4]
    size = frame[5] if combined(bonus) else 1
    frame[5] -= size
    if frame[3] == 0 and frame[5] == 0:
        pop(g)
    start_bonus(box, g, p, bonus, size)


@kernel
def offer_shop(g: Any, p: int) -> int:
    """§7.2.5: a reward for each craftswoman returned to a closed shop (B07); one that changes
    something must be taken."""
    if g.clay[p] < CLAY_CAP:
        allow(g, A_SHOP)
    if g.supply_pg > 0:
        allow(g, A_SHOP + 1)
    if g.supply_glaze > 0:
        allow(g, A_SHOP + 2)
    return int(g.num_legal)


@kernel
def choose_shop(box: Any, g: Any, p: int, option: int) -> None:
    count_down(g, 2)
    amount = box.shop_reward[option]
    if option == 0:
        gain_clay(g, p, amount)
    elif option == 1:
        gain_pg(g, p, amount)
    else:
        gain_glaze(g, p, amount)
