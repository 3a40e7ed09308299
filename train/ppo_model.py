"""MaskablePPO around a network of `train.networks`, and its games.

stable-baselines3 makes its own networks; `NetworkPolicy` gives it ours instead, so that what is
exported is exactly what was trained. It also draws actions and computes their odds directly from
the logits, which takes half the time of sb3-contrib's distributions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.logger import Logger

from agents.networks.forward import architectures
from nijar_env import Box
from nijar_env.sb3 import NijarVecEnv

from .evaluate import masked, sample
from .inputs import READS, Reader
from .networks import make_network
from .ppo_config import PpoConfig, RewardSection
from .progress import Clock
from .state import batch_state, optimizer_state, restore_batch, restore_optimizer

ENVIRONMENT, INFERENCE, LEARNING = "environment", "inference", "learning"
# Decisions of a game of a player who knows how, or somewhat more.
STAGES: Final = 200


class SoloGames(NijarVecEnv):
    """Solo games, with scaled rewards, that can be saved and gone on with.

    Args:
        num_envs, difficulty, box, seed: as in `NijarVecEnv`.
        reward: what the learner is paid.
        clock: that their time is added to.
        reader: of what the network reads, which stands for the observations.
    """

    def __init__(
        self,
        num_envs: int,
        *,
        difficulty: str,
        box: Box,
        seed: int,
        reward: RewardSection,
        clock: Clock,
        reader: Reader,
    ) -> None:
        super().__init__(
            num_envs, 1, seed=seed, difficulty=difficulty, components=box, reward=reward.scheme
        )
        self._reward = reward
        self._clock = clock
        self._reader = reader
        if not reader.needs_observations:
            self.observation_space = spaces.Box(-np.inf, np.inf, (reader.size(1),), np.float32)

    def _seen(self, observations: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """What the network reads."""
        if self._reader.needs_observations:
            return observations
        return self._reader.of_batch(self.vector.batch).copy()

    def reset(self) -> npt.NDArray[np.float32]:
        """As in `NijarVecEnv`."""
        return self._seen(super().reset())

    def step_wait(self) -> tuple[Any, npt.NDArray[np.float32], npt.NDArray[np.bool_], list[Any]]:
        """As in `NijarVecEnv`; `infos` keep the returns unscaled."""
        with self._clock(ENVIRONMENT):
            observations, rewards, dones, infos = super().step_wait()
            observations = self._seen(observations)
            if self._reward.rival:
                rewards = rewards - self._reward.rival * self.vector.batch.rewards[:, 1]
            return observations, rewards * np.float32(self._reward.scale), dones, infos

    def action_masks(self) -> npt.NDArray[np.int8]:
        """As in `NijarVecEnv`."""
        with self._clock(ENVIRONMENT):
            return super().action_masks()

    def state(self) -> dict[str, Any]:
        """All that a step depends on or changes; in solo nothing is carried between steps."""
        return {
            "batch": batch_state(self.vector.batch),
            "returns": self._returns.copy(),
            "lengths": self._lengths.copy(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from what `state` returned. Call `reset` before."""
        restore_batch(self.vector.batch, state["batch"])
        self._returns[:] = state["returns"]
        self._lengths[:] = state["lengths"]


