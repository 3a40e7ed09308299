"""`GameBatch`: a batch of games is as many single games, on any number of threads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from nijar_env.batch import GameBatch
from nijar_env.core.catalogue import NUM_GAME_ACTIONS
from nijar_env.core.constants import PHASE_FINISHED
from nijar_env.core.jit import JIT
from nijar_env.core.record import GAME_DTYPE
from nijar_env.errors import IllegalActionError
from nijar_env.game import Game
from tests.philox import philox4x32
from tests.random_play import KINDS, Kind

EPISODE_STREAM = 5


def choices(batch: GameBatch, chance: np.random.Generator) -> Any:
    """A random legal action of each game (0 where it is over)."""
    lots = chance.random(batch.action_masks.shape)
    lots[batch.action_masks == 0] = -1.0
    return lots.argmax(axis=1)


def seed_of_episode(seed: int, episode: int) -> int:
    """What the batch promises: hashed from the game's seed and the number of the episode."""
    if episode == 0:
        return seed
    words = philox4x32((episode, EPISODE_STREAM, 0, 0), seed)
    return words[1] << 32 | words[0]


def single(kind: Kind, seed: int, forced: bool) -> Game:
    return Game(kind.players, difficulty=kind.difficulty, seed=seed, auto_forced=forced, log=False)


# --- a batch is single games --------------------------------------------------------------------


@pytest.mark.parametrize("forced", (True, False), ids=("forced", "asked"))
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_a_batch_is_single_games_episode_after_episode(kind: Kind, forced: bool) -> None:
    seeds = np.array([3, 2**64 - 1, 0, 77, 1234567890123], np.uint64)
    batch = GameBatch(
        5,
        kind.players,
        difficulty=kind.difficulty,
        seed=seeds,
        auto_forced=forced,
        keep_finished=True,
    )
    games = [single(kind, int(seed), forced) for seed in seeds]
    episodes = [0] * 5
    before = np.zeros((5, 4), np.int64)
    chance = np.random.default_rng(kind.players)
    ended = 0
    while min(episodes) < 2:
        actions = choices(batch, chance)
        batch.step(actions)
        for i, game in enumerate(games):
            game.step(int(actions[i]))
            scores = [*game.scores(), 0, 0, 0][:4]
            assert (batch.rewards[i] == np.array(scores) - before[i]).all()
            before[i] = scores
            assert batch.dones[i] == game.done
            if game.done:
                ended += 1
                episodes[i] += 1
                assert batch.final_scores[i].tolist() == scores
                assert batch.final_winners[i] == game.winner
                assert batch.final_lengths[i] == game.record.decisions
                assert batch.finished_games[i].tobytes() == game.record.tobytes()
                games[i] = game = single(kind, seed_of_episode(int(seeds[i]), episodes[i]), forced)
                before[i] = 0
            assert batch.games[i].tobytes() == game.record.tobytes()
            assert (batch.action_masks[i] == game.action_mask()).all()
            assert batch.current_players[i] == game.current_player
            assert batch.episodes[i] == episodes[i]
    assert ended >= 10


def test_a_game_of_a_batch_is_independent() -> None:
    batch = GameBatch(3, 2, seed=5)
    game = batch.game(1)
    assert game.record.tobytes() == batch.games[1].tobytes()
    assert game.record.tobytes() == Game(2, seed=int(batch.seeds[1]), log=False).record.tobytes()
    kept = batch.games.tobytes()
    game.step(game.legal_actions()[0])
    assert batch.games.tobytes() == kept
    for wrong in (3, -1):
        with pytest.raises(IndexError, match="games 0 to 2"):
            batch.game(wrong)


def test_without_auto_reset_games_stay_over_and_ignore_actions() -> None:
    batch = GameBatch(6, 1, seed=1, auto_reset=False)
    chance = np.random.default_rng(0)
    over: dict[int, bytes] = {}
    while not batch.dones.all():
        actions = choices(batch, chance)
        for i in over:
            actions[i] = -99
        batch.step(actions)
        for i in map(int, np.flatnonzero(batch.dones)):
            assert batch.games["phase"][i] == PHASE_FINISHED
            assert batch.current_players[i] == -1 and not batch.action_masks[i].any()
            if i in over:
                assert over[i] == batch.games[i].tobytes() and not batch.rewards[i].any()
            over[i] = batch.games[i].tobytes()
    assert (batch.episodes == 0).all()
    batch.step(np.full(6, 10**6))
    assert batch.dones.all()


