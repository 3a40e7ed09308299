"""Features (draft)."""

from __future__ import annotations

from typing import Any

import numpy as np

from nijar_env.components.vocabulary import (
    CLAY,
    CLEANUP,
    CRACK,
    DRAFT_COLUMNS,
    DRAFT_SPACES,
    EFFECT_ACTION,
    EFFECT_CLAY,
    EFFECT_GLAZE,
    EFFECT_PG,
    EFFECT_VP,
    END_PLATE,
    ESPARTO,
    ESPARTO_SPACES,
    FIRING_KILN,
    GLAZE,
    GLAZE_KILN,
    MARKET_ROWS,
    NUM_CARDS,
    NUM_ENDGAME_KINDS,
    NUM_PIECES,
    NUM_ROUNDS,
    PG,
    WHEEL,
    WHEEL_SPACES,
    WORKSHOP,
)
from nijar_env.core.acquire import available, price
from nijar_env.core.constants import PHASE_END_OF_ROUND, PHASE_FINISHED, PHASE_SETUP
from nijar_env.core.first_player import on_track
from nijar_env.core.jit import kernel
from nijar_env.core.scoring import cards_of_kind, different_esparto
from nijar_env.core.play import can_play_card
from nijar_env.components.vocabulary import ACT_SHAPE, MAX_COLUMNS, BOARD_ROWS
from .weights import FEATURES, NF

# Expected lowest, middle and highest of three dice.
LOW_DIE, MIDDLE_DIE, HIGH_DIE = 441 / 216, 3.5, 1071 / 216


@kernel
def turns_left(box: Any, g: Any, p: int) -> float:
    """Craftswomen that player `p` will still place, bumps apart."""
    turns = float(g.craftswomen[p])
    for number in range(g.round_number + 1, NUM_ROUNDS + 1):
        turns += box.craftswomen[number]
    if g.phase == PHASE_SETUP:
        turns -= g.craftswomen[p]
    return turns


@kernel
def half_at(turns: float, half: float) -> float:
    """1 with many turns left, 1/2 at `half`, 0 at none."""
    return turns / (turns + half + 1e-9)


@kernel
def expected_rows(box: Any, g: Any, rows: Any) -> None:
    """Market rows by round (from 0) and piece: as they are now, as they are expected later."""
    for number in range(NUM_ROUNDS):
        for piece in range(NUM_PIECES):
            demand = g.demand[number]
            higher = 0
            for other in range(NUM_PIECES):
                if demand[other] > demand[piece]:
                    higher += 1
            die = HIGH_DIE if higher == 0 else (MIDDLE_DIE if higher == 1 else LOW_DIE)
            rows[number, piece] = min(
                box.market_start[g.num_players] + demand[piece] + die, MARKET_ROWS - 1.0
            )


@kernel
def price_at(box: Any, painted: int, row: float) -> float:
    """Price between two rows of the market."""
    if row <= 0.0:
        return float(box.market_vp[painted, 0])
    low = int(row)
    if low >= MARKET_ROWS - 1:
        return float(box.market_vp[painted, MARKET_ROWS - 1])
    part = row - low
    return box.market_vp[painted, low] * (1.0 - part) + box.market_vp[painted, low + 1] * part


