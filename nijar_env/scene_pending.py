"""Pending frames in scenes: kind, deciding player and named arguments."""

from __future__ import annotations

from typing import Any

from .components import Box
from .components import vocabulary as v
from .components.bounds import pending_bound
from .core import constants as c
from .errors import SceneError

# How an argument is written: as itself, or by the name of what it counts, numbers or holds.
_NUMBER = "number"
_ACTION = "action"
_BONUS = "bonus"
_CARD = "card"
_PIECE = "piece"
_MASK = "mask"
_LIMIT = "limit"  # a number, null = no limit
_MASK_BITS = 16

# Arguments of each kind of frame, in the order of the record (see constants.FRAME_KINDS).
ARGUMENTS: dict[str, tuple[tuple[str, str, int, int], ...]] = {
    "placement": (
        ("row", _NUMBER, 0, 2),
        ("action_owed", _NUMBER, 0, 1),
        ("bonus", _BONUS, 0, 7),
        ("bonuses_owed", _NUMBER, 0, 7),
    ),
    "special": (("owed", _MASK, 1, 7),),
    "sides": (("left", _ACTION, 0, v.NUM_ACTIONS), ("right", _ACTION, 0, v.NUM_ACTIONS)),
    "any_action": (),
    "bonus": (),
    "sell": (("left", _NUMBER, 1, 1),),
    "shop": (("left", _NUMBER, 1, 7),),
    "gain": (),
    "acquire": (
        ("limit", _NUMBER, 1, 7),
        ("taken", _NUMBER, 0, 7),
        ("refreshed", _MASK, 0, 7),
    ),
    "play": (),
    "slot": (("card", _CARD, 0, v.NUM_CARDS - 1),),
    "clay": (),
    "throw": (("left", _NUMBER, 1, 100),),
    "shape": (),
    "fire": (("left", _LIMIT, -1, 1),),
    "paint": (("left", _LIMIT, -1, 1),),
    "pay": (("piece", _PIECE, 0, 2), ("workshop", _NUMBER, 0, v.MAX_ROW - 1)),
    "clean": (("left", _NUMBER, 1, v.MAX_ROW + 1),),
    "rewards": (("owed", _MASK, 1, 2**v.MAX_ROW - 1),),
    "esparto": (("owed", _MASK, 1, 15), ("left", _LIMIT, -1, 1)),
    "track": (),
    "complete_wheel": (("space", _NUMBER, 0, v.WHEEL_SPACES - 1),),
    "competition": (("card", _NUMBER, 0, v.NUM_COMPETITION_CARDS - 1),),
}
assert tuple(ARGUMENTS) == c.FRAME_KINDS


def _named(kind: str, value: int, box: Box) -> Any:
    if kind == _ACTION:
        return v.EFFECT_ACTIONS[value] or None
    if kind == _BONUS:
        return v.BONUSES[value]
    if kind == _CARD:
        return box.card_ids[value]
    if kind == _PIECE:
        return v.PIECES[value]
    if kind == _MASK:
        return [bit for bit in range(_MASK_BITS) if (value >> bit) & 1]
    if kind == _LIMIT and value == c.NO_LIMIT:
        return None
    return value


def write_pending(g: Any, box: Box) -> list[dict[str, Any]]:
    """The frames of a record, bottom first."""
    frames = []
    for kind_code, player, *values in g.frames[: g.depth].tolist():
        kind = c.FRAME_KINDS[kind_code]
        frame: dict[str, Any] = {"kind": kind, "player": player}
        for (name, form, _, _), value in zip(ARGUMENTS[kind], values, strict=False):
            frame[name] = _named(form, value, box)
        frames.append(frame)
    return frames


