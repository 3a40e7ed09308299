"""Measures rows: all of them in every round, so that they meet the same machine."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from .plan import Row
from .talk import PeerError

Tell = Callable[[str, int, int], None]


class Answers(Protocol):
    """A script, running."""

    versions: dict[str, str]

    def ask(self, **request: Any) -> dict[str, Any]:
        """See `talk.Script.ask`."""

    def close(self) -> None:
        """End it."""

    @property
    def alive(self) -> bool:
        """Whether it can be asked again."""


class Measurement:
    """What has been measured so far, as plain data in `data`.

    Args:
        rows: in any order.
        scripts: starts the script of a peer by its name.
        absent: peers that cannot be used, and why.
    """

    def __init__(
        self,
        rows: Sequence[Row],
        scripts: Callable[[str], Answers],
        absent: Mapping[str, str],
        rounds: int,
        seconds: float,
    ) -> None:
        self._start = scripts
        self._absent = dict(absent)
        self._rows = [row for row in rows if row.peer not in absent]
        self._scripts: dict[str, Answers] = {}
        self._found: dict[str, dict[str, Any]] = {}
        self._rounds, self._seconds = rounds, seconds
        self._versions: dict[str, dict[str, str]] = {}
        self._load = running_before()

    @property
    def data(self) -> dict[str, Any]:
        """Rows by key with sizes and a rate a round, versions, what is absent or failed."""
        return {
            "rounds": self._rounds,
            "seconds": self._seconds,
            "load_before": self._load,
            "versions": self._versions,
            "absent": self._absent,
            "rows": self._found,
        }

    def run(self, tell: Tell) -> None:
        """Measure everything; an exception (KeyboardInterrupt, say) leaves what there is."""
        total = len(self._rows) * (self._rounds + 1)
        done = 0
        try:
            for number in range(self._rounds + 1):
                for row in self._rows:
                    what = f"round {number}" if number else "warming up"
                    tell(f"{what}: {row.peer} {row.game}", done, total)
                    self._measure(row, number)
                    done += 1
            tell("done", total, total)
        finally:
            for script in self._scripts.values():
                script.close()

    def _measure(self, row: Row, number: int) -> None:
        found = self._found.setdefault(row.key, {"rates": {}})
        if "error" in found:
            return
        try:
            script = self._script(row.peer)
            if number == 0:
                found.update(script.ask(game=row.game, part=row.part, survey=True))
                return
            answer = script.ask(game=row.game, part=row.part, seconds=self._seconds)
            found["rates"][str(number)] = answer["decisions"] / answer["seconds"]
        except PeerError as error:
            found["error"] = str(error)
            self._drop_dead(row.peer)

    def _script(self, peer: str) -> Answers:
        if peer in self._absent:
            raise PeerError(self._absent[peer])
        if peer not in self._scripts:
            try:
                self._scripts[peer] = self._start(peer)
            except PeerError as error:
                self._absent[peer] = str(error)
                raise
            self._versions[peer] = self._scripts[peer].versions
        return self._scripts[peer]

    def _drop_dead(self, peer: str) -> None:
        """A script that hangs or died is not asked again as it is; the next row starts another."""
        script = self._scripts.get(peer)
        if script is not None and not script.alive:
            self._scripts.pop(peer).close()


def running_before() -> float | None:
    """Processes that were running already: above some tenths, rates are too low."""
    try:
        return round(os.getloadavg()[0], 2)
    except OSError:  # not known on this system
        return None
