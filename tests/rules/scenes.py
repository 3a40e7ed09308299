"""Scenes for the tests of the rules: one known position, edited in a line or two, then played by
the names of actions.

The position (`scene`): a fresh turn of seat 0 in round 1, every seat with 5 perra gorda, 2 glazes,
3 clay, no cracks, an empty hand and all craftswomen at home. Board, draft area and market are the
same always (see the constants below), and cards of low numbers are in the decks: tests deal them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import deepcopy
from functools import cache
from typing import Any, Final, TypeVar

from nijar_env.batch import GameBatch
from nijar_env.game import Components, Game

F = TypeVar("F", bound=Callable[..., Any])
Scene = dict[str, Any]

PIECES: Final = ("plate", "jug", "pot")
WORKERS: Final = {1: 7, 2: 6, 3: 5}

# Rows of the action board; the bonus below columns 0, 1, 2, A, B; the tiles on the Special Action.
TILES: Final = [
    [["acquire"], ["play"], ["clay"]],
    [["throw", "tech"], ["fire"], ["paint"]],
    [["clean"], ["esparto"], ["first_player"]],
]
SOLO_TILES: Final = [
    [["acquire"], ["play"], ["first_player"]],
    [["throw", "tech"], ["fire"], ["paint"]],
    [["clean"], ["esparto"], ["clay"]],
]
COLUMN_BONUSES: Final = ["clay", "throw", "clean", "acquire", "supply"]
SPECIAL_BONUSES: Final = ["fire", "paint"]

# Donkeys: seat 0 on the first card, the others from the last one back.
DRAFT: Final = [
    ["W14", "E1", "W15", "E2", "W16"],
    ["C10", "Y10", "C11", "Y11", "C12"],
    ["F10", "G10", "F11", "G11", "F12"],
]
DONKEYS: Final = [[0, 0], [2, 4], [2, 3], [2, 2]]
ENDGAME: Final = [
    ["wheel", "esparto", "plate"],
    ["cleanup", "firing_kiln", "jug"],
    ["workshop", "glaze_kiln", "pot"],
    ["plate", "jug", "pot"],
]
# By round; positions of the markers as if the market had just been updated.
DEMAND: Final = {"plate": [2, 1, 0], "jug": [1, 0, 2], "pot": [0, 2, 1]}
POSITION: Final = {"plate": 6, "jug": 5, "pot": 4}


def rulings(*ids: str) -> Callable[[F], F]:
    """Names the rulings (docs/rules.md) that a test proves. Read from the source by the index."""
    assert ids

    def same(test: F) -> F:
        return test

    return same


def section(*numbers: str) -> Callable[[F], F]:
    """Names the sections of the rulebook that a test proves, beside those of its rulings."""
    assert numbers

    def same(test: F) -> F:
        return test

    return same


# --- the position -------------------------------------------------------------------------------


@cache
def _dealt(players: int, difficulty: str) -> Scene:
    game = Game(players, difficulty=difficulty, seed=1, log=False)
    while game.phase == "setup":
        game.step(game.legal_actions()[0])
    return game.to_dict()


def scene(players: int = 2, *, difficulty: str = "normal", number: int = 1) -> Scene:
    """The position described above, in round `number`; a dict of its own to edit."""
    s = deepcopy(_dealt(players, difficulty))
    for key in ("rng", "decks", "supply", "box"):
        del s[key]
    columns = 3 + max(players - 2, 0)
    seats = max(players, 2)
    s.update(
        phase="turns",
        round=number,
        turn_order=list(range(seats)),
        first_player_track=[None, 1] if players == 1 else [None] * players,
        current_player=0,
        turn_player=0,
        combinations=[],
        decisions=0,
        draft=deepcopy(DRAFT),
        discards=[],
        pending=[],
        auto_forced=False,
        market={
            "demand": deepcopy(DEMAND),
            "position": dict(POSITION),
            "dice": [1, 2, 3],
        },
        board={
            "tiles": deepcopy(SOLO_TILES if players == 1 else TILES),
            "bonuses": COLUMN_BONUSES[:columns],
            "special_bonuses": list(SPECIAL_BONUSES),
            "spaces": [[None] * columns for _ in range(3)],
            "special": [0] * seats,
        },
        players=[_player(seat) for seat in range(players)],
        competition=_competition() if players == 1 else None,
    )
    return s


def _player(seat: int) -> dict[str, Any]:
    return {
        "vp": 0,
        "pg": 5,
        "glaze": 2,
        "clay": 3,
        "cleaning_area": 0,
        "technology": 1,
        "craftswomen": 0,  # worked out by `load`
        "shop": "open",
        "shop_craftswomen": 0,
        "donkey": list(DONKEYS[seat]),
        "hand": [],
        "endgame_hand": list(ENDGAME[seat]),
        "endgame_played": [],
        "endgame_discarded": [],
        "wheels": [{"card": f"SW{seat + 1}", "vase": 0}, None, None, None, None],
        "esparto": ["E0", None, None, None],
        "cleanup": [{"card": "C00", "cracks": 0}],
        "firing_kilns": [{"card": "F00", "piece": None}],
        "workshops": [{"card": "Y00", "piece": None}],
        "glaze_kilns": [{"card": "G00", "piece": None}],
        "drying": {"plate": 0, "jug": 0, "pot": 0},
        "sold": {"plate": 0, "jug": 0, "pot": 0},
    }


def _competition() -> dict[str, Any]:
    return {
        "vp": 0,
        "craftswomen": 0,
        "shop": "open",
        "shop_craftswomen": 0,
        "donkey": [2, 4],
        "pieces": {"plate": None, "jug": None, "pot": None},
        "sold": {"plate": 0, "jug": 0, "pot": 0},
        "deck": [1, 2, 3, 4, 5, 6, 7, 8, 9],
        "revealed": [],
    }


# --- edits --------------------------------------------------------------------------------------


def seat(s: Scene, number: int) -> dict[str, Any]:
    """The part of a seat: a player, or the Competition (seat 1 in solo)."""
    if number >= len(s["players"]):
        part: dict[str, Any] = s["competition"]
    else:
        part = s["players"][number]
    return part


def edit(s: Scene, number: int = 0, /, **values: Any) -> Scene:
    """Set fields of a seat: `edit(s, 0, pg=3, hand=["W01"])`."""
    part = seat(s, number)
    for name, value in values.items():
        assert name in part, name
        part[name] = value
    return s


def row(*cards: str, pieces: Iterable[str | None] = ()) -> list[dict[str, Any]]:
    """A row of kilns or workshops: `row("F00", "F01", pieces=["plate"])`."""
    held = [*pieces, *[None] * len(cards)]
    return [{"card": card, "piece": held[k]} for k, card in enumerate(cards)]


def cleanup(**cracks: int) -> list[dict[str, Any]]:
    """A row of cleanup cards with the cracks on them: `cleanup(C00=1, C02=0)`."""
    return [{"card": card, "cracks": n} for card, n in cracks.items()]


def wheels(*spaces: tuple[str, int | str] | None) -> list[dict[str, Any] | None]:
    """The five wheel spaces: `wheels(("SW1", 2), None, ("W01", "done"))`."""
    cards = [None if space is None else {"card": space[0], "vase": space[1]} for space in spaces]
    return [*cards, *[None] * (5 - len(cards))]


def pieces(**counts: int) -> dict[str, int]:
    return {"plate": 0, "jug": 0, "pot": 0, **counts}


def stand(s: Scene, space: tuple[int, int], owner: int, count: int = 1) -> Scene:
    """Craftswomen on an action space."""
    s["board"]["spaces"][space[0]][space[1]] = {"owner": owner, "count": count}
    return s


def at_home(s: Scene, number: int, count: int) -> Scene:
    """So many craftswomen at hand; the others stand on the Special Action (call it last)."""
    total = WORKERS[s["round"]]
    spaces = [x for line in s["board"]["spaces"] for x in line if x and x["owner"] == number]
    away = sum(x["count"] for x in spaces) + seat(s, number)["shop_craftswomen"]
    assert away + count <= total
    s["board"]["special"][number] = total - away - count
    return s


def shut(s: Scene, number: int, returned: int = 0) -> Scene:
    """A closed shop, with craftswomen on it; nobody is at home."""
    edit(s, number, shop="closed", shop_craftswomen=returned)
    return at_home(s, number, 0)


def bonuses(s: Scene, columns: list[str], special: list[str]) -> Scene:
    """The bonus tiles under the columns and on the Special Action."""
    s["board"].update(bonuses=columns, special_bonuses=special)
    return s


def left_in_deck(s: Scene, number: int, *cards: str) -> Scene:
    """A deck of these cards, next first; its other cards are out of the game (call it last)."""
    decks = load(s).to_dict()["decks"]
    rest = list(decks[number])
    for card in cards:
        rest.remove(card)
    s["decks"] = [*decks[:number], list(cards), *decks[number + 1 :]]
    s["discards"] = [*s["discards"], *rest]
    return s


def end_of_round(s: Scene) -> Scene:
    """Just after the craftswomen have come home: the leftmost player may play an endgame card."""
    s["phase"] = "end_of_round"
    return turn_of(s, s["turn_order"][0])


def turn_of(s: Scene, number: int) -> Scene:
    s["current_player"] = s["turn_player"] = number
    return s


def pending(s: Scene, *frames: dict[str, Any]) -> Scene:
    """Effects still owed, bottom first; the last one's player decides."""
    s["pending"] = list(frames)
    s["current_player"] = frames[-1]["player"]
    return s


