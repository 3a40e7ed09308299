"""A game with people at it: whose choice it is, taking choices back, hints, what is saved.

Nothing here prints or asks: see `play_terminal` and `play_web`.
"""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from .batch import GameBatch
from .components import Box
from .game import Game
from .notes import Note
from .options import MAX_SEED
from .replay import PERSON, Replay, iterate_replay, make_replay, write_replay

RANDOM: Final = "random"
HINTS: Final = "expert"  # who gives hints, if the agents are there
_YOU: Final = ("human", "me", "person", "player", "you")  # what people call themselves
# What a choice may not change, if it is to be taken back: else it has shown something hidden, or
# another's turn has begun.
_SECRETS: Final = ("draws", "deck", "deck_size", "comp_deck", "comp_revealed")
_TURN: Final = ("phase", "round_number", "turn_index", "turn_player", "current_player")


class PlayError(ValueError):
    """A seat, file or command that cannot be. One line."""


class RandomPlayer:
    """Chooses evenly among what is legal: the player that the library itself brings."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def choose(self, game: Game) -> tuple[int, Note | None]:
        """An action, which depends on the seed and on how far the game has come."""
        rng = np.random.default_rng((self._seed, int(game.record.decisions)))
        return int(rng.choice(game.legal_actions())), None


class AgentPlayer:
    """An agent of the checkout at a seat of one game."""

    def __init__(self, agents: Any, spec: str, seed: int) -> None:
        self._agents = agents
        self._agent = agents.make_agent(spec)
        self._batch: GameBatch | None = None
        if hasattr(self._agent, "keep_notes"):
            self._agent.keep_notes = True
        self._agent.reset(seed)

    def choose(self, game: Game) -> tuple[int, Note | None]:
        """An action for who is to act, and what was considered, if the agent keeps notes."""
        if self._batch is None:
            self._batch = GameBatch(1, game.num_players, seed=0, components=game.box)
        batch = self._batch
        batch.games[:] = game._games
        batch.games["log_on"] = 0
        batch.action_masks[:] = batch.games["legal"]
        batch.current_players[:] = batch.games["current_player"]
        view = self._agents.GameView(batch, np.zeros(1))
        notes: dict[int, Note] = getattr(self._agent, "notes", {})
        notes.clear()
        seen = batch.observe() if self._agent.needs_observations else None
        action = int(self._agent.act(seen, batch.action_masks, view)[0])
        return action, notes.get(0)


def find_agents() -> Any:
    """The package `agents` of the checkout, or None where only the library is installed."""
    try:
        package = importlib.import_module("agents")
    except ImportError:
        return None
    # Other distributions have a package of that name.
    return package if hasattr(package, "make_agent") and hasattr(package, "GameView") else None


Player = RandomPlayer | AgentPlayer


def make_player(spec: str, seed: int) -> Player:
    """A player for a seat.

    Raises:
        PlayError: no agent is named so, or the agents are not there.
    """
    agents = find_agents()
    if agents is None:
        if spec == RANDOM:
            return RandomPlayer(seed)
        raise PlayError(
            f"'{spec}' is not there: the library alone has {PERSON} and {RANDOM}; the other "
            "players are in the project's checkout (pip install -e there)"
        )
    try:
        return AgentPlayer(agents, spec, seed)
    except agents.AgentSpecError as error:
        you = f"; you are '{PERSON}'" if spec.lower() in _YOU else ""
        raise PlayError(" ".join(str(error).split()) + you) from None


class _Moment(NamedTuple):
    """Before a person's choice that may be taken back."""

    game: Game
    decisions: int


