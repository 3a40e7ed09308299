"""Write the golden playthroughs, or compare them.

    python -m tests.golden.generate           write tests/golden/*.txt
    python -m tests.golden.generate --check   compare; exit status 1 where one differs

A playthrough is one whole game: every decision with its legal actions and the one chosen, the log
lines that followed, and the final scores. The choices come from a hash of the seed and the number
of the decision, so they depend on no library.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from nijar_env.core.constants import VP_SOURCES
from nijar_env.game import Game

FOLDER: Final = Path(__file__).parent
COMMAND: Final = "python -m tests.golden.generate"
WIDTH: Final = 100
HASH_DIGITS: Final = 12


class Playthrough(NamedTuple):
    name: str
    num_players: int
    difficulty: str
    seed: int


PLAYTHROUGHS: Final = (
    Playthrough("two_players", 2, "normal", 13),
    Playthrough("three_players", 3, "normal", 21),
    Playthrough("four_players", 4, "normal", 4),
    Playthrough("solo_normal", 1, "normal", 72),
    Playthrough("solo_advanced", 1, "advanced", 5),
    Playthrough("solo_expert", 1, "expert", 94),
)

# How often a family of actions is chosen where it is offered, and an action of its family: games in
# which cards get played and pieces made, painted and sold, and every kind of decision occurs.
WEIGHT: Final = 8
WEIGHTS: Final = {
    "done": 1,
    "discard": 2,
    "special": 3,
    "refresh": 80,
    "donkey": 2,
    "action:play": 32,
    "action:throw": 24,
    "action:paint": 24,
    "action:fire": 16,
}


def number_from(seed: int, decision: int, purpose: str) -> int:
    """A number that depends on nothing but its arguments."""
    text = f"{seed}/{decision}/{purpose}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def family(name: str) -> str:
    """The family (block of the catalogue) of an action name."""
    return name.partition(":")[0]


def draw(names: Sequence[str], number: int) -> str:
    """One of the names, by weight."""
    lots = [name for name in names for _ in range(WEIGHTS.get(name, WEIGHT))]
    return lots[number % len(lots)]


def choose(names: Sequence[str], seed: int, decision: int) -> str:
    """A family by its weight, then one of its actions."""
    families = list(dict.fromkeys(family(name) for name in names))
    chosen = draw(families, number_from(seed, decision, "family"))
    options = [name for name in names if family(name) == chosen]
    return draw(options, number_from(seed, decision, "option"))


def new_game(plan: Playthrough) -> Game:
    """The game of a playthrough before its first decision."""
    return Game(plan.num_players, difficulty=plan.difficulty, seed=plan.seed)


def paragraph(label: str, text: str) -> list[str]:
    """A labelled text, broken at spaces."""
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=f"{label}: ",
        subsequent_indent="  ",
        break_on_hyphens=False,
        break_long_words=False,
    )


def observation_line(game: Game, player: int) -> list[str]:
    """A hash of what the deciding player sees, if this version has observations."""
    observe: Any = getattr(game, "observation", None)
    if observe is None:
        return []
    digest = hashlib.blake2b(observe(player).tobytes()).hexdigest()
    return [f"observation: {digest[:HASH_DIGITS]}"]


def decision_lines(game: Game, plan: Playthrough, decision: int) -> Iterator[str]:
    """One decision: who, what was legal, what was chosen. Takes the step."""
    player = game.current_player
    assert player is not None
    names = [game.action_name(action) for action in game.legal_actions()]
    chosen = choose(names, plan.seed, decision)
    turn = "" if game.turn_player == player else f", in the turn of seat {game.turn_player}"
    yield f"[{decision}] player {player} decides{turn}"
    yield from paragraph("legal", " ".join(names))
    yield from observation_line(game, player)
    yield f"chosen: {chosen}"
    game.step(game.parse_action(chosen))


def score_lines(game: Game) -> Iterator[str]:
    """Final VP of every seat, and where they came from."""
    for seat, vp in enumerate(game.scores()):
        sources = game.record.vp_from[seat]
        parts = [f"{name} {int(n)}" for name, n in zip(VP_SOURCES, sources, strict=True) if n]
        yield f"seat {seat}: {vp} VP ({', '.join(parts)})"
    yield f"winner: seat {game.winner}"


def playthrough_lines(plan: Playthrough) -> Iterator[str]:
    """The whole text of a playthrough, line by line."""
    game = new_game(plan)
    yield f"# Golden playthrough {plan.name}. Written by `{COMMAND}`; do not edit."
    yield f"box: {game.box.name} {game.box.fingerprint}"
    yield f"options: num_players={plan.num_players} difficulty={plan.difficulty} seed={plan.seed}"
    yield ""
    yield from game.log
    told = len(game.log)
    decision = 0
    while not game.done:
        yield ""
        yield from decision_lines(game, plan, decision)
        log = game.log
        yield from log[told:]
        told = len(log)
        decision += 1
    yield ""
    yield f"decisions: {decision}"
    yield from score_lines(game)


def playthrough_text(plan: Playthrough) -> str:
    """The text of a playthrough's file."""
    return "\n".join(playthrough_lines(plan)) + "\n"


def path_of(plan: Playthrough) -> Path:
    """The file of a playthrough."""
    return FOLDER / f"{plan.name}.txt"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check all playthroughs; returns the exit status."""
    parser = argparse.ArgumentParser(prog=COMMAND, description="Golden playthroughs.")
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    check = parser.parse_args(arguments).check
    differing = []
    for plan in PLAYTHROUGHS:
        path, text = path_of(plan), playthrough_text(plan)
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        differing.append(path.name)
        if not check:
            path.write_text(text, encoding="utf-8", newline="\n")
    verb = "differ" if check else "written"
    print(f"{verb}: {', '.join(differing)}" if differing else "all playthroughs are as they were")
    return 1 if check and differing else 0


if __name__ == "__main__":
    sys.exit(main())
