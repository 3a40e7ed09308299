"""Finished games in a folder: what a measurement has so far, safe to be stopped at any moment.

    DIR/games/header.json    what is measured: format, version, box, seed, agents
    DIR/games/0001.jsonl     finished games, one a line; a file for each run that finished some

A line is written and handed to the system when its game ends, and no file is written again by a
later run, so a run that is killed spoils at most the last line of its own file.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Final

import msgspec

import nijar_env
from nijar_env import Box

from .provenance import agent_fingerprint
from .records import GameRecord

FORMAT: Final = "nijar-games-1"
_FOLDER, _HEADER = "games", "header.json"


class StoreError(ValueError):
    """A folder that holds something else, or cannot be read. One line, with a remedy."""


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """What a folder's games are games of.

    Attributes:
        format: of the files.
        measures: what is played, in words.
        version: of nijar-env.
        box: name, version and fingerprint.
        seed: of the measurement.
        agents: fingerprint of each agent by specification; "" for one that reads no file.
    """

    measures: str
    box: dict[str, str | int]
    seed: int
    agents: dict[str, str]
    version: str = nijar_env.__version__
    format: str = FORMAT


def header_of(measures: str, box: Box, seed: int, agents: Mapping[str, Any]) -> Header:
    """The header of a measurement with these agents, by specification."""
    return Header(
        measures=measures,
        box={"name": box.name, "version": box.version, "fingerprint": box.fingerprint},
        seed=seed,
        agents={spec: agent_fingerprint(agent) for spec, agent in agents.items()},
    )


class Store:
    """The finished games of a folder.

    Args:
        folder: made if it is not there.
        header: what is measured. A folder of the same measurement is gone on with; agents that
            it does not have yet are added.
        results: names of files that the measurement writes into the folder: where one is there
            without games, it is another measurement's and stays.

    Raises:
        StoreError: the folder holds another measurement, or is broken; nothing was changed.
        OSError: the folder cannot be made, read or written.
    """

    def __init__(self, folder: Path, header: Header, results: Sequence[str] = ()) -> None:
        self.folder = folder
        self._games = folder / _FOLDER
        self._shard: BinaryIO | None = None
        self._encoder = msgspec.json.Encoder()
        path = self._games / _HEADER
        if path.exists():
            earlier = read_header(path)
            _compare(folder, earlier, header)
            agents = {**earlier.agents, **header.agents}
        else:
            self._refuse_foreign(results)
            earlier, agents = None, header.agents
        self._games.mkdir(parents=True, exist_ok=True)
        if earlier is None or agents != earlier.agents:
            write_whole(path, _pretty(msgspec.structs.replace(header, agents=agents)))
        self._records = _read_games(self._games)

    def _refuse_foreign(self, results: Sequence[str]) -> None:
        names = [name for name in results if (self.folder / name).exists()]
        if any(self._games.glob("*.jsonl")):
            names = [f"{_FOLDER}/ without {_HEADER}"]
        if names:
            raise StoreError(
                f"{self.folder} already holds {names[0]}, not written with this folder's games; "
                "give another folder, or move that away"
            )

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def reread(self) -> None:
        """Have the games that the folder has, no more and no fewer.

        For after an interruption: Ctrl-C may fall between a game's line and the note of it here.

        Raises:
            StoreError: another process has broken a file.
            OSError: the folder cannot be read, or the last game not be written.
        """
        self.close()
        self._records = _read_games(self._games)

    def records(self) -> list[GameRecord]:
        """The games so far, each once, sorted by `GameRecord.key`."""
        return [self._records[key] for key in sorted(self._records)]

    def __contains__(self, key: tuple[Any, ...]) -> bool:
        return key in self._records

    def add(self, record: GameRecord) -> None:
        """Keep a game; one that is there already stays as it was.

        Raises:
            OSError: it could not be written.
        """
        if record.key() in self._records:
            return
        if self._shard is None:
            self._shard = self._new_shard()
        self._shard.write(self._encoder.encode(record) + b"\n")
        self._shard.flush()
        self._records[record.key()] = record

    def _new_shard(self) -> BinaryIO:
        number = 1
        while True:
            try:
                return (self._games / f"{number:04d}.jsonl").open("xb")
            except FileExistsError:
                number += 1

    def close(self) -> None:
        """Close the file that is being written, if any."""
        shard, self._shard = self._shard, None
        if shard is not None:
            shard.close()


def _pretty(header: Header) -> str:
    return msgspec.json.format(msgspec.json.encode(header), indent=2).decode() + "\n"


def write_whole(path: Path, text: str) -> None:
    """Write a file that is never seen half-written: the old one stays until the new is complete."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with open(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        Path(name).chmod(0o666 & ~_umask())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def read_header(path: Path) -> Header:
    """Read a header file.

    Raises:
        StoreError: it is none, or of another format.
    """
    try:
        data = msgspec.json.decode(path.read_bytes())
        if isinstance(data, dict) and data.get("format") != FORMAT:
            raise StoreError(
                f"{path} has format {data.get('format')!r}, this version reads {FORMAT}; "
                "give another folder"
            )
        return msgspec.convert(data, Header)
    except msgspec.MsgspecError as error:
        raise StoreError(
            f"{path} cannot be read ({error}); restore it, or give another folder"
        ) from None


def agents_of(folder: Path) -> tuple[str, ...]:
    """The agents that a folder's games are of; none if it has no games.

    Raises:
        StoreError: its header is broken.
    """
    path = folder / _FOLDER / _HEADER
    return tuple(read_header(path).agents) if path.exists() else ()


def _compare(folder: Path, earlier: Header, present: Header) -> None:
    """Raise StoreError, naming what differs, unless both are of one measurement."""

    def box(header: Header) -> str:
        return f"{header.box['name']} ({header.box['fingerprint']})"

    facts = (
        ("what is played", earlier.measures, present.measures),
        ("the seed", earlier.seed, present.seed),
        ("the box", box(earlier), box(present)),
        ("nijar-env's version", earlier.version, present.version),
        *(
            (f"the file of agent '{spec}'", earlier.agents[spec], print_)
            for spec, print_ in present.agents.items()
            if spec in earlier.agents
        ),
    )
    differing = [f"{name} is {old} there, {new} here" for name, old, new in facts if old != new]
    if differing:
        raise StoreError(
            f"{folder} holds another measurement: {'; '.join(differing)}; give another folder"
        )


def _read_games(games: Path) -> dict[tuple[Any, ...], GameRecord]:
    """All games of a folder by key, the first of any that are there twice."""
    decoder = msgspec.json.Decoder(GameRecord)
    found: dict[tuple[Any, ...], GameRecord] = {}
    for path in sorted(games.glob("*.jsonl")):
        lines = path.read_bytes().split(b"\n")
        for number, line in enumerate(lines, 1):
            if not line:
                continue
            try:
                record = decoder.decode(line)
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                if number == len(lines):  # torn: the run that wrote it was killed
                    continue
                raise StoreError(
                    f"{path}, line {number}, is no finished game ({error}); delete the line, and "
                    "its game is played again"
                ) from None
            found.setdefault(record.key(), record)
    return found
