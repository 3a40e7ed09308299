"""`mcts`: information-set Monte Carlo tree search over single decisions.

Every iteration deals what the searching player does not know anew, so decks, hands, endgame cards,
dice and the Competition's cards count only as far as they are likely. It follows the tree by UCT
with availability counts and a progressive bias towards light's choices, adds a node, and plays on
by light's policy up to a turn some turns ahead, where greedy's evaluation takes over. Each seat
maximises its own value (max-n). The tree is kept from decision to decision while nothing new has
been revealed. It all runs in compiled kernels (`mcts_search`).
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from nijar_env.core.catalogue import NUM_GAME_ACTIONS
from nijar_env.core.constants import PHASE_TURNS
from nijar_env.core.record import GAME_DTYPE

from .base import Actions, GameView, Masks, Observations
from .greedy import bytes_of
from .greedy_weights import by_turns, fitted_weights
from .light_weights import light_policy
from .mind import PARAMETERS_DTYPE, PLAYOUTS, Mind, make_mind
from .notes import Choice, Note
from .plans import announce_compilation
from .random_agent import draw_keys

ITERATIONS: Final = 400
# In VP; chosen on games of their own (docs/agents.md).
BIAS, EXPLORATION, FIRST, EVENNESS, TURNS, RIVALRY = 5.0, 1.0, 0.0, 0.1, 4, 0.5
MOST_TURNS_AHEAD: Final = 18
# Room for nodes: of an iteration, at least, at most.
NODES_EACH, LEAST_NODES, MOST_NODES = 64, 1 << 12, 1 << 20
# Iterations between two looks at the clock; and where it does not matter, between two moments in
# which Ctrl-C is heard.
SLICE, LONG_SLICE = 32, 1024


@dataclass
class Tree:
    """A game's tree, and where the game was when it was searched last."""

    nodes: npt.NDArray[Any]
    size: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(1, np.int64))
    place: tuple[Any, ...] = ()
    decisions: int = -1
    draft: npt.NDArray[np.int8] | None = None
    action: int = -1

    def fits(self, g: Any, place: tuple[Any, ...]) -> bool:
        """The game is one decision further in the same turn, and no card came to light since: else
        what the tree knows is out of date."""
        if self.draft is None or place != self.place or g["decisions"] != self.decisions + 1:
            return False
        if g["phase"] == PHASE_TURNS and g["depth"] == 0:  # a new turn
            return False
        return not ((g["draft"] >= 0) & (g["draft"] != self.draft)).any()


