"""Playing with another box: copy the default one, change a value, check it, play.

Most printed values of the default box are reconstructed (docs/components.md). Who owns the game
enters its values this way; who studies design changes them. Sizes of observations and actions
stay the same, and nothing is compiled anew.

    python examples/custom_box.py
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import numpy as np

from nijar_env import Box, load_box, nijar_v0


def dear_market(folder: Path) -> Box:
    """A copy of the default box with prices that rise faster, written to `folder`."""
    default = load_box()
    shutil.copytree(default.path, folder)  # as `nijar components copy FOLDER` does
    change(folder / "box.toml", 'name = "reconstructed-v1"', 'name = "dear-market"')
    change(
        folder / "market.toml",
        "painted = [2, 3, 4, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]",
        "painted = [2, 3, 4, 5, 6, 8, 10, 12, 13, 14, 15, 16, 17]",
    )
    return load_box(folder)  # a fault would be one clear BoxError with file, entry and field


def change(file: Path, old: str, new: str) -> None:
    """Replace a line of a box file; it must be there."""
    text = file.read_text("utf-8")
    assert old in text, f"{file.name} has no {old!r}"
    file.write_text(text.replace(old, new), "utf-8")


def mean_winning_score(box: Box, games: int) -> float:
    """Of random players."""
    env = nijar_v0.raw_env(2, components=box)
    rng = np.random.default_rng(0)
    best = []
    for seed in range(games):
        env.reset(seed=seed)
        while not env.terminations[env.agent_selection]:
            legal = env.game.legal_actions()
            env.step(legal[rng.integers(len(legal))])
        best.append(max(env.game.scores()))
    return float(np.mean(best))


def main() -> None:
    """Compare the default box with an edited copy."""
    with tempfile.TemporaryDirectory() as parent:
        boxes = [load_box(), dear_market(Path(parent) / "dear")]
    for box in boxes:
        score = mean_winning_score(box, games=20)
        print(f"{box.name} ({box.fingerprint}): the winner makes {score:.1f} VP at random play")


if __name__ == "__main__":
    main()
