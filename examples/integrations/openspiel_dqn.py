"""OpenSpiel's DQN at its own interface, `rl_environment`: one learner, the others play at random.

`legal_actions` of a time step are what the agent explores and learns within.

    pip install nijar-env open_spiel torch dm-tree
    python examples/integrations/openspiel_dqn.py --games 50
"""

from __future__ import annotations

import argparse
from importlib.metadata import version

import numpy as np
from open_spiel.python import rl_environment
from open_spiel.python.algorithms.random_agent import RandomAgent
from open_spiel.python.pytorch.dqn import DQN

import nijar_env.openspiel  # noqa: F401 (registers the game)


def play(
    env: rl_environment.Environment, agents: list[DQN | RandomAgent], learn: bool
) -> np.ndarray:
    """One game; each player's return."""
    step = env.reset()
    while not step.last():
        player = step.observations["current_player"]
        action = agents[player].step(step, is_evaluation=not learn).action
        assert action in step.observations["legal_actions"][player]
        step = env.step([action])
    if learn:
        for agent in agents:  # the last reward
            agent.step(step)
    return np.array(step.rewards)


def main() -> None:
    """Learn for some games, then play without exploring."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=2, choices=[2, 3, 4])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()

    # The one chance node, at the root, chooses among `deals` seeds.
    env = rl_environment.Environment(
        "python_nijar", players=options.players, reward="outcome", deals=1000
    )
    env.seed(options.seed)
    size = env.observation_spec()["info_state"][0]
    actions = env.action_spec()["num_actions"]
    learner = DQN(
        0,
        size,
        actions,
        hidden_layers_sizes=[128, 128],
        batch_size=64,
        learning_rate=1e-3,
        optimizer_str="adam",
        min_buffer_size_to_learn=500,
        epsilon_decay_duration=2_000,
        seed=options.seed,
    )
    agents = [learner, *(RandomAgent(seat, actions) for seat in range(1, options.players))]
    np.random.seed(options.seed)  # noqa: NPY002 (what RandomAgent draws from)
    for number in range(1, options.games + 1):
        play(env, agents, learn=True)
        if number % 10 == 0:
            print(f"{number} games, loss {learner.loss}")
    returns = np.mean([play(env, agents, learn=False) for _ in range(10)], axis=0)
    said = ", ".join(f"{value:+.2f}" for value in returns)
    print(f"open_spiel {version('open_spiel')}: mean outcome of 10 games by seat {said}")


if __name__ == "__main__":
    main()
