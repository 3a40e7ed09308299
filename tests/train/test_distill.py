"""Expert iteration: rounds of playing, learning and measuring, gone on with wherever they stop."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="networks are trained with PyTorch")
for library in ("pydantic", "yaml", "safetensors"):
    pytest.importorskip(library, reason="training needs it")

from agents import GameView, make_agent  # noqa: E402
from agents.weights_file import Weights, read_weights  # noqa: E402
from nijar_env import GameBatch, load_box  # noqa: E402
from train import clone, distill  # noqa: E402
from train.config import load_config  # noqa: E402
from train.data import load_games  # noqa: E402
from train.distill import main  # noqa: E402
from train.distill_config import DistillConfig  # noqa: E402
from train.networks import make_network  # noqa: E402
from train.run import read_progress  # noqa: E402
from train.weights import write_weights  # noqa: E402

ROOT = Path(__file__).parents[2]
NETWORK = {"kind": "choices", "hidden": [8], "value_hidden": [8]}
TINY: dict[str, Any] = {
    "name": "tiny",
    "device": "cpu",
    "rounds": 2,
    "window": 2,
    "held_out": 0,
    "checkpoint_minutes": 0,
    "network": NETWORK,
    "games": {"per_round": 2, "iterations": 4, "first_teacher": "mcts:iterations=4"},
    "learning": {"minibatch": 64},
    "evaluation": {"deals": 2, "opponents": ["normal", "expert"]},
}


def train(folder: Path, **changes: Any) -> int:
    file = folder.with_suffix(".yaml")
    file.write_text(json.dumps({**TINY, **changes}), "utf-8")  # JSON is YAML too
    return main(["--config", str(file), "--out", str(folder)])


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run."""
    folder = tmp_path_factory.mktemp("distill") / "tiny"
    assert train(folder) == 0
    return folder


def play_some(spec: str, players: int = 1) -> None:
    """Have an agent take some decisions; the batch refuses illegal ones."""
    agent, batch = make_agent(spec), GameBatch(2, players, seed=3, auto_reset=False)
    agent.reset(1)
    for _ in range(12):
        view = GameView(batch)
        assert not agent.needs_observations
        batch.step(agent.act(None, batch.action_masks, view))


