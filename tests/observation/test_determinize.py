"""A determinized game is one the player cannot tell from the true one, drawn fairly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from nijar_env.components import load_box
from nijar_env.components import vocabulary as v
from nijar_env.core import constants as c
from nijar_env.core.catalogue import A_PLAY
from nijar_env.core.constants import OFFER
from nijar_env.core.kernels import play
from nijar_env.core.layout import PRIVATE, observation_layout
from nijar_env.game import Game
from tests.observation.states import KIND_IDS, KINDS, back_of, random_states, shown

BOX = load_box()
DECK_OF = np.repeat(v.TYPE_DECK, v.TYPE_COPIES)


def cards_everywhere(g: Any) -> Counter[int]:
    """Copies of each game card in decks, draft area, hands, boards and discards."""
    places = (g.draft, g.wheel, g.esparto, g.cleanup, g.firing_kiln, g.workshop, g.glaze_kiln)
    found = Counter(int(card) for place in places for card in place.ravel())
    for deck in range(v.NUM_DECKS):
        found.update(g.deck[deck, : g.deck_size[deck]].tolist())
    for card in range(v.NUM_CARDS):
        found[card] += int(g.hand[:, card].sum() + g.discards[card])
    return Counter({card: n for card, n in found.items() if 0 <= card < v.NUM_CARDS and n})


def endgame_cards(g: Any) -> Any:
    return g.endgame_hand + g.endgame_played + g.endgame_discarded


def check_conserved(g: Any, h: Any, player: int) -> None:
    copies = BOX.record[0]["card_copies"][: v.NUM_CARDS]
    expected = Counter({card: int(n) for card, n in enumerate(copies) if n})
    assert cards_everywhere(h) == expected
    assert np.array_equal(h.hand.sum(axis=1), h.hand_size)
    assert (h.hand_dealt <= h.hand).all() and (h.hand_dealt >= 0).all()
    assert np.array_equal(h.hand[player], g.hand[player])
    assert np.array_equal(h.hand - h.hand_dealt, g.hand - g.hand_dealt)
    for deck in range(v.NUM_DECKS):
        here = deck == DECK_OF
        assert np.array_equal(h.hand_dealt[:, here].sum(axis=1), g.hand_dealt[:, here].sum(axis=1))
        cards = h.deck[deck, : h.deck_size[deck]]
        assert (DECK_OF[cards] == deck).all() and (h.deck[deck, h.deck_size[deck] :] == -1).all()
    in_decks = np.bincount(h.deck[h.deck >= 0], minlength=v.NUM_CARDS)
    assert (h.deck_seen <= in_decks).all()
    for row in ("endgame_hand", "endgame_played", "endgame_discarded"):
        assert np.array_equal(h[row][player], g[row][player])
        assert np.array_equal(h[row].sum(axis=1), g[row].sum(axis=1))
    assert (endgame_cards(h).sum(axis=0) <= BOX.record[0]["endgame_copies"]).all()
    for q in range(g.num_players):
        for card in range(v.NUM_CARDS):
            assert h.hand_dealt[q, card] >= shown(g, q, card)
    if g.num_players == 1:
        n = int(g.comp_revealed)
        assert np.array_equal(h.comp_deck[:n], g.comp_deck[:n])
        if g.phase != c.PHASE_SETUP:
            assert sorted(h.comp_deck) == list(range(v.NUM_COMPETITION_CARDS))
            assert back_of(BOX, h.comp_deck[n]) == back_of(BOX, g.comp_deck[n])


def public_part(observation: Any, players: int) -> list[bytes]:
    return [
        observation[field.start : field.stop].tobytes()
        for field in observation_layout(players)
        if field.visibility != PRIVATE and not field.name.startswith("own.")
    ]


@pytest.mark.parametrize(("players", "difficulty"), KINDS, ids=KIND_IDS)
def test_the_player_notices_nothing(players: int, difficulty: str) -> None:
    varied: Counter[str] = Counter()
    count = 0
    for number, game in enumerate(random_states(players, difficulty, seed=21)):
        if game.done:
            break
        player = number % players if number % 2 else int(game.record.current_player)
        other = game.determinize(player, number)
        assert other.observation(player).tobytes() == game.observation(player).tobytes()
        g, h = game.record, other.record
        check_conserved(g, h, player)
        assert other.current_player == game.current_player
        if game.current_player == player:
            assert np.array_equal(other.action_mask(), game.action_mask())
        else:
            assert h.num_legal == h.legal.sum() >= 2
        for q in range(players):
            there, here = other.observation(q), game.observation(q)
            assert public_part(there, players) == public_part(here, players)
        count += 1
        for name in ("hand", "deck", "endgame_hand", "comp_deck", "seed"):
            varied[name] += not np.array_equal(g[name], h[name])
    assert varied["deck"] > 0.95 * count and varied["seed"] == count
    assert varied["comp_deck" if players == 1 else "endgame_hand"] > 0.4 * count
    assert players == 1 or varied["hand"] > 0.2 * count


@pytest.mark.parametrize(("players", "difficulty"), KINDS, ids=KIND_IDS)
def test_determinized_games_play_on(players: int, difficulty: str) -> None:
    rng = np.random.default_rng(3)
    for number, game in enumerate(random_states(players, difficulty, seed=22)):
        if number % 40 or game.done:
            continue
        other = game.determinize(number % players, number)
        while not other.done:
            other.step(int(rng.choice(other.legal_actions())))
            assert not other.record.fault
        assert cards_everywhere(other.record) == cards_everywhere(game.record)


def test_same_seed_same_game() -> None:
    game = next(iter(random_states(3, seed=1)))
    first, second, third = (game.determinize(1, seed) for seed in (5, 5, 6))
    assert first.record.tobytes() == second.record.tobytes()
    assert first.record.tobytes() != third.record.tobytes()


def test_nothing_of_the_true_game_is_left() -> None:
    """Two games that one player cannot tell apart give the same determinized game, but for the
    arrangement that the deal starts from; the random numbers do not depend on the true ones."""
    game = next(iter(random_states(2, seed=1)))
    other = game.determinize(0, 99)
    assert game.determinize(0, 5).record.seed == other.determinize(0, 5).record.seed
    assert not game.determinize(0, 5).record.draws.any()
    assert game.determinize(0, 5).record.seed != game.record.seed


def test_no_log_is_kept() -> None:
    game = Game(2, seed=3)
    other = game.determinize(0, 1)
    assert game.log and not other.log
    assert not other.record.log_on and not other.record.events.any()


def test_future_is_fresh() -> None:
    """Later dice and refreshes come from the new seed; the dice on the table stay."""
    game = next(g for g in random_states(2, seed=5) if g.phase == "market")
    rolls = set()
    for seed in range(40):
        other = game.determinize(0, seed)
        assert np.array_equal(other.record.dice, game.record.dice)
        other.step(other.parse_action("reroll"))
        rolls.add(tuple(other.record.dice))
    assert len(rolls) > 20


def test_a_finished_game_is_copied() -> None:
    *_, game = random_states(2, seed=6)
    assert game.done
    other = game.determinize(1, 3)
    assert other.record.tobytes() == game.record.tobytes()
    assert other.record is not game.record and other.scores() == game.scores()


@pytest.mark.parametrize("player", [-1, 2, "0", None, 0.5])
def test_no_such_player(player: Any) -> None:
    with pytest.raises(ValueError, match="player must be 0 to 1"):
        Game(2, seed=1).determinize(player, 1)


@pytest.mark.parametrize("seed", [-1, 2**64, "1", 0.5])
def test_no_such_seed(seed: Any) -> None:
    with pytest.raises(ValueError, match="seed must"):
        Game(2, seed=1).determinize(0, seed)


# --- fairness: frequencies against what every deal being equally likely demands


def chi_square(counts: Counter[Any], weights: dict[Any, float]) -> float:
    """Pearson's statistic; all that was counted must be possible."""
    assert set(counts) <= set(weights)
    total, weight = sum(counts.values()), sum(weights.values())
    expected = {key: total * share / weight for key, share in weights.items() if share}
    return sum((counts[key] - e) ** 2 / e for key, e in expected.items())


