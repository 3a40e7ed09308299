"""The weights of greedy's evaluation: every number it believes in, named, in one place.

Values are in victory points. `WEIGHTS_DTYPE` is the record that the kernels read; other weights
are played without recompiling anything.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

# (name, value, meaning). A value with several numbers is an array field.
WEIGHT_TABLE: Final[tuple[tuple[str, float | tuple[float, ...], str], ...]] = (
    # -- resources: rate of the first one; the n-th is worth rate / (1 + n / room)
    ("pg", 0.8, "a perra gorda"),
    ("pg_room", 8.0, ""),
    ("glaze", 0.8, "a glaze"),
    ("glaze_room", 5.0, ""),
    ("clay", 0.9, "a clay"),
    ("clay_room", 6.0, ""),
    ("resource_turns", 4.0, "turns left at which resources are worth half of that"),
    # -- pieces: a share of the price; the share falls to half with so many turns left
    ("future_sale", 0.85, "a sale in a later round against one now"),
    ("ready", 0.95, "share of the price of a piece that could be sold now"),
    ("workshop_share", 0.9, "painted, still to be fired"),
    ("workshop_turns", 0.7, ""),
    ("firing_share", 0.75, "fired, still to be painted and fired"),
    ("firing_turns", 1.5, ""),
    ("drying_share", 0.6, "still to be fired, painted and fired"),
    ("drying_turns", 3.0, ""),
    # -- wheels
    ("done_turns", 1.0, "turns left a missing step at which completion VP count half"),
    ("done_share", 0.8, "share of completion VP that counts"),
    ("fuel", 0.5, "an effect ahead of a vase, at the start of the game"),
    ("fuel_decay", 0.8, "of the effect after that"),
    ("technology", 2.0, "each technology step, at the start of the game"),
    # -- cards in play, at the start of the game; the n-th counts 1 / n
    ("firing_kiln", 4.0, ""),
    ("workshop", 4.0, ""),
    ("glaze_kiln", 4.0, ""),
    ("cleanup", 3.0, ""),
    ("esparto", 3.0, ""),
    ("cleanup_progress", 0.6, "a crack on a cleanup card, as a share of its reward"),
    # -- cards in hand
    ("hand", 0.5, "share of what playing the card would bring"),
    ("hand_room", 4.0, "cards in hand at which the share is halved"),
    ("hand_turns", 3.0, "turns left at which the share is halved"),
    ("side_action", 1.5, "an action gained by playing a card"),
    ("donkey", 0.25, "share for a card that lies where the donkey stands"),
    # -- cracks
    ("crack", 1.0, "each crack in the cleaning area"),
    ("crack_full", 0.1, "times the square of the cracks above four"),
    # -- endgame cards
    ("endgame_growth", 2.0, "cards of a type still to come, at the start of the game"),
    ("endgame_held", 0.7, "share of a card in hand that may still be played"),
    ("discard", 1.5, "a card in hand, to be discarded for an action"),
    ("discard_turns", 2.0, "turns left at which that is halved"),
    # -- tempo and rivals
    ("craftswoman", 3.0, "a craftswoman still to be placed this round"),
    ("first", 0.5, "to be first in the next round"),
    ("rival_vp", 0.3, "a VP of the best rival"),
    ("rival_piece", 0.2, "share of the price of a rival's piece that is ready to be sold"),
    # -- an action in the middle of a turn or on a card
    (
        "action",
        (0.0, 1.5, 2.5, 1.5, 1.5, 2.0, 1.5, 1.5, 1.5, 2.0, 2.5, 2.0, 1.0, 1.0, 0.8),
        "by action code: acquire play clay tech throw fire paint clean esparto first_player; "
        "shape, fire 1, paint 1, clean 1",
    ),
    ("bonus", 1.0, "a bonus still owed"),
    ("sale", 1.0, "a sale still open"),
)

WEIGHTS_DTYPE: Final = np.dtype(
    (
        np.record,
        [
            (name, np.float64, (len(value),) if isinstance(value, tuple) else ())
            for name, value, _ in WEIGHT_TABLE
        ],
    )
)


def default_weights() -> npt.NDArray[np.void]:
    """A new array of one WEIGHTS_DTYPE record with the values of the table."""
    weights = np.zeros(1, WEIGHTS_DTYPE)
    for name, value, _ in WEIGHT_TABLE:
        weights[name] = value
    return weights
