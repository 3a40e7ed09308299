"""Playing games on the batched core, whoever sits where.

A game of a measurement is an `Assignment`: a deal, a difficulty and the agents by seat. How it
ends depends on that, on the measurement's seed and on the box alone: not on the games beside it,
on their order or on the process that plays it.
"""

from __future__ import annotations

import hashlib
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from agents import Agent, GameView, make_agent
from nijar_env import Box, GameBatch, IllegalActionError
from nijar_env.components.vocabulary import DIFFICULTIES, NUM_PIECES, START_WHEEL
from nijar_env.core.catalogue import A_SELL
from nijar_env.core.constants import VP_SOURCES

from .records import GameRecord, Seat
from .replays import Scribe

BATCH: Final = 128
COMPETITION: Final = "competition"
# Finished games are read from the batch in groups, which is cheaper, but none waits for longer.
_GROUP, _WAIT_S = 16, 0.2
# Bits of a game's number (`GameView.ids`).
_ID_MASK: Final = 2**63 - 1


class AgentFault(RuntimeError):
    """An agent failed, or chose what is not legal. The message, one line, names agent and game."""


def hashed_seed(*parts: object) -> int:
    """A seed in [0, 2**64) from anything that has a text: hashed, never added."""
    text = "\0".join(str(part) for part in parts)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def game_seed(seed: int, deal: int) -> int:
    """The seed of a deal of a measurement with this seed: the same whoever plays it."""
    return hashed_seed("game", seed, deal)


class Assignment(NamedTuple):
    """A game to be played.

    Attributes:
        deal: its number, from 0.
        difficulty: of a solo game; "" with 2-4 players.
        agents: specifications by seat; one of a solo game.
    """

    deal: int
    difficulty: str
    agents: tuple[str, ...]

    def key(self) -> tuple[Any, ...]:
        """The `GameRecord.key` of the finished game."""
        return self.difficulty, self.agents, self.deal

    def game_id(self) -> int:
        """The number that its agents know the game by, in [0, 2**63)."""
        return hashed_seed("id", self.deal, self.difficulty, *self.agents) & _ID_MASK


class Cast:
    """The agents of a process, made when they are first needed.

    An agent that sits at a table several times is made as often: what one of its players keeps
    in mind must not reach another.

    Args:
        make: makes an agent of a specification.
        given: agents that are there already, by specification.
    """

    def __init__(
        self,
        make: Callable[[str], Agent] = make_agent,
        given: Mapping[str, Agent] | None = None,
    ) -> None:
        self._make = make
        self._agents = {(spec, 0): agent for spec, agent in (given or {}).items()}

    def agent(self, spec: str, copy: int = 0) -> Agent:
        """The agent of the `copy`-th player of this specification at a table."""
        key = spec, copy
        if key not in self._agents:
            self._agents[key] = self._make(spec)
        return self._agents[key]


def play(
    assignments: Sequence[Assignment],
    cast: Cast | Mapping[str, Agent],
    seed: int,
    box: Box | None = None,
    batch_size: int = BATCH,
    finished: Callable[[GameRecord], None] = lambda record: None,
    replays: Path | None = None,
) -> None:
    """Play games to their ends.

    Args:
        assignments: in any order; those with one difficulty and number of players share batches.
        cast: the agents, or some by specification (others are made by `make_agent`).
        seed: of the measurement.
        box: None for the default one.
        batch_size: games at a time; the results do not depend on it.
        finished: told each game soon after its end, and those that have ended also where an
            exception ends the play.
        replays: a folder that gets a replay of each game before its end is told.

    Raises:
        AgentFault: an agent failed or broke the rules; the other games of its batch are lost.
        ValueError: an assignment that fits no table.
    """
    if not isinstance(cast, Cast):
        cast = Cast(given=cast)
    kinds: dict[tuple[str, int], list[Assignment]] = {}
    for assignment in assignments:
        _check(assignment)
        kinds.setdefault((assignment.difficulty, len(assignment.agents)), []).append(assignment)
    for alike in kinds.values():
        for first in range(0, len(alike), batch_size):
            _Table(alike[first : first + batch_size], cast, seed, box, finished, replays).play()


def _check(assignment: Assignment) -> None:
    players = len(assignment.agents)
    if (players == 1) != bool(assignment.difficulty) or not 1 <= players <= 4:
        raise ValueError(
            "a game has one agent and a difficulty, or two to four agents and no difficulty, "
            f"not {players} and {assignment.difficulty!r}"
        )


