"""The heads of each legal action (see `light_heads`), written for a whole position at once."""

from __future__ import annotations

from typing import Any

from nijar_env.components.vocabulary import (
    ACT_SHAPE,
    BOARD_ROWS,
    DRAFT_COLUMNS,
    DRAFT_SPACES,
    EFFECT_ACTION,
    EFFECT_CLAY,
    EFFECT_GLAZE,
    EFFECT_PG,
    EFFECT_VP,
    MAX_COLUMNS,
    MAX_ROW,
    NUM_PIECES,
    NUM_ROUNDS,
    WHEEL,
)
from nijar_env.core.acquire import price
from nijar_env.core.catalogue import (
    A_ACTION,
    A_BONUS,
    A_CLAY,
    A_CLEAN,
    A_CLEAN_SUPPLY,
    A_CLOSE,
    A_DISCARD,
    A_DONE,
    A_DONKEY,
    A_ESPARTO,
    A_FIRE,
    A_GAIN,
    A_GLAZE,
    A_KEEP,
    A_PAINT,
    A_PAY,
    A_PLACE,
    A_PLAY,
    A_REROLL,
    A_REWARD,
    A_SCORE,
    A_SELL,
    A_SHAPE,
    A_SHOP,
    A_SLOT,
    A_SPECIAL,
    A_START,
    A_TAKE,
    A_THROW,
    A_TRACK,
    NUM_GAME_ACTIONS,
)
from nijar_env.core.constants import F_COMPETITION
from nijar_env.core.effects import can_do
from nijar_env.core.jit import kernel
from nijar_env.core.scoring import endgame_card_vp

from .greedy_cards import card_worth, effect_worth, next_step
from .greedy_features import paint_cost
from .greedy_pieces import best_sale, can_sell_now, count_of, price_at, sale_value
from .greedy_weights import FUTURE_SALE, RESOURCE
from .light_heads import (
    FIRST_START_WHEEL,
    H_ACTION,
    H_BONUS,
    H_CLAY,
    H_CLEAN,
    H_CLEAN_LEFT,
    H_CLEAN_REWARD,
    H_CLEAN_SUPPLY,
    H_CLOSE,
    H_DISCARD,
    H_DONE,
    H_ESPARTO,
    H_ESPARTO_GAINS,
    H_FIRE,
    H_FIRE_PRICE,
    H_GAIN,
    H_GLAZE,
    H_KEEP,
    H_LAND_NEAR,
    H_LAND_WORTH,
    H_PAINT,
    H_PAINT_COST,
    H_PAINT_PRICE,
    H_PAY,
    H_PLAY,
    H_PLAY_CARD,
    H_PLAY_WORTH,
    H_REFRESH,
    H_REROLL,
    H_REWARD,
    H_REWARD_GAINS,
    H_SCORE,
    H_SELL,
    H_SELL_LATER,
    H_SELL_PRICE,
    H_SHAPE,
    H_SHAPE_PRICE,
    H_SHOP,
    H_SLOT,
    H_SPACE_BONUS,
    H_SPACE_BONUS_MORE,
    H_SPACE_COUNT,
    H_SPECIAL,
    H_START_RESOURCES,
    H_START_WHEEL,
    H_TAKE,
    H_TAKE_CARD,
    H_TAKE_PRICE,
    H_TAKE_WORTH,
    H_THROW,
    H_THROW_LEFT,
    H_THROW_VP,
    H_TRACK,
)


@kernel
def item(out: Any, k: int, head: int, times: float) -> None:
    """Add a head to the `k`-th legal action of `out` (a record of ITEMS_DTYPE)."""
    n = out.count[k]
    out.head[k, n] = head
    out.times[k, n] = times
    out.count[k] = n + 1


@kernel
def marginal_price(box: Any, g: Any, p: int, piece: int, more: int, expected: Any) -> float:
    """What a painted piece would bring after the best sales of those at hand and `more`."""
    rows = expected[:, piece].copy()
    if can_sell_now(g, p):
        rows[g.round_number - 1] = g.market[piece]
    total = (
        count_of(g.glaze_piece[p], g.glaze_size[p], piece)
        + count_of(g.workshop_piece[p], g.workshop_size[p], piece)
        + count_of(g.firing_piece[p], g.firing_size[p], piece)
        + int(g.drying[p, piece])
        + more
    )
    value = 0.0
    for _ in range(total):
        number = best_sale(box, g, p, piece, rows)
        value = sale_value(box, g, number, 1, rows)
        if number >= 0:
            rows[number] -= g.demand[number, piece]
    return value


