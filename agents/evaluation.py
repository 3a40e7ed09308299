"""greedy's opinion of a position at the end of a turn, in victory points. (draft)"""

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


@kernel
def pieces_value(box: Any, g: Any, p: int, w: Any, rows: Any, turns: float) -> float:
    """Every piece at the best price that is left for it, times what its state makes of it."""
    value = 0.0
    first = g.round_number - 1  # index of the present round
    open_now = (
        g.round_number > 0 and g.phase != PHASE_END_OF_ROUND and g.shop_closed[p] == 0
    )
    share_workshop = w.workshop_share * half_at(turns, w.workshop_turns)
    share_firing = w.firing_share * half_at(turns, w.firing_turns)
    share_drying = w.drying_share * half_at(turns, w.drying_turns)
    for piece in range(NUM_PIECES):
        ready = 0
        for k in range(g.glaze_size[p]):
            if g.glaze_piece[p, k] == piece:
                ready += 1
        workshop = 0
        for k in range(g.workshop_size[p]):
            if g.workshop_piece[p, k] == piece:
                workshop += 1
        firing = 0
        for k in range(g.firing_size[p]):
            if g.firing_piece[p, k] == piece:
                firing += 1
        drying = int(g.drying[p, piece])
        total = ready + workshop + firing + drying
        if total == 0:
            continue
        extra = (
            g.endgame_played[p, END_PLATE + piece]
            + w.endgame_held * g.endgame_hand[p, END_PLATE + piece]
        ) * box.sold_vp
        row0 = float(g.market[piece]) if open_now else -1.0
        row1 = rows[1, piece]
        row2 = rows[2, piece]
        for i in range(total):
            # the round with the best price for this piece
            best = -1.0
            where = -1
            row = 0.0
            if open_now:
                best = price_at(box, 1, row0)
                where = 0
                row = row0
            if first < 1:
                offer = w.future_sale * price_at(box, 1, row1)
                if offer > best:
                    best = offer
                    where = 1
                    row = row1
            if first < 2:
                offer = w.future_sale * price_at(box, 1, row2)
                if offer > best:
                    best = offer
                    where = 2
                    row = row2
            plain = 0.0
            if where == 0:
                plain = price_at(box, 0, row)
                row0 -= g.demand[first, piece]
            elif where == 1:
                plain = w.future_sale * price_at(box, 0, row)
                row1 -= g.demand[1, piece]
            elif where == 2:
                plain = w.future_sale * price_at(box, 0, row)
                row2 -= g.demand[2, piece]
            best += extra
            plain += extra
            if i < ready:
                value += max(w.ready * best if where >= 0 else 0.0, box.left_piece_vp[1] + extra)
            elif i < ready + workshop:
                value += share_workshop * best if where >= 0 else 0.0
            elif i < ready + workshop + firing:
                value += max(
                    max(share_firing * best, w.ready * plain) if where >= 0 else 0.0,
                    box.left_piece_vp[0] + extra,
                )
            else:
                value += share_drying * best if where >= 0 else 0.0
    return value


@kernel
def effect_value(effect: Any, w: Any) -> float:
    """A printed effect: fixed gains and the usual worth of its action."""
    return (
        effect[EFFECT_VP]
        + effect[EFFECT_PG] * w.pg * 0.7
        + effect[EFFECT_GLAZE] * w.glaze * 0.7
        + effect[EFFECT_CLAY] * w.clay * 0.7
        + w.action[effect[EFFECT_ACTION]]
    )


@kernel
def wheels_value(box: Any, g: Any, p: int, w: Any, turns: float, share: float) -> float:
    value = 0.0
    fuel = 0.0
    for k in range(WHEEL_SPACES):
        card = g.wheel[p, k]
        if card < 0 or g.wheel_done[p, k]:
            continue
        spaces = int(box.card_spaces[card])
        step = int(g.vase[p, k])
        value += (
            w.done_share * box.card_done_vp[card] * half_at(turns, w.done_turns * (spaces - step))
        )
        weight = 1.0
        for s in range(step, spaces):
            fuel += weight * effect_value(box.card_effect[card, s], w)
            weight *= w.fuel_decay
    return value + w.fuel * share * fuel


@kernel
def scale_at(scale: Any, top: int, n: float) -> float:
    """A scoring scale between two counts."""
    if n >= top:
        return float(scale[top])
    low = int(n)
    part = n - low
    return scale[low] * (1.0 - part) + scale[low + 1] * part


