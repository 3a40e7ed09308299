"""The part of the text board that belongs to seats: workshops, hands, the Competition, the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from .components import vocabulary as v
from .render_words import (
    View,
    content_text,
    cost_text,
    heading,
    paint_text,
    reward_text,
    sides_text,
    spaces_of,
    title_text,
    type_of,
    wrapped,
)

_NONE = "-"


def _pieces(counts: dict[str, int]) -> str:
    return " ".join(f"{piece} {n}" for piece, n in counts.items() if n) or _NONE


def _place(space: Sequence[int] | None) -> str:
    return f"{space[0]},{space[1]}" if space else _NONE


def _shop(part: dict[str, Any]) -> str:
    away = f" ({part['shop_craftswomen']} craftswomen)" if part["shop_craftswomen"] else ""
    return f"shop {part['shop']}{away}"


def _wheel(view: View, k: int, wheel: dict[str, Any] | None) -> str:
    if wheel is None:
        action = view.box.record[0]["wheel_space_action"][k]
        return f"{k}: empty ({v.EFFECT_ACTIONS[action] or _NONE})"
    if wheel["vase"] == "done":
        return f"{k}: {wheel['card']} done"
    spaces = spaces_of(view.box, wheel["card"])
    shown = [f">{name}" if i == wheel["vase"] else name for i, name in enumerate(spaces)]
    return f"{k}: {wheel['card']} {wheel['vase']}/{len(spaces)} [{' '.join(shown)}]"


def _esparto(view: View, k: int, card: str | None) -> str:
    if card is None:
        action = view.box.record[0]["esparto_space_action"][k]
        return f"{k}: empty ({v.EFFECT_ACTIONS[action] or _NONE})"
    return f"{k}: {card} ({reward_text(view.box, card)})"


def _cleanup(view: View, k: int, part: dict[str, Any]) -> str:
    spaces = view.box.record[0]["card_spaces"][view.box.card_code(part["card"])]
    reward = reward_text(view.box, part["card"])
    return f"{k}: {part['card']} {part['cracks']}/{spaces} ({reward})"


def _row(view: View, holders: list[dict[str, Any]], *, prices: bool = False) -> list[str]:
    """A row of kilns or workshops with what is in them, and the icon at its open end."""
    items = []
    for k, holder in enumerate(holders):
        price = f" ({paint_text(view.box, holder['card'])})" if prices else ""
        items.append(f"{k}: {holder['card']}{price} {holder['piece'] or _NONE}")
    if view.box.side_icons == "junction":
        items.append(f"open side: {sides_text(view.box, holders[-1]['card']).split(' <> ')[1]}")
    return items


def _hand_items(view: View, seat: int, player: dict[str, Any]) -> Iterator[str]:
    """What is known of a hand: cards everybody saw, the others by their backs."""
    dealt = Counter(player["hand_dealt"])
    known = Counter(player["hand"]) - (Counter() if view.sees(seat) else dealt)
    yield from (f"{card} x{n}" if n > 1 else card for card, n in sorted(known.items()))
    if not view.sees(seat):
        decks = Counter(v.TYPE_DECK[type_of(view.box, card)] for card in dealt.elements())
        yield from (f"{n} unseen of deck {deck}" for deck, n in sorted(decks.items()))
    if not player["hand"]:
        yield "no cards"


def _endgame_items(view: View, seat: int, player: dict[str, Any]) -> Iterator[str]:
    """Endgame cards; what others hold, have played or discarded only by number (§10.2, §11.2)."""
    scored = view.scene["phase"] == "finished"
    for name in ("hand", "played", "discarded"):
        cards = player[f"endgame_{name}"]
        known = view.sees(seat) or (scored and name == "played")
        yield f"{name}: {' '.join(cards) or 0 if known else len(cards)}"


def player_lines(view: View, seat: int) -> list[str]:
    """A player's workshop and hand."""
    scene, player = view.scene, view.scene["players"][seat]
    marks = [
        *(["you"] if view.viewer == seat else []),
        *(["to act"] if scene["current_player"] == seat else []),
        *(["whose turn it is"] if scene["turn_player"] == seat else []),
    ]
    notes = f" ({', '.join(marks)})" if marks else ""
    steps = view.box.record[0]["tech_steps"][player["technology"]]
    goods = (
        f"craftswomen {player['craftswomen']}",
        _shop(player),
        f"perra gorda {player['pg']}",
        f"glazes {player['glaze']}",
        f"clay {player['clay']}/{v.CLAY_CAP}",
        f"cracks {player['cleaning_area']}/{v.CLEANING_CAP}",
        f"technology {player['technology']} (steps {steps})",
        f"donkey {_place(player['donkey'])}",
    )
    return [
        heading(f"P{seat}{notes}: {player['vp']} VP"),
        *wrapped("", goods),
        *wrapped("wheels", (_wheel(view, k, part) for k, part in enumerate(player["wheels"]))),
        *wrapped("esparto", (_esparto(view, k, card) for k, card in enumerate(player["esparto"]))),
        *wrapped("cleanup", (_cleanup(view, k, part) for k, part in enumerate(player["cleanup"]))),
        *wrapped("drying", (_pieces(player["drying"]), f"sold: {_pieces(player['sold'])}")),
        *wrapped("firing", _row(view, player["firing_kilns"])),
        *wrapped("workshops", _row(view, player["workshops"], prices=True)),
        *wrapped("glaze kilns", _row(view, player["glaze_kilns"])),
        *wrapped("hand", _hand_items(view, seat, player)),
        *wrapped("endgame", _endgame_items(view, seat, player)),
    ]


