"""The PettingZoo environment: PettingZoo's own suites; agents, masks, turns, rewards, the end."""

from __future__ import annotations

import copy
import inspect
import itertools
from typing import Any

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.test.save_obs_test import test_save_obs as save_obs_test

from nijar_env import Game, GameBatch, IllegalActionError, nijar_v0
from nijar_env.core.catalogue import NUM_GAME_ACTIONS
from nijar_env.core.layout import observation_size
from tests.front_ends.playing import advance, chooser, every_count, every_env, steps, trace
from tests.rules.scenes import at_home, load, scene, shut, stand

OPTIONS: list[dict[str, Any]] = [
    {"num_players": 1},
    {"num_players": 1, "difficulty": "expert", "reward": "vp", "auto_forced": False},
    {"num_players": 2},
    {"num_players": 2, "reward": "vp", "illegal_action": "raise"},
    {"num_players": 3, "reward": "margin", "illegal_action": "terminate"},
    {"num_players": 4, "auto_forced": False},
    {"num_players": 4, "reward": "vp"},
]
every_option = pytest.mark.parametrize("options", OPTIONS, ids=str)


# --- other people's suites -----------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::UserWarning")  # the suite's remarks on dict observations
@every_env
@every_option
def test_pettingzoo_api(make: Any, options: dict[str, Any]) -> None:
    api_test(make(**options), num_cycles=1000, verbose_progress=True)


@every_env
@every_option
def test_pettingzoo_seeds(make: Any, options: dict[str, Any]) -> None:
    seed_test(lambda: make(**options), num_cycles=500)


