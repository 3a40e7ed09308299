"""MaskablePPO on the native batch: exact resumption, exported weights, the network as a policy."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

for needed in ("torch", "stable_baselines3", "sb3_contrib", "safetensors", "pydantic", "yaml"):
    pytest.importorskip(needed, reason="the extra `train` is not installed")

import torch  # noqa: E402

from agents.weights_file import read_weights  # noqa: E402
from nijar_env import load_box  # noqa: E402
from train import ppo, ppo_training  # noqa: E402
from train.config import load_config  # noqa: E402
from train.ppo_config import PpoConfig  # noqa: E402
from train.ppo_model import make_model, stagger  # noqa: E402
from train.progress import Clock  # noqa: E402
from train.run import Run, read_progress  # noqa: E402
from train.state import read_state  # noqa: E402

from .killing import kill_when_logged  # noqa: E402

TINY = """
name: tiny
seed: 5
games: 8
total_steps: 1024
checkpoint_minutes: 0
network: {kind: mlp, hidden: [16]}
warm_start: {teacher: light, rounds: 2, games: 4, minibatch: 128}
ppo: {steps: 16, minibatch: 64, epochs: 2, schedule: linear}
evaluation: {every_steps: 256, games: 4}
benchmark: null
"""
BOX = load_box(None)


def write_config(folder: Path, text: str = TINY) -> Path:
    path = folder / "tiny.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def run(config: Path, out: Path, *more: str) -> int:
    return ppo.main(["--config", str(config), "--out", str(out), *more])


def without_times(tree: Any) -> Any:
    if isinstance(tree, dict):
        return {k: without_times(v) for k, v in tree.items() if "seconds" not in k and k != "log"}
    if isinstance(tree, (np.ndarray, torch.Tensor)):
        return str(tree.dtype), tree.tolist()
    return [without_times(one) for one in tree] if isinstance(tree, list) else tree


def assert_same_run(one: Path, other: Path) -> None:
    """The same weights, checkpoints and logs, bit by bit; only times may differ."""
    for name in ("best.safetensors", "last.safetensors"):
        a, b = (read_weights(folder / name).arrays for folder in (one, other))
        assert a.keys() == b.keys()
        assert all(a[key].tobytes() == b[key].tobytes() for key in a)
    states = [without_times(read_state(f / "checkpoint.safetensors")) for f in (one, other)]
    assert states[0] == states[1]
    logs = [
        [{k: v for k, v in row.items() if "seconds" not in k} for row in rows]
        for rows in (read_progress(f / "progress.csv") for f in (one, other))
    ]
    assert logs[0] == logs[1]
    assert (one / "finished.json").exists() and (other / "finished.json").exists()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that nothing has interrupted."""
    folder = tmp_path_factory.mktemp("whole")
    assert run(write_config(folder), folder / "run") == 0
    return folder / "run"


def test_a_run_leaves_everything_behind(whole: Path) -> None:
    names = {one.name for one in whole.iterdir() if not one.name.startswith(".")}
    assert names >= {
        "best.safetensors",
        "checkpoint.safetensors",
        "config.yaml",
        "finished.json",
        "last.safetensors",
        "learning-curve.png",
        "progress.csv",
        "provenance.json",
        "tensorboard",
    }
    rows = read_progress(whole / "progress.csv")
    assert [row["environment_steps"] for row in rows if "environment_steps" in row] == [
        128.0 * k for k in range(1, 9)
    ]
    measured = [row for row in rows if "held_out/margin" in row]
    assert len(measured) == 6  # before, after the warm start, and every 256 steps
    assert load_config(whole / "config.yaml", PpoConfig).total_steps == 1024


