"""Whether a GPU plays the very games the CPU plays: everything, byte for byte, after every step.

    python -m nijar_env.cuda.compare [--games 64] [--steps 480]

Both play by the core's random legal actions, one to four players and every difficulty; finished
games are dealt anew. Exit status 1 at the first difference. `NUMBA_ENABLE_CUDASIM=1` compares the
simulator, which takes a second for some hundred decisions.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..batch import GameBatch
from ..components.vocabulary import DIFFICULTIES
from ..core.record import GAME_DTYPE
from .batch import CudaBatch
from .build import SIMULATED

KEY = 20_260_101
# A launch of `random_steps` takes this many decisions.
LAUNCH = 8
OBSERVE_EVERY = 25
BUFFERS = (
    "action_masks",
    "current_players",
    "rewards",
    "dones",
    "final_scores",
    "final_winners",
    "final_lengths",
    "episodes",
)


def kinds() -> Iterator[dict[str, Any]]:
    """Every kind of game, as options of a batch."""
    for difficulty in DIFFICULTIES:
        yield {"num_players": 1, "difficulty": difficulty}
    for num_players in (2, 3, 4):
        yield {"num_players": num_players}


def different_record(cpu: GameBatch, gpu: CudaBatch) -> str | None:
    """The first game and field in which the records differ, or None."""
    here, there = cpu.games, gpu.records()
    if here.tobytes() == there.tobytes():
        return None
    for i in range(len(here)):
        for name in GAME_DTYPE.names or ():
            if here[i][name].tobytes() != there[i][name].tobytes():
                return f"game {i}, {name}: {here[i][name]} on the CPU, {there[i][name]} on the GPU"
    raise AssertionError("records differ and no field does")


def different_buffer(cpu: GameBatch, gpu: CudaBatch, names: tuple[str, ...]) -> str | None:
    """The first of these arrays that differs, or None."""
    for name in names:
        here, there = getattr(cpu, name), getattr(gpu, name).copy_to_host()
        if here.dtype != there.dtype or here.tobytes() != there.tobytes():
            return f"{name}: {here} on the CPU, {there} on the GPU"
    return None


def play_both(num_games: int, steps: int, seed: int, **options: Any) -> tuple[str | None, int]:
    """Play the same games on both: where they first differ, in words, or None; and how many games
    came to their end.

    `steps` decisions a game by `step`, with everything compared after each, observations now and
    then; a quarter of that by `random_steps`, with the records compared after each launch; then a
    `reset` with seeds of its own.
    """
    from ..core.kernels import random_actions, random_steps

    cpu = GameBatch(num_games, seed=seed, **options)
    gpu = CudaBatch(num_games, seed=seed, **options)
    key = np.uint64(KEY)
    actions = np.zeros(num_games, np.int64)

    def compare(when: str, names: tuple[str, ...] = BUFFERS) -> str | None:
        found = different_record(cpu, gpu) or different_buffer(cpu, gpu, names)
        return found and f"{when}: {found}"

    def ended() -> int:
        return int(cpu.episodes.sum())

    if found := compare("as dealt"):
        return found, 0
    for k in range(steps):
        random_actions(cpu.games, key, k, 0, num_games, actions)
        picked = gpu.random_actions(KEY, k)
        if actions.tobytes() != picked.copy_to_host().tobytes():
            return f"step {k}: other random actions", ended()
        cpu.step(actions)
        gpu.step(picked)
        if found := compare(f"step {k}"):
            return found, ended()
        if k % OBSERVE_EVERY == 0:
            here, there = cpu.observe(), gpu.observe().copy_to_host()
            if here.tobytes() != there.tobytes():
                row, column = np.argwhere(here != there)[0]
                values = f"{here[row, column]} on the CPU, {there[row, column]} on the GPU"
                where = f"step {k}: observation of game {row}, place {column}"
                return f"{where}: {values}", ended()
    for start in range(steps, steps + steps // 4, LAUNCH):
        for k in range(start, start + LAUNCH):
            random_steps(
                cpu.box.record,
                cpu.games,
                cpu._raw,
                cpu.seeds,
                cpu.episodes,
                key,
                k,
                0,
                num_games,
            )
        gpu.random_steps(KEY, start, LAUNCH)
        if found := compare(f"random steps to {start + LAUNCH}", ("episodes",)):
            return found, ended()
    number = ended()
    seeds = np.arange(num_games) + 1
    cpu.reset(seeds)
    gpu.reset(seeds)
    return compare("dealt again"), number


def main(arguments: list[str] | None = None, who: str = "the GPU") -> int:
    """The command line; the exit status. `who` is compared with the CPU."""
    parser = argparse.ArgumentParser(description="Compare the games of the GPU with the CPU's.")
    parser.add_argument("--games", type=int, default=2 if SIMULATED else 64)
    parser.add_argument("--steps", type=int, default=480)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    who = "the simulator" if SIMULATED else who
    for options in kinds():
        name = f"{options['num_players']} players"
        if options["num_players"] == 1:
            name = f"solo, {options['difficulty']}"
        try:
            found, ended = play_both(given.games, given.steps, given.seed, **options)
        except (ImportError, ValueError) as error:
            print(error, file=sys.stderr)
            return 2
        if found:
            print(f"{name}: {who} differs from the CPU: {found}")
            return 1
        print(
            f"{name}: {given.games} games of {given.steps + given.steps // 4} decisions, {ended} "
            f"ends: {who} plays the same bytes"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
