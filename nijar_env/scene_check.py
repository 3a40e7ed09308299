"""What a scene must satisfy as a whole: the invariants of the game, and who is to act."""

from __future__ import annotations

from collections import Counter
from typing import Any

from . import scene_format as f
from .components import Box
from .components import vocabulary as v
from .core import constants as c
from .errors import SceneError
from .scene_pending import check_stack

STARTING = (
    ("cleanup", "cleanup", v.START_CLEANUP),
    ("firing_kilns", "firing_kiln", v.START_FIRING_KILN),
    ("workshops", "workshop", v.START_WORKSHOP),
    ("glaze_kilns", "glaze_kiln", v.START_GLAZE_KILN),
)


def check_scene(scene: f.Scene, g: Any, box: Box, seen: Counter[int]) -> None:
    """Raise `SceneError` for a state that cannot occur in a game with this box."""
    _check_cards(g, box, seen)
    _check_endgame_cards(g, box)
    _check_demand(g, box)
    _check_seats(scene, g)
    _check_craftswomen(scene, g, box)
    _check_between_turns(scene, g)
    _set_turn(scene, g)
    _check_setup(scene, g)
    check_stack(g, box)


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
    in_decks = Counter(g.deck[g.deck >= 0].tolist())
    for code in range(v.NUM_CARDS):
        if g.deck_seen[code] > in_decks[code]:
            raise SceneError(
                f"deck_seen: {box.card_ids[code]} lies in the decks {in_decks[code]} times, not "
                f"{g.deck_seen[code]}"
            )
    for p in range(g.num_players):
        for name, field, code in STARTING:
            row = g[field][p]
            if row[0] != code or (row[1:] >= v.NUM_CARDS).any():
                raise SceneError(
                    f"players[{p}].{name}: must begin with {box.card_ids[code]}, and hold it once"
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


def _owner(g: Any, p: int) -> str:
    return f"players[{p}]" if p < g.num_players else "competition"


def _check_seats(scene: f.Scene, g: Any) -> None:
    for p in range(g.num_seats):
        if g.donkey[p] >= 0 and g.donkey[p] in g.donkey[:p]:
            raise SceneError(f"{_owner(g, p)}.donkey: another donkey stands on this draft space")
    if scene.phase == "setup":
        if scene.round != 0:
            raise SceneError("round: is 0 in setup")
        return
    if scene.round == 0 or (scene.phase == "finished" and scene.round < v.NUM_ROUNDS):
        raise SceneError(f"round: cannot be {scene.round} in phase {scene.phase}")
    for p in range(g.num_seats):
        if g.donkey[p] < 0:
            raise SceneError(f"{_owner(g, p)}.donkey: must stand in the draft area after setup")
    for p in range(g.num_players):
        if g.wheel[p, 0] < 0:
            raise SceneError(f"players[{p}].wheels[0]: must hold a starting wheel after setup")


def _check_craftswomen(scene: f.Scene, g: Any, box: Box) -> None:
    """7 / 6 / 5 in rounds 1 / 2 / 3, one fewer once they have come home (§10.1)."""
    home = scene.phase in ("end_of_round", "finished")
    total = int(box.record[0]["craftswomen"][max(scene.round, 1)]) - home
    for p in range(g.num_seats):
        owner = _owner(g, p)
        if g.shop_craftswomen[p] and not g.shop_closed[p]:
            raise SceneError(f"{owner}.shop_craftswomen: the shop is open")
        on_board = int(g.space_count[g.space_owner == p].sum())
        count = int(g.craftswomen[p] + g.special[p] + g.shop_craftswomen[p]) + on_board
        if count != total:
            raise SceneError(
                f"{owner}.craftswomen: with those on the board, the Special Action and the shop "
                f"card there must be {total}, not {count}"
            )
        if p < g.num_players and g.shop_closed[p] and g.craftswomen[p]:
            raise SceneError(f"{owner}.craftswomen: a closed shop has none available")


def _check_between_turns(scene: f.Scene, g: Any) -> None:
    """What is out, and what the dice show, in phases other than the turns."""
    if len(scene.market.dice) != (0 if scene.phase == "setup" else 3):
        raise SceneError("market.dice: must be three, or none in setup")
    if scene.phase == "turns":
        return
    for p in range(g.num_seats):
        if g.shop_closed[p]:
            raise SceneError(f"{_owner(g, p)}.shop: is open in phase {scene.phase}")
        if g.special[p] or (g.space_owner == p).any():
            raise SceneError(f"board: nobody's craftswomen are out in phase {scene.phase}")
    players = int(g.num_players)
    if scene.phase != "end_of_round" and ((g.track >= 0) & (g.track < players)).any():
        raise SceneError(f"first_player_track: is empty in phase {scene.phase}")
    if scene.phase == "finished":
        for p in range(players):
            for name, pieces in (("firing_kilns", g.firing_piece), ("glaze_kilns", g.glaze_piece)):
                if (pieces[p] >= 0).any():
                    raise SceneError(f"players[{p}].{name}: final scoring has sold the pieces")
        if g.comp_piece.any():
            raise SceneError("competition.pieces: final scoring has sold them")


def _check_setup(scene: f.Scene, g: Any) -> None:
    """From the last player to the first, each takes a combination and places a donkey (§4.3)."""
    if scene.phase != "setup":
        return
    turn = int(g.turn_index)
    for i in range(g.num_players):
        p = int(g.turn_order[i])
        chosen, placed = g.wheel[p, 0] >= 0, g.donkey[p] >= 0
        if i < turn and (chosen or placed):
            field = "donkey" if placed else "wheels[0]"
            raise SceneError(f"players[{p}].{field}: it is not yet this player's turn in setup")
        if i > turn and not (chosen and placed):
            field = "wheels[0]" if placed else "donkey"
            raise SceneError(f"players[{p}].{field}: this player's turn in setup is over")
        if i == turn and placed:
            raise SceneError(f"players[{p}].donkey: nothing is left to choose in setup")
        for name in ("pg", "glaze", "clay", "cleaning_area"):
            if not chosen and g[name][p]:
                raise SceneError(f"players[{p}].{name}: is 0 before a combination is chosen")
    if g.num_players == 1 and g.donkey[c.COMPETITION] >= 0:
        raise SceneError("competition.donkey: comes after the player's")
    left, taken = int((g.combo_wheel >= 0).sum()), int((g.wheel[:, 0] >= 0).sum())
    if left + taken != g.num_players + 1:
        raise SceneError(f"combinations: must be null for each of the {taken} players that chose")


def _set_turn(scene: f.Scene, g: Any) -> None:
    """Who is to act; with nothing pending it is the player whose turn it is."""
    if scene.phase == "finished":
        for name in ("current_player", "turn_player"):
            if getattr(scene, name) is not None:
                raise SceneError(f"{name}: is null when the game is finished")
        if scene.pending:
            raise SceneError("pending: nothing is when the game is finished")
        g.turn_player = g.turn_order[0]
        return
    players = int(g.num_players)
    if scene.current_player is None or scene.current_player >= players:
        raise SceneError(f"current_player: must be a player, 0 to {players - 1}")
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
        if turn >= players and scene.pending[0]["kind"] != "competition":
            raise SceneError("turn_player: the Competition's turn is a pending competition frame")
    elif scene.current_player != turn:
        raise SceneError("current_player: with nothing pending it is the turn player")
    if scene.phase == "market" and (scene.round < 2 or turn != g.turn_order[0]):
        raise SceneError("phase: the market asks the first player, in rounds 2 and 3")
    if scene.phase == "end_of_round" and not g.endgame_hand[turn].any():
        raise SceneError("current_player: has no endgame card left to play")
