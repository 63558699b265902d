"""Masked PPO on Limes alone, in one file: a batch of games in the kernel, a small network in torch, one core.

    python examples/rl/ppo.py --seconds 600 --seed 1 --out ppo-1.json

A position has hundreds of turns, so the policy makes a turn click by click: where the card goes and how it is turned,
which worker, where to. What may be clicked is in the mask, and all other clicks have no probability at all.
"""

from __future__ import annotations

import argparse
from typing import NamedTuple

import numpy as np
import torch
from curve import Curve
from torch import Tensor, nn

import limina.rl

GAMES, STEPS = 512, 32  # of a rollout: games side by side, clicks in each
EPOCHS, MINIBATCH = 2, 512
RATE = 1e-3  # of the first steps; it falls to a tenth
CLIP, ENTROPY, VALUE_SHARE = 0.2, 0.01, 0.5
# What a click is worth shows mostly in the same turn and the next ones; what comes later is mostly noise to it.
DISCOUNT, LAMBDA = 0.95, 0.8
POINTS = 3.0  # what counts as one to the network


class Seen(NamedTuple):
    """What the network sees of some positions, and what may be clicked there."""

    board: Tensor  # planes and vector, one after the other
    mask: Tensor


class Network(nn.Module):
    """Two layers that policy and value share."""

    def __init__(self, batch: limina.rl.Batch, width: int = 256, half: bool = True) -> None:
        super().__init__()
        self.half_precision = half
        seen = int(np.prod(batch.sizes.planes_shape)) + batch.sizes.vector_length
        first, second = nn.Linear(seen, width), nn.Linear(width, width)
        for layer in (first, second):
            nn.init.orthogonal_(layer.weight, 2**0.5)
            nn.init.zeros_(layer.bias)
        with torch.no_grad():
            first.weight[:, -4:-2] /= 10  # supply and cards laid are counts: all else that is seen is mostly 0 or 1
        ends = nn.Linear(width, batch.sizes.n_actions + 1)
        nn.init.normal_(ends.weight, std=0.01)  # at first all clicks are about equally likely
        self.layers = nn.Sequential(first, nn.ReLU(), second, nn.ReLU(), ends)

    def forward(self, seen: Seen) -> tuple[Tensor, Tensor]:
        """The logits of all clicks, and the value."""
        with torch.autocast("cpu", torch.bfloat16, enabled=self.half_precision):
            found = self.layers(seen.board.float()).float()
        return found[:, :-1].masked_fill(seen.mask == 0, -1e9), found[:, -1]


def seen_now(batch: limina.rl.Batch) -> Seen:
    """What a batch shows now, kept apart from what it will write next."""
    board = np.concatenate([batch.planes.reshape(batch.n, -1), batch.vector], 1)
    return Seen(torch.from_numpy(board), torch.from_numpy(batch.action_mask.copy()))


def drawn(chances: Tensor) -> Tensor:
    """A click for each row by the policy's probabilities: where their sum passes a random number."""
    sums = chances.cumsum(1)
    return torch.searchsorted(sums, torch.rand(len(sums), 1) * sums[:, -1:], right=True)[:, 0]


@torch.no_grad()
def evaluate(network: Network, games: int = 1024, seed: int = 12345) -> np.ndarray:
    """The totals of games that were not learned from, with the most likely click each time."""
    batch = limina.rl.batch("limes", games, autoreset="never", reward="final")
    batch.reset(seed=seed)
    totals = np.zeros(games)
    while not batch.ended.all():
        rewards, _ = batch.step(network(seen_now(batch))[0].argmax(1).numpy())
        totals += rewards
    return totals


class Rollout(NamedTuple):
    """Clicks that were made, with all that is needed to learn from them; time first, then games."""

    seen: Seen
    clicks: Tensor
    logs: Tensor
    values: Tensor
    rewards: Tensor
    ended: Tensor
    after: Tensor
    """The value of where the last click led to."""


@torch.no_grad()
def play(network: Network, batch: limina.rl.Batch) -> Rollout:
    """Play on for some steps."""
    steps = []
    for _ in range(STEPS):
        seen = seen_now(batch)
        logits, value = network(seen)
        chances = logits.softmax(1)
        click = drawn(chances)
        log = chances.gather(1, click[:, None])[:, 0].log()
        rewards, ended = batch.step(click.numpy())
        steps.append((*seen, click, log, value, torch.from_numpy(rewards / POINTS), torch.from_numpy(ended.copy())))
    board, mask, *others = (torch.stack(each) for each in zip(*steps, strict=True))
    return Rollout(Seen(board, mask), *others, network(seen_now(batch))[1])


def advantages(rollout: Rollout) -> Tensor:
    """How much better than expected it went after each click, further clicks counting less and less."""
    found = torch.zeros_like(rollout.values)
    after, ahead = rollout.after, torch.zeros_like(rollout.after)
    for step in reversed(range(STEPS)):
        goes_on = 1 - rollout.ended[step].float()
        surprise = rollout.rewards[step] + DISCOUNT * goes_on * after - rollout.values[step]
        ahead = surprise + DISCOUNT * LAMBDA * goes_on * ahead
        found[step], after = ahead, rollout.values[step]
    return found


def learn(network: Network, optimizer: torch.optim.Optimizer, rollout: Rollout) -> None:
    """A few passes over what was played, in which the policy may not go far from the one that played."""
    better = advantages(rollout)
    goals = (better + rollout.values).flatten()
    better, clicks, logs = better.flatten(), rollout.clicks.flatten(), rollout.logs.flatten()
    seen = Seen(*(each.flatten(0, 1) for each in rollout.seen))
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(clicks)).split(MINIBATCH):
            logits, value = network(Seen(*(each.index_select(0, rows) for each in seen)))
            log = logits.log_softmax(1)
            ratio = (log.gather(1, clicks[rows, None])[:, 0] - logs[rows]).exp()
            gain = better[rows]
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            policy_loss = -torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
            entropy = -(logits.softmax(1) * log).sum(1).mean()
            value_loss = nn.functional.mse_loss(value, goals[rows])
            optimizer.zero_grad()
            (policy_loss + VALUE_SHARE * value_loss - ENTROPY * entropy).backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()


def main() -> None:
    """Learn for so many seconds, and write how well it plays as it goes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=600, help="of processor time, without the looks at how well")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", help="the curve, as JSON")
    parser.add_argument("--float32", action="store_true", help="for processors that have no quick bfloat16")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(asked.seed)
    batch = limina.rl.batch("limes", GAMES)
    batch.reset(seed=asked.seed)
    network = Network(batch, half=not asked.float32)
    optimizer = torch.optim.Adam(network.parameters(), RATE, eps=1e-5, fused=True)
    curve = Curve("ppo", asked.seed, asked.seconds, asked.out)
    clicks = 0
    while curve.goes_on(clicks, lambda: evaluate(network)):
        for group in optimizer.param_groups:
            group["lr"] = RATE * (1 - 0.9 * curve.share)
        learn(network, optimizer, play(network, batch))
        clicks += GAMES * STEPS


if __name__ == "__main__":
    main()
