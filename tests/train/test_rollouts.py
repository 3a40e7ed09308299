"""`train.rollouts`: rewards, difficulties, games in shards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("pydantic")
pytest.importorskip("safetensors")

from nijar_env import GameBatch, load_box  # noqa: E402
from nijar_env.components.vocabulary import DIFFICULTIES  # noqa: E402
from nijar_env.sampling import sample_actions  # noqa: E402
from train.config import check_config  # noqa: E402
from train.progress import Clock  # noqa: E402
from train.rollouts import NOBODY, Rewards, make_batch, shards_of  # noqa: E402
from train.selfplay import SelfPlay  # noqa: E402
from train.selfplay_config import RewardSection  # noqa: E402

from .selfplay_runs import (  # noqa: E402
    SOLO,
    same,
    single_thread,
    tiny,
    trainings,
)


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    with single_thread():
        yield


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Callable[..., SelfPlay]]:
    with trainings(tmp_path) as make:
        yield make


# --- rewards ------------------------------------------------------------------------------------


def sums(
    scheme: str, share: float, players: int = 3, rival: float = 0.0
) -> tuple[np.ndarray, np.ndarray]:
    """All that the seats of each game get in its first episode, played at random, and the VP of
    all seats at its end, the Competition's among them."""
    batch = GameBatch(6, players, seed=4, reward=scheme)
    section = {"scheme": scheme, "rival": rival, "vp_share": 0.0 if scheme == "vp" else share}
    rewards = Rewards(batch, check_config(section, RewardSection, "test"))
    total, ended = np.zeros((6, players)), np.zeros(6, np.bool_)
    scores = np.zeros((6, max(players, 2)))
    rng = np.random.default_rng(0)
    while not ended.all():
        batch.step(sample_actions(batch.action_masks, rng))
        got = rewards.of_step(share)
        total[~ended] += got[~ended]
        now = batch.dones & ~ended
        scores[now] = batch.final_scores[now, : scores.shape[1]]
        ended |= now
    return total, scores


@pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
@pytest.mark.parametrize("scheme", ["outcome", "margin"])
def test_vp_are_mixed_into_the_reward(scheme: str, share: float) -> None:
    pure, scores = sums(scheme, 0.0)
    assert pure.any(axis=1).all()
    mixed, _ = sums(scheme, share)
    assert mixed == pytest.approx((1 - share) * pure + share * scores / 50, abs=1e-4)


def test_vp_alone() -> None:
    total, scores = sums("vp", 0.0)
    assert total == pytest.approx(scores / 50, abs=1e-4)