def limit(categories: int) -> float:
    """About five standard deviations above the mean of chi-square."""
    freedom = categories - 1
    return float(freedom + 5 * np.sqrt(2 * freedom) + 5)


def draws(game: Game, player: int, number: int) -> Iterator[Any]:
    for seed in range(number):
        yield game.determinize(player, seed).record


def test_dealt_cards_are_uniform() -> None:
    """Each unseen copy is as likely in the rival's hand as in any place of the deck."""
    game = Game(2, seed=8)
    g = game.record
    hands = [Counter[int]() for _ in range(v.NUM_DECKS)]
    tops = [Counter[int]() for _ in range(v.NUM_DECKS)]
    for h in draws(game, 0, 4000):
        for card in np.flatnonzero(h.hand_dealt[1]):
            hands[DECK_OF[card]][int(card)] += 1
        for deck in range(v.NUM_DECKS):
            tops[deck][int(h.deck[deck, h.deck_size[deck] - 1])] += 1
    for deck in range(v.NUM_DECKS):
        pool = Counter(g.deck[deck, : g.deck_size[deck]].tolist())
        pool.update(int(card) for card in np.flatnonzero(g.hand[1]) if DECK_OF[card] == deck)
        for counts in (hands[deck], tops[deck]):
            assert sum(counts.values()) == 4000
            assert chi_square(counts, dict(pool)) < limit(len(pool))


