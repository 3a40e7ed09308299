"""`search`: `mcts` with a trained network: its policy for priors and playouts, and its value.

`search:PATH` searches with a weights file, or a folder of them, of networks of kind "choices";
plain `search` with those that come with the agents.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from .base import GameView
from .choice_network import mind_of
from .mcts import MctsAgent, search_name
from .mind import Mind
from .weights_shelf import Shelf

# In VP, beside those of mcts; chosen on games of their own (docs/agents.md).
BIAS, EXPLORATION, TURNS = 5.0, 1.0, 4
MEASURE: Final = "own VP less its network's share of the others', as expected for the end"


class SearchAgent(MctsAgent):
    """Searches at every decision, with a network in mind.

    Args:
        path: a weights file, or a folder of them for different numbers of players; None: those
            that come with the agents.
        iterations, seconds, turns, bias, exploration: as of `MctsAgent`.

    Attributes:
        fingerprint: of the weights.

    Raises:
        ValueError: an option out of range, no weights there, or a broken file. Whether they fit the
            games is seen when it is first asked to act.
    """

    def __init__(
        self,
        path: Path | None = None,
        iterations: int | None = None,
        seconds: float | None = None,
        turns: int = TURNS,
        bias: float = BIAS,
        exploration: float = EXPLORATION,
    ) -> None:
        super().__init__(
            iterations=iterations,
            seconds=seconds,
            turns=turns,
            bias=bias,
            exploration=exploration,
        )
        self._params[0]["rivalry"] = 0.0  # the network's values are less the others' already
        self._shelf = Shelf("search", path)
        self.fingerprint = self._shelf.fingerprint
        options = (
            ("turns", turns, TURNS),
            ("bias", bias, BIAS),
            ("exploration", exploration, EXPLORATION),
        )
        head = "search" if path is None else f"search:{path.as_posix()}"
        self.name = search_name(head, iterations, seconds, options)
        self._minds: dict[tuple[int, str], Mind] = {}

    def _mind_for(self, games: GameView) -> Mind:
        key = games.num_players, games.box.fingerprint
        if key not in self._minds:
            self._minds[key] = mind_of(self._shelf.read(games.num_players, games.box))
        return self._minds[key]

    def _measure(self, g: Any) -> str:
        return MEASURE
