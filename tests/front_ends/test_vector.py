"""The vector environments: equal to single environments step by step, wrappers, copies, errors."""

from __future__ import annotations

import copy
import pickle
import re
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils import performance
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import vector as wrappers

import nijar_env.registration  # noqa: F401 (the ids)
from nijar_env import IllegalActionError
from nijar_env.core.catalogue import NUM_GAME_ACTIONS
from nijar_env.gym_env import NijarEnv
from nijar_env.registration import SEAT_ID, SOLO_ID
from nijar_env.sampling import sample_actions
from nijar_env.vector_env import NijarSoloVectorEnv, NijarVectorEnv
from tests.front_ends.policies import EVERY_KIND, Chooser, choose

ENVIRONMENTS: list[tuple[str, dict[str, Any]]] = [
    (SOLO_ID, {"difficulty": "expert", "reward": "vp"}),
    (SOLO_ID, {"observation": "flat", "auto_forced": False}),
    (SEAT_ID, {"num_players": 2, "seat": 1, "reward": "margin", "auto_forced": False}),
    (SEAT_ID, {"num_players": 3, "seat": "rotate", "reward": "vp"}),
    (
        SEAT_ID,
        {
            "num_players": 4,
            "seat": "rotate",
            "opponents": [choose, "random", choose],
            "observation": "flat",
        },
    ),
]
MODES = ["SameStep", "NextStep"]
every_environment = pytest.mark.parametrize(
    ("name", "options"),
    ENVIRONMENTS,
    # No address of a function: a test has the same name in every process.
    ids=lambda value: re.sub(r"<function (\w+) at 0x\w+>", r"\1", str(value)),
)
every_mode = pytest.mark.parametrize("mode", MODES)


def same(one: Any, other: Any) -> bool:
    return data_equivalence(one, other, exact=True)


def steps(envs: Any, count: int, seed: int = 0) -> list[Any]:
    """So many random steps: what `step` returned."""
    rng = np.random.default_rng(seed)
    return [envs.step(sample_actions(envs.unwrapped.action_masks(), rng)) for _ in range(count)]


def arrays(data: Any) -> list[Any]:
    """All arrays of nested data, those in object arrays too."""
    if isinstance(data, dict):
        return [array for value in data.values() for array in arrays(value)]
    if isinstance(data, tuple | list) or (isinstance(data, np.ndarray) and data.dtype == object):
        return [array for value in data for array in arrays(value)]
    return [data] if isinstance(data, np.ndarray) else []


def share_memory(one: Any, other: Any) -> bool:
    """Whether what two calls returned has an array in common."""
    return any(np.shares_memory(a, b) for a in arrays(one) for b in arrays(other))


# --- equal to single environments ----------------------------------------------------------------


@every_mode
@every_environment
def test_equal_to_single_environments(name: str, options: dict[str, Any], mode: str) -> None:
    """Observations, rewards, ends, infos, final ones: those of Gymnasium's `SyncVectorEnv`."""
    native = gymnasium.make_vec(name, num_envs=4, autoreset_mode=mode, **options)
    single = gymnasium.make_vec(
        name,
        num_envs=4,
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": mode},
        **options,
    )
    assert isinstance(native, NijarVectorEnv)
    assert native.single_observation_space == single.single_observation_space
    assert native.observation_space == single.observation_space
    assert native.single_action_space == single.single_action_space
    assert native.action_space == single.action_space
    rng = np.random.default_rng(0)
    ends = 0
    for seed in (20, None, [1, 2, 3, 2**64 - 1]):
        found, expected = native.reset(seed=seed), single.reset(seed=seed)
        assert same(found, expected)
        for number in range(250):
            actions = sample_actions(native.action_masks(), rng)
            found, expected = native.step(actions), single.step(actions)
            for part, one, other in zip(
                ("observations", "rewards", "terminations", "truncations", "infos"),
                found,
                expected,
                strict=True,
            ):
                assert same(one, other), (seed, number, part)
            ends += found[2].sum()
    assert ends > 12


@pytest.mark.parametrize("kind", EVERY_KIND)
def test_opponents_of_every_kind_play_the_same(kind: str) -> None:
    runs = []
    for opponent in (choose, EVERY_KIND[kind]):
        envs = NijarVectorEnv(3, 3, opponents=["random", opponent], seat="rotate")
        runs.append([envs.reset(seed=3), steps(envs, 150)])
    assert same(*runs)


@pytest.fixture(autouse=True)
def threads_for_small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nijar_env.batch.THREADS_FROM", 64)


def test_threads_change_nothing() -> None:
    runs = []
    for threads in (1, 3):
        envs = NijarVectorEnv(300, 3, threads=threads, seat="rotate", observation="flat")
        envs.reset(seed=1)
        runs.append(steps(envs, 80)[-1])
        envs.close()
    assert same(*runs)


# --- autoreset -----------------------------------------------------------------------------------


