"""Playing in a terminal: the board as text, numbered choices, one line of input a choice.

With prompt_toolkit (the extra `play`) the line completes names and keeps a history; without it, or
where input is no terminal, it is a plain line.
"""

from __future__ import annotations

import shlex
import shutil
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import typer

from .game import Game
from .play_session import Session
from .play_table import PlayError, Table
from .play_words import choice_texts
from .render_seats import hand_lines, player_lines
from .render_words import WIDTH, View

CLEAR: Final = "\x1b[2J\x1b[3J\x1b[H"  # the screen, what has scrolled off it, the cursor home
HELP: Final = """\
    NUMBER or NAME   choose (names stand beside the numbers)
    board  b         the whole board          me    m   your workshop and hand
    hint   h         what an agent would do   undo  u   take your last choice back
    log    l         the log of the game      save [FILE]   s
    quit   q         stop; the game can be gone on with    ?   this"""
SHORT: Final = {
    "b": "board",
    "m": "me",
    "h": "hint",
    "u": "undo",
    "l": "log",
    "s": "save",
    "q": "quit",
    "?": "help",
}
COMMANDS: Final = tuple(SHORT.values())
Ask = Callable[[str, dict[str, str], str], str]


class Stopped(Exception):
    """The person wants to stop."""


def make_ask(history: bool = True) -> Ask:
    """How a line is asked for: (prompt, words to complete with their meaning, foot line).

    Without `history` a line cannot be called up again: where several people sit, one would find
    what another has played face down.
    """
    session: Any = None
    if sys.stdin.isatty() and sys.stdout.isatty():
        try:
            from prompt_toolkit import PromptSession
            from prompt_toolkit.history import DummyHistory

            session = PromptSession(history=None if history else DummyHistory())
        except ImportError:
            session = None

    def plain(prompt: str, words: dict[str, str], foot: str) -> str:
        return input(prompt)

    def completing(prompt: str, words: dict[str, str], foot: str) -> str:
        from prompt_toolkit.completion import WordCompleter

        completer = WordCompleter(list(words), meta_dict=words, sentence=True)
        return str(session.prompt(prompt, completer=completer, bottom_toolbar=foot or None))

    return plain if session is None else completing


