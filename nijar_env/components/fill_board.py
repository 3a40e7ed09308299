"""Boards, tiles, tracks, supplies, scoring and the Competition: from entries to the record."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from . import sections as s
from . import vocabulary as v
from .notation import (
    listed,
    parse_action,
    parse_cost,
    parse_donkey,
    parse_pieces,
    suggestion,
)
from .reading import Tables

NO_SPACE_ACTION: Final = "none"
SIDE_ICONS: Final = ("junction", "own")
# Bonus tiles in use with one or two, three, four players (§4.1.3): two on the Special Action, one a
# column in use.
_BONUS_PLAYERS: Final = (1, 3, 4)
_BONUS_TILES_USED: Final = (5, 6, 7)
_TILE_BONUSES: Final = v.BONUSES[: v.NUM_BONUS_TILES]  # all but the printed esparto
_UNUSED_SPACE_PG: Final = 0
SOLO: Final = 1


def _rules(tables: Tables, box: Any) -> None:
    name, rules = tables.all(s.RULES)[0]
    if rules.side_icons not in SIDE_ICONS:
        tables.fault(
            s.RULES,
            name,
            "side_icons",
            f"found '{rules.side_icons}'; expected {listed(SIDE_ICONS)}",
        )
        return
    box["own_side_icons"] = SIDE_ICONS.index(rules.side_icons)


def _printed_spaces(tables: Tables, box: Any) -> None:
    """Actions printed on the workshop board (§8.2); spaces 0 are taken from the start."""
    for section, field in (
        (s.WHEEL_SPACES, "wheel_space_action"),
        (s.ESPARTO_SPACES, "esparto_space_action"),
    ):
        for index, (name, space) in enumerate(tables.some(section)):
            if index == 0:
                if space.action != NO_SPACE_ACTION:
                    tables.fault(
                        section,
                        name,
                        "action",
                        f"found '{space.action}'; the first space is taken from the start, "
                        "expected 'none'",
                    )
                continue
            action = tables.parse(section, name, "action", space.action, parse_action)
            if action is not None:
                box[field][index] = action


def _action_tiles(tables: Tables, box: Any) -> None:
    where: dict[int, list[int]] = {}
    section = s.ACTION_TILES
    faults = len(tables.faults)
    for index, (name, tile) in enumerate(tables.all(section)):
        for place, text in enumerate(tile.actions):
            field = f"actions number {place + 1}"
            action = tables.parse(section, name, field, text, parse_action)
            if action is None:
                continue
            if index in where.setdefault(action, []):
                tables.fault(section, name, field, f"found '{text}' twice on one tile; keep one")
            where[action].append(index)
            box["tile_action"][index, place] = action
    if len(tables.faults) > faults:
        return
    for action in range(1, v.NUM_ACTIONS + 1):
        word, tiles = v.EFFECT_ACTIONS[action], where.get(action, [])
        if not tiles:
            tables.fault(section, "[[tile]]", "actions", f"no tile has '{word}'; add it to one")
        elif action in (v.ACT_PLAY, v.ACT_FIRST_PLAYER) and len(tiles) != 1:
            tables.fault(
                section,
                "[[tile]]",
                "actions",
                f"found '{word}' on {len(tiles)} tiles, expected exactly one; the set-up places "
                "tiles by it",
            )
    if where.get(v.ACT_PLAY) and where.get(v.ACT_PLAY) == where.get(v.ACT_FIRST_PLAYER):
        tables.fault(
            section,
            f"tile number {where[v.ACT_PLAY][0] + 1}",
            "actions",
            "found 'play' and 'first_player' on one tile; with two or more players they may not "
            "stand in one row, put them on two tiles",
        )


def _bonus_tiles(tables: Tables, box: Any) -> None:
    section = s.BONUS_TILES
    seen: set[str] = set()
    faults = len(tables.faults)
    for index, (name, tile) in enumerate(tables.all(section)):
        if tile.bonus not in _TILE_BONUSES:
            tables.fault(
                section,
                name,
                "bonus",
                f"found '{tile.bonus}'; expected {listed(_TILE_BONUSES)}"
                f"{suggestion(tile.bonus, _TILE_BONUSES)}",
            )
        elif tile.bonus in seen:
            tables.fault(
                section, name, "bonus", f"found '{tile.bonus}' on a second tile; each is on one"
            )
        else:
            box["bonus_tile"][index] = v.BONUSES.index(tile.bonus)
        if tile.players not in _BONUS_PLAYERS:
            tables.fault(
                section,
                name,
                "players",
                f"found {tile.players}; expected {listed(map(str, _BONUS_PLAYERS))} "
                "(1 = in use with any number)",
            )
        else:
            box["bonus_tile_players"][index] = tile.players
        seen.add(tile.bonus)
    if len(tables.faults) > faults:
        return
    for players, expected in zip(_BONUS_PLAYERS, _BONUS_TILES_USED, strict=True):
        used = int((box["bonus_tile_players"] <= players).sum())
        if used != expected:
            tables.fault(
                section,
                "[[tile]]",
                "players",
                f"found {used} tiles in use with {max(players, 2)} players, expected {expected}",
            )


def _bonus_amounts(tables: Tables, box: Any) -> None:
    amounts = tables.one(s.BONUS_AMOUNTS)
    box["bonus_clay"] = amounts.clay
    box["bonus_supply"] = (amounts.pg, amounts.glaze)


def _market(tables: Tables, box: Any) -> None:
    track = tables.one(s.MARKET)
    box["market_vp"] = (track.unpainted, track.painted)


def _market_start(tables: Tables, box: Any) -> None:
    start = tables.one(s.MARKET_START)
    box["market_start"][SOLO:] = (
        start.solo,
        start.two_players,
        start.three_players,
        start.four_players,
    )


def _demand(tables: Tables, box: Any) -> None:
    name, demand = tables.all(s.DEMAND)[0]
    if demand.values != sorted(demand.values, reverse=True):
        tables.fault(
            s.DEMAND,
            name,
            "values",
            f"found {demand.values}; expected the highest first, since the highest die goes to it",
        )
    box["demand"] = demand.values


def _first_player_track(tables: Tables, box: Any) -> None:
    for _, track in tables.some(s.TRACKS):
        if not SOLO <= track.players <= v.MAX_PLAYERS:
            continue  # reported already: the numbers of players are fixed
        if len(track.pg) != track.players:
            tables.fault(
                s.TRACKS,
                f"track for {track.players}",
                "pg",
                f"found {len(track.pg)} spaces, expected {track.players}: one for each player",
            )
            continue
        spaces = list(track.pg)
        if track.players == SOLO:  # the Competition's marker lies on the second space (§12.7)
            spaces.append(_UNUSED_SPACE_PG)
        box["track_spaces"][track.players] = len(spaces)
        box["track_pg"][track.players, : len(spaces)] = spaces


def _craftswomen(tables: Tables, box: Any) -> None:
    rounds = tables.one(s.CRAFTSWOMEN).rounds
    if len(rounds) == v.NUM_ROUNDS:
        box["craftswomen"][1:] = rounds


def _shop(tables: Tables, box: Any) -> None:
    shop = tables.one(s.SHOP_CARD)
    box["shop_reward"] = (shop.clay, shop.pg, shop.glaze)


def _workshop_prices(tables: Tables, box: Any) -> None:
    for _, clay in tables.some(s.EXTRACT_CLAY):
        box["clay_price"][1:] = clay.prices
    for _, technology in tables.some(s.TECHNOLOGY):
        box["tech_steps"][1:] = technology.steps
        box["tech_vp"] = technology.last_space_vp


def _shape(tables: Tables, box: Any) -> None:
    name, shape = tables.all(s.SHAPE)[0]
    for count, field in enumerate(("one_piece", "two_pieces"), start=1):
        cost = tables.parse(
            s.SHAPE, name, field, getattr(shape, field), parse_cost, ("clay", "crack")
        )
        if cost is not None:
            box["shape_clay"][count] = cost[v.CLAY]
            box["shape_cracks"][count] = cost[v.CRACK]


def _supply(tables: Tables, box: Any) -> None:
    pg, glaze = tables.one(s.SUPPLY_PG), tables.one(s.SUPPLY_GLAZE)
    five = 5
    box["supply"][v.PG] = pg.ones + five * pg.fives
    box["supply"][v.GLAZE] = glaze.ones + five * glaze.fives
    box["supply"][v.CRACK] = tables.one(s.SUPPLY_CRACKS).count
    box["vases"] = tables.one(s.SUPPLY_VASES).count
    pieces = tables.one(s.SUPPLY_PIECES)
    box["pieces"][SOLO] = pieces.solo
    for players in range(SOLO + 1, v.MAX_PLAYERS + 1):
        box["pieces"][players] = pieces.for_each_player * players


def _start_sums(tables: Tables, box: Any) -> None:
    """Any four starting resource cards must fit in the supply."""
    tables.all(s.START_RESOURCES)
    for code, supply in enumerate(box["supply"]):
        if code == v.CLAY:
            continue
        need = sum(sorted(int(amounts[code]) for amounts in box["start_resources"])[1:])
        if 0 < supply < need:
            tables.fault(
                s.START_RESOURCES,
                "[[resources]]",
                "resources",
                f"found {need} {v.RESOURCES[code]} on four of the cards, expected at most the "
                f"{supply} of the supply",
            )


def _endgame_cards(tables: Tables, box: Any) -> None:
    copies = [card.copies for _, card in tables.all(s.ENDGAME_CARDS)]
    box["endgame_copies"] = copies
    if sum(copies) != v.NUM_ENDGAME_CARDS:
        tables.fault(
            s.ENDGAME_CARDS,
            "[[card]]",
            "copies",
            f"found {sum(copies)} cards in all, expected {v.NUM_ENDGAME_CARDS}",
        )


def _scales(tables: Tables, box: Any) -> None:
    scales = tables.one(s.SCALES)
    box["type_scale"][1:] = scales.cards
    box["esparto_scale"][1:] = scales.esparto_cards
    box["set_scale"][1:] = scales.esparto_set
    box["sold_vp"] = scales.sold_piece


def _final_scoring(tables: Tables, box: Any) -> None:
    final = tables.one(s.FINAL_SCORING)
    box["left_piece_vp"] = (final.unpainted_piece, final.painted_piece)
    box["crack_vp"] = final.lost_for_a_crack  # a loss is written as a positive number
    box["token_vp"] = final.first_player_token
    box["resources_per_vp"] = final.resources_for_one_vp


def _competition_cards(tables: Tables, box: Any) -> None:
    section = s.COMPETITION_CARDS
    for index, (name, card) in enumerate(tables.some(section)):
        box["comp_space"][index] = card.space
        icon = tables.parse(section, name, "donkey", card.donkey, parse_donkey)
        if icon is not None:
            box["comp_donkey"][index], box["comp_direction"][index] = icon
        for number in range(v.NUM_ROUNDS):
            field = f"round_{number + 1}"
            pieces = tables.parse(section, name, field, getattr(card, field), parse_pieces)
            if pieces is not None:
                box["comp_piece"][index, number] = pieces
    if tables.whole(section) and v.DONKEY_MOVE not in box["comp_donkey"]:
        tables.fault(
            section,
            "[[card]]",
            "donkey",
            "found no card that moves the donkey, expected at least one; the set-up needs it",
        )


def _difficulties(tables: Tables, box: Any) -> None:
    for index, (_, difficulty) in enumerate(tables.all(s.DIFFICULTIES)):
        box["comp_bump_vp"][index] = difficulty.bump_vp
        box["comp_idle_vp"][index] = difficulty.idle_vp


BOARD_FILLERS: Final[tuple[Callable[[Tables, Any], None], ...]] = (
    _rules,
    _printed_spaces,
    _action_tiles,
    _bonus_tiles,
    _bonus_amounts,
    _market,
    _market_start,
    _demand,
    _first_player_track,
    _craftswomen,
    _shop,
    _workshop_prices,
    _shape,
    _supply,
    _start_sums,
    _endgame_cards,
    _scales,
    _final_scoring,
    _competition_cards,
    _difficulties,
)
