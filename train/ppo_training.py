"""A run of MaskablePPO, iteration by iteration: play, learn, measure, log, checkpoint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import torch
from stable_baselines3.common.callbacks import CallbackList

from agents import make_agent
from nijar_env import Box
from nijar_env.core.constants import MARGIN_SCALE

from .evaluate import SoloResult, evaluate_difficulties, most_likely
from .inputs import Reader
from .ladder import check_agents
from .networks import check_finite
from .ppo_config import PpoConfig, RewardSection
from .ppo_model import (
    ENVIRONMENT,
    INFERENCE,
    LEARNING,
    make_model,
    model_state,
    restore_model,
    stagger,
)
from .progress import Clock, Meter, minutes
from .run import Run
from .warm_start import Lesson, learn, round_seed
from .weights import begin_with, write_weights

BEST, LAST = "best.safetensors", "last.safetensors"
EVALUATION, OTHER = "evaluation", "other"
_PARTS: Final = (ENVIRONMENT, INFERENCE, LEARNING, OTHER)
_LOSSES: Final = (
    "entropy_loss",
    "policy_gradient_loss",
    "value_loss",
    "approx_kl",
    "clip_fraction",
    "explained_variance",
)
_RESULTS: Final = ("vp", "competition_vp", "margin", "win_rate")


def columns_of(config: PpoConfig) -> tuple[str, ...]:
    """The columns of a run's log."""
    return (
        "environment_steps",
        "games",
        *(f"warm_start/{name}" for name in ("loss", "agreed", "error")),
        "training/vp",
        "training/decisions",
        "training/learning_rate",
        *(f"training/{name}" for name in _LOSSES),
        *(f"{d}/{name}" for d in config.evaluation.difficulties for name in _RESULTS),
        "held_out/margin",
        *(f"seconds/{name}" for name in (*_PARTS, EVALUATION)),
        "seconds/run",
    )


