"""From entries to numbers: fills a `BOX_DTYPE` record and checks what the entries mean.

One function a kind of component, for cards in `fill_cards` and for boards and tiles in
`fill_board`. A fault is reported and skipped, so that one run finds them all.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import vocabulary as v
from .fill_board import BOARD_FILLERS
from .fill_cards import fill_game_cards, fill_start_cards
from .reading import Incomplete, Tables
from .record import BOX_DTYPE


def fill(tables: Tables) -> tuple[np.ndarray[Any, Any], tuple[str, ...]]:
    """Build the record (shape (1,)) and the 90 card ids; faults go to `tables.faults`."""
    record = np.zeros(1, dtype=BOX_DTYPE)
    box = record[0]
    box["card_type"] = -1
    ids = [f"unused-{code}" for code in range(v.NUM_CARD_CODES)]
    fill_game_cards(tables, box, ids)
    ids[v.START_WHEEL : v.START_CLEANUP] = v.START_WHEEL_IDS
    ids[v.START_CLEANUP :] = v.START_CARD_IDS
    for filler in (fill_start_cards, *BOARD_FILLERS):
        try:
            filler(tables, box)
        except Incomplete:
            continue
    return record, tuple(ids)
