"""Replays: written, read, checked; and the command `nijar replay`."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from nijar_env import Game, __version__, load_box
from nijar_env.cli import app
from nijar_env.notes import Choice, Note, note_lines
from nijar_env.replay import (
    MOST_KEPT,
    Replay,
    ReplayError,
    check_replay,
    iterate_replay,
    make_replay,
    read_replay,
    write_replay,
)

NOTE = Note(
    tuple(Choice((k, k + 1), 1.234 - k, 10 - k, 0.5) for k in range(MOST_KEPT + 3)),
    "VP at the end",
    (("sales", 2.25),),
)


def played(players: int = 2, seed: int = 7, decisions: int | None = None, **options: Any) -> Replay:
    game = Game(players, seed=seed, log=False, **options)
    rng, actions = random.Random(seed), []
    while not game.done and len(actions) != decisions:
        actions.append(rng.choice(game.legal_actions()))
        game.step(actions[-1])
    return make_replay(game, actions, ["random"] * players, {3: NOTE, 5: NOTE})


def nijar(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "game.json"
    write_replay(played(), file)
    return file


def changed(path: Path, **values: Any) -> Path:
    data = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**data, **values}), encoding="utf-8")
    return path


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_a_game_comes_back_as_it_was(players: int, tmp_path: Path) -> None:
    options = {"difficulty": "expert"} if players == 1 else {}
    replay = played(players, **options)
    write_replay(replay, tmp_path / "game.json")
    assert read_replay(tmp_path / "game.json") == replay
    assert check_replay(replay).done
    assert [file.name for file in tmp_path.iterdir()] == ["game.json"]


def test_largest_seed_and_played_forced_decisions(tmp_path: Path) -> None:
    replay = played(seed=2**64 - 1, auto_forced=False)
    write_replay(replay, tmp_path / "game.json")
    assert read_replay(tmp_path / "game.json") == replay


def test_an_unfinished_game_has_no_winner() -> None:
    replay = played(decisions=20)
    assert replay.winner is None and len(replay.actions) == 20
    assert not check_replay(replay).done


def test_steps_are_those_of_the_game() -> None:
    replay = played()
    game = Game(2, seed=7)
    for step in iterate_replay(replay):
        assert step.game.record.tobytes() == game.record.tobytes()
        assert (step.note is not None) == (step.number in (3, 5))
        if step.action is not None:
            game.step(step.action)
    assert step.action is None and step.number == len(replay.actions)
    assert step.game.log == game.log and game.done


def test_a_note_keeps_its_first_choices() -> None:
    note = played().note(3)
    assert note is not None and len(note.choices) == MOST_KEPT
    assert note.choices[0] == Choice((0, 1), 1.23, 10, 0.5)
    assert note.measure == NOTE.measure and note.reasons == NOTE.reasons
    names = [str(k) for k in range(40)]
    assert note_lines(note, names) == note_lines(NOTE, names)


def test_values_that_json_does_not_have_are_left_out(tmp_path: Path) -> None:
    game = Game(2, seed=1, log=False)
    action = game.legal_actions()[0]
    game.step(action)
    values = (float("nan"), 2.0, float("inf"))
    choices = tuple(Choice((action,), value, 1, prior=float("nan")) for value in values)
    note = Note(choices, "VP", (("sales", float("-inf")), ("wheels", 1.0)))
    write_replay(make_replay(game, [action], ["a", "b"], {0: note}), tmp_path / "x.json")
    kept = read_replay(tmp_path / "x.json").note(0)
    assert kept is not None and [choice.value for choice in kept.choices] == [2.0]
    assert kept.choices[0].prior is None and kept.reasons == (("wheels", 1.0),)
    assert kept.left_out == 2


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"format": "nijar-replay-0"}, "has format 'nijar-replay-0'"),
        ({"version": "99.0.0"}, f"of nijar-env 99.0.0, this is {__version__}"),
        ({"scores": [1, 2]}, "says that it ends with VP [1, 2]"),
        ({"winner": None}, "winner None; played"),
        ({"seed": -1}, "do not make a game"),
        ({"agents": ["random"]}, "do not make a game"),
        ({"difficulty": "normal"}, "do not make a game"),
        ({"num_players": 9}, "do not make a game"),
        ({"actions": "no"}, "not a replay"),
        (
            {"actions": [100000], "notes": []},
            "action 100000 (of no name) at decision 0 is not legal",
        ),
        ({"notes": [[9999, 0, []]]}, "note on decision 9999"),
        ({"notes": [[0, 7, []]]}, "note on decision 0"),
        ({"notes": [[0, 0, [[[], 1.0, 2]]]]}, "note on decision 0"),
        ({"box": {"name": "mine", "version": 1, "fingerprint": "0"}}, "with box mine (0), not"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(path: Path, values: Any, words: str) -> None:
    with pytest.raises(ReplayError) as caught:
        read_replay(changed(path, **values))
    assert words in str(caught.value)
    assert str(caught.value).startswith(f"{path}: ") and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "values",
    [
        {"agents": ["random", "\x1b[2J"]},
        {"version": "0.1.0\nall is well"},
        {"box": {"name": "\u2028", "version": 1, "fingerprint": "0"}},
        {"measures": ["VP\u202e"]},
        {"notes": [[0, 0, [], [["sales\r", 1.0]]]]},
    ],
)
def test_no_name_gives_orders_to_a_terminal(path: Path, values: Any) -> None:
    with pytest.raises(ReplayError, match="characters of control") as caught:
        read_replay(changed(path, **values))
    assert str(caught.value).isprintable()


def test_other_formats_are_named_shortly(path: Path) -> None:
    with pytest.raises(ReplayError) as caught:
        read_replay(changed(path, format="x" * 10_000))
    assert len(str(caught.value)) < 200 + len(str(path))


def test_an_action_too_many_and_one_that_is_not_legal(path: Path) -> None:
    actions = list(played().actions)
    with pytest.raises(ReplayError, match="the game is over"):
        read_replay(changed(path, actions=[*actions, 0]))
    illegal = next(a for a in range(400) if a not in Game(2, seed=7).legal_actions())
    with pytest.raises(ReplayError, match="at decision 0 is not legal"):
        read_replay(changed(path, actions=[illegal, *actions[1:]]))


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '"x"', "{}", "\xff\xfe", '{"a": 1}', "[" * 100_000]
)
def test_other_files(text: str, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(text.encode("latin-1"))
    with pytest.raises(ReplayError, match="not a replay"):
        read_replay(tmp_path / "x")
    result = nijar("replay", tmp_path / "x")
    assert result.exit_code == 1 and "not a replay" in result.output


def test_patch_versions_play_the_same(path: Path) -> None:
    major, minor, _ = __version__.split(".")
    assert read_replay(changed(path, version=f"{major}.{minor}.99")).winner is not None


def test_the_command_prints_the_log_and_the_scores(path: Path) -> None:
    result = nijar("replay", path)
    replay = read_replay(path)
    game = check_replay(replay)
    *_, last = iterate_replay(replay)
    assert result.exit_code == 0
    out = result.output.splitlines()
    assert "\n".join(last.game.log) in result.output
    assert "seed 7" in out[0] and load_box().fingerprint in out[0]
    for seat, vp in enumerate(game.scores()):
        line = out[len(out) - 2 + seat]
        assert line.startswith(f"player {seat} (random)") and f" {vp} VP" in line
        assert line.endswith("wins") == (seat == replay.winner)


def test_a_players_view_hides_what_it_does_not_know(path: Path) -> None:
    *_, last = iterate_replay(read_replay(path))
    result = nijar("replay", path, "--player", "1")
    assert "\n".join(last.game.log_for(1)) in result.output
    assert "seed" not in result.output and "as player 1 saw it" in result.output
    wrong = nijar("replay", path, "--player", "2")
    assert wrong.exit_code == 1 and "player must be 0 to 1" in wrong.output


def test_notes_are_printed_on_request(path: Path) -> None:
    assert "considers" not in nijar("replay", path).output
    output = nijar("replay", path, "--notes").output
    assert output.count("considers (VP at the end)") == 2
    assert "rather than the second: sales +2.2" in output


def test_errors_of_the_command(path: Path, tmp_path: Path) -> None:
    missing = nijar("replay", tmp_path / "none.json")
    assert missing.exit_code == 1 and "cannot be read" in missing.output
    box = nijar("replay", path, "--components", tmp_path / "nobox")
    assert box.exit_code == 1 and "--components" in box.output
