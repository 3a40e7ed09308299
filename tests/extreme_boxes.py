"""Extreme boxes: valid data that no publisher would print, to strain the engine.

Each is the default box with its texts edited, file by file.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import Final

from nijar_env.components import DEFAULT_FOLDER

Edit = Callable[[str], str]
EIGHT: Final = ("throw", "play", "esparto", "shape", "tech", "acquire", "clean", "first_player")
CARD_FILES: Final = ("wheels", "esparto", "cleanup", "workshops", "glaze_kilns", "firing_kilns")


def field(name: str, *values: str) -> Edit:
    """Set a field wherever it stands, to these values in turn (as TOML)."""

    def edit(text: str) -> str:
        turn = cycle(values)

        def put(found: re.Match[str]) -> str:
            return f"{found[1]} = {next(turn)}"

        new, count = re.subn(rf"(?m)^({name}) = .*$", put, text)
        assert count, name
        return new

    return edit


def _spaces(*names: str) -> str:
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"


def _turned(k: int) -> str:
    return _spaces(*EIGHT[k:], *EIGHT[:k])


# box -> file -> edits
BOXES: Final[dict[str, dict[str, list[Edit]]]] = {
    # Cleanup cards of one space that clean again, and cracks on everything.
    "cleaning": {
        "cleanup": [
            field("cracks", "1"),
            field("reward", '"clean"', '"1VP+clean 1"', '"1pg+paint 1"'),
            field("cost", '"1crack"', '"free"'),
        ],
        "starting_cards": [field("cracks", "1"), field("reward", '"clean"')],
        "workshops": [field("paint", '"1crack"', '"free"', '"1glaze|1crack"')],
        "players": [field("two_pieces", '"1crack"')],
    },
    # Wheels of eight spaces full of throws and plays, technology of eight steps, all for nothing.
    "throwing": {
        "wheels": [
            field("spaces", *(_turned(k) for k in range(8))),
            field("cost", '"free"'),
            field("done_vp", "20"),
        ],
        "starting_cards": [field("spaces", *(_turned(k) for k in range(5)))],
        "players": [field("steps", "[8, 8, 8]"), field("prices", "[0, 0, 0]")],
        "esparto": [field("cost", '"free"'), field("rewards", _spaces("7clay", "clean 1"))],
        "workshop_board": [field("action", '"none"', '"throw"', '"play"', '"throw"', '"acquire"')],
    },
    # Side icons that play and throw again, the card's own, with everything free.
    "playing": {
        "box": [field("side_icons", '"own"')],
        **{
            name: [
                field("cost", '"free"'),
                field("left", '"play"'),
                field("right", '"play"', '"throw"'),
            ]
            for name in ("workshops", "glaze_kilns", "firing_kilns")
        },
        "wheels": [
            field("cost", '"free"'),
            field("spaces", _spaces("play"), _spaces("shape", "play")),
        ],
        "esparto": [field("cost", '"free"'), field("rewards", _spaces("20pg", "fire 1"))],
        "first_player_track": [field("pg", "[-2]", "[-20, 20]", "[-1, 0, 1]", "[0, 0, 0, 20]")],
    },
    # Prices nobody can pay, cards nobody can play.
    "poor": {
        **{name: [field("cost", '"20pg"', '"20glaze 7clay"')] for name in CARD_FILES},
        "workshops": [field("cost", '"8crack"'), field("paint", '"1crack"', '"20glaze"')],
        "players": [
            field("prices", "[9, 9, 9]"),
            field("one_piece", '"7clay"'),
            field("two_pieces", '"7clay 2crack"'),
        ],
        "first_player_track": [
            field("pg", "[-20]", "[-20, -20]", "[-20, -20, -20]", "[-20, -20, -20, -20]")
        ],
    },
    # Large numbers everywhere, supplies that run dry, Competition cards that are all alike.
    "rich": {
        "cleanup": [field("reward", '"20VP+20pg+20glaze+7clay+play"'), field("cracks", "1", "8")],
        "wheels": [field("spaces", _spaces("20VP+20pg+20glaze+7clay+shape", "+20pg"))],
        "esparto": [field("rewards", _spaces("20pg+20glaze+7clay", "20glaze+clean 1"))],
        "players": [field("one_piece", '"free"'), field("two_pieces", '"free"'), field("pg", "20")],
        "market": [field("painted", str([50] * 13)), field("unpainted", str([50] * 13))],
        "competition": [
            field("space", "[1, 1]"),
            field("donkey", '"move left/right"', '"discard above+below"', '"stay"'),
            field("round_[123]", '"plate plate"', '"jug plate"', '"pot pot"'),
            field("bump_vp", "20"),
            field("idle_vp", "20"),
        ],
        "endgame": [field("esparto_set", "[50, 50, 50, 50]"), field("lost_for_a_crack", "20")],
    },
}


def write(name: str, folder: Path) -> Path:
    """Write an extreme box into a new folder."""
    folder.mkdir(parents=True)
    edits = BOXES[name]
    assert set(edits) <= {file.stem for file in DEFAULT_FOLDER.glob("*.toml")}
    for file in DEFAULT_FOLDER.glob("*.toml"):
        text = file.read_text(encoding="utf-8")
        for edit in edits.get(file.stem, ()):
            text = edit(text)
        (folder / file.name).write_text(text, encoding="utf-8")
    return folder
