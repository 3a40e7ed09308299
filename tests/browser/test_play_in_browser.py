"""`nijar play --web` in a browser: clicks, keys, taking back, hints, several people."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from nijar_env.replay import PERSON, read_replay

from .browsing import Served, Tab

OpenTab = Callable[..., Tab]


class Player:
    """Somebody at the page."""

    def __init__(self, tab: Tab, served: Served) -> None:
        self.tab = tab
        self.page = tab.page
        self.served = served
        self.page.goto(served.address)
        self.ready()

    def ready(self) -> str:
        """Wait until somebody may choose, or the game is over; returns which."""
        self.page.wait_for_selector(
            "body[data-mode=choose], body[data-mode=cover], body[data-mode=over]"
        )
        return str(self.page.get_attribute("body", "data-mode"))

    @property
    def version(self) -> str:
        return str(self.page.get_attribute("body", "data-version"))

    def changed(self, version: str) -> None:
        """Wait until the page shows another moment than that."""
        self.page.wait_for_selector(f'body:not([data-version="{version}"])')
        self.ready()

    def act(self, deed: Callable[[], Any]) -> None:
        version = self.version
        deed()
        self.changed(version)

    def choices(self) -> list[str]:
        """Names of the choices in the list."""
        buttons = self.page.query_selector_all("#choices button")
        return [str(button.get_attribute("data-action")) for button in buttons]

    def click_list(self, action: str) -> None:
        self.page.click(f'#choices button[data-action="{action}"]')

    def click_board(self, action: str) -> bool:
        """Click what stands for the choice on the board, and in the menu if it stands for several;
        returns whether there was a menu."""
        element = self.page.locator(f'#board [data-actions~="{action}"]').first
        several = " " in str(element.get_attribute("data-actions"))
        box = element.locator(":scope > :last-child")  # its frame
        box.click()
        if several:
            self.page.click(f'#menu button[data-action="{action}"]')
        return several


def test_a_whole_solo_game_by_clicking(open_tab: OpenTab, tmp_path: Path) -> None:
    file, rng = tmp_path / "game.json", random.Random(2)
    ways = {"board": 0, "menu": 0, "list": 0, "keys": 0}
    with Served([PERSON], seed=2, file=file).running() as served:
        player = Player(open_tab(), served)
        game = served.table.game
        while player.ready() != "over":
            names = player.choices()
            game = served.table.game
            assert names == [game.action_name(action) for action in game.legal_actions()]
            action = rng.choice(names)
            on_board = player.page.query_selector(f'#board [data-actions~="{action}"]') is not None
            way = rng.choice(["board", "board", "list", "keys"] if on_board else ["list", "keys"])
            count = len(served.table.actions)

            def deed(way: str = way, action: str = action, names: list[str] = names) -> None:
                if way == "board":
                    ways["menu"] += player.click_board(action)
                elif way == "list":
                    player.click_list(action)
                else:
                    number = str(names.index(action) + 1)
                    player.page.keyboard.type(number)
                    if int(number) * 10 <= len(names):  # more digits could follow
                        player.page.keyboard.press("Enter")

            player.act(deed)
            ways[way] += 1
            assert game.action_name(served.table.actions[count]) == action
            assert len(served.table.actions) == count + 1
        page, game = player.page, served.table.game
        replay = read_replay(file)
        rows = page.query_selector_all("#seats tr")
        for seat, (row, vp) in enumerate(zip(rows, replay.scores, strict=True)):
            words = row.inner_text()
            assert f"{vp} VP" in words and ("wins" in words) == (seat == replay.winner)
        assert (
            replay.actions == tuple(served.table.actions) and list(replay.scores) == game.scores()
        )
        assert "The game is over" in page.text_content("#board svg")
        assert str(file) in page.inner_text("#end")
        with page.expect_popup() as opened:
            page.click("#replay")
        opened.value.wait_for_selector('#now:has-text("0 of ")')
        assert not player.tab.faults
        assert all(url.startswith(served.address) for url in player.tab.requests)
    assert min(ways["board"], ways["list"], ways["keys"]) > 10, ways


def test_two_people_at_one_screen(open_tab: OpenTab) -> None:
    """What the browser gets while one sits there has nothing that only the other may know."""
    seed, rng = 918_273_645, random.Random(3)
    answers: list[Any] = []
    told: dict[int, str] = {0: "", 1: ""}
    with Served([PERSON, PERSON], seed=seed).running() as served:
        tab = open_tab()
        tab.page.on("requestfinished", lambda request: answers.append(request))
        player = Player(tab, served)
        covers, handed_over = 0, 0
        seat = None

        def read() -> str:
            texts = [request.response().text() for request in answers]
            answers.clear()
            return "".join(texts)

        while len(served.table.actions) < 45:
            table = served.table
            if player.ready() == "cover":
                assert f"player {table.person}'s choice" in player.page.inner_text("#cover")
                for part in ("#board", "#choices", "#news", "#log", "#told", "#where"):
                    assert player.page.inner_html(part) == ""
                if seat is not None:  # up to here it is for the eyes of the one who sat there
                    told[seat] += read()
                    handed_over += 1
                player.page.keyboard.press("1")  # nothing is chosen from behind the cover
                seat = table.person
                covers += 1
                player.act(lambda: player.page.click("#sit"))
                continue
            assert seat == table.person
            assert f"as P{seat} sees it" in player.page.text_content("#board svg")
            action = rng.choice(player.choices())
            player.act(lambda action=action: player.click_list(action))
            if player.ready() == "choose":
                told[seat] += read()
            if player.ready() == "choose" and len(served.table.actions) % 9 == 0:
                player.page.reload()  # keeps who sits there
                player.ready()
        assert seat is not None
        told[seat] += read()
        game = served.table.game
        assert covers > 4 and handed_over > 3
        for seat, other in ((0, 1), (1, 0)):
            secret = set(game.log_for(other)) - set(game.log_for(seat))
            assert secret and not any(
                json.dumps(line.strip())[1:-1] in told[seat] for line in secret
            )
            assert f"Hand of P{seat}" in told[seat]
            assert f"Hand of P{other}" not in told[seat]
            assert str(seed) not in told[seat]
        assert not tab.faults


def test_a_double_click_chooses_once(open_tab: OpenTab) -> None:
    with Served([PERSON]).running() as served:
        player = Player(open_tab(), served)
        for count in range(1, 5):
            button = f'#choices button[data-action="{player.choices()[0]}"]'
            player.act(lambda button=button: player.page.dblclick(button))
            player.page.reload()
            player.ready()
            assert len(served.table.actions) == count
        assert not player.tab.faults


def test_the_second_click_may_come_when_the_next_choices_are_there(open_tab: OpenTab) -> None:
    """As on a machine that answers between the two clicks of a double click."""
    clicks = """async (second) => {
        const first = () => document.querySelector("#choices button");
        const version = document.body.dataset.version;
        first().click();
        while (document.body.dataset.version === version) await new Promise(requestAnimationFrame);
        first().dispatchEvent(new MouseEvent("click", { detail: second, bubbles: true }));
    }"""
    with Served([PERSON]).running() as served:
        player = Player(open_tab(), served)
        for second, chosen in ((2, 1), (1, 3)):
            player.page.evaluate(clicks, second)
            player.page.wait_for_function("() => !document.body.classList.contains('busy')")
            player.page.reload()
            player.ready()
            assert len(served.table.actions) == chosen
        assert not player.tab.faults


def test_a_key_held_down_chooses_once(open_tab: OpenTab) -> None:
    with Served([PERSON]).running() as served:
        player = Player(open_tab(), served)
        player.choices()
        player.act(lambda: player.page.keyboard.down("1"))
        player.ready()
        for _ in range(3):
            player.page.keyboard.down("1")  # repeats, as from a key that stays down
        player.page.wait_for_function("() => !document.body.classList.contains('busy')")
        player.page.reload()
        player.ready()
        assert len(served.table.actions) == 1
        assert not player.tab.faults


def test_a_page_that_is_behind_does_nothing_and_catches_up(open_tab: OpenTab) -> None:
    with Served([PERSON]).running() as served:
        behind, ahead = Player(open_tab(), served), Player(open_tab(), served)
        first = ahead.choices()[0]
        ahead.act(lambda: ahead.click_list(first))
        behind.act(lambda: behind.click_list(behind.choices()[-1]))  # refused: the page is renewed
        assert len(served.table.actions) == 1
        assert behind.version == ahead.version and behind.choices() == ahead.choices()
        # The browser itself tells of an answer that refuses.
        assert all("409" in fault for fault in behind.tab.faults)


def test_taking_back_and_hints(open_tab: OpenTab) -> None:
    rng = random.Random(5)
    with Served([PERSON]).running() as served:
        player = Player(open_tab(), served)
        page = player.page
        assert page.is_disabled("#undo")
        while not served.table.can_undo:
            action = rng.choice(player.choices())
            player.act(lambda action=action: player.click_list(action))
        count = len(served.table.actions)
        assert page.is_enabled("#undo")
        player.act(lambda: page.click("#undo"))
        assert len(served.table.actions) == count - 1
        assert player.choices() == [
            served.table.game.action_name(a) for a in served.table.game.legal_actions()
        ]
        page.click("#hint")
        page.wait_for_selector("#told:not([hidden])")
        assert page.inner_text("#told").startswith("random would: ")
        hinted = page.get_attribute("#choices .hinted", "data-action")
        assert hinted in player.choices()
        player.act(lambda: player.click_list(str(hinted)))
        assert page.is_hidden("#told")
        assert not player.tab.faults


def test_saving_and_a_server_that_is_gone(open_tab: OpenTab, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    with Served([PERSON, "random"]).running() as served:
        player = Player(open_tab(), served)
        page = player.page
        page.fill("#file", str(tmp_path / "none" / "game.json"))
        page.click("#save-button")
        page.wait_for_selector("#status.fault")
        assert "cannot be written" in page.inner_text("#status")
        page.fill("#file", str(file))  # digits typed there choose nothing
        page.press("#file", "Enter")
        page.wait_for_selector(f'#saved:has-text("{file}")')
        player.act(lambda: player.click_list(player.choices()[0]))
        assert read_replay(file).actions == tuple(served.table.actions)
        page.keyboard.press("b")
        assert page.inner_text("#fit") == "large board"
        page.keyboard.press("l")
        assert page.inner_text("#log li:first-child")
    count = len(served.table.actions)
    player.click_list(player.choices()[0])
    page.wait_for_selector("#lost:not([hidden])")
    assert f"--resume {file}" in page.inner_text("#lost")
    assert len(served.table.actions) == count
