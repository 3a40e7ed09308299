"""`Game.to_dict`: a record as plain JSON with names (the format is in `scene_format`)."""

from __future__ import annotations

from typing import Any

from .components import Box
from .components import vocabulary as v
from .core.constants import PHASE_FINISHED, PHASE_SETUP, PHASES, STREAMS, VP_SOURCES
from .scene_format import FORMAT
from .scene_pending import write_pending

COMPETITION_PIECES = (None, "unpainted", "painted")


def _listed(counts: Any, names: tuple[str, ...]) -> list[str]:
    return [name for name, count in zip(names, counts, strict=False) for _ in range(count)]


def _pieces(counts: Any) -> dict[str, int]:
    return {piece: int(n) for piece, n in zip(v.PIECES, counts, strict=True)}


def _seat(code: Any) -> int | None:
    return int(code) if code >= 0 else None


def _space(code: Any) -> list[int] | None:
    return list(divmod(int(code), v.DRAFT_COLUMNS)) if code >= 0 else None


def _vp_from(row: Any) -> dict[str, int]:
    return {source: int(n) for source, n in zip(VP_SOURCES, row, strict=True) if n}


def _player(g: Any, p: int, box: Box) -> dict[str, Any]:
    ids = box.card_ids

    def row(cards: Any, pieces: Any, size: int) -> list[dict[str, Any]]:
        return [
            {"card": ids[cards[k]], "piece": v.PIECES[pieces[k]] if pieces[k] >= 0 else None}
            for k in range(size)
        ]

    wheels = [
        None
        if g.wheel[p, k] < 0
        else {
            "card": ids[g.wheel[p, k]],
            "vase": "done" if g.wheel_done[p, k] else int(g.vase[p, k]),
        }
        for k in range(v.WHEEL_SPACES)
    ]
    return {
        "vp": int(g.vp[p]),
        "pg": int(g.pg[p]),
        "glaze": int(g.glaze[p]),
        "clay": int(g.clay[p]),
        "cleaning_area": int(g.cleaning_area[p]),
        "technology": int(g.technology[p]),
        "craftswomen": int(g.craftswomen[p]),
        "shop": "closed" if g.shop_closed[p] else "open",
        "shop_craftswomen": int(g.shop_craftswomen[p]),
        "donkey": _space(g.donkey[p]),
        "hand": _listed(g.hand[p], ids),
        "hand_dealt": _listed(g.hand_dealt[p], ids),
        "endgame_hand": _listed(g.endgame_hand[p], v.ENDGAME_KINDS),
        "endgame_played": _listed(g.endgame_played[p], v.ENDGAME_KINDS),
        "endgame_discarded": _listed(g.endgame_discarded[p], v.ENDGAME_KINDS),
        "wheels": wheels,
        "esparto": [ids[code] if code >= 0 else None for code in g.esparto[p]],
        "cleanup": [
            {"card": ids[g.cleanup[p, k]], "cracks": int(g.cleanup_cracks[p, k])}
            for k in range(g.cleanup_size[p])
        ],
        "firing_kilns": row(g.firing_kiln[p], g.firing_piece[p], g.firing_size[p]),
        "workshops": row(g.workshop[p], g.workshop_piece[p], g.workshop_size[p]),
        "glaze_kilns": row(g.glaze_kiln[p], g.glaze_piece[p], g.glaze_size[p]),
        "drying": _pieces(g.drying[p]),
        "sold": _pieces(g.sold[p]),
        "vp_from": _vp_from(g.vp_from[p]),
    }


def _competition(g: Any) -> dict[str, Any] | None:
    if g.num_players > 1:
        return None
    revealed = int(g.comp_revealed)
    numbers = [int(card) + 1 for card in g.comp_deck]
    return {
        "vp": int(g.vp[1]),
        "craftswomen": int(g.craftswomen[1]),
        "shop": "closed" if g.shop_closed[1] else "open",
        "shop_craftswomen": int(g.shop_craftswomen[1]),
        "donkey": _space(g.donkey[1]),
        "pieces": {piece: COMPETITION_PIECES[g.comp_piece[i]] for i, piece in enumerate(v.PIECES)},
        "sold": _pieces(g.sold[1]),
        "deck": numbers[revealed:],
        "revealed": numbers[:revealed],
        "vp_from": _vp_from(g.vp_from[1]),
    }


def _market(g: Any) -> dict[str, Any]:
    return {
        "demand": {piece: [int(n) for n in g.demand[:, i]] for i, piece in enumerate(v.PIECES)},
        "position": _pieces(g.market),
        "dice": [int(n) for n in g.dice if n],
    }


def _board(g: Any, box: Box) -> dict[str, Any]:
    columns = int((g.bonus >= 0).sum())
    return {
        "tiles": [[list(box.tile_actions[tile]) for tile in row] for row in g.tile],
        "bonuses": [v.BONUSES[bonus] for bonus in g.bonus[:columns]],
        "special_bonuses": [v.BONUSES[bonus] for bonus in g.special_bonus],
        "spaces": [
            [
                {"owner": int(g.space_owner[r, c]), "count": int(g.space_count[r, c])}
                if g.space_count[r, c]
                else None
                for c in range(columns)
            ]
            for r in range(v.BOARD_ROWS)
        ],
        "special": [int(n) for n in g.special[: g.num_seats]],
    }


def write_scene(g: Any, box: Box) -> dict[str, Any]:
    """The scene of a record: everything, hidden things too."""
    ids = box.card_ids
    seats = int(g.num_seats)
    spaces = int(box.record[0]["track_spaces"][g.num_players])
    finished = g.phase == PHASE_FINISHED
    combinations = [
        {"wheel": ids[wheel], "resources": box.start_resource_ids[card]} if wheel >= 0 else None
        for wheel, card in zip(g.combo_wheel, g.combo_resources, strict=True)
    ]
    return {
        "format": FORMAT,
        "box": {"name": box.name, "fingerprint": box.fingerprint},
        "num_players": int(g.num_players),
        "difficulty": v.DIFFICULTIES[g.difficulty] if g.num_players == 1 else None,
        "auto_forced": bool(g.auto_forced),
        "phase": PHASES[g.phase],
        "round": int(g.round_number),
        "turn_order": [int(seat) for seat in g.turn_order[:seats]],
        "first_player_track": [_seat(code) for code in g.track[:spaces]],
        "current_player": None if finished else int(g.current_player),
        "turn_player": None if finished else int(g.turn_player),
        "decisions": int(g.decisions),
        "combinations": combinations[: g.num_players + 1] if g.phase == PHASE_SETUP else [],
        "market": _market(g),
        "board": _board(g, box),
        "draft": [[ids[code] if code >= 0 else None for code in row] for row in g.draft],
        "decks": [
            [ids[code] for code in g.deck[d, : g.deck_size[d]][::-1]] for d in range(v.NUM_DECKS)
        ],
        "deck_seen": _listed(g.deck_seen, ids),
        "discards": _listed(g.discards, ids),
        "supply": {
            "pg": int(g.supply_pg),
            "glaze": int(g.supply_glaze),
            "crack": int(g.supply_crack),
            "vase": int(g.supply_vase),
            **_pieces(g.supply_piece),
        },
        "players": [_player(g, p, box) for p in range(g.num_players)],
        "competition": _competition(g),
        "pending": write_pending(g, box),
        "rng": {
            "seed": int(g.seed),
            "draws": {stream: int(n) for stream, n in zip(STREAMS, g.draws, strict=True)},
        },
    }