class Table:
    """One game and who plays it.

    Args:
        game: at its beginning, or as it stands after `actions`.
        seats: specification of each player; `PERSON` for a person.
        actions: taken so far.
        notes: of agents so far, by decision.
        hints: specification of who gives hints; None: `HINTS` where the agents are there.

    Raises:
        PlayError: a seat or the giver of hints cannot be.
    """

    def __init__(
        self,
        game: Game,
        seats: Sequence[str],
        actions: Sequence[int] = (),
        notes: Mapping[int, Note] | None = None,
        hints: str | None = None,
    ) -> None:
        if len(seats) != game.num_players:
            raise PlayError(f"{game.num_players} seats are to be filled, not {len(seats)}")
        self.game = game
        self.seats = tuple(seats)
        self.actions = list(actions)
        self.notes = dict(notes or {})
        self._seed = int(game.record.seed)
        self._players = {
            seat: make_player(spec, _seed_of(self._seed, seat))
            for seat, spec in enumerate(seats)
            if spec != PERSON
        }
        if hints is None and find_agents() is not None:
            hints = HINTS
        self.hints = hints
        if hints is not None:  # a wrong name is told now, not in the middle of the game
            make_player(hints, 0)
        self._moments: list[_Moment] = []

    @classmethod
    def of_replay(cls, replay: Replay, box: Box, hints: str | None = None) -> Table:
        """The table of a game that was saved: a checked replay.

        Raises:
            PlayError: a seat cannot be.
        """
        *_, last = iterate_replay(replay, box)
        notes = replay.notes_by_decision()
        return cls(last.game, replay.agents, replay.actions, notes, hints)

    # -- who decides

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [seat for seat, spec in enumerate(self.seats) if spec == PERSON]

    @property
    def person(self) -> int | None:
        """The person who is to choose, or None: an agent is, or the game is over."""
        seat = self.game.current_player
        return seat if seat is not None and self.seats[seat] == PERSON else None

    def choose(self, action: int) -> None:
        """Take a person's choice.

        Raises:
            IllegalActionError: it is not legal.
        """
        before = self.game
        self._step(action)
        if shows_something(before, self.game):
            self._moments.clear()
        else:
            self._moments.append(_Moment(before, len(self.actions) - 1))

    def _step(self, action: int) -> None:
        """Play on in a copy: an interrupt leaves game and actions as they were, or both done."""
        after, actions = self.game.clone(log=True), [*self.actions, action]
        after.step(action)
        self.game, self.actions = after, actions

    def ask_agent(self) -> tuple[int, Note | None]:
        """What the agent whose choice it is would choose; the game stays as it is.

        Raises:
            PlayError: it is not legal. Whatever an agent of one's own raises.
        """
        seat = self.game.current_player
        assert seat is not None
        action, note = self._players[seat].choose(self.game)
        if action not in self.game.legal_actions():
            raise PlayError(f"action {action} is not legal")
        return action, note

    def take_agents_choice(self, action: int, note: Note | None) -> None:
        """Take what `ask_agent` has returned."""
        self._step(action)
        if note is not None:
            self.notes[len(self.actions) - 1] = note
        self._moments.clear()

    def let_agent_choose(self) -> int:
        """Have the agent whose choice it is choose; returns the action."""
        action, note = self.ask_agent()
        self.take_agents_choice(action, note)
        return action

    # -- taking back, hints, saving

    @property
    def can_undo(self) -> bool:
        """Whether the last choice may be taken back."""
        return bool(self._moments)

    def undo(self) -> None:
        """Take a person's last choice back: within a turn, while it has shown nothing hidden.

        Raises:
            PlayError: it may not be taken back.
        """
        if not self._moments:
            raise PlayError(
                "nothing to take back: only choices of this turn that have shown no card, no die "
                "and nothing else that was hidden"
            )
        moment = self._moments.pop()
        self.game = moment.game
        del self.actions[moment.decisions :]
        self.notes = {k: note for k, note in self.notes.items() if k < moment.decisions}

    def hint(self, game: Game | None = None) -> tuple[int, Note | None]:
        """What an agent would choose in the person's place, knowing what the person knows.

        Args:
            game: a copy of the table's, if the table may go on meanwhile.

        Raises:
            PlayError: there is nobody to ask.
        """
        if self.hints is None:
            raise PlayError(
                "nobody to ask: the players that give hints are in the project's checkout"
            )
        # A new one each time: what it has planned may have been taken back.
        player = make_player(self.hints, _seed_of(self._seed, len(self.seats)))
        return player.choose(self.game if game is None else game)

    def replay(self) -> Replay:
        """The game so far."""
        return make_replay(self.game, self.actions, self.seats, self.notes)

    def save(self, path: Path) -> None:
        """Write the game so far, as a replay.

        Raises:
            OSError: it cannot be written.
        """
        write_replay(self.replay(), path)


def shows_something(before: Game, after: Game) -> bool:
    """Whether a step from one game to the other has shown what was hidden, or ended the turn."""
    old, new = before.record, after.record
    return any(not np.array_equal(old[name], new[name]) for name in (*_SECRETS, *_TURN))


def _seed_of(seed: int, seat: int) -> int:
    """The seed of a player: hashed, so that it has nothing to do with the game's own chance."""
    digest = hashlib.blake2b(f"play\0{seed}\0{seat}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") & MAX_SEED
