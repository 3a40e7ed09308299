"""Networks of kind "choices": what they are given, what they make of it, and where they begin."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
import numpy.typing as npt
import pytest

from agents import GameView, choice_layout, make_agent
from agents.choice_layout import (
    AT_COUNT,
    AT_MENU,
    AT_PAIRS,
    CONTEXT,
    MOST_PAIRS,
    NUM_CONTEXT,
    NUM_INPUTS,
    NUM_MENU,
    NUM_SCORES,
    ROW_SIZE,
    choice_layout_hash,
)
from agents.choice_rows import ChoiceRows, input_statistics
from agents.greedy_pieces import expect_rows
from agents.greedy_weights import FUTURE_SALE, NUM_FEATURES, by_turns, fitted_weights
from agents.light_heads import H_ACTION, NUM_EFFECTS, NUM_HEADS
from agents.light_kernels import choose_light
from agents.light_rollout import outcome
from agents.light_weights import light_policy
from agents.mind import make_mind
from agents.networks.forward import ABSENT, NumpyOps, architectures, complete_options
from nijar_env import Box, Game, GameBatch, load_box
from nijar_env.components.vocabulary import (
    BOARD_ROWS,
    DIFFICULTIES,
    EFFECT_ACTIONS,
    NUM_ACTIONS,
    NUM_CARDS,
)
from nijar_env.core.catalogue import A_PLAY, NUM_GAME_ACTIONS
from nijar_env.core.constants import FRAME_KINDS, PHASE_FINISHED
from tests import extreme_boxes
from tests.observation.states import KIND_IDS, KINDS
from tests.random_play import leanings
from tests.rules.scenes import (
    POSITION,
    act,
    edit,
    load,
    pieces,
    play,
    row,
    scene,
    turn_of,
    wheels,
)

from .choice_networks import SMALL, forward, make_weights, mind_of, probabilities, think
from .games import copy_of, play_on, states_in_play, with_other_secrets
from .looks import looks_at

Rows = npt.NDArray[np.float32]


class Row(NamedTuple):
    """A row, read by its layout."""

    inputs: Rows
    menu: Rows  # (rows of the board, actions)
    pairs: list[tuple[int, int, float]]  # (action, head, times)


def read(one: Rows) -> Row:
    count = int(one[AT_COUNT])
    assert 0 <= count <= MOST_PAIRS
    pairs = one[AT_PAIRS : AT_PAIRS + 3 * count].reshape(count, 3).tolist()
    assert not one[AT_PAIRS + 3 * count :].any()
    return Row(
        one[:NUM_INPUTS],
        one[AT_MENU : AT_MENU + NUM_MENU].reshape(BOARD_ROWS, NUM_ACTIONS),
        [(int(action), int(head), times) for action, head, times in pairs],
    )


def lights_stages(players: int, difficulty: str, every: int = 9) -> list[GameBatch]:
    """Batches at several stages of games by light."""
    batch = GameBatch(6, players, difficulty=difficulty, seed=3, auto_reset=False)
    light = make_agent("light:draw=true")
    light.reset(1)
    stages = []
    while not batch.dones.any():
        stages.append(copy_of(batch))
        play_on(batch, light, every)
    return stages


@cache
def stages(players: int, difficulty: str) -> tuple[GameBatch, ...]:
    """Positions of random play, where all sorts of things happen, and of sensible play."""
    return (*states_in_play(players, difficulty), *lights_stages(players, difficulty))


def all_stages() -> Iterator[GameBatch]:
    for players, difficulty in KINDS:
        yield from stages(players, difficulty)


# --- rows ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "difficulty"), KINDS, ids=KIND_IDS)
def test_rows_tell_nothing_that_is_hidden(players: int, difficulty: str) -> None:
    """Those of the true game are those of any game that its player to act could be in."""
    rows = ChoiceRows()
    compared = 0
    for stage, batch in enumerate(stages(players, difficulty)):
        true = rows.of_batch(batch)
        view = GameView(batch)
        np.testing.assert_array_equal(rows.of_view(view), true)
        for key in (0, 1 + stage):
            dealt = view.determinize(np.full(len(view), key, np.uint64))
            np.testing.assert_array_equal(rows.of_games(batch.box, dealt), true)
        np.testing.assert_array_equal(rows.of_batch(with_other_secrets(batch, stage)), true)
        compared += len(batch)
    assert compared > 100


def check_row(one: Row, game: Any) -> None:
    """Every legal action is there, with heads that there are."""
    legal = np.flatnonzero(game.legal).tolist()
    assert list(dict.fromkeys(action for action, _, _ in one.pairs)) == legal
    assert all(0 <= head < NUM_SCORES for _, head, _ in one.pairs)
    assert np.isfinite(one.inputs).all() and np.isfinite([t for _, _, t in one.pairs]).all()
    assert set(one.menu.ravel().tolist()) <= {0.0, 1.0}


def test_pairs_are_the_heads_that_light_looks_at() -> None:
    rows = ChoiceRows()
    spaces = 0
    for batch in all_stages():
        found = rows.of_batch(batch)
        for game, look, numbers in zip(batch.games, looks_at(batch.games), found, strict=True):
            one = read(numbers)
            check_row(one, game)
            expected: list[tuple[int, int, float]] = []
            for action, heads, menu in zip(
                look.actions.tolist(), look.heads, look.menus.tolist(), strict=True
            ):
                expected += [(action, head, times) for head, times in heads]
                above = [r for r in range(BOARD_ROWS) if menu >> r & 1]
                expected += [(action, NUM_HEADS + r, 1.0) for r in above]
                spaces += len(above)
            assert one.pairs == expected
            np.testing.assert_array_equal(
                one.inputs[:NUM_FEATURES], look.features.astype(np.float32)
            )
            bits = look.row_actions[:, None] >> np.arange(NUM_ACTIONS) & 1
            assert np.array_equal(one.menu, bits)
    assert spaces > 1000


def test_a_game_that_is_over_has_no_pairs_and_a_buffer_is_used_again() -> None:
    batch = GameBatch(3, 1, seed=2, auto_reset=False)
    rows = ChoiceRows()
    out = np.full((3, ROW_SIZE), 7.0, np.float32)
    assert rows.of_batch(batch, out) is out
    np.testing.assert_array_equal(out, rows.of_batch(batch))
    batch.games["current_player"][1] = -1
    assert rows.of_batch(batch, out).any(axis=1).tolist() == [True, False, True]
    assert (out[:, AT_COUNT] > 0).tolist() == [True, False, True]


@pytest.mark.parametrize("name", extreme_boxes.BOXES)
def test_rows_have_room_in_extreme_boxes(name: str, tmp_path: Path) -> None:
    box = load_box(extreme_boxes.write(name, tmp_path / name))
    rng = np.random.default_rng(0)
    rows = ChoiceRows()
    most = 0
    for players in (1, 4):
        batch = GameBatch(6, players, seed=5, components=box, auto_forced=False, auto_reset=True)
        weights = leanings(box)[np.arange(len(batch))]
        for step in range(360):
            if step % 4 == 0:
                for game, numbers in zip(batch.games, rows.of_batch(batch), strict=True):
                    check_row(read(numbers), game)
                    most = max(most, int(numbers[AT_COUNT]))
            luck = batch.action_masks * weights * rng.random(weights.shape)
            batch.step(luck.argmax(axis=1))
    assert most < MOST_PAIRS - 20


def test_actions_beyond_the_room_are_left_out_whole() -> None:
    """Nobody holds so many cards; if somebody did, the last ones would never be played."""
    game = load(scene(2))
    games = game._games[:1].copy()
    games["legal"][0, A_PLAY : A_PLAY + NUM_CARDS] = 1
    numbers = ChoiceRows().of_games(game.box, games)
    pairs = read(numbers[0]).pairs
    legal = np.flatnonzero(games["legal"][0]).tolist()
    there = list(dict.fromkeys(action for action, _, _ in pairs))
    assert there == legal[: len(there)] and len(there) < len(legal)
    assert MOST_PAIRS - 3 < len(pairs) <= MOST_PAIRS
    assert sum(action == there[-1] for action, _, _ in pairs) == 3  # as every card has
    logits, _ = forward(make_weights(), numbers)
    assert (logits[0, there] > ABSENT / 2).all()
    assert (logits[0, legal[len(there) :]] == ABSENT).all()


# --- the context, block by block ------------------------------------------------------------------


def context(game: Game, box: Box | None = None) -> dict[str, list[float]]:
    """The context of the player to act, by block."""
    numbers = ChoiceRows().of_games(box or game.box, game._games[:1])[0]
    at, found = NUM_FEATURES, {}
    for name, count in CONTEXT:
        found[name] = [float(x) for x in numbers[at : at + count]]
        at += count
    assert at == NUM_INPUTS == NUM_FEATURES + NUM_CONTEXT
    return found


def holds(game: Game, **blocks: list[float]) -> None:
    found = context(game)
    for name, values in blocks.items():
        assert found[name] == pytest.approx(values, abs=1e-6), name


def marked(count: int, *places: int) -> list[float]:
    """Numbers of which these are 1, or more where a place comes again."""
    return [float(places.count(place)) for place in range(count)]


def test_the_round() -> None:
    for number in (1, 2, 3):
        holds(load(scene(2, number=number)), round=marked(3, number - 1))
    setup = Game(2, seed=1, log=False)
    assert setup.phase == "setup"
    holds(setup, round=[0, 0, 0])


@pytest.mark.parametrize("players", [1, 2, 4])
def test_prices_now_and_later(players: int) -> None:
    vp = load_box().record[0]["market_vp"][1].astype(float)
    left = float(load_box().record[0]["left_piece_vp"][1])
    start = int(load_box().record[0]["market_start"][players])
    now = [vp[POSITION[name]] / 5 for name in ("plate", "jug", "pot")]
    holds(load(scene(players, number=3)), now=now, later=[left / 5] * 3)
    # One round to come: its demand is plate 0, jug 2, pot 1, so the jug gets the highest die.
    dice = [441 / 216, 1071 / 216, 3.5]
    rows = [min(start + demand + die, 12.0) for demand, die in zip([0, 2, 1], dice, strict=True)]
    later = [max(left, FUTURE_SALE * float(np.interp(r, range(13), vp))) / 5 for r in rows]
    holds(load(scene(players, number=2)), now=now, later=later)


def test_own_pieces_by_how_far_they_are() -> None:
    s = edit(
        scene(2),
        0,
        drying=pieces(plate=2, pot=1),
        firing_kilns=row("F00", "F01", pieces=["jug", "jug"]),
        workshops=row("Y00", pieces=["plate"]),
        glaze_kilns=row("G00", "G01", "G02", pieces=["pot", None, "jug"]),
        sold=pieces(jug=3),
    )
    game = load(s)
    left = game.to_dict()["supply"]
    holds(
        game,
        drying=[2, 0, 1],
        fired=[0, 2, 0],
        painted=[1, 0, 0],
        ready=[0, 1, 1],
        sold=[0, 3, 0],
        left=[left[name] / 5 for name in ("plate", "jug", "pot")],
        rival_ready=[0, 0, 0],
        rival_coming=[0, 0, 0],
    )


def test_the_pieces_of_an_average_rival() -> None:
    s = scene(3)
    edit(s, 1, glaze_kilns=row("G00", pieces=["plate"]), workshops=row("Y00", pieces=["pot"]))
    edit(s, 2, glaze_kilns=row("G00", pieces=["plate"]))
    edit(s, 0, glaze_kilns=row("G00", pieces=["jug"]))
    holds(load(s), rival_ready=[1, 0, 0], rival_coming=[0, 0, 0.5], ready=[0, 1, 0])
    holds(load(turn_of(s, 1)), rival_ready=[0.5, 0.5, 0], rival_coming=[0, 0, 0])


def test_the_competitions_pieces() -> None:
    s = edit(scene(1), 1, pieces={"plate": "painted", "jug": "unpainted", "pot": None})
    holds(load(s), rival_ready=[1, 0, 0], rival_coming=[0, 1, 0])


def test_what_vases_reach_next() -> None:
    effect = EFFECT_ACTIONS.index
    s = edit(scene(2), 0, wheels=wheels(("SW1", 1), ("W02", 2), ("W01", "done"), ("W04", 1)))
    holds(load(s), steps=marked(NUM_EFFECTS, effect("clay"), effect("fire"), effect("shape")))


def test_a_vase_at_its_last_space_reaches_nothing() -> None:
    """While what the space gives is still owed; then the wheel is completed."""
    s = edit(scene(2), 1, wheels=wheels(("SW1", 0)))
    edit(s, 0, wheels=wheels(("SW2", 3)))  # its last space is a shape
    game = play(act(load(s), "throw"), "throw:0")
    found = context(game)
    assert found["frames"][FRAME_KINDS.index("complete_wheel")] == 1
    assert found["frames"][FRAME_KINDS.index("shape")] == 1
    assert found["steps"] == marked(NUM_EFFECTS, 0)
    assert play(game, "done").record.wheel_done[0, 0]


def test_a_wheel_of_eight_spaces_is_read_no_further(tmp_path: Path) -> None:
    box = load_box(extreme_boxes.write("throwing", tmp_path / "throwing"))
    game = Game(1, seed=1, components=box, log=False)
    while game.phase == "setup":
        game.step(game.legal_actions()[0])
    games = game._games[:1]
    assert box.record[0]["card_spaces"][games[0].wheel[0, 0]] == 8
    games[0].vase[0, 0] = 8
    assert context(game, box)["steps"] == marked(NUM_EFFECTS, 0)


def test_pending_effects_by_kind() -> None:
    acquire = context(act(load(scene(2)), "acquire"))["frames"]
    assert acquire[FRAME_KINDS.index("acquire")] == 1
    assert context(load(scene(2)))["frames"] == marked(len(FRAME_KINDS))
    # What others are owed is not one's own.
    games = act(load(scene(2)), "acquire")._games[:1].copy()
    games[0].current_player = 1
    numbers = ChoiceRows().of_games(load_box(), games)[0]
    base = NUM_FEATURES + choice_layout.C_FRAMES
    assert not numbers[base : base + len(FRAME_KINDS)].any()


def test_the_place_in_turn_order_and_victory_points() -> None:
    s = edit(edit(edit(scene(3), 0, vp=20), 1, vp=35), 2, vp=50)
    s["turn_order"] = [2, 0, 1]
    s["first_player_track"] = [None] * 3
    holds(load(turn_of(s, 2)), first=[1], ahead=[15 / 50], vp=[1])
    holds(load(turn_of(s, 0)), first=[0.5], ahead=[-30 / 50], vp=[20 / 50])
    holds(load(turn_of(s, 1)), first=[0], ahead=[-15 / 50], vp=[35 / 50])


def test_against_the_competition() -> None:
    for level, difficulty in enumerate(DIFFICULTIES):
        s = edit(edit(scene(1, difficulty=difficulty), 0, vp=9), 1, vp=4)
        holds(load(s), difficulty=marked(3, level), first=[1], ahead=[5 / 50], vp=[9 / 50])
    holds(load(scene(2)), difficulty=[0, 0, 0])


# --- layout and scale -----------------------------------------------------------------------------


def test_the_layout_has_a_hash_of_all_its_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {choice_layout_hash()}
    assert len(choice_layout_hash()) == 12
    for name, value in (
        ("CONTEXT", choice_layout.CONTEXT[:-1]),
        ("CONTEXT", (*choice_layout.CONTEXT[:-1], ("difficulty", 4))),
        ("FEATURES", choice_layout.FEATURES[::-1]),
        ("HEADS", choice_layout.HEADS[1:]),
        ("NUM_GAME_ACTIONS", NUM_GAME_ACTIONS + 1),
        ("MOST_PAIRS", MOST_PAIRS + 1),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(choice_layout, name, value)
            known.add(choice_layout_hash())
    assert len(known) == 7
    assert {architectures()["choices"].layout(n) for n in (1, 2, 3, 4)} == {choice_layout_hash()}


def test_inputs_are_scaled_by_what_is_seen_in_games() -> None:
    mean, spread = input_statistics(load_box())
    for numbers in (mean, spread):
        assert numbers.shape == (NUM_INPUTS,) and numbers.dtype == np.float32
        assert np.isfinite(numbers).all()
    assert (spread > 0).all()
    # The first input is always 1, and stays so.
    assert mean[0] == 0 and spread[0] == 1
    for batch in all_stages():
        assert (ChoiceRows().of_batch(batch)[:, 0] == 1).all()
    mean[:], spread[:] = 5, 5
    again, _ = input_statistics(load_box())
    assert again[0] == 0


# --- the network ----------------------------------------------------------------------------------


@pytest.mark.parametrize("hidden", [[], [7], [6, 5]])
def test_it_begins_as_light(hidden: list[int]) -> None:
    weights = make_weights(3, {"hidden": hidden, "value_hidden": []}, like_light=True)
    alike = clear = 0
    for batch in all_stages():
        logits, _ = forward(weights, ChoiceRows().of_batch(batch))
        for game, look, scores in zip(batch.games, looks_at(batch.games), logits, strict=True):
            expected = np.zeros(NUM_GAME_ACTIONS)
            expected[look.actions] = look.odds / look.odds.sum()
            np.testing.assert_allclose(probabilities(scores, game.legal), expected, atol=2e-4)
            best = np.sort(look.odds)[::-1]
            if len(best) > 1 and best[1] < 0.999:  # else rounding may decide
                clear += 1
                alike += probabilities(scores, game.legal).argmax() == expected.argmax()
    assert alike == clear > 1000


def test_it_may_begin_evenly() -> None:
    options = complete_options("choices", {"begin": "even"})
    architecture = architectures()["choices"]
    assert architecture.begin(architecture.constants(load_box()), options) == {}


@pytest.mark.parametrize("hidden", [[6], [8], [1]])
def test_kernels_think_what_the_trained_pass_gives(hidden: list[int]) -> None:
    weights = make_weights(1, {**SMALL, "hidden": hidden})
    mind = mind_of(weights)
    assert mind.policy.shape[1] % 4 == 0
    tried = 0
    for batch in [*stages(1, "expert")[::3], *stages(2, "normal")[::3], *stages(4, "normal")[::5]]:
        logits, values = forward(weights, ChoiceRows().of_batch(batch))
        chosen = np.empty(len(batch), np.int64)
        keys = np.zeros(len(batch), np.uint64)
        choose_light(batch.box.record, mind, batch.games, keys, False, chosen)
        for i in range(len(batch)):
            actions, odds, value = think(mind, batch.games[i : i + 1])
            expected = probabilities(logits[i], batch.games[i].legal)
            np.testing.assert_allclose(odds / odds.sum(), expected[actions], atol=2e-4)
            assert value == pytest.approx(50 * float(values[i]), abs=5e-3)
            assert expected[chosen[i]] > expected.max() - 1e-4
            tried += 1
    assert tried > 60


def test_a_mind_of_no_network_thinks_as_light() -> None:
    mind = make_mind(by_turns(fitted_weights()), light_policy())
    batch = stages(2, "normal")[3]
    for i, look in enumerate(looks_at(batch.games)):
        actions, odds, value = think(mind, batch.games[i : i + 1])
        assert np.array_equal(odds, look.odds) and np.array_equal(actions, look.actions)
        assert value == 0


@numba.njit
def _scores_anew(policy: Any, x: Any, items: Any, n: int, out: Any) -> None:
    """`score_items` with every head worked out wherever it stands."""
    best = -1e30
    for k in range(n):
        out[k] = 0.0
        for i in range(items.count[k]):
            out[k] += items.times[k, i] * _head(policy, items.head[k, i], x)
        for r in range(BOARD_ROWS):
            if (items.menu[k] >> r) & 1:
                total = 1e-6
                for action in range(NUM_ACTIONS):
                    if (items.row_actions[r] >> action) & 1:
                        total += np.exp(min(_head(policy, H_ACTION + action, x), 30.0))
                out[k] += np.log(total)
        best = max(best, out[k])
    for k in range(n):
        out[k] = np.float32(np.exp(np.float64(np.float32(out[k])) - best))


@numba.njit
def _head(policy: Any, head: int, x: Any) -> float:
    w = policy[head]
    a = b = c = d = 0.0
    for i in range(0, x.shape[0], 4):
        a += w[i] * x[i]
        b += w[i + 1] * x[i + 1]
        c += w[i + 2] * x[i + 2]
        d += w[i + 3] * x[i + 3]
    return a + b + (c + d)


@pytest.mark.parametrize("network", [False, True])
def test_scores_that_are_kept_change_nothing(network: bool) -> None:
    """A mind that has looked at many other positions scores as if each head were worked out anew,
    so light, mcts and expert play as they did without that."""
    mind = (
        mind_of(make_weights(2))
        if network
        else make_mind(by_turns(fitted_weights()), light_policy())
    )
    tried = 0
    for batch in (*stages(1, "normal"), *stages(3, "normal")):
        for i in range(len(batch)):
            actions, odds, _ = think(mind, batch.games[i : i + 1])
            expected = np.zeros(len(actions))
            x = mind.seen if network else mind.row[0]
            _scores_anew(mind.policy, x, mind.items[0], len(actions), expected)
            np.testing.assert_array_equal(odds, expected)
            tried += len(actions)
    assert tried > 1000


@numba.njit
def _outcome(boxes: Any, games: Any, p: int, mind: Any) -> float:
    expect_rows(boxes[0], games[0], mind.expected)
    return outcome(boxes[0], games[0], np.int32(p), mind)  # as mcts calls it: compiled once


@pytest.mark.parametrize("players", [1, 3])
def test_a_position_is_worth_what_stands_and_what_is_to_come(players: int) -> None:
    rival = 0.25
    weights = make_weights(4, players=players, rival=str(rival))
    mind = mind_of(weights)
    rng = np.random.default_rng(0)
    for batch in stages(players, "normal")[::4]:
        games = batch.games[:1].copy()
        seats = int(games[0].num_seats)
        games["vp"][0, :seats] = rng.integers(0, 90, seats)
        for p in range(players):
            vp = games["vp"][0, :seats].astype(float)
            others = np.delete(vp, p).mean()
            own = games.copy()
            own["current_player"] = p
            own["legal"] = 0  # what is to come is not about these
            _, values = forward(weights, ChoiceRows().of_games(batch.box, own))
            expected = vp[p] - rival * others + 50 * float(values[0])
            assert _outcome(batch.box.record, games, p, mind) == pytest.approx(expected, abs=5e-3)
            games["phase"] = PHASE_FINISHED
            assert _outcome(batch.box.record, games, p, mind) == pytest.approx(
                vp[p] - rival * others
            )
            games["phase"] = batch.games[0].phase


_THOUGHTS = """
import json
import numpy as np
from agents.choice_rows import ChoiceRows
from nijar_env import GameBatch, load_box
from tests.agents.choice_networks import make_weights, mind_of, think
import agents.networks.choices as choices
from agents.choice_layout import NUM_INPUTS
# Not from games: they take long without compilation.
ones = np.ones(NUM_INPUTS, np.float32)
scale = {"input_mean": 0 * ones, "input_spread": 2 * ones}
object.__setattr__(choices.CHOICES, "constants", lambda box: scale)
mind = mind_of(make_weights(5))
told = []
for players in (1, 3):
    batch = GameBatch(1, players, seed=6, auto_reset=False)
    for step in range(18):
        actions, odds, value = think(mind, batch.games)
        rows = ChoiceRows().of_batch(batch)
        told.append([actions.tolist(), odds.tolist(), value, rows.tolist()])
        batch.step([int(actions[len(actions) // 2])])
print(json.dumps(told))
"""


def test_compiled_or_not_it_is_the_same() -> None:
    """As plain Python nothing is read beyond the end of an array, or it would raise."""
    told = []
    for disable in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-W", "error::RuntimeWarning", "-c", _THOUGHTS],
            env={**os.environ, "NUMBA_DISABLE_JIT": disable},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        told.append(json.loads(done.stdout))
    for compiled, plain in zip(*told, strict=True):
        for one, other in zip(compiled, plain, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"hidden": [8, 8, 8, 8]}, "hidden must list at most 3 layer sizes"),
        ({"value_hidden": [0]}, "a hidden layer's size must be a whole number from 1 to 1024"),
        ({"hidden": [1025]}, "from 1 to 1024, not 1025"),
        ({"hidden": 8}, "hidden must be like"),
        ({"begin": "greedy"}, "begin must be light or even, not 'greedy'"),
        ({"depth": 1}, "has no option 'depth'; it takes hidden, value_hidden, begin"),
    ],
)
def test_what_it_does_not_take_is_said(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        complete_options("choices", options)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "mlp"}, "needs a network of kind 'choices', not 'mlp'"),
        ({"options": {**SMALL, "hidden": []}}, r"one hidden layer each .* not \[\] and \[5\]"),
        ({"options": {**SMALL, "value_hidden": [3, 3]}}, "one hidden layer each"),
        ({"metadata": {"value": "margin"}}, r"VP to come \(reward.scheme: vp\), not margin"),
        ({"metadata": {}}, "not unknown"),
    ],
)
def test_kernels_refuse_what_they_cannot_think_with(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message) as error:
        mind_of(replace(make_weights(), **change))
    assert "\n" not in str(error.value)


def test_pairs_add_up() -> None:
    ops = NumpyOps()
    scores = np.array([[1.0, 10.0, 100.0], [2.0, 20.0, 200.0]], np.float32)
    pairs = np.array(
        [[[4, 0, 1], [4, 2, 0.5], [9, 1, 2]], [[4, 1, 1], [7, 0, 3], [9, 2, 1]]], np.float32
    )
    out = ops.add_pairs(scores, pairs, np.array([3.0, 1.0], np.float32))
    expected = np.full((2, NUM_GAME_ACTIONS), ABSENT, np.float32)
    expected[0, 4], expected[0, 9], expected[1, 4] = 51, 20, 20
    np.testing.assert_array_equal(out, expected)