# --- play ---------------------------------------------------------------------------------------


def load(s: Scene, *, seed: int = 0, components: Components = None, forced: bool = False) -> Game:
    """The game of a scene; nothing is chosen for the players unless `forced`."""
    s = deepcopy(s)
    s["auto_forced"] = forced
    total = WORKERS[max(s["round"], 1)] - (s["phase"] in ("end_of_round", "finished"))
    for number in range(len(s["turn_order"])):
        spaces = [x for line in s["board"]["spaces"] for x in line if x and x["owner"] == number]
        away = sum(x["count"] for x in spaces) + s["board"]["special"][number]
        part = seat(s, number)
        part["craftswomen"] = total - away - part["shop_craftswomen"]
    return Game.from_dict(s, seed=seed, components=components, log=False)


def legal(game: Game) -> set[str]:
    return {game.action_name(action) for action in game.legal_actions()}


def offered(game: Game, family: str) -> set[str]:
    """The legal actions of one family: `offered(game, "take")`."""
    return {name for name in legal(game) if name.split(":")[0] == family}


def play(game: Game, *names: str) -> Game:
    """Take these actions one after another; says what was legal where one is not."""
    for k, name in enumerate(names):
        assert name in legal(game), f"{name!r} (after {names[:k]}): legal is {sorted(legal(game))}"
        game.step(game.parse_action(name))
    return game


