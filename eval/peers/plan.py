"""What is measured: projects, their games, and what is compared with what."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from .scripts.loop import LEGAL, OBSERVE

OURS: Final = "nijar-env"


@dataclass(frozen=True)
class Peer:
    """A project.

    Attributes:
        name: of its environment, requirements file and script.
        title: its own name.
        note: what a reader must know.
    """

    name: str
    title: str
    note: str = ""

    @property
    def script(self) -> str:
        """The module that is run in its environment."""
        return f"eval.peers.scripts.{self.name}"

    @property
    def requirements(self) -> Path:
        """The pinned versions."""
        return Path(__file__).with_name(f"{self.name}.txt")


@dataclass(frozen=True)
class Row:
    """A loop that is timed.

    Attributes:
        group: rows of a group are alike (`GROUPS`).
        peer: a peer's name, or `OURS`.
        game, part: as the script knows them.
        comparable: a card or board game with chance or hidden cards, of a size to compare with.
    """

    group: str
    peer: str
    game: str
    part: str = LEGAL
    comparable: bool = False

    @property
    def key(self) -> str:
        """Its name in what is saved."""
        return f"{self.group} / {self.peer} / {self.game} / {self.part}"


@dataclass(frozen=True)
class Group:
    """Rows that are compared.

    Attributes:
        title: of the table.
        reference: our row (its game) that the others are compared with.
        note: below the table.
    """

    title: str
    reference: str
    note: str


PEERS: Final = (
    Peer("open_spiel", "OpenSpiel"),
    Peer("pettingzoo", "PettingZoo"),
    Peer("pgx", "Pgx"),
    Peer("catanatron", "catanatron"),
    Peer("rlcard", "RLCard"),
    Peer("jumanji", "Jumanji"),
)
# Not measured, and why.
LEFT_OUT: Final = {
    "TAG": "written in Java: this command keeps environments of Python alone",
}
GROUPS: Final = {
    "loop": Group(
        "One game in a Python loop",
        "Game, 2 players",
        "The library's own state object, stepped from Python. Legal actions and step; with "
        "observation, also what the player to act sees. OpenSpiel leaves chance steps to the loop: "
        "their time counts, they do not. RLCard's environments make observations at every step; "
        "its gin rummy without them is the game object inside. catanatron's package has no "
        "observations.",
    ),
    "aec": Group(
        "One game through PettingZoo",
        "env()",
        "last(), the legal actions of the mask, step(). Steps of agents that are done take time, "
        "but do not count. Each is compared with ours of its kind, raw with raw.",
    ),
    "batch": Group(
        "Batches",
        "GameBatch, 1,024",
        "Ours: random actions by a kernel, a step, and observations where the row has them. JAX: "
        "masks, random actions and steps in one compiled function, games begun anew by the "
        "library's own wrapper; it uses all cores as it likes. Ours uses one thread unless the row "
        "says otherwise.",
    ),
    "playouts": Group(
        "Random playouts in compiled code",
        "random playouts",
        "Whole games by random legal actions, no Python between decisions, one thread. OpenSpiel: "
        "its C++ evaluator within its MCTS of two iterations with 100 rollouts each.",
    ),
    "search": Group(
        "Tree search",
        "mcts:playout=random",
        "Iterations a second in the middle of a game, one thread. Not alike: ours deals what is "
        "hidden anew at each iteration, and stops after some turns to value the position; "
        "OpenSpiel's C++ MCTS sees the whole state and plays each rollout to the end. Decisions a "
        "second are the nearer comparison; OpenSpiel's are its iterations times the mean length of "
        "random games from that position.",
    ),
}


def _rows() -> tuple[Row, ...]:
    rows: list[Row] = []

    def add(
        group: str, peer: str, games: tuple[str, ...], parts: tuple[str, ...], ok: bool
    ) -> None:
        rows.extend(Row(group, peer, game, part, ok) for game in games for part in parts)

    both, seen = (LEGAL, OBSERVE), (OBSERVE,)
    add("loop", OURS, ("Game, 2 players", "Game, 4 players"), both, False)
    add("loop", "open_spiel", ("gin_rummy", "hanabi", "backgammon"), both, True)
    add("loop", "catanatron", ("Catan, 2 players", "Catan, 4 players"), (LEGAL,), True)
    add("loop", "rlcard", ("gin-rummy",), both, True)
    add("loop", "rlcard", ("mahjong", "no-limit-holdem"), seen, True)
    add("aec", OURS, ("env()", "raw_env()"), seen, False)
    for game, raw, ok in (
        ("connect_four", True, False),
        ("tictactoe", False, False),
        ("leduc_holdem", False, False),
        ("texas_holdem_no_limit", False, True),
        ("hanabi", True, True),
        ("chess", False, False),
        ("go, 9 x 9", False, False),
    ):
        add("aec", "pettingzoo", (game, f"{game}, raw") if raw else (game,), seen, ok)
    add("batch", OURS, ("GameBatch, 1", "GameBatch, 64", "GameBatch, 1,024"), both, False)
    add("batch", OURS, ("GameBatch, 8,192, 2 threads",), both, False)
    add("batch", OURS, ("NijarVectorEnv, 1,024 solo",), seen, False)
    add("batch", "pgx", ("backgammon, 64", "backgammon, 1,024"), both, True)
    add("batch", "pgx", ("sparrow_mahjong, 1,024",), seen, True)
    add("batch", "pgx", ("leduc_holdem, 1,024", "connect_four, 1,024"), seen, False)
    add("batch", "jumanji", ("Game2048-v1, 1,024", "Minesweeper-v0, 1,024"), seen, False)
    add("playouts", OURS, ("random playouts",), (LEGAL,), False)
    add("playouts", "open_spiel", ("gin_rummy playouts", "backgammon playouts"), (LEGAL,), True)
    add("search", OURS, ("mcts:playout=random", "mcts"), (LEGAL,), False)
    add("search", "open_spiel", ("gin_rummy search", "backgammon search"), (LEGAL,), True)
    return tuple(rows)


ROWS: Final = _rows()


def reference(row: Row) -> Row:
    """Our row that a row is compared with."""
    game = GROUPS[row.group].reference
    if row.group == "aec" and row.game.endswith(", raw"):
        game = "raw_env()"
    return next(r for r in ROWS if (r.peer, r.game, r.part) == (OURS, game, row.part))
