"""The configuration of `python -m train.distill`, see configs/distill_solo.yaml."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final, Literal

import numpy as np
from pydantic import Field, model_validator

from agents import make_agent
from agents.choice_network import KIND
from agents.networks.forward import complete_options
from nijar_env.components.vocabulary import DIFFICULTIES

from .clone_config import CloneConfig, LearningSection, MeasureSection
from .config import (
    AgentSpec,
    Count,
    Difficulty,
    FromZero,
    NetworkSection,
    RunSection,
    Section,
    Seed,
    Share,
)
from .data import FIRST_SEED, held_out_games

# Seeds of games to learn from end here (see `train.generate`).
END_OF_SEEDS: Final = 1 << 39


class GamesSection(Section):
    """The games of a round.

    Attributes:
        per_round: how many.
        iterations: of `search` at each decision.
        first_teacher: who plays the first round where there are no weights to search with.
        difficulty: in solo; "mixed": all three in turn.
        mix: share of the decisions that are drawn from the network's probabilities instead; what is
            learned there is still what the search says.
        first_seed: of the first deal; each round takes the next ones.
    """

    per_round: Count = 200
    iterations: Annotated[Count, Field(le=1_000_000)] = 200
    first_teacher: AgentSpec = "mcts:iterations=200"
    difficulty: Difficulty | Literal["mixed"] = "mixed"
    mix: Share = 0.0
    first_seed: Annotated[int, Field(ge=FIRST_SEED, lt=END_OF_SEEDS)] = 30_000_000


class ImitationSection(LearningSection):
    """How the network learns a round's games; values are of VP, since search wants those."""

    learning_rate: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 5e-4
    value_target: Literal["vp"] = "vp"
    rival: Share = 0.5


class EvaluationSection(Section):
    """Measuring the network after each round, without search, on held-out deals.

    Attributes:
        deals: solo: at each difficulty; else against each opponent, each at every seat.
        opponents: agents, in solo difficulties; empty: all difficulties, or light and greedy.
        seed: of the deals.
    """

    deals: Count = 50
    opponents: tuple[str, ...] = ()
    seed: Seed = 0


class DistillConfig(RunSection):
    """All of it.

    Attributes:
        players: of the games; 1 is solo.
        rounds: of playing, learning and measuring.
        workers: processes that play.
        window: the network learns from the games of so many rounds, the last ones.
        passes: over those, in each round.
        held_out: the share of games that is kept apart, to see how well the rest was learned.
        keep_gb: as of `CloneConfig`.
    """

    network: NetworkSection = NetworkSection(kind=KIND)
    players: Annotated[int, Field(ge=1, le=4)] = 1
    rounds: Count = 20
    workers: Annotated[Count, Field(le=256)] = 1
    window: Count = 4
    passes: Count = 2
    held_out: Annotated[float, Field(ge=0, lt=1)] = 0.05
    keep_gb: FromZero = 0.0
    games: GamesSection = GamesSection()
    learning: ImitationSection = ImitationSection()
    evaluation: EvaluationSection = EvaluationSection()

    @model_validator(mode="after")
    def _can_search(self) -> DistillConfig:
        if self.network.kind != KIND:
            raise ValueError(f"network.kind must be {KIND}: search plays with no other kind")
        options = complete_options(KIND, self.network.options)
        for name in ("hidden", "value_hidden"):
            if len(options[name]) != 1:
                raise ValueError(
                    f"network.{name} must list one layer size, which search needs, not "
                    f"{options[name]}"
                )
        return self

    @model_validator(mode="after")
    def _values_come_from_somewhere(self) -> DistillConfig:
        if self.start_from is None and not self.learning.value:
            raise ValueError(
                "learning.value must be above 0 without start_from: search goes by values, and "
                "nobody would teach them"
            )
        return self

    @model_validator(mode="after")
    def _difficulty_is_of_solo_games(self) -> DistillConfig:
        if self.players > 1 and self.games.difficulty != GamesSection().difficulty:
            raise ValueError(
                f"games.difficulty is of solo games (players: 1), not of tables of {self.players}"
            )
        return self

    @model_validator(mode="after")
    def _rungs_are_known(self) -> DistillConfig:
        if len(set(self.rungs)) < len(self.rungs):
            raise ValueError("evaluation.opponents must name each once")
        for name in self.rungs:
            if self.players > 1:
                make_agent(name)  # AgentSpecError is a ValueError that says what is wrong
            elif name not in DIFFICULTIES:
                raise ValueError(
                    f"in solo games evaluation.opponents are of {', '.join(DIFFICULTIES)}, not "
                    f"'{name}'"
                )
        return self

    @model_validator(mode="after")
    def _games_are_enough(self) -> DistillConfig:
        if self.first_seed_of(self.rounds + 1) > END_OF_SEEDS:
            raise ValueError(f"games.first_seed must leave room below {END_OF_SEEDS} for all games")
        if not self.held_out:
            return self
        for number in range(1, self.rounds + 1):
            first = self.first_seed_of(number)
            seeds = np.arange(first, first + self.games.per_round, dtype=np.uint64)
            apart = held_out_games(seeds, self.held_out)
            if apart.all() or not apart.any():
                which = "all" if apart.all() else "none"
                raise ValueError(
                    f"of the {len(seeds)} games of round {number}, held_out: {self.held_out:g} "
                    f"keeps {which} apart; give more games.per_round, or held_out: 0"
                )
        return self

    @property
    def rungs(self) -> tuple[str, ...]:
        """What the network is measured against."""
        usual = DIFFICULTIES if self.players == 1 else ("light", "greedy")
        return self.evaluation.opponents or tuple(usual)

    def first_seed_of(self, number: int) -> int:
        """The first deal of a round, the first one being 1."""
        return self.games.first_seed + (number - 1) * self.games.per_round

    def learning_of(self, number: int, begin: Path, data: Sequence[Path]) -> CloneConfig:
        """How `train.clone` learns in a round: from weights to begin with and files of games."""
        return CloneConfig(
            name=f"{self.name}-{number:04}",
            seed=self.seed,
            components=self.components,
            device=self.device,
            threads=self.threads,
            checkpoint_minutes=self.checkpoint_minutes,
            start_from=begin,
            network=self.network,
            players=self.players,
            data=tuple(data),
            held_out=self.held_out,
            passes=self.passes,
            keep_gb=self.keep_gb,
            learning=self.learning,
            measure=MeasureSection(games=0),
        )
