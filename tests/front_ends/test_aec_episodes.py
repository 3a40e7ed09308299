"""The PettingZoo environment: illegal actions, seeds, copies, scenes, options, rendering."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import numpy as np
import pytest
from pettingzoo.utils import wrappers

import nijar_env
from nijar_env import Game, GameBatch, IllegalActionError, SceneError, nijar_v0
from nijar_env.core.catalogue import NUM_GAME_ACTIONS
from tests.front_ends.playing import Env, advance, chooser, every_count, every_env, steps, trace

# --- illegal actions -----------------------------------------------------------------------------


def illegal_in(env: Env) -> int:
    mask = env.observe(env.agent_selection)["action_mask"]
    return int(np.flatnonzero(mask == 0)[0])


@every_env
@pytest.mark.parametrize("wrong", ["illegal", -1, NUM_GAME_ACTIONS, "text", 1.0, None])
def test_an_illegal_action_can_raise_and_change_nothing(make: Any, wrong: Any) -> None:
    env = make(2, reward="vp", illegal_action="raise")
    env.reset(seed=1)
    advance(env, 30)
    before = copy.deepcopy(env)
    action = illegal_in(env) if wrong == "illegal" else wrong
    checked = make is nijar_v0.env and wrong != "illegal"
    with pytest.raises(AssertionError if checked else IllegalActionError, match="action"):
        env.step(action)
    assert env.unwrapped.rewards == before.unwrapped.rewards
    assert env.unwrapped.game.record.tobytes() == before.unwrapped.game.record.tobytes()
    assert trace(env) == trace(before)


def test_the_error_names_what_is_legal() -> None:
    env = nijar_v0.raw_env()
    env.reset(seed=1)
    with pytest.raises(IllegalActionError, match="start:0, start:1, start:2"):
        env.step(env.game.parse_action("done"))


@every_env
@pytest.mark.parametrize("players", [1, 2, 4])
@pytest.mark.parametrize("reward", ["outcome", "vp"])
def test_an_illegal_action_can_end_the_episode(make: Any, players: int, reward: str) -> None:
    env = make(players, reward=reward, illegal_action="terminate")
    env.reset(seed=1)
    advance(env, 60)
    offender = env.agent_selection
    owed = dict(env.unwrapped._cumulative_rewards)
    env.step(illegal_in(env))
    expected = dict.fromkeys(env.possible_agents, 0.0) | {offender: -1.0}
    assert env.rewards == expected
    assert all(env.terminations.values())
    assert not any(env.truncations.values())
    assert not any(env.observe(agent)["action_mask"].any() for agent in env.agents)
    for agent in env.possible_agents:
        assert env.agent_selection == agent
        _, reward_of_agent, termination, _, _ = env.last()
        assert termination
        assert reward_of_agent == (-1.0 if agent == offender else owed[agent])
        env.step(None)
    assert not env.agents


def test_that_is_what_pettingzoos_wrapper_does() -> None:
    """Except that this environment is never truncated, and goes by its own mask."""
    wrapped = wrappers.TerminateIllegalWrapper(nijar_v0.raw_env(3, reward="vp"), illegal_reward=-1)
    own = nijar_v0.raw_env(3, reward="vp", illegal_action="terminate")
    for env in (wrapped, own):
        env.reset(seed=4)
        advance(env, 70)
        env.step(illegal_in(env))
    while own.agents:
        assert own.agents == wrapped.agents
        assert own.agent_selection == wrapped.agent_selection
        assert own.rewards == wrapped.rewards
        assert own.terminations == wrapped.terminations
        assert own.last(observe=False)[1] == wrapped.last(observe=False)[1]
        own.step(None)
        wrapped.step(None)
    assert not wrapped.agents


def test_env_ends_episodes_and_raw_env_raises_by_default() -> None:
    assert nijar_v0.env().unwrapped.illegal_action == "terminate"
    assert nijar_v0.raw_env().illegal_action == "raise"


# --- seeds and copies ----------------------------------------------------------------------------


@every_env
@every_count
def test_a_seed_fixes_this_episode_and_those_after_it(make: Any, players: int) -> None:
    env = make(players)
    env.reset(seed=0)
    first = trace(env)
    env.reset()
    second = trace(env)
    assert first != second
    env.reset(seed=0)
    assert trace(env) == first
    env.reset()
    assert trace(env) == second


def test_episodes_are_those_of_a_batch() -> None:
    """The games after a seed are the ones that a batch deals when it resets itself."""
    env = nijar_v0.raw_env()
    env.reset(seed=11)
    batch = GameBatch(1, 2, seed=[11])
    choose = chooser(1)
    for _ in range(3):
        assert env.game.record.tobytes() == batch.games[0].tobytes()
        episodes = batch.episodes[0]
        while batch.episodes[0] == episodes:
            batch.step([choose(batch.action_masks[0])])
        env.reset()


def test_without_a_seed_every_environment_plays_another_game() -> None:
    seeds = set()
    for _ in range(4):
        env = nijar_v0.raw_env()
        env.reset()
        seeds.add(int(env.game.record.seed))
        env.reset()
        seeds.add(int(env.game.record.seed))
    assert len(seeds) == 8


@pytest.mark.parametrize("seed", [-1, 2**64, "7", 1.5])
def test_what_is_no_seed(seed: Any) -> None:
    env = nijar_v0.raw_env()
    env.reset(seed=1)
    advance(env, 10)
    record = env.game.record.tobytes()
    with pytest.raises(ValueError, match="seed"):
        env.reset(seed=seed)
    assert env.game.record.tobytes() == record


def test_global_generators_are_left_alone() -> None:
    random.seed(1)
    np.random.seed(1)  # noqa: NPY002
    states = (random.getstate(), np.random.get_state()[1].tobytes())  # noqa: NPY002
    for seed in (None, 3):
        env = nijar_v0.env()
        env.reset(seed=seed)
        list(steps(env, chooser(1)))
    assert (random.getstate(), np.random.get_state()[1].tobytes()) == states  # noqa: NPY002


@every_env
@every_count
@pytest.mark.parametrize(
    "copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"]
)
def test_copies_go_on_identically(make: Any, players: int, copied: Any) -> None:
    env = make(players, reward="vp")
    env.reset(seed=4)
    advance(env, 25)
    twin = copied(env)
    assert twin.unwrapped.game.record.tobytes() == env.unwrapped.game.record.tobytes()
    assert trace(twin) == trace(env)
    twin.reset()
    env.reset()
    assert trace(twin) == trace(env)


def test_copies_before_the_first_reset() -> None:
    for twin in (copy.deepcopy(nijar_v0.env()), pickle.loads(pickle.dumps(nijar_v0.env()))):
        twin.reset(seed=1)
        assert trace(twin)


# --- scenes --------------------------------------------------------------------------------------


def test_an_episode_can_begin_with_a_scene() -> None:
    game = Game(3, seed=4, log=False)
    choose = chooser(1)
    for _ in range(80):
        game.step(choose(game.action_mask()))
    env = nijar_v0.raw_env(3)
    env.reset(seed=1, options={"scene": game.to_dict()})
    assert env.agent_selection == f"player_{game.current_player}"
    assert env.game.to_dict() == game.to_dict()
    again = copy.deepcopy(env)
    rest = trace(env)
    assert rest
    assert trace(again) == rest
    env.reset()
    assert env.game.phase == "setup"


def test_the_seed_is_the_luck_of_a_scene_without_luck() -> None:
    given = Game(2, seed=4, log=False).to_dict()
    del given["rng"]
    env = nijar_v0.raw_env()
    traces = []
    for seed in (1, 1, 2):
        env.reset(seed=seed, options={"scene": given})
        traces.append(trace(env))
    assert traces[0] == traces[1] != traces[2]


def test_the_environments_own_option_decides_on_forced_decisions() -> None:
    given = Game(2, seed=4, auto_forced=False, log=False).to_dict()
    env = nijar_v0.raw_env(auto_forced=True)
    env.reset(options={"scene": given})
    assert env.game.record.auto_forced == 1


def test_scenes_that_do_not_fit() -> None:
    env = nijar_v0.raw_env(2)
    env.reset(seed=1)
    advance(env, 10)
    record = env.game.record.tobytes()
    broken = Game(2, seed=1).to_dict() | {"round": 9}
    finished = Game(2, seed=1, log=False)
    while not finished.done:
        finished.step(finished.legal_actions()[0])
    wrong = {
        "num_players": Game(3, seed=1).to_dict(),
        "round": broken,
        "finished": finished.to_dict(),
    }
    for word, given in wrong.items():
        with pytest.raises(SceneError, match=word):
            env.reset(options={"scene": given})
        assert env.game.record.tobytes() == record
    env.reset(options={"something else": 1})


# --- options, order of calls, rendering ----------------------------------------------------------


@every_env
@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("num_players", 5),
        ("difficulty", "easy"),
        ("reward", "win"),
        ("illegal_action", "ignore"),
        ("render_mode", "rgb"),
    ],
)
def test_options_out_of_range(make: Any, option: str, value: Any) -> None:
    with pytest.raises(ValueError, match=option):
        make(**{option: value})


def test_before_the_first_reset() -> None:
    raw = nijar_v0.raw_env()
    for name in ("agents", "agent_selection", "rewards", "game"):
        with pytest.raises(AttributeError, match=r"reset\(\)"):
            getattr(raw, name)
    with pytest.raises(AttributeError, match="no attribute 'spam'"):
        _ = raw.spam
    with pytest.raises(AssertionError):
        nijar_v0.env().step(0)


def test_difficulty_is_of_the_solo_game() -> None:
    env = nijar_v0.raw_env(1, difficulty="expert")
    env.reset(seed=1)
    assert env.game.difficulty == "expert"


def test_rendering_shows_the_board_of_who_acts(capsys: pytest.CaptureFixture[str]) -> None:
    env = nijar_v0.env(render_mode="ansi")
    env.reset(seed=1)
    for _ in range(40):
        seat = env.agent_selection[-1]
        assert f"as P{seat} sees it" in env.render()
        advance(env, 1)
    human = nijar_v0.env(render_mode="human")
    human.reset(seed=1)
    assert human.render() is None
    advance(human, 1)
    assert capsys.readouterr().out.count("== Nijar") == 3
    assert "\x1b" not in capsys.readouterr().out


def test_rendering_needs_a_mode() -> None:
    env = nijar_v0.env()
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="render mode"):
        assert env.render() is None
    env.close()


def test_the_module_is_an_attribute_of_the_package() -> None:
    assert nijar_env.nijar_v0 is nijar_v0
    assert "nijar_v0" in dir(nijar_env)
