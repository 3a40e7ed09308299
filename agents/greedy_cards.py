"""Cards in greedy's evaluation: what playing one would bring, in hand and near the donkey."""

from __future__ import annotations

from typing import Any

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
    NUM_CARDS,
    PG,
    WHEEL,
    WORKSHOP,
)
from nijar_env.core.acquire import available, price
from nijar_env.core.jit import kernel
from nijar_env.core.play import can_play_card
from nijar_env.core.scoring import cards_of_kind, different_esparto

from .greedy_weights import (
    ACTION_WORTH,
    CLEANUP_SHARE,
    CRACK_COST,
    FAR_CARD,
    HELD_CARD,
    NEW_CLEANUP,
    NEW_ESPARTO,
    NEW_PLACE,
    RESOURCE,
    SPACE_ACTION,
    WHEEL_DONE,
    WHEEL_SPACE,
)

MOST_PLAYABLE = 3.0
# Endgame kinds of the card types.
KIND_WHEEL, KIND_ESPARTO, KIND_CLEANUP, KIND_FIRING, KIND_WORKSHOP, KIND_GLAZE = range(6)


@kernel
def effect_worth(effect: Any) -> float:
    """A printed effect: its fixed gains and the usual worth of its action."""
    resources = effect[EFFECT_PG] + effect[EFFECT_GLAZE] + effect[EFFECT_CLAY]
    return float(effect[EFFECT_VP] + resources * RESOURCE + ACTION_WORTH[effect[EFFECT_ACTION]])


@kernel
def cost_worth(box: Any, card: int) -> float:
    """What the cost of a card takes away."""
    cost = box.card_cost[card]
    return float((cost[PG] + cost[GLAZE] + cost[CLAY]) * RESOURCE + cost[CRACK] * CRACK_COST)


@kernel
def icons_worth(box: Any, previous: int, card: int) -> float:
    """The two actions that a kiln or workshop gives when it is laid beside `previous` (§8.2)."""
    if box.own_side_icons:
        return float(ACTION_WORTH[box.card_icon[card, 0]] + ACTION_WORTH[box.card_icon[card, 1]])
    return float(ACTION_WORTH[box.card_icon[previous, 1]] + ACTION_WORTH[box.card_icon[card, 0]])


@kernel
def next_step(box: Any, g: Any, p: int, kind: int) -> float:
    """What one more card of its type (or sold piece) adds to an endgame card (§11.2)."""
    if kind >= END_PLATE:
        return float(box.sold_vp)
    n = cards_of_kind(g, p, kind)
    if kind == KIND_ESPARTO:
        return float(box.esparto_scale[n + 1] - box.esparto_scale[n]) if n < 4 else 0.0
    return float(box.type_scale[n + 1] - box.type_scale[n]) if n < 5 else 0.0


@kernel
def next_different(box: Any, g: Any, p: int) -> float:
    """What one more different esparto card adds to the set (§11.3)."""
    n = different_esparto(g, p)
    return float(box.set_scale[n + 1] - box.set_scale[n]) if n < 4 else 0.0


@kernel
def free_from(spaces: Any) -> bool:
    """A wheel or esparto space beside the first is free."""
    free = 0
    for k in range(1, spaces.shape[0]):
        free += 1 if spaces[k] < 0 else 0
    return free > 0


@kernel
def has_esparto(g: Any, p: int, card: int) -> bool:
    """An equal esparto card is in play."""
    equal = 0
    for k in range(ESPARTO_SPACES):
        equal += 1 if g.esparto[p, k] == card else 0
    return equal > 0


@kernel
def wheel_worth(box: Any, card: int, share: float) -> float:
    """VP when played, the action of its space, and what lies ahead of its vase."""
    ahead = WHEEL_DONE * box.card_done_vp[card] + WHEEL_SPACE * box.card_spaces[card]
    return float(SPACE_ACTION + box.card_vp[card] + ahead * min(1.0, 2.0 * share))


@kernel
def esparto_worth(box: Any, g: Any, p: int, card: int, share: float) -> float:
    """The action of its space, the rewards to come, and a step of the set."""
    value = SPACE_ACTION + NEW_ESPARTO * share
    return float(value) if has_esparto(g, p, card) else value + next_different(box, g, p)


