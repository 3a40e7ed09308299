"""`python -m train.clone --config configs/clone_solo.yaml`: a network learns a teacher's games.

The games come from `train.generate`. The network learns to choose as the teacher does (cross
entropy to its probabilities, over the legal actions) and how its games end. The weights with the
lowest loss on held-out games are kept; PPO starts from them with `start_from`. The same command on
a run that was stopped goes on with it, from the last whole pass.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from nijar_env import Box
from nijar_env.components.vocabulary import DIFFICULTIES

from .clone_config import CloneConfig
from .command import Program, run_program
from .data import join_games, load_games, split_games
from .evaluate import evaluate_difficulties, masked, most_likely
from .inputs import Reader
from .ladder import check_agents, measure
from .lessons import Lesson, Lessons
from .networks import PolicyValueNet, check_finite, make_network
from .progress import Meter
from .run import Run
from .state import optimizer_state, restore_optimizer
from .weights import begin_with, write_weights

BEST, LAST = "best.safetensors", "last.safetensors"
FIGURES: Final = ("loss", "accuracy", "value_loss", "explained")


def losses(network: PolicyValueNet, lesson: Lesson) -> tuple[Tensor, Tensor, Tensor]:
    """Cross entropy to the teacher's probabilities, squared error of values, both means; and
    whether the most likely action is the teacher's first, bool (B,)."""
    logits, values = network(lesson.inputs)
    scores = masked(logits, lesson.masks)
    log_odds = functional.log_softmax(scores, 1).gather(1, lesson.choices)
    policy = -(lesson.odds * log_odds).sum(1).mean()
    value = functional.mse_loss(values, lesson.values)
    return policy, value, scores.argmax(1) == lesson.choices[:, 0]


class _Mean:
    """Means of figures over minibatches, without waiting for the device at each."""

    def __init__(self) -> None:
        self._sums: list[Tensor] = []
        self._count = 0

    def add(self, lesson: Lesson, policy: Tensor, value: Tensor, right: Tensor) -> None:
        n, values = len(lesson.values), lesson.values
        figures = (
            *(policy.detach() * n, right.sum(), value.detach() * n),
            *(values.sum(), (values**2).sum()),
        )
        self._sums.append(torch.stack([figure.double() for figure in figures]))
        self._count += n

    def figures(self) -> dict[str, float]:
        """`FIGURES`."""
        n = max(self._count, 1)
        loss, right, value, first, second = (torch.stack(self._sums).sum(0) / n).tolist()
        spread = second - first**2
        explained = 1 - value / spread if spread > 1e-12 else 0.0
        return dict(zip(FIGURES, (loss, right, value, explained), strict=True))


