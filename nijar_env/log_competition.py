"""One event of the Competition as one line of the log: what it does and why (§12)."""

from __future__ import annotations

from .components.vocabulary import DONKEY_MOVE, DONKEY_STAY
from .core import constants as k
from .log_words import (
    Line,
    Reader,
    card_text,
    craftswomen_text,
    deed,
    direction_text,
    draft_text,
    listed,
    piece_text,
    space_text,
    tells,
)

PLAYER = 0


def donkey_icon(r: Reader, card: int) -> str:
    """The donkey icon of a Competition card in words (§12.5.2)."""
    icon = r.box.record[0]["comp_donkey"][card]
    if icon == DONKEY_STAY:
        return "donkey stays"
    one, other = (direction_text(offset) for offset in r.box.record[0]["comp_direction"][card])
    if icon == DONKEY_MOVE:
        return f"donkey moves {one} {r.whose(PLAYER)}, else {other} it"
    return f"the cards {one} and {other} its donkey go"


@tells(k.EV_COMP_REVEAL)
def _reveal(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    if b:
        return deed(r, p, f"turns up card {a + 1} to place its donkey: {donkey_icon(r, a)}")
    row, column = (int(n) for n in r.box.record[0]["comp_space"][a])
    return deed(r, p, f"turns up card {a + 1}: {space_text(row, column)}; {donkey_icon(r, a)}")


@tells(k.EV_COMP_PLACE_OWN)
def _place_own(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    return deed(r, p, f"has craftswomen of its own on {space_text(a, b)} already")


@tells(k.EV_COMP_PLACE_SHORT)
def _place_short(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    standing = f"{r.who(PLAYER)} has {c - 1} there"
    text = f"needs {craftswomen_text(c)} on {space_text(a, b)}, for {standing}, and has only {d}"
    return deed(r, p, text)


_STAYS = (
    "stays, as its card says",
    "stays: no card lies on either side of {player} donkey",
    "stands there already",
)


@tells(k.EV_COMP_DONKEY_STAYS)
def _donkey_stays(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    return Line(f"{r.whose(p)} donkey {_STAYS[a].format(player=r.whose(PLAYER))}")


@tells(k.EV_COMP_DONKEY)
def _comp_donkey(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    preferred, side = (direction_text(r.box.record[0]["comp_direction"][a, i]) for i in (0, b))
    why = f", no card lying {preferred} it" if b else ""
    text = f"{r.whose(p)} donkey goes {side} {r.whose(PLAYER)}{why}"
    return Line(text, opens="donkey")


@tells(k.EV_COMP_DISCARD)
def _discard(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    side = direction_text(r.box.record[0]["comp_direction"][b, c])
    if a >= 0:
        card = card_text(r.box, a)
        return deed(r, p, f"discards {card} {side} its donkey, from {draft_text(d)}")
    why = f"{r.whose(PLAYER)} donkey stands there" if d else "no card lies there"
    return deed(r, p, f"discards nothing {side} its donkey: {why}")


@tells(k.EV_COMP_BACK)
def _back(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    pieces = listed(piece_text(piece) for piece in (a, b) if piece >= 0)
    return Line(f"the back of the next card shows {pieces} for this round")


_PIECES = (
    "has no {piece} and takes one, unpainted",
    "has an unpainted {piece} and paints it",
    "has no {piece} and finds none to take",
)


@tells(k.EV_COMP_PIECE)
def _piece(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    return deed(r, p, _PIECES[b].format(piece=piece_text(a).removeprefix("a ")))


_IDLE = (
    "does nothing, its shop being closed",
    "has no craftswomen at hand",
    "cannot turn up a card: one must stay face down",
)


@tells(k.EV_COMP_IDLE)
def _idle(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    return deed(r, p, _IDLE[a])