def test_endgame_cards_are_uniform() -> None:
    """From the nine cards that the player does not hold, whatever it has played or discarded."""
    game = Game(3, seed=9)
    g = game.record
    g.endgame_hand[0] = [1, 0, 0, 0, 0, 0, 0, 0, 0]  # its other two: played and discarded
    g.endgame_played[0] = [0, 0, 0, 0, 0, 0, 1, 0, 0]
    g.endgame_discarded[0] = [0, 0, 0, 0, 0, 0, 1, 0, 0]
    g.endgame_hand[1] = [0, 1, 1, 0, 0, 0, 0, 0, 0]
    g.endgame_discarded[1] = [0, 0, 0, 1, 0, 0, 0, 0, 0]
    g.endgame_hand[2] = [0, 0, 0, 0, 1, 1, 0, 1, 0]
    copies = BOX.record[0]["endgame_copies"] - endgame_cards(g)[0]
    assert copies[0] == copies[v.END_PLATE] == 0 and copies.sum() == 9
    weights = {kind: float(n) for kind, n in enumerate(copies) if n}
    in_hand, discarded = Counter[int](), Counter[int]()
    for h in draws(game, 0, 3000):
        assert np.array_equal(endgame_cards(h)[0], endgame_cards(g)[0])
        assert h.endgame_hand[1].sum() == 2 and h.endgame_discarded[1].sum() == 1
        discarded.update(np.flatnonzero(h.endgame_discarded[1]).tolist())
        for kind in np.flatnonzero(h.endgame_hand[2]):
            in_hand[int(kind)] += int(h.endgame_hand[2, kind])
    assert chi_square(discarded, weights) < limit(len(weights))
    assert chi_square(in_hand, weights) < limit(len(weights))


def test_competition_order_is_uniform() -> None:
    """Among the orders that keep the open back: first one of the cards with it, then any."""
    game = next(
        g for g in random_states(1, seed=3) if g.phase == "turns" and g.record.comp_revealed == 4
    )
    deck = game.record.comp_deck.tolist()
    left = deck[4:]
    alike = [card for card in left if back_of(BOX, card) == back_of(BOX, deck[4])]
    first, last = Counter[int](), Counter[int]()
    for h in draws(game, 0, 3000):
        order = h.comp_deck.tolist()
        assert order[:4] == deck[:4] and sorted(order[4:]) == sorted(left)
        first[order[4]] += 1
        last[order[8]] += 1
    assert len(alike) > 1
    assert chi_square(first, dict.fromkeys(alike, 1.0)) < limit(len(alike))
    # A card with the open back is first with chance 1/len(alike); else it is like the others.
    share = (len(alike) - 1) / len(alike)
    weights = {card: share if card in alike else 1.0 for card in left}
    assert chi_square(last, weights) < limit(len(weights))


def find(condition: Callable[[Game], bool], players: int = 2) -> Game:
    """The first state of random games with this condition."""
    for seed in range(400):
        for game in random_states(players, seed=seed):
            if condition(game):
                return game.clone()
    raise AssertionError("no such state in 400 games")


def playable_cards(game: Game) -> frozenset[int]:
    """The cards that the player to act could play if it had them."""
    games = game._games[:1].copy()
    g = games[0]
    p = int(g.current_player)
    g.hand[p] = BOX.record[0]["card_type"][: v.NUM_CARDS] >= 0
    g.hand_size[p] = g.hand[p].sum()
    play(BOX.record, games, 0, OFFER, False)
    return frozenset(np.flatnonzero(g.legal[A_PLAY : A_PLAY + v.NUM_CARDS]).tolist())


def deals(game: Game) -> Counter[frozenset[int]]:
    """Every deal of seat 1's dealt cards (at most one a deck), with the number of ways to it."""
    g = game.record
    dealt = [int(card) for card in np.flatnonzero(g.hand_dealt[1])]
    ways: Counter[frozenset[int]] = Counter({frozenset(): 1})
    for deck in sorted({int(DECK_OF[card]) for card in dealt}):
        pool = Counter(g.deck[deck, : g.deck_size[deck]].tolist())
        pool.update(card for card in dealt if DECK_OF[card] == deck)
        longer: Counter[frozenset[int]] = Counter()
        for deal, number in ways.items():
            for card, copies in pool.items():
                longer[deal | {card}] += number * copies
        ways = longer
    return ways