class MctsAgent:
    """Searches at every decision.

    Args:
        iterations: at each decision, 1 to 1,000,000; None: as many as `seconds` allow, or 400.
        seconds: time for each decision; choices then depend on the machine. Whichever is first
            used up ends the search.
        turns: an iteration is valued where the player would begin this turn from now, 1 to 18.
        playout: "light", or "random": every legal action is equally likely.
        bias: weight of the prior, in VP.
        exploration: weight of the UCT bound, in VP.

    Attributes:
        notes: visits and values of the choices in each game (by number) at its last decision, if
            `keep_notes`.
        games_at_once: how many games it is reasonable to have in a batch: each has a tree.

    Raises:
        ValueError: an option out of range.
    """

    needs_observations = False
    games_at_once = 8

    def __init__(
        self,
        iterations: int | None = None,
        seconds: float | None = None,
        turns: int = TURNS,
        playout: str = "light",
        bias: float = BIAS,
        exploration: float = EXPLORATION,
    ) -> None:
        if iterations is not None and not 1 <= iterations <= 1_000_000:
            raise ValueError(f"iterations must be 1 to 1000000, not {iterations}")
        if seconds is not None and not 0 < seconds <= 3600:
            raise ValueError(f"seconds must be above 0 and at most 3600, not {seconds}")
        if not 1 <= turns <= MOST_TURNS_AHEAD:
            raise ValueError(f"turns must be 1 to {MOST_TURNS_AHEAD}, not {turns}")
        if playout not in PLAYOUTS:
            raise ValueError(f"playout must be one of {', '.join(PLAYOUTS)}, not '{playout}'")
        for name, value in (("bias", bias), ("exploration", exploration)):
            if not 0 <= value <= 1000:
                raise ValueError(f"{name} must be 0 to 1000, not {value}")
        options = (
            ("turns", turns, TURNS),
            ("playout", playout, "light"),
            ("bias", bias, BIAS),
            ("exploration", exploration, EXPLORATION),
        )
        self.name = search_name("mcts", iterations, seconds, options)
        self.keep_notes = False
        self.notes: dict[int, Note] = {}
        self._iterations = ITERATIONS if iterations is None and seconds is None else iterations
        self._seconds = seconds
        each = NODES_EACH * (self._iterations or MOST_NODES)
        self._capacity = min(max(each, LEAST_NODES), MOST_NODES)
        self._params = parameters(
            bias=bias,
            exploration=exploration,
            first=FIRST,
            evenness=EVENNESS,
            rivalry=RIVALRY,
            turns=turns,
            playout=PLAYOUTS.index(playout),
        )
        self._mind = make_mind(by_turns(fitted_weights()), light_policy())
        self._games = np.zeros(2, GAME_DTYPE)
        self._spare: npt.NDArray[Any] | None = None
        self._trees: dict[int, Tree] = {}
        self._seed = 0

    def reset(self, seed: int) -> None:
        """Forget all trees; deal by this seed, in [0, 2**64), from now on."""
        self._seed = seed
        self._trees = {}
        self.notes = {}

    def act(self, observations: Observations | None, masks: Masks, games: GameView) -> Actions:
        """See `Agent.act`."""
        if self._spare is None:
            announce_compilation("mcts", "mcts_kernels.run_search", "about a minute")
            from .mcts_tree import NODE_DTYPE

            self._spare = np.zeros(self._capacity, NODE_DTYPE)
        self._mind = self._mind_for(games)
        keys = draw_keys(self._seed, games)
        known = games.determinize(keys)
        actions = np.empty(len(masks), np.int64)
        for i in range(len(masks)):
            legal = np.flatnonzero(masks[i])
            if len(legal) == 1:
                actions[i] = legal[0]
                continue
            row, game = int(games.rows[i]), int(games.ids[i])
            actions[i] = self._search(games.box.record, known[i : i + 1], row, game, keys[i])
        return actions

    def _mind_for(self, games: GameView) -> Mind:
        """What to think with in games like these."""
        return self._mind

    def _search(
        self, box: npt.NDArray[Any], known: npt.NDArray[Any], row: int, game: int, key: np.uint64
    ) -> int:
        """Search from one determinized game; returns the action."""
        from .mcts_kernels import best_action

        tree = self._tree(known, row, game)
        self._games[:1] = known
        self._iterate(box, tree, key)
        action = int(best_action(tree.nodes, self._games))
        tree.action = action
        if self.keep_notes:
            self.notes[game] = self._note(tree, action)
        return action

    def _tree(self, known: npt.NDArray[Any], row: int, game: int) -> Tree:
        """The tree to search on: the subtree of the last action, or a new one."""
        from .mcts_kernels import begin_tree, descend

        g = known[0]
        player = int(g["current_player"])
        place = (
            game,
            player,
            int(g["round_number"]),
            int(g["turn_index"]),
            int(g["phase"]),
            int(g["comp_revealed"]),
            g["deck_size"].tobytes(),
        )
        tree = self._trees.get(row)
        if tree is None:
            assert self._spare is not None
            tree = self._trees[row] = Tree(np.zeros(self._capacity, self._spare.dtype))
        goes_on = tree.fits(g, place)
        if not goes_on or not descend(tree.nodes, self._spare, tree.size, player, tree.action):
            begin_tree(tree.nodes, tree.size)
        tree.place, tree.decisions, tree.draft = place, int(g["decisions"]), g["draft"].copy()
        return tree

    def _iterate(self, box: npt.NDArray[Any], tree: Tree, key: np.uint64) -> None:
        """Use the budget up."""
        from .mcts_kernels import run_search

        raw = bytes_of(self._games)
        seconds, wanted = self._seconds, self._iterations
        end = math.inf if seconds is None else time.perf_counter() + seconds
        most = LONG_SLICE if seconds is None else SLICE
        done = 0
        while done == 0 or ((wanted is None or done < wanted) and time.perf_counter() < end):
            count = most if wanted is None else min(most, wanted - done)
            run_search(
                box,
                self._mind,
                self._params,
                self._games,
                raw,
                tree.nodes,
                tree.size,
                key,
                done,
                count,
            )
            done += count

    def _note(self, tree: Tree, action: int) -> Note:
        """The choices at the root, the chosen one first, then by visits."""
        from .mcts_kernels import read_root

        actions = np.zeros(NUM_GAME_ACTIONS, np.int64)
        visits = np.zeros(NUM_GAME_ACTIONS, np.int64)
        means, priors = np.zeros(NUM_GAME_ACTIONS), np.zeros(NUM_GAME_ACTIONS)
        n = read_root(tree.nodes, self._games, actions, visits, means, priors)
        choices = [
            Choice((int(actions[k]),), float(means[k]), int(visits[k]), float(priors[k]))
            for k in range(n)
        ]
        choices.sort(key=lambda choice: (choice.actions[0] != action, -choice.looks))
        return Note(tuple(choices), self._measure(self._games[0]))

    def _measure(self, g: Any) -> str:
        """What its values are, in words."""
        return MEASURE if g["num_players"] == 1 else MEASURE + MEASURE_OF_A_TABLE


MEASURE: Final = "own VP less half the best rival's, as expected for the end"
MEASURE_OF_A_TABLE: Final = "; less half of what that is for the best other player"


def search_name(
    head: str,
    iterations: int | None,
    seconds: float | None,
    options: Sequence[tuple[str, Any, Any]],
) -> str:
    """A specification: the head, the budget as given, and options (name, value, usual value) that
    are not as usual."""
    parts = [f"iterations={iterations}"] if iterations is not None else []
    parts += [f"seconds={seconds:g}"] if seconds is not None else []
    parts += [f"{name}={value}" for name, value, usual in options if value != usual]
    return f"{head}:{','.join(parts)}" if parts else head


def parameters(**values: float) -> npt.NDArray[Any]:
    """PARAMETERS_DTYPE (1,) of these values."""
    params = np.zeros(1, PARAMETERS_DTYPE)
    for name, value in values.items():
        params[0][name] = value
    return params
