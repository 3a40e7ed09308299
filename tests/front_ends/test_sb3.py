"""The stable-baselines3 front end, and what MaskablePPO needs of it."""

from __future__ import annotations

import random
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

sb3 = pytest.importorskip("stable_baselines3", reason="the extra `train` is not installed")
contrib = pytest.importorskip("sb3_contrib", reason="the extra `train` is not installed")
torch = pytest.importorskip("torch", reason="the extra `train` is not installed")

from sb3_contrib.common.maskable.evaluation import evaluate_policy  # noqa: E402
from sb3_contrib.common.maskable.utils import (  # noqa: E402
    get_action_masks,
    is_masking_supported,
)
from stable_baselines3.common.env_checker import check_env  # noqa: E402
from stable_baselines3.common.monitor import Monitor  # noqa: E402
from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor, VecNormalize  # noqa: E402

import nijar_env.registration  # noqa: E402, F401 (the ids)
from nijar_env import IllegalActionError  # noqa: E402
from nijar_env.registration import SEAT_ID, SOLO_ID  # noqa: E402
from nijar_env.sampling import sample_actions  # noqa: E402
from nijar_env.sb3 import NijarVecEnv  # noqa: E402
from nijar_env.vector_env import NijarVectorEnv  # noqa: E402

SMALL: dict[str, Any] = {
    "n_steps": 16,
    "batch_size": 64,
    "n_epochs": 1,
    "policy_kwargs": {"net_arch": [16]},
    "seed": 0,
}


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


@pytest.mark.parametrize("observation", ["dict", "flat"])
@pytest.mark.parametrize("name", [SOLO_ID, SEAT_ID])
def test_stable_baselines3_check(name: str, observation: str) -> None:
    env = gymnasium.make(name, observation=observation).unwrapped
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env)


def test_single_environments_can_be_masked() -> None:
    env = Monitor(gymnasium.make(SEAT_ID, observation="flat", reward="vp"))
    assert is_masking_supported(env)
    model = contrib.MaskablePPO("MlpPolicy", env, **SMALL)
    model.learn(32)
    observation, _ = env.reset(seed=1)
    masks = get_action_masks(env)
    action, _ = model.predict(observation, action_masks=masks)
    assert masks[action]


@pytest.mark.parametrize(
    ("players", "observation"), [(1, "flat"), (1, "dict"), (3, "flat")], ids=str
)
def test_maskable_ppo_trains(players: int, observation: str, tmp_path: Path) -> None:
    envs = NijarVecEnv(8, players, seed=1, observation=observation, reward="vp")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert is_masking_supported(envs)
        policy = "MlpPolicy" if observation == "flat" else "MultiInputPolicy"
        model = contrib.MaskablePPO(policy, envs, **SMALL)
        before = [value.clone() for value in model.policy.parameters()]
        model.learn(8 * 16 * 8)  # an illegal action would raise
    after = model.policy.parameters()
    assert not all(torch.equal(*pair) for pair in zip(before, after, strict=True))
    assert len(model.ep_info_buffer) > 0
    assert all(episode["l"] > 20 for episode in model.ep_info_buffer)
    model.save(tmp_path / "model.zip")
    loaded = contrib.MaskablePPO.load(tmp_path / "model.zip", env=envs)
    mean, _ = evaluate_policy(loaded, NijarVecEnv(4, players, seed=5, observation=observation), 4)
    assert -1.0 <= mean <= 1.0


def test_it_is_the_vector_environment() -> None:
    envs = NijarVecEnv(4, 3, seed=9, seat="rotate", reward="vp")
    vector = NijarVectorEnv(
        4, 3, seat="rotate", reward="vp", observation="flat", autoreset_mode="SameStep"
    )
    expected, infos = vector.reset(seed=9)
    assert np.array_equal(envs.reset(), expected)
    assert [info["seat"] for info in envs.reset_infos] == infos["seat"].tolist()
    rng = np.random.default_rng(0)
    returns, ended = np.zeros(4), 0
    for number in range(300):
        masks = np.stack(envs.env_method("action_masks"))
        assert np.array_equal(masks, vector.action_masks())
        assert np.array_equal(masks, get_action_masks(envs))
        actions = sample_actions(masks, rng)
        observations, rewards, dones, found = envs.step(actions)
        expected, paid, terminated, _, infos = vector.step(actions)
        assert np.array_equal(observations, expected)
        assert rewards.dtype == np.float32
        assert np.array_equal(rewards, paid)
        assert np.array_equal(dones, terminated)
        returns += rewards
        for i, info in enumerate(found):
            assert bool(info) == dones[i]
            if dones[i]:
                assert np.array_equal(info["terminal_observation"], infos["final_obs"][i])
                assert info["TimeLimit.truncated"] is False
                assert info["episode"]["r"] == returns[i]
                assert info["scores"].tolist() == infos["final_info"]["scores"][i].tolist()
                assert info["winner"] == infos["final_info"]["winner"][i]
                returns[i] = 0.0
                ended += 1
        if number == 200:
            assert np.array_equal(envs.reset(), vector.reset()[0])
            returns[:] = 0.0
    assert ended > 4


