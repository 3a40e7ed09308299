"""What every script shares: random play, timing, and the lines that it talks in.

A script is started in the environment of its project and needs nothing of this repository but this
module, which needs Python alone. Two ways:

    python -m eval.peers.scripts.rlcard gin-rummy observe --seconds 1    prints one line of JSON
    python -m eval.peers.scripts.rlcard --serve                          answers lines of JSON
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
from collections.abc import Callable, Iterable
from importlib.metadata import version
from typing import Any, Final

# What a row times: the legal actions and the step; or these and the observation of who is to act.
LEGAL, OBSERVE = "legal", "observe"
PARTS: Final = (LEGAL, OBSERVE)
# One draw in [0, 1) picks an action: the same cheap draw in every Python loop.
draw: Callable[[], float] = random.Random(1).random
_CHUNK: Final = 32  # decisions between two looks at the clock
# A survey plays so many games for each lane, or so long; the least are too few to say anything.
_SURVEY_GAMES, _LEAST_GAMES, _SURVEY_S = 30, 4, 2.0


class Play:
    """Games played by uniformly random legal actions, each begun where the last one ended.

    Attributes:
        decisions, chance, games: agents' decisions, chance steps that the loop has to take itself,
            and finished games, so far.
        widths: numbers of legal actions seen, if it is a list.
        sizes: what is known without playing: "observation", "actions".
        unit: what `decisions` counts.
        lanes: games that are played at once.
    """

    unit = "decisions"
    lanes = 1

    def __init__(self, **sizes: Any) -> None:
        self.decisions = self.chance = self.games = 0
        self.widths: list[int] | None = None
        self.sizes = sizes

    def play(self, count: int) -> None:
        """Take about so many decisions; batches may take more."""
        raise NotImplementedError


def timed(play: Play, seconds: float) -> dict[str, Any]:
    """Decisions and the time that they took, at least so many seconds."""
    before = play.decisions, play.chance, play.games
    start = time.perf_counter()
    while True:
        play.play(_CHUNK)
        elapsed = time.perf_counter() - start
        if elapsed >= seconds:
            break
    return {
        "decisions": play.decisions - before[0],
        "chance": play.chance - before[1],
        "games": play.games - before[2],
        "seconds": elapsed,
    }


def survey(play: Play) -> dict[str, Any]:
    """Sizes, and what random games are like; not timed."""
    found: dict[str, Any] = {"unit": play.unit, **play.sizes}
    start = time.perf_counter()
    play.widths = []
    decisions = chance = games = 0
    first = play.games
    play.decisions = play.chance = 0
    wanted = _SURVEY_GAMES * play.lanes
    while play.games - first < wanted and time.perf_counter() - start < _SURVEY_S:
        play.play(1)
        if play.games - first > games:  # counts whole games only
            decisions, chance, games = play.decisions, play.chance, play.games - first
    if games >= _LEAST_GAMES * play.lanes:
        found["decisions_a_game"] = decisions / games
        found["chance_a_decision"] = chance / decisions
    if play.widths:
        found["forced"] = sum(width == 1 for width in play.widths) / len(play.widths)
    play.widths = None
    return found


Make = Callable[[str], Play]


def versions(names: Iterable[str]) -> dict[str, str]:
    """Versions of installed distributions."""
    return {name: version(name) for name in names}


class _Script:
    """Plays that have been made, by game and part."""

    def __init__(self, games: dict[str, Make]) -> None:
        self._games = games
        self._plays: dict[tuple[str, str], Play] = {}

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """The answer to one line; what fails is an answer too."""
        try:
            key = request["game"], request["part"]
            if key not in self._plays:
                if key[0] not in self._games:
                    raise ValueError(f"no game '{key[0]}'; there are {', '.join(self._games)}")
                self._plays[key] = self._games[key[0]](key[1])
                self._plays[key].play(_CHUNK)  # compiles, loads, fills caches
            play = self._plays[key]
            if request.get("survey"):
                return survey(play)
            return timed(play, request["seconds"])
        except Exception as error:
            text = " ".join(str(error).split())[:200]
            return {"error": f"{type(error).__name__}: {text}"}


def run_script(games: dict[str, Make], distributions: Iterable[str]) -> int:
    """The command line of a script."""
    parser = argparse.ArgumentParser()
    parser.add_argument("game", nargs="?", choices=sorted(games))
    parser.add_argument("part", nargs="?", choices=PARTS, default=LEGAL)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--serve", action="store_true")
    args = parser.parse_args()
    # What a library prints must not get between the lines.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    script = _Script(games)

    def say(line: dict[str, Any]) -> None:
        out.write(json.dumps(line) + "\n")
        out.flush()

    if args.serve:
        say({"versions": versions(distributions)})
        for line in sys.stdin:
            say(script.answer(json.loads(line)))
        return 0
    if args.game is None:
        parser.error("name a game, or --serve")
    request = {"game": args.game, "part": args.part}
    answer = script.answer({**request, "survey": True})
    if "error" not in answer:
        answer = {**answer, **script.answer({**request, "seconds": args.seconds})}
    say({**request, **answer})
    return 1 if "error" in answer else 0
