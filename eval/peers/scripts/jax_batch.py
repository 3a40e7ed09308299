"""Random play of a batch of games in one compiled JAX function: for Pgx and for Jumanji."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from .loop import Play

_DECISIONS_A_CALL = 1024


def pick(mask: Any, chance: Any) -> Any:
    """A random legal action of a flat mask by one number in [0, 1)."""
    counts = jnp.cumsum(mask.astype(jnp.int32))
    return jnp.argmax(counts > (chance * counts[-1]).astype(jnp.int32))


class BatchGames(Play):
    """Many steps a call: masks, random actions and steps are compiled together, and games that end
    are begun anew by the library's own wrapper.

    Args:
        batch: games.
        state: the first states.
        mask_of: flat masks, bool (batch, actions), of states.
        step: the next states of states, actions and keys; and which games have ended.
    """

    def __init__(
        self,
        batch: int,
        state: Any,
        mask_of: Callable[[Any], Any],
        step: Callable[[Any, Any, Any], tuple[Any, Any]],
        **sizes: Any,
    ) -> None:
        super().__init__(**sizes)
        self.lanes = batch
        steps = max(1, _DECISIONS_A_CALL // batch)

        def body(carry: Any, _: Any) -> tuple[Any, Any]:
            states, key = carry
            key, own, theirs = jax.random.split(key, 3)
            masks = mask_of(states)
            actions = jax.vmap(pick)(masks, jax.random.uniform(own, (batch,)))
            states, ended = step(states, actions, jax.random.split(theirs, batch))
            forced = (masks.sum(axis=1) == 1).sum()
            return (states, key), (ended.sum(), forced)

        @jax.jit
        def run(states: Any, key: Any) -> Any:
            carry, counts = jax.lax.scan(body, (states, key), None, length=steps)
            return carry, counts[0].sum(), counts[1].sum()

        self._run, self._carry, self._each = run, (state, jax.random.key(1)), steps * batch

    def play(self, count: int) -> None:
        """See `Play.play`."""
        self._carry, ended, forced = self._run(*self._carry)
        self.games += int(ended)  # waits for the result
        self.decisions += self._each
        if self.widths is not None:
            self.widths += [1] * int(forced) + [2] * (self._each - int(forced))
