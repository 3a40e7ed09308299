"""`Box`: one box of the game, ready for the kernels."""

from __future__ import annotations

import difflib
import hashlib
import json
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

from . import vocabulary as v
from .record import BOX_DTYPE

FINGERPRINT_DIGITS: Final = 12


def fingerprint_of(record: np.ndarray[Any, Any], card_ids: tuple[str, ...]) -> str:
    """Hash what a game plays like: every value and every card id, as platform-independent text.

    Names, versions, sources, comments and the formatting of the files do not enter.
    """
    values = {name: record[0][name].tolist() for name in BOX_DTYPE.names or ()}
    text = json.dumps({"ids": card_ids, "values": values}, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:FINGERPRINT_DIGITS]


class Box:
    """An immutable box. Two boxes are equal when their fingerprints are.

    Attributes:
        name: the box's name, such as `reconstructed-v1`.
        version: a whole number that the box's author raises.
        fingerprint: 12 hexadecimal digits, a hash over all values and card ids.
        record: read-only array of shape (1,) and dtype `BOX_DTYPE`.
        card_ids: the 90 ids by card code; identities not in use are named `unused-CODE`.
        path: the folder that the box was read from.
    """

    __slots__ = ("__dict__", "card_ids", "fingerprint", "name", "path", "record", "version")

    name: str
    version: int
    fingerprint: str
    record: np.ndarray[Any, Any]
    card_ids: tuple[str, ...]
    path: Path

    def __init__(
        self,
        name: str,
        version: int,
        record: np.ndarray[Any, Any],
        card_ids: tuple[str, ...],
        path: Path,
    ) -> None:
        frozen = record.copy()
        frozen.setflags(write=False)
        attributes = {
            "name": name,
            "version": version,
            "fingerprint": fingerprint_of(frozen, card_ids),
            "record": frozen,
            "card_ids": card_ids,
            "path": path,
        }
        for attribute, value in attributes.items():
            object.__setattr__(self, attribute, value)

    def __setattr__(self, attribute: str, value: object) -> None:
        raise AttributeError(f"a Box is immutable; '{attribute}' cannot be set")

    def __delattr__(self, attribute: str) -> None:
        raise AttributeError(f"a Box is immutable; '{attribute}' cannot be deleted")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Box):
            return NotImplemented
        return self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __repr__(self) -> str:
        return f"Box({self.name!r}, version={self.version}, fingerprint={self.fingerprint!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        record = np.frombuffer(self.record.tobytes(), dtype=BOX_DTYPE)
        return Box, (self.name, self.version, record, self.card_ids, self.path)

    @cached_property
    def _codes(self) -> dict[str, int]:
        codes = {card: code for code, card in enumerate(self.card_ids)}
        return {card: code for card, code in codes.items() if self.is_used(code)}

    def is_used(self, code: int) -> bool:
        """Whether a card of this code exists in the box."""
        return bool(self.record[0]["card_type"][code] >= 0)

    def card_code(self, card: str) -> int:
        """The code of a card id; raises `KeyError` with the closest name for an unknown one."""
        code = self._codes.get(card)
        if code is None:
            close = difflib.get_close_matches(card, self._codes, n=1)
            hint = f"; did you mean '{close[0]}'?" if close else ""
            raise KeyError(f"box {self.name} has no card '{card}'{hint}")
        return code

    @property
    def start_wheel_ids(self) -> tuple[str, ...]:
        """Ids of the five starting wheels, by index."""
        return self.card_ids[v.START_WHEEL : v.START_CLEANUP]

    @property
    def start_resource_ids(self) -> tuple[str, ...]:
        """Ids of the five starting resource cards, by index."""
        return v.START_RESOURCE_IDS

    @property
    def tile_actions(self) -> tuple[tuple[str, ...], ...]:
        """The action names of each of the nine action tiles."""
        return tuple(
            tuple(v.EFFECT_ACTIONS[action] for action in tile if action != v.NO_ACTION)
            for tile in self.record[0]["tile_action"].tolist()
        )

    @property
    def tile_names(self) -> tuple[str, ...]:
        """A name for each action tile, such as `clay` or `throw/tech`."""
        return tuple("/".join(actions) for actions in self.tile_actions)

    @property
    def bonus_tile_names(self) -> tuple[str, ...]:
        """The bonus of each of the seven bonus tiles."""
        return tuple(v.BONUSES[bonus] for bonus in self.record[0]["bonus_tile"].tolist())

    @property
    def side_icons(self) -> str:
        """The rules switch of §8.2: `junction` or `own`."""
        return "own" if self.record[0]["own_side_icons"] else "junction"
