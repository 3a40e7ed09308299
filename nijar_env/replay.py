"""Replays: a game as its seed and actions, one JSON document a game, checked when it is read.

A replay tells how a game was dealt, who sat where, every decision with two or more choices, what
the agents considered where they keep notes, and how it ended. `read_replay` plays it through, so
that what it returns is a game of this version and box, to its stated end.
"""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from . import __version__
from .action_names import names_of_actions
from .components import Box, load_box
from .components.vocabulary import DIFFICULTIES
from .core.catalogue import NUM_GAME_ACTIONS
from .errors import NijarError
from .game import Components, Game
from .notes import Choice, Note
from .options import MAX_SEED

FORMAT: Final = "nijar-replay-1"
MOST_KEPT: Final = 8  # choices of a note
PERSON: Final = "person"  # the agent of a seat where a person plays


class ReplayError(NijarError, ValueError):
    """A file that is no replay, or none of this version and box. One line, with a remedy."""


class KeptChoice(msgspec.Struct, frozen=True, array_like=True):
    """A `Choice` as a replay keeps it."""

    actions: tuple[int, ...]
    value: float
    looks: int
    prior: float | None = None


class KeptNote(msgspec.Struct, frozen=True, array_like=True):
    """A `Note` as a replay keeps it: of action number `decision`, its measure by number."""

    decision: int
    measure: int
    choices: tuple[KeptChoice, ...]
    reasons: tuple[tuple[str, float], ...] = ()
    left_out: int = 0


class BoxName(msgspec.Struct, frozen=True):
    """Which box a game was played with."""

    name: str
    version: int
    fingerprint: str


class Replay(msgspec.Struct, frozen=True, kw_only=True):
    """One game, finished or not.

    Attributes:
        format: of the file.
        version: of nijar-env that it was played with.
        box: name, version and fingerprint.
        num_players: as in `Game`.
        difficulty: as in `Game`; "" with 2-4 players.
        seed: as in `Game`.
        auto_forced: as in `Game`.
        agents: specification of the agent of each player; `PERSON` for a person.
        actions: catalogue numbers, those that the engine took by itself left out.
        scores: VP by seat after the last action.
        winner: the winning seat; None if the game was not played to its end.
        measures: what the values of notes mean.
        notes: what agents considered, by decision.
        deal: number of a deal, in a game of an evaluation; else None.
        measurement_seed: seed of that evaluation, or None.
    """

    format: str = FORMAT
    version: str = __version__
    box: BoxName
    num_players: int
    difficulty: str = ""
    seed: int
    auto_forced: bool = True
    agents: tuple[str, ...]
    actions: tuple[int, ...]
    scores: tuple[int, ...]
    winner: int | None = None
    measures: tuple[str, ...] = ()
    notes: tuple[KeptNote, ...] = ()
    deal: int | None = None
    measurement_seed: int | None = None

    def note(self, decision: int) -> Note | None:
        """What the agent considered at action number `decision`, if it kept a note."""
        return self.notes_by_decision().get(decision)

    def notes_by_decision(self) -> dict[int, Note]:
        """All notes by number of the action."""
        return {
            kept.decision: Note(
                tuple(Choice(c.actions, c.value, c.looks, c.prior) for c in kept.choices),
                self.measures[kept.measure],
                kept.reasons,
                kept.left_out,
            )
            for kept in self.notes
        }

    def seat_names(self) -> list[str]:
        """Who sits where, in words; the Competition included."""
        names = [f"player {seat} ({agent})" for seat, agent in enumerate(self.agents)]
        return [*names, f"the Competition ({self.difficulty})"] if self.difficulty else names


def make_replay(
    game: Game,
    actions: Sequence[int],
    agents: Sequence[str],
    notes: Mapping[int, Note] | None = None,
    *,
    deal: int | None = None,
    measurement_seed: int | None = None,
) -> Replay:
    """The replay of a game that was dealt by its seed and took these actions.

    Args:
        game: as it stands after the last action.
        actions: those that were given to `step`, by number.
        agents: specification for each player.
        notes: by place among the actions.
        deal: see `Replay`.
        measurement_seed: see `Replay`.
    """
    measures: list[str] = []
    kept = []
    for decision, note in sorted((notes or {}).items()):
        if note.measure not in measures:
            measures.append(note.measure)
        finite = [c for c in note.choices if math.isfinite(c.value)]  # JSON has no others
        choices = tuple(
            KeptChoice(
                tuple(map(int, c.actions)),
                round(float(c.value), 2),
                int(c.looks),
                None if c.prior is None or not math.isfinite(c.prior) else round(float(c.prior), 3),
            )
            for c in finite[:MOST_KEPT]
        )
        reasons = tuple(
            (words, round(float(vp), 2)) for words, vp in note.reasons if math.isfinite(vp)
        )
        left_out = len(note.choices) - len(choices) + note.left_out
        kept.append(KeptNote(decision, measures.index(note.measure), choices, reasons, left_out))
    return Replay(
        box=BoxName(game.box.name, game.box.version, game.box.fingerprint),
        num_players=game.num_players,
        difficulty=game.difficulty if game.num_players == 1 else "",
        seed=int(game.record.seed),
        auto_forced=bool(game.record.auto_forced),
        agents=tuple(agents),
        actions=tuple(map(int, actions)),
        scores=tuple(game.scores()),
        winner=game.winner,
        measures=tuple(measures),
        notes=tuple(kept),
        deal=deal,
        measurement_seed=measurement_seed,
    )


