"""A browser for tests, and a server of one game beside it."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from nijar_env import Game
from nijar_env.play_session import Session
from nijar_env.play_table import Table

TOKEN = "token"
ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
REQUIRED = os.environ.get("NIJAR_REQUIRE_BROWSER", "") not in ("", "0")


def chromium() -> str | None:
    """The program of a browser."""
    names = ("chromium", "chromium-browser", "google-chrome")
    found = os.environ.get("NIJAR_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    return found and shutil.which(found)


def missing() -> str | None:
    """What these tests lack."""
    for module in ("playwright", "starlette", "uvicorn"):
        if find_spec(module) is None:
            return f"needs {module} (the extra `browser`)"
    return None if chromium() else "needs Chromium (on the path, or named by NIJAR_CHROMIUM)"


@contextmanager
def launched() -> Iterator[Any]:
    """The browser; the test is skipped where there is none, or fails where one is required."""
    lacking = missing()
    if lacking is not None:
        if REQUIRED:
            pytest.fail(f"NIJAR_REQUIRE_BROWSER is set, and this {lacking}")
        pytest.skip(lacking)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


class Tab:
    """A page, what went wrong in it, and every answer that it got."""

    def __init__(self, browser: Any, width: int = 1280, height: int = 800) -> None:
        self._context = browser.new_context(viewport={"width": width, "height": height})
        self.page = self._context.new_page()
        self.page.set_default_timeout(60_000)
        self.faults: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))

    def _hear(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.faults.append(message.text)

    def close(self) -> None:
        self._context.close()


class Served:
    """A game of people and agents, served at an address of its own."""

    def __init__(
        self, seats: Sequence[str], seed: int = 3, file: Path | None = None, **options: Any
    ) -> None:
        from nijar_env.play_web import Room

        game = Game(len(seats), seed=seed, **options)
        self.session = Session(Table(game, seats, hints="random"), file)
        self.room = Room(self.session)
        self.address = ""

    @property
    def table(self) -> Table:
        return self.session.table

    @contextmanager
    def running(self) -> Iterator[Served]:
        import uvicorn

        from nijar_env.play_web_app import allowed_hosts, make_app
        from nijar_env.play_web_server import LOOPBACK, listen

        sock = listen(LOOPBACK, 0)
        port = sock.getsockname()[1]
        self.address = f"http://{LOOPBACK}:{port}/{TOKEN}/"
        app = make_app(self.room, self.table.game.box, TOKEN, allowed_hosts(LOOPBACK, port))
        config = uvicorn.Config(app, log_level="warning", lifespan="off", ws="none")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]})
        self.room.start()
        thread.start()
        try:
            yield self
        finally:
            self.room.stop()
            server.should_exit = True
            thread.join()
            sock.close()
