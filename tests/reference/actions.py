"""The actions, bonuses and menus, as generators of decisions (§8, §9)."""

from __future__ import annotations

from collections.abc import Sequence

from . import box, options
from .box import Effect
from .state import Cleanup, Decision, Holder, Player, Steps, Table, Wheel

NO_LIMIT = 1_000_000


def optional(seat: int, names: list[str]) -> Decision:
    """A decision that may be declined. With nothing but `done` it never comes to rest."""
    return Decision(seat, [*names, "done"])


# --- menus ---


def menu(table: Table, seat: int, owed: list[list[str]], strength: int = 1) -> Steps:
    """Take owed items in any order until none is left or `done` gives up the rest.

    An item is a list of alternatives (`action:NAME`, `bonus:NAME`); taking one settles the item.
    `strength` is the number of craftswomen behind a throw or acquire bonus.
    """
    while owed:
        names = [
            name
            for name in dict.fromkeys(name for item in owed for name in item)
            if options.menu_item_changes_something(table, seat, name)
        ]
        choice = yield optional(seat, names)
        if choice == "done":
            return
        owed.remove(next(item for item in owed if choice in item))
        kind, name = choice.split(":")
        if kind == "action":
            yield from perform(table, seat, name)
        else:
            yield from take_bonus(table, seat, name, strength)


def any_action(table: Table, seat: int) -> Steps:
    """The Indalo icon: one action of any tile on the main board (ruling B24)."""
    names = [name for row in table.tiles for tile in row for name in tile]
    yield from menu(table, seat, [[f"action:{name}" for name in names]])


def placement_menu(table: Table, seat: int, row: int, column: int, craftswomen: int) -> Steps:
    """One action of the row, and the column's bonus for every craftswoman (rulings B08, B13)."""
    bonus = table.bonuses[column]
    times = 1 if bonus in ("throw", "acquire") else craftswomen
    action = [f"action:{name}" for tile in table.tiles[row] for name in tile]
    yield from menu(table, seat, [action] + [[f"bonus:{bonus}"]] * times, craftswomen)


def special_menu(table: Table, seat: int) -> Steps:
    names = ["esparto", *table.special_bonuses]
    yield from menu(table, seat, [[f"bonus:{name}"] for name in names])


def closed_shop_bonus(table: Table, seat: int) -> Steps:
    """One of the bonus tiles in play, never the printed esparto bonus (ruling B26)."""
    names = table.bonuses + table.special_bonuses
    yield from menu(table, seat, [[f"bonus:{name}" for name in names]])


# --- dispatch ---


def perform(table: Table, seat: int, action: str) -> Steps:
    match action:
        case "acquire":
            yield from acquire(table, seat, box.ACQUIRE_LIMIT)
        case "play":
            yield from play(table, seat)
        case "clay":
            yield from extract_clay(table, seat)
        case "tech":
            advance_technology(table, seat)
        case "throw":
            yield from throw(table, seat, table.players[seat].technology)  # ruling H02
        case "shape":
            yield from shape(table, seat)
        case "fire":
            yield from fire(table, seat, NO_LIMIT)
        case "fire 1":
            yield from fire(table, seat, 1)
        case "paint":
            yield from paint(table, seat, NO_LIMIT)
        case "paint 1":
            yield from paint(table, seat, 1)
        case "clean":
            yield from clean(table, seat, len(table.players[seat].cleanup) + 1)
        case "clean 1":
            yield from clean(table, seat, 1)
        case "esparto":
            yield from collect_esparto(table, seat, NO_LIMIT)
        case "first_player":
            yield from first_player(table, seat)
        case _:
            raise ValueError(action)


def take_bonus(table: Table, seat: int, bonus: str, strength: int) -> Steps:
    match bonus:
        case "clay":
            table.gain(seat, box.CLAY_BONUS)
        case "fire" | "paint" | "clean":
            yield from perform(table, seat, f"{bonus} 1")
        case "throw":
            yield from throw(table, seat, strength)
        case "acquire":
            yield from acquire(table, seat, strength)
        case "supply":
            choice = yield optional(seat, options.gain_options(table, seat))
            if choice != "done":
                what = choice.split(":")[1]
                table.gain(seat, {what: box.SUPPLY_BONUS[what]})
        case "esparto":
            yield from collect_esparto(table, seat, 1)
        case _:
            raise ValueError(bonus)


def resolve(table: Table, seat: int, effect: Effect) -> Steps:
    """Fixed gains at once, then the action's own choices."""
    table.gain(seat, effect.gains)
    if effect.action is not None:
        yield from perform(table, seat, effect.action)


# --- acquire cards (§8.1) ---


