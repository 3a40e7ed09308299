"""`nijar play`: words, taking back, hints, saving, and a game through a pseudo-terminal."""

from __future__ import annotations

import os
import random
import re
import select
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from nijar_env import Game, play_table
from nijar_env.notes import Note
from nijar_env.play_table import PlayError, Table, shows_something
from nijar_env.play_terminal import CLEAR, COMMANDS, Stopped, Terminal
from nijar_env.play_words import choice_text, choice_texts
from nijar_env.replay import read_replay, write_replay

from .test_replay import changed, nijar, played

ROOT = Path(__file__).resolve().parents[1]
COMMAND = [sys.executable, "-m", "nijar_env.cli", "play"]
PROMPT = re.compile(r"player (\d)> ")
# Seconds. A program that hangs fails, a slow one does not: it may compile all kernels first.
PATIENCE = 1800


def table(seats: list[str], seed: int = 3, hints: str | None = "random") -> Table:
    return Table(Game(len(seats), seed=seed), seats, hints=hints)


# -- words


@pytest.mark.parametrize("players", [1, 2, 4])
def test_each_choice_has_words_of_its_own(players: int) -> None:
    game, rng = Game(players, seed=players, log=False), random.Random(players)
    while not game.done:
        texts = dict(choice_texts(game))
        assert list(texts) == game.legal_actions()
        assert all(text and text[0].islower() and "\n" not in text for text in texts.values())
        # Equal cards at the same price in different places may read alike.
        alike = [text for a, text in texts.items() if not game.action_name(a).startswith("take")]
        assert len(set(alike)) >= len(alike) - 1
        action = rng.choice(game.legal_actions())
        assert choice_text(game, action) == texts[action]
        game.step(action)
    assert choice_texts(game) == []


def test_words_tell_nothing_hidden() -> None:
    game, rng = Game(3, seed=5, log=False), random.Random(5)
    while not game.done:
        if rng.random() < 0.1:
            other = game.determinize(game.current_player or 0, rng.randrange(2**32))
            assert choice_texts(other) == choice_texts(game)
        game.step(rng.choice(game.legal_actions()))


# -- the table


def test_a_choice_that_shows_nothing_is_taken_back_exactly() -> None:
    here, rng, undone, kept = table(["person", "person"]), random.Random(1), 0, 0
    while not here.game.done:
        before, log, count = here.game.record.tobytes(), here.game.log, len(here.actions)
        here.choose(rng.choice(here.game.legal_actions()))
        if here.can_undo and rng.random() < 0.3:
            here.undo()
            assert here.game.record.tobytes() == before
            assert here.game.log == log and len(here.actions) == count
            undone += 1
        else:
            kept += 1
    assert undone > 10 and kept > 100
    assert here.replay().winner is not None


def test_what_has_shown_a_card_or_a_die_stays() -> None:
    here, rng, barred = table(["person", "person"], seed=8), random.Random(2), 0
    while not here.game.done:
        old = here.game.clone()
        here.choose(rng.choice(here.game.legal_actions()))
        new = here.game
        same_turn = all(
            old.record[name] == new.record[name]
            for name in ("phase", "round_number", "turn_index", "current_player")
        )
        for name in ("draws", "deck_size", "comp_revealed"):
            if not np.array_equal(old.record[name], new.record[name]):
                assert not here.can_undo
                barred += same_turn
        if here.can_undo:
            assert same_turn and not shows_something(old, new)
            # What the person sees now is the same whatever is hidden: nothing can have been shown.
            seat = int(old.record.current_player)
            other = old.determinize(seat, 7)
            other.step(here.actions[-1])
            np.testing.assert_array_equal(other.observation(seat), new.observation(seat))
    assert barred > 0
    with pytest.raises(PlayError, match="nothing to take back"):
        here.undo()


def test_agents_choices_are_not_taken_back() -> None:
    here = table(["person", "random"])
    while here.person is not None:
        here.choose(here.game.legal_actions()[0])
    here.let_agent_choose()
    assert not here.can_undo


