"""Replays that measurements write."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from agents.base import Actions, GameView, Masks, Observations
from agents.notes import Choice, Note
from eval import benchmark, tournament
from eval.records import GameRecord
from eval.replays import replay_name
from eval.table import Assignment, Cast, game_seed, play
from eval.workers import run
from nijar_env import load_box
from nijar_env.replay import Replay, read_replay

from .stubs import Mixed, make
from .test_table import untimed


class Noting(Mixed):
    """Notes what it could do wherever an even number of decisions was taken."""

    keep_notes = False

    def __init__(self) -> None:
        super().__init__("noting")
        self.notes: dict[int, Note] = {}

    def act(self, observations: Observations | None, masks: Masks, games: GameView) -> Actions:
        actions = super().act(observations, masks, games)
        for k, mask in enumerate(masks):
            if self.keep_notes and games.decisions[k] % 2 == 0:
                others = [int(a) for a in np.flatnonzero(mask) if a != actions[k]]
                choices = tuple(Choice((a,), 1.0, 2) for a in [int(actions[k]), *others])
                self.notes[int(games.ids[k])] = Note(choices, "in tests")
        return actions


def agrees(replay: Replay, record: GameRecord, seed: int) -> None:
    assert replay.scores == tuple(seat.vp for seat in record.seats)
    assert replay.winner == [seat.place for seat in record.seats].index(0)
    assert (replay.agents, replay.difficulty) == (record.agents, record.difficulty)
    assert (replay.deal, replay.measurement_seed) == (record.deal, seed)
    assert replay.seed == game_seed(seed, record.deal)
    assert len(replay.actions) == sum(seat.decisions for seat in record.seats)


@pytest.mark.parametrize("workers", [1, 2])
def test_each_game_gets_one_that_agrees_with_its_record(workers: int, tmp_path: Path) -> None:
    games = [Assignment(k, "", ("random", "mixed")) for k in range(4)]
    games += [Assignment(k, "expert", ("mixed",)) for k in range(3)]
    records: list[GameRecord] = []
    run(
        games,
        Cast(make),
        7,
        load_box(),
        finished=records.append,
        workers=workers,
        batch_size=2,
        make=make,
        replays=tmp_path,
    )
    named = {game.key(): replay_name(game) for game in games}
    assert {file.name for file in tmp_path.iterdir()} == set(named.values())
    for record in records:
        agrees(read_replay(tmp_path / named[record.key()]), record, 7)


def test_notes_are_kept_with_their_decisions_and_change_nothing(tmp_path: Path) -> None:
    games = [Assignment(k, "", ("noting", "mixed")) for k in range(3)]
    plain: list[GameRecord] = []
    noted: list[GameRecord] = []
    play(games, {"noting": Noting(), "mixed": Mixed()}, 1, finished=plain.append)
    given = {"noting": Noting(), "mixed": Mixed()}
    play(games, given, 1, finished=noted.append, replays=tmp_path)
    assert untimed(plain) == untimed(noted)
    for game in games:
        replay = read_replay(tmp_path / replay_name(game))
        notes = replay.notes_by_decision()
        assert len(notes) > 10 and all(decision % 2 == 0 for decision in notes)
        for decision, note in notes.items():
            assert note.choices[0].actions == (replay.actions[decision],)
    assert not given["noting"].notes  # type: ignore[attr-defined]  # no note is left behind


def test_names_of_files_are_apart() -> None:
    path = "a" * 80
    games = [
        Assignment(0, "", ("random", "mixed")),
        Assignment(0, "", ("mixed", "random")),
        Assignment(1, "", ("mixed", "random")),
        Assignment(0, "normal", (f"ppo:{path}/x",)),
        Assignment(0, "normal", (f"ppo:{path}/y",)),
        Assignment(0, "expert", (f"ppo:{path}/y",)),
        Assignment(0, "normal", ("ppo:a/b",)),
        Assignment(0, "normal", ("ppo:a:b",)),
    ]
    names = [replay_name(game) for game in games]
    assert len(set(names)) == len(names)
    assert all(len(name) < 100 and name.isascii() and "/" not in name for name in names)


@pytest.mark.parametrize(
    ("command", "arguments", "count"),
    [
        (benchmark.main, ["--agent", "random", "--difficulty", "normal", "--games", "2"], 2),
        (tournament.main, ["--agents", "random", "--games", "2"], 2),
        (
            tournament.main,
            ["--agents", "random", "--agents", "light", "--games", "1", "--workers", "2"],
            2,
        ),
    ],
)
def test_commands_write_them(
    command: object, arguments: Sequence[str], count: int, tmp_path: Path
) -> None:
    folder = tmp_path / "a" / "b"
    assert callable(command)
    assert command([*arguments, "--replays", str(folder)]) == 0
    files = sorted(folder.iterdir())
    assert len(files) == count
    for file in files:
        assert read_replay(file).winner is not None


def test_a_folder_that_cannot_be_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SystemExit) as caught:
        benchmark.main(["--agent", "random", "--replays", str(tmp_path / "file" / "x")])
    assert caught.value.code == 2
    assert "--replays" in capsys.readouterr().err
