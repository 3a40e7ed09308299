"""The same seed and the same policy in every seat give the same game through every front end."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest

import nijar_env.registration  # noqa: F401 (the ids)
from nijar_env import Game, GameBatch, nijar_v0
from tests.front_ends.policies import choose, choose_many

# Of each decision of seat 0: the record, what it sees, its mask, its reward since the last one;
# at the end the record, what it sees, no mask and the last reward.
Entry = tuple[str, str, str, float]
SEED = 20260101
LEARNER = 0


def entry(record: Any, observation: Any, mask: Any, reward: float) -> Entry:
    parts = (record.tobytes(), observation.tobytes(), np.asarray(mask, np.int8).tobytes())
    digests = [hashlib.sha256(part).hexdigest() for part in parts]
    return (digests[0], digests[1], digests[2], float(reward))


def through_game(players: int, options: dict[str, Any]) -> Iterator[Entry]:
    game = Game(players, seed=SEED, log=False, **options)
    before = 0
    while True:
        if game.done or game.current_player == LEARNER:
            vp = game.scores()[LEARNER]
            seen = game.observation(LEARNER)
            yield entry(game.record, seen, game.action_mask(), vp - before)
            before = vp
        if game.done:
            return
        game.step(choose(game.observation(game.current_player), game.action_mask()))


def through_batch(players: int, options: dict[str, Any]) -> Iterator[Entry]:
    seeds = np.array([1, SEED, 2])
    batch = GameBatch(3, players, seed=seeds, auto_reset=False, reward="vp", **options)
    reward = 0.0
    while True:
        done = bool(batch.dones[1])
        if done or batch.current_players[1] == LEARNER:
            seen = batch.observe(LEARNER)[1]
            yield entry(batch.games[1], seen, batch.action_masks[1], reward)
            reward = 0.0
        if done:
            return
        live = batch.current_players >= 0
        actions = np.zeros(3, np.int64)
        actions[live] = choose_many(batch.observe()[live], batch.action_masks[live])
        batch.step(actions)
        reward += batch.rewards[1, LEARNER]


def through_aec(players: int, options: dict[str, Any]) -> Iterator[Entry]:
    env = nijar_v0.raw_env(players, reward="vp", **options)
    env.reset(seed=SEED)
    for agent in env.agent_iter():
        observation, reward, done, _, info = env.last()
        if agent == f"player_{LEARNER}":
            assert info["action_mask"].tobytes() == observation["action_mask"].tobytes()
            yield entry(env.game.record, *observation.values(), reward)
        env.step(None if done else choose(*observation.values()))


def environment_of(players: int, options: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    if players == 1:
        return "nijar_env/Nijar-Solo-v0", {"reward": "vp", **options}
    kinds = (choose, choose_many, choose)[: players - 1]
    return "nijar_env/Nijar-v0", {
        "num_players": players,
        "opponents": kinds,
        "seat": LEARNER,
        "reward": "vp",
        **options,
    }


def through_gymnasium(players: int, options: dict[str, Any]) -> Iterator[Entry]:
    name, given = environment_of(players, options)
    env = gymnasium.make(name, **given)
    observation, info = env.reset(seed=SEED)
    reward, done = 0.0, False
    while True:
        assert info["action_mask"].tobytes() == observation["action_mask"].tobytes()
        seen = (observation["observation"], observation["action_mask"])
        yield entry(env.unwrapped.game.record, *seen, reward)
        if done:
            return
        observation, reward, done, _, info = env.step(choose(*seen))


def through_vector(players: int, options: dict[str, Any]) -> Iterator[Entry]:
    name, given = environment_of(players, options)
    envs = gymnasium.make_vec(name, num_envs=3, autoreset_mode="SameStep", **given)
    batch = envs.unwrapped.batch
    observations, infos = envs.reset(seed=SEED - 1)
    reward = 0.0
    while True:
        mask = infos["action_mask"][1]
        yield entry(batch.games[1], observations["observation"][1], mask, reward)
        actions = choose_many(observations["observation"], envs.unwrapped.action_masks())
        observations, rewards, dones, _, infos = envs.step(actions)
        reward = rewards[1]
        if dones[1]:
            final = infos["final_obs"][1]
            assert infos["final_info"]["action_mask"][1].tobytes() == final["action_mask"].tobytes()
            seen = (final["observation"], final["action_mask"])
            yield entry(batch.finished_games[1], *seen, reward)
            return


def through_sb3(players: int, options: dict[str, Any]) -> Iterator[Entry]:
    pytest.importorskip("stable_baselines3", reason="the extra `train` is not installed")
    from nijar_env.sb3 import NijarVecEnv

    _, given = environment_of(players, options)
    given.pop("num_players", None)
    envs = NijarVecEnv(3, players, seed=SEED - 1, **given)
    batch = envs.vector.batch
    observations = envs.reset()
    reward = 0.0
    while True:
        masks = np.stack(envs.env_method("action_masks"))
        yield entry(batch.games[1], observations[1], masks[1], reward)
        observations, rewards, dones, infos = envs.step(choose_many(observations, masks))
        reward = rewards[1]
        if dones[1]:
            seen = infos[1]["terminal_observation"]
            yield entry(batch.finished_games[1], seen, np.zeros_like(masks[1]), reward)
            return


FRONT_ENDS: dict[str, Callable[[int, dict[str, Any]], Iterator[Entry]]] = {
    "batch": through_batch,
    "aec": through_aec,
    "gymnasium": through_gymnasium,
    "vector": through_vector,
    "sb3": through_sb3,
}
GAMES: list[tuple[int, dict[str, Any]]] = [
    (1, {}),
    (1, {"difficulty": "expert"}),
    (2, {}),
    (2, {"auto_forced": False}),
    (3, {}),
    (4, {}),
]


@pytest.mark.parametrize(("players", "options"), GAMES, ids=str)
@pytest.mark.parametrize("front_end", FRONT_ENDS)
def test_the_game_is_the_same(front_end: str, players: int, options: dict[str, Any]) -> None:
    expected = list(through_game(players, options))
    assert len(expected) > 20
    found = list(FRONT_ENDS[front_end](players, options))
    for number, (one, other) in enumerate(zip(found, expected, strict=False)):
        assert one == other, f"decision {number} of {len(expected)}"
    assert len(found) == len(expected)
