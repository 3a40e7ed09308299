"""Fit light's weights to another agent's choices: `python -m agents.light_fit --out FILE`.

The teacher plays games of every kind: solo at two difficulties and with 2, 3 and 4 players. Light's
weights are fitted to its choices by maximum likelihood (softmax regression, Adam, a small
ridge), in a few passes in random order; a twentieth of the decisions is kept apart and shows how
well others are foretold. Seeds start at 5,000,000, far from those that are hashed for measurements.

Needs torch: pip install 'nijar-env[train]'.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from nijar_env import GameBatch
from nijar_env.components.vocabulary import BOARD_ROWS, NUM_ACTIONS

from .base import Agent, GameView
from .greedy_weights import NUM_FEATURES, by_turns, fitted_weights
from .light_heads import MOST_ITEMS, MOST_SCORE, NUM_HEADS
from .light_weights import light_policy, write_policy
from .mind import make_mind
from .random_agent import draw_keys
from .registry import AgentSpecError, make_agent

# (players, difficulty) of the teacher's games, as many of each.
MODES: Final = ((1, "normal"), (1, "expert"), (2, None), (3, None), (4, None))
FIRST_SEED, SEEDS_OF_A_MODE = 5_000_000, 100_000
BATCH: Final = 250
# Decisions with more legal actions are left out.
MOST_LEGAL: Final = 40
HELD_OUT: Final = 20
MINIBATCH, RATE, LAST_RATE, RIDGE = 1024, 0.02, 1e-4, 1e-5


class Choices(NamedTuple):
    """Decisions of the teacher: n of them, with up to MOST_LEGAL actions each."""

    features: npt.NDArray[np.float32]  # (n, NUM_FEATURES)
    counts: npt.NDArray[np.int16]  # (n,): legal actions
    heads: npt.NDArray[np.int16]  # (n, MOST_LEGAL, MOST_ITEMS): NUM_HEADS where there is none
    times: npt.NDArray[np.float16]
    menus: npt.NDArray[np.int8]  # (n, MOST_LEGAL)
    row_actions: npt.NDArray[np.int16]  # (n, BOARD_ROWS)
    places: npt.NDArray[np.int16]  # (n,): the one that was chosen


def gather(teacher: Agent, games: int, seed: int) -> Choices:
    """Let the teacher play `games` games of each kind, and note its choices."""
    parts: list[Choices] = []
    for number, (players, difficulty) in enumerate(MODES):
        first = seed + number * SEEDS_OF_A_MODE
        for start in range(0, games, BATCH):
            size = min(BATCH, games - start)
            seeds = np.arange(first + start, first + start + size, dtype=np.uint64)
            parts.extend(_play(teacher, players, difficulty, seeds))
        print(f"{players} players, {difficulty or 'no difficulty'}: played", flush=True)
    columns: list[Any] = [np.concatenate(column) for column in zip(*parts, strict=True)]
    return Choices(*columns)


def _play(
    teacher: Agent, players: int, difficulty: str | None, seeds: npt.NDArray[np.uint64]
) -> Iterator[Choices]:
    """The choices of a batch of games, step by step."""
    options: dict[str, Any] = {} if difficulty is None else {"difficulty": difficulty}
    batch = GameBatch(len(seeds), players, seed=seeds, auto_reset=False, **options)
    mind = make_mind(by_turns(fitted_weights()), np.zeros_like(light_policy()))
    actions = np.zeros(len(batch), np.int64)
    ids = seeds.astype(np.int64)
    teacher.reset(int(seeds[0]))
    while not batch.dones.all():
        view = GameView(batch, ids)
        actions[view.rows] = teacher.act(None, batch.action_masks[view.rows], view)
        yield _note(batch, view, actions[view.rows], mind)
        batch.step(actions)


def _note(batch: GameBatch, view: GameView, chosen: npt.NDArray[np.int64], mind: Any) -> Choices:
    from .light_kernels import note_choices

    n = len(view)
    known = view.determinize(draw_keys(0, view))
    features = np.zeros((n, NUM_FEATURES))
    noted = Choices(
        np.zeros(0, np.float32),
        np.zeros(n, np.int16),
        np.full((n, MOST_LEGAL, MOST_ITEMS), NUM_HEADS, np.int16),
        np.zeros(0, np.float16),
        np.zeros((n, MOST_LEGAL), np.int8),
        np.zeros((n, BOARD_ROWS), np.int16),
        np.zeros(n, np.int16),
    )
    times = np.zeros((n, MOST_LEGAL, MOST_ITEMS), np.float32)
    note_choices(
        batch.box.record,
        mind,
        known,
        chosen,
        features,
        noted.counts,
        noted.heads,
        times,
        noted.menus,
        noted.row_actions,
        noted.places,
    )
    used = (noted.places >= 0) & (noted.counts > 1)
    whole = noted._replace(features=features.astype(np.float32), times=times.astype(np.float16))
    columns: list[Any] = [column[used] for column in whole]
    return Choices(*columns)


def fit(choices: Choices, passes: int, seed: int) -> npt.NDArray[np.float32]:
    """The weights that make the choices most likely, float32 (NUM_HEADS, NUM_FEATURES)."""
    import torch

    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(choices.counts))
    held = max(len(order) // HELD_OUT, 1)
    apart, rest = order[:held], order[held:]
    mean, spread = choices.features.mean(axis=0), choices.features.std(axis=0) + 1e-3
    mean[0], spread[0] = 0.0, 1.0  # always 1
    scaled = torch.tensor((choices.features - mean) / spread)
    weights = torch.zeros(NUM_HEADS + 1, NUM_FEATURES, requires_grad=True)
    optimizer = torch.optim.Adam([weights], lr=RATE)
    steps = max(passes * -(-len(rest) // MINIBATCH), 1)
    step = 0
    for number in range(passes):
        shuffled = rng.permutation(rest)
        for start in range(0, len(rest), MINIBATCH):
            part = shuffled[start : start + MINIBATCH]
            for group in optimizer.param_groups:
                group["lr"] = RATE * (1 - step / steps) + LAST_RATE
            scores = _scores(torch, weights, scaled, choices, part)
            wanted = torch.tensor(choices.places[part].astype(np.int64))
            loss = torch.nn.functional.cross_entropy(scores, wanted)
            optimizer.zero_grad()
            (loss + RIDGE * (weights**2).sum()).backward()
            optimizer.step()
            step += 1
        with torch.no_grad():
            scores = _scores(torch, weights, scaled, choices, apart)
            wanted = torch.tensor(choices.places[apart].astype(np.int64))
            loss = torch.nn.functional.cross_entropy(scores, wanted)
            right = (scores.argmax(1) == wanted).float().mean()
        print(f"pass {number}: {float(right):.1%} foretold, loss {float(loss):.3f}", flush=True)
    fitted = weights.detach().numpy()[:NUM_HEADS].astype(np.float64)
    out = fitted / spread
    out[:, 0] -= (fitted[:, 1:] * (mean[1:] / spread[1:])).sum(axis=1)
    return np.asarray(out, np.float32)


def _scores(
    torch: Any, weights: Any, scaled: Any, choices: Choices, part: npt.NDArray[np.int64]
) -> Any:
    """The score of each legal action, as `light_policy.score_items` gives it."""
    most = int(choices.counts[part].max())
    heads = torch.tensor(choices.heads[part][:, :most].astype(np.int64))
    times = torch.tensor(choices.times[part][:, :most].astype(np.float32))
    all_heads = scaled[torch.tensor(part)] @ weights[:NUM_HEADS].T
    padded = torch.cat([all_heads, torch.zeros(len(part), 1)], 1)
    found = padded.gather(1, heads.reshape(len(part), -1)).reshape(heads.shape)
    scores = (found * times).sum(-1)
    odds = torch.exp(padded[:, :NUM_ACTIONS].clamp(max=MOST_SCORE))
    offered = torch.tensor(choices.row_actions[part].astype(np.int64)).unsqueeze(-1)
    offered = (offered >> torch.arange(NUM_ACTIONS)) & 1
    rows = torch.log((odds.unsqueeze(1) * offered).sum(-1) + 1e-6)
    menus = torch.tensor(choices.menus[part][:, :most].astype(np.int64)).unsqueeze(-1)
    scores = scores + (((menus >> torch.arange(BOARD_ROWS)) & 1) * rows.unsqueeze(1)).sum(-1)
    counts = torch.tensor(choices.counts[part].astype(np.int64)).unsqueeze(1)
    return scores.masked_fill(torch.arange(most).unsqueeze(0) >= counts, -1e9)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m agents.light_fit", description=__doc__)
    parser.add_argument("--teacher", default="greedy", metavar="SPEC", help="default: greedy")
    parser.add_argument("--games", type=int, default=250, help="of each of five kinds")
    parser.add_argument("--passes", type=int, default=8, help="over all decisions")
    parser.add_argument("--seed", type=int, default=FIRST_SEED, help="of the first game")
    parser.add_argument("--out", type=Path, required=True, help="a new file, .npz")
    args = parser.parse_args(argv)
    if args.out.exists():
        parser.error(f"{args.out} exists already")
    if not args.out.absolute().parent.is_dir():
        parser.error(f"there is no folder {args.out.absolute().parent}")
    if args.out.suffix != ".npz":
        parser.error(f"{args.out} must end in .npz")
    if args.games < 1 or args.passes < 1:
        parser.error("--games and --passes must be at least 1")
    try:
        teacher = make_agent(args.teacher)
    except AgentSpecError as error:
        parser.error(str(error))
    if teacher.needs_observations:
        parser.error(f"{teacher.name} needs observations, which this command does not make")
    try:
        import torch

        torch.set_num_threads(1)  # a second one gains nothing here
    except ImportError:
        parser.error("needs torch: pip install 'nijar-env[train]'")
    choices = gather(teacher, args.games, args.seed)
    print(f"{len(choices.counts):,} decisions", flush=True)
    write_policy(args.out, fit(choices, args.passes, args.seed))
    return 0


if __name__ == "__main__":
    sys.exit(main())
