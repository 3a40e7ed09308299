"""What the set network reads: fields of an observation by name, and the printed values of cards."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from nijar_env import Box
from nijar_env.components.vocabulary import (
    CARD_TYPES,
    DRAFT_COLUMNS,
    DRAFT_SPACES,
    EFFECT_ACTION,
    EFFECT_ACTIONS,
    MAX_COLUMNS,
    NUM_ACTIONS,
    NUM_CARD_CODES,
    NUM_PIECES,
    WHEEL_SPACES,
)
from nijar_env.core.layout import POINTS_SCALE, PRICE_SCALE, STEPS_SCALE, Field, observation_layout

from .forward import Array, Ops

# Fields that are read as entities, or that follow from a card's identity; the trunk gets the rest.
_SHARED: Final = (
    *("draft", "draft_features", "draft_paint", "deck_seen", "discards"),
    *("row_actions", "bonus"),
    *("own.hand", "own.wheel_next", "own.esparto_rewards", "own.cleanup", "own.workshop_price"),
    *("pending.who", "pending.a", "pending.b", "pending.cd"),
)
_OF_SEAT: Final = (
    *("spaces", "donkey", "hand_public", "wheel", "esparto", "cleanup", "cleanup_cracks"),
    *("workshop", "workshop_piece", "firing_kiln", "glaze_kiln"),
)
# Of a card: type, cost, VP, spaces, icons, effects, paint; see `box_constants`.
NUM_PRINTED: Final = len(CARD_TYPES) + 4 + 3 + 2 * NUM_ACTIONS + 4 + (len(EFFECT_ACTIONS) - 1) + 5


@functools.cache
def _fields(num_players: int) -> Mapping[str, Field]:
    return {field.name: field for field in observation_layout(num_players)}


@functools.cache
def _flat_slices(num_players: int) -> tuple[tuple[int, int], ...]:
    """The parts of an observation that the trunk reads as they stand, neighbours joined."""
    slices: list[tuple[int, int]] = []
    for field in observation_layout(num_players):
        prefix, _, name = field.name.partition(".")
        of_seat = prefix.startswith("seat") or prefix == "competition"
        if field.name in _SHARED or (of_seat and name in _OF_SEAT):
            continue
        if slices and slices[-1][1] == field.start:
            slices[-1] = slices[-1][0], field.stop
        else:
            slices.append((field.start, field.stop))
    return tuple(slices)


def flat_size(num_players: int) -> int:
    """How many values `View.flat` holds."""
    return sum(stop - start for start, stop in _flat_slices(num_players))


class View:
    """Observations, float32 (B, size), by the names of their fields."""

    def __init__(self, ops: Ops, observations: Array, num_players: int) -> None:
        self._x = observations
        self._known = _fields(num_players)
        self.num_players = num_players

    def __getitem__(self, name: str) -> Array:
        """(B, *shape); fields of one axis and pairs of axes alike."""
        field = self._known[name]
        part = self._x[:, field.start : field.stop]
        return part if len(field.shape) == 1 else part.reshape(-1, *field.shape)

    @property
    def rivals(self) -> tuple[str, ...]:
        """The prefixes of the rivals' blocks."""
        if self.num_players == 1:
            return ("competition",)
        return tuple(f"seat{seat}" for seat in range(1, self.num_players))

    def rivals_sum(self, name: str) -> Array:
        """A field added up over the rivals."""
        total = self[f"{self.rivals[0]}.{name}"]
        for prefix in self.rivals[1:]:
            total = total + self[f"{prefix}.{name}"]
        return total

    def flat(self) -> list[Array]:
        """All that is not read as entities."""
        return [self._x[:, start:stop] for start, stop in _flat_slices(self.num_players)]


def draft_states(ops: Ops, view: View, steps: Array) -> Array:
    """(B, 15, 4): the own donkey, the price from it, rivals' donkeys, their steps to it.

    Args:
        steps: float32 (15, 15): orthogonal steps / 4 between draft spaces.
    """
    own, rivals = view["seat0.donkey"], view.rivals_sum("donkey")
    columns = (own, ops.matmul(own, steps), rivals, ops.matmul(rivals, steps))
    return ops.concat([column[..., None] for column in columns], -1)


