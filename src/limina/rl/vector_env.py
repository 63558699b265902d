"""Many games at once, as Gymnasium's vector environments: a batch with their names on it."""

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
from limina.rl.batch import Batch, a_seed
from limina.rl.render import MODES, check_mode, shown
from limina.rl.spaces import observation_space

Observations = dict[str, NDArray[Any]]


class LiminaVectorEnv(gymnasium.vector.VectorEnv[Observations, NDArray[Any], NDArray[Any]]):
    """A batch of games that are played alone, or of both sides of others: whoever is to move is the one who clicks.

    A game that has ended begins again with the next step. Where several play, the reward of a step is that of the
    player who clicked; `info` holds the rewards of all and who is to move.
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
        self.render_mode = check_mode(render_mode)
        self._alone = registry.game(name).spec.simultaneous
        if self._alone and players not in (None, 1):
            raise LiminaError("those who move at once are for PettingZoo: here everybody plays alone")
        if "opponent" in options or "seat" in options:
            raise LiminaError(
                "here every seat is the learner's: for bots as opponents use vectorization_mode='sync' or 'async'"
            )
        words = registry.game(name).spec.setups
        self._setup = words.singular if words is not None else ""
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
        self._look_at(batch)

    def _look_at(self, batch: Batch) -> None:
        """What each step needs of the batch."""
        self.batch = batch
        assert batch.planes is not None
        assert batch.vector is not None
        assert batch.action_mask is not None
        self._views = {"planes": batch.planes, "vector": batch.vector, "action_mask": batch.action_mask.view(np.int8)}

    def __getstate__(self) -> dict[str, Any]:
        """Return all but the views of the batch, so that a copy looks at its own batch."""
        return {name: value for name, value in vars(self).items() if name != "_views"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._look_at(self.batch)

    def _seen(self) -> tuple[Observations, dict[str, Any]]:
        seen = {name: array.copy() for name, array in self._views.items()} if self._copy else dict(self._views)
        info: dict[str, Any] = {"action_mask": seen["action_mask"]}
        if not self._alone:
            info |= {"player": self.batch.player.copy(), "rewards": self.batch.rewards.copy()}
        return seen, info

    def action_masks(self) -> NDArray[np.bool_]:
        """What may be clicked in each game."""
        return self._views["action_mask"].astype(bool)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin all games anew, or those that `options["reset_mask"]` chooses; from a seed for each, or from one.

        In `options` there may be a setup for all of them, too: `{"deal": [5, 1, ...]}` or `{"layout": ["c4R", ...]}`.
        """
        several = isinstance(seed, list | tuple | np.ndarray)
        options = options or {}
        reject_unknown_keys(options, (self._setup, "reset_mask"), "options")
        super().reset(seed=None if seed is None or several else a_seed(seed))
        which = options.get("reset_mask")
        seeds: Any = self.np_random.integers(0, 1 << 63, self.num_envs, np.uint64)
        if several:
            assert isinstance(seed, Iterable)
            seeds = [drawn if given is None else given for given, drawn in zip(seed, seeds, strict=True)]
        self.batch.reset(seeds, which)
        if self._setup in options:
            chosen = range(self.num_envs) if which is None else np.flatnonzero(which).tolist()
            self.batch.begin_all(chosen, options[self._setup])
        return self._seen()

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[Observations, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """One click in each game."""
        movers = None if self._alone else self.batch.player.astype(int)
        rewards, ended = self.batch.step(actions)
        own = rewards.copy() if movers is None else rewards[np.arange(self.num_envs), movers]
        seen, info = self._seen()
        return seen, own, ended.astype(bool), np.zeros(self.num_envs, bool), info

    def render(self) -> Any:
        """Every game as the render mode says."""
        return tuple(shown(self.batch.position(game), self.render_mode) for game in range(self.num_envs))
