"""`ppo`: networks at play, from weights files."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents import AgentSpecError, GameView, make_agent
from agents.networks.forward import MLP, architectures, complete_options
from agents.neural import NeuralAgent
from agents.weights_file import read_weights
from nijar_env import Box, GameBatch, load_box

pytest.importorskip("safetensors", reason="weights are safetensors files")

from train.weights import write_weights

OPTIONS: dict[str, dict[str, Any]] = {
    "mlp": {"hidden": [16]},
    "set": {"dim": 8, "trunk": 16, "heads": 2},
    "choices": {"hidden": [12], "value_hidden": [6]},
}
KINDS = tuple(OPTIONS)


def write(path: Path, kind: str, players: int = 1, seed: int = 0, dtype: Any = np.float32) -> Path:
    """Random weights."""
    rng = np.random.default_rng(seed)
    architecture = architectures()[kind]
    options = complete_options(kind, OPTIONS[kind])
    arrays = {
        name: (rng.standard_normal(shape.size) * 0.3).astype(dtype)
        for name, shape in architecture.shapes(players, options).items()
    }
    box = load_box(None)
    arrays |= {name: array.astype(dtype) for name, array in architecture.constants(box).items()}
    write_weights(
        path, arrays, kind=kind, options=options, num_players=players, box=box, command="test"
    )
    return path


def play(agent: Any, seeds: list[int], players: int = 1, box: Box | None = None) -> Any:
    """Final scores; all games in one batch."""
    batch = GameBatch(len(seeds), players, seed=np.array(seeds), components=box, auto_reset=False)
    agent.reset(4)
    actions = np.zeros(len(batch), np.int64)
    while not batch.dones.all():
        view = GameView(batch, np.array(seeds))
        seen = batch.observe()[view.rows]
        actions[view.rows] = agent.act(seen, batch.action_masks[view.rows], view)
        batch.step(actions)
    return batch.final_scores.copy()


@pytest.mark.parametrize("more", ["", ":draw=true"])
@pytest.mark.parametrize("kind", KINDS)
def test_choices_do_not_depend_on_the_batch(kind: str, more: str, tmp_path: Path) -> None:
    path = write(tmp_path / "w.safetensors", kind)
    agent = make_agent(f"ppo:{path}{more}")
    assert agent.name == f"ppo:{path.as_posix()}{more}"
    assert make_agent(agent.name).name == agent.name
    seeds = list(range(10))
    together = play(agent, seeds)
    for some in ([3], [7, 1, 0]):
        np.testing.assert_array_equal(play(agent, some), together[some])
    # Rows alone and among others, bit for bit.
    batch = GameBatch(9, seed=1, num_players=1)
    player = agent._player(1, load_box(None))  # type: ignore[attr-defined]
    seen = player.inputs(batch.observe().copy(), GameView(batch))
    logits, values = player(seen)
    for row in (0, 8):
        one, value = player(seen[row : row + 1])
        np.testing.assert_array_equal(one[0], logits[row])
        assert value[0] == values[row]


@pytest.mark.parametrize("kind", KINDS)
def test_tables_and_half_precision(kind: str, tmp_path: Path) -> None:
    path = write(tmp_path / "w.safetensors", kind, players=2, dtype=np.float16)
    scores = play(make_agent(f"ppo:{path}"), [1, 2], players=2)
    assert scores.shape == (2, 4)


def test_observations_are_asked_for_where_a_network_reads_them(tmp_path: Path) -> None:
    write(tmp_path / "a.safetensors", "choices")
    alone = make_agent(f"ppo:{tmp_path}")
    assert not alone.needs_observations
    batch = GameBatch(3, 1, seed=2)
    view = GameView(batch)
    chosen = alone.act(None, batch.action_masks, view)
    assert batch.action_masks[np.arange(3), chosen].all()
    write(tmp_path / "b.safetensors", "mlp", players=2)
    both = make_agent(f"ppo:{tmp_path}")
    assert both.needs_observations
    assert both.act(batch.observe(), batch.action_masks, view).tolist() == chosen.tolist()
    table = GameBatch(1, 2, seed=2)
    with pytest.raises(ValueError, match="needs observations"):
        both.act(None, table.action_masks, GameView(table))


def test_fingerprints_tell_weights_apart(tmp_path: Path) -> None:
    paths = [write(tmp_path / f"{seed}.safetensors", "mlp", seed=seed) for seed in (0, 0, 1)]
    prints = [make_agent(f"ppo:{path}").fingerprint for path in paths]  # type: ignore[attr-defined]
    assert prints[0] == prints[1] != prints[2] and all(prints)


@pytest.mark.parametrize("kind", ["choices", "mlp"])
def test_a_file_that_changes_is_not_played_under_the_old_fingerprint(
    kind: str, tmp_path: Path
) -> None:
    """A training run may write other weights while its best ones are measured."""
    path = write(tmp_path / "w.safetensors", kind)
    agent, known = make_agent(f"ppo:{path}"), make_agent(f"ppo:{path}")
    play(known, [0])
    write(path, kind, seed=1)
    play(known, [1])  # what has been read stays
    with pytest.raises(ValueError, match=r"w\.safetensors has changed since it was first read"):
        play(agent, [0])


def test_a_folder_has_weights_by_number_of_players(tmp_path: Path) -> None:
    write(tmp_path / "a.safetensors", "mlp")
    write(tmp_path / "b.safetensors", "mlp", players=2)
    agent = make_agent(f"ppo:{tmp_path}")
    play(agent, [1])
    play(agent, [1], players=2)
    with pytest.raises(ValueError, match=r"no weights for games of 3 players \(it has solo, 2 pl"):
        play(agent, [1], players=3)
    write(tmp_path / "c.safetensors", "mlp")
    with pytest.raises(AgentSpecError, match="same number of players"):
        make_agent(f"ppo:{tmp_path}")


def test_choices_of_one_table_play_at_another(tmp_path: Path) -> None:
    """They look the same at all tables; solo stands apart."""
    write(tmp_path / "a.safetensors", "choices", players=2)
    agent = make_agent(f"ppo:{tmp_path}")
    assert play(agent, [1], players=4).shape == (1, 4)
    with pytest.raises(ValueError, match=r"no weights for solo games \(it has 2 players\)"):
        play(agent, [1])
    write(tmp_path / "b.safetensors", "mlp", players=3)
    both = make_agent(f"ppo:{tmp_path}")
    np.testing.assert_array_equal(play(both, [1], players=4), play(agent, [1], players=4))


def test_weights_for_other_games_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "w.safetensors", "mlp")
    agent = make_agent(f"ppo:{path}")
    with pytest.raises(ValueError, match="no weights for games of 2 players"):
        play(agent, [1], players=2)
    data = path.read_bytes()
    known = load_box(None).fingerprint.encode()
    path.write_bytes(data.replace(known, b"0" * len(known)))
    with pytest.raises(ValueError, match="was trained with box"):
        play(make_agent(f"ppo:{path}"), [1])
    path.write_bytes(data)
    other = dataclasses.replace(MLP, layout=lambda players: "f" * 12)
    monkeypatch.setattr("agents.networks.forward.MLP", other)
    with pytest.raises(AgentSpecError, match="reads games by layout"):
        make_agent(f"ppo:{path}")


def test_choices_of_another_layout_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "w.safetensors", "choices")
    make_agent(f"ppo:{path}")
    monkeypatch.setattr("agents.networks.choices.choice_layout_hash", lambda: "f" * 12)
    for name in ("ppo", "search"):
        with pytest.raises(AgentSpecError, match="reads games by layout") as error:
            make_agent(f"{name}:{path}")
        assert "\n" not in str(error.value)


def test_faults_of_a_specification(tmp_path: Path) -> None:
    broken = tmp_path / "x.safetensors"
    broken.write_bytes(b"nothing")
    empty = tmp_path / "empty"
    empty.mkdir()
    for spec, message in (
        ("ppo:nowhere.safetensors", "there is no weights file"),
        (f"ppo:{broken}", "is no safetensors file"),
        (f"ppo:{empty}", "holds no weights"),
        ("ppo:draw=maybe", "draw must be true or false"),
        ("ppo::draw=true", "between the colons"),
    ):
        with pytest.raises(AgentSpecError, match=message):
            make_agent(spec)


def test_weights_of_another_network_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "w.safetensors", "mlp")
    weights = read_weights(path)
    small, narrow = dict(weights.arrays), dict(weights.arrays)
    small.pop("value_bias")
    narrow["value_bias"] = np.zeros(2, np.float32)
    for arrays, message in ((small, "value_bias is None"), (narrow, r"value_bias is \(2,\)")):
        fits: dict[str, Any] = {"kind": "mlp", "options": weights.options, "num_players": 1}
        write_weights(path, arrays, **fits, box=load_box(None), command="test")
        with pytest.raises(ValueError, match=f"do not fit their network: {message}, not"):
            play(make_agent(f"ppo:{path}"), [1])


def test_without_weights_for_a_game_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agents.weights_shelf.SHIPPED", tmp_path)
    agent = NeuralAgent()
    assert agent.name == "ppo" and agent.fingerprint == ""
    with pytest.raises(ValueError, match="has no weights for solo games"):
        play(agent, [1])
    assert make_agent("ppo:draw=true").name == "ppo:draw=true"


def test_shipped_weights_are_half_as_large_and_choose_alike(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="the kinds of networks are those of train.networks")
    from train.ship import main

    path, small = write(tmp_path / "w.safetensors", "set"), tmp_path / "small.safetensors"
    assert main([str(path), str(small)]) == 0
    assert small.stat().st_size < 0.65 * path.stat().st_size
    batch = GameBatch(64, seed=1, num_players=1)
    seen, masks = batch.observe(), batch.action_masks
    chosen = [make_agent(f"ppo:{p}").act(seen, masks, GameView(batch)) for p in (path, small)]
    assert (chosen[0] == chosen[1]).mean() > 0.9
    with pytest.raises(SystemExit):
        main([str(tmp_path / "nothing"), str(small)])
