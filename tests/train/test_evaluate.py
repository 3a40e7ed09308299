"""Measuring policies on held-out deals, warm starts, learning curves, clocks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

torch = pytest.importorskip("torch", reason="the extra `train` is not installed")
pytest.importorskip("pydantic", reason="the extra `train` is not installed")

from agents import GameView, make_agent  # noqa: E402
from eval.table import game_seed  # noqa: E402
from nijar_env import GameBatch, load_box  # noqa: E402
from train.evaluate import (  # noqa: E402
    evaluate_difficulties,
    evaluate_solo,
    held_out_seeds,
    masked,
    most_likely,
    sample,
)
from train.inputs import Reader  # noqa: E402
from train.networks import make_network  # noqa: E402
from train.plots import Panel, draw_curves  # noqa: E402
from train.ppo_config import RewardSection, WarmStartSection  # noqa: E402
from train.warm_start import Lesson, learn, round_seed  # noqa: E402

CPU = torch.device("cpu")


def first_legal(seen: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]) -> Any:
    return masks.argmax(1)


def test_held_out_deals_are_their_own() -> None:
    seeds = held_out_seeds(0, 300)
    assert len(set(seeds.tolist())) == 300
    assert held_out_seeds(0, 10).tolist() == seeds[:10].tolist()
    assert not set(seeds.tolist()) & {game_seed(0, deal) for deal in range(1000)}
    assert not set(seeds.tolist()) & {round_seed(0, number) for number in range(1000)}
    assert seeds.min() > 10**9  # training begins with small seeds


def test_results_are_those_of_the_games() -> None:
    result = evaluate_solo(first_legal, "advanced", 5, seed=2)
    batch = GameBatch(
        5, 1, difficulty="advanced", seed=held_out_seeds(2, 5), auto_reset=False, reward="outcome"
    )
    while not batch.dones.all():
        batch.step(batch.action_masks.argmax(1))
    assert result.own_vp.tolist() == batch.final_scores[:, 0].tolist()
    assert result.competition_vp.tolist() == batch.final_scores[:, 1].tolist()
    assert result.won.tolist() == (batch.final_winners == 0).tolist()
    margin = (batch.final_scores[:, 0] - batch.final_scores[:, 1]).mean()
    assert result.margin == pytest.approx(margin)


def test_results_do_not_depend_on_the_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    one = evaluate_difficulties(first_legal, ["normal", "expert"], 7)
    monkeypatch.setattr("train.evaluate.MOST_AT_ONCE", 3)
    other = evaluate_difficulties(first_legal, ["normal", "expert"], 7)
    assert [r.own_vp.tolist() for r in one] == [r.own_vp.tolist() for r in other]
    assert [r.difficulty for r in one] == ["normal", "expert"]


def test_the_most_likely_legal_action_is_taken() -> None:
    network = make_network("mlp", 1, {"hidden": [8]})
    with torch.no_grad():
        network.policy_weight.normal_()
    batch = GameBatch(6, 1, seed=0)
    seen = batch.observe().copy()
    network.train()
    chosen = most_likely(network)(seen, batch.action_masks)
    assert network.training
    logits = masked(network(torch.from_numpy(seen))[0], torch.from_numpy(batch.action_masks))
    assert chosen.tolist() == logits.argmax(1).tolist()
    assert (batch.action_masks[np.arange(6), chosen] == 1).all()


@pytest.mark.parametrize("difficulty", ["normal", "expert"])
def test_a_network_of_choices_that_has_not_learnt_plays_as_light(difficulty: str) -> None:
    network = make_network("choices", 1, {"hidden": [4], "value_hidden": [4]})
    result = evaluate_solo(
        most_likely(network), difficulty, 6, seed=1, reader=Reader(network.reads)
    )
    batch = GameBatch(6, 1, difficulty=difficulty, seed=held_out_seeds(1, 6), auto_reset=False)
    light = make_agent("light")
    while not batch.dones.all():
        view = GameView(batch)
        actions = np.zeros(6, np.int64)
        actions[view.rows] = light.act(None, batch.action_masks[view.rows], view)
        batch.step(actions)
    assert result.own_vp.tolist() == batch.final_scores[:, 0].tolist()
    assert result.competition_vp.tolist() == batch.final_scores[:, 1].tolist()


def test_a_reader_gives_what_a_network_reads() -> None:
    batch = GameBatch(5, 2, seed=1)
    view = GameView(batch)
    plain, choices = Reader(), Reader("choices")
    assert plain.needs_observations and not choices.needs_observations
    np.testing.assert_array_equal(plain.of_batch(batch), batch.observe())
    seen = batch.observe().copy()
    assert plain.of_view(seen, view) is seen
    rows = choices.of_batch(batch)
    assert rows.shape == (5, choices.size(2)) == (5, choices.size(4))
    np.testing.assert_array_equal(choices.of_view(None, view), rows)
    # The buffer is used again, also after other batches, and holds nothing of theirs.
    kept = rows.copy()
    choices.of_batch(GameBatch(3, 1, seed=2))
    again = choices.of_batch(batch)
    np.testing.assert_array_equal(again, kept)
    batch.step(batch.action_masks.argmax(1))
    assert choices.of_batch(batch) is again and not np.array_equal(again, kept)
    np.testing.assert_array_equal(again, Reader("choices").of_batch(batch))


def lesson(network: Any, teacher: str = "random", **reward: Any) -> Lesson:
    return Lesson(
        make_agent(teacher),
        network,
        CPU,
        difficulty="normal",
        box=load_box(None),
        reward=RewardSection(**reward),
        gamma=1.0,
    )


def test_what_is_shown_is_what_the_teacher_does() -> None:
    network = make_network("mlp", 1, {"hidden": [8]})
    shown = lesson(network, scale=0.5).play(3, 0, seed=4)
    assert shown.masks[np.arange(len(shown.actions)), shown.actions].all()
    batch = GameBatch(3, 1, seed=4, auto_reset=False)
    np.testing.assert_array_equal(shown.observations[:3], batch.observe())
    own = lesson(network, scale=0.5).play(3, 3, seed=4)  # the network plays all three
    np.testing.assert_array_equal(own.actions[:3], shown.actions[:3])
    assert len(own.actions) != len(shown.actions) or (own.actions != shown.actions).any()


def test_returns_add_up_to_the_score() -> None:
    network = make_network("mlp", 1, {"hidden": [8]})
    shown = lesson(network, scale=1.0).play(1, 0, seed=4)
    vp = shown.observations[:, 0] * 0
    assert vp.shape == shown.returns.shape
    steps = -np.diff(shown.returns)
    np.testing.assert_allclose(steps.sum() + shown.returns[-1], shown.returns[0], atol=1e-4)
    assert shown.returns[0] == round(float(shown.returns[0]))


def test_a_network_learns_what_it_is_shown() -> None:
    torch.manual_seed(0)
    network = make_network("mlp", 1, {"hidden": [32]})
    optimizer = torch.optim.Adam(network.parameters())
    shown = lesson(network).play(4, 0, seed=1)
    section = WarmStartSection(passes=10, minibatch=64, learning_rate=3e-3)
    first = learn(network, optimizer, shown, section, CPU)
    last = learn(network, optimizer, shown, section, CPU)
    assert last["loss"] < first["loss"] and last["agreed"] > first["agreed"]
    assert last["error"] < first["error"]


def test_samples_follow_the_odds() -> None:
    torch.manual_seed(0)
    odds = torch.tensor([0.7, 0.2, 0.1]).log().expand(20_000, 3)
    shares = torch.bincount(sample(odds), minlength=3) / 20_000
    np.testing.assert_allclose(shares.numpy(), [0.7, 0.2, 0.1], atol=0.015)


def test_a_curve_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="the extra `train` is not installed")
    rows = [{"step": 0.0, "vp": 1.0}, {"step": 10.0}, {"step": 20.0, "vp": 3.0}]
    panels = [
        Panel("One", "VP", {"vp": "player"}, {"greedy": 80.0}),
        Panel("Nothing", "share", {"none": "x"}),
    ]
    path = draw_curves(tmp_path / "curve.png", rows, panels)
    assert path.read_bytes().startswith(b"\x89PNG")
    assert draw_curves(tmp_path / "empty.png", [], panels).exists()