@pytest.mark.parametrize("agents_turn", [False, True])
def test_an_interrupted_choice_leaves_a_game_that_can_be_saved(
    agents_turn: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, rng, step = table(["person", "random"]), random.Random(4), Game.step
    while (here.person is None) != agents_turn:
        here.choose(rng.choice(here.game.legal_actions()))
    before, count = here.game.record.tobytes(), len(here.actions)

    def interrupted(game: Game, action: int) -> None:
        step(game, action)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Game, "step", interrupted)
        if agents_turn:
            here.take_agents_choice(here.game.legal_actions()[0], Note((), "VP"))
        else:
            here.choose(here.game.legal_actions()[0])
    assert here.game.record.tobytes() == before
    here.save(tmp_path / "game.json")
    assert len(read_replay(tmp_path / "game.json").actions) == count


class Failing:
    """A player that has no choice to tell, or a wrong one."""

    def __init__(self, answer: int | None) -> None:
        self._answer = answer

    def choose(self, game: Game) -> tuple[int, None]:
        if self._answer is None:
            raise RuntimeError("no idea")
        return self._answer, None


@pytest.mark.parametrize(("answer", "words"), [(None, "no idea"), (-1, "action -1 is not legal")])
def test_an_agent_that_fails_does_not_take_the_game_with_it(
    answer: int | None, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here, rng = table(["person", "random"]), random.Random(4)
    while here.person is not None:
        here.choose(rng.choice(here.game.legal_actions()))
    here._players[1] = Failing(answer)  # type: ignore[assignment]
    lines_of(lambda *_: str(tmp_path / "game.json"), here).run()
    out = capsys.readouterr().out
    assert f"player 1 (random) cannot choose: {words}" in out and "goes on" in out
    assert read_replay(tmp_path / "game.json").actions == tuple(here.actions)


def test_a_hint_that_fails_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    here, script = table(["person"]), iter(["hint", "q", ""])
    monkeypatch.setattr(play_table, "make_player", lambda *_: Failing(None))
    lines_of(lambda *_: next(script), here).run()
    assert "random cannot give a hint: no idea" in capsys.readouterr().out


def test_bytes_that_are_no_text_are_no_choice(tmp_path: Path) -> None:
    name = b"\xff.json" if sys.platform == "linux" else b"game.json"
    done = subprocess.run(
        [*COMMAND, "--seed", "1", "--save", os.fsdecode(os.fsencode(tmp_path) + b"/" + name)],
        input=b"1\n\xff\xfe\n1\n",
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"},
    )
    assert done.returncode == 0, done.stderr
    assert b"is none of the choices" in done.stdout and b"goes on" in done.stdout


def test_seats_that_cannot_be() -> None:
    with pytest.raises(PlayError, match="no agent is named 'greedi'; did you mean 'greedy'"):
        table(["person", "greedi"])
    for name in ("human", "Person"):
        with pytest.raises(PlayError, match=f"no agent is named '{name}'.*; you are 'person'$"):
            table([name, "random"])
    with pytest.raises(PlayError, match="no agent is named 'nobody'"):
        table(["person"], hints="nobody")
    with pytest.raises(PlayError, match="2 seats are to be filled, not 1"):
        Table(Game(2, seed=1), ["person"])


def test_the_library_alone_has_people_and_random(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_table, "find_agents", lambda: None)
    here = table(["person", "random"], hints=None)
    while here.person is not None:
        with pytest.raises(PlayError, match="nobody to ask"):
            here.hint()
        here.choose(here.game.legal_actions()[0])
    here.let_agent_choose()
    with pytest.raises(PlayError, match="the other players are in the project's checkout"):
        table(["person", "greedy"], hints=None)
    result = nijar("play", "person", "greedy")
    assert result.exit_code == 1 and "Here play people and `random`" in result.output


def test_another_package_named_agents_is_none_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_table.importlib, "import_module", lambda name: random)
    assert play_table.find_agents() is None


