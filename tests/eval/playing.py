"""Games for tests of those who play them: processes of this machine or of a cluster."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from agents import Agent
from eval.records import GameRecord
from eval.table import Assignment, Cast
from eval.workers import run
from nijar_env import load_box


def played(
    make: Callable[[str], Agent], games: Sequence[Assignment], **options: object
) -> tuple[list[GameRecord], list[Assignment]]:
    records: list[GameRecord] = []
    lost = run(
        games,
        Cast(make),
        7,
        load_box(),
        finished=records.append,
        make=make,
        **options,  # type: ignore[arg-type]
    )
    return sorted(records, key=GameRecord.key), lost


def tables(deals: int, *agents: str) -> list[Assignment]:
    return [Assignment(deal, "", agents) for deal in range(deals)]


def solo(deals: int, agent: str) -> list[Assignment]:
    return [Assignment(deal, "expert", (agent,)) for deal in range(deals)]
