"""Cloning: a network learns what a simple teacher does, is kept, and is gone on with."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from agents import GameView, make_agent
from agents.base import Actions, Masks, Observations

torch = pytest.importorskip("torch", reason="networks are trained with PyTorch")
for library in ("pydantic", "yaml", "safetensors"):
    pytest.importorskip(library, reason="training needs it")

from agents.choice_network import mind_of  # noqa: E402
from agents.weights_file import read_weights  # noqa: E402
from nijar_env import GameBatch, load_box  # noqa: E402
from train.clone import main  # noqa: E402
from train.data import load_games  # noqa: E402
from train.generate import main as generate  # noqa: E402
from train.inputs import READS, Reader  # noqa: E402
from train.lessons import Lessons, vp_to_come  # noqa: E402
from train.rollouts import Rewards  # noqa: E402
from train.run import read_progress  # noqa: E402
from train.selfplay_config import RewardSection  # noqa: E402

HERE = __name__


class Last:
    """Takes the last legal action."""

    needs_observations = False

    def reset(self, seed: int) -> None:
        pass

    def act(self, observations: Observations | None, masks: Masks, games: GameView) -> Actions:
        return np.array([np.flatnonzero(mask)[-1] for mask in masks], np.int64)


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("data") / "last.npz"
    assert generate(["--teacher", f"{HERE}:Last", "--games", "40", "--out", str(path)]) == 0
    return path


def config(path: Path, games: Path, **changes: object) -> Path:
    values = {
        "name": "test",
        "data": [str(games)],
        "passes": 2,
        "held_out": 0.2,
        "network": {"kind": "mlp", "hidden": [32]},
        "learning": {"minibatch": 64, "learning_rate": 0.01},
        "measure": {"games": 0},
        **changes,
    }
    path.write_text(json.dumps(values), "utf-8")  # JSON is YAML too
    return path


def summary(folder: Path) -> dict[str, float]:
    return dict(json.loads((folder / "finished.json").read_text("utf-8")))


@pytest.mark.parametrize("network", [{"kind": "mlp", "hidden": [32]}, {"kind": "set", "dim": 8}])
def test_a_simple_teacher_is_learnt(
    network: dict[str, object], games: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    file = config(tmp_path / "c.yaml", games, network=network, passes=3, measure={"games": 2})
    assert main(["--config", str(file), "--out", str(folder)]) == 0
    found = summary(folder)
    rows = (folder / "progress.csv").read_text("utf-8").splitlines()
    names = rows[0].split(",")
    first = float(rows[1].split(",")[names.index("held_out/accuracy")])
    assert found["held_out/accuracy"] > max(first - 0.02, 0.8)
    assert found["held_out/loss"] < 0.6
    assert "normal/margin" in found
    for name in ("best", "last"):
        agent = make_agent(f"ppo:{folder / name}.safetensors")
        assert agent.needs_observations


def test_a_network_of_choices_learns_what_search_can_think_with(
    games: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    file = config(
        tmp_path / "c.yaml",
        games,
        passes=3,
        network={"kind": "choices", "hidden": [8], "value_hidden": [8]},
        learning={
            "minibatch": 64,
            "learning_rate": 0.01,
            "value_target": "vp",
            "rival": 0.25,
        },
        measure={"games": 2},
    )
    assert main(["--config", str(file), "--out", str(folder)]) == 0
    rows = read_progress(folder / "progress.csv")
    for figure in ("learning/loss", "learning/value_loss"):
        assert rows[-1][figure] < 0.5 * rows[0][figure]
    assert rows[-1]["held_out/loss"] < 0.4
    assert rows[-1]["held_out/explained"] > 0
    assert "normal/margin" in rows[-1]
    weights = read_weights(folder / "best.safetensors")
    assert weights.metadata["value"] == "vp"
    assert mind_of(weights).network.rival[0] == 0.25
    for name in ("search", "ppo"):
        assert not make_agent(f"{name}:{folder / 'last.safetensors'}").needs_observations


def test_values_of_weight_0_stay_as_they_were(games: Path, tmp_path: Path) -> None:
    network = {"kind": "choices", "hidden": [8], "value_hidden": [8]}
    with_values, without = tmp_path / "with", tmp_path / "without"
    learning = {"minibatch": 64, "value_target": "vp", "rival": 0.25}
    file = config(tmp_path / "a.yaml", games, passes=1, network=network, learning=learning)
    assert main(["--config", str(file), "--out", str(with_values)]) == 0
    start = with_values / "last.safetensors"
    file = config(
        tmp_path / "b.yaml",
        games,
        passes=2,
        network=network,
        start_from=str(start),
        # What the values are of is then what the file says that they come from.
        learning={"minibatch": 64, "value": 0, "sharpen": 200, "weight_decay": 0.5},
    )
    assert main(["--config", str(file), "--out", str(without)]) == 0
    before, after = read_weights(start), read_weights(without / "last.safetensors")
    changed = {name for name in before.arrays if (before.arrays[name] != after.arrays[name]).any()}
    assert changed and not {name for name in changed if name.startswith("value")}
    assert {name for name in before.arrays if name.startswith("value")}
    assert (after.metadata["value"], after.metadata["rival"]) == ("vp", "0.25")
    assert all(np.isfinite(array).all() for array in after.arrays.values())


def test_shares_of_any_power_are_shares(games: Path) -> None:
    """Also of a power for which 0.1 to it is no number any more."""
    data = load_games(games)
    data.odds[:, :2] = 0.6, 0.4
    box = load_box()
    common = {"reader": Reader("choices"), "value_target": "margin", "rival": 0.0, "keep_gb": 0.0}
    for power, best in ((1.0, 0.6), (2.0, 0.36 / 0.52), (2000.0, 1.0)):
        lessons = Lessons(data, box, 64, torch.device("cpu"), sharpen=power, **common)
        odds = next(lessons.in_order()).odds
        assert torch.allclose(odds.sum(1), torch.ones(len(odds)), atol=1e-3)
        assert torch.allclose(odds[:, 0], torch.full((len(odds),), best), atol=2e-3)


def test_vp_to_come_by_hand() -> None:
    present = np.array([[10, 4, 7, 99], [10, 4, 7, 99]], np.int16)
    final = np.array([[30, 20, 10, 0], [30, 20, 10, 0]], np.int16)  # 20, 16 and 3 to come
    seats = np.array([0, 2], np.int8)
    for rival, expected in (
        (0.0, [20, 3]),
        (0.5, [20 - (16 + 3) / 4, 3 - (20 + 16) / 4]),
        (1.0, [20 - (16 + 3) / 2, 3 - (20 + 16) / 2]),
    ):
        found = vp_to_come(final, present, seats, 3, rival)
        np.testing.assert_allclose(found, np.array(expected) / 50, rtol=1e-6)


@pytest.mark.parametrize("reads", READS)
@pytest.mark.parametrize("players", [1, 3])
def test_vp_to_come_is_what_self_play_pays(players: int, reads: str, tmp_path: Path) -> None:
    path, box, rival = tmp_path / "g.npz", load_box(None), 0.5
    command = ["--teacher", "light", "--games", "1", "--players", str(players), "--out", str(path)]
    assert generate(command) == 0
    data = load_games(path)
    lessons = Lessons(
        data,
        box,
        4096,
        torch.device("cpu"),
        reader=Reader(reads),
        value_target="vp",
        rival=rival,
        sharpen=1.0,
        keep_gb=0.0,
    )
    (lesson,) = lessons.in_order()
    batch = GameBatch(1, players, seed=data.seeds, components=box, auto_reset=False)
    rewards = Rewards(batch, RewardSection(scheme="vp", rival=rival))
    paid = []
    for action in data.played:
        batch.step(np.array([action]))
        paid.append(rewards.of_step(0.0)[0])
    assert batch.dones.all()
    to_come = np.cumsum(paid[::-1], axis=0)[::-1]
    expected = to_come[np.arange(len(paid)), data.seats]
    np.testing.assert_allclose(lesson.values.numpy(), expected, atol=1e-5)


def test_a_run_is_finished_once_and_names_its_faults(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    file = config(tmp_path / "c.yaml", games, passes=1)
    assert main(["--config", str(file), "--out", str(folder)]) == 0
    assert main(["--config", str(file), "--out", str(folder)]) == 0
    assert "nothing to do" in capsys.readouterr().out
    # A second run begins with the first one's weights.
    more = ["--out", str(tmp_path / "next"), "--set", f"start_from={folder}/best.safetensors"]
    assert main(["--config", str(file), *more]) == 0
    begun, gone_on = (summary(one)["learning/accuracy"] for one in (folder, tmp_path / "next"))
    assert gone_on > begun
    for change, message in (
        ("players=2", "the games have 1 players"),
        ("data=[/nowhere.npz]", "not a data set"),
        ("network.kind=tree", "no network is of kind"),
        ("learning.rival=0.5", "rival is for value_target: vp"),
        ("network.hidden=[16]", ""),
    ):
        out = str(tmp_path / f"fault {len(change)}")
        with pytest.raises(SystemExit):
            main(["--config", str(file), "--out", out, *more[2:], change])
        assert message in capsys.readouterr().err


@pytest.mark.parametrize("target", ["margin", "vp"])
def test_kept_observations_give_the_same_figures(target: str, games: Path, tmp_path: Path) -> None:
    """The held-out games do not depend on where observations come from."""
    found = []
    for keep in (0.0, 1.0):
        folder = tmp_path / f"keep {keep}"
        learning = {"minibatch": 4096, "value_target": target, "learning_rate": 1e-9}
        file = config(tmp_path / "c.yaml", games, passes=1, keep_gb=keep, learning=learning)
        assert main(["--config", str(file), "--out", str(folder)]) == 0
        found.append(summary(folder))
    for name in ("held_out/loss", "held_out/value_loss", "held_out/accuracy"):
        assert found[0][name] == pytest.approx(found[1][name], rel=1e-4)


def test_a_run_whose_time_runs_out_while_it_measures_is_measured(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Time runs out between any two looks at the clock."""
    from train import clone

    file = config(tmp_path / "c.yaml", games, passes=50, max_minutes=1000, measure={"games": 1})
    for looks in (1, 2):
        left = [0.1] * looks
        # Looks from within a pass do not count.
        monkeypatch.setattr(clone.Clone, "_until_time_is_up", lambda self, lessons: lessons)
        monkeypatch.setattr(clone.Clone, "_rate", lambda self, progress: 1e-4)
        monkeypatch.setattr(
            clone.Clone,
            "_progress",
            lambda self, seen, left=left: 0.1 if seen else left.pop() if left else 1.0,
        )
        folder = tmp_path / f"run {looks}"
        assert main(["--config", str(file), "--out", str(folder)]) == 0
        assert "normal/win_rate" in summary(folder)


def test_a_stopped_run_goes_on(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from train import clone

    file = config(tmp_path / "c.yaml", games, passes=3, checkpoint_minutes=0)
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    assert main(["--config", str(file), "--out", str(whole)]) == 0
    held_out = clone.Clone._held_out
    calls = []

    def stop(self: clone.Clone) -> dict[str, float]:
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return held_out(self)

    monkeypatch.setattr(clone.Clone, "_held_out", stop)
    assert main(["--config", str(file), "--out", str(stopped)]) != 0
    monkeypatch.setattr(clone.Clone, "_held_out", held_out)
    assert main(["--config", str(file), "--out", str(stopped)]) == 0
    one, other = summary(whole), summary(stopped)
    for name in ("passes", "held_out/loss", "learning/loss"):
        assert one[name] == other[name]
