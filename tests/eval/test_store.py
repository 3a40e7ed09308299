"""Games in a folder: gone on with, never mixed with others, whatever happened to the last run."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from eval.records import GameRecord, Seat
from eval.store import Store, StoreError, agents_of, header_of, write_whole
from nijar_env import load_box


class Reader:
    """An agent that reads a file."""

    def __init__(self, fingerprint: str) -> None:
        self.fingerprint = fingerprint


def seat(agent: str, vp: int = 5) -> Seat:
    return Seat(agent=agent, vp=vp, vp_from={"sales": vp}, place=0, first_turn=0)


def game(deal: int, *agents: str, vp: int = 5) -> GameRecord:
    return GameRecord(deal=deal, difficulty="", seats=tuple(seat(agent, vp) for agent in agents))


def header(seed: int = 1, measures: str = "tables of 2", **agents: object) -> Any:
    return header_of(measures, load_box(), seed, agents or {"a": object(), "b": object()})


def snapshot(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_games_come_back_sorted_and_once(tmp_path: Path) -> None:
    games = [game(3, "b", "a"), game(1, "a", "b"), game(0, "b", "a")]
    with Store(tmp_path / "new" / "dir", header()) as store:
        assert store.records() == []
        for one in [*games, game(1, "a", "b", vp=99)]:
            store.add(one)
        expected = [games[1], games[2], games[0]]
        assert store.records() == expected
    with Store(tmp_path / "new" / "dir", header()) as store:
        assert store.records() == expected
        assert games[0].key() in store
        assert game(4, "a", "b").key() not in store
        store.add(game(1, "a", "b", vp=99))
        store.add(game(4, "a", "b"))
    folder = tmp_path / "new" / "dir" / "games"
    assert sorted(path.name for path in folder.iterdir()) == [
        "0001.jsonl",
        "0002.jsonl",
        "header.json",
    ]
    assert len((folder / "0002.jsonl").read_bytes().splitlines()) == 1


def test_a_game_is_on_disk_as_soon_as_it_is_added(tmp_path: Path) -> None:
    store = Store(tmp_path, header())
    store.add(game(0, "a", "b"))
    line = (tmp_path / "games" / "0001.jsonl").read_bytes()
    assert line.endswith(b"\n")
    assert msgspec.json.decode(line, type=GameRecord) == game(0, "a", "b")
    store.close()


class Struck:
    """A games file whose line is written, or not, when Ctrl-C falls."""

    def __init__(self, file: Any, written: bool) -> None:
        self.file, self.written = file, written

    def write(self, line: bytes) -> None:
        if self.written:
            self.file.write(line)

    def flush(self) -> None:
        raise KeyboardInterrupt

    def close(self) -> None:
        self.file.close()


@pytest.mark.parametrize("written", [True, False])
def test_reread_has_what_the_folder_has(tmp_path: Path, written: bool) -> None:
    store = Store(tmp_path, header())
    store.add(game(0, "a", "b"))
    store._shard = Struck(store._shard, written)  # type: ignore[assignment]
    with pytest.raises(KeyboardInterrupt):
        store.add(game(1, "a", "b"))
    store.reread()
    assert store.records() == Store(tmp_path, header()).records()
    assert len(store.records()) == 1 + written
    store.add(game(1, "a", "b"))
    store.close()
    assert len(Store(tmp_path, header()).records()) == 2


def test_two_runs_at_once_write_files_of_their_own(tmp_path: Path) -> None:
    one, two = Store(tmp_path, header()), Store(tmp_path, header())
    for store, deals in ((one, (0, 1)), (two, (1, 2))):
        for deal in deals:
            store.add(game(deal, "a", "b"))
        store.close()
    assert Store(tmp_path, header()).records() == [game(deal, "a", "b") for deal in range(3)]


@pytest.mark.parametrize("torn", [b'{"deal":2,"diff', b"{", b"\xff\xfe", b"nonsense"])
def test_a_torn_last_line_is_passed_over(tmp_path: Path, torn: bytes) -> None:
    with Store(tmp_path, header()) as store:
        store.add(game(0, "a", "b"))
    with (tmp_path / "games" / "0001.jsonl").open("ab") as file:
        file.write(torn)
    with Store(tmp_path, header()) as store:
        assert store.records() == [game(0, "a", "b")]
        store.add(game(1, "a", "b"))
    assert len(Store(tmp_path, header()).records()) == 2


def test_a_last_line_without_its_end_counts_if_it_is_whole(tmp_path: Path) -> None:
    with Store(tmp_path, header()) as store:
        store.add(game(0, "a", "b"))
    path = tmp_path / "games" / "0001.jsonl"
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    assert Store(tmp_path, header()).records() == [game(0, "a", "b")]


def test_a_broken_line_elsewhere_is_named(tmp_path: Path) -> None:
    with Store(tmp_path, header()) as store:
        store.add(game(0, "a", "b"))
    path = tmp_path / "games" / "0001.jsonl"
    path.write_bytes(b"broken\n" + path.read_bytes())
    with pytest.raises(StoreError, match=r"0001.jsonl, line 1, is no finished game .*delete"):
        Store(tmp_path, header())


def test_agents_are_added(tmp_path: Path) -> None:
    assert agents_of(tmp_path) == ()
    Store(tmp_path, header(a=object())).close()
    before = snapshot(tmp_path)
    Store(tmp_path, header(a=object())).close()
    assert snapshot(tmp_path) == before
    Store(tmp_path, header(c=Reader("123"), b=object())).close()
    assert agents_of(tmp_path) == ("a", "c", "b")
    written = json.loads((tmp_path / "games" / "header.json").read_text())
    assert written["agents"] == {"a": "", "c": "123", "b": ""}
    assert written["box"]["fingerprint"] == load_box().fingerprint


def test_another_measurement_is_refused_and_nothing_changes(tmp_path: Path) -> None:
    with Store(tmp_path, header(a=Reader("old"), b=object())) as store:
        store.add(game(0, "a", "b"))
    before = snapshot(tmp_path)
    box = load_box()
    changed = msgspec.structs.replace(
        header(), box={"name": box.name, "version": box.version, "fingerprint": "beef"}
    )
    for other, words in (
        (header(seed=2), ["the seed is 1 there, 2 here"]),
        (header(measures="solo games"), ["what is played is tables of 2 there, solo games here"]),
        (msgspec.structs.replace(header(), version="0.0.1"), ["version is", "there, 0.0.1 here"]),
        (changed, [f"the box is {box.name} ({box.fingerprint}) there", "(beef) here"]),
        (header(c=object(), a=Reader("new")), ["file of agent 'a' is old there, new here"]),
        (header(seed=3, measures="x"), ["the seed is 1 there, 3 here", "what is played"]),
    ):
        with pytest.raises(StoreError) as error:
            Store(tmp_path, other)
        for word in [str(tmp_path), "another measurement", "give another folder", *words]:
            assert word in str(error.value)
        assert "\n" not in str(error.value)
        assert snapshot(tmp_path) == before


def test_a_folder_of_other_results_is_refused(tmp_path: Path) -> None:
    (tmp_path / "benchmark.json").write_text("mine")
    (tmp_path / "notes.txt").write_text("mine too")
    with pytest.raises(StoreError, match=r"already holds benchmark\.json, .*another folder"):
        Store(tmp_path, header(), ["benchmark.json", "benchmark.md"])
    assert snapshot(tmp_path) == {"benchmark.json": b"mine", "notes.txt": b"mine too"}
    # Once they are a measurement's own they are written again.
    Store(tmp_path, header(), ["tournament.json"]).close()
    (tmp_path / "tournament.json").write_text("results")
    Store(tmp_path, header(), ["tournament.json"]).close()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{", "cannot be read"),
        ("[]", "cannot be read"),
        ('{"format": "nijar-games-1", "seed": 1}', "cannot be read"),
        ('{"format": "nijar-games-9"}', "format 'nijar-games-9', this version reads"),
    ],
)
def test_a_broken_header_is_named(tmp_path: Path, content: str, words: str) -> None:
    Store(tmp_path, header()).close()
    (tmp_path / "games" / "header.json").write_text(content)
    with pytest.raises(StoreError, match=words) as error:
        Store(tmp_path, header())
    assert "header.json" in str(error.value)
    assert "another folder" in str(error.value)


def test_games_without_a_header_are_refused(tmp_path: Path) -> None:
    with Store(tmp_path, header()) as store:
        store.add(game(0, "a", "b"))
    (tmp_path / "games" / "header.json").unlink()
    with pytest.raises(StoreError, match=r"games/ without header.json"):
        Store(tmp_path, header())


def test_a_folder_can_be_moved(tmp_path: Path) -> None:
    with Store(tmp_path / "here", header()) as store:
        store.add(game(0, "a", "b"))
    shutil.move(tmp_path / "here", tmp_path / "there")
    assert len(Store(tmp_path / "there", header()).records()) == 1


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    write_whole(path, "first\n")
    write_whole(path, "second ñ\n")
    assert path.read_bytes() == "second ñ\n".encode()
    assert [p.name for p in tmp_path.iterdir()] == ["results.json"]
    path.unlink()
    path.mkdir()
    with pytest.raises(OSError):
        write_whole(path, "third\n")
    assert [p.name for p in tmp_path.iterdir()] == ["results.json"]
