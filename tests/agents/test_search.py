"""`search`: the search of `mcts` with a network in mind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from agents import AgentSpecError, make_agent
from agents.choice_rows import ChoiceRows
from agents.greedy_pieces import expect_rows
from agents.light_rollout import outcome
from agents.mcts import EVENNESS, MctsAgent
from agents.mcts_search import value_seats
from agents.search import BIAS, EXPLORATION, TURNS, SearchAgent
from nijar_env import GameBatch, load_box
from tests.observation.states import KIND_IDS, KINDS

from .choice_networks import forward, make_weights, mind_of, probabilities, write_network
from .games import first_choices, play_on, play_solo, states_in_play, with_other_secrets
from .looks import looks_at
from .test_mcts_tree import children

pytest.importorskip("safetensors", reason="weights are safetensors files")

FEW = "iterations=8,turns=1"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Networks for all numbers of players, whose policy is near light's."""
    path = tmp_path_factory.mktemp("networks")
    for players in (1, 2, 3, 4):
        weights = make_weights(players, players=players, like_light=True)
        # A value that is about what stands, so that games stay sensible.
        weights.arrays["value_weight"] *= 0.1
        write_network(path / f"{players}.safetensors", weights)
    return path


def searcher(folder: Path, options: str = FEW) -> SearchAgent:
    agent = make_agent(f"search:{folder}:{options}")
    assert isinstance(agent, SearchAgent)
    return agent


@pytest.mark.parametrize(("players", "difficulty"), KINDS, ids=KIND_IDS)
def test_it_plays_whole_legal_games(players: int, difficulty: str, folder: Path) -> None:
    batch = GameBatch(1, players, difficulty=difficulty, seed=8, auto_reset=False)
    play_on(batch, searcher(folder, "iterations=3,turns=1"), 5000)
    assert batch.dones.all()
    assert (batch.final_scores[:, :players] > 20).all()


@pytest.mark.parametrize(("players", "difficulty"), KINDS, ids=KIND_IDS)
def test_nothing_hidden_changes_its_choice(players: int, difficulty: str, folder: Path) -> None:
    compared = 0
    for stage, batch in enumerate(states_in_play(players, difficulty)):
        other = with_other_secrets(batch, stage)
        ours, theirs = searcher(folder), searcher(folder)
        assert first_choices(batch, ours) == first_choices(other, theirs)
        for row, tree in ours._trees.items():
            size = int(tree.size[0])
            assert tree.nodes[:size].tobytes() == theirs._trees[row].nodes[:size].tobytes()
        compared += len(batch)
    assert compared > 30


def test_results_do_not_depend_on_the_batch(folder: Path) -> None:
    options = "iterations=4,turns=1"
    whole = play_solo(searcher(folder, options), "normal", 3, seed=2, batch_size=3)
    for size in (1, 2):
        assert play_solo(searcher(folder, options), "normal", 3, seed=2, batch_size=size) == whole


def test_seeds_differ_and_repeat(folder: Path) -> None:
    batch = states_in_play(2, games=20)[3]

    def choices(seed: int) -> list[int]:
        agent = searcher(folder)
        agent.reset(seed)
        return first_choices(batch, agent)

    assert choices(1) == choices(1) != choices(2)


def test_its_priors_are_the_networks(folder: Path, tmp_path: Path) -> None:
    """And those of mcts light's: with other networks it searches other trees."""
    batch = states_in_play(2)[4]
    weights = make_weights(7, players=2)
    agent = searcher(write_network(tmp_path / "w.safetensors", weights), "iterations=30")
    agent.keep_notes = True
    first_choices(batch, agent)
    logits, _ = forward(weights, ChoiceRows().of_batch(batch))
    assert len(agent.notes) == len(batch)
    for row, note in agent.notes.items():
        expected = probabilities(logits[row], batch.action_masks[row])
        legal = int(batch.action_masks[row].sum())
        for choice in note.choices:
            prior = (1 - EVENNESS) * expected[choice.actions[0]] + EVENNESS / legal
            assert choice.prior == pytest.approx(prior, abs=2e-4)
        assert sum(choice.looks for choice in note.choices) == 30


