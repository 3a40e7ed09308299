"""What `light` looks at: every legal action has heads, of its own kind, and they make its score."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from agents.light_heads import HEADS, MOST_ITEMS, MOST_SCORE, NUM_HEADS
from agents.light_weights import light_policy
from nijar_env import Game, GameBatch, load_box
from nijar_env.components.vocabulary import BOARD_ROWS, BONUSES, CARD_TYPES, NUM_ACTIONS
from nijar_env.core.catalogue import BLOCKS, NUM_GAME_ACTIONS, action_names
from nijar_env.core.constants import FRAME_KINDS
from tests.observation.states import KIND_IDS, KINDS
from tests.random_play import leanings
from tests.rules import scenes
from tests.rules.scenes import act, edit, load, row, scene, stand

from .looks import Look, looks_at

BLOCK_OF_HEAD = [name for name, count in HEADS for _ in range(count)]
# First word of an action's name: the blocks of heads that it has, always or sometimes.
EXPECTED: dict[str, tuple[set[str], set[str]]] = {
    "start": ({"start_wheel", "start_resources"}, set()),
    "donkey": ({"land_worth", "land_near"}, set()),
    "keep": ({"keep"}, set()),
    "reroll": ({"reroll"}, set()),
    "place": ({"space_bonus"}, {"space_bonus_more", "space_count"}),
    "special": ({"special"}, set()),
    "discard": ({"discard", "discard_now", "discard_next"}, set()),
    "sell": ({"sell", "sell_price", "sell_later"}, set()),
    "close": ({"close"}, set()),
    "action": ({"action"}, set()),
    "bonus": ({"bonus"}, set()),
    "done": ({"done"}, set()),
    "refresh": ({"refresh"}, set()),
    "take": ({"take", "take_card", "take_worth", "take_price"}, set()),
    "play": ({"play", "play_card", "play_worth"}, set()),
    "slot": ({"slot"}, set()),
    "clay": ({"clay"}, set()),
    "throw": ({"throw", "throw_vp", "throw_left"}, set()),
    "shape": ({"shape", "shape_price"}, set()),
    "fire": ({"fire", "fire_price"}, set()),
    "glaze": ({"glaze"}, set()),
    "paint": ({"paint", "paint_price", "paint_cost"}, set()),
    "pay": ({"pay"}, set()),
    "clean": (set(), {"clean", "clean_left", "clean_reward", "clean_supply"}),
    "reward": ({"reward", "reward_gains"}, set()),
    "esparto": ({"esparto", "esparto_gains"}, set()),
    "track": ({"track"}, set()),
    "gain": ({"gain"}, set()),
    "shop": ({"shop"}, set()),
    "score": ({"score", "score_now", "score_next"}, set()),
}
NAMES = action_names(load_box().card_ids)


def stages(players: int, difficulty: str, games: int = 12, every: int = 5) -> Iterator[Any]:
    """Records of games played at random with leanings, so that all kinds of choices come up."""
    batch = GameBatch(games, players, difficulty=difficulty, seed=17, auto_reset=False)
    rng = np.random.default_rng(players)
    weights = leanings(batch.box)[np.arange(games) % len(leanings(batch.box))]
    step = 0
    while not batch.dones.all():
        going_on = batch.current_players >= 0
        if step % every == 0:
            yield batch.games[going_on].copy()
        luck = batch.action_masks * weights * rng.random(weights.shape)
        batch.step(np.argmax(luck, axis=1))
        step += 1


@cache
def seen() -> tuple[tuple[Any, Look], ...]:
    """Positions of all kinds of games, and what light looks at there."""
    found = []
    for players, difficulty in KINDS:
        for games in stages(players, difficulty):
            found.extend(zip(games, looks_at(games), strict=True))
    return tuple(found)


def check(game: Any, look: Look) -> set[str]:
    """The heads of a position are those of its actions; returns their blocks."""
    assert look.actions.tolist() == np.flatnonzero(game.legal).tolist()
    assert np.isfinite(look.odds).all() and look.odds.max() == pytest.approx(1.0, abs=1e-4)
    blocks = set()
    for action, heads, menu in zip(look.actions.tolist(), look.heads, look.menus, strict=True):
        numbers = [head for head, _ in heads]
        assert 1 <= len(heads) <= MOST_ITEMS
        assert all(0 <= head < NUM_HEADS for head in numbers) and np.isfinite(heads).all()
        word = NAMES[action].split(":")[0]
        always, sometimes = EXPECTED[word]
        mine = {BLOCK_OF_HEAD[head] for head in numbers}
        assert always <= mine <= always | sometimes, NAMES[action]
        assert len(mine) == len(numbers), NAMES[action]  # one of each block
        assert bool(menu) == (word == "place")
        blocks |= mine
    return blocks


def test_every_action_and_every_block_of_heads_turns_up() -> None:
    blocks: set[str] = set()
    actions = set()
    for game, look in seen():
        blocks |= check(game, look)
        actions |= set(look.actions.tolist())
    assert blocks == {name for name, _ in HEADS}
    assert {NAMES[action].split(":")[0] for action in actions} == {name for name, _ in BLOCKS}
    assert set(EXPECTED) == {name for name, _ in BLOCKS}
    assert len(actions) > 0.65 * NUM_GAME_ACTIONS


@pytest.mark.parametrize(("players", "difficulty"), KINDS, ids=KIND_IDS)
def test_extreme_holdings_change_nothing_about_that(players: int, difficulty: str) -> None:
    """Much more than the game gives, or nothing: numbers stay finite and heads in range."""
    for number, games in enumerate(stages(players, difficulty, games=6, every=11)):
        much = number % 2 == 0
        for name, most in (
            ("pg", 3000),
            ("glaze", 3000),
            ("clay", 7),
            ("vp", 3000),
            ("cleaning_area", 8),
            ("technology", 3),
        ):
            games[name] = most if much else (1 if name == "technology" else 0)
        games["market"] = 12 if much else 0
        games["supply_piece"] = 100 if much else 0
        games["round_number"] = np.maximum(games["round_number"], 3 if much else 0)
        for game, look in zip(games, looks_at(games), strict=True):
            check(game, look)


def scores(look: Look, policy: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The score of each action, worked out anew."""
    values = policy @ look.features
    odds = np.exp(np.minimum(values[:NUM_ACTIONS], MOST_SCORE))
    rows = [
        np.log(1e-6 + sum(odds[a] for a in range(NUM_ACTIONS) if look.row_actions[r] >> a & 1))
        for r in range(BOARD_ROWS)
    ]
    return np.array(
        [
            sum(times * values[head] for head, times in heads)
            + sum(rows[r] for r in range(BOARD_ROWS) if menu >> r & 1)
            for heads, menu in zip(look.heads, look.menus.tolist(), strict=True)
        ]
    )


