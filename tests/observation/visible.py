"""What a player may see of a record, taken from it in plain NumPy: what `decode` must give."""

from __future__ import annotations

from typing import Any

import numpy as np

from nijar_env.components import Box
from nijar_env.components import vocabulary as v
from nijar_env.core import constants as c
from nijar_env.core.layout import FRAMES_SHOWN
from nijar_env.core.record import GAME_DTYPE

# Fields that are no part of what a player sees, or not as they stand.
NOT_STATE = {
    *("num_players", "num_seats", "auto_forced", "log_on", "decisions", "fault"),
    *("num_legal", "legal", "num_events", "events"),
}
HIDDEN = {"deck", "seed", "draws", "comp_deck"}
OWN = {"hand", "hand_dealt", "endgame_hand", "endgame_played", "endgame_discarded"}
SOLO = {"difficulty", "comp_piece", "comp_revealed"}


def visible(g: Any, player: int, box: Box) -> dict[str, Any]:
    names = set(GAME_DTYPE.names or ()) - NOT_STATE - HIDDEN - SOLO - {"frames"}
    known = {name: np.array(g[name], np.int64) for name in names - OWN}
    known.update({name: np.array(g[name][player], np.int64) for name in OWN})
    hand = np.array(g.hand, np.int64)
    dealt = np.array(g.hand_dealt, np.int64)
    known["hand_public"] = hand - dealt
    deck_of = np.repeat(v.TYPE_DECK, v.TYPE_COPIES)
    known["hand_dealt_by_deck"] = np.stack(
        [dealt[:, deck_of == deck].sum(axis=1) for deck in range(v.NUM_DECKS)], axis=1
    )
    for name in ("endgame_hand", "endgame_played", "endgame_discarded"):
        known[f"{name}_size"] = np.array(g[name], np.int64).sum(axis=1)
    known["frames"] = np.array(g.frames[: g.depth], np.int64)[-FRAMES_SHOWN:]
    if g.num_players == 1:
        known.update({name: np.array(g[name], np.int64) for name in SOLO})
        n = int(g.comp_revealed)
        cards = np.array(g.comp_deck[:n], np.int64)
        if g.difficulty != v.EXPERT:
            cards[: n - 1] = -1
        known["comp_cards"] = cards
        laid = g.phase != c.PHASE_SETUP
        back = box.record[0]["comp_piece"][g.comp_deck[n]] if laid else np.full((3, 2), -1)
        known["comp_next_back"] = np.array(back, np.int64)
    return known


def differences(known: dict[str, Any], expected: dict[str, Any]) -> list[str]:
    """The names of fields that differ or that only one of the two has."""
    wrong = sorted(set(known) ^ set(expected))
    return wrong + [
        name
        for name in sorted(set(known) & set(expected))
        if not np.array_equal(known[name], expected[name])
    ]
