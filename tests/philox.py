"""An independent Philox4x32-10 in plain integers, and the game's streams on top of it."""

from __future__ import annotations

LOW = 0xFFFFFFFF


def philox4x32(counter: tuple[int, int, int, int], key: int) -> tuple[int, int, int, int]:
    """Ten rounds, as published (Salmon et al. 2011)."""
    c0, c1, c2, c3 = counter
    k0, k1 = key & LOW, key >> 32
    for _ in range(10):
        a, b = 0xD2511F53 * c0, 0xCD9E8D57 * c2
        c0, c1, c2, c3 = (b >> 32) ^ c1 ^ k0, b & LOW, (a >> 32) ^ c3 ^ k1, a & LOW
        k0, k1 = (k0 + 0x9E3779B9) & LOW, (k1 + 0xBB67AE85) & LOW
    return c0, c1, c2, c3


def below(key: int, stream: int, index: int, bound: int) -> int:
    """Lemire's unbiased bounded integer from the stream's `index`-th block."""
    threshold = (1 << 32) % bound
    attempt = 0
    while True:
        product = philox4x32((index, stream, attempt, 0), key)[0] * bound
        if product & LOW >= threshold:
            return product >> 32
        attempt += 1


class SeededChance:
    """The chance of a game with this seed, in the reference engine's terms."""

    REFRESH, COMPETITION, DICE = 2, 3, 1

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.draws = {self.REFRESH: 0, self.COMPETITION: 0}

    def dice(self, round: int, roll: int) -> list[int]:
        return [1 + below(self.seed, self.DICE, (round * 2 + roll) * 3 + i, 6) for i in range(3)]

    def _shuffle(self, stream: int, cards: list) -> None:
        for i in range(len(cards) - 1, 0, -1):
            j = below(self.seed, stream, self.draws[stream], i + 1)
            self.draws[stream] += 1
            cards[i], cards[j] = cards[j], cards[i]

    def shuffle_row(self, row: int, cards: list[str]) -> list[str]:
        stack = cards[::-1]  # the engine keeps a deck's next card at the end
        self._shuffle(self.REFRESH, stack)
        return stack[::-1]

    def shuffle_competition(self, cards: list[int]) -> list[int]:
        order = list(cards)
        self._shuffle(self.COMPETITION, order)
        return order
