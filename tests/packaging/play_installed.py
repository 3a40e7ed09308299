"""Play whole games with the installed library, outside a checkout; run by `.ci/run`."""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

import nijar_env
from nijar_env import Game

MOST_DECISIONS = 20_000  # far above the longest game


def play(num_players: int) -> list[int]:
    """Play one game by random legal actions to its end and return its final scores."""
    game = Game(num_players=num_players, seed=7)
    rng = random.Random(7)
    for _ in range(MOST_DECISIONS):
        if game.done:
            return [int(score) for score in game.scores()]
        game.step(rng.choice(list(game.legal_actions())))
    raise SystemExit(f"a game of {num_players} did not end in {MOST_DECISIONS} decisions")


def play_by_command(saved: Path, page: Path) -> None:
    """`nijar play` with the library's own players, and a page of what was played."""
    command = [sys.executable, "-m", "nijar_env.cli"]
    for arguments, lines, words in (
        (["play", "person", "random", "--seed", "7", "--save", saved], "1\n1\nquit\n", "goes on"),
        (["play", "person", "greedy"], "", "project's checkout"),
        (["play", "--web"], "", "pip install 'nijar-env[web]'"),
        (["replay", saved, "--html", page], "", "written"),
    ):
        done = subprocess.run(
            [*command, *map(str, arguments)], input=lines, capture_output=True, text=True
        )
        if words not in done.stdout + done.stderr:
            raise SystemExit(f"nijar {arguments[0]}: no '{words}' in {done.stdout}{done.stderr}")
    print(f"nijar play and nijar replay: a page of {page.stat().st_size} bytes")


def main() -> None:
    """Check that only the library was installed, then play solo and with two players."""
    if "site-packages" not in Path(nijar_env.__file__).parts:
        raise SystemExit(f"not the installed library: {nijar_env.__file__}")
    for package in ("agents", "train", "eval"):
        if find_spec(package) is not None:
            raise SystemExit(f"the package {package} must stay in the checkout")
    for num_players in (1, 2):
        scores = play(num_players)
        if len(scores) != 2:  # solo has the Competition as the second seat
            raise SystemExit(f"{num_players} players: two scores expected, not {scores}")
        print(f"nijar_env {nijar_env.__version__}, {num_players} player(s): final scores {scores}")
    with tempfile.TemporaryDirectory() as folder:
        play_by_command(Path(folder) / "game.json", Path(folder) / "game.html")


if __name__ == "__main__":
    main()
