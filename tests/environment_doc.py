"""The generated parts of docs/environment.md; `python -m tests.environment_doc` writes them."""

from __future__ import annotations

import inspect
import random
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from nijar_env import Game, nijar_v0
from nijar_env.core.catalogue import BLOCKS, NUM_GAME_ACTIONS
from nijar_env.core.layout import Field, layout_hash, observation_layout, observation_size

DOCUMENT = Path(__file__).parent.parent / "docs" / "environment.md"
COMMAND = "python -m tests.environment_doc"
PLAYERS = (1, 2, 3, 4)

ARGUMENTS = {
    "num_players": "1 (solo) to 4",
    "difficulty": '`"normal"`, `"advanced"` or `"expert"` (§12.10); counts in solo only',
    "components": "None for the default box, the path of a box folder, or a `Box`",
    "reward": '`"outcome"`, `"margin"` or `"vp"`, see [Rewards](#rewards)',
    "auto_forced": "decisions with a single legal action are taken by the environment",
    "illegal_action": '`"terminate"` or `"raise"`, see [Action space](#action-space)',
    "render_mode": 'None, `"ansi"`, `"human"` or `"rgb_array"`, see [Rendering](#rendering)',
}

# What a block of the catalogue is for.
ACTIONS = {
    "start": "take starting combination K (§4.3)",
    "donkey": "put the donkey on a draft space: in setup, and at the end of Acquire",
    "keep": "leave the market dice as they are: first player, rounds 2 and 3",
    "reroll": "roll them again",
    "place": "craftswomen on an action space; their number is given",
    "special": "one craftswoman on the Special Action",
    "discard": "discard an endgame card for any action",
    "sell": "sell an unpainted or a painted piece",
    "close": "close the shop",
    "action": "take an owed action",
    "bonus": "take an owed or chosen bonus (`supply` = perra gorda or glazes)",
    "done": "stop, decline, give up what is left of the present effect",
    "refresh": "Acquire: put a row of one type back and draw anew",
    "take": "Acquire: take a card",
    "play": "play a card from hand; by id in the box in use",
    "slot": "the wheel or esparto space it goes to",
    "clay": "extract that much clay",
    "throw": "move the vase on wheel space K one step",
    "shape": "shape one piece or two",
    "fire": "a piece from the drying area into the next empty firing kiln",
    "glaze": "the piece in workshop K into the next empty glaze kiln",
    "paint": "a piece from a firing kiln into workshop K",
    "pay": "what to paint with, where the workshop leaves a choice",
    "clean": "a crack onto cleanup card K, or to the supply",
    "reward": "the completed cleanup card to pay out next",
    "esparto": "reward 0 or 1 of the esparto card on space K",
    "track": "a space of the first-player track",
    "gain": "perra gorda or glazes",
    "shop": "reward for a craftswoman returned to the closed shop",
    "score": "end of round: an endgame card to play face down (`done`: none)",
}


