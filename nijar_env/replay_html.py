"""`replay_page`: a replay as one HTML page to step through, which needs no network.

A picture of the board for each decision would make the page large, yet two in a row have most of
their elements in common. So the page holds each different element once, and each picture as what
differs from the one before it.
"""

from __future__ import annotations

import html
import json
import re
from difflib import SequenceMatcher
from importlib.resources import files
from string import Template
from typing import Any, Final

from .components.vocabulary import NUM_ENDGAME_KINDS
from .core.catalogue import A_DISCARD, A_SCORE
from .game import Components, Game
from .play_words import choice_text, choice_texts
from .replay import Replay, Step, iterate_replay
from .svg.shapes import COMPETITION_COLOUR, SEAT_COLOURS

PICTURE, TEXT = "svg", "text"
# Endgame cards that others lay down, for those who do not see which.
FACE_DOWN: Final = {A_SCORE: "score (a card face down)", A_DISCARD: "discard (an endgame card)"}
_PIECE: Final = {PICTURE: re.compile(r"[^>]*>|[^>]+$"), TEXT: re.compile(r"[^\n]*\n|[^\n]+$")}
_HEADING: Final = re.compile(r"\S")

Hunk = tuple[int, int, list[int]]


def board_of(game: Game, form: str, viewer: int | None = None) -> str:
    """The whole board of a game as the page shows it: an SVG, or text.

    Viewer None is whoever decides, for the picture; the text shows everything then.
    """
    return game.to_svg(viewer) if form == PICTURE else game.render(viewer)


class Frames:
    """Pictures in a row: their different pieces, and each picture as its changes."""

    def __init__(self, form: str) -> None:
        self._split = _PIECE[form]
        self._numbers: dict[str, int] = {}
        self._last: list[int] = []
        self.frames: list[list[Hunk]] = []

    @property
    def pieces(self) -> list[str]:
        """Each different piece, by number."""
        return list(self._numbers)

    def add(self, picture: str) -> None:
        """The next picture."""
        numbers = self._numbers
        now = [numbers.setdefault(p, len(numbers)) for p in self._split.findall(picture)]
        matcher = SequenceMatcher(None, self._last, now)
        self.frames.append(
            [
                (start, end - start, now[first:stop])
                for tag, start, end, first, stop in matcher.get_opcodes()
                if tag != "equal"
            ]
        )
        self._last = now


def replay_page(
    replay: Replay,
    components: Components = None,
    *,
    viewer: int | None = None,
    form: str = PICTURE,
) -> str:
    """The page of a replay: board, log, curves of VP, what the agents considered.

    Args:
        replay: a checked one (`read_replay`).
        components: the box that it was played with.
        viewer: a player whose view it is: nothing is in the page that this player did not know.
            None tells everything, beside the board as whoever decides sees it.
        form: `PICTURE` or `TEXT`, of the board.

    Returns:
        HTML that stands for itself: scripts and styles are in it.
    """
    title = "Níjar: " + " · ".join(replay.seat_names())
    parts = {
        name: files("nijar_env").joinpath("replay_page", f"page.{name}").read_text("utf-8")
        for name in ("html", "css", "js")
    }
    data = json.dumps(
        _data(replay, components, viewer, form), ensure_ascii=False, separators=(",", ":")
    )
    return Template(parts["html"]).substitute(
        TITLE=html.escape(title),
        STYLE=parts["css"],
        SCRIPT=parts["js"],
        DATA=data.replace("<", "\\u003c"),  # so that nothing in it ends the element
    )


def _data(replay: Replay, components: Components, viewer: int | None, form: str) -> dict[str, Any]:
    """All that the page's script shows."""
    frames, steps, log = Frames(form), [], []
    notes: dict[int, Any] = {}
    for step in iterate_replay(replay, components):
        game = step.game
        frames.add(board_of(game, form, viewer))
        log = game.log if viewer is None else game.log_for(viewer)
        own = viewer in (None, game.current_player)
        steps.append(_step(step, log, own))
        if step.note is not None and own:
            words = dict(choice_texts(game))
            notes[step.number] = {
                "measure": step.note.measure,
                "choices": [
                    [
                        [game.action_name(a) for a in c.actions],
                        c.value,
                        c.looks,
                        c.prior,
                        words.get(c.actions[0], ""),
                    ]
                    for c in step.note.choices
                ],
                "reasons": step.note.reasons,
                "left_out": step.note.left_out,
            }
    solo = bool(replay.difficulty)
    return {
        "facts": _facts(replay, viewer),
        "seats": replay.seat_names(),
        "colours": [*SEAT_COLOURS[: replay.num_players], *([COMPETITION_COLOUR] if solo else [])],
        "winner": replay.winner,
        "end": "the game is over" if replay.winner is not None else "not played to its end",
        "form": form,
        "pieces": frames.pieces,
        "frames": frames.frames,
        "steps": steps,
        "log": log,
        "notes": notes,
    }


def _step(step: Step, log: list[str], own: bool) -> dict[str, Any]:
    """What is told of one decision, beside the board; `own`: its every detail may be."""
    game = step.game
    action = words = None
    if step.action is not None:
        action, words = game.action_name(step.action), choice_text(game, step.action)
        if not own:
            for first, hidden in FACE_DOWN.items():
                if first <= step.action < first + NUM_ENDGAME_KINDS:
                    action = words = hidden
    return {
        "round": game.round,
        "turn": sum(1 for line in log if _HEADING.match(line)),  # each begins with a heading
        "phase": game.phase.replace("_", " "),
        "player": game.current_player,
        "action": action,
        "words": words,
        "vp": game.scores(),
        "lines": len(log),
    }


def _facts(replay: Replay, viewer: int | None) -> str:
    parts = [f"solo, {replay.difficulty}" if replay.difficulty else f"{replay.num_players} players"]
    if viewer is not None:  # from the seed all that is hidden could be worked out
        parts.append(f"as player {viewer} saw it")
    else:
        parts.append(f"seed {replay.seed}")
        parts += [] if replay.deal is None else [f"deal {replay.deal}"]
    parts += [f"box {replay.box.name} ({replay.box.fingerprint})", f"nijar-env {replay.version}"]
    return ", ".join(parts)
