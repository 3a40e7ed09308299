"""Specification strings and the agents that they make."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from agents import (
    Agent,
    AgentSpecError,
    GameView,
    agent_names,
    expert,
    make_agent,
    mcts,
    search,
)
from agents.base import Actions, Masks, Observations
from agents.expert import FUTURES, PLANS
from agents.greedy_weights import BEAM
from agents.mcts import BIAS, EXPLORATION
from nijar_env import GameBatch

from .games import play_on

HERE = __name__


class First:
    """Takes the first legal action."""

    needs_observations = False

    def __init__(
        self, last: bool = False, shift: int = 0, share: float = 0.0, word: str = ""
    ) -> None:
        if shift < 0:
            raise ValueError("shift must not be negative")
        self.options = (last, shift, share, word)

    def reset(self, seed: int) -> None:
        pass

    def act(self, observations: Observations | None, masks: Masks, games: GameView) -> Actions:
        legal = [np.flatnonzero(mask) for mask in masks]
        return np.array([a[-1 if self.options[0] else 0] for a in legal], np.int64)


class NoAgent:
    """Has no `act`."""

    needs_observations = False

    def reset(self, seed: int) -> None:
        pass


class NeverMade:
    """No agent, and harmful to make."""

    def __init__(self) -> None:
        raise AssertionError("is not called")


def no_class() -> Agent:
    raise AssertionError("is not called")


def test_the_known_agents_can_be_made_by_their_names() -> None:
    assert agent_names() == ["random", "light", "greedy", "expert", "mcts", "ppo", "search"]
    for name in agent_names():
        assert make_agent(name).name == name


@pytest.mark.parametrize(
    "spec",
    [
        "random",
        "light",
        "light:draw=true",
        "greedy",
        "greedy:beam=8",
        "expert",
        "expert:plans=5",
        "expert:plans=5,futures=3,turns=1,beam=9",
        "mcts",
        "mcts:iterations=100",
        "mcts:seconds=0.5",
        "mcts:iterations=50,seconds=2,turns=17,playout=random,bias=3.125,exploration=0.125",
        "ppo:draw=true",
        "search:iterations=100",
        "search:iterations=50,seconds=2,turns=17,bias=3.125,exploration=0.125",
        f"{HERE}:First",
        f"{HERE}:First:last=true,shift=3",
    ],
)
def test_an_agent_is_named_by_a_specification_that_makes_it_again(spec: str) -> None:
    name = make_agent(spec).name
    assert name == spec
    assert make_agent(name).name == name


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        (f"greedy:beam={BEAM}", "greedy"),
        ("light:draw=false", "light"),
        (f"expert:plans={PLANS},futures={FUTURES},turns={expert.TURNS},beam={BEAM}", "expert"),
        (f"expert:beam=8,plans={PLANS}", "expert:beam=8"),
        (
            f"mcts:turns={mcts.TURNS},playout=light,bias={BIAS},exploration={EXPLORATION}",
            "mcts",
        ),
        ("ppo:draw=false", "ppo"),
        (
            f"search:turns={search.TURNS},bias={search.BIAS},exploration={search.EXPLORATION}",
            "search",
        ),
    ],
)
def test_the_default_written_out_is_the_same_agent(spec: str, name: str) -> None:
    assert make_agent(spec).name == name


@pytest.mark.parametrize(
    ("text", "draws"),
    [
        *((text, True) for text in ("true", "True", "1", "yes")),
        *((text, False) for text in ("false", "FALSE", "0", "no")),
    ],
)
def test_truth_can_be_written_in_a_few_ways(text: str, draws: bool) -> None:
    name = make_agent(f"light:draw={text}").name
    assert name == ("light:draw=true" if draws else "light")


def test_options_of_a_class_of_ones_own_are_numbers_truths_or_text() -> None:
    agent = make_agent(f"{HERE}:First:last=True,shift=7,share=0.5,word=some text")
    assert isinstance(agent, First) or type(agent).__name__ == "First"
    assert agent.options == (True, 7, 0.5, "some text")  # type: ignore[attr-defined]
    assert make_agent(f"{HERE}:First").options == (False, 0, 0.0, "")  # type: ignore[attr-defined]


def test_a_class_of_ones_own_plays() -> None:
    scores = []
    for spec in (f"{HERE}:First", f"{HERE}:First:last=true"):
        batch = GameBatch(2, 2, seed=1, auto_reset=False)
        play_on(batch, make_agent(spec), 2000)
        assert batch.dones.all()
        scores.append(batch.final_scores.tolist())
    assert scores[0] != scores[1]


KNOWN = "known: random, light, greedy, expert, mcts, ppo, search; or package.module:Class"


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("greddy", ["'greddy'", "did you mean 'greedy'", KNOWN]),
        ("mtcs", ["'mtcs'", "did you mean 'mcts'", KNOWN]),
        ("", ["''", KNOWN]),
        ("random:beam=3", ["'random:beam=3'", "no options"]),
        ("light:draw", ["'draw'", "draw=..."]),
        ("light:draw=maybe", ["draw must be true or false, not 'maybe'"]),
        ("greedy:width=3", ["'width=3'", "beam=..."]),
        ("greedy:beam", ["'beam'", "beam=..."]),
        ("greedy:", ["beam=..."]),
        ("greedy:beam=many", ["beam must be a whole number, not 'many'"]),
        ("greedy:beam=2.5", ["beam must be a whole number, not '2.5'"]),
        ("greedy:beam=0", ["beam must be 1 to 1024"]),
        ("greedy:beam=2000", ["beam must be 1 to 1024"]),
        ("greedy:beam=2,beam=3", ["'beam'", "twice"]),
        ("expert:depth=3", ["'depth=3'", "plans=..., futures=..., turns=..., beam=..."]),
        ("expert:plans=0", ["plans must be 1 to 64, not 0"]),
        ("mcts:iterations=0", ["iterations must be 1 to 1000000, not 0"]),
        ("mcts:seconds=long", ["seconds must be a number, not 'long'"]),
        ("mcts:seconds=nan", ["seconds must be above 0"]),
        ("mcts:playout=greedy", ["playout must be one of random, light, not 'greedy'"]),
        ("serach", ["did you mean 'search'", KNOWN]),
        ("search:iterations=0", ["iterations must be 1 to 1000000, not 0"]),
        ("search:turns=many", ["turns must be a whole number, not 'many'"]),
        ("search:bias=1,bias=2", ["option 'bias' is given twice"]),
        ("search:turns=2,playout=light", ["'playout=light'", "iterations=..., seconds=..."]),
        ("search:nowhere", ["there is no weights file nowhere"]),
        ("search::turns=2", ["give a path between the colons"]),
        ("no.such.module:First", ["cannot import no.such.module", "No module named"]),
        (".relative:First", ["'.relative' is no module", "package.module:Class"]),
        ("two..dots:First", ["'two..dots' is no module"]),
        ("a b.c:First", ["'a b.c' is no module"]),
        (HERE, ["has no class ''", "package.module:Class"]),
        (f"{HERE}:Nobody", ["has no class 'Nobody'"]),
        (f"{HERE}:no_class", ["has no class 'no_class'"]),
        (f"{HERE}:KNOWN", ["has no class 'KNOWN'"]),
        (f"{HERE}:NoAgent", ["NoAgent is no agent, it has no 'act'", "agents.base.Agent"]),
        (f"{HERE}:NeverMade", ["NeverMade is no agent, it has no 'act'"]),
        (f"{HERE}:First:speed=3", ["speed"]),
        (f"{HERE}:First:shift=-1", ["shift must not be negative"]),
        (f"{HERE}:First:shift", ["cannot read 'shift'", "option=value"]),
        (f"{HERE}:First:", ["cannot read ''"]),
        (f"{HERE}:First:shift=1,shift=2", ["'shift' is given twice"]),
    ],
)
def test_a_wrong_specification_gets_one_line_that_says_what_is_known(
    spec: str, words: list[str]
) -> None:
    with pytest.raises(AgentSpecError) as error:
        make_agent(spec)
    message = str(error.value)
    assert "\n" not in message
    assert repr(spec).strip("'\"") in message
    for word in words:
        assert word in message


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("def broken(:\n", "SyntaxError"),
        ("import nothing_of_that_name\n", "nothing_of_that_name"),
        ("1 / 0\n", "ZeroDivisionError"),
    ],
)
def test_a_module_that_cannot_be_loaded_is_named_in_one_line(
    source: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / f"players_{words.lower()}"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "broken.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(AgentSpecError) as error:
        make_agent(f"{package.name}.broken:First")
    assert f"cannot import {package.name}.broken" in str(error.value)
    assert words in str(error.value) and "\n" not in str(error.value)


def test_making_an_agent_loads_no_kernels() -> None:
    code = (
        "import sys, agents; [agents.make_agent(name) for name in agents.agent_names()];"
        "sys.exit('nijar_env.core.jit' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
