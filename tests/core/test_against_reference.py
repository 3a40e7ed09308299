"""The engine against the reference engine of tests/reference: two programs, one rulebook.

The reference is written from the rulings alone, structured differently and slow. Both play the
same games on the same luck; at every decision the legal actions, the player to act and the whole
state must agree.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from nijar_env.game import Game
from tests.philox import SeededChance
from tests.reference import ReferenceGame

IGNORED = {"format", "box", "pending", "rng", "auto_forced", "decisions", "deck_seen"}
MULTI_ONLY = ("difficulty",)

# How a player leans: weights by the first word of an action name.
LEANINGS: dict[str, dict[str, float]] = {
    "uniform": {},
    "busy": {"done": 0.05, "close": 0.5},
    "cards": {"done": 0.05, "play": 8, "take": 4, "action:play": 6, "action:acquire": 4},
    "pottery": {"done": 0.03, "shape": 8, "throw": 6, "action:throw": 8, "fire": 6, "paint": 6},
    "cracks": {"done": 0.1, "clean": 6, "action:clean": 6, "paint": 4, "shape": 5, "reward": 8},
    "crowd": {"done": 0.2, "place": 6, "special": 0.1, "shop": 2, "discard": 0.2},
}


def weight(name: str, leaning: dict[str, float]) -> float:
    return leaning.get(name, leaning.get(name.split(":")[0], 1.0))


def comparable(scene: dict[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in scene.items() if key not in IGNORED}
    for part in [*kept["players"], kept.get("competition") or {}]:
        part.pop("vp_from", None)
    if kept["num_players"] > 1:
        kept["difficulty"] = None
    return kept


def first_difference(ours: Any, theirs: Any, path: str = "") -> str | None:
    """The path of the first difference of two JSON values."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in ours.keys() | theirs.keys():
            if key not in ours or key not in theirs:
                return f"{path}.{key}: only in {'reference' if key in theirs else 'engine'}"
            found = first_difference(ours[key], theirs[key], f"{path}.{key}")
            if found:
                return found
        return None
    if isinstance(ours, list | tuple) and isinstance(theirs, list | tuple):
        if len(ours) != len(theirs):
            return f"{path}: engine {ours}, reference {theirs}"
        for k, (a, b) in enumerate(zip(ours, theirs, strict=True)):
            found = first_difference(a, b, f"{path}[{k}]")
            if found:
                return found
        return None
    return None if ours == theirs else f"{path}: engine {ours!r}, reference {theirs!r}"


def play_both(players: int, difficulty: str, seed: int, leaning: str, every: int) -> int:
    """One game on both engines; returns the number of decisions."""
    game = Game(players, difficulty=difficulty, seed=seed, log=False)
    reference = ReferenceGame.from_scene(game.to_dict(), SeededChance(seed))
    choose = random.Random(seed * 7 + players)
    weights = LEANINGS[leaning]
    trace: list[str] = []
    while not game.done:
        where = f"{players}p {difficulty} seed {seed} {leaning}, decision {len(trace)}"
        names = sorted(game.action_name(a) for a in game.legal_actions())
        assert reference.current_player == game.current_player, f"{where}: {trace[-12:]}"
        assert names == reference.legal(), f"{where}: after {trace[-12:]}"
        if len(trace) % every == 0:
            found = first_difference(comparable(game.to_dict()), comparable(reference.scene()))
            assert found is None, f"{where}: {found}; after {trace[-12:]}"
        name = choose.choices(names, [weight(n, weights) for n in names])[0]
        trace.append(name)
        game.step(game.parse_action(name))
        reference.step(name)
    assert reference.done
    found = first_difference(comparable(game.to_dict()), comparable(reference.scene()))
    assert found is None, f"{players}p {difficulty} seed {seed} at the end: {found}"
    assert reference.scores() == game.scores()
    return len(trace)


KINDS = [(1, "normal"), (1, "advanced"), (1, "expert"), (2, "normal"), (3, "normal"), (4, "normal")]


@pytest.mark.parametrize("leaning", LEANINGS)
@pytest.mark.parametrize(("players", "difficulty"), KINDS)
def test_same_game_on_both_engines(players: int, difficulty: str, leaning: str) -> None:
    decisions = sum(play_both(players, difficulty, seed, leaning, 5) for seed in range(10))
    assert decisions > 400


def test_the_state_agrees_at_every_single_decision() -> None:
    for players, difficulty in KINDS:
        play_both(players, difficulty, 1000 + players, "busy", 1)
