"""A learner of Stable-Baselines3 with masks: that it runs, and that it never clicks where nothing may be clicked."""

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

torch.set_num_threads(1)  # more of them wait for each other longer than so small a network takes

NAMES: list[tuple[str, dict[str, Any]]] = [("limina/Limes-v0", {}), ("limina/Limit-v0", {"size": 4})]


@pytest.mark.parametrize(("name", "options"), NAMES)
def test_stable_baselines_has_nothing_to_complain_about(name: str, options: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of planes that are no pictures
        checker.check_env(gymnasium.make(f"limina.rl:{name}", **options).unwrapped)


@pytest.mark.parametrize(("name", "options"), NAMES)
def test_masked_ppo_learns_a_little_without_an_illegal_click(name: str, options: dict[str, Any]) -> None:
    price = -1000.0
    env = gymnasium.make(f"limina.rl:{name}", illegal_reward=price, **options).unwrapped
    model = contrib.MaskablePPO("MultiInputPolicy", env, n_steps=128, batch_size=128, n_epochs=2, seed=1, device="cpu")
    model.learn(256)
    paid = [episode["r"] for episode in model.ep_info_buffer]
    assert paid
    assert min(paid) > price / 2
