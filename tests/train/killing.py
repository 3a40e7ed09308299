"""Training in a process of its own that is killed in the middle of it."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
# Seconds. A run that hangs fails, a slow one does not: it may compile all kernels beside others.
PATIENCE: Final = 1800

# Trains, but for the very end: there it waits for its death, if that has not come before.
ENDLESS: Final = """
import importlib, sys, time
from train.run import Run

def wait(self, summary):
    while True:
        time.sleep(60)

Run.finish = wait
sys.exit(importlib.import_module(sys.argv[1]).main(sys.argv[2:]))
"""


def kill_when_logged(program: str, config: Path, out: Path, lines: int) -> None:
    """Train, and kill the process wherever it is once its log has so many lines, heading included.

    However late this process comes to it, the run is not finished by then.
    """
    command = [sys.executable, "-c", ENDLESS, program, "--config", str(config), "--out", str(out)]
    process = subprocess.Popen(command, cwd=ROOT)
    log = out / "progress.csv"
    until = time.monotonic() + PATIENCE
    try:
        while not (log.exists() and log.read_bytes().count(b"\n") >= lines):
            assert process.poll() is None, f"the run ended by itself: {process.returncode}"
            assert time.monotonic() < until, "nothing is logged"
            time.sleep(0.002)
        assert process.poll() is None
    finally:
        process.kill()
        process.wait()
