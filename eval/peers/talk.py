"""A script of `scripts/` in a process of its own: a line of JSON there, a line back."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
_CLOSE_S = 5.0


class PeerError(RuntimeError):
    """A script failed, or does not answer; the message is one line."""


class Script:
    """A running script.

    Args:
        command: that starts it.
        patience: seconds to wait for an answer; JAX compiles within the first.
        variables: added to those of the environment.

    Attributes:
        versions: of the distributions that it measures.

    Raises:
        PeerError: it does not start.
    """

    def __init__(self, command: list[str], patience: float, **variables: str) -> None:
        self._patience = patience
        self._folder = tempfile.TemporaryDirectory()
        self._errors = (Path(self._folder.name) / "errors").open("w+", encoding="utf-8")
        try:
            # Its own session: Ctrl-C reaches this process, which ends the script.
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                text=True,
                encoding="utf-8",
                cwd=self._folder.name,
                env={**os.environ, "PYTHONPATH": str(ROOT), **variables},
                start_new_session=True,
            )
        except OSError as error:
            self._errors.close()
            self._folder.cleanup()
            raise PeerError(f"does not start: {error}") from error
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()
        try:
            self.versions: dict[str, str] = self._receive().get("versions", {})
        except BaseException:
            self.close()
            raise

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put("")

    def _receive(self) -> dict[str, Any]:
        try:
            line = self._lines.get(timeout=self._patience)
        except queue.Empty:
            self._process.kill()  # what it says later would answer another question
            self._process.wait()
            raise PeerError(f"did not answer within {self._patience:g} s") from None
        if not line:
            raise PeerError(f"ended: {self._last_error()}")
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise PeerError(f"answered what is no JSON object: {line.strip()[:80]!r}")
        if "error" in answer:
            raise PeerError(str(answer["error"]))
        return answer

    def _last_error(self) -> str:
        self._process.wait(_CLOSE_S)
        self._errors.flush()
        self._errors.seek(0)
        lines = [line.strip() for line in self._errors.read().splitlines() if line.strip()]
        return lines[-1][:200] if lines else f"exit status {self._process.returncode}"

    def ask(self, **request: Any) -> dict[str, Any]:
        """The answer to a request.

        Raises:
            PeerError: the answer is an error, or there is none.
        """
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
        except OSError:
            raise PeerError(f"ended: {self._last_error()}") from None
        return self._receive()

    @property
    def alive(self) -> bool:
        """Whether it can be asked again."""
        return self._process.poll() is None

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        self._errors.close()
        self._folder.cleanup()
