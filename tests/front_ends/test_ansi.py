"""The text board: what stands on it, for whom, and what must not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from nijar_env import Game
from nijar_env.components.vocabulary import ENDGAME_KINDS
from nijar_env.core.constants import FRAME_KINDS, PHASES
from nijar_env.render_ansi import render_ansi
from nijar_env.render_words import FRAME_WORDS, PHASE_TASKS, WIDTH, frame_text
from nijar_env.scene_pending import ARGUMENTS
from tests.front_ends.playing import chooser, every_count
from tests.rules.scenes import at_home, edit, load, pending, play, scene, shut, stand


def played(players: int, seed: int = 1, difficulty: str = "normal") -> Iterator[Game]:
    """A random game at each of its decisions and at its end: one object that goes on. Nobody
    discards endgame cards, so that the end of the rounds asks for them."""
    game = Game(players, seed=seed, difficulty=difficulty, auto_forced=False, log=False)
    choose = chooser(seed)
    while not game.done:
        yield game
        mask = game.action_mask()
        for kind in ENDGAME_KINDS:
            mask[game.parse_action(f"discard:{kind}")] = 0
        game.step(choose(mask if mask.any() else game.action_mask()))
    yield game


def section(board: str, title: str) -> list[str]:
    """The lines under the heading that begins with `title`."""
    parts = re.split(r"^== (.*?) =*$", board, flags=re.M)
    for heading, body in zip(parts[1::2], parts[2::2], strict=True):
        if heading.startswith(title):
            lines: list[str] = body.strip("\n").split("\n")
            return lines
    raise AssertionError(f"no section {title!r} in\n{board}")


# --- shape ---------------------------------------------------------------------------------------


@every_count
def test_boards_are_plain_text_of_a_page_width_in_every_phase(players: int) -> None:
    phases = set()
    for game in played(players):
        phases.add(game.phase)
        before = game.record.tobytes()
        for viewer in (None, *range(players)):
            board = game.render(viewer)
            assert board.isascii()
            assert max(map(len, board.split("\n"))) <= WIDTH
            whose = "everything" if viewer is None else f"as P{viewer} sees it"
            assert whose in board.split("\n")[0]
        assert game.record.tobytes() == before
    assert phases >= set(PHASES) - ({"market"} if players == 1 else set())


def test_colours_only_when_asked_for() -> None:
    game = Game(1, seed=1)
    coloured = render_ansi(game, 0, color=True)
    assert re.sub(r"\x1b\[\d+m", "", coloured) == render_ansi(game, 0)
    assert coloured.count("\x1b[") > 20


@pytest.mark.parametrize("viewer", [-1, 2, "0"])
def test_viewers_are_players(viewer: Any) -> None:
    with pytest.raises(ValueError, match="player must be 0 to 1"):
        render_ansi(Game(2, seed=1), viewer)


def test_words_for_every_frame_and_phase() -> None:
    assert tuple(FRAME_WORDS) == FRAME_KINDS
    assert {*PHASE_TASKS, "finished"} == set(PHASES)
    for kind, arguments in ARGUMENTS.items():
        frame: dict[str, Any] = {name: None for name, *_ in arguments}
        text = frame_text({"kind": kind, "player": 0, **frame})
        assert text and "None" not in text and "{" not in text


# --- who sees what -------------------------------------------------------------------------------


@every_count
def test_a_viewer_cannot_tell_games_apart_that_look_the_same(players: int) -> None:
    """The board is the same for every game that agrees with what the viewer knows."""
    for number, game in enumerate(played(players, seed=2)):
        if number % 5 == 0 and not game.done:
            for viewer in range(players):
                other = game.determinize(viewer, seed=number)
                assert other.render(viewer) == game.render(viewer)


@pytest.mark.parametrize("difficulty", ["normal", "advanced", "expert"])
def test_the_competitions_cards(difficulty: str) -> None:
    """§12.10: the top revealed card, all of them in Expert; the back of the next (ruling P21)."""
    seen = 0
    for game in played(1, seed=3, difficulty=difficulty):
        revealed = game.to_dict()["competition"]["revealed"]
        lines = [line for line in section(game.render(0), "Comp,") if line.startswith("cards")]
        if revealed:
            shown = revealed if difficulty == "expert" else revealed[-1:]
            assert lines[0].endswith(f"top last: {' '.join(map(str, shown))}")
            seen += len(revealed) > 1
        else:
            assert not lines
        other = game.determinize(0, seed=5) if not game.done else game
        assert other.render(0) == game.render(0)
    assert seen


def test_hands_are_the_viewers_alone() -> None:
    """Cards that everybody saw are shown, dealt ones by their deck, endgame cards by number."""
    s = edit(scene(2), 1, hand=["W01", "Y01", "G01"])
    edit(s, 1, endgame_hand=["jug", "pot"], endgame_played=["cleanup"])
    s["players"][1]["hand_dealt"] = ["W01", "G01"]
    game = load(s)
    hand = "hand        Y01  1 unseen of deck 0  1 unseen of deck 2"
    rival = section(game.render(0), "P1")
    assert hand in rival
    assert "endgame     hand: 2  played: 1  discarded: 0" in rival
    assert "W01" not in game.render(0)
    own = section(game.render(1), "P1 (you)")
    assert "hand        G01  W01  Y01" in own
    assert "endgame     hand: jug pot  played: cleanup  discarded: 0" in own
    assert section(game.render(1), "hand of P1")[1].startswith("W01 wheel")
    assert section(game.render(), "hand of P1") == section(game.render(1), "hand of P1")
    with pytest.raises(AssertionError):
        section(game.render(0), "hand of P1")


def test_choices_are_shown_to_who_decides() -> None:
    game = load(scene(2))
    names = {game.action_name(action) for action in game.legal_actions()}
    mine = " ".join(section(game.render(0), "P0 decides"))
    assert set(mine.split("choices")[1].split()) == names
    assert not any("choices" in line for line in section(game.render(1), "P0 decides"))
    assert section(game.render(), "P0 decides") == section(game.render(0), "P0 decides")


# --- what stands where ---------------------------------------------------------------------------


def test_market_and_supply() -> None:
    game = load(scene(2))
    prices = game.box.record[0]["market_vp"]
    lines = section(game.render(0), "market")
    plate = lines[1].split()
    assert plate[:4] == ["plate", "6", str(prices[0, 6]), str(prices[1, 6])]
    assert plate[4:7] == ["[2]", "1", "0"]
    assert lines[0].endswith("dice 1 2 3")
    supply = game.to_dict()["supply"]
    assert f"{supply['pg']} perra gorda, {supply['glaze']} glazes" in lines[1]


def test_action_board() -> None:
    s = stand(stand(scene(4), (0, 0), 1, 2), (2, 4), 3)
    s["board"]["special"] = [1, 0, 2, 0]
    lines = section(load(s).render(0), "action board")
    assert lines[0].split(":")[0] == "column"
    assert re.findall(r"(\d(?: [AB])?): (\w+)", lines[0]) == [
        *(("0", "clay"), ("1", "throw"), ("2", "clean"), ("3 A", "acquire"), ("4 B", "supply"))
    ]
    assert lines[1].startswith("0  acquire, play, clay")
    assert lines[1].split()[4:] == ["P1", "x2", ".", ".", ".", "."]
    assert lines[3].split()[-2:] == ["P3", "x1"]
    assert lines[4].split()[-4:] == ["P0", "x1", "P2", "x2"]
    assert lines[4].startswith("special: esparto, fire, paint")


def test_draft_area_with_prices_for_the_viewer() -> None:
    game = load(edit(scene(2), 0, pg=9))
    play(game, "place:0,0", "action:acquire")
    board = "\n".join(section(game.render(0), "draft area"))
    assert "prices for P0" in game.render(0)
    assert board.count("take 0pg <P0") == 1
    assert board.count("<P1") == 1
    prices = sorted(int(n) for n in re.findall(r"take (\d+)pg", board))
    takes = [name for name in map(game.action_name, game.legal_actions()) if "take" in name]
    assert len(prices) == len(takes) == 14
    distances = sorted(int(name[5]) + int(name[7]) for name in takes)  # the donkey is on 0,0
    assert prices == distances
    assert "W14 wheel" in board and "3VP [shape fire" in board


def test_workshop_of_a_player() -> None:
    s = edit(scene(2), 0, clay=7, drying={"plate": 1, "jug": 0, "pot": 2})
    s["players"][0]["wheels"][0] = {"card": "SW1", "vase": 2}
    s["players"][0]["wheels"][1] = {"card": "W01", "vase": "done"}
    s["players"][0]["firing_kilns"] = [
        {"card": "F00", "piece": "jug"},
        {"card": "F01", "piece": None},
    ]
    text = "\n".join(section(load(s).render(0), "P0 (you, to act, whose turn it is): 0 VP"))
    for part in (
        "clay 7/7",
        "0: SW1 2/4 [shape clay >shape play]",
        "1: W01 done",
        "2: empty (fire)",
        "0: E0 (1clay or 2pg)",
        "0: C00 0/2 (2VP)",
        "plate 1 pot 2",
        "0: F00 jug  1: F01 -  open side: fire",
        "0: Y00 (2glaze) -",
        "donkey 0,0",
    ):
        assert part in text, part


def test_interrupts_and_pending_effects() -> None:
    game = load(at_home(shut(stand(scene(2), (0, 0), 1), 1), 0, 4))
    play(game, "place:0,0")
    board = game.render(1)
    assert section(board, "P0 (whose turn it is)")
    lines = section(board, "P1 decides")
    assert lines[0].endswith("P1: craftswomen returned to the closed shop: 1 rewards")
    assert lines[1].strip() == "P0: placed on row 0: action owed 1, bonus clay x2"


def test_a_frame_without_limit() -> None:
    s = edit(scene(2), 0, drying={"plate": 1, "jug": 1, "pot": 0})
    game = load(pending(s, {"kind": "fire", "player": 0, "left": None}))
    assert "fire: moves left any" in section(game.render(0), "P0 decides")[0]


def test_setup_lists_the_combinations() -> None:
    game = Game(3, seed=1)
    lines = section(game.render(0), "starting combinations")
    assert [line.split()[0] for line in lines] == [f"start:{k}" for k in range(4)]
    game.step(game.parse_action("start:2"))
    assert len(section(game.render(0), "starting combinations")) == 3


@every_count
def test_the_end(players: int) -> None:
    *_, game = played(players, seed=4)
    lines = "\n".join(section(game.render(0), "the game is over"))
    assert [int(vp) for vp in re.findall(r"(-?\d+) VP", lines)] == game.scores()
    winner = "Comp" if players == 1 and game.winner == 1 else f"P{game.winner}"
    assert f"{winner} wins" in game.render(0)
