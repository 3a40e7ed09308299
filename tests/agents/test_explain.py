"""`python -m agents.explain`: what an agent considered, choice by choice."""

from __future__ import annotations

import subprocess
import sys

import pytest

from agents import make_agent
from agents.explain import MOST_CHOICES, explained_game, main, note_lines
from agents.notes import Choice, Note
from nijar_env import load_box
from nijar_env.core.catalogue import action_names

NAMES = set(action_names(load_box().card_ids))
EXPERT = "expert:plans=4,futures=1,turns=1,beam=4"
MCTS = "mcts:iterations=20"


def check_choice(lines: list[str], player: int | None = None) -> None:
    """A head with who chose what, the choice first, others after it."""
    head, first, *others = lines
    where, chosen = head.rsplit(": ", 1)
    assert where.startswith("round ") and where.endswith(" VP")
    if player is not None:
        assert f"player {player}," in where
    assert chosen in NAMES
    assert first.startswith("  * ") and first.split(": ", 1)[1].split(" > ")[0] == chosen
    listed = [line for line in others if line.startswith("    ") and " VP" in line and ": " in line]
    for line in [first, *listed[: MOST_CHOICES - 1]]:
        if "rather than" not in line:
            assert set(line.split(": ", 1)[1].split(" > ")) <= NAMES


@pytest.mark.parametrize("spec", [EXPERT, MCTS])
def test_each_choice_of_a_solo_game_is_explained(
    spec: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--agent", spec, "--seed", "7", "--decisions", "6"]) == 0
    out = capsys.readouterr().out.splitlines()
    heads = [k for k, line in enumerate(out) if line.startswith("round ")]
    assert len(heads) == 6 and heads[0] == 0
    for start, end in zip(heads, [*heads[1:], len(out)], strict=True):
        check_choice(out[start:end], 0)


@pytest.mark.parametrize("players", [1, 3])
def test_a_game_ends_with_its_result(players: int) -> None:
    agents = [make_agent(EXPERT) for _ in range(players)]
    *told, last = explained_game(agents, 4, "expert" if players == 1 else None)
    assert len(told) > 20
    for lines in told:
        check_choice(lines)
    seen = {lines[0].split("player ")[1][0] for lines in told}
    assert seen == {str(player) for player in range(players)}
    assert len(last) == 1
    if players == 1:
        assert "VP, the Competition " in last[0]
    else:
        assert last[0].startswith("VP: ") and last[0].count(",") == 2


def test_the_same_seed_tells_the_same_also_the_highest(capsys: pytest.CaptureFixture[str]) -> None:
    told = []
    for _ in range(2):
        arguments = ["--agent", EXPERT, "--players", "2", "--decisions", "8"]
        assert main([*arguments, "--seed", str(2**64 - 1)]) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]


def test_an_agent_without_notes_tells_the_result_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--agent", "light", "--difficulty", "advanced"]) == 0
    told = capsys.readouterr()
    assert told.err.strip() == "light keeps no notes: only the result is shown"
    assert len(told.out.splitlines()) == 1 and "the Competition" in told.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--agent", "expret"], "did you mean 'expert'"),
        (["--agent", "expert:plans=0"], "plans must be 1 to 64"),
        (["--players", "2", "--difficulty", "normal"], "--difficulty belongs to solo games"),
        (["--seed", "-1"], "--seed must be 0 to"),
        (["--seed", str(2**64)], "--seed must be 0 to"),
        (["--decisions", "0"], "--decisions must be at least 1"),
        (["--players", "5"], "--players"),
    ],
)
def test_a_wrong_argument_gets_one_line(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 2
    told = capsys.readouterr()
    assert not told.out
    last = told.err.strip().splitlines()[-1]
    assert "error: " in last and words in last


def test_a_difficulty_is_refused_at_a_table() -> None:
    with pytest.raises(ValueError, match="difficulty"):
        next(explained_game([make_agent("light")] * 2, 0, "normal"))


def test_a_note_in_words() -> None:
    names = ["do a", "do b", "do c"]
    choices = tuple(Choice((k % 3, 0), 10.0 - k, 8 - k, None if k else 0.25) for k in range(7))
    note = Note(choices, "VP", (("wheels", 1.25), ("later", -0.5)))
    assert note_lines(note, names, most=2) == [
        "  *  +10.0 VP, looked at 8 times, prior 25%: do a > do a",
        "      +9.0 VP, looked at 7 times: do b > do a",
        "    and 5 more",
        "    rather than the second: wheels +1.2; later -0.5",
    ]
    alone = Note((Choice((2,), -1.0, 0),), "VP")
    assert note_lines(alone, names) == ["  *   -1.0 VP: do c"]


def test_it_runs_as_a_command() -> None:
    command = [sys.executable, "-m", "agents.explain", "--agent", EXPERT, "--decisions", "2"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("round 0, player 0, 0 VP: start:")
