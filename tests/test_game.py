"""`Game`: options, actions and their names, copies, seeds, and the end of a game."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from nijar_env import EngineFault, Game, IllegalActionError, NijarError, load_box
from nijar_env.components import BoxError
from nijar_env.components.vocabulary import NUM_CARDS
from nijar_env.core.catalogue import NUM_GAME_ACTIONS
from nijar_env.core.record import GAME_DTYPE

ROOT: Final = Path(__file__).resolve().parents[1]
KINDS: Final = [
    (1, "normal"),
    (1, "advanced"),
    (1, "expert"),
    (2, "normal"),
    (3, "normal"),
    (4, "normal"),
]


def play_on(game: Game, chance: random.Random, steps: int = 10**6) -> Game:
    """Random legal actions, to the end or for some steps."""
    for _ in range(steps):
        if game.done:
            break
        game.step(chance.choice(game.legal_actions()))
    return game


def contents(game: Game) -> tuple[bytes, list[str]]:
    return game.record.tobytes(), game.log


def names(game: Game) -> list[str]:
    return [game.action_name(action) for action in game.legal_actions()]


# --- options ------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [0, 5, -1, 2**70, "2", 2.5, 2.0, None, True, [2], (1,)])
def test_player_count(players: Any) -> None:
    with pytest.raises(ValueError, match=r"^num_players must be 1, 2, 3 or 4") as caught:
        Game(players)
    assert repr(players) in str(caught.value)


@pytest.mark.parametrize("difficulty", ["hard", "Normal", "", None, 0, 1.5, [], {}])
@pytest.mark.parametrize("players", [1, 2])
def test_difficulty(players: int, difficulty: Any) -> None:
    with pytest.raises(ValueError, match=r"^difficulty must be one of normal, advanced, expert"):
        Game(players, difficulty=difficulty)


@pytest.mark.parametrize("seed", [-1, 2**64, 2**70, 1.5, 1.0, "x", "7", True, [1], b"1"])
def test_seed(seed: Any) -> None:
    with pytest.raises(ValueError, match=r"^seed must") as caught:
        Game(2, seed=seed)
    assert repr(seed) in str(caught.value)


def test_components(tmp_path: Path) -> None:
    with pytest.raises(BoxError, match="does not exist"):
        Game(2, components=tmp_path / "nowhere")
    with pytest.raises(BoxError, match=r"box\.toml"):
        Game(2, components=str(tmp_path))
    (tmp_path / "box.toml").write_text("name = 7\n", "utf-8")
    with pytest.raises(BoxError):
        Game(2, components=tmp_path)
    for wrong in (7, [], {}, b"x"):
        with pytest.raises(TypeError, match="components must be"):
            Game(2, components=wrong)  # type: ignore[arg-type]
    assert issubclass(BoxError, NijarError)


def test_numbers_of_numpy_are_numbers() -> None:
    game = Game(np.int64(3), seed=np.uint64(2**64 - 1))  # type: ignore[arg-type]
    assert game.num_players == 3
    assert int(game.record.seed) == 2**64 - 1
    assert contents(Game(np.int8(2), seed=np.int32(7))) == contents(Game(2, seed=7))  # type: ignore[arg-type]


def test_what_a_game_says_of_itself() -> None:
    game = Game(1, difficulty="expert", seed=0)
    assert (game.num_players, game.num_seats, game.difficulty) == (1, 2, "expert")
    assert (game.phase, game.round, game.turn_player, game.current_player) == ("setup", 0, 0, 0)
    assert game.scores() == [0, 0]
    assert repr(game) == "Game(1 player, round 0, setup, player 0 to act, VP [0, 0])"
    game = Game(4, seed=0)
    assert (game.num_players, game.num_seats, game.difficulty) == (4, 4, "normal")
    assert game.scores() == [0, 0, 0, 0]
    assert repr(game).startswith("Game(4 players, round 0, setup, player ")
    assert Game(2, difficulty="expert", seed=0).difficulty == "normal"  # a word of the solo mode
    assert isinstance(game.box, type(load_box()))
    assert game.record.dtype == GAME_DTYPE


# --- the catalogue ------------------------------------------------------------------------------

PIECES: Final = ("plate", "jug", "pot")
PAIRS: Final = ("plate+plate", "plate+jug", "plate+pot", "jug+jug", "jug+pot", "pot+pot")
ENDGAME: Final = (
    *("wheel", "esparto", "cleanup", "firing_kiln", "workshop", "glaze_kiln"),
    *PIECES,
)
ACTIONS: Final = (
    *("acquire", "play", "clay", "tech", "throw", "fire", "paint", "clean", "esparto"),
    "first_player",
)
BONUSES: Final = ("clay", "fire", "paint", "throw", "clean", "acquire", "supply", "esparto")
ROW_OF_CARDS: Final = range(13)  # a starting card and all twelve of its type


def table(card_ids: tuple[str, ...]) -> list[str]:
    """The action catalogue as the design writes it down, block by block."""
    blocks: list[list[str]] = [
        [f"start:{k}" for k in range(5)],
        [f"donkey:{r},{c}" for r in range(3) for c in range(5)],
        ["keep", "reroll"],
        [f"place:{r},{c}" for r in range(3) for c in range(5)],
        ["special"],
        [f"discard:{kind}" for kind in ENDGAME],
        [f"sell:{piece}" for piece in PIECES],
        [f"sell:{piece}:painted" for piece in PIECES],
        ["close"],
        [f"action:{name}" for name in ACTIONS],
        [f"bonus:{name}" for name in BONUSES],
        ["done"],
        [f"refresh:{r}" for r in range(3)],
        [f"take:{r},{c}" for r in range(3) for c in range(5)],
        [f"play:{card}" for card in card_ids[:NUM_CARDS]],
        [f"slot:{k}" for k in range(5)],
        [f"clay:{n}" for n in (1, 2, 3)],
        [f"throw:{k}" for k in range(5)],
        [f"shape:{piece}" for piece in (*PIECES, *PAIRS)],
        [f"fire:{piece}" for piece in PIECES],
        [f"glaze:{k}" for k in ROW_OF_CARDS],
        [f"paint:{piece}@{k}" for piece in PIECES for k in ROW_OF_CARDS],
        ["pay:glaze", "pay:crack"],
        [f"clean:{k}" for k in ROW_OF_CARDS],
        ["clean:supply"],
        [f"reward:{k}" for k in ROW_OF_CARDS],
        [f"esparto:{k}:{i}" for k in range(4) for i in (0, 1)],
        [f"track:{k}" for k in range(4)],
        ["gain:pg", "gain:glaze"],
        ["shop:clay", "shop:pg", "shop:glaze"],
        [f"score:{kind}" for kind in ENDGAME],
    ]
    return [name for block in blocks for name in block]


def test_the_catalogue_is_the_table() -> None:
    game = Game(2, seed=0)
    assert [game.action_name(a) for a in range(NUM_GAME_ACTIONS)] == table(game.box.card_ids)


@pytest.mark.parametrize("players", [1, 4])
def test_names_are_unique_and_the_two_ways_are_inverse(players: int) -> None:
    game = Game(players, seed=0)
    all_names = [game.action_name(action) for action in range(NUM_GAME_ACTIONS)]
    assert len(set(all_names)) == NUM_GAME_ACTIONS
    assert [game.parse_action(name) for name in all_names] == list(range(NUM_GAME_ACTIONS))
    assert all(name == name.strip() and " " not in name for name in all_names)


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [("sel:jug", "sell:jug"), ("play:W1", "play:W"), ("Donkey:0,0", "donkey:0,0")],
)
def test_an_unknown_name_names_the_closest(wrong: str, hint: str) -> None:
    with pytest.raises(ValueError, match=f"no action is named '{wrong}'; did you mean '{hint}"):
        Game(2, seed=0).parse_action(wrong)


@pytest.mark.parametrize("wrong", ["", "zzzzzzzz", None, 5, 1.5, [], {}, b"keep", "\ud800"])
def test_what_is_no_name(wrong: Any) -> None:
    with pytest.raises(ValueError, match="no action is named"):
        Game(2, seed=0).parse_action(wrong)


@pytest.mark.parametrize("wrong", [-1, NUM_GAME_ACTIONS, 2**70, "keep", None, 1.0, [0]])
def test_what_is_no_number_of_an_action(wrong: Any) -> None:
    with pytest.raises(ValueError, match=f"actions are 0 to {NUM_GAME_ACTIONS - 1}"):
        Game(2, seed=0).action_name(wrong)


def test_names_of_numpy_numbers() -> None:
    assert Game(2, seed=0).action_name(np.int64(0)) == "start:0"  # type: ignore[arg-type]


# --- choices ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "difficulty"), KINDS)
def test_the_mask_is_the_list(players: int, difficulty: str) -> None:
    game = Game(players, difficulty=difficulty, seed=3)
    chance = random.Random(3)
    while not game.done:
        legal, mask = game.legal_actions(), game.action_mask()
        assert legal == sorted(set(legal)) and len(legal) >= 2  # forced ones are taken
        assert all(type(action) is int for action in legal)
        assert mask.dtype == np.int8 and mask.shape == (NUM_GAME_ACTIONS,)
        assert [int(a) for a in np.flatnonzero(mask)] == legal and set(mask.tolist()) <= {0, 1}
        assert game.current_player is not None and 0 <= game.current_player < players
        mask[:] = 1
        assert game.legal_actions() == legal  # the mask was a copy
        game.step(chance.choice(legal))


@pytest.mark.parametrize("wrong", [-1, NUM_GAME_ACTIONS, 2**70, "keep", None, 1.5, [0], b"x", ()])
def test_what_is_no_action(wrong: Any) -> None:
    game = Game(3, seed=4)
    before = contents(game)
    with pytest.raises(IllegalActionError) as caught:
        game.step(wrong)
    assert str(caught.value) == (
        f"action {wrong!r} is not legal for player {game.current_player}; "
        f"legal: {', '.join(names(game))}"
    )
    assert contents(game) == before


@pytest.mark.parametrize("players", [1, 2, 4])
def test_an_illegal_action_changes_nothing(players: int) -> None:
    game = Game(players, seed=6)
    chance = random.Random(6)
    while not game.done:
        legal = game.legal_actions()
        wrong = chance.choice([a for a in range(NUM_GAME_ACTIONS) if a not in legal])
        before = contents(game) if game.record.decisions % 10 == 0 else None
        with pytest.raises(IllegalActionError) as caught:
            game.step(np.int64(wrong))  # type: ignore[arg-type]
        text = str(caught.value)
        shown = f"action {wrong} ({game.action_name(wrong)}) is not legal"
        assert text.startswith(f"{shown} for player {game.current_player}; legal: ")
        assert text.endswith(", ".join(names(game)))
        assert before is None or contents(game) == before
        game.step(chance.choice(legal))
    assert isinstance(caught.value, NijarError) and isinstance(caught.value, ValueError)


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.int64, np.uint16, np.intp])
def test_actions_of_numpy_are_actions(kind: Callable[[int], Any]) -> None:
    game = Game(2, seed=1)
    action = game.legal_actions()[-1]
    other = game.clone()
    game.step(kind(action))
    other.step(action)
    assert game.to_dict() == other.to_dict()


@pytest.mark.parametrize(("players", "difficulty"), KINDS)
def test_forced_decisions_change_nothing_but_who_takes_them(players: int, difficulty: str) -> None:
    """The same choices lead to the same state at each decision with two or more legal actions."""
    forced = 0
    for seed in range(3):
        short = Game(players, difficulty=difficulty, seed=seed, log=False)
        long = Game(players, difficulty=difficulty, seed=seed, log=False, auto_forced=False)
        chance = random.Random(seed)
        while True:
            while len(long.legal_actions()) == 1:
                long.step(long.legal_actions()[0])
                forced += 1
            same = long.clone()
            same.record.auto_forced = 1
            assert same.record.tobytes() == short.record.tobytes()
            if short.done:
                break
            action = chance.choice(short.legal_actions())
            short.step(action)
            long.step(action)
    assert forced > 5


def test_a_fault_of_the_engine_is_loud() -> None:
    game = Game(2, seed=1)
    game.record.fault = 1
    with pytest.raises(EngineFault, match="the stack of pending frames is full: please report"):
        game.step(game.legal_actions()[0])


# --- the end ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "difficulty"), KINDS)
def test_a_finished_game(players: int, difficulty: str) -> None:
    game = play_on(Game(players, difficulty=difficulty, seed=9), random.Random(9))
    assert game.done and game.phase == "finished" and game.round == 3
    assert game.current_player is None
    assert game.legal_actions() == []
    assert game.action_mask().shape == (NUM_GAME_ACTIONS,) and not game.action_mask().any()
    assert len(game.scores()) == max(players, 2) == game.num_seats
    assert all(type(score) is int for score in game.scores())
    assert game.winner in range(game.num_seats)
    assert game.scores()[game.winner] == max(game.scores())
    assert repr(game).endswith(f", finished, over, VP {game.scores()})")
    before = contents(game)
    for action in (0, game.parse_action("done"), -1, "keep"):
        with pytest.raises(IllegalActionError, match=r"^action .*: the game is over$"):
            game.step(action)  # type: ignore[arg-type]
    assert contents(game) == before
    scene = game.to_dict()
    for player in scene["players"]:  # pieces in kilns are sold in the final scoring
        kilns = player["firing_kilns"] + player["glaze_kilns"]
        assert all(kiln["piece"] is None for kiln in kilns)
    if players == 1:
        assert set(scene["competition"]["pieces"].values()) == {None}


def test_nobody_has_won_before_the_end() -> None:
    game = Game(2, seed=9)
    chance = random.Random(9)
    while not game.done:
        assert game.winner is None
        play_on(game, chance, 1)


@pytest.mark.parametrize(
    ("order", "points", "winner"),
    [
        ([0, 1, 2], [10, 30, 20], 1),
        ([2, 1, 0], [10, 30, 30], 2),
        ([0, 1, 2], [10, 30, 30], 1),
        ([1, 2, 0], [30, 10, 30], 2),
        ([2, 0, 1], [5, 5, 5], 2),
        ([1, 0, 2], [-3, -4, -3], 0),
        ([0, 1], [40, 41], 1),
        ([1, 0], [41, 41], 1),
        ([0, 1], [41, 41], 0),
    ],
)
def test_ties_go_to_the_leftmost_in_turn_order(
    order: list[int], points: list[int], winner: int
) -> None:
    for players in {len(order), 1 if len(order) == 2 else len(order)}:
        scene = play_on(Game(players, seed=1), random.Random(1)).to_dict()
        scene["turn_order"] = order
        seats = scene["players"] + ([scene["competition"]] if players == 1 else [])
        for part, vp in zip(seats, points, strict=True):
            part["vp"] = vp
            del part["vp_from"]
        game = Game.from_dict(scene)
        assert game.done
        assert game.scores() == points
        assert game.winner == winner


# --- copies -------------------------------------------------------------------------------------


def by_pickle(game: Game) -> Game:
    result: Game = pickle.loads(pickle.dumps(game))
    return result


COPIES: Final[dict[str, Callable[[Game], Game]]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": by_pickle,
    "clone with log": lambda game: game.clone(log=True),
}


@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize(("players", "difficulty"), [(1, "expert"), (2, "normal"), (4, "normal")])
def test_copies_go_on_identically(players: int, difficulty: str, how: str) -> None:
    game = play_on(Game(players, difficulty=difficulty, seed=5), random.Random(5), 60)
    before = contents(game)
    other = COPIES[how](game)
    assert contents(other) == before
    assert other.box == game.box
    play_on(other, random.Random(1))
    assert other.done and contents(game) == before
    assert other.log[: len(before[1])] == before[1] and len(other.log) > len(before[1])
    play_on(game, random.Random(1))
    assert contents(other) == contents(game)


def test_clones_are_independent_and_keep_no_log() -> None:
    game = play_on(Game(2, seed=5), random.Random(5), 60)
    before = contents(game)
    clone = game.clone()
    assert clone.log == [] and clone.to_dict() == game.to_dict()
    play_on(clone, random.Random(2))
    assert clone.log == [] and clone.done
    assert contents(game) == before
    play_on(game, random.Random(2))
    assert game.scores() == clone.scores()
    assert {**game.to_dict()} == {**clone.to_dict()}


def test_a_game_without_a_log_plays_the_same() -> None:
    with_log, without = Game(3, seed=8), Game(3, seed=8, log=False)
    play_on(with_log, random.Random(8))
    play_on(without, random.Random(8))
    assert with_log.to_dict() == without.to_dict()
    assert without.log == [] and with_log.log
    assert by_pickle(without).to_dict() == without.to_dict()


def test_a_copy_with_another_box_keeps_it(tmp_path: Path) -> None:
    folder = Path(sys.modules["nijar_env.components.loader"].__file__ or "").parent / "data"
    for file in folder.glob("*.toml"):
        text = file.read_text("utf-8")
        if file.name == "box.toml":
            text = text.replace('name = "', 'name = "other-', 1)
        (tmp_path / file.name).write_text(text, "utf-8")
    game = Game(2, seed=3, components=tmp_path)
    assert game.box.name.startswith("other-")
    for how in COPIES.values():
        assert how(game).box.name == game.box.name


# --- seeds --------------------------------------------------------------------------------------


def start(seed: int | None, players: int = 2) -> bytes:
    """A dealt game without the seed itself."""
    game = Game(players, seed=seed, log=False)
    game.record.seed = 0
    return bytes(game.record.tobytes())


@pytest.mark.parametrize(("players", "difficulty"), KINDS)
def test_one_seed_is_one_game(players: int, difficulty: str) -> None:
    one, other = (
        play_on(Game(players, difficulty=difficulty, seed=77), random.Random(1)) for _ in range(2)
    )
    assert contents(one) == contents(other)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_other_seeds_are_other_games(players: int) -> None:
    seeds = [*range(40), *(2**32 + k for k in range(10)), 2**63, 2**64 - 1]
    assert len({start(seed, players) for seed in seeds}) == len(seeds)


def test_no_seed_is_another_game_each_time() -> None:
    assert len({int(Game(2).record.seed) for _ in range(5)}) == 5
    assert len({start(None) for _ in range(5)}) == 5


def test_the_worlds_own_generators_are_left_alone() -> None:
    random.seed(1)
    np.random.seed(1)  # noqa: NPY002
    before = random.getstate(), np.random.get_state()[1].tolist()  # type: ignore[index]  # noqa: NPY002
    first = start(5)
    play_on(Game(1, seed=None), random.Random(1))
    assert (random.getstate(), np.random.get_state()[1].tolist()) == before  # type: ignore[index]  # noqa: NPY002
    random.seed(2)
    np.random.seed(2)  # noqa: NPY002
    assert start(5) == first


# --- imports ------------------------------------------------------------------------------------

SCRIPT: Final = """
import sys
from nijar_env import Game
game = Game(1, seed=1)
while not game.done:
    game.step(game.legal_actions()[0])
game.log, game.to_dict(), Game.from_dict(game.to_dict())
print(*sorted({name.split(".")[0] for name in sys.modules}))
"""


def test_a_game_loads_no_front_end_and_no_learning(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=ROOT,
        env={"NUMBA_DISABLE_JIT": "1", "NIJAR_CACHE_DIR": str(tmp_path), "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(done.stdout.split())
    assert {"nijar_env", "numpy"} <= loaded
    heavy = {"torch", "rich", "typer", "pettingzoo", "matplotlib", "agents", "eval"}
    assert not loaded & heavy
