"""`train.selfplay`: trajectories by seat, learning, runs that go on exactly, the command."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("pydantic")
pytest.importorskip("safetensors")

from agents.choice_network import mind_of  # noqa: E402
from agents.neural import Player  # noqa: E402
from agents.weights_file import read_weights  # noqa: E402
from nijar_env import load_box  # noqa: E402
from train import selfplay  # noqa: E402
from train.config import load_config  # noqa: E402
from train.evaluate import masked, sample  # noqa: E402
from train.rollouts import NOBODY  # noqa: E402
from train.run import read_progress  # noqa: E402
from train.selfplay import (  # noqa: E402
    SelfPlay,
    main,
    policy_losses,
    seat_advantages,
)
from train.selfplay_config import SelfPlayConfig  # noqa: E402
from train.state import read_state  # noqa: E402
from train.weights import write_weights  # noqa: E402

from .killing import kill_when_logged  # noqa: E402
from .selfplay_runs import (  # noqa: E402
    ALONE,
    CHOICES,
    MIXED,
    SOLO,
    rows_without_times,
    same,
    single_thread,
    trainings,
    write_config,
)

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    with single_thread():
        yield


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Callable[..., SelfPlay]]:
    with trainings(tmp_path) as make:
        yield make


# --- trajectories -------------------------------------------------------------------------------


def one_game(*steps: tuple[int, tuple[float, ...], float, bool]) -> tuple[np.ndarray, ...]:
    """Of one game: who decides, what every seat gets, the value, whether the game ends."""
    seats, rewards, values, dones = zip(*steps, strict=True)
    return (
        np.array(rewards, np.float32)[:, None],
        np.array(seats, np.int8)[:, None],
        np.array(values, np.float32)[:, None],
        np.array(dones)[:, None],
    )


def test_advantages_of_interleaved_seats_by_hand() -> None:
    arrays = one_game(
        (0, (1.0, 0.0), 0.5, False),  # 0: seat 0, and it gets 3 more before its next decision
        (1, (3.0, 2.0), 0.2, False),  # 1: seat 1
        (1, (0.0, 0.0), 0.4, False),  # 2: seat 1 again
        (0, (0.0, 5.0), 0.1, False),  # 3: seat 0
        (1, (-1.0, 1.0), 0.3, True),  # 4: seat 1 ends the game; seat 0 is paid too
    )
    gamma, lam = 0.9, 0.8
    advantages, complete, paid = seat_advantages(*arrays, gamma, lam)
    assert complete.all()
    assert paid[:, 0] == pytest.approx([4.0, 2.0, 5.0, -1.0, 1.0])
    seat_0_last = -1.0 - 0.1
    seat_0_first = 4.0 + gamma * 0.1 - 0.5 + gamma * lam * seat_0_last
    seat_1_last = 1.0 - 0.3
    seat_1_next = 5.0 + gamma * 0.3 - 0.4 + gamma * lam * seat_1_last
    seat_1_first = 2.0 + gamma * 0.4 - 0.2 + gamma * lam * seat_1_next
    expected = [seat_0_first, seat_1_first, seat_1_next, seat_0_last, seat_1_last]
    assert advantages[:, 0] == pytest.approx(expected)


def test_the_loser_is_paid_at_its_last_decision() -> None:
    arrays = one_game(
        (0, (0.0, 0.0), 0.0, False),
        (1, (0.0, 0.0), 0.0, False),
        (1, (-1.0, 1.0), 0.0, True),  # the game ends in the winner's turn
        (1, (0.0, 0.0), 0.0, False),  # and the next one begins
        (0, (0.0, 0.0), 0.0, False),
    )
    advantages, complete, paid = seat_advantages(*arrays, 1.0, 1.0)
    assert paid[:, 0].tolist() == [-1.0, 0.0, 1.0, 0.0, 0.0]
    assert advantages[:, 0].tolist() == [-1.0, 1.0, 1.0, 0.0, 0.0]
    assert complete[:, 0].tolist() == [True, True, True, False, False]


def test_a_series_that_goes_on_ends_in_the_value_of_its_seats_last_decision() -> None:
    arrays = one_game(
        (0, (0.0, 0.0), 0.5, False),
        (1, (0.0, 0.0), 9.0, False),
        (0, (0.25, 0.0), 0.7, False),
    )
    advantages, complete, paid = seat_advantages(*arrays, 1.0, 0.95)
    assert complete[:, 0].tolist() == [True, False, False]
    assert advantages[:, 0] == pytest.approx([0.7 - 0.5, 0.0, 0.0])
    assert paid[2, 0] == 0.25  # kept for when it is complete


def test_what_comes_before_a_seats_first_decision_belongs_to_no_other_game() -> None:
    arrays = one_game(
        (0, (-1.0, 1.0), 0.0, True),  # seat 1 never decided
        (0, (0.0, 0.0), 0.0, False),
        (1, (0.0, 4.0), 0.0, True),
    )
    _, complete, paid = seat_advantages(*arrays, 1.0, 1.0)
    assert complete.all()
    assert paid[:, 0].tolist() == [-1.0, 0.0, 4.0]


def test_slots_without_a_decision_of_the_learner_take_nothing() -> None:
    arrays = one_game(
        (0, (0.0, 0.0), 0.0, False),
        (NOBODY, (0.5, 0.0), 7.0, False),
        (NOBODY, (-1.0, 1.0), 7.0, True),
    )
    advantages, complete, paid = seat_advantages(*arrays, 1.0, 1.0)
    assert complete[:, 0].tolist() == [True, False, False]
    assert paid[:, 0].tolist() == [-0.5, 0.0, 0.0]
    assert advantages[:, 0].tolist() == [-0.5, 0.0, 0.0]


def random_rollout(
    rng: np.random.Generator, steps: int, games: int, players: int
) -> tuple[np.ndarray, ...]:
    return (
        rng.normal(size=(steps, games, players)).astype(np.float32),
        rng.integers(-1, players, (steps, games)).astype(np.int8),
        rng.normal(size=(steps, games)).astype(np.float32),
        rng.random((steps, games)) < 0.1,
    )


@pytest.mark.parametrize("players", [2, 3, 4])
def test_advantages_equal_those_of_each_series_by_itself(players: int) -> None:
    rewards, seats, values, dones = random_rollout(np.random.default_rng(players), 60, 5, players)
    gamma, lam = 0.97, 0.9
    advantages, complete, paid = seat_advantages(rewards, seats, values, dones, gamma, lam)
    for game in range(5):
        for seat in range(players):
            ends = [*np.flatnonzero(dones[:, game]), len(seats)]
            for first, last in zip([-1, *ends], ends, strict=False):
                own = [
                    t for t in range(first + 1, min(last + 1, len(seats))) if seats[t, game] == seat
                ]
                over = last < len(seats)
                later = 0.0
                for at, t in reversed(list(enumerate(own))):
                    final = at + 1 == len(own)
                    until = own[at + 1] if not final else min(last + 1, len(seats))
                    got = rewards[t:until, game, seat].sum()
                    assert paid[t, game] == pytest.approx(got, abs=1e-5)
                    assert complete[t, game] == (over or not final)
                    if final and not over:
                        assert advantages[t, game] == 0.0
                        continue
                    ahead = 0.0 if final else values[own[at + 1], game]
                    later = got + gamma * ahead - values[t, game] + gamma * lam * later
                    assert advantages[t, game] == pytest.approx(later, abs=1e-4)


def payments(training: SelfPlay, updates: int, monkeypatch: pytest.MonkeyPatch) -> np.ndarray:
    """What the complete decisions of a run were paid."""
    seen: list[np.ndarray] = []

    def watched(*arrays: Any) -> tuple[np.ndarray, ...]:
        advantages, complete, paid = seat_advantages(*arrays)
        seen.append(paid[complete])
        return advantages, complete, paid

    monkeypatch.setattr(selfplay, "seat_advantages", watched)
    for _ in range(updates):
        training.play()
        training.learn()
        training.update += 1
    return np.concatenate(seen)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_seat_of_every_finished_game_is_paid_once(
    players: int, begin: Callable[..., SelfPlay], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Across the ends of rollouts, which are much shorter than games."""
    training = begin(players=players, games=8, opponents=ALONE, ppo={"steps": 17, "epochs": 1})
    paid = payments(training, 30, monkeypatch)
    games = training.finished_games
    assert games >= 8
    assert (paid == 1.0).sum() == games
    assert np.isclose(paid, -1 / (players - 1)).sum() == games * (players - 1)
    assert (paid != 0).sum() == games * players
    assert paid.sum() == pytest.approx(0.0, abs=1e-4)  # zero-sum


