"""The action catalogue: one flat, fixed list of named actions for every box and player count.

`BLOCKS` gives the ranges; kernels import the base constants, front ends the name functions.
The catalogue holds no rule: what is legal is decided by the frames (see `decisions`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..components.vocabulary import (
    ACTIONS,
    BONUSES,
    DRAFT_COLUMNS,
    DRAFT_ROWS,
    ENDGAME_KINDS,
    ESPARTO_SPACES,
    MAX_COLUMNS,
    MAX_ROW,
    MAX_TRACK,
    NUM_CARDS,
    NUM_START_WHEELS,
    PIECES,
    WHEEL_SPACES,
)

_PAIRS = [f"{PIECES[i]}+{PIECES[j]}" for i in range(3) for j in range(i, 3)]

# (block, names). The names of `play` come from the box: see `action_names`.
BLOCKS: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("start", tuple(f"start:{k}" for k in range(NUM_START_WHEELS))),
    ("donkey", tuple(f"donkey:{r},{c}" for r in range(DRAFT_ROWS) for c in range(DRAFT_COLUMNS))),
    ("keep", ("keep",)),
    ("reroll", ("reroll",)),
    ("place", tuple(f"place:{r},{c}" for r in range(3) for c in range(MAX_COLUMNS))),
    ("special", ("special",)),
    ("discard", tuple(f"discard:{k}" for k in ENDGAME_KINDS)),
    ("sell", tuple(f"sell:{p}{side}" for side in ("", ":painted") for p in PIECES)),
    ("close", ("close",)),
    ("action", tuple(f"action:{a}" for a in ACTIONS)),
    ("bonus", tuple(f"bonus:{b}" for b in BONUSES)),
    ("done", ("done",)),
    ("refresh", tuple(f"refresh:{r}" for r in range(DRAFT_ROWS))),
    ("take", tuple(f"take:{r},{c}" for r in range(DRAFT_ROWS) for c in range(DRAFT_COLUMNS))),
    ("play", tuple(f"play:{c}" for c in range(NUM_CARDS))),
    ("slot", tuple(f"slot:{k}" for k in range(WHEEL_SPACES))),
    ("clay", tuple(f"clay:{n}" for n in (1, 2, 3))),
    ("throw", tuple(f"throw:{k}" for k in range(WHEEL_SPACES))),
    ("shape", (*(f"shape:{p}" for p in PIECES), *(f"shape:{pair}" for pair in _PAIRS))),
    ("fire", tuple(f"fire:{p}" for p in PIECES)),
    ("glaze", tuple(f"glaze:{k}" for k in range(MAX_ROW))),
    ("paint", tuple(f"paint:{p}@{k}" for p in PIECES for k in range(MAX_ROW))),
    ("pay", ("pay:glaze", "pay:crack")),
    ("clean", (*(f"clean:{k}" for k in range(MAX_ROW)), "clean:supply")),
    ("reward", tuple(f"reward:{k}" for k in range(MAX_ROW))),
    ("esparto", tuple(f"esparto:{k}:{i}" for k in range(ESPARTO_SPACES) for i in (0, 1))),
    ("track", tuple(f"track:{k}" for k in range(MAX_TRACK))),
    ("gain", ("gain:pg", "gain:glaze")),
    ("shop", ("shop:clay", "shop:pg", "shop:glaze")),
    ("score", tuple(f"score:{k}" for k in ENDGAME_KINDS)),
)


def _bases() -> tuple[dict[str, int], int]:
    bases: dict[str, int] = {}
    total = 0
    for block, names in BLOCKS:
        bases[block] = total
        total += len(names)
    return bases, total


_BASE, _TOTAL = _bases()
NUM_GAME_ACTIONS: Final = _TOTAL

# Plain integers, for the kernels.
A_START: Final = _BASE["start"]
A_DONKEY: Final = _BASE["donkey"]
A_KEEP: Final = _BASE["keep"]
A_REROLL: Final = _BASE["reroll"]
A_PLACE: Final = _BASE["place"]
A_SPECIAL: Final = _BASE["special"]
A_DISCARD: Final = _BASE["discard"]
A_SELL: Final = _BASE["sell"]  # + 3 x painted + piece
A_CLOSE: Final = _BASE["close"]
A_ACTION: Final = _BASE["action"]  # + action - 1
A_BONUS: Final = _BASE["bonus"]
A_DONE: Final = _BASE["done"]
A_REFRESH: Final = _BASE["refresh"]
A_TAKE: Final = _BASE["take"]
A_PLAY: Final = _BASE["play"]
A_SLOT: Final = _BASE["slot"]
A_CLAY: Final = _BASE["clay"]  # + n - 1
A_THROW: Final = _BASE["throw"]
A_SHAPE: Final = _BASE["shape"]  # three single pieces, then six pairs
A_FIRE: Final = _BASE["fire"]
A_GLAZE: Final = _BASE["glaze"]
A_PAINT: Final = _BASE["paint"]  # + piece x MAX_ROW + workshop
A_PAY: Final = _BASE["pay"]
A_CLEAN: Final = _BASE["clean"]
A_CLEAN_SUPPLY: Final = A_CLEAN + MAX_ROW
A_REWARD: Final = _BASE["reward"]
A_ESPARTO: Final = _BASE["esparto"]  # + 2 x space + reward
A_TRACK: Final = _BASE["track"]
A_GAIN: Final = _BASE["gain"]
A_SHOP: Final = _BASE["shop"]
A_SCORE: Final = _BASE["score"]


def action_names(card_ids: Sequence[str]) -> tuple[str, ...]:
    """The names of all actions for a box with these card ids (by card code)."""
    names: list[str] = []
    for block, block_names in BLOCKS:
        if block == "play":
            names.extend(f"play:{card_ids[code]}" for code in range(NUM_CARDS))
        else:
            names.extend(block_names)
    return tuple(names)