class _Table:
    """A batch of games in play, one of each assignment, by row."""

    def __init__(
        self,
        assignments: Sequence[Assignment],
        cast: Cast,
        seed: int,
        box: Box | None,
        finished: Callable[[GameRecord], None],
        replays: Path | None,
    ) -> None:
        n, players = len(assignments), len(assignments[0].agents)
        self._assignments = assignments
        self._finished = finished
        self._specs: list[str] = []  # of each agent that takes part
        self._agents: list[Agent] = []
        # Which of those sits at each seat of each game.
        self._sits = np.zeros((n, players), np.int64)
        self._seat_agents(cast, seed)
        self._batch = GameBatch(
            n,
            players,
            difficulty=assignments[0].difficulty or DIFFICULTIES[0],
            seed=np.array([game_seed(seed, a.deal) for a in assignments], np.uint64),
            components=box,
            auto_reset=False,
        )
        self._ids = np.array([a.game_id() for a in assignments], np.int64)
        games = self._batch.games
        self._first_order = games["turn_order"].copy()
        # The starting combinations as dealt: a player's wheel tells which it took.
        self._combinations = games["combo_wheel"].tolist(), games["combo_resources"].tolist()
        # By row and seat in one line, which is quicker to count in.
        self._decisions = np.zeros(n * players, np.int64)
        self._seconds = np.zeros(n * players)
        self._sold = np.zeros((n * players, 2), np.int64)  # unpainted, painted
        self._actions = np.zeros(n, np.int64)
        self._unread = np.ones(n, np.bool_)  # games without a record so far
        self._read_count = 0
        self._read_at = time.perf_counter()
        self._scribe = None if replays is None else Scribe(replays, n, self._agents)
        self._seed = seed

    def _seat_agents(self, cast: Cast, seed: int) -> None:
        places: dict[tuple[str, int], int] = {}
        for row, assignment in enumerate(self._assignments):
            for seat, spec in enumerate(assignment.agents):
                key = spec, assignment.agents[:seat].count(spec)
                if key not in places:
                    places[key] = len(self._agents)
                    self._specs.append(spec)
                    self._agents.append(cast.agent(*key))
                self._sits[row, seat] = places[key]
        for agent in self._agents:
            agent.reset(hashed_seed("agent", seed))

    def play(self) -> None:
        """Play all games to their ends."""
        batch = self._batch
        try:
            while len(rows := np.flatnonzero(batch.current_players >= 0)):
                ended = len(batch) - len(rows) - self._read_count
                if ended >= _GROUP or (ended and time.perf_counter() - self._read_at > _WAIT_S):
                    self._read()
                self._choose(rows)
                self._step(rows)
        finally:
            self._read()

    def _choose(self, rows: npt.NDArray[np.int64]) -> None:
        """Have the agents choose in these games, into `_actions`."""
        view = GameView(self._batch, self._ids, rows)
        if len(self._agents) == 1:
            self._ask(0, view)
            return
        acting = self._sits[rows, self._batch.current_players[rows]]
        for index in range(len(self._agents)):
            own = np.flatnonzero(acting == index)
            if len(own):
                self._ask(index, view.select(own))

    def _ask(self, index: int, view: GameView) -> None:
        batch, agent, rows = self._batch, self._agents[index], view.rows
        start = time.perf_counter()
        try:
            seen = None
            if agent.needs_observations:
                who = np.full(len(batch), -1)
                who[rows] = batch.current_players[rows]
                seen = batch.observe(who)[rows]
            chosen = np.asarray(agent.act(seen, batch.action_masks[rows], view))
        except Exception as error:
            raise AgentFault(self._failure(index, view, error)) from error
        if chosen.shape != rows.shape or chosen.dtype.kind not in "iu":
            raise AgentFault(
                f"agent '{self._specs[index]}' must return {len(rows)} whole numbers, one a game; "
                f"it returned {chosen.dtype} of shape {chosen.shape}"
            )
        self._actions[rows] = chosen
        players = self._sits.shape[1]
        asked = np.bincount(rows * players + view.players, minlength=len(batch) * players)
        self._decisions += asked
        self._seconds += asked * ((time.perf_counter() - start) / len(rows))
        if self._scribe is not None:
            self._scribe.note(agent, view)

    def _failure(self, index: int, view: GameView, error: Exception) -> str:
        """One line: the agent, where in its code, what, and in which games."""
        frame = traceback.extract_tb(error.__traceback__)[-1]
        deals = sorted({self._assignments[row].deal for row in view.rows})
        more = "" if len(deals) == 1 else f" and {len(deals) - 1} more"
        text = " ".join(str(error).split())
        return (
            f"agent '{self._specs[index]}' failed at {Path(frame.filename).name}:{frame.lineno} "
            f"in deal {deals[0]}{more}: {type(error).__name__}: {text}"
        )

    def _step(self, rows: npt.NDArray[np.int64]) -> None:
        """Take the chosen actions, and count the sales."""
        batch = self._batch
        actions = self._actions[rows]
        # Nobody is ever forced to sell, so no sale is made without an agent's action.
        sales = np.flatnonzero((actions >= A_SELL) & (actions < A_SELL + 2 * NUM_PIECES))
        if len(sales):
            sellers = rows[sales] * self._sits.shape[1] + batch.current_players[rows[sales]]
            self._sold[sellers, (actions[sales] - A_SELL) // NUM_PIECES] += 1
        try:
            batch.step(self._actions)
        except IllegalActionError as error:
            raise AgentFault(self._breach(rows, str(error))) from error
        if self._scribe is not None:
            self._scribe.add(rows, actions)

    def _breach(self, rows: npt.NDArray[np.int64], text: str) -> str:
        """One line on the first illegal action, from `GameBatch.step`'s message."""
        batch = self._batch
        for row in rows.tolist():
            action = int(self._actions[row])
            if not 0 <= action < batch.action_masks.shape[1] or not batch.action_masks[row, action]:
                break
        assignment = self._assignments[row]
        spec = assignment.agents[batch.current_players[row]]
        what = text.partition(": ")[2]  # without the row of the batch
        return f"agent '{spec}' broke the rules in deal {assignment.deal}: {what}"

    def _read(self) -> None:
        """Make records of the games that have ended since the last time."""
        self._read_at = time.perf_counter()
        rows = np.flatnonzero(self._unread & self._batch.dones)
        if not len(rows):
            return
        self._unread[rows] = False
        self._read_count += len(rows)
        games = self._batch.games[rows]
        columns = {name: games[name].tolist() for name in ("vp", "vp_from", "turn_order")}
        columns["wheel"] = games["wheel"][:, :, 0].tolist()
        counts = {name: values.tolist() for name, values in _counts(games).items()}
        for at, row in enumerate(rows.tolist()):
            one = {name: values[at] for name, values in columns.items()}
            own = {name: values[at] for name, values in counts.items()}
            if self._scribe is not None:
                assignment = self._assignments[row]
                self._scribe.write(row, self._batch.game(row), assignment, self._seed)
            self._finished(self._record(row, one, own))

    def _record(self, row: int, game: dict[str, Any], counts: dict[str, list[int]]) -> GameRecord:
        """The record of one game from its fields by seat."""
        assignment = self._assignments[row]
        agents = assignment.agents
        seats = range(max(len(agents), 2))
        order = game["turn_order"][: len(seats)]
        # Ties go to whom stands further left in turn order (§11).
        ranking = sorted(seats, key=lambda seat: (-game["vp"][seat], order.index(seat)))
        first_order = self._first_order[row].tolist()
        made = []
        for seat in seats:
            common = {
                "vp": game["vp"][seat],
                "vp_from": {
                    name: vp
                    for name, vp in zip(VP_SOURCES, game["vp_from"][seat], strict=True)
                    if vp
                },
                "place": ranking.index(seat),
                "first_turn": first_order.index(seat),
            }
            if seat >= len(agents):
                made.append(Seat(agent=COMPETITION, **common))
                continue
            wheel = game["wheel"][seat]
            wheels, resources = self._combinations
            place = row * len(agents) + seat
            plain, painted = self._sold[place].tolist()
            made.append(
                Seat(
                    agent=agents[seat],
                    **common,
                    start_wheel=self._batch.box.start_wheel_ids[wheel - START_WHEEL],
                    start_resources=self._batch.box.start_resource_ids[
                        resources[row][wheels[row].index(wheel)]
                    ],
                    decisions=int(self._decisions[place]),
                    seconds=round(float(self._seconds[place]), 6),
                    counts={
                        **{name: by_seat[seat] for name, by_seat in counts.items()},
                        "sold_plain": plain,
                        "sold_painted": painted,
                    },
                )
            )
        return GameRecord(deal=assignment.deal, difficulty=assignment.difficulty, seats=tuple(made))


def _counts(games: npt.NDArray[Any]) -> dict[str, npt.NDArray[Any]]:
    """What the workshops hold, integers (n, 4) by seat; see `Seat.counts`."""
    return {
        "wheels": games["wheel_done"].sum(axis=2),
        "technology": games["technology"],
        "firing_kilns": games["firing_size"],
        "workshops": games["workshop_size"],
        "glaze_kilns": games["glaze_size"],
        "esparto": (games["esparto"] >= 0).sum(axis=2),
        "cleanup": games["cleanup_size"],
        "endgame_cards": games["endgame_played"].sum(axis=2),
    }