def test_the_end_of_a_game_within_the_step() -> None:
    envs = NijarVectorEnv(8, seat="rotate", reward="vp", autoreset_mode="SameStep")
    assert envs.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    _, infos = envs.reset(seed=0)
    returns, seats, ended = np.zeros(8), infos["seat"], 0
    for _, rewards, dones, _, infos in steps(envs, 400):
        returns += rewards
        assert infos["action_mask"].any(1).all()
        assert ("final_obs" in infos) == ("final_info" in infos) == dones.any()
        for i in np.flatnonzero(dones):
            final = infos["final_info"]
            assert final["seat"][i] == seats[i]
            assert final["scores"][i, seats[i]] == returns[i]
            assert infos["final_obs"][i] in envs.single_observation_space
            assert infos["seat"][i] == (seats[i] + 1) % 2
            returns[i] = 0.0
            ended += 1
        seats = infos["seat"]
    assert ended > 20


def test_the_end_of_a_game_with_the_next_step_dealing() -> None:
    envs = NijarSoloVectorEnv(8, reward="vp")
    assert envs.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    envs.reset(seed=0)
    returns, over, ended = np.zeros(8), np.zeros(8, np.bool_), 0
    for _, rewards, dones, _, infos in steps(envs, 400):
        assert not rewards[over].any()
        assert not dones[over].any()
        returns += rewards
        assert same(infos["action_mask"].any(1), ~dones)
        for i in np.flatnonzero(dones):
            assert infos["scores"][i, 0] == returns[i]
            returns[i] = 0.0
            ended += 1
        over = dones
    assert ended > 20


# --- other people's wrappers and checks ----------------------------------------------------------


@every_mode
@every_environment
def test_make_vec_remarks_on_nothing(name: str, options: dict[str, Any], mode: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        envs = gymnasium.make_vec(name, num_envs=3, autoreset_mode=mode, **options)
        envs.reset(seed=1)
        for _ in range(100):
            observations, rewards, dones, truncations, infos = envs.step(envs.action_space.sample())
            assert observations in envs.observation_space
            assert (rewards.shape, rewards.dtype) == ((3,), np.float64)
            assert (dones.shape, dones.dtype) == ((3,), np.bool_)
            assert not truncations.any()
            assert infos["action_mask"].shape == (3, NUM_GAME_ACTIONS)
        envs.close()
        envs.close()
    assert gymnasium.make_vec(envs.spec).num_envs == 3


def test_what_was_returned_is_not_written_to_again() -> None:
    """The vector form of `check_env`'s check of reused data."""
    envs = NijarVectorEnv(3)
    seen: list[Any] = [envs.reset(seed=1)]
    seen += [(step[0], step[4]) for step in steps(envs, 120)]
    seen += [(step[1], step[2]) for step in steps(envs, 3)]
    frozen = copy.deepcopy(seen)
    seen.append(envs.reset(seed=2))
    for number, one in enumerate(seen):
        for other in seen[number + 1 : number + 4]:
            assert not share_memory(one, other)
    assert same(seen[:-1], frozen)


def test_what_a_caller_does_to_its_arrays_changes_nothing() -> None:
    runs = []
    for spoil in (False, True):
        envs = NijarVectorEnv(3, 2)
        envs.reset(seed=1)
        rng = np.random.default_rng(0)
        run = []
        for _ in range(150):
            masks = envs.action_masks()
            step = envs.step(sample_actions(masks, rng))
            run.append(copy.deepcopy(step))
            if spoil:
                for array in (masks, step[0]["observation"], *step[:0:-1][1:], step[4]["seat"]):
                    array[:] = 1
                step[4]["action_mask"][:] = 0
        runs.append(run)
    assert same(*runs)


def test_episode_statistics() -> None:
    for mode in MODES:
        envs = wrappers.RecordEpisodeStatistics(NijarVectorEnv(4, reward="vp", autoreset_mode=mode))
        envs.reset(seed=1)
        count = 0
        for _, _, dones, _, infos in steps(envs, 300):
            scores = infos.get("final_info", infos).get("scores")
            for i in np.flatnonzero(dones):
                assert infos["episode"]["r"][i] == scores[i, 0]
                count += 1
        assert count > 4


def test_gymnasiums_wrappers() -> None:
    flat = NijarSoloVectorEnv(3, observation="flat")
    same_step = NijarVectorEnv(3, observation="flat", autoreset_mode="SameStep")
    for envs in (
        wrappers.DictInfoToList(flat),
        wrappers.RescaleObservation(flat, np.float32(0.0), np.float32(1.0)),
        wrappers.NormalizeObservation(flat),
        wrappers.FlattenObservation(NijarVectorEnv(3)),
        wrappers.NormalizeReward(same_step),
        wrappers.ClipReward(same_step, -1, 1),
    ):
        envs.reset(seed=1)
        for step in steps(envs, 150):
            assert step[0].shape == envs.observation_space.shape


def test_wrappers_of_observations_want_the_next_step_mode() -> None:
    """They refuse the other one when they are made."""
    with pytest.raises((ValueError, AssertionError)):
        wrappers.FlattenObservation(NijarVectorEnv(3, autoreset_mode="SameStep"))


def test_the_benchmark_of_gymnasium_runs() -> None:
    benchmark = getattr(performance, "benchmark_vector_step", None)
    if benchmark is None:
        pytest.skip("this version of Gymnasium has no benchmark of vector environments")
    assert benchmark(NijarVectorEnv(16), target_duration=1, seed=1) > 0


# --- copies, seeds, errors -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "copied", [copy.deepcopy, lambda envs: pickle.loads(pickle.dumps(envs))], ids=["copy", "pickle"]
)
@every_mode
@every_environment
def test_copies_go_on_identically(
    name: str, options: dict[str, Any], mode: str, copied: Any
) -> None:
    envs = gymnasium.make_vec(name, num_envs=3, autoreset_mode=mode, **options)
    envs.reset(seed=2)
    steps(envs, 60)
    other = copied(envs)
    assert same(steps(envs, 200, seed=1), steps(other, 200, seed=1))
    assert same(envs.reset(), other.reset())
    envs.action_space.seed(1)
    other.action_space.seed(1)
    assert same(envs.action_space.sample(), other.action_space.sample())