class Training:
    """A run of MaskablePPO.

    Args:
        run: its folder, new or to be gone on with.
        config, box, device, command: of the run.

    Attributes:
        stopped: why training has ended; "" while it goes on.

    Raises:
        WeightsError: `start_from` does not fit.
        ValueError: the network's options.
    """

    def __init__(
        self, run: Run, config: PpoConfig, box: Box, device: torch.device, command: str
    ) -> None:
        self.config, self.box, self.device = config, box, device
        self._run, self._command = run, command
        self._clock = Clock()
        teachers = (config.warm_start.teacher,) if config.warm_start else ()
        beside = config.benchmark.beside if config.benchmark else ()
        check_agents({*teachers, *beside}, 1, box)
        self.model, self.games = make_model(config, box, device, self._clock)
        network = self.model.policy.network
        self._reader = Reader(network.reads)
        self.stopped = ""
        self._finished_games = 0
        self._rounds, self._shown = 0, 0  # of the warm start; decisions shown
        # The best measurement; the last that was clearly better, and how many came since then.
        self._best_margin, self._best_step = float("-inf"), 0
        self._mark, self._since = float("-inf"), 0
        self._margin, self._measure_at = float("nan"), 0
        if config.start_from is not None and run.state is None:
            begin_with(self.model.policy.network, config.start_from, box)
        # As `learn` begins: deals the games, unless there are some. There is no callback.
        _, self._callback = self.model._setup_learn(config.total_steps, CallbackList([]))
        if run.state is not None:
            self._restore(run.state)
        run.begin()

    # -- the loop ----------------------------------------------------------------------------------

    def learn(self, meter: Meter) -> None:
        """Train to the end, with checkpoints."""
        if self._measure_at == 0:
            self._run.log(0, self._measure(meter))
        self._warm_up(meter)
        if self.model.num_timesteps == 0:
            stagger(self.model, self.games)
        while not self.stopped:
            self._iterate(meter)
            self._run.checkpoint(self._state, now=bool(self.stopped))
        self._export(LAST)

    def _warm_up(self, meter: Meter) -> None:
        """Have the network taught, round by round."""
        wanted, config = self.config.warm_start, self.config
        if wanted is None or self._rounds == wanted.rounds:
            return
        network, optimizer = self.model.policy.network, self.model.policy.optimizer
        lesson = Lesson(
            make_agent(wanted.teacher),
            network,
            self.device,
            difficulty=config.difficulty,
            box=self.box,
            reward=config.reward,
            gamma=config.ppo.gamma,
        )
        while self._rounds < wanted.rounds:
            own = round(wanted.games * wanted.own) if self._rounds else 0
            shown = lesson.play(wanted.games, own, round_seed(config.seed, self._rounds))
            figures = learn(network, optimizer, shown, wanted, self.device)
            check_finite(network)
            self._rounds += 1
            self._shown += len(shown.actions)
            values = {f"warm_start/{name}": value for name, value in figures.items()}
            if self._rounds == wanted.rounds:
                optimizer.state.clear()  # what it knows of gradients is of other ones
                values.update(self._measure(meter))
            else:
                meter.tell(
                    f"round {self._rounds} of {wanted.rounds} with {wanted.teacher}: the same "
                    f"choice in {figures['agreed']:.0%}"
                )
            values["seconds/run"] = self._run.elapsed()
            self._run.log(self._seen(), values)
            self._run.checkpoint(self._state)

    def _seen(self) -> int:
        """Decisions that were learned from."""
        return self._shown + int(self.model.num_timesteps)

    def _iterate(self, meter: Meter) -> None:
        """Play, learn, measure where it is due, log."""
        model, clock, config = self.model, self._clock, self.config
        before = dict(clock.seconds)
        with clock(OTHER):
            model.ep_info_buffer.clear()
            model.collect_rollouts(
                self.games, self._callback, model.rollout_buffer, config.ppo.steps
            )
            model._update_current_progress_remaining(model.num_timesteps, config.total_steps)
            with clock(LEARNING):
                model.train()
            check_finite(model.policy.network)
            values = self._figures()
        if model.num_timesteps >= config.total_steps:
            self.stopped = f"after {model.num_timesteps:,} steps"
        elif config.max_minutes is not None and self._run.elapsed() > 60 * config.max_minutes:
            self.stopped = f"after {config.max_minutes:g} minutes ({model.num_timesteps:,} steps)"
        if self.stopped or model.num_timesteps >= self._measure_at:
            values.update(self._measure(meter))
        for name in (*_PARTS, EVALUATION):
            spent = clock.seconds.get(name, 0.0) - before.get(name, 0.0)
            values[f"seconds/{name}"] = spent
        values["seconds/run"] = self._run.elapsed()
        self._run.log(self._seen(), values)
        self._show(meter, values)

    def _figures(self) -> dict[str, float]:
        """What the iteration says of itself."""
        model = self.model
        logged = model.logger.name_to_value
        values = {f"training/{name}": float(logged[f"train/{name}"]) for name in _LOSSES}
        values["training/learning_rate"] = float(logged["train/learning_rate"])
        model.logger.dump()
        ended = list(model.ep_info_buffer)
        self._finished_games += len(ended)
        values["environment_steps"] = model.num_timesteps
        values["games"] = self._finished_games
        if ended:
            values["training/decisions"] = sum(one["l"] for one in ended) / len(ended)
            if self.config.reward.scheme == "vp":
                values["training/vp"] = sum(one["r"] for one in ended) / len(ended)
        return values

    def _show(self, meter: Meter, values: Mapping[str, float]) -> None:
        training = sum(values[f"seconds/{name}"] for name in _PARTS)
        rate = self.config.games * self.config.ppo.steps / max(training, 1e-9)
        figures = {"steps/s": f"{rate:,.0f}"}
        if "training/vp" in values:
            figures["VP while learning"] = f"{values['training/vp']:.1f}"
        meter.show(self.model.num_timesteps, figures)

    # -- measuring ---------------------------------------------------------------------------------

    def _measure(self, meter: Meter) -> dict[str, float]:
        """Play held-out games; keep the weights if they are the best so far."""
        wanted, step = self.config.evaluation, self.model.num_timesteps
        with self._clock(EVALUATION):
            policy = most_likely(self.model.policy.network, self.device)
            results = evaluate_difficulties(
                policy,
                wanted.difficulties,
                wanted.games,
                seed=wanted.seed,
                box=self.box,
                reader=self._reader,
            )
        self._margin = sum(one.margin for one in results) / len(results)
        self._measure_at = step + wanted.every_steps
        if self._margin > self._best_margin:
            self._best_margin, self._best_step = self._margin, step
            self._export(BEST)
        if self._margin >= self._mark + wanted.min_gain:
            self._mark, self._since = self._margin, 0
        else:
            self._since += 1
        if wanted.patience is not None and self._since >= wanted.patience and not self.stopped:
            self.stopped = f"after {step:,} steps: no gain in {self._since} measurements"
        when = "after the warm start" if step == 0 and self._rounds else f"{step:,} steps"
        meter.tell(f"{when:>20}: " + "; ".join(map(_result_line, results)))
        return {**_by_column(results), "held_out/margin": self._margin}

    def _export(self, name: str) -> None:
        config, network = self.config, self.model.policy.network
        write_weights(
            self._run.folder / name,
            network.state_dict(),
            kind=network.kind,
            options=network.options,
            num_players=1,
            box=self.box,
            command=self._command,
            extra={
                "trained": "ppo",
                "steps": str(self.model.num_timesteps),
                "seed": str(config.seed),
                "value": _value_of(config.reward, config.ppo.gamma),
                "rival": str(config.reward.rival),
            },
        )

    # -- the state ---------------------------------------------------------------------------------

    def _state(self) -> dict[str, Any]:
        """All that the next iteration depends on."""
        return {
            "model": model_state(self.model, self.games),
            "finished_games": self._finished_games,
            "warm_start": [self._rounds, self._shown],
            "best": [self._best_margin, self._best_step],
            "plateau": [self._mark, self._since],
            "measured": [self._margin, self._measure_at],
            "stopped": self.stopped,
        }

    def _restore(self, state: Mapping[str, Any]) -> None:
        restore_model(self.model, self.games, state["model"])
        self._finished_games = state["finished_games"]
        self._rounds, self._shown = state["warm_start"]
        self._best_margin, self._best_step = state["best"]
        self._mark, self._since = state["plateau"]
        self._margin, self._measure_at = state["measured"]
        self.stopped = state["stopped"]

    def summary(self) -> dict[str, Any]:
        """What came of the run, as plain data."""
        return {
            "stopped": self.stopped,
            "steps": self.model.num_timesteps,
            "games": self._finished_games,
            "best": {"step": self._best_step, "held_out_margin": self._best_margin},
            "seconds": round(self._run.elapsed(), 1),
            "speed": speed_line(self._run.rows()),
        }


