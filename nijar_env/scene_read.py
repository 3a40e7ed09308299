"""`Game.from_dict`: a scene to a record, with every impossible state refused.

Structure and types are msgspec's (`scene_format`); here names become codes, and the things of the
box are counted. What a scene leaves out (supply, decks, pending, rng) is worked out.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
import numpy as np
from msgspec import UNSET

from . import scene_format as f
from .components import Box
from .components import vocabulary as v
from .core import constants as c
from .core.record import GAME_DTYPE
from .errors import SceneError
from .options import MAX_SEED
from .scene_check import check_scene
from .scene_pending import read_pending
from .scene_write import COMPETITION_PIECES


def fail(where: str, what: str) -> SceneError:
    """A `SceneError` that names the field."""
    return SceneError(f"{where}: {what}")


def code_of(where: str, name: str, names: Sequence[str]) -> int:
    """The position of a name in a list of names."""
    if name not in names:
        raise fail(where, f"{name!r} is none of {', '.join(names)}")
    return names.index(name)


def card_of(where: str, name: str, box: Box, *types: int) -> int:
    """The code of a card id; of these types, if any are given."""
    try:
        code = box.card_code(name)
    except KeyError as error:
        raise fail(where, str(error.args[0])) from None
    if types and box.record[0]["card_type"][code] not in types:
        wanted = " or ".join(v.CARD_TYPES[kind] for kind in types)
        raise fail(where, f"{name!r} is not a {wanted} card")
    return code


def count_cards(where: str, names: Iterable[str], box: Box, out: Any) -> None:
    """Count game cards by code."""
    for i, name in enumerate(names):
        code = card_of(f"{where}[{i}]", name, box)
        if code >= v.NUM_CARDS:
            raise fail(f"{where}[{i}]", f"{name!r} is a starting card")
        out[code] += 1


def count_endgame(where: str, names: Iterable[str], out: Any) -> None:
    """Count endgame cards by kind."""
    for i, name in enumerate(names):
        out[code_of(f"{where}[{i}]", name, v.ENDGAME_KINDS)] += 1


def pieces_of(part: f.Pieces) -> list[int]:
    """Counts in the order plate, jug, pot."""
    return [part.plate, part.jug, part.pot]


def space_of(space: tuple[int, int] | None) -> int:
    """A draft space as one number; -1 = none."""
    return -1 if space is None else space[0] * v.DRAFT_COLUMNS + space[1]


def _read_vp_from(where: str, given: Any, vp: int, out: Any) -> None:
    if given is UNSET:
        out[c.VP_GIVEN] = vp
        return
    for source, amount in given.items():
        out[code_of(f"{where}.vp_from", source, c.VP_SOURCES)] = amount
    if out.sum() != vp:
        raise fail(f"{where}.vp_from", f"adds up to {out.sum()}, but vp is {vp}")


def _read_holders(
    where: str, holders: list[f.Holder], box: Box, kind: int, codes: Any, pieces: Any
) -> int:
    for k, holder in enumerate(holders):
        codes[k] = card_of(f"{where}[{k}].card", holder.card, box, kind)
        pieces[k] = -1 if holder.piece is None else v.PIECES.index(holder.piece)
    return len(holders)


def _read_wheels(where: str, wheels: list[f.Wheel | None], p: int, g: Any, box: Box) -> None:
    for k, wheel in enumerate(wheels):
        if wheel is None:
            continue
        here = f"{where}.wheels[{k}]"
        card = card_of(f"{here}.card", wheel.card, box, v.WHEEL)
        if (card >= v.START_WHEEL) != (k == 0):
            raise fail(f"{here}.card", "starting wheels, and only they, lie on space 0")
        spaces = int(box.record[0]["card_spaces"][card])
        g.wheel[p, k] = card
        if wheel.vase == "done":
            g.vase[p, k], g.wheel_done[p, k] = spaces, 1
        elif wheel.vase <= spaces:
            g.vase[p, k] = wheel.vase
        else:
            raise fail(f"{here}.vase", f"{wheel.card} has {spaces} spaces, not {wheel.vase}")


def _read_player(where: str, part: f.Player, p: int, g: Any, box: Box) -> None:
    for name in ("vp", "pg", "glaze", "clay", "cleaning_area", "technology", "craftswomen"):
        g[name][p] = getattr(part, name)
    g.shop_closed[p] = part.shop == "closed"
    g.shop_craftswomen[p] = part.shop_craftswomen
    g.donkey[p] = space_of(part.donkey)
    count_cards(f"{where}.hand", part.hand, box, g.hand[p])
    g.hand_size[p] = len(part.hand)
    dealt = part.hand if part.hand_dealt is UNSET else part.hand_dealt
    count_cards(f"{where}.hand_dealt", dealt, box, g.hand_dealt[p])
    if (g.hand_dealt[p] > g.hand[p]).any():
        raise fail(f"{where}.hand_dealt", "has a card that is not in hand")
    count_endgame(f"{where}.endgame_hand", part.endgame_hand, g.endgame_hand[p])
    count_endgame(f"{where}.endgame_played", part.endgame_played, g.endgame_played[p])
    if part.endgame_discarded is not UNSET:
        count_endgame(f"{where}.endgame_discarded", part.endgame_discarded, g.endgame_discarded[p])
    _read_wheels(where, part.wheels, p, g, box)
    for k, collected in enumerate(part.esparto):
        if collected is not None:
            card = card_of(f"{where}.esparto[{k}]", collected, box, v.ESPARTO)
            if (card == v.PRINTED_ESPARTO) != (k == 0):
                raise fail(f"{where}.esparto[{k}]", "the printed card, and only it, is space 0")
            g.esparto[p, k] = card
    for k, cleanup in enumerate(part.cleanup):
        here = f"{where}.cleanup[{k}]"
        card = card_of(f"{here}.card", cleanup.card, box, v.CLEANUP)
        spaces = int(box.record[0]["card_spaces"][card])
        if cleanup.cracks > spaces:
            raise fail(f"{here}.cracks", f"{cleanup.card} has {spaces} spaces")
        g.cleanup[p, k], g.cleanup_cracks[p, k] = card, cleanup.cracks
    g.cleanup_size[p] = len(part.cleanup)
    rows = (
        ("firing_kilns", v.FIRING_KILN, g.firing_kiln, g.firing_piece, g.firing_size),
        ("workshops", v.WORKSHOP, g.workshop, g.workshop_piece, g.workshop_size),
        ("glaze_kilns", v.GLAZE_KILN, g.glaze_kiln, g.glaze_piece, g.glaze_size),
    )
    for name, kind, codes, pieces, sizes in rows:
        holders = getattr(part, name)
        sizes[p] = _read_holders(f"{where}.{name}", holders, box, kind, codes[p], pieces[p])
    g.drying[p] = pieces_of(part.drying)
    g.sold[p] = pieces_of(part.sold)
    _read_vp_from(where, part.vp_from, part.vp, g.vp_from[p])


def _read_competition(part: f.Competition, g: Any) -> None:
    for name in ("vp", "craftswomen", "shop_craftswomen"):
        g[name][c.COMPETITION] = getattr(part, name)
    g.shop_closed[c.COMPETITION] = part.shop == "closed"
    g.donkey[c.COMPETITION] = space_of(part.donkey)
    states = (part.pieces.plate, part.pieces.jug, part.pieces.pot)
    g.comp_piece[:] = [COMPETITION_PIECES.index(state) for state in states]
    g.sold[c.COMPETITION] = pieces_of(part.sold)
    cards = [*part.revealed, *part.deck]
    if sorted(cards) != list(range(1, v.NUM_COMPETITION_CARDS + 1)):
        raise fail("competition.deck", "deck and revealed must be the cards 1 to 9, each once")
    if not part.deck:
        raise fail("competition.deck", "the last card always stays face down (§12.4)")
    g.comp_deck[:] = [number - 1 for number in cards]
    g.comp_revealed = len(part.revealed)
    _read_vp_from("competition", part.vp_from, part.vp, g.vp_from[c.COMPETITION])


def _actions(tile: list[str] | str) -> list[str]:
    """An action tile may be written as one name."""
    return [tile] if isinstance(tile, str) else tile


def _read_board(board: f.Board, g: Any, box: Box) -> None:
    columns = v.BASE_COLUMNS + max(int(g.num_players) - 2, 0)
    if [len(row) for row in board.tiles] != [3, 3, 3]:
        raise fail("board.tiles", "must be three rows of three tiles")
    free = list(range(v.NUM_TILES))
    for i in range(v.NUM_TILES):
        given = board.tiles[i // 3][i % 3]
        match = [tile for tile in free if set(box.tile_actions[tile]) == set(_actions(given))]
        if not match:
            raise fail(
                f"board.tiles[{i // 3}][{i % 3}]", f"{given!r} is no action tile, or lies twice"
            )
        g.tile[i // 3, i % 3] = match[0]
        free.remove(match[0])
    rows = [[name for tile in row for name in _actions(tile)] for row in board.tiles]
    together = any("first_player" in row and "play" in row for row in rows)
    if together != (g.num_players == 1):
        where = "the same row" if g.num_players == 1 else "different rows"
        raise fail("board.tiles", f"first_player and play must lie in {where} (§4.1)")
    if len(board.bonuses) != columns or len(board.special_bonuses) != 2:
        raise fail("board.bonuses", f"{columns} columns and 2 special bonuses are in play")
    for k, name in enumerate(board.bonuses):
        g.bonus[k] = code_of(f"board.bonuses[{k}]", name, v.BONUSES[:-1])
    for k, name in enumerate(board.special_bonuses):
        g.special_bonus[k] = code_of(f"board.special_bonuses[{k}]", name, v.BONUSES[:-1])
    if [len(row) for row in board.spaces] != [columns] * v.BOARD_ROWS:
        raise fail("board.spaces", f"must be three rows of {columns} spaces")
    for r, row in enumerate(board.spaces):
        for k, space in enumerate(row):
            if space is not None:
                if space.owner >= g.num_seats:
                    raise fail(f"board.spaces[{r}][{k}].owner", "is no seat of this game")
                g.space_owner[r, k], g.space_count[r, k] = space.owner, space.count
    if len(board.special) != g.num_seats:
        raise fail("board.special", f"must have one count for each of {g.num_seats} seats")
    g.special[: g.num_seats] = board.special


def _read_cards(scene: f.Scene, g: Any, box: Box) -> None:
    types = box.record[0]["card_type"]
    for r, row in enumerate(scene.draft):
        if len(row) != v.DRAFT_COLUMNS:
            raise fail(f"draft[{r}]", f"must have {v.DRAFT_COLUMNS} spaces")
        for k, name in enumerate(row):
            if name is not None:
                code = card_of(f"draft[{r}][{k}]", name, box)
                if code >= v.NUM_CARDS or v.TYPE_DECK[types[code]] != r:
                    raise fail(f"draft[{r}][{k}]", f"{name!r} is not a card of deck {r}")
                g.draft[r, k] = code
    count_cards("discards", scene.discards, box, g.discards)
    count_cards("deck_seen", scene.deck_seen, box, g.deck_seen)
    if scene.decks is UNSET:
        _fill_decks(g, box)
        return
    for d, deck in enumerate(scene.decks):
        if len(deck) > v.DECK_SIZES[d]:
            raise fail(f"decks[{d}]", f"has more than {v.DECK_SIZES[d]} cards")
        codes = [card_of(f"decks[{d}][{k}]", name, box) for k, name in enumerate(deck)]
        for k, code in enumerate(codes):
            if code >= v.NUM_CARDS or v.TYPE_DECK[types[code]] != d:
                raise fail(f"decks[{d}][{k}]", f"{deck[k]!r} is not a card of deck {d}")
        g.deck[d, : len(codes)] = codes[::-1]
        g.deck_size[d] = len(codes)


def cards_seen(g: Any) -> Counter[int]:
    """Copies of each game card outside the decks."""
    places = (g.draft, g.wheel, g.esparto, g.cleanup, g.firing_kiln, g.workshop, g.glaze_kiln)
    seen = Counter(int(code) for place in places for code in place.ravel())
    for code in range(v.NUM_CARDS):
        seen[code] += int(g.hand[:, code].sum() + g.discards[code])
    return Counter({code: n for code, n in seen.items() if 0 <= code < v.NUM_CARDS})


def _fill_decks(g: Any, box: Box) -> None:
    """Decks that a scene leaves out: all cards that lie nowhere else, in the order of the box."""
    seen = cards_seen(g)
    cards = box.record[0]
    for code in reversed(range(v.NUM_CARDS)):
        if cards["card_type"][code] >= 0:
            d = v.TYPE_DECK[cards["card_type"][code]]
            for _ in range(int(cards["card_copies"][code]) - seen[code]):
                g.deck[d, g.deck_size[d]] = code
                g.deck_size[d] += 1


def _fill_discarded(scene: f.Scene, g: Any, box: Box) -> None:
    """Discarded endgame cards that a scene leaves out: of those nobody has, in box order."""
    left = box.record[0]["endgame_copies"].copy()
    for name in ("endgame_hand", "endgame_played", "endgame_discarded"):
        left -= g[name].sum(axis=0)
    for p, player in enumerate(scene.players):
        if player.endgame_discarded is UNSET:
            missing = v.HAND_ENDGAME - int(g.endgame_hand[p].sum() + g.endgame_played[p].sum())
            for kind in range(v.NUM_ENDGAME_KINDS):
                taken = max(min(missing, int(left[kind])), 0)
                g.endgame_discarded[p, kind] = taken
                left[kind] -= taken
                missing -= taken


def supply_left(g: Any, box: Box) -> dict[str, int]:
    """What must lie in the supply, given everything else (rules on component limits, §5.3)."""
    cards = box.record[0]
    pieces = int(cards["pieces"][g.num_players])
    left = {
        "pg": int(cards["supply"][v.PG] - g.pg.sum()),
        "glaze": int(cards["supply"][v.GLAZE] - g.glaze.sum()),
        "crack": int(cards["supply"][v.CRACK] - g.cleaning_area.sum() - g.cleanup_cracks.sum()),
        "vase": int(cards["vases"] - (g.wheel >= 0).sum()),
    }
    for i, piece in enumerate(v.PIECES):
        held = sum(int((row == i).sum()) for row in (g.firing_piece, g.workshop_piece))
        held += int((g.glaze_piece == i).sum() + (g.comp_piece[i] > 0))
        left[piece] = pieces - held - int(g.drying[:, i].sum() + g.sold[:, i].sum())
    return left


def _read_track(scene: f.Scene, g: Any, box: Box) -> None:
    seats = int(g.num_seats)
    if sorted(scene.turn_order) != list(range(seats)):
        raise fail("turn_order", f"must hold the seats 0 to {seats - 1}, each once")
    g.turn_order[:seats] = scene.turn_order
    spaces = int(box.record[0]["track_spaces"][g.num_players])
    markers = [seat for seat in scene.first_player_track if seat is not None]
    if len(scene.first_player_track) != spaces or len(set(markers)) != len(markers):
        raise fail("first_player_track", f"must be {spaces} spaces, each seat at most once")
    if any(seat >= seats for seat in markers):
        raise fail("first_player_track", "names a seat that is not in this game")
    if g.num_players == 1 and scene.first_player_track[-1] != c.COMPETITION:
        raise fail("first_player_track", "in solo the last space holds the Competition (1)")
    g.track[:spaces] = [-1 if seat is None else seat for seat in scene.first_player_track]


def _read_market(market: f.Market, g: Any) -> None:
    columns = (market.demand.plate, market.demand.jug, market.demand.pot)
    for i, column in enumerate(columns):
        g.demand[:, i] = column
    position = pieces_of(market.position)
    for piece, row in zip(v.PIECES, position, strict=True):
        if row >= v.MARKET_ROWS:
            raise fail(f"market.position.{piece}", f"rows are 0 to {v.MARKET_ROWS - 1}")
    g.market[:] = position
    g.dice[: len(market.dice)] = market.dice


def _read_combinations(scene: f.Scene, g: Any, box: Box) -> None:
    wanted = g.num_players + 1 if scene.phase == "setup" else 0
    if len(scene.combinations) != wanted:
        raise fail("combinations", f"must be {wanted} in phase {scene.phase} (null = chosen)")
    for k, combination in enumerate(scene.combinations):
        if combination is not None:
            where = f"combinations[{k}]"
            wheel = card_of(f"{where}.wheel", combination.wheel, box, v.WHEEL)
            if wheel < v.START_WHEEL:
                raise fail(f"{where}.wheel", f"{combination.wheel!r} is not a starting wheel")
            g.combo_wheel[k] = wheel
            g.combo_resources[k] = code_of(
                f"{where}.resources", combination.resources, box.start_resource_ids
            )


def _structure(data: Any) -> f.Scene:
    """The scene with names, types and simple ranges checked."""
    try:
        return msgspec.convert(data, f.Scene)
    except msgspec.ValidationError as error:
        text, _, path = str(error).partition(" - at `$")
        where = path.rstrip("`").lstrip(".") or "scene"
        raise fail(where, text[0].lower() + text[1:]) from None
    except UnicodeError as error:
        raise fail("scene", f"has a text that is not Unicode: {error}") from None


def read_scene(data: Any, box: Box, seed: int) -> np.ndarray[Any, Any]:
    """A record array of one game; `seed` serves where the scene has no `rng`.

    Raises:
        SceneError: names the field and what is wrong with it.
    """
    scene = _structure(data)
    if scene.box is not UNSET and scene.box.fingerprint != box.fingerprint:
        warnings.warn(
            f"the scene was written with box {scene.box.name} ({scene.box.fingerprint}), not "
            f"{box.name} ({box.fingerprint})",
            stacklevel=3,
        )
    games = np.zeros(1, GAME_DTYPE)
    g = games[0]
    for name in _EMPTY:
        g[name][...] = -1
    g.num_players = scene.num_players
    g.num_seats = 2 if scene.num_players == 1 else scene.num_players
    solo = scene.num_players == 1
    g.difficulty = v.DIFFICULTIES.index(scene.difficulty or "normal") if solo else 0
    g.auto_forced = scene.auto_forced
    g.phase = c.PHASES.index(scene.phase)
    g.round_number = scene.round
    g.decisions = scene.decisions
    if len(scene.players) != scene.num_players:
        raise fail("players", f"must be {scene.num_players}, not {len(scene.players)}")
    if solo != (scene.competition is not None):
        raise fail("competition", "must be given in solo, and null with more players")
    _read_track(scene, g, box)
    _read_market(scene.market, g)
    _read_board(scene.board, g, box)
    _read_combinations(scene, g, box)
    for p, player in enumerate(scene.players):
        _read_player(f"players[{p}]", player, p, g, box)
    _fill_discarded(scene, g, box)
    if scene.competition is not None:
        _read_competition(scene.competition, g)
    _read_cards(scene, g, box)
    left = supply_left(g, box)
    given = left if scene.supply is UNSET else msgspec.to_builtins(scene.supply)
    for name, amount in left.items():
        if amount < 0 or given[name] != amount:
            held = f"must be {amount}, given what players hold (leave `supply` out to have it so)"
            raise fail(f"supply.{name}", "more is in play than there is" if amount < 0 else held)
    g.supply_pg, g.supply_glaze = left["pg"], left["glaze"]
    g.supply_crack, g.supply_vase = left["crack"], left["vase"]
    g.supply_piece[:] = [left[piece] for piece in v.PIECES]
    if scene.rng is UNSET:
        g.seed = seed
    else:
        if scene.rng.seed > MAX_SEED:
            raise fail("rng.seed", f"must be at most 2**64 - 1, not {scene.rng.seed}")
        g.seed = scene.rng.seed
        for stream, n in scene.rng.draws.items():
            g.draws[code_of("rng.draws", stream, c.STREAMS)] = n
    read_pending(scene.pending, g, box)
    check_scene(scene, g, box, cards_seen(g))
    return games


_EMPTY = (
    "turn_order",
    "track",
    "donkey",
    "combo_wheel",
    "combo_resources",
    "bonus",
    "special_bonus",
    "space_owner",
    "draft",
    "deck",
    "wheel",
    "esparto",
    "cleanup",
    "firing_kiln",
    "firing_piece",
    "workshop",
    "workshop_piece",
    "glaze_kiln",
    "glaze_piece",
)
