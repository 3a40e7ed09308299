"""`expert`: its plans, the futures that it looks at, its notes, and whole games."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import numba
import numpy as np
import pytest

from agents import GameView, make_agent
from agents.expert import (
    FUTURES,
    LEAST_REASON,
    MOST_REASONS,
    PLANS,
    ExpertAgent,
)
from agents.expert_kernels import find_plans, keep_different
from agents.expert_search import carry_out, look_ahead, rate_plans
from agents.greedy import bytes_of
from agents.greedy_kernels import load
from agents.greedy_pieces import expect_rows
from agents.greedy_search import plan_turn
from agents.greedy_weights import MAX_PLIES, by_turns, fitted_weights
from agents.light_weights import light_policy
from agents.mind import Candidates, make_candidates, make_mind
from nijar_env import GameBatch, load_box
from nijar_env.core.catalogue import A_KEEP, A_REROLL
from nijar_env.core.constants import PHASE_MARKET
from nijar_env.core.kernels import play
from nijar_env.core.record import GAME_DTYPE
from tests.observation.states import KIND_IDS, KINDS

from .games import (
    copy_of,
    first_choices,
    play_on,
    play_solo,
    states_in_play,
    with_other_secrets,
)

SMALL = "expert:plans=3,futures=1,turns=1,beam=4"


def small() -> ExpertAgent:
    return ExpertAgent(plans=3, futures=1, turns=1, beam=4)


# --- whole games


@pytest.mark.parametrize("auto_forced", [True, False])
@pytest.mark.parametrize(("players", "difficulty"), KINDS, ids=KIND_IDS)
def test_it_plays_whole_legal_games(players: int, difficulty: str, auto_forced: bool) -> None:
    batch = GameBatch(
        2, players, difficulty=difficulty, seed=8, auto_forced=auto_forced, auto_reset=False
    )
    play_on(batch, small(), 5000)
    assert batch.dones.all()
    assert (batch.final_scores[:, :players] > 20).all()


def test_it_beats_greedy_in_solo() -> None:
    expert = play_solo(make_agent("expert"), "normal", 30, seed=3)
    greedy = play_solo(make_agent("greedy"), "normal", 30, seed=3)
    gains = np.array(expert.own_vp) - np.array(greedy.own_vp)
    assert gains.mean() > 4
    assert gains.mean() > 2 * gains.std() / len(gains) ** 0.5


def test_results_do_not_depend_on_the_batch() -> None:
    whole = play_solo(make_agent(SMALL), "normal", 6, seed=2, batch_size=6)
    for size in (4, 1, 6):
        assert play_solo(make_agent(SMALL), "normal", 6, seed=2, batch_size=size) == whole


def test_seeds_differ_and_repeat() -> None:
    batch = states_in_play(2, games=30)[3]

    def choices(seed: int) -> list[int]:
        agent = ExpertAgent(futures=1)
        agent.reset(seed)
        return first_choices(batch, agent)

    assert choices(1) == choices(1) != choices(2)


@pytest.mark.parametrize(("players", "difficulty"), KINDS, ids=KIND_IDS)
def test_nothing_hidden_changes_its_choice(players: int, difficulty: str) -> None:
    compared = 0
    for stage, batch in enumerate(states_in_play(players, difficulty)):
        other = with_other_secrets(batch, stage)
        options = {"plans": 4, "futures": 2, "turns": 2, "beam": 8}
        chosen = [first_choices(games, ExpertAgent(**options)) for games in (batch, other)]
        assert chosen[0] == chosen[1]
        compared += len(batch)
    assert compared > 40


def test_a_plan_does_not_outlive_its_game_or_pass_to_another_player() -> None:
    agent = small()
    old = GameBatch(8, 2, seed=1)
    play_on(old, agent, 31)
    new = copy_of(old)
    play_on(new, make_agent("random"), 9)
    new.episodes[:] = 1
    assert first_choices(new, agent) == first_choices(new, small())


def test_one_agent_for_all_seats_plays_as_one_for_each() -> None:
    def play(agents: list[ExpertAgent]) -> bytes:
        batch = GameBatch(4, 3, seed=5, auto_reset=False)
        actions = np.zeros(len(batch), np.int64)
        while not batch.dones.all():
            view = GameView(batch)
            for seat, agent in enumerate(agents):
                own = view.select(np.flatnonzero(view.players % len(agents) == seat))
                if len(own):
                    actions[own.rows] = agent.act(None, batch.action_masks[own.rows], own)
            batch.step(actions)
        return batch.games.tobytes()

    assert play([small()]) == play([small() for _ in range(3)])


@pytest.mark.parametrize("plans", [1, 4])
def test_dice_are_kept_or_rolled_again_by_what_they_show(plans: int) -> None:
    batch = GameBatch(64, 1, seed=9, auto_reset=False)
    agent = ExpertAgent(plans=plans, futures=8, turns=1, beam=2)
    chosen: set[int] = set()
    random = make_agent("light")
    while not batch.dones.all():
        market = np.flatnonzero(batch.games["phase"] == PHASE_MARKET)
        if len(market):
            view = GameView(batch, rows=market)
            chosen |= set(agent.act(None, batch.action_masks[market], view).tolist())
        play_on(batch, random, 1)
    assert chosen == {A_KEEP, A_REROLL}


@pytest.mark.parametrize(
    ("option", "values"),
    [
        ("plans", (0, 65)),
        ("futures", (0, 4097)),
        ("turns", (0, 19)),
        ("beam", (0, 1025)),
    ],
)
def test_options_out_of_range_are_named(option: str, values: tuple[int, ...]) -> None:
    for value in values:
        with pytest.raises(ValueError, match=f"{option} must be 1 to .*, not {value}"):
            ExpertAgent(**{option: value})


# --- plans


@numba.njit
def _find(boxes: Any, mind: Any, pool: Any, raw: Any, raw_games: Any, depth: int, c: Any) -> int:
    load(pool, raw, raw_games, 0, depth)
    return find_plans(boxes[0], mind, pool, raw, c)


@numba.njit
def _best(boxes: Any, mind: Any, pool: Any, raw: Any, raw_games: Any, depth: int, path: Any) -> int:
    load(pool, raw, raw_games, 0, depth)
    return plan_turn(boxes[0], mind.weights, pool, raw, mind.features[0], mind.row[0], path)


@numba.njit
def _keep(found: Any, n: int, most: int, alike: int) -> int:
    return keep_different(found, n, most, alike)


@numba.njit
def _carry_out(boxes: Any, games: Any, mind: Any, key: Any, path: Any, length: int) -> None:
    expect_rows(boxes[0], games[0], mind.expected)
    carry_out(boxes[0], games[0], mind, key, path, length)


@numba.njit
def _look(
    boxes: Any, mind: Any, games: Any, raw: Any, key: Any, turns: int, path: Any, length: int
) -> float:
    expect_rows(boxes[0], games[0], mind.expected)
    return look_ahead(boxes[0], mind, games, raw, key, turns, path, length)


@numba.njit
def _rate(
    boxes: Any, mind: Any, games: Any, raw: Any, key: Any, futures: int, turns: int, n: int, c: Any
) -> None:
    lengths, paths = c.lengths, c.paths
    box = boxes[0]
    rate_plans(
        box, mind, games, raw, key, futures, turns, n, lengths, paths, c.means, c.looks, c.order
    )


BOX = load_box().record
MIND = make_mind(by_turns(fitted_weights()), light_policy())
POOL = np.zeros(2 * 16 + 2, GAME_DTYPE)
KEY = np.uint64(77)


def positions(players: int, games: int = 6) -> list[Any]:
    """Determinized games, GAME_DTYPE (1,) each, at several stages; without the market's dice."""
    found = []
    for batch in states_in_play(players, games=games):
        known = GameView(batch).determinize(np.arange(games, dtype=np.uint64))
        found += [known[i : i + 1].copy() for i in range(games)]
    return [game for game in found if game[0]["phase"] != PHASE_MARKET]


