"""The fit of greedy's weights."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from agents import greedy_fit
from agents.greedy_fit import Trajectory, ridge, shares_of_knots, solve, temporal_differences
from agents.greedy_weights import FEATURES, KNOTS, MOST_TURNS, NUM_FEATURES, by_turns


def test_vp_features_are_features() -> None:
    assert set(greedy_fit.VP_FEATURES.split()) < {name for name, _, _ in FEATURES}


def test_shares_of_knots_are_how_weights_are_read() -> None:
    table = np.random.default_rng(1).normal(size=(NUM_FEATURES, len(KNOTS)))
    assert shares_of_knots().shape == (MOST_TURNS + 1, len(KNOTS))
    assert shares_of_knots() @ table.T == pytest.approx(by_turns(table))


def test_the_ridge_leaves_the_start_alone_and_is_positive() -> None:
    assert np.linalg.eigvalsh(ridge()).min() > 0
    start = np.ones((NUM_FEATURES, len(KNOTS)))
    nothing = (np.zeros_like(ridge()), np.zeros(start.size))
    assert solve([nothing], start) == pytest.approx(start)


def test_weights_that_explain_every_gain_are_found() -> None:
    """Worth that goes over into VP bit by bit, without chance."""
    rng = np.random.default_rng(2)
    true = np.zeros((NUM_FEATURES, len(KNOTS)))
    true[:4] = [[1.0, 2.0, 3.0], [0.5, 0.5, 0.5], [-1.0, 0.0, 1.0], [0.2, 0.4, 0.2]]
    weights = by_turns(true)
    paths = []
    for _ in range(400):
        turns = list(range(MOST_TURNS, -1, -3))
        features = [np.zeros(NUM_FEATURES) for _ in turns]
        for row in features:
            row[:4] = rng.uniform(0, 5, 4)
        final = 50.0
        worth = [final - float(weights[t] @ row) for t, row in zip(turns, features, strict=True)]
        paths.append(Trajectory(features, turns, worth, final))
    matrix, vector = temporal_differences(paths)
    found = solve([(1e6 * matrix, 1e6 * vector)], np.zeros_like(true))
    assert found[:4] == pytest.approx(true[:4], abs=1e-3)
    assert found[4:] == pytest.approx(0, abs=1e-3)


def test_a_small_fit_from_end_to_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "weights.json"
    arguments = ["--rounds", "2", "--games", "5", "--measured", "3", "--beam", "2"]
    greedy_fit.main([*arguments, "--out", str(out)])
    assert "round 1: VP" in capsys.readouterr().out
    table = json.loads(out.read_text())
    assert list(table) == [name for name, _, _ in FEATURES]
    assert all(len(row) == len(KNOTS) for row in table.values())
    with pytest.raises(SystemExit):
        greedy_fit.main([*arguments, "--out", str(out)])
