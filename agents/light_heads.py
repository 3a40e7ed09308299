"""What `light` looks at: each legal action is scored by a few heads.

A head is a row of weights over greedy's features of the position (`greedy_weights.FEATURES`), so
it says how good something is in this position: taking a card of a type, playing one card, a bonus,
each VP of a sale. An action's score is the sum of its heads, each times a number (1, or a count or
VP); a craftswoman's space gets besides the best of the actions that it lets the player choose from.
"""

from __future__ import annotations

from typing import Final

from nijar_env.components.vocabulary import (
    BONUSES,
    CARD_TYPES,
    NUM_ACTIONS,
    NUM_CARDS,
    NUM_ENDGAME_KINDS,
    NUM_PIECES,
    NUM_START_WHEELS,
    START_WHEEL,
)
from nijar_env.core.constants import F_COMPETITION

# Action codes: those of the tiles, then shape and the single fire, paint and clean; 0 is none.
NUM_EFFECTS: Final = NUM_ACTIONS + 5
NUM_FRAME_KINDS: Final = F_COMPETITION + 1

# (block, heads)
HEADS: Final[tuple[tuple[str, int], ...]] = (
    ("action", NUM_ACTIONS),  # choosing it from a menu; the best of a row's for a space
    ("bonus", len(BONUSES)),
    ("space_bonus", len(BONUSES)),  # of the column of a craftswoman's space
    ("space_bonus_more", len(BONUSES)),  # each beyond the first
    ("space_count", 1),  # craftswomen sent home
    ("special", 1),
    ("discard", 1),
    ("discard_now", 1),  # times the VP of the endgame card as things stand
    ("discard_next", 1),  # times those of its next step
    ("sell", 2 * NUM_PIECES),
    ("sell_price", 2),  # times the price, plain and painted
    ("sell_later", 2),  # times what waiting for the best round would bring more
    ("close", 1),
    ("done", NUM_FRAME_KINDS),
    ("refresh", 1),
    ("take", len(CARD_TYPES)),
    ("take_card", NUM_CARDS),
    ("take_worth", 1),
    ("take_price", 1),
    ("land_worth", 1),  # the donkey's new space: times the worth of its card,
    ("land_near", 1),  # and of the cards around
    ("play", len(CARD_TYPES)),
    ("play_card", NUM_CARDS),
    ("play_worth", 1),
    ("slot", NUM_EFFECTS),
    ("clay", 3),
    ("throw", NUM_EFFECTS),  # by the action of the space reached
    ("throw_vp", 1),  # times the fixed gains there, and the VP where it completes the wheel
    ("throw_left", 1),  # times the spaces left after it
    ("shape", 2),  # one piece, two
    ("shape_price", 1),  # times the price that another such piece would bring
    ("fire", 1),
    ("fire_price", 1),
    ("glaze", 1),
    ("paint", 1),
    ("paint_price", 1),
    ("paint_cost", 1),
    ("pay", 2),
    ("clean", 1),
    ("clean_left", 1),  # times the cracks that the card still takes
    ("clean_reward", 1),  # times the worth of its reward
    ("clean_supply", 1),
    ("reward", NUM_EFFECTS),
    ("reward_gains", 1),
    ("esparto", NUM_EFFECTS),
    ("esparto_gains", 1),
    ("track", 4),
    ("gain", 2),
    ("shop", 3),
    ("score", 1),
    ("score_now", 1),
    ("score_next", 1),
    ("keep", 1),
    ("reroll", 1),
    ("start_wheel", NUM_START_WHEELS),
    ("start_resources", NUM_START_WHEELS),
)


def bases(blocks: tuple[tuple[str, int], ...]) -> tuple[dict[str, int], int]:
    """Where each of some (name, size) blocks begins, and how much they are together."""
    begins: dict[str, int] = {}
    total = 0
    for name, count in blocks:
        begins[name] = total
        total += count
    return begins, total


_BASE, NUM_HEADS = bases(HEADS)
FIRST_START_WHEEL: Final = START_WHEEL

(
    H_ACTION,
    H_BONUS,
    H_SPACE_BONUS,
    H_SPACE_BONUS_MORE,
    H_SPACE_COUNT,
    H_SPECIAL,
    H_DISCARD,
    H_DISCARD_NOW,
    H_DISCARD_NEXT,
    H_SELL,
    H_SELL_PRICE,
    H_SELL_LATER,
    H_CLOSE,
    H_DONE,
    H_REFRESH,
    H_TAKE,
    H_TAKE_CARD,
    H_TAKE_WORTH,
    H_TAKE_PRICE,
    H_LAND_WORTH,
    H_LAND_NEAR,
    H_PLAY,
    H_PLAY_CARD,
    H_PLAY_WORTH,
    H_SLOT,
    H_CLAY,
    H_THROW,
    H_THROW_VP,
    H_THROW_LEFT,
    H_SHAPE,
    H_SHAPE_PRICE,
    H_FIRE,
    H_FIRE_PRICE,
    H_GLAZE,
    H_PAINT,
    H_PAINT_PRICE,
    H_PAINT_COST,
    H_PAY,
    H_CLEAN,
    H_CLEAN_LEFT,
    H_CLEAN_REWARD,
    H_CLEAN_SUPPLY,
    H_REWARD,
    H_REWARD_GAINS,
    H_ESPARTO,
    H_ESPARTO_GAINS,
    H_TRACK,
    H_GAIN,
    H_SHOP,
    H_SCORE,
    H_SCORE_NOW,
    H_SCORE_NEXT,
    H_KEEP,
    H_REROLL,
    H_START_WHEEL,
    H_START_RESOURCES,
) = (_BASE[name] for name, _ in HEADS)

# An action has at most so many heads beside the actions of a space.
MOST_ITEMS: Final = 5
# Scores of actions in a menu beyond this make no difference any more.
MOST_SCORE: Final = 30.0
assert NUM_ENDGAME_KINDS == 9
