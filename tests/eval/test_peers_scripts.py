"""The loops that `python -m eval.peers` times, and how it talks with them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from eval.peers.scripts import loop
from eval.peers.scripts.loop import OBSERVE, Play, survey, timed
from eval.peers.talk import ROOT, PeerError, Script

# Answers like a script: game "fails" is an error, "ends" ends it, "hangs" says nothing.
FAKE = """
import json, sys
print(json.dumps({"versions": {"fake": "1.0"}}), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    if request["game"] == "ends":
        sys.exit("out of memory")
    if request["game"] == "hangs":
        continue
    if request["game"] == "babbles":
        print("hello", flush=True)
        continue
    answer = {"error": "ValueError: no such game"} if request["game"] == "fails" else request
    print(json.dumps(answer), flush=True)
"""


# --- the loops ------------------------------------------------------------------------------------


class Coins(Play):
    """Games of three decisions, the last of them forced."""

    def play(self, count: int) -> None:
        for _ in range(count):
            at = self.decisions % 3
            if self.widths is not None:
                self.widths.append(1 if at == 2 else 2)
            self.decisions += 1
            self.chance += at == 0
            self.games += at == 2


def test_a_survey_counts_whole_games_and_forced_decisions() -> None:
    coins = Coins(actions=2)
    coins.play(1)
    found = survey(coins)
    assert found["decisions_a_game"] == pytest.approx(3, rel=0.05)
    assert found["forced"] == pytest.approx(1 / 3, abs=0.02)
    assert found["chance_a_decision"] == pytest.approx(1 / 3, abs=0.02)
    assert (found["actions"], found["unit"]) == (2, "decisions")


def test_timing_counts_what_was_played_meanwhile() -> None:
    coins = Coins()
    coins.play(3)
    found = timed(coins, 0.0)
    assert (found["decisions"], found["games"]) == (32, 10 + (found["decisions"] % 3 == 0))
    assert found["seconds"] > 0


def test_a_batch_with_few_finished_games_says_nothing_of_their_length() -> None:
    coins = Coins()
    coins.lanes = 10**9
    coins.play = lambda count: setattr(coins, "decisions", coins.decisions + 1)  # type: ignore[method-assign]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loop, "_SURVEY_S", 0.0)
        assert "decisions_a_game" not in survey(coins)


def test_our_script_prints_one_line_of_json() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "eval.peers.scripts.ours", "env()", "observe", "--seconds", "0"],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert run.returncode == 0, run.stderr
    (line,) = run.stdout.splitlines()
    found = json.loads(line)
    assert found["decisions"] >= 32
    assert found["observation"] > 1000 and found["forced"] == 0.0


def test_our_loops_play_games_to_their_ends() -> None:
    from eval.peers.scripts import ours

    for name in ("Game, 2 players", "raw_env()", "GameBatch, 64"):
        play = ours.GAMES[name](OBSERVE)
        play.widths = []
        while play.games < play.lanes:
            play.play(200)
        assert play.decisions / play.games > 50
        assert min(play.widths) >= 2  # forced decisions are the engine's


# --- the protocol ---------------------------------------------------------------------------------


@pytest.fixture
def fake(tmp_path: Path) -> Any:
    path = tmp_path / "fake.py"
    path.write_text(FAKE, encoding="utf-8")
    script = Script([sys.executable, str(path)], 300.0)
    yield script
    script.close()


def test_a_script_answers_line_by_line(fake: Script) -> None:
    assert fake.versions == {"fake": "1.0"}
    assert fake.ask(game="chess", seconds=1) == {"game": "chess", "seconds": 1}
    with pytest.raises(PeerError, match="no such game"):
        fake.ask(game="fails")
    assert fake.ask(game="go") == {"game": "go"}  # it goes on


def test_a_script_that_ends_says_why(fake: Script) -> None:
    with pytest.raises(PeerError, match="ended: out of memory"):
        fake.ask(game="ends")
    assert not fake.alive


def test_a_script_that_hangs_is_ended(fake: Script) -> None:
    fake._patience = 0.2
    with pytest.raises(PeerError, match="did not answer within"):
        fake.ask(game="hangs")
    assert not fake.alive


def test_a_script_that_babbles_is_reported(fake: Script) -> None:
    with pytest.raises(PeerError, match="no JSON object: 'hello'"):
        fake.ask(game="babbles")


def test_a_script_that_does_not_start(tmp_path: Path) -> None:
    with pytest.raises(PeerError, match="does not start"):
        Script([str(tmp_path / "nothing")], 5.0)
    with pytest.raises(PeerError, match=r"ended: .*No module named"):
        Script([sys.executable, "-m", "eval.peers.scripts.nothing"], 300.0)
