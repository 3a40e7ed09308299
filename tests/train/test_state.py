"""The state of a run: kept and given back bit for bit."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the extra `train` is not installed")
pytest.importorskip("safetensors", reason="the extra `train` is not installed")

from nijar_env import GameBatch  # noqa: E402
from nijar_env.sampling import sample_actions  # noqa: E402
from train.state import (  # noqa: E402
    StateError,
    batch_state,
    optimizer_state,
    random_states,
    read_state,
    restore_batch,
    restore_optimizer,
    restore_random_states,
    write_state,
)


def kept(folder: Path, tree: dict[str, Any]) -> dict[str, Any]:
    write_state(folder / "state", tree)
    return read_state(folder / "state")


def test_a_tree_comes_back(tmp_path: Path) -> None:
    tree = {
        "none": None,
        "text": "ñ",
        "number": 2**100,
        "float": 0.1,
        "infinite": float("-inf"),
        "list": [1, {"inner": np.arange(3, dtype=np.uint64)}],
        "scalar": np.float32(0.5),
        "empty": np.zeros((0, 3), np.int8),
        "flags": np.array([True, False]),
        "turned": np.arange(6).reshape(2, 3).T,
        "tensor": torch.tensor(3.5),
    }
    back = kept(tmp_path, tree)
    assert back.keys() == tree.keys()
    assert back["number"] == 2**100 and back["infinite"] == float("-inf") and back["scalar"] == 0.5
    assert back["list"][1]["inner"].dtype == np.uint64
    assert back["empty"].shape == (0, 3) and back["flags"].tolist() == [True, False]
    assert (back["turned"] == tree["turned"]).all()
    assert back["tensor"].shape == () and back["tensor"].item() == 3.5


def test_generators_go_on_where_they_were(tmp_path: Path) -> None:
    def draw() -> tuple[float, float, list[float]]:
        return random.random(), float(np.random.rand()), torch.rand(3).tolist()  # noqa: NPY002

    random.gauss(0, 1)
    states = kept(tmp_path, random_states())
    first = draw()
    draw()
    restore_random_states(states)
    assert draw() == first


def test_an_optimiser_goes_on_where_it_was(tmp_path: Path) -> None:
    def begin() -> tuple[Any, Any]:
        torch.manual_seed(1)
        layer = torch.nn.Linear(3, 2)
        return layer, torch.optim.Adam(layer.parameters(), lr=0.1)

    def step(layer: Any, optimizer: Any) -> None:
        optimizer.zero_grad()
        layer(torch.ones(1, 3)).square().sum().backward()
        optimizer.step()

    layer, optimizer = begin()
    for _ in range(3):
        step(layer, optimizer)
    state = kept(tmp_path, {"w": dict(layer.state_dict()), "o": optimizer_state(optimizer)})
    step(layer, optimizer)

    other, fresh = begin()
    other.load_state_dict(state["w"])
    restore_optimizer(fresh, state["o"])
    step(other, fresh)
    assert torch.equal(layer.weight, other.weight) and torch.equal(layer.bias, other.bias)


@pytest.mark.parametrize("players", [1, 3])
def test_games_go_on_where_they_were(tmp_path: Path, players: int) -> None:
    def play(batch: GameBatch, steps: int) -> bytes:
        rng = np.random.default_rng(5)
        for _ in range(steps):
            batch.step(sample_actions(batch.action_masks, rng))
        return batch.games.tobytes() + batch.final_scores.tobytes() + batch.episodes.tobytes()

    batch = GameBatch(6, players, seed=3)
    play(batch, 150)
    state = kept(tmp_path, batch_state(batch))
    expected = play(batch, 150)

    other = GameBatch(6, players, seed=4)
    games = other.games
    restore_batch(other, state)
    assert other.games is games
    assert play(other, 150) == expected


def test_games_of_another_number_do_not_fit() -> None:
    with pytest.raises(StateError, match="do not fit"):
        restore_batch(GameBatch(2, 1, seed=0), batch_state(GameBatch(3, 1, seed=0)))


@pytest.mark.parametrize(
    "content", [b"", b"some text that is no file of ours", b"\x10" + b"\0" * 99]
)
def test_a_broken_file_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "state").write_bytes(content)
    with pytest.raises(StateError, match="is no checkpoint of this version"):
        read_state(tmp_path / "state")


def test_a_torn_file_is_refused(tmp_path: Path) -> None:
    write_state(tmp_path / "state", {"a": np.arange(100)})
    whole = (tmp_path / "state").read_bytes()
    (tmp_path / "state").write_bytes(whole[:-8])
    with pytest.raises(StateError):
        read_state(tmp_path / "state")


def test_the_old_file_stays_where_the_new_one_fails(tmp_path: Path) -> None:
    write_state(tmp_path / "state", {"a": 1})
    with pytest.raises(TypeError):
        write_state(tmp_path / "state", {"a": object()})
    assert read_state(tmp_path / "state") == {"a": 1}
    assert [one.name for one in tmp_path.iterdir()] == ["state"]
