"""The weights of the set network: which entities, sums and queries there are, and their shapes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from nijar_env.components.vocabulary import (
    DRAFT_ROWS,
    DRAFT_SPACES,
    ESPARTO_SPACES,
    MAX_COLUMNS,
    MAX_ROW,
    NUM_CARD_CODES,
    NUM_CARDS,
    NUM_PIECES,
    WHEEL_SPACES,
)
from nijar_env.core.catalogue import BLOCKS
from nijar_env.core.constants import FRAME_KINDS
from nijar_env.core.layout import FRAMES_SHOWN

from .forward import POLICY_GAIN, Options, Shape, check_width
from .set_fields import NUM_PRINTED, flat_size, piece_states_size

# Roles in which a card's identity is read.
ROLES: Final = (
    *("draft", "wheel", "esparto", "cleanup", "firing_kiln", "workshop", "glaze_kiln"),
    *("hand", "away"),
)
CODES: Final = NUM_CARD_CODES + 1  # 0: no card
ROLE_ROWS: Final = len(ROLES) * CODES
# Rows of the table of entities after the cards: an action space, pieces, kinds of frames.
SPACE_ROW, PIECE_ROW = ROLE_ROWS, ROLE_ROWS + 1
FRAME_ROW: Final = PIECE_ROW + NUM_PIECES
OTHER_ROWS: Final = 1 + NUM_PIECES + 1 + len(FRAME_KINDS)
SPACES: Final = DRAFT_ROWS * MAX_COLUMNS
SLOT_FRAME: Final = FRAME_KINDS.index("slot")
# How many values the state of a card of each kind has; of rivals' cards the first ones are known.
STATES: Final[Mapping[str, int]] = {
    "wheel": 19,
    "esparto": 13,
    "cleanup": 6,
    "firing_kiln": 3,
    "workshop": 7,
    "glaze_kiln": 3,
}
SUMS: Final = (
    *("draft 0", "draft 1", "draft 2", "wheel", "esparto", "cleanup", "firing_kiln", "workshop"),
    *("glaze_kiln", "space", "piece", "frame", "hand", "seen", "discards", "slot"),
)
# What the trunk asks of the entities of a group; each query gives an action of its own a score.
QUERIES: Final[Mapping[str, tuple[str, ...]]] = {
    "draft": ("take", "donkey"),
    "draft near": ("donkey near",),
    "draft row": ("refresh",),
    "space": ("place",),
    "wheel": ("throw", "slot"),
    "esparto": ("reward 0", "reward 1", "slot"),
    "cleanup": ("clean", "reward"),
    "workshop": ("glaze", "paint plate", "paint jug", "paint pot"),
    "piece": ("sell", "sell painted", "fire", "shape"),
    "hand": ("play",),
}
NUM_QUERIES: Final = sum(len(queries) for queries in QUERIES.values())
# Of each block of the catalogue, how many actions, from its beginning, refer to an entity.
REFERRING: Final[Mapping[str, int]] = {
    "donkey": DRAFT_SPACES,
    "place": SPACES,
    "sell": 2 * NUM_PIECES,
    "refresh": DRAFT_ROWS,
    "take": DRAFT_SPACES,
    "play": NUM_CARDS,
    "slot": WHEEL_SPACES,
    "throw": WHEEL_SPACES,
    "shape": NUM_PIECES,
    "fire": NUM_PIECES,
    "glaze": MAX_ROW,
    "paint": NUM_PIECES * MAX_ROW,
    "clean": MAX_ROW,
    "reward": MAX_ROW,
    "esparto": 2 * ESPARTO_SPACES,
}
# The others have plain outputs: how many of each block.
PLAIN_SIZES: Final = {
    block: len(names) - REFERRING.get(block, 0)
    for block, names in BLOCKS
    if len(names) > REFERRING.get(block, 0)
}
NUM_PLAIN: Final = sum(PLAIN_SIZES.values())


def check(options: Options) -> None:
    """Raise ValueError for options out of range."""
    check_width("dim", options["dim"], 512)
    check_width("trunk", options["trunk"])
    check_width("heads", options["heads"], 16)


def shapes(num_players: int, options: Options) -> dict[str, Shape]:
    """The shapes of all weights by name, for a number of players and complete options."""
    dim, trunk, heads = options["dim"], options["trunk"], options["heads"]
    rivals = num_players - 1
    shapes = {
        "identity": Shape((CODES, dim), "normal", 0.3),
        "printed_weight": Shape((dim, NUM_PRINTED)),
        "roles_weight": Shape((len(ROLES) * dim, dim)),
        "roles_bias": Shape((len(ROLES) * dim,), "zeros"),
        "others": Shape((OTHER_ROWS, dim), "normal", 0.3),
        "draft_state": Shape((dim, 4)),
        "space_state": Shape((dim, 19)),
        "piece_state": Shape((dim, piece_states_size(num_players))),
        "frame_state": Shape((dim, 4)),
        "wheel_place": Shape((WHEEL_SPACES, dim), "normal", 0.3),
        "esparto_place": Shape((ESPARTO_SPACES, dim), "normal", 0.3),
        "frame_place": Shape((FRAMES_SHOWN, dim), "normal", 0.3),
        **{f"{name}_state": Shape((dim, size)) for name, size in STATES.items()},
        "second_weight": Shape((dim, dim)),
        "second_bias": Shape((dim,), "zeros"),
        "near_weight": Shape((dim, dim)),
        "near_bias": Shape((dim,), "zeros"),
        "trunk0_weight": Shape((trunk, flat_size(num_players) + (len(SUMS) + 2 * rivals) * dim)),
        "trunk0_bias": Shape((trunk,), "zeros"),
        "norm0_weight": Shape((trunk,), "ones"),
        "norm0_bias": Shape((trunk,), "zeros"),
        "look_weight": Shape((heads * dim, trunk), gain=1.0),
        "look_bias": Shape((heads * dim,), "zeros"),
        "trunk1_weight": Shape((trunk, trunk + heads * dim)),
        "trunk1_bias": Shape((trunk,), "zeros"),
        "norm1_weight": Shape((trunk,), "ones"),
        "norm1_bias": Shape((trunk,), "zeros"),
        "queries_weight": Shape((NUM_QUERIES * dim, trunk), gain=0.1),
        "queries_bias": Shape((NUM_QUERIES * dim,), "zeros"),
        "policy_weight": Shape((NUM_PLAIN, trunk), gain=POLICY_GAIN),
        "policy_bias": Shape((NUM_PLAIN,), "zeros"),
        "value0_weight": Shape((64, trunk)),
        "value0_bias": Shape((64,), "zeros"),
        "value1_weight": Shape((1, 64), gain=1.0),
        "value1_bias": Shape((1,), "zeros"),
    }
    if rivals:
        shapes["rival_bias"] = Shape((dim,), "zeros")
    return shapes