def acquire(table: Table, seat: int, limit: int) -> Steps:
    player = table.players[seat]
    taken = 0
    refreshed: set[int] = set()
    while True:
        names = options.acquire_options(table, seat, limit - taken, taken == 0, refreshed)
        may_stop = taken == 0 or not options.landing_spaces(table, seat)  # rulings E04-E06
        choice = yield (optional(seat, names) if may_stop else Decision(seat, names))
        if choice == "done":
            break
        kind, where = choice.split(":")
        if kind == "refresh":
            refreshed.add(int(where))
            refresh_row(table, seat, int(where))
        elif kind == "take":
            row, column = space = options.parse_space(where)
            card = table.draft[row][column]
            assert card is not None and player.donkey is not None
            table.pay(seat, {"pg": options.distance(space, player.donkey)})
            table.draft[row][column] = None
            player.hand.append(card)
            taken += 1
        else:
            player.donkey = options.parse_space(where)
            break
    table.refill()


def refresh_row(table: Table, seat: int, row: int) -> None:
    """Return all available cards, shuffle, fill the empty spaces left to right (E09, E11)."""
    returned = []
    for r, column in table.available_cards(seat):
        if r == row:
            card = table.draft[row][column]
            assert card is not None
            returned.append(card)
            table.draft[row][column] = None
    table.decks[row] = list(table.chance.shuffle_row(row, table.decks[row] + returned))
    table.refill_row(row)


# --- play a card (§8.2) ---


def play(table: Table, seat: int) -> Steps:
    choice = yield optional(seat, options.play_options(table, seat))
    if choice == "done":
        return
    card = choice.split(":")[1]
    player = table.players[seat]
    table.pay(seat, box.card_cost(card))
    match box.card_type(card):
        case "wheel" | "esparto" as kind:
            choice = yield Decision(seat, [f"slot:{k}" for k in options.free_spaces(player, kind)])
            player.drop_from_hand(card)
            yield from place_on_space(table, seat, card, int(choice.split(":")[1]))
        case "cleanup":
            player.drop_from_hand(card)
            player.cleanup.append(Cleanup(card))
        case kind:
            player.drop_from_hand(card)
            yield from extend_row(table, seat, kind, card)


def place_on_space(table: Table, seat: int, card: str, space: int) -> Steps:
    """A wheel gets its vase and VP before the action printed on its space (ruling F06)."""
    player = table.players[seat]
    if box.card_type(card) == "wheel":
        player.wheels[space] = Wheel(card)
        table.supply["vase"] -= 1
        player.vp += box.WHEELS[card].vp_played
        action = box.WHEEL_SPACE_ACTIONS[space]
    else:
        player.esparto[space] = card
        action = box.ESPARTO_SPACE_ACTIONS[space]
    assert action is not None
    yield from perform(table, seat, action)


def extend_row(table: Table, seat: int, kind: str, card: str) -> Steps:
    """The two icons that now face each other are two actions (ruling D01, junction reading)."""
    row = table.players[seat].row_of(kind)
    cards = box.SIDE_CARDS[kind]
    left = cards[card].left
    assert left is not None
    icons = [cards[row[-1].card].right, left]
    row.append(Holder(card))
    yield from menu(table, seat, [[f"action:{icon}"] for icon in icons])


# --- clay and technology (§8.3, §8.4) ---


def extract_clay(table: Table, seat: int) -> Steps:
    choice = yield optional(seat, options.clay_options(table, seat))
    if choice != "done":
        amount = int(choice.split(":")[1])
        table.pay(seat, {"pg": box.EXTRACT_COST[amount]})
        table.gain(seat, {"clay": amount})


def advance_technology(table: Table, seat: int) -> None:
    player = table.players[seat]
    if player.technology < box.TECHNOLOGY_LAST:
        player.technology += 1
        if player.technology == box.TECHNOLOGY_LAST:
            player.vp += box.TECHNOLOGY_VP


# --- throw and shape (§8.5, §8.6) ---


def throw(table: Table, seat: int, steps: int) -> Steps:
    """Each benefit, with everything it triggers, ends before the next step (rulings H01-H08)."""
    player = table.players[seat]
    for _ in range(steps):
        choice = yield optional(seat, options.throw_options(table, seat))
        if choice == "done":
            return
        wheel = player.wheels[int(choice.split(":")[1])]
        assert wheel is not None
        wheel.vase += 1
        card = box.WHEELS[wheel.card]
        reached_end = wheel.vase == len(card.spaces)
        yield from resolve(table, seat, card.spaces[wheel.vase - 1])
        if reached_end:
            wheel.completed = True
            player.vp += card.vp_completed


