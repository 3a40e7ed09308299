"""States to observe: random games, played by legal actions drawn from a fixed seed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from nijar_env.components import Box, load_box
from nijar_env.components import vocabulary as v
from nijar_env.core import constants as c
from nijar_env.game import Game

# Players and difficulty of every kind of game.
KINDS = (
    *((1, difficulty) for difficulty in v.DIFFICULTIES),
    *((players, "normal") for players in (2, 3, 4)),
)
KIND_IDS = [f"{players}-{difficulty}" for players, difficulty in KINDS]


def random_states(
    players: int, difficulty: str = "normal", seed: int = 0, components: Box | None = None
) -> Iterator[Game]:
    """The game at each of its decisions and at its end. `done` is chosen half as often."""
    game = Game(players, difficulty=difficulty, seed=seed, components=components, log=False)
    rng = np.random.default_rng([players, seed])
    while not game.done:
        yield game
        actions = game.legal_actions()
        if len(actions) > 1 and rng.random() < 0.5:
            actions = [a for a in actions if game.action_name(a) != "done"]
        game.step(int(rng.choice(actions)))
    yield game


def copy_record(game: Game) -> Any:
    """A record array of one game, to be changed at will."""
    return game._games[:1].copy()


def observe_record(games: Any, player: int, box: Box | None = None) -> Any:
    """What `player` sees of the first record."""
    return Game._of_record(box or load_box(), games).observation(player)


def shown(g: Any, q: int, card: int) -> int:
    """Dealt copies of a card in `q`'s hand that lie open: paid for, waiting for a space."""
    frames = g.frames[: g.depth]
    open_copies = sum(1 for f in frames if f[0] == c.F_SLOT and f[1] == q and f[2] == card)
    return max(open_copies - int(g.hand[q, card] - g.hand_dealt[q, card]), 0)


def back_of(box: Box, card: int) -> list[list[int]]:
    return box.record[0]["comp_piece"][card].tolist()


def scramble(games: Any, player: int, box: Box, rng: np.random.Generator) -> None:
    """Deal everything hidden from `player` anew, by another program than the library's."""
    g = games[0]
    others = [q for q in range(g.num_players) if q != player]
    for deck in range(v.NUM_DECKS):
        codes = [card for card in range(v.NUM_CARDS) if v.TYPE_DECK[_type(card)] == deck]
        places: list[tuple[int, int]] = []
        pool = g.deck[deck, : g.deck_size[deck]].tolist()
        for q in others:
            for card in codes:
                for _ in range(int(g.hand_dealt[q, card]) - shown(g, q, card)):
                    places.append((q, card))
                    pool.append(card)
        pool = rng.permutation(pool).tolist()
        for (q, old), new in zip(places, pool, strict=False):
            for hand in (g.hand, g.hand_dealt):
                hand[q, old] -= 1
                hand[q, new] += 1
        g.deck[deck, : g.deck_size[deck]] = pool[len(places) :]
    _scramble_endgame(g, player, others, box, rng)
    if g.num_players == 1:
        _scramble_competition(g, box, rng)
    g.seed = rng.integers(2**63)
    g.draws = rng.integers(100, size=len(g.draws))
    g.decisions = rng.integers(1000)
    g.legal[:] = 0
    g.num_legal = 0
    g.events[:] = rng.integers(50, size=g.events.shape)


def _type(card: int) -> int:
    return int(np.searchsorted(v.TYPE_BASE, card, side="right")) - 1


def _scramble_endgame(
    g: Any, player: int, others: list[int], box: Box, rng: np.random.Generator
) -> None:
    rows = (g.endgame_hand, g.endgame_played, g.endgame_discarded)
    pool: list[int] = []
    for kind in range(v.NUM_ENDGAME_KINDS):
        own = sum(int(row[player, kind]) for row in rows)
        pool += [kind] * (int(box.record[0]["endgame_copies"][kind]) - own)
    pool = rng.permutation(pool).tolist()
    for row in rows:
        for q in others:
            count = int(row[q].sum())
            row[q] = 0
            for _ in range(count):
                row[q, pool.pop()] += 1


def _scramble_competition(g: Any, box: Box, rng: np.random.Generator) -> None:
    """Order of what is face down, but for the open back; in Normal and Advanced also the
    revealed cards below the top one."""
    deck = g.comp_deck.tolist()
    n = int(g.comp_revealed)
    seen = deck[:n] if g.difficulty == v.EXPERT else deck[max(n - 1, 0) : n]
    rest = [card for card in range(v.NUM_COMPETITION_CARDS) if card not in seen]
    rest = rng.permutation(rest).tolist()
    if g.phase == c.PHASE_SETUP:
        g.comp_deck = rest
        return
    following = next(card for card in rest if back_of(box, card) == back_of(box, deck[n]))
    rest.remove(following)
    below = n - len(seen)
    g.comp_deck = [*rest[:below], *seen, following, *rest[below:]]
