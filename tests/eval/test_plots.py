"""Plots: drawn, the same each time, and without a date."""

from __future__ import annotations

import struct
import sys
from pathlib import Path

import pytest

from eval import plots

from .synthetic import ranked, solo_games, tournament

matplotlib = pytest.importorskip("matplotlib")

SOLO = solo_games({"good:option=1,other=2": 85, "b$a$d": 40}, 15)
GAMES = [*tournament({"a": 0, "b": 100}, 2, 10), *tournament({"a": 0, "b": 50, "c": 99}, 3, 4)]


def chunks(path: Path) -> list[tuple[bytes, bytes]]:
    """The parts of a PNG file."""
    data, at, out = path.read_bytes(), 8, []
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        out.append((kind, data[at + 8 : at + 8 + length]))
        at += 12 + length
    return out


def test_all_plots_are_drawn_alike_each_time(tmp_path: Path) -> None:
    first = plots.solo_plots(SOLO, tmp_path / "1") + plots.tournament_plots(GAMES, tmp_path / "1")
    second = plots.solo_plots(SOLO[::-1], tmp_path / "2") + plots.tournament_plots(
        GAMES[::-1], tmp_path / "2"
    )
    assert [path.name for path in first] == [
        "solo-scores.png",
        "solo-margins.png",
        "solo-sources.png",
        "ratings-2-players.png",
        "cross-2-players.png",
        "ratings-3-players.png",
        "cross-3-players.png",
    ]
    for one, two in zip(first, second, strict=True):
        assert one.read_bytes() == two.read_bytes()
        parts = chunks(one)
        width, height = struct.unpack(">II", parts[0][1][:8])
        assert width == 1200 and 200 < height < 1200
        # No text: neither a date nor the program that drew it.
        assert {kind for kind, _ in parts} <= {b"IHDR", b"pHYs", b"IDAT", b"IEND"}


def test_few_games_and_separated_agents(tmp_path: Path) -> None:
    plots.solo_plots([ranked(0, ("a",), (-5, 60), "expert")], tmp_path)
    won = [ranked(deal, ("a", "b"), (9, 1)) for deal in range(3)]
    assert len(plots.tournament_plots(won, tmp_path)) == 2


def test_nothing_to_draw(tmp_path: Path) -> None:
    assert plots.solo_plots(GAMES, tmp_path) == []
    assert plots.tournament_plots(SOLO, tmp_path) == []
    assert plots.tournament_plots([ranked(0, ("a", "a"), (9, 1))], tmp_path) == []
    assert list(tmp_path.iterdir()) == []


def test_settings_of_the_caller_stay_and_do_not_matter(tmp_path: Path) -> None:
    (before,) = plots.solo_plots(SOLO, tmp_path / "1")[:1]
    size = matplotlib.rcParams["font.size"]
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "red"}):
        (after,) = plots.solo_plots(SOLO, tmp_path / "2")[:1]
        assert matplotlib.rcParams["font.size"] == 30
    assert matplotlib.rcParams["font.size"] == size
    assert before.read_bytes() == after.read_bytes()


def test_without_matplotlib_one_line_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(plots.PlotError, match=r"^plots need matplotlib: pip install matplotlib$"):
        plots.solo_plots(SOLO, tmp_path)


def test_long_names_are_broken_where_options_begin() -> None:
    assert plots.short("random") == "random"
    assert (
        plots.short("mcts:iterations=400,exploration=1.4")
        == "mcts:iterations=400,\nexploration=1.4"
    )
