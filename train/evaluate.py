"""Measuring a policy while it learns: its most likely actions, on deals that it never trains on.

The deals of seed s are hashed from it, as are those of `eval.benchmark`, from another word: so
the deals that a run chooses its best weights by are neither those that it learns from nor those
that it is measured on in the end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch

from eval.table import hashed_seed
from nijar_env import Box, GameBatch

from .inputs import Reader

# What a network reads and the legal actions of some games -> an action of each.
Policy = Callable[[npt.NDArray[np.float32], npt.NDArray[np.int8]], npt.NDArray[np.int64]]
MOST_AT_ONCE: Final = 256
_FORBIDDEN: Final = -1e9


@dataclass(frozen=True)
class SoloResult:
    """Solo games of a policy at one difficulty, by deal.

    Attributes:
        difficulty: normal, advanced or expert.
        own_vp, competition_vp: int64 (games,).
        won: bool (games,), by the rules, equal VP included.
    """

    difficulty: str
    own_vp: npt.NDArray[np.int64]
    competition_vp: npt.NDArray[np.int64]
    won: npt.NDArray[np.bool_]

    @property
    def margin(self) -> float:
        """Mean of the player's VP less the Competition's."""
        return float((self.own_vp - self.competition_vp).mean())

    @property
    def vp(self) -> float:
        """Mean of the player's VP."""
        return float(self.own_vp.mean())

    @property
    def win_rate(self) -> float:
        """Share of games won."""
        return float(self.won.mean())


def held_out_seeds(seed: int, games: int) -> npt.NDArray[np.uint64]:
    """uint64 (games,): the deals that policies are measured on while they learn."""
    return np.array([hashed_seed("held out", seed, i) for i in range(games)], np.uint64)


def masked(logits: Any, masks: Any) -> Any:
    """Logits with those of illegal actions so low that they are never chosen."""
    return torch.where(masks != 0, logits, _FORBIDDEN)


def sample(log_odds: Any, generator: torch.Generator | None = None) -> Any:
    """An action of each row by its odds, (B,); Gumbel-max: no sorting, no sums.

    Args:
        log_odds: (B, actions).
        generator: one of the CPU; None: PyTorch's own, of the device that the odds are on.
    """
    place = log_odds.device if generator is None else generator.device
    noise = torch.empty_like(log_odds, device=place).exponential_(generator=generator)
    noise = noise.to(log_odds.device).clamp_(min=1e-30)  # 0 would beat all
    return (log_odds - noise.log_()).argmax(1)


def most_likely(network: Any, device: torch.device | str = "cpu") -> Policy:
    """The policy that takes a network's most likely legal action, the first of equal ones."""

    def choose(
        inputs: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]
    ) -> npt.NDArray[np.int64]:
        training = network.training
        network.eval()
        with torch.inference_mode():
            logits, _ = network(torch.from_numpy(inputs).to(device))
            best = masked(logits, torch.from_numpy(masks).to(device)).argmax(1)
        network.train(training)
        return np.asarray(best.cpu().numpy(), np.int64)

    return choose


def evaluate_solo(
    policy: Policy,
    difficulty: str,
    games: int,
    *,
    seed: int = 0,
    box: Box | None = None,
    reader: Reader | None = None,
) -> SoloResult:
    """Play solo games on held-out deals.

    Args:
        policy: chooses for any number of games at once.
        difficulty: of all games.
        games: how many.
        seed: which deals.
        box: None for the default one.
        reader: of what the policy reads; None: of observations.
    """
    reader = reader or Reader()
    seeds = held_out_seeds(seed, games)
    scores = np.zeros((games, 2), np.int64)
    won = np.zeros(games, np.bool_)
    for first in range(0, games, MOST_AT_ONCE):
        part = slice(first, first + MOST_AT_ONCE)
        batch = _play(policy, reader, difficulty, seeds[part], box)
        scores[part] = batch.final_scores[:, :2]
        won[part] = batch.final_winners == 0
    return SoloResult(difficulty, scores[:, 0], scores[:, 1], won)


def _play(
    policy: Policy,
    reader: Reader,
    difficulty: str,
    seeds: npt.NDArray[np.uint64],
    box: Box | None,
) -> GameBatch:
    """Play one batch to its end."""
    batch = GameBatch(
        len(seeds), 1, difficulty=difficulty, seed=seeds, components=box, auto_reset=False
    )
    actions = np.zeros(len(batch), np.int64)
    while len(rows := np.flatnonzero(batch.current_players >= 0)):
        seen = reader.of_batch(batch)[rows]
        actions[rows] = policy(seen, batch.action_masks[rows])
        batch.step(actions)
    return batch


def evaluate_difficulties(
    policy: Policy,
    difficulties: Sequence[str],
    games: int,
    *,
    seed: int = 0,
    box: Box | None = None,
    reader: Reader | None = None,
) -> list[SoloResult]:
    """The same at several difficulties, on the same deals."""
    return [
        evaluate_solo(policy, d, games, seed=seed, box=box, reader=reader) for d in difficulties
    ]
