"""A Gymnasium vector environment: a batch with the interface of `gymnasium.vector.VectorEnv`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from limina.core import registry
from limina.core.validation import reject_unknown_keys
from limina.errors import LiminaError
from limina.rl.batch import Batch, expect_seed
from limina.rl.render import MODES, check_render_mode, render_position
from limina.rl.spaces import observation_space

Observations = dict[str, NDArray[Any]]


class LiminaVectorEnv(gymnasium.vector.VectorEnv[Observations, NDArray[Any], NDArray[Any]]):
    """Many games at once.

    Games in which all players move at once are played alone. In other games the agent acts for the player to move. The
    reward of a step is that of the player who acted, and `info` contains the rewards of all players and the player to
    move. A game that has ended begins again with the next step.
    """

    metadata = {  # noqa: RUF012  # as Gymnasium declares it
        "render_modes": list(MODES),
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        *,
        name: str,
        threads: int = 1,
        players: int | None = None,
        render_mode: str | None = None,
        illegal_reward: float = -1.0,
        copy: bool = True,
        **options: Any,
    ) -> None:
        self.num_envs = num_envs
        self.render_mode = check_render_mode(render_mode)
        self._is_solo = registry.game(name).spec.simultaneous
        if self._is_solo and players not in (None, 1):
            raise LiminaError("this environment has one player: use PettingZoo if several players move at once")
        if "opponent" in options or "seat" in options:
            raise LiminaError(
                "the agent plays all seats here: for bots as opponents use vectorization_mode='sync' or 'async'"
            )
        setups = registry.game(name).spec.setups
        self._setup_name = setups.singular if setups is not None else ""
        batch = Batch(
            name,
            num_envs,
            players=players,
            threads=threads,
            autoreset="next_step",
            illegal_reward=illegal_reward,
            **options,
        )
        self.single_action_space = gymnasium.spaces.Discrete(batch.sizes.n_actions)
        self.single_observation_space = observation_space(batch.sizes)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._copy = copy
        self._set_batch(batch)

    def _set_batch(self, batch: Batch) -> None:
        """Set the batch and the views of it that each step needs."""
        self.batch = batch
        assert batch.planes is not None
        assert batch.vector is not None
        assert batch.action_mask is not None
        self._views = {"planes": batch.planes, "vector": batch.vector, "action_mask": batch.action_mask.view(np.int8)}

    def __getstate__(self) -> dict[str, Any]:
        """Return the state without the views, so that a copy has views of its own batch."""
        return {name: value for name, value in vars(self).items() if name != "_views"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._set_batch(self.batch)

    def _observe(self) -> tuple[Observations, dict[str, Any]]:
        observations = {name: view.copy() if self._copy else view for name, view in self._views.items()}
        info: dict[str, Any] = {"action_mask": observations["action_mask"]}
        if not self._is_solo:
            info |= {"player": self.batch.player.copy(), "rewards": self.batch.rewards.copy()}
        return observations, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the mask of legal actions of each game."""
        return self._views["action_mask"].astype(bool)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin new games, all or those in `options["reset_mask"]`, and return the first observations.

        `seed` is one seed or a sequence with one for each game. `options` may contain a setup for all these games:
        `{"deal": [5, 1, ...]}` or `{"layout": ["c4R", ...]}`.
        """
        has_seed_per_game = isinstance(seed, list | tuple | np.ndarray)
        options = options or {}
        reject_unknown_keys(options, (self._setup_name, "reset_mask"), "options")
        super().reset(seed=None if seed is None or has_seed_per_game else expect_seed(seed))
        mask = options.get("reset_mask")
        seeds: Any = self.np_random.integers(0, 1 << 63, self.num_envs, np.uint64)
        if has_seed_per_game:
            assert isinstance(seed, Iterable)
            seeds = [drawn if own is None else own for own, drawn in zip(seed, seeds, strict=True)]
        self.batch.reset(seeds, mask)
        if self._setup_name in options:
            game_indices = range(self.num_envs) if mask is None else np.flatnonzero(mask).tolist()
            self.batch.start_games(game_indices, options[self._setup_name])
        return self._observe()

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[Observations, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Apply an action in each game. Returns observations, rewards, ended games, truncated ones (none), and info."""
        players = None if self._is_solo else self.batch.player.astype(int)
        rewards, ended = self.batch.step(actions)
        own_rewards = rewards.copy() if players is None else rewards[np.arange(self.num_envs), players]
        observations, info = self._observe()
        return observations, own_rewards, ended.astype(bool), np.zeros(self.num_envs, bool), info

    def render(self) -> Any:
        """Return or print the positions of all games, depending on the render mode."""
        return tuple(render_position(self.batch.position(game), self.render_mode) for game in range(self.num_envs))
