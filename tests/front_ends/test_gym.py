"""The Gymnasium environments: check_env, what they return, seeds, copies, options."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import nijar_env.registration  # noqa: F401 (the ids)
from nijar_env import Game, IllegalActionError, SceneError
from nijar_env.core.catalogue import NUM_GAME_ACTIONS
from nijar_env.core.layout import observation_size
from nijar_env.episodes import Episode
from nijar_env.gym_env import NijarEnv, NijarSoloEnv
from nijar_env.registration import SEAT_ID, SOLO_ID, register
from tests.front_ends.policies import choose, play, same

ROOT = Path(__file__).parents[2]
ENVIRONMENTS: list[tuple[str, dict[str, Any]]] = [
    (SOLO_ID, {}),
    (SOLO_ID, {"difficulty": "advanced", "observation": "flat", "reward": "vp"}),
    (SEAT_ID, {}),
    (SEAT_ID, {"num_players": 3, "seat": "rotate", "auto_forced": False}),
    (SEAT_ID, {"num_players": 4, "seat": 2, "opponents": choose, "observation": "flat"}),
]
every_environment = pytest.mark.parametrize(
    ("name", "options"),
    ENVIRONMENTS,
    ids=[f"{name}-{'-'.join(options)}" for name, options in ENVIRONMENTS],
)


# --- other people's suites -----------------------------------------------------------------------


@every_environment
def test_gymnasium_check(name: str, options: dict[str, Any], capsys: Any) -> None:
    """`check_env` steps with an action that was sampled in another state. So it runs with
    illegal_action="terminate"; nothing may be remarked on."""
    env = gymnasium.make(name, illegal_action="terminate", **options).unwrapped
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env)
    assert "== Nijar" in capsys.readouterr().out  # mode "human" was tried


@every_environment
def test_the_passive_checker_of_make_is_silent(name: str, options: dict[str, Any]) -> None:
    env = gymnasium.make(name, **options)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env.reset(seed=3)
        for _ in range(30):
            env.step(env.action_space.sample())
        env.close()


def test_ids_are_registered_by_the_import() -> None:
    code = (
        "import gymnasium, nijar_env\n"
        f"for name in ({SOLO_ID!r}, {SEAT_ID!r}):\n"
        "    assert gymnasium.spec(name).vector_entry_point\n"
        "import sys\n"
        "assert 'numba' not in sys.modules and 'nijar_env.core' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def test_registering_twice_changes_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        before = gymnasium.spec(SOLO_ID)
        register()
        assert gymnasium.spec(SOLO_ID) is before


def test_gymnasiums_wrappers() -> None:
    env = gymnasium.wrappers.RecordEpisodeStatistics(
        gymnasium.wrappers.FlattenObservation(gymnasium.make(SEAT_ID, reward="vp"))
    )
    observation, _ = env.reset(seed=1)
    assert observation in env.observation_space
    *_, last = play(env)
    scores, seat = last[4]["scores"], last[4]["seat"]
    assert last[4]["episode"]["r"] == scores[seat]


# --- what is returned ----------------------------------------------------------------------------


@every_environment
def test_observations_masks_and_infos(name: str, options: dict[str, Any]) -> None:
    env = gymnasium.make(name, **options).unwrapped
    observation, info = env.reset(seed=5)
    flat = options.get("observation") == "flat"
    size = observation_size(env.num_players)
    for step in [(observation, 0.0, False, False, info), *play(env)]:
        observation, reward, terminated, truncated, info = step
        assert observation in env.observation_space
        seen = observation if flat else observation["observation"]
        assert seen.shape == (size,)
        assert info["action_mask"].dtype == np.int8
        assert flat or same(observation["action_mask"], info["action_mask"])
        assert info["action_mask"].any() != terminated
        assert isinstance(reward, float)
        assert not truncated
        assert ("scores" in info) == ("winner" in info) == terminated
    assert same(seen, env.game.observation(env.seat))
    assert info["scores"].tolist() == env.game.scores()
    assert info["winner"] == env.game.winner


@pytest.mark.parametrize("reward", ["vp", "outcome", "margin"])
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_rewards_reach_the_learner_to_the_end(players: int, reward: str) -> None:
    env = NijarEnv(players, seat="rotate", reward=reward)
    for seed in range(4):
        _, info = env.reset(seed=seed)
        assert info["seat"] == seed % players
        steps = play(env, seed=seed)
        scores = env.game.scores()
        own = scores.pop(env.seat)
        earned = [step[1] for step in steps]
        if reward == "vp":
            assert sum(earned) == own
        else:
            assert not any(earned[:-1])
            win = 1.0 if env.game.winner == env.seat else -1.0 / len(scores)
            expected = win if reward == "outcome" else (own - max(scores)) / 50
            assert earned[-1] == pytest.approx(expected)


def test_an_illegal_action_raises_and_changes_nothing() -> None:
    env = NijarEnv(reward="vp")
    env.reset(seed=1)
    play(env, 20)
    before = env.game.record.tobytes()
    wrong = int(np.flatnonzero(env.action_masks() == 0)[0])
    for action in (wrong, -1, NUM_GAME_ACTIONS, 1.5, None):
        with pytest.raises(IllegalActionError, match="legal"):
            env.step(action)
        assert env.game.record.tobytes() == before
    assert play(env)[-1][2]
    with pytest.raises(IllegalActionError, match="game is over"):
        env.step(0)


def test_an_illegal_action_can_end_the_episode() -> None:
    env = NijarEnv(illegal_action="terminate")
    env.reset(seed=1)
    play(env, 20)
    before = env.game.record.tobytes()
    wrong = int(np.flatnonzero(env.action_masks() == 0)[0])
    observation, reward, terminated, truncated, info = env.step(wrong)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert not observation["action_mask"].any()
    assert not info["action_mask"].any()
    assert "scores" not in info
    assert env.game.record.tobytes() == before
    with pytest.raises(IllegalActionError, match="episode is over"):
        env.step(0)
    assert env.reset()[1]["action_mask"].any()


def test_actions_may_be_any_integer() -> None:
    env = NijarSoloEnv()
    for kind in (int, np.int64, np.int8, np.array):
        env.reset(seed=1)
        env.step(kind(int(np.flatnonzero(env.action_masks())[0])))


def test_sampling_the_action_space_gives_legal_actions() -> None:
    env = gymnasium.make(SEAT_ID, num_players=3)
    env.action_space.seed(1)
    env.reset(seed=1)
    terminated = False
    while not terminated:
        _, _, terminated, _, _ = env.step(env.action_space.sample())


# --- seeds ---------------------------------------------------------------------------------------


def test_a_seed_is_the_games() -> None:
    for seed in (0, 7, 2**63):
        env = NijarSoloEnv(difficulty="expert")
        env.reset(seed=seed)
        game = Game(1, difficulty="expert", seed=seed, log=False)
        assert env.game.record.tobytes() == game.record.tobytes()


@every_environment
def test_episodes_after_a_seed_repeat(name: str, options: dict[str, Any]) -> None:
    runs = []
    for _ in range(2):
        env = gymnasium.make(name, **options)
        run: list[Any] = []
        for seed in (0, None, None):
            run += [env.reset(seed=seed), play(env)]
        runs.append(run)
    assert same(*runs)
    assert not same(runs[0][0], runs[0][2])


def test_later_episodes_have_hashed_seeds() -> None:
    env = NijarSoloEnv()
    env.reset(seed=11)
    for number in range(1, 4):
        env.reset()
        assert int(env.game.record.seed) == Episode(11, number).seed


def test_before_any_seed_np_random_draws_one() -> None:
    firsts = set()
    for _ in range(3):
        env = NijarSoloEnv()
        env.reset()
        firsts.add(int(env.game.record.seed))
    assert len(firsts) == 3
    drawn = []
    for _ in range(2):
        env = NijarSoloEnv()
        env.np_random = np.random.default_rng(4)
        env.reset()
        drawn.append(int(env.game.record.seed))
    assert drawn[0] == drawn[1]


@pytest.mark.parametrize("seed", [-1, 2**64, "1", 1.0])
def test_what_is_no_seed(seed: Any) -> None:
    env = NijarSoloEnv()
    env.reset(seed=1)
    before = env.game.record.tobytes()
    with pytest.raises((ValueError, gymnasium.error.Error)):
        env.reset(seed=seed)
    assert env.game.record.tobytes() == before


def test_global_generators_are_left_alone() -> None:
    state, numpy_state = random.getstate(), np.random.get_state()  # noqa: NPY002
    env = NijarEnv(3, seat="rotate")
    env.reset()
    play(env)
    assert random.getstate() == state
    assert same(list(np.random.get_state()), list(numpy_state))  # noqa: NPY002


# --- copies --------------------------------------------------------------------------------------


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@every_environment
def test_copies_go_on_identically(name: str, options: dict[str, Any], copied: Any) -> None:
    env = gymnasium.make(name, **options)
    env.reset(seed=2)
    play(env, 25)
    env.action_space.seed(1)
    other = copied(env)
    assert env.action_space.sample() == other.action_space.sample()
    assert same(play(env, seed=1), play(other, seed=1))
    assert same(env.reset(), other.reset())
    assert other.unwrapped.action_space.legal.tobytes() == other.unwrapped.action_masks().tobytes()


# --- options -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("num_players", 5),
        ("opponents", "best"),
        ("opponents", ["random", "random"]),
        ("opponents", 3),
        ("seat", 2),
        ("seat", "first"),
        ("seat", True),
        ("difficulty", "hard"),
        ("reward", "points"),
        ("observation", "box"),
        ("illegal_action", "ignore"),
        ("render_mode", "rgb"),
    ],
)
def test_options_out_of_range(option: str, value: Any) -> None:
    with pytest.raises(ValueError, match=option.removesuffix("s")):
        NijarEnv(**{option: value})


def test_before_the_first_reset() -> None:
    env = NijarSoloEnv()
    for call in (lambda: env.step(0), env.action_masks, lambda: env.game):
        with pytest.raises(gymnasium.error.ResetNeeded):
            call()
    assert 0 <= env.action_space.sample() < NUM_GAME_ACTIONS


def test_an_episode_can_begin_with_a_scene() -> None:
    source = NijarEnv(reward="vp")
    source.reset(seed=4)
    play(source, 40)
    given = source.game.to_dict()
    start = source.game.scores()[0]
    env = NijarEnv(reward="vp")
    observation, _ = env.reset(options={"scene": given})
    assert same(observation["observation"], source.game.observation(0))
    assert sum(step[1] for step in play(env)) == env.game.scores()[0] - start
    for wrong in (Game(3, seed=1).to_dict(), env.game.to_dict(), {"round": 9}):
        with pytest.raises(SceneError):
            env.reset(options={"scene": wrong})
    assert env.game.done


def test_rendering(capsys: pytest.CaptureFixture[str]) -> None:
    env = gymnasium.make(SEAT_ID, render_mode="ansi", seat=1)
    env.reset(seed=1)
    board = env.render()
    assert isinstance(board, str)
    assert "as P1 sees it" in board
    human = gymnasium.make(SOLO_ID, render_mode="human")
    human.reset(seed=1)
    human.step(human.action_space.sample())
    assert capsys.readouterr().out.count("== Nijar") == 2
    with pytest.warns(UserWarning, match="render_mode"):
        assert NijarSoloEnv().render() is None
