"""Makes a data set of games (`train.data`) played by a teacher, in several processes.

    python -m train.generate --teacher mcts:iterations=400 --games 3000 --workers 16 --out solo.npz

Chunks of games are kept in FILE.parts as they are finished; the same command goes on from there
after a stop. The result does not depend on the number of workers. With --mix, another player takes
some of the decisions, so that the games reach positions which the teacher would avoid; what is
noted there is still what the teacher would have played.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import json
import multiprocessing
import os
import platform
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numba
import numpy as np

import nijar_env
from eval.command import FAILED, INTERRUPTED, Parser, ended_by_sigterm, one_line
from eval.worker import end_with_parent
from nijar_env import Box, BoxError, load_box
from nijar_env.components.vocabulary import DIFFICULTIES

from .chunks import Chunk, Mixture, cut_chunks, make_players, play_chunk
from .data import (
    FIRST_SEED,
    FORMAT,
    DataError,
    GameData,
    join_games,
    load_games,
)
from .files import write_text

CHUNK: Final = 64
_WARM_STEPS: Final = 40


@dataclass(frozen=True)
class Order:
    """A data set to be played.

    Attributes:
        teacher: by specification.
        games, players: how many; 1 player is solo.
        seed: of the first game; the others follow.
        difficulty: in solo; "mixed": in turn, chunk by chunk.
        mix: another player, who takes some decisions; None: the teacher takes all.
        share: of the decisions that the other player takes.
        chunk: games played together; None: as many as suit the teacher.
        components: a box folder; None for the default box.
    """

    teacher: str
    games: int
    players: int = 1
    seed: int = FIRST_SEED
    difficulty: str = "mixed"
    mix: str | None = None
    share: float = 0.1
    chunk: int | None = None
    components: Path | None = None


_Task = tuple[Chunk, dict[str, Any], Path, Path | None]


@functools.lru_cache(maxsize=1)
def _at_table(
    teacher: str, mix: str | None, share: float, components: Path | None
) -> tuple[Mixture, Box]:
    """The players and the box of a process, which plays one data set after the other."""
    return make_players(teacher, mix, share), load_box(components)


def _work(task: _Task) -> tuple[int, int, float]:
    """Play a chunk in a worker and keep it; its number, its games and the mean margin."""
    chunk, header, folder, components = task
    who, box = _at_table(header["teacher"], header["mix"], header["share"], components)
    data = play_chunk(chunk, header["players"], who, header, box)
    data.save(folder / f"{chunk.number:06}.npz")
    return chunk.number, chunk.games, float(data.margins()[:, 0].mean())


def _header(order: Order, size: int, box: Box) -> dict[str, Any]:
    command = (
        f"python -m train.generate --teacher {order.teacher} --players {order.players} "
        f"--games {order.games} --seed {order.seed} --difficulty {order.difficulty} --chunk {size}"
    )
    if order.mix:
        command += f" --mix {order.mix} --share {order.share:g}"
    if order.components is not None:
        command += f" --components {order.components.as_posix()}"
    return {
        "format": FORMAT,
        "players": order.players,
        "teacher": order.teacher,
        "mix": order.mix,
        "share": order.share if order.mix else 0.0,
        "games": order.games,
        "seed": order.seed,
        "difficulty": order.difficulty if order.players == 1 else DIFFICULTIES[0],
        "chunk": size,
        "box": box.name,
        "fingerprint": box.fingerprint,
        "package": nijar_env.__version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "command": command,
    }


def play_games(
    order: Order, out: Path, workers: int, tell: Callable[[str], None] = print
) -> GameData:
    """Play a data set and write it; what an earlier call left unfinished is gone on with.

    Args:
        order: the games.
        out: the file; chunks are kept in FILE.parts until it is written.
        workers: processes.
        tell: takes a line about every ten seconds.

    Raises:
        AgentSpecError: players that are not known.
        BoxError: no such box.
        DataError: FILE.parts holds chunks of another order or version, or a damaged one; or a
            worker died.
        ValueError: players that do not play such games.
    """
    who, box = make_players(order.teacher, order.mix, order.share), load_box(order.components)
    usual: int = getattr(who.teacher, "games_at_once", CHUNK)
    size = order.chunk or usual
    header = _header(order, size, box)
    folder = out.with_name(f"{out.name}.parts")
    folder.mkdir(exist_ok=True)
    known = folder / "header.json"
    text = json.dumps(header, indent=1)
    chunks = cut_chunks(order.games, order.seed, size, header["difficulty"])
    present = known.read_text("utf-8") if known.exists() else ""
    if present != text and any(folder.glob("*.npz")):
        raise DataError(
            f"{folder} holds chunks of another command or version; remove it to begin anew"
        )
    write_text(known, text)
    missing = [c for c in chunks if not (folder / f"{c.number:06}.npz").exists()]
    if missing:
        # Compile before there are several processes that would each do it.
        play_chunk(missing[0]._replace(games=1), order.players, who, header, box, _WARM_STEPS)
        _play_chunks([(c, header, folder, order.components) for c in missing], workers, tell)
    try:
        parts = [load_games(folder / f"{chunk.number:06}.npz") for chunk in chunks]
    except DataError as error:
        raise DataError(f"{error}; delete it, and its games are played again") from None
    data = join_games(parts, header)
    data.save(out)
    shutil.rmtree(folder)
    return data


def _play_chunks(tasks: list[_Task], workers: int, tell: Callable[[str], None]) -> None:
    total = sum(chunk.games for chunk, *_ in tasks)
    start = last = time.perf_counter()
    done, sums = 0, 0.0
    with contextlib.closing(_finished(tasks, workers)) as finished:
        for _, count, margin in finished:
            done, sums = done + count, sums + margin * count
            now = time.perf_counter()
            if now - last > 10 or done == total:
                last = now
                rate = done / (now - start)
                tell(
                    f"{done:,} of {total:,} games, {rate:.2f} a second, "
                    f"{(total - done) / rate:.0f} s to go; "
                    f"seat 0's margin {50 * sums / done:+.1f} VP"
                )


def _begin_worker() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's, who ends them
    threading.Thread(target=end_with_parent, daemon=True).start()


def _finished(tasks: list[_Task], workers: int) -> Generator[tuple[int, int, float], None, None]:
    if workers == 1:
        yield from map(_work, tasks)
        return
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    context = multiprocessing.get_context("spawn")
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(min(workers, len(tasks)), context, _begin_worker)
    try:
        for one in as_completed([pool.submit(_work, task) for task in tasks]):
            yield one.result()
    except BaseException as error:
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        if isinstance(error, BrokenProcessPool):
            raise DataError(
                "a worker process died; the same command goes on, with fewer --workers if memory "
                "was short"
            ) from None
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="python -m train.generate", description=__doc__)
    parser.add_argument("--teacher", required=True, metavar="SPEC", help="such as expert")
    parser.add_argument("--players", type=int, default=1, help="1 (solo, the default) to 4")
    parser.add_argument("--games", type=int, required=True)
    parser.add_argument("--seed", type=int, default=FIRST_SEED, help=f"default: {FIRST_SEED}")
    parser.add_argument("--workers", type=int, default=1, help="processes (default: 1)")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE.npz")
    parser.add_argument(
        *("--difficulty",),
        choices=("mixed", *DIFFICULTIES),
        default="mixed",
        help="in solo; default: mixed, chunk by chunk",
    )
    parser.add_argument("--mix", metavar="SPEC", help="a player that takes some decisions")
    parser.add_argument("--share", type=float, default=0.1, help="how many (default: 0.1)")
    parser.add_argument("--chunk", type=int, help="games played together")
    parser.add_argument("--components", type=Path, metavar="DIR", help="a box folder")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = _parser()
    args = parser.parse_args(argv)
    if args.out.exists():
        parser.error(f"{args.out} exists already")
    if args.out.suffix != ".npz" or not args.out.absolute().parent.is_dir():
        parser.error(f"{args.out} must end in .npz, in a folder that exists")
    if not 1 <= args.players <= 4:
        parser.error(f"--players must be 1 to 4, not {args.players}")
    if args.games < 1 or args.workers < 1 or (args.chunk is not None and args.chunk < 1):
        parser.error("--games, --workers and --chunk must be at least 1")
    if not 0 <= args.seed < 1 << 39 or not 0 <= args.share <= 1:
        parser.error("--seed must be 0 to 2**39, --share 0 to 1")
    if args.players > 1 and args.difficulty != "mixed":
        parser.error("--difficulty belongs to solo games")
    order = Order(
        teacher=args.teacher,
        games=args.games,
        players=args.players,
        seed=args.seed,
        difficulty=args.difficulty,
        mix=args.mix,
        share=args.share,
        chunk=args.chunk,
        components=args.components,
    )
    try:
        with ended_by_sigterm():
            data = play_games(order, args.out, args.workers, functools.partial(print, flush=True))
    except KeyboardInterrupt:
        print("interrupted; the same command goes on", file=sys.stderr)
        return INTERRUPTED
    except BoxError as error:
        parser.error(str(error).splitlines()[0])
    except ValueError as error:  # of players, of chunks
        parser.error(one_line(error))
    except OSError as error:
        print(f"error: {one_line(error)}; the same command goes on", file=sys.stderr)
        return FAILED
    print(f"{data.num_games:,} games, {data.num_decisions:,} decisions: {args.out}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
