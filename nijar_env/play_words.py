"""The choices of a decision in plain English, for a person who plays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from .components import vocabulary as v
from .core.catalogue import A_DISCARD, A_SCORE
from .game import Game
from .log_words import (
    ACTION_WORDS,
    BONUS_WORDS,
    amounts_text,
    card_text,
    craftswomen_text,
    effect_text,
    endgame_text,
    listed,
    piece_text,
    place_text,
    space_text,
)
from .render_words import content_text, cost_text, frame_text, type_of

_ACTIONS: Final = dict(zip(v.ACTIONS, ACTION_WORDS[1:], strict=False))
_BONUSES: Final = dict(zip(v.BONUSES, BONUS_WORDS, strict=True))
_SUPPLIES: Final = {"clay": "clay", "pg": "perra gorda", "glaze": "glazes"}
Words = Callable[["_Scene", int, str], str]
_WORDS: dict[str, Words] = {}


class _Scene:
    """A game as its player to act sees it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.box = game.box
        self.scene = game.to_dict()
        self.seat = int(game.record.current_player)
        self.own = self.scene["players"][self.seat]
        self.names = game.box.record[0]

    def card(self, card: str) -> str:
        return card_text(self.box, self.box.card_code(card))


def choice_texts(game: Game) -> list[tuple[int, str]]:
    """Each legal action of a game with what it means: nothing that its player may not know.

    Returns:
        (number of the action, words) by number; empty when the game is over.
    """
    if game.done:
        return []
    scene = _Scene(game)
    return [(action, _text(scene, action)) for action in game.legal_actions()]


def _text(s: _Scene, action: int) -> str:
    block, _, rest = s.game.action_name(action).partition(":")
    return _WORDS[block](s, action, rest)


def _says(block: str) -> Callable[[Words], Words]:
    def enter(words: Words) -> Words:
        _WORDS[block] = words
        return words

    return enter


def _row_column(rest: str) -> tuple[int, int]:
    row, column = rest.split(",")
    return int(row), int(column)


def _workshop(rest: str) -> int:
    return int(rest.rpartition("@")[2])


# -- setup, market, the turn -----------------------------------------------------------------------


@_says("start")
def _start(s: _Scene, action: int, rest: str) -> str:
    part = s.scene["combinations"][int(rest)]
    start = s.box.start_resource_ids.index(part["resources"])
    amounts = amounts_text([int(n) for n in s.names["start_resources"][start]])
    return f"start with {s.card(part['wheel'])} and {amounts}: {content_text(s.box, part['wheel'])}"


@_says("donkey")
def _donkey(s: _Scene, action: int, rest: str) -> str:
    row, column = _row_column(rest)
    card = s.scene["draft"][row][column]
    there = f" ({s.card(card)})" if card else " (empty)"
    return f"lead the donkey to {place_text(row, column)}{there}"


@_says("keep")
def _keep(s: _Scene, action: int, rest: str) -> str:
    return "keep the market dice"


@_says("reroll")
def _reroll(s: _Scene, action: int, rest: str) -> str:
    return "roll the market dice again"


@_says("place")
def _place(s: _Scene, action: int, rest: str) -> str:
    row, column = _row_column(rest)
    trial = s.game.clone()
    trial.step(action)
    count = int(trial.record.space_count[row, column])
    board = s.scene["board"]
    tiles = " | ".join("/".join(_ACTIONS[name] for name in tile) for tile in board["tiles"][row])
    bonus = _BONUSES[board["bonuses"][column]]
    where = space_text(row, column)
    return f"place {craftswomen_text(count)} on {where}: one action of {tiles}; bonus {bonus}"


@_says("special")
def _special(s: _Scene, action: int, rest: str) -> str:
    tiles = listed(_BONUSES[name] for name in ["esparto", *s.scene["board"]["special_bonuses"]])
    return f"place {craftswomen_text(1)} on the Special Action: {tiles}"


@_says("discard")
def _discard(s: _Scene, action: int, rest: str) -> str:
    return f"discard {endgame_text(action - A_DISCARD)} for any action"


@_says("sell")
def _sell(s: _Scene, action: int, rest: str) -> str:
    name, _, side = rest.partition(":")
    row = s.scene["market"]["position"][name]
    vp = int(s.names["market_vp"][int(bool(side)), row])
    return f"sell {piece_text(v.PIECES.index(name), int(bool(side)))} for {vp} VP"


@_says("close")
def _close(s: _Scene, action: int, rest: str) -> str:
    return "close the shop"


@_says("action")
def _action(s: _Scene, action: int, rest: str) -> str:
    return f"take the action {_ACTIONS[rest]}"


@_says("bonus")
def _bonus(s: _Scene, action: int, rest: str) -> str:
    return f"take the bonus {_BONUSES[rest]}"


@_says("done")
def _done(s: _Scene, action: int, rest: str) -> str:
    pending = s.scene["pending"]
    if not pending:
        return "play no endgame card" if s.game.phase == "end_of_round" else "do nothing more"
    return f"leave it at that ({frame_text(pending[-1])})"


# -- cards -----------------------------------------------------------------------------------------


