"""`expert`: plans its turn, and looks over the turns that follow before it chooses a plan.

Like `greedy` it searches through all choices of its turn and values where they lead: the chain from
clay to a sale, wheels, cards by what they will still bring, endgame cards, the market. It does not
trust that value alone: the best plans are played on into many possible futures (`expert_search`),
so that it sees what a sale leaves for the next turns, what is gained by going first, when to
close, and what rivals or the Competition do meanwhile.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from nijar_env.core.constants import PHASE_MARKET
from nijar_env.core.record import GAME_DTYPE

from .base import Actions, GameView
from .greedy import bytes_of
from .greedy_weights import (
    BEAM,
    FEATURES,
    MOST_BEAM,
    NUM_FEATURES,
    THEMES,
    by_turns,
    fitted_weights,
)
from .light_weights import light_policy
from .mind import make_candidates, make_mind
from .notes import Choice, Note
from .plans import PlanningAgent, announce_compilation
from .random_agent import draw_keys

PLANS, FUTURES, TURNS = 16, 8, 4
# Of so many plans as many that begin alike at most are looked at, of so many times as many found.
ALIKE, SEARCHED = 4, 4
MOST_PLANS, MOST_FUTURES, MOST_TURNS_AHEAD = 64, 4096, 18
# Differences below this, in VP, are no reason.
LEAST_REASON = 0.3
MOST_REASONS = 6
MEASURE = "own VP less half the best rival's, as expected for the end"


class ExpertAgent(PlanningAgent):
    """A beam search through one turn and a look at the futures of its best plans.

    Args:
        plans: plans that are looked at further, 1 to 64.
        futures: futures of each plan at the start, 1 to 4096; plans that stay get more.
        turns: turns of its own up to which it looks, 1 to 18.
        beam: positions kept at each step of the search through the turn, 1 to 1024.

    Attributes:
        notes: what it considered in each game (by number) at its last plan, if `keep_notes`.

    Raises:
        ValueError: an option out of range.
    """

    def __init__(
        self, plans: int = PLANS, futures: int = FUTURES, turns: int = TURNS, beam: int = BEAM
    ) -> None:
        super().__init__()
        options = (
            ("plans", plans, PLANS, MOST_PLANS),
            ("futures", futures, FUTURES, MOST_FUTURES),
            ("turns", turns, TURNS, MOST_TURNS_AHEAD),
            ("beam", beam, BEAM, MOST_BEAM),
        )
        for name, value, _, most in options:
            if not 1 <= value <= most:
                raise ValueError(f"{name} must be 1 to {most}, not {value}")
        changed = [f"{name}={value}" for name, value, usual, _ in options if value != usual]
        self.name = f"expert:{','.join(changed)}" if changed else "expert"
        self.keep_notes = False
        self.notes: dict[int, Note] = {}
        self._futures, self._turns = futures, turns
        self._mind = make_mind(by_turns(fitted_weights()), light_policy())
        self._pool = np.zeros(2 * beam + 2, GAME_DTYPE)
        self._scratch = np.zeros(2, GAME_DTYPE)
        self._most, self._alike = plans, ALIKE
        self._found = make_candidates(SEARCHED * plans)

    def reset(self, seed: int) -> None:
        """See `PlanningAgent.reset`."""
        super().reset(seed)
        self.notes = {}

    def _prepare(self) -> None:
        announce_compilation("expert", "expert_kernels.plan_ahead", "about a minute")

    def _plan(self, games: GameView) -> Actions:
        if not self.keep_notes:
            return self._plan_batch(games)[0]
        actions = np.empty(len(games), np.int64)
        for i in range(len(games)):
            game = games.select([i])
            actions[i : i + 1], found = self._plan_batch(game)
            self.notes[int(game.ids[0])] = self._note(game, found)
        return actions

    def _plan_batch(self, games: GameView) -> tuple[Actions, int]:
        """New plans; the first action of each, and how many plans the last game has."""
        from .expert_kernels import plan_ahead

        keys = draw_keys(self._seed, games)
        known = games.determinize(keys)
        actions = np.empty(len(games), np.int64)
        found = plan_ahead(
            games.box.record,
            self._mind,
            known,
            bytes_of(known),
            games.rows,
            games.ids,
            keys,
            self._plans,
            self._pool,
            bytes_of(self._pool),
            self._scratch,
            bytes_of(self._scratch),
            self._found,
            self._most,
            self._alike,
            self._futures,
            self._turns,
            actions,
        )
        return actions, int(found)

    def _note(self, game: GameView, count: int) -> Note:
        """The plans of the game that was planned last, and what speaks for the first of them."""
        found = self._found
        order = found.order[:count].tolist()
        choices = tuple(
            Choice(
                tuple(found.paths[k, : found.lengths[k]].tolist()),
                float(found.means[k]),
                int(found.looks[k]),
            )
            for k in order
        )
        reasons = self._reasons(game, choices[0], choices[1]) if count > 1 else ()
        return Note(choices, MEASURE, reasons)

    def _reasons(
        self, game: GameView, first: Choice, second: Choice
    ) -> tuple[tuple[str, float], ...]:
        """Where the plans differ at the end of the turn, and in the turns after it."""
        if int(game.phases[0]) == PHASE_MARKET:
            return ()
        gain = self._worth(game, first) - self._worth(game, second)
        names = [name for name, _, _ in FEATURES]
        starts = [names.index(name) for name, _ in THEMES] + [NUM_FEATURES]
        found = [("VP at once", float(gain[NUM_FEATURES] + gain[NUM_FEATURES + 1]))]
        for (_, words), start, end in zip(THEMES, starts[:-1], starts[1:], strict=True):
            found.append((words, float(gain[start:end].sum())))
        later = first.value - second.value - sum(vp for _, vp in found)
        found.append(("the turns after it", later))
        found = [(words, vp) for words, vp in found if abs(vp) >= LEAST_REASON]
        return tuple(sorted(found, key=lambda reason: -abs(reason[1]))[:MOST_REASONS])

    def _worth(self, game: GameView, choice: Choice) -> npt.NDArray[np.float64]:
        """float64 (NUM_FEATURES + 2,): the evaluation of where a plan ends, by feature."""
        from .expert_kernels import worth_by_feature

        known = game.determinize(draw_keys(self._seed, game))
        worth = np.zeros(NUM_FEATURES + 2)
        worth_by_feature(
            game.box.record,
            self._mind,
            known,
            bytes_of(known),
            self._pool,
            bytes_of(self._pool),
            np.array(choice.actions, np.int64),
            len(choice.actions),
            worth,
        )
        return worth
