"""Entry points: the rules over arrays of games, called from Python.

`boxes` is the box's array of one BOX_DTYPE record, `games` an array of GAME_DTYPE records and
`raw` the same memory as uint8 (games, bytes). Ranges `start` to `stop` let threads share a batch.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..components.vocabulary import MAX_PLAYERS
from .catalogue import NUM_GAME_ACTIONS
from .constants import (
    DEAL,
    MARGIN_SCALE,
    PHASE_FINISHED,
    REWARD_OUTCOME,
    REWARD_VP,
    STREAM_PLAYERS,
)
from .engine import run
from .jit import entry, kernel, local_array
from .record import FRAME_BYTES, STATE_BYTES
from .rng import below, episode_seed
from .scoring import winner


@entry
def play(boxes: Any, games: Any, i: int, action: int, forced: bool) -> None:
    """`engine.run` for game `i`."""
    run(boxes[0], games[i], action, forced)


@kernel
def copy_values(to: Any, values: Any) -> None:
    """`to[:] = values`, which on a GPU would want memory for values that overlap."""
    for k in range(values.shape[0]):
        to[k] = values[k]


@kernel
def copy_game(raw_to: Any, j: int, raw_from: Any, i: int, depth: int) -> None:
    """Copy game `i`, which has `depth` pending frames, over game `j`, for search: without events
    and without the dead part of the stack (what the target has there stays; nothing reads it)."""
    end = STATE_BYTES + depth * FRAME_BYTES
    raw_to[j, :end] = raw_from[i, :end]


@kernel
def redeal(boxes: Any, games: Any, raw: Any, i: int, seed: np.uint64) -> None:
    """Start the next game in the record of a finished one, with the same options."""
    g = games[i]
    num_players, difficulty, forced = g.num_players, g.difficulty, g.auto_forced
    raw[i, :] = 0
    g.num_players = num_players
    g.difficulty = difficulty
    g.auto_forced = forced
    g.seed = seed
    run(boxes[0], g, DEAL, forced != 0)


@entry
def deal_games(boxes: Any, games: Any, raw: Any, seeds: Any, start: int, stop: int) -> None:
    """Deal games `start` to `stop` anew, game i with `seeds[i]`."""
    for i in range(start, stop):
        redeal(boxes, games, raw, i, seeds[i])


@entry
def find_illegal(games: Any, actions: Any) -> int:
    """The first game whose action is not legal, or -1. Finished games take no action."""
    for i in range(games.shape[0]):
        g = games[i]
        if g.phase != PHASE_FINISHED:
            action = actions[i]
            if action < 0 or action >= NUM_GAME_ACTIONS or g.legal[action] == 0:
                return i
    return -1


@kernel
def write_rewards(g: Any, kind: int, before: Any, out: Any) -> None:
    """float32 (4,) by seat: VP since `before`, or the result once the game is over."""
    seats = int(g.num_seats)
    if kind == REWARD_VP:
        for p in range(seats):
            out[p] = g.vp[p] - before[p]
        return
    for p in range(seats):
        out[p] = 0.0
    if g.phase != PHASE_FINISHED:
        return
    best = winner(g)
    for p in range(seats):
        if kind == REWARD_OUTCOME:
            out[p] = 1.0 if p == best else -1.0 / (seats - 1)
        else:
            other = -32768
            for q in range(seats):
                if q != p and g.vp[q] > other:
                    other = int(g.vp[q])
            out[p] = (g.vp[p] - other) / MARGIN_SCALE


@entry
def game_winner(games: Any, i: int) -> int:
    """The winning seat of game `i` by the VP as they stand (`scoring.winner`)."""
    return winner(games[i])


@entry
def game_rewards(games: Any, i: int, kind: int, out: Any) -> None:
    """The rewards of a finished game by seat, "outcome" or "margin", into `out` (4,)."""
    write_rewards(games[i], kind, games[i].vp, out)


@entry
def seed_of_episode(seed: np.uint64, episode: int) -> np.uint64:
    """`rng.episode_seed` for front ends that deal one game at a time."""
    return episode_seed(seed, episode)


@entry
def step_games(
    boxes: Any,
    games: Any,
    raw: Any,
    actions: Any,
    start: int,
    stop: int,
    reward: int,
    reset: bool,
    seeds: Any,
    episodes: Any,
    masks: Any,
    players: Any,
    rewards: Any,
    dones: Any,
    final_scores: Any,
    final_winners: Any,
    final_lengths: Any,
    raw_finished: Any,
) -> int:
    """Step games `start` to `stop`; fill the batch's buffers; deal finished games anew if `reset`.

    `raw_finished` keeps the records of finished games, if it has a row a game. Returns the first
    game with a fault, or -1.
    """
    faulty = -1
    before = local_array(MAX_PLAYERS, np.int16)
    for i in range(start, stop):
        g = games[i]
        if g.phase == PHASE_FINISHED:
            rewards[i, :] = 0.0
            dones[i] = True
            continue
        copy_values(before, g.vp)
        run(boxes[0], g, actions[i], g.auto_forced != 0)
        write_rewards(g, reward, before, rewards[i])
        if g.fault != 0 and faulty < 0:
            faulty = i
        dones[i] = g.phase == PHASE_FINISHED
        if dones[i]:
            copy_values(final_scores[i], g.vp)
            final_winners[i] = winner(g)
            final_lengths[i] = g.decisions
            if raw_finished.shape[0] > 0:
                copy_values(raw_finished[i], raw[i])
            if reset:
                episodes[i] += 1
                redeal(boxes, games, raw, i, episode_seed(seeds[i], episodes[i]))
        copy_values(masks[i], g.legal)
        players[i] = g.current_player
    return faulty


@kernel
def random_legal(g: Any, key: np.uint64, index: int) -> int:
    """A uniformly random legal action, the `index`-th draw of a key."""
    skip = below(key, STREAM_PLAYERS, index, g.num_legal)
    for action in range(NUM_GAME_ACTIONS):
        if g.legal[action]:
            if skip == 0:
                return action
            skip -= 1
    return -1


@entry
def random_actions(games: Any, key: np.uint64, index: int, start: int, stop: int, out: Any) -> None:
    """A random legal action of each game (0 where it is over): draw `index`, game by game."""
    for i in range(start, stop):
        g = games[i]
        if g.num_legal > 0:
            out[i] = random_legal(g, key, index * games.shape[0] + i)
        else:
            out[i] = 0


@entry
def random_steps(
    boxes: Any,
    games: Any,
    raw: Any,
    seeds: Any,
    episodes: Any,
    key: np.uint64,
    index: int,
    start: int,
    stop: int,
) -> None:
    """One random decision in each game, dealt anew where it ends: the rules alone, no buffers."""
    for i in range(start, stop):
        g = games[i]
        run(boxes[0], g, random_legal(g, key, index * games.shape[0] + i), g.auto_forced != 0)
        if g.phase == PHASE_FINISHED:
            episodes[i] += 1
            redeal(boxes, games, raw, i, episode_seed(seeds[i], episodes[i]))


@entry
def random_playouts(
    boxes: Any, games: Any, i: int, raw: Any, scratch: Any, raw_scratch: Any, key: np.uint64, n: int
) -> int:
    """Play game `i` to its end `n` times by random legal actions, on the scratch record; returns
    the decisions taken."""
    total = 0
    for k in range(n):
        copy_game(raw_scratch, 0, raw, i, games[i].depth)
        g = scratch[0]
        g.log_on = 0
        g.seed = key + np.uint64(k)
        index = k << 16
        while g.phase != PHASE_FINISHED and g.fault == 0:
            run(boxes[0], g, random_legal(g, key, index), True)
            index += 1
            total += 1
    return total