@_says("refresh")
def _refresh(s: _Scene, action: int, rest: str) -> str:
    return f"replace the cards of row {rest} of the draft area"


@_says("take")
def _take(s: _Scene, action: int, rest: str) -> str:
    row, column = _row_column(rest)
    at = s.own["donkey"]
    card = s.scene["draft"][row][column]
    price = abs(row - at[0]) + abs(column - at[1]) if at else 0
    costs = f"for {price} perra gorda" if price else "for nothing"
    return f"take {s.card(card)} {costs} ({_in_short(s, card)})"


@_says("play")
def _play(s: _Scene, action: int, rest: str) -> str:
    return f"play {s.card(rest)} ({_in_short(s, rest)})"


def _in_short(s: _Scene, card: str) -> str:
    return f"playing it costs {cost_text(s.box, card)}; {content_text(s.box, card)}"


@_says("slot")
def _slot(s: _Scene, action: int, rest: str) -> str:
    card = s.scene["pending"][-1]["card"]
    printed = "wheel" if type_of(s.box, card) == v.WHEEL else "esparto"
    gives = ACTION_WORDS[s.names[f"{printed}_space_action"][int(rest)]]
    return f"put {s.card(card)} on space {rest} (printed there: {gives})"


# -- pottery ---------------------------------------------------------------------------------------


@_says("clay")
def _clay(s: _Scene, action: int, rest: str) -> str:
    return f"extract {rest} clay"


@_says("throw")
def _throw(s: _Scene, action: int, rest: str) -> str:
    wheel = s.own["wheels"][int(rest)]
    code = s.box.card_code(wheel["card"])
    step = int(wheel["vase"])
    spaces = int(s.names["card_spaces"][code])
    gives = effect_text(s.names["card_effect"][code][step])
    return f"move the vase of {s.card(wheel['card'])} to space {step + 1} of {spaces}: {gives}"


@_says("shape")
def _shape(s: _Scene, action: int, rest: str) -> str:
    return f"shape {listed(piece_text(v.PIECES.index(name)) for name in rest.split('+'))}"


@_says("fire")
def _fire(s: _Scene, action: int, rest: str) -> str:
    return f"move {piece_text(v.PIECES.index(rest))} from the drying area to a firing kiln"


@_says("glaze")
def _glaze(s: _Scene, action: int, rest: str) -> str:
    part = s.own["workshops"][int(rest)]
    piece = piece_text(v.PIECES.index(part["piece"]), 1)
    return f"move {piece} from {s.card(part['card'])} to a glaze kiln"


@_says("paint")
def _paint(s: _Scene, action: int, rest: str) -> str:
    name = rest.partition("@")[0]
    card = s.own["workshops"][_workshop(rest)]["card"]
    code = s.box.card_code(card)
    options = s.names["card_paint"][code][: int(s.names["card_paint_options"][code])]
    price = " or ".join(amounts_text([0, int(glaze), 0, int(crack)]) for glaze, crack in options)
    return f"paint {piece_text(v.PIECES.index(name))} in {s.card(card)} for {price}"


@_says("pay")
def _pay(s: _Scene, action: int, rest: str) -> str:
    return "pay with glazes" if rest == "glaze" else "pay with cracks"


@_says("clean")
def _clean(s: _Scene, action: int, rest: str) -> str:
    if rest == "supply":
        return "return a crack to the supply"
    part = s.own["cleanup"][int(rest)]
    spaces = int(s.names["card_spaces"][s.box.card_code(part["card"])])
    return f"put a crack on {s.card(part['card'])} ({part['cracks']} of {spaces} there)"


@_says("reward")
def _reward(s: _Scene, action: int, rest: str) -> str:
    card = s.own["cleanup"][int(rest)]["card"]
    return f"take the reward of {s.card(card)} ({content_text(s.box, card)})"


@_says("esparto")
def _esparto(s: _Scene, action: int, rest: str) -> str:
    space, which = map(int, rest.split(":"))
    card = s.own["esparto"][space]
    effect = s.names["card_effect"][s.box.card_code(card)][which]
    return f"collect {effect_text(effect)} from {s.card(card)}"


# -- the rest --------------------------------------------------------------------------------------


@_says("track")
def _track(s: _Scene, action: int, rest: str) -> str:
    price = int(s.names["track_pg"][s.game.num_players][int(rest)])
    words = f"gain {price} perra gorda" if price > 0 else f"pay {-price} perra gorda"
    return f"take space {rest} of the right track: {words if price else 'free'}"


@_says("gain")
def _gain(s: _Scene, action: int, rest: str) -> str:
    return f"take {_SUPPLIES[rest]}"


@_says("shop")
def _shop(s: _Scene, action: int, rest: str) -> str:
    return f"take {_SUPPLIES[rest]} for a craftswoman returned to the closed shop"


@_says("score")
def _score(s: _Scene, action: int, rest: str) -> str:
    return f"play {endgame_text(action - A_SCORE)} face down"


def choice_text(game: Game, action: int) -> str:
    """What one legal action means."""
    return _text(_Scene(game), action)