def rival_plays_a_dealt_card(game: Game) -> bool:
    """Seat 1 chooses a card to play and can play only cards that player 0 does not know, and
    half of the deals would leave it nothing to play."""
    g = game.record
    if game.current_player != 1 or g.depth == 0 or g.frames[g.depth - 1, 0] != c.F_PLAY:
        return False
    public = np.flatnonzero(g.hand[1] - g.hand_dealt[1]).tolist()
    can_play = playable_cards(game)
    if can_play & set(public):
        return False
    ways = deals(game)
    none = sum(number for deal, number in ways.items() if not deal & can_play)
    return none > sum(ways.values()) / 2


def test_a_rival_that_chooses_has_a_choice() -> None:
    """The rival was asked for a card to play, so it has one: other deals are not possible."""
    game = find(rival_plays_a_dealt_card)
    g, can_play = game.record, playable_cards(game)
    found: Counter[int] = Counter()
    for h in draws(game, 0, 2000):
        assert np.array_equal(h.frames, g.frames) and h.current_player == 1
        playable = np.flatnonzero(h.legal[A_PLAY : A_PLAY + v.NUM_CARDS])
        assert len(playable) and (h.hand[1, playable] > 0).all()
        deal = frozenset(np.flatnonzero(h.hand_dealt[1]).tolist())
        assert deal & can_play == frozenset(playable.tolist())
        found[int(playable[0])] += 1
    weights: Counter[int] = Counter()
    for deal, number in deals(game).items():
        if deal & can_play:
            weights[min(deal & can_play)] += number
    assert chi_square(found, dict(weights)) < limit(len(weights))


def rival_lays_a_dealt_card(game: Game) -> bool:
    """Seat 1 has paid for a card that nobody had seen, and chooses its space."""
    g = game.record
    top = g.frames[g.depth - 1]
    return bool(
        g.depth
        and top[0] == c.F_SLOT
        and top[1] == 1
        and g.hand[1, top[2]] == g.hand_dealt[1, top[2]]
    )


def test_a_card_waiting_for_its_space_stays() -> None:
    game = find(rival_lays_a_dealt_card)
    card = int(game.record.frames[game.record.depth - 1, 2])
    for h in draws(game, 0, 200):
        assert h.hand_dealt[1, card] >= 1 and h.hand[1, card] >= 1
        assert np.array_equal(h.legal, game.record.legal)


def test_public_cards_stay_in_hand() -> None:
    game = find(lambda game: int((game.record.hand[1] - game.record.hand_dealt[1]).sum()) >= 3)
    public = game.record.hand[1] - game.record.hand_dealt[1]
    for h in draws(game, 0, 200):
        assert (h.hand[1] >= public).all()
        assert np.array_equal(h.hand[1] - h.hand_dealt[1], public)


def test_a_card_that_all_saw_return_to_its_deck_is_never_dealt_to_a_rival() -> None:
    """§8.1: a refresh puts open cards back; who watched knows that no rival was dealt them."""
    game = Game(2, seed=5, log=False)
    card = int(game.record.deck[1, 0])
    assert game.record.hand_dealt[1, card] == 0
    without = [game.determinize(0, key).record.hand[1, card] for key in range(300)]
    assert sum(without) > 0  # nothing says that it was not dealt to the rival
    game.record.deck_seen[card] = 1
    places = set()
    for key in range(300):
        record = game.determinize(0, key).record
        assert record.hand[1, card] == 0
        places.add(int(np.flatnonzero(record.deck[1] == card)[0]))
    assert len(places) > 10  # but where it lies is not known


def test_a_refresh_is_remembered_until_the_cards_come_up_again() -> None:
    game = Game(2, seed=5, log=False)
    scene = game.to_dict()
    wheels = [f"W{k:02d}" for k in range(1, 17)]
    held = {card for player in scene["players"] for card in player["hand"]}
    free = [card for card in wheels if card not in held]
    scene["draft"][0] = free[:5]
    scene.pop("decks")
    game = Game.from_dict(scene, log=False)
    while game.phase != "turns":
        game.step(game.legal_actions()[0])
    mover = game.current_player
    assert mover is not None
    kinds = {game.action_name(action): action for action in game.legal_actions()}
    game.step(kinds["discard:" + scene["players"][mover]["endgame_hand"][0]])
    game.step(game.parse_action("action:acquire"))
    rival = 1 - mover
    before = [int(card) for card in game.record.draft[0]]
    blocked = int(game.record.donkey[rival])
    returned = [card for k, card in enumerate(before) if blocked != k]
    game.step(game.parse_action("refresh:0"))
    now = [int(card) for card in game.record.draft[0]]
    for card in returned:
        assert game.record.deck_seen[card] == (0 if card in now else 1)
    assert game.record.deck_seen.sum() == len(set(returned) - set(now))