def test_reset_deals_the_first_episodes_again() -> None:
    batch = GameBatch(4, 3, seed=9)
    first = batch.games.tobytes()
    for _ in range(30):
        batch.step(batch.action_masks.argmax(axis=1))
    batch.reset(9)
    assert batch.games.tobytes() == first
    assert not batch.rewards.any() and not batch.dones.any() and not batch.episodes.any()
    assert (batch.action_masks == batch.games["legal"]).all()
    batch.reset(10)
    assert batch.games.tobytes() != first
    batch.reset()
    assert len(set(batch.seeds.tolist())) == 4


def test_one_seed_becomes_as_many_by_hashing() -> None:
    one, two = GameBatch(50, seed=1), GameBatch(50, seed=2)
    seeds = [*one.seeds.tolist(), *two.seeds.tolist()]
    assert len(set(seeds)) == 100
    assert min(np.diff(np.sort(np.array(seeds, np.uint64)))) > 1
    assert GameBatch(50, seed=1).games.tobytes() == one.games.tobytes()


@pytest.fixture(autouse=True)
def threads_for_small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nijar_env.batch.THREADS_FROM", 64)


# --- threads ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", (Kind(1, "expert"), Kind(2), Kind(4)), ids=str)
def test_threads_do_not_change_anything(kind: Kind) -> None:
    games = 512
    batches = [
        GameBatch(games, kind.players, difficulty=kind.difficulty, seed=4, threads=threads)
        for threads in (1, 2, 3)
    ]
    chance = np.random.default_rng(7)
    steps = (260 if kind.players < 4 else 120) if JIT else 3
    for _ in range(steps):
        actions = choices(batches[0], chance)
        for batch in batches:
            batch.step(actions)
    for batch in batches[1:]:
        for name in (
            *("games", "action_masks", "current_players", "rewards", "dones", "episodes"),
            *("final_scores", "final_winners", "final_lengths"),
        ):
            ours, theirs = getattr(batches[0], name), getattr(batch, name)
            assert ours.tobytes() == theirs.tobytes(), name
        batch.close()
    if kind.players < 3 and JIT:
        assert batches[0].episodes.sum() > games / 2


def test_a_batch_of_many_equals_batches_of_few() -> None:
    seeds = np.arange(600, dtype=np.uint64) * 7919
    many = GameBatch(600, 2, seed=seeds, threads=2)
    few = [GameBatch(200, 2, seed=seeds[k : k + 200]) for k in (0, 200, 400)]
    for _ in range(60 if JIT else 2):
        actions = many.action_masks.argmax(axis=1)
        many.step(actions)
        for k, batch in enumerate(few):
            batch.step(actions[200 * k : 200 * k + 200])
    assert many.games.tobytes() == b"".join(batch.games.tobytes() for batch in few)
    many.close()


# --- rewards ------------------------------------------------------------------------------------


def play_out(batch: GameBatch) -> Any:
    """The rewards of each game added up over its first episode, and what came before its end."""
    chance = np.random.default_rng(3)
    sums = np.zeros((len(batch), 4))
    early = 0.0
    over = np.zeros(len(batch), bool)
    while not over.all():
        batch.step(choices(batch, chance))
        sums[~over] += batch.rewards[~over]
        early += np.abs(batch.rewards[~batch.dones]).sum()
        over |= batch.dones
    return sums, early


@pytest.mark.parametrize("kind", (Kind(1), Kind(2), Kind(3), Kind(4)), ids=str)
def test_the_three_schemes(kind: Kind) -> None:
    def batch(reward: str) -> GameBatch:
        return GameBatch(8, kind.players, seed=21, reward=reward, auto_reset=False)

    vp = batch("vp")
    sums, early = play_out(vp)
    scores = vp.final_scores.astype(int)
    seats = max(kind.players, 2)
    assert (sums == scores).all() and early > 0
    assert not scores[:, seats:].any()

    outcome = batch("outcome")
    sums, early = play_out(outcome)
    assert early == 0
    assert (outcome.final_scores == scores).all()  # the same games
    for i, winner in enumerate(outcome.final_winners):
        expected = [1.0 if p == winner else -1 / (seats - 1) for p in range(seats)]
        assert sums[i, :seats] == pytest.approx(expected)
        assert scores[i, winner] == scores[i, :seats].max()
    assert np.abs(sums.sum(axis=1)).max() < 1e-5  # zero-sum

    sums, early = play_out(batch("margin"))
    assert early == 0
    for i in range(8):
        own = scores[i, :seats]
        best = [max(int(x) for q, x in enumerate(own) if q != p) for p in range(seats)]
        assert sums[i, :seats] == pytest.approx(
            [(int(own[p]) - best[p]) / 50 for p in range(seats)]
        )
        assert not sums[i, seats:].any()


def test_vp_lost_are_negative_rewards() -> None:
    batch = GameBatch(64, 2, seed=2, reward="vp", auto_reset=False)
    lowest = 0.0
    chance = np.random.default_rng(1)
    while not batch.dones.all():
        batch.step(choices(batch, chance))
        lowest = min(lowest, float(batch.rewards.min()))
    assert lowest < 0  # cracks at the end