def test_a_saved_game_goes_on(tmp_path: Path) -> None:
    here, rng = table(["person", "random"]), random.Random(4)
    for _ in range(40):
        if here.person is None:
            here.let_agent_choose()
        else:
            here.choose(rng.choice(here.game.legal_actions()))
    here.save(tmp_path / "game.json")
    there = Table.of_replay(read_replay(tmp_path / "game.json"), here.game.box, "random")
    assert there.seats == here.seats and there.actions == here.actions
    assert there.game.record.tobytes() == here.game.record.tobytes()
    assert there.game.log == here.game.log and not there.can_undo


# -- the terminal, line by line


def lines_of(
    answer: Callable[[Table, str], str], here: Table, file: Path | None = None
) -> Terminal:
    return Terminal(here, lambda prompt, words, foot: answer(here, prompt), False, file)


def test_a_whole_game_saved_after_each_choice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng, file = random.Random(6), tmp_path / "game.json"

    def answer(here: Table, prompt: str) -> str:
        if here.actions and len(here.actions) % 20 == 0:
            assert read_replay(file).actions == tuple(here.actions)
        return str(rng.randint(1, len(here.game.legal_actions())))

    here = table(["random", "person"])
    lines_of(answer, here, file).run()
    out = capsys.readouterr().out
    assert here.game.done and read_replay(file) == here.replay()
    for vp in here.game.scores():
        assert f" {vp} VP" in out
    told = [line for line in here.game.log_for(1) if line]
    assert all(line in out for line in told)


def test_hands_stay_hidden_from_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    """In what is shown while player 0 sits there, nothing is but what player 0 may know."""
    shown: dict[int, str] = {0: "", 1: ""}
    rng, here = random.Random(7), table(["person", "person"], seed=9)

    def answer(_: Table, prompt: str) -> str:
        found = PROMPT.match(prompt)
        text = capsys.readouterr().out
        if prompt.startswith("save as"):
            return ""
        if found is None:
            assert text.endswith(CLEAR)  # before the next person is asked to sit down
            return ""
        shown[int(found[1])] += text
        if len(here.actions) > 60:
            raise Stopped
        return str(rng.randint(1, len(here.game.legal_actions())))

    lines_of(answer, here).run()
    for seat, other in ((0, 1), (1, 0)):
        assert f"player {seat} is dealt" in shown[seat]
        for line in set(here.game.log_for(other)) - set(here.game.log_for(seat)):
            assert line not in shown[seat]
        assert f"== hand of P{other}" not in shown[seat]


def test_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "my game.json"
    script = iter(
        ["", "?", "h", "b", "me", "l", "u", "99", "nonsense", "save", f"save '{file}'", "1", "q"]
    )
    here = table(["person"])
    lines_of(lambda *_: next(script), here).run()
    out = capsys.readouterr().out
    for words in (
        "NUMBER or NAME",
        "random would: ",
        "== draft area",
        "== hand of P0",
        "nothing to take back",
        "'99' is none of the choices",
        "'nonsense' is none of the choices",
        "give one file name",
        "from now on after each choice",
        "--resume",
    ):
        assert words in out
    assert len(read_replay(file).actions) == 1
    assert set(COMMANDS) >= {"undo", "hint", "save"}


def test_saving_replaces_no_other_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine, game, other = tmp_path / "mine.txt", tmp_path / "game.json", tmp_path / "other.json"
    mine.write_text("mine")
    names = [mine, game, tmp_path / "none" / "x.json", "''", "~nobody-of-that-name/x", other, game]
    script = iter(["1", *(f"save {name}" for name in names), "1", "q"])
    here = table(["person"])
    lines_of(lambda *_: next(script), here).run()
    out = capsys.readouterr().out
    assert mine.read_text() == "mine" and f"{mine} is there already" in out
    assert "x.json cannot be written: No such file or directory\n" in out
    assert "give one file name" in out and "~nobody-of-that-name/x is no file" in out
    assert len(read_replay(game).actions) == 2 and len(read_replay(other).actions) == 1


