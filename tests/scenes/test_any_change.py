"""Whatever is changed in a scene: it is an error or a game."""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from typing import Any, Final

import pytest

from nijar_env import Game, SceneError
from nijar_env.core.jit import JIT
from tests.invariants import check

from .games import KINDS, Scene, positions, puzzle, through_json

JUNK: Final[list[Any]] = [
    *(None, True, False, 0, 1, 2, 3, 7, 8, -1, 13, 127, 128, 256, 2**15, 2**31, 2**63, 2**64),
    *(2**70, -(2**70), 0.5, 3.0, float("nan"), float("inf"), "", "plate", "W01", "C00", "done"),
    *("open", "turns", "\ud800", "x" * 300, [], [0], [0, 0], [None], [[]], {}, {"kind": "clay"}),
]


def nodes(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every node below the root."""
    entries = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, part in entries:
        yield (*path, key)
        yield from nodes(part, (*path, key))


def follow(scene: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        scene = scene[key]
    return scene


def mutate(scene: Scene, chance: random.Random) -> str:
    """Change one thing; returns what, for the message of a failure."""
    paths = list(nodes(scene))
    # Cards of the decks are most of the nodes; look elsewhere nine times of ten.
    few = [path for path in paths if path[0] != "decks"]
    path = chance.choice(paths if chance.random() < 0.1 else few)
    parent, key = follow(scene, path[:-1]), path[-1]
    old = parent[key]
    how = chance.choice(["delete", "junk", "swap", "copy", *["step", "like", "move"] * 3])
    if how == "delete":
        del parent[key]
    elif how == "step" and type(old) is int:
        parent[key] = old + chance.choice([-1, 1])
    elif how == "swap":
        other = chance.choice(few)
        if path[: len(other)] != other and other[: len(path)] != path:
            theirs = follow(scene, other[:-1])
            parent[key], theirs[other[-1]] = theirs[other[-1]], old
    elif how == "like":
        alike = [other for other in few if type(follow(scene, other)) is type(old)]
        parent[key] = deepcopy(follow(scene, chance.choice(alike or [path])))
    elif how == "copy":
        parent[key] = deepcopy(follow(scene, chance.choice(few)))
    elif how == "move" and isinstance(old, list) and old:
        old.insert(chance.randrange(len(old) + 1), old.pop(chance.randrange(len(old))))
    else:
        parent[key] = deepcopy(chance.choice(JUNK))
    return f"{how} at {path}"


def play_out(game: Game, chance: random.Random) -> None:
    for number in range(5000):
        if number % 20 == 0 or game.done:
            check(game._games, game.box.record[0])
        if game.done:
            return
        game.step(chance.choice(game.legal_actions()))
    raise AssertionError("the game does not end")


@cache
def _corpus() -> list[Scene]:
    """Good scenes from all phases, most of them with something pending."""
    found = []
    for players, difficulty in KINDS:
        for seed in (20, 21):
            for number, game in enumerate(positions(players, difficulty, seed, forced=False)):
                if number % 12 == seed % 2 or game.record.depth > 2 or game.phase == "market":
                    found.append(game.to_dict())
    return [*found, {**puzzle(), "competition": None}]


@pytest.mark.parametrize("part", range(4))
def test_any_change_is_an_error_or_a_game(part: int) -> None:
    """Never another error, never a state that breaks later."""
    chance = random.Random(part)
    corpus = _corpus()
    games = refused = 0
    for number in range(1000):
        scene = deepcopy(chance.choice(corpus))
        if chance.random() < 0.8:  # what is worked out anyway, so that more changes are possible
            for key in ("supply", "decks", "rng"):
                scene.pop(key, None)
            for seat in (*scene["players"], scene["competition"] or {}):
                seat.pop("vp_from", None)
                seat.pop("hand_dealt", None)
        changes = [mutate(scene, chance) for _ in range(chance.choice([1, 1, 1, 2, 3]))]
        before = repr(scene)
        try:
            with warnings.catch_warnings(action="error"):
                warnings.filterwarnings("ignore", "the scene was written with box")
                game = Game.from_dict(scene, seed=number, log=False)
        except SceneError as error:
            refused += 1
            assert ":" in str(error)
            assert repr(scene) == before
            continue
        except Exception as error:
            raise AssertionError(f"part {part}, {number}: {changes}: {error!r}") from error
        games += 1
        assert repr(scene) == before
        again = Game.from_dict(through_json(game.to_dict()), log=False)
        assert again.record.tobytes() == game.record.tobytes(), changes
        if JIT or games % 10 == 0:
            try:
                play_out(game, chance)
            except Exception as error:
                raise AssertionError(f"part {part}, {number}: {changes}: {error!r}") from error
    assert refused > 400 and games > 50
