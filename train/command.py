"""The command line of a training program: configuration in, a run in a folder out."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol

from agents import AgentSpecError
from agents.weights_file import WeightsError
from eval.command import (
    FAILED,
    INTERRUPTED,
    Parser,
    add_ray_option,
    ended_by_sigterm,
    one_line,
    open_ray,
)
from eval.ray_cluster import ClusterError
from eval.table import AgentFault
from nijar_env import Box, BoxError, IllegalActionError, load_box

from .config import ConfigError, RunSection, load_config
from .data import DataError
from .networks import DivergedError
from .run import Run, RunFinished, prepare
from .run_provenance import RunError, device_name

RUNS: Final = Path("runs")
# What ends a run that has begun: a full disk, say, a lost cluster, an agent that fails.
_STOPS: Final = (
    AgentFault,
    AgentSpecError,
    ClusterError,
    DataError,
    OSError,
    WeightsError,
)


class Training(Protocol):
    """What trains, new or restored from a checkpoint."""

    def train(self) -> Mapping[str, Any]:
        """Train to the end; returns what came of it, as plain data."""


@dataclass(frozen=True)
class Program:
    """A training program.

    Attributes:
        name: `python -m train.NAME`, and the kind of its runs.
        description: for `--help`.
        config: the class of its configuration.
        players: of the games that are trained for; 1 is solo.
        columns: of its log.
        begin: given the run, its configuration, box, device and command, makes what trains.
            WeightsError and ValueError that it raises are faults of the configuration.
        ray: if it takes `--ray`: says of a configuration what is wrong with that, "" if nothing
            is; `begin` is then given `ray=True`.
    """

    name: str
    description: str
    config: type[RunSection]
    players: Callable[[Any], int]
    columns: Callable[[Any], Sequence[str]]
    begin: Callable[..., Training]
    ray: Callable[[Any], str] | None = None


def run_program(program: Program, argv: Sequence[str] | None = None) -> int:
    """Run a program's command; returns its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    parser = Parser(prog=f"python -m train.{program.name}", description=program.description)
    parser.add_argument("--config", type=Path, required=True, metavar="FILE", help="a YAML file")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="the run's folder (default: runs/NAME)"
    )
    parser.add_argument(
        "--set",
        nargs="+",
        action="extend",
        default=[],
        metavar="KEY=VALUE",
        help="values over those of the file, such as seed=1 ppo.epochs=4",
    )
    if program.ray:
        add_ray_option(parser, "have a Ray cluster play the rollouts")
    args = parser.parse_args(arguments)
    command = shlex.join(["python", "-m", f"train.{program.name}", *arguments])
    try:
        config = load_config(args.config, program.config, args.set)
        box = load_box(config.components)
    except ConfigError as error:
        parser.error(str(error))
    except BoxError as error:
        parser.error(f"{args.config}: components: {str(error).splitlines()[0]}")
    begin = program.begin
    if program.ray and args.ray is not None:
        if wrong := program.ray(config):
            parser.error(f"argument --ray: {wrong}")
        # Before there is a folder: it says what it was made with.
        begin = partial(begin, ray=open_ray(parser, args.ray))
    folder: Path = args.out if args.out is not None else RUNS / config.name
    try:
        with ended_by_sigterm():
            return _run(program, begin, parser, config, box, folder, command)
    except KeyboardInterrupt:
        print(f"interrupted; the same command goes on with {folder}", file=sys.stderr)
        return INTERRUPTED
    except DivergedError as error:
        print(f"error: {folder}: {error}", file=sys.stderr)
        return FAILED
    except IllegalActionError as error:
        what = f"learning has diverged, or an opponent breaks the rules: {one_line(error)}"
        print(f"error: {folder}: {what}", file=sys.stderr)
        return FAILED
    except _STOPS as error:
        what = one_line(error)
        print(f"error: {what}; the same command goes on with {folder}", file=sys.stderr)
        return FAILED


def _run(
    program: Program,
    begin: Callable[..., Training],
    parser: Parser,
    config: RunSection,
    box: Box,
    folder: Path,
    command: str,
) -> int:
    try:
        device = prepare(config)
        run = Run(
            folder,
            config,
            kind=program.name,
            box=box,
            num_players=program.players(config),
            command=command,
            columns=program.columns(config),
            checkpoint_minutes=config.checkpoint_minutes,
            device=device,
        )
    except RunFinished as error:
        print(error)
        return 0
    except RunError as error:
        parser.error(str(error))
    except OSError as error:
        parser.error(f"{folder} cannot be written: {error.strerror}")
    with run:
        try:
            training = begin(run, config, box, device, command)
        except KeyError as error:
            if run.state is None:
                raise
            parser.error(run.lacks(error))
        except (WeightsError, ValueError) as error:
            run.undo()
            parser.error(f"{config.name}: {one_line(error)}")
        except (MemoryError, RuntimeError) as error:
            if isinstance(error, RuntimeError) and "memory" not in str(error):  # of PyTorch's
                raise
            run.undo()
            parser.error(f"{config.name}: too little memory for games x steps; give fewer")
        begun = "is gone on with" if run.state else "begins"
        print(f"{folder} {begun}, on {device_name(device)}", file=sys.stderr)
        run.finish(training.train())
    return 0
