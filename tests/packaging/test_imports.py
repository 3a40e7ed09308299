"""What importing the library loads, and which other packages the code may use."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]
OWN = {"nijar_env", "agents", "eval", "train"}
HEAVY = (
    "llvmlite",
    "matplotlib",
    "numba",
    "PIL",
    "pettingzoo",
    "ray",
    "resvg_py",
    "rich",
    "safetensors",
    "starlette",
    "torch",
    "typer",
    "uvicorn",
)
# A whole package that needs an extra to be installed.
EXTRAS = {"train": "train"}
# Modules for libraries that whoever imports them has installed.
BRIDGES = {
    "sb3.py": {"stable_baselines3"},
    "openspiel.py": {"pyspiel"},
    "play_terminal.py": {"prompt_toolkit"},
    "play_web_app.py": {"starlette"},
    "play_web_server.py": {"uvicorn"},
    "light_fit.py": {"torch"},
    "weights_file.py": {"safetensors"},
    "raster.py": {"resvg_py", "PIL"},
    "ray_cluster.py": {"ray"},
    "ray_workers.py": {"ray"},
    "ray_rollouts.py": {"ray"},
}
# What a distribution is imported as, where that is not its name.
IMPORTED_AS = {"pyyaml": "yaml"}
LOADED = "import sys, nijar_env; print(nijar_env.__version__, *sorted(sys.modules))"
AGENTS_LOADED = "import sys, agents; print(*sorted(sys.modules))"


def test_importing_the_library_loads_nothing_heavy() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED], cwd=ROOT, capture_output=True, text=True, check=True
    )
    version, *loaded = done.stdout.split()
    assert version[0].isdigit()
    assert not set(HEAVY) & set(loaded)
    assert not [name for name in loaded if name.startswith("nijar_env.core")]


def test_importing_the_agents_loads_nothing_heavy() -> None:
    done = subprocess.run(
        [sys.executable, "-c", AGENTS_LOADED], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert not {*HEAVY, "eval", "train"} & set(done.stdout.split())


def imported(path: Path) -> set[str]:
    """The top-level packages that a source file imports, anywhere in it."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module.split(".")[0])
    return names


@pytest.mark.parametrize("package", sorted(OWN))
def test_only_declared_dependencies_are_imported(package: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    requirements = list(project["dependencies"])
    if package in EXTRAS:
        requirements += project["optional-dependencies"][EXTRAS[package]]
    names = {Requirement(text).name for text in requirements}
    declared = {IMPORTED_AS.get(name, name.replace("-", "_")) for name in names}
    allowed = declared | OWN | set(sys.stdlib_module_names)
    # The loops of eval/peers/scripts run in the environments of the projects that they measure.
    foreign = ROOT / "eval" / "peers" / "scripts"
    sources = sorted(p for p in (ROOT / package).rglob("*.py") if foreign not in p.parents)
    assert sources
    undeclared = {
        path.name: imported(path) - allowed - BRIDGES.get(path.name, set()) for path in sources
    }
    assert not {name: extra for name, extra in undeclared.items() if extra}


@pytest.mark.parametrize(
    ("folder", "forbidden"),
    [
        ("nijar_env/components", {"gymnasium", "pettingzoo", "torch"}),
        ("nijar_env/core", {"gymnasium", "pettingzoo", "torch"}),
        ("nijar_env", {"agents", "train", "eval"}),
        ("agents", {"train", "eval"}),
        ("eval", {"train", "torch"}),
    ],
)
def test_dependencies_point_one_way(folder: str, forbidden: set[str]) -> None:
    for path in (ROOT / folder).rglob("*.py"):
        assert not imported(path) & forbidden, path