def test_against_others_only_the_learners_seat_is_paid(
    begin: Callable[..., SelfPlay], monkeypatch: pytest.MonkeyPatch
) -> None:
    beside = {"itself": 0.0, "past": 0.0, "scripted": {"random": 1.0}}
    training = begin(games=8, opponents=beside, ppo={"steps": 50, "epochs": 1})
    paid = payments(training, 10, monkeypatch)
    ((games, wins),) = [training.shards[0].pool.report()["random"]]
    assert games == training.finished_games >= 8
    assert (paid == 1.0).sum() == wins
    assert (paid == -1.0).sum() == games - wins
    assert (paid != 0).sum() == games


# --- learning -----------------------------------------------------------------------------------


def test_the_loss_raises_what_did_better_than_expected() -> None:
    logits = torch.zeros(2, 3, requires_grad=True)
    mask = torch.tensor([[1, 1, 0], [1, 1, 0]])
    old = torch.full((2,), 0.5).log()
    loss, entropy, kl, clipped = policy_losses(
        masked(logits, mask), torch.tensor([0, 1]), old, torch.tensor([1.0, -1.0]), 0.2
    )
    loss.backward()
    assert (logits.grad[:, 0] < 0).all()  # a step against the gradient makes action 0 likelier
    assert (logits.grad[:, 1] > 0).all()
    assert logits.grad[:, 2].tolist() == [0.0, 0.0]
    assert entropy.item() == pytest.approx(np.log(2))
    assert kl.item() == pytest.approx(0.0, abs=1e-6)
    assert clipped.item() == 0.0


