"""Pgx: board and card games in JAX, in batches."""

from __future__ import annotations

import sys
from typing import Any

import jax
import numpy as np
import pgx
from pgx.experimental import auto_reset

from .jax_batch import BatchGames
from .loop import LEGAL, Make, run_script


def _make(name: str, batch: int, part: str) -> BatchGames:
    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def advance(states: Any, actions: Any, keys: Any) -> tuple[Any, Any]:
        following = step(states, actions, keys)
        if part == LEGAL:  # what nobody reads is not computed
            following = following.replace(observation=states.observation)
        return following, following.terminated | following.truncated

    return BatchGames(
        batch,
        jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(0), batch)),
        lambda states: states.legal_action_mask,
        advance,
        observation=int(np.prod(env.observation_shape)) if part != LEGAL else None,
        actions=int(env.num_actions),
    )


def _games() -> dict[str, Make]:
    games: dict[str, Make] = {}
    for name, batches in (
        ("backgammon", (64, 1024)),
        ("sparrow_mahjong", (1024,)),
        ("leduc_holdem", (1024,)),
        ("connect_four", (1024,)),
    ):
        for batch in batches:
            games[f"{name}, {batch:,}"] = (
                lambda part, name=name, batch=batch: _make(name, batch, part)  # type: ignore[misc]
            )
    return games


GAMES = _games()

if __name__ == "__main__":
    sys.exit(run_script(GAMES, ["pgx", "jax"]))
