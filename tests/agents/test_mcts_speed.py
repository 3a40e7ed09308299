"""`python -m agents.mcts_speed`: rates of mcts, and bad input in one line."""

from __future__ import annotations

import pytest

from agents.mcts_speed import iterations_a_second, main
from agents.registry import AgentSpecError


@pytest.mark.parametrize("spec", ["mcts", "mcts:playout=random"])
def test_one_rate_for_each_game(spec: str) -> None:
    rates = iterations_a_second(spec, 2, games=2, iterations=20)
    assert len(rates) == 2
    assert min(rates) > 0


def test_another_agent_has_no_iterations() -> None:
    with pytest.raises(AgentSpecError, match="iterations"):
        iterations_a_second("greedy", 2, games=1, iterations=20)


def test_it_prints_a_line_for_each_number_of_players(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--agent", "mcts", "--games", "1", "--iterations", "10"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == [f"mcts, {n} players" for n in (1, 2, 3, 4)]


@pytest.mark.parametrize("argument", ["--games", "--iterations"])
def test_bad_numbers_are_refused(argument: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([argument, "0"])
    assert stop.value.code == 2
    assert "at least 1" in capsys.readouterr().err