def test_a_run_ends_with_weights_to_search_and_to_play_with(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    summary = json.loads((run / "finished.json").read_text("utf-8"))
    assert summary["rounds"] == 2 and summary["games"] == 4
    assert summary["agent"] == f"search:{(run / 'last.safetensors').as_posix()}"
    play_some(f"search:{run / 'last.safetensors'}:iterations=4")
    play_some(f"ppo:{run / 'best.safetensors'}")
    weights = read_weights(run / "last.safetensors", box=load_box(None), num_players=1)
    for key, value in (("trained", "distill"), ("round", "2"), ("value", "vp"), ("rival", "0.5")):
        assert weights.metadata[key] == value
    assert weights.fingerprint == read_weights(run / "weights" / "0002.safetensors").fingerprint
    assert train(run) == 0
    assert "nothing to do" in capsys.readouterr().out


def test_each_round_searches_with_the_last_ones_weights_on_new_deals(run: Path) -> None:
    first, second = (load_games(run / "games" / f"{n:04}.npz") for n in (1, 2))
    assert first.header["teacher"] == "mcts:iterations=4"
    path = (run / "weights" / "0001.safetensors").as_posix()
    assert second.header["teacher"] == f"search:{path}:iterations=4"
    assert first.seeds.tolist() == [30_000_000, 30_000_001]
    assert second.seeds.tolist() == [30_000_002, 30_000_003]
    visits = second.odds.astype(float)
    assert ((visits > 0) & (visits < 1)).any()
    learned = json.loads((run / "learning" / "0002" / "provenance.json").read_text("utf-8"))
    assert len(learned["config"]["data"]) == 2  # the window is of two rounds
    assert learned["config"]["learning"]["value_target"] == "vp"


def test_the_log_has_a_line_for_the_beginning_and_for_each_round(run: Path) -> None:
    rows = read_progress(run / "progress.csv")
    assert [row["step"] for row in rows] == [0, 2, 4]
    for row in rows:
        both = [row["ladder/normal/margin"], row["ladder/expert/margin"]]
        assert row["ladder/margin"] == pytest.approx(np.mean(both))
    for row in rows[1:]:
        assert {"games/vp", "learning/loss", "learning/value_loss", "seconds/playing"} <= set(row)
    best = read_weights(run / "best.safetensors").metadata["round"]
    margins = [row["ladder/margin"] for row in rows]
    assert int(best) == int(np.argmax(margins))


def test_a_run_goes_on_wherever_it_was_stopped(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "tiny"

    def stop_at(owner: Any, name: str, call: int) -> None:
        """Stop the run at a call of a function."""
        whole: Callable[..., Any] = getattr(owner, name)
        calls = []

        def stopping(*args: Any, **kwargs: Any) -> Any:
            calls.append(1)
            if len(calls) == call:
                raise KeyboardInterrupt
            return whole(*args, **kwargs)

        with monkeypatch.context() as patch:
            patch.setattr(owner, name, stopping)
            assert train(folder) == 130

    stop_at(distill, "measure", 1)  # of the beginning
    stop_at(clone.Clone, "_held_out", 2)  # round 1, in the second pass
    stop_at(distill, "measure", 1)  # of round 1
    stop_at(distill, "play_games", 1)  # of round 2
    assert train(folder) == 0

    def facts(where: Path) -> tuple[list[str], list[dict[str, float]]]:
        rows = read_progress(where / "progress.csv")
        plain = [{k: v for k, v in row.items() if "seconds" not in k} for row in rows]
        return [
            read_weights(where / f"weights/{n:04}.safetensors").fingerprint for n in range(3)
        ], plain

    assert facts(folder) == facts(run)


def test_a_table_of_two_begins_with_solo_weights(run: Path, tmp_path: Path) -> None:
    folder = tmp_path / "two"
    changes: dict[str, Any] = {
        "players": 2,
        "rounds": 1,
        "workers": 2,
        "held_out": 0.3,
        "start_from": str(run / "last.safetensors"),
        "games": {"per_round": 9, "iterations": 2, "mix": 0.2},
        "evaluation": {"deals": 1, "opponents": ["light"]},
    }
    assert train(folder, **changes) == 0
    data = load_games(folder / "games" / "0001.npz")
    assert data.num_games == 9 and data.num_players == 2
    assert data.header["teacher"].startswith("search:") and data.header["mix"].startswith("ppo:")
    assert 0 < (data.played != data.choices[:, 0]).mean() < 0.2
    row = read_progress(folder / "progress.csv")[-1]
    assert "held_out/loss" in row and "ladder/light/win_rate" in row
    play_some(f"search:{folder / 'last.safetensors'}:iterations=2", players=2)


def weights_of(path: Path, **extra: str) -> Path:
    """Untrained weights of NETWORK."""
    options = {k: v for k, v in NETWORK.items() if k != "kind"}
    network = make_network("choices", 1, options)
    write_weights(
        path,
        network.state_dict(),
        kind="choices",
        options=network.options,
        num_players=1,
        box=load_box(None),
        command="test",
        extra=extra,
    )
    assert isinstance(read_weights(path), Weights)
    return path


def test_weights_that_search_cannot_think_with_are_no_beginning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = weights_of(tmp_path / "w.safetensors", value="margin")
    with pytest.raises(SystemExit):
        train(tmp_path / "run", start_from=str(path))
    said = capsys.readouterr().err
    assert "values are VP to come" in said and said.count("\n") == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("network.kind=mlp", "network.kind must be choices"),
        ("network.hidden=[8,8]", "network.hidden must list one layer size"),
        ("network.width=8", "width"),
        ("learning.value_target=margin", "learning.value_target must be 'vp'"),
        ("players=5", "players must be less than or equal to 4"),
        ("evaluation.opponents=[greedy]", "of normal, advanced, expert, not 'greedy'"),
        ("evaluation.opponents=[expert,expert]", "name each once"),
        ("games.first_seed=5", "games.first_seed must be greater than or equal to 10000000"),
        ("games.first_seed=549755813887", "must leave room"),
        ("games.first_teacher=nobody", "no agent is named 'nobody'"),
        ("games.iteration=5", "did you mean 'iterations'?"),
        ("held_out=0.05", "give more games.per_round"),
        ("rounds=0", "rounds must be greater than or equal to 1"),
        ("learning.value=0", "learning.value must be above 0 without start_from"),
    ],
)
def test_faults_of_the_configuration_are_one_line(
    change: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "c.yaml"
    file.write_text(json.dumps(TINY), "utf-8")
    with pytest.raises(SystemExit) as stopped:
        main(["--config", str(file), "--out", str(tmp_path / "run"), "--set", change])
    said = capsys.readouterr().err
    assert stopped.value.code == 2
    assert message in said and said.count("\n") == 1
    assert not (tmp_path / "run").exists()


def test_what_another_version_left_unfinished_is_refused_in_one_line(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "tiny"
    parts = folder / "games" / "0001.npz.parts"
    begin = distill.Distill.__init__

    def with_parts(self: distill.Distill, *args: Any) -> None:
        begin(self, *args)
        parts.mkdir()
        for name, text in (("header.json", "{}"), ("000000.npz", "of whatever it is")):
            (parts / name).write_text(text, "utf-8")

    monkeypatch.setattr(distill.Distill, "__init__", with_parts)
    with pytest.raises(SystemExit, match="remove it to begin anew"):
        train(folder)


def test_the_file_of_the_configuration_names_every_key() -> None:
    import yaml

    path = ROOT / "configs" / "distill_solo.yaml"
    config = load_config(path, DistillConfig)
    given = yaml.safe_load(path.read_text("utf-8"))
    given["learning"]["value_target"] = "vp"  # there is no choice
    assert set(given) == set(DistillConfig.model_fields)
    for name in ("games", "learning", "evaluation"):
        assert set(given[name]) == set(type(getattr(config, name)).model_fields)


def test_a_difficulty_at_a_table_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    games = {**TINY["games"], "difficulty": "expert"}
    with pytest.raises(SystemExit):
        train(tmp_path / "run", players=2, games=games, evaluation={"opponents": ["light"]})
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert "games.difficulty is of solo games (players: 1), not of tables of 2" in line
    assert not (tmp_path / "run").exists()