def speed_line(rows: Sequence[Mapping[str, float]]) -> str:
    """Steps a second, and where the time of training went; measuring stands apart."""
    timed = [row for row in rows if "seconds/learning" in row]
    if not timed:
        return "no iteration was made"
    seconds = {n: sum(row[f"seconds/{n}"] for row in timed) for n in (*_PARTS, EVALUATION)}
    total = sum(seconds[name] for name in _PARTS)
    shares = ", ".join(f"{100 * seconds[name] / total:.0f} % {name}" for name in _PARTS)
    rate = timed[-1]["environment_steps"] / total
    return (
        f"{rate:,.0f} environment steps a second over {minutes(total)} of training: {shares}; "
        f"besides, {minutes(seconds[EVALUATION])} of measuring"
    )


def _value_of(reward: RewardSection, gamma: float) -> str:
    """What the network's values are, for the header of its weights: of "vp" search makes use."""
    scale = reward.scale * MARGIN_SCALE
    scaled = "" if abs(scale - 1) < 1e-9 else f" x {scale:g}"
    return reward.scheme + scaled + ("" if gamma == 1 else f" discounted by {gamma:g}")


def _result_line(result: SoloResult) -> str:
    return (
        f"{result.difficulty} {result.vp:.1f} VP, margin {result.margin:+.1f}, "
        f"{100 * result.win_rate:.0f} % won"
    )


def _by_column(results: Sequence[SoloResult]) -> dict[str, float]:
    out: dict[str, float] = {}
    for one in results:
        values = (one.vp, float(one.competition_vp.mean()), one.margin, one.win_rate)
        out.update({f"{one.difficulty}/{n}": v for n, v in zip(_RESULTS, values, strict=True)})
    return out
