"""Where the game's luck comes from."""

from __future__ import annotations

import random
from typing import Protocol


class Chance(Protocol):
    def dice(self, round: int, roll: int) -> list[int]:
        """Three dice of a round; roll 0 is the first roll, 1 the re-roll."""
        ...

    def shuffle_row(self, row: int, cards: list[str]) -> list[str]:
        """Row refresh: a new order for the deck (next card first) + the returned cards."""
        ...

    def shuffle_competition(self, cards: list[int]) -> list[int]:
        """Given [1..9], the order of the Competition deck, next card first."""
        ...


class RandomChance:
    """Chance drawn from one generator."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def dice(self, round: int, roll: int) -> list[int]:
        return [self._rng.randint(1, 6) for _ in range(3)]

    def shuffle_row(self, row: int, cards: list[str]) -> list[str]:
        return self._rng.sample(cards, len(cards))

    def shuffle_competition(self, cards: list[int]) -> list[int]:
        return self._rng.sample(cards, len(cards))