def write_replay(replay: Replay, path: str | Path) -> None:
    """Write a replay; the file is never seen half-written.

    Raises:
        OSError: it cannot be written.
    """
    write_whole(Path(path), msgspec.json.encode(replay) + b"\n")


def write_whole(path: Path, data: bytes) -> None:
    """Write a file that is never seen half-written: the old one stays until the new is complete.

    Raises:
        OSError: it cannot be written.
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with open(handle, "wb") as file:
            file.write(data)
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def read_replay(path: str | Path, components: Components = None) -> Replay:
    """Read a replay and check it by playing it through.

    Args:
        path: of the file.
        components: the box it was played with; None for the default one.

    Raises:
        ReplayError: no replay, or one of another version or box, or its actions or its end are
            not those of a game.
        OSError: the file cannot be read.
        BoxError: a broken box.
    """
    where = Path(path)
    replay = _decode(where)
    try:
        check_replay(replay, components)
    except ReplayError as error:
        raise ReplayError(f"{where}: {error}") from None
    return replay


def _decode(path: Path) -> Replay:
    try:
        data: Any = msgspec.json.decode(path.read_bytes())
        if not isinstance(data, dict) or "format" not in data:
            raise ReplayError(f"{path}: not a replay (it has no 'format')")
        if data["format"] != FORMAT:
            raise ReplayError(
                f"{path}: has format {str(data['format'])[:40]!r}, this version reads {FORMAT!r}"
            )
        replay = msgspec.convert(data, Replay)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ReplayError(f"{path}: not a replay ({error})") from None
    if not all(words.isprintable() for words in _words_of(replay)):
        raise ReplayError(f"{path}: not a replay (a name in it has characters of control)")
    return replay


def _words_of(replay: Replay) -> Iterator[str]:
    """All free text of a replay, which is shown in terminals."""
    yield from (replay.version, replay.box.name, replay.box.fingerprint)
    yield from (*replay.agents, *replay.measures)
    yield from (words for note in replay.notes for words, _ in note.reasons)


def check_replay(replay: Replay, components: Components = None) -> Game:
    """Play a replay through; returns the game as it ends, without a log.

    Raises:
        ReplayError: see `read_replay`.
        BoxError: a broken box.
    """
    box = load_box(components)
    _check_facts(replay, box)
    *_, last = iterate_replay(replay, box, log=False)
    game = last.game
    if game.scores() != list(replay.scores) or game.winner != replay.winner:
        raise ReplayError(
            f"it says that it ends with VP {list(replay.scores)}, winner {replay.winner}; played, "
            f"it ends with VP {game.scores()}, winner {game.winner}"
        )
    return game


def _check_facts(replay: Replay, box: Box) -> None:
    """Whether this version and box can play it, and its options are those of a game."""
    if _minor(replay.version) != _minor(__version__):
        raise ReplayError(
            f"it is of nijar-env {replay.version}, this is {__version__}, which may play the same "
            "seed differently; install that version"
        )
    if replay.box.fingerprint != box.fingerprint:
        raise ReplayError(
            f"it was played with box {replay.box.name} ({replay.box.fingerprint}), not "
            f"{box.name} ({box.fingerprint}); give the folder of that box (--components)"
        )
    solo = replay.num_players == 1
    if (
        not 1 <= replay.num_players <= 4
        or replay.difficulty not in (DIFFICULTIES if solo else ("",))
        or not 0 <= replay.seed <= MAX_SEED
        or len(replay.agents) != replay.num_players
    ):
        raise ReplayError("num_players, difficulty, seed and agents do not make a game")
    for kept in replay.notes:
        numbers = (action for choice in kept.choices for action in choice.actions)
        if (
            not 0 <= kept.decision < len(replay.actions)
            or not 0 <= kept.measure < len(replay.measures)
            or not all(0 <= action < NUM_GAME_ACTIONS for action in numbers)
            or not all(choice.actions for choice in kept.choices)
        ):
            raise ReplayError(f"its note on decision {kept.decision} does not fit the game")


def _minor(version: str) -> list[str]:
    """Within one minor version a seed plays the same game (docs/versioning.md)."""
    return version.split(".")[:2]


class Step(NamedTuple):
    """A moment of a replay.

    Attributes:
        number: decisions taken so far.
        game: as it stands; the next step changes it (`clone` keeps it).
        action: that is taken next; None at the end.
        note: what the agent considered before it took it, if it kept a note.
    """

    number: int
    game: Game
    action: int | None
    note: Note | None


def deal_replay(replay: Replay, components: Components = None, *, log: bool = True) -> Game:
    """The game of a replay before its first decision."""
    return Game(
        replay.num_players,
        difficulty=replay.difficulty or DIFFICULTIES[0],
        seed=replay.seed,
        components=components,
        auto_forced=replay.auto_forced,
        log=log,
    )


def iterate_replay(
    replay: Replay, components: Components = None, *, log: bool = True
) -> Iterator[Step]:
    """Each decision of a replay in turn, and the end.

    Raises:
        ReplayError: an action that is not legal.
    """
    game = deal_replay(replay, components, log=log)
    names, notes = names_of_actions(game.box), replay.notes_by_decision()
    for number, action in enumerate(replay.actions):
        if not 0 <= action < NUM_GAME_ACTIONS or not game.record.legal[action]:
            name = names[action] if 0 <= action < NUM_GAME_ACTIONS else "of no name"
            what = "the game is over" if game.done else f"{len(game.legal_actions())} others are"
            raise ReplayError(f"action {action} ({name}) at decision {number} is not legal: {what}")
        yield Step(number, game, action, notes.get(number))
        game.step(action)
    yield Step(len(replay.actions), game, None, None)
