"""The page of a replay in a browser: its buttons, keys, log and curves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nijar_env.replay import Replay, iterate_replay
from nijar_env.replay_html import replay_page

from ..test_replay import played
from .browsing import Tab


class Shown:
    """A replay's page, and what it ought to show."""

    def __init__(self, tab: Tab, path: Path, replay: Replay) -> None:
        self.tab = tab
        self.page = tab.page
        self.replay = replay
        self.last = len(replay.actions)
        self.rounds: list[int] = []
        self.logs: list[list[str]] = []
        for step in iterate_replay(replay):
            self.rounds.append(step.game.round)
            self.logs.append(step.game.log)
        path.write_text(replay_page(replay), encoding="utf-8")
        self.page.goto(path.as_uri())

    @property
    def at(self) -> int:
        """The decision that is shown, as its line says; the address and the slider agree."""
        number = int(self.page.inner_text("#now").split(" ")[0])
        assert self.page.url.endswith(f"#{number}")
        assert self.page.input_value("#slider") == str(number)
        return number

    def go(self, where: str) -> int:
        self.page.click(f'[data-go="{where}"]')
        return self.at

    def press(self, key: str) -> int:
        self.page.keyboard.press(key)
        return self.at

    def begins(self, values: list[Any]) -> list[int]:
        """Where a value begins, and both ends."""
        return sorted(
            {0, self.last, *(k for k in range(1, self.last + 1) if values[k] != values[k - 1])}
        )


@pytest.fixture
def shown(open_tab: Callable[..., Tab], tmp_path: Path) -> Shown:
    return Shown(open_tab(), tmp_path / "game.html", played(1, seed=2, difficulty="expert"))


def headings(log: list[str]) -> int:
    return sum(1 for line in log if line and not line.startswith(" "))


def test_every_control_leads_where_it_says(shown: Shown) -> None:
    rounds = shown.begins(shown.rounds)
    turns = shown.begins([headings(log) for log in shown.logs])
    assert len(rounds) > 3 and len(turns) > 10
    assert shown.at == 0
    for forward, back, ahead, behind, places in (
        ("+step", "-step", "ArrowRight", "ArrowLeft", [0, 1, 2, 3]),
        ("+turn", "-turn", "Shift+ArrowRight", "Shift+ArrowLeft", turns[:6]),
        ("+round", "-round", "]", "[", rounds),
    ):
        assert [shown.go(forward) for _ in places[1:]] == places[1:]
        assert [shown.go(back) for _ in places[1:]] == places[-2::-1]
        assert [shown.press(ahead) for _ in places[1:]] == places[1:]
        assert [shown.press(behind) for _ in places[1:]] == places[-2::-1]
    assert shown.go("-step") == 0
    assert shown.go("last") == shown.last == shown.go("+step")
    assert shown.go("first") == 0
    assert shown.press("End") == shown.last and shown.press("Home") == 0
    assert not shown.tab.faults


def test_what_is_shown_is_the_game(shown: Shown) -> None:
    page = shown.page
    for number, step in enumerate(iterate_replay(shown.replay)):
        if number % 40 and step.action is not None:
            continue
        page.evaluate("number => { location.hash = `#${number}`; }", number)
        page.reload()
        assert shown.at == number
        assert f"round {step.game.round}" in page.inner_text("#now") or not step.game.round
        for vp, row in zip(step.game.scores(), page.query_selector_all("#seats tr"), strict=True):
            assert f"{vp} VP" in row.inner_text()
        seen = page.query_selector_all("#log li:not(.later)")
        assert [item.text_content() for item in seen] == [s.strip() for s in step.game.log]
        assert page.get_attribute("#board svg", "aria-label") in step.game.to_svg()
        if step.action is not None:
            name = step.game.action_name(step.action)
            taken = page.query_selector_all("#board .taken")
            assert taken and all(
                name in str(element.get_attribute("data-actions")).split(" ") for element in taken
            )
    assert ", wins" in page.inner_text("#seats")
    assert not shown.tab.faults


def test_notes_log_and_curves(shown: Shown) -> None:
    page = shown.page
    assert "no note" in page.inner_text("#note")
    for _ in range(3):
        shown.go("+step")
    assert "1.2" in page.inner_text("#note") and "and 3 more" in page.inner_text("#note")
    # A line of the log leads to the first moment that has it.
    shown.go("last")
    number = len(shown.logs[-1]) // 2
    page.click(f"#log li:nth-child({number + 1})")
    assert shown.at == next(k for k, log in enumerate(shown.logs) if len(log) > number)
    assert page.query_selector(f"#log li.fresh:nth-child({number + 1})") is not None
    # So does a place among the curves, by how far to the right it is.
    box = page.locator("#curves").bounding_box()
    assert box is not None
    for part in (0.1, 0.5, 0.9):
        place = box["width"] * (30 + 365 * part) / 400
        page.click("#curves", position={"x": place, "y": box["height"] / 2})
        assert abs(shown.at - part * shown.last) <= 1.5
        cursor = float(str(page.get_attribute("#curves line:last-of-type", "x1")))
        assert cursor == pytest.approx(30 + 365 * shown.at / shown.last)
    assert not shown.tab.faults


def test_slider_and_playing(shown: Shown) -> None:
    page = shown.page
    page.fill("#slider", "17")
    assert shown.at == 17
    page.click('[data-go="play"]')
    assert page.inner_text('[data-go="play"]') == "stop"
    page.wait_for_selector('#now:not(:has-text("17 of"))')  # it goes on by itself
    page.keyboard.press("ArrowLeft")  # stops
    assert shown.at >= 17 and page.inner_text('[data-go="play"]') == "play"
    page.fill("#slider", str(shown.last - 1))
    page.locator("#slider").blur()
    page.keyboard.press(" ")
    page.wait_for_selector(f'#now:has-text("{shown.last} of")')
    page.wait_for_selector('[data-go="play"]:has-text("play")')  # stops at the end
    assert not shown.tab.faults


def test_the_page_needs_no_network(shown: Shown) -> None:
    shown.go("last")
    assert all(address.startswith(("file:", "data:")) for address in shown.tab.requests)
