"""Who sits beside the learner in self-play: itself, its past selves, scripted agents.

A game keeps its company from the deal to its end. Either the learner plays every seat, or it plays
one, and all others belong to the same opponent: a past self, or an agent by specification. The
learner's seat moves on by one from a game to the next in its row, so no opponent gets better seats.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from agents import Agent, GameView, make_agent
from eval.table import hashed_seed
from nijar_env import GameBatch

Rows = npt.NDArray[np.int64]
# How a past self plays: network and rows of the batch -> their actions.
Choose = Callable[[Any, Rows], Rows]
ITSELF: Final = 0  # the company of a game whose seats are all the learner's
# How slowly the learner's win rate against each past self follows its games, and how much of a
# chance one has that always loses.
_MEMORY, _LEAST = 0.98, 0.05


class Pool:
    """The company of every game of a batch.

    Args:
        batch: the games, with `auto_reset`.
        itself: share of the games in which the learner plays every seat.
        past: share of the games against a past self; the learner's own until there is one.
        scripted: share of the games against each agent, by specification.
        capacity: past selves that are kept.
        first: the number of the first game, where the batch is a part of a run's games.
        seed: of the draws and of the scripted agents.

    Attributes:
        company: int64 (B,): ITSELF, then the scripted agents in order, then the past selves.
        seat: int64 (B,): the learner's, where it has only one.
        past: the networks of the past selves.
        born: the update that each of them was taken after.
        tally: int64 (companies, 2): games finished and games won since `report`.

    Raises:
        AgentSpecError: an agent that is not known.
        ValueError: shares that do not add up to 1.
    """

    def __init__(
        self,
        batch: GameBatch,
        itself: float,
        past: float,
        scripted: Mapping[str, float],
        capacity: int,
        seed: int,
        first: int = 0,
    ) -> None:
        shares = np.array([itself, *scripted.values(), past])
        if (shares < 0).any() or abs(shares.sum() - 1) > 1e-6:
            raise ValueError(f"the shares of the games must add up to 1, not {shares.sum():g}")
        self._batch, self._seed, self._capacity = batch, seed, capacity
        self._edges = np.cumsum(shares / shares.sum())[:-1]
        # At a table of three or four an agent sits several times: one for each seat, since what
        # one of them keeps in mind must not reach another.
        seats = range(batch.num_players)
        self.specs = list(scripted)
        self._agents: list[list[Agent]] = [[make_agent(s) for _ in seats] for s in scripted]
        self._first_past = 1 + len(self.specs)
        self.past: list[Any] = []
        self.born: list[int] = []
        self._rates = np.full(capacity, 0.5)
        self.tally = np.zeros((self._first_past + capacity, 2), np.int64)
        self._rng = np.random.default_rng(hashed_seed("company", seed) % 2**63)
        self.company = np.zeros(len(batch), np.int64)
        self.seat = (first + np.arange(len(batch))) % batch.num_players
        self._deal(np.arange(len(batch)))

    # -- games -------------------------------------------------------------------------------------

    def _deal(self, rows: Rows) -> None:
        """Draw the company of new games."""
        drawn = np.searchsorted(self._edges, self._rng.random(len(rows)), side="right")
        against_past = np.flatnonzero(drawn == self._first_past)
        if not self.past:
            drawn[against_past] = ITSELF
        elif len(against_past):
            # Those that the learner seldom beats have more to teach.
            chance = np.maximum(1 - self._rates[: len(self.past)], _LEAST)
            picks = self._rng.choice(len(self.past), len(against_past), p=chance / chance.sum())
            drawn[against_past] += picks
        self.company[rows] = drawn

    def learner_acts(self) -> npt.NDArray[np.bool_]:
        """bool (B,): whether the learner is to act."""
        own_seat = self._batch.current_players == self.seat
        return np.asarray((self.company == ITSELF) | own_seat)

    def act(self, actions: Rows, choose: Choose) -> None:
        """Write the actions of all who are not the learner into `actions`, int64 (B,)."""
        others = np.flatnonzero(~self.learner_acts())
        for company in np.unique(self.company[others]).tolist():
            rows = others[self.company[others] == company]
            if company >= self._first_past:
                actions[rows] = choose(self.past[company - self._first_past], rows)
                continue
            seats = self._batch.current_players[rows]
            for seat in np.unique(seats).tolist():
                own = rows[seats == seat]
                agent = self._agents[company - 1][seat]
                # Observed anew, since the learner may read something else.
                seen = self._batch.observe()[own] if agent.needs_observations else None
                view = GameView(self._batch, rows=own)
                actions[own] = agent.act(seen, self._batch.action_masks[own], view)

    def finish(self, rows: Rows) -> None:
        """Count the games that have just ended, and seat those that were dealt in their place."""
        against = self.company[rows]
        won = self._batch.final_winners[rows] == self.seat[rows]
        self.tally[:, 0] += np.bincount(against, minlength=len(self.tally))
        self.tally[:, 1] += np.bincount(against[won], minlength=len(self.tally))
        for company, win in zip(against.tolist(), won.tolist(), strict=True):
            if company >= self._first_past:
                slot = company - self._first_past
                self._rates[slot] = _MEMORY * self._rates[slot] + (1 - _MEMORY) * win
        self.seat[rows] = (self.seat[rows] + 1) % self._batch.num_players
        self._deal(rows)

    def report(self) -> dict[str, tuple[int, int]]:
        """Games and the learner's wins against each opponent since the last report.

        By specification, and "past" for all past selves together; a game goes to the past self
        that holds the place at its end.
        """
        named = {spec: self.tally[1 + i] for i, spec in enumerate(self.specs)}
        named["past"] = self.tally[self._first_past :].sum(axis=0)
        out = {name: (int(games), int(wins)) for name, (games, wins) in named.items()}
        self.tally[:] = 0
        return out

    # -- opponents ---------------------------------------------------------------------------------

    def begin(self, update: int) -> None:
        """Let scripted agents forget all plans and draw anew.

        So they need no place in a checkpoint: a run goes on from one as if it had never stopped.
        """
        for spec, agents in zip(self.specs, self._agents, strict=True):
            for seat, agent in enumerate(agents):
                agent.reset(hashed_seed("opponent", self._seed, update, spec, seat))

    def add(self, network: Any, update: int) -> None:
        """Keep a copy of the learner as it is now.

        When the pool is full, the past self whose neighbours in time are closest together goes (the
        oldest stays), so those that are kept span the whole training. Its games are gone on with by
        the new one.
        """
        if len(self.past) < self._capacity:
            self.past.append(copy.deepcopy(network).requires_grad_(False).eval())
            self.born.append(update)
            return
        slot = _crowded(self.born, update)
        self.past[slot].load_state_dict(network.state_dict())
        self.born[slot] = update
        self._rates[slot] = 0.5

    # -- checkpoints -------------------------------------------------------------------------------

    def state(self, past: bool = True) -> dict[str, Any]:
        """All that `restore` needs, as `train.state.write_state` takes it; without the past selves
        all that changes while games are played."""
        state: dict[str, Any] = {
            "company": self.company.copy(),
            "seat": self.seat.copy(),
            "tally": self.tally.copy(),
            "rates": self._rates.copy(),
            "random": self._rng.bit_generator.state,
        }
        if past:
            state.update(born=list(self.born), past=[network.state_dict() for network in self.past])
        return state

    def restore(self, state: Mapping[str, Any], network: Any = None) -> None:
        """Set a pool of the same options to a state; `network` is one like the past selves, if
        the state has any."""
        self.company[:] = state["company"]
        self.seat[:] = state["seat"]
        self.tally[:] = state["tally"]
        self._rates[:] = state["rates"]
        self._rng.bit_generator.state = state["random"]
        if "past" in state:
            self.restore_past(state["born"], state["past"], network)

    def restore_past(self, born: Sequence[int], past: Sequence[Any], network: Any) -> None:
        """Set the past selves, given by their weights."""
        self.born, self.past = list(born), []
        for weights in past:
            one = copy.deepcopy(network).requires_grad_(False).eval()
            one.load_state_dict(weights)
            self.past.append(one)


def total(reports: Sequence[Mapping[str, tuple[int, int]]]) -> dict[str, tuple[int, int]]:
    """Several pools' reports as one."""
    sums = {name: np.sum([report[name] for report in reports], axis=0) for name in reports[0]}
    return {name: (int(games), int(wins)) for name, (games, wins) in sums.items()}


def _crowded(born: list[int], update: int) -> int:
    """Which of several past selves to give up for a new one."""
    order = sorted(range(len(born)), key=lambda slot: born[slot])
    times = [born[slot] for slot in order] + [update]
    if len(order) == 1:
        return 0
    gaps = [times[i + 1] - times[i - 1] for i in range(1, len(order))]
    return order[1 + gaps.index(min(gaps))]
