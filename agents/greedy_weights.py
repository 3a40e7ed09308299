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
    ("one", "always 1", (0, 0, 0)),
    ("turns", "turns left", (2, 2.5, 2.5)),
    ("craftswomen", "craftswomen left in this round", (0.2, 0.2, 0.2)),
    ("can_sell", "1 while the shop is open", (0, 0, 0)),
    # resources
    ("pg_few", "perra gorda up to 4", (0.2, 0.5, 0.7)),
    ("pg_some", "those from 5 to 10", (0.2, 0.4, 0.5)),
    ("pg_many", "those beyond", (0.2, 0.2, 0.2)),
    ("glaze_few", "glazes up to 4", (0.2, 0.5, 0.7)),
    ("glaze_many", "those beyond", (0.2, 0.3, 0.3)),
    ("clay_few", "clay up to 3", (0.2, 0.6, 0.8)),
    ("clay_many", "that beyond", (0.2, 0.3, 0.5)),
    ("cracks_few", "cracks in the cleaning area up to 4", (-1, -1, -1)),
    ("cracks_many", "those beyond", (-1, -1.2, -1.5)),
    # pieces, at the best painted price left for each, with endgame cards for sold pieces
    ("ready_price", "prices of painted pieces in glaze kilns", (0.95, 0.95, 0.95)),
    ("workshop_price", "of painted pieces in workshops", (0, 0.75, 0.85)),
    ("firing_price", "of pieces in firing kilns, if they were painted", (0, 0.4, 0.6)),
    ("firing_plain", "of the same, unpainted", (0.9, 0.3, 0.1)),
    ("drying_price", "of pieces in the drying area, if they were painted", (0, 0.3, 0.5)),
    ("ready", "painted pieces in glaze kilns", (0, 0, 0)),
    ("painted", "painted pieces in workshops", (0, 0, 0)),
    ("fired", "pieces in firing kilns", (0, 0, 0)),
    ("drying", "pieces in the drying area", (0, 0, 0)),
    ("drying_blocked", "of these, more than there are empty firing kilns", (0, 0, 0)),
    ("painted_blocked", "painted pieces, more than there are empty glaze kilns", (0, 0, 0)),
    ("paintable", "pieces that could be painted now with glazes", (0, 0, 0)),
    ("market", "sum of the painted prices now, while the shop is open", (0, -0.05, -0.1)),
    # kilns and workshops
    ("firing_kiln_2", "a second firing kiln", (0, 1, 4)),
    ("firing_kiln_more", "each beyond", (0, 0.5, 2)),
    ("workshop_2", "a second workshop", (0, 1, 4)),
    ("workshop_more", "each beyond", (0, 0.5, 2)),
    ("glaze_kiln_2", "a second glaze kiln", (0, 1, 4)),
    ("glaze_kiln_more", "each beyond", (0, 0.5, 2)),
    ("paint_cost", "sum of the paint costs of all workshops", (0, -0.1, -0.2)),
    ("icons", "worth of the icons that the next kilns and workshop will face", (0, 0.1, 0.3)),
    # wheels
    ("wheels", "wheels not completed", (0, 0, 0.5)),
    ("wheel_progress", "their completion VP times the part of the way done", (0, 0.4, 0.5)),
    ("wheel_vp", "their completion VP", (0, 0.2, 0.4)),
    ("ahead", "spaces ahead of all vases, up to 12", (0, 0.2, 0.5)),
    ("shapes", "of these, shape spaces, up to 8", (0, 0, 0)),
    ("shape_next", "vases whose next space is a shape", (0, 0.3, 0.6)),
    ("shape_fed", "of these, as many as there is clay", (0, 0, 0)),
    ("technology_2", "technology at 2 or 3", (0, 1, 2.5)),
    ("technology_3", "technology at 3", (0, 1, 2.5)),
    ("throws", "technology above 1 times the spaces ahead, up to 8", (0, 0, 0)),
    # esparto and cleanup cards in play
    ("esparto", "esparto cards beside the printed one", (0, 1, 3)),
    ("set_now", "VP of the esparto set", (1, 1, 1)),
    ("set_next", "VP of its next step, if there is space", (0, 0.2, 0.5)),
    ("cleanup", "cleanup cards beside the first", (0, 1, 3)),
    ("cleanup_reward", "worth of the rewards of all cleanup cards", (0, 0.1, 0.3)),
    ("cleanup_progress", "the same times the part of the spaces filled", (0, 0.5, 0.6)),
    # cards in hand and in the draft area
    ("hand_worth", "what playing the cards in hand would bring", (0, 0.25, 0.4)),
    ("playable", "cards that can be paid for now, up to 3", (0, 0.5, 0.5)),
    ("hand_wheel", "wheels in hand, if there is space", (0, 0, 0)),
    ("hand_esparto", "esparto cards in hand, if there is space", (0, 0, 0)),
    ("hand_cleanup", "cleanup cards in hand", (0, 0, 0)),
    ("hand_firing", "firing kilns in hand", (0, 0, 0)),
    ("hand_workshop", "workshops in hand", (0, 0, 0)),
    ("hand_glaze", "glaze kilns in hand", (0, 0, 0)),
    ("donkey_best", "worth of the best card near the donkey, its price paid", (0, 0.1, 0.25)),
    ("donkey_second", "of the second best", (0, 0.1, 0.25)),
    # endgame cards
    ("played_now", "VP of the endgame cards played, as things stand", (1, 1, 1)),
    ("played_next", "VP of their next steps (cards of a type)", (0, 0.2, 0.5)),
    ("played_esparto", "the esparto card played", (0, 0.3, 2)),
    ("played_row", "cards for kilns, workshops and cleanup cards played", (0, 0.2, 1)),
    ("played_piece", "cards for sold pieces played", (0, 0.3, 2)),
    ("held", "endgame cards in hand that can still be played or discarded", (0, 1, 3)),
    ("held_now", "their VP as things stand", (0, 0.7, 0.7)),
    ("held_next", "VP of their next steps", (0, 0.1, 0.1)),
    ("held_wheel", "the wheel card in hand", (0, 0, 0)),
    ("held_esparto", "the esparto card in hand", (0, 0.5, 1)),
    ("held_row", "cards for kilns, workshops and cleanup cards in hand", (0, 0, 0)),
    ("held_piece", "cards for sold pieces in hand", (0, 0, 0)),
    # the table
    ("on_track", "first-player action taken in this round", (2, 0.5, 0.3)),
    ("rival_ready", "prices of the rivals' finished pieces, on average", (-0.1, -0.1, -0.1)),
    ("rival_coming", "of those in their workshops; unpainted ones of the Competition", (0, 0, 0)),
    ("rival_craftswomen", "craftswomen that the rivals have left, on average", (0, 0, 0)),
    ("rival_closed", "rivals with closed shops, on average", (0, 0, 0)),
    ("supply", "pieces in the supply, a pair of seats", (0, 0.1, 0.1)),
    ("free_spaces", "empty action spaces, of nine", (0, 0, 0)),
    ("own_spaces", "action spaces with own craftswomen", (0, 0, 0)),
)
NUM_FEATURES: Final = len(FEATURES)
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
