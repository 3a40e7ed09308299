"""Fixed games, told as one hash a decision: what compiled kernels and plain Python must agree on.

    python -m tests.core.play_hashes FOLDER       print {"jit": ..., "hashes": {...}} as JSON

FOLDER receives the extreme boxes. The choices come from the independent generator of the tests.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Final

from nijar_env.core.jit import JIT
from nijar_env.game import Game
from tests import extreme_boxes
from tests.philox import below
from tests.random_play import KINDS, LEANINGS, Kind

CHOICES: Final = 9  # a stream of the test's own
OBSERVE_EVERY: Final = 8  # the slowest thing in plain Python
DETERMINIZE_EVERY: Final = 16
# (kind, seed, box, decisions without choice asked)
GAMES: Final[tuple[tuple[Kind, int, str, bool], ...]] = (
    *((kind, seed, "", bool(seed % 2)) for kind in KINDS for seed in (10, 11)),
    *((Kind(1, "expert"), 20 + i, name, False) for i, name in enumerate(extreme_boxes.BOXES)),
    *((Kind(4), 30 + i, name, True) for i, name in enumerate(("throwing", "rich"))),
)


def _choice(game: Game, seed: int, decision: int) -> int:
    """A legal action; the game's seed says how its players lean."""
    lean = LEANINGS[seed % len(LEANINGS)]
    legal = game.legal_actions()
    names = [game.action_name(action) for action in legal]
    weights = [round(100 * lean.get(n, lean.get(n.split(":")[0], 1.0))) for n in names]
    lot = below(seed, CHOICES, decision, sum(weights))
    for action, weight in zip(legal, weights, strict=True):
        if lot < weight:
            return action
        lot -= weight
    raise AssertionError


def hashes(kind: Kind, seed: int, box: Path | None, asked: bool) -> list[str]:
    """One hash for each decision: the record, now and then an observation and a redeal."""
    game = Game(
        kind.players,
        difficulty=kind.difficulty,
        seed=seed,
        components=box,
        auto_forced=not asked,
        log=False,
    )
    told = []
    for decision in range(100_000):
        digest = hashlib.blake2b(game.record.tobytes(), digest_size=8)
        if decision % OBSERVE_EVERY == 0:
            player = decision // OBSERVE_EVERY % game.num_players
            digest.update(game.observation(player).tobytes())
        if decision % DETERMINIZE_EVERY == 0 and not game.done:
            redealt = game.determinize(game.current_player or 0, seed + decision)
            digest.update(redealt.record.tobytes())
        told.append(digest.hexdigest())
        if game.done:
            return told
        game.step(_choice(game, seed, decision))
    raise AssertionError("a game does not end")


def all_hashes(folder: Path) -> dict[str, list[str]]:
    """The hashes of all games, by a name of the game."""
    boxes = {name: extreme_boxes.write(name, folder / name) for name in extreme_boxes.BOXES}
    return {
        f"{kind} {seed} {box} {'asked' if asked else 'forced'}": hashes(
            kind, seed, boxes.get(box), asked
        )
        for kind, seed, box, asked in GAMES
    }


if __name__ == "__main__":
    print(json.dumps({"jit": JIT, "hashes": all_hashes(Path(sys.argv[1]))}))
