"""What the tests in a browser share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from .browsing import Tab, launched


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    with launched() as found:
        yield found


@pytest.fixture
def open_tab(browser: Any) -> Iterator[Callable[..., Tab]]:
    """Opens pages, each without anything that another has kept."""
    tabs: list[Tab] = []

    def opened(**options: Any) -> Tab:
        tabs.append(Tab(browser, **options))
        return tabs[-1]

    yield opened
    for tab in tabs:
        tab.close()
