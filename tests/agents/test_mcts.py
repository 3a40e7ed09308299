"""`mcts`: what a search leaves behind, fairness, reuse of trees, budgets, and whole games."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import Any

import numba
import numpy as np
import pytest

from agents import GameView, make_agent
from agents.greedy import bytes_of
from agents.greedy_weights import by_turns, fitted_weights
from agents.light_policy import draw_action
from agents.light_weights import light_policy
from agents.mcts import MctsAgent, parameters
from agents.mcts_kernels import begin_tree, run_search
from agents.mcts_search import STREAM_ITERATIONS
from agents.mcts_tree import MAX_DEPTH, NODE_DTYPE, NONE, add_child
from agents.mind import PLAYOUTS, make_mind
from nijar_env import Game, GameBatch, load_box
from nijar_env.core.catalogue import NUM_GAME_ACTIONS
from nijar_env.core.constants import PHASE_FINISHED
from nijar_env.core.determinize import determinize
from nijar_env.core.engine import run
from nijar_env.core.kernels import copy_game
from nijar_env.core.rng import philox
from tests.observation.states import KIND_IDS, KINDS
from tests.rules.scenes import (
    ENDGAME,
    act,
    at_home,
    edit,
    load,
    play,
    row,
    scene,
    seat,
    shut,
)

from .games import (
    batch_of,
    copy_of,
    first_choices,
    play_on,
    play_solo,
    states_in_play,
    with_other_secrets,
)
from .test_mcts_tree import children

FEW = 12


def root_visits(agent: MctsAgent, place: int = 0) -> int:
    return int(agent._trees[place].nodes[0]["visits"])


# --- whole games


@pytest.mark.parametrize("playout", ["light", "random"])
@pytest.mark.parametrize("auto_forced", [True, False])
@pytest.mark.parametrize(("players", "difficulty"), KINDS, ids=KIND_IDS)
def test_it_plays_whole_legal_games(
    players: int, difficulty: str, auto_forced: bool, playout: str
) -> None:
    batch = GameBatch(
        1, players, difficulty=difficulty, seed=8, auto_forced=auto_forced, auto_reset=False
    )
    play_on(batch, MctsAgent(4, turns=1, playout=playout), 5000)
    assert batch.dones.all()
    assert (batch.final_scores[:, :players] > 20).all()


def test_it_beats_random_and_light_by_far() -> None:
    mcts = play_solo(make_agent("mcts:iterations=60"), "normal", 4, seed=3)
    light = play_solo(make_agent("light"), "normal", 4, seed=3)
    assert np.mean(mcts.own_vp) > np.mean(light.own_vp) + 10


def test_results_do_not_depend_on_the_batch() -> None:
    spec = f"mcts:iterations={FEW}"
    whole = play_solo(make_agent(spec), "normal", 4, seed=2, batch_size=4)
    for size in (3, 1, 4):
        assert play_solo(make_agent(spec), "normal", 4, seed=2, batch_size=size) == whole


def test_one_agent_for_all_seats_plays_as_one_for_each() -> None:
    def play(agents: list[MctsAgent]) -> bytes:
        batch = GameBatch(2, 2, seed=5, auto_reset=False)
        actions = np.zeros(len(batch), np.int64)
        for _ in range(90):
            view = GameView(batch)
            for number, agent in enumerate(agents):
                own = view.select(np.flatnonzero(view.players % len(agents) == number))
                if len(own):
                    actions[own.rows] = agent.act(None, batch.action_masks[own.rows], own)
            batch.step(actions)
        return batch.games.tobytes()

    assert play([MctsAgent(FEW)]) == play([MctsAgent(FEW), MctsAgent(FEW)])


def test_seeds_differ_and_repeat() -> None:
    batch = states_in_play(2, games=20)[3]

    def choices(seed: int) -> list[int]:
        agent = MctsAgent(FEW)
        agent.reset(seed)
        return first_choices(batch, agent)

    assert choices(1) == choices(1) != choices(2)


# --- fairness


@pytest.mark.parametrize(("players", "difficulty"), KINDS, ids=KIND_IDS)
def test_nothing_hidden_changes_its_choice(players: int, difficulty: str) -> None:
    compared = 0
    for stage, batch in enumerate(states_in_play(players, difficulty)):
        other = with_other_secrets(batch, stage)
        assert first_choices(batch, MctsAgent(FEW)) == first_choices(other, MctsAgent(FEW))
        compared += len(batch)
    assert compared > 40


@pytest.mark.parametrize(("players", "difficulty"), KINDS, ids=KIND_IDS)
def test_nothing_hidden_changes_a_whole_turn(players: int, difficulty: str) -> None:
    """Trees that are kept from choice to choice hold nothing hidden either: the same turn goes the
    same way until something that was hidden shows."""
    compared = kept = 0
    for stage, batch in enumerate(states_in_play(players, difficulty)):
        other = with_other_secrets(batch, stage)
        ours, theirs = MctsAgent(FEW), MctsAgent(FEW)
        rows = np.flatnonzero(batch.current_players >= 0)
        who = batch.current_players.copy()
        while len(rows):
            chosen = []
            for games, agent in ((batch, ours), (other, theirs)):
                view = GameView(games, rows=rows)
                actions = games.action_masks.argmax(axis=1).astype(np.int64)
                actions[rows] = agent.act(None, games.action_masks[rows], view)
                chosen.append(actions)
            assert chosen[0][rows].tolist() == chosen[1][rows].tolist()
            assert [root_visits(ours, r) for r in rows if r in ours._trees] == [
                root_visits(theirs, r) for r in rows if r in theirs._trees
            ]
            compared += len(rows)
            kept += sum(root_visits(ours, r) > FEW for r in rows if r in ours._trees)
            # The other game's other rows go their own way; they are not looked at any more.
            for games, actions in ((batch, chosen[0]), (other, chosen[1])):
                games.step(actions)
            rows = rows[
                (batch.current_players[rows] == who[rows])
                & (other.current_players[rows] == who[rows])
            ]
            if len(rows):
                keys = np.zeros(len(rows), np.uint64)
                known = [GameView(g, rows=rows).determinize(keys) for g in (batch, other)]
                rows = rows[
                    [
                        known[0][i].tobytes() == alike(known[1][i], known[0][i])
                        for i in range(len(rows))
                    ]
                ]
    assert compared > 80
    assert kept > 10


def alike(game: Any, other: Any) -> bytes:
    """The bytes of a record but for its events, which nobody reads."""
    copy = game.copy()
    copy["events"] = other["events"]
    return copy.tobytes()  # type: ignore[no-any-return]


# --- what a search leaves behind


def check_tree(nodes: Any, size: int, players: int, kept: int = 0) -> int:
    """Invariants of all nodes; returns how many were visited. A root that is `kept` was a child,
    and its first visit ended there."""
    reached, visited = [0], 0
    for node in reached:
        below = children(nodes, node)
        reached += below
        names = [(int(nodes[c]["player"]), int(nodes[c]["action"])) for c in below]
        assert len(set(names)) == len(names)
        total = sum(int(nodes[c]["visits"]) for c in below)
        visits = int(nodes[node]["visits"])
        visited += visits > 0
        if node == 0:
            assert total == visits - kept
        else:
            assert 0 <= nodes[node]["player"] < players
            assert 0 <= nodes[node]["action"] < NUM_GAME_ACTIONS
            assert nodes[node]["available"] >= visits
            assert 0 <= nodes[node]["prior"] <= 1
            # The first visit ended here, and others may have reached the end of the game.
            assert total <= max(visits - 1, 0)
            assert np.isfinite(nodes[node]["value"])
        for c in below:
            assert nodes[c]["available"] <= visits
    assert sorted(reached) == list(range(size))
    return visited


@pytest.mark.parametrize(("players", "difficulty"), KINDS, ids=KIND_IDS)
def test_a_search_adds_up(players: int, difficulty: str) -> None:
    depths = 0
    for batch in states_in_play(players, difficulty, games=3):
        agent = MctsAgent(60)
        first_choices(batch, agent)
        for place, tree in agent._trees.items():
            nodes, size = tree.nodes, int(tree.size[0])
            assert nodes[0]["visits"] == 60
            visited = check_tree(nodes, size, players)
            assert 2 <= visited <= 61
            below = children(nodes, 0)
            legal = np.flatnonzero(batch.action_masks[place]).tolist()
            assert sorted(int(nodes[c]["action"]) for c in below) == legal
            assert {int(nodes[c]["player"]) for c in below} == {int(batch.current_players[place])}
            assert all(nodes[c]["available"] == 60 for c in below)
            assert sum(float(nodes[c]["prior"]) for c in below) == pytest.approx(1, abs=1e-4)
            depths += any(children(nodes, c) for c in below)
    assert depths > 10


def test_a_full_array_ends_growth_but_not_the_search() -> None:
    for batch in states_in_play(2, games=3):
        agent = MctsAgent(80)
        agent._capacity = int(batch.action_masks.sum(axis=1).max()) + 5
        chosen = first_choices(batch, agent)
        assert all(batch.action_masks[i, a] for i, a in enumerate(chosen))
        for tree in agent._trees.values():
            assert tree.size[0] <= agent._capacity == len(tree.nodes)
            assert tree.nodes[0]["visits"] == 80
            check_tree(tree.nodes, int(tree.size[0]), 2)


@numba.njit
def _line(
    boxes: Any, mind: Any, games: Any, raw: Any, nodes: Any, size: Any, key: Any, n: int
) -> int:
    """A tree of one line of play in the game that the first iteration of a search deals; each of
    its nodes looks better than all that may lie beside it. Returns its length."""
    box = boxes[0]
    copy_game(raw, 1, raw, 0, games[0].depth)
    g = games[1]
    deal = philox(key, np.uint64(0), np.uint64(STREAM_ITERATIONS), np.uint64(0))
    determinize(box, g, games[0].current_player, deal)
    parent = 0
    for k in range(n):
        if g.phase == PHASE_FINISHED:
            return k
        action = draw_action(box, g, mind, key, k)
        add_child(nodes, size, parent, g.current_player, action, 0.5)
        parent = size[0] - 1
        nodes[parent].visits = 1
        nodes[parent].available = 1
        nodes[parent].value = 1e9
        run(box, g, action, True)
    return n


def test_a_tree_deeper_than_a_path_is_followed_no_further() -> None:
    game = GameView(GameBatch(1, 4, seed=3)).determinize(np.zeros(1, np.uint64))
    games = np.concatenate([game, game])
    mind = make_mind(by_turns(fitted_weights()), light_policy())
    nodes, size = np.zeros(20_000, NODE_DTYPE), np.zeros(1, np.int64)
    begin_tree(nodes, size)
    box, key, raw = load_box().record, np.uint64(5), bytes_of(games)
    length = int(_line(box, mind, games, raw, nodes, size, key, MAX_DEPTH + 9))
    assert length == MAX_DEPTH + 9
    # What was never tried is thought to be far worse than the line.
    params = parameters(turns=999, playout=PLAYOUTS.index("light"), first=1e8)
    run_search(box, mind, params, games, raw, nodes, size, key, 0, 1)
    line = nodes["visits"][1 : length + 1].tolist()
    assert line == [2] * MAX_DEPTH + [1] * 9


def test_notes_are_the_root() -> None:
    batch = states_in_play(2)[4]
    agent, silent = MctsAgent(40), MctsAgent(40)
    agent.keep_notes = True
    chosen = first_choices(batch, agent)
    assert chosen == first_choices(batch, silent) and not silent.notes
    for place, note in agent.notes.items():
        assert note.choices[0].actions == (chosen[place],)
        legal = np.flatnonzero(batch.action_masks[place])
        assert sorted(c.actions[0] for c in note.choices) == legal.tolist()
        assert sum(c.looks for c in note.choices) == 40
        looks = [c.looks for c in note.choices]
        assert looks == sorted(looks, reverse=True)
        assert sum(c.prior or 0 for c in note.choices) == pytest.approx(1, abs=1e-4)
        assert "best other player" in note.measure
    assert len(agent.notes) == len(batch)
    agent.reset(0)
    assert not agent.notes


# --- trees that are kept


def searched(game: Game, agent: MctsAgent) -> int:
    """Search from a game; returns the visits of the root."""
    first_choices(batch_of([game]), agent)
    return root_visits(agent)


def child_visits(agent: MctsAgent, action: int) -> int:
    nodes = agent._trees[0].nodes
    return sum(int(nodes[c]["visits"]) for c in children(nodes, 0) if nodes[c]["action"] == action)


def after(game: Game, agent: MctsAgent, name: str) -> tuple[int, int]:
    """Take an action as if the agent had chosen it, and search again: the visits of its node before
    and of the root afterwards."""
    action = game.parse_action(name)
    agent._trees[0].action = action
    visits = child_visits(agent, action)
    game.step(action)
    return visits, searched(game, agent)


def test_a_tree_is_kept_inside_a_turn() -> None:
    game = load(scene(1), forced=True)
    agent = MctsAgent(100)
    assert searched(game, agent) == 100
    name = game.action_name(agent._trees[0].action)
    before, now = after(game, agent, name)
    assert before > 1 and now == before + 100
    check_tree(agent._trees[0].nodes, int(agent._trees[0].size[0]), 1, kept=1)


def test_a_card_taken_shows_nothing_and_a_refresh_does() -> None:
    s = scene(1)
    s["draft"][0] = ["W14", "W13", "W15", "W12", "W16"]
    start = act(load(s, forced=True), "acquire")
    for name, kept in (("take:0,0", True), ("refresh:0", False)):
        game = start.clone()
        agent = MctsAgent(150)
        searched(game, agent)
        before, now = after(game, agent, name)
        assert before > 0
        assert now == (before + 150 if kept else 150)


def test_a_refill_drops_the_tree() -> None:
    """The Acquire ends: new cards lie open, and the turn goes on with the bonus."""
    game = load(scene(1), forced=True)
    play(game, "place:0,0", "action:acquire", "take:0,0")
    agent = MctsAgent(60)
    searched(game, agent)
    before, now = after(game, agent, "donkey:0,1")
    assert game.current_player == 0 and game.record.depth > 0
    assert before > 0 and now == 60


def test_a_new_turn_drops_the_tree() -> None:
    """Also where the Competition did nothing that shows, its shop being closed."""
    s = shut(edit(scene(1), 0, endgame_hand=[], endgame_discarded=ENDGAME[0]), 1)
    edit(s, 0, firing_kilns=row("F00", "F10", pieces=["jug", "pot"]))
    s["draft"][2] = ["G11", "G10", "F11", "G12", "F12"]
    game = load(s, forced=True)
    agent = MctsAgent(60)
    searched(game, agent)
    before, _ = after(game, agent, "sell:jug")
    assert before > 0
    before, now = after(game, agent, "done")
    assert game.record.depth == 0 and game.current_player == 0
    assert before > 0 and now == 60


def test_a_rivals_choice_in_between_drops_the_tree() -> None:
    game = load(scene(2), forced=True)
    agent = MctsAgent(60)
    while game.current_player == 0:
        searched(game, agent)
        game.step(agent._trees[0].action)
    while game.current_player == 1:
        game.step(game.legal_actions()[0])
    assert searched(game, agent) == 60


def test_trees_of_one_row_do_not_pass_to_another_game() -> None:
    agent = MctsAgent(30)
    old = states_in_play(1)[3]
    first_choices(old, agent)
    new = copy_of(old)
    play_on(new, MctsAgent(30), 1)
    view = GameView(new, ids=np.arange(len(new)) + 50)
    again = agent.act(None, new.action_masks, view)
    fresh = MctsAgent(30).act(None, new.action_masks, view)
    assert again.tolist() == fresh.tolist()


# --- budgets and options


def test_a_budget_of_time_is_used_up() -> None:
    batch = batch_of([load(scene(2))])
    agent = MctsAgent(seconds=0.05)
    first_choices(batch, agent)  # compiled, and room made
    for _ in range(3):
        agent.reset(0)
        start = time.perf_counter()
        action = first_choices(batch, agent)[0]
        taken = time.perf_counter() - start
        assert batch.action_masks[0, action]
        assert taken >= 0.05
        assert root_visits(agent) % 32 == 0 and root_visits(agent) >= 32


def test_of_two_budgets_the_first_used_up_ends_the_search() -> None:
    batch = batch_of([load(scene(2))])
    agent = MctsAgent(iterations=70, seconds=3600)
    first_choices(batch, agent)
    assert root_visits(agent) == 70
    alone = MctsAgent(iterations=70)
    first_choices(batch, alone)
    assert alone._trees[0].nodes.tobytes() == agent._trees[0].nodes.tobytes()
    short = MctsAgent(iterations=1_000_000, seconds=0.01)
    first_choices(batch, short)
    assert root_visits(short) < 1_000_000


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer that interrupts")
def test_ctrl_c_is_heard_during_a_long_search() -> None:
    batch = batch_of([load(scene(2))])
    first_choices(batch, MctsAgent(iterations=1))  # compiled
    agent = MctsAgent(iterations=1_000_000)
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        with pytest.raises(KeyboardInterrupt):
            first_choices(batch, agent)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert root_visits(agent) < 1_000_000


@pytest.mark.parametrize(
    ("option", "values"),
    [
        ("iterations", (0, -1, 1_000_001)),
        ("seconds", (0.0, -1.0, 3601.0, float("nan"))),
        ("turns", (0, 19)),
        ("playout", ("", "greedy")),
        ("bias", (-0.1, 1001.0, float("nan"))),
        ("exploration", (-0.1, 1001.0, float("inf"))),
    ],
)
def test_options_out_of_range_are_named(option: str, values: tuple[Any, ...]) -> None:
    for value in values:
        with pytest.raises(ValueError, match=f"{option} must be"):
            MctsAgent(**{option: value})


def test_playouts_can_be_random() -> None:
    batch = batch_of([load(scene(2))])
    trees = []
    for playout in ("light", "random"):
        agent = MctsAgent(50, playout=playout)
        first_choices(batch, agent)
        trees.append(agent._trees[0])
        check_tree(trees[-1].nodes, int(trees[-1].size[0]), 2)
    assert trees[0].nodes.tobytes() != trees[1].nodes.tobytes()


# --- positions with one best choice


def last_sale(players: int) -> Game:
    """Round 3, nobody at home, no endgame cards: sell the painted plate or close the shop."""
    s = scene(players, number=3)
    for number in range(players):
        edit(s, number, endgame_hand=[], endgame_discarded=ENDGAME[number], clay=0)
        at_home(s, number, 0)
    edit(s, 0, glaze_kilns=row("G00", pieces=["plate"]))
    s["market"]["position"] = {"plate": 11, "jug": 9, "pot": 3}
    for number in range(1, max(players, 2)):
        shut(s, number)
    return load(s, forced=True)


@pytest.mark.parametrize("playout", ["light", "random"])
@pytest.mark.parametrize("players", [1, 2, 3])
def test_it_sells_where_a_sale_is_all_that_is_left(players: int, playout: str) -> None:
    game = last_sale(players)
    names = {game.action_name(a) for a in game.legal_actions()}
    assert names == {"sell:plate:painted", "close"}
    agent = MctsAgent(40, playout=playout)
    for seed in range(5):
        agent.reset(seed)
        chosen = first_choices(batch_of([game]), agent)[0]
        assert game.action_name(chosen) == "sell:plate:painted"
        visits = {
            int(agent._trees[0].nodes[c]["action"]): int(agent._trees[0].nodes[c]["visits"])
            for c in children(agent._trees[0].nodes, 0)
        }
        assert visits[chosen] > 30


def test_a_rivals_node_holds_the_rivals_value() -> None:
    """Max-n: after my close the rival sells, which is good for it and bad for me."""
    s = scene(2, number=3)
    for number in range(2):
        edit(s, number, endgame_hand=[], endgame_discarded=ENDGAME[number], clay=0, vp=40)
        at_home(s, number, 0)
    for number in range(2):
        edit(s, number, glaze_kilns=row("G00", pieces=["plate" if number == 0 else "jug"]))
    s["market"]["position"] = {"plate": 11, "jug": 11, "pot": 3}
    game = load(s, forced=True)
    assert seat(game.to_dict(), 1)["shop"] == "open"
    agent = MctsAgent(400)
    first_choices(batch_of([game]), agent)
    nodes = agent._trees[0].nodes
    rivals = 0
    found = [0]
    for node in found:
        below = [c for c in children(nodes, node) if nodes[c]["visits"] > 0]
        found += below
        means = {
            game.action_name(int(nodes[c]["action"])): nodes[c]["value"] / nodes[c]["visits"]
            for c in below
            if nodes[c]["player"] == 1
        }
        if {"sell:jug:painted", "close"} <= set(means):
            rivals += 1
            assert means["sell:jug:painted"] > means["close"]
            visits = {
                game.action_name(int(nodes[c]["action"])): int(nodes[c]["visits"]) for c in below
            }
            assert visits["sell:jug:painted"] > visits["close"]
    assert rivals > 0
    assert NONE not in {int(nodes[n]["player"]) for n in found[1:]}


# --- compiled or not

_CHOICES = """
import json
from agents import make_agent
from agents.mcts import MctsAgent
from nijar_env import GameBatch
from tests.agents.games import first_choices, play_on
told = []
for players, playout in ((1, "light"), (2, "light"), (1, "random")):
    batch = GameBatch(1, players, seed=6, auto_reset=False)
    play_on(batch, make_agent("random"), 20 * players)
    agent = MctsAgent(20, turns=2, playout=playout)
    for _ in range(2):
        told.append(first_choices(batch, agent))
        nodes = agent._trees[0].nodes[: agent._trees[0].size[0]]
        told.append([nodes[name].tolist() for name in ("visits", "available", "action")])
        batch.step(told[-2])
print(json.dumps(told))
"""


def test_compiled_or_not_it_searches_the_same() -> None:
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
