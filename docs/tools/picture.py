"""The picture of docs/index.md: a game in its second round, as the player to act sees it.

    python -m docs.tools.picture

The game follows from a seed and the agents at the table, so the picture is the same everywhere.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np

from agents import GameView, make_agent
from nijar_env import GameBatch

SEED: Final = 7
AGENT: Final = "greedy"
DECISIONS: Final = 230
FILE: Final = Path(__file__).resolve().parents[1] / "images" / "game.svg"


def drawn() -> str:
    """The picture: two players, both `AGENT`, after `DECISIONS` decisions."""
    batch = GameBatch(1, num_players=2, seed=SEED, auto_reset=False)
    agent = make_agent(AGENT)
    agent.reset(SEED)
    for _ in range(DECISIONS):
        view = GameView(batch)
        observations = np.asarray(batch.observe()) if agent.needs_observations else None
        batch.step(agent.act(observations, batch.action_masks, view))
    return batch.game(0).to_svg() + "\n"


def main() -> None:
    """Write the picture."""
    FILE.write_text(drawn(), encoding="utf-8")
    print(f"wrote {FILE}")


if __name__ == "__main__":
    main()