@kernel
def endgame_kind_value(box: Any, g: Any, p: int, w: Any, kind: int, share: float) -> float:
    if kind >= END_PLATE:
        # pieces on their way are counted with the pieces
        return float(g.sold[p, kind - END_PLATE] * box.sold_vp)
    n = cards_of_kind(g, p, kind) + w.endgame_growth * share
    if kind == 1:
        return scale_at(box.esparto_scale, 4, n)
    return scale_at(box.type_scale, 5, n)


@kernel
def endgame_value(box: Any, g: Any, p: int, w: Any, turns: float, share: float) -> float:
    value = 0.0
    rounds = NUM_ROUNDS - int(g.round_number) + 1
    discard = w.discard * half_at(turns, w.discard_turns)
    for kind in range(NUM_ENDGAME_KINDS):
        played = int(g.endgame_played[p, kind])
        held = int(g.endgame_hand[p, kind])
        if played + held == 0:
            continue
        score = endgame_kind_value(box, g, p, w, kind, share)
        value += played * score
        value += held * (max(discard, w.endgame_held * score) if rounds > 0 else 0.0)
    return value


@kernel
def cost_value(box: Any, card: int, w: Any) -> float:
    cost = box.card_cost[card]
    return (
        cost[PG] * w.pg + cost[GLAZE] * w.glaze + cost[CLAY] * w.clay + cost[CRACK] * w.crack
    ) * 0.7


@kernel
def card_value(box: Any, g: Any, p: int, w: Any, card: int, turns: float, share: float) -> float:
    """What playing a card would bring, its cost paid."""
    kind = int(box.card_type[card])
    value = w.side_action
    if kind == WHEEL:
        free = False
        for k in range(1, WHEEL_SPACES):
            free = free or g.wheel[p, k] < 0
        if not free:
            return 0.0
        spaces = int(box.card_spaces[card])
        value += box.card_vp[card] + w.done_share * box.card_done_vp[card] * half_at(
            turns, w.done_turns * spaces
        )
        value += w.fuel * share * spaces
        ended = 0
    elif kind == ESPARTO:
        free = False
        for k in range(1, ESPARTO_SPACES):
            free = free or g.esparto[p, k] < 0
        if not free:
            return 0.0
        value += w.esparto * share
        new = True
        for k in range(ESPARTO_SPACES):
            new = new and g.esparto[p, k] != card
        if new:
            n = different_esparto(g, p)
            if n < 4:
                value += box.set_scale[n + 1] - box.set_scale[n]
        ended = 1
    elif kind == CLEANUP:
        value = w.cleanup * share / g.cleanup_size[p]
        value += 0.3 * share * effect_value(box.card_effect[card, 0], w)
        ended = 2
    elif kind == FIRING_KILN:
        value += w.side_action + w.firing_kiln * share / (g.firing_size[p] + 1)
        ended = 3
    elif kind == WORKSHOP:
        value += w.side_action + w.workshop * share / (g.workshop_size[p] + 1)
        ended = 4
    else:
        value += w.side_action + w.glaze_kiln * share / (g.glaze_size[p] + 1)
        ended = 5
    wanted = g.endgame_played[p, ended] + w.endgame_held * g.endgame_hand[p, ended]
    if wanted > 0:
        n = cards_of_kind(g, p, ended)
        if ended == 1:
            if n < 4:
                value += wanted * (box.esparto_scale[n + 1] - box.esparto_scale[n])
        elif n < 5:
            value += wanted * (box.type_scale[n + 1] - box.type_scale[n])
    return max(value - cost_value(box, card, w), 0.0)


@kernel
def hand_value(box: Any, g: Any, p: int, w: Any, turns: float, share: float) -> float:
    left = int(g.hand_size[p])
    if left == 0:
        return 0.0
    n = left
    hand = g.hand[p]
    total = 0.0
    for card in range(NUM_CARDS):
        if hand[card] > 0:
            total += hand[card] * card_value(box, g, p, w, card, turns, share)
            left -= hand[card]
            if left == 0:
                break
    return w.hand * total / (1.0 + n / w.hand_room) * half_at(turns, w.hand_turns)


