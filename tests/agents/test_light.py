"""`light`: legal, fair, reproducible, and its draws follow its scores."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from agents import GameView, light_weights, make_agent
from agents.light import LightAgent
from agents.light_heads import NUM_HEADS
from agents.light_weights import light_policy, read_policy, write_policy
from nijar_env import GameBatch
from tests.observation.states import KIND_IDS, KINDS

from .games import first_choices, play_on, play_solo, states_in_play, with_other_secrets
from .looks import looks_at

DRAW = [False, True]


@pytest.mark.parametrize("draw", DRAW)
@pytest.mark.parametrize("auto_forced", [True, False])
@pytest.mark.parametrize(("players", "difficulty"), KINDS, ids=KIND_IDS)
def test_it_plays_whole_legal_games(
    players: int, difficulty: str, auto_forced: bool, draw: bool
) -> None:
    batch = GameBatch(
        8, players, difficulty=difficulty, seed=8, auto_forced=auto_forced, auto_reset=False
    )
    play_on(batch, LightAgent(draw), 5000)
    assert batch.dones.all()
    assert (batch.final_scores[:, :players] > 10).all()


@pytest.mark.parametrize("difficulty", ["normal", "advanced", "expert"])
def test_it_beats_random_by_far(difficulty: str) -> None:
    light = play_solo(make_agent("light"), difficulty, 60, seed=1)
    drawn = play_solo(make_agent("light:draw=true"), difficulty, 60, seed=1)
    random = play_solo(make_agent("random"), difficulty, 60, seed=1)
    assert np.mean(light.own_vp) > np.mean(random.own_vp) + 40
    assert np.mean(drawn.own_vp) > np.mean(random.own_vp) + 25


@pytest.mark.parametrize("spec", ["light", "light:draw=true"])
def test_results_do_not_depend_on_the_batch(spec: str) -> None:
    whole = play_solo(make_agent(spec), "normal", 12, seed=2, batch_size=12)
    for size in (5, 1, 12):
        assert play_solo(make_agent(spec), "normal", 12, seed=2, batch_size=size) == whole


@pytest.mark.parametrize(("players", "difficulty"), KINDS, ids=KIND_IDS)
def test_nothing_hidden_changes_its_choice(players: int, difficulty: str) -> None:
    compared = 0
    for stage, batch in enumerate(states_in_play(players, difficulty, games=12)):
        other = with_other_secrets(batch, stage)
        for draw in DRAW:
            assert first_choices(other, LightAgent(draw)) == first_choices(batch, LightAgent(draw))
            compared += len(batch)
    assert compared > 100


def test_a_deal_depends_on_what_is_known_alone() -> None:
    """The same key gives the same determinized game, whatever the true one hides."""
    for players, difficulty in KINDS:
        for stage, batch in enumerate(states_in_play(players, difficulty)):
            other = with_other_secrets(batch, stage)
            keys = np.arange(len(batch), dtype=np.uint64)
            deals = GameView(batch).determinize(keys), GameView(other).determinize(keys)
            for name in batch.games.dtype.names or ():
                if name != "events":
                    assert np.array_equal(deals[0][name], deals[1][name]), name
            assert not np.array_equal(batch.games["seed"], other.games["seed"])


def test_seeds_differ_and_repeat_only_where_it_draws() -> None:
    batch = states_in_play(2, games=40)[3]

    def choices(draw: bool, seed: int) -> list[int]:
        agent = LightAgent(draw)
        agent.reset(seed)
        return first_choices(batch, agent)

    assert choices(False, 1) == choices(False, 2)
    assert choices(True, 1) == choices(True, 1) != choices(True, 2)


def test_it_takes_the_likeliest_action_or_draws_by_the_scores() -> None:
    batch = states_in_play(2)[4]
    copies = 4000
    tried = 0
    for row in range(len(batch)):
        many = GameBatch(copies, 2, seed=0, auto_reset=False)
        many.games[:] = batch.games[row]
        many.action_masks[:] = batch.action_masks[row]
        many.current_players[:] = batch.current_players[row]
        look = looks_at(many.games[:1])[0]
        chances = look.odds / look.odds.sum()
        best = int(look.actions[np.argmax(chances)])
        assert set(first_choices(many, LightAgent())) == {best}
        found = Counter(first_choices(many, LightAgent(draw=True)))
        assert set(found) <= set(look.actions.tolist())
        chi2, degrees = 0.0, 0
        for action, chance in zip(look.actions.tolist(), chances.tolist(), strict=True):
            if copies * chance >= 5:
                chi2 += (found[action] - copies * chance) ** 2 / (copies * chance)
                degrees += 1
        # Far beyond the 99.99 % point.
        assert chi2 < 6 * degrees + 10
        tried += degrees
    assert tried > 2 * len(batch)


_CHOICES = """
import json
from agents.light import LightAgent
from nijar_env import GameBatch
from tests.agents.games import play_on
told = []
for players in (1, 2):
    batch = GameBatch(1, players, seed=6, auto_forced=False, auto_reset=False)
    play_on(batch, LightAgent(draw=players == 2), 70 * players)
    told.append([batch.games["decisions"].tolist(), batch.games["vp"].tolist(),
        batch.games["hand"].tolist(), batch.games["sold"].tolist()])
print(json.dumps(told))
"""


def test_compiled_or_not_it_chooses_the_same() -> None:
    told = []
    for disable in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-W", "error::RuntimeWarning", "-c", _CHOICES],
            env={**os.environ, "NUMBA_DISABLE_JIT": disable},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        told.append(json.loads(done.stdout))
    assert told[0] == told[1]


# --- the file of weights


def test_a_file_of_weights_is_read_as_it_was_written(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    policy = rng.normal(size=light_policy().shape).astype(np.float16).astype(np.float32)
    write_policy(tmp_path / "w.npz", policy)
    assert np.array_equal(read_policy(tmp_path / "w.npz"), policy)
    assert read_policy(tmp_path / "w.npz").dtype == np.float32


def test_the_weights_that_come_with_it() -> None:
    policy = light_policy()
    assert policy.shape[0] == NUM_HEADS and np.isfinite(policy).all() and np.abs(policy).sum() > 0
    with pytest.raises(ValueError):
        policy[0, 0] = 1.0


def test_weights_of_another_layout_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "w.npz"
    write_policy(path, light_policy()[:-1])
    with pytest.raises(ValueError, match="belongs to other heads or features"):
        read_policy(path)
    write_policy(path, light_policy())
    monkeypatch.setattr(light_weights, "layout_hash", lambda: "another")
    with pytest.raises(ValueError, match="belongs to other heads or features"):
        read_policy(path)


def broken_files(folder: Path) -> dict[str, Path]:
    good = folder / "good.npz"
    write_policy(good, light_policy())
    whole = good.read_bytes()
    array = folder / "array.npy"
    np.save(array, np.zeros(3))
    other = folder / "other.npz"
    np.savez(other, something=np.zeros(3))
    broken = {"missing": folder / "missing.npz", "array": array, "other": other}
    texts = {
        "empty": b"",
        "text": b"no weights",
        "cut": whole[: len(whole) // 2],
        "start": whole[:2],
        "inside": whole[:200] + bytes(200) + whole[400:],
    }
    for name, content in texts.items():
        broken[name] = folder / f"{name}.npz"
        broken[name].write_bytes(content)
    return broken


def test_a_file_that_holds_no_weights_is_named(tmp_path: Path) -> None:
    for name, path in broken_files(tmp_path).items():
        with pytest.raises(ValueError, match="holds no weights of light") as error:
            read_policy(path)
        assert str(path) in str(error.value), name