def board_states(ops: Ops, view: View) -> tuple[Array, Array]:
    """(B, 15, 19) of the action spaces: the row's actions, the column's bonus, own and rivals'
    craftswomen there; and (B, 15): 1 where the column is in play."""
    actions, bonus = view["row_actions"], view["bonus"]
    rows, columns = actions.shape[1], MAX_COLUMNS
    nothing = (actions[:, :, None, :1] + bonus[:, None, :, :1]) * 0  # (B, 3, 5, 1)
    counts = [view["seat0.spaces"], view.rivals_sum("spaces")]
    parts = [actions[:, :, None] + nothing, bonus[:, None] + nothing]
    parts += [count[..., None] for count in counts]
    states = ops.concat(parts, -1).reshape(-1, rows * columns, NUM_ACTIONS + bonus.shape[2] + 2)
    there = (bonus.sum(-1)[:, None, :, None] + nothing).reshape(-1, rows * columns)
    return states, there


def piece_states_size(num_players: int) -> int:
    """The last axis of `piece_states`."""
    return 14 if num_players == 1 else 12


def piece_states(ops: Ops, view: View) -> Array:
    """(B, 3, ...) of plates, jugs and pots: market, prices, demand, supply; the own ones by where
    they are, rivals' sold ones, the Competition's."""
    contents = view["seat0.contents"]
    columns = [view["market"], view["price"][:, 0], view["price"][:, 1]]
    columns += [view["demand"][:, k] for k in range(3)]
    columns += [view["supply_piece"], view["seat0.drying"]]
    columns += [contents[:, k, 1 : NUM_PIECES + 1] for k in range(3)]
    columns.append(view["seat0.sold"] + view.rivals_sum("sold"))
    parts = [column[..., None] for column in columns]
    if view.num_players == 1:
        parts.append(view["competition.pieces"])
    return ops.concat(parts, -1)


def _printed(box: Box) -> npt.NDArray[np.float32]:
    """float32 (1 + NUM_CARD_CODES, NUM_PRINTED): what is printed on each card; row 0 is none."""
    record = box.record[0]
    out = np.zeros((1 + NUM_CARD_CODES, NUM_PRINTED), np.float32)
    for code in range(NUM_CARD_CODES):
        kind = int(record["card_type"][code])
        if kind < 0:
            continue
        types = np.zeros(len(CARD_TYPES))
        types[kind] = 1.0
        icons = np.zeros((2, NUM_ACTIONS))
        for side, icon in enumerate(record["card_icon"][code].tolist()):
            if icon > 0:
                icons[side, icon - 1] = 1.0
        effects = record["card_effect"][code]
        actions = np.zeros(len(EFFECT_ACTIONS) - 1)
        for action in effects[:, EFFECT_ACTION].tolist():
            if action > 0:
                actions[action - 1] += 0.5
        paint = record["card_paint"][code].reshape(-1) / PRICE_SCALE
        out[code + 1] = np.concatenate(
            [
                types,
                record["card_cost"][code] / PRICE_SCALE,
                [record["card_vp"][code] / POINTS_SCALE],
                [record["card_done_vp"][code] / POINTS_SCALE],
                [record["card_spaces"][code] / STEPS_SCALE],
                icons.reshape(-1),
                effects[:, :EFFECT_ACTION].sum(axis=0) / PRICE_SCALE,
                actions,
                paint,
                [record["card_paint_options"][code] - 1.0],
            ]
        )
    return out


def _geometry() -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Steps / 4 between draft spaces, and how near they are to one another."""
    rows, columns = np.divmod(np.arange(DRAFT_SPACES), DRAFT_COLUMNS)
    steps = np.abs(rows[:, None] - rows) + np.abs(columns[:, None] - columns)
    near = np.where(steps > 0, 1.0 / (1.0 + steps), 0.0)
    return (steps / 4.0).astype(np.float32), near.astype(np.float32)


def box_constants(box: Box) -> dict[str, npt.NDArray[np.float32]]:
    """The arrays of the set network that are not trained."""
    steps, near = _geometry()
    return {"printed": _printed(box), "steps": steps, "nearness": near}


assert WHEEL_SPACES == 5  # of `own.wheel_next` beside `own.wheel_left`