# --- bad input changes nothing ------------------------------------------------------------------


def unchanged(batch: GameBatch) -> bytes:
    names = [
        *("games", "action_masks", "current_players", "rewards", "dones", "episodes", "seeds"),
        *("final_scores", "final_winners", "final_lengths"),
    ]
    return b"".join(getattr(batch, name).tobytes() for name in names)


@pytest.mark.parametrize("wrong", (-1, NUM_GAME_ACTIONS, 10**9, "illegal"))
def test_an_illegal_action_names_game_action_and_choices(wrong: int | str) -> None:
    batch = GameBatch(5, 2, seed=1)
    for _ in range(40):
        batch.step(batch.action_masks.argmax(axis=1))
    names = batch.game(3).action_name
    actions = batch.action_masks.argmax(axis=1)
    bad = int(np.flatnonzero(batch.action_masks[3] == 0)[0]) if wrong == "illegal" else int(wrong)
    actions[3] = bad
    before = unchanged(batch)
    with pytest.raises(IllegalActionError) as error:
        batch.step(actions)
    message = str(error.value)
    assert message.startswith(f"game 3: action {bad}")
    if wrong == "illegal":
        assert f"({names(bad)})" in message
    assert f"player {batch.current_players[3]}" in message
    legal = ", ".join(names(int(a)) for a in np.flatnonzero(batch.action_masks[3]))
    assert message.endswith(f"legal: {legal}")
    assert unchanged(batch) == before
    actions[3] = batch.action_masks[3].argmax()
    batch.step(actions)


def test_the_first_illegal_game_is_named() -> None:
    batch = GameBatch(5, 2, seed=1)
    with pytest.raises(IllegalActionError, match=r"^game 1: "):
        batch.step([*batch.action_masks.argmax(axis=1)[:1], -1, -1, -1, -1])


@pytest.mark.parametrize(
    "actions",
    [
        [0, 0],
        [[0, 0, 0]],
        0,
        [0.0, 0.0, 0.0],
        ["a", "b", "c"],
        None,
        [True, True, True],
    ],
)
def test_actions_of_the_wrong_shape_or_type(actions: Any) -> None:
    batch = GameBatch(3, 2, seed=1)
    before = unchanged(batch)
    with pytest.raises(ValueError, match="actions must be 3 whole numbers"):
        batch.step(actions)
    assert unchanged(batch) == before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_games": 0}, "num_games must be a whole number from 1"),
        ({"num_games": 2.5}, "num_games must be a whole number from 1"),
        ({"num_games": "3"}, "num_games must be a whole number from 1"),
        ({"num_players": 0}, "num_players must be 1, 2, 3 or 4"),
        ({"num_players": 5}, "num_players must be 1, 2, 3 or 4"),
        ({"difficulty": "hard"}, "difficulty must be one of normal, advanced, expert"),
        ({"reward": "score"}, "reward must be one of outcome, margin, vp"),
        ({"threads": 0}, "threads must be a whole number from 1"),
        ({"seed": -1}, "seed must lie in 0 to"),
        ({"seed": 2**64}, "seed must lie in 0 to"),
        ({"seed": 1.5}, "seed must be a whole number"),
        ({"seed": [1, 2]}, "seed must be a whole number or 3 whole numbers"),
        ({"seed": [1, 2, -3]}, "seed must be a whole number or 3 whole numbers"),
        ({"seed": [1.0, 2.0, 3.0]}, "seed must be a whole number or 3 whole numbers"),
    ],
)
def test_bad_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        GameBatch(**{"num_games": 3, **options})


def test_buffers_are_as_documented() -> None:
    batch = GameBatch(7, 3, seed=0)
    assert len(batch) == 7 and batch.num_players == 3
    shapes = {
        "games": (GAME_DTYPE, (7,)),
        "action_masks": (np.int8, (7, NUM_GAME_ACTIONS)),
        "current_players": (np.int8, (7,)),
        "rewards": (np.float32, (7, 4)),
        "dones": (np.bool_, (7,)),
        "final_scores": (np.int16, (7, 4)),
        "final_winners": (np.int8, (7,)),
        "final_lengths": (np.int32, (7,)),
        "episodes": (np.int64, (7,)),
    }
    kept = {}
    for name, (kind, shape) in shapes.items():
        buffer = getattr(batch, name)
        assert (buffer.dtype, buffer.shape) == (kind, shape), name
        kept[name] = buffer
    batch.step(batch.action_masks.argmax(axis=1))
    for name, buffer in kept.items():
        assert getattr(batch, name) is buffer, name  # written in place
