"""Scenes there and back: nothing is lost on the way to JSON (docs/state.md)."""

from __future__ import annotations

import random

import pytest

from nijar_env import Game, SceneError
from nijar_env.core.constants import FRAME_KINDS
from nijar_env.core.jit import JIT

from .games import KINDS, choice, positions, puzzle, scene_of, through_json


@pytest.mark.parametrize("forced", [True, False])
@pytest.mark.parametrize(("players", "difficulty"), KINDS)
def test_nothing_is_lost(players: int, difficulty: str, forced: bool) -> None:
    decisions = 0
    for seed in range(2 if JIT and players < 3 else 1):
        for game in positions(players, difficulty, seed, forced=forced):
            copy = Game.from_dict(through_json(game.to_dict()), log=False)
            assert copy.record.tobytes() == game.record.tobytes()
            assert copy.to_dict() == game.to_dict()
            decisions += 1
    assert decisions > 80


def test_every_phase_and_most_frames_are_among_them() -> None:
    """What the test above has seen, so that it proves what it says."""
    phases, frames = set(), set()
    for players, difficulty in KINDS:
        for game in positions(players, difficulty, 0, forced=False):
            phases.add(game.phase)
            frames.update(frame["kind"] for frame in game.to_dict()["pending"])
    assert phases == {"setup", "market", "turns", "end_of_round", "finished"}
    assert len(frames) >= len(FRAME_KINDS) - 3, set(FRAME_KINDS) - frames


@pytest.mark.parametrize(("players", "difficulty"), KINDS)
def test_a_game_goes_on_from_its_scene_as_from_itself(players: int, difficulty: str) -> None:
    for number, game in enumerate(positions(players, difficulty, 5, forced=True)):
        if number % 40 != 7 or game.done:
            continue
        one, other = game.clone(), Game.from_dict(through_json(game.to_dict()), log=False)
        chance = random.Random(number)
        while not one.done:
            action = choice(one, chance)
            one.step(action)
            other.step(action)
            assert other.record.tobytes() == one.record.tobytes()


@pytest.mark.parametrize(("players", "difficulty"), KINDS)
def test_supply_and_decks_are_worked_out(players: int, difficulty: str) -> None:
    for number, game in enumerate(positions(players, difficulty, 3, forced=True)):
        if number % 9:
            continue
        full = game.to_dict()
        scene = {key: value for key, value in full.items() if key not in ("supply", "decks")}
        again = Game.from_dict(scene, log=False).to_dict()
        assert again["supply"] == full["supply"]
        assert [sorted(deck) for deck in again["decks"]] == [sorted(d) for d in full["decks"]]
        assert {**again, "decks": 0} == {**full, "decks": 0}


def test_pending_rng_and_the_rest_have_defaults() -> None:
    full = scene_of("turns", 2)
    out = ("pending", "rng", "box", "format", "auto_forced", "decisions", "combinations")
    scene = {key: value for key, value in full.items() if key not in out}
    for player in scene["players"]:
        del player["vp_from"], player["hand_dealt"], player["endgame_discarded"]
    game = Game.from_dict(scene, seed=99)
    again = game.to_dict()
    assert again["pending"] == []
    assert again["rng"] == {"seed": 99, "draws": dict.fromkeys(again["rng"]["draws"], 0)}
    assert again["format"] == full["format"]
    assert again["box"] == full["box"]
    assert again["auto_forced"] is True
    assert again["decisions"] == 0
    for player in again["players"]:
        assert player["hand_dealt"] == player["hand"]
        cards = player["endgame_hand"] + player["endgame_played"] + player["endgame_discarded"]
        assert len(cards) == 3
        assert player["vp_from"] == ({"given": player["vp"]} if player["vp"] else {})
    assert Game.from_dict(scene, seed=99).record.tobytes() == game.record.tobytes()


def test_discarded_endgame_cards_are_worked_out() -> None:
    """They were out of the game unseen: any that nobody has are as good."""
    scene = puzzle()
    scene["players"][0]["endgame_hand"] = ["pot"]
    scene["players"][1]["endgame_hand"] = []
    game = Game.from_dict(scene)
    hers, theirs = game.to_dict()["players"]
    assert (len(hers["endgame_discarded"]), len(theirs["endgame_discarded"])) == (2, 2)
    assert Game.from_dict(game.to_dict()).to_dict() == game.to_dict()
    scene["players"][1]["endgame_discarded"] = ["plate"]
    with pytest.raises(SceneError, match=r"^players\[1\]\.endgame_hand: .* 3 cards, not 2"):
        Game.from_dict(scene)


def test_the_scenes_own_luck_comes_before_the_seed_given() -> None:
    scene = scene_of("turns", 2)
    assert Game.from_dict(scene, seed=5).to_dict()["rng"] == scene["rng"]
    del scene["rng"]
    drawn = {Game.from_dict(scene).to_dict()["rng"]["seed"] for _ in range(3)}
    assert len(drawn) == 3


def test_a_forced_decision_is_taken_at_once_where_the_scene_says_so() -> None:
    scene = puzzle()
    hers = scene["players"][0]
    hers.update(glaze_kilns=[{"card": "G00", "piece": None}], endgame_hand=[])
    hers["endgame_discarded"] = ["jug", "pot", "wheel"]
    hers["craftswomen"], scene["board"]["special"][0] = 0, 3
    scene["auto_forced"] = False
    game = Game.from_dict(scene)
    assert [game.action_name(a) for a in game.legal_actions()] == ["close"]
    scene["auto_forced"] = True
    game = Game.from_dict(scene)
    assert game.to_dict()["players"][0]["shop"] == "closed"
    assert len(game.legal_actions()) > 1
