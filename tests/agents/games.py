"""Games played by agents, for the tests."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from agents import Agent, GameView
from eval.records import GameRecord
from eval.table import BATCH, Assignment, play
from nijar_env import Game, GameBatch
from nijar_env.core.constants import PHASE_SETUP
from tests.observation.states import scramble


def play_on(batch: GameBatch, agent: Agent, decisions: int) -> None:
    """Let an agent take all decisions of a batch, at most this many; an illegal one would raise."""
    actions = np.zeros(len(batch), np.int64)
    for _ in range(decisions):
        view = GameView(batch)
        if len(view) == 0:
            return
        chosen = agent.act(None, batch.action_masks[view.rows], view)
        assert chosen.shape == (len(view),)
        assert chosen.dtype == np.int64
        actions[view.rows] = chosen
        batch.step(actions)


def first_choices(batch: GameBatch, agent: Agent) -> list[int]:
    """What an agent chooses now in every game that goes on."""
    view = GameView(batch)
    return [int(a) for a in agent.act(None, batch.action_masks[view.rows], view)]


@dataclass
class SoloResults:
    """Finished solo games, in the order of their deals."""

    own_vp: list[int] = field(default_factory=list)
    competition_vp: list[int] = field(default_factory=list)
    decisions: list[int] = field(default_factory=list)


def play_solo(
    agent: Agent, difficulty: str, games: int, seed: int, batch_size: int = BATCH
) -> SoloResults:
    """Let an agent play deals 0 to `games` - 1 of a measurement with this seed."""
    records: list[GameRecord] = []
    wanted = [Assignment(deal, difficulty, (agent.name,)) for deal in range(games)]
    play(wanted, {agent.name: agent}, seed, None, batch_size, records.append)
    out = SoloResults()
    for own, rival in (r.seats for r in sorted(records, key=GameRecord.key)):
        out.own_vp.append(own.vp)
        out.competition_vp.append(rival.vp)
        out.decisions.append(own.decisions)
    return out


def batch_of(games: list[Game]) -> GameBatch:
    """A batch of these games, which are of one kind."""
    first = games[0]
    forced = bool(first.record.auto_forced)
    batch = GameBatch(len(games), first.num_players, seed=0, auto_forced=forced, auto_reset=False)
    for row, game in enumerate(games):
        batch.games[row] = game.record
        batch.action_masks[row] = game.record.legal
        batch.current_players[row] = game.record.current_player
        batch.dones[row] = game.done
    return batch


def states_in_play(
    num_players: int, difficulty: str = "normal", *, games: int = 6, every: int = 12, seed: int = 21
) -> list[GameBatch]:
    """Batches at several stages of random games, some of them in the middle of turns."""
    from agents import make_agent

    batch = GameBatch(games, num_players, difficulty=difficulty, seed=seed, auto_reset=False)
    random = make_agent("random")
    random.reset(seed)
    stages = []
    while not batch.dones.any():
        stages.append(copy_of(batch))
        play_on(batch, random, every)
    return stages


def copy_of(batch: GameBatch) -> GameBatch:
    """The same games in a batch of their own."""
    other = GameBatch(
        len(batch),
        batch.num_players,
        seed=0,
        auto_forced=bool(batch.games["auto_forced"][0]),
        auto_reset=False,
    )
    other.games[:] = batch.games
    other.action_masks[:] = batch.action_masks
    other.current_players[:] = batch.current_players
    other.dones[:] = batch.dones
    return other


def with_other_secrets(batch: GameBatch, seed: int) -> GameBatch:
    """The same games for who is to act in each: all that is hidden from it is dealt anew, by
    another program than the library's."""
    other = copy_of(batch)
    rng = np.random.default_rng(seed)
    for row in np.flatnonzero(batch.current_players >= 0).tolist():
        _scramble(batch, other, row, rng)
    return other


def _scramble(batch: GameBatch, other: GameBatch, row: int, rng: np.random.Generator) -> None:
    true = batch.games[row]
    scene: Any = batch.games[row : row + 1].copy()
    scramble(scene, int(true.current_player), batch.box, rng)
    # `scramble` also changes what an agent may know: what is legal, how many decisions there were,
    # which cards of the Competition were turned up before the last one.
    for name in ("decisions", "legal", "num_legal"):
        scene[0][name] = true[name]
    scene[0].comp_deck = true.comp_deck  # in order during setup
    if batch.num_players == 1 and true.phase != PHASE_SETUP:
        scene[0].comp_deck = shuffled_behind(batch, true, int(true.comp_revealed), rng)
    other.games[row] = scene[0]


def shuffled_behind(batch: GameBatch, true: Any, shown: int, rng: np.random.Generator) -> list[int]:
    """The Competition's cards: those turned up as they are, then one with the open back."""
    backs = batch.box.record[0]["comp_piece"]
    deck = true.comp_deck.tolist()
    hidden = rng.permutation(deck[shown:]).tolist()
    if not hidden:
        return deck
    alike = next(card for card in hidden if (backs[card] == backs[deck[shown]]).all())
    hidden.remove(alike)
    return [*deck[:shown], alike, *hidden]
