"""`python -m train.selfplay --config configs/selfplay_2p.yaml`: masked PPO by self-play.

The whole algorithm, from top to bottom: rewards; trajectories by seat and their advantages; the
losses; playing, learning, and the loop around them. One network plays all seats and learns from
all of them. Beside it: its opponents (`pool`), the settings (`selfplay_config`), the log's columns
(`selfplay_log`), and what all training programs share (`run`, `command`).

A decision belongs to its seat. What it is paid is all that its seat gets until that seat decides
again or the game ends, mostly in somebody else's turn; so losers learn of their losses. Decisions
that still wait for this when a rollout ends are carried into the next.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch

from nijar_env import Box, GameBatch
from nijar_env.components.vocabulary import DIFFICULTIES
from nijar_env.core.catalogue import NUM_GAME_ACTIONS
from nijar_env.core.constants import MARGIN_SCALE

from .command import Program, run_program
from .evaluate import masked, most_likely, sample
from .inputs import Reader
from .ladder import ladder_values, measure
from .networks import make_network
from .pool import Pool
from .progress import Clock, Meter
from .run import Run
from .selfplay_config import RewardSection, SelfPlayConfig
from .selfplay_log import (
    ENVIRONMENT,
    EVALUATION,
    INFERENCE,
    LEARNING,
    LOSSES,
    OPPONENTS,
    OTHER,
    columns_of,
    draw_ladder,
    opponent_values,
    shown,
    speed_line,
    times,
)
from .state import batch_state, optimizer_state, restore_batch, restore_optimizer
from .weights import begin_with, write_weights

BEST, LAST, CURVE = "best.safetensors", "last.safetensors", "learning-curve.png"
NOBODY: Final = -1  # the seat of a slot without a decision of the learner

Rows = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]
Seats = npt.NDArray[np.int8]
Truths = npt.NDArray[np.bool_]


# --- rewards ------------------------------------------------------------------------------------


class Rewards:
    """The rewards of a batch's seats, with VP as they come mixed in at first.

    A seat gets (1 - share) × scheme + share × VP / 50, where the share falls in a line from
    `vp_share` to nothing. "outcome" and "margin" come at the end of a game (see `GameBatch`). VP
    are its own, less `rival` times those of the others on average, the Competition's in solo.
    """

    def __init__(self, batch: GameBatch, config: RewardSection) -> None:
        self._batch, self._config = batch, config
        self._seats = int(batch.games[0]["num_seats"])
        self.look()

    def look(self) -> None:
        """Note the VP as they stand."""
        self._vp = self._batch.games["vp"][:, : self._seats].astype(np.float32)

    def share(self, progress: float) -> float:
        """The share of VP in the reward, `progress` (0 to 1) of the way through the run."""
        if progress >= self._config.vp_until:
            return 0.0
        return self._config.vp_share * (1 - progress / self._config.vp_until)

    def of_step(self, share: float) -> Floats:
        """float32 (B, players): of the step that the batch has just taken."""
        players = self._batch.num_players
        paid = self._batch.rewards[:, :players]
        if self._config.scheme == "vp":
            return self._gained()[:, :players]
        if share == 0.0:
            return paid
        gained = self._gained()[:, :players]
        return np.asarray((1 - share) * paid + share * gained, np.float32)

    def _gained(self) -> Floats:
        """VP / 50 since the last look, less the rivals' share; float32 (B, seats)."""
        batch, before, seats = self._batch, self._vp, self._seats
        self.look()
        gained = np.where(batch.dones[:, None], batch.final_scores[:, :seats], self._vp) - before
        if self._config.rival:
            others = (gained.sum(axis=1, keepdims=True) - gained) / (seats - 1)
            gained = gained - self._config.rival * others
        return np.asarray(gained / MARGIN_SCALE, np.float32)


# --- trajectories by seat -----------------------------------------------------------------------