def shape(table: Table, seat: int) -> Steps:
    choice = yield optional(seat, options.shape_options(table, seat))
    if choice == "done":
        return
    pieces = choice.split(":")[1].split("+")
    table.pay(seat, box.SHAPE_ONE if len(pieces) == 1 else box.SHAPE_TWO)
    for piece in pieces:
        table.supply[piece] -= 1
        table.players[seat].drying[piece] += 1


# --- fire and paint (§8.7, §8.8) ---


def first_with(row: Sequence[Holder], piece: str | None) -> Holder:
    """The first kiln or workshop of a row that holds this piece (None: the first empty one)."""
    return next(holder for holder in row if holder.piece == piece)


def fire(table: Table, seat: int, limit: int) -> Steps:
    player = table.players[seat]
    for _ in range(limit):
        choice = yield optional(seat, options.fire_options(table, seat))
        if choice == "done":
            return
        kind, what = choice.split(":")
        if kind == "fire":
            player.drying[what] -= 1
            first_with(player.firing_kilns, None).piece = what
        else:
            workshop = player.workshops[int(what)]
            first_with(player.glaze_kilns, None).piece = workshop.piece
            workshop.piece = None


def paint(table: Table, seat: int, limit: int) -> Steps:
    player = table.players[seat]
    for _ in range(limit):
        choice = yield optional(seat, options.paint_options(table, seat))
        if choice == "done":
            return
        piece, k = choice.split(":")[1].split("@")
        workshop = player.workshops[int(k)]
        yield from pay_paint_price(table, seat, workshop.card)
        first_with(player.firing_kilns, piece).piece = None
        workshop.piece = piece


def pay_paint_price(table: Table, seat: int, workshop: str) -> Steps:
    """The price is asked where the card has alternatives (ruling I09); there is no way back."""
    prices = box.WORKSHOPS[workshop].prices
    if len(prices) == 1:
        table.pay(seat, prices[0])
        return
    payable = {
        f"pay:{next(iter(price))}": price for price in options.payable_prices(table, seat, workshop)
    }
    choice = yield Decision(seat, list(payable))
    table.pay(seat, payable[choice])


# --- clean (§8.9) ---


def clean(table: Table, seat: int, limit: int) -> Steps:
    """Assign the cracks, then empty all completed cards, then their rewards (ruling D07)."""
    player = table.players[seat]
    for _ in range(limit):
        choice = yield optional(seat, options.clean_options(table, seat))
        if choice == "done":
            break
        target = choice.split(":")[1]
        player.cleaning_area -= 1
        if target == "supply":
            table.supply["crack"] += 1
        else:
            player.cleanup[int(target)].cracks += 1
    completed = [k for k, card in enumerate(player.cleanup) if card.full]
    for k in completed:
        table.supply["crack"] += player.cleanup[k].cracks
        player.cleanup[k].cracks = 0
    yield from cleanup_rewards(table, seat, player, completed)


def cleanup_rewards(table: Table, seat: int, player: Player, owed: list[int]) -> Steps:
    while owed:
        rewards = {f"reward:{k}": box.CLEANUP[player.cleanup[k].card].reward for k in owed}
        names = [
            name
            for name, reward in rewards.items()
            if options.effect_changes_something(table, seat, reward)
        ]
        choice = yield optional(seat, names)
        if choice == "done":
            return
        owed.remove(int(choice.split(":")[1]))
        yield from resolve(table, seat, rewards[choice])


# --- esparto and first player (§8.10, §8.11) ---


def collect_esparto(table: Table, seat: int, limit: int) -> Steps:
    """One reward from each of up to `limit` of the cards that lie there now (rulings K01, B17)."""
    player = table.players[seat]
    waiting = options.filled_esparto_spaces(player)
    for _ in range(min(limit, len(waiting))):
        choice = yield optional(seat, options.esparto_options(table, seat, waiting))
        if choice == "done":
            return
        _, space, reward = choice.split(":")
        waiting.remove(int(space))
        card = player.esparto[int(space)]
        assert card is not None
        yield from resolve(table, seat, box.ESPARTO[card].rewards[int(reward)])


def first_player(table: Table, seat: int) -> Steps:
    """Marker and payment, then any board action (L01). The marker records that it was used."""
    choice = yield optional(seat, options.track_options(table, seat))
    if choice == "done":
        return
    space = int(choice.split(":")[1])
    table.first_player_track[space] = seat
    price = box.FIRST_PLAYER_TRACK[table.num_players][space]
    if price < 0:
        table.pay(seat, {"pg": -price})
    else:
        table.gain(seat, {"pg": price})
    yield from any_action(table, seat)