@every_env
@every_count
def test_pettingzoo_rendering(make: Any, players: int, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(
        lambda render_mode: make(players, render_mode=render_mode),
        {"ansi": lambda board: board.startswith("== Nijar")},
    )
    assert capsys.readouterr().out.count("== Nijar") > 0


def test_pettingzoo_saves_only_images(capsys: pytest.CaptureFixture[str]) -> None:
    """`test_save_obs` applies to image observations; for others it says so and passes."""
    save_obs_test(nijar_v0.env())
    assert "did not save the observations" in capsys.readouterr().out


def test_max_cycles_does_not_apply() -> None:
    """`max_cycles_test` needs a parallel environment that truncates; this one never does."""
    for make in (nijar_v0.env, nijar_v0.raw_env.__init__):
        assert "max_cycles" not in inspect.signature(make).parameters
    assert not nijar_v0.raw_env.metadata["is_parallelizable"]
    assert not hasattr(nijar_v0, "parallel_env")


# --- agents, spaces, masks -----------------------------------------------------------------------


@every_env
@every_count
def test_agents_and_spaces(make: Any, players: int) -> None:
    env = make(players)
    agents = [f"player_{seat}" for seat in range(players)]
    assert env.possible_agents == agents
    assert env.max_num_agents == players
    env.reset(seed=1)
    assert env.agents == agents
    assert str(env.unwrapped) == "nijar_v0"
    for agent in agents:
        space = env.observation_space(agent)
        assert space is env.observation_space(agent)
        assert env.action_space(agent) is env.action_space(agent)
        assert space["observation"].shape == (observation_size(players),)
        assert space["observation"].dtype == np.float32
        assert space["observation"].is_bounded()
        assert space["action_mask"].dtype == np.int8
        assert env.action_space(agent) == gymnasium.spaces.Discrete(NUM_GAME_ACTIONS)


@every_count
def test_observations_lie_in_their_space_and_masks_are_the_actors(players: int) -> None:
    env = nijar_v0.raw_env(players)
    env.reset(seed=players)
    for _ in steps(env, chooser()):
        for agent in env.agents:
            observation = env.observe(agent)
            assert env.observation_space(agent).contains(observation)
            mask = observation["action_mask"]
            assert mask.tobytes() == env.infos[agent]["action_mask"].tobytes()
            acts = agent == env.agent_selection and not env.terminations[agent]
            assert mask.any() == acts
            if acts:
                assert mask.tobytes() == env.game.action_mask().tobytes()


def test_observations_are_the_games() -> None:
    env = nijar_v0.raw_env(3)
    env.reset(seed=8)
    advance(env, 40)
    for seat, agent in enumerate(env.agents):
        seen = env.observe(agent)["observation"]
        assert seen.tobytes() == env.game.observation(seat).tobytes()


def test_what_a_caller_does_to_its_arrays_changes_nothing() -> None:
    env = nijar_v0.raw_env()
    env.reset(seed=1)
    before = env.observe("player_0")
    kept = copy.deepcopy(before)
    env.observe(env.agent_selection)["action_mask"][:] = 1
    env.infos[env.agent_selection]["action_mask"][:] = 1
    illegal = int(np.flatnonzero(env.game.action_mask() == 0)[0])
    with pytest.raises(IllegalActionError):
        env.step(illegal)
    advance(env, 5)
    for name, values in before.items():
        assert values.tobytes() == kept[name].tobytes()


@every_count
def test_the_game_of_a_seed_is_the_same_here(players: int) -> None:
    env = nijar_v0.env(players, reward="vp")
    env.reset(seed=5)
    game = Game(players, seed=5, log=False)
    choose = chooser(2)
    for agent in env.agent_iter():
        observation, _, termination, _, _ = env.last()
        if termination:
            env.step(None)
            continue
        assert agent == f"player_{game.current_player}"
        assert observation["action_mask"].tobytes() == game.action_mask().tobytes()
        action = choose(observation["action_mask"])
        env.step(action)
        game.step(action)
    assert game.done
    assert env.unwrapped.game.scores() == game.scores()


# --- several decisions in a row, and interrupts --------------------------------------------------


def test_an_agent_decides_several_times_in_a_row() -> None:
    env = nijar_v0.env(2)
    env.reset(seed=3)
    acted = list(steps(env, chooser(1)))
    rows = sum(one == other for one, other in itertools.pairwise(acted))
    assert rows > len(acted) / 3
    assert set(acted) == {"player_0", "player_1"}


def interrupted_scene() -> dict[str, Any]:
    """Seat 0's turn; seat 1, whose shop is closed, has a craftswoman on row 0, column 0."""
    position = shut(stand(scene(2), (0, 0), 1), 1)
    return load(at_home(position, 0, 4)).to_dict()


@every_env
def test_another_agent_decides_inside_a_turn(make: Any) -> None:
    """§7.2.5: a craftswoman returned to a closed shop brings its owner a reward at once."""
    env = make(2, reward="vp")
    env.reset(seed=1, options={"scene": interrupted_scene()})
    game = env.unwrapped.game
    assert env.agent_selection == "player_0"
    env.step(game.parse_action("place:0,0"))
    assert env.agent_selection == "player_1"
    assert game.turn_player == 0
    mask = env.observe("player_1")["action_mask"]
    names = {game.action_name(int(action)) for action in np.flatnonzero(mask)}
    assert names == {"shop:clay", "shop:pg", "shop:glaze"}
    assert not env.observe("player_0")["action_mask"].any()
    assert not env.infos["player_0"]["action_mask"].any()
    env.step(game.parse_action("shop:clay"))
    assert env.agent_selection == "player_0"
    assert not env.infos["player_1"]["action_mask"].any()
    assert game.turn_player == 0
    assert env.observe("player_0")["action_mask"][game.parse_action("action:acquire")]


# --- rewards and the end -------------------------------------------------------------------------


@every_env
@every_count
@pytest.mark.parametrize("reward", ["outcome", "margin", "vp"])
def test_every_agent_receives_all_its_rewards(make: Any, players: int, reward: str) -> None:
    """Whoever sums `last()` at each of its turns, the dead step included, has everything."""
    env = make(players, reward=reward)
    for seed in range(3):
        env.reset(seed=seed)
        received = dict.fromkeys(env.possible_agents, 0.0)
        paid = dict.fromkeys(env.possible_agents, 0.0)
        choose = chooser(seed)
        for agent in env.agent_iter():
            observation, owed, termination, _, _ = env.last()
            received[agent] += owed
            env.step(None if termination else choose(observation["action_mask"]))
            for other, amount in env.rewards.items():
                paid[other] += amount
        game = env.unwrapped.game
        scores = game.scores()
        assert received == pytest.approx(paid)
        for seat, agent in enumerate(env.possible_agents):
            if reward == "vp":
                assert received[agent] == scores[seat]
            elif reward == "margin":
                best = max(vp for other, vp in enumerate(scores) if other != seat)
                assert received[agent] == pytest.approx((scores[seat] - best) / 50)
            else:
                loss = -1 / (len(scores) - 1)
                assert received[agent] == pytest.approx(1 if seat == game.winner else loss)
        if reward == "outcome" and players > 1:
            assert sum(received.values()) == pytest.approx(0)


@pytest.mark.parametrize("reward", ["outcome", "margin", "vp"])
@every_count
def test_rewards_are_those_of_a_batch(players: int, reward: str) -> None:
    env = nijar_v0.raw_env(players, reward=reward)
    env.reset(seed=9)
    batch = GameBatch(1, players, seed=[9], reward=reward, auto_reset=False)
    choose = chooser(4)
    while any(not done for done in env.terminations.values()):
        action = choose(env.observe(env.agent_selection)["action_mask"])
        env.step(action)
        batch.step([action])
        assert np.float32(list(env.rewards.values())).tobytes() == (
            batch.rewards[0, :players].tobytes()
        )


def test_rewards_come_also_to_those_who_do_not_act() -> None:
    """Each agent's cumulative reward is what it has had since its own last action began."""
    env = nijar_v0.raw_env(4, reward="vp")
    env.reset(seed=2)
    choose = chooser(5)
    owed = dict.fromkeys(env.agents, 0.0)
    to_others = 0
    while not env.terminations[env.agent_selection]:
        agent = env.agent_selection
        assert env.last(observe=False)[1] == owed[agent]
        before = env.game.scores()
        env.step(choose(env.game.action_mask()))
        change = np.subtract(env.game.scores(), before)
        owed[agent] = 0.0
        for seat, other in enumerate(env.possible_agents):
            assert env.rewards[other] == change[seat]
            owed[other] += change[seat]
            to_others += other != agent and change[seat] != 0
        assert env._cumulative_rewards == owed
    assert to_others > 0


@every_env
@every_count
def test_dead_steps(make: Any, players: int) -> None:
    env = make(players)
    env.reset(seed=6)
    choose = chooser(6)
    while not env.terminations[env.agent_selection]:
        env.step(choose(env.observe(env.agent_selection)["action_mask"]))
    assert env.agents == env.possible_agents
    assert all(env.terminations.values())
    assert not any(env.truncations.values())
    final = dict(env.rewards)
    for seat, agent in enumerate(env.possible_agents):
        assert env.agent_selection == agent
        observation, reward, termination, truncation, info = env.last()
        assert (termination, truncation) == (True, False)
        assert reward == final[agent]
        assert not observation["action_mask"].any()
        assert not info["action_mask"].any()
        if make is nijar_v0.raw_env:
            with pytest.raises(ValueError, match="None"):
                env.step(0)
        env.step(None)
        rest = env.possible_agents[seat + 1 :]
        assert env.agents == rest
        for part in (env.rewards, env.terminations, env.truncations, env.infos):
            assert list(part) == rest
        assert not any(env.rewards.values())
    assert list(env.agent_iter()) == []


def test_a_step_after_the_end() -> None:
    env = nijar_v0.raw_env()
    env.reset(seed=6)
    list(steps(env, chooser()))
    with pytest.raises(IllegalActionError, match=r"call reset\(\)"):
        env.step(None)
    env.reset()
    assert env.agents == env.possible_agents


def test_an_episode_can_be_left_among_its_dead_steps() -> None:
    env = nijar_v0.env(3)
    env.reset(seed=6)
    choose = chooser(6)
    while not env.terminations[env.agent_selection]:
        env.step(choose(env.observe(env.agent_selection)["action_mask"]))
    env.step(None)
    env.reset(seed=7)
    fresh = nijar_v0.env(3)
    fresh.reset(seed=7)
    assert trace(env) == trace(fresh)
