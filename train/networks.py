"""Networks to train: `make_network(kind, num_players, options)`.

The passes themselves are written in `agents.networks`, so that agents can play without PyTorch;
here they become `torch.nn.Module`s.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from agents.networks.forward import ABSENT, Shape, architectures, complete_options
from nijar_env import Box, load_box
from nijar_env.core.catalogue import NUM_GAME_ACTIONS


class DivergedError(RuntimeError):
    """Weights that have become no numbers. One line, with a remedy."""


class TorchOps:
    """`agents.networks.forward.Ops` on tensors."""

    def __init__(self, trim: bool) -> None:
        self.trim = trim

    def linear(self, x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
        """See `Ops`."""
        return functional.linear(x, weight, bias)

    def relu(self, x: Tensor) -> Tensor:
        """See `Ops`."""
        return functional.relu(x)

    def layer_norm(self, x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        """See `Ops`."""
        return functional.layer_norm(x, weight.shape, weight, bias)

    def softmax(self, x: Tensor) -> Tensor:
        """See `Ops`."""
        return functional.softmax(x, -1)

    def index(self, x: Tensor) -> Tensor:
        """See `Ops`."""
        return x.round().long()

    def take(self, table: Tensor, index: Tensor) -> Tensor:
        """See `Ops`."""
        return functional.embedding(index, table)

    def concat(self, parts: list[Tensor], axis: int) -> Tensor:
        """See `Ops`."""
        return torch.cat(parts, axis)

    def split(self, x: Tensor, sizes: list[int], axis: int) -> list[Tensor]:
        """See `Ops`."""
        return list(torch.split(x, sizes, axis))

    def number(self, x: Tensor) -> Tensor:
        """See `Ops`."""
        return x.float()

    def matmul(self, a: Tensor, b: Tensor) -> Tensor:
        """See `Ops`."""
        return torch.matmul(a, b)

    def exp(self, x: Tensor) -> Tensor:
        """See `Ops`."""
        return torch.exp(x)

    def log(self, x: Tensor) -> Tensor:
        """See `Ops`."""
        return torch.log(x)

    def at_most(self, x: Tensor, most: float) -> Tensor:
        """See `Ops`."""
        return x.clamp(max=most)

    def add_pairs(self, scores: Tensor, pairs: Tensor, counts: Tensor) -> Tensor:
        """See `Ops`."""
        size = len(scores), NUM_GAME_ACTIONS
        places = torch.arange(pairs.shape[1], device=pairs.device)
        live = (places < counts[:, None]).nonzero(as_tuple=True)
        kept = pairs[live]
        action = live[0] * size[1] + self.index(kept[:, 0])
        score = live[0] * scores.shape[1] + self.index(kept[:, 1])
        parts = scores.flatten().gather(0, score) * kept[:, 2]
        begin = torch.full((size[0] * size[1],), ABSENT, device=scores.device)
        begin[action] = 0.0
        return begin.index_add(0, action, parts).reshape(size)


class PolicyValueNet(nn.Module):  # type: ignore[misc]
    """A policy and a value in one network; `make_network` makes it.

    Attributes:
        kind: one of `network_kinds()`.
        num_players: of the games that it plays; 1 is solo.
        options: complete, so that `make_network(kind, num_players, options)` makes it again.
        reads: "observations" or "choices" (see `train.inputs`).
    """

    def __init__(self, kind: str, num_players: int, options: Mapping[str, Any]) -> None:
        super().__init__()
        self.kind = kind
        self.num_players = num_players
        self.options = complete_options(kind, options)
        self._architecture = architectures()[kind]
        self.reads = self._architecture.reads
        self._names: list[str] = []
        for name, shape in self._architecture.shapes(num_players, self.options).items():
            self.register_parameter(name, nn.Parameter(_begin(shape)))
            self._names.append(name)
        self.use_box(load_box(None))

    def use_box(self, box: Box) -> None:
        """Take the printed values of cards from this box instead of the default one; the weights
        keep them. Call it before training with a box of one's own."""
        device = next(self.parameters()).device
        constants = self._architecture.constants(box)
        for name, array in constants.items():
            self.register_buffer(name, torch.from_numpy(array).to(device))
            if name not in self._names:
                self._names.append(name)
        with torch.no_grad():
            for name, array in self._architecture.begin(constants, self.options).items():
                getattr(self, name).copy_(torch.from_numpy(array))

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """Scores of all actions, and values in the scale of margins (VP / 50).

        Args:
            observations: float32 (B, size), what it reads.

        Returns:
            logits float32 (B, NUM_GAME_ACTIONS), not masked, and values float32 (B,).
        """
        arrays = {name: getattr(self, name) for name in self._names}
        logits, values = self._architecture.forward(
            TorchOps(trim=observations.device.type == "cpu"),
            arrays,
            observations,
            self.num_players,
            self.options,
        )
        return logits, values

    @property
    def size(self) -> int:
        """Number of trained weights."""
        return sum(one.numel() for one in self.parameters())


def _begin(shape: Shape) -> Tensor:
    """Weights as they are before training, drawn from PyTorch's generator."""
    values = torch.zeros(shape.size)
    if shape.begin == "ones":
        nn.init.ones_(values)
    elif shape.begin == "normal":
        nn.init.normal_(values, std=shape.gain)
    elif shape.begin == "linear":
        nn.init.orthogonal_(values, gain=shape.gain)
    return values


def make_network(
    kind: str, num_players: int, options: Mapping[str, Any] | None = None
) -> PolicyValueNet:
    """A new network with random weights.

    Args:
        kind: one of `network_kinds()`.
        num_players: of its games; 1 is solo.
        options: of that kind; those that are not given have defaults.

    Raises:
        ValueError: an unknown kind, or options that it does not take.
    """
    return PolicyValueNet(kind, num_players, options or {})


def network_kinds() -> tuple[str, ...]:
    """The kinds of networks that there are."""
    return tuple(architectures())


def check_finite(network: nn.Module) -> None:
    """Have training end where it has diverged, before that is kept in any file.

    Raises:
        DivergedError: some weights are no numbers any more.
    """
    if not all(bool(torch.isfinite(one).all()) for one in network.parameters()):
        raise DivergedError(
            "learning has diverged: weights are no numbers any more; lower the learning rate, and "
            "give another --out"
        )
