"""`nijar play --web` without a browser: what it tells, what it refuses, how it ends."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from nijar_env import Game
from nijar_env.play_session import Session
from nijar_env.play_table import Table
from nijar_env.replay import PERSON, read_replay, write_replay
from nijar_env.replay_html import replay_page

from .test_replay import changed, nijar, played

pytest.importorskip("starlette", reason="needs the extra `web`")
pytest.importorskip("httpx2", reason="needs httpx2")

from starlette.testclient import TestClient

from nijar_env.play_web import Room
from nijar_env.play_web_app import MOST_BYTES, allowed_hosts, make_app

ROOT = Path(__file__).resolve().parents[1]
HOST = "127.0.0.1:8123"
ORIGIN = f"http://{HOST}"
TOKEN = "token"
# Seconds. What hangs fails, what is slow does not.
PATIENCE = 600
SEED = 918_273_645  # found in no answer but by mistake


class Page:
    """Asks what the page asks."""

    def __init__(self, session: Session, **options: Any) -> None:
        self.session = session
        self.room = Room(session, **options)
        app = make_app(self.room, session.table.game.box, TOKEN, allowed_hosts("127.0.0.1", 8123))
        self.client = TestClient(app, base_url=f"{ORIGIN}/{TOKEN}/", headers={"Origin": ORIGIN})

    @property
    def table(self) -> Table:
        return self.session.table

    def state(self, after: int | str = "") -> dict[str, Any]:
        answer = self.client.get(f"state?after={after}")
        assert answer.status_code == 200
        state: dict[str, Any] = answer.json()
        return state

    def ask(self, path: str, version: int | None = None, **values: Any) -> Any:
        version = self.state()["version"] if version is None else version
        return self.client.post(path, json={"version": version, **values})

    def choose(self, rng: random.Random) -> None:
        state = self.state()
        if state["mode"] == "cover":
            assert self.ask("sit").status_code == 200
            state = self.state()
        action = rng.choice(state["choices"])["action"]
        assert self.ask("choose", action=action).status_code == 200


def page(*seats: str, file: Path | None = None, hints: str = "random", **options: Any) -> Page:
    table = Table(Game(len(seats), seed=SEED), seats, hints=hints)
    return Page(Session(table, file, "nijar play --web --resume"), **options)


# -- what is told


def test_a_whole_game_tells_each_person_what_that_person_may_know() -> None:
    here, rng = page(PERSON, PERSON), random.Random(1)
    table = here.table
    seen = {0: 0, 1: 0}
    while not table.game.done:
        seat = table.person
        state = here.state()
        if state["mode"] == "cover":
            assert set(state) == {
                *("version", "fault", "mode", "who", "person", "seats", "file", "any_file")
            }
            assert state["person"] == seat
            assert here.ask("choose", action="keep").status_code == 409
            assert here.ask("hint").status_code == 409 and here.ask("undo").status_code == 409
            assert here.ask("sit").status_code == 200
            state = here.state()
        assert state["mode"] == "choose" and state["person"] == seat
        assert state["svg"] == table.game.to_svg(seat)
        assert state["log"] == table.game.log_for(seat)
        assert [choice["action"] for choice in state["choices"]] == [
            table.game.action_name(action) for action in table.game.legal_actions()
        ]
        assert str(SEED) not in json.dumps(state)
        seen[seat] += 1
        here.choose(rng)
    assert min(seen.values()) > 20
    state = here.state()
    assert state["mode"] == "over" and not state["choices"]
    assert state["svg"] == table.game.to_svg(None)  # what everybody sees
    assert [seat["vp"] for seat in state["seats"]] == table.game.scores()
    assert [seat["wins"] for seat in state["seats"]].index(True) == table.game.winner


def test_news_are_what_has_happened_since_the_last_choice() -> None:
    here, rng = page(PERSON, "random"), random.Random(2)
    for _ in range(25):
        while here.table.person is None:
            here.table.let_agent_choose()
        before = len(here.table.game.log_for(0))
        here.choose(rng)
        state = here.state()
        assert state["news"] == before == here.state()["news"]
    assert here.table.game.log_for(0)[before:]


def test_what_is_known_is_not_told_again() -> None:
    here = page(PERSON)
    full = here.state()
    assert set(here.state(full["version"])) == {"version", "fault"}
    assert here.state("nonsense") == here.state(full["version"] + 1) == full


def test_a_version_that_is_none_is_told_all() -> None:
    here = page(PERSON)
    for after in ("9" * 5000, "-1", "1_0", "٣"):
        assert "svg" in here.state(after)


def test_the_page_and_its_parts() -> None:
    here = page(PERSON)
    for path, kind in (("", "html"), ("page.css", "css"), ("page.js", "javascript")):
        answer = here.client.get(path)
        assert answer.status_code == 200 and kind in answer.headers["content-type"]
        assert answer.headers["cache-control"] == "no-store"
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert not re.search(r"https?://(?!127\.0\.0\.1)", answer.text)
    assert here.client.get("page.py").status_code == 404


def test_the_replay_is_told_when_the_game_is_over() -> None:
    here, rng = page(PERSON), random.Random(3)
    assert here.client.get("replay").status_code == 409
    while not here.table.game.done:
        here.choose(rng)
    assert here.client.get("replay").text == replay_page(here.table.replay())


# -- who may ask


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "localhost:8123", "Origin": "http://localhost:8123"}, 200),
        ({"Host": "evil.example:8123", "Origin": "http://evil.example:8123"}, 403),
        ({"Host": "127.0.0.1:8124", "Origin": "http://127.0.0.1:8124"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "https://127.0.0.1:8123"}, 403),
        ({"Origin": "null"}, 403),
        ({"Content-Type": "text/plain"}, 403),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 403),
    ],
)
def test_only_the_page_itself_may_play(headers: dict[str, str], status: int) -> None:
    here = page(PERSON)
    action = here.state()["choices"][0]["action"]
    body = json.dumps({"version": 0, "action": action})
    headers = {"Content-Type": "application/json", **headers}
    answer = here.client.post("choose", content=body, headers=headers)
    assert answer.status_code == status
    assert len(here.table.actions) == (status == 200)


def test_a_request_without_origin_may_look_but_not_play() -> None:
    here = page(PERSON)
    del here.client.headers["Origin"]
    assert here.client.get("state").status_code == 200
    assert here.ask("choose", action=here.state()["choices"][0]["action"]).status_code == 403
    here.client.headers["Host"] = "evil.example"
    assert here.client.get("state").status_code == 403


@pytest.mark.parametrize("path", ["", "state", "page.js", "replay", "choose", "hint", "save"])
def test_without_the_token_nothing_is_told(path: str) -> None:
    here = page(PERSON)
    get = path in ("", "state", "page.js", "replay")
    for token in ("", "tokem", "token2", "tökén"):
        address = f"{ORIGIN}/{token}/{path}"
        body = {"version": 0, "action": "keep", "file": "x.json"}
        answer = here.client.get(address) if get else here.client.post(address, json=body)
        assert answer.status_code == 404
        assert "Níjar" not in answer.text


def test_hosts_by_where_it_listens() -> None:
    loopback = {"127.0.0.1:80", "localhost:80", "[::1]:80", "127.0.0.1", "localhost", "[::1]"}
    assert allowed_hosts("127.0.0.1", 80) == loopback
    assert allowed_hosts("localhost", 9) == {"127.0.0.1:9", "localhost:9", "[::1]:9"}
    assert allowed_hosts("Table.local", 9) == {"table.local:9"}
    assert allowed_hosts("fd00::1", 9) == {"[fd00::1]:9"}
    assert allowed_hosts("0.0.0.0", 9) is allowed_hosts("::", 9) is None


# -- what is refused


def test_nothing_is_played_twice() -> None:
    here = page(PERSON)
    action = here.state()["choices"][0]["action"]
    answers = [here.ask("choose", version=0, action=action).status_code for _ in range(3)]
    assert answers == [200, 409, 409]
    assert len(here.table.actions) == 1
    for path in ("undo", "hint", "sit"):
        assert here.ask(path, version=0).status_code == 409


def test_a_choice_that_was_taken_back_does_not_come_again() -> None:
    here, rng = page(PERSON), random.Random(4)
    while not here.table.can_undo:
        here.choose(rng)
    state, count = here.state(), len(here.table.actions)
    assert state["can_undo"]
    assert here.ask("undo").status_code == 200
    assert len(here.table.actions) == count - 1
    # The same decision, but a page from before the choice knows an older version.
    late = here.ask("choose", version=state["version"] - 1, action="keep")
    assert late.status_code == 409 and len(here.table.actions) == count - 1
    while here.table.can_undo:
        here.table.undo()
    refused = here.ask("undo")
    assert refused.status_code == 400 and "nothing to take back" in refused.json()["error"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"\xff{}", 400),
        (b"[]", 400),
        (b'{"version": "0"}', 400),
        (b'{"version": 0, "action": "no such thing"}', 400),
        (b'{"version": 0, "action": "close"}', 400),
        (b'{"version": 0}' + b" " * MOST_BYTES, 413),
    ],
)
def test_bad_requests_change_nothing(body: bytes, status: int) -> None:
    here = page(PERSON)
    answer = here.client.post("choose", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == status and answer.json()["error"].count("\n") == 0
    assert here.state()["version"] == 0 and not here.table.actions
    assert here.client.get("choose").status_code == 405


# -- hints, saving


def test_a_hint_names_a_choice() -> None:
    here = page(PERSON, hints="greedy")
    told = here.ask("hint").json()
    assert told["action"] in [choice["action"] for choice in here.state()["choices"]]
    assert told["lines"][0].startswith("greedy would: ")
    assert here.state()["version"] == 0


def test_saving(tmp_path: Path) -> None:
    here, file = page(PERSON), tmp_path / "game.json"
    assert "name a file" in here.ask("save").json()["error"]
    assert here.ask("save", file=str(file)).json() == {"file": str(file)}
    here.choose(random.Random(5))
    assert read_replay(file).actions == tuple(here.table.actions)
    assert here.state()["file"] == str(file)
    wrong = here.ask("save", file=str(tmp_path / "none" / "x.json"))
    assert wrong.status_code == 400 and "cannot be written" in wrong.json()["error"]
    assert here.state()["file"] == str(file)  # it stays where it was
    here.choose(random.Random(5))
    assert read_replay(file).actions == tuple(here.table.actions)


@pytest.mark.parametrize("name", ["{}/mine.txt", "{}", "~nobody-of-that-name/x.json", "a\0b", "/"])
def test_what_is_no_new_file_is_refused(name: str, tmp_path: Path) -> None:
    here, mine = page(PERSON), tmp_path / "mine.txt"
    mine.write_text("mine")
    answer = here.ask("save", file=name.format(tmp_path))
    assert answer.status_code == 400 and "\n" not in answer.json()["error"]
    assert mine.read_text() == "mine" and here.state()["file"] is None


def test_a_file_that_can_no_longer_be_written_is_told(tmp_path: Path) -> None:
    here = page(PERSON, file=tmp_path / "none" / "game.json")
    here.choose(random.Random(5))
    assert "cannot be written" in here.state()["fault"]
    assert here.state()["mode"] == "choose"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_file_whose_name_is_no_text(tmp_path: Path) -> None:
    here = page(PERSON, file=Path(os.fsdecode(os.fsencode(tmp_path) + b"/none/\xff.json")))
    assert here.state()["file"].endswith(r"\udcff.json")
    here.choose(random.Random(5))
    assert r"\udcff.json cannot be written" in here.state()["fault"]


def test_agents_go_on_where_the_file_can_no_longer_be_written(tmp_path: Path) -> None:
    with agents_turn() as (here, slow):
        here.session.file = tmp_path / "none" / "game.json"
        slow.go.set()
        state = wait_for(here, "choose")
        assert "cannot be written" in state["fault"] and state["file"] is None


def test_where_others_reach_the_server_the_page_names_no_file(tmp_path: Path) -> None:
    here, file = page(PERSON, any_file=False, file=tmp_path / "game.json"), tmp_path / "x.json"
    assert "only --save FILE" in here.ask("save", file=str(file)).json()["error"]
    assert not file.exists()
    assert here.ask("save").json() == {"file": str(tmp_path / "game.json")}


# -- agents


class Slow:
    """An agent that waits to be told to choose."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.go = threading.Event()
        self.fail = False

    def choose(self, game: Game) -> tuple[int, None]:
        self.asked.set()
        assert self.go.wait(PATIENCE)
        if self.fail:
            raise RuntimeError("no idea")
        return game.legal_actions()[0], None


