"""`determinize`: a random game that agrees with all that one player may see.

Dealt anew are: the decks together with the cards that others were dealt (a card that everybody
saw stays in its hand), the others' endgame cards and those out of the game, the order of the
Competition's face-down cards, and all chance to come. What stays is what an observation shows, so
the observer's observation and legal actions do not change by a bit.

Every deal that agrees with it is equally likely. A rival that is about to choose has at least one
choice that changes something, or the engine would not ask; deals without one are drawn again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..components.vocabulary import (
    MAX_DECK,
    NUM_COMPETITION_CARDS,
    NUM_DECKS,
    NUM_ENDGAME_CARDS,
    NUM_ENDGAME_KINDS,
    NUM_ROUNDS,
)
from .constants import F_SLOT, PHASE_FINISHED, PHASE_SETUP, STREAM_DETERMINIZE
from .decisions import offer
from .jit import entry, kernel
from .layout import DECK_START
from .rng import below, philox

# Numbers drawn: `PART_SIZE` for each deck, then the endgame cards, the Competition's deck, the
# seed; then again for another deal.
PART_SIZE = 128
PART_ENDGAME = NUM_DECKS
PART_COMPETITION = NUM_DECKS + 1
PART_SEED = NUM_DECKS + 2
PARTS = NUM_DECKS + 3
# A deal like the true one turns up about once in 30 deals, at worst (a rival that can play a
# single card of those dealt to it).
MAX_DEALS = 4096


@kernel
def mix(key: np.uint64, index: int, cards: Any, size: int) -> None:
    """Shuffle the first `size` entries with the numbers of `key` from `index` on."""
    for i in range(size - 1, 0, -1):
        j = below(key, STREAM_DETERMINIZE, index + i, i + 1)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card


@kernel
def shown_copies(g: Any, q: int, card: int) -> int:
    """Copies of a card dealt to `q` that are known all the same: a card paid for and waiting for
    its space lies open, unless a publicly known copy is the one."""
    shown = 0
    for k in range(g.depth):
        if g.frames[k, 0] == F_SLOT and g.frames[k, 1] == q and g.frames[k, 2] == card:
            shown += 1
    public = int(g.hand[q, card]) - int(g.hand_dealt[q, card])
    return max(shown - public, 0)


@kernel
def deal_deck(g: Any, p: int, deck: int, key: np.uint64, index: int) -> None:
    """Mix a deck with the cards of it that the others were dealt, and deal it out again.

    Cards that everybody saw return to the deck (`deck_seen`) are known to be in it.
    """
    pool = np.empty(MAX_DECK, np.int8)
    kept = np.empty(MAX_DECK, np.int8)
    seen = g.deck_seen.copy()
    counts = np.zeros(g.hand.shape[0], np.int64)
    size = int(g.deck_size[deck])
    n = 0
    known = 0
    for i in range(size):
        card = g.deck[deck, i]
        if seen[card] > 0:
            seen[card] -= 1
            kept[known] = card
            known += 1
        else:
            pool[n] = card
            n += 1
    for q in range(g.num_players):
        if q == p:
            continue
        for card in range(DECK_START[deck], DECK_START[deck + 1]):
            hidden = int(g.hand_dealt[q, card])
            if hidden > 0:
                hidden -= shown_copies(g, q, card)
            for _ in range(hidden):
                pool[n] = card
                n += 1
                counts[q] += 1
            g.hand[q, card] -= hidden
            g.hand_dealt[q, card] -= hidden
    mix(key, index, pool, n)
    for i in range(size):
        g.deck[deck, i] = kept[i] if i < known else pool[i - known]
    mix(key, index + PART_SIZE // 2, g.deck[deck], size)
    n = size - known
    for q in range(g.num_players):
        for _ in range(counts[q]):
            g.hand[q, pool[n]] += 1
            g.hand_dealt[q, pool[n]] += 1
            n += 1


@kernel
def deal_kinds(pool: Any, first: int, kinds: Any) -> int:
    """Replace a row of endgame cards by as many from the pool; returns the next place in it."""
    count = 0
    for kind in range(NUM_ENDGAME_KINDS):
        count += int(kinds[kind])
        kinds[kind] = 0
    for i in range(first, first + count):
        kinds[pool[i]] += 1
    return first + count


@kernel
def deal_endgame(box: Any, g: Any, p: int, key: np.uint64, index: int) -> None:
    """The endgame cards that `p` never held, to the others' hands, plays and discards."""
    pool = np.empty(NUM_ENDGAME_CARDS, np.int8)
    n = 0
    for kind in range(NUM_ENDGAME_KINDS):
        own = g.endgame_hand[p, kind] + g.endgame_played[p, kind] + g.endgame_discarded[p, kind]
        for _ in range(box.endgame_copies[kind] - own):
            pool[n] = kind
            n += 1
    mix(key, index, pool, n)
    n = 0
    for q in range(g.num_players):
        if q != p:
            n = deal_kinds(pool, n, g.endgame_hand[q])
            n = deal_kinds(pool, n, g.endgame_played[q])
            n = deal_kinds(pool, n, g.endgame_discarded[q])