def _table(heading: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    lines = [f"| {' | '.join(heading)} |"]
    lines.append("|" + "---|" * (lines[0].count("|") - 1))
    lines += [f"| {' | '.join(str(cell) for cell in row)} |" for row in rows]
    return "\n".join(lines)


def summary() -> str:
    env = nijar_v0.raw_env()
    sizes = ", ".join(f"{n} players {observation_size(n):,}" for n in PLAYERS[1:])
    rows = [
        ("import", "`from nijar_env import nijar_v0`"),
        ("agents", "`player_0` ... `player_3`: 2 to 4 players; 1 = solo"),
        ("parallel form", "no"),
        ("actions", f"Discrete({NUM_GAME_ACTIONS}), with a mask"),
        ("observations", f"float32 vector: solo {observation_size(1):,}, {sizes} values"),
        ("render modes", ", ".join(f"`{mode}`" for mode in env.metadata["render_modes"])),
        ("name", f"`{env.metadata['name']}`"),
    ]
    return _table(("", ""), rows)


def arguments() -> str:
    bare = inspect.signature(nijar_v0.raw_env).parameters
    wrapped = inspect.signature(nijar_v0.env).parameters
    assert list(bare) == list(wrapped) == list(ARGUMENTS)
    rows = []
    for name, meaning in ARGUMENTS.items():
        default, other = (p[name].default for p in (wrapped, bare))
        text = f"`{_literal(default)}`"
        if default != other:
            text += f" (`raw_env`: `{_literal(other)}`)"
        rows.append((f"`{name}`", text, meaning))
    return _table(("argument", "default", "meaning"), rows)


def _literal(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


def _bound(value: float) -> str:
    return f"{value:.4g}"


def _field_rows(fields: Iterable[Field], start: int, prefix: str) -> str:
    rows = [
        (
            f"{field.start - start}-{field.stop - start - 1}"
            if field.stop - field.start > 1
            else field.start - start,
            f"`{field.name.removeprefix(prefix)}`",
            " x ".join(map(str, field.shape)),
            f"{_bound(field.low)} to {_bound(field.high)}",
            f"{field.scale:g}",
            field.visibility,
            field.meaning.replace("|", "\\|"),
        )
        for field in fields
    ]
    heading = ("index", "field", "shape", "bounds", "scale", "seen by", "meaning")
    return _table(heading, rows)


def observation() -> str:
    solo, four = observation_layout(1), observation_layout(4)
    shared = [field for field in four if not field.name.startswith("seat")]
    seat = [field for field in four if field.name.startswith("seat0.")]
    rival = [field for field in solo if field.name.startswith("competition.")]
    size, first = seat[-1].stop - seat[0].start, seat[0].start
    sizes = _table(
        ("players", "values", "blocks", "layout"),
        (
            (
                n if n > 1 else "1 (solo)",
                f"{observation_size(n):,}",
                "seat 0, Competition" if n == 1 else f"seats 0-{n - 1}",
                f"`{layout_hash(n)}`",
            )
            for n in PLAYERS
        ),
    )
    return "\n\n".join(
        (
            sizes,
            f"**Shared fields**, {first} values:",
            _field_rows(shared, 0, ""),
            f"**The block of seat i**, {size} values from {first} + {size} i on; in "
            "`observation_layout` its fields are named `seat0.vp` and so on:",
            _field_rows(seat, first, "seat0."),
            f"**The Competition's block** (solo), {rival[-1].stop - rival[0].start} values from "
            f"{rival[0].start} on, named `competition.vp` and so on:",
            _field_rows(rival, rival[0].start, "competition."),
        )
    )


def _names(block: str, names: tuple[str, ...]) -> str:
    if block == "play":
        return "`play:CARD`"
    short = {
        "donkey": "`donkey:R,C`",
        "place": "`place:R,C`",
        "take": "`take:R,C`",
        "refresh": "`refresh:R`",
        "paint": "`paint:PIECE@K`",
        "esparto": "`esparto:K:0` `esparto:K:1`",
        "clean": "`clean:K` `clean:supply`",
    }
    if block in short:
        return short[block]
    if len(names) > 3 and names[0] == f"{block}:0":
        return f"`{block}:K`"
    return " ".join(f"`{name}`" for name in names)


def actions() -> str:
    rows = []
    start = 0
    assert list(ACTIONS) == [block for block, _ in BLOCKS]
    for block, names in BLOCKS:
        stop = start + len(names)
        number = str(start) if len(names) == 1 else f"{start}-{stop - 1}"
        rows.append((number, _names(block, names), ACTIONS[block]))
        start = stop
    total = (
        f"`Discrete({NUM_GAME_ACTIONS})`, one catalogue for every box and number of players:\n\n"
    )
    return total + _table(("action", "name", "what it does"), rows)


def lengths() -> str:
    """Agent steps of random games; a fixed set of seeds."""
    cells = []
    for players in PLAYERS:
        counts = [_random_length(players, seed) for seed in range(20)]
        who = "solo" if players == 1 else f"{players} players"
        cells.append(f"{who} {np.mean(counts):.0f}")
    return f"Agent steps of an episode of random play, on average: {', '.join(cells)}."


def _random_length(players: int, seed: int) -> int:
    game = Game(players, seed=seed, log=False)
    rng = random.Random(seed)
    while not game.done:
        game.step(rng.choice(game.legal_actions()))
    return int(game.record.decisions)


def board() -> str:
    game = Game(2, seed=7, log=False)
    rng = random.Random(7)
    while game.round < 2 or not game.record.depth:
        game.step(rng.choice(game.legal_actions()))
    return f"```text\n{game.render(game.current_player)}\n```"


PARTS = {
    "summary": summary,
    "arguments": arguments,
    "observation": observation,
    "actions": actions,
    "lengths": lengths,
    "board": board,
}


def rendered(text: str) -> str:
    """The document with its generated parts written anew."""
    for name, part in PARTS.items():
        begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
        pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
        assert pattern.search(text), f"docs/environment.md has no part {begin}"
        body = part()
        text = pattern.sub(lambda _, b=begin, e=end, body=body: f"{b}\n{body}\n{e}", text)
    return text


if __name__ == "__main__":
    DOCUMENT.write_text(rendered(DOCUMENT.read_text("utf-8")), "utf-8")
