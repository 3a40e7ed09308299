"""Fair search in a game with hidden cards: flat Monte Carlo over games a player cannot tell apart.

`env.unwrapped.game.clone()` knows the coming dice and everybody's cards, so that search on it
would cheat. `determinize(player, seed)` deals anew all that the player does not know.

    python examples/determinize_for_search.py --samples 4
"""

from __future__ import annotations

import argparse
import random

from nijar_env import Game, nijar_v0


def playout(game: Game, player: int, rng: random.Random) -> int:
    """Play on at random; how far `player` ends before the best of the others."""
    while not game.done:
        game.step(rng.choice(game.legal_actions()))
    scores = game.scores()
    return scores.pop(player) - max(scores)


def search(game: Game, samples: int, rng: random.Random) -> int:
    """The legal action with the best mean result of random play."""
    player = game.current_player
    assert player is not None
    totals = dict.fromkeys(game.legal_actions(), 0)
    for _ in range(samples):
        world = game.determinize(player, seed=rng.getrandbits(64))
        for action in totals:  # all actions in the same world: they share its luck
            copy = world.clone()
            copy.step(action)
            totals[action] += playout(copy, player, rng)
    return max(totals, key=lambda action: totals[action])


def main() -> None:
    """Let the search, in seat 0, play against a random player."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=2, help="worlds a decision")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()

    env = nijar_v0.raw_env(2)
    env.reset(seed=options.seed)
    rng = random.Random(options.seed)
    for agent in env.agent_iter():
        if env.terminations[agent]:
            env.step(None)
        elif agent == "player_0":
            env.step(search(env.game, options.samples, rng))
        else:
            env.step(rng.choice(env.game.legal_actions()))
    ours, theirs = env.game.scores()
    print(f"search {ours} VP, random {theirs} VP")


if __name__ == "__main__":
    main()
