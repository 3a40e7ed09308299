"""Tables of `eval.peers.costs`."""

from __future__ import annotations

from typing import Any, Final

from ..text import NOTHING, Sheet, figures

_MEMORY: Final = (
    ("record", "the record"),
    ("copied for search", "of it, what search copies (with two pending effects)"),
    ("buffers", "a batch's buffers: masks, rewards, final scores"),
    ("observation", "an observation (float32)"),
    ("resident", "measured: resident memory of a batch with observations"),
)


def profile_sheet(data: dict[str, Any]) -> Sheet:
    """Where the time of a decision goes."""
    batches = list(data)
    headings = ["part of a decision"]
    for number in batches:
        headings += [f"{int(number):,} games: ns", "share"]
    rows = []
    names = sorted(data[batches[-1]], key=lambda name: -float(data[batches[-1]][name]))
    for name in names:
        row = [name]
        for number in batches:
            value = data[number][name]
            row += [figures(value), f"{100 * value / sum(data[number].values()):.0f} %"]
        rows.append(row)
    note = (
        "Two players, random legal play, one thread. Legal actions, observation, check and draw "
        "are timed alone over the batch; a deal counts by its share in a decision; the choice "
        "and the buffers are what is left of the whole. The choice includes the forced decisions "
        "that follow it, and their legal actions."
    )
    return Sheet("Where the time of a decision goes", headings, rows, note=note)


def growth_sheet(rows: list[dict[str, Any]]) -> Sheet:
    """Rates and time a decision by batch and threads."""
    cells = []
    for row in rows:
        line = [f"{row['batch']:,}", str(row["threads"])]
        for part in ("rules", "masks", "observations"):
            line += [f"{row[part] / 1000:,.0f}", f"{1e9 / row[part]:,.0f}"]
        cells.append(line)
    headings = ["games", "threads"]
    for words in ("rules alone", "with masks", "with masks\nand observations"):
        headings += [f"{words}:\nthousands/s", "ns each"]
    note = "Decisions a second, and nanoseconds a decision. Two players, random legal play."
    return Sheet("Batch and threads", headings, cells, names=0, note=note)


def start_sheet(seconds: dict[str, float]) -> Sheet:
    """Cold and warm start."""
    rows = [
        ["an empty kernel cache: everything is compiled", f"{seconds['cold']:.1f}"],
        ["the cache of an earlier process", f"{seconds['warm']:.2f}"],
    ]
    note = "From import to the first step of a Game, in a new process; warm: median of three."
    return Sheet("Start", ["with", "seconds"], rows, note=note)


def memory_sheet(found: dict[str, Any]) -> Sheet:
    """Bytes a game."""
    rows = [[words, f"{found[name]:,.0f}" if name in found else NOTHING] for name, words in _MEMORY]
    note = "Bytes a game, two players."
    if "process" in found:
        note += (
            f" Resident memory: the growth from a batch of 1 to one of {found['games']:,}; "
            f"the process had {found['process'] / 2**20:,.0f} MiB before, which is Python, NumPy, "
            "Numba and the compiled kernels."
        )
    return Sheet("Memory", ["what", "bytes"], rows, note=note)


def sheets(data: dict[str, Any]) -> list[Sheet]:
    """Those that there are measurements for."""
    found = []
    if data.get("profile"):
        found.append(profile_sheet(data["profile"]))
    if data.get("growth"):
        found.append(growth_sheet(data["growth"]))
    if data.get("start_seconds"):
        found.append(start_sheet(data["start_seconds"]))
    if data.get("memory"):
        found.append(memory_sheet(data["memory"]))
    return found
