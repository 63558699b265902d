"""Masked PPO on Limes for one player, in torch: a batch of games in the kernel, a small network, one core.

    python examples/rl/ppo.py --seconds 600 --seed 1 --out ppo-1.json

A position has hundreds of turns, so the policy chooses a turn as a sequence of actions: the cell and rotation of the
card, the worker, and its target. The mask gives illegal actions the probability 0.
"""

from __future__ import annotations

import argparse
from typing import NamedTuple

import numpy as np
import torch
from curve import Curve
from torch import Tensor, nn

import limina.rl

GAMES, STEPS = 512, 32
"""Number of games in a rollout, and of steps in each game."""
EPOCHS, MINIBATCH = 2, 512
LEARNING_RATE = 1e-3
"""Learning rate of the first steps. It falls to a tenth."""
CLIP, ENTROPY_WEIGHT, VALUE_WEIGHT = 0.2, 0.01, 0.5
DISCOUNT, LAMBDA = 0.95, 0.8
"""Low, because the effect of an action shows mostly in its turn and the next ones. Later rewards are mostly noise."""
REWARD_SCALE = 3.0
"""Points that are a reward of 1 for the network."""


class Observation(NamedTuple):
    """Observations of some positions, with the masks of legal actions."""

    features: Tensor
    """Planes and vector, concatenated."""
    mask: Tensor


class Network(nn.Module):
    """Policy and value with two shared layers."""

    def __init__(self, batch: limina.rl.Batch, width: int = 256, half: bool = True) -> None:
        super().__init__()
        self.half_precision = half
        n_features = int(np.prod(batch.sizes.planes_shape)) + batch.sizes.vector_length
        first, second = nn.Linear(n_features, width), nn.Linear(width, width)
        for layer in (first, second):
            nn.init.orthogonal_(layer.weight, 2**0.5)
            nn.init.zeros_(layer.bias)
        with torch.no_grad():
            first.weight[:, -4:-2] /= (
                10  # supply and placed cards are counts, while all other features are about 0 or 1
            )
        heads = nn.Linear(width, batch.sizes.n_actions + 1)
        nn.init.normal_(heads.weight, std=0.01)  # at first all actions are about equally likely
        self.layers = nn.Sequential(first, nn.ReLU(), second, nn.ReLU(), heads)

    def forward(self, observation: Observation) -> tuple[Tensor, Tensor]:
        """Return the logits of all actions, and the value."""
        with torch.autocast("cpu", torch.bfloat16, enabled=self.half_precision):
            output = self.layers(observation.features.float()).float()
        return output[:, :-1].masked_fill(observation.mask == 0, -1e9), output[:, -1]


def observe(batch: limina.rl.Batch) -> Observation:
    """Return a copy of the batch's current observations."""
    features = np.concatenate([batch.planes.reshape(batch.n, -1), batch.vector], 1)
    return Observation(torch.from_numpy(features), torch.from_numpy(batch.action_mask.copy()))


def sample(probabilities: Tensor) -> Tensor:
    """Return a random action for each row, by inverse transform sampling."""
    sums = probabilities.cumsum(1)
    return torch.searchsorted(sums, torch.rand(len(sums), 1) * sums[:, -1:], right=True)[:, 0]


@torch.no_grad()
def evaluate(network: Network, games: int = 1024, seed: int = 12345) -> np.ndarray:
    """Return the totals of games that are not used for learning, with the most likely action in each step."""
    batch = limina.rl.batch("limes", games, autoreset="never", reward="final")
    batch.reset(seed=seed)
    totals = np.zeros(games)
    while not batch.ended.all():
        rewards, _ = batch.step(network(observe(batch))[0].argmax(1).numpy())
        totals += rewards
    return totals


class Rollout(NamedTuple):
    """Steps of a batch of games. The first dimension is time, the second the games."""

    observations: Observation
    actions: Tensor
    log_probabilities: Tensor
    values: Tensor
    rewards: Tensor
    ended: Tensor
    final_values: Tensor
    """Values of the positions after the last step."""


@torch.no_grad()
def play(network: Network, batch: limina.rl.Batch) -> Rollout:
    """Return a rollout of the policy."""
    steps = []
    for _ in range(STEPS):
        observation = observe(batch)
        logits, values = network(observation)
        probabilities = logits.softmax(1)
        actions = sample(probabilities)
        log_probabilities = probabilities.gather(1, actions[:, None])[:, 0].log()
        rewards, ended = (torch.from_numpy(array.copy()) for array in batch.step(actions.numpy()))
        steps.append((*observation, actions, log_probabilities, values, rewards / REWARD_SCALE, ended))
    features, masks, *others = (torch.stack(tensors) for tensors in zip(*steps, strict=True))
    return Rollout(Observation(features, masks), *others, network(observe(batch))[1])


def estimate_advantages(rollout: Rollout) -> Tensor:
    """Return the advantage of each action by generalized advantage estimation."""
    advantages = torch.zeros_like(rollout.values)
    next_values, advantage = rollout.final_values, torch.zeros_like(rollout.final_values)
    for step in reversed(range(STEPS)):
        continues = 1 - rollout.ended[step].float()
        td_error = rollout.rewards[step] + DISCOUNT * continues * next_values - rollout.values[step]
        advantage = td_error + DISCOUNT * LAMBDA * continues * advantage
        advantages[step], next_values = advantage, rollout.values[step]
    return advantages


def learn(network: Network, optimizer: torch.optim.Optimizer, rollout: Rollout) -> None:
    """Update the network with some epochs of PPO on a rollout."""
    advantages = estimate_advantages(rollout)
    returns = (advantages + rollout.values).flatten()
    advantages, actions = advantages.flatten(), rollout.actions.flatten()
    old_log_probabilities = rollout.log_probabilities.flatten()
    observations = Observation(*(tensor.flatten(0, 1) for tensor in rollout.observations))
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(actions)).split(MINIBATCH):
            logits, values = network(Observation(*(tensor.index_select(0, rows) for tensor in observations)))
            log_probabilities = logits.log_softmax(1)
            ratio = (log_probabilities.gather(1, actions[rows, None])[:, 0] - old_log_probabilities[rows]).exp()
            advantage = advantages[rows]
            advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
            policy_loss = -torch.min(ratio * advantage, ratio.clamp(1 - CLIP, 1 + CLIP) * advantage).mean()
            entropy = -(logits.softmax(1) * log_probabilities).sum(1).mean()
            value_loss = nn.functional.mse_loss(values, returns[rows])
            optimizer.zero_grad()
            (policy_loss + VALUE_WEIGHT * value_loss - ENTROPY_WEIGHT * entropy).backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()


def main() -> None:
    """Learn for some seconds, and write the learning curve."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=600, help="processor time for learning, without evaluations")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", help="JSON file for the learning curve")
    parser.add_argument("--float32", action="store_true", help="for processors without fast bfloat16")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(arguments.seed)
    batch = limina.rl.batch("limes", GAMES)
    batch.reset(seed=arguments.seed)
    network = Network(batch, half=not arguments.float32)
    optimizer = torch.optim.Adam(network.parameters(), LEARNING_RATE, eps=1e-5, fused=True)
    curve = Curve("ppo", arguments.seed, arguments.seconds, arguments.out)
    steps = 0
    while curve.continues(steps, lambda: evaluate(network)):
        for group in optimizer.param_groups:
            group["lr"] = LEARNING_RATE * (1 - 0.9 * curve.progress)
        learn(network, optimizer, play(network, batch))
        steps += GAMES * STEPS


if __name__ == "__main__":
    main()
