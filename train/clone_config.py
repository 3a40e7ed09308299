"""The configuration of `python -m train.clone`, see configs/clone_solo.yaml."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, model_validator

from .config import (
    AgentSpec,
    Count,
    CountFromZero,
    FromZero,
    Positive,
    RunSection,
    Section,
    Seed,
    Share,
)


class LearningSection(Section):
    """How the network learns from the decisions.

    Attributes:
        minibatch: decisions in a step of AdamW.
        learning_rate: its largest; it rises to it over `warm_up` of the run, then falls along a
            cosine to zero.
        warm_up: a share of the run.
        weight_decay: of AdamW.
        value: weight of the squared error of values; 0: they stay as they were (which is nothing
            but chance without `start_from`), and only the policy is learned.
        value_target: what values foretell: "margin", how the game ends in VP less the best
            other's; "vp", the VP still to come; both / 50, as in PPO with that reward at scale
            1 / 50 (margins are divided already).
        rival: share of the other seats' mean VP to come, the Competition's in solo, that is taken
            off the VP to come.
        sharpen: the teacher's probabilities are raised to this power; large: its choice alone.
        max_grad_norm: longest gradient.
    """

    minibatch: Count = 1024
    learning_rate: Positive = 1e-3
    warm_up: Share = 0.02
    weight_decay: FromZero = 0.01
    value: FromZero = 0.5
    value_target: Literal["margin", "vp"] = "margin"
    rival: Share = 0.0
    sharpen: Positive = 1.0
    max_grad_norm: Positive = 1.0

    @model_validator(mode="after")
    def _rivals_vp(self) -> LearningSection:
        if self.rival and self.value_target != "vp":
            raise ValueError("rival is for value_target: vp; margins are less a rival's VP already")
        return self


class MeasureSection(Section):
    """Games of the clone at the end of the run, on held-out deals.

    Attributes:
        games: solo: at each difficulty; else deals against each opponent, each at every seat.
            0: none.
        opponents: of games of two and more players.
        every_passes: also after so many passes; 0: only at the end.
        seed: of the deals.
    """

    games: CountFromZero = 100
    opponents: tuple[AgentSpec, ...] = ("light", "greedy")
    every_passes: CountFromZero = 0
    seed: Seed = 0


class CloneConfig(RunSection):
    """All of it.

    Attributes:
        players: of the games; 1 is solo.
        data: files of `train.generate`.
        held_out: the share of games that is kept apart, to measure on.
        passes: over all decisions.
        max_minutes: the run is shortened so that it ends after about these; None: no limit.
        keep_gb: what the network reads, up to this size, is kept in the device's memory; more is
            made anew in each pass.
    """

    players: Annotated[int, Field(ge=1, le=4)] = 1
    data: Annotated[tuple[Path, ...], Field(min_length=1)]
    held_out: Share = 0.05
    passes: Count = 10
    max_minutes: Positive | None = None
    keep_gb: FromZero = 0.0
    learning: LearningSection = LearningSection()
    measure: MeasureSection = MeasureSection()