@contextmanager
def agents_turn() -> Iterator[tuple[Page, Slow]]:
    """A page whose agent has been asked and thinks."""
    here, slow, rng = page(PERSON, "random"), Slow(), random.Random(6)
    while here.table.person is not None:
        here.choose(rng)
    here.table._players[1] = slow  # type: ignore[assignment]
    here.room.start()
    assert slow.asked.wait(PATIENCE)
    try:
        yield here, slow
    finally:
        here.room.stop()
        slow.go.set()
        here.room._thread.join(PATIENCE)


def wait_for(here: Page, mode: str) -> dict[str, Any]:
    for _ in range(10 * PATIENCE):
        state = here.state()
        if state["mode"] == mode:
            return state
        threading.Event().wait(0.1)
    raise AssertionError(f"not {mode}: {here.state()['mode']}")


def test_while_an_agent_thinks_the_page_is_told_so() -> None:
    with agents_turn() as (here, slow):
        state, count = here.state(), len(here.table.actions)
        assert state["mode"] == "thinking" and state["who"] == "player 1 (random)"
        assert state["seconds"] >= 0 and not state["choices"] and not state["can_undo"]
        assert state["svg"] == here.table.game.to_svg(0)
        assert "seconds" in here.state(state["version"])
        for path in ("choose", "undo", "hint", "sit"):
            assert here.ask(path, action="keep").status_code == 409
        assert len(here.table.actions) == count
        slow.go.set()
        state = wait_for(here, "choose")
        assert state["news"] < len(state["log"]) and len(here.table.actions) > count


