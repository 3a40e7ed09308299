"""greedy's evaluation of a position at the end of a turn, in victory points.

A position is worth the player's VP, less a share of the best rival's, plus the sum of its
features times their weights. The features are what a player would count: pieces at the prices
that are left for them, by how far they are on; kilns and workshops, vases and what lies ahead of
them; resources, cracks, cards; endgame cards by what they score now and with one card more;
rivals' pieces. Each weight depends on the turns that are left, since a kiln is worth much early and
nothing late (see `greedy_weights`).

A record of FEATURES_DTYPE is filled by name (`f.pg_few = ...`) and read as a row of numbers.
"""

from __future__ import annotations

from typing import Any

from nijar_env.components.vocabulary import (
    ACT_SHAPE,
    BOARD_ROWS,
    EFFECT_ACTION,
    END_PLATE,
    ESPARTO_SPACES,
    MAX_COLUMNS,
    NUM_ENDGAME_KINDS,
    NUM_PIECES,
    NUM_ROUNDS,
    WHEEL_SPACES,
)
from nijar_env.core.competition import PAINTED, UNPAINTED
from nijar_env.core.constants import PHASE_END_OF_ROUND, PHASE_SETUP
from nijar_env.core.first_player import on_track
from nijar_env.core.jit import kernel
from nijar_env.core.scoring import different_esparto, endgame_card_vp

from .greedy_cards import (
    KIND_ESPARTO,
    KIND_WHEEL,
    effect_worth,
    free_from,
    next_different,
    next_step,
    note_donkey,
    note_hand,
)
from .greedy_pieces import note_pieces
from .greedy_weights import (
    ACTION_WORTH,
    CRACK_COST,
    MOST_TURNS,
    NUM_FEATURES,
    RESOURCE,
    RIVAL_VP,
)

# Up to these numbers more is clearly better.
FEW_PG, SOME_PG, FEW_GLAZE, FEW_CLAY, FEW_CRACKS = 4.0, 10.0, 4.0, 3.0, 4.0
FULL_AHEAD, FULL_THROWS, FULL_SHAPES = 12, 8, 8


@kernel
def turns_left(box: Any, g: Any, p: int) -> int:
    """Craftswomen that the player has still to place, in this round and the later ones."""
    turns = int(g.craftswomen[p]) if g.phase != PHASE_SETUP else 0
    for number in range(g.round_number + 1, NUM_ROUNDS + 1):
        turns += int(box.craftswomen[number])
    return min(turns, MOST_TURNS)


@kernel
def note_resources(g: Any, p: int, f: Any) -> None:
    """Perra gorda, glazes, clay and cracks, the first ones apart from those beyond."""
    pg, glaze, clay = float(g.pg[p]), float(g.glaze[p]), float(g.clay[p])
    cracks = float(g.cleaning_area[p])
    f.pg_few = min(pg, FEW_PG)
    f.pg_some = min(max(pg - FEW_PG, 0.0), SOME_PG - FEW_PG)
    f.pg_many = max(pg - SOME_PG, 0.0)
    f.glaze_few = min(glaze, FEW_GLAZE)
    f.glaze_many = max(glaze - FEW_GLAZE, 0.0)
    f.clay_few = min(clay, FEW_CLAY)
    f.clay_many = max(clay - FEW_CLAY, 0.0)
    f.cracks_few = min(cracks, FEW_CRACKS)
    f.cracks_many = max(cracks - FEW_CRACKS, 0.0)


@kernel
def paint_cost(box: Any, card: int) -> float:
    """The cheaper price of painting in a workshop."""
    best = 1e9
    for option in range(box.card_paint_options[card]):
        glaze, cracks = box.card_paint[card, option, 0], box.card_paint[card, option, 1]
        best = min(best, glaze * RESOURCE + cracks * CRACK_COST)
    return best


@kernel
def last_icon(box: Any, cards: Any, size: int) -> float:
    """The worth of the icon that the next card of a row will face."""
    return float(ACTION_WORTH[box.card_icon[cards[size - 1], 1]])


@kernel
def note_places(box: Any, g: Any, p: int, f: Any) -> None:
    """Kilns and workshops: the second of each, and those beyond."""
    firing, workshop, glaze = int(g.firing_size[p]), int(g.workshop_size[p]), int(g.glaze_size[p])
    f.firing_kiln_2 = min(firing - 1, 1)
    f.firing_kiln_more = max(firing - 2, 0)
    f.workshop_2 = min(workshop - 1, 1)
    f.workshop_more = max(workshop - 2, 0)
    f.glaze_kiln_2 = min(glaze - 1, 1)
    f.glaze_kiln_more = max(glaze - 2, 0)
    for k in range(workshop):
        f.paint_cost += paint_cost(box, g.workshop[p, k])
    f.icons = (
        last_icon(box, g.firing_kiln[p], firing)
        + last_icon(box, g.workshop[p], workshop)
        + last_icon(box, g.glaze_kiln[p], glaze)
    )


@kernel
def note_wheels(box: Any, g: Any, p: int, f: Any) -> None:
    """Vases on their way: what completing them gives and what lies ahead of them."""
    ahead = 0
    shapes = 0
    for k in range(WHEEL_SPACES):
        card = g.wheel[p, k]
        if card < 0 or g.wheel_done[p, k]:
            continue
        spaces, step = int(box.card_spaces[card]), int(g.vase[p, k])
        f.wheels += 1.0
        f.wheel_progress += box.card_done_vp[card] * step / spaces
        f.wheel_vp += box.card_done_vp[card]
        ahead += spaces - step
        for s in range(step, spaces):
            if box.card_effect[card, s, EFFECT_ACTION] == ACT_SHAPE:
                shapes += 1
                f.shape_next += 1.0 if s == step else 0.0
    technology = int(g.technology[p])
    f.ahead = min(ahead, FULL_AHEAD)
    f.shapes = min(shapes, FULL_SHAPES)
    f.shape_fed = min(f.shape_next, float(g.clay[p]))
    f.technology_2 = 1.0 if technology >= 2 else 0.0
    f.technology_3 = 1.0 if technology >= 3 else 0.0
    f.throws = (technology - 1) * min(ahead, FULL_THROWS)


