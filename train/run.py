"""A training run in its folder: what it is, how far it is, and how to go on with it exactly.

    runs/NAME/provenance.json         configuration, versions, box, seed, layout, machine, command
    runs/NAME/config.yaml             the configuration alone, complete
    runs/NAME/progress.csv            a line for each iteration; also as TensorBoard scalars
    runs/NAME/tensorboard/
    runs/NAME/checkpoint.safetensors  everything it takes to go on; replaced as a whole
    runs/NAME/finished.json           what came of it; written last

A program opens its run, restores `run.state` if there is one, calls `begin`, and then `log` and
`checkpoint` at the end of each iteration, when all of its state is in what it hands over. A run
that is killed at any moment goes on from its last checkpoint when it is opened again; lines logged
after that are cut off, so nothing is there twice.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import torch
from pydantic import BaseModel

from nijar_env import Box

from .config import RunSection, as_yaml
from .files import lock, write_bytes, write_text
from .run_provenance import PROVENANCE, RunError, check_same, provenance_of
from .state import (
    StateError,
    random_states,
    read_state,
    restore_random_states,
    seed_everything,
    write_state,
)

CONFIG: Final = "config.yaml"
PROGRESS: Final = "progress.csv"
CHECKPOINT: Final = "checkpoint.safetensors"
FINISHED: Final = "finished.json"
_LOCK: Final = ".lock"


class RunFinished(RunError):
    """The folder holds this run, and it is finished."""


def prepare(config: RunSection) -> torch.device:
    """Seed everything, set PyTorch's threads, and choose the device.

    Raises:
        RunError: the device is not there.
    """
    seed_everything(config.seed)
    torch.set_num_threads(config.threads)
    name = config.device
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    device = torch.device(name)
    there = {"cuda": torch.cuda.device_count(), "mps": int(torch.backends.mps.is_available())}
    if (device.index or 0) >= there.get(device.type, 1):
        raise RunError(f"device: '{name}' is not there; write 'auto' or 'cpu'")
    return device


class Run:
    """A training run in a folder.

    Args:
        folder: made if it is not there; a run of the same configuration is gone on with.
        config: the whole configuration.
        kind: of training, such as "ppo".
        box: that is played with.
        num_players: of the games; 1 is solo.
        command: as it was given.
        columns: of the log, besides `step`.
        checkpoint_minutes: how often `checkpoint` writes; 0: at every call.
        device: that trains, for the record.

    Attributes:
        state: what the last checkpoint holds, to be restored; None in a new run. `begin` restores
            the random generators.
        seconds: of the run until the last checkpoint, all its processes together.

    Raises:
        RunFinished: there is nothing left to do.
        RunError: the folder holds something else, is in use, or its checkpoint is broken.
        OSError: the folder cannot be written.
    """

    def __init__(
        self,
        folder: Path,
        config: BaseModel,
        *,
        kind: str,
        box: Box,
        num_players: int,
        command: str,
        columns: Sequence[str],
        checkpoint_minutes: float = 2.0,
        device: torch.device | str = "cpu",
    ) -> None:
        self.folder = folder
        self.state: dict[str, Any] | None = None
        self.seconds = 0.0
        self._columns = tuple(columns)
        self._interval = 60.0 * checkpoint_minutes
        self._saved_at = time.monotonic()
        self._rows: list[dict[str, float]] = []
        self._random: dict[str, Any] | None = None
        self._tensorboard: Any = None
        self.provenance = provenance_of(config, kind, box, num_players, command, device)
        self._made = not folder.exists()
        self._new = False
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = lock(folder / _LOCK)
        if self._lock is None:
            raise RunError(f"{folder} is in use by another process; wait for it, or end it")
        try:
            self._open(config)
        except BaseException:
            self.close()
            raise

    def _open(self, config: BaseModel) -> None:
        """Begin the run, or find out how far it is."""
        path = self.folder / PROVENANCE
        if path.exists():
            check_same(self.folder, self.provenance, config)
            if (self.folder / FINISHED).exists():
                raise RunFinished(
                    f"{self.folder} is finished: nothing to do; give another --out to train again"
                )
        else:
            others = sorted(
                one.name for one in self.folder.iterdir() if not one.name.startswith(".")
            )
            if others:
                raise RunError(
                    f"{self.folder} already holds {others[0]}, and no run; give another folder"
                )
            self._new = True
            write_text(path, json.dumps(self.provenance, indent=2) + "\n")
        if not (self.folder / CONFIG).exists():
            write_text(self.folder / CONFIG, as_yaml(config))
        position = step = 0
        if (self.folder / CHECKPOINT).exists():
            try:
                saved = read_state(self.folder / CHECKPOINT)
                self.state, self._random = saved["state"], saved["random"]
                self.seconds = float(saved["seconds"])
                position, step = int(saved["log"]["bytes"]), int(saved["log"]["step"])
            except StateError as error:
                raise RunError(str(error)) from None
            except KeyError as error:
                raise RunError(self.lacks(error)) from None
        self._start = time.monotonic()
        self._open_log(position, step)

    # -- the log -----------------------------------------------------------------------------------

    def _open_log(self, position: int, step: int) -> None:
        """Cut off what the checkpoint does not know of, and go on behind it."""
        path = self.folder / PROGRESS
        heading = (",".join(("step", *self._columns)) + "\n").encode()
        if position == 0 or not path.exists():
            write_bytes(path, heading)
            position = len(heading)
        try:
            known = path.read_bytes()[:position]
            if len(known) < position or not known.startswith(heading):
                raise ValueError("other lines than the checkpoint knows of")
            self._rows = _rows_of(known.decode())
        except ValueError as error:
            raise RunError(
                f"{path} is damaged ({error}); delete it to go on without its lines"
            ) from None
        self._csv = path.open("r+b")
        self._csv.truncate(position)
        self._csv.seek(position)
        self._logged = step
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError:
            print("no TensorBoard files: tensorboard is not installed", file=sys.stderr)
            return
        # Events of steps from `purge_step` on, written before the run was killed, are not shown.
        self._tensorboard = SummaryWriter(
            str(self.folder / "tensorboard"), purge_step=step + 1 if step else 0
        )

    def log(self, step: int, values: Mapping[str, float]) -> None:
        """Log an iteration.

        Args:
            step: its number of environment steps so far, rising.
            values: by column; columns without a value stay empty.

        Raises:
            KeyError: a column that was not declared.
        """
        unknown = [name for name in values if name not in self._columns]
        if unknown:
            raise KeyError(f"the log has no column {unknown[0]!r}")
        cells = [f"{float(values[n]):.9g}" if n in values else "" for n in self._columns]
        self._csv.write((",".join([str(step), *cells]) + "\n").encode())
        self._csv.flush()
        self._logged = step
        self._rows.append({"step": float(step), **{k: float(v) for k, v in values.items()}})
        if self._tensorboard is not None:
            for name, value in values.items():
                self._tensorboard.add_scalar(name, float(value), step)

    def rows(self) -> list[dict[str, float]]:
        """All lines of the log so far, those of earlier processes too, without empty cells."""
        return list(self._rows)

    # -- checkpoints -------------------------------------------------------------------------------

    def elapsed(self) -> float:
        """Seconds of the run until now, without what was lost when it was killed."""
        return self.seconds + time.monotonic() - self._start

    def checkpoint(self, gather: Callable[[], Mapping[str, Any]], *, now: bool = False) -> bool:
        """Write a checkpoint if one is due; the old one stays until it is complete.

        Args:
            gather: called if so; returns all that `state` is to hold, a tree as
                `train.state.write_state` takes it. The generators of Python, NumPy and PyTorch
                are added.
            now: in any case.

        Returns:
            whether one was written.
        """
        if not now and time.monotonic() - self._saved_at < self._interval:
            return False
        if self._tensorboard is not None:
            self._tensorboard.flush()
        os.fsync(self._csv.fileno())  # no checkpoint may know of lines that a power cut takes
        write_state(
            self.folder / CHECKPOINT,
            {
                "state": gather(),
                "random": random_states(),
                "seconds": self.elapsed(),
                "log": {"bytes": self._csv.tell(), "step": self._logged},
            },
        )
        self._saved_at = time.monotonic()
        return True

    def begin(self) -> None:
        """Set the generators of Python, NumPy and PyTorch as they were at the checkpoint, if there
        is one, and start the clock of `elapsed`.

        Call it last before going on: making a network draws from the generators.
        """
        self._start = self._saved_at = time.monotonic()
        if self._random is not None:
            restore_random_states(self._random)

    # -- the end -----------------------------------------------------------------------------------

    def finish(self, summary: Mapping[str, Any]) -> None:
        """Note that nothing is left to do, and what came of it."""
        write_text(self.folder / FINISHED, json.dumps(dict(summary), indent=2) + "\n")

    def lacks(self, error: KeyError) -> str:
        """What to say of a checkpoint without an entry that is looked for."""
        return (
            f"{self.folder / CHECKPOINT} is of another version, without {error}; delete the run's "
            "folder to begin again, or give another one"
        )

    def undo(self) -> None:
        """Leave the folder as it was before, if this process has begun the run; and `close`.

        For what is found wrong before anything was trained: it would stand in the way of the same
        run with the fault corrected.
        """
        self._close_files()
        if self._new:
            for path in self.folder.iterdir():
                if path.name.startswith("."):  # the lock, or somebody else's
                    continue
                if path.is_dir():
                    shutil.rmtree(path)
                else:
                    path.unlink()
        self.close()
        if self._new and self._made:
            shutil.rmtree(self.folder)

    def close(self) -> None:
        """Close the files and free the folder."""
        try:
            self._close_files()
        finally:
            if self._lock is not None:
                self._lock.close()
                self._lock = None

    def _close_files(self) -> None:
        with contextlib.ExitStack() as stack:  # each is closed, whatever the other says
            if hasattr(self, "_csv"):
                stack.callback(self._csv.close)
            if self._tensorboard is not None:
                stack.callback(self._tensorboard.close)
                self._tensorboard = None

    def __enter__(self) -> Run:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def read_progress(path: Path) -> list[dict[str, float]]:
    """The lines of a log, each without its empty cells."""
    return _rows_of(path.read_text(encoding="utf-8"))


def _rows_of(text: str) -> list[dict[str, float]]:
    heading, *lines = text.splitlines()
    names = heading.split(",")
    return [
        {name: float(cell) for name, cell in zip(names, line.split(","), strict=True) if cell}
        for line in lines
    ]