def test_mcts_goes_by_light_as_before() -> None:
    """Its priors are light's, worked out from heads and features alone."""
    batch = states_in_play(3)[4]
    agent = MctsAgent(20)
    agent.keep_notes = True
    first_choices(batch, agent)
    for row, look in enumerate(looks_at(batch.games)):
        light = look.odds / look.odds.sum()
        places = {int(action): k for k, action in enumerate(look.actions)}
        for choice in agent.notes[row].choices:
            prior = (1 - EVENNESS) * light[places[choice.actions[0]]] + EVENNESS / len(light)
            assert choice.prior == pytest.approx(prior, abs=1e-6)


def test_a_network_that_is_light_has_mcts_priors(folder: Path) -> None:
    for players in (1, 4):
        batch = states_in_play(players)[3]
        trees: list[dict[tuple[int, int], float]] = []
        for agent in (searcher(folder, "iterations=10"), MctsAgent(10)):
            first_choices(batch, agent)
            trees.append(
                {
                    (row, int(tree.nodes[c]["action"])): float(tree.nodes[c]["prior"])
                    for row, tree in agent._trees.items()
                    for c in children(tree.nodes, 0)
                }
            )
        assert trees[0] == pytest.approx(trees[1], abs=2e-4) and len(trees[0]) > len(batch)


def test_values_are_of_the_network(tmp_path: Path) -> None:
    """A network that expects 1000 VP to come, whatever the position."""
    weights = make_weights(1, players=1, like_light=True, rival="0.0")
    weights.arrays["value_weight"][:] = 0
    weights.arrays["value_bias"][:] = 20
    agent = searcher(write_network(tmp_path / "w.safetensors", weights), "iterations=30")
    agent.keep_notes = True
    batch = states_in_play(1)[2]
    first_choices(batch, agent)
    for row, note in agent.notes.items():
        for choice in note.choices:
            if choice.looks:
                assert 0 <= choice.value - 1000 - batch.games["vp"][row, 0] < 60


def test_what_its_values_are_is_said(folder: Path) -> None:
    """At a table too: what the others get is in them already."""
    for players in (1, 2):
        agent = searcher(folder)
        agent.keep_notes = True
        first_choices(states_in_play(players, games=1)[2], agent)
        assert agent.notes
        for note in agent.notes.values():
            assert "its network's share of the others'" in note.measure
            assert "best other player" not in note.measure


@pytest.mark.parametrize("rival", [1.0, 0.5])
def test_of_two_players_one_wins_what_the_other_loses(rival: float) -> None:
    """Where the network was trained so; the value is asked for the player who is to act."""
    mind = mind_of(make_weights(3, players=2, rival=str(rival)))
    batch = states_in_play(2)[3]
    for row in range(len(batch)):
        games = batch.games[row : row + 1].copy()
        acting = int(games[0]["current_player"])
        values, own = np.zeros(4), np.zeros(2)
        _values(load_box().record, games, mind, values)
        _own_values(load_box().record, games, mind, own)
        assert values[acting] == own[acting]
        assert bool(values[1 - acting] == -values[acting]) is (rival == 1.0)


@numba.njit
def _values(boxes: Any, games: Any, mind: Any, values: Any) -> None:
    expect_rows(boxes[0], games[0], mind.expected)
    value_seats(boxes[0], games[0], mind, 0.0, values)


@numba.njit
def _own_values(boxes: Any, games: Any, mind: Any, values: Any) -> None:
    for q in range(2):
        values[q] = outcome(boxes[0], games[0], q, mind)


# --- names and files ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        "",
        ":iterations=50",
        ":seconds=0.5",
        ":iterations=5,seconds=2,turns=3,bias=3.125,exploration=0.125",
    ],
)
def test_a_name_makes_it_again(options: str, folder: Path) -> None:
    for path in ("", f":{folder.as_posix()}", f":{folder.as_posix()}/1.safetensors"):
        name = f"search{path}{options}"
        agent = make_agent(name)
        assert agent.name == name == make_agent(agent.name).name
    written_out = f"turns={TURNS},bias={BIAS},exploration={EXPLORATION}"
    assert make_agent(f"search:{folder}:{written_out}").name == f"search:{folder.as_posix()}"


def test_fingerprints_tell_networks_apart(folder: Path) -> None:
    prints = {
        make_agent(f"search:{path}").fingerprint  # type: ignore[attr-defined]
        for path in (folder, folder / "1.safetensors", folder / "2.safetensors")
    }
    assert len(prints) == 3 and all(prints)


