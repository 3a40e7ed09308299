"""Who sits beside the learner: `train.pool`."""

from __future__ import annotations

import json

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from nijar_env import GameBatch  # noqa: E402
from train.pool import ITSELF, Pool, _crowded  # noqa: E402

SHARES = {"itself": 0.5, "past": 0.2, "scripted": {"random": 0.1, "light": 0.2}}


def network(fill: float = 0.0) -> torch.nn.Module:
    made = torch.nn.Linear(2, 2)
    torch.nn.init.constant_(made.weight, fill)
    return made


def make(games: int = 8, players: int = 2, **changes: object) -> tuple[GameBatch, Pool]:
    batch = GameBatch(games, players, seed=3)
    options = {**SHARES, "capacity": 3, "seed": 5, **changes}
    return batch, Pool(batch, **options)  # type: ignore[arg-type]


def first_legal(batch: GameBatch, rows: np.ndarray) -> np.ndarray:
    return batch.action_masks[rows].argmax(1).astype(np.int64)


def step(batch: GameBatch, pool: Pool) -> np.ndarray:
    """One decision of everybody; returns who of the past selves' games were asked about."""
    actions = np.full(len(batch), -1, np.int64)
    own = np.flatnonzero(pool.learner_acts())
    actions[own] = first_legal(batch, own)
    asked: list[int] = []

    def choose(past: object, rows: np.ndarray) -> np.ndarray:
        assert past in pool.past
        asked.extend(rows.tolist())
        return first_legal(batch, rows)

    pool.act(actions, choose)
    batch.step(actions)  # raises unless everybody has chosen
    if batch.dones.any():
        pool.finish(np.flatnonzero(batch.dones))
    return np.array(asked, np.int64)


def test_games_are_shared_out_as_the_shares_say() -> None:
    _, pool = make(games=20_000)
    assert np.bincount(pool.company)[1:].sum() == pytest.approx(6_000, abs=250)
    assert (pool.company == ITSELF).mean() == pytest.approx(0.7, abs=0.02)  # no past self yet
    pool.add(network(), 1)
    pool._deal(np.arange(20_000))
    shares = np.bincount(pool.company, minlength=4) / 20_000
    assert shares == pytest.approx([0.5, 0.1, 0.2, 0.2], abs=0.02)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_learners_seat_goes_round(players: int) -> None:
    _, pool = make(games=12, players=players)
    assert pool.seat.tolist() == [i % players for i in range(12)]
    before = pool.seat.copy()
    rows = np.array([1, 4])
    pool.finish(rows)
    assert pool.seat[rows].tolist() == ((before[rows] + 1) % players).tolist()
    others = np.setdiff1d(np.arange(12), rows)
    assert pool.seat[others].tolist() == before[others].tolist()


def test_everybody_is_asked_for_their_own_games() -> None:
    batch, pool = make(games=64, players=3, itself=0.25, past=0.25, scripted={"random": 0.5})
    pool.add(network(), 1)
    pool.add(network(), 2)
    pool.begin(0)
    pool._deal(np.arange(64))
    for _ in range(30):
        past = (pool.company >= 2) & (batch.current_players != pool.seat)
        assert sorted(step(batch, pool).tolist()) == np.flatnonzero(past).tolist()


def test_the_company_stays_for_the_whole_game() -> None:
    batch, pool = make(games=16)
    pool.begin(0)
    for _ in range(250):
        before = pool.company.copy()
        step(batch, pool)
        assert (pool.company == before)[~batch.dones].all()


def test_games_won_are_counted_by_opponent() -> None:
    batch, pool = make(games=4, itself=0.25, past=0.5, scripted={"random": 0.25})
    pool.add(network(), 1)
    pool.company[:] = [0, 1, 2, 2]
    pool.seat[:] = [0, 1, 0, 1]
    batch.final_winners[:] = [0, 1, 0, 0]
    pool.finish(np.arange(4))
    assert pool.report() == {"random": (1, 1), "past": (2, 1)}
    assert pool.report() == {"random": (0, 0), "past": (0, 0)}


def test_past_selves_that_win_are_met_more_often() -> None:
    _, pool = make(games=4_000, itself=0.0, past=1.0, scripted={})
    pool.add(network(), 1)
    pool.add(network(), 2)
    pool._rates[:2] = [0.9, 0.3]  # the learner's win rates
    pool._deal(np.arange(4_000))
    assert (pool.company == 1).mean() == pytest.approx(0.1 / 0.8, abs=0.02)


def test_a_past_self_is_a_copy_that_does_not_learn() -> None:
    _, pool = make()
    own = network(1.0)
    pool.add(own, 1)
    torch.nn.init.constant_(own.weight, 2.0)
    assert pool.past[0].weight.eq(1.0).all()
    assert not any(weight.requires_grad for weight in pool.past[0].parameters())
    assert all(weight.requires_grad for weight in own.parameters())


def test_past_selves_span_the_whole_training() -> None:
    _, pool = make()
    for update in range(10, 170, 10):
        pool.add(network(float(update)), update)
        assert len(pool.past) <= 3
    assert min(pool.born) == 10
    assert max(pool.born) == 160
    for born, kept in zip(pool.born, pool.past, strict=True):
        assert kept.weight.eq(float(born)).all()


@pytest.mark.parametrize(
    ("born", "slot"), [([5], 0), ([10, 20, 30], 1), ([10, 40, 30], 1), ([30, 20, 10], 1)]
)
def test_the_most_crowded_goes(born: list[int], slot: int) -> None:
    assert _crowded(born, 50) == slot


def test_shares_must_add_up() -> None:
    with pytest.raises(ValueError, match=r"must add up to 1, not 0\.8"):
        make(itself=0.3)


def test_a_restored_pool_goes_on_alike() -> None:
    batch, pool = make(games=16)
    pool.add(network(1.0), 1)
    pool.begin(0)
    for _ in range(40):
        step(batch, pool)
    state = pool.state()
    json.dumps(state["random"])
    again = Pool(batch, **SHARES, capacity=3, seed=5)  # type: ignore[arg-type]
    again.restore(state, network())
    assert again.past[0].weight.eq(1.0).all()
    rows = np.arange(16)
    for one in (pool, again):
        one.finish(rows)
    assert pool.company.tolist() == again.company.tolist()
    assert pool.seat.tolist() == again.seat.tolist()
    assert pool.tally.tolist() == again.tally.tolist()
