"""greedy's weights (draft)."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

KNOTS: Final = (0, 6, 18)

FEATURES: Final = (
    "one", "craftswomen", "open_now",
    "pg_few", "pg_more", "pg_many", "glaze_few", "glaze_more", "clay_few", "clay_more",
    "crack_few", "crack_many",
    "ready_price", "workshop_price", "firing_price", "firing_plain", "drying_price",
    "ready_n", "workshop_n", "firing_n", "drying_n", "drying_blocked", "workshop_blocked", "paintable",
    "firing_kiln_2", "firing_kiln_3", "workshop_2", "workshop_3", "glaze_kiln_2", "glaze_kiln_3",
    "wheels", "done_progress", "done_left", "ahead", "shape_next", "shape_ahead", "shape_fed",
    "tech_2", "tech_3", "tech_ahead",
    "esparto_n", "set_now", "set_next",
    "cleanup_n", "cleanup_reward", "cleanup_progress",
    "hand_worth", "playable", "hand_wheel", "hand_esparto", "hand_cleanup", "hand_firing", "hand_workshop", "hand_glaze",
    "donkey_best", "donkey_second",
    "played_now", "played_next", "held_n", "held_best", "held_next",
    "on_track",
    "rival_ready", "rival_coming", "supply", "rival_craftswomen", "rival_closed", "free_spaces", "own_spaces",
)
NF: Final = len(FEATURES)
TURNS: Final = 19


def prior() -> npt.NDArray[np.float64]:
    """(NF, 3) first guess."""
    w = np.zeros((NF, 3))
    def s(name, a, b, c):
        w[FEATURES.index(name)] = (a, b, c)
    s("one", 0, 12, 45); s("craftswomen", .2, .2, .2)
    s("pg_few", .2, .5, .7); s("pg_more", .2, .4, .5); s("pg_many", .2, .2, .2)
    s("glaze_few", .2, .5, .7); s("glaze_more", .2, .3, .3); s("clay_few", .2, .6, .8); s("clay_more", .2, .3, .5)
    s("crack_few", -1, -1, -1); s("crack_many", -1, -1.2, -1.5)
    s("ready_price", .95, .95, .95); s("workshop_price", 0, .75, .85); s("firing_price", 0, .4, .6); s("firing_plain", .9, .3, .1); s("drying_price", 0, .3, .5)
    s("firing_kiln_2", 0, 1, 4); s("firing_kiln_3", 0, .5, 2); s("workshop_2", 0, 1, 4); s("workshop_3", 0, .5, 2); s("glaze_kiln_2", 0, 1, 4); s("glaze_kiln_3", 0, .5, 2)
    s("done_progress", 0, .4, .5); s("done_left", 0, .2, .4); s("ahead", 0, .2, .5); s("shape_next", 0, .3, .6)
    s("tech_2", 0, 1, 2.5); s("tech_3", 0, 1, 2.5)
    s("esparto_n", 0, 1, 3); s("set_now", 1, 1, 1); s("set_next", 0, .2, .5)
    s("cleanup_n", 0, 1, 3); s("cleanup_reward", 0, .1, .3); s("cleanup_progress", 0, .5, .6)
    s("hand_worth", 0, .25, .4); s("donkey_best", 0, .1, .25); s("donkey_second", 0, .1, .25)
    s("played_now", 1, 1, 1); s("played_next", 0, .2, .5); s("held_n", 0, 2, 3); s("held_best", 0, .3, .5); s("held_next", 0, .1, .1)
    s("on_track", 2, .5, .3); s("rival_ready", -.1, -.1, -.1)
    return w


def by_turns(w) -> npt.NDArray[np.float64]:
    """(TURNS, NF): weights with 0 ... 18 turns left."""
    out = np.zeros((TURNS, NF))
    for t in range(TURNS):
        for k in range(NF):
            out[t, k] = np.interp(t, KNOTS, w[k])
    return out
