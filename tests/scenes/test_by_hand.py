"""Scenes written by hand are games."""

from __future__ import annotations

import pytest

from nijar_env import Game

from .games import puzzle, scene_of


def test_a_puzzle_written_by_hand() -> None:
    given = puzzle()
    game = Game.from_dict(given, seed=1)
    assert given == puzzle()
    assert (game.current_player, game.round, game.scores()) == (0, 3, [30, 30])
    scene = game.to_dict()
    assert scene["supply"] == {
        "pg": 48,
        "glaze": 40,
        "crack": 26,
        "vase": 17,
        "plate": 7,
        "jug": 7,
        "pot": 8,
    }
    assert [len(deck) for deck in scene["decks"]] == [32 - 5 - 3, 24 - 5, 24 - 5 - 1]
    for name in ("sell:jug:painted", "sell:plate:painted"):
        game.step(game.parse_action(name))
    assert game.scores() == [30 + 13 + 7, 30]  # rows 12 and 6
    assert game.to_dict()["market"]["position"] == {"plate": 6, "jug": 10, "pot": 4}
    assert game.current_player == 1


def test_another_box_is_a_warning() -> None:
    scene = scene_of("turns", 2)
    scene["box"] = {"name": "prototype", "fingerprint": "0" * 12}
    with pytest.warns(UserWarning, match=r"prototype.*0000") as caught:
        Game.from_dict(scene)
    assert caught[0].filename == __file__
