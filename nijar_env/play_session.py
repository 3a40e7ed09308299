"""What every way to play needs besides the table: news, hints in words, where the game is saved.

Nothing here prints or asks by itself: see `play_terminal` and `play_web`.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from pathlib import Path

from .game import Game
from .notes import Note, note_lines
from .play_table import PlayError, Table
from .play_words import choice_text
from .replay_command import result_lines


class Session:
    """A table, what each person there has been told, and the file the game is saved to.

    Args:
        table: the game.
        file: where the game is saved after each choice; None: only when asked for.
        command: that goes on with a saved game.
    """

    def __init__(
        self, table: Table, file: Path | None = None, command: str = "nijar play --resume"
    ) -> None:
        self.table = table
        self.file = file
        self._command = command
        self._ours = set() if file is None else {file.absolute()}  # it may replace these
        self._told = dict.fromkeys(table.people, 0)  # lines of the log each person has seen

    # -- news

    def news(self, person: int) -> list[str]:
        """What has happened since a person was last told."""
        return self.table.game.log_for(person)[self._told[person] :]

    def tell(self, person: int) -> None:
        """The person knows the log as it is."""
        self._told[person] = len(self.table.game.log_for(person))

    def undo(self, person: int) -> None:
        """Take a person's last choice back.

        Raises:
            PlayError: see `Table.undo`.
        """
        self.table.undo()
        self._told[person] = min(self._told[person], len(self.table.game.log_for(person)))

    # -- hints

    def hint(self, game: Game | None = None) -> tuple[int, list[str]]:
        """What an agent would choose, and the lines that tell it and what it considered.

        Args:
            game: a copy of the table's, for a hint beside a game that goes on.

        Raises:
            PlayError: there is nobody to ask.
        """
        game = self.table.game if game is None else game
        try:
            action, note = self.table.hint(game)
        except PlayError:
            raise
        except Exception as error:  # of a player of one's own
            raise PlayError(f"{self.table.hints} cannot give a hint: {error}") from error
        lines = [f"{self.table.hints} would: {choice_text(game, action)}"]
        return action, lines if note is None else [*lines, *_note_lines(game, note)]

    # -- saving

    def keep(self) -> str | None:
        """Save after a choice, if the game is saved at all; returns what went wrong.

        What cannot be written is saved nowhere from then on, until asked for again.
        """
        if self.file is None:
            return None
        try:
            self._write(self.file)
        except PlayError as error:
            self.file = None
            return f"{error}; no longer saved: save FILE elsewhere"
        return None

    def save_to(self, name: str) -> None:
        """Save the game, and from now on after each choice.

        Args:
            name: of the file; "" is the one it is saved to already.

        Raises:
            PlayError: no file, one that is there and not this game's, or one that cannot be
                written; where the game has been saved so far stays.
        """
        path = _path_of(name) if name else self.file
        if path is None:
            raise PlayError("name a file to save to")
        if path.absolute() not in self._ours and os.path.lexists(path):
            raise PlayError(f"{path} is there already: name another file, or remove it first")
        self._write(path)
        self._ours.add(path.absolute())
        self.file = path

    def _write(self, path: Path) -> None:
        try:
            self.table.save(path)
        except OSError as error:
            raise PlayError(f"{path} cannot be written: {error.strerror}") from None

    def stop(self, ask: Callable[[str], str], say: Callable[[str], None]) -> None:
        """The person stops before the end: offer to save, if the game is not saved already."""
        fault = self.keep()  # an interrupt may have come before the last choice was saved
        if fault is not None:
            say(f"  -- {fault}")
        while self.file is None:
            try:
                name = ask("save as (Enter: not at all)> ").strip()
            except (KeyboardInterrupt, EOFError):
                name = ""
            if not name:
                break
            try:
                self.save_to(name)
            except PlayError as error:
                say(f"  -- {error}")
        if self.file is None:
            say("\nnot saved")
        else:
            say(f"\nsaved: {self._command} {shlex.quote(str(self.file))} goes on")

    def end_lines(self) -> list[str]:
        """How the game ended, and where it is."""
        lines = result_lines(self.table.replay())
        if self.file is not None:
            lines.append(f"saved: nijar replay {shlex.quote(str(self.file))} shows the game")
        return lines


def _path_of(name: str) -> Path:
    """The file that a person has named. Raises PlayError."""
    try:
        path = Path(name).expanduser()
    except RuntimeError as error:  # ~somebody who is not there
        raise PlayError(f"{name} is no file: {error}") from None
    if "\0" in name or not path.name:
        raise PlayError(f"{name!r} is no file name")
    return path


def _note_lines(game: Game, note: Note) -> list[str]:
    names = {a: game.action_name(a) for choice in note.choices for a in choice.actions}
    size = max(names, default=-1) + 1
    lines = [f"  {words}" for words in note_lines(note, [names.get(k, "") for k in range(size)])]
    return [*lines, f"    VP: {note.measure}"]
