"""A warm start: before it learns by itself, a network is shown how a teacher plays.

Round by round some games are played on fresh deals, a share of them by the network as it is, and
the teacher says at each decision what it would do. The network learns to choose so (cross entropy
over the legal actions), and what its games come to (squared error of returns). It learns from
positions that it comes to itself, too: a network that only sees the teacher's games does not know
what to do after its own mistakes. Nothing is kept; for slow teachers and large data sets there are
`train.generate` and `train.clone`.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional

from agents import Agent, GameView
from eval.table import hashed_seed
from nijar_env import Box, GameBatch

from .evaluate import masked, sample
from .inputs import Reader
from .ppo_config import RewardSection, WarmStartSection

_MAX_GRAD_NORM: Final = 1.0


class Shown(NamedTuple):
    """Decisions, as a teacher would take them.

    Attributes:
        observations: float32 (n, size), what the network reads.
        masks: int8 (n, actions).
        actions: int64 (n,): the teacher's.
        returns: float32 (n,): what was paid from there to the end of the game.
    """

    observations: npt.NDArray[np.float32]
    masks: npt.NDArray[np.int8]
    actions: npt.NDArray[np.int64]
    returns: npt.NDArray[np.float32]


class Lesson:
    """Solo games in which a teacher tells what it would do.

    Args:
        teacher: tells, and plays most of the games.
        network: plays the others, drawing by its odds.
        device: that the network is on.
        difficulty, box, reward, gamma: of the games, and of what they pay.
    """

    def __init__(
        self,
        teacher: Agent,
        network: Any,
        device: torch.device,
        *,
        difficulty: str,
        box: Box,
        reward: RewardSection,
        gamma: float,
    ) -> None:
        self._teacher, self._network, self._device = teacher, network, device
        self._difficulty, self._box = difficulty, box
        self._reward, self._gamma = reward, gamma
        self._reader = Reader(network.reads)

    def play(self, games: int, own: int, seed: int) -> Shown:
        """Play games to their ends, all at once.

        Args:
            games: how many.
            own: how many of them the network plays.
            seed: of deals and teacher.
        """
        reward = self._reward
        batch = GameBatch(
            games,
            1,
            difficulty=self._difficulty,
            components=self._box,
            seed=seed,
            auto_reset=False,
            reward=reward.scheme,
        )
        self._teacher.reset(seed)
        steps: list[tuple[Any, ...]] = []
        actions = np.zeros(games, np.int64)
        while len(rows := np.flatnonzero(batch.current_players >= 0)):
            seen, masks = self._reader.of_batch(batch)[rows], batch.action_masks[rows]
            told = self._ask(batch, rows, masks)
            actions[rows] = told
            mine = np.flatnonzero(rows < own)
            if len(mine):
                actions[rows[mine]] = self._draw(seen[mine], masks[mine])
            batch.step(actions)
            paid = batch.rewards[rows, 0] - reward.rival * batch.rewards[rows, 1]
            steps.append((rows, seen, masks, told, paid * reward.scale))
        return self._shown(steps, games)

    def _ask(self, batch: GameBatch, rows: Any, masks: Any) -> npt.NDArray[np.int64]:
        given = batch.observe()[rows] if self._teacher.needs_observations else None
        return self._teacher.act(given, masks, GameView(batch, rows=rows))

    def _draw(self, seen: Any, masks: Any) -> npt.NDArray[np.int64]:
        self._network.eval()
        with torch.no_grad():
            logits, _ = self._network(torch.from_numpy(seen).to(self._device))
            odds = masked(logits, torch.from_numpy(masks).to(self._device))
            drawn = sample(odds)
        return np.asarray(drawn.cpu().numpy(), np.int64)

    def _shown(self, steps: list[tuple[Any, ...]], games: int) -> Shown:
        to_come = np.zeros(games, np.float64)
        returns = []
        for rows, *_, paid in reversed(steps):
            to_come[rows] = paid + self._gamma * to_come[rows]
            returns.append(to_come[rows].astype(np.float32))
        seen, masks, told = (np.concatenate([step[i] for step in steps]) for i in (1, 2, 3))
        return Shown(seen, masks, told, np.concatenate(returns[::-1]))


def learn(
    network: Any, optimizer: Any, shown: Shown, wanted: WarmStartSection, device: torch.device
) -> dict[str, float]:
    """Learn from what was shown, in random order.

    Returns:
        means, each before the step that was made for it: `loss`, the cross entropy; `agreed`, the
        share of the teacher's choices that the network found most likely; `error`, squared, of
        returns.
    """
    columns = [torch.from_numpy(column) for column in shown]
    n = len(shown.actions)
    sums, count = np.zeros(3), 0
    network.train()
    for group in optimizer.param_groups:
        group["lr"] = wanted.learning_rate
    for _ in range(wanted.passes):
        order = torch.randperm(n)
        for first in range(0, n, wanted.minibatch):
            chosen = order[first : first + wanted.minibatch]
            seen, masks, actions, returns = (one[chosen].to(device) for one in columns)
            logits, values = network(seen)
            logits = masked(logits, masks)
            loss = functional.cross_entropy(logits, actions)
            error = functional.mse_loss(values, returns)
            optimizer.zero_grad()
            (loss + wanted.value * error).backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), _MAX_GRAD_NORM)
            optimizer.step()
            agreed = (logits.argmax(1) == actions).float().mean()
            sums += len(chosen) * np.array([loss.item(), agreed.item(), error.item()])
            count += len(chosen)
    return dict(zip(("loss", "agreed", "error"), (sums / count).tolist(), strict=True))


def round_seed(seed: int, number: int) -> int:
    """Of a round's deals: hashed, so that nothing is trained or measured on them again."""
    return hashed_seed("warm start", seed, number)
