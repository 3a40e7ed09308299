"""What greedy believes in: its features, their weights, and a few rules of thumb.

All values are in victory points. A feature has three weights: with 0, 5 and 14 turns left (a turn
is a craftswoman still to be placed; round 3 starts with 5), between them a straight line, beyond
14 the last. The features are made by hand; the weights were fitted to the results of greedy's own
solo games (see docs/agents.md), so single ones may look odd where features overlap.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

KNOTS: Final = (0, 5, 14)
MOST_TURNS: Final = 18

FEATURES: Final[tuple[tuple[str, str, tuple[float, float, float]], ...]] = (
    ("one", "always 1", (-1.97, -8.04, -14.54)),
    ("turns", "turns left", (3.63, 4.2, 0.36)),
    ("craftswomen", "craftswomen left in this round", (0.8, 0.28, 1.68)),
    ("can_sell", "1 while the shop is open", (-2.05, 0.57, -2.36)),
    # resources
    ("pg_few", "perra gorda up to 4", (0.17, 0.2, 0.32)),
    ("pg_some", "those from 5 to 10", (0.13, 0.37, 0.31)),
    ("pg_many", "those beyond", (0.2, 0.16, 0.05)),
    ("glaze_few", "glazes up to 4", (0.14, 0.55, 0.64)),
    ("glaze_many", "those beyond", (0.19, 0.22, 0.14)),
    ("clay_few", "clay up to 3", (0.18, 0.29, 0.36)),
    ("clay_many", "that beyond", (0.08, 0.19, 0.06)),
    ("cracks_few", "cracks in the cleaning area up to 4", (-0.44, 0.09, 0.59)),
    ("cracks_many", "those beyond", (-0.99, -0.36, 0.31)),
    # pieces, at the best painted price left for each, with endgame cards for sold pieces
    ("ready_price", "prices of painted pieces in glaze kilns", (0.82, 0.96, 1.19)),
    ("workshop_price", "of painted pieces in workshops", (0.63, 0.72, 0.78)),
    ("firing_price", "of pieces in firing kilns, if they were painted", (-0.1, 0.26, 0.1)),
    ("firing_plain", "of the same, unpainted", (1, 0.71, 0.75)),
    ("drying_price", "of pieces in the drying area, if they were painted", (0.16, 0.27, 0.26)),
    ("ready", "painted pieces in glaze kilns", (0.55, 0.42, -3.37)),
    ("painted", "painted pieces in workshops", (-0.6, 1.25, -1.14)),
    ("fired", "pieces in firing kilns", (0.3, -0.1, -0.19)),
    ("drying", "pieces in the drying area", (-0.03, 0.8, 1.06)),
    ("drying_blocked", "of these, more than there are empty firing kilns", (-0.37, -1.26, 0.14)),
    (
        "painted_blocked",
        "painted pieces, more than there are empty glaze kilns",
        (-0.31, -0.92, -0.29),
    ),
    ("paintable", "pieces that could be painted now with glazes", (0.02, 0.52, 0.04)),
    ("market", "sum of the painted prices now, while the shop is open", (0.14, 0.01, 0.1)),
    # kilns and workshops
    ("firing_kiln_2", "a second firing kiln", (-0.35, 0.34, 0.66)),
    ("firing_kiln_more", "each beyond", (-0.24, -1.29, -0.59)),
    ("workshop_2", "a second workshop", (0.02, -0.03, 0.14)),
    ("workshop_more", "each beyond", (0.02, 0.51, 2.01)),
    ("glaze_kiln_2", "a second glaze kiln", (-0.31, 0.34, -0.1)),
    ("glaze_kiln_more", "each beyond", (-0.11, 0.11, 1.26)),
    ("paint_cost", "sum of the paint costs of all workshops", (-0.29, -1.44, -3.01)),
    ("icons", "worth of the icons that the next kilns and workshop will face", (0.1, -2.9, -6.72)),
    # wheels
    ("wheels", "wheels not completed", (0.65, 0.16, -0.95)),
    ("wheel_progress", "their completion VP times the part of the way done", (0.47, 0.26, 0.93)),
    ("wheel_vp", "their completion VP", (-0.01, 0.7, 0.12)),
    ("ahead", "spaces ahead of all vases, up to 12", (-0.66, -0.14, 1.22)),
    ("shapes", "of these, shape spaces, up to 8", (0.25, 0, -1.33)),
    ("shape_next", "vases whose next space is a shape", (-0.23, -0.2, 0.38)),
    ("shape_fed", "of these, as many as there is clay", (-0.07, 0.47, 0.34)),
    ("technology_2", "technology at 2 or 3", (-0.3, 1.58, 0.09)),
    ("technology_3", "technology at 3", (-0.23, -0.35, -1.51)),
    ("throws", "technology above 1 times the spaces ahead, up to 8", (0.15, 0.2, 0.05)),
    # esparto and cleanup cards in play
    ("esparto", "esparto cards beside the printed one", (-0.01, 1.37, 3.31)),
    ("set_now", "VP of the esparto set", (1.03, 1.41, 1.8)),
    ("set_next", "VP of its next step, if there is space", (0, 0.36, 0.15)),
    ("cleanup", "cleanup cards beside the first", (0.41, 0.88, 1.22)),
    ("cleanup_reward", "worth of the rewards of all cleanup cards", (-0.42, -1.89, -3.52)),
    ("cleanup_progress", "the same times the part of the spaces filled", (0.38, 0.95, 0.81)),
    # cards in hand and in the draft area
    ("hand_worth", "what playing the cards in hand would bring", (0.02, 0.2, 0.21)),
    ("playable", "cards that can be paid for now, up to 3", (0.05, 1.02, 0.44)),
    ("hand_wheel", "wheels in hand, if there is space", (-0.14, 0.48, 0.8)),
    ("hand_esparto", "esparto cards in hand, if there is space", (0.21, -1.36, 0.89)),
    ("hand_cleanup", "cleanup cards in hand", (-0.1, -1.91, -4.17)),
    ("hand_firing", "firing kilns in hand", (-0.1, -0.26, -0.76)),
    ("hand_workshop", "workshops in hand", (-0.01, -1.89, -3.83)),
    ("hand_glaze", "glaze kilns in hand", (-0.06, -0.32, -1.02)),
    ("donkey_best", "worth of the best card near the donkey, its price paid", (-0.02, 0.31, 0.19)),
    ("donkey_second", "of the second best", (-0.04, 0.27, -0.34)),
    # endgame cards
    ("played_now", "VP of the endgame cards played, as things stand", (0.97, 0.78, 0.89)),
    ("played_next", "VP of their next steps (cards of a type)", (-0.18, -0.32, -0.43)),
    ("played_esparto", "the esparto card played", (0.44, 1.03, -0.81)),
    ("played_row", "cards for kilns, workshops and cleanup cards played", (0.56, 1, 1.72)),
    ("played_piece", "cards for sold pieces played", (0.22, 1.96, 3.09)),
    ("held", "endgame cards in hand that can still be played or discarded", (-0.15, -0.43, 4.7)),
    ("held_now", "their VP as things stand", (0.94, 1.11, 0.19)),
    ("held_next", "VP of their next steps", (0.04, -0.17, -0.2)),
    ("held_wheel", "the wheel card in hand", (0.14, 0.79, 1.43)),
    ("held_esparto", "the esparto card in hand", (0.78, -0.9, 2.01)),
    ("held_row", "cards for kilns, workshops and cleanup cards in hand", (-1.04, -1.95, -0.63)),
    ("held_piece", "cards for sold pieces in hand", (-0.04, 1.13, -0.1)),
    # the table
    ("on_track", "first-player action taken in this round", (2.05, 1.56, 0.55)),
    ("rival_ready", "prices of the rivals' finished pieces, on average", (-0.24, -0.47, -0.37)),
    (
        "rival_coming",
        "of those in their workshops; unpainted ones of the Competition",
        (-0.08, -0.24, 0),
    ),
    (
        "rival_craftswomen",
        "craftswomen that the rivals have left, on average",
        (-0.68, -1.21, -0.32),
    ),
    ("rival_closed", "rivals with closed shops, on average", (0.47, -1.04, 0.18)),
    ("supply", "pieces in the supply, a pair of seats", (0.16, -0.32, 3.03)),
    ("free_spaces", "empty action spaces, of nine", (0.15, 0.3, -1.18)),
    ("own_spaces", "action spaces with own craftswomen", (0.25, 0.37, -0.98)),
)
NUM_FEATURES: Final = len(FEATURES)
# What groups of features are about: (name of the first one, words).
THEMES: Final = (
    ("one", "tempo"),
    ("pg_few", "resources and cracks"),
    ("ready_price", "pieces and prices"),
    ("firing_kiln_2", "kilns and workshops"),
    ("wheels", "wheels"),
    ("esparto", "esparto and cleanup cards"),
    ("hand_worth", "cards in hand and near the donkey"),
    ("played_now", "endgame cards"),
    ("on_track", "the table"),
)
FEATURES_DTYPE: Final = np.dtype((np.record, [(name, np.float64) for name, _, _ in FEATURES]))

# --- the search: positions kept at each step, and steps
BEAM: Final = 16
MOST_BEAM: Final = 1024
# No turn is searched deeper; a longer one is planned again from where it has come to.
MAX_PLIES: Final = 48

# VP of the best rival count against the own ones with this share.
RIVAL_VP: Final = 0.5

# --- rules of thumb inside the features and for turns that are not at their end
# A sale in a later round, beside one now.
FUTURE_SALE: Final = 0.85
# An endgame card in hand, beside one that is played.
HELD_CARD: Final = 0.7
# A perra gorda, glaze or clay; a crack.
RESOURCE: Final = 0.6
CRACK_COST: Final = 1.0
# By action code: none acquire play clay tech throw fire paint clean esparto first_player, shape,
# then a single fire, paint, clean.
ACTION_WORTH: Final = np.array(
    [0.0, 1.5, 2.5, 1.5, 1.5, 2.0, 1.5, 1.5, 1.5, 2.0, 2.5, 2.0, 1.0, 1.0, 0.8]
)
BONUS_WORTH: Final = 1.0
REWARDS_WORTH: Final = 2.0
SALE_WORTH: Final = 1.0
# Cards: the action of a wheel's or esparto card's space; the share of a wheel's completion VP and
# the worth of each of its spaces; a new esparto card, cleanup card, kiln or workshop at the start
# of the game; the share of a cleanup card's reward.
SPACE_ACTION: Final = 1.5
WHEEL_DONE: Final = 0.3
WHEEL_SPACE: Final = 0.3
NEW_ESPARTO: Final = 3.0
NEW_CLEANUP: Final = 3.0
NEW_PLACE: Final = 4.0
CLEANUP_SHARE: Final = 0.3
# Cards further than this from the donkey do not count.
FAR_CARD: Final = 3


def fitted_weights() -> npt.NDArray[np.float64]:
    """float64 (NUM_FEATURES, knots): the weights of the table."""
    return np.array([weights for _, _, weights in FEATURES], np.float64)


def by_turns(weights: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Weights at the knots to weights by turns left: float64 (MOST_TURNS + 1, NUM_FEATURES)."""
    turns = np.arange(MOST_TURNS + 1)
    return np.ascontiguousarray(
        np.array([np.interp(turns, KNOTS, row) for row in weights], np.float64).T
    )