class NetworkPolicy(MaskableActorCriticPolicy):  # type: ignore[misc] # untyped where not installed
    """A network of `train.networks` as a policy of MaskablePPO.

    Args:
        observation_space, action_space, lr_schedule: from MaskablePPO.
        kind, options, num_players: of `make_network`.
        box: that is played with.
        clock: that the time of playing is added to.
    """

    def __init__(
        self,
        observation_space: Any,
        action_space: Any,
        lr_schedule: Any,
        *,
        kind: str,
        options: Mapping[str, Any],
        num_players: int,
        box: Box,
        clock: Clock,
        **rest: Any,
    ) -> None:
        self._network_of = kind, num_players, dict(options)
        self._box = box
        self._clock = clock
        super().__init__(observation_space, action_space, lr_schedule, **rest)

    def _build(self, lr_schedule: Any) -> None:
        self.network = make_network(*self._network_of)
        self.network.use_box(self._box)
        self.optimizer = self.optimizer_class(
            self.network.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs
        )

    def _log_odds(self, obs: Any, action_masks: Any) -> tuple[Any, Any]:
        """Log probabilities (B, actions) and values (B,)."""
        logits, values = self.network(obs)
        if action_masks is not None:
            given = torch.as_tensor(action_masks, device=logits.device)
            logits = masked(logits, given.reshape(logits.shape))
        return torch.log_softmax(logits, 1), values

    def forward(
        self, obs: Any, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[Any, Any, Any]:
        """Actions (B,), values (B,) and the actions' log probabilities (B,)."""
        with self._clock(INFERENCE):
            odds, values = self._log_odds(obs, action_masks)
            actions = odds.argmax(1) if deterministic else sample(odds)
            if actions.is_cuda:
                torch.cuda.synchronize()  # else the environment's time would hold the GPU's
            return actions, values, odds.gather(1, actions[:, None])[:, 0]

    def evaluate_actions(
        self, obs: Any, actions: Any, action_masks: Any = None
    ) -> tuple[Any, Any, Any]:
        """Values (B,), the actions' log probabilities (B,) and the policy's entropy (B,)."""
        odds, values = self._log_odds(obs, action_masks)
        entropy = -(odds.exp() * odds).sum(1)
        return values, odds.gather(1, actions.long()[:, None])[:, 0], entropy

    def get_distribution(self, obs: Any, action_masks: Any = None) -> Any:
        """As sb3-contrib's distribution, for its `predict`."""
        logits, _ = self.network(obs)
        distribution = self.action_dist.proba_distribution(action_logits=logits)
        if action_masks is not None:
            distribution.apply_masking(action_masks)
        return distribution

    def predict_values(self, obs: Any) -> Any:
        """Values (B,)."""
        return self.network(obs)[1]


def _compile(games: SoloGames) -> None:
    """Have all kernels compiled or loaded, so that no later step takes the time."""
    games.reset()
    games.step(games.action_masks().argmax(1))


def make_model(
    config: PpoConfig, box: Box, device: torch.device, clock: Clock
) -> tuple[MaskablePPO, SoloGames]:
    """The model and its games, both at the very beginning.

    Raises:
        ValueError: the network's options.
    """

    kind = config.network.kind
    reader = Reader(architectures()[kind].reads if kind in architectures() else READS[0])

    def games_of(number: int, clock: Clock) -> SoloGames:
        return SoloGames(
            number,
            difficulty=config.difficulty,
            box=box,
            seed=config.seed,
            reward=config.reward,
            clock=clock,
            reader=reader,
        )

    _compile(games_of(1, Clock()))
    games = games_of(config.games, clock)
    ppo = config.ppo
    rate = ppo.learning_rate
    model = MaskablePPO(
        NetworkPolicy,
        games,
        learning_rate=rate if ppo.schedule == "constant" else lambda left: rate * left,
        n_steps=ppo.steps,
        batch_size=ppo.minibatch,
        n_epochs=ppo.epochs,
        gamma=ppo.gamma,
        gae_lambda=ppo.gae_lambda,
        clip_range=ppo.clip,
        ent_coef=ppo.entropy,
        vf_coef=ppo.value,
        max_grad_norm=ppo.max_grad_norm,
        target_kl=ppo.target_kl,
        policy_kwargs={
            "kind": config.network.kind,
            "options": config.network.options,
            "num_players": 1,
            "box": box,
            "clock": clock,
        },
        # All games that end in an iteration are counted.
        stats_window_size=config.games * ppo.steps,
        seed=None,  # `train.run.prepare` has seeded; the games have their own
        device=device,
    )
    model.set_logger(Logger(folder=None, output_formats=[]))  # the run logs
    return model, games


def stagger(model: MaskablePPO, games: SoloGames) -> None:
    """Bring the games to different stages, so that every iteration sees all stages of a game.

    The policy plays on; game i stays as it is after its share of `STAGES` decisions.
    """
    wait = np.arange(games.num_envs) * STAGES // games.num_envs
    seen, kept, kept_seen = model._last_obs, _rows_of(games.state()), model._last_obs.copy()
    starts = model._last_episode_starts.copy()
    for step in range(1, int(wait.max()) + 1):
        with torch.no_grad():
            shown = torch.from_numpy(seen).to(model.device)
            actions, _, _ = model.policy.forward(shown, action_masks=games.action_masks())
        seen, _, dones, _ = games.step(actions.cpu().numpy())
        rows = wait == step
        if rows.any():
            for name, array in _rows_of(games.state()).items():
                kept[name][rows] = array[rows]
            kept_seen[rows], starts[rows] = seen[rows], dones[rows]
    games.restore({"batch": kept, **kept})
    model._last_obs, model._last_episode_starts = kept_seen, starts


def _rows_of(state: Mapping[str, Any]) -> dict[str, npt.NDArray[Any]]:
    """The arrays of `SoloGames.state`, each with a row for each game."""
    return {**state["batch"], "returns": state["returns"], "lengths": state["lengths"]}


def model_state(model: MaskablePPO, games: SoloGames) -> dict[str, Any]:
    """All that the next iteration depends on, between iterations."""
    return {
        "network": dict(model.policy.network.state_dict()),
        "optimizer": optimizer_state(model.policy.optimizer),
        "games": games.state(),
        "observations": model._last_obs,
        "starts": model._last_episode_starts,
        "steps": model.num_timesteps,
        "updates": model._n_updates,
        "left": model._current_progress_remaining,
    }


def restore_model(model: MaskablePPO, games: SoloGames, state: Mapping[str, Any]) -> None:
    """Set a model, which has been set up for learning, to what `model_state` returned."""
    model.policy.network.load_state_dict(state["network"])
    restore_optimizer(model.policy.optimizer, state["optimizer"])
    games.restore(state["games"])
    model._last_obs = state["observations"]
    model._last_episode_starts = state["starts"]
    model.num_timesteps = int(state["steps"])
    model._n_updates = int(state["updates"])
    model._current_progress_remaining = float(state["left"])
