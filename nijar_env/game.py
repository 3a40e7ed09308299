"""`Game`: one game, for search and for people. A thin layer over one record of the core."""

from __future__ import annotations

import operator
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .action_names import illegal_action_text, names_of_actions, number_of_action
from .components import Box, load_box
from .components.vocabulary import DIFFICULTIES
from .core.catalogue import NUM_GAME_ACTIONS
from .core.constants import DEAL, FAULTS, MAX_EVENTS, OFFER, PHASE_FINISHED, PHASES
from .core.layout import Field, observation_layout, observation_size
from .core.record import GAME_DTYPE
from .errors import EngineFault, IllegalActionError, SceneError
from .log import Reader, Transcript, check_viewer
from .options import check_difficulty, check_players, check_seed

Components = str | Path | Box | None


# Kernels are compiled when there is a first game, not on import; an import statement takes time at
# every step.
@lru_cache(maxsize=1)
def _play_kernel() -> Any:
    from .core.kernels import play

    return play


@lru_cache(maxsize=1)
def _observe_kernel() -> Any:
    from .core.observe import observe_game

    return observe_game


class Game:
    """One game of Níjar.

    Args:
        num_players: 1 (solo against the Competition, §12) to 4.
        difficulty: of the solo mode: "normal", "advanced" or "expert" (§12.10).
        seed: in [0, 2**64); None draws one. The same seed and actions give the same game.
        components: None for the default box, the path of a box folder, or a `Box`.
        auto_forced: decisions with a single legal action are taken by the engine.
        log: keep the log of events (`log`, `log_for`); clones for search do not.

    Raises:
        ValueError: an option out of range.
        BoxError: a broken box.
    """

    __slots__ = ("_events", "_fields", "_games", "_legal", "_transcripts", "box")

    _games: npt.NDArray[Any]
    _legal: npt.NDArray[np.int8]
    _events: list[tuple[int, ...]] | None
    _transcripts: dict[int | None, Transcript]

    def __init__(
        self,
        num_players: int = 2,
        *,
        difficulty: str = "normal",
        seed: int | None = None,
        components: Components = None,
        auto_forced: bool = True,
        log: bool = True,
    ) -> None:
        players = check_players(num_players)
        level = check_difficulty(difficulty)
        key = check_seed(seed)
        self.box = load_box(components)
        self._hold(bytearray(GAME_DTYPE.itemsize))
        self._events = [] if log else None
        record = self._games[0]
        record.num_players = players
        record.difficulty = level if players == 1 else 0
        record.auto_forced = bool(auto_forced)
        record.log_on = bool(log)
        record.seed = key
        self._play(DEAL)

    # -- the state ------------------------------------------------------------------------------

    @property
    def record(self) -> Any:
        """The game's record of dtype `GAME_DTYPE` (a view, see docs/state.md)."""
        return self._games[0]

    def _hold(self, data: bytearray) -> None:
        """Be the game whose record these bytes are. (NumPy makes and copies arrays of so many
        fields one by one, which takes twenty times as long.)"""
        self._games = np.ndarray(1, GAME_DTYPE, data)
        self._legal = self._games["legal"][0]
        self._fields: dict[str, npt.NDArray[Any]] = {}

    def _field(self, name: str) -> int:
        """A number of the record: far quicker than through the record itself."""
        field = self._fields.get(name)
        if field is None:
            field = self._fields[name] = self._games[name]
        value: int = field.item()
        return value

    @property
    def num_players(self) -> int:
        """Players; 1 is solo."""
        return self._field("num_players")

    @property
    def num_seats(self) -> int:
        """Players, plus the Competition in solo."""
        return self._field("num_seats")

    @property
    def difficulty(self) -> str:
        """Of the solo mode (§12.10)."""
        return DIFFICULTIES[self._field("difficulty")]

    @property
    def phase(self) -> str:
        """setup, market, turns, end_of_round or finished (§6, §7)."""
        return PHASES[self._field("phase")]

    @property
    def round(self) -> int:
        """0 in setup, then 1-3."""
        return self._field("round_number")

    @property
    def done(self) -> bool:
        """Whether the game is over."""
        return self._field("phase") == PHASE_FINISHED

    @property
    def current_player(self) -> int | None:
        """The player that decides now, or None when the game is over."""
        return None if self.done else self._field("current_player")

    @property
    def turn_player(self) -> int:
        """Whose turn it is: another than `current_player` during an interrupt (§7.2.5)."""
        return self._field("turn_player")

    def scores(self) -> list[int]:
        """VP by seat as they stand; in solo the second is the Competition's."""
        vp: list[int] = self._games["vp"][0, : self.num_seats].tolist()
        return vp

    @property
    def winner(self) -> int | None:
        """The winning seat (ties: §11, leftmost in turn order), or None while the game goes on."""
        if not self.done:
            return None
        from .core.kernels import game_winner

        return int(game_winner(self._games, 0))

    # -- choices --------------------------------------------------------------------------------

    def legal_actions(self) -> list[int]:
        """The numbers of the legal actions, ascending; empty when the game is over."""
        actions: list[int] = self._legal.nonzero()[0].tolist()
        return actions

    def action_mask(self) -> npt.NDArray[np.int8]:
        """int8 (NUM_GAME_ACTIONS,): 1 for each legal action; a copy."""
        return self._legal.copy()

    def action_name(self, action: int) -> str:
        """The name of an action number of the catalogue."""
        try:
            number = operator.index(action)
        except TypeError:
            number = -1
        if not 0 <= number < NUM_GAME_ACTIONS:
            raise ValueError(f"actions are 0 to {NUM_GAME_ACTIONS - 1}, not {action!r}")
        return names_of_actions(self.box)[number]

    def parse_action(self, name: str) -> int:
        """The number of an action name; ValueError names the closest one."""
        return number_of_action(self.box, name)

    def step(self, action: int) -> None:
        """Take an action, run on to the next decision.

        Raises:
            IllegalActionError: not legal now, or the game is over; the game stays as it was.
        """
        try:
            number = operator.index(action)
        except TypeError:
            number = -1
        if not 0 <= number < NUM_GAME_ACTIONS or not self._legal[number]:
            shown = number if number >= 0 else action
            raise IllegalActionError(illegal_action_text(self.box, shown, self.record))
        self._play(number)

    def _play(self, action: int) -> None:
        """One call of the kernel; with a log, forced decisions one by one to collect events."""
        play = _play_kernel()
        take_forced = bool(self._field("auto_forced"))
        if self._events is None:
            play(self.box.record, self._games, 0, action, take_forced)
        else:
            play(self.box.record, self._games, 0, action, False)
            self._collect_events()
            while take_forced and self._field("num_legal") == 1 and not self._field("fault"):
                play(self.box.record, self._games, 0, self.legal_actions()[0], False)
                self._collect_events()
        if fault := self._field("fault"):
            raise EngineFault(f"{FAULTS[fault]}: please report this with seed and actions")

    def _collect_events(self) -> None:
        count = self._field("num_events")
        if count > MAX_EVENTS:
            raise EngineFault("more events in one step than the log holds: please report this")
        assert self._events is not None
        events = self._games["events"][0, :count]
        self._events.extend(map(tuple, events.tolist()))
        self._games["num_events"] = 0
        events[:] = 0

    # -- observations ---------------------------------------------------------------------------

    def observation(self, player: int) -> npt.NDArray[np.float32]:
        """What `player` sees: float32 (observation_size,), a new array (see `core.layout`).

        Raises:
            ValueError: there is no such player.
        """
        seat = check_viewer(player, self.num_players)
        out = np.empty(observation_size(self.num_players), np.float32)
        _observe_kernel()(self.box.record, self._games, 0, seat, out)
        return out

    def observation_layout(self) -> tuple[Field, ...]:
        """The fields of an observation in order: name, slice, shape, bounds, scale, meaning."""
        return observation_layout(self.num_players)

    # -- scenes ---------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """The whole state as plain JSON, hidden things too (the format: docs/state.md)."""
        from .scene_write import write_scene

        return write_scene(self.record, self.box)

    @classmethod
    def from_dict(
        cls,
        scene: dict[str, Any],
        *,
        seed: int | None = None,
        components: Components = None,
        log: bool = True,
    ) -> Game:
        """The game of a scene. `seed` gives the future luck where the scene has no `rng`.

        `supply`, `decks`, `pending` and `rng` may be left out: what is in the supply and the decks
        is then worked out, and it is a fresh turn.

        Raises:
            SceneError: a broken or impossible scene; the message names the field.
        """
        from .scene_read import read_scene

        key = check_seed(seed)
        box = load_box(components)
        game = object.__new__(cls)
        game.box = box
        game._hold(bytearray(read_scene(scene, box, key).tobytes()))
        game._events = [] if log else None
        game.record.log_on = bool(log)
        game._play(OFFER)
        if not game.done and not game.record.num_legal:
            raise SceneError("pending: the last frame leaves nothing to choose")
        return game

    # -- the log --------------------------------------------------------------------------------

    @property
    def log(self) -> list[str]:
        """Everything that happened, hidden cards included: a list of lines in plain English.

        Empty for a game that keeps no log (`log=False`, clones, determinized games); the log of
        a game from a scene starts with the scene.
        """
        return self._log_lines(None)

    def log_for(self, player: int) -> list[str]:
        """The log as `player` may see it: without others' dealt cards and endgame cards.

        A card becomes known when it is played, an endgame card when it scores.

        Raises:
            ValueError: there is no such player.
        """
        return self._log_lines(check_viewer(player, self.num_players))

    def _log_lines(self, viewer: int | None) -> list[str]:
        if self._events is None:
            return []
        try:
            transcripts = self._transcripts
        except AttributeError:  # not rendered yet
            transcripts = self._transcripts = {}
        if viewer not in transcripts:
            reader = Reader(self.box, self.num_players, viewer)
            transcripts[viewer] = Transcript(reader, self._events)
        return transcripts[viewer].lines()

    def render(self, viewer: int | None = None, *, color: bool = False) -> str:
        """The game as a board of text: everything, or as player `viewer` sees it."""
        from .render_ansi import render_ansi

        return render_ansi(self, viewer, color=color)

    def to_svg(self, viewer: int | None = None) -> str:
        """The game as a picture, an SVG document, as player `viewer` sees it.

        None is the player to act; of a finished game it shows what everybody sees. Elements that
        the viewer's legal actions refer to have the names of these in `data-actions`, separated
        by spaces (see `svg.page.svg_page`).

        Raises:
            ValueError: there is no such player.
        """
        from .svg.page import svg_page

        return svg_page(self, viewer)

    def _repr_html_(self) -> str:
        """The picture in a notebook, as the player to act sees it."""
        return self.to_svg()

    # -- copies ---------------------------------------------------------------------------------

    def clone(self, *, log: bool = False) -> Game:
        """An independent copy that goes on identically (the same future dice and decks).

        Not fair for search by a player: see `determinize`. The log is left out unless asked for.
        """
        copy = Game._of_record(self.box, self._games)
        if log and self._events is not None:
            copy._events = list(self._events)
            copy._games["log_on"] = 1
        return copy

    @classmethod
    def _of_record(cls, box: Box, games: Any) -> Game:
        """A game without a log that goes on from a copy of the first record of `games`."""
        game = object.__new__(cls)
        game.box = box
        game._hold(bytearray(games[:1].tobytes()))
        game._events = None
        game._games["log_on"] = 0
        return game

    def determinize(self, player: int, seed: int | None) -> Game:
        """A random game that agrees with all that `player` may see, for fair search.

        Others' dealt cards and endgame cards, the decks, the Competition's face-down cards (but
        for the back that lies open) and all chance to come are dealt anew, every deal that agrees
        being equally likely; the observation and the legal actions of `player` stay the same. It
        keeps no log. A game that is over is copied.

        Raises:
            ValueError: there is no such player, or no such seed.
        """
        from .core.determinize import determinize_game

        seat, key = check_viewer(player, self.num_players), check_seed(seed)
        copy = self.clone()
        determinize_game(self.box.record, copy._games, 0, seat, np.uint64(key))
        return copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self.clone(log=True)

    def __copy__(self) -> Game:
        return self.clone(log=True)

    def __getstate__(self) -> dict[str, Any]:
        return {"box": self.box, "record": self.record.tobytes(), "events": self._events}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.box = state["box"]
        self._hold(bytearray(state["record"]))
        self._events = state["events"]

    def __repr__(self) -> str:
        who = "over" if self.done else f"player {self.current_player} to act"
        return (
            f"Game({self.num_players} player{'s' if self.num_players > 1 else ''}, "
            f"round {self.round}, {self.phase}, {who}, VP {self.scores()})"
        )
