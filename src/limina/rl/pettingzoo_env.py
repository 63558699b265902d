"""A game for several learners, as PettingZoo knows it: one after the other, or all at once where the game is so."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import parallel_to_aec, wrappers

from limina.core import registry
from limina.errors import LiminaError
from limina.rl.batch import Batch
from limina.rl.render import MODES, check_mode, shown
from limina.rl.spaces import flat_space

Observation = dict[str, NDArray[Any]]


def env(name: str, **options: Any) -> Any:
    """The game, one agent after the other."""
    if registry.game(name).spec.simultaneous:
        return parallel_to_aec(parallel_env(name, **options))
    return wrappers.OrderEnforcingWrapper(LiminaAECEnv(name, **options))


def parallel_env(name: str, **options: Any) -> LiminaParallelEnv:
    """The game, all agents at once; those who are done with a round wait, and only pass."""
    if not registry.game(name).spec.simultaneous:
        raise LiminaError(f"in {registry.game(name).title} players move one after the other: use env")
    return LiminaParallelEnv(name, **options)


class _SeatBatch:
    """What both kinds share: a batch of one game, and its players' names."""

    def __init__(self, name: str, render_mode: str | None, players: int | None, options: dict[str, Any]) -> None:
        self.render_mode = check_mode(render_mode)
        self.batch = Batch(name, 1, players=players, autoreset="never", **options)
        self.metadata = {"name": f"{name}_v0", "render_modes": list(MODES), "render_fps": 2}
        self.setup = (words := registry.game(name).spec.setups) and words.singular
        self.names = [f"player_{player}" for player in range(self.batch.players)]
        self.observation_space = cache(lambda agent: flat_space(self.batch.sizes))
        self.action_space = cache(lambda agent: spaces.Discrete(self.batch.sizes.n_actions))

    def reset(self, seed: int | None, options: dict[str, Any] | None) -> None:
        self.batch.reset(seed)
        # Wrappers pass options of their own on to whoever they wrap, so those that are not ours are not refused.
        if options and self.setup in options:
            self.batch.begin(0, options[self.setup])

    def observation(self, row: int) -> Observation:
        batch = self.batch
        assert batch.planes is not None
        assert batch.vector is not None
        assert batch.action_mask is not None
        planes = batch.planes.reshape(-1, int(np.prod(batch.sizes.planes_shape)))[row]
        vector = batch.vector.reshape(-1, batch.sizes.vector_length)[row]
        mask = batch.action_mask.reshape(-1, batch.sizes.n_actions)[row].view(np.int8)
        return {"observation": np.concatenate([planes, vector]), "action_mask": mask.copy()}

    def render(self) -> Any:
        return shown(self.batch.position(0), self.render_mode)


class _AgentsMixin:
    """What PettingZoo asks of both kinds alike: names, spaces and pictures."""

    def __init__(self, name: str, *, render_mode: str | None = None, players: int = 2, **options: Any) -> None:
        super().__init__()
        self._seats = _SeatBatch(name, render_mode, players, options)
        self.metadata = self._seats.metadata
        self.render_mode = render_mode
        self.possible_agents = list(self._seats.names)
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent sees: planes and vector in one array, and the mask."""
        return self._seats.observation_space(agent)

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The clicks."""
        return self._seats.action_space(agent)

    def render(self) -> Any:
        """The position as the render mode says."""
        return self._seats.render()

    def close(self) -> None:
        """Nothing is held."""


class LiminaParallelEnv(_AgentsMixin, ParallelEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A game in which all move at once."""

    def _seen(self) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        seen = {agent: self._seats.observation(row) for row, agent in enumerate(self._seats.names)}
        return seen, {agent: {"action_mask": each["action_mask"]} for agent, each in seen.items()}

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a new game."""
        self._seats.reset(seed, options)
        self.agents = list(self.possible_agents)
        return self._seen()

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """One click of every agent."""
        batch = self._seats.batch
        clicks = np.array([[actions[agent] for agent in self._seats.names]], np.int64)
        rewards, ended = batch.step(clicks)
        over = bool(ended[0])
        seen, infos = self._seen()
        given = dict(zip(self._seats.names, map(float, rewards.reshape(-1)), strict=True))
        self.agents = [] if over else self.agents
        if self.render_mode == "human":
            self.render()
        return seen, given, dict.fromkeys(given, over), dict.fromkeys(given, False), infos

    def state(self) -> NDArray[np.uint8]:
        """What all agents see, one after the other."""
        return np.concatenate([self._seats.observation(row)["observation"] for row in range(len(self._seats.names))])


class LiminaAECEnv(_AgentsMixin, AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A game in which players move one after the other; a turn is several steps of one agent."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game."""
        self._seats.reset(seed, options)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def _select(self) -> None:
        self.agent_selection = self._seats.names[int(self._seats.batch.player[0])]

    def observe(self, agent: str) -> Observation:
        """What can be seen by the one to move; to all others the mask says that nothing may be clicked."""
        seen = self._seats.observation(0)
        if agent != self.agent_selection or self.terminations.get(agent):
            seen["action_mask"][:] = 0
        return seen

    def step(self, action: int | None) -> None:
        """One click of the agent that is to move."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        agent = self.agent_selection
        self._cumulative_rewards[agent] = 0.0
        rewards, ended = self._seats.batch.step(np.array([action], np.int64))
        self.rewards = dict(zip(self._seats.names, map(float, rewards[0]), strict=True))
        if ended[0]:
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self._select()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()
