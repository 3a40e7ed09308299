"""The other seats of `Nijar-v0`: who plays them, what they see, what they may do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from nijar_env import IllegalActionError
from nijar_env.core.catalogue import NUM_GAME_ACTIONS
from nijar_env.gym_env import NijarEnv
from tests.front_ends.policies import EVERY_KIND, Chooser, choose, choose_many, play, same
from tests.rules.scenes import at_home, load, scene, shut, stand


@pytest.mark.parametrize("kind", EVERY_KIND)
def test_opponents_of_every_kind_play_the_same(kind: str) -> None:
    runs = []
    for opponent in (choose, EVERY_KIND[kind]):
        env = NijarEnv(3, opponents=opponent, seat=1)
        runs.append([env.reset(seed=3), play(env), env.game.record.tobytes()])
    assert same(*runs)


def test_each_seat_can_have_its_own_opponent() -> None:
    seats: dict[str, set[int]] = {"first": set(), "second": set()}

    class Watching(Chooser):
        def __init__(self, name: str) -> None:
            self.name = name

        def act_in(self, batch: Any, rows: Any) -> list[int]:
            seats[self.name] |= set(batch.current_players[rows].tolist())
            return super().act_in(batch, rows)

    env = NijarEnv(4, opponents=[Watching("first"), "random", Watching("second")], seat=2)
    env.reset(seed=1)
    play(env)
    assert seats == {"first": {3}, "second": {1}}


def test_opponents_see_their_own_side() -> None:
    told = []

    def watch(observation: Any, mask: Any) -> int:
        game = env._game
        if game is not None:
            told.append(same(observation, game.observation(game.current_player)))
        return choose(observation, mask)

    env = NijarEnv(opponents=watch)
    env.reset(seed=1)
    play(env)
    assert len(told) > 50
    assert all(told)


def test_a_learner_decides_inside_anothers_turn() -> None:
    """A craftswoman sent home to a closed shop asks its owner at once (§7.2.5)."""
    position = at_home(shut(stand(scene(2), (0, 0), 1), 1), 0, 4)
    given = load(position).to_dict()
    place = load(position).parse_action("place:0,0")
    rivals = iter([place])
    env = NijarEnv(seat=1, opponents=lambda observation, mask: next(rivals))
    env.reset(options={"scene": given})
    assert env.game.turn_player == 0
    assert [env.game.action_name(action) for action in env.game.legal_actions()] == [
        "shop:clay",
        "shop:pg",
        "shop:glaze",
    ]


def test_opponents_must_play_legally() -> None:
    env = NijarEnv(opponents=lambda observation, mask: int(np.flatnonzero(mask == 0)[0]))
    with pytest.raises(IllegalActionError):
        for seed in range(4):
            env.reset(seed=seed)
            play(env)


def test_random_opponents_leave_the_games_own_luck_alone() -> None:
    """Their stream is their own: in their games the dice are those of the seed."""
    dice = []
    for opponent in ("random", choose):
        env = NijarEnv(opponents=opponent)
        env.reset(seed=8)
        while env.game.round == 0 and not env.game.done:
            env.step(choose(env.game.observation(env.seat), env.action_masks()))
        dice.append(env.game.record.dice.tolist())
    assert dice[0] == dice[1]


def test_both_forms_of_many_opponents_agree() -> None:
    observations = np.random.default_rng(0).random((5, 8), np.float32)
    masks = np.ones((5, NUM_GAME_ACTIONS), np.int8)
    assert choose_many(observations, masks).tolist() == [
        choose(one, mask) for one, mask in zip(observations, masks, strict=True)
    ]