def plans_of(game: Any, most: int = 32) -> tuple[Candidates, int]:
    """Plans found for who is to act."""
    found = make_candidates(most)
    n = _find(BOX, MIND, POOL, bytes_of(POOL), bytes_of(game), int(game[0]["depth"]), found)
    return found, int(n)


def path_of(found: Candidates, k: int) -> list[int]:
    return found.paths[k, : found.lengths[k]].tolist()  # type: ignore[no-any-return]


@pytest.mark.parametrize("players", [1, 2, 4])
def test_plans_are_sorted_and_distinct_and_begin_with_greedys(players: int) -> None:
    several = 0
    for game in positions(players):
        found, n = plans_of(game)
        assert 1 <= n <= 32
        values = found.values[:n]
        assert (np.diff(values) < 0).all()
        paths = [path_of(found, k) for k in range(n)]
        assert len({tuple(path) for path in paths}) == n
        assert all(game[0]["legal"][path[0]] for path in paths)
        best = np.zeros(MAX_PLIES, np.int64)
        depth = int(game[0]["depth"])
        length = _best(BOX, MIND, POOL, bytes_of(POOL), bytes_of(game), depth, best)
        assert best[:length].tolist() == paths[0]
        several += n > 1
    assert several > 20


def test_of_plans_that_begin_alike_few_are_kept() -> None:
    found = make_candidates(6)
    for k, path in enumerate(([5, 1], [5, 2], [7, 1], [5, 3], [8], [7, 2])):
        found.paths[k, : len(path)] = path
        found.lengths[k] = len(path)
        found.values[k] = -k
    assert _keep(found, 6, 4, 2) == 4
    assert [path_of(found, k) for k in range(4)] == [[5, 1], [5, 2], [7, 1], [8]]
    assert found.values[:4].tolist() == [0, -1, -2, -4]