def test_the_same_command_on_a_finished_run_says_so(
    whole: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = write_config(whole.parent)
    before = (whole / "last.safetensors").read_bytes()
    assert run(config, whole) == 0
    assert "is finished: nothing to do" in capsys.readouterr().out
    assert (whole / "last.safetensors").read_bytes() == before


def test_a_changed_configuration_is_refused(
    whole: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        run(write_config(whole.parent), whole, "--set", "ppo.epochs=3")
    assert caught.value.code == 2
    assert "holds another run: ppo.epochs is 2 there, 3 here" in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is POSIX")
def test_a_killed_run_that_is_gone_on_with_equals_an_uninterrupted_one(
    whole: Path, tmp_path: Path
) -> None:
    kill_when_logged("train.ppo", write_config(tmp_path), tmp_path / "run", lines=6)
    assert not (tmp_path / "run" / "finished.json").exists()
    assert run(tmp_path / "tiny.yaml", tmp_path / "run") == 0
    assert_same_run(whole, tmp_path / "run")


class Stop(BaseException):
    """Ends a run where a test wants it."""


def stop_after(config: Path, folder: Path, at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Checkpoints at every third line of the log, and a stop after line `at`, before its own."""
    lines = 0
    log, checkpoint = Run.log, Run.checkpoint

    def stopping_log(self: Run, step: int, values: dict[str, float]) -> None:
        nonlocal lines
        log(self, step, values)
        lines += 1
        if lines == at:
            raise Stop

    def rare_checkpoint(self: Run, gather: Callable[[], Any], *, now: bool = False) -> bool:
        return checkpoint(self, gather, now=now) if now or lines % 3 == 0 else False

    with monkeypatch.context() as patch:
        patch.setattr(Run, "log", stopping_log)
        patch.setattr(Run, "checkpoint", rare_checkpoint)
        with pytest.raises(Stop):
            run(config, folder)


@pytest.mark.parametrize("at", [1, 2, 3, 5, 7, 10])
def test_a_run_may_be_stopped_anywhere(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    config, folder = write_config(tmp_path), tmp_path / "run"
    stop_after(config, folder, at, monkeypatch)
    assert run(config, folder) == 0
    assert_same_run(whole, folder)


@pytest.mark.parametrize(
    "network", ["kind: set, dim: 8, trunk: 16, heads: 2", "kind: choices, hidden: [8]"]
)
def test_so_may_a_run_of_a_network_with_constants(
    network: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = TINY.replace("kind: mlp, hidden: [16]", network)
    config = write_config(tmp_path, text.replace("total_steps: 1024", "total_steps: 512"))
    assert run(config, tmp_path / "whole") == 0
    stop_after(config, tmp_path / "stopped", 5, monkeypatch)
    assert run(config, tmp_path / "stopped") == 0
    assert_same_run(tmp_path / "whole", tmp_path / "stopped")


def test_the_exported_weights_are_the_network_that_was_trained(whole: Path) -> None:
    state = read_state(whole / "checkpoint.safetensors")["state"]["model"]["network"]
    exported = read_weights(whole / "last.safetensors", box=BOX, num_players=1)
    assert exported.arrays.keys() == state.keys()
    for name, array in exported.arrays.items():
        assert array.tobytes() == state[name].numpy().tobytes()
    assert exported.kind == "mlp" and exported.options["hidden"] == [16]
    assert exported.metadata["trained"] == "ppo"


def test_start_from_takes_weights_over(whole: Path, tmp_path: Path) -> None:
    text = TINY.replace("total_steps: 1024", "total_steps: 128")
    text = text.replace("warm_start:", "# warm_start:").replace("epochs: 2", "learning_rate: 1e-30")
    weights = whole / "last.safetensors"
    config = write_config(tmp_path, f"{text}\nstart_from: {weights}\n")
    assert run(config, tmp_path / "run") == 0
    before, after = (
        read_weights(path).arrays for path in (weights, tmp_path / "run" / "last.safetensors")
    )
    for name in before:
        np.testing.assert_array_equal(before[name], after[name])


def test_start_from_another_network_is_refused(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    weights = whole / "last.safetensors"
    config = write_config(tmp_path, TINY.replace("[16]", "[17]") + f"start_from: {weights}\n")
    with pytest.raises(SystemExit):
        run(config, tmp_path / "run")
    assert "is a network of kind mlp" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("epochs:", "epoch:", "unknown key 'ppo.epoch'; did you mean 'epochs'?"),
        ("seed: 5", "components: nowhere", "components: "),
        ("seed: 5", "device: cuda:99", "device: 'cuda:99' is not there; write 'auto' or 'cpu'"),
        ("seed: 5", "start_from: nowhere", "nowhere cannot be read: No such file"),
        ("hidden: [16]", "hiden: [16]", "network 'mlp' has no option 'hiden'; it takes hidden"),
        ("teacher: light", "teacher: lihgt", "no agent is named 'lihgt'; did you mean 'light'?"),
        ("benchmark: null", "benchmark: {beside: [me]}", "no agent is named 'me'"),
    ],
)
def test_what_is_wrong_is_said_in_one_line_and_nothing_is_trained(
    old: str, new: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        run(write_config(tmp_path, TINY.replace(old, new)), tmp_path / "run")
    assert caught.value.code == 2
    said = capsys.readouterr().err.strip()
    assert message in said and "\n" not in said
    assert not (tmp_path / "run" / "best.safetensors").exists()


def test_training_ends_where_nothing_is_gained(tmp_path: Path) -> None:
    text = TINY.replace("every_steps: 256", "every_steps: 1, patience: 2, min_gain: 1000")
    assert run(write_config(tmp_path, text), tmp_path / "run") == 0
    rows = read_progress(tmp_path / "run" / "progress.csv")
    assert rows[-1]["environment_steps"] == 128
    assert "no gain in 2 measurements" in (tmp_path / "run" / "finished.json").read_text()


def policy_and_games() -> tuple[Any, Any]:
    config = PpoConfig(name="a", games=4, ppo={"steps": 4, "minibatch": 16})  # type: ignore[arg-type]
    model, games = make_model(config, BOX, torch.device("cpu"), Clock())
    return model.policy, games


def test_the_policy_draws_legal_actions_by_their_odds() -> None:
    torch.manual_seed(0)
    policy, games = policy_and_games()
    seen = torch.from_numpy(games.reset()[:1])
    mask = games.action_masks()[:1]
    legal = np.flatnonzero(mask[0])
    with torch.no_grad():
        policy.network.policy_weight.normal_()
        odds = policy.get_distribution(seen, mask).distribution.probs[0].numpy()
        actions, values, log_odds = policy.forward(
            seen.expand(4000, -1), action_masks=mask.repeat(4000, 0)
        )
        same_values, same_odds, entropy = policy.evaluate_actions(
            seen.expand(4000, -1), actions, mask.repeat(4000, 0).astype(np.float32)
        )
    counts = np.bincount(actions.numpy(), minlength=mask.shape[1])
    assert set(np.flatnonzero(counts)) <= set(legal.tolist())
    np.testing.assert_allclose(counts / 4000, odds, atol=0.04)
    np.testing.assert_allclose(log_odds.exp().numpy(), odds[actions.numpy()], rtol=1e-4)
    assert torch.equal(values, same_values) and torch.equal(log_odds, same_odds)
    expected = -(odds[legal] * np.log(odds[legal])).sum()
    np.testing.assert_allclose(entropy[0].item(), expected, rtol=1e-4)
    best, _, _ = policy.forward(seen, deterministic=True, action_masks=mask)
    assert best.item() == odds.argmax()
    chosen, _ = policy.predict(seen.numpy(), deterministic=True, action_masks=mask)
    assert chosen[0] == best.item()


def test_rewards_are_scaled_and_may_count_the_rival() -> None:
    def play(**reward: Any) -> Any:
        config = PpoConfig(
            name="a",
            games=4,
            ppo={"steps": 4, "minibatch": 16},
            reward=reward,  # type: ignore[arg-type]
        )
        _, games = make_model(config, BOX, torch.device("cpu"), Clock())
        games.reset()
        paid = np.zeros(4)
        done = np.zeros(4, bool)
        scores = np.zeros((4, 2))
        while not done.all():
            _, rewards, dones, infos = games.step(games.action_masks().argmax(1))
            paid += np.where(done, 0, rewards)
            for i in np.flatnonzero(dones & ~done):
                scores[i] = infos[i]["scores"]
            done |= dones
        return paid, scores

    paid, scores = play(scale=0.02)
    np.testing.assert_allclose(paid, 0.02 * scores[:, 0], atol=1e-5)
    paid, scores = play(scale=0.5, rival=0.25)
    np.testing.assert_allclose(paid, 0.5 * (scores[:, 0] - 0.25 * scores[:, 1]), atol=1e-4)


def test_games_begin_at_different_stages() -> None:
    torch.manual_seed(0)
    config = PpoConfig(name="a", games=20, ppo={"steps": 4, "minibatch": 16})  # type: ignore[arg-type]
    model, games = make_model(config, BOX, torch.device("cpu"), Clock())
    model._setup_learn(1)
    before = model._last_obs.copy()
    stagger(model, games)
    batch = games.vector.batch
    np.testing.assert_array_equal(batch.observe(), model._last_obs)
    np.testing.assert_array_equal(batch.observe()[0], before[0])
    stages = {(int(e), int(d)) for e, d in zip(batch.episodes, games._lengths, strict=True)}
    assert len(stages) > 15
    games.step(games.action_masks().argmax(1))


def test_the_benchmark_is_run_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[list[str]] = []
    codes = iter([130, 0])

    def benchmark(arguments: list[str]) -> int:
        asked.append(arguments)
        return next(codes)

    monkeypatch.setattr(ppo.benchmark, "main", benchmark)
    text = TINY.replace("benchmark: null", "benchmark: {games: 3, beside: [random], replays: true}")
    text = text.replace("total_steps: 1024", "total_steps: 128")
    config, folder = write_config(tmp_path, text), tmp_path / "run"
    with pytest.raises(SystemExit) as caught:
        run(config, folder)
    assert caught.value.code == 130 and not (folder / "finished.json").exists()
    assert run(config, folder) == 0  # goes on with the benchmark
    agent = f"ppo:{folder.as_posix()}/{ppo_training.BEST}"
    assert asked[0] == asked[1]
    assert asked[0][asked[0].index("--replays") + 1] == str(folder / "replays")
    assert asked[0][:5] == ["--agent", agent, "random", "--games", "3"]
    assert agent in capsys.readouterr().out
    assert (folder / "finished.json").exists()