def hand_lines(view: View, seat: int) -> list[str]:
    """The cards of a hand that the viewer sees, with what they cost and do."""
    cards = Counter(view.scene["players"][seat]["hand"])
    lines = [heading(f"hand of P{seat}")] if cards else []
    for card, n in sorted(cards.items()):
        copies = f"x{n}" if n > 1 else ""
        title = f"{title_text(view.box, card)} {copies}".ljust(20)
        lines.append(f"{title} {cost_text(view.box, card):16} {content_text(view.box, card)}")
    return lines


def competition_lines(view: View) -> list[str]:
    """§12: the Competition, its pieces and what is open of its cards (§12.10, ruling P21)."""
    scene, part = view.scene, view.scene["competition"]
    cards = view.box.record[0]
    state = (f"craftswomen {part['craftswomen']}", _shop(part), f"donkey {_place(part['donkey'])}")
    pieces = [f"{piece} {state or _NONE}" for piece, state in part["pieces"].items()]
    lines = [
        heading(f"Comp, the Competition ({scene['difficulty']}): {part['vp']} VP"),
        *wrapped("", state),
        *wrapped("pieces", (*pieces, f"sold: {_pieces(part['sold'])}")),
    ]
    if part["revealed"]:
        shown = part["revealed"] if scene["difficulty"] == "expert" else part["revealed"][-1:]
        lines += wrapped(
            "cards", (f"{len(part['revealed'])} revealed", f"top last: {' '.join(map(str, shown))}")
        )
    if scene["phase"] != "setup" and part["deck"]:
        back = cards["comp_piece"][part["deck"][0] - 1]
        rows = (
            f"round {i + 1}: {' '.join(v.PIECES[piece] for piece in row if piece >= 0)}"
            for i, row in enumerate(back)
        )
        lines += wrapped("next back", rows)
    return lines


def result_lines(view: View, winner: int | None) -> list[str]:
    """VP by source once the game is over (§11)."""
    seats = [*view.scene["players"]]
    if view.num_players == 1:
        seats.append(view.scene["competition"])
    lines = [heading(f"the game is over: {view.who(winner)} wins")]
    for seat, part in enumerate(seats):
        sources = (f"{name} {n}" for name, n in part["vp_from"].items())
        lines += wrapped(f"{view.who(seat)} {part['vp']:>3} VP", sources)
    return lines
