"""§8.1 Acquire cards: the draft area, donkeys, row refreshes (rulings E01-E17, D08)."""

from __future__ import annotations

from typing import Any

from ..components.vocabulary import DRAFT_COLUMNS, DRAFT_ROWS, DRAFT_SPACES
from .catalogue import A_DONE, A_DONKEY, A_REFRESH, A_TAKE
from .constants import (
    EV_CARD_RETURNED,
    EV_DONKEY,
    EV_REFILLED,
    EV_REFRESHED,
    EV_TOOK,
    F_ACQUIRE,
    NOBODY,
    STREAM_REFRESH,
)
from .events import emit
from .frames import allow, pop, push
from .jit import fixed_kernel, kernel
from .rng import shuffle
from .supply import pay


@fixed_kernel
def rival_donkey(g: Any, p: int, space: int) -> bool:
    """Another seat's donkey stands there: the card is not available to `p` (ruling E08)."""
    for q in range(g.num_seats):
        if q != p and g.donkey[q] == space:
            return True
    return False


@fixed_kernel
def available(g: Any, p: int, space: int) -> bool:
    """A card lies there and no rival donkey stands on it."""
    card = g.draft[space // DRAFT_COLUMNS, space % DRAFT_COLUMNS]
    return bool(card >= 0) and not rival_donkey(g, p, space)


@kernel
def price(g: Any, p: int, space: int) -> int:
    """Perra gorda for a card: orthogonal steps from the donkey's space (ruling E01)."""
    here = g.donkey[p]
    rows = abs(space // DRAFT_COLUMNS - here // DRAFT_COLUMNS)
    columns = abs(space % DRAFT_COLUMNS - here % DRAFT_COLUMNS)
    return int(rows + columns)


@kernel
def can_refresh(box: Any, g: Any, p: int, row: int) -> bool:
    """All available cards of the row are of one type, at least one (ruling E09).

    With an empty deck, equal cards and no gap to the left of one the refresh would change nothing
    and is not offered.
    """
    kind = -1
    first = -1
    gap = False
    changes = g.deck_size[row] > 0
    for column in range(DRAFT_COLUMNS):
        card = g.draft[row, column]
        if card < 0:
            gap = True
        elif available(g, p, row * DRAFT_COLUMNS + column):
            if kind < 0:
                kind = box.card_type[card]
                first = card
            elif box.card_type[card] != kind:
                return False
            changes = changes or gap or card != first
    return kind >= 0 and changes


@kernel
def can_acquire(g: Any, p: int) -> bool:
    """Whether an Acquire could change anything: any available card can be landed on, or taken
    for nothing where the donkey stands (ruling E15)."""
    for space in range(DRAFT_SPACES):
        if available(g, p, space):
            return True
    return False


@kernel
def offer_acquire(box: Any, g: Any, p: int, limit: int, taken: int, refreshed: int) -> int:
    """Refresh (before the first card), take (up to the limit), move the donkey (ends it).

    Returns the number of choices beside `done`, which is offered while no card was taken, or
    when there is nowhere to land (rulings E03-E06).
    """
    if taken == 0:
        for row in range(DRAFT_ROWS):
            if (refreshed >> row) & 1 == 0 and can_refresh(box, g, p, row):
                allow(g, A_REFRESH + row)
    landing = False
    here = g.donkey[p]
    for space in range(DRAFT_SPACES):
        if available(g, p, space):
            if taken < limit and price(g, p, space) <= g.pg[p]:
                allow(g, A_TAKE + space)
            if space != here:
                allow(g, A_DONKEY + space)
                landing = True
    choices = g.num_legal
    if choices > 0 and (taken == 0 or not landing):
        allow(g, A_DONE)
    return int(choices)


@kernel
def take(g: Any, p: int, space: int) -> None:
    """Take a card: paid at once, priced from the donkey's space (ruling E02); public (E14)."""
    row, column = space // DRAFT_COLUMNS, space % DRAFT_COLUMNS
    cost = price(g, p, space)
    card = g.draft[row, column]
    emit(g, EV_TOOK, p, card, row, column, cost)
    pay(g, p, cost, 0, 0, 0)
    g.draft[row, column] = -1
    g.hand[p, card] += 1
    g.hand_size[p] += 1
    g.frames[g.depth - 1, 3] += 1


@kernel
def refill_row(g: Any, row: int) -> None:
    """Fill a row's empty spaces from its own deck, left to right (§8.1, ruling E13)."""
    size = int(g.deck_size[row])
    for column in range(DRAFT_COLUMNS):
        if g.draft[row, column] < 0 and size > 0:
            size -= 1
            card = g.deck[row, size]
            g.deck[row, size] = -1
            g.draft[row, column] = card
            if g.deck_seen[card] > 0:
                g.deck_seen[card] -= 1
            emit(g, EV_REFILLED, NOBODY, row, column, card, 0)
    g.deck_size[row] = size


@kernel
def refill(g: Any) -> None:
    for row in range(DRAFT_ROWS):
        refill_row(g, row)


@kernel
def refresh(g: Any, p: int, row: int) -> None:
    """Return all available cards of a row, shuffle its deck, fill the row anew (E09-E12)."""
    emit(g, EV_REFRESHED, p, row, 0, 0, 0)
    size = int(g.deck_size[row])
    deck = g.deck[row]
    for column in range(DRAFT_COLUMNS):
        if available(g, p, row * DRAFT_COLUMNS + column):
            # Under the deck: its next card is its last entry.
            for i in range(size, 0, -1):
                deck[i] = deck[i - 1]
            deck[0] = g.draft[row, column]
            g.deck_seen[deck[0]] += 1
            emit(g, EV_CARD_RETURNED, p, row, column, deck[0], 0)
            g.draft[row, column] = -1
            size += 1
    g.deck_size[row] = size
    shuffle(g, STREAM_REFRESH, deck, size)
    refill_row(g, row)
    g.frames[g.depth - 1, 4] |= 1 << row


@fixed_kernel
def move_donkey(g: Any, p: int, space: int) -> None:
    g.donkey[p] = space
    row, column = space // DRAFT_COLUMNS, space % DRAFT_COLUMNS
    emit(g, EV_DONKEY, p, row, column, g.draft[row, column], 0)


@kernel
def finish_acquire(g: Any) -> None:
    """The Acquire ends: refill after the donkey has moved (ruling E07)."""
    pop(g)
    refill(g)


@kernel
def choose_acquire(g: Any, p: int, action: int) -> None:
    if A_REFRESH <= action < A_REFRESH + DRAFT_ROWS:
        refresh(g, p, action - A_REFRESH)
    elif A_TAKE <= action < A_TAKE + DRAFT_SPACES:
        take(g, p, action - A_TAKE)
    else:
        move_donkey(g, p, action - A_DONKEY)
        finish_acquire(g)


@fixed_kernel
def start_acquire(g: Any, p: int, limit: int) -> None:
    push(g, F_ACQUIRE, p, limit, 0, 0, 0)
