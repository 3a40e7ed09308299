"""The course of a game (§4.3, §6, §7, §10) and the class that drives it.

The rules are written as generators that follow the rulebook from top to bottom; a decision is a
`yield`. There is no stack of frames to keep: the game stands where the generator is suspended.
"""

from __future__ import annotations

from . import actions, box, competition, options, scene, scoring
from .chance import Chance
from .scene import Scene
from .state import COMPETITION, Competition, Decision, Occupied, Player, Steps, Table, Wheel


class ReferenceGame:
    """A slow game for checking a fast one.

    Decisions with one legal action are taken by the engine itself, so a game at rest offers two or
    more, or is finished.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._steps = game(table)
        self._decision: Decision | None = next(self._steps, None)
        self._take_forced()

    @classmethod
    def from_scene(cls, scene_: Scene, chance: Chance) -> ReferenceGame:
        return cls(scene.read_scene(scene_, chance))

    @property
    def current_player(self) -> int | None:
        return None if self._decision is None else self._decision.player

    @property
    def done(self) -> bool:
        return self._decision is None

    def legal(self) -> list[str]:
        return [] if self._decision is None else sorted(self._decision.options)

    def step(self, name: str) -> None:
        if self._decision is None or name not in self._decision.options:
            raise ValueError(f"{name!r} is not legal; legal: {self.legal()}")
        self._send(name)
        self._take_forced()

    def scene(self) -> Scene:
        return scene.write_scene(self._table, self.current_player)

    def scores(self) -> list[int]:
        return scoring.scores(self._table)

    def _send(self, name: str) -> None:
        try:
            self._decision = self._steps.send(name)
        except StopIteration:
            self._decision = None

    def _take_forced(self) -> None:
        while self._decision is not None and len(self._decision.options) == 1:
            self._send(self._decision.options[0])
        if self._decision is not None:
            names = self._decision.options
            assert names and len(set(names)) == len(names), names


def game(table: Table) -> Steps:
    """From just after the deal, or from a fresh turn of `turn_player`."""
    if table.phase == "setup":
        yield from setup(table)
    elif table.phase == "turns":
        assert table.turn_player is not None
        yield from player_turns(table, table.turn_order.index(table.turn_player))
        yield from end_of_round(table)
    else:
        raise ValueError(f"cannot start in phase {table.phase!r}")
    while table.round < box.ROUNDS:
        table.round += 1
        yield from update_market(table)
        yield from player_turns(table, 0)
        yield from end_of_round(table)
    scoring.final_scoring(table)
    table.phase = "finished"


# --- before the first round (§4.3, §12.1.3) ---


def setup(table: Table) -> Steps:
    for seat in reversed(table.turn_order):
        if is_competition(table, seat):
            continue
        yield from choose_combination(table, seat)
        choice = yield Decision(
            seat, [f"donkey:{row},{column}" for row, column in table.available_cards(seat)]
        )
        table.players[seat].donkey = options.parse_space(choice.split(":")[1])
    table.combinations = []
    if table.competition is not None:
        competition.setup(table)


def choose_combination(table: Table, seat: int) -> Steps:
    left = [k for k, pair in enumerate(table.combinations) if pair is not None]
    choice = yield Decision(seat, [f"start:{k}" for k in left])
    k = int(choice.split(":")[1])
    pair = table.combinations[k]
    assert pair is not None
    wheel, resources = pair
    table.combinations[k] = None
    table.gain(seat, box.STARTING_RESOURCES[resources])
    table.players[seat].wheels[0] = Wheel(wheel)  # no VP and no printed action (ruling A11)
    table.supply["vase"] -= 1


# --- the market (§7.1) ---


def update_market(table: Table) -> Steps:
    table.phase = "market"
    start = box.MARKET_START[table.num_players]
    demand = {piece: table.demand[piece][table.round - 1] for piece in box.PIECES}
    table.position = {piece: start + demand[piece] for piece in box.PIECES}
    table.dice = list(table.chance.dice(table.round, 0))
    first = table.turn_order[0]
    if table.round > 1 and not is_competition(table, first):  # rulings A15, D15, P19
        choice = yield Decision(first, ["keep", "reroll"])
        if choice == "reroll":
            table.dice = list(table.chance.dice(table.round, 1))
    by_demand = sorted(box.PIECES, key=lambda piece: demand[piece], reverse=True)
    for piece, die in zip(by_demand, sorted(table.dice, reverse=True), strict=True):
        table.position[piece] = min(box.MARKET_TOP, table.position[piece] + die)


# --- turns (§7.2) ---


def player_turns(table: Table, start: int) -> Steps:
    """Whole cycles of the turn order until all shops are closed (ruling C01)."""
    table.phase = "turns"
    while True:
        for seat in table.turn_order[start:]:
            table.turn_player = seat
            if is_competition(table, seat):
                yield from competition.turn(table)
            else:
                yield from player_turn(table, seat)
        start = 0
        if all_shops_closed(table):
            return


def is_competition(table: Table, seat: int) -> bool:
    return table.competition is not None and seat == COMPETITION


def all_shops_closed(table: Table) -> bool:
    if table.competition is not None and table.competition.shop_open:
        return False
    return not any(player.shop_open for player in table.players)


def player_turn(table: Table, seat: int) -> Steps:
    player = table.players[seat]
    if not player.shop_open:
        yield from actions.closed_shop_bonus(table, seat)
        return
    choice = yield Decision(seat, options.turn_options(table, seat))
    kind, _, what = choice.partition(":")
    match kind:
        case "place":
            yield from place_craftswomen(table, seat, *options.parse_space(what))
        case "special":
            player.craftswomen -= 1
            table.special[seat] += 1
            yield from actions.special_menu(table, seat)
        case "discard":
            player.endgame_hand.remove(what)
            player.endgame_discarded.append(what)
            yield from actions.any_action(table, seat)
        case "sell":
            yield from sell(table, seat, choice)
        case "close":
            player.shop_open = False
            yield from actions.closed_shop_bonus(table, seat)


def place_craftswomen(table: Table, seat: int, row: int, column: int) -> Steps:
    """One more than there; those there go home at once, before action and bonuses (ruling B05)."""
    there = table.spaces[row][column]
    count = (there.count if there else 0) + 1
    table.players[seat].craftswomen -= count
    table.spaces[row][column] = Occupied(seat, count)
    if there is not None:
        yield from competition.return_craftswomen(table, there.owner, there.count)
    yield from actions.placement_menu(table, seat, row, column, count)


def sell(table: Table, seat: int, choice: str) -> Steps:
    """One or two pieces, each at the price before its marker moves (rulings MK05, MK06)."""
    for sale in range(1, box.SELL_LIMIT + 1):
        sell_piece(table, seat, choice)
        if sale < box.SELL_LIMIT:
            choice = yield actions.optional(seat, options.sell_options(table.players[seat]))
            if choice == "done":
                return


def sell_piece(table: Table, seat: int, choice: str) -> None:
    player = table.players[seat]
    piece = choice.split(":")[1]
    painted = choice.endswith(":painted")
    actions.first_with(player.glaze_kilns if painted else player.firing_kilns, piece).piece = None
    player.vp += table.sell_price(piece, painted)
    player.sold[piece] += 1
    table.lower_marker(piece)


# --- end of round (§10, §12.8) ---


def end_of_round(table: Table) -> Steps:
    table.phase = "end_of_round"
    open_shops(table)
    for seat in table.turn_order:
        if not is_competition(table, seat):
            yield from play_endgame_card(table, seat)
    update_turn_order(table)


def open_shops(table: Table) -> None:
    """Everybody comes home, one to the box; the Competition reshuffles, save after round 3."""
    owners: list[Player | Competition] = [*table.players]
    if table.competition is not None:
        owners.append(table.competition)
    for owner in owners:
        owner.craftswomen = box.CRAFTSWOMEN - table.round
        owner.shop_craftswomen = 0
        owner.shop_open = True
    table.spaces = [[None] * len(row) for row in table.spaces]
    table.special = [0] * len(table.special)
    if table.competition is not None and table.round < box.ROUNDS:
        competition.shuffle_deck(table)


def play_endgame_card(table: Table, seat: int) -> Steps:
    player = table.players[seat]
    choice = yield actions.optional(
        seat, [f"score:{kind}" for kind in dict.fromkeys(player.endgame_hand)]
    )
    if choice != "done":
        kind = choice.split(":")[1]
        player.endgame_hand.remove(kind)
        player.endgame_played.append(kind)


def update_turn_order(table: Table) -> None:
    """Markers of the right track first, then the others as they were (ruling D04)."""
    ahead = [seat for seat in table.first_player_track if seat is not None]
    table.turn_order = ahead + [seat for seat in table.turn_order if seat not in ahead]
    table.first_player_track = [None] * len(table.first_player_track)
    if table.competition is not None:
        table.first_player_track[-1] = COMPETITION  # ruling P02
