"""Specification strings and the agents that they make."""

from __future__ import annotations

import subprocess
import sys

import pytest

from agents import AgentSpecError, agent_names, make_agent


def test_the_known_agents_can_be_made_by_their_names() -> None:
    assert agent_names() == ["greedy", "random"]
    for name in agent_names():
        assert make_agent(name).name == name


@pytest.mark.parametrize("spec", ["random", "greedy", "greedy:beam=8"])
def test_an_agent_is_named_by_a_specification_that_makes_it_again(spec: str) -> None:
    name = make_agent(spec).name
    assert name == spec
    assert make_agent(name).name == name


def test_the_default_written_out_is_the_same_agent() -> None:
    assert make_agent("greedy:beam=16").name == "greedy"


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("greddy", ["'greddy'", "did you mean 'greedy'", "known: greedy, random"]),
        ("", ["''", "known: greedy, random"]),
        ("random:beam=3", ["'random:beam=3'", "no options"]),
        ("greedy:width=3", ["'width=3'", "beam=..."]),
        ("greedy:beam", ["'beam'", "beam=..."]),
        ("greedy:", ["beam=..."]),
        ("greedy:beam=many", ["beam", "int", "'many'"]),
        ("greedy:beam=0", ["beam must be 1 to 1024"]),
        ("greedy:beam=2000", ["beam must be 1 to 1024"]),
        ("greedy:beam=2,beam=3", ["'beam'", "twice"]),
    ],
)
def test_a_wrong_specification_gets_one_line_that_says_what_is_known(
    spec: str, words: list[str]
) -> None:
    with pytest.raises(AgentSpecError) as error:
        make_agent(spec)
    message = str(error.value)
    assert "\n" not in message
    for word in words:
        assert word in message


def test_making_an_agent_loads_no_kernels() -> None:
    code = (
        "import sys, agents; agents.make_agent('greedy'); agents.make_agent('random');"
        "sys.exit('nijar_env.core.jit' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