class Terminal:
    """One person or several at one terminal.

    Args:
        table: the game.
        ask: how a line is asked for.
        color: whether the board is coloured.
        file: where the game is saved after each choice; None: only when asked for.
    """

    def __init__(self, table: Table, ask: Ask, color: bool, file: Path | None = None) -> None:
        self._table = table
        self._session = Session(table, file)
        self._ask = ask
        self._color = color
        self._turn: tuple[int, ...] | None = None  # whose board was last shown in full
        self._last: int | None = None  # who sat here last

    def run(self) -> None:
        """Play until the game is over or the person stops."""
        try:
            while not self._table.game.done:
                if self._table.person is None:
                    self._let_agent_choose()
                    self._keep()
                    if len(self._table.people) == 1:  # several are told at the keyboard
                        self._news(self._table.people[0])
                else:
                    self._decide(self._table.person)
        except (Stopped, KeyboardInterrupt, EOFError):
            self._end()
            return
        self._show_end()

    def _let_agent_choose(self) -> None:
        try:
            action, note = self._table.ask_agent()
        except Exception as error:  # of a player of one's own: the game is not lost with it
            seat = self._table.game.current_player
            spec = self._table.seats[seat or 0]
            self._say(f"player {seat} ({spec}) cannot choose: {error}")
            raise Stopped from error
        self._table.take_agents_choice(action, note)

    # -- one decision

    def _decide(self, person: int) -> None:
        """Show a person what there is, and take one line."""
        self._hand_over(person)
        game = self._table.game
        self._news(person)
        turn = (person, game.round, int(game.record.turn_index), game.turn_player)
        if turn != self._turn:
            self._board(person)
            self._turn = turn
        choices = choice_texts(game)
        self._choices(person, choices)
        while not self._obey(person, choices, self._line(person, choices)):
            pass

    def _line(self, person: int, choices: list[tuple[int, str]]) -> str:
        game = self._table.game
        words = {game.action_name(action): text for action, text in choices}
        words.update(dict.fromkeys(COMMANDS, "command"))
        scores = "  ".join(
            f"{View(game.box, {'num_players': game.num_players}, None).who(seat)} {vp} VP"
            for seat, vp in enumerate(game.scores())
        )
        undo = "  undo" if self._table.can_undo else ""
        foot = f"round {game.round}  {scores}  |  number, name, board, me, hint, log{undo}, ?"
        return self._ask(f"player {person}> ", words, foot).strip()

    def _obey(self, person: int, choices: list[tuple[int, str]], line: str) -> bool:
        """Do what a line says; whether the decision is to be shown anew."""
        if not line:
            return False
        first, _, rest = line.partition(" ")
        command = SHORT.get(first, first)
        if command not in COMMANDS:
            return self._choose(choices, line)
        try:
            return bool(getattr(self, f"_{command}")(person, rest.strip()))
        except PlayError as error:
            self._say(str(error))
        return False

    def _choose(self, choices: list[tuple[int, str]], line: str) -> bool:
        game = self._table.game
        names = {game.action_name(action): action for action, _ in choices}
        if line.isascii() and line.isdigit() and 1 <= int(line) <= len(choices):
            action = choices[int(line) - 1][0]
        elif line in names:
            action = names[line]
        else:
            self._say(
                f"'{line}' is none of the choices 1 to {len(choices)} and no command; ? helps"
            )
            return False
        self._table.choose(action)
        self._keep()
        return True

    # -- commands: each returns whether the decision is to be shown anew

    def _help(self, person: int, rest: str) -> bool:
        typer.echo(HELP)
        return False

    def _hint(self, person: int, rest: str) -> bool:
        _, (first, *more) = self._session.hint()
        self._say(first)
        for line in more:
            typer.echo(line)
        return False

    def _undo(self, person: int, rest: str) -> bool:
        self._session.undo(person)
        self._say("taken back")
        self._keep()
        return True

    def _log(self, person: int, rest: str) -> bool:
        typer.echo("\n".join(self._table.game.log_for(person)))
        return False

    def _me(self, person: int, rest: str) -> bool:
        self._workshop(person)
        return False

    def _save(self, person: int, rest: str) -> bool:
        try:
            given = shlex.split(rest, posix=sys.platform != "win32")
        except ValueError as error:
            raise PlayError(f"cannot read the file name: {error}") from None
        name = given[0].strip("\"'") if len(given) == 1 else ""
        if not name and (given or self._session.file is None):
            raise PlayError("give one file name: save FILE")
        self._session.save_to(name)
        self._say(f"saved: {self._session.file}; from now on after each choice")
        return False

    def _quit(self, person: int, rest: str) -> bool:
        raise Stopped

    # -- what is shown

    def _hand_over(self, person: int) -> None:
        """Where several people sit, what one may see is cleared before the next sees it."""
        if person == self._last:
            return
        several = len(self._table.people) > 1
        if several:
            typer.echo(CLEAR, nl=False, color=True)
            self._ask(f"It is player {person}'s choice: take the keyboard, press Enter> ", {}, "")
            typer.echo(CLEAR, nl=False, color=True)
            self._turn = None
        self._last = person

    def _news(self, person: int) -> None:
        """What has happened since the person's last look."""
        for line in self._session.news(person):
            typer.echo(line)
        self._session.tell(person)

    def _board(self, person: int, rest: str = "") -> bool:
        typer.echo("\n" + board_text(self._table.game, person, self._color))
        return False

    def _workshop(self, person: int) -> None:
        game = self._table.game
        view = View(game.box, game.to_dict(), person)
        typer.echo("\n".join([*player_lines(view, person), *hand_lines(view, person)]))

    def _choices(self, person: int, choices: list[tuple[int, str]]) -> None:
        game = self._table.game
        yours = "your turn" if game.turn_player == person else f"player {game.turn_player}'s turn"
        typer.echo(f"\nplayer {person}, round {game.round}, {yours}; you may")
        width = max(min(shutil.get_terminal_size((WIDTH, 24)).columns, WIDTH + 20), 60)
        column = max(len(game.action_name(action)) for action, _ in choices) + 2
        for number, (action, text) in enumerate(choices, 1):
            name = game.action_name(action).ljust(column)
            first, *rest = textwrap.wrap(text, width - 6 - column)
            shown = typer.style(name, dim=True) if self._color else name
            typer.echo(f"{number:4d}  {shown}{first}", color=self._color or None)
            for line in rest:
                typer.echo(" " * (8 + column) + line)

    def _say(self, text: str) -> None:
        typer.echo(f"  -- {text}")

    # -- the end

    def _keep(self) -> None:
        fault = self._session.keep()
        if fault is not None:
            self._say(fault)

    def _end(self) -> None:
        """The person stops."""
        self._session.stop(lambda prompt: self._ask(prompt, {}, ""), typer.echo)

    def _show_end(self) -> None:
        self._news(self._table.people[0])
        typer.echo("\n" + "\n".join(self._session.end_lines()))


def board_text(game: Game, person: int, color: bool) -> str:
    """The board as a person sees it, without the choices, which are listed below it."""
    plain = game.render(person).split("\n")
    headings = [k for k, line in enumerate(plain) if line.startswith("== ")]
    shown = game.render(person, color=True).split("\n") if color else plain
    return "\n".join(shown[: headings[-1]])
