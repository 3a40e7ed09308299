"""TorchRL's PPO in solo games: the mask goes from the environment into `MaskedCategorical`.

pip install nijar-env torchrl
python examples/integrations/torchrl_ppo.py --iterations 20
"""

from __future__ import annotations

import argparse
from importlib.metadata import version

import gymnasium
import torch
from tensordict.nn import ProbabilisticTensorDictModule as Sampler
from tensordict.nn import ProbabilisticTensorDictSequential, TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import GymWrapper, RewardScaling, RewardSum, TransformedEnv
from torchrl.envs.transforms import ActionMask, Compose
from torchrl.modules import MaskedCategorical, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import nijar_env  # noqa: F401 (registers the ids)


def solo(seed: int) -> TransformedEnv:
    """One player against the Competition; VP as they come, in tens."""
    env = GymWrapper(
        gymnasium.make("nijar_env/Nijar-Solo-v0", reward="vp"), categorical_action_encoding=True
    )
    # ActionMask also keeps the environment's own random actions legal.
    changed = TransformedEnv(
        env, Compose(ActionMask(), RewardScaling(loc=0.0, scale=0.1), RewardSum())
    )
    changed.set_seed(seed)
    return changed


def body(size: int, out: int) -> nn.Module:
    """A small network."""
    return nn.Sequential(nn.Linear(size, 128), nn.ReLU(), nn.Linear(128, out))


class Logits(nn.Module):
    """The policy's network, and the mask as the distribution wants it."""

    def __init__(self, size: int, actions: int) -> None:
        super().__init__()
        self.body = body(size, actions)

    def forward(
        self, observation: torch.Tensor, mask: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits and a boolean mask; where a game is over, all actions are as good as any."""
        legal = mask.bool()
        return self.body(observation), legal | ~legal.any(-1, keepdim=True)


def main() -> None:
    """Train for some iterations and print the returns of finished games."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iterations", type=int, default=5)
    parser.add_argument("--batch", type=int, default=500, help="decisions an iteration")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)  # the networks are small

    env = solo(options.seed)
    size = env.observation_spec["observation"].shape[-1]
    actions = env.action_spec.space.n
    actor = ProbabilisticTensorDictSequential(
        TensorDictModule(Logits(size, actions), ["observation", "action_mask"], ["logits", "mask"]),
        Sampler(
            ["logits", "mask"],
            ["action"],
            distribution_class=MaskedCategorical,
            return_log_prob=True,
        ),
    )
    critic = ValueOperator(body(size, 1), in_keys=["observation"])
    loss = ClipPPOLoss(actor, critic, entropy_coeff=0.01)
    advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
    optimizer = torch.optim.Adam(loss.parameters(), lr=3e-4)
    total = options.iterations * options.batch
    collector = Collector(env, actor, frames_per_batch=options.batch, total_frames=total)
    for number, data in enumerate(collector):
        taken = data["action"].unsqueeze(-1)
        assert bool(data["action_mask"].gather(-1, taken).all())  # legal, every one
        for _ in range(4):
            with torch.no_grad():
                advantage(data)
            for rows in torch.randperm(len(data)).split(128):
                losses = loss(data[rows])
                value = losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]
                optimizer.zero_grad()
                value.backward()
                nn.utils.clip_grad_norm_(loss.parameters(), 1.0)
                optimizer.step()
        ended = data["next", "done"].squeeze(-1)
        returns = 10 * data["next", "episode_reward"][ended]
        mean = f"{returns.mean():.1f} VP" if len(returns) else "-"
        print(f"iteration {number}: {int(ended.sum())} games ended, {mean}")
    collector.shutdown()
    print(f"torchrl {version('torchrl')}: trained on {total:,} decisions")


if __name__ == "__main__":
    main()