@pytest.mark.parametrize(("advantage", "old", "moves"), [(1.0, 0.4, False), (-1.0, 0.4, True)])
def test_the_loss_is_clipped_on_the_side_that_went_far(
    advantage: float, old: float, moves: bool
) -> None:
    logits = torch.zeros(1, 2, requires_grad=True)  # the odds of 0.5 / 0.4 are over 1.2
    before, gain = torch.tensor([old]).log(), torch.tensor([advantage])
    loss, _, _, clipped = policy_losses(logits, torch.tensor([0]), before, gain, 0.2)
    loss.backward()
    assert bool(logits.grad.abs().sum() > 0) is moves
    assert clipped.item() == 1.0


def test_actions_are_drawn_by_their_probabilities() -> None:
    torch.manual_seed(1)
    chances = torch.tensor([0.5, 0.3, 0.0, 0.2])
    logits = masked(chances.clamp(min=0.1).log(), torch.tensor([1, 1, 0, 1]))
    drawn = sample(torch.log_softmax(logits.expand(20_000, 4), 1))
    counts = torch.bincount(drawn, minlength=4) / 20_000
    assert counts.tolist() == pytest.approx([0.5, 0.3, 0.0, 0.2], abs=0.02)
    assert counts[2] == 0.0


def test_a_rewarded_action_becomes_likelier(begin: Callable[..., SelfPlay]) -> None:
    """A bandit on real observations: actions of even numbers are paid at once."""
    training = begin(
        games=64,
        opponents=ALONE,
        total_steps=64 * 16 * 10,
        ppo={
            "steps": 16,
            "minibatch": 256,
            "gamma": 0.0,
            "epochs": 4,
            "target_kl": None,
            "entropy": 0.0,
        },
    )
    batch, kept = training.shards[0].batch, training.kept
    rates: list[float] = []
    paid = np.zeros((64, 2), np.float32)
    take = batch.step

    def step(actions: np.ndarray) -> None:
        even = actions % 2 == 0
        paid[:] = 0.0
        paid[np.arange(64), batch.current_players] = even
        rates[-1] += even.mean() / 16
        take(actions)

    batch.step = step  # type: ignore[method-assign]
    training.shards[0].rewards.of_step = lambda share: paid  # type: ignore[method-assign]
    for _ in range(10):
        rates.append(0.0)
        training.play()
        figures = training.learn()
        training.update += 1
        assert figures["decisions"] <= 64 * len(kept.seats)
    assert rates[0] < 0.7
    assert rates[-1] > 0.9


