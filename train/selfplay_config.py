"""The configuration of `python -m train.selfplay`.

Every key is explained in configs/selfplay_2p.yaml.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Annotated, Literal, TypeVar

from pydantic import Field, model_validator

from agents import make_agent
from nijar_env.components.vocabulary import DIFFICULTIES

from .config import (
    Count,
    CountFromZero,
    Difficulty,
    FromZero,
    Positive,
    RewardScheme,
    RunSection,
    Section,
    Seed,
    Share,
)

S = TypeVar("S", bound=Section)


class RewardSection(Section):
    """What a seat is paid."""

    scheme: RewardScheme = "outcome"
    rival: Share = 0.0
    vp_share: Share = 0.0
    vp_until: Share = 0.5

    @model_validator(mode="after")
    def _nothing_is_ignored(self) -> RewardSection:
        if self.scheme == "vp" and self.vp_share:
            raise ValueError("vp_share is for scheme margin or outcome; 'vp' is VP alone already")
        if self.scheme != "vp" and self.rival and not (self.vp_share and self.vp_until):
            raise ValueError(
                f"rival is taken off VP as they come: with scheme {self.scheme} it needs a "
                "vp_share above 0"
            )
        return self


class PpoSection(Section):
    """Proximal policy optimisation (Schulman et al. 2017)."""

    steps: Count = 64
    epochs: Count = 2
    minibatch: Count = 2048
    learning_rate: Positive = 5e-4
    learning_rate_end: FromZero = 3e-5
    gamma: Share = 1.0
    gae_lambda: Share = 0.95
    clip: Positive = 0.2
    entropy: FromZero = 0.01
    entropy_end: FromZero = 0.001
    value: FromZero = 0.5
    max_grad_norm: Positive = 0.5
    target_kl: Positive | None = 0.03
    normalise_advantages: bool = True


class OpponentsSection(Section):
    """Who sits beside the learner: shares of the games."""

    itself: Share = 0.8
    past: Share = 0.2
    scripted: dict[str, Share] = Field(default_factory=dict)
    snapshot_every: Count = 50
    snapshots: Count = 8

    @model_validator(mode="after")
    def _whole(self) -> OpponentsSection:
        total = self.itself + self.past + sum(self.scripted.values())
        if abs(total - 1) > 1e-6:
            raise ValueError(
                f"the shares itself, past and scripted must add up to 1, not {total:g}"
            )
        return _known_agents(self, self.scripted)


class EvaluationSection(Section):
    """Measuring on held-out deals during training."""

    every_updates: CountFromZero = 100
    deals: Count = 50
    opponents: Annotated[tuple[str, ...], Field(min_length=1)] = ("random", "light", "greedy")
    seed: Seed = 0

    @model_validator(mode="after")
    def _known(self) -> EvaluationSection:
        if len(set(self.opponents)) < len(self.opponents):
            raise ValueError("opponents must name each agent once")
        return self


def _known_agents(section: S, specs: Iterable[str]) -> S:
    """The section, if all agents are known."""
    for spec in specs:
        make_agent(spec)  # AgentSpecError is a ValueError that says what is wrong
    return section


class SelfPlayConfig(RunSection):
    """All of it."""

    players: Annotated[int, Field(ge=1, le=4)]
    difficulty: Difficulty | Literal["mixed"] = "normal"
    games: Count = 1024
    shards: Count = 1
    game_threads: Count = 1
    total_steps: Count = 50_000_000
    reward: RewardSection = RewardSection()
    ppo: PpoSection = PpoSection()
    opponents: OpponentsSection = OpponentsSection()
    evaluation: EvaluationSection = EvaluationSection()

    @model_validator(mode="after")
    def _fits_the_table(self) -> SelfPlayConfig:
        beside = self.opponents
        if self.shards > self.games:
            raise ValueError(f"shards must be at most games, {self.games}, not {self.shards}")
        if self.players > 1:
            if self.difficulty != "normal":
                raise ValueError(
                    f"difficulty is of solo games (players: 1), not of tables of {self.players}"
                )
            return _known_agents(self, self.evaluation.opponents)
        if beside.scripted or beside.past:
            raise ValueError("in solo games the learner is alone: opponents must be {itself: 1}")
        wrong = [name for name in self.evaluation.opponents if name not in DIFFICULTIES]
        if wrong:
            raise ValueError(
                f"in solo games evaluation.opponents are of {', '.join(DIFFICULTIES)}, not "
                f"'{wrong[0]}'"
            )
        return self

    @property
    def steps_per_update(self) -> int:
        """Environment steps of a rollout, those of opponents among them."""
        return self.games * self.ppo.steps

    @property
    def updates(self) -> int:
        """Rollouts, each learned from, until the end."""
        return math.ceil(self.total_steps / self.steps_per_update)
