"""The set network: cards, spaces and pieces as entities, and actions scored by what they refer to.

Every card in sight becomes a vector: of its identity and of the values printed on it, by its role
(in the draft area, on a wheel space, in a row of kilns, ...), plus its state there. Entities of a
group count alike wherever they lie. A trunk sees what is not about single cards, the sums over
each group, and what its attention picks out of all of them. The score of `take:R,C` is the product
of a query, made by the trunk, and the entity on that space; so for `play:CARD`, `place:R,C`,
`throw:K`, `clean:K`, `paint:P@K` and so on. Actions that refer to nothing single (`done`,
`action:fire`) have plain outputs of the trunk.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final, NamedTuple

from nijar_env.components.vocabulary import (
    DRAFT_COLUMNS,
    DRAFT_ROWS,
    DRAFT_SPACES,
    ESPARTO_SPACES,
    MAX_ROW,
    NUM_CARDS,
    NUM_PIECES,
)
from nijar_env.core.catalogue import BLOCKS
from nijar_env.core.layout import (
    CARD_SCALE,
    COPIES_SCALE,
    FRAME_PAIR_SCALE,
    FRAME_SCALE,
    SLOT_SCALE,
)

from .forward import Architecture, Array, Ops, Options
from .set_fields import View, board_states, box_constants, draft_states, piece_states
from .set_shapes import (
    CODES,
    FRAME_ROW,
    NUM_QUERIES,
    PIECE_ROW,
    PLAIN_SIZES,
    QUERIES,
    ROLE_ROWS,
    ROLES,
    SLOT_FRAME,
    SPACE_ROW,
    STATES,
    SUMS,
    check,
    shapes,
)


class Group(NamedTuple):
    """Entities of one kind: their rows in the table, what their states add, which are there."""

    rows: Array  # int64 (B, n)
    states: Array | None  # (B, n, dim)
    there: Array  # float32 (B, n)


def _role(name: str, code: Array) -> Array:
    return code + ROLES.index(name) * CODES


def _pieces(ops: Ops, piece: Array) -> Array:
    """(B, n) piece + 1, 0 for none: one-hot (B, n, 3)."""
    return ops.concat([ops.number(piece == k + 1)[..., None] for k in range(NUM_PIECES)], -1)


class _Pass:
    """One forward pass."""

    def __init__(
        self, ops: Ops, w: Mapping[str, Array], observations: Array, players: int, options: Options
    ) -> None:
        self.ops, self.w, self.options = ops, w, options
        self.players = players
        self.x = observations
        self.view = View(ops, observations, players)
        self.groups: dict[str, Group] = {}
        self.entities: dict[str, Array] = {}  # (B, n, dim)

    def run(self) -> tuple[Array, Array]:
        """Logits and values."""
        self._gather()
        self._encode()
        trunk = self._trunk()
        hidden = self.ops.relu(self._layer("value0", trunk))
        return self._logits(trunk), self._layer("value1", hidden)[:, 0]

    def _layer(self, name: str, x: Array) -> Array:
        return self.ops.linear(x, self.w[f"{name}_weight"], self.w[f"{name}_bias"])

    # -- entities ----------------------------------------------------------------------------------

    def _gather(self) -> None:
        """All groups: rows of the table and states."""
        ops, view, w = self.ops, self.view, self.w
        code = ops.index(view["draft"].reshape(-1, DRAFT_SPACES) * CARD_SCALE)
        states = ops.linear(draft_states(ops, view, w["steps"]), w["draft_state"])
        self.groups["draft"] = Group(_role("draft", code), states, ops.number(code > 0))
        board, there = board_states(ops, view)
        rows = ops.index(there) * 0 + SPACE_ROW
        self.groups["space"] = Group(rows, ops.linear(board, w["space_state"]), there)
        state = piece_states(ops, view)
        rows = ops.index(state[..., 0]) * 0 + PIECE_ROW
        rows = ops.concat([rows[:, k : k + 1] + k for k in range(NUM_PIECES)], 1)
        there = state[..., 0] * 0 + 1
        self.groups["piece"] = Group(rows, ops.linear(state, w["piece_state"]), there)
        self._gather_frames()
        for seat in range(self.players):
            self._gather_seat(seat)

    def _gather_frames(self) -> None:
        ops, view = self.ops, self.view
        who = ops.index(view["pending.who"] * FRAME_PAIR_SCALE)
        n = self._used(who)
        who = who[:, :n]
        # Argument a may be a set, a large number: what is above the scale counts as the scale.
        a = 1 - ops.relu(1 - view["pending.a"][:, :n])
        rest = [view[name][:, :n] for name in ("pending.b", "pending.cd")]
        own = ops.number((who % 4) == 0)
        columns = ops.concat([column[..., None] for column in (a, *rest, own)], -1)
        states = ops.linear(columns, self.w["frame_state"]) + self.w["frame_place"][:n]
        self.groups["frame"] = Group(FRAME_ROW + who // 4, states, ops.number(who > 0))

    def _used(self, codes: Array) -> int:
        """How many places of rows that are filled from the left are used in this batch."""
        if not self.ops.trim:
            return int(codes.shape[1])
        return max(int((codes > 0).sum(1).max()), 1)

    def _gather_seat(self, seat: int) -> None:
        """The cards on a player's own board."""
        ops, view = self.ops, self.view
        wheel = ops.index(view[f"seat{seat}.wheel"] * CARD_SCALE)
        state = [view[f"seat{seat}.{name}"][..., None] for name in ("vase", "wheel_done")]
        if seat == 0:
            state += [view[f"own.{name}"][..., None] for name in ("wheel_left", "wheel_done_vp")]
            state.append(view["own.wheel_next"])
        self._add_cards("wheel", seat, wheel, state, ops.number(wheel >= 0))
        esparto = ops.index(view[f"seat{seat}.esparto"] * CARD_SCALE)
        state = []
        mask = view["pending.mask"]
        if seat == 0:
            rewards = view["own.esparto_rewards"]
            state = [rewards.reshape(rewards.shape[0], ESPARTO_SPACES, -1)]
            state.append(mask[:, :ESPARTO_SPACES, None])
        self._add_cards("esparto", seat, esparto, state, ops.number(esparto >= 0))
        code = ops.index(view[f"seat{seat}.cleanup"] * CARD_SCALE)
        n = self._used(code)
        state = [view[f"seat{seat}.cleanup_cracks"][:, :n, None]]
        if seat == 0:
            state += [view["own.cleanup"][:, :n], mask[:, :n, None]]
        self._add_cards("cleanup", seat, code[:, :n], state)
        code = ops.index(view[f"seat{seat}.workshop"] * CARD_SCALE)
        n = self._used(code)
        state = [_pieces(ops, ops.index(view[f"seat{seat}.workshop_piece"] * 4)[:, :n])]
        if seat == 0:
            state += [view["own.workshop_price"][:, :n], mask[:, :n, None]]
        self._add_cards("workshop", seat, code[:, :n], state)
        for name in ("firing_kiln", "glaze_kiln"):
            both = ops.index(view[f"seat{seat}.{name}"] * SLOT_SCALE)
            n = self._used(both)
            state = [_pieces(ops, both[:, :n] % 4)]
            self._add_cards(name, seat, both[:, :n] // 4, state)

    def _add_cards(
        self, name: str, seat: int, code: Array, state: list[Array], there: Array | None = None
    ) -> None:
        ops = self.ops
        states = None
        if state:
            columns = ops.concat(state, -1) if len(state) > 1 else state[0]
            states = ops.linear(columns, self.w[f"{name}_state"][:, : columns.shape[-1]])
        for more in (f"{name}_place", "rival_bias"):
            if more in self.w and (seat or more != "rival_bias"):
                states = self.w[more] if states is None else states + self.w[more]
        if there is None:
            there = ops.number(code > 0)
        key = name if seat == 0 else f"{seat} {name}"
        self.groups[key] = Group(_role(name, code), states, there)

    def _encode(self) -> None:
        """Vectors of all entities: two layers, the second shared by all groups."""
        ops, w = self.ops, self.w
        fixed = w if "table" in w else _fixed(ops, w, self.options)
        self.hand, self.away = fixed["hand"], fixed["away"]
        names = list(self.groups)
        rows = ops.concat([self.groups[name].rows for name in names], 1)
        found = ops.take(fixed["table"], rows)
        sizes = [int(self.groups[name].rows.shape[1]) for name in names]
        parts = []
        for name, part in zip(names, ops.split(found, sizes, 1), strict=True):
            states = self.groups[name].states
            parts.append(part if states is None else part + states)
        first = ops.relu(ops.concat(parts, 1))
        self.there = ops.concat([self.groups[name].there for name in names], 1)
        # What is not there is zero, wherever it is used.
        self.all = ops.relu(self._layer("second", first)) * self.there[..., None]
        for name, part in zip(names, ops.split(self.all, sizes, 1), strict=True):
            self.entities[name] = part

    # -- the trunk ---------------------------------------------------------------------------------

    def _sums(self) -> list[Array]:
        """What each group adds up to, (B, dim) each."""
        ops, view = self.ops, self.view
        dim = self.options["dim"]
        self.draft_rows = self.entities["draft"].reshape(-1, DRAFT_ROWS, DRAFT_COLUMNS, dim).sum(2)
        sums = [self.draft_rows.reshape(-1, DRAFT_ROWS * dim)]
        sums += [self.entities[name].sum(1) for name in SUMS[DRAFT_ROWS:12]]
        hand, away = self.hand, self.away
        sums.append(ops.matmul(view["own.hand"] * COPIES_SCALE, hand))
        sums.append(ops.matmul(view["deck_seen"], away))
        sums.append(ops.matmul(view["discards"], away))
        # The card that waits for its space.
        slot = view["pending.kind"][:, SLOT_FRAME : SLOT_FRAME + 1]
        code = ops.index(view["pending.a"][:, :1] * FRAME_SCALE * slot) % NUM_CARDS
        sums.append(ops.take(hand, code[:, 0]) * slot)
        for seat in range(1, self.players):
            own = [self.entities[f"{seat} {name}"].sum(1) for name in STATES]
            total = own[0]
            for more in own[1:]:
                total = total + more
            sums.append(total)
            sums.append(ops.matmul(view[f"seat{seat}.hand_public"] * COPIES_SCALE, hand))
        return [one * 0.25 for one in sums]

    def _trunk(self) -> Array:
        ops, w = self.ops, self.w
        dim, heads = self.options["dim"], self.options["heads"]
        x = ops.concat([*self.view.flat(), *self._sums()], -1)
        x = self._layer("trunk0", x)
        x = ops.relu(ops.layer_norm(x, w["norm0_weight"], w["norm0_bias"]))
        look = self._layer("look", x).reshape(-1, heads, dim)
        scores = ops.matmul(look, self.all.swapaxes(1, 2)) * (1 / math.sqrt(dim))
        odds = ops.softmax(scores + (self.there[:, None, :] - 1) * 1e9)
        seen = ops.matmul(odds, self.all).reshape(-1, heads * dim)
        y = self._layer("trunk1", ops.concat([x, seen], -1))
        return x + ops.relu(ops.layer_norm(y, w["norm1_weight"], w["norm1_bias"]))

    # -- actions -----------------------------------------------------------------------------------

    def _logits(self, trunk: Array) -> Array:
        ops, dim = self.ops, self.options["dim"]
        queries = self._layer("queries", trunk) * (1 / math.sqrt(dim))
        sizes = [len(names) for names in QUERIES.values()]
        parts = ops.split(queries.reshape(-1, NUM_QUERIES, dim), sizes, 1)
        of_group = dict(zip(QUERIES, parts, strict=True))
        near = ops.matmul(self.w["nearness"], self.entities["draft"])
        entities = {
            **{name: self.entities[name] for name in QUERIES if name in self.entities},
            "draft near": ops.relu(self._layer("near", near)),
            "draft row": self.draft_rows,
        }
        # (B, queries, entities) by group.
        score = {name: ops.matmul(of_group[name], e.swapaxes(1, 2)) for name, e in entities.items()}
        wheel, esparto = score["wheel"], score["esparto"]
        slots = [wheel[:, 1, :ESPARTO_SPACES] + esparto[:, 2], wheel[:, 1, ESPARTO_SPACES:]]
        workshop = self._whole_rows(score["workshop"])
        cleanup = self._whole_rows(score["cleanup"])
        referring = {
            "donkey": score["draft"][:, 1] + score["draft near"][:, 0],
            "place": score["space"][:, 0],
            "sell": score["piece"][:, :2].reshape(-1, 2 * NUM_PIECES),
            "refresh": score["draft row"][:, 0],
            "take": score["draft"][:, 0],
            "play": ops.matmul(of_group["hand"][:, 0], self.hand.swapaxes(0, 1)),
            "slot": ops.concat(slots, 1),
            "throw": wheel[:, 0],
            "shape": score["piece"][:, 3],
            "fire": score["piece"][:, 2],
            "glaze": workshop[:, 0],
            "paint": workshop[:, 1:].reshape(-1, NUM_PIECES * MAX_ROW),
            "clean": cleanup[:, 0],
            "reward": cleanup[:, 1],
            "esparto": esparto[:, :2].swapaxes(1, 2).reshape(-1, 2 * ESPARTO_SPACES),
        }
        plain = ops.split(self._layer("policy", trunk), list(PLAIN_SIZES.values()), 1)
        others = dict(zip(PLAIN_SIZES, plain, strict=True))
        parts = [
            part[block] for block, _ in BLOCKS for part in (referring, others) if block in part
        ]
        return ops.concat(parts, 1)

    def _whole_rows(self, scores: Array) -> Array:
        """(B, k, n) to (B, k, MAX_ROW), with zeros for the places that were left out."""
        missing = MAX_ROW - scores.shape[2]
        if missing:
            nothing = scores[:, :, :1] * 0
            scores = self.ops.concat([scores] + [nothing] * missing, 2)
        return scores


def _fixed(ops: Ops, w: Mapping[str, Array], options: Options) -> dict[str, Array]:
    """The table of entities before their states are added, by role and card code; and the vectors
    of game cards that are counted, not laid out, (NUM_CARDS, dim): the same two layers."""
    dim = options["dim"]
    base = ops.relu(ops.linear(w["printed"], w["printed_weight"]) + w["identity"])
    roles = ops.linear(base, w["roles_weight"], w["roles_bias"])
    roles = roles.reshape(CODES, len(ROLES), dim).swapaxes(0, 1).reshape(ROLE_ROWS, dim)
    fixed = {"table": ops.concat([roles, w["others"]], 0)}
    for role in ("hand", "away"):
        start = ROLES.index(role) * CODES + 1
        cards = ops.relu(roles[start : start + NUM_CARDS])
        fixed[role] = ops.relu(ops.linear(cards, w["second_weight"], w["second_bias"]))
    return fixed


def _forward(
    ops: Ops, w: Mapping[str, Array], observations: Array, num_players: int, options: Options
) -> tuple[Array, Array]:
    return _Pass(ops, w, observations, num_players, options).run()


SET: Final = Architecture(
    defaults={"dim": 32, "trunk": 256, "heads": 4},
    check=check,
    shapes=shapes,
    forward=_forward,
    constants=box_constants,
    constant_names=("printed", "steps", "nearness"),
    fixed=_fixed,
)