@pytest.mark.parametrize("rival", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("players", [1, 2, 3])
def test_rivals_vp_are_taken_off(players: int, rival: float) -> None:
    """By the end of a game: own VP less a share of the others', the Competition's in solo."""
    total, scores = sums("vp", 0.0, players, rival)
    for seat in range(players):
        others = np.delete(scores, seat, axis=1).mean(axis=1)
        expected = (scores[:, seat] - rival * others) / 50
        assert total[:, seat] == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(
    ("players", "gained", "expected"),
    [
        (1, [6, 4], [6 - 0.5 * 4]),
        (2, [6, 4], [6 - 0.5 * 4, 4 - 0.5 * 6]),
        (3, [6, 4, 1], [6 - 0.5 * 2.5, 4 - 0.5 * 3.5, 1 - 0.5 * 5]),
    ],
)
def test_a_step_pays_all_seats_by_hand(
    players: int, gained: list[int], expected: list[float]
) -> None:
    batch = GameBatch(2, players, seed=4, reward="margin")
    batch.games["vp"][:, : len(gained)] = 10
    section = {"scheme": "vp", "rival": 0.5}
    rewards = Rewards(batch, check_config(section, RewardSection, "test"))
    batch.games["vp"][1, : len(gained)] += np.array(gained, np.int16)
    paid = rewards.of_step(0.0)
    assert paid.shape == (2, players) and paid.dtype == np.float32
    assert paid[0] == pytest.approx([0.0] * players)
    assert paid[1] == pytest.approx(np.array(expected) / 50)
    assert rewards.of_step(0.0) == pytest.approx(np.zeros((2, players)))
    # The game ends: what counts are its final scores, not those of the next one.
    batch.dones[1] = True
    batch.final_scores[1, : len(gained)] = 10 + 2 * np.array(gained)
    batch.games["vp"][1] = 0
    assert rewards.of_step(0.0)[1] == pytest.approx(np.array(expected) / 50)


def test_rivals_vp_are_taken_off_what_is_mixed_in_too() -> None:
    pure, scores = sums("margin", 0.0, 1)
    mixed, _ = sums("margin", 0.25, 1, rival=0.5)
    vp = scores[:, :1] - 0.5 * scores[:, 1:]
    assert mixed == pytest.approx(0.75 * pure + 0.25 * vp / 50, abs=1e-4)


# --- difficulties -------------------------------------------------------------------------------


def test_of_mixed_difficulty_a_third_of_the_games_is_of_each() -> None:
    """As they would be dealt alone, and so on in every later episode."""
    batch = make_batch(tiny(**SOLO, games=9), load_box(None))
    levels = np.arange(9) % 3
    assert batch.games["difficulty"].tolist() == levels.tolist()
    for level, difficulty in enumerate(DIFFICULTIES):
        alone = GameBatch(9, 1, seed=batch.seeds, difficulty=difficulty, reward="vp")
        for mine, other in zip(batch.games, alone.games, strict=True):
            if mine.difficulty == level:
                assert mine.tobytes() == other.tobytes()
    rng = np.random.default_rng(0)
    while batch.episodes.min() < 2:
        batch.step(sample_actions(batch.action_masks, rng))
    assert batch.games["difficulty"].tolist() == levels.tolist()


def test_one_difficulty_is_that_of_all_games() -> None:
    for level, difficulty in enumerate(DIFFICULTIES):
        config = tiny(**{**SOLO, "difficulty": difficulty}, games=4)
        assert (make_batch(config, load_box(None)).games["difficulty"] == level).all()


def test_the_share_of_vp_falls_in_a_line() -> None:
    batch = GameBatch(1, 2, seed=0, reward="outcome")
    section = {"vp_share": 0.8, "vp_until": 0.5}
    rewards = Rewards(batch, check_config(section, RewardSection, "test"))
    assert [rewards.share(p) for p in (0, 0.25, 0.5, 1)] == pytest.approx([0.8, 0.4, 0.0, 0.0])


# --- shards -------------------------------------------------------------------------------------


def test_shards_split_the_games(begin: Callable[..., SelfPlay]) -> None:
    """All deals are the same; company and draws are not."""
    whole, split = (
        begin("whole", players=3, games=10),
        begin("split", players=3, games=10, shards=4),
    )
    (alone,) = whole.shards
    assert [len(shard.batch) for shard in split.shards] == [2, 3, 3, 2]
    together = np.concatenate([shard.batch.games for shard in split.shards])
    assert together.tobytes() == alone.batch.games.tobytes()
    seeds = np.concatenate([shard.batch.seeds for shard in split.shards])
    assert seeds.tolist() == GameBatch(10, 3, seed=0).seeds.tolist()
    assert np.concatenate([shard.pool.seat for shard in split.shards]).tolist() == [
        *(0, 1, 2) * 3,
        0,
    ]
    draws = [shard.generator.get_state().numpy().tobytes() for shard in split.shards]
    assert len(set(draws)) == 4
    split.play()
    for shard, games in zip(split.shards, shards_of(split.config), strict=True):
        assert shard.kept.seats.base is not None
        assert np.array_equal(shard.kept.seats, split.kept.seats[:, games])
        assert (shard.kept.seats[3:] != NOBODY).any()
        assert torch.equal(shard.kept.values, split.kept.values[:, games])


def test_mixed_difficulties_are_split_as_they_are(begin: Callable[..., SelfPlay]) -> None:
    split = begin(**SOLO, games=10, shards=3)
    levels = np.concatenate([shard.batch.games["difficulty"] for shard in split.shards])
    assert levels.tolist() == (np.arange(10) % 3).tolist()


def test_what_a_shard_plays_depends_on_no_other(begin: Callable[..., SelfPlay]) -> None:
    first, second = begin("first", shards=3), begin("second", shards=3)
    first.play()
    for shard in reversed(second.shards):
        torch.rand(7)
        shard.play(0, 0.0, Clock())
    for name, tensor in first.kept.tensors().items():
        assert torch.equal(tensor, second.kept.tensors()[name]), name
    same(first.state(), second.state())
