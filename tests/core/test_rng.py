"""The random streams: Philox4x32-10 bit for bit, unbiased numbers, and streams that do not meet."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import pytest

from nijar_env.core import rng
from nijar_env.core.constants import (
    STREAM_COMPETITION,
    STREAM_DICE,
    STREAM_EPISODE,
    STREAM_REFRESH,
    STREAM_SETUP,
    STREAMS,
)
from nijar_env.core.jit import entry
from nijar_env.core.record import GAME_DTYPE
from nijar_env.game import Game
from tests.philox import SeededChance, philox4x32
from tests.philox import below as plain_below

WORD: Final = 2**32
FAR: Final = 4.0
EDGES: Final = (0, 1, 2, 2**31 - 1, 2**31, 2**32 - 1)
KEYS: Final = (0, 1, 2**32 - 1, 2**32, 2**63, 2**64 - 1)


# Kernels have no wrapper for calls from Python; these do.


@entry
def many_philox(words: Any, out: Any) -> None:
    for i in range(words.shape[0]):
        out[i] = rng.philox(words[i, 0], words[i, 1], words[i, 2], words[i, 3])


@entry
def many_below(key: np.uint64, stream: int, bound: int, out: Any) -> None:
    for i in range(out.shape[0]):
        out[i] = rng.below(key, stream, i, bound)


@entry
def one_below(key: np.uint64, stream: int, index: int, bound: int) -> int:
    return rng.below(key, stream, index, bound)


@entry
def one_draw(games: Any, stream: int, bound: int) -> int:
    return rng.draw(games[0], stream, bound)


@entry
def one_shuffle(games: Any, stream: int, cards: Any, size: int) -> None:
    rng.shuffle(games[0], stream, cards, size)


@entry
def one_die(games: Any, number: int, roll: int, which: int) -> int:
    return rng.die(games[0], number, roll, which)


@entry
def many_episodes(seed: np.uint64, out: Any) -> None:
    for i in range(out.shape[0]):
        out[i] = rng.episode_seed(seed, i)


def blank(seed: int) -> Any:
    """An array of one record that has a seed and no more."""
    games = np.zeros(1, GAME_DTYPE)
    games[0].seed = seed
    return games


# --- the generator ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counter", "key", "answer"),
    [
        (
            "00000000 00000000 00000000 00000000",
            "00000000 00000000",
            "6627e8d5e169c58dbc57ac4c9b00dbd8",
        ),
        (
            "ffffffff ffffffff ffffffff ffffffff",
            "ffffffff ffffffff",
            "408f276d41c83b0ea20bc7c66d5451fd",
        ),
        (
            "243f6a88 85a308d3 13198a2e 03707344",
            "a4093822 299f31d0",
            "d16cfe0994fdcceb5001e42024126ea1",
        ),
    ],
)
def test_the_published_answers(counter: str, key: str, answer: str) -> None:
    """The known answers of Random123 for philox4x32-10 (Salmon et al. 2011)."""
    c0, c1, c2, c3 = (int(word, 16) for word in counter.split())
    k0, k1 = (int(word, 16) for word in key.split())
    result = philox4x32((c0, c1, c2, c3), k0 | k1 << 32)
    assert "".join(f"{word:08x}" for word in result) == answer


def test_the_kernel_is_philox() -> None:
    chance = random.Random(1)
    words = [(key, *counter) for key in KEYS for counter in itertools.product(EDGES, repeat=3)]
    words += [
        (chance.getrandbits(64), *(chance.getrandbits(32) for _ in range(3))) for _ in range(2000)
    ]
    out = np.zeros(len(words), np.uint64)
    many_philox(np.array(words, np.uint64), out)
    for (key, *counter), found in zip(words, out.tolist(), strict=True):
        low, high, _, _ = philox4x32((counter[0], counter[1], counter[2], 0), key)
        assert found == low | high << 32


# --- numbers ------------------------------------------------------------------------------------

# A third of the words is refused for the second of these; a bound is less than 2**31.
BOUNDS: Final = (1, WORD // 3 + 1, 2, 3, 5, 6, 7, 32, 1000, 2**30 + 1, 2**31 - 1)


@pytest.mark.parametrize("bound", BOUNDS)
def test_bounded_numbers(bound: int) -> None:
    for key in KEYS:
        out = np.zeros(60, np.int64)
        many_below(np.uint64(key), STREAM_REFRESH, bound, out)
        found = out.tolist()
        assert found == [plain_below(key, STREAM_REFRESH, i, bound) for i in range(60)]
        assert all(0 <= n < bound for n in found)


def test_words_that_would_bias_are_refused() -> None:
    """With this bound a number is taken from a later attempt a third of the time."""
    bound = WORD // 3 + 1
    firsts = [philox4x32((i, STREAM_SETUP, 0, 0), 3)[0] * bound >> 32 for i in range(300)]
    found = [one_below(np.uint64(3), STREAM_SETUP, i, bound) for i in range(300)]
    other = sum(a != b for a, b in zip(firsts, found, strict=True))
    assert 60 < other < 140


def far_from_even(counts: Counter[Any], kinds: int) -> float:
    """Chi-square in standard deviations from its mean: a few where all kinds are equally likely."""
    expected = counts.total() / kinds
    missing = (kinds - len(counts)) * expected
    squares = missing + sum((n - expected) ** 2 / expected for n in counts.values())
    return float((squares - (kinds - 1)) / math.sqrt(2 * (kinds - 1)))


@pytest.mark.parametrize("bound", [2, 3, 6, 32])
@pytest.mark.parametrize("stream", range(len(STREAMS)))
def test_numbers_are_even(bound: int, stream: int) -> None:
    out = np.zeros(6000, np.int64)
    many_below(np.uint64(2024), stream, bound, out)
    assert far_from_even(Counter(out.tolist()), bound) < FAR
    pairs = Counter(zip(out[:-1].tolist(), out[1:].tolist(), strict=True))
    assert bound > 6 or far_from_even(pairs, bound * bound) < FAR


def test_neighbouring_seeds_are_even_too() -> None:
    first = Counter(one_below(np.uint64(seed), STREAM_SETUP, 0, 6) for seed in range(3000))
    assert far_from_even(first, 6) < FAR


def test_drawing_counts_in_its_own_stream() -> None:
    games = blank(99)
    for stream in (STREAM_REFRESH, STREAM_SETUP, STREAM_REFRESH, STREAM_COMPETITION):
        index = int(games[0].draws[stream])
        assert one_draw(games, stream, 7) == plain_below(99, stream, index, 7)
        assert games[0].draws[stream] == index + 1
    assert games[0].draws.tolist() == [1, 0, 2, 1]
    assert games[0].seed == 99


@pytest.mark.parametrize("size", [0, 1, 2, 9, 32])
def test_shuffling(size: int) -> None:
    games = blank(5)
    games[0].draws[STREAM_REFRESH] = 40
    cards = np.arange(32, dtype=np.int8)
    one_shuffle(games, STREAM_REFRESH, cards, size)
    expected, index = list(range(32)), 40
    for i in range(size - 1, 0, -1):
        j = plain_below(5, STREAM_REFRESH, index, i + 1)
        expected[i], expected[j] = expected[j], expected[i]
        index += 1
    assert cards.tolist() == expected
    assert games[0].draws[STREAM_REFRESH] == index == 40 + max(size - 1, 0)


def test_shuffles_are_even() -> None:
    games = blank(7)
    orders: Counter[tuple[int, ...]] = Counter()
    for _ in range(3000):
        cards = np.arange(4, dtype=np.int8)
        one_shuffle(games, STREAM_SETUP, cards, 4)
        orders[tuple(cards.tolist())] += 1
    assert far_from_even(orders, 24) < FAR


def test_dice() -> None:
    chance = SeededChance(31)
    games = blank(31)
    for number, roll in itertools.product((1, 2, 3), (0, 1)):
        found = [one_die(games, number, roll, which) for which in range(3)]
        assert found == chance.dice(number, roll)
    assert not games[0].draws.any()  # addressed by round, not drawn in sequence
    seeds = (blank(seed) for seed in range(1000))
    faces = Counter(one_die(game, 1, 0, which) for game in seeds for which in range(3))
    assert set(faces) == set(range(1, 7)) and far_from_even(faces, 6) < FAR


# --- streams ------------------------------------------------------------------------------------


def luck(game: Game, chance: random.Random, *prefer: str) -> Iterator[tuple[str, Any]]:
    """What a game's chance brings, by name; chooses what is preferred wherever it is offered."""
    decks: list[list[int]] = []
    while not game.done:
        names = [game.action_name(action) for action in game.legal_actions()]
        scene = game.to_dict()
        if scene["phase"] == "market":
            yield f"dice of round {game.round}", scene["market"]["dice"]
        if scene["competition"] and game.round:
            order = scene["competition"]["revealed"] + scene["competition"]["deck"]
            if order not in decks:
                decks.append(order)
                yield f"Competition's deck {len(decks)}", order
        wanted = [[name for name in names if name.startswith(p)] for p in prefer]
        game.step(game.parse_action(chance.choice(next(filter(None, wanted), names))))


