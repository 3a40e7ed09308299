"""Data sets of games: generated, kept, read back, played again."""

from __future__ import annotations

import json
import multiprocessing
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nijar_env import Game, load_box
from nijar_env.components.vocabulary import DIFFICULTIES
from train.data import (
    FIRST_SEED,
    FORMAT,
    DataError,
    GameData,
    join_games,
    load_games,
    split_games,
)
from train.generate import main
from train.replay import minibatches


def generate(path: Path, *more: str, teacher: str = "light") -> GameData:
    arguments = ["--teacher", teacher, "--games", "6", "--chunk", "2", "--out", str(path), *more]
    assert main(arguments) == 0
    return load_games(path)


@pytest.fixture(scope="module")
def solo(tmp_path_factory: pytest.TempPathFactory) -> GameData:
    return generate(tmp_path_factory.mktemp("data") / "solo.npz", "--mix", "random")


def test_a_data_set_says_what_made_it(solo: GameData) -> None:
    assert solo.num_games == 6 and solo.num_players == 1
    assert solo.header["teacher"] == "light" and solo.header["mix"] == "random"
    assert solo.header["fingerprint"] == load_box(None).fingerprint
    assert "--teacher light" in solo.header["command"]
    assert solo.seeds.tolist() == list(range(FIRST_SEED, FIRST_SEED + 6))
    assert solo.difficulties.tolist() == [0, 0, 1, 1, 2, 2]
    assert solo.lengths.sum() == solo.num_decisions > 100


def test_the_games_are_those_of_the_seeds(solo: GameData) -> None:
    starts = solo.starts
    for number in (0, 5):
        level = DIFFICULTIES[solo.difficulties[number]]
        game = Game(1, seed=int(solo.seeds[number]), difficulty=level)
        for decision in range(starts[number], starts[number + 1]):
            assert game.current_player == solo.seats[decision]
            game.step(int(solo.played[decision]))
        assert game.done and game.scores() == solo.scores[number, :2].tolist()
    own, rival = solo.scores[:, 0].astype(float), solo.scores[:, 1]
    np.testing.assert_allclose(solo.margins()[:, 0], (own - rival) / 50, rtol=1e-6)


def test_another_player_takes_some_decisions(solo: GameData) -> None:
    differing = (solo.played != solo.choices[:, 0]).mean()
    assert 0.01 < differing < 0.12
    assert (solo.odds[:, 0] == 1).all() and (solo.choices[:, 1:] == -1).all()


def test_mcts_gives_probabilities_and_values(tmp_path: Path) -> None:
    data = generate(
        tmp_path / "m.npz", "--players", "2", "--games", "1", teacher="mcts:iterations=12"
    )
    assert data.header["difficulty"] == "normal" and data.num_games == 1
    np.testing.assert_allclose(data.odds.astype(float).sum(axis=1), 1, atol=2e-3)
    assert (np.diff(data.odds.astype(float), axis=1) <= 0).mean() > 0.99
    assert (data.choices[:, 0] == data.played).all()
    assert np.isfinite(data.worth[:, 0]).all()
    assert ((data.choices >= 0) == (data.odds > 0)).all()


def test_what_is_there_is_gone_on_with(tmp_path: Path, solo: GameData) -> None:
    out = tmp_path / "again.npz"
    folder = tmp_path / "again.npz.parts"
    folder.mkdir()
    (folder / "header.json").write_text(json.dumps(dict(solo.header), indent=1), "utf-8")
    solo.select([0, 1]).save(folder / "000000.npz")
    data = generate(out, "--mix", "random")
    assert not folder.exists()
    for name in ("seeds", "scores", "lengths", "played", "choices", "odds"):
        np.testing.assert_array_equal(getattr(data, name), getattr(solo, name))


def test_chunks_of_another_command_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "x.npz.parts"
    folder.mkdir()
    for name, text in (("header.json", "{}"), ("000000.npz", "of whatever it is")):
        (folder / name).write_text(text, "utf-8")
    with pytest.raises(SystemExit):
        generate(tmp_path / "x.npz")
    assert "holds chunks of another command" in capsys.readouterr().err
    # A header alone is in nobody's way: no chunk came of that command.
    (folder / "000000.npz").unlink()
    generate(tmp_path / "x.npz")


def test_a_damaged_chunk_is_named_with_a_remedy(
    tmp_path: Path, solo: GameData, capsys: pytest.CaptureFixture[str]
) -> None:
    out, folder = tmp_path / "again.npz", tmp_path / "again.npz.parts"
    folder.mkdir()
    (folder / "header.json").write_text(json.dumps(dict(solo.header), indent=1), "utf-8")
    part = folder / "000000.npz"
    solo.select([0, 1]).save(part)
    part.write_bytes(part.read_bytes()[:500])
    with pytest.raises(SystemExit):
        generate(out, "--mix", "random")
    assert "000000.npz: not a data set" in (said := capsys.readouterr().err)
    assert "delete it, and its games are played again" in said and said.count("\n") == 1
    part.unlink()
    assert generate(out, "--mix", "random").num_decisions == solo.num_decisions