def test_scores_are_heads_times_features() -> None:
    policy = light_policy().astype(np.float64)
    for _, look in seen()[::3]:
        found = scores(look, policy)
        assert look.odds == pytest.approx(np.exp(found - found.max()), rel=1e-3, abs=1e-6)


def look_at(game: Game) -> Look:
    return looks_at(game._games)[0]


def heads_of(game: Game, name: str) -> dict[tuple[str, int], float]:
    """{(block, place in it): times} of an action."""
    look = look_at(game)
    place = look.actions.tolist().index(game.parse_action(name))
    bases = {}
    base = 0
    for block, count in HEADS:
        bases[block] = base
        base += count
    return {
        (BLOCK_OF_HEAD[head], head - bases[BLOCK_OF_HEAD[head]]): times
        for head, times in look.heads[place]
    }


def test_a_space_by_its_row_its_bonus_and_whom_it_sends_home() -> None:
    s = stand(scene(2), (1, 2), owner=1, count=2)
    game = load(s)
    bonus = [BONUSES.index(b) for b in scenes.COLUMN_BONUSES]
    assert heads_of(game, "place:0,1") == {("space_bonus", bonus[1]): 1}
    assert heads_of(game, "place:1,2") == {
        ("space_bonus", bonus[2]): 1,
        ("space_bonus_more", bonus[2]): 2,
        ("space_count", 0): 2,
    }
    look = look_at(game)
    menus = dict(zip(look.actions.tolist(), look.menus.tolist(), strict=True))
    for r in range(3):
        assert menus[game.parse_action(f"place:{r},0")] == 1 << r
    # Nothing to play, to fire, to paint or to clean; the other actions of the tiles are possible.
    names = NAMES[NAMES.index("action:acquire") :][:NUM_ACTIONS]
    offered = [
        {n.split(":")[1] for a, n in enumerate(names) if look.row_actions[r] >> a & 1}
        for r in range(3)
    ]
    assert offered == [{"acquire", "clay"}, {"throw", "tech"}, {"esparto", "first_player"}]


def test_a_sale_by_its_price() -> None:
    s = edit(scene(2, number=3), firing_kilns=row("F00", pieces=["jug"]))
    edit(s, glaze_kilns=row("G00", pieces=["plate"]))
    game = load(s)
    vp = game.box.record[0]["market_vp"]
    plain, painted = heads_of(game, "sell:jug"), heads_of(game, "sell:plate:painted")
    assert plain[("sell", 1)] == 1 and plain[("sell_price", 0)] == vp[0, scenes.POSITION["jug"]]
    assert painted[("sell", 3)] == 1
    assert painted[("sell_price", 1)] == vp[1, scenes.POSITION["plate"]]
    # There is no later round: waiting is worth what a painted piece left over is, if that is more.
    left = float(game.box.record[0]["left_piece_vp"][1])
    assert painted[("sell_later", 1)] == max(left - painted[("sell_price", 1)], 0)


def test_a_card_by_its_type_its_identity_and_its_price() -> None:
    game = act(load(scene(2)), "acquire")
    card = game.box.card_ids.index("C10")
    heads = heads_of(game, "take:1,0")
    kind = CARD_TYPES.index("cleanup")
    assert heads[("take", kind)] == heads[("take_card", card)] == 1
    assert heads[("take_price", 0)] == 1  # a step from the donkey
    assert heads_of(game, "done") == {("done", FRAME_KINDS.index("acquire")): 1}
