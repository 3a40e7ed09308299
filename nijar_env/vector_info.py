"""The infos of the vector environments, in the form that Gymnasium's `SyncVectorEnv` gives them,
and copies of their batches.

A key's array has a row for every game; `_key` is a bool array that says which rows are filled.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .batch import GameBatch
from .core.catalogue import NUM_GAME_ACTIONS
from .core.constants import COMPETITION

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]


def step_infos(
    batch: GameBatch, *, ended: Bools, learners: Ints, final_seats: Ints, flat: bool
) -> dict[str, Any]:
    """The infos of a step or a reset, all arrays new.

    Args:
        batch: the games after it.
        ended: bool (B,): the game ended in the step.
        learners: int64 (B,): the learner's seat now.
        final_seats: int64 (B,): its seat in the game that ended.
        flat: final observations are arrays, not dicts with a mask.

    Returns:
        `action_mask` and `seat`; where the batch deals anew by itself, `final_obs` and
        `final_info` if a game ended, else `scores` and `winner` then.
    """
    infos: dict[str, Any] = {}
    rows = np.flatnonzero(ended)
    if rows.size and batch.auto_reset:
        infos["final_obs"] = _final_observations(batch, rows, final_seats, flat)
        infos["_final_obs"] = ended.copy()
        blank = np.zeros((len(batch), NUM_GAME_ACTIONS), np.int8)
        final = {"action_mask": blank, "seat": np.where(ended, final_seats, 0)}
        infos["final_info"] = _masked(final | _results(batch, rows), ended)
        infos["_final_info"] = ended.copy()
    present = {"action_mask": batch.action_masks.copy(), "seat": learners.copy()}
    infos |= _masked(present, np.ones(len(batch), np.bool_))
    if rows.size and not batch.auto_reset:
        infos |= _masked(_results(batch, rows), ended)
    return infos


def _masked(arrays: dict[str, Any], rows: Bools) -> dict[str, Any]:
    """Each array with the bool array that says which games it is about."""
    infos: dict[str, Any] = {}
    for name, array in arrays.items():
        infos[name], infos[f"_{name}"] = array, rows.copy()
    return infos


def _results(batch: GameBatch, rows: Ints) -> dict[str, Any]:
    """The results of the games that ended, 0 elsewhere."""
    seats = batch.num_players if batch.num_players > 1 else COMPETITION + 1
    scores = np.zeros((len(batch), seats), np.int16)
    scores[rows] = batch.final_scores[rows, :seats]
    winners = np.zeros(len(batch), np.int64)
    winners[rows] = batch.final_winners[rows]
    return {"scores": scores, "winner": winners}


def _final_observations(
    batch: GameBatch, rows: Ints, seats: Ints, flat: bool
) -> npt.NDArray[np.object_]:
    """What the learners saw at the end of their games; None elsewhere."""
    from .core.observe import observe_game

    box, size = batch.box.record, batch.observation_size
    final = np.full(len(batch), None, object)
    for i in rows.tolist():
        seen = np.empty(size, np.float32)
        observe_game(box, batch.finished_games, i, seats[i], seen)
        mask = np.zeros(NUM_GAME_ACTIONS, np.int8)
        final[i] = seen if flat else {"observation": seen, "action_mask": mask}
    return final
