"""Names of the catalogue's actions for a box, and the message about an illegal one."""

from __future__ import annotations

import difflib
from functools import lru_cache
from typing import Any

import numpy as np

from .components import Box
from .core.catalogue import NUM_GAME_ACTIONS, action_names
from .core.constants import PHASE_FINISHED


@lru_cache(maxsize=32)
def _names(card_ids: tuple[str, ...]) -> tuple[tuple[str, ...], dict[str, int]]:
    names = action_names(card_ids)
    return names, {name: action for action, name in enumerate(names)}


def names_of_actions(box: Box) -> tuple[str, ...]:
    """The name of every action of the catalogue for this box, by number."""
    return _names(box.card_ids)[0]


def number_of_action(box: Box, name: Any) -> int:
    """The number of an action name; raises ValueError with the closest name."""
    number = _names(box.card_ids)[1].get(name) if isinstance(name, str) else None
    if number is None:
        close = difflib.get_close_matches(str(name), names_of_actions(box), n=1)
        hint = f"; did you mean '{close[0]}'?" if close else ""
        raise ValueError(f"no action is named {name!r}{hint}")
    return number


def illegal_action_text(box: Box, action: Any, record: Any, where: str = "") -> str:
    """One message for every front end: the action, who is to act, and what is legal."""
    names = names_of_actions(box)
    shown = f"action {action!r}"
    if isinstance(action, int) and 0 <= action < NUM_GAME_ACTIONS:
        shown = f"action {action} ({names[action]})"
    if record["phase"] == PHASE_FINISHED:
        return f"{where}{shown} cannot be taken: the game is over"
    legal = ", ".join(names[a] for a in np.flatnonzero(record["legal"]))
    seat = int(record["current_player"])
    return f"{where}{shown} is not legal for player {seat}; legal: {legal}"
