"""What a network of kind "choices" is given instead of an observation: a row of numbers.

The features of the position come first: greedy's (`greedy_weights.FEATURES`), then the context
below. Then the actions of each row of the board that would change something, as 0 and 1, and how
many pairs follow. A pair is a legal action, one of its heads (see `light_heads`) and the number it
is taken times; for a craftswoman's space, a head beyond the last one stands for the best of its
row.
"""

from __future__ import annotations

import hashlib
from typing import Final

from nijar_env.components.vocabulary import BOARD_ROWS, NUM_ACTIONS, NUM_PIECES, NUM_ROUNDS
from nijar_env.core.catalogue import NUM_GAME_ACTIONS

from .greedy_weights import FEATURES, NUM_FEATURES
from .light_heads import HEADS, NUM_EFFECTS, NUM_FRAME_KINDS, NUM_HEADS, bases

# (block, numbers)
CONTEXT: Final[tuple[tuple[str, int], ...]] = (
    ("round", NUM_ROUNDS),
    ("now", NUM_PIECES),  # painted price now / 5
    ("later", NUM_PIECES),  # best painted price to expect later / 5
    ("drying", NUM_PIECES),
    ("fired", NUM_PIECES),
    ("painted", NUM_PIECES),
    ("ready", NUM_PIECES),
    ("sold", NUM_PIECES),
    ("left", NUM_PIECES),  # in the supply, / 5
    ("rival_ready", NUM_PIECES),  # painted pieces ready, or the Competition's, an average rival
    ("rival_coming", NUM_PIECES),  # in its workshops, or the Competition's unpainted ones
    ("steps", NUM_EFFECTS),  # own vases by the action of their next space
    ("frames", NUM_FRAME_KINDS),  # own pending effects by kind
    ("first", 1),  # 1 for the first player, 0 for the last
    ("ahead", 1),  # own VP less the best rival's, / 50
    ("vp", 1),  # own VP / 50
    ("difficulty", 3),  # solo: 1 at the Competition's
)


# The unit of prices, of pieces in the supply, and of VP.
PRICE, PIECES, VP = 0.2, 0.2, 0.02

_BASE, NUM_CONTEXT = bases(CONTEXT)
(
    C_ROUND,
    C_NOW,
    C_LATER,
    C_DRYING,
    C_FIRED,
    C_PAINTED,
    C_READY,
    C_SOLD,
    C_LEFT,
    C_RIVAL_READY,
    C_RIVAL_COMING,
    C_STEPS,
    C_FRAMES,
    C_FIRST,
    C_AHEAD,
    C_VP,
    C_DIFFICULTY,
) = (_BASE[name] for name, _ in CONTEXT)

NUM_INPUTS: Final = NUM_FEATURES + NUM_CONTEXT
NUM_MENU: Final = BOARD_ROWS * NUM_ACTIONS
# Heads and, after them, the rows of the board.
NUM_SCORES: Final = NUM_HEADS + BOARD_ROWS
# Legal actions have some four pairs each; 30 of them are many.
MOST_PAIRS: Final = 192
AT_MENU: Final = NUM_INPUTS
AT_COUNT: Final = AT_MENU + NUM_MENU
AT_PAIRS: Final = AT_COUNT + 1
ROW_SIZE: Final = AT_PAIRS + 3 * MOST_PAIRS


def choice_layout_hash() -> str:
    """Twelve hexadecimal digits that change with what stands where in a row."""
    features = [name for name, _, _ in FEATURES]
    text = repr((features, CONTEXT, (PRICE, PIECES, VP), HEADS, NUM_GAME_ACTIONS, MOST_PAIRS))
    return hashlib.sha256(text.encode()).hexdigest()[:12]
