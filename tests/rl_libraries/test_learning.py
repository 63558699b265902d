"""Masked PPO of Stable-Baselines3: it runs, and chooses no illegal actions."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import pytest

checker = pytest.importorskip(
    "stable_baselines3.common.env_checker", reason="Stable-Baselines3 is not installed: `make test-rl` tries to"
)
torch = pytest.importorskip("torch", reason="torch is not installed: `make test-rl` tries to")
contrib = pytest.importorskip("sb3_contrib", reason="sb3-contrib is not installed: `make test-rl` tries to")

torch.set_num_threads(1)  # with a small network, several threads only wait for each other

NAMES: list[tuple[str, dict[str, Any]]] = [("limina/Limes-v0", {}), ("limina/Limit-v0", {"size": 4})]


@pytest.mark.parametrize(("name", "options"), NAMES)
def test_stable_baselines_checker_passes(name: str, options: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about planes that are not images
        checker.check_env(gymnasium.make(f"limina.rl:{name}", **options).unwrapped)


@pytest.mark.parametrize(("name", "options"), NAMES)
def test_masked_ppo_chooses_no_illegal_action(name: str, options: dict[str, Any]) -> None:
    illegal_reward = -1000.0
    env = gymnasium.make(f"limina.rl:{name}", illegal_reward=illegal_reward, **options).unwrapped
    model = contrib.MaskablePPO("MultiInputPolicy", env, n_steps=128, batch_size=128, n_epochs=2, seed=1, device="cpu")
    model.learn(256)
    episode_rewards = [episode["r"] for episode in model.ep_info_buffer]
    assert episode_rewards
    assert min(episode_rewards) > illegal_reward / 2