@kernel
def note_other_cards(box: Any, g: Any, p: int, f: Any) -> None:
    """Esparto and cleanup cards in play."""
    for k in range(1, ESPARTO_SPACES):
        f.esparto += 1.0 if g.esparto[p, k] >= 0 else 0.0
    f.set_now = box.set_scale[different_esparto(g, p)]
    f.set_next = next_different(box, g, p) if free_from(g.esparto[p]) else 0.0
    f.cleanup = g.cleanup_size[p] - 1
    for k in range(g.cleanup_size[p]):
        card = g.cleanup[p, k]
        reward = effect_worth(box.card_effect[card, 0])
        f.cleanup_reward += reward
        f.cleanup_progress += reward * g.cleanup_cracks[p, k] / box.card_spaces[card]


@kernel
def note_endgame(box: Any, g: Any, p: int, f: Any) -> None:
    """Endgame cards played, and those in hand while there is still a time to play them."""
    last_time = g.round_number == NUM_ROUNDS and g.phase == PHASE_END_OF_ROUND
    for kind in range(NUM_ENDGAME_KINDS):
        played = int(g.endgame_played[p, kind])
        held = 0 if last_time else int(g.endgame_hand[p, kind])
        if played + held == 0:
            continue
        now = endgame_card_vp(box, g, p, kind)
        f.played_now += played * now
        f.held += held
        f.held_now += held * now
        step = next_step(box, g, p, kind)
        f.held_next += held * step
        if kind >= END_PLATE:
            f.played_piece += played
            f.held_piece += held
            continue
        f.played_next += played * step
        if kind == KIND_WHEEL:
            f.held_wheel += held
        elif kind == KIND_ESPARTO:
            f.played_esparto += played
            f.held_esparto += held
        else:
            f.played_row += played
            f.held_row += held


@kernel
def note_rival(box: Any, g: Any, q: int, f: Any) -> None:
    """A rival's finished and half-finished painted pieces, at today's prices, and its tempo."""
    f.rival_craftswomen += g.craftswomen[q]
    f.rival_closed += g.shop_closed[q]
    if q >= g.num_players:
        for piece in range(NUM_PIECES):
            price = box.market_vp[1, g.market[piece]]
            f.rival_ready += price if g.comp_piece[piece] == PAINTED else 0
            f.rival_coming += price if g.comp_piece[piece] == UNPAINTED else 0
        return
    for k in range(g.glaze_size[q]):
        if g.glaze_piece[q, k] >= 0:
            f.rival_ready += box.market_vp[1, g.market[g.glaze_piece[q, k]]]
    for k in range(g.workshop_size[q]):
        if g.workshop_piece[q, k] >= 0:
            f.rival_coming += box.market_vp[1, g.market[g.workshop_piece[q, k]]]


@kernel
def note_table(box: Any, g: Any, p: int, f: Any) -> None:
    """The average rival, the pieces left and the action board, on the scale of the solo game."""
    for q in range(g.num_seats):
        if q != p:
            note_rival(box, g, q, f)
    rivals = g.num_seats - 1.0
    f.rival_craftswomen /= rivals
    f.rival_closed /= rivals
    f.rival_ready /= rivals
    f.rival_coming /= rivals
    for piece in range(NUM_PIECES):
        f.supply += g.supply_piece[piece] * 2.0 / g.num_seats
    columns = 0
    for column in range(MAX_COLUMNS):
        if g.bonus[column] < 0:
            continue
        columns += 1
        for row in range(BOARD_ROWS):
            f.free_spaces += 1.0 if g.space_count[row, column] == 0 else 0.0
            f.own_spaces += 1.0 if g.space_owner[row, column] == p else 0.0
    f.free_spaces *= 3.0 / columns


@kernel
def note_features(box: Any, g: Any, p: int, expected: Any, turns: int, f: Any, row: Any) -> None:
    """Fill the features `f` of player `p`; `row` are the same as float64 (NUM_FEATURES,)."""
    row[:] = 0.0
    share = turns / MOST_TURNS
    f.one = 1.0
    f.turns = turns
    f.craftswomen = g.craftswomen[p]
    f.on_track = 1.0 if on_track(g, p) else 0.0
    note_resources(g, p, f)
    note_pieces(box, g, p, expected, f)
    note_places(box, g, p, f)
    note_wheels(box, g, p, f)
    note_other_cards(box, g, p, f)
    note_hand(box, g, p, share, f)
    note_donkey(box, g, p, share, f)
    note_endgame(box, g, p, f)
    note_table(box, g, p, f)


@kernel
def best_rival(g: Any, p: int) -> int:
    """VP of the best other seat."""
    best = -32768
    for q in range(g.num_seats):
        if q != p:
            best = max(best, int(g.vp[q]))
    return best


@kernel
def evaluate(box: Any, g: Any, p: int, weights: Any, expected: Any, f: Any, row: Any) -> float:
    """The worth of a position to player `p`; `weights` is float64 (turns left, features)."""
    turns = turns_left(box, g, p)
    note_features(box, g, p, expected, turns, f, row)
    value = g.vp[p] - RIVAL_VP * best_rival(g, p)
    for k in range(NUM_FEATURES):
        value += row[k] * weights[turns, k]
    return float(value)
