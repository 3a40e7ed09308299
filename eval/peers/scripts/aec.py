"""The loop over a PettingZoo AEC environment: the same for theirs and for ours."""

from __future__ import annotations

from typing import Any

import numpy as np

from .loop import Play, draw


class AecGames(Play):
    """`last()`, the legal actions of the mask, `step`. Steps of agents that are done take time, but
    are no decisions."""

    def __init__(self, env: Any) -> None:
        env.reset(seed=1)
        agent = env.agent_selection
        space = env.observation_space(agent)
        seen = space["observation"].shape if "observation" in getattr(space, "spaces", {}) else ()
        super().__init__(
            observation=int(np.prod(seen)) if seen else None, actions=int(env.action_space(agent).n)
        )
        self._env = env

    def play(self, count: int) -> None:
        """See `Play.play`."""
        env, widths = self._env, self.widths
        taken = 0
        while taken < count:
            if not env.agents:
                self.games += 1
                env.reset()
            observation, _, termination, truncation, info = env.last()
            if termination or truncation:
                env.step(None)
                continue
            mask = observation.get("action_mask") if isinstance(observation, dict) else None
            legal = np.flatnonzero(info["action_mask"] if mask is None else mask)
            if widths is not None:
                widths.append(len(legal))
            env.step(legal[int(draw() * len(legal))])
            taken += 1
        self.decisions += taken