class Clone:
    """A run of cloning, pass by pass.

    Args:
        run: its folder, new or to be gone on with.
        config, box, device, command: of the run.

    Raises:
        DataError, WeightsError, ValueError: data, weights or options that do not fit.
    """

    def __init__(
        self, run: Run, config: CloneConfig, box: Box, device: torch.device, command: str
    ) -> None:
        self.config, self.device = config, device
        self._run, self._box, self._command = run, box, command
        parts = [load_games(path) for path in config.data]
        self._teachers = sorted({str(part.header["teacher"]) for part in parts})
        data = join_games(parts)
        if data.num_players != config.players:
            raise ValueError(
                f"data: the games have {data.num_players} players, 'players' says {config.players}"
            )
        if config.players > 1 and config.measure.games:
            check_agents(config.measure.opponents, config.players, box)
        taught, apart = split_games(data, config.held_out)
        if not taught.num_decisions or (config.held_out and not apart.num_decisions):
            raise ValueError(f"data: {data.num_games} games are too few")
        learning = config.learning
        self.network = make_network(config.network.kind, config.players, config.network.options)
        self.network.use_box(box)
        self.reader = Reader(self.network.reads)
        self.taught, self.apart = (
            Lessons(
                part,
                box,
                learning.minibatch,
                device,
                reader=self.reader,
                value_target=learning.value_target,
                rival=learning.rival,
                sharpen=learning.sharpen,
                keep_gb=config.keep_gb,
            )
            for part in (taught, apart)
        )
        self._values = {"value": learning.value_target, "rival": str(learning.rival)}
        if config.start_from is not None and run.state is None:
            begun = begin_with(self.network, config.start_from, box).metadata
            if not learning.value:  # its values stay, and with them what they are of
                self._values = {
                    "value": begun.get("value", "unknown"),
                    "rival": begun.get("rival", "0.0"),
                }
        self.network.to(device)
        self.optimizer = torch.optim.AdamW(
            self.network.parameters(), learning.learning_rate, weight_decay=learning.weight_decay
        )
        self.passes, self.best, self.done = 0, math.inf, False
        if run.state is not None:
            self._restore(run.state)
        # Kernels are compiled, and data that does not fit is found, before the clock runs.
        for lessons in (self.apart, self.taught):
            next(lessons.in_order(), None)
        run.begin()

    def _state(self) -> dict[str, Any]:
        return {
            "passes": self.passes,
            "done": self.done,
            "values": self._values,
            "best": self.best,
            "network": self.network.state_dict(),
            "optimizer": optimizer_state(self.optimizer),
        }

    def _restore(self, state: Mapping[str, Any]) -> None:
        self.passes, self.best = int(state["passes"]), float(state["best"])
        self.done = bool(state.get("done", self.passes >= self.config.passes))
        self._values = dict(state.get("values", self._values))
        self.network.load_state_dict(state["network"])
        restore_optimizer(self.optimizer, state["optimizer"])

    # -- the loop ----------------------------------------------------------------------------------

    def train(self) -> dict[str, Any]:
        """Learn to the end; returns what came of it."""
        config = self.config
        total = config.passes * len(self.taught)
        limit = None if config.max_minutes is None else 60 * config.max_minutes
        begin = self.passes * len(self.taught)
        with Meter(total, "decisions", begin, limit_s=limit) as meter:
            while not self.done:
                values = self._pass(meter)
                check_finite(self.network)
                self.passes += 1
                values.update(self._held_out())
                # Asked once a pass, since time may run out at any moment: what ends is measured.
                self.done = self.passes >= config.passes or self._progress(0) >= 1
                every = config.measure.every_passes
                if self.done or (every and self.passes % every == 0):
                    values.update(self._play(meter))
                values["seconds/run"] = self._run.elapsed()
                self._keep(values)
                self._run.log(self.passes * len(self.taught), values)
                meter.tell(_line(self.passes, values))
                self._run.checkpoint(self._state, now=self.done)
        self._export(LAST)
        return {
            "passes": self.passes,
            "decisions": len(self.taught),
            "games": self.taught.data.num_games,
            "weights": self.network.size,
            **{k: v for k, v in (self._run.rows() or [{}])[-1].items() if k != "step"},
        }

    def _progress(self, seen: int) -> float:
        """The share of the run that is done, by decisions or by time."""
        total = self.config.passes * len(self.taught)
        done = (self.passes * len(self.taught) + seen) / total
        if self.config.max_minutes is not None:
            done = max(done, self._run.elapsed() / (60 * self.config.max_minutes))
        return min(done, 1.0)

    def _rate(self, progress: float) -> float:
        learning = self.config.learning
        if progress < learning.warm_up:
            return learning.learning_rate * max(progress / learning.warm_up, 0.01)
        rest = (progress - learning.warm_up) / max(1 - learning.warm_up, 1e-9)
        return learning.learning_rate * 0.5 * (1 + math.cos(math.pi * rest))

    def _pass(self, meter: Meter) -> dict[str, float]:
        """Learn from all decisions once, or until time is up; the figures of this pass."""
        learning, network = self.config.learning, self.network
        rng = np.random.default_rng([self.config.seed, self.passes])
        network.train()
        mean, seen, start = _Mean(), 0, time.perf_counter()
        rate = 0.0
        for lesson in self._until_time_is_up(self.taught.shuffled(rng)):
            rate = self._rate(self._progress(seen))
            for group in self.optimizer.param_groups:
                group["lr"] = rate
            policy, value, right = losses(network, lesson)
            self.optimizer.zero_grad(set_to_none=True)
            # Of weight 0, values have no gradients at all: not even weight decay touches them.
            (policy + learning.value * value if learning.value else policy).backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), learning.max_grad_norm)
            self.optimizer.step()
            mean.add(lesson, policy, value, right)
            seen += len(lesson.values)
            meter.show(self.passes * len(self.taught) + seen, {"rate": f"{rate:.2e}"})
        values = {f"learning/{name}": value for name, value in mean.figures().items()}
        values["learning/rate"] = rate
        values["learning/decisions_per_second"] = seen / (time.perf_counter() - start)
        return values

    def _until_time_is_up(self, lessons: Iterator[Lesson]) -> Iterator[Lesson]:
        for number, lesson in enumerate(lessons):
            if number and self._progress(0) >= 1:
                return
            yield lesson

    # -- measuring ---------------------------------------------------------------------------------

    def _held_out(self) -> dict[str, float]:
        if not len(self.apart):
            return {}
        self.network.eval()
        mean = _Mean()
        with torch.inference_mode():
            for lesson in self.apart.in_order():
                mean.add(lesson, *losses(self.network, lesson))
        return {f"held_out/{name}": value for name, value in mean.figures().items()}

    def _play(self, meter: Meter) -> dict[str, float]:
        wanted, players = self.config.measure, self.config.players
        if not wanted.games:
            return {}
        policy = most_likely(self.network, self.device)
        if players == 1:
            solo = evaluate_difficulties(
                policy,
                DIFFICULTIES,
                wanted.games,
                seed=wanted.seed,
                box=self._box,
                reader=self.reader,
            )
            values = {}
            for one in solo:
                meter.tell(f"{one.difficulty}: {one.win_rate:.0%} won, margin {one.margin:+.1f}")
                values[f"{one.difficulty}/win_rate"] = one.win_rate
                values[f"{one.difficulty}/margin"] = one.margin
                values[f"{one.difficulty}/vp"] = one.vp
            return values
        ladder = measure(
            policy,
            wanted.opponents,
            players,
            wanted.games,
            seed=wanted.seed,
            box=self._box,
            reader=self.reader,
        )
        values = {}
        for rung in ladder:
            meter.tell(str(rung))
            name = _column(rung.opponent)
            values[f"ladder/{name}/win_rate"] = rung.win_rate[0]
            values[f"ladder/{name}/margin"] = rung.margin
        return values

    def _keep(self, values: Mapping[str, float]) -> None:
        """Write the weights if they are the best so far; without held-out games the newest are."""
        loss = values.get("held_out/loss", -float(self.passes))
        if loss < self.best:
            self.best = loss
            self._export(BEST)

    def _export(self, name: str) -> None:
        write_weights(
            self._run.folder / name,
            self.network.state_dict(),
            kind=self.network.kind,
            options=self.network.options,
            num_players=self.config.players,
            box=self._box,
            command=self._command,
            extra={
                "trained": "clone",
                "teacher": ", ".join(self._teachers),
                "games": str(self.taught.data.num_games),
                "passes": str(self.passes),
                "seed": str(self.config.seed),
                **self._values,
            },
        )


