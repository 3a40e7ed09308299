"""The engine: who decides, what may be chosen, what happens then (§6, §7).

`apply` carries out one choice and runs on to the next decision; `legal_mask` says what may be
chosen there. Both dispatch on the top pending frame, or on the phase where nothing is pending.
"""

from __future__ import annotations

from typing import Any

from ..components.vocabulary import NUM_ROUNDS
from .acquire import choose_acquire, finish_acquire, offer_acquire
from .actions import (
    choose_esparto,
    choose_side,
    offer_any_action,
    offer_esparto,
    offer_sides,
    resolve,
    start,
)
from .bonuses import (
    choose_gain,
    choose_special,
    offer_any_bonus,
    offer_gain,
    offer_special,
    start_bonus,
)
from .catalogue import (
    A_ACTION,
    A_BONUS,
    A_CLAY,
    A_DONE,
    A_ESPARTO,
    A_FIRE,
    A_GAIN,
    A_GLAZE,
    A_PAINT,
    A_PAY,
    A_PLAY,
    A_REWARD,
    A_SELL,
    A_SHAPE,
    A_SHOP,
    A_SLOT,
    A_THROW,
    A_TRACK,
    NUM_GAME_ACTIONS,
)
from .clean import choose_clean, choose_reward, finish_clean, offer_clean, offer_rewards
from .competition import (
    competition_turn,
    finish_competition_turn,
    place_first_donkey,
)
from .constants import (
    COMPETITION,
    DEAL,
    EV_CHOICE,
    EV_ROUND,
    EV_TURN,
    F_ACQUIRE,
    F_ANY_ACTION,
    F_BONUS,
    F_CLAY,
    F_CLEAN,
    F_COMPETITION,
    F_COMPLETE_WHEEL,
    F_ESPARTO,
    F_FIRE,
    F_GAIN,
    F_PAINT,
    F_PAY,
    F_PLACEMENT,
    F_PLAY,
    F_REWARDS,
    F_SELL,
    F_SHAPE,
    F_SHOP,
    F_SIDES,
    F_SLOT,
    F_SPECIAL,
    F_THROW,
    F_TRACK,
    NOBODY,
    PHASE_END_OF_ROUND,
    PHASE_FINISHED,
    PHASE_MARKET,
    PHASE_SETUP,
    PHASE_TURNS,
    VP_CLEANUP,
    VP_WHEELS,
)
from .events import emit
from .extract import choose_extract, offer_extract
from .first_player import choose_track, offer_track
from .frames import allow, pop
from .jit import kernel
from .kilns import (
    choose_fire,
    choose_glaze,
    choose_paint,
    choose_pay,
    offer_fire,
    offer_paint,
    offer_pay,
)
from .market import (
    apply_dice,
    choose_next_sale,
    choose_reroll,
    offer_next_sale,
    offer_reroll,
    place_markers,
    roll_dice,
)
from .play import choose_play, choose_slot, offer_play, offer_slot
from .round_end import (
    all_shops_closed,
    choose_score,
    offer_score,
    open_shops,
    update_turn_order,
)
from .scoring import score_game
from .setup import choose_setup, clear_combinations, offer_setup, set_up
from .throw import choose_shape, choose_throw, complete_wheel, offer_shape, offer_throw
from .turns import (
    choose_placement,
    choose_shop,
    choose_turn,
    offer_placement,
    offer_shop,
    offer_turn,
)


@kernel
def offer_frame(box: Any, g: Any) -> int:
    """Offer the choices of the top frame; returns how many there are beside `done`."""
    frame = g.frames[g.depth - 1]
    kind, p, a, b = frame[0], frame[1], frame[2], frame[3]
    g.current_player = p
    if kind == F_PLACEMENT:
        return offer_placement(box, g, p, a, b, frame[4], frame[5])
    if kind == F_ACQUIRE:
        return offer_acquire(box, g, p, a, b, frame[4])
    if kind == F_FIRE:
        return offer_fire(g, p)
    if kind == F_PAINT:
        return offer_paint(box, g, p)
    if kind == F_PLAY:
        return offer_play(box, g, p)
    if kind == F_CLAY:
        return offer_extract(box, g, p)
    if kind == F_THROW:
        return offer_throw(box, g, p)
    if kind == F_SHAPE:
        return offer_shape(box, g, p)
    if kind == F_CLEAN:
        return offer_clean(box, g, p)
    if kind == F_REWARDS:
        return offer_rewards(box, g, p, a)
    if kind == F_ESPARTO:
        return offer_esparto(box, g, p, a)
    if kind == F_SPECIAL:
        return offer_special(box, g, p, a)
    if kind == F_SIDES:
        return offer_sides(box, g, p, a, b)
    if kind == F_ANY_ACTION:
        return offer_any_action(box, g, p)
    if kind == F_BONUS:
        return offer_any_bonus(box, g, p)
    if kind == F_SELL:
        return offer_next_sale(g, p)
    if kind == F_SHOP:
        return offer_shop(g, p)
    if kind == F_GAIN:
        return offer_gain(g, p)
    if kind == F_SLOT:
        return offer_slot(box, g, p, a)
    if kind == F_PAY:
        return offer_pay(box, g, p, b)
    return offer_track(box, g, p)


