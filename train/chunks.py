"""Plays chunks of a data set's games, and notes what the teacher would do at every decision."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from agents import Agent, GameView, make_agent
from agents.mcts import MctsAgent
from agents.random_agent import draw_keys
from nijar_env import Box, GameBatch
from nijar_env.components.vocabulary import DIFFICULTIES

from .data import CHOICES, NO_CHOICE, GameData

# Chosen seeds of the players beside the games.
TEACHER_SEED, MIX_SEED, COIN_SEED = 1, 2, 3
# A game goes by a new number after a decision that was not the teacher's, so that what the
# teacher keeps in mind (a plan, a tree) is not taken to go on.
_NEW_NUMBER: Final = 1 << 40


class Chunk(NamedTuple):
    """Games that are played together: of the seeds from `seed` on."""

    number: int
    seed: int
    games: int
    difficulty: str


class Mixture(NamedTuple):
    """Who plays: the teacher, but for a share of the decisions another player."""

    teacher: Agent
    other: Agent | None
    share: float


def cut_chunks(games: int, seed: int, size: int, difficulty: str) -> list[Chunk]:
    """All chunks of a data set; "mixed" deals the difficulties in turn."""
    levels = DIFFICULTIES if difficulty == "mixed" else (difficulty,)
    return [
        Chunk(index, seed + start, min(size, games - start), levels[index % len(levels)])
        for index, start in enumerate(range(0, games, size))
    ]


class _Notes(NamedTuple):
    """What was noted at one step, for the rows of a batch."""

    rows: npt.NDArray[np.int64]
    seats: npt.NDArray[np.int8]
    played: npt.NDArray[np.int16]
    choices: npt.NDArray[np.int16]
    odds: npt.NDArray[np.float16]
    worth: npt.NDArray[np.float16]


def play_chunk(
    chunk: Chunk,
    players: int,
    who: Mixture,
    header: dict[str, Any],
    box: Box,
    most: int | None = None,
) -> GameData:
    """Play a chunk and note what the teacher would do.

    Args:
        box: that is played with.
        most: stop after so many steps (what was noted is then no data set); None: play to the end.
    """
    seeds = np.arange(chunk.seed, chunk.seed + chunk.games, dtype=np.uint64)
    batch = GameBatch(
        chunk.games,
        players,
        difficulty=chunk.difficulty,
        seed=seeds,
        components=box,
        auto_reset=False,
    )
    steps = list(_play(batch, seeds.astype(np.int64), who, most))
    rows = np.concatenate([step.rows for step in steps])
    order = np.argsort(rows, kind="stable")  # game by game, each in order
    columns: dict[str, Any] = {
        name: np.concatenate([getattr(step, name) for step in steps])[order]
        for name in _Notes._fields[1:]
    }
    return GameData(
        header,
        seeds=seeds,
        difficulties=batch.games["difficulty"].copy(),
        scores=batch.final_scores.copy(),
        winners=batch.final_winners.copy(),
        lengths=np.bincount(rows, minlength=chunk.games).astype(np.int32),
        **columns,
    )


def _play(
    batch: GameBatch, ids: npt.NDArray[np.int64], who: Mixture, most: int | None
) -> Iterator[_Notes]:
    actions = np.zeros(len(batch), np.int64)
    who.teacher.reset(TEACHER_SEED)
    if who.other is not None:
        who.other.reset(MIX_SEED)
    step = 0
    while not batch.dones.all() and (most is None or step < most):
        view = GameView(batch, ids)
        chosen = _ask(who.teacher, batch, view)
        notes = _note(who.teacher, view, chosen)
        if who.other is not None:
            coins = (draw_keys(COIN_SEED, view) >> np.uint64(11)) / 2.0**53
            others = np.flatnonzero(coins < who.share)
            if len(others):
                chosen = chosen.copy()
                chosen[others] = _ask(who.other, batch, view.select(others))
                ids[view.rows[chosen != notes.choices[:, 0]]] += _NEW_NUMBER
        yield notes._replace(played=chosen.astype(np.int16))
        actions[view.rows] = chosen
        batch.step(actions)
        step += 1


def _ask(agent: Agent, batch: GameBatch, view: GameView) -> npt.NDArray[np.int64]:
    seen = None
    if agent.needs_observations:
        seen = batch.observe()[view.rows]
    return agent.act(seen, batch.action_masks[view.rows], view)


def _note(teacher: Agent, view: GameView, chosen: npt.NDArray[np.int64]) -> _Notes:
    """The teacher's choices: by visits where it counts them, else the one that it chose."""
    n = len(view)
    choices = np.full((n, CHOICES), NO_CHOICE, np.int16)
    choices[:, 0] = chosen
    odds = np.zeros((n, CHOICES), np.float16)
    odds[:, 0] = 1.0
    worth = np.full((n, CHOICES), np.nan, np.float16)
    if isinstance(teacher, MctsAgent):
        for i, game in enumerate(view.ids.tolist()):
            if game not in teacher.notes:
                continue
            best = [c for c in teacher.notes[game].choices if c.looks > 0][:CHOICES]
            visits = np.array([c.looks for c in best], np.float64)
            choices[i, : len(best)] = [c.actions[0] for c in best]
            odds[i, : len(best)] = visits / visits.sum()
            worth[i, : len(best)] = [c.value for c in best]
        teacher.notes.clear()
    return _Notes(view.rows, view.players, chosen.astype(np.int16), choices, odds, worth)


def make_players(teacher: str, mix: str | None, share: float) -> Mixture:
    """The players of a process.

    Raises:
        AgentSpecError: a specification that names no agent.
    """
    agent = make_agent(teacher)
    if isinstance(agent, MctsAgent):
        agent.keep_notes = True
    return Mixture(agent, make_agent(mix) if mix else None, share)