@kernel
def cleanup_worth(box: Any, g: Any, p: int, card: int, share: float) -> float:
    """A larger Clean, and its reward."""
    reward = CLEANUP_SHARE * effect_worth(box.card_effect[card, 0])
    return float(share * (NEW_CLEANUP / g.cleanup_size[p] + reward))


@kernel
def place_worth(box: Any, cards: Any, size: int, card: int, share: float) -> float:
    """A kiln or workshop: its two actions, and a place for a piece."""
    return float(icons_worth(box, cards[size - 1], card) + NEW_PLACE * share / (size + 1))


@kernel
def kind_of(card_type: int) -> int:
    """The endgame kind that counts cards of this type."""
    if card_type == WHEEL:
        return KIND_WHEEL
    if card_type == ESPARTO:
        return KIND_ESPARTO
    if card_type == CLEANUP:
        return KIND_CLEANUP
    if card_type == FIRING_KILN:
        return KIND_FIRING
    if card_type == WORKSHOP:
        return KIND_WORKSHOP
    return KIND_GLAZE


@kernel
def card_worth(box: Any, g: Any, p: int, card: int, share: float) -> float:
    """What playing a card would bring, less its cost; 0 where it has no space. `share` is the
    part of the game that is left."""
    card_type = int(box.card_type[card])
    if card_type == WHEEL:
        if not free_from(g.wheel[p]):
            return 0.0
        value = wheel_worth(box, card, share)
    elif card_type == ESPARTO:
        if not free_from(g.esparto[p]):
            return 0.0
        value = esparto_worth(box, g, p, card, share)
    elif card_type == CLEANUP:
        value = cleanup_worth(box, g, p, card, share)
    elif card_type == FIRING_KILN:
        value = place_worth(box, g.firing_kiln[p], g.firing_size[p], card, share)
    elif card_type == WORKSHOP:
        value = place_worth(box, g.workshop[p], g.workshop_size[p], card, share)
    else:
        value = place_worth(box, g.glaze_kiln[p], g.glaze_size[p], card, share)
    kind = kind_of(card_type)
    scored = g.endgame_played[p, kind] + HELD_CARD * g.endgame_hand[p, kind]
    if scored > 0.0:
        value += scored * next_step(box, g, p, kind)
    return max(value - cost_worth(box, card), 0.0)


@kernel
def note_hand(box: Any, g: Any, p: int, share: float, f: Any) -> None:
    """Cards in hand by type, those that can be played at once, and their worth."""
    left = int(g.hand_size[p])
    hand = g.hand[p]
    for card in range(NUM_CARDS):
        if left == 0:
            break
        n = hand[card]
        if n == 0:
            continue
        left -= n
        f.hand_worth += n * card_worth(box, g, p, card, share)
        if can_play_card(box, g, p, card):
            f.playable += n
        card_type = int(box.card_type[card])
        if card_type == WHEEL:
            f.hand_wheel += n if free_from(g.wheel[p]) else 0
        elif card_type == ESPARTO:
            f.hand_esparto += n if free_from(g.esparto[p]) else 0
        elif card_type == CLEANUP:
            f.hand_cleanup += n
        elif card_type == FIRING_KILN:
            f.hand_firing += n
        elif card_type == WORKSHOP:
            f.hand_workshop += n
        else:
            f.hand_glaze += n
    f.playable = min(f.playable, MOST_PLAYABLE)


@kernel
def note_donkey(box: Any, g: Any, p: int, share: float, f: Any) -> None:
    """The two cards that are the best to be taken next from where the donkey stands."""
    if g.donkey[p] < 0:
        return
    for space in range(DRAFT_SPACES):
        distance = price(g, p, space)
        if distance > FAR_CARD or not available(g, p, space):
            continue
        card = g.draft[space // DRAFT_COLUMNS, space % DRAFT_COLUMNS]
        worth = card_worth(box, g, p, card, share) - distance * RESOURCE
        if worth > f.donkey_best:
            f.donkey_second = f.donkey_best
            f.donkey_best = worth
        elif worth > f.donkey_second:
            f.donkey_second = worth