def test_a_new_game_is_saved_to_a_new_file(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    result = nijar("play", "--seed", "1", "--save", file)  # input ends at once
    assert "goes on" in result.output and read_replay(file).actions == ()
    before = file.read_bytes()
    result = nijar("play", "--seed", "2", "--save", file)
    assert result.exit_code == 1 and "is there already" in result.output
    assert file.read_bytes() == before
    result = nijar("play", "--save", tmp_path / "none" / "x.json")
    assert result.exit_code == 1 and "there is no folder" in result.output


def test_stopping_offers_to_save(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = iter(["1", "q", str(tmp_path / "none" / "x.json"), str(tmp_path / "game.json")])
    lines_of(lambda *_: next(script), table(["person"])).run()
    assert len(read_replay(tmp_path / "game.json").actions) == 1

    def leave(*_: object) -> str:
        raise EOFError

    lines_of(leave, table(["person"])).run()
    assert "not saved" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["random", "random"], "nobody is a person here"),
        (["person", "random", "--difficulty", "expert"], "belongs to solo games"),
        (["--difficulty", "hard"], "difficulty must be one of"),
        (["--seed", "-1"], "seed must lie in"),
        (["person"] * 5, "num_players must be"),
        (["--components", "nowhere"], "--components"),
        (["--resume", "nowhere.json"], "cannot be read"),
        (["person", "--resume", "x.json"], "--resume takes seats"),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], words: str) -> None:
    result = nijar("play", *arguments)
    assert result.exit_code == 1 and words in result.output
    assert result.output.count("\n") == 1


def test_going_on_with_a_finished_game_shows_its_end(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    write_replay(played(), path)
    result = nijar("play", "--resume", path)
    assert result.exit_code == 1 and "nobody is a person here" in result.output
    done = changed(path, agents=["person", "random"])
    result = nijar("play", "--resume", done)
    assert result.exit_code == 0 and " wins" in result.output
    path.write_text("{}", encoding="utf-8")
    assert "not a replay" in nijar("play", "--resume", path).output


# -- through a pseudo-terminal


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_in_a_terminal(tmp_path: Path) -> None:
    import pty

    file = tmp_path / "game.json"
    parent, child = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1", "COLUMNS": "120"}
    process = subprocess.Popen(
        [*COMMAND, "person", "random", "--seed", "3", "--save", str(file), "--hints", "random"],
        stdin=child,
        stdout=child,
        stderr=child,
        cwd=ROOT,
        env=environment,
        close_fds=True,
    )
    os.close(child)
    seen = ""

    def until(words: str) -> None:
        nonlocal seen
        end = time.monotonic() + PATIENCE
        while words not in re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen):
            left = end - time.monotonic()
            assert left > 0 and select.select([parent], [], [], left)[0], seen[-2000:]
            try:
                got = os.read(parent, 65536)
            except OSError:
                got = b""
            seen += got.decode(errors="replace")
            if not got:  # the program has ended
                assert words in re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen), seen[-2000:]

    def line(text: str, words: str) -> None:
        nonlocal seen
        until("player 0>")
        seen = ""
        os.write(parent, text.encode() + b"\r")
        until(words)

    try:
        line("hint", "random would: ")
        line("1", "you may")
        line("bad", "is none of the choices")
        line("quit", "goes on")
        assert process.wait(PATIENCE) == 0
    finally:
        process.kill()
        process.wait()
        os.close(parent)
    assert read_replay(file).agents == ("person", "random")


@pytest.mark.skipif(find_spec("prompt_toolkit") is None, reason="needs prompt_toolkit")
@pytest.mark.parametrize("history", [True, False])
def test_the_line_of_prompt_toolkit(history: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    from prompt_toolkit.application import create_app_session
    from prompt_toolkit.input import create_pipe_input
    from prompt_toolkit.output import DummyOutput

    from nijar_env.play_terminal import make_ask

    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        ask = make_ask(history)
        for text, line in (("place:0,1\r", "place:0,1"), ("\x1b[A\r", "place:0,1" * history)):
            pipe.send_text(text)
            assert ask("> ", {"place:0,1": "words"}, "foot") == line