def test_a_full_disk_leaves_no_part_of_a_file(
    tmp_path: Path, solo: GameData, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        solo.save(tmp_path / "some.npz")
    assert not list(tmp_path.iterdir())


def test_a_worker_that_dies_ends_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ("--games", "2", "--chunk", "1", "--workers", "2", "--difficulty", "normal")
    teacher = "tests.eval.stubs:Dying"
    with pytest.raises(SystemExit):
        generate(tmp_path / "x.npz", *arguments, teacher=teacher)
    assert "a worker process died; the same command goes on" in capsys.readouterr().err
    assert not multiprocessing.active_children()


def test_ctrl_c_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*rest: Any, **more: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("train.generate.play_chunk", interrupt)
    assert main(["--teacher", "random", "--games", "1", "--out", str(tmp_path / "x.npz")]) == 130
    assert capsys.readouterr().err == "interrupted; the same command goes on\n"


@pytest.mark.parametrize("shuffle", [True, False])
@pytest.mark.parametrize("lanes", [2, 64])
def test_every_decision_is_shown_once(solo: GameData, lanes: int, shuffle: bool) -> None:
    rng = np.random.default_rng(0) if shuffle else None
    parts = list(minibatches(solo, 64, rng=rng, lanes=lanes, buffer=256))
    numbers = np.concatenate([part.numbers for part in parts])
    assert sorted(numbers.tolist()) == list(range(solo.num_decisions))
    assert not shuffle or (numbers[:50] != np.sort(numbers)[:50]).any()
    # What is shown is what a game shows.
    part = parts[len(parts) // 2]
    starts = solo.starts
    for row in range(0, len(part.numbers), 9):
        decision = int(part.numbers[row])
        number = int(np.searchsorted(starts, decision, side="right")) - 1
        level = DIFFICULTIES[solo.difficulties[number]]
        game = Game(1, seed=int(solo.seeds[number]), difficulty=level)
        for action in solo.played[starts[number] : decision]:
            game.step(int(action))
        np.testing.assert_array_equal(game.action_mask(), part.masks[row])
        np.testing.assert_array_equal(game.observation(0), part.inputs[row])
        assert part.margins[row] == solo.margins()[number, 0]
        assert part.choices[row, 0] == solo.choices[decision, 0]
        assert part.masks[row, part.choices[row, 0]] == 1


def test_games_that_no_longer_fit_are_refused(solo: GameData) -> None:
    other = replace(solo, header={**solo.header, "fingerprint": "0" * 12})
    with pytest.raises(DataError, match="played with box"):
        next(minibatches(other, 8))
    scores = solo.scores.copy()
    scores[3, 0] += 1
    with pytest.raises(DataError, match="ends otherwise"):
        list(minibatches(replace(solo, scores=scores), 8))
    choices = solo.choices.copy()
    choices[5, 0] = 302
    with pytest.raises(DataError, match="does not fit its game"):
        list(minibatches(replace(solo, choices=choices), 8))
    played = solo.played.copy()
    played[5] = 302
    with pytest.raises(DataError, match="cannot be played again"):
        list(minibatches(replace(solo, played=played), 8))


def test_files_that_are_no_data_sets_are_refused(solo: GameData, tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    path.write_bytes(b"nothing")
    with pytest.raises(DataError, match="not a data set"):
        load_games(path)
    np.savez(path, header=np.array("{}"))
    with pytest.raises(DataError, match="not a data set"):
        load_games(path)
    with pytest.raises(DataError, match="not a data set"):
        load_games(tmp_path / "missing.npz")
    np.save(tmp_path / "x.npy", np.zeros(3))
    with pytest.raises(DataError, match="not a data set"):
        load_games(tmp_path / "x.npy")
    solo.save(path)
    whole = path.read_bytes()
    for torn in (whole[:30], whole[: len(whole) // 2]):
        path.write_bytes(torn)
        with pytest.raises(DataError, match="not a data set"):
            load_games(path)
    replace(solo, header={"format": FORMAT}).save(path)
    with pytest.raises(DataError, match="its header has no 'players'"):
        load_games(path)
    replace(solo, choices=solo.choices + np.int16(1000)).save(path)
    with pytest.raises(DataError, match="choices has numbers that are no actions"):
        load_games(path)


def test_joined_and_split(solo: GameData, tmp_path: Path) -> None:
    twice = join_games([solo, solo])
    assert twice.num_decisions == 2 * solo.num_decisions
    other = replace(solo, header={**solo.header, "players": 2})
    with pytest.raises(DataError, match="different players"):
        join_games([solo, other])
    taught, apart = split_games(twice, 0.5)
    assert taught.num_games + apart.num_games == 12
    assert not set(taught.seeds.tolist()) & set(apart.seeds.tolist())
    assert split_games(solo, 0.0)[1].num_games == 0
    taught.save(tmp_path / "part.npz")
    again = load_games(tmp_path / "part.npz")
    np.testing.assert_array_equal(again.played, taught.played)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--teacher", "nobody", "--games", "1"], "no agent is named"),
        (["--teacher", "light", "--games", "0"], "at least 1"),
        (["--teacher", "light", "--games", "1", "--players", "5"], "must be 1 to 4"),
        (["--teacher", "light", "--games", "1", "--share", "2"], "0 to 1"),
        (
            ["--teacher", "light", "--games", "1", "--players", "2", "--difficulty", "expert"],
            "--difficulty belongs to solo games",
        ),
    ],
)
def test_faults_of_the_command(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([*arguments, "--out", str(tmp_path / "x.npz")])
    assert message in capsys.readouterr().err
