"""Suites of libraries that may be there: TorchRL, SuperSuit, RLlib, OpenSpiel."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from nijar_env import Game, nijar_v0
from nijar_env.core.layout import observation_size
from tests.front_ends.policies import choose

every_count = pytest.mark.parametrize("players", [1, 2, 3, 4])


# --- TorchRL -------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore")
@every_count
def test_torchrl(players: int) -> None:
    """`PettingZooWrapper` with masks: its specs hold, and its random policy plays legally."""
    torchrl = pytest.importorskip("torchrl.envs", reason="torchrl is not installed")
    utils = pytest.importorskip("torchrl.envs.utils", reason="torchrl is not installed")
    env = torchrl.PettingZooWrapper(
        nijar_v0.raw_env(players, reward="vp"),
        use_mask=True,
        group_map=utils.MarlGroupMapType.ONE_GROUP_PER_AGENT,
        categorical_actions=True,
    )
    utils.check_env_specs(env)
    env.set_seed(1)
    rollout = env.rollout(2000)  # an illegal action would raise
    assert bool(rollout["next", "done"][-1])
    scores = env._env.game.scores()
    for seat in range(players):
        paid = rollout["next", f"player_{seat}", "reward"].sum()
        assert float(paid) == scores[seat]


# --- SuperSuit -----------------------------------------------------------------------------------

DICT_WRAPPERS: list[tuple[str, tuple[Any, ...]]] = [
    ("clip_reward_v0", ()),
    ("reward_lambda_v0", (lambda reward: 2 * reward,)),
    ("pad_action_space_v0", ()),
    ("nan_zeros_v0", ()),
    ("nan_random_v0", ()),
]
# These take arrays alone: the observation without its mask, which is in the infos too.
BOX_WRAPPERS: list[tuple[str, tuple[Any, ...]]] = [
    ("dtype_v0", (np.float64,)),
    ("frame_stack_v2", (3,)),
    ("flatten_v0", ()),
    ("normalize_obs_v0", ()),
    ("pad_observations_v0", ()),
    ("delay_observations_v0", (2,)),
    ("max_observation_v0", (2,)),
]


def played_out(env: Any) -> int:
    """Random legal play to the end; the number of steps."""
    env.reset(seed=1)
    rng = np.random.default_rng(0)
    count = 0
    for agent in env.agent_iter():
        observation, _, done, _, info = env.last()
        assert observation in env.observation_space(agent)
        legal = np.flatnonzero(info["action_mask"])
        env.step(None if done else int(legal[rng.integers(len(legal))]))
        count += 1
    return count


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "given"), DICT_WRAPPERS, ids=lambda value: str(value)[:20])
def test_supersuit_around_observations_with_masks(name: str, given: tuple[Any, ...]) -> None:
    supersuit = pytest.importorskip("supersuit", reason="supersuit is not installed")
    assert played_out(getattr(supersuit, name)(nijar_v0.env(3, reward="vp"), *given)) > 100


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "given"), BOX_WRAPPERS, ids=lambda value: str(value)[:20])
def test_supersuit_around_bare_observations(name: str, given: tuple[Any, ...]) -> None:
    supersuit = pytest.importorskip("supersuit", reason="supersuit is not installed")
    bare = supersuit.observation_lambda_v0(
        nijar_v0.env(2), lambda seen, _: seen["observation"], lambda space: space["observation"]
    )
    assert played_out(getattr(supersuit, name)(bare, *given)) > 100


# --- RLlib ---------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore")
@every_count
def test_rllib(players: int) -> None:
    """Its check of multi-agent environments, and a game through its wrapper to the end."""
    pytest.importorskip("ray.rllib", reason="ray[rllib] is not installed (see docs/front_ends.md)")
    from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
    from ray.rllib.utils.pre_checks.env import check_multiagent_environments

    env = PettingZooEnv(nijar_v0.env(players, reward="vp"))
    check_multiagent_environments(env)
    observations, _ = env.reset(seed=3)
    returns = dict.fromkeys(env.possible_agents, 0.0)
    done = False
    while not done:
        agent = env.env.agent_selection
        seen = observations[agent]
        action = choose(seen["observation"], seen["action_mask"])
        observations, rewards, terminations, _, _ = env.step({agent: action})
        for other, paid in rewards.items():
            returns[other] += paid
        done = terminations["__all__"]
    paid_by_seat = [returns[agent] for agent in sorted(returns)]
    assert paid_by_seat == env.env.unwrapped.game.scores()[:players]


# --- OpenSpiel -----------------------------------------------------------------------------------


@pytest.fixture
def pyspiel() -> Any:
    module = pytest.importorskip("pyspiel", reason="open_spiel is not installed")
    import nijar_env.openspiel  # noqa: F401 (registers the game)

    return module


@pytest.mark.parametrize(
    "parameters",
    [
        {"players": 1, "difficulty": "expert"},
        {"players": 2},
        {"players": 3, "reward": "vp"},
        {"players": 4, "deals": 50, "reward": "margin"},
    ],
    ids=str,
)
def test_openspiel_random_simulation(pyspiel: Any, parameters: dict[str, Any]) -> None:
    game = pyspiel.load_game("python_nijar", parameters)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@every_count
def test_openspiel_plays_the_same_game(pyspiel: Any, players: int) -> None:
    rules = pyspiel.load_game("python_nijar", {"players": players, "reward": "vp"})
    state = rules.new_initial_state()
    assert state.is_chance_node()
    assert "before the deal" in state.observation_string(0)
    outcomes = state.chance_outcomes()
    assert sum(chance for _, chance in outcomes) == pytest.approx(1.0)
    state.apply_action(17)
    game = Game(players, seed=17, log=False)
    while not game.done:
        player = game.current_player
        assert state.current_player() == player
        assert state.legal_actions() == game.legal_actions()
        seen = np.array(state.observation_tensor(player), np.float32)
        assert np.array_equal(seen, game.observation(player))
        assert not any(state.returns())
        action = choose(seen, game.action_mask())
        assert state.action_to_string(player, action) == game.action_name(action)
        state.apply_action(action)
        game.step(action)
    assert state.is_terminal()
    assert state.returns() == game.scores()[:players]
    assert rules.observation_tensor_size() == observation_size(players)


def test_openspiel_copies(pyspiel: Any) -> None:
    rules = pyspiel.load_game("python_nijar", {"players": 2})
    state = rules.new_initial_state()
    state.apply_action(3)
    for _ in range(20):
        state.apply_action(state.legal_actions()[-1])
    copies = [state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))]
    _, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(rules, state))
    before = state.position.record.tobytes()
    for other in (*copies, again):
        assert other.position.record.tobytes() == before
        assert other.options.box is not None
        other.apply_action(other.legal_actions()[0])
        assert state.position.record.tobytes() == before


@pytest.mark.parametrize(
    "parameters", [{"players": 5}, {"difficulty": "hard"}, {"reward": "points"}, {"deals": 0}]
)
def test_openspiel_parameters_out_of_range(pyspiel: Any, parameters: dict[str, Any]) -> None:
    from nijar_env.openspiel import NijarGame

    with pytest.raises(ValueError, match=next(iter(parameters)).removesuffix("s")):
        NijarGame(parameters)
