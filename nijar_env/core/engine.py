"""The engine: the course of a game from one decision to the next (§6, §7, §10).

`run` carries out a choice and goes on to the next decision. What may be chosen there, and what a
choice does, is `decisions`'.
"""

from __future__ import annotations

from typing import Any

from ..components.vocabulary import NUM_ROUNDS
from .catalogue import NUM_GAME_ACTIONS
from .competition import competition_turn, finish_competition_turn, place_first_donkey
from .constants import (
    COMPETITION,
    DEAL,
    EV_ROUND,
    EV_TURN,
    F_COMPETITION,
    F_COMPLETE_WHEEL,
    PHASE_END_OF_ROUND,
    PHASE_FINISHED,
    PHASE_MARKET,
    PHASE_SETUP,
    PHASE_TURNS,
)
from .decisions import choose, finish_frame, offer
from .events import emit
from .jit import kernel
from .market import apply_dice, place_markers, roll_dice
from .round_end import all_shops_closed, open_shops, update_turn_order
from .scoring import score_game
from .setup import clear_combinations, set_up
from .throw import complete_wheel


@kernel
def start_turns(g: Any) -> None:
    g.phase = PHASE_TURNS
    g.turn_index = 0
    g.turn_player = g.turn_order[0]


@kernel
def start_round(box: Any, g: Any) -> None:
    """§7.1. Asked for a re-roll is the token's holder, from round 2 on; never the Competition
    (rulings A15, D15, P19)."""
    g.round_number += 1
    emit(g, EV_ROUND, -1, g.round_number, 0, 0, 0)
    place_markers(box, g)
    roll_dice(g, 0)
    first = g.turn_order[0]
    if g.round_number == 1 or first >= g.num_players:
        apply_dice(g)
        start_turns(g)
    else:
        g.phase = PHASE_MARKET
        g.turn_index = 0
        g.turn_player = first


@kernel
def next_score(box: Any, g: Any) -> None:
    """§10.2 asks each player in turn order that has an endgame card; then the round is over."""
    for i in range(g.turn_index + 1, g.num_seats):
        seat = g.turn_order[i]
        if seat < g.num_players and g.endgame_hand[seat].sum() > 0:
            g.turn_index = i
            g.turn_player = seat
            return
    update_turn_order(box, g)
    if g.round_number == NUM_ROUNDS:
        score_game(box, g)
        g.phase = PHASE_FINISHED
        g.turn_index = 0
        g.turn_player = g.turn_order[0]
        return
    start_round(box, g)


@kernel
def advance(box: Any, g: Any) -> None:
    """Nothing is pending: on to the next step of the phase (§4.3, §6, §7, §10)."""
    if g.phase == PHASE_SETUP:
        if g.donkey[g.turn_player] < 0:
            return
        if g.turn_index > 0:
            g.turn_index -= 1
            g.turn_player = g.turn_order[g.turn_index]
            return
        clear_combinations(g)
        if g.num_players == 1:
            place_first_donkey(box, g)
        start_round(box, g)
    elif g.phase == PHASE_MARKET:
        start_turns(g)
    elif g.phase == PHASE_TURNS:
        if g.turn_index + 1 < g.num_seats:
            g.turn_index += 1
        elif all_shops_closed(g):  # equal turns: a full cycle has ended (ruling C01)
            open_shops(g)
            g.turn_index = -1
            next_score(box, g)
            return
        else:
            g.turn_index = 0
        g.turn_player = g.turn_order[g.turn_index]
    elif g.phase == PHASE_END_OF_ROUND:
        next_score(box, g)


@kernel
def run_competition(box: Any, g: Any) -> bool:
    """Take the Competition's turn where it is due; True if it was."""
    if g.phase != PHASE_TURNS or g.turn_player < g.num_players:
        return False
    emit(g, EV_TURN, COMPETITION, g.craftswomen[COMPETITION], g.shop_closed[COMPETITION], 0, 0)
    competition_turn(box, g)
    return True


@kernel
def settle(box: Any, g: Any) -> None:
    """Run on to the next decision with a choice that changes something, or to the end."""
    while g.fault == 0:
        if g.depth > 0:
            frame = g.frames[g.depth - 1]
            if frame[0] == F_COMPLETE_WHEEL:
                complete_wheel(box, g, frame[1], frame[2])
            elif frame[0] == F_COMPETITION:
                finish_competition_turn(box, g, frame[2])
            elif offer(box, g) > 0:
                return
            else:
                finish_frame(box, g)
            continue
        advance(box, g)
        if run_competition(box, g):
            continue
        if g.phase == PHASE_TURNS:
            p = g.turn_player
            emit(g, EV_TURN, p, g.craftswomen[p], g.shop_closed[p], 0, 0)
        offer(box, g)
        return


@kernel
def only_action(g: Any) -> int:
    """The first legal action (the only one of a forced decision)."""
    for action in range(NUM_GAME_ACTIONS):
        if g.legal[action]:
            return action
    return -1


@kernel
def run(box: Any, g: Any, action: int, forced: bool) -> None:
    """Carry out a legal action and run on to the next decision; then, if `forced`, the decisions
    that leave no choice. Legality is the caller's to check (`g.legal`).

    Instead of an action: DEAL deals the game first (its record is zeroed but for options and
    seed); OFFER only works out what is legal in a state that was set from outside."""
    if action < 0:
        if action == DEAL:
            set_up(box, g)
        offer(box, g)
        if not forced or g.num_legal != 1:
            return
        action = only_action(g)
    while True:
        choose(box, g, action)
        settle(box, g)
        if not forced or g.num_legal != 1 or g.fault != 0:
            return
        action = only_action(g)
