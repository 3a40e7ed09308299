"""Jumanji: environments in JAX, in batches. It has puzzles for one, no game for several players."""

from __future__ import annotations

import sys
import warnings
from typing import Any

import jax
import jax.numpy as jnp

from .jax_batch import BatchGames
from .loop import Make, run_script

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import jumanji
    from jumanji.wrappers import AutoResetWrapper


def _make(name: str, batch: int) -> BatchGames:
    env = AutoResetWrapper(jumanji.make(name))
    reset, step = jax.vmap(env.reset), jax.vmap(env.step)
    states, first = jax.jit(reset)(jax.random.split(jax.random.key(0), batch))
    shape = first.observation.action_mask.shape[1:]

    def masks(carry: Any) -> Any:
        return carry[1].observation.action_mask.reshape(batch, -1)

    def advance(carry: Any, actions: Any, keys: Any) -> tuple[Any, Any]:
        if len(shape) > 1:
            actions = jnp.stack(jnp.unravel_index(actions, shape), axis=-1)
        following = step(carry[0], actions.astype(jnp.int32))
        return following, following[1].step_type == 2

    seen = jax.tree_util.tree_leaves(first.observation)
    return BatchGames(
        batch,
        (states, first),
        masks,
        advance,
        observation=sum(leaf[0].size for leaf in seen) - first.observation.action_mask[0].size,
        actions=first.observation.action_mask[0].size,
    )


GAMES: dict[str, Make] = {
    "Game2048-v1, 1,024": lambda part: _make("Game2048-v1", 1024),
    "Minesweeper-v0, 1,024": lambda part: _make("Minesweeper-v0", 1024),
}

if __name__ == "__main__":
    sys.exit(run_script(GAMES, ["jumanji", "jax"]))