def test_a_copy_after_threads() -> None:
    envs = NijarSoloVectorEnv(256, threads=2)
    envs.reset(seed=1)
    steps(envs, 2)
    other = copy.deepcopy(envs)
    assert same(steps(envs, 3), steps(other, 3))
    envs.close()
    other.close()


def test_before_any_seed_np_random_draws() -> None:
    firsts = set()
    for _ in range(3):
        envs = NijarSoloVectorEnv(2)
        envs.reset()
        firsts |= set(envs.batch.seeds.tolist())
    assert len(firsts) == 6


@pytest.mark.parametrize("seed", [[1, 2], -3, 2**64 - 1, [1, 2, -1], [1, 2, 2**64]])
def test_what_is_no_seed(seed: Any) -> None:
    envs = NijarSoloVectorEnv(3)
    with pytest.raises((ValueError, gymnasium.error.Error)):
        envs.reset(seed=seed)


@every_mode
def test_an_illegal_action_raises_and_changes_nothing(mode: str) -> None:
    envs = NijarVectorEnv(4, 3, autoreset_mode=mode)
    envs.reset(seed=1)
    steps(envs, 120)
    before, other = envs.batch.games.tobytes(), copy.deepcopy(envs)
    actions = envs.action_space.sample()
    wrong = actions.copy()
    wrong[2] = np.flatnonzero(envs.action_masks()[2] == 0)[0]
    for given in (wrong, np.full(4, -1), np.full(4, NUM_GAME_ACTIONS)):
        with pytest.raises(IllegalActionError, match="game"):
            envs.step(given)
        assert envs.batch.games.tobytes() == before
    for given in (actions[:3], actions.astype(float)):
        with pytest.raises(ValueError, match="whole numbers"):
            envs.step(given)
    assert same(envs.step(actions), other.step(actions))


def test_opponents_must_play_legally() -> None:
    def wrong(observation: Any, mask: Any) -> int:
        return int(np.flatnonzero(mask == 0)[0])

    envs = NijarVectorEnv(4, opponents=wrong)
    with pytest.raises(IllegalActionError, match="an opponent"):
        envs.reset(seed=1)
        steps(envs, 100)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("num_envs", 0),
        ("num_players", 5),
        ("seat", 2),
        ("opponents", "best"),
        ("reward", "points"),
        ("observation", "box"),
        ("autoreset_mode", "Disabled"),
        ("threads", 0),
        ("render_mode", "human"),
    ],
)
def test_options_out_of_range(option: str, value: Any) -> None:
    with pytest.raises(ValueError, match=option.removesuffix("s")):
        NijarVectorEnv(**{option: value})


def test_before_the_first_reset() -> None:
    with pytest.raises(gymnasium.error.ResetNeeded):
        NijarVectorEnv(2).step([0, 0])


def test_rendering() -> None:
    envs = gymnasium.make_vec(SEAT_ID, num_envs=2, seat=1, render_mode="ansi")
    envs.reset(seed=1)
    boards = envs.render()
    single = NijarEnv(seat=1, render_mode="ansi")
    single.reset(seed=2)
    assert boards is not None
    assert boards[1] == single.render()
    with pytest.warns(UserWarning, match="render_mode"):
        assert NijarSoloVectorEnv(1).render() is None


def test_opponents_are_asked_for_many_games_at_once() -> None:
    sizes = []

    class Counting(Chooser):
        def act_in(self, batch: Any, rows: Any) -> list[int]:
            sizes.append(len(rows))
            return super().act_in(batch, rows)

    envs = NijarVectorEnv(32, opponents=Counting())
    envs.reset(seed=1)
    steps(envs, 20)
    assert max(sizes) > 8