def seat_advantages(
    rewards: Floats, seats: Seats, values: Floats, dones: Truths, gamma: float, lam: float
) -> tuple[Floats, Truths, Floats]:
    """Generalised advantage estimates (Schulman et al. 2016) over each seat's own decisions.

    Args:
        rewards: float32 (T, B, players): what every seat got in a step, whoever acted.
        seats: int8 (T, B): who decided; NOBODY: no decision.
        values: float32 (T, B): estimates at the decisions.
        dones: bool (T, B): the game ended in this step, and the next one began.
        gamma: discount from one of a seat's decisions to its next.
        lam: weight of longer differences.

    Returns:
        Advantages, float32 (T, B), 0 where not complete; complete, bool (T, B): whether the seat
        has decided again or the game has ended since; paid, float32 (T, B): what the seat got from
        the decision until then. A series that goes on ends in the value of its seat's last
        decision, which is not complete.
    """
    advantages, paid = np.zeros_like(values), np.zeros_like(values)
    complete = np.zeros(seats.shape, np.bool_)
    # By game and seat, walking back in time: what the seat has got since its last decision (that
    # is, until the decision that comes next on this walk), and of the decision after that its
    # value, its advantage and whether there is one.
    owed, value, advantage = (np.zeros(rewards.shape[1:], np.float32) for _ in range(3))
    known = np.zeros(rewards.shape[1:], np.bool_)
    for t in range(len(seats) - 1, -1, -1):
        for later in (owed, value, advantage):
            later[dones[t]] = 0.0  # nothing of the next game belongs to this one,
        known[dones[t]] = True  # and after this game there is nothing to wait for
        owed += rewards[t]
        rows = np.flatnonzero(seats[t] != NOBODY)
        at = rows, seats[t, rows]
        error = owed[at] + gamma * value[at] - values[t, rows]
        complete[t, rows] = known[at]
        advantages[t, rows] = np.where(known[at], error + gamma * lam * advantage[at], 0.0)
        paid[t, rows] = owed[at]
        owed[at], value[at], advantage[at] = 0.0, values[t, rows], advantages[t, rows]
        known[at] = True
    return advantages, complete, paid