_ONE = FEATURES.index('one')
_CRAFTSWOMEN = FEATURES.index('craftswomen')
_OPEN_NOW = FEATURES.index('open_now')
_PG_FEW = FEATURES.index('pg_few')
_PG_MORE = FEATURES.index('pg_more')
_PG_MANY = FEATURES.index('pg_many')
_GLAZE_FEW = FEATURES.index('glaze_few')
_GLAZE_MORE = FEATURES.index('glaze_more')
_CLAY_FEW = FEATURES.index('clay_few')
_CLAY_MORE = FEATURES.index('clay_more')
_CRACK_FEW = FEATURES.index('crack_few')
_CRACK_MANY = FEATURES.index('crack_many')
_READY_PRICE = FEATURES.index('ready_price')
_WORKSHOP_PRICE = FEATURES.index('workshop_price')
_FIRING_PRICE = FEATURES.index('firing_price')
_FIRING_PLAIN = FEATURES.index('firing_plain')
_DRYING_PRICE = FEATURES.index('drying_price')
_READY_N = FEATURES.index('ready_n')
_WORKSHOP_N = FEATURES.index('workshop_n')
_FIRING_N = FEATURES.index('firing_n')
_DRYING_N = FEATURES.index('drying_n')
_DRYING_BLOCKED = FEATURES.index('drying_blocked')
_WORKSHOP_BLOCKED = FEATURES.index('workshop_blocked')
_PAINTABLE = FEATURES.index('paintable')
_FIRING_KILN_2 = FEATURES.index('firing_kiln_2')
_FIRING_KILN_3 = FEATURES.index('firing_kiln_3')
_WORKSHOP_2 = FEATURES.index('workshop_2')
_WORKSHOP_3 = FEATURES.index('workshop_3')
_GLAZE_KILN_2 = FEATURES.index('glaze_kiln_2')
_GLAZE_KILN_3 = FEATURES.index('glaze_kiln_3')
_WHEELS = FEATURES.index('wheels')
_DONE_PROGRESS = FEATURES.index('done_progress')
_DONE_LEFT = FEATURES.index('done_left')
_AHEAD = FEATURES.index('ahead')
_SHAPE_NEXT = FEATURES.index('shape_next')
_SHAPE_AHEAD = FEATURES.index('shape_ahead')
_SHAPE_FED = FEATURES.index('shape_fed')
_TECH_2 = FEATURES.index('tech_2')
_TECH_3 = FEATURES.index('tech_3')
_TECH_AHEAD = FEATURES.index('tech_ahead')
_ESPARTO_N = FEATURES.index('esparto_n')
_SET_NOW = FEATURES.index('set_now')
_SET_NEXT = FEATURES.index('set_next')
_CLEANUP_N = FEATURES.index('cleanup_n')
_CLEANUP_REWARD = FEATURES.index('cleanup_reward')
_CLEANUP_PROGRESS = FEATURES.index('cleanup_progress')
_HAND_WORTH = FEATURES.index('hand_worth')
_PLAYABLE = FEATURES.index('playable')
_HAND_WHEEL = FEATURES.index('hand_wheel')
_HAND_ESPARTO = FEATURES.index('hand_esparto')
_HAND_CLEANUP = FEATURES.index('hand_cleanup')
_HAND_FIRING = FEATURES.index('hand_firing')
_HAND_WORKSHOP = FEATURES.index('hand_workshop')
_HAND_GLAZE = FEATURES.index('hand_glaze')
_DONKEY_BEST = FEATURES.index('donkey_best')
_DONKEY_SECOND = FEATURES.index('donkey_second')
_PLAYED_NOW = FEATURES.index('played_now')
_PLAYED_NEXT = FEATURES.index('played_next')
_HELD_N = FEATURES.index('held_n')
_HELD_BEST = FEATURES.index('held_best')
_HELD_NEXT = FEATURES.index('held_next')
_ON_TRACK = FEATURES.index('on_track')
_RIVAL_READY = FEATURES.index('rival_ready')
_RIVAL_COMING = FEATURES.index('rival_coming')
_SUPPLY = FEATURES.index('supply')
_RIVAL_CRAFTSWOMEN = FEATURES.index('rival_craftswomen')
_RIVAL_CLOSED = FEATURES.index('rival_closed')
_FREE_SPACES = FEATURES.index('free_spaces')
_OWN_SPACES = FEATURES.index('own_spaces')

FUTURE_SALE = 0.85
ACTION_WORTH = np.array([0.0, 1.5, 2.5, 1.5, 1.5, 2.0, 1.5, 1.5, 1.5, 2.0, 2.5, 2.0, 1.0, 1.0, 0.8])