def act(game: Game, action: str, *names: str) -> Game:
    """Any action of the board, by discarding the player's first endgame card; then these."""
    player = game.current_player
    assert player is not None
    card = me(game, player)["endgame_hand"][0]
    return play(game, f"discard:{card}", f"action:{action}", *names)


def me(game: Game, number: int = 0) -> dict[str, Any]:
    """A seat's part of the scene as it is now."""
    return seat(game.to_dict(), number)


def holds(game: Game, number: int = 0, /, **values: Any) -> None:
    """Assert fields of a seat, exactly: `holds(game, pg=3, clay=0)`."""
    part = me(game, number)
    found = {name: part[name] for name in values}
    assert found == values, f"seat {number}: {found}, expected {values}"


def position(game: Game) -> dict[str, int]:
    """Rows of the market markers."""
    rows: dict[str, int] = game.to_dict()["market"]["position"]
    return rows


def supply(game: Game) -> dict[str, int]:
    amounts: dict[str, int] = game.to_dict()["supply"]
    return amounts


def at(game: Game, space: tuple[int, int]) -> tuple[int, int] | None:
    """(owner, craftswomen) on an action space."""
    found = game.to_dict()["board"]["spaces"][space[0]][space[1]]
    return (found["owner"], found["count"]) if found else None


def draft(game: Game) -> list[list[str | None]]:
    rows: list[list[str | None]] = game.to_dict()["draft"]
    return rows


def batch_winner(game: Game, *names: str) -> int:
    """The winner that `GameBatch` finds when this game is ended by these actions."""
    batch = GameBatch(1, game.num_players, seed=0, auto_forced=False, auto_reset=False)
    batch.games[0] = game.record
    for name in names:
        assert not batch.dones[0]
        batch.step([game.parse_action(name)])
    assert batch.dones[0]
    return int(batch.final_winners[0])
