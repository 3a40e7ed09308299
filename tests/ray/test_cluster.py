"""Connecting to a cluster, and what is refused; a cluster whose workers do not have the code."""

from __future__ import annotations

import os
import re
import secrets
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from eval import tournament
from eval.ray_cluster import _check_address
from eval.store import Store, read_header

from ..eval.test_table import untimed
from .needed import need

need("ray")

ROOT = Path(__file__).resolve().parents[2]
ARGUMENTS = ["--agents", "random", "--games", "2"]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("ray://10.0.0.1:10001", r"is no address of a cluster; it is HOST:PORT .*, or auto"),
        ("10.0.0.1", r"is no address of a cluster"),
        ("127.0.0.1:PORT", r"no cluster answers at 127.0.0.1:\d+ .*'ray start --head --port=\d+'"),
        ("auto", r"no cluster of Ray [\d.]+ can be used at 'auto' .*'ray start --head'"),
    ],
)
def test_a_cluster_that_is_not_there_is_one_line(
    address: str,
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Another cluster of this machine is none of the test's business.
    monkeypatch.setattr("ray._private.services.find_gcs_addresses", set)
    monkeypatch.setenv("RAY_TMPDIR", str(tmp_path))
    address = address.replace("PORT", str(free_port()))
    out = tmp_path / "out"
    with pytest.raises(SystemExit) as ended:
        tournament.main([*ARGUMENTS, "--out", str(out), "--ray", address])
    assert ended.value.code == 2
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert re.search(f"argument --ray: .*{message}", line)
    assert not out.exists()


def test_known_addresses() -> None:
    for address in ("auto", "local"):
        _check_address(address)
    with socket.create_server(("127.0.0.1", 0)) as server:
        _check_address(f"127.0.0.1:{server.getsockname()[1]}")


@contextmanager
def head(folder: Path, variables: dict[str, str]) -> Iterator[int]:
    """A cluster of two cores that is started in a folder; its port.

    Ray gives up where its processes do not come up within half a minute, as on a machine with much
    else to do: then it is started anew.
    """
    for _ in range(10):
        port = free_port()
        # A short path: Ray's sockets lie below it.
        with tempfile.TemporaryDirectory(prefix="r", ignore_cleanup_errors=True) as short:
            process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "ray.scripts.scripts", "start", "--head", "--block"),
                    *(f"--port={port}", "--num-cpus=2", f"--temp-dir={short}"),
                    *("--include-dashboard=false", "--disable-usage-stats"),
                ],
                cwd=folder,
                env={**variables, "PYTHONUNBUFFERED": "1"},
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
            assert process.stdout is not None
            try:
                # The port is open long before there is a node behind it.
                if any("Ray runtime started" in line for line in process.stdout):
                    yield port
                    return
            finally:
                process.terminate()
                process.wait(600)
                process.stdout.close()
    raise AssertionError("Ray does not start a cluster")


def test_workers_elsewhere_get_the_code(tmp_path: Path) -> None:
    """A cluster that was started in another folder, taken for one of two machines. Its workers play
    in plain Python, as kernels of a new copy would have to be compiled."""
    # A token of their own, whatever this machine's other clusters ask for.
    token = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(16)}
    bare = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | token
    bare["NUMBA_DISABLE_JIT"] = "1"
    code = (
        "import sys; from eval import ray_cluster, tournament; ray_cluster.machines = lambda: 2; "
        "sys.exit(tournament.main(sys.argv[1:]))"
    )
    with head(tmp_path, bare) as port:
        shared = ["--out", str(tmp_path / "shared"), "--ray", f"127.0.0.1:{port}"]
        done = subprocess.run(
            [sys.executable, "-c", code, *ARGUMENTS, *shared, "--workers", "2"],
            cwd=ROOT,
            env={**os.environ, **token},
            capture_output=True,
            text=True,
            timeout=1800,
        )
    assert done.returncode == 0, done.stdout + done.stderr
    assert tournament.main([*ARGUMENTS, "--out", str(tmp_path / "alone")]) == 0
    alone, far = (
        Store(folder, read_header(folder / "games" / "header.json")).records()
        for folder in (tmp_path / "alone", tmp_path / "shared")
    )
    assert untimed(alone) == untimed(far)