@kernel
def later_price(box: Any, g: Any, painted: int, piece: int, expected: Any) -> float:
    """The best price to expect in a later round, or after the game."""
    best = float(box.left_piece_vp[painted])
    for number in range(g.round_number, NUM_ROUNDS):
        best = max(best, FUTURE_SALE * price_at(box, painted, expected[number, piece]))
    return best


@kernel
def note_space(g: Any, space: int, k: int, out: Any) -> None:
    """A craftswoman's space: the row's actions, the column's bonuses, whom it sends home."""
    row, column = space // MAX_COLUMNS, space % MAX_COLUMNS
    there = int(g.space_count[row, column])
    out.menu[k] = 1 << row
    bonus = int(g.bonus[column])
    item(out, k, H_SPACE_BONUS + bonus, 1.0)
    if there > 0:
        item(out, k, H_SPACE_BONUS_MORE + bonus, there)
        item(out, k, H_SPACE_COUNT, there)


@kernel
def note_menus(box: Any, g: Any, p: int, out: Any) -> None:
    """The actions of each row of the board that would change something, as bits."""
    for row in range(BOARD_ROWS):
        bits = 0
        for column in range(3):
            for i in range(2):
                action = box.tile_action[g.tile[row, column], i]
                if action > 0 and can_do(box, g, p, action):
                    bits |= 1 << (action - 1)
        out.row_actions[row] = bits


