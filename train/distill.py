"""`python -m train.distill --config configs/distill_solo.yaml`: expert iteration.

A round: `search` plays games with the present weights (`train.generate`); the network learns what
the search chose, by its visits, and how the games ended (`train.clone`); and it is measured without
search. The next round searches with what was learned (Anthony et al. 2017). The same command goes
on with a run that was stopped, also within a round:

    RUN/games/0001.npz              games of a round, in 0001.npz.parts while they are played
    RUN/learning/0001/              a run of train.clone
    RUN/weights/0001.safetensors    what came of it; 0000 is where it began
"""

from __future__ import annotations

import contextlib
import math
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import torch

from agents.choice_network import mind_of
from agents.weights_file import WeightsError, read_weights
from eval.command import one_line
from nijar_env import Box

from . import clone
from .command import Program, run_program
from .data import DataError, GameData, load_games
from .distill_config import DistillConfig
from .distill_log import columns_of, game_values, learning_values
from .evaluate import most_likely
from .files import write_bytes
from .generate import Order, play_games
from .inputs import Reader
from .ladder import check_agents, ladder_values, measure
from .networks import make_network
from .progress import Clock, minutes
from .run import PROGRESS, Run, RunFinished, read_progress
from .run_provenance import RunError
from .weights import begin_with, load_network, write_weights

BEST, LAST = "best.safetensors", "last.safetensors"
_tell = partial(print, file=sys.stderr, flush=True)