@kernel
def same_back(box: Any, card: int, other: int) -> bool:
    for i in range(NUM_ROUNDS):
        for j in range(2):
            if box.comp_piece[card, i, j] != box.comp_piece[other, i, j]:
                return False
    return True


@kernel
def mix_competition(box: Any, g: Any, key: np.uint64, index: int) -> None:
    """The face-down cards: first one with the back that lies open, then the others (§12.5)."""
    first = int(g.comp_revealed)
    if first >= NUM_COMPETITION_CARDS:
        return
    deck = g.comp_deck
    back = int(deck[first])
    alike = 0
    for k in range(first, NUM_COMPETITION_CARDS):
        alike += 1 if same_back(box, deck[k], back) else 0
    skip = below(key, STREAM_DETERMINIZE, index, alike)
    for k in range(first, NUM_COMPETITION_CARDS):
        if same_back(box, deck[k], back):
            if skip == 0:
                deck[first], deck[k] = deck[k], deck[first]
                break
            skip -= 1
    mix(key, index, deck[first + 1 :], NUM_COMPETITION_CARDS - first - 1)


@kernel
def forget_log(g: Any) -> None:
    """Events may tell hidden cards."""
    g.log_on = 0
    if g.num_events > 0:
        g.num_events = 0
        g.events[:, :] = 0


@kernel
def determinize(box: Any, g: Any, p: int, key: np.uint64) -> None:
    """Deal all that player `p` cannot know anew, by the random numbers of `key`; a game that is
    over stays as it is."""
    forget_log(g)
    if g.phase == PHASE_FINISHED:
        return
    asked = g.num_legal > 0
    for attempt in range(MAX_DEALS):
        index = attempt * PARTS * PART_SIZE
        for deck in range(NUM_DECKS):
            deal_deck(g, p, deck, key, index + deck * PART_SIZE)
        deal_endgame(box, g, p, key, index + PART_ENDGAME * PART_SIZE)
        if g.current_player == p:  # its choices are its own to know
            break
        offer(box, g)
        if g.num_legal > 0 or not asked:
            break
    if g.num_players == 1 and g.phase != PHASE_SETUP:
        mix_competition(box, g, key, PART_COMPETITION * PART_SIZE)
    g.seed = philox(
        key, np.uint64(PART_SEED * PART_SIZE), np.uint64(STREAM_DETERMINIZE), np.uint64(0)
    )
    g.draws[:] = 0


@entry
def determinize_game(boxes: Any, games: Any, i: int, player: int, key: np.uint64) -> None:
    """`determinize` for game `i`."""
    determinize(boxes[0], games[i], player, key)
