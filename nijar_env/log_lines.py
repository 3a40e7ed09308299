"""One event of a game as one line of its log: what players do (§4-§11).

Each function tells one kind of event: (reader, seat, a, b, c, d) to a line, or None where another
event tells it. What a, b, c and d are stands in `core.constants.EVENTS`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from .components.vocabulary import CLAY, MAX_TECHNOLOGY, PIECES, WHEEL
from .core import constants as k
from .core.catalogue import BLOCKS
from .log_words import (
    ACTION_WORDS,
    BONUS_WORDS,
    SOURCE_WORDS,
    Line,
    Reader,
    amount_text,
    card_text,
    consequence,
    craftswomen_text,
    deed,
    effect_text,
    endgame_text,
    listed,
    market_text,
    piece_text,
    place_text,
    space_text,
    tells,
)

# -- choices: told where no event of their own tells what was done --------------------------------


# The block of every action number, and its place in the block.
_PLACES: Final = tuple((block, i) for block, names in BLOCKS for i in range(len(names)))
_CHOICES: Final[dict[str, Callable[[int], str]]] = {
    "keep": lambda i: "keeps the dice",
    "reroll": lambda i: "rolls the dice once more",
    "action": lambda i: f"chooses the action {ACTION_WORDS[i + 1]}",
    "bonus": lambda i: f"takes the bonus {BONUS_WORDS[i]}",
    "clay": lambda i: f"extracts {i + 1} clay",
    "gain": lambda i: f"chooses {('perra gorda', 'glazes')[i]}",
    "shop": lambda i: (
        f"chooses {('clay', 'perra gorda', 'glazes')[i]} for a craftswoman sent to its closed shop"
    ),
}
_NOTHING_MORE: Final = "leaves the rest"
_DONE: Final = {
    -1 - k.PHASE_TURNS: "takes no bonus",
    -1 - k.PHASE_END_OF_ROUND: "plays no endgame card",
    k.F_PLACEMENT: "leaves the rest of the placement",
    k.F_SPECIAL: "leaves the rest of the Special Action",
    k.F_SIDES: "takes no more side icons",
    k.F_ANY_ACTION: "takes no action",
    k.F_BONUS: "takes no bonus",
    k.F_SELL: "sells no more",
    k.F_GAIN: "takes neither perra gorda nor glazes",
    k.F_ACQUIRE: "ends the Acquire, its donkey staying",
    k.F_PLAY: "plays no card",
    k.F_CLAY: "extracts no clay",
    k.F_THROW: "throws no more",
    k.F_SHAPE: "shapes nothing",
    k.F_FIRE: "fires no more",
    k.F_PAINT: "paints no more",
    k.F_CLEAN: "cleans no more",
    k.F_REWARDS: "takes no more rewards",
    k.F_ESPARTO: "collects no more",
    k.F_TRACK: "takes no space of the first-player track",
}


@tells(k.EV_CHOICE)
def _choice(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line | None:
    block, place = _PLACES[a]
    if block == "done":
        return deed(r, p, _DONE.get(b, _NOTHING_MORE))
    return deed(r, p, _CHOICES[block](place)) if block in _CHOICES else None


# -- resources and VP (§5) ------------------------------------------------------------------------


@tells(k.EV_GAIN)
def _gain(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    why = "clay is full" if a == CLAY else "the supply is empty"
    return consequence(r, p, "gains", amount_text(a, b) + (f" ({c} lost: {why})" if c else ""))


@tells(k.EV_PAY)
def _pay(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    return consequence(r, p, "pays", amount_text(a, b))


_SCORING_SOURCES: Final = (
    k.VP_PIECES_LEFT,
    k.VP_SET,
    k.VP_CRACKS,
    k.VP_TOKEN,
    k.VP_RESOURCES,
)


@tells(k.EV_VP)
def _vp(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    verb, what = "gains" if a > 0 else "loses", f"{abs(a)} VP ({SOURCE_WORDS[b]})"
    return deed(r, p, f"{verb} {what}") if b in _SCORING_SOURCES else consequence(r, p, verb, what)


# -- turns (§7.2) ---------------------------------------------------------------------------------


@tells(k.EV_PLACED)
def _placed(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    text = f"places {craftswomen_text(c)} on {space_text(a, b)}"
    if d >= 0:
        text += f", one more than {r.whose(d)} {c - 1}"
    return deed(r, p, text)


@tells(k.EV_PLACED_SPECIAL)
def _placed_special(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    return deed(r, p, "places a craftswoman on the Special Action")


@tells(k.EV_RETURNED)
def _returned(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    where = "stand on its closed shop" if b else "are at hand again"
    if a == 1:
        where = "stands on its closed shop" if b else "is at hand again"
    return Line(f"{r.whose(p)} {craftswomen_text(a)} {where}", opens=p)


@tells(k.EV_CLOSED)
def _closed(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    return deed(r, p, "closes its shop")


@tells(k.EV_SOLD)
def _sold(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    piece = piece_text(a, b)
    what = f"has {piece} and sells it" if r.is_competition(p) else f"sells {piece}"
    return deed(r, p, f"{what}, leaving its marker on {market_text(r.box, d)}")


@tells(k.EV_DISCARDED_ENDGAME)
def _discarded_endgame(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    card = endgame_text(a) if r.sees(p) else "an endgame card"
    return deed(r, p, f"discards {card} for any action")


# -- cards (§8.1, §8.2) ---------------------------------------------------------------------------


@tells(k.EV_TOOK)
def _took(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    free = "" if d else ", free of charge"
    return deed(r, p, f"takes {card_text(r.box, a)} from {place_text(b, c)}{free}")


@tells(k.EV_REFRESHED)
def _refreshed(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    text = f"shuffles the available cards of row {a} into their deck"
    return Line(f"{r.who(p)} {text}", opens="cards back")


@tells(k.EV_CARD_RETURNED)
def _card_returned(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    tail = f"{card_text(r.box, c)} of column {b}"
    return Line(f"{tail} goes back", joins="cards back", opens="cards back", tail=tail)


@tells(k.EV_DONKEY)
def _donkey(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    place = f"{place_text(a, b)} ({card_text(r.box, c)})"
    return Line(f"{r.whose(p)} donkey goes to {place}", joins="donkey", tail=place)


@tells(k.EV_REFILLED)
def _refilled(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    tail = f"column {b} {card_text(r.box, c)}"
    key = ("refilled", a)
    return Line(f"new cards in row {a} of the draft area: {tail}", key, key, tail, listing=True)


@tells(k.EV_PLAYED)
def _played(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    return deed(r, p, f"plays {card_text(r.box, a)}")


@tells(k.EV_SLOTTED)
def _slotted(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    wheel = r.box.record[0]["card_type"][a] == WHEEL
    field, word = ("wheel_space_action", "wheel") if wheel else ("esparto_space_action", "esparto")
    action = ACTION_WORDS[r.box.record[0][field][b]]
    return deed(r, p, f"lays {card_text(r.box, a)} on {word} space {b}, which gives {action}")


@tells(k.EV_SIDES)
def _sides(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    return deed(r, p, f"gets the side icons {ACTION_WORDS[a]} and {ACTION_WORDS[b]}")


# -- clay, wheels, pieces and cracks (§8.3-8.11) --------------------------------------------------


@tells(k.EV_TECHNOLOGY)
def _technology(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    return deed(r, p, f"moves its technology marker to space {a} of {MAX_TECHNOLOGY}")


@tells(k.EV_VASE)
def _vase(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    benefit = effect_text(r.box.record[0]["card_effect"][a, b - 1])
    text = f"moves the vase of {card_text(r.box, a)} to space {b} of {c}, which gives {benefit}"
    return deed(r, p, text)


@tells(k.EV_WHEEL_COMPLETE)
def _wheel_complete(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    return deed(r, p, f"completes {card_text(r.box, a)}")


@tells(k.EV_SHAPED)
def _shaped(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    if a == b:
        return deed(r, p, f"shapes two {PIECES[a]}s")
    return deed(r, p, f"shapes {listed(piece_text(piece) for piece in (a, b) if piece >= 0)}")


@tells(k.EV_FIRED)
def _fired(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    return deed(r, p, f"fires {piece_text(a)} in {card_text(r.box, b)}")


@tells(k.EV_GLAZE_FIRED)
def _glaze_fired(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    places = f"from {card_text(r.box, c)} in {card_text(r.box, b)}"
    return deed(r, p, f"fires {piece_text(a, 1)} {places}")


@tells(k.EV_PAINTED)
def _painted(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    return deed(r, p, f"paints {piece_text(a)} in {card_text(r.box, b)}")


@tells(k.EV_CLEANED)
def _cleaned(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    if a < 0:
        return deed(r, p, "cleans a crack straight to the supply")
    spaces = r.box.record[0]["card_spaces"][a]
    return deed(r, p, f"cleans a crack onto {card_text(r.box, a)} ({b} of {spaces})")


@tells(k.EV_CLEANUP_COMPLETE)
def _cleanup_complete(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    card = card_text(r.box, a)
    return deed(r, p, f"completes {card}, whose cracks go to the supply")


@tells(k.EV_REWARD)
def _reward(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    reward = effect_text(r.box.record[0]["card_effect"][a, 0])
    return deed(r, p, f"takes the reward of {card_text(r.box, a)}, {reward}")


@tells(k.EV_COLLECTED)
def _collected(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    reward = effect_text(r.box.record[0]["card_effect"][a, c])
    return deed(r, p, f"collects {reward} from {card_text(r.box, a)} on space {b}")


@tells(k.EV_TRACK)
def _track(r: Reader, p: int, a: int, b: int, c: int, d: int) -> Line:
    return deed(r, p, f"takes space {a} of the first-player track")
