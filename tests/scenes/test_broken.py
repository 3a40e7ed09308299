"""A broken or impossible scene gives a `SceneError` that names the field."""

from __future__ import annotations

import re
from copy import deepcopy
from typing import Any

import pytest

from nijar_env import Game, SceneError

from .broken_scenes import BROKEN, DELETE, Change
from .games import frame, puzzle, scene_of


def put(scene: Any, path: str, value: Any) -> None:
    """Set, append to (a path ending in `[]`) or delete what lies at a path."""
    steps = [int(s) if s.isdigit() else s for s in re.findall(r"\w+|\[\]", path)]
    for step in steps[:-1]:
        scene = scene[step]
    last = steps[-1]
    if last == "[]":
        scene.append(value)
    elif value is DELETE:
        del scene[last]
    else:
        scene[last] = value


def _label(case: tuple[str, list[Change], str]) -> str:
    base, changes, _ = case
    path, value = changes[-1]
    shown = "deleted" if value is DELETE else re.sub(r"[^\w.,:\[\]-]+", " ", repr(value))[:40]
    return f"{base}-{path}-{shown}"


@pytest.mark.parametrize("case", BROKEN, ids=_label)
def test_a_broken_scene_names_the_field(case: tuple[str, list[Change], str]) -> None:
    base, changes, field = case
    scene = scene_of("turns", 1) if base == "solo" else scene_of(base)
    Game.from_dict(deepcopy(scene), log=False)  # is good as long as nothing is changed
    for path, value in changes:
        put(scene, path, value)
    before = deepcopy(scene)
    with pytest.raises(SceneError) as caught:
        Game.from_dict(scene)
    text = str(caught.value)
    assert text.startswith(field), text
    assert "\n" not in text and len(text) < 700
    assert caught.value.__cause__ is None  # a traceback shows this error alone
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    assert repr(scene) == repr(before)  # also where it holds nan


def test_the_competition_plays_in_solo_only() -> None:
    for players in (2, 3, 4):
        scene = scene_of("turns", players)
        scene["competition"] = scene_of("turns", 1)["competition"]
        with pytest.raises(SceneError, match=r"^competition: must be given in solo, and null"):
            Game.from_dict(scene)


def test_setup_in_the_wrong_order() -> None:
    """The last player chooses first, and each combination and donkey in turn (§4.3)."""
    scene = scene_of("setup", 3)
    last, middle, first = reversed(scene["turn_order"])
    game = Game.from_dict(deepcopy(scene))
    for name in ("start:0", "donkey:0,0", "start:1"):
        game.step(game.parse_action(name))
    good = game.to_dict()
    del good["supply"]
    assert good["current_player"] == middle
    for player, change, field in (
        (first, {"donkey": [2, 2]}, "donkey"),
        (last, {"donkey": None}, "donkey"),
        (middle, {"donkey": [2, 2]}, "donkey"),
        (first, {"cleaning_area": 7}, "cleaning_area"),
        (first, {"pg": 1}, "pg"),
    ):
        broken = deepcopy(good)
        broken["players"][player].update(change)
        with pytest.raises(SceneError, match=rf"^players\[{player}\]\.{field}"):
            Game.from_dict(broken)
    broken = deepcopy(good)
    broken["current_player"] = broken["turn_player"] = first
    with pytest.raises(SceneError, match=rf"^players\[{middle}\]\.donkey"):
        Game.from_dict(broken)


def test_the_end_of_a_round_asks_only_who_has_a_card_to_play() -> None:
    scene = scene_of("end_of_round", 2)
    hers = scene["players"][scene["current_player"]]
    hers["endgame_discarded"] += hers.pop("endgame_hand")
    hers["endgame_hand"] = []
    with pytest.raises(SceneError, match=r"^current_player: has no endgame card"):
        Game.from_dict(scene)


def test_a_full_card_and_a_last_vase_are_fine_while_they_are_pending() -> None:
    scene = puzzle()
    scene["players"][0]["cleanup"][0]["cracks"] = 2
    scene["players"][0]["cleaning_area"] = 1
    scene["pending"] = [frame("clean", left=1)]
    game = Game.from_dict(scene)
    game.step(game.parse_action("clean:supply"))
    assert game.to_dict()["pending"][-1] == frame("rewards", owed=[0])
    scene = puzzle()
    scene["players"][0]["wheels"][0]["vase"] = 4
    scene["pending"] = [frame("complete_wheel", space=0), frame("clay")]
    game = Game.from_dict(scene)
    game.step(game.parse_action("clay:1"))
    assert game.to_dict()["players"][0]["wheels"][0]["vase"] == "done"


@pytest.mark.parametrize(
    "data", [None, [], {}, "scene", 7, 1.5, b"{}", object(), [{}], {1: 2}, {"players": None}]
)
def test_what_is_no_scene_at_all(data: Any) -> None:
    with pytest.raises(SceneError):
        Game.from_dict(data)


def test_a_bad_seed_is_not_the_scenes_fault() -> None:
    for seed in (-1, 2**64, 1.5, "x"):
        with pytest.raises(ValueError, match=r"^seed must"):
            Game.from_dict(puzzle(), seed=seed)  # type: ignore[arg-type]