def one_line(error: pytest.ExceptionInfo[ValueError], *words: str) -> None:
    message = str(error.value)
    assert "\n" not in message
    for word in words:
        assert word in message


def test_without_weights_that_come_with_it_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agents.weights_shelf.SHIPPED", tmp_path)
    agent = make_agent("search")
    assert agent.name == "search" and agent.fingerprint == ""  # type: ignore[attr-defined]
    with pytest.raises(ValueError) as error:
        first_choices(GameBatch(1, 2, seed=0), agent)
    one_line(error, "has no weights for games of 2 players (it has none at all)", "search:PATH")


def test_weights_that_come_with_it_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agents.weights_shelf.SHIPPED", tmp_path)
    write_network(tmp_path / "solo.safetensors", make_weights(1))
    batch = GameBatch(1, 1, seed=0)
    for name in (f"search:{FEW}", "ppo"):
        agent = make_agent(name)
        assert agent.name == name and agent.fingerprint  # type: ignore[attr-defined]
        (chosen,) = first_choices(batch, agent)
        assert batch.action_masks[0, chosen]


def test_solo_games_and_tables_stand_apart(folder: Path) -> None:
    for number, players, words in (
        (2, 1, "has no weights for solo games (it has 2 players)"),
        (1, 2, "has no weights for games of 2 players (it has solo)"),
    ):
        agent = searcher(folder / f"{number}.safetensors")
        with pytest.raises(ValueError) as error:
            first_choices(GameBatch(1, players, seed=0), agent)
        one_line(error, words)


def test_a_table_without_weights_plays_with_those_of_the_nearest(
    folder: Path, tmp_path: Path
) -> None:
    for number in (1, 2, 4):
        file = f"{number}.safetensors"
        (tmp_path / file).write_bytes((folder / file).read_bytes())
    batch = states_in_play(3)[2]
    agent = searcher(tmp_path)
    assert first_choices(batch, agent) == first_choices(batch, searcher(folder / "2.safetensors"))
    (mind,) = agent._minds.values()
    expected = mind_of(make_weights(2, players=2, like_light=True))
    assert np.array_equal(mind.network.hidden, expected.network.hidden)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"options": {"hidden": [4, 4], "value_hidden": [5]}}, ["one hidden layer", "[4, 4]"]),
        ({"value": "outcome"}, ["whose values are VP to come", "not outcome"]),
    ],
)
def test_networks_that_it_cannot_think_with_are_refused(
    change: dict[str, Any], words: list[str], tmp_path: Path
) -> None:
    agent = searcher(write_network(tmp_path / "w.safetensors", make_weights(1, **change)))
    with pytest.raises(ValueError) as error:
        first_choices(GameBatch(1, 1, seed=0), agent)
    one_line(error, *words)


def test_networks_of_another_kind_are_refused(tmp_path: Path) -> None:
    from .test_neural import write

    agent = make_agent(f"search:{write(tmp_path / 'w.safetensors', 'mlp')}")
    with pytest.raises(ValueError) as error:
        first_choices(GameBatch(1, 1, seed=0), agent)
    one_line(error, "needs a network of kind 'choices', not 'mlp'")


def test_faults_of_a_specification(tmp_path: Path, folder: Path) -> None:
    for spec, message in (
        ("search:nowhere.safetensors", "there is no weights file"),
        (f"search:{tmp_path}", "holds no weights"),
        (f"search:{folder}:iterations=0", "iterations must be 1 to 1000000, not 0"),
        (f"search:{folder}:iterations=2,playout=random", "cannot read 'playout=random'"),
        ("search:turns=19", "turns must be 1 to 18, not 19"),
    ):
        with pytest.raises(AgentSpecError, match=message):
            make_agent(spec)


def test_one_agent_plays_games_of_several_numbers_of_players(folder: Path) -> None:
    agent = searcher(folder)
    batches = [states_in_play(players, games=2)[2] for players in (1, 2)]
    first = [first_choices(batch, agent) for batch in batches]
    for batch, expected in zip(batches, first, strict=True):
        assert first_choices(batch, searcher(folder)) == expected
    assert not np.array_equal(*(mind.network.hidden for mind in agent._minds.values()))