@kernel
def donkey_value(box: Any, g: Any, p: int, w: Any, turns: float, share: float) -> float:
    """The two best cards that lie near the donkey."""
    if g.donkey[p] < 0:
        return 0.0
    best = 0.0
    second = 0.0
    for space in range(DRAFT_SPACES):
        if available(g, p, space):
            card = g.draft[space // DRAFT_COLUMNS, space % DRAFT_COLUMNS]
            distance = price(g, p, space)
            if distance > 4:
                continue
            value = card_value(box, g, p, w, card, turns, share) - distance * w.pg * 0.7
            if value > best:
                second = best
                best = value
            elif value > second:
                second = value
    return w.donkey * (best + second) * half_at(turns, w.hand_turns)


@kernel
def harmonic(n: int) -> float:
    total = 0.0
    for k in range(1, n + 1):
        total += 1.0 / k
    return total


@kernel
def board_value(box: Any, g: Any, p: int, w: Any, share: float) -> float:
    value = (
        w.firing_kiln * harmonic(g.firing_size[p])
        + w.workshop * harmonic(g.workshop_size[p])
        + w.glaze_kiln * harmonic(g.glaze_size[p])
        + w.cleanup * harmonic(g.cleanup_size[p])
        + w.technology * (g.technology[p] - 1)
    )
    esparto = 0
    for k in range(ESPARTO_SPACES):
        if g.esparto[p, k] >= 0:
            esparto += 1
    value += w.esparto * esparto
    value *= share
    for k in range(g.cleanup_size[p]):
        card = g.cleanup[p, k]
        reward = effect_value(box.card_effect[card, 0], w)
        value += share * 0.3 * reward
        value += w.cleanup_progress * reward * g.cleanup_cracks[p, k] / box.card_spaces[card] * min(1.0, 4.0 * share)
    value += box.set_scale[different_esparto(g, p)]
    return value


@kernel
def resource_value(n: float, rate: float, room: float) -> float:
    return rate * n / (1.0 + n / room)


@kernel
def resources_value(box: Any, g: Any, p: int, w: Any, turns: float) -> float:
    use = half_at(turns, w.resource_turns)
    n = float(g.pg[p] + g.glaze[p] + g.clay[p])
    value = (
        resource_value(float(g.pg[p]), w.pg, w.pg_room)
        + resource_value(float(g.glaze[p]), w.glaze, w.glaze_room)
        + resource_value(float(g.clay[p]), w.clay, w.clay_room)
    )
    return use * value + (1.0 - use) * n / box.resources_per_vp


@kernel
def cracks_value(box: Any, g: Any, p: int, w: Any) -> float:
    cracks = float(g.cleaning_area[p])
    over = max(cracks - 4.0, 0.0)
    return -w.crack * cracks - w.crack_full * over * over


@kernel
def rivals_value(box: Any, g: Any, p: int, w: Any) -> float:
    best = -1000.0
    ready = 0.0
    for q in range(g.num_seats):
        if q == p:
            continue
        best = max(best, float(g.vp[q]))
        if q >= g.num_players:
            for piece in range(NUM_PIECES):
                if g.comp_piece[piece] == 2:
                    ready += box.market_vp[1, g.market[piece]]
                elif g.comp_piece[piece] == 1:
                    ready += 0.5 * box.market_vp[1, g.market[piece]]
        else:
            for k in range(g.glaze_size[q]):
                if g.glaze_piece[q, k] >= 0:
                    ready += box.market_vp[1, g.market[g.glaze_piece[q, k]]]
    return -w.rival_vp * best - w.rival_piece * ready


@kernel
def first_value(box: Any, g: Any, p: int, w: Any) -> float:
    if on_track(g, p):
        return float(box.token_vp) if g.round_number == NUM_ROUNDS else w.first
    return 0.0


@kernel
def evaluate(box: Any, g: Any, p: int, w: Any, rows: Any) -> float:
    turns = turns_left(box, g, p)
    share = turns / 18.0
    return (
        g.vp[p]
        + pieces_value(box, g, p, w, rows, turns)
        + wheels_value(box, g, p, w, turns, share)
        + board_value(box, g, p, w, share)
        + hand_value(box, g, p, w, turns, share)
        + donkey_value(box, g, p, w, turns, share)
        + resources_value(box, g, p, w, turns)
        + cracks_value(box, g, p, w)
        + endgame_value(box, g, p, w, turns, share)
        + w.craftswoman * g.craftswomen[p]
        + first_value(box, g, p, w)
        + rivals_value(box, g, p, w)
    )
