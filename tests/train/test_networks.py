"""Networks: shapes, gradients, what the set network does not depend on, NumPy beside PyTorch."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from agents.greedy_weights import NUM_FEATURES
from agents.networks.forward import ABSENT, NumpyOps, architectures
from nijar_env import GameBatch, load_box
from nijar_env.components.vocabulary import MAX_ROW
from nijar_env.core.catalogue import A_GLAZE, A_PAINT, A_TAKE, NUM_GAME_ACTIONS
from nijar_env.core.layout import observation_layout

torch = pytest.importorskip("torch", reason="networks are trained with PyTorch")
pytest.importorskip("safetensors", reason="weights are safetensors files")

from train.inputs import Reader  # noqa: E402
from train.networks import TorchOps, make_network, network_kinds  # noqa: E402
from train.weights import load_network, write_weights  # noqa: E402

KINDS = ("mlp", "set", "choices")
SMALL: dict[str, dict[str, Any]] = {
    "mlp": {"hidden": [24], "layer_norm": False},
    "set": {"dim": 8, "trunk": 24, "heads": 2},
    "choices": {"hidden": [8], "value_hidden": [6], "begin": "even"},
}


@functools.cache
def positions(
    players: int, steps: int = 170, kind: str = "mlp"
) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """What such a network reads, and masks, of games of random play at many stages."""
    batch = GameBatch(24, players, seed=5)
    reader = Reader(architectures()[kind].reads)
    rng = np.random.default_rng(1)
    seen, masks = [], []
    for step in range(steps):
        if step % 5 == 0:
            seen.append(reader.of_batch(batch).copy())
            masks.append(batch.action_masks.copy())
        batch.step((rng.random(batch.action_masks.shape) * batch.action_masks).argmax(axis=1))
    return np.concatenate(seen), np.concatenate(masks)


def field(x: Any, name: str, players: int = 1) -> Any:
    """A view of a field, (B, size)."""
    one = next(f for f in observation_layout(players) if f.name == name)
    return x[:, one.start : one.stop]


def small(kind: str, players: int = 1) -> Any:
    torch.manual_seed(3)
    return make_network(kind, players, SMALL[kind])


def test_the_kinds_are_known() -> None:
    assert network_kinds() == KINDS
    for kind in KINDS:
        assert make_network(kind, 1).options == architectures()[kind].defaults
    assert make_network("set", 1).size < 620_000


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("kind", KINDS)
def test_shapes(kind: str, players: int) -> None:
    seen, _ = positions(players, 6, kind)
    network = small(kind, players)
    assert seen.shape[1] == Reader(network.reads).size(players)
    logits, values = network(torch.from_numpy(seen))
    assert logits.shape == (len(seen), NUM_GAME_ACTIONS) and values.shape == (len(seen),)
    assert logits.dtype == values.dtype == torch.float32
    assert bool(torch.isfinite(logits).all())


@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("kind", KINDS)
def test_gradients_reach_every_weight(kind: str, players: int) -> None:
    seen, masks = positions(players, kind=kind)
    network = small(kind, players)
    logits, values = network(torch.from_numpy(seen))
    scores = torch.where(torch.from_numpy(masks) != 0, logits, -1e9)
    wanted = torch.from_numpy(masks.argmax(axis=1))
    (torch.nn.functional.cross_entropy(scores, wanted) + (values - 1).pow(2).mean()).backward()
    without = [n for n, p in network.named_parameters() if p.grad is None or not p.grad.any()]
    assert without == []


@pytest.mark.parametrize("players", [1, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_numpy_gives_the_same(kind: str, players: int) -> None:
    seen, _ = positions(players, 30, kind)
    network = small(kind, players)
    arrays = {name: value.numpy() for name, value in network.state_dict().items()}
    with torch.no_grad():
        expected = network(torch.from_numpy(seen))
    found = architectures()[kind].forward(NumpyOps(), arrays, seen, players, network.options)
    for one, other in zip(expected, found, strict=True):
        np.testing.assert_allclose(one.numpy(), other, rtol=1e-4, atol=1e-5)


def test_a_network_of_choices_begins_as_light_and_learns_beyond_it() -> None:
    torch.manual_seed(0)
    seen, masks = positions(1, 60, "choices")
    network = make_network("choices", 1, {"hidden": [8], "value_hidden": [6]})
    even = small("choices")
    inputs, legal = torch.from_numpy(seen), torch.from_numpy(masks) != 0
    # Its hidden layer counts for nothing at first, so that it is light's policy whatever it holds.
    before = network(inputs)[0]
    assert network.policy_weight[:, NUM_FEATURES:].abs().sum() == 0
    with torch.no_grad():
        network.hidden0_weight.normal_()
    assert torch.equal(before[legal], network(inputs)[0][legal])
    assert before[legal].std() > 3 * even(inputs)[0][legal].std()
    optimizer = torch.optim.SGD(network.parameters(), 0.01)
    wanted = torch.from_numpy(masks.argmax(axis=1))
    for step in range(2):
        optimizer.zero_grad()
        logits, _ = network(inputs)
        torch.nn.functional.cross_entropy(logits.where(legal, -1e9), wanted).backward()
        optimizer.step()
        assert bool(network.hidden0_weight.grad.any()) is (step == 1)


def test_actions_without_pairs_are_absent() -> None:
    seen, masks = positions(2, 30, "choices")
    logits = small("choices", 2)(torch.from_numpy(seen))[0]
    assert bool((logits[torch.from_numpy(masks) == 0] == ABSENT).all())
    assert bool((logits[torch.from_numpy(masks) != 0].abs() < 100).all())


def test_another_box_scales_otherwise_and_keeps_what_it_begins_as(tmp_path: Path) -> None:
    from tests import extreme_boxes

    seen, masks = positions(1, 30, "choices")
    network = make_network("choices", 1, {"hidden": [8], "value_hidden": [6]})
    before, scale = network(torch.from_numpy(seen))[0], network.input_spread.clone()
    network.use_box(load_box(extreme_boxes.write("rich", tmp_path / "rich")))
    after = network(torch.from_numpy(seen))[0]
    legal = torch.from_numpy(masks) != 0
    assert not torch.equal(network.input_spread, scale)
    torch.testing.assert_close(after[legal], before[legal], rtol=1e-3, atol=1e-3)


def test_places_that_are_not_used_change_nothing() -> None:
    seen, masks = positions(1)
    network = small("set")
    arrays = dict(network.state_dict())
    passes = [
        architectures()["set"].forward(
            TorchOps(trim), arrays, torch.from_numpy(seen), 1, network.options
        )
        for trim in (True, False)
    ]
    legal = torch.from_numpy(masks) != 0
    torch.testing.assert_close(passes[0][0][legal], passes[1][0][legal], rtol=1e-4, atol=1e-6)
    torch.testing.assert_close(passes[0][1], passes[1][1], rtol=1e-4, atol=1e-6)


def test_swapping_two_cards_of_the_draft_area_swaps_their_scores() -> None:
    seen = positions(1)[0].copy()
    for name in ("seat0.donkey", "competition.donkey"):
        field(seen, name)[:] = 0.0  # the price depends on the donkey's place
    swapped = seen.copy()
    a, b = 6, 8  # two spaces of row 1
    order = np.arange(15)
    order[[a, b]] = b, a
    columns = field(swapped, "draft")
    columns[:] = columns[:, order]
    network = small("set")
    with torch.no_grad():
        before, value = network(torch.from_numpy(seen))
        after, same_value = network(torch.from_numpy(swapped))
    take = np.arange(A_TAKE, A_TAKE + 15)
    assert bool((before[:, A_TAKE + a] != before[:, A_TAKE + b]).any())
    torch.testing.assert_close(after[:, take], before[:, take[order]], rtol=1e-4, atol=1e-6)
    torch.testing.assert_close(value, same_value, rtol=1e-4, atol=1e-6)


def test_swapping_two_workshops_swaps_their_scores() -> None:
    seen = positions(1)[0].copy()
    seen = seen[(field(seen, "seat0.workshop") > 0).sum(axis=1) >= 2]
    assert len(seen) > 10
    field(seen, "pending.mask")[:] = 0.0
    swapped = seen.copy()
    for name in ("seat0.workshop", "seat0.workshop_piece", "own.workshop_price"):
        rows = field(swapped, name).reshape(len(seen), MAX_ROW, -1)
        field(swapped, name)[:] = rows[:, [1, 0, *range(2, MAX_ROW)]].reshape(len(seen), -1)
    network = small("set")
    with torch.no_grad():
        before, after = (network(torch.from_numpy(x))[0] for x in (seen, swapped))
    for first in (A_GLAZE, A_PAINT, A_PAINT + MAX_ROW, A_PAINT + 2 * MAX_ROW):
        pair = before[:, first : first + 2]
        torch.testing.assert_close(after[:, first : first + 2], pair.flip(1), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_saved_is_loaded(kind: str, tmp_path: Path) -> None:
    seen, _ = positions(1, 6, kind)
    network = small(kind)
    path = tmp_path / "weights.safetensors"
    write_weights(
        path,
        network.state_dict(),
        kind=network.kind,
        options=network.options,
        num_players=1,
        box=load_box(None),
        command="test",
    )
    again = load_network(path, box=load_box(None), num_players=1)
    with torch.no_grad():
        for one, other in zip(
            network(torch.from_numpy(seen)), again(torch.from_numpy(seen)), strict=True
        ):
            assert torch.equal(one, other)


@pytest.mark.parametrize(
    ("kind", "options", "message"),
    [
        ("tree", {}, "no network is of kind 'tree'"),
        ("mlp", {"width": 3}, "has no option 'width'; it takes hidden, layer_norm"),
        ("mlp", {"hidden": []}, "hidden must list 1 to 8"),
        ("mlp", {"hidden": [0]}, "must be a whole number from 1"),
        ("mlp", {"layer_norm": 1}, "layer_norm must be like True"),
        ("set", {"dim": True}, "dim must be like"),
        ("set", {"heads": 99}, "heads must be a whole number from 1 to 16"),
        ("choices", {"hidden": [8] * 4}, "hidden must list at most 3 layer sizes"),
        ("choices", {"begin": "expert"}, "begin must be light or even, not 'expert'"),
    ],
)
def test_what_a_network_does_not_take_is_said(
    kind: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        make_network(kind, 1, options)
