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

from .game import Components, Game
from .replay import Replay, Step, iterate_replay

PICTURE, TEXT = "svg", "text"
# Of seats, as in the pictures; then the Competition's.
COLOURS: Final = ("#0072B2", "#E69F00", "#009E73", "#CC79A7")
COMPETITION_COLOUR: Final = "#000000"
_PIECE: Final = {PICTURE: re.compile(r"[^>]*>|[^>]+$"), TEXT: re.compile(r"[^\n]*\n|[^\n]+$")}
_HEADING: Final = re.compile(r"\S")

Hunk = tuple[int, int, list[int]]


def board_of(game: Game, form: str) -> str:
    """The whole board of a game as the page shows it: an SVG, or text."""
    return game.to_svg() if form == PICTURE else game.render()


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


def replay_page(replay: Replay, components: Components = None, *, form: str = PICTURE) -> str:
    """The page of a replay: board, log, curves of VP, what the agents considered.

    Args:
        replay: a checked one (`read_replay`).
        components: the box that it was played with.
        form: `PICTURE` or `TEXT`, of the board.

    Returns:
        HTML that stands for itself: scripts and styles are in it.
    """
    title = "Níjar: " + " · ".join(replay.seat_names())
    parts = {
        name: files("nijar_env").joinpath("replay_page", f"page.{name}").read_text("utf-8")
        for name in ("html", "css", "js")
    }
    data = json.dumps(_data(replay, components, form), ensure_ascii=False, separators=(",", ":"))
    return Template(parts["html"]).substitute(
        TITLE=html.escape(title),
        STYLE=parts["css"],
        SCRIPT=parts["js"],
        DATA=data.replace("<", "\\u003c"),  # so that nothing in it ends the element
    )


def _data(replay: Replay, components: Components, form: str) -> dict[str, Any]:
    """All that the page's script shows."""
    frames, steps, log = Frames(form), [], []
    notes: dict[int, Any] = {}
    for step in iterate_replay(replay, components):
        game = step.game
        frames.add(board_of(game, form))
        log = game.log
        steps.append(_step(step, log))
        if step.note is not None:
            notes[step.number] = {
                "measure": step.note.measure,
                "choices": [
                    [[game.action_name(a) for a in c.actions], c.value, c.looks, c.prior]
                    for c in step.note.choices
                ],
                "reasons": step.note.reasons,
                "left_out": step.note.left_out,
            }
    solo = bool(replay.difficulty)
    return {
        "facts": _facts(replay),
        "seats": replay.seat_names(),
        "colours": [*COLOURS[: replay.num_players], *([COMPETITION_COLOUR] if solo else [])],
        "winner": replay.winner,
        "end": "the game is over" if replay.winner is not None else "not played to its end",
        "form": form,
        "pieces": frames.pieces,
        "frames": frames.frames,
        "steps": steps,
        "log": log,
        "notes": notes,
    }


def _step(step: Step, log: list[str]) -> dict[str, Any]:
    """What is told of one decision, beside the board."""
    game = step.game
    return {
        "round": game.round,
        "turn": sum(1 for line in log if _HEADING.match(line)),  # each begins with a heading
        "phase": game.phase.replace("_", " "),
        "player": game.current_player,
        "action": None if step.action is None else game.action_name(step.action),
        "vp": game.scores(),
        "lines": len(log),
    }


def _facts(replay: Replay) -> str:
    mode = f"solo, {replay.difficulty}" if replay.difficulty else f"{replay.num_players} players"
    parts = [mode, f"seed {replay.seed}"]
    parts += [] if replay.deal is None else [f"deal {replay.deal}"]
    parts += [f"box {replay.box.name} ({replay.box.fingerprint})", f"nijar-env {replay.version}"]
    return ", ".join(parts)
