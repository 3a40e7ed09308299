"""Tables of measured rows."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Any, Final

from ..text import NOTHING, Sheet, figures
from .plan import GROUPS, LEFT_OUT, OURS, PEERS, ROWS, Row, reference
from .scripts.loop import LEGAL, OBSERVE

TITLES: Final = {OURS: OURS, **{peer.name: peer.title for peer in PEERS}}
_PARTS: Final = {LEGAL: "legal actions", OBSERVE: "+ observation"}
# What the core should reach against the best of the comparable games.
AIM: Final = 10.0
_CORE: Final = "GameBatch, 1,024"

Data = dict[str, Any]


def rates(data: Data, row: Row) -> dict[str, float]:
    """Decisions a second by round; of playouts and searches, the decisions that they took."""
    found = data["rows"].get(row.key, {})
    if found.get("error"):
        return {}
    each = found.get("decisions_an_iteration", 1.0)
    return {number: rate * each for number, rate in found.get("rates", {}).items()}


def ratio(data: Data, ours: Row, other: Row) -> float | None:
    """Our rate by the other's: the median over the rounds that have both."""
    own, theirs = rates(data, ours), rates(data, other)
    both = [own[number] / theirs[number] for number in own if number in theirs]
    return median(both) if both else None


def best(data: Data, rows: Sequence[Row]) -> Row | None:
    """The fastest of them."""
    measured = [row for row in rows if rates(data, row)]
    return max(measured, key=lambda row: median(rates(data, row).values()), default=None)


def _number(value: Any) -> str:
    return NOTHING if value is None else f"{value:,.0f}"


def _share(value: float | None) -> str:
    return NOTHING if value is None else f"{100 * value:.0f} %"


def _times(value: float | None) -> str:
    return NOTHING if value is None else f"{figures(value)} ×"


def _rate(data: Data, row: Row) -> str:
    found = rates(data, row)
    return f"{median(found.values()) / 1000:,.1f}" if found else NOTHING


def name_of(row: Row) -> str:
    """A row in words."""
    return f"{TITLES[row.peer]}: {row.game}"


def group_sheet(data: Data, group: str) -> Sheet | None:
    """The rows of a group; None where there are none."""
    rows = [row for row in ROWS if row.group == group and row.key in data["rows"]]
    if not rows:
        return None
    what = GROUPS[group]
    special = group in ("playouts", "search")
    headings = ["project", "game", "each decision", "decisions/s\n(thousands)", "ours / its"]
    headings += (
        ["a second", "of", "decisions\neach"]
        if special
        else ["observation", "actions", "decisions\na game", "forced", "chance\nsteps"]
    )
    cells = []
    troubles = []
    for row in rows:
        found = data["rows"][row.key]
        base = reference(row)
        against = None if row.peer == OURS else ratio(data, base, row)
        part = "all" if special else _PARTS[row.part]
        line = [TITLES[row.peer], row.game, part, _rate(data, row), _times(against)]
        if special:
            own = [*found.get("rates", {}).values()]
            line += [figures(median(own)) if own else NOTHING, found.get("unit", NOTHING)]
            line.append(_number(found.get("decisions_an_iteration")))
        else:
            chance = found.get("chance_a_decision") or 0.0
            line += [_number(found.get(name)) for name in ("observation", "actions")]
            line += [_number(found.get("decisions_a_game")), _share(found.get("forced"))]
            line.append(f"{chance:.2f}" if chance else NOTHING)
        cells.append(line)
        if "error" in found:
            troubles.append(f"{name_of(row)} was not measured: {found['error']}.")
    note = " ".join([f"Ratios are those of our {what.reference}. {what.note}", *troubles])
    return Sheet(what.title, headings, cells, names=3, folds=1, note=note)


def headline_sheet(data: Data) -> Sheet:
    """Ours against the fastest comparable game, like with like; and the core's aim."""
    cells = []

    def add(kind: str, ours: Row, others: Sequence[Row]) -> None:
        peer = best(data, others)
        if peer is None or not rates(data, ours):
            return
        cells.append(
            [
                kind,
                name_of(ours),
                _rate(data, ours),
                name_of(peer),
                _rate(data, peer),
                _times(ratio(data, ours, peer)),
            ]
        )

    for group, what in GROUPS.items():
        for part in (LEGAL, OBSERVE):
            others = [r for r in ROWS if (r.group, r.part) == (group, part) and r.comparable]
            ours = [r for r in ROWS if (r.group, r.part, r.peer) == (group, part, OURS)]
            ours = [r for r in ours if r.game == what.reference]
            if others and ours:
                words = what.title if part == LEGAL else f"{what.title}, with observations"
                add(words, ours[0], others)
    loops = [r for r in ROWS if r.group == "loop" and r.comparable]
    for part, words in ((LEGAL, ""), (OBSERVE, ", with observations")):
        core = next(r for r in ROWS if (r.group, r.game, r.part) == ("batch", _CORE, part))
        title = f"unlike: a batch against one game in a Python loop{words}"
        add(title, core, [r for r in loops if r.part == part])
    headings = ["rows", "ours", "thousands/s", "fastest comparable", "thousands/s", "ratio"]
    note = (
        "Comparable: card and board games with chance or hidden cards. Decisions a second; ratios "
        f"are medians over the rounds. The core's aim is {AIM:g} times the fastest comparable "
        "game: the last rows are the ones it was stated for, and they are not like with like."
    )
    return Sheet("Ours and the fastest comparable game", headings, cells, names=2, note=note)


def absent_lines(data: Data) -> list[str]:
    """What was not measured, and why."""
    titles = {**data.get("absent", {}), **LEFT_OUT}
    return [f"{TITLES.get(name, name)}: not measured: {why}." for name, why in titles.items()]


def sheets(data: Data) -> list[Sheet]:
    """All tables, the headline first."""
    found = [group_sheet(data, group) for group in GROUPS]
    return [headline_sheet(data), *(sheet for sheet in found if sheet is not None)]