def test_it_is_like_single_environments_in_a_dummy_vec_env() -> None:
    envs = NijarVecEnv(3, seed=4, reward="vp")
    dummy = DummyVecEnv(
        [lambda: gymnasium.make(SOLO_ID, observation="flat", reward="vp") for _ in range(3)]
    )
    dummy.seed(4)
    assert np.array_equal(envs.reset(), dummy.reset())
    rng = np.random.default_rng(0)
    for _ in range(250):
        actions = sample_actions(envs.action_masks(), rng)
        found, expected = envs.step(actions), dummy.step(actions)
        for one, other in zip(found[:3], expected[:3], strict=True):
            assert np.array_equal(one, other)


def test_seeds() -> None:
    firsts = []
    for _ in range(2):
        envs = NijarVecEnv(3)
        assert envs.seed(5) == [5, 6, 7]
        envs.reset()
        firsts.append(envs.vector.batch.seeds.tolist())
    assert firsts == [[5, 6, 7], [5, 6, 7]]
    assert NijarVecEnv(2).seed() != NijarVecEnv(2).seed()
    state, numpy_state = random.getstate(), np.random.get_state()[1].copy()  # noqa: NPY002
    NijarVecEnv(2).seed()
    assert random.getstate() == state
    assert np.array_equal(np.random.get_state()[1], numpy_state)  # noqa: NPY002
    for wrong in (-1, 2**64, "1"):
        with pytest.raises(ValueError, match="seed"):
            NijarVecEnv(2, seed=wrong)


def test_the_rest_of_the_interface() -> None:
    envs = NijarVecEnv(3, 2, seed=1)
    envs.reset()
    assert envs.get_attr("num_players") == [2, 2, 2]
    assert envs.get_attr("render_mode", indices=1) == [None]
    assert not envs.has_attr("nothing")
    with pytest.raises(AttributeError):
        envs.get_attr("nothing")
    envs.set_attr("level", 4, indices=[0, 2])
    assert envs.get_attr("level") == [4, None, 4]
    with pytest.raises(AttributeError, match="fixed"):
        envs.set_attr("num_players", 3)
    games = envs.env_method("game", indices=[2])
    assert games[0].record.tobytes() == envs.vector.batch.games[2].tobytes()
    masks = envs.env_method("action_masks", indices=[1, 0])
    assert np.array_equal(masks, envs.action_masks()[[1, 0]])
    assert np.array_equal(envs.get_attr("action_masks", indices=2)[0](), envs.action_masks()[2])
    assert envs.env_method("render", indices=0)[0].startswith("== Nijar")
    with pytest.raises(AttributeError):
        envs.env_method("step")
    with pytest.raises(TypeError):
        envs.env_method("game", 1)
    assert envs.env_is_wrapped(Monitor) == [True] * 3  # it writes what Monitor would
    assert envs.env_is_wrapped(gymnasium.Wrapper, indices=[0]) == [False]
    envs.close()


def test_an_illegal_action_raises_and_changes_nothing() -> None:
    envs = NijarVecEnv(3, seed=1)
    with pytest.raises(RuntimeError, match="step_async"):
        envs.step_wait()
    envs.reset()
    before = envs.vector.batch.games.tobytes()
    wrong = [int(np.flatnonzero(mask == 0)[0]) for mask in envs.action_masks()]
    with pytest.raises(IllegalActionError, match="game 0"):
        envs.step(np.array(wrong))
    assert envs.vector.batch.games.tobytes() == before


def test_wrappers() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # VecMonitor replaces the `episode` that is there
        envs = VecNormalize(VecMonitor(NijarVecEnv(4, seed=1, reward="vp")), norm_obs=False)
    model = contrib.MaskablePPO("MlpPolicy", envs, **SMALL)
    model.learn(4 * 16 * 8)
    assert len(model.ep_info_buffer) > 0