@pytest.mark.parametrize("players", [1, 2, 4])
def test_a_plan_is_carried_out_as_it_stands_where_nothing_intervenes(players: int) -> None:
    whole = 0
    for game in positions(players):
        found, n = plans_of(game)
        for k in range(min(n, 4)):
            path = path_of(found, k)
            there, by_hand = game.copy(), game.copy()
            _carry_out(BOX, there, MIND, KEY, found.paths[k], len(path))
            p = int(game[0]["current_player"])
            for action in path:
                if not by_hand[0]["legal"][action] or by_hand[0]["current_player"] != p:
                    break
                play(BOX, by_hand, 0, action, True)
            else:
                assert there.tobytes() == by_hand.tobytes()
                whole += 1
    assert whole > 60


def test_an_action_that_is_not_offered_ends_a_plan() -> None:
    game = positions(2)[20]
    found, _ = plans_of(game)
    first = path_of(found, 0)[0]
    path = np.full(MAX_PLIES, A_REROLL, np.int64)
    path[0] = first
    there, by_hand = game.copy(), game.copy()
    _carry_out(BOX, there, MIND, KEY, path, 3)
    play(BOX, by_hand, 0, first, True)
    assert there.tobytes() == by_hand.tobytes()


def room(game: Any) -> Any:
    """The game and a scratch beside it."""
    games = np.zeros(2, GAME_DTYPE)
    games[:1] = game
    return games


@pytest.mark.parametrize(
    ("plans", "looks"),
    [
        (1, [0]),
        (2, [8, 8]),
        (3, [16, 16, 8]),
        (5, [32, 32, 16, 8, 8]),
        (8, [32, 32, 16, 16, 8, 8, 8, 8]),
    ],
)
def test_half_of_the_plans_drop_out_again_and_again(plans: int, looks: list[int]) -> None:
    """One plan as several: all meet the same deals, so all are worth the same to the last bit."""
    for game in positions(2)[::9]:
        found, _ = plans_of(game)
        found.paths[:] = found.paths[0].copy()
        found.lengths[:] = found.lengths[0]
        games = room(game)
        _rate(BOX, MIND, games, bytes_of(games), KEY, 8, 2, plans, found)
        assert found.order[:plans].tolist() == list(range(plans))  # equal ones stay as they are
        assert found.looks[:plans].tolist() == looks
        for count in set(looks):
            assert len(set(found.means[:plans][found.looks[:plans] == count])) == 1
        assert games[0].tobytes() == game[0].tobytes()


