"""Ray, where a command is given `--ray`: connecting, and whether the workers are what they must be.

What is played on a cluster is to be what this process would play. So its workers get the same
code, where there are several machines, and say what they have before they play.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import signal
import socket
import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import nijar_env
from agents import make_agent
from nijar_env import Box
from nijar_env.components.box import fingerprint_of

from .provenance import agent_fingerprint, note_version

OWN: Final = ""  # the address of a cluster that is started for the command, on this machine
STILL_WAITING: Final = "still waiting for a worker to start; 'ray status' says which cores are free"
_PACKAGES: Final = ("nijar_env", "agents", "eval", "train")
_REACH_S: Final = 10.0


class ClusterError(RuntimeError):
    """Ray, or a worker of its cluster, that cannot be used. One line, with a remedy."""


def one_line(error: BaseException | str, most: int = 300) -> str:
    """A message without line breaks; of a long one the end, where Ray says what is wrong."""
    text = " ".join(str(error).split())
    return text if len(text) <= most else f"... {text[-most:]}"


# --- connecting -----------------------------------------------------------------------------------


def connect(address: str) -> None:
    """Connect this process to a cluster, unless it is connected already.

    Args:
        address: of the head node, HOST:PORT; "auto": the one that runs on this machine; `OWN`:
            that of RAY_ADDRESS, or one that is started now and ends with this process.

    Raises:
        ClusterError: Ray is missing, or there is no such cluster.
    """
    try:
        import ray
    except ImportError:
        raise ClusterError(
            "Ray is not installed: pip install 'nijar-env[ray]', or leave out --ray"
        ) from None
    if not ray.is_initialized():
        address = address or os.environ.get("RAY_ADDRESS", "") or "local"
        _check_address(address)
        options: dict[str, Any] = {"include_dashboard": False} if address == "local" else {}
        try:
            _init(address, options)
            # On this machine workers take the code from where this process has it, and its
            # kernels with it, which would be compiled anew for a copy.
            if machines() > 1:
                ray.shutdown()
                _init(address, {"runtime_env": {"py_modules": [str(one) for one in _folders()]}})
        except Exception as error:  # Ray has no class of its own for this
            raise ClusterError(
                f"no cluster of Ray {ray.__version__} can be used at '{address}' "
                f"({one_line(error)}); start one with 'ray start --head', set RAY_AUTH_MODE=token "
                "if it asks for a token, or give --ray alone"
            ) from None
    note_version("ray", ray.__version__)


def _init(address: str, options: Mapping[str, Any]) -> None:
    import ray

    with _own_handler():
        ray.init(address=address, log_to_driver=False, logging_level="ERROR", **options)


def machines() -> int:
    """Of the cluster."""
    import ray

    return len({node["NodeManagerAddress"] for node in ray.nodes() if node["Alive"]})


def _check_address(address: str) -> None:
    """Refuse what Ray would try to reach for minutes."""
    if address in ("auto", "local"):
        return
    host, colon, port = address.rpartition(":")
    if "//" in address or not colon or not port.isdigit():
        raise ClusterError(
            f"'{address}' is no address of a cluster; it is HOST:PORT of the head node, such as "
            "10.0.0.1:6379, or auto, and the command runs on a machine of the cluster"
        )
    try:
        socket.create_connection((host, int(port)), timeout=_REACH_S).close()
    except (OSError, OverflowError) as error:
        raise ClusterError(
            f"no cluster answers at {address} ({one_line(error)}); start one with "
            f"'ray start --head --port={port}', or give --ray alone"
        ) from None


@contextlib.contextmanager
def _own_handler() -> Iterator[None]:
    """Keep this process's answer to SIGTERM, which Ray replaces."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _folders() -> list[Path]:
    """Of the project's packages, as far as they are there: a wheel brings the library alone."""
    root = Path(__file__).resolve().parents[1]
    library = Path(nijar_env.__file__).resolve().parent
    others = [root / name for name in _PACKAGES if (root / name / "__init__.py").exists()]
    return [library, *(folder for folder in others if folder.name != library.name)]


def cores() -> int:
    """Cores of the cluster, at least one."""
    import ray

    return max(int(ray.cluster_resources().get("CPU", 1)), 1)


# --- what a worker has ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Facts:
    """What a process plays with; equal facts, equal games.

    Attributes:
        version: of nijar-env.
        code: a hash of the project's sources.
        box: its fingerprint.
        agents: fingerprints of their files, "" for those without one, by specification.
    """

    version: str
    code: str
    box: str
    agents: Mapping[str, str]


def facts(box: Box, agents: Mapping[str, Any]) -> Facts:
    """Of this process."""
    return Facts(
        nijar_env.__version__,
        _code(),
        fingerprint_of(box.record, box.card_ids),
        {spec: agent_fingerprint(agent) for spec, agent in agents.items()},
    )


def _code() -> str:
    """Twelve hexadecimal digits of all sources, names and texts."""
    digest = hashlib.sha256()
    for folder in sorted(_folders(), key=lambda one: one.name):
        for path in sorted(folder.rglob("*.py")):
            digest.update(f"{folder.name}/{path.relative_to(folder).as_posix()}\0".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def facts_of_worker(box: Box, specs: Iterable[str], folder: str, make: Any = make_agent) -> Facts:
    """The same in a worker, which goes to the command's folder first, where it has it: what
    agents are named by may be a path from there."""
    with contextlib.suppress(OSError):
        os.chdir(folder)
    return facts(box, {spec: make(spec) for spec in specs})


def check(own: Facts, other: Facts, place: str) -> None:
    """Raise ClusterError, naming what differs, unless a worker has what this process has."""
    pairs = [
        ("nijar-env", own.version, other.version),
        ("the sources of nijar-env", own.code, other.code),
        ("the box", own.box, other.box),
    ]
    pairs += [
        (f"the file of '{s}'", print_, other.agents.get(s, "")) for s, print_ in own.agents.items()
    ]
    differing = [
        f"{what} is {there!r} there, {here!r} here" for what, here, there in pairs if here != there
    ]
    if differing:
        raise ClusterError(
            f"a Ray worker on {place} differs: {'; '.join(differing)}; install the same there"
        )


def place() -> str:
    """The name of a worker's machine, for messages."""
    return socket.gethostname()
