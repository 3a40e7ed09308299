"""Calls everything that compiles, so that `nijar cache warm` leaves nothing for the first game.

Kernels are compiled for the types that they are called with, so each front end plays a little
itself. Agents are called as strangers: the library runs without them. What only measurements call
(`nijar speed`, fitting weights) is left to them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import gymnasium
import numpy as np

from .batch import GameBatch
from .game import Game
from .sampling import sample_action, sample_actions

Job = tuple[str, Callable[[], None]]
_DECISIONS: Final = 3  # a player's; types are the same in all that follow
# Of each search as little as there is: the kernels are the same.
_SMALL: Final = {
    "expert": "expert:plans=2,futures=2",
    "mcts": "mcts:iterations=4",
    "search": "search:iterations=4",
}


def jobs(agents: bool = True) -> list[Job]:
    """What is to be called, each with its name; the players of the checkout last.

    The first compiles the game itself and takes about a minute.
    """
    found: list[Job] = [
        ("one game", _one_game),
        ("batches", _batches),
        ("PettingZoo", _pettingzoo),
        ("Gymnasium", _gymnasium),
        ("vector environments and self-play", _vectors),
    ]
    if agents:
        from .play_table import find_agents

        package = find_agents()
        if package is not None:
            names = package.agent_names()
            found += [(f"player {name}", partial(_agent, package, name)) for name in names]
    return found


def _one_game() -> None:
    game = Game(2, seed=0)
    pick = np.random.default_rng(0)
    game.determinize(0, seed=0)
    while not game.done:
        game.observation(0)
        game.step(sample_action(game.action_mask(), pick))
    game.scores()
    assert game.winner is None or game.winner >= 0


def _batches() -> None:
    batch = GameBatch(2, 2, seed=0)
    pick = np.random.default_rng(0)
    for _ in range(_DECISIONS):
        batch.observe()
        batch.step(sample_actions(batch.action_masks, pick))
    batch.game(0).clone()


def _pettingzoo() -> None:
    from . import nijar_v0

    for players in (1, 2):
        env = nijar_v0.env(players)
        env.reset(seed=0)
        while env.agents:
            legal = env.last()[0]["action_mask"]
            env.step(int(legal.argmax()) if legal.any() else None)


def _gymnasium() -> None:
    for name in ("nijar_env/Nijar-Solo-v0", "nijar_env/Nijar-v0"):
        env = gymnasium.make(name)
        env.reset(seed=0)
        for _ in range(_DECISIONS):
            env.step(env.action_space.sample())
        env.close()


def _vectors() -> None:
    from .opponents import batched
    from .selfplay import SelfPlay

    @batched
    def first(observations: Any, masks: Any) -> Any:
        return masks.argmax(1)

    ids: dict[str, dict[str, Any]] = {
        "nijar_env/Nijar-Solo-v0": {},
        "nijar_env/Nijar-v0": {"opponents": ["random", first], "num_players": 3},
    }
    for name, options in ids.items():
        for mode in ("NextStep", "SameStep"):
            envs = gymnasium.make_vec(name, num_envs=2, autoreset_mode=mode, **options)
            envs.reset(seed=0)
            ended = 0
            while ended < 2:  # a game to its end, and a step that deals the next
                over = envs.step(envs.action_space.sample())[2]
                ended += bool(ended or over.any())
            envs.close()
    pick = np.random.default_rng(0)
    games = SelfPlay(2, num_players=2, seed=0)
    games.collect(
        lambda _, masks: (sample_actions(masks, pick), {"value": np.zeros(len(masks))}),
        steps=_DECISIONS,
    )


def _agent(package: Any, name: str) -> None:
    try:
        agent = package.make_agent(_SMALL.get(name, name))
    except (package.AgentSpecError, ImportError, OSError):
        return  # a network whose library, or whose weights, are not there
    for players in (1, 2):
        batch = GameBatch(2, players, seed=0)
        agent.reset(0)
        if hasattr(agent, "keep_notes"):
            agent.keep_notes = players == 1
        for _ in range(2 * _DECISIONS):
            view = package.GameView(batch)
            seen = batch.observe()[view.rows] if agent.needs_observations else None
            batch.step(agent.act(seen, batch.action_masks[view.rows], view))
