"""Virtual environments of the peers, one each, since their versions clash."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from platformdirs import user_cache_path

from .plan import OURS, Peer

_STAMP = "installed.txt"  # written last: the hash of the requirements that are in it


def default_folder() -> Path:
    """The user's cache folder."""
    return user_cache_path("nijar_env") / "peers"


def python_of(folder: Path, name: str) -> Path:
    """The interpreter of a peer's environment; ours for `OURS`."""
    if name == OURS:
        return Path(sys.executable)
    return folder / name / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _stamp(peer: Peer) -> str:
    return hashlib.sha256(peer.requirements.read_bytes()).hexdigest()[:16]


def missing(folder: Path, peer: Peer) -> str:
    """Why a peer's environment cannot be used, or ""."""
    if not python_of(folder, peer.name).is_file():
        return "not installed (--install)"
    try:
        stamp = (folder / peer.name / _STAMP).read_text(encoding="utf-8").strip()
    except OSError:
        return "its installation did not end (--install)"
    return "" if stamp == _stamp(peer) else "other versions are installed (--install)"


def install(folder: Path, peer: Peer) -> str:
    """Make a peer's environment with the pinned versions; returns why that failed, or ""."""
    home = folder / peer.name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(home, ignore_errors=True)
        python = str(python_of(folder, peer.name))
        for command in (
            [sys.executable, "-m", "venv", str(home)],
            [python, "-m", "pip", "install", "--quiet", "-r", str(peer.requirements)],
        ):
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
            if done.returncode:
                return f"could not be installed: {_last_line(done.stderr or done.stdout)}"
        (home / _STAMP).write_text(_stamp(peer) + "\n", encoding="utf-8")
    except OSError as error:
        return f"could not be installed: {error}"
    return ""


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith("error")]
    return (errors or lines or ["no reason given"])[-1][:200]
