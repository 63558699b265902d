"""A Gymnasium environment: one agent plays alone or against bots."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from limina.bots import bot, choose_checked
from limina.core import registry
from limina.core.record import Record
from limina.core.validation import expect_int, reject_unknown_keys
from limina.rl.batch import Batch, expect_seed
from limina.rl.render import MODES, check_render_mode, render_position
from limina.rl.spaces import observation_space

Observation = dict[str, NDArray[Any]]


class LiminaEnv(gymnasium.Env[Observation, np.int64]):
    """A game for one agent. An illegal action ends the game with `illegal_reward`.

    Games in which all players move at once are played alone. In other games the agent has the seat `seat`, and the bot
    named `opponent` plays all others. `reset(options=...)` takes a setup: `{"deal": [5, 1, ...]}` or
    `{"layout": ["c4R", ...]}`. `copy.deepcopy` returns an independent environment in the same state.
    """

    metadata = {  # noqa: RUF012  # as Gymnasium declares it
        "render_modes": list(MODES),
        "render_fps": 2,
    }

    def __init__(
        self,
        name: str,
        *,
        render_mode: str | None = None,
        players: int | None = None,
        opponent: str = "random",
        seat: int = 0,
        illegal_reward: float = -1.0,
        **options: Any,
    ) -> None:
        self.game = registry.game(name)
        self.render_mode = check_render_mode(render_mode)
        self._batch = Batch(name, 1, players=players, autoreset="never", illegal_reward=illegal_reward, **options)
        self._is_solo = self.game.spec.simultaneous
        if self._is_solo and self._batch.players > 1:
            expect_int(players, "players", range(1, 2))
        self._seat = expect_int(seat, "seat", range(self._batch.players))
        self._opponent = opponent
        self._bot = None if self._is_solo else bot(self.game, opponent, allow_external=True)
        self.action_space = spaces.Discrete(self._batch.sizes.n_actions)
        self.observation_space: spaces.Space[Any] = observation_space(self._batch.sizes)
        self._set_batch(self._batch)

    def _set_batch(self, batch: Batch) -> None:
        """Set the batch and the views of it that each step needs."""
        self._batch = batch
        self._action = np.zeros(1, np.int64)
        self._step = batch.kernel.step
        assert batch.planes is not None
        assert batch.vector is not None
        assert batch.action_mask is not None
        self._planes, self._vector = batch.planes[0], batch.vector[0]
        self._mask: NDArray[np.int8] = batch.action_mask[0].view(np.int8)

    def __getstate__(self) -> dict[str, Any]:
        """Return the state without the views, so that a copy has views of its own batch."""
        views = ("_action", "_step", "_planes", "_vector", "_mask")
        return {name: value for name, value in vars(self).items() if name not in views}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._set_batch(self._batch)

    @property
    def position(self) -> Any:
        """Position of the game. Actions of an unfinished turn may be missing."""
        return self._batch.position(0)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the mask of legal actions. sb3-contrib calls this method."""
        return self._mask.astype(bool)

    def _observe(self) -> tuple[Observation, dict[str, Any]]:
        mask = self._mask.copy()
        return (
            {"planes": self._planes.copy(), "vector": self._vector.copy(), "action_mask": mask},
            {"action_mask": mask},
        )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a new game and return the first observation. Raises LiminaError if an option is invalid."""
        super().reset(seed=None if seed is None else expect_seed(seed))
        setups = self.game.spec.setups
        setup_name = setups.singular if setups is not None else ""
        reject_unknown_keys(options or {}, (setup_name,), "options")
        self._batch.reset(self.np_random.integers(0, 1 << 63, 1, np.uint64))
        if options and setup_name in options:
            self._batch.start_game(0, options[setup_name])
        if not self._is_solo:
            self._bot = bot(self.game, self._opponent, seed=int(self.np_random.integers(1 << 31)), allow_external=True)
            self._play_opponents()
        if self.render_mode == "human":
            self.render()
        return self._observe()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Apply an action. Returns observation, reward, whether the game has ended, False for truncation, and info."""
        self._action[0] = action
        self._step(self._action)
        rewards = self._batch.rewards
        if not self._is_solo:
            self._play_opponents()
        reward = float(rewards[0] if self._is_solo else rewards[0, self._seat])
        observation, info = self._observe()
        if self.render_mode == "human":
            self.render()
        return observation, reward, bool(self._batch.ended[0]), False, info

    def _play_opponents(self) -> None:
        """Play the turns of the bots until the agent is to move or the game has ended."""
        batch = self._batch
        while not batch.ended[0] and batch.player[0] != self._seat:
            position = batch.position(0)
            assert self._bot is not None
            turn = choose_checked(self._bot, Record.from_position(self.game, position), int(batch.player[0])).turn
            batch.play(np.array([batch.encoding.turn_code(position, turn)], np.uint32))

    def render(self) -> Any:
        """Return or print the position, depending on the render mode."""
        return render_position(self._batch.position(0), self.render_mode)