def _column(spec: str) -> str:
    return spec.replace(",", ";")


def _line(passes: int, values: Mapping[str, float]) -> str:
    text = f"pass {passes}: loss {values['learning/loss']:.3f}"
    if "held_out/loss" in values:
        text += (
            f", held out {values['held_out/loss']:.3f}, "
            f"{values['held_out/accuracy']:.1%} as the teacher"
        )
    return text


def columns_of(config: CloneConfig) -> Sequence[str]:
    """The columns of a run's log; its steps are decisions."""
    if config.players == 1:
        played = [f"{d}/{name}" for d in DIFFICULTIES for name in ("win_rate", "margin", "vp")]
    else:
        played = [
            f"ladder/{_column(spec)}/{name}"
            for spec in config.measure.opponents
            for name in ("win_rate", "margin")
        ]
    return (
        *(f"learning/{name}" for name in (*FIGURES, "rate", "decisions_per_second")),
        *(f"held_out/{name}" for name in FIGURES),
        *played,
        "seconds/run",
    )


PROGRAM: Final = Program(
    name="clone",
    description="Teach a network a teacher's games; the same command goes on with a stopped run.",
    config=CloneConfig,
    players=lambda config: config.players,
    columns=columns_of,
    begin=Clone,
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    return run_program(PROGRAM, argv)


if __name__ == "__main__":
    sys.exit(main())
