"""Opponents of one's own: a function, a function of many seats at once, an agent that searches.

python examples/custom_opponent.py --games 20 --playouts 4
"""

from __future__ import annotations

import argparse
from typing import Any

import gymnasium
import numpy as np

import nijar_env
from nijar_env.opponents import batched
from nijar_env.sampling import sample_action, sample_actions

CLOSE = nijar_env.Game(2, seed=0).parse_action("close")
rng = np.random.default_rng(0)


def patient(observation: Any, mask: Any) -> int:
    """Closes its shop only when it must, and is random otherwise."""
    other = mask.copy()
    other[CLOSE] = 0
    return sample_action(other, rng) if other.any() else CLOSE


@batched
def patient_in_many(observations: Any, masks: Any) -> Any:
    """The same for (M, size) observations and (M, actions) masks: here a network would go."""
    others = masks.copy()
    others[:, CLOSE] = 0
    return np.where(others.any(1), sample_actions(others, rng), CLOSE)


class Searching:
    """Plays random games to the end after each of its actions, takes the one that it won most by.

    Args:
        playouts: games for each action.
    """

    def __init__(self, playouts: int) -> None:
        self.playouts = playouts

    def act_in(self, batch: Any, rows: Any) -> list[int]:
        """The actions in games `rows` of a batch."""
        return [self._best(batch.game(int(row))) for row in rows]

    def _best(self, game: nijar_env.Game) -> int:
        player = game.current_player
        assert player is not None
        values = dict.fromkeys(game.legal_actions(), 0.0)
        for number in range(self.playouts):
            # What it does not know is dealt anew: else it would search with open cards.
            possible = game.determinize(player, seed=number)
            for action in values:
                after = possible.clone()
                after.step(action)
                values[action] += self._margin(after, player)
        return max(values, key=values.__getitem__)

    def _margin(self, game: nijar_env.Game, player: int) -> int:
        while not game.done:
            game.step(sample_action(game.action_mask(), rng))
        scores = game.scores()
        return scores.pop(player) - max(scores)


def play(opponents: Any, games: int, num_players: int = 2) -> float:
    """The learner's share of wins: it plays at random here."""
    env = gymnasium.make(
        "nijar_env/Nijar-v0", num_players=num_players, opponents=opponents, seat="rotate"
    )
    won = 0
    for number in range(games):
        _, info = env.reset(seed=0 if number == 0 else None)
        terminated = False
        while not terminated:
            action = sample_action(info["action_mask"], rng)
            _, _, terminated, _, info = env.step(action)
        won += info["winner"] == info["seat"]
    return won / games


def main() -> None:
    """Random play against each of them, one game at a time and many at once."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--playouts", type=int, default=2)
    options = parser.parse_args()
    for name, opponent in {
        "random": "random",
        "patient": patient,
        "searching": Searching(options.playouts),
    }.items():
        print(f"random wins {play(opponent, options.games):.0%} of its games against {name}")
    share = play(["random", patient], options.games, num_players=3)
    print(f"random wins {share:.0%} of its games against another random player and patient")

    envs = gymnasium.make_vec(
        "nijar_env/Nijar-v0", num_envs=64, opponents=patient_in_many, seat="rotate"
    )
    envs.reset(seed=0)
    ended, won = 0, 0
    for _ in range(200):
        _, rewards, terminations, _, _ = envs.step(envs.action_space.sample())
        ended += int(terminations.sum())
        won += int((rewards[terminations] > 0).sum())
    print(f"many at once: {won} of {ended} games won against patient")


if __name__ == "__main__":
    main()