def test_an_agent_that_fails_is_told() -> None:
    with agents_turn() as (here, slow):
        slow.fail = True
        slow.go.set()
        assert wait_for(here, "stuck")["fault"] == "player 1 (random) cannot choose: no idea"


def test_a_choice_that_comes_after_the_end_is_given_up() -> None:
    with agents_turn() as (here, slow):
        count = len(here.table.actions)
        here.room.stop()
        slow.go.set()
        here.room._thread.join(PATIENCE)
        assert len(here.table.actions) == count


# -- the command


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--port", "8000"], "belong to --web"),
        (["--host", "127.0.0.1"], "belong to --web"),
        (["--web", "--port", "70000"], "cannot listen at 127.0.0.1, port 70000"),
        (["--web", "--host", "no.such.host.invalid"], "cannot listen at no.such.host.invalid"),
        (["--web", "random", "random"], "nobody is a person here"),
        (["--web", "--resume", "nowhere.json"], "cannot be read"),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], words: str) -> None:
    result = nijar("play", "--no-browser", *arguments)
    assert result.exit_code == 1 and words in result.output
    assert result.output.count("\n") == 1


def test_a_port_in_use_is_told() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        result = nijar("play", "--web", "--port", str(taken.getsockname()[1]))
    assert result.exit_code == 1 and "cannot listen at 127.0.0.1" in result.output