@kernel
def note_landing(space: int, worth: Any, k: int, out: Any) -> None:
    """The donkey's new space: the card there, and those around by their distance."""
    near = 0.0
    row, column = space // DRAFT_COLUMNS, space % DRAFT_COLUMNS
    for other in range(DRAFT_SPACES):
        if other != space:
            steps = abs(other // DRAFT_COLUMNS - row) + abs(other % DRAFT_COLUMNS - column)
            if steps <= 2:
                near += worth[other] / (1.0 + steps)
    item(out, k, H_LAND_WORTH, worth[space])
    item(out, k, H_LAND_NEAR, near)


@kernel
def note_draft(box: Any, g: Any, p: int, share: float, out: Any) -> None:
    """The worth of each card of the draft area, 0 where none lies."""
    for space in range(DRAFT_SPACES):
        card = g.draft[space // DRAFT_COLUMNS, space % DRAFT_COLUMNS]
        out.draft[space] = card_worth(box, g, p, card, share) if card >= 0 else 0.0


@kernel
def gains(effect: Any) -> float:
    """The fixed gains of a printed effect, in VP."""
    resources = effect[EFFECT_PG] + effect[EFFECT_GLAZE] + effect[EFFECT_CLAY]
    return float(effect[EFFECT_VP] + resources * RESOURCE)


@kernel
def note_effect(effect: Any, head: int, head_gains: int, k: int, out: Any) -> None:
    """A printed effect: a head by its action, and one for its fixed gains."""
    item(out, k, head + effect[EFFECT_ACTION], 1.0)
    item(out, k, head_gains, gains(effect))


@kernel
def note_throw(box: Any, g: Any, p: int, wheel: int, k: int, out: Any) -> None:
    """A step of a vase: what is printed there, the wheel's VP where it is the last."""
    card = g.wheel[p, wheel]
    step = int(g.vase[p, wheel])
    effect = box.card_effect[card, step]
    left = int(box.card_spaces[card]) - step - 1
    kind = int(effect[EFFECT_ACTION])
    if kind == ACT_SHAPE and g.clay[p] == 0:
        kind = 0
    item(out, k, H_THROW + kind, 1.0)
    item(out, k, H_THROW_VP, gains(effect) + (box.card_done_vp[card] if left == 0 else 0))
    item(out, k, H_THROW_LEFT, left)


@kernel
def note_shape(box: Any, g: Any, p: int, option: int, expected: Any, k: int, out: Any) -> None:
    """One piece or two, by what they would bring painted."""
    if option < NUM_PIECES:
        item(out, k, H_SHAPE, 1.0)
        item(out, k, H_SHAPE_PRICE, marginal_price(box, g, p, option, 1, expected))
        return
    item(out, k, H_SHAPE + 1, 1.0)
    pair = NUM_PIECES
    for i in range(NUM_PIECES):
        for j in range(i, NUM_PIECES):
            if pair == option:
                value = marginal_price(box, g, p, i, 1, expected)
                value += marginal_price(box, g, p, j, 2 if i == j else 1, expected)
                item(out, k, H_SHAPE_PRICE, value)
            pair += 1


@kernel
def note_sale(box: Any, g: Any, option: int, expected: Any, k: int, out: Any) -> None:
    """A sale: its price, and what waiting would bring more."""
    piece, painted = option % NUM_PIECES, option // NUM_PIECES
    now = float(box.market_vp[painted, g.market[piece]])
    item(out, k, H_SELL + option, 1.0)
    item(out, k, H_SELL_PRICE + painted, now)
    later = later_price(box, g, 1, piece, expected) - now
    item(out, k, H_SELL_LATER + painted, max(later, 0.0))


@kernel
def note_clean(box: Any, g: Any, p: int, place: int, k: int, out: Any) -> None:
    """A crack to a cleanup card."""
    card = g.cleanup[p, place]
    item(out, k, H_CLEAN, 1.0)
    item(out, k, H_CLEAN_LEFT, float(box.card_spaces[card] - g.cleanup_cracks[p, place]))
    item(out, k, H_CLEAN_REWARD, effect_worth(box.card_effect[card, 0]))


@kernel
def note_kind(box: Any, g: Any, p: int, kind: int, head: int, k: int, out: Any) -> None:
    """An endgame card: `head`, and the two after it times its VP now and those of a next step."""
    item(out, k, head, 1.0)
    item(out, k, head + 1, float(endgame_card_vp(box, g, p, kind)))
    item(out, k, head + 2, next_step(box, g, p, kind))


@kernel
def note_start(g: Any, option: int, k: int, out: Any) -> None:
    """A starting combination."""
    item(out, k, H_START_WHEEL + int(g.combo_wheel[option]) - FIRST_START_WHEEL, 1.0)
    item(out, k, H_START_RESOURCES + int(g.combo_resources[option]), 1.0)


@kernel
def note_taking(box: Any, g: Any, p: int, space: int, share: float, k: int, out: Any) -> None:
    """A card of the draft area."""
    card = int(g.draft[space // DRAFT_COLUMNS, space % DRAFT_COLUMNS])
    item(out, k, H_TAKE + box.card_type[card], 1.0)
    item(out, k, H_TAKE_CARD + card, 1.0)
    item(out, k, H_TAKE_WORTH, card_worth(box, g, p, card, share))
    item(out, k, H_TAKE_PRICE, float(price(g, p, space)))


@kernel
def note_play(box: Any, g: Any, p: int, card: int, share: float, k: int, out: Any) -> None:
    """A card in hand."""
    item(out, k, H_PLAY + box.card_type[card], 1.0)
    item(out, k, H_PLAY_CARD + card, 1.0)
    item(out, k, H_PLAY_WORTH, card_worth(box, g, p, card, share))


@kernel
def note_later_actions(
    box: Any, g: Any, p: int, action: int, expected: Any, k: int, o: Any
) -> None:
    """The actions of the catalogue from `slot` on."""
    if action < A_CLAY:
        card = g.frames[g.depth - 1, 2]
        space = action - A_SLOT
        wheel = box.card_type[card] == WHEEL
        code = box.wheel_space_action[space] if wheel else box.esparto_space_action[space]
        item(o, k, H_SLOT + code, 1.0)
    elif action < A_THROW:
        item(o, k, H_CLAY + action - A_CLAY, 1.0)
    elif action < A_SHAPE:
        note_throw(box, g, p, action - A_THROW, k, o)
    elif action < A_FIRE:
        note_shape(box, g, p, action - A_SHAPE, expected, k, o)
    elif action < A_GLAZE:
        item(o, k, H_FIRE, 1.0)
        item(o, k, H_FIRE_PRICE, marginal_price(box, g, p, action - A_FIRE, 0, expected))
    elif action < A_PAINT:
        item(o, k, H_GLAZE, 1.0)
    elif action < A_PAY:
        piece, place = (action - A_PAINT) // MAX_ROW, (action - A_PAINT) % MAX_ROW
        item(o, k, H_PAINT, 1.0)
        item(o, k, H_PAINT_PRICE, marginal_price(box, g, p, piece, 0, expected))
        item(o, k, H_PAINT_COST, paint_cost(box, g.workshop[p, place]))
    elif action < A_CLEAN:
        item(o, k, H_PAY + action - A_PAY, 1.0)
    elif action < A_CLEAN_SUPPLY:
        note_clean(box, g, p, action - A_CLEAN, k, o)
    elif action == A_CLEAN_SUPPLY:
        item(o, k, H_CLEAN_SUPPLY, 1.0)
    elif action < A_ESPARTO:
        effect = box.card_effect[g.cleanup[p, action - A_REWARD], 0]
        note_effect(effect, H_REWARD, H_REWARD_GAINS, k, o)
    elif action < A_TRACK:
        option = action - A_ESPARTO
        effect = box.card_effect[g.esparto[p, option // 2], option % 2]
        note_effect(effect, H_ESPARTO, H_ESPARTO_GAINS, k, o)
    elif action < A_GAIN:
        item(o, k, H_TRACK + action - A_TRACK, 1.0)
    elif action < A_SHOP:
        item(o, k, H_GAIN + action - A_GAIN, 1.0)
    elif action < A_SCORE:
        item(o, k, H_SHOP + action - A_SHOP, 1.0)
    else:
        note_kind(box, g, p, action - A_SCORE, H_SCORE, k, o)


@kernel
def note_action(
    box: Any, g: Any, p: int, action: int, share: float, expected: Any, k: int, out: Any
) -> None:
    """The heads of one legal action, the `k`-th."""
    if action < A_DONKEY:
        note_start(g, action - A_START, k, out)
    elif action < A_KEEP:
        note_landing(action - A_DONKEY, out.draft, k, out)
    elif action == A_KEEP:
        item(out, k, H_KEEP, 1.0)
    elif action == A_REROLL:
        item(out, k, H_REROLL, 1.0)
    elif action < A_SPECIAL:
        note_space(g, action - A_PLACE, k, out)
    elif action == A_SPECIAL:
        item(out, k, H_SPECIAL, 1.0)
    elif action < A_SELL:
        note_kind(box, g, p, action - A_DISCARD, H_DISCARD, k, out)
    elif action < A_CLOSE:
        note_sale(box, g, action - A_SELL, expected, k, out)
    elif action == A_CLOSE:
        item(out, k, H_CLOSE, 1.0)
    elif action < A_BONUS:
        item(out, k, H_ACTION + action - A_ACTION, 1.0)
    elif action < A_DONE:
        item(out, k, H_BONUS + action - A_BONUS, 1.0)
    elif action == A_DONE:
        where = int(g.frames[g.depth - 1, 0]) if g.depth > 0 else F_COMPETITION
        item(out, k, H_DONE + where, 1.0)
    elif action < A_TAKE:
        item(out, k, H_REFRESH, 1.0)
    elif action < A_PLAY:
        note_taking(box, g, p, action - A_TAKE, share, k, out)
    elif action < A_SLOT:
        note_play(box, g, p, action - A_PLAY, share, k, out)
    else:
        note_later_actions(box, g, p, action, expected, k, out)


@kernel
def note_items(box: Any, g: Any, share: float, expected: Any, out: Any) -> int:
    """Write the heads of all legal actions of the player to act; returns how many there are.

    `share` is the part of the game that is left, `expected` as `expect_rows` writes it.
    """
    p = int(g.current_player)
    n = 0
    menus = False
    landing = False
    for action in range(NUM_GAME_ACTIONS):
        if g.legal[action] == 0:
            continue
        if A_PLACE <= action < A_SPECIAL and not menus:
            note_menus(box, g, p, out)
            menus = True
        if A_DONKEY <= action < A_KEEP and not landing:
            note_draft(box, g, p, share, out)
            landing = True
        out.action[n] = action
        out.count[n] = 0
        out.menu[n] = 0
        note_action(box, g, p, action, share, expected, n, out)
        n += 1
    return n
