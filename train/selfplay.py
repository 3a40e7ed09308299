"""`python -m train.selfplay --config configs/selfplay_2p.yaml`: masked PPO by self-play.

The algorithm, from top to bottom: advantages by seat; the losses; learning, and the loop around
it. One network plays all seats and learns from all of them. Beside it: playing (`rollouts`; on a
cluster `ray_rollouts`), its opponents (`pool`), the settings (`selfplay_config`), the log's columns
(`selfplay_log`), and what all training programs share (`run`, `command`).

A decision belongs to its seat. What it is paid is all that its seat gets until that seat decides
again or the game ends, mostly in somebody else's turn; so losers learn of their losses. Decisions
that still wait for this when a rollout ends are carried into the next.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import torch

from nijar_env import Box

from .command import Program, run_program
from .evaluate import masked, most_likely
from .inputs import Reader
from .ladder import check_agents, ladder_values, measure
from .networks import check_finite, make_network
from .pool import total
from .progress import Clock, Meter
from .rollouts import NOBODY, Floats, Seats, Shard, Trajectories, Truths, shards_of
from .run import Run
from .selfplay_config import SelfPlayConfig
from .selfplay_log import (
    EVALUATION,
    LEARNING,
    LOSSES,
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


class SelfPlay:
    """A training run, update by update.

    Args:
        run: its folder, new or to be gone on with.
        config, box, device, command: of the run.
        ray: play on the Ray cluster that this process is connected to.

    Raises:
        WeightsError: `start_from` does not fit.
        ValueError: the network's options.
    """

    def __init__(
        self,
        run: Run,
        config: SelfPlayConfig,
        box: Box,
        device: torch.device,
        command: str,
        ray: bool = False,
    ) -> None:
        self.config, self.device = config, device
        self._run, self._box, self._command = run, box, command
        self._clock = Clock()
        players, ppo = config.players, config.ppo
        if players > 1:
            check_agents({*config.opponents.scripted, *config.evaluation.opponents}, players, box)
        self.network = make_network(config.network.kind, players, config.network.options)
        self.network.use_box(box)
        self.network.to(device)
        self.optimizer = torch.optim.Adam(self.network.parameters(), ppo.learning_rate, eps=1e-5)
        self.reader = Reader(self.network.reads)
        size = self.reader.size(players)
        self.kept = Trajectories(ppo.steps, config.games, players, size, device)
        self.shards = [
            Shard(config, box, index, self.kept.part(games), self.network, self.reader)
            for index, games in enumerate(shards_of(config))
        ]
        self.update = 0
        self.best = [-math.inf, 0]  # the best mean margin on the ladder, and the steps until then
        if run.state is not None:
            self._restore(run.state)
        elif config.start_from is not None:
            begin_with(self.network, config.start_from, box)
            self._keep_past_self()  # the first
        self._elsewhere: Any = None
        if ray:
            from .ray_rollouts import RayRollouts

            self._elsewhere = RayRollouts(config, box)
        run.begin()

    def state(self) -> dict[str, Any]:
        """All that it takes to go on exactly."""
        games = [batch_state(shard.batch) for shard in self.shards]
        return {
            "update": self.update,
            "finished_games": self.finished_games,
            "best": self.best,
            "network": self.network.state_dict(),
            "optimizer": optimizer_state(self.optimizer),
            "games": {name: np.concatenate([one[name] for one in games]) for name in games[0]},
            "open": self.kept.state(),
            "pool": self.shards[0].pool.state(),
            "shards": [
                {"pool": shard.pool.state(past=False), "random": shard.generator.get_state()}
                for shard in (self.shards if self.config.shards > 1 else ())
            ],
        }

    def _restore(self, state: Mapping[str, Any]) -> None:
        self.update, self.best = state["update"], state["best"]
        self.network.load_state_dict(state["network"])
        restore_optimizer(self.optimizer, state["optimizer"])
        self.kept.restore(state["open"])
        for shard, games in zip(self.shards, shards_of(self.config), strict=True):
            restore_batch(shard.batch, {name: a[games] for name, a in state["games"].items()})
            shard.pool.restore_past(state["pool"]["born"], state["pool"]["past"], self.network)
            shard.rewards.look()
        self.shards[0].pool.restore(state["pool"], self.network)
        # A single shard draws from PyTorch's own generator, which the run restores.
        for shard, own in zip(self.shards, state.get("shards", ()), strict=False):
            shard.pool.restore(own["pool"])
            shard.generator.set_state(own["random"])
        self.shards[0].finished_games = state["finished_games"]

    @property
    def finished_games(self) -> int:
        """Of all shards."""
        return sum(shard.finished_games for shard in self.shards)

    @property
    def vp_share(self) -> float:
        """The share of VP in the reward now."""
        return self.shards[0].rewards.share(self.progress)

    def _keep_past_self(self) -> None:
        for shard in self.shards:
            shard.pool.add(self.network, self.update)

    @property
    def progress(self) -> float:
        """The part of the run that is done, 0 to 1."""
        return min(self.update / self.config.updates, 1.0)

    def _between(self, begin: float, end: float) -> float:
        """A setting that changes in a line over the run."""
        return begin + (end - begin) * self.progress

    # -- playing ---------------------------------------------------------------------------------

    def play(self) -> None:
        """Take `ppo.steps` steps in every game, and keep the learner's decisions."""
        share = self.vp_share
        if self._elsewhere is not None:
            self._elsewhere.play(self.shards, self.network, self.update, share, self._clock)
            return
        for shard in self.shards:
            shard.play(self.update, share, self._clock)

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
        data = {name: tensor.flatten(0, 1) for name, tensor in kept.tensors().items()}
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
        values = {"learning/vp_share": self.vp_share}
        with clock(OTHER):
            self.play()
            with clock(LEARNING):
                values.update({f"learning/{name}": v for name, v in self.learn().items()})
            check_finite(self.network)
            self.update += 1
            if self.update % config.opponents.snapshot_every == 0:
                self._keep_past_self()
            report = total([shard.pool.report() for shard in self.shards])
            values.update(opponent_values(report), games=self.finished_games)
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


def no_shards(config: SelfPlayConfig) -> str:
    """What is wrong with having a cluster play; "" if nothing is."""
    if config.shards > 1:
        return ""
    return "the games are one shard, so there is nothing to hand out; set shards=2 or more"


PROGRAM: Final = Program(
    name="selfplay",
    description="Train a network by self-play; the same command goes on with a stopped run.",
    config=SelfPlayConfig,
    players=lambda config: config.players,
    columns=columns_of,
    begin=SelfPlay,
    ray=no_shards,
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    return run_program(PROGRAM, argv)


if __name__ == "__main__":
    sys.exit(main())