PLANS: Final = (
    ("refresh", "action:acquire", "bonus:acquire", "keep"),
    ("reroll", "special"),
    ("keep", "discard"),
)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_choices_leave_the_rest_of_the_luck_alone(players: int) -> None:
    """A refresh or a re-roll shifts no later dice, and no order of the Competition's deck."""
    refreshed = set()
    for seed in range(3):
        seen: dict[str, set[str]] = {}
        for number, prefer in enumerate(PLANS):
            game = Game(players, seed=seed, log=False)
            for name, value in luck(game, random.Random(number), *prefer):
                seen.setdefault(name, set()).add(str(value))
            refreshed.add(int(game.record.draws[STREAM_REFRESH]))
            assert game.record.draws[STREAM_DICE] == 0
        assert all(len(values) == 1 for values in seen.values()), seen
        assert len(seen) >= (2 if players > 1 else 3)  # solo: of each round its deck
    assert len(refreshed) > 1


def test_a_reroll_is_other_dice_and_changes_none_to_come() -> None:
    for seed in range(5):
        games = []
        for prefer in ("keep", "reroll"):
            game = Game(2, seed=seed, log=False)
            chance = random.Random(seed)
            while not (game.phase == "market" and game.round == 2):
                game.step(chance.choice(game.legal_actions()))
            game.step(game.parse_action(prefer))
            games.append(game)
        kept, rolled = games
        assert kept.record.dice.tolist() == SeededChance(seed).dice(2, 0)
        assert rolled.record.dice.tolist() == SeededChance(seed).dice(2, 1)
        assert kept.record.draws.tolist() == rolled.record.draws.tolist()
        for game in games:
            chance = random.Random(seed)
            while not (game.phase == "market" and game.round == 3):
                game.step(chance.choice(game.legal_actions()))
            assert game.record.dice.tolist() == SeededChance(seed).dice(3, 0)


def test_only_the_deal_draws_from_the_setup_stream() -> None:
    for players in (1, 2, 3, 4):
        game = Game(players, seed=2, log=False)
        dealt = int(game.record.draws[STREAM_SETUP])
        assert dealt > 80
        chance = random.Random(2)
        while not game.done:
            game.step(chance.choice(game.legal_actions()))
        assert game.record.draws[STREAM_SETUP] == dealt


# --- episodes -----------------------------------------------------------------------------------


def test_seeds_of_episodes() -> None:
    seeds: set[int] = set()
    for seed in KEYS:
        out = np.zeros(300, np.uint64)
        many_episodes(np.uint64(seed), out)
        found = out.tolist()
        assert found[0] == seed
        for episode in range(1, 300):
            low, high, _, _ = philox4x32((episode, STREAM_EPISODE, 0, 0), seed)
            assert found[episode] == low | high << 32
        seeds.update(found)
    assert len(seeds) == 300 * len(KEYS)
