"""The fit of light's weights: what is noted of a teacher's games, and what is learnt from it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from agents import light_fit, make_agent
from agents.greedy_weights import NUM_FEATURES
from agents.light_fit import MODES, MOST_LEGAL, Choices, gather
from agents.light_heads import NUM_HEADS
from agents.light_weights import light_policy, read_policy

from .looks import looks_at
from .test_registry import First

SPEC = f"{First.__module__}:First"


@pytest.fixture(scope="module")
def noted() -> Choices:
    """What is noted of two games of each kind."""
    return gather(make_agent("random"), 2, light_fit.FIRST_SEED)


def test_all_choices_of_all_kinds_of_games_are_noted(noted: Choices) -> None:
    n = len(noted.counts)
    assert n > 2 * 50 * (3 + 2 + 3 + 4) / 2
    assert all(len(column) == n for column in noted)
    assert (noted.counts > 1).all() and (noted.counts <= MOST_LEGAL).all()
    assert (noted.places >= 0).all() and (noted.places < noted.counts).all()
    assert noted.features.shape == (n, NUM_FEATURES) and np.isfinite(noted.features).all()
    assert (noted.features[:, 0] == 1).all()
    assert noted.heads.min() >= 0 and noted.heads.max() == NUM_HEADS  # none
    beyond = np.arange(MOST_LEGAL) >= noted.counts[:, None]
    assert (noted.heads[beyond] == NUM_HEADS).all() and (noted.menus[beyond] == 0).all()
    assert (noted.heads[~beyond][:, 0] < NUM_HEADS).all()


def test_what_is_noted_is_what_light_looks_at() -> None:
    from agents import GameView
    from agents.greedy_weights import by_turns, fitted_weights
    from agents.mind import make_mind

    from .games import first_choices, states_in_play

    mind = make_mind(by_turns(fitted_weights()), np.zeros_like(light_policy()))
    for batch in states_in_play(2):
        chosen = np.array(first_choices(batch, make_agent("random")))
        found = light_fit._note(batch, GameView(batch), chosen, mind)
        looks = looks_at(batch.games)
        used = [k for k, look in enumerate(looks) if 1 < len(look.actions) <= MOST_LEGAL]
        assert len(found.counts) == len(used)
        for at, k in enumerate(used):
            look, n = looks[k], int(found.counts[at])
            assert n == len(look.actions)
            assert look.actions[found.places[at]] == chosen[k]
            assert found.features[at] == pytest.approx(look.features, rel=1e-6)
            assert found.menus[at, :n].tolist() == look.menus.tolist()
            assert found.row_actions[at].tolist() == look.row_actions.tolist()
            for action in range(n):
                count = len(look.heads[action])
                heads = [head for head, _ in look.heads[action]]
                times = [time for _, time in look.heads[action]]
                assert found.heads[at, action, :count].tolist() == heads
                assert (found.heads[at, action, count:] == NUM_HEADS).all()
                assert found.times[at, action, :count] == pytest.approx(times, rel=1e-3)


def foretold(choices: Choices, policy: np.ndarray) -> float:
    """The share of choices that a policy finds likeliest, by the fit's own scores."""
    torch = pytest.importorskip("torch")
    weights = torch.tensor(np.vstack([policy, np.zeros((1, NUM_FEATURES), np.float32)]))
    features = torch.tensor(choices.features)
    scores = light_fit._scores(torch, weights, features, choices, np.arange(len(choices.counts)))
    return float((scores.argmax(1).numpy() == choices.places).mean())


def test_scores_of_the_fit_are_those_of_the_policy(noted: Choices) -> None:
    torch = pytest.importorskip("torch")
    from .games import states_in_play
    from .test_light_items import scores

    policy = light_policy()
    batch = states_in_play(2)[3]
    from agents import GameView
    from agents.greedy_weights import by_turns, fitted_weights
    from agents.mind import make_mind

    mind = make_mind(by_turns(fitted_weights()), np.zeros_like(policy))
    chosen = batch.action_masks.argmax(axis=1).astype(np.int64)
    found = light_fit._note(batch, GameView(batch), chosen, mind)
    weights = torch.tensor(np.vstack([policy, np.zeros((1, NUM_FEATURES), np.float32)]))
    rows = np.arange(len(found.counts))
    told = light_fit._scores(torch, weights, torch.tensor(found.features), found, rows).numpy()
    looks = [look for look in looks_at(batch.games) if 1 < len(look.actions) <= MOST_LEGAL]
    for at, look in enumerate(looks):
        n = len(look.actions)
        assert told[at, :n] == pytest.approx(scores(look, policy.astype(float)), rel=1e-2, abs=0.02)
        assert (told[at, n:] < -1e8).all()


def test_a_teacher_without_chance_is_foretold(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch")
    out = tmp_path / "weights.npz"
    arguments = ["--teacher", SPEC, "--games", "2", "--passes", "12", "--out", str(out)]
    assert light_fit.main(arguments) == 0
    told = capsys.readouterr().out
    assert len(MODES) == told.count(": played") and " decisions" in told
    assert told.count("foretold") == 12
    policy = read_policy(out)
    assert policy.shape == light_policy().shape and np.isfinite(policy).all()
    others = gather(First(), 1, light_fit.FIRST_SEED + 50_000)
    chance = float((1 / others.counts).mean())
    assert foretold(others, policy) > chance + 0.25
    before = out.read_bytes()
    with pytest.raises(SystemExit) as end:
        light_fit.main(arguments)
    assert end.value.code == 2 and "exists already" in capsys.readouterr().err
    assert out.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--out", "w.txt"], "must end in .npz"),
        (["--out", "nowhere/w.npz"], "there is no folder"),
        (["--out", "w.npz", "--games", "0"], "at least 1"),
        (["--out", "w.npz", "--passes", "0"], "at least 1"),
        (["--out", "w.npz", "--teacher", "gredy"], "did you mean 'greedy'"),
        (["--games", "2"], "--out"),
    ],
)
def test_a_wrong_argument_gets_one_line(
    arguments: list[str],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as end:
        light_fit.main(arguments)
    assert end.value.code == 2
    assert words in capsys.readouterr().err.strip().splitlines()[-1]
    assert not list(tmp_path.iterdir())


def test_without_torch_the_command_says_what_it_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    with pytest.raises(SystemExit):
        light_fit.main(["--out", str(tmp_path / "w.npz")])
    assert "needs torch" in capsys.readouterr().err
