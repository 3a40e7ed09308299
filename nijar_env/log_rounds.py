"""One event of a game as one line of its log: setup, rounds and scoring (§4, §7.1, §10, §11).

Each function tells one kind of event, as in `log_lines`.
"""

from __future__ import annotations

from .components.vocabulary import MARKET_ROWS, PIECES
from .core import constants as k
from .log_words import (
    ACTION_WORDS,
    BONUS_WORDS,
    Line,
    Reader,
    amounts_text,
    card_text,
    column_text,
    counted,
    craftswomen_text,
    deck_text,
    deed,
    endgame_text,
    market_text,
    piece_text,
    tells,
)

# -- setup (§4) -----------------------------------------------------------------------------------


@tells(k.EV_TILES)
def _tiles(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    codes = [[action for action in r.box.record[0]["tile_action"][t] if action] for t in (b, c, d)]
    names = [" or ".join(ACTION_WORDS[action] for action in tile) for tile in codes]
    return Line(f"action tiles of row {a}: {', '.join(names)}")


@tells(k.EV_BONUS_TILE)
def _bonus_tile(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    tail = f"{column_text(a)} {BONUS_WORDS[b]}"
    return Line(f"bonus tiles: {tail}", "bonus", "bonus", tail, listing=True)


@tells(k.EV_SPECIAL_TILES)
def _special_tiles(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    return Line(
        f"Special Action: {BONUS_WORDS[-1]} (printed), {BONUS_WORDS[a]} and {BONUS_WORDS[b]}"
    )


@tells(k.EV_DEMAND)
def _demand(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    parts = [f"{piece} {n}" for piece, n in zip(PIECES, (b, c, d), strict=True)]
    return Line(f"demand of round {a}: {', '.join(parts)}")


@tells(k.EV_COMBINATION)
def _combination(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    amounts = amounts_text(r.box.record[0]["start_resources"][c].tolist())
    card = r.box.start_resource_ids[c]
    return Line(f"combination {a}: {card_text(r.box, b)}, resources {card} ({amounts})")


@tells(k.EV_DEALT)
def _dealt(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    card = card_text(r.box, a) if r.sees(p) else deck_text(r.box, a)
    key = ("dealt", p)
    return Line(f"{r.who(p)} is dealt {card}", key, key, card, listing=True)


@tells(k.EV_DEALT_ENDGAME)
def _dealt_endgame(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    card = endgame_text(a) if r.sees(p) else "an endgame card"
    key = ("dealt", p)
    return Line(f"{r.who(p)} is dealt {card}", key, key, card, listing=True)


@tells(k.EV_START)
def _start(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    resources = r.box.start_resource_ids[b]
    return deed(r, p, f"takes {card_text(r.box, a)} and resources {resources}")


# -- rounds, market and turns (§7) ----------------------------------------------------------------


@tells(k.EV_ROUND)
def _round(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    return Line(f"-- round {a} --" if a else "-- setup --", mark=True)


@tells(k.EV_MARKET)
def _market(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    parts = [f"{x} on {market_text(r.box, n)}" for x, n in zip(PIECES, (a, b, c), strict=True)]
    return Line(f"market markers after demand: {', '.join(parts)}")


@tells(k.EV_DICE)
def _dice(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    return Line(f"{r.who(p)} rolls {a}, {b} and {c}")


@tells(k.EV_RAISED)
def _raised(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    top = ", the top" if d == MARKET_ROWS - 1 else ""
    text = f"{PIECES[a]} (demand {c}) gets the {b} and rises to {market_text(r.box, d)}{top}"
    return Line(text)


@tells(k.EV_TURN)
def _turn(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    state = "shop closed" if b else f"{craftswomen_text(a)} at hand"
    return Line(f"- {r.who(p)}, {state}", mark=True)


# -- end of round and scoring (§10, §11) ----------------------------------------------------------


@tells(k.EV_END_OF_ROUND)
def _end_of_round(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    text = "all craftswomen come home, one of each seat goes to the box, shops open"
    return Line(f"-- end of round {a}: {text} --", mark=True)


@tells(k.EV_PLAYED_ENDGAME)
def _played_endgame(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    card = endgame_text(a) if r.sees(p) else "an endgame card"
    return deed(r, p, f"plays {card} face down")


@tells(k.EV_TURN_ORDER)
def _turn_order(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    return Line(f"turn order: {', '.join(r.who(seat) for seat in (a, b, c, d) if seat >= 0)}")


@tells(k.EV_SCORING)
def _scoring(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    return Line("-- endgame scoring --", mark=True)


@tells(k.EV_PIECE_LEFT)
def _piece_left(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    piece = piece_text(a, b)
    key = ("left", p)
    return Line(f"{r.who(p)} sells what it has left: {piece}", key, key, piece, listing=True)


@tells(k.EV_SCORED_CARD)
def _scored_card(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    return deed(r, p, f"scores {endgame_text(a)}" + ("" if b else ", which is worth nothing"))


@tells(k.EV_HOLDINGS)
def _holdings(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    cards = counted(c, "kind of esparto card", "kinds of esparto card")
    cracks = counted(b, "crack", "cracks")
    return Line(f"{r.who(p)} has {cards}, {cracks} and {a} resources left")


@tells(k.EV_RESULT)
def _result(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    seats = max(r.num_players, 2)
    scores = (a, b, c, d)[:seats]
    text = ", ".join(f"{r.who(seat)} {vp} VP" for seat, vp in enumerate(scores))
    tie = " by turn order" if scores.count(max(scores)) > 1 else ""
    return Line(f"-- {r.who(p)} wins{tie}: {text} --", mark=True)