def test_a_plan_is_worth_the_mean_of_its_futures() -> None:
    checked = 0
    for game in positions(1)[::4]:
        found, n = plans_of(game)
        if n < 4:
            continue
        checked += 1
        games = room(game)
        raw = bytes_of(games)
        _rate(BOX, MIND, games, raw, KEY, 2, 2, 4, found)
        order, means, looks = found.order[:4], found.means, found.looks
        assert looks[order].tolist() == [4, 4, 2, 2]
        for a, b in ((0, 1), (2, 3)):
            assert means[order[a]] >= means[order[b]]
        # The best of two is the first of three where the third dropped out before.
        more = make_candidates(32)
        for name in ("lengths", "paths"):
            getattr(more, name)[:2] = getattr(found, name)[order[:2]]
        _rate(BOX, MIND, games, raw, KEY, 4, 2, 2, more)
        assert more.means[:2] == pytest.approx(means[order[:2]])
        one = _look(BOX, MIND, games, raw, KEY, 2, found.paths[0], int(found.lengths[0]))
        again = _look(BOX, MIND, games, raw, KEY, 2, found.paths[0], int(found.lengths[0]))
        other = _look(
            BOX, MIND, games, raw, KEY + np.uint64(1), 2, found.paths[0], int(found.lengths[0])
        )
        assert one == again and np.isfinite(other)
    assert checked > 5


# --- notes


@pytest.mark.parametrize("players", [1, 2])
def test_notes_give_the_plans_and_the_reasons(players: int) -> None:
    reasoned = 0
    for batch in states_in_play(players):
        agent, silent = ExpertAgent(), ExpertAgent()
        agent.keep_notes = True
        view = GameView(batch)
        chosen = first_choices(batch, agent)
        assert chosen == first_choices(batch, silent) and not silent.notes
        for row, number in enumerate(view.ids.tolist()):
            if batch.action_masks[row].sum() == 1:
                assert number not in agent.notes
                continue
            note = agent.notes[number]
            assert note.choices[0].actions[0] == chosen[row]
            assert 1 <= len(note.choices) <= PLANS
            assert all(batch.action_masks[row, c.actions[0]] for c in note.choices)
            ranks = [(-c.looks, -c.value) for c in note.choices]
            if len(note.choices) > 1:
                assert ranks == sorted(ranks)
                assert note.choices[-1].looks == FUTURES
            assert note.measure
            if not note.reasons:
                continue
            reasoned += 1
            sizes = [abs(vp) for _, vp in note.reasons]
            assert sizes == sorted(sizes, reverse=True) and len(sizes) <= MOST_REASONS
            assert min(sizes) >= LEAST_REASON
            difference = note.choices[0].value - note.choices[1].value
            assert difference >= 0
            # Eleven in all: those left out are small, or smaller than those that are named.
            least = max(LEAST_REASON, min(sizes) if len(sizes) == MOST_REASONS else 0.0)
            told = sum(vp for _, vp in note.reasons)
            assert abs(difference - told) <= (11 - len(sizes)) * least
    assert reasoned > 20


def test_a_new_match_forgets_the_notes() -> None:
    agent = small()
    agent.keep_notes = True
    play_on(GameBatch(2, 1, seed=1), agent, 5)
    assert agent.notes
    agent.reset(1)
    assert not agent.notes


# --- compiled or not

_CHOICES = """
import json
from agents.expert import ExpertAgent
from nijar_env import GameBatch
from tests.agents.games import play_on
from agents import make_agent
told = []
for players in (1, 2):
    batch = GameBatch(2, players, seed=6, auto_reset=False)
    play_on(batch, make_agent("random"), 25)
    agent = ExpertAgent(plans=2, futures=1, turns=1, beam=2)
    play_on(batch, agent, 5)
    told.append([batch.games["decisions"].tolist(), batch.games["vp"].tolist(),
        batch.games["hand"].tolist(), batch.games["pg"].tolist()])
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
