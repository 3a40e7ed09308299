"""The scene format of architecture.md, read and written."""

from __future__ import annotations

from typing import Any

from . import box
from .chance import Chance
from .state import Cleanup, Competition, Holder, Occupied, Player, Space, Table, Wheel

Scene = dict[str, Any]


def read_scene(scene: Scene, chance: Chance) -> Table:
    market, board = scene["market"], scene["board"]
    competition = scene.get("competition")
    return Table(
        chance=chance,
        num_players=scene["num_players"],
        difficulty=scene.get("difficulty"),
        round=scene["round"],
        phase=scene["phase"],
        turn_order=list(scene["turn_order"]),
        first_player_track=list(scene["first_player_track"]),
        turn_player=scene.get("turn_player"),
        combinations=[
            pair and (pair["wheel"], pair["resources"]) for pair in scene.get("combinations") or []
        ],
        demand={piece: list(market["demand"][piece]) for piece in box.PIECES},
        position={piece: market["position"][piece] for piece in box.PIECES},
        dice=list(market.get("dice") or []),
        tiles=[[list(tile) for tile in row] for row in board["tiles"]],
        bonuses=list(board["bonuses"]),
        special_bonuses=list(board["special_bonuses"]),
        spaces=[
            [Occupied(s["owner"], s["count"]) if s else None for s in row]
            for row in board["spaces"]
        ],
        special=list(board["special"]),
        draft=[list(row) for row in scene["draft"]],
        decks=[list(deck) for deck in scene["decks"]],
        discards=list(scene["discards"]),
        supply=dict(scene["supply"]),
        players=[_read_player(player) for player in scene["players"]],
        competition=_read_competition(competition) if competition else None,
    )


def _read_space(space: list[int] | None) -> Space | None:
    return None if space is None else (space[0], space[1])


def _read_wheel(wheel: Scene | None) -> Wheel | None:
    if wheel is None:
        return None
    if wheel["vase"] == "done":
        return Wheel(wheel["card"], len(box.WHEELS[wheel["card"]].spaces), completed=True)
    return Wheel(wheel["card"], wheel["vase"])


def _read_row(row: list[Scene]) -> list[Holder]:
    return [Holder(holder["card"], holder["piece"]) for holder in row]


_NUMBERS = (
    "vp",
    "pg",
    "glaze",
    "clay",
    "cleaning_area",
    "technology",
    "craftswomen",
    "shop_craftswomen",
)
_LISTS = ("hand", "hand_dealt", "endgame_hand", "endgame_played", "endgame_discarded")


def _read_player(player: Scene) -> Player:
    plain: Scene = {name: player[name] for name in _NUMBERS}
    plain |= {name: list(player.get(name) or []) for name in _LISTS}
    return Player(
        **plain,
        shop_open=player["shop"] == "open",
        donkey=_read_space(player["donkey"]),
        wheels=[_read_wheel(wheel) for wheel in player["wheels"]],
        esparto=list(player["esparto"]),
        cleanup=[Cleanup(card["card"], card["cracks"]) for card in player["cleanup"]],
        firing_kilns=_read_row(player["firing_kilns"]),
        workshops=_read_row(player["workshops"]),
        glaze_kilns=_read_row(player["glaze_kilns"]),
        drying=dict(player["drying"]),
        sold=dict(player["sold"]),
    )


def _read_competition(competition: Scene) -> Competition:
    return Competition(
        vp=competition["vp"],
        craftswomen=competition["craftswomen"],
        shop_open=competition["shop"] == "open",
        shop_craftswomen=competition["shop_craftswomen"],
        donkey=_read_space(competition["donkey"]),
        pieces=dict(competition["pieces"]),
        sold=dict(competition["sold"]),
        deck=list(competition["deck"]),
        revealed=list(competition["revealed"]),
    )


def write_scene(table: Table, current_player: int | None) -> Scene:
    """Outside the turns nobody interrupts anybody, so `turn_player` is whoever decides."""
    return {
        "num_players": table.num_players,
        "difficulty": table.difficulty,
        "round": table.round,
        "phase": table.phase,
        "turn_order": list(table.turn_order),
        "first_player_track": list(table.first_player_track),
        "current_player": current_player,
        "turn_player": table.turn_player if table.phase == "turns" else current_player,
        "combinations": [
            pair and {"wheel": pair[0], "resources": pair[1]} for pair in table.combinations
        ],
        "market": {
            "demand": {piece: list(table.demand[piece]) for piece in box.PIECES},
            "position": dict(table.position),
            "dice": list(table.dice),
        },
        "board": {
            "tiles": [[list(tile) for tile in row] for row in table.tiles],
            "bonuses": list(table.bonuses),
            "special_bonuses": list(table.special_bonuses),
            "spaces": [
                [s and {"owner": s.owner, "count": s.count} for s in row] for row in table.spaces
            ],
            "special": list(table.special),
        },
        "draft": [list(row) for row in table.draft],
        "decks": [list(deck) for deck in table.decks],
        "discards": box.sort_cards(table.discards),
        "supply": dict(table.supply),
        "players": [_write_player(player) for player in table.players],
        "competition": table.competition and _write_competition(table.competition),
    }


def _write_space(space: Space | None) -> list[int] | None:
    return None if space is None else list(space)


def _write_wheel(wheel: Wheel | None) -> Scene | None:
    if wheel is None:
        return None
    return {"card": wheel.card, "vase": "done" if wheel.completed else wheel.vase}


def _write_row(row: list[Holder]) -> list[Scene]:
    return [{"card": holder.card, "piece": holder.piece} for holder in row]


def _write_player(player: Player) -> Scene:
    return {
        **{name: getattr(player, name) for name in _NUMBERS},
        "shop": "open" if player.shop_open else "closed",
        "donkey": _write_space(player.donkey),
        "hand": box.sort_cards(player.hand),
        "hand_dealt": box.sort_cards(player.hand_dealt),
        "endgame_hand": box.sort_endgame(player.endgame_hand),
        "endgame_played": box.sort_endgame(player.endgame_played),
        "endgame_discarded": box.sort_endgame(player.endgame_discarded),
        "wheels": [_write_wheel(wheel) for wheel in player.wheels],
        "esparto": list(player.esparto),
        "cleanup": [{"card": card.card, "cracks": card.cracks} for card in player.cleanup],
        "firing_kilns": _write_row(player.firing_kilns),
        "workshops": _write_row(player.workshops),
        "glaze_kilns": _write_row(player.glaze_kilns),
        "drying": dict(player.drying),
        "sold": dict(player.sold),
    }


def _write_competition(competition: Competition) -> Scene:
    return {
        "vp": competition.vp,
        "craftswomen": competition.craftswomen,
        "shop": "open" if competition.shop_open else "closed",
        "shop_craftswomen": competition.shop_craftswomen,
        "donkey": _write_space(competition.donkey),
        "pieces": dict(competition.pieces),
        "sold": dict(competition.sold),
        "deck": list(competition.deck),
        "revealed": list(competition.revealed),
    }