def _code(form: str, value: Any, box: Box) -> int:
    """The inverse of `_named`; raises ValueError, KeyError or TypeError on anything else."""
    if form == _ACTION:
        return 0 if value is None else v.EFFECT_ACTIONS.index(value)
    if form == _BONUS:
        return v.BONUSES.index(value)
    if form == _CARD:
        return box.card_code(value)
    if form == _PIECE:
        return v.PIECES.index(value)
    if form == _MASK:
        if not all(type(bit) is int and 0 <= bit < _MASK_BITS for bit in value):
            raise ValueError
        return sum(1 << bit for bit in set(value))
    if form == _LIMIT and value is None:
        return c.NO_LIMIT
    if type(value) is not int:
        raise TypeError
    return value


AUTOMATIC = ("complete_wheel", "competition")
# Frames that stay while what they led to is carried out; so does a paint while its price is asked.
BENEATH = (
    "placement",
    "special",
    "sides",
    "throw",
    "rewards",
    "esparto",
    "complete_wheel",
    "competition",
)


def _check_frame(where: str, kind: str, p: int, values: list[int], g: Any, box: Box) -> None:
    """A frame refers to cards and pieces that are there."""
    cards = box.record[0]
    if kind == "slot":
        card = values[0]
        if g.hand[p, card] == 0 or cards["card_type"][card] not in (v.WHEEL, v.ESPARTO):
            raise SceneError(f"{where}.card: no such wheel or esparto card in the player's hand")
    elif kind == "pay":
        piece, workshop = values
        if piece not in g.firing_piece[p, : g.firing_size[p]]:
            raise SceneError(f"{where}.piece: no firing kiln of the player holds it")
        if workshop >= g.workshop_size[p] or g.workshop_piece[p, workshop] >= 0:
            raise SceneError(f"{where}.workshop: the player has no empty workshop {workshop}")
        if cards["card_paint_options"][g.workshop[p, workshop]] != 2:
            raise SceneError(f"{where}.workshop: its card leaves no choice of price")
    elif kind == "rewards" and values[0] >> int(g.cleanup_size[p]):
        raise SceneError(f"{where}.owed: the player has {g.cleanup_size[p]} cleanup cards")
    elif kind == "esparto":
        for k in range(v.ESPARTO_SPACES):
            if (values[0] >> k) & 1 and g.esparto[p, k] < 0:
                raise SceneError(f"{where}.owed: no esparto card lies on space {k}")
    elif kind == "complete_wheel":
        card = g.wheel[p, values[0]]
        done = g.wheel_done[p, values[0]]
        if card < 0 or done or g.vase[p, values[0]] != cards["card_spaces"][card]:
            raise SceneError(f"{where}.space: no vase stands on the last space of that wheel")
    elif kind == "competition" and g.num_players > 1:
        raise SceneError(f"{where}.kind: the Competition plays in solo only")


def read_pending(frames: list[Any], g: Any, box: Box) -> None:
    """Fill the record's stack from a scene; `SceneError` names the frame and argument."""
    most = c.MAX_FRAMES - pending_bound(box.record[0])  # leaves room for all that may follow
    if len(frames) > most:
        raise SceneError(f"pending: at most {most} frames, not {len(frames)}")
    for i, frame in enumerate(frames):
        where = f"pending[{i}]"
        kind = frame.get("kind")
        if not isinstance(kind, str) or kind not in ARGUMENTS:
            raise SceneError(f"{where}.kind: {kind!r} is none of {', '.join(ARGUMENTS)}")
        seat = frame.get("player")
        seats = 2 if kind == "competition" else int(g.num_players)
        if type(seat) is not int or not 0 <= seat < seats:
            raise SceneError(f"{where}.player: {seat!r} is no player of this game")
        arguments = ARGUMENTS[kind]
        extra = set(frame) - {"kind", "player", *(name for name, *_ in arguments)}
        if extra:
            raise SceneError(f"{where}: a {kind} frame has no field {sorted(extra)[0]!r}")
        values = []
        for name, form, low, high in arguments:
            if name not in frame:
                raise SceneError(f"{where}.{name}: missing in a {kind} frame")
            try:
                value = _code(form, frame[name], box)
            except (ValueError, KeyError, TypeError):
                raise SceneError(f"{where}.{name}: {frame[name]!r} is not a {form}") from None
            if not low <= value <= high or (form == _LIMIT and value == 0):
                raise SceneError(f"{where}.{name}: {frame[name]!r} is out of range")
            values.append(value)
        _check_frame(where, kind, seat, values, g, box)
        g.frames[i, : 2 + len(values)] = [c.FRAME_KINDS.index(kind), seat, *values]
    g.depth = len(frames)
    if frames and frames[-1]["kind"] in AUTOMATIC:
        raise SceneError(f"pending[{len(frames) - 1}].kind: this frame resolves by itself")


