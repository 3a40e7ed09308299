"""Random play by the million: every invariant after every decision.

    python -m tests.soak [--decisions 1000000] [--games 204] [--seed 0] [--boxes]

Plays all kinds of games (1 to 4 players, three difficulties), half of them with forced decisions
taken by the engine; finished games are dealt anew. Games also go through scenes and back. The exit
status is 1, with the seed to repeat, where an invariant breaks.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests import extreme_boxes
from tests.random_play import KINDS, RandomPlay, round_trip

ROUND_TRIP_EVERY = 10


def soak(play: RandomPlay, decisions: int, label: str) -> int:
    """Play a batch for so many decisions; returns how many it took."""
    taken = step = 0
    shown = started = time.monotonic()
    while taken < decisions:
        taken += play.step()
        step += 1
        if step % ROUND_TRIP_EVERY == 0:
            where = step // ROUND_TRIP_EVERY % len(play.batch)
            round_trip(play.batch.games[where:], play.batch.box)
        now = time.monotonic()
        if now - shown > 1 or taken >= decisions:
            shown = now
            rate = taken / (now - started)
            print(f"\r{label}: {taken:,} decisions, {rate:,.0f}/s ", end="", flush=True)
    print(flush=True)
    return taken


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description="Random play.")
    parser.add_argument("--decisions", type=int, default=1_000_000, help="in all")
    parser.add_argument("--games", type=int, default=204, help="in a batch")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--boxes", action="store_true", help="extreme boxes as well")
    options = parser.parse_args(arguments)
    total = 0
    with tempfile.TemporaryDirectory() as folder:
        boxes: dict[str, Path | None] = {"": None}
        if options.boxes:
            for name in extreme_boxes.BOXES:
                boxes[name] = extreme_boxes.write(name, Path(folder) / name)
        runs = [
            (kind, forced, name) for name in boxes for kind in KINDS for forced in (False, True)
        ]
        for number, (kind, forced, name) in enumerate(runs):
            label = f"{kind}{' forced' if forced else ''}{f' {name}' if name else ''}"
            seed = options.seed + number
            try:
                play = RandomPlay(
                    kind,
                    options.games,
                    seed,
                    components=boxes[name],
                    auto_forced=forced,
                    auto_reset=True,
                )
                share = (options.decisions - total) // (len(runs) - number)
                total += soak(play, share, label)
            except Exception as error:
                print(f"\n{label}, seed {seed}, batch of {options.games}: {error}")
                return 1
    print(f"{total:,} decisions, no invariant broken")
    return 0


if __name__ == "__main__":
    sys.exit(main())
