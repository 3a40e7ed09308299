"""catanatron: Settlers of Catan in Python. Its package has no observations."""

from __future__ import annotations

import sys

from catanatron import Color, Game, RandomPlayer
from catanatron.game import TURNS_LIMIT

from .loop import Make, Play, draw, run_script


class _Games(Play):
    """`Game.execute` of an action of `playable_actions`, unchecked, up to its limit of turns."""

    def __init__(self, players: int) -> None:
        super().__init__()
        self._colors = list(Color)[:players]
        self._game = self._begin()

    def _begin(self) -> Game:
        return Game([RandomPlayer(color) for color in self._colors])

    def play(self, count: int) -> None:
        game, widths = self._game, self.widths
        for _ in range(count):
            if game.winning_color() is not None or game.state.num_turns >= TURNS_LIMIT:
                self.games += 1
                game = self._game = self._begin()
            actions = game.state.playable_actions
            if widths is not None:
                widths.append(len(actions))
            game.execute(actions[int(draw() * len(actions))], validate_action=False)
        self.decisions += count


GAMES: dict[str, Make] = {
    "Catan, 2 players": lambda part: _Games(2),
    "Catan, 4 players": lambda part: _Games(4),
}

if __name__ == "__main__":
    sys.exit(run_script(GAMES, ["catanatron"]))
