"""The configuration of `python -m train.ppo`, see configs/quickstart.yaml."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from agents import make_agent

from .config import (
    AgentSpec,
    Count,
    Difficulty,
    FromZero,
    Positive,
    RewardScheme,
    RunSection,
    Section,
    Seed,
    Share,
)


class RewardSection(Section):
    """What the learner is paid.

    Attributes:
        scheme: "vp": VP as they come; "margin" or "outcome": at the end of a game.
        scale: what it is multiplied by; returns should be about 1.
        rival: with "vp", the Competition's VP count this much against the learner.
    """

    scheme: RewardScheme = "vp"
    scale: Positive = 0.02
    rival: FromZero = 0.0

    @model_validator(mode="after")
    def _rival_needs_vp(self) -> RewardSection:
        if self.rival and self.scheme != "vp":
            raise ValueError(f"rival is for scheme vp; '{self.scheme}' counts the rival already")
        return self


class PpoSection(Section):
    """Proximal policy optimisation, in stable-baselines3's terms.

    Attributes:
        steps: decisions of each game in an iteration; `games` times this make its data.
        minibatch: decisions in a step of the optimiser.
        epochs: passes over the data of an iteration.
        learning_rate, schedule: "constant", or "linear" down to zero at `total_steps`.
        gamma, gae_lambda: discount, and how far ahead advantages look.
        clip: how far a minibatch may move an action's odds.
        entropy, value: weights of these losses.
        max_grad_norm: longest step of the gradient.
        target_kl: ends an iteration's passes when the policy has moved further; None: never.
    """

    steps: Count = 64
    minibatch: Annotated[Count, Field(ge=2)] = 2048  # advantages are brought to deviation 1 in each
    epochs: Count = 3
    learning_rate: Positive = 5e-4
    schedule: Literal["constant", "linear"] = "linear"
    gamma: Share = 1.0
    gae_lambda: Share = 0.95
    clip: Positive = 0.2
    entropy: FromZero = 0.01
    value: FromZero = 0.5
    max_grad_norm: Positive = 0.5
    target_kl: Positive | None = None


class WarmStartSection(Section):
    """What a teacher shows the network before it learns by itself (`train.warm_start`).

    Attributes:
        teacher: an agent by its specification.
        rounds: of playing and learning.
        games: that are played in each.
        own: the share of them that the network plays itself, but for the first round.
        passes: over the decisions of a round.
        minibatch, learning_rate: of the optimiser.
        value: weight of the error of returns.
    """

    teacher: AgentSpec = "light"
    rounds: Count = 8
    games: Count = 256
    own: Share = 0.5
    passes: Count = 2
    minibatch: Count = 1024
    learning_rate: Positive = 1e-3
    value: FromZero = 0.5


class EvaluationSection(Section):
    """Measuring on held-out deals during training.

    Attributes:
        every_steps: environment steps from one to the next.
        games: at each difficulty.
        difficulties: that are measured; the mean margin over them decides which weights are best.
        seed: of the deals.
        patience: measurements without a better one after which training ends; None: it goes on.
        min_gain: VP of margin that count as better, for `patience`.
    """

    every_steps: Count = 100_000
    games: Count = 200
    difficulties: Annotated[tuple[Difficulty, ...], Field(min_length=1)] = ("normal",)
    seed: Seed = 0
    patience: Count | None = None
    min_gain: FromZero = 0.5


class BenchmarkSection(Section):
    """The benchmark that a run ends with (`eval.benchmark`), at all three difficulties.

    Attributes:
        games: for each agent and difficulty.
        beside: agents that are measured beside the one that was trained.
        seed: of the deals.
        replays: whether a replay of each game is written, to the folder `replays` of the run.
    """

    games: Count = 200
    beside: tuple[AgentSpec, ...] = ("greedy", "random")
    seed: Seed = 0
    replays: bool = False

    @model_validator(mode="after")
    def _each_once(self) -> BenchmarkSection:
        # As `eval.benchmark` would, when all has been trained.
        if len({make_agent(spec).name for spec in self.beside}) < len(self.beside):
            raise ValueError("beside must name each agent once")
        return self


class PpoConfig(RunSection):
    """All of it.

    Attributes:
        difficulty: of the Competition that is trained against.
        games: at once.
        total_steps: environment steps, that is decisions, after which training ends.
        max_minutes: training ends after these, if it has not before; None: no limit.
    """

    difficulty: Difficulty = "normal"
    games: Count = 256
    total_steps: Count = 600_000
    max_minutes: Positive | None = None
    reward: RewardSection = RewardSection()
    warm_start: WarmStartSection | None = None
    ppo: PpoSection = PpoSection()
    evaluation: EvaluationSection = EvaluationSection()
    benchmark: BenchmarkSection | None = BenchmarkSection()

    @model_validator(mode="after")
    def _minibatches_fit(self) -> PpoConfig:
        data = self.games * self.ppo.steps
        if data % self.ppo.minibatch:
            raise ValueError(
                f"ppo.minibatch ({self.ppo.minibatch}) must divide games x ppo.steps ({data})"
            )
        return self