@kernel
def sort_prices(box: Any, g: Any, p: int, rows: Any, f: Any) -> None:
    first = g.round_number - 1
    open_now = g.round_number > 0 and g.phase != PHASE_END_OF_ROUND and g.shop_closed[p] == 0
    f[_OPEN_NOW] = 1.0 if open_now else 0.0
    n_ready = n_workshop = n_firing = n_drying = 0
    for piece in range(NUM_PIECES):
        ready = workshop = firing = 0
        for k in range(g.glaze_size[p]):
            if g.glaze_piece[p, k] == piece:
                ready += 1
        for k in range(g.workshop_size[p]):
            if g.workshop_piece[p, k] == piece:
                workshop += 1
        for k in range(g.firing_size[p]):
            if g.firing_piece[p, k] == piece:
                firing += 1
        drying = int(g.drying[p, piece])
        total = ready + workshop + firing + drying
        if total == 0:
            continue
        n_ready += ready
        n_workshop += workshop
        n_firing += firing
        n_drying += drying
        extra = (g.endgame_played[p, END_PLATE + piece] + 0.7 * g.endgame_hand[p, END_PLATE + piece]) * box.sold_vp
        row0 = float(g.market[piece]) if open_now else -1.0
        row1 = rows[1, piece]
        row2 = rows[2, piece]
        for i in range(total):
            best = float(box.left_piece_vp[1])
            plain = float(box.left_piece_vp[0])
            where = -1
            if open_now:
                offer = price_at(box, 1, row0)
                if offer > best:
                    best = offer
                    where = 0
            if first < 1:
                offer = FUTURE_SALE * price_at(box, 1, row1)
                if offer > best:
                    best = offer
                    where = 1
            if first < 2:
                offer = FUTURE_SALE * price_at(box, 1, row2)
                if offer > best:
                    best = offer
                    where = 2
            if where == 0:
                plain = price_at(box, 0, row0)
                row0 -= g.demand[first, piece]
            elif where == 1:
                plain = FUTURE_SALE * price_at(box, 0, row1)
                row1 -= g.demand[1, piece]
            elif where == 2:
                plain = FUTURE_SALE * price_at(box, 0, row2)
                row2 -= g.demand[2, piece]
            best += extra
            plain += extra
            if i < ready:
                f[_READY_PRICE] += best
            elif i < ready + workshop:
                f[_WORKSHOP_PRICE] += best
            elif i < ready + workshop + firing:
                f[_FIRING_PRICE] += best
                f[_FIRING_PLAIN] += plain
            else:
                f[_DRYING_PRICE] += best
    f[_READY_N] = n_ready
    f[_WORKSHOP_N] = n_workshop
    f[_FIRING_N] = n_firing
    f[_DRYING_N] = n_drying
    f[_DRYING_BLOCKED] = max(0, n_drying - (g.firing_size[p] - n_firing))
    f[_WORKSHOP_BLOCKED] = max(0, n_workshop - (g.glaze_size[p] - n_ready))
    free = int(g.workshop_size[p]) - n_workshop
    f[_PAINTABLE] = min(min(free, n_firing), g.glaze[p] // 2)


@kernel
def effect_worth(effect: Any) -> float:
    return (
        effect[EFFECT_VP] + effect[EFFECT_PG] * 0.6 + effect[EFFECT_GLAZE] * 0.6
        + effect[EFFECT_CLAY] * 0.6 + ACTION_WORTH[effect[EFFECT_ACTION]]
    )


@kernel
def wheels(box: Any, g: Any, p: int, f: Any) -> None:
    ahead = 0
    shapes = 0
    nexts = 0
    for k in range(WHEEL_SPACES):
        card = g.wheel[p, k]
        if card < 0 or g.wheel_done[p, k]:
            continue
        spaces = int(box.card_spaces[card])
        step = int(g.vase[p, k])
        f[_WHEELS] += 1
        f[_DONE_PROGRESS] += box.card_done_vp[card] * step / spaces
        f[_DONE_LEFT] += box.card_done_vp[card]
        ahead += spaces - step
        for s in range(step, spaces):
            if box.card_effect[card, s, EFFECT_ACTION] == ACT_SHAPE:
                shapes += 1
                if s == step:
                    nexts += 1
    f[_AHEAD] = min(ahead, 12)
    f[_SHAPE_NEXT] = nexts
    f[_SHAPE_AHEAD] = min(shapes, 8)
    f[_SHAPE_FED] = min(nexts, g.clay[p])
    f[_TECH_2] = 1.0 if g.technology[p] >= 2 else 0.0
    f[_TECH_3] = 1.0 if g.technology[p] >= 3 else 0.0
    f[_TECH_AHEAD] = (g.technology[p] - 1) * min(ahead, 8) * 0.5


@kernel
def cost_worth(box: Any, card: int) -> float:
    cost = box.card_cost[card]
    return cost[PG] * 0.6 + cost[GLAZE] * 0.6 + cost[CLAY] * 0.6 + cost[CRACK] * 1.0


@kernel
def type_of(kind: int) -> int:
    """endgame kind of a card type"""
    if kind == WHEEL:
        return 0
    if kind == ESPARTO:
        return 1
    if kind == CLEANUP:
        return 2
    if kind == FIRING_KILN:
        return 3
    if kind == WORKSHOP:
        return 4
    return 5


@kernel
def next_of(box: Any, g: Any, p: int, ended: int) -> float:
    """what one more card (or sold piece) brings to an endgame card of that kind"""
    if ended >= END_PLATE:
        return float(box.sold_vp)
    n = cards_of_kind(g, p, ended)
    if ended == 1:
        return float(box.esparto_scale[n + 1] - box.esparto_scale[n]) if n < 4 else 0.0
    return float(box.type_scale[n + 1] - box.type_scale[n]) if n < 5 else 0.0


@kernel
def now_of(box: Any, g: Any, p: int, ended: int) -> float:
    if ended >= END_PLATE:
        return float(g.sold[p, ended - END_PLATE] * box.sold_vp)
    n = cards_of_kind(g, p, ended)
    if ended == 1:
        return float(box.esparto_scale[min(n, 4)])
    return float(box.type_scale[min(n, 5)])


@kernel
def card_worth(box: Any, g: Any, p: int, card: int, share: float, free_wheel: bool, free_esparto: bool) -> float:
    kind = int(box.card_type[card])
    value = 1.5
    if kind == WHEEL:
        if not free_wheel:
            return 0.0
        value += box.card_vp[card] + (0.3 * box.card_done_vp[card] + 0.3 * box.card_spaces[card]) * min(1.0, 2.0 * share)
    elif kind == ESPARTO:
        if not free_esparto:
            return 0.0
        value += 3.0 * share
        new = True
        for k in range(ESPARTO_SPACES):
            new = new and g.esparto[p, k] != card
        if new:
            n = different_esparto(g, p)
            if n < 4:
                value += box.set_scale[n + 1] - box.set_scale[n]
    elif kind == CLEANUP:
        value = 3.0 * share / g.cleanup_size[p] + 0.3 * share * effect_worth(box.card_effect[card, 0])
    elif kind == FIRING_KILN:
        value += 1.5 + 4.0 * share / (g.firing_size[p] + 1)
    elif kind == WORKSHOP:
        value += 1.5 + 4.0 * share / (g.workshop_size[p] + 1)
    else:
        value += 1.5 + 4.0 * share / (g.glaze_size[p] + 1)
    ended = type_of(kind)
    wanted = g.endgame_played[p, ended] + 0.7 * g.endgame_hand[p, ended]
    if wanted > 0:
        value += wanted * next_of(box, g, p, ended)
    return max(value - cost_worth(box, card), 0.0)


@kernel
def hand(box: Any, g: Any, p: int, share: float, fw: bool, fe: bool, f: Any) -> None:
    left = int(g.hand_size[p])
    cards = g.hand[p]
    if left == 0:
        return
    for card in range(NUM_CARDS):
        n = cards[card]
        if n > 0:
            f[_HAND_WORTH] += n * card_worth(box, g, p, card, share, fw, fe)
            if can_play_card(box, g, p, card):
                f[_PLAYABLE] += n
            kind = int(box.card_type[card])
            if kind == WHEEL:
                f[_HAND_WHEEL] += n if fw else 0
            elif kind == ESPARTO:
                f[_HAND_ESPARTO] += n if fe else 0
            elif kind == CLEANUP:
                f[_HAND_CLEANUP] += n
            elif kind == FIRING_KILN:
                f[_HAND_FIRING] += n
            elif kind == WORKSHOP:
                f[_HAND_WORKSHOP] += n
            else:
                f[_HAND_GLAZE] += n
            left -= n
            if left == 0:
                break
    f[_PLAYABLE] = min(f[_PLAYABLE], 3.0)


@kernel
def donkey(box: Any, g: Any, p: int, share: float, fw: bool, fe: bool, f: Any) -> None:
    if g.donkey[p] < 0:
        return
    best = 0.0
    second = 0.0
    for space in range(DRAFT_SPACES):
        if available(g, p, space):
            distance = price(g, p, space)
            if distance > 3:
                continue
            card = g.draft[space // DRAFT_COLUMNS, space % DRAFT_COLUMNS]
            value = card_worth(box, g, p, card, share, fw, fe) - distance * 0.6
            if value > best:
                second = best
                best = value
            elif value > second:
                second = value
    f[_DONKEY_BEST] = best
    f[_DONKEY_SECOND] = second


@kernel
def endgame(box: Any, g: Any, p: int, f: Any) -> None:
    for kind in range(NUM_ENDGAME_KINDS):
        played = int(g.endgame_played[p, kind])
        held = int(g.endgame_hand[p, kind])
        if played + held == 0:
            continue
        now = now_of(box, g, p, kind)
        nxt = next_of(box, g, p, kind)
        f[_PLAYED_NOW] += played * now
        if kind < END_PLATE:
            f[_PLAYED_NEXT] += played * nxt
        if held > 0:
            f[_HELD_N] += held
            f[_HELD_BEST] = max(f[_HELD_BEST], now)
            f[_HELD_NEXT] = max(f[_HELD_NEXT], nxt)
    if NUM_ROUNDS == g.round_number and g.phase == PHASE_END_OF_ROUND:
        f[_HELD_N] = 0.0
        f[_HELD_BEST] = 0.0


@kernel
def rivals(box: Any, g: Any, p: int, f: Any) -> None:
    for q in range(g.num_seats):
        if q == p:
            continue
        f[_RIVAL_CRAFTSWOMEN] += g.craftswomen[q]
        f[_RIVAL_CLOSED] += g.shop_closed[q]
        if q >= g.num_players:
            for piece in range(NUM_PIECES):
                if g.comp_piece[piece] == 2:
                    f[_RIVAL_READY] += box.market_vp[1, g.market[piece]]
                elif g.comp_piece[piece] == 1:
                    f[_RIVAL_COMING] += box.market_vp[1, g.market[piece]]
        else:
            for k in range(g.glaze_size[q]):
                if g.glaze_piece[q, k] >= 0:
                    f[_RIVAL_READY] += box.market_vp[1, g.market[g.glaze_piece[q, k]]]
            for k in range(g.workshop_size[q]):
                if g.workshop_piece[q, k] >= 0:
                    f[_RIVAL_COMING] += box.market_vp[1, g.market[g.workshop_piece[q, k]]]
    for piece in range(NUM_PIECES):
        f[_SUPPLY] += g.supply_piece[piece]
    for row in range(BOARD_ROWS):
        for column in range(MAX_COLUMNS):
            if g.bonus[column] >= 0:
                if g.space_count[row, column] == 0:
                    f[_FREE_SPACES] += 1
                elif g.space_owner[row, column] == p:
                    f[_OWN_SPACES] += 1


@kernel
def features(box: Any, g: Any, p: int, rows: Any, turns: float, f: Any) -> None:
    f[:] = 0.0
    share = turns / 18.0
    f[_ONE] = 1.0
    f[_CRAFTSWOMEN] = g.craftswomen[p]
    pg = float(g.pg[p])
    f[_PG_FEW] = min(pg, 4.0)
    f[_PG_MORE] = min(max(pg - 4.0, 0.0), 6.0)
    f[_PG_MANY] = max(pg - 10.0, 0.0)
    glaze = float(g.glaze[p])
    f[_GLAZE_FEW] = min(glaze, 4.0)
    f[_GLAZE_MORE] = max(glaze - 4.0, 0.0)
    clay = float(g.clay[p])
    f[_CLAY_FEW] = min(clay, 3.0)
    f[_CLAY_MORE] = max(clay - 3.0, 0.0)
    cracks = float(g.cleaning_area[p])
    f[_CRACK_FEW] = min(cracks, 4.0)
    f[_CRACK_MANY] = max(cracks - 4.0, 0.0)
    sort_prices(box, g, p, rows, f)
    f[_FIRING_KILN_2] = 1.0 if g.firing_size[p] >= 2 else 0.0
    f[_FIRING_KILN_3] = max(g.firing_size[p] - 2, 0)
    f[_WORKSHOP_2] = 1.0 if g.workshop_size[p] >= 2 else 0.0
    f[_WORKSHOP_3] = max(g.workshop_size[p] - 2, 0)
    f[_GLAZE_KILN_2] = 1.0 if g.glaze_size[p] >= 2 else 0.0
    f[_GLAZE_KILN_3] = max(g.glaze_size[p] - 2, 0)
    wheels(box, g, p, f)
    fw = False
    for k in range(1, WHEEL_SPACES):
        fw = fw or g.wheel[p, k] < 0
    fe = False
    for k in range(1, ESPARTO_SPACES):
        fe = fe or g.esparto[p, k] < 0
        if g.esparto[p, k] >= 0:
            f[_ESPARTO_N] += 1
    different = different_esparto(g, p)
    f[_SET_NOW] = box.set_scale[different]
    f[_SET_NEXT] = box.set_scale[different + 1] - box.set_scale[different] if fe and different < 4 else 0.0
    f[_CLEANUP_N] = g.cleanup_size[p] - 1
    for k in range(g.cleanup_size[p]):
        card = g.cleanup[p, k]
        reward = effect_worth(box.card_effect[card, 0])
        f[_CLEANUP_REWARD] += reward
        f[_CLEANUP_PROGRESS] += reward * g.cleanup_cracks[p, k] / box.card_spaces[card]
    hand(box, g, p, share, fw, fe, f)
    donkey(box, g, p, share, fw, fe, f)
    endgame(box, g, p, f)
    f[_ON_TRACK] = 1.0 if on_track(g, p) else 0.0
    rivals(box, g, p, f)


RIVAL_VP = 0.5


@kernel
def best_rival(g: Any, p: int) -> float:
    best = -1000.0
    for q in range(g.num_seats):
        if q != p:
            best = max(best, float(g.vp[q]))
    return best


@kernel
def evaluate(box: Any, g: Any, p: int, w: Any, rows: Any, f: Any) -> float:
    turns = turns_left(box, g, p)
    features(box, g, p, rows, turns, f)
    t = min(max(int(turns), 0), 18)
    value = float(g.vp[p]) - RIVAL_VP * best_rival(g, p)
    for k in range(NF):
        value += f[k] * w[t, k]
    return value