@kernel
def offer_base(box: Any, g: Any) -> int:
    """Offer the choices of a step with nothing pending; a closed shop may only pass (B28)."""
    p = g.turn_player
    g.current_player = p
    if g.phase == PHASE_TURNS:
        if g.shop_closed[p] == 0:
            return offer_turn(g, p)
        offer_any_bonus(box, g, p)
        allow(g, A_DONE)
        return int(g.num_legal)
    if g.phase == PHASE_SETUP:
        return offer_setup(g, p)
    if g.phase == PHASE_MARKET:
        return offer_reroll(g)
    return offer_score(g, p)


@kernel
def offer(box: Any, g: Any) -> int:
    """Write the legal actions of the present decision; returns how many change something."""
    g.legal[:] = 0
    g.num_legal = 0
    if g.phase == PHASE_FINISHED:
        g.current_player = NOBODY
        return 0
    if g.depth > 0:
        return offer_frame(box, g)
    return offer_base(box, g)


@kernel
def choose_base(box: Any, g: Any, action: int) -> None:
    p = g.turn_player
    if g.phase == PHASE_TURNS:
        if g.shop_closed[p] == 0:
            choose_turn(box, g, p, action)
        elif action != A_DONE:
            start_bonus(box, g, p, action - A_BONUS, 1)
    elif g.phase == PHASE_SETUP:
        choose_setup(box, g, p, action)
    elif g.phase == PHASE_MARKET:
        choose_reroll(g, action)
    else:
        choose_score(g, p, action)


@kernel
def finish_frame(box: Any, g: Any) -> None:
    """The top frame ends, by `done` or because nothing is left to choose in it."""
    frame = g.frames[g.depth - 1]
    if frame[0] == F_ACQUIRE:
        finish_acquire(g)
    elif frame[0] == F_CLEAN:
        finish_clean(box, g, frame[1])
    else:
        pop(g)


@kernel
def choose_frame(box: Any, g: Any, action: int) -> None:
    """Carry out a choice of the top frame other than `done`."""
    frame = g.frames[g.depth - 1]
    kind, p = frame[0], frame[1]
    if kind == F_PLACEMENT:
        choose_placement(box, g, p, action)
    elif kind == F_ACQUIRE:
        choose_acquire(g, p, action)
    elif kind == F_FIRE:
        if action >= A_GLAZE:
            choose_glaze(g, p, action - A_GLAZE)
        else:
            choose_fire(g, p, action - A_FIRE)
    elif kind == F_PAINT:
        choose_paint(box, g, p, action - A_PAINT)
    elif kind == F_PLAY:
        choose_play(box, g, p, action - A_PLAY)
    elif kind == F_SLOT:
        start(box, g, p, choose_slot(box, g, p, frame[2], action - A_SLOT))
    elif kind == F_CLAY:
        choose_extract(box, g, p, action - A_CLAY + 1)
    elif kind == F_THROW:
        resolve(box, g, p, choose_throw(box, g, p, action - A_THROW), VP_WHEELS)
    elif kind == F_SHAPE:
        choose_shape(box, g, p, action - A_SHAPE)
    elif kind == F_CLEAN:
        choose_clean(box, g, p, action)
    elif kind == F_REWARDS:
        resolve(box, g, p, choose_reward(box, g, p, action - A_REWARD), VP_CLEANUP)
    elif kind == F_ESPARTO:
        option = action - A_ESPARTO
        choose_esparto(box, g, p, option // 2, option % 2)
    elif kind == F_SPECIAL:
        choose_special(box, g, p, action - A_BONUS)
    elif kind == F_SIDES:
        choose_side(box, g, p, action - A_ACTION + 1)
    elif kind == F_ANY_ACTION:
        pop(g)
        start(box, g, p, action - A_ACTION + 1)
    elif kind == F_BONUS:
        pop(g)
        start_bonus(box, g, p, action - A_BONUS, 1)
    elif kind == F_SELL:
        choose_next_sale(box, g, p, action - A_SELL)
    elif kind == F_SHOP:
        choose_shop(box, g, p, action - A_SHOP)
    elif kind == F_GAIN:
        choose_gain(box, g, p, action - A_GAIN)
    elif kind == F_PAY:
        choose_pay(box, g, p, frame[2], frame[3], action - A_PAY)
    elif kind == F_TRACK:
        choose_track(box, g, p, action - A_TRACK)


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
def choose(box: Any, g: Any, action: int) -> None:
    """Carry out a legal action; what comes next is `settle`'s."""
    g.decisions += 1 if g.num_legal > 1 else 0
    if g.log_on:
        where = g.frames[g.depth - 1, 0] if g.depth > 0 else -1 - g.phase
        emit(g, EV_CHOICE, g.current_player, action, where, 1 if g.num_legal == 1 else 0, 0)
    if g.depth == 0:
        choose_base(box, g, action)
    elif action == A_DONE:
        finish_frame(box, g)
    else:
        choose_frame(box, g, action)


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


@kernel
def legal_mask(box: Any, g: Any, out: Any) -> int:
    """Write the legal actions (int8, NUM_GAME_ACTIONS) into `out`; returns their number.

    The record holds them already; the rules that find them are `offer`'s.
    """
    out[:] = g.legal
    return int(g.num_legal)
