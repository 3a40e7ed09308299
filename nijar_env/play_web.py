"""Playing in a browser, without the network: what the page is told, and what it may ask for.

One screen shows one person's view at a time. Where several play, the next one's view is told only
after that person has said to sit there. Agents choose in a thread of their own.
"""

from __future__ import annotations

import threading
import time
from typing import Any

import msgspec

from .play_session import Session
from .play_table import PlayError
from .play_words import choice_texts
from .svg.shapes import COMPETITION_COLOUR, SEAT_COLOURS


class Stale(Exception):
    """A request about a moment that has passed: nothing was done."""


class Order(msgspec.Struct, frozen=True):
    """What the page asks for.

    Attributes:
        version: of the game that the page shows.
        action: the name of a choice.
        file: to save to; "" is the one it is saved to already.
    """

    version: int
    action: str = ""
    file: str = ""


class Room:
    """A session that one page plays, and a thread in which its agents choose.

    Args:
        session: the game.
        any_file: whether the page may name files to save to.
    """

    def __init__(self, session: Session, *, any_file: bool = True) -> None:
        self._session = session
        self._any_file = any_file
        self._lock = threading.Lock()  # of the game and all that follows
        self._hinting = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self._version = 0  # goes up with every change, also when a choice is taken back
        self._since = time.monotonic()
        self._fault: str | None = None  # what the person is to know
        self._stuck = False  # an agent has failed
        self._stopped = False
        people = session.table.people
        # Whose view the screen shows; where several play, nobody's yet.
        self._seated = people[0] if len(people) == 1 else None
        self._thread = threading.Thread(target=self._let_agents_choose, daemon=True)

    # -- agents

    def start(self) -> None:
        """Let the agents choose from now on."""
        self._thread.start()

    def stop(self) -> None:
        """No agent's choice is taken any more; what is under way is given up."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    def _let_agents_choose(self) -> None:
        table = self._session.table
        while True:
            with self._changed:
                while not self._stopped and (table.game.done or table.person is not None):
                    self._changed.wait()
                if self._stopped:
                    return
                self._since = time.monotonic()
            try:
                # Without the lock: only the game is read, and nobody else may change it now.
                action, note = table.ask_agent()
            except Exception as error:  # told on the page, since nobody sees this thread
                with self._changed:
                    self._fault = f"{self._who()} cannot choose: {error}"
                    self._stuck = True
                    self._version += 1
                return
            with self._changed:
                if self._stopped:
                    return
                table.take_agents_choice(action, note)
                self._has_changed()

    def _has_changed(self) -> None:
        """After each choice, with the lock held."""
        self._fault = self._session.keep() or self._fault
        self._version += 1
        self._changed.notify_all()

    # -- what the page asks for

    def choose(self, order: Order) -> None:
        """Take the choice of the person at the screen.

        Raises:
            Stale: the page shows a past moment. PlayError: it is no legal choice.
        """
        with self._changed:
            person = self._check(order)
            game = self._session.table.game
            names = {game.action_name(action): action for action in game.legal_actions()}
            if order.action not in names:
                raise PlayError(f"'{order.action}' is none of the choices")
            self._session.tell(person)  # what follows is news
            self._fault = None
            self._session.table.choose(names[order.action])
            self._has_changed()

    def undo(self, order: Order) -> None:
        """Take the last choice back.

        Raises:
            Stale: the page shows a past moment. PlayError: it may not be taken back.
        """
        with self._changed:
            self._session.undo(self._check(order))
            self._fault = None
            self._has_changed()

    def sit(self, order: Order) -> None:
        """The person whose choice it is sits at the screen.

        Raises:
            Stale: the page shows a past moment.
        """
        with self._changed:
            person = self._session.table.person
            if order.version != self._version or person is None:
                raise Stale
            self._seated = person
            self._version += 1

    def hint(self, order: Order) -> dict[str, Any]:
        """What an agent would do: the name of the action, and lines.

        Raises:
            Stale: the page shows a past moment. PlayError: there is nobody to ask.
        """
        with self._hinting:
            with self._lock:
                self._check(order)
                game = self._session.table.game.clone()
            action, lines = self._session.hint(game)
            return {"action": game.action_name(action), "lines": lines}

    def save(self, order: Order) -> dict[str, Any]:
        """Save the game, and from now on after each choice.

        Raises:
            PlayError: it cannot be written, or no file is named.
        """
        with self._lock:
            file = self._session.file
            if order.file and not self._any_file and order.file != str(file):
                raise PlayError("where others can reach the server, only --save FILE says the file")
            self._session.save_to(order.file)
            if not self._stuck:
                self._fault = None
            return {"file": _shown(self._session.file)}

    def _check(self, order: Order) -> int:
        """The person who may choose, if the page shows this very moment."""
        person = self._session.table.person
        if order.version != self._version or person is None or person != self._seated:
            raise Stale
        return person

    # -- what the page is told

    def state(self, after: int = -1) -> dict[str, Any]:
        """All that the page shows; less, where it is no newer than version `after`."""
        with self._lock:
            told: dict[str, Any] = {"version": self._version, "fault": _shown(self._fault)}
            table = self._session.table
            thinking = not table.game.done and table.person is None and not self._stuck
            if thinking:
                told["seconds"] = int(time.monotonic() - self._since)
            if after == self._version:
                return told
            return {**told, **self._all(thinking)}

    def replay(self) -> Any:
        """The game as a replay, once it is over.

        Raises:
            PlayError: it is not over: the replay would tell what is hidden.
        """
        with self._lock:
            if not self._session.table.game.done:
                raise PlayError("the replay is there when the game is over")
            return self._session.table.replay()

    def _all(self, thinking: bool) -> dict[str, Any]:
        table = self._session.table
        game = table.game
        told: dict[str, Any] = {
            "mode": _mode(game.done, thinking, table.person),
            "who": self._who(),
            "seats": self._seats(),
            "file": _shown(self._session.file),
            "any_file": self._any_file,
        }
        person = table.person
        if person is not None and person != self._seated:
            return {**told, "mode": "cover", "person": person}
        seat = self._seated
        if seat is None and not game.done:  # an agent begins, and nobody sits here yet
            return told
        told |= {
            "person": seat,
            "where": self._where(),
            "svg": game.to_svg(None if game.done and len(table.people) > 1 else seat),
            "hints": table.hints,
            "can_undo": person is not None and table.can_undo,
            "choices": [
                {"action": game.action_name(action), "text": text}
                for action, text in (choice_texts(game) if person is not None else [])
            ],
        }
        if seat is not None:
            log = game.log_for(seat)
            told |= {"log": log, "news": len(log) - len(self._session.news(seat))}
        if game.done:
            lines = self._session.end_lines()[len(told["seats"]) :]
            told["end"] = [_shown(line) for line in lines]
        return told

    def _who(self) -> str | None:
        """Who is to choose."""
        seat = self._session.table.game.current_player
        return None if seat is None else f"player {seat} ({self._session.table.seats[seat]})"

    def _where(self) -> str:
        """How far the game is."""
        game = self._session.table.game
        if game.done:
            return "the game is over"
        words = [f"round {game.round}"] if game.round else []
        words.append(game.phase.replace("_", " "))
        if game.phase == "turns":
            mine = game.turn_player == self._seated
            words.append("your turn" if mine else f"player {game.turn_player}'s turn")
        return ", ".join(words)

    def _seats(self) -> list[dict[str, Any]]:
        game = self._session.table.game
        names = self._session.table.replay().seat_names()
        colours = [*SEAT_COLOURS[: game.num_players], COMPETITION_COLOUR]
        return [
            {
                "name": name,
                "vp": vp,
                "colour": colour,
                "acts": seat == game.current_player,
                "wins": seat == game.winner,
            }
            for seat, (name, vp, colour) in enumerate(
                zip(names, game.scores(), colours, strict=False)
            )
        ]


def _shown(text: object) -> str | None:
    """As JSON can have it: bytes of a file's name that are no text stand in it as escapes."""
    return None if text is None else str(text).encode(errors="backslashreplace").decode()


def _mode(done: bool, thinking: bool, person: int | None) -> str:
    """What the page is for now; "stuck" when an agent has failed."""
    if done:
        return "over"
    return "thinking" if thinking else "stuck" if person is None else "choose"