class Trajectories:
    """A rollout: T = players + steps slots of B games; in memory of the device, where it is large.

    The first slots, one a seat, hold the decisions that the last rollout left open, with what they
    were paid so far.
    """

    def __init__(
        self, steps: int, games: int, players: int, size: int, device: torch.device
    ) -> None:
        shape = (players + steps, games)
        self.players = players
        self.observations = torch.zeros((*shape, size), device=device)
        self.masks = torch.zeros((*shape, NUM_GAME_ACTIONS), dtype=torch.bool, device=device)
        self.actions = torch.zeros(shape, dtype=torch.int64, device=device)
        self.log_probs = torch.zeros(shape, device=device)
        self.values = torch.zeros(shape, device=device)
        self.seats = np.full(shape, NOBODY, np.int8)
        self.rewards = np.zeros((*shape, players), np.float32)
        self.dones = np.zeros(shape, np.bool_)

    def _tensors(self) -> dict[str, torch.Tensor]:
        names = ("observations", "masks", "actions", "log_probs", "values")
        return {name: getattr(self, name) for name in names}

    def carry(self, complete: Truths, paid: Floats) -> None:
        """Move the open decisions, one of a game's seat at most, to the slots of their seats."""
        slots, games = np.nonzero((self.seats != NOBODY) & ~complete)
        seats, owed = self.seats[slots, games], paid[slots, games]
        for tensor in self._tensors().values():
            tensor[seats.astype(np.int64), games] = tensor[slots, games]
        self.seats[: self.players], self.rewards[: self.players] = NOBODY, 0.0
        self.seats[seats, games] = seats
        self.rewards[seats, games, seats] = owed

    def state(self) -> dict[str, Any]:
        """The open decisions, all that there is between two rollouts."""
        first = slice(0, self.players)
        carried = {name: tensor[first].clone() for name, tensor in self._tensors().items()}
        return {**carried, "seats": self.seats[first].copy(), "rewards": self.rewards[first].copy()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Set a new object of the same shape to a state."""
        for name, kept in state.items():
            getattr(self, name)[: self.players] = kept


# --- the algorithm ------------------------------------------------------------------------------


def policy_losses(
    logits: torch.Tensor,
    actions: torch.Tensor,
    old_log_probs: torch.Tensor,
    advantages: torch.Tensor,
    clip: float,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """The clipped loss, and entropy, KL divergence from the old policy and the share clipped.

    Args:
        logits: (B, actions), masked.
        actions, old_log_probs, advantages: (B,), the latter two as they were at play.
        clip: how far the odds of an action may move.
    """
    all_log_probs = torch.log_softmax(logits, 1)
    change = all_log_probs.gather(1, actions[:, None])[:, 0] - old_log_probs
    ratio = change.exp()
    clamped = ratio.clamp(1 - clip, 1 + clip)
    loss = -torch.minimum(ratio * advantages, clamped * advantages).mean()
    entropy = -(all_log_probs.exp() * all_log_probs).sum(1).mean()
    kl = (ratio - 1 - change).mean()  # an estimate that is never negative (Schulman 2020)
    return loss, entropy, kl, ((ratio - 1).abs() > clip).float().mean()


def explained(targets: Floats, values: Floats) -> float:
    """The share of the targets' variance that the values explain."""
    spread = float(np.var(targets)) if len(targets) else 0.0
    return 1.0 - float(np.var(targets - values)) / spread if spread else 0.0


def make_batch(config: SelfPlayConfig, box: Box) -> GameBatch:
    """The games to learn from; of "mixed" difficulty a third of them is of each."""
    mixed = config.difficulty == "mixed"
    batch = GameBatch(
        config.games,
        config.players,
        seed=config.seed,
        difficulty=DIFFICULTIES[0] if mixed else config.difficulty,
        components=box,
        reward=config.reward.scheme,
        threads=config.game_threads,
    )
    if mixed and config.players == 1:
        batch.games["difficulty"] = np.arange(config.games) % len(DIFFICULTIES)
        batch.reset(config.seed)
    return batch


class SelfPlay:
    """A training run, update by update.

    Args:
        run: its folder, new or to be gone on with.
        config, box, device, command: of the run.

    Raises:
        WeightsError: `start_from` does not fit.
        ValueError: the network's options.
    """

    def __init__(
        self, run: Run, config: SelfPlayConfig, box: Box, device: torch.device, command: str
    ) -> None:
        self.config, self.device = config, device
        self._run, self._box, self._command = run, box, command
        self._clock = Clock()
        players, ppo, beside = config.players, config.ppo, config.opponents
        self.batch = make_batch(config, box)
        self.network = make_network(config.network.kind, players, config.network.options)
        self.network.use_box(box)
        self.network.to(device)
        self.optimizer = torch.optim.Adam(self.network.parameters(), ppo.learning_rate, eps=1e-5)
        self.reader = Reader(self.network.reads)
        size = self.reader.size(players)
        self.kept = Trajectories(ppo.steps, config.games, players, size, device)
        self.pool = Pool(
            self.batch, beside.itself, beside.past, beside.scripted, beside.snapshots, config.seed
        )
        self.rewards = Rewards(self.batch, config.reward)
        self.update = self.finished_games = 0
        self.best = [-math.inf, 0]  # the best mean margin on the ladder, and the steps until then
        if run.state is not None:
            self._restore(run.state)
        elif config.start_from is not None:
            begin_with(self.network, config.start_from, box)
            self.pool.add(self.network, 0)  # the first past self
        run.begin()

    def state(self) -> dict[str, Any]:
        """All that it takes to go on exactly."""
        return {
            "update": self.update,
            "finished_games": self.finished_games,
            "best": self.best,
            "network": self.network.state_dict(),
            "optimizer": optimizer_state(self.optimizer),
            "games": batch_state(self.batch),
            "open": self.kept.state(),
            "pool": self.pool.state(),
        }

    def _restore(self, state: Mapping[str, Any]) -> None:
        self.update, self.finished_games = state["update"], state["finished_games"]
        self.best = state["best"]
        self.network.load_state_dict(state["network"])
        restore_optimizer(self.optimizer, state["optimizer"])
        restore_batch(self.batch, state["games"])
        self.kept.restore(state["open"])
        self.pool.restore(state["pool"], self.network)
        self.rewards.look()

    @property
    def progress(self) -> float:
        """The part of the run that is done, 0 to 1."""
        return min(self.update / self.config.updates, 1.0)

    def _between(self, begin: float, end: float) -> float:
        """A setting that changes in a line over the run."""
        return begin + (end - begin) * self.progress

    # -- playing ---------------------------------------------------------------------------------

    @torch.inference_mode()
    def play(self) -> None:
        """Take `ppo.steps` steps in every game, and keep the learner's decisions."""
        kept, batch, clock = self.kept, self.batch, self._clock
        share = self.rewards.share(self.progress)
        self.pool.begin(self.update)
        for slot in range(kept.players, len(kept.seats)):
            with clock(ENVIRONMENT):
                seen = self.reader.of_batch(batch)
            with clock(INFERENCE):
                kept.observations[slot] = torch.from_numpy(seen)
                kept.masks[slot] = torch.from_numpy(batch.action_masks)
                learner = self.pool.learner_acts()
                kept.seats[slot] = np.where(learner, batch.current_players, NOBODY)
                actions = self._decide(slot, np.flatnonzero(learner))
            with clock(OPPONENTS):
                self.pool.act(actions, partial(self._past, slot))
            with clock(ENVIRONMENT):
                batch.step(actions)
            kept.rewards[slot] = self.rewards.of_step(share)
            kept.dones[slot] = batch.dones
            if batch.dones.any():
                self.finished_games += int(batch.dones.sum())
                self.pool.finish(np.flatnonzero(batch.dones))

    def _decide(self, slot: int, rows: Rows) -> Rows:
        """The learner's actions in the games `rows`, written to their slot too; (B,)."""
        kept, actions = self.kept, np.zeros(len(self.batch), np.int64)
        if len(rows):
            at = torch.from_numpy(rows).to(self.device)
            logits, values = self.network(kept.observations[slot, at])
            log_probs = torch.log_softmax(masked(logits, kept.masks[slot, at]), 1)
            chosen = sample(log_probs)
            kept.actions[slot, at], kept.values[slot, at] = chosen, values
            kept.log_probs[slot, at] = log_probs.gather(1, chosen[:, None])[:, 0]
            actions[rows] = chosen.cpu().numpy()
        return actions

    def _past(self, slot: int, network: Any, rows: Rows) -> Rows:
        """The actions of a past self in the games `rows`."""
        at = torch.from_numpy(rows).to(self.device)
        logits, _ = network(self.kept.observations[slot, at])
        chosen = sample(torch.log_softmax(masked(logits, self.kept.masks[slot, at]), 1))
        return np.asarray(chosen.cpu().numpy(), np.int64)

    # -- learning --------------------------------------------------------------------------------

    def learn(self) -> dict[str, float]:
        """Learn from the complete decisions of the rollout, and carry the others on."""
        kept, ppo = self.kept, self.config.ppo
        values = kept.values.cpu().numpy()
        advantages, complete, paid = seat_advantages(
            kept.rewards, kept.seats, values, kept.dones, ppo.gamma, ppo.gae_lambda
        )
        targets = (advantages + values)[complete]
        figures = {
            "decisions": float(complete.sum()),
            "explained": explained(targets, values[complete]),
        }
        rows = torch.from_numpy(np.flatnonzero(complete)).to(self.device)
        data = {name: tensor.flatten(0, 1) for name, tensor in kept._tensors().items()}
        data["advantages"] = torch.from_numpy(advantages).to(self.device).flatten()
        data["targets"] = data["advantages"] + data["values"]
        if ppo.normalise_advantages and len(rows) > 1:
            own = data["advantages"][rows]
            data["advantages"] = (data["advantages"] - own.mean()) / (own.std() + 1e-8)
        for group in self.optimizer.param_groups:
            group["lr"] = self._between(ppo.learning_rate, ppo.learning_rate_end)
        sums, passes = torch.zeros(len(LOSSES), device=self.device), 0
        parts = max(round(len(rows) / ppo.minibatch), 1)
        for epoch in range(ppo.epochs if len(rows) else 0):
            of_epoch = torch.zeros_like(sums)
            order = rows[torch.randperm(len(rows), device=self.device)]
            for part in torch.tensor_split(order, parts):
                of_epoch += self._learn_from({name: one[part] for name, one in data.items()})
            sums, passes = sums + of_epoch, epoch + 1
            if ppo.target_kl is not None and of_epoch[LOSSES.index("kl")] / parts > ppo.target_kl:
                break
        mean = (sums / max(passes * parts, 1)).tolist()
        kept.carry(complete, paid)
        return {**figures, **dict(zip(LOSSES, mean, strict=True)), "epochs": float(passes)}

    def _learn_from(self, part: Mapping[str, torch.Tensor]) -> torch.Tensor:
        """One step of the optimiser; returns LOSSES."""
        ppo = self.config.ppo
        logits, values = self.network(part["observations"])
        policy_loss, entropy, kl, clipped = policy_losses(
            masked(logits, part["masks"]),
            part["actions"],
            part["log_probs"],
            part["advantages"],
            ppo.clip,
        )
        value_loss = 0.5 * (values - part["targets"]).square().mean()
        bonus = self._between(ppo.entropy, ppo.entropy_end) * entropy
        loss = policy_loss - bonus + ppo.value * value_loss
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(self.network.parameters(), ppo.max_grad_norm)
        self.optimizer.step()
        return torch.stack([policy_loss, value_loss, entropy, kl, clipped, norm]).detach()

    # -- the loop --------------------------------------------------------------------------------

    def train(self) -> dict[str, Any]:
        """Go on to the end, with checkpoints; returns what came of the run."""
        updates, run = self.config.updates, self._run
        with Meter(updates * self.config.steps_per_update, begin=self.steps) as meter:
            if self.update == 0:
                run.log(0, self._measure(meter))
            while self.update < updates:
                self._iterate(meter)
                run.checkpoint(self.state, now=self.update == updates)
        self._export(LAST)
        speed, agent = speed_line(run.rows()), f"ppo:{(run.folder / LAST).as_posix()}"
        print(draw_ladder(run.folder / CURVE, run.rows(), self.config))
        print(f"{speed}\nthe agent: {agent}")
        return {
            "steps": self.steps,
            "games": self.finished_games,
            "best": {"ladder_margin": self.best[0], "step": self.best[1]},
            "seconds": round(run.elapsed(), 1),
            "speed": speed,
            "agent": agent,
        }

    def _iterate(self, meter: Meter) -> None:
        """Play, learn, keep a past self and measure where that is due, log."""
        config, clock = self.config, self._clock
        before = dict(clock.seconds)
        values = {"learning/vp_share": self.rewards.share(self.progress)}
        with clock(OTHER):
            self.play()
            with clock(LEARNING):
                values.update({f"learning/{name}": v for name, v in self.learn().items()})
            self.update += 1
            if self.update % config.opponents.snapshot_every == 0:
                self.pool.add(self.network, self.update)
            values.update(opponent_values(self.pool.report()), games=self.finished_games)
        every = config.evaluation.every_updates
        if every and (self.update % every == 0 or self.update == config.updates):
            values.update(self._measure(meter))
        values.update(times(before, clock.seconds), **{"seconds/run": self._run.elapsed()})
        self._run.log(self.steps, values)
        meter.show(self.steps, shown(values, config))

    @property
    def steps(self) -> int:
        """Environment steps so far."""
        return self.update * self.config.steps_per_update

    def _measure(self, meter: Meter) -> dict[str, float]:
        """Play the ladder with the most likely actions; keep the weights if they are the best."""
        wanted = self.config.evaluation
        policy = most_likely(self.network, self.device)
        with self._clock(EVALUATION):
            results = measure(
                policy,
                wanted.opponents,
                self.config.players,
                wanted.deals,
                seed=wanted.seed,
                box=self._box,
                reader=self.reader,
            )
        meter.tell(f"{self.steps:>11,} steps: " + "; ".join(map(str, results)))
        values = ladder_values(results)
        if values["ladder/margin"] > self.best[0]:
            self.best = [values["ladder/margin"], self.steps]
            self._export(BEST)
        return values

    def _value(self) -> str:
        """What the values are, for the header of the weights; search makes use of "vp"."""
        gamma = self.config.ppo.gamma
        return self.config.reward.scheme + ("" if gamma == 1 else f" discounted by {gamma:g}")

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
                "trained": "selfplay",
                "steps": str(self.steps),
                "seed": str(self.config.seed),
                "value": self._value(),
                "rival": str(self.config.reward.rival),
            },
        )


PROGRAM: Final = Program(
    name="selfplay",
    description="Train a network by self-play; the same command goes on with a stopped run.",
    config=SelfPlayConfig,
    players=lambda config: config.players,
    columns=columns_of,
    begin=SelfPlay,
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    return run_program(PROGRAM, argv)


if __name__ == "__main__":
    sys.exit(main())