def test_passes_end_early_when_the_policy_has_moved_far(begin: Callable[..., SelfPlay]) -> None:
    training = begin(ppo={"epochs": 8, "target_kl": 1e-9, "learning_rate": 0.01})
    training.play()
    assert training.learn()["epochs"] < 8


def test_rates_change_in_a_line(begin: Callable[..., SelfPlay]) -> None:
    training = begin(ppo={"learning_rate": 0.01, "learning_rate_end": 0.0})
    training.update = 3
    training.play()
    training.learn()
    assert training.optimizer.param_groups[0]["lr"] == pytest.approx(0.005)


# --- runs that go on exactly ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("killed_after", "changes"),
    [
        (1, {"reward": MIXED}),
        (3, {"reward": MIXED}),
        (3, SOLO),
        (1, {"reward": {"scheme": "vp", "rival": 0.5}, "network": CHOICES}),
        (3, {"reward": MIXED, "shards": 5}),
    ],
    ids=["early", "late", "solo-choices", "choices", "shards"],
)
def test_a_resumed_run_equals_an_uninterrupted_one(
    killed_after: int,
    changes: dict[str, Any],
    begin: Callable[..., SelfPlay],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Killed in the middle of a rollout, two past selves and scripted opponents included."""
    begin("whole", **changes).train()

    killed = begin("killed", **changes)
    batch = killed.shards[-1].batch
    step, count = batch.step, 0

    def fatal(actions: np.ndarray) -> None:
        nonlocal count
        count += 1
        if count > killed_after * 40 + 13:
            raise KeyboardInterrupt
        step(actions)

    monkeypatch.setattr(batch, "step", fatal)
    with pytest.raises(KeyboardInterrupt):
        killed.train()
    killed._run.close()
    torch.manual_seed(99)  # the new process has other generators
    resumed = begin("killed", **changes)
    assert resumed.update == killed_after
    resumed.train()

    states = [read_state(tmp_path / n / "checkpoint.safetensors") for n in ("whole", "killed")]
    same(states[0]["state"], states[1]["state"])
    same(states[0]["random"], states[1]["random"])
    assert states[0]["state"]["pool"]["past"]
    assert rows_without_times(tmp_path / "whole") == rows_without_times(tmp_path / "killed")
    for name in ("best.safetensors", "last.safetensors"):
        files = [read_weights(tmp_path / n / name) for n in ("whole", "killed")]
        assert files[0].fingerprint == files[1].fingerprint


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL")
def test_a_killed_process_is_gone_on_with(tmp_path: Path) -> None:
    config = write_config(tmp_path / "tiny.yaml")
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    kill_when_logged("train.selfplay", config, killed, lines=4)
    assert main(["--config", str(config), "--out", str(killed)]) == 0
    assert main(["--config", str(config), "--out", str(whole)]) == 0
    assert rows_without_times(killed) == rows_without_times(whole)
    both = [read_weights(folder / "last.safetensors").fingerprint for folder in (killed, whole)]
    assert both[0] == both[1]


# --- the command --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("opponents", "message"),
    [
        ("[light]", "evaluation.opponents are of normal, advanced, expert, not 'light'"),
        ("[normal, mixed]", "not 'mixed'"),
        ("[normal, normal]", "must name each agent once"),
    ],
)
def test_in_solo_games_it_is_measured_by_difficulties(
    opponents: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = write_config(tmp_path / "tiny.yaml", **SOLO)
    change = f"evaluation.opponents={opponents}"
    with pytest.raises(SystemExit):
        main(["--config", str(config), "--out", str(tmp_path / "run"), "--set", change])
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert message in line


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_published_configurations_train(
    players: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = ROOT / "configs" / f"selfplay_{players}p.yaml"
    assert load_config(config, SelfPlayConfig).players == players
    small = ["games=32", "total_steps=1024", "ppo.steps=16", "network={kind: mlp, hidden: [16]}"]
    small += ["evaluation.deals=1", "evaluation.opponents=[random]", "device=cpu"]
    small += ["opponents.itself=0.65", "opponents.scripted={light: 0.15}"]
    arguments = ["--config", str(config), "--out", str(tmp_path / "run"), "--set", *small]
    assert main(arguments) == 0
    out, _ = capsys.readouterr()
    assert "environment steps a second over" in out
    assert "% environment" in out
    assert f"the agent: ppo:{tmp_path / 'run' / 'last.safetensors'}" in out
    assert len(read_progress(tmp_path / "run" / "progress.csv")) == 3
    assert main(arguments) == 0
    assert "is finished: nothing to do" in capsys.readouterr().out


def test_the_published_solo_configuration_trains(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = ROOT / "configs" / "selfplay_solo.yaml"
    assert load_config(config, SelfPlayConfig).difficulty == "mixed"
    small = ["games=12", "total_steps=384", "ppo.steps=16", "evaluation.deals=2", "device=cpu"]
    small += ["network.hidden=[8]", "network.value_hidden=[8]"]
    assert main(["--config", str(config), "--out", str(tmp_path), "--set", *small]) == 0
    assert f"the agent: ppo:{tmp_path / 'last.safetensors'}" in capsys.readouterr().out
    rows = read_progress(tmp_path / "progress.csv")
    assert len(rows) == 3 and "ladder/expert/margin" in rows[-1]
    mind_of(read_weights(tmp_path / "best.safetensors"))


@pytest.mark.parametrize("players", [2, 3])
def test_the_exported_weights_play(players: int, begin: Callable[..., SelfPlay]) -> None:
    from eval.table import Assignment, play

    training = begin(players=players, total_steps=960, evaluation={"every_updates": 0})
    agent = training.train()["agent"]
    records: list[Any] = []
    play([Assignment(0, "", (agent, *["random"] * (players - 1)))], {}, 0, finished=records.append)
    assert records[0].seats[0].agent == agent


@pytest.mark.parametrize("players", [1, 2])
def test_exported_choices_play_and_search(
    players: int, begin: Callable[..., SelfPlay], tmp_path: Path
) -> None:
    from eval.table import Assignment, play

    changes = SOLO if players == 1 else {"network": CHOICES, "reward": SOLO["reward"]}
    training = begin("run", **{**changes, "games": 6, "total_steps": 480})
    agent = training.train()["agent"]
    last = tmp_path / "run" / "last.safetensors"
    assert agent == f"ppo:{last.as_posix()}"
    assert (tmp_path / "run" / "best.safetensors").exists()
    weights = read_weights(last, box=load_box(None), num_players=players)
    assert (weights.kind, weights.metadata["value"]) == ("choices", "vp")
    assert mind_of(weights).network.rival[0] == 1.0
    records: list[Any] = []
    for spec in (agent, f"search:{last.as_posix()}:iterations=3,turns=1"):
        beside = ["random"] * (players - 1)
        game = Assignment(0, "expert" if players == 1 else "", (spec, *beside))
        play([game], {}, 0, finished=records.append)
        assert records[-1].seats[0].agent == spec
        assert records[-1].seats[0].vp > 20  # it began as light
    # It is the network in memory.
    seen = training.reader.of_batch(training.shards[0].batch).copy()
    with torch.no_grad():
        expected = training.network(torch.from_numpy(seen))
    player = Player("choices", players, weights.options, weights.arrays)
    for one, other in zip(expected, player(seen), strict=True):
        np.testing.assert_allclose(one.numpy(), other, rtol=1e-4, atol=1e-4)


def test_a_network_of_choices_begins_with_that_of_another_table(
    begin: Callable[..., SelfPlay], tmp_path: Path
) -> None:
    first = begin("first", **{**SOLO, "games": 6, "total_steps": 240})
    first.train()
    path = tmp_path / "first" / "last.safetensors"
    second = begin("second", players=2, network=CHOICES, start_from=path, seed=5)
    for a, b in zip(first.network.parameters(), second.network.parameters(), strict=True):
        assert torch.equal(a, b)
    assert second.shards[0].pool.born == [0]
    with pytest.raises(ValueError, match=r"write what the file is"):
        begin("third", players=2, network={**CHOICES, "hidden": [9]}, start_from=path)
    # A file of before an option was there is of what is usual now.
    weights = read_weights(path)
    older = {name: value for name, value in weights.options.items() if name != "begin"}
    old = tmp_path / "old.safetensors"
    fits: dict[str, Any] = {"kind": "choices", "options": older, "num_players": 1}
    write_weights(old, weights.arrays, **fits, box=load_box(None), command="test")
    begin("fourth", players=2, network=CHOICES, start_from=old)


def test_a_run_begins_with_given_weights(begin: Callable[..., SelfPlay], tmp_path: Path) -> None:
    first = begin("first", total_steps=960)
    first.train()
    weights = tmp_path / "first" / "last.safetensors"
    second = begin("second", start_from=weights, seed=5)
    for a, b in zip(first.network.parameters(), second.network.parameters(), strict=True):
        assert torch.equal(a, b)
    assert second.shards[0].pool.born == [0]
    with pytest.raises(ValueError, match=r"plays games of 2 players, not games of 3 players"):
        begin("third", start_from=weights, players=3)
    with pytest.raises(ValueError, match=r"write what the file is"):
        begin("fourth", start_from=weights, network={"kind": "mlp", "hidden": [8]})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("ppo.epoch=3", "unknown key 'ppo.epoch'; did you mean 'epochs'?"),
        ("shards=25", "shards must be at most games, 24, not 25"),
        ("players=5", "players must be less than or equal to 4, not 5"),
        ("opponents.past=0.5", "must add up to 1, not 1.25"),
        ("opponents.scripted={ligth: 0.25}", "no agent is named 'ligth'; did you mean 'light'?"),
        ("evaluation.opponents=[greedy:bean=3]", "cannot read 'bean=3'; it takes beam=..."),
        ("evaluation.opponents=[light, light]", "must name each agent once"),
        ("evaluation.opponents=[]", "evaluation.opponents"),
        ("reward.scheme=score", "reward.scheme must be 'outcome', 'margin' or 'vp', not 'score'"),
        ("ppo.gamma=1.5", "ppo.gamma must be less than or equal to 1, not 1.5"),
        ("reward.rival=1.5", "reward.rival must be less than or equal to 1, not 1.5"),
        ("difficulty=hard", "difficulty"),
        ("players=0", "players must be greater than or equal to 1, not 0"),
        ("players=1", "the learner is alone: opponents must be {itself: 1}"),
        ("evaluation.opponents=[normal]", "no agent is named 'normal'"),
        ("difficulty=expert", "difficulty is of solo games (players: 1), not of tables of 2"),
        ("reward={scheme: outcome, rival: 1}", "with scheme outcome it needs a vp_share above 0"),
        ("reward={scheme: vp, vp_share: 0.5}", "vp_share is for scheme margin or outcome"),
    ],
)
def test_what_is_wrong_with_a_configuration_is_one_line(
    change: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = write_config(tmp_path / "tiny.yaml")
    with pytest.raises(SystemExit) as ended:
        main(["--config", str(config), "--out", str(tmp_path / "run"), "--set", change])
    assert ended.value.code == 2
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert message in line
    assert not (tmp_path / "run").exists()
