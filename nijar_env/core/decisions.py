"""Decisions: what may be chosen now, and carrying a choice out (§6, §7).

Both dispatch on the top pending frame, or on the phase where nothing is pending. What comes after
a choice is `engine`'s.
"""

from __future__ import annotations

from typing import Any

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
)
from .clean import choose_clean, choose_reward, finish_clean, offer_clean, offer_rewards
from .constants import (
    EV_CHOICE,
    F_ACQUIRE,
    F_ANY_ACTION,
    F_BONUS,
    F_CLAY,
    F_CLEAN,
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
from .market import choose_next_sale, choose_reroll, offer_next_sale, offer_reroll
from .play import choose_play, choose_slot, offer_play, offer_slot
from .round_end import choose_score, offer_score
from .setup import choose_setup, offer_setup
from .throw import choose_shape, choose_throw, offer_shape, offer_throw
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
        card, step = choose_throw(box, g, p, action - A_THROW)
        resolve(box, g, p, box.card_effect[card, step], VP_WHEELS)
    elif kind == F_SHAPE:
        choose_shape(box, g, p, action - A_SHAPE)
    elif kind == F_CLEAN:
        choose_clean(box, g, p, action)
    elif kind == F_REWARDS:
        card = choose_reward(g, p, action - A_REWARD)
        resolve(box, g, p, box.card_effect[card, 0], VP_CLEANUP)
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
