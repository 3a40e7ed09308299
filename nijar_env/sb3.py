"""The game as a stable-baselines3 `VecEnv`, for MaskablePPO without a loop over environments.

```python
from sb3_contrib import MaskablePPO
from nijar_env.sb3 import NijarVecEnv

model = MaskablePPO("MlpPolicy", NijarVecEnv(256, reward="vp"), n_steps=64, batch_size=2048)
model.learn(1_000_000)
```

Needs stable-baselines3, which the extra `train` installs.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecEnv

from .options import check_seed
from .vector_env import NijarVectorEnv

Indices = int | Iterable[int] | None
_METHODS: Final = ("action_masks", "game", "render")


class NijarVecEnv(VecEnv):  # type: ignore[misc] # read as untyped, for where it is not installed
    """`num_envs` games of `NijarVectorEnv` under the interface of stable-baselines3.

    Where a game ends, the next one is dealt within the step; `infos[i]` then has
    `terminal_observation`, `TimeLimit.truncated` (False), `episode` ({"r": return, "l": decisions,
    "t": seconds}, as `Monitor` writes it), `scores` and `winner`; otherwise it is empty. The masks
    of all games are `action_masks()`; `env_method("action_masks")` gives its rows.

    Args:
        num_envs: games.
        num_players: 1 (the default) is solo, else one learner among 2-4.
        seed: of the first `reset`: game i is dealt with seed + i; None draws one.
        observation: "flat" (the default; the policy gets its masks apart) or "dict".
        options: the others of `NijarVectorEnv`, except `autoreset_mode`.

    Raises:
        ValueError: an option out of range.
        BoxError: a broken box.
    """

    def __init__(
        self,
        num_envs: int,
        num_players: int = 1,
        *,
        seed: int | None = None,
        observation: str = "flat",
        **options: Any,
    ) -> None:
        self._attributes: dict[str, list[Any]] = {}
        self.vector = NijarVectorEnv(
            num_envs,
            num_players,
            observation=observation,
            autoreset_mode=AutoresetMode.SAME_STEP,
            **options,
        )
        super().__init__(
            self.vector.num_envs,
            self.vector.single_observation_space,
            self.vector.single_action_space,
        )
        self._actions: npt.NDArray[Any] | None = None
        self._returns = np.zeros(num_envs, np.float64)
        self._lengths = np.zeros(num_envs, np.int64)
        self._start = time.perf_counter()
        self.seed(seed)

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Seeds for the next `reset`, game i with seed + i; None draws one (from the system)."""
        first = check_seed(seed)
        if seed is None:
            first >>= 1  # so that seed + i is one too
        self._seeds = [first + i for i in range(self.num_envs)]
        return self._seeds

    def reset(self) -> Any:
        """Begin an episode in every game: with the seeds of `seed`, if it was called since the
        last reset, else each game's next episode. Returns the observations."""
        seeds = self._seeds if any(seed is not None for seed in self._seeds) else None
        observations, infos = self.vector.reset(seed=seeds)
        self._reset_seeds()
        self._reset_options()
        self.reset_infos = [
            {"action_mask": mask, "seat": int(seat)}
            for mask, seat in zip(infos["action_mask"], infos["seat"], strict=True)
        ]
        self._returns[:] = 0.0
        self._lengths[:] = 0
        self._start = time.perf_counter()
        return observations

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Keep the actions, integers (num_envs,), for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, npt.NDArray[np.float32], npt.NDArray[np.bool_], list[Any]]:
        """Step all games.

        Returns:
            observations, rewards float32 (num_envs,), dones bool (num_envs,), infos: new ones.

        Raises:
            IllegalActionError: names the first such game; no game has changed.
        """
        if self._actions is None:
            raise RuntimeError("step_async(actions) comes before step_wait()")
        actions, self._actions = self._actions, None
        observations, rewards, dones, _, given = self.vector.step(actions)
        self._returns += rewards
        self._lengths += 1
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        rows = np.flatnonzero(dones)
        if rows.size:
            elapsed = round(time.perf_counter() - self._start, 6)
            final = given["final_info"]
            for i in rows.tolist():
                infos[i] = {
                    "terminal_observation": given["final_obs"][i],
                    "TimeLimit.truncated": False,
                    "episode": {
                        "r": float(self._returns[i]),
                        "l": int(self._lengths[i]),
                        "t": elapsed,
                    },
                    "scores": final["scores"][i],
                    "winner": int(final["winner"][i]),
                }
            self._returns[rows] = 0.0
            self._lengths[rows] = 0
        return observations, rewards.astype(np.float32), dones, infos

    def action_masks(self) -> npt.NDArray[np.int8]:
        """int8 (num_envs, NUM_GAME_ACTIONS): 1 for each legal action of each game; a copy."""
        return self.vector.action_masks()

    def close(self) -> None:
        """End the threads, if any were started."""
        self.vector.close()

    # -- what stable-baselines3 asks of single environments --------------------------------------

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """A value for each game: what `set_attr` has set, a method of `env_method`, or else an
        attribute of the vector environment, the same for all.

        Raises:
            AttributeError: there is none of that name.
        """
        rows = self._get_indices(indices)
        if attr_name in self._attributes:
            return [self._attributes[attr_name][i] for i in rows]
        if attr_name in _METHODS:
            return [partial(self._call, attr_name, i) for i in rows]
        return [getattr(self.vector, attr_name) for _ in rows]

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Keep a value for each game, for `get_attr`; it changes nothing in the games.

        Raises:
            AttributeError: a name that the environment itself uses: options are fixed.
        """
        if hasattr(self.vector, attr_name):
            raise AttributeError(f"{attr_name!r} is fixed when the environment is made")
        values = self._attributes.setdefault(attr_name, [None] * self.num_envs)
        for i in self._get_indices(indices):
            values[i] = value

    def env_method(
        self, method_name: str, *method_args: Any, indices: Indices = None, **method_kwargs: Any
    ) -> list[Any]:
        """Call a method of each game: `action_masks()`, int8 (NUM_GAME_ACTIONS,), `game()`, a
        copy of the game, or `render()`, its text.

        Raises:
            AttributeError: another method.
            TypeError: arguments; these methods take none.
        """
        if method_name not in _METHODS:
            raise AttributeError(f"there are {', '.join(_METHODS)}, not {method_name!r}")
        if method_args or method_kwargs:
            raise TypeError(f"{method_name}() takes no arguments")
        if method_name == "action_masks" and indices is None:
            return list(self.action_masks())
        return [self._call(method_name, i) for i in self._get_indices(indices)]

    def _call(self, method_name: str, i: int) -> Any:
        """A method of `env_method` for game `i`."""
        if method_name == "action_masks":
            return self.vector.batch.action_masks[i].copy()
        if method_name == "game":
            return self.vector.game(i)
        return self.vector.render_game(i)

    def env_is_wrapped(self, wrapper_class: Any, indices: Indices = None) -> list[bool]:
        """True for `Monitor`, whose `episode` infos the games write; else False for each game."""
        return [wrapper_class is Monitor for _ in self._get_indices(indices)]