def check_stack(g: Any, box: Box) -> None:
    """The frames of a record fit each other, the turn and the board (see `frames`)."""
    kinds = [c.FRAME_KINDS[code] for code in g.frames[: g.depth, 0]]
    for i, kind in enumerate(kinds):
        where = f"pending[{i}]"
        p, a, b = (int(value) for value in g.frames[i, 1:4])
        beneath = kind in BENEATH or (kind == "paint" and kinds[i + 1 :] == ["pay"])
        if i + 1 < len(kinds) and not beneath:
            raise SceneError(f"{where}.kind: nothing can be pending above a {kind} frame")
        if i > 0 and kind in ("placement", "special", "competition"):
            raise SceneError(f"{where}.kind: a {kind} frame can only be the first")
        if kind == "shop":
            if p == g.turn_player or not g.shop_closed[p] or a > g.shop_craftswomen[p]:
                raise SceneError(
                    f"{where}: a shop reward is for craftswomen sent home to the closed shop of a "
                    "player whose turn it is not"
                )
        elif p != g.turn_player:
            raise SceneError(f"{where}.player: it is the turn of seat {g.turn_player}")
        if kind == "placement":
            spaces = zip(g.bonus, g.space_owner[a], g.space_count[a], strict=True)
            bonus, owed = g.frames[i, 4:6]
            if not any(tile == bonus and q == p and n >= owed for tile, q, n in spaces):
                raise SceneError(f"{where}: the player has no such craftswomen in row {a}")
        elif kind == "special" and g.special[p] == 0:
            raise SceneError(f"{where}: the player has no craftswoman on the Special Action")
        elif kind == "acquire" and b > a:
            raise SceneError(f"{where}.taken: is more than the limit")
        elif kind == "competition" and (
            kinds[1:] != ["shop"] or g.comp_revealed == 0 or a != g.comp_deck[g.comp_revealed - 1]
        ):
            raise SceneError(
                f"{where}: the Competition's turn waits only for a shop reward, with the card "
                "revealed last"
            )
    _check_completions(g, box)


def _check_completions(g: Any, box: Box) -> None:
    """A full cleanup card waits for the end of its Clean (J04), a vase on the last space for the
    benefit of the space (H07)."""
    spaces = box.record[0]["card_spaces"]
    stack = g.frames[: g.depth].tolist()
    for p in range(g.num_players):
        cleaning = bool(stack) and stack[-1][:2] == [c.F_CLEAN, p]
        for k in range(g.cleanup_size[p]):
            if g.cleanup_cracks[p, k] == spaces[g.cleanup[p, k]] and not cleaning:
                raise SceneError(
                    f"players[{p}].cleanup[{k}].cracks: a full card is emptied when a Clean ends"
                )
        for k in range(v.WHEEL_SPACES):
            if g.wheel[p, k] < 0 or g.wheel_done[p, k]:
                continue
            frames = sum(frame[:3] == [c.F_COMPLETE_WHEEL, p, k] for frame in stack)
            if frames != (g.vase[p, k] == spaces[g.wheel[p, k]]):
                raise SceneError(
                    f'players[{p}].wheels[{k}].vase: a vase at its last space is "done", or has '
                    "one pending complete_wheel frame"
                )