def test_without_the_extra_a_line_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    monkeypatch.delitem(sys.modules, "nijar_env.play_web_server", raising=False)
    result = nijar("play", "--web")
    assert result.exit_code == 1 and "pip install 'nijar-env[web]'" in result.output
    assert result.output.count("\n") == 1


def test_a_finished_game_that_is_resumed_shows_its_end(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    write_replay(played(), file)
    replay = read_replay(changed(file, agents=[PERSON, "random"]))
    table = Table.of_replay(replay, Game(2).box, "random")
    state = Page(Session(table, file)).state()
    assert state["mode"] == "over" and state["end"][0].startswith("saved: nijar replay ")


@pytest.mark.skipif(sys.platform == "win32", reason="sends Ctrl-C as a signal")
@pytest.mark.parametrize("saved", [True, False])
def test_it_is_served_until_ctrl_c(saved: bool, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    command = [sys.executable, "-m", "nijar_env.cli", "play", PERSON, "random", "--web"]
    command += ["--no-browser", "--seed", "3", *(["--save", str(file)] if saved else [])]
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        text=True,
    )
    assert process.stdout is not None
    try:
        lines = iter(process.stdout.readline, "")
        found = next(filter(None, (re.search(r"http://127\S+", line) for line in lines)))
        address = found[0]
        with urllib.request.urlopen(address) as answer:
            assert b"page.js" in answer.read()
        with urllib.request.urlopen(f"{address}state") as answer:
            state = json.load(answer)
        while state["mode"] != "choose":
            with urllib.request.urlopen(f"{address}state") as answer:
                state = json.load(answer)
        body = {"version": state["version"], "action": state["choices"][0]["action"]}
        headers = {"Content-Type": "application/json", "Origin": address.rsplit("/", 2)[0]}
        request = urllib.request.Request(f"{address}choose", json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request) as answer:
            assert answer.status == 200
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate("" if saved else f"{file}\n", timeout=PATIENCE)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 0, rest
    assert f"saved: nijar play --web --resume {file} goes on" in rest and "Traceback" not in rest
    assert read_replay(file).agents == (PERSON, "random") and len(read_replay(file).actions) >= 1
