"""Commands in processes of their own that Ctrl-C ends."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Final

# Seconds. A command that hangs fails, a slow one does not: it may compile all kernels first.
PATIENCE: Final = 1800


def ended_by_ctrl_c(process: subprocess.Popen[str], file: Path, lines: int) -> str:
    """Interrupt a command once a file of its has so many lines; returns what it has printed.

    It is the leader of its own group, all of which is interrupted as by a terminal. If it has
    ended by itself before that, so it has.
    """
    until = time.monotonic() + PATIENCE
    while process.poll() is None:
        if file.exists() and file.read_bytes().count(b"\n") >= lines:
            os.killpg(process.pid, signal.SIGINT)  # it is there until it is waited for
            break
        assert time.monotonic() < until, "nothing is written"
        time.sleep(0.02)
    out, _ = process.communicate(timeout=PATIENCE)
    return out
