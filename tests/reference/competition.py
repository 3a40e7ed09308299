"""The Competition of solo mode (§12)."""

from __future__ import annotations

from . import box, options
from .state import COMPETITION, Competition, Decision, Occupied, Space, Steps, Table

HUMAN = 0
_STEPS = {"left": (0, -1), "right": (0, 1), "above": (-1, 0), "below": (1, 0)}


def rival(table: Table) -> Competition:
    assert table.competition is not None
    return table.competition


def small_vp(table: Table) -> int:
    """1 VP, in Expert 2 (ruling P24)."""
    return box.COMPETITION_SMALL_VP[table.difficulty or "normal"]


def shuffle_deck(table: Table) -> None:
    rival(table).deck = list(table.chance.shuffle_competition(sorted(box.COMPETITION_CARDS)))
    rival(table).revealed = []


def setup(table: Table) -> None:
    """Place its donkey by the first move icon of a shuffled deck; shuffle again (ruling P12)."""
    for number in table.chance.shuffle_competition(sorted(box.COMPETITION_CARDS)):
        icon = box.COMPETITION_CARDS[number].donkey
        if icon[0] == "move":
            activate_donkey(table, icon)
            break
    shuffle_deck(table)


def turn(table: Table) -> Steps:
    """Ruling P04: the checks in order, else a card is revealed."""
    own = rival(table)
    if not own.shop_open:
        own.vp += small_vp(table)
    elif own.craftswomen == 0 or len(own.deck) < 2:  # D12: one to reveal, one to show its back
        own.shop_open = False
        own.vp += small_vp(table)
    else:
        number = own.deck.pop(0)
        own.revealed.append(number)
        card = box.COMPETITION_CARDS[number]
        yield from place(table, card.space)
        activate_donkey(table, card.donkey)
        for piece in box.COMPETITION_CARDS[own.deck[0]].pieces[table.round - 1]:
            piece_action(table, piece)


def place(table: Table, space: Space) -> Steps:
    own = rival(table)
    row, column = space
    there = table.spaces[row][column]
    if there is None:
        own.craftswomen -= 1
        table.spaces[row][column] = Occupied(COMPETITION, 1)
    elif there.owner == HUMAN and own.craftswomen > there.count:
        own.craftswomen -= there.count + 1
        table.spaces[row][column] = Occupied(COMPETITION, there.count + 1)
        own.vp += box.BUMP_VP[table.difficulty or "normal"]  # once a bump (ruling D13)
        yield from return_craftswomen(table, HUMAN, there.count)
    else:  # rulings P06, P07
        own.craftswomen -= 1
        table.special[COMPETITION] += 1


def return_craftswomen(table: Table, owner: int, count: int) -> Steps:
    """Back to their owner; a closed shop takes a reward for each at once (B06, B07, P09)."""
    if table.competition is not None and owner == COMPETITION:
        if table.competition.shop_open:
            table.competition.craftswomen += count
        else:
            table.competition.shop_craftswomen += count
            table.competition.vp += count * small_vp(table)
        return
    player = table.players[owner]
    if player.shop_open:
        player.craftswomen += count
        return
    player.shop_craftswomen += count
    for _ in range(count):
        choice = yield Decision(owner, options.shop_options(table, owner) or ["done"])
        if choice != "done":
            what = choice.split(":")[1]
            table.gain(owner, {what: box.SHOP_REWARDS[what]})


def activate_donkey(table: Table, icon: tuple[str, ...]) -> None:
    own = rival(table)
    human_donkey = table.players[HUMAN].donkey
    assert human_donkey is not None
    match icon:
        case ("move", *sides):  # ruling P10: preferred, else alternative, else it stays
            for side in sides:
                target = _neighbour(human_donkey, side)
                if table.card_at(target) is not None:
                    own.donkey = target
                    return
        case ("discard", *sides):  # ruling P11
            assert own.donkey is not None
            for side in sides:
                target = _neighbour(own.donkey, side)
                card = table.card_at(target)
                if card is not None and target != human_donkey:
                    table.discards.append(card)
                    table.draft[target[0]][target[1]] = None
            table.refill()


def _neighbour(space: Space, side: str) -> Space:
    return space[0] + _STEPS[side][0], space[1] + _STEPS[side][1]


def piece_action(table: Table, piece: str) -> None:
    """Take, paint or sell (rulings P13-P15)."""
    own = rival(table)
    if own.pieces[piece] is None:
        if table.supply[piece] > 0:
            table.supply[piece] -= 1
            own.pieces[piece] = "unpainted"
        else:
            own.vp += small_vp(table)
    elif own.pieces[piece] == "unpainted":
        own.pieces[piece] = "painted"
    else:
        own.vp += table.sell_price(piece, painted=True)
        table.lower_marker(piece)
        own.pieces[piece] = None
        own.sold[piece] += 1
