"""Policy-and-value networks as plain functions of weights, for NumPy and for PyTorch alike.

A kind of network is an `Architecture`: the shapes of its weights, its constants, and one forward
pass over `Ops`. `NumpyOps` plays with it without PyTorch, `train.networks` trains the same pass.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from nijar_env import Box
from nijar_env.core.catalogue import NUM_GAME_ACTIONS
from nijar_env.core.layout import layout_hash, observation_size

# A NumPy array or a torch tensor.
Array = Any
Options = Mapping[str, Any]
# The score of an action that nothing refers to.
ABSENT: Final = -1e9


class Ops(Protocol):
    """What a forward pass needs beside operators, slices, `reshape`, `swapaxes` and `sum`."""

    # Whether places that no game of the batch uses are left out, which is quicker.
    trim: bool

    def linear(self, x: Array, weight: Array, bias: Array | None = None) -> Array:
        """x (..., in), weight (out, in), bias (out,): (..., out)."""

    def relu(self, x: Array) -> Array:
        """Negative values become 0."""

    def layer_norm(self, x: Array, weight: Array, bias: Array) -> Array:
        """Over the last axis."""

    def softmax(self, x: Array) -> Array:
        """Over the last axis."""

    def index(self, x: Array) -> Array:
        """The nearest whole numbers, int64."""

    def take(self, table: Array, index: Array) -> Array:
        """table (rows, d), index (...): (..., d)."""

    def concat(self, parts: list[Array], axis: int) -> Array:
        """Join arrays."""

    def split(self, x: Array, sizes: list[int], axis: int) -> list[Array]:
        """Parts of these sizes."""

    def number(self, x: Array) -> Array:
        """Truth values as float32 0 and 1."""

    def matmul(self, a: Array, b: Array) -> Array:
        """a (B, n, k), (n, k) or (B, k) times b (B, k, m) or (k, m)."""

    def exp(self, x: Array) -> Array:
        """e to the power of each number."""

    def log(self, x: Array) -> Array:
        """The natural logarithm of each number."""

    def at_most(self, x: Array, most: float) -> Array:
        """Larger numbers become `most`."""

    def add_pairs(self, scores: Array, pairs: Array, counts: Array) -> Array:
        """Scores of actions (B, NUM_GAME_ACTIONS), sums of scores (B, s) of what they refer to.

        `pairs` (B, n, 3): an action, one of the scores and how many times; `counts` (B,): how many
        of them count. An action without any gets ABSENT.
        """


class NumpyOps:
    """`Ops` on float32 arrays; each game's results depend on its own observation alone.

    It is fastest with weights in Fortran order.
    """

    trim = True

    def linear(self, x: Array, weight: Array, bias: Array | None = None) -> Array:
        """See `Ops`."""
        rows = np.ascontiguousarray(x.reshape(-1, x.shape[-1]), np.float32)
        out = np.zeros((len(rows), len(weight)), np.float32)
        if bias is not None:
            out += bias
        self._add_rows(rows, np.ascontiguousarray(weight.T), out)
        return out.reshape(*x.shape[:-1], len(weight))

    def exp(self, x: Array) -> Array:
        """See `Ops`."""
        return np.exp(x)

    def log(self, x: Array) -> Array:
        """See `Ops`."""
        return np.log(x)

    def at_most(self, x: Array, most: float) -> Array:
        """See `Ops`."""
        return np.minimum(x, np.float32(most))

    def add_pairs(self, scores: Array, pairs: Array, counts: Array) -> Array:
        """See `Ops`."""
        row, place = np.nonzero(np.arange(pairs.shape[1]) < counts[:, None])
        action = self.index(pairs[row, place, 0])
        parts = scores[row, self.index(pairs[row, place, 1])] * pairs[row, place, 2]
        out = np.full((len(scores), NUM_GAME_ACTIONS), ABSENT, np.float32)
        out[row, action] = 0.0
        np.add.at(out, (row, action), parts)
        return out

    def _add_rows(self, x: Array, weight: Array, out: Array) -> None:
        from .kernels import JIT, linear_rows

        if JIT:
            linear_rows(x, weight, out)
        else:
            out += x @ weight

    def relu(self, x: Array) -> Array:
        """See `Ops`."""
        return np.maximum(x, np.float32(0))

    def layer_norm(self, x: Array, weight: Array, bias: Array) -> Array:
        """See `Ops`."""
        apart = x - x.mean(axis=-1, keepdims=True)
        spread = (apart * apart).mean(axis=-1, keepdims=True)
        return apart / np.sqrt(spread + np.float32(1e-5)) * weight + bias

    def softmax(self, x: Array) -> Array:
        """See `Ops`."""
        odds = np.exp(x - x.max(axis=-1, keepdims=True))
        # Summed one after the other, so that zeros left out between them change nothing.
        return odds / odds.cumsum(axis=-1)[..., -1:]

    def index(self, x: Array) -> Array:
        """See `Ops`."""
        return np.rint(x).astype(np.int64)

    def take(self, table: Array, index: Array) -> Array:
        """See `Ops`."""
        return table[index]

    def concat(self, parts: list[Array], axis: int) -> Array:
        """See `Ops`."""
        return np.concatenate(parts, axis)

    def split(self, x: Array, sizes: list[int], axis: int) -> list[Array]:
        """See `Ops`."""
        return np.split(x, np.cumsum(sizes[:-1]), axis)

    def number(self, x: Array) -> Array:
        """See `Ops`."""
        return x.astype(np.float32)

    def matmul(self, a: Array, b: Array) -> Array:
        """See `Ops`."""
        if b.ndim == 2:
            return self.linear(a, b.T)
        from .kernels import JIT, matmul_rows

        if not JIT:
            return a @ b
        a = np.ascontiguousarray(np.broadcast_to(a, (len(b), *a.shape[-2:])), np.float32)
        b = np.ascontiguousarray(b, np.float32)
        out = np.zeros((len(b), a.shape[1], b.shape[2]), np.float32)
        matmul_rows(a, b, out)
        return out


@dataclass(frozen=True)
class Shape:
    """Of a weight array, and how it begins.

    Attributes:
        size: its axes; (out, in) of a linear layer.
        begin: "linear" (random rows of the same length, `gain` times), "zeros", "ones" or
            "normal" (of standard deviation `gain`).
        gain: see `begin`.
    """

    size: tuple[int, ...]
    begin: str = "linear"
    gain: float = math.sqrt(2.0)


@dataclass(frozen=True)
class Architecture:
    """A kind of network.

    Attributes:
        defaults: its options and what they are where nothing is said.
        check: raises ValueError for options out of range.
        shapes: of all weights by name, for a number of players and complete options.
        constants: arrays by name that come from the box; kept with the weights, not trained.
        constant_names: of those.
        forward: (ops, arrays, observations float32 (B, size), num_players, options) -> logits
            (B, NUM_GAME_ACTIONS) and values (B,).
        fixed: arrays that depend on the weights alone; `forward` takes them from its arrays where
            they are there, which saves their cost.
        begin: arrays that begin otherwise than their shapes say, from the constants.
        reads: "observations", or "choices": then the rows of `choice_layout` stand for them.
        layout: what stands where in those, as a hash, for a number of players.
    """

    defaults: Options
    check: Callable[[Options], None]
    shapes: Callable[[int, Options], dict[str, Shape]]
    forward: Callable[[Ops, Mapping[str, Array], Array, int, Options], tuple[Array, Array]]
    constants: Callable[[Box], dict[str, npt.NDArray[np.float32]]] = field(default=lambda box: {})
    fixed: Callable[[Ops, Mapping[str, Array], Options], dict[str, Array]] = field(
        default=lambda ops, w, options: {}
    )
    constant_names: tuple[str, ...] = ()
    begin: Callable[[Mapping[str, npt.NDArray[np.float32]], Options], dict[str, Any]] = field(
        default=lambda constants, options: {}
    )
    reads: str = "observations"
    layout: Callable[[int], str] = layout_hash

    def complete(self, kind: str, options: Options) -> dict[str, Any]:
        """The options with defaults, lists as lists of plain numbers.

        Raises:
            ValueError: an unknown option, or one out of range.
        """
        unknown = [name for name in options if name not in self.defaults]
        if unknown:
            raise ValueError(
                f"network '{kind}' has no option '{unknown[0]}'; it takes "
                f"{', '.join(self.defaults)}"
            )
        whole = {**self.defaults, **options}
        for name, usual in self.defaults.items():
            value = whole[name]
            if isinstance(usual, list) and isinstance(value, (list, tuple)):
                whole[name] = list(value)
            elif not isinstance(value, type(usual)) or isinstance(value, bool) != isinstance(
                usual, bool
            ):
                raise ValueError(f"network '{kind}': {name} must be like {usual}, not {value!r}")
        self.check(whole)
        return whole


# --- the flat network ----------------------------------------------------------------------------

MOST_WIDTH: Final = 4096
# Scores start nearly equal, so that the first policy is nearly uniform.
POLICY_GAIN: Final = 0.01


def check_width(name: str, value: Any, most: int = MOST_WIDTH) -> None:
    """Raise ValueError unless it is a whole number from 1 to `most`."""
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
        raise ValueError(f"{name} must be a whole number from 1 to {most}, not {value!r}")


def _check_mlp(options: Options) -> None:
    if not 1 <= len(options["hidden"]) <= 8:
        raise ValueError(f"hidden must list 1 to 8 layer sizes, not {options['hidden']!r}")
    for size in options["hidden"]:
        check_width("a hidden layer's size", size)


def _mlp_shapes(num_players: int, options: Options) -> dict[str, Shape]:
    shapes: dict[str, Shape] = {}
    size = observation_size(num_players)
    for number, width in enumerate(options["hidden"]):
        shapes[f"hidden{number}_weight"] = Shape((width, size))
        shapes[f"hidden{number}_bias"] = Shape((width,), "zeros")
        if options["layer_norm"]:
            shapes[f"norm{number}_weight"] = Shape((width,), "ones")
            shapes[f"norm{number}_bias"] = Shape((width,), "zeros")
        size = width
    shapes["policy_weight"] = Shape((NUM_GAME_ACTIONS, size), gain=POLICY_GAIN)
    shapes["policy_bias"] = Shape((NUM_GAME_ACTIONS,), "zeros")
    shapes["value_weight"] = Shape((1, size), gain=1.0)
    shapes["value_bias"] = Shape((1,), "zeros")
    return shapes


def _mlp_forward(
    ops: Ops, w: Mapping[str, Array], observations: Array, num_players: int, options: Options
) -> tuple[Array, Array]:
    x = observations
    for number in range(len(options["hidden"])):
        x = ops.linear(x, w[f"hidden{number}_weight"], w[f"hidden{number}_bias"])
        if options["layer_norm"]:
            x = ops.layer_norm(x, w[f"norm{number}_weight"], w[f"norm{number}_bias"])
        x = ops.relu(x)
    logits = ops.linear(x, w["policy_weight"], w["policy_bias"])
    return logits, ops.linear(x, w["value_weight"], w["value_bias"])[:, 0]


MLP: Final = Architecture(
    defaults={"hidden": [256, 256], "layer_norm": True},
    check=_check_mlp,
    shapes=_mlp_shapes,
    forward=_mlp_forward,
)


def architectures() -> dict[str, Architecture]:
    """All kinds of networks by name."""
    from .choices import CHOICES
    from .set_forward import SET

    return {"mlp": MLP, "set": SET, "choices": CHOICES}


def complete_options(kind: str, options: Options) -> dict[str, Any]:
    """The options of a kind of network with its defaults.

    Raises:
        ValueError: an unknown kind, or options that it does not take.
    """
    known = architectures()
    if kind not in known:
        raise ValueError(f"no network is of kind '{kind}' (known: {', '.join(known)})")
    return known[kind].complete(kind, options)


def check_arrays(
    kind: str, num_players: int, options: Options, arrays: Mapping[str, npt.NDArray[Any]]
) -> None:
    """Raise ValueError unless all weights of a network are there, of the right shapes, and its
    constants. The options are complete."""
    architecture = architectures()[kind]
    shapes = architecture.shapes(num_players, options)
    for name, shape in shapes.items():
        given = arrays[name].shape if name in arrays else None
        if given != tuple(shape.size):
            raise ValueError(
                f"the weights do not fit their network: {name} is {given}, not {shape.size}; train "
                "anew"
            )
    for name in architecture.constant_names:
        if name not in arrays:
            raise ValueError(f"the weights do not fit their network: {name} is missing; train anew")
