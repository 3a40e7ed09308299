"""Weights as files: exact, without pickle, refused where they do not fit."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("safetensors", reason="the extra `train` is not installed")

from safetensors.numpy import load_file, save_file

from agents.weights_file import FORMAT, WeightsError, read_weights
from nijar_env import load_box
from train.weights import header, write_weights

ROOT = Path(__file__).resolve().parents[2]
BOX = load_box(None)


def write(path: Path, **changes: Any) -> Path:
    options: dict[str, Any] = {
        "kind": "mlp",
        "options": {"hidden": [4]},
        "num_players": 1,
        "box": BOX,
        "command": "a test",
    }
    arrays = {"w": np.arange(6, dtype=np.float32).reshape(2, 3).T, "b": np.float32([1.5])}
    write_weights(path, arrays, **{**options, **changes})
    return path


def rewrite(path: Path, **changes: str) -> Path:
    """The file with other entries in its header."""
    metadata = header(kind="mlp", options={}, num_players=1, box=BOX, command="")
    save_file(load_file(path), path, {**metadata, **changes})
    return path


def refusal(path: Path, **wanted: Any) -> str:
    with pytest.raises(WeightsError) as caught:
        read_weights(path, **{"box": BOX, "num_players": 1, **wanted})
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_they_come_back_with_their_header(tmp_path: Path) -> None:
    path = write(tmp_path / "w.safetensors", extra={"steps": "12"})
    weights = read_weights(path, box=BOX, num_players=1)
    assert weights.arrays["w"].tolist() == [[0, 3], [1, 4], [2, 5]]
    assert weights.arrays["w"].dtype == np.float32
    assert (weights.kind, weights.options, weights.num_players) == ("mlp", {"hidden": [4]}, 1)
    assert weights.metadata["steps"] == "12"
    assert weights.metadata["box_fingerprint"] == BOX.fingerprint
    assert weights.metadata["command"] == "a test"
    assert [one.name for one in tmp_path.iterdir()] == ["w.safetensors"]


def test_the_fingerprint_tells_what_plays_alike(tmp_path: Path) -> None:
    def fingerprint(**changes: Any) -> str:
        return read_weights(write(tmp_path / "w", **changes)).fingerprint

    same = fingerprint()
    assert fingerprint(command="another") == same
    assert fingerprint(options={"hidden": [5]}) != same
    assert fingerprint(num_players=2) != same


def test_files_that_are_none(tmp_path: Path) -> None:
    path = tmp_path / "w"
    assert "cannot be read: No such file" in refusal(path)
    path.write_text("no weights")
    assert "is no safetensors file" in refusal(path)
    whole = write(path).read_bytes()
    path.write_bytes(whole[:-4])
    assert "is no safetensors file" in refusal(path)
    save_file({"w": np.zeros(1)}, path)
    assert "holds no weights for Níjar" in refusal(path)
    save_file({"w": np.zeros(1)}, path, {"format": FORMAT, "options": "{}"})
    assert "has a header that cannot be read (no network)" in refusal(path)
    for fault in ({"options": "{"}, {"options": "3"}, {"num_players": "two"}):
        assert "has a header that cannot be read" in refusal(rewrite(path, **fault))


def test_without_safetensors_it_says_what_to_install(tmp_path: Path) -> None:
    path = write(tmp_path / "w")
    code = (
        "import sys; sys.modules['safetensors'] = None\n"
        "from agents import AgentSpecError, make_agent\n"
        f"try: make_agent({f'ppo:{path.as_posix()}'!r})\n"
        "except AgentSpecError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stderr == "" and done.stdout.count("\n") == 1
    assert "needs safetensors, which is not installed: pip install" in done.stdout


def test_files_that_do_not_fit(tmp_path: Path) -> None:
    path = write(tmp_path / "w")
    assert "plays solo games, not games of 3 players" in refusal(path, num_players=3)
    assert "reads games by layout 0123" in refusal(rewrite(path, layout="0123"))
    text = refusal(rewrite(path, box="mine", box_fingerprint="0123"))
    assert "was trained with box mine (0123)" in text and BOX.fingerprint in text
    assert "chooses among actions 0123" in refusal(rewrite(path, actions="0123"))
    assert "of kind 'tree'; this version knows mlp, set" in refusal(rewrite(path, network="tree"))
    read_weights(rewrite(path, box_fingerprint="0123"))  # nobody asked


def test_a_network_comes_back(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="the extra `train` is not installed")
    from nijar_env.core.layout import observation_size
    from train.networks import make_network
    from train.weights import load_network

    network = make_network("mlp", 1, {"hidden": [8]})
    path = tmp_path / "w"
    fits: dict[str, Any] = {"kind": "mlp", "options": network.options, "num_players": 1}
    write_weights(path, network.state_dict(), **fits, box=BOX, command="")
    again = load_network(path, box=BOX, num_players=1)
    seen = torch.rand(3, observation_size(1))
    for one, other in zip(network(seen), again(seen), strict=True):
        assert torch.equal(one, other)

    state = network.state_dict()
    state.pop(next(iter(state)))
    write_weights(path, state, **fits, box=BOX, command="")
    with pytest.raises(WeightsError, match="does not fit its network"):
        load_network(path, box=BOX, num_players=1)