class Distill:
    """A run of expert iteration, round by round.

    Args:
        run: its folder, new or to be gone on with.
        config, box, device, command: of the run.

    Attributes:
        round: how many are done.
        best: the best mean margin on the ladder, and the round after which it was.

    Raises:
        WeightsError, ValueError: `start_from` does not fit, or search cannot think with it.
    """

    def __init__(
        self, run: Run, config: DistillConfig, box: Box, device: torch.device, command: str
    ) -> None:
        self.config, self.device = config, device
        self._run, self._box, self._command = run, box, command
        self.round, self.best = 0, [-math.inf, 0]
        if config.start_from is None:
            check_agents([config.games.first_teacher], config.players, box)
        if config.players > 1:
            check_agents(config.rungs, config.players, box)
        for name in ("games", "learning", "weights"):
            (run.folder / name).mkdir(exist_ok=True)
        if run.state is None:
            self._first_weights()
        else:
            self.round, self.best = run.state["round"], run.state["best"]
        run.begin()

    def weights(self, number: int) -> Path:
        """The file of the weights after a round; 0: at the beginning."""
        return self._run.folder / "weights" / f"{number:04}.safetensors"

    def games(self, number: int) -> Path:
        """The file of a round's games."""
        return self._run.folder / "games" / f"{number:04}.npz"

    def _first_weights(self) -> None:
        config = self.config
        network = make_network(config.network.kind, config.players, config.network.options)
        network.use_box(self._box)
        metadata = {"value": config.learning.value_target, "rival": str(config.learning.rival)}
        if config.start_from is not None:
            begun = begin_with(network, config.start_from, self._box)
            mind_of(begun)  # raises where the first round could not search with it
            metadata = begun.metadata
        self._write(0, network.state_dict(), network.options, metadata)

    def _write(
        self, number: int, arrays: Mapping[str, Any], options: Any, metadata: Mapping[str, str]
    ) -> None:
        """Write the weights after a round; `metadata` says what their values are of."""
        write_weights(
            self.weights(number),
            arrays,
            kind=self.config.network.kind,
            options=options,
            num_players=self.config.players,
            box=self._box,
            command=self._command,
            extra={
                "trained": "distill",
                "round": str(number),
                "games": str(number * self.config.games.per_round),
                "iterations": str(self.config.games.iterations),
                "seed": str(self.config.seed),
                "value": metadata["value"],
                "rival": metadata.get("rival", "0.0"),
            },
        )

    def _play(self, number: int) -> GameData:
        """The games of a round; those that are there already are not played again."""
        config, wanted, path = self.config, self.config.games, self.games(number)
        if path.exists():
            return load_games(path)
        weights = self.weights(number - 1).as_posix()
        teacher = f"search:{weights}:iterations={wanted.iterations}"
        if number == 1 and config.start_from is None:
            teacher = wanted.first_teacher
        order = Order(
            teacher,
            wanted.per_round,
            players=config.players,
            seed=config.first_seed_of(number),
            difficulty=wanted.difficulty,
            mix=f"ppo:{weights}:draw=true" if wanted.mix else None,
            share=wanted.mix,
            components=config.components,
        )
        return play_games(order, path, config.workers, _tell)

    def _learn(self, number: int) -> dict[str, float]:
        """Learn from the last rounds' games and write the weights; the last pass's figures."""
        config, folder = self.config, self._run.folder / "learning" / f"{number:04}"
        first = max(number - config.window + 1, 1)
        data = [self.games(one) for one in range(first, number + 1)]
        own = config.learning_of(number, self.weights(number - 1), data)
        with contextlib.suppress(RunFinished):
            run = Run(
                folder,
                own,
                kind=clone.PROGRAM.name,
                box=self._box,
                num_players=config.players,
                command=self._command,
                columns=clone.columns_of(own),
                checkpoint_minutes=config.checkpoint_minutes,
                device=self.device,
            )
            with run:
                run.finish(clone.Clone(run, own, self._box, self.device, self._command).train())
        learned = read_weights(folder / clone.LAST, box=self._box, num_players=config.players)
        self._write(number, learned.arrays, learned.options, learned.metadata)
        return learning_values(read_progress(folder / PROGRESS)[-1])

    def _measure(self, number: int) -> dict[str, float]:
        """Play the ladder with the most likely actions; keep the weights if they are the best."""
        config, path = self.config, self.weights(number)
        network = load_network(path, box=self._box).to(self.device)
        results = measure(
            most_likely(network, self.device),
            config.rungs,
            config.players,
            config.evaluation.deals,
            seed=config.evaluation.seed,
            box=self._box,
            reader=Reader(network.reads),
        )
        values = ladder_values(results)
        _tell(f"round {number} of {config.rounds}, without search: " + "; ".join(map(str, results)))
        if values["ladder/margin"] > self.best[0]:
            self.best = [values["ladder/margin"], number]
            write_bytes(self._run.folder / BEST, path.read_bytes())
        write_bytes(self._run.folder / LAST, path.read_bytes())
        return values

    def train(self) -> dict[str, Any]:
        """Go on to the end; returns what came of the run.

        Raises:
            SystemExit: what a round left unfinished was made by another version; one line.
        """
        try:
            if self._run.state is None:
                self._keep(self._measure(0))
            while self.round < self.config.rounds:
                self._iterate(self.round + 1)
        except (DataError, RunError, WeightsError) as error:
            raise SystemExit(f"train.distill: error: {one_line(error)}") from None
        path = (self._run.folder / LAST).as_posix()
        print(f"the agent: search:{path}, and without search ppo:{path}")
        return {
            "rounds": self.round,
            "games": self.round * self.config.games.per_round,
            "best": {"ladder_margin": self.best[0], "round": self.best[1]},
            "seconds": round(self._run.elapsed(), 1),
            "agent": f"search:{path}",
        }

    def _iterate(self, number: int) -> None:
        """Play, learn and measure."""
        clock = Clock()
        with clock("playing"):
            data = self._play(number)
        values = game_values(data)
        with clock("learning"):
            values.update(self._learn(number))
        with clock("measuring"):
            values.update(self._measure(number))
        self.round = number
        values |= {f"seconds/{part}": s for part, s in clock.seconds.items()}
        spent = ", ".join(f"{minutes(s)} {part}" for part, s in clock.seconds.items())
        _tell(f"round {number}: search got {values['games/vp']:.1f} VP a game; {spent}")
        self._keep(values)

    def _keep(self, values: Mapping[str, float]) -> None:
        """Log a round, and a checkpoint: it will not be done again."""
        run, step = self._run, self.round * self.config.games.per_round
        run.log(step, {**values, "seconds/run": run.elapsed()})
        run.checkpoint(lambda: {"round": self.round, "best": self.best}, now=True)


PROGRAM: Final = Program(
    name="distill",
    description="Train a network by expert iteration; the same command goes on with a stopped run.",
    config=DistillConfig,
    players=lambda config: config.players,
    columns=columns_of,
    begin=Distill,
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    return run_program(PROGRAM, argv)


if __name__ == "__main__":
    sys.exit(main())
