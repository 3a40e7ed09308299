"""What a scene must satisfy as a whole: the invariants of the game, and who is to act."""

from __future__ import annotations

from collections import Counter
from typing import Any

from . import scene_format as f
from .components import Box
from .components import vocabulary as v
from .core import constants as c
from .errors import SceneError

STARTING = (
    ("cleanup", v.START_CLEANUP),
    ("firing_kiln", v.START_FIRING_KILN),
    ("workshop", v.START_WORKSHOP),
    ("glaze_kiln", v.START_GLAZE_KILN),
)


def check_scene(scene: f.Scene, g: Any, box: Box, seen: Counter[int]) -> None:
    """Raise `SceneError` for a state that cannot occur in a game with this box."""
    _check_cards(g, box, seen)
    _check_endgame_cards(g, box)
    _check_demand(g, box)
    _check_seats(scene, g)
    _check_craftswomen(scene, g, box)
    _set_turn(scene, g)


def _check_cards(g: Any, box: Box, seen: Counter[int]) -> None:
    cards = box.record[0]
    total = seen.copy()
    for d in range(v.NUM_DECKS):
        total.update(int(code) for code in g.deck[d, : g.deck_size[d]])
    for code in range(v.NUM_CARDS):
        if cards["card_type"][code] < 0:
            continue
        copies = int(cards["card_copies"][code])
        if total[code] != copies:
            raise SceneError(
                f"decks: card {box.card_ids[code]} lies in {total[code]} places, but the box has "
                f"{copies} (leave `decks` out to have all other cards in them)"
            )
    for p in range(g.num_players):
        for name, code in STARTING:
            row = g[name][p]
            if row[0] != code or (row[1:] >= v.NUM_CARDS).any():
                raise SceneError(
                    f"players[{p}]: the {name.replace('_', ' ')} row must begin with "
                    f"{box.card_ids[code]}, and hold it once"
                )
        if g.esparto[p, 0] < 0:
            raise SceneError(f"players[{p}].esparto[0]: must be {box.card_ids[v.PRINTED_ESPARTO]}")
    wheels = [int(code) for code in (*g.wheel[:, 0], *g.combo_wheel) if code >= 0]
    if len(set(wheels)) != len(wheels):
        raise SceneError("players: the same starting wheel lies in two places")
    given = [int(code) for code in g.combo_resources if code >= 0]
    if len(set(given)) != len(given):
        raise SceneError("combinations: the same starting resource card lies in two places")


def _check_endgame_cards(g: Any, box: Box) -> None:
    held = g.endgame_hand + g.endgame_played + g.endgame_discarded
    for kind, name in enumerate(v.ENDGAME_KINDS):
        if held[:, kind].sum() > box.record[0]["endgame_copies"][kind]:
            raise SceneError(f"players: more endgame cards {name!r} than the box has")
    for p in range(g.num_players):
        if held[p].sum() != v.HAND_ENDGAME:
            raise SceneError(
                f"players[{p}].endgame_hand: in hand, played and discarded must be "
                f"{v.HAND_ENDGAME} cards, not {held[p].sum()}"
            )


def _check_demand(g: Any, box: Box) -> None:
    values = sorted(box.record[0]["demand"].tolist())
    for number in range(v.NUM_ROUNDS):
        if sorted(g.demand[number].tolist()) != values:
            raise SceneError(
                f"market.demand: round {number + 1} must have the tiles {values} in some order"
            )
    bonuses = sorted([*(b for b in g.bonus.tolist() if b >= 0), *g.special_bonus.tolist()])
    cards = box.record[0]
    in_play = cards["bonus_tile"][cards["bonus_tile_players"] <= g.num_players]
    if bonuses != sorted(in_play.tolist()):
        names = ", ".join(v.BONUSES[b] for b in in_play)
        raise SceneError(f"board.bonuses: the tiles in play with the special ones are {names}")


def _check_seats(scene: f.Scene, g: Any) -> None:
    donkeys = [int(space) for space in g.donkey[: g.num_seats] if space >= 0]
    if len(set(donkeys)) != len(donkeys):
        raise SceneError("players: two donkeys stand on the same draft space")
    if scene.phase == "setup":
        if scene.round != 0:
            raise SceneError("round: is 0 in setup")
        return
    if scene.round == 0:
        raise SceneError("round: is 0 only in setup")
    for p in range(g.num_seats):
        if g.donkey[p] < 0:
            owner = f"players[{p}]" if p < g.num_players else "competition"
            raise SceneError(f"{owner}.donkey: must stand in the draft area after setup")
    for p in range(g.num_players):
        if g.wheel[p, 0] < 0:
            raise SceneError(f"players[{p}].wheels[0]: must hold a starting wheel after setup")


def _check_craftswomen(scene: f.Scene, g: Any, box: Box) -> None:
    """7 / 6 / 5 in rounds 1 / 2 / 3, one fewer once they have come home (§10.1)."""
    home = scene.phase in ("end_of_round", "finished")
    total = int(box.record[0]["craftswomen"][max(scene.round, 1)]) - home
    for p in range(g.num_seats):
        owner = f"players[{p}]" if p < g.num_players else "competition"
        if g.shop_craftswomen[p] and not g.shop_closed[p]:
            raise SceneError(f"{owner}.shop_craftswomen: the shop is open")
        on_board = int(g.space_count[g.space_owner == p].sum())
        count = int(g.craftswomen[p] + g.special[p] + g.shop_craftswomen[p]) + on_board
        if count != total:
            raise SceneError(
                f"{owner}.craftswomen: with those on the board, the Special Action and the shop "
                f"card there must be {total}, not {count}"
            )


def _set_turn(scene: f.Scene, g: Any) -> None:
    """Who is to act; with nothing pending it is the player whose turn it is."""
    if scene.phase == "finished":
        if scene.current_player is not None or scene.pending:
            raise SceneError("current_player: is null when the game is finished")
        g.turn_player = g.turn_order[0]
        return
    players = int(g.num_players)
    if scene.current_player is None or scene.current_player >= players:
        raise SceneError(f"current_player: must be a player, 0 to {players - 1}")
    turn = scene.current_player
    if scene.phase == "turns":
        turn = scene.current_player if scene.turn_player is None else scene.turn_player
    if turn >= g.num_seats:
        raise SceneError("turn_player: is no seat of this game")
    g.turn_player = turn
    g.turn_index = g.turn_order.tolist().index(turn)
    if scene.pending:
        if scene.phase != "turns":
            raise SceneError("pending: only in phase `turns`")
        if scene.current_player != g.frames[g.depth - 1, 1]:
            raise SceneError("current_player: must be the player of the last pending frame")
    elif scene.current_player != turn:
        raise SceneError("current_player: with nothing pending it is the turn player")
    elif turn >= players:
        raise SceneError("turn_player: the Competition's turn is not a decision")
    if scene.phase == "market" and (scene.round < 2 or turn != g.turn_order[0]):
        raise SceneError("phase: the market asks the first player, in rounds 2 and 3")
    if scene.phase == "setup" and g.wheel[turn, 0] >= 0 and g.donkey[turn] >= 0:
        raise SceneError("current_player: this player has nothing left to choose in setup")
