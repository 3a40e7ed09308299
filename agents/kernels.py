"""Small kernels that agents share."""

from __future__ import annotations

from typing import Any

import numpy as np

from nijar_env.components.vocabulary import MAX_PLAYERS, NUM_CARDS, NUM_COMPETITION_CARDS, NUM_DECKS
from nijar_env.core.determinize import determinize, same_back, shown_copies
from nijar_env.core.jit import entry, kernel
from nijar_env.core.layout import DECK_START
from nijar_env.core.rng import below, philox

_LOW = 0xFFFFFFFF
_32 = 32


@entry
def stream_keys(seed: np.uint64, ids: Any, decisions: Any, out: Any) -> None:
    """A random 64-bit key for each game at each decision: hashed, so that games are independent
    and what is drawn in one depends on nothing but the seed, its number and how far it has come."""
    for i in range(ids.shape[0]):
        low = np.uint64(ids[i] & _LOW)
        high = np.uint64(ids[i] >> _32)
        out[i] = philox(seed, low, high, np.uint64(decisions[i] & _LOW))


@entry
def random_actions(masks: Any, keys: Any, out: Any) -> None:
    """A uniformly random legal action for each row of `masks`, by the row's key."""
    for i in range(masks.shape[0]):
        legal = 0
        for action in range(masks.shape[1]):
            legal += 1 if masks[i, action] else 0
        skip = below(keys[i], 0, 0, legal)
        for action in range(masks.shape[1]):
            if masks[i, action]:
                if skip == 0:
                    out[i] = action
                    break
                skip -= 1


@kernel
def sort_deck(g: Any, p: int, deck: int) -> None:
    """Put the cards of a deck that `p` cannot place in order of their codes: those dealt to others
    first, then the deck. Cards that all saw return to the deck (`deck_seen`) stay in it."""
    first, end = int(DECK_START[deck]), int(DECK_START[deck + 1])
    copies = np.zeros(NUM_CARDS, np.int64)
    dealt = np.zeros(MAX_PLAYERS, np.int64)
    for i in range(g.deck_size[deck]):
        copies[g.deck[deck, i]] += 1
    for q in range(g.num_players):
        if q == p:
            continue
        for card in range(first, end):
            hidden = int(g.hand_dealt[q, card])
            if hidden > 0:
                hidden -= shown_copies(g, q, card)
            copies[card] += hidden
            dealt[q] += hidden
            g.hand[q, card] -= hidden
            g.hand_dealt[q, card] -= hidden
    card = first
    for q in range(g.num_players):
        for _ in range(dealt[q]):
            while copies[card] <= g.deck_seen[card]:
                card += 1
            copies[card] -= 1
            g.hand[q, card] += 1
            g.hand_dealt[q, card] += 1
    n = 0
    for card in range(first, end):
        for _ in range(copies[card]):
            g.deck[deck, n] = card
            n += 1


@kernel
def sort_competition(box: Any, g: Any) -> None:
    """Put the Competition's face-down cards in order: one with the back that lies open, the
    others."""
    first = int(g.comp_revealed)
    deck = g.comp_deck
    for k in range(first + 1, NUM_COMPETITION_CARDS):
        if deck[k] < deck[first] and same_back(box, deck[k], deck[first]):
            deck[first], deck[k] = deck[k], deck[first]
    for k in range(first + 2, NUM_COMPETITION_CARDS):
        at = k
        while at > first + 1 and deck[at] < deck[at - 1]:
            deck[at], deck[at - 1] = deck[at - 1], deck[at]
            at -= 1


@entry
def determinize_rows(boxes: Any, games: Any, rows: Any, keys: Any, out: Any) -> None:
    """Copies of the games of `rows`, determinized for the player to act in each.

    A deal shuffles the cards as they lie; they are sorted first, so that it depends on what the
    player knows and on the key alone, and equal knowledge gives equal choices.
    """
    for i in range(rows.shape[0]):
        out[i] = games[rows[i]]
        p = int(out[i].current_player)
        for deck in range(NUM_DECKS):
            sort_deck(out[i], p, deck)
        if out[i].num_players == 1:
            sort_competition(boxes[0], out[i])
        determinize(boxes[0], out[i], p, keys[i])
