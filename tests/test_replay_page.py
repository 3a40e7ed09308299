"""The page of a replay: what it holds, and that its script shows what the game looked like."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import nijar_env
from nijar_env import Game
from nijar_env.replay import Replay, iterate_replay, read_replay, write_replay
from nijar_env.replay_html import FACE_DOWN, PICTURE, TEXT, board_of, replay_page

from .test_replay import nijar, played

NODE = shutil.which("node")
SCRIPT = Path(nijar_env.__file__).parent / "replay_page" / "page.js"
MOST_BYTES = 2_000_000


def data_of(page: str) -> dict[str, Any]:
    found = re.findall(r'<script type="application/json" id="replay">(.*?)</script>', page, re.S)
    assert len(found) == 1
    data: dict[str, Any] = json.loads(found[0])
    return data


def rebuilt(data: dict[str, Any]) -> list[str]:
    """The boards, as the script puts them together."""
    boards, before = [], []
    for hunks in data["frames"]:
        now, at = [], 0
        for start, removed, added in hunks:
            now += [*before[at:start], *added]
            at = start + removed
        before = now + before[at:]
        boards.append("".join(data["pieces"][k] for k in before))
    return boards


@pytest.fixture(scope="module")
def replay() -> Replay:
    return played(1, difficulty="advanced")


@pytest.fixture(scope="module")
def page(replay: Replay) -> str:
    return replay_page(replay)


def test_it_stands_for_itself_and_is_small(page: str) -> None:
    assert len(page.encode()) < MOST_BYTES
    assert "default-src 'none'" in page
    # Names of vocabularies are the only addresses; nothing is fetched.
    addresses = set(re.findall(r"https?://[^\"'\s\\]+", page))
    assert addresses <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert not re.search(r"<(?:link|img|iframe)\b|@import|\burl\(|\bfetch\(", page)


@pytest.mark.parametrize("form", [PICTURE, TEXT])
def test_each_decision_has_its_board(replay: Replay, form: str) -> None:
    boards = rebuilt(data_of(replay_page(replay, form=form)))
    assert len(boards) == len(replay.actions) + 1
    for step, board in zip(iterate_replay(replay), boards, strict=True):
        if step.number % 40 == 0 or step.action is None:
            assert board == board_of(step.game, form)


def test_steps_log_and_notes_are_the_games(replay: Replay, page: str) -> None:
    data = data_of(page)
    for step, shown in zip(iterate_replay(replay), data["steps"], strict=True):
        game = step.game
        assert (shown["round"], shown["player"]) == (game.round, game.current_player)
        assert shown["vp"] == game.scores() and shown["lines"] == len(game.log)
        assert data["log"][: shown["lines"]] == game.log
        if step.action is not None:
            assert shown["action"] == game.action_name(step.action)
    assert shown["action"] is None and data["winner"] == replay.winner
    assert set(data["notes"]) == {"3", "5"}
    note = data["notes"]["3"]
    assert note["left_out"] == 3 and note["choices"][0][1:4] == [1.23, 10, 0.5]
    assert len(data["seats"]) == len(data["colours"]) == 2


def test_text_in_a_replay_cannot_end_the_script() -> None:
    game = Game(2, seed=1, log=False)
    from nijar_env.replay import make_replay

    page = replay_page(make_replay(game, [], ["</script><b>&", "$TITLE"]), form=TEXT)
    assert page.count("</script>") == 2 and "<b>" not in page
    assert "player 0 (</script><b>&)" in data_of(page)["seats"]


def test_the_command_writes_it(tmp_path: Path) -> None:
    replay = played(decisions=10)
    write_replay(replay, tmp_path / "game.json")
    result = nijar("replay", tmp_path / "game.json", "--html", tmp_path / "game.html")
    assert result.exit_code == 0 and "written:" in result.output
    assert (tmp_path / "game.html").read_text(encoding="utf-8") == replay_page(replay)
    again = nijar("replay", tmp_path / "game.json", "--html", tmp_path / "game.html")
    assert again.exit_code == 0
    for mine in (tmp_path / "game.json", tmp_path):  # the replay itself, by mistake
        wrong = nijar("replay", tmp_path / "game.json", "--html", mine)
        assert wrong.exit_code == 1 and "is there already" in wrong.output
    assert read_replay(tmp_path / "game.json") == replay
    wrong = nijar("replay", tmp_path / "game.json", "--html", tmp_path / "none" / "x.html")
    assert wrong.exit_code == 1 and "cannot be written" in wrong.output


def test_a_players_page_has_nothing_that_the_player_did_not_know() -> None:
    replay = played(2, seed=9)
    data = data_of(replay_page(replay, viewer=1))
    *_, last = iterate_replay(replay)
    assert data["log"] == last.game.log_for(1)
    assert str(replay.seed) not in data["facts"].split()
    others, blocks = 0, set()
    for step, board, shown in zip(
        iterate_replay(replay), rebuilt(data), data["steps"], strict=True
    ):
        if step.number % 40 == 0:
            assert board == step.game.to_svg(1)
        if step.action is not None and shown["player"] != 1:
            name = step.game.action_name(step.action)
            block = name.partition(":")[0]
            hidden = block in ("score", "discard")
            assert shown["action"].startswith(f"{block} (") if hidden else shown["action"] == name
            assert (shown["words"] in FACE_DOWN.values()) == hidden
            blocks.add(block)
            assert str(step.number) not in data["notes"]
            others += 1
    assert others > 20 and blocks >= {"score", "discard"}


@pytest.mark.skipif(NODE is None, reason="needs node")
def test_the_script_puts_frames_together_and_finds_turns(page: str, tmp_path: Path) -> None:
    data = data_of(page)
    assert NODE is not None
    (tmp_path / "data.json").write_text(json.dumps(data), encoding="utf-8")
    program = f"""
        const {{ rebuild, target }} = require({json.dumps(str(SCRIPT))});
        const data = require({json.dumps(str(tmp_path / "data.json"))});
        const boards = rebuild(data.frames).map((f) => f.map((k) => data.pieces[k]).join(""));
        const walk = (go, from) => {{
          const places = [from];
          for (let k = target(go, from, data.steps); k !== places.at(-1);
               k = target(go, k, data.steps)) places.push(k);
          return places;
        }};
        const last = data.steps.length - 1;
        console.log(JSON.stringify({{
          boards, turns: walk("+turn", 0), back: walk("-turn", last), rounds: walk("+round", 0),
          steps: walk("+step", 0), first: target("first", 7, data.steps),
        }}));
    """
    done = subprocess.run([NODE, "-e", program], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    assert found["boards"] == rebuilt(data)
    last = len(data["steps"]) - 1
    assert found["steps"] == list(range(last + 1)) and found["first"] == 0
    for name, key in (("turns", "turn"), ("rounds", "round")):
        values = [step[key] for step in data["steps"]]
        begins = [k for k in range(1, last + 1) if values[k] != values[k - 1]]
        assert found[name] == sorted({0, *begins, last})
    assert found["back"] == found["turns"][::-1]
