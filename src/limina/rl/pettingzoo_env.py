"""PettingZoo environments: several agents act one after the other, or all at once."""

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
from limina.rl.render import MODES, check_render_mode, render_position
from limina.rl.spaces import flat_space

Observation = dict[str, NDArray[Any]]


def env(name: str, **options: Any) -> Any:
    """Return the environment of a game in which agents act one after the other."""
    if registry.game(name).spec.simultaneous:
        return parallel_to_aec(parallel_env(name, **options))
    return wrappers.OrderEnforcingWrapper(LiminaAECEnv(name, **options))


def parallel_env(name: str, **options: Any) -> LiminaParallelEnv:
    """Return the environment of a game in which all agents act at once.

    Agents that have finished their turn of a round can only pass until the round ends. Raises LiminaError if the
    players of the game move one after the other.
    """
    if not registry.game(name).spec.simultaneous:
        raise LiminaError(f"in {registry.game(name).title} players move one after the other: use env")
    return LiminaParallelEnv(name, **options)


class _SeatBatch:
    """A batch of one game, with the names of its seats and their spaces."""

    def __init__(self, name: str, render_mode: str | None, players: int | None, options: dict[str, Any]) -> None:
        self.render_mode = check_render_mode(render_mode)
        self.batch = Batch(name, 1, players=players, autoreset="never", **options)
        self.metadata = {"name": f"{name}_v0", "render_modes": list(MODES), "render_fps": 2}
        setups = registry.game(name).spec.setups
        self.setup_name = setups.singular if setups is not None else None
        self.names = [f"player_{player}" for player in range(self.batch.players)]
        self.observation_space = cache(lambda agent: flat_space(self.batch.sizes))
        self.action_space = cache(lambda agent: spaces.Discrete(self.batch.sizes.n_actions))

    def reset(self, seed: int | None, options: dict[str, Any] | None) -> None:
        self.batch.reset(seed)
        # Unknown options are ignored, because wrappers pass on their own options.
        if options and self.setup_name in options:
            self.batch.start_game(0, options[self.setup_name])

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
        return render_position(self.batch.position(0), self.render_mode)


class _AgentsMixin:
    """The part of PettingZoo's interface that both environments share: agents, spaces and rendering."""

    def __init__(self, name: str, *, render_mode: str | None = None, players: int = 2, **options: Any) -> None:
        super().__init__()
        self._seats = _SeatBatch(name, render_mode, players, options)
        self.metadata = self._seats.metadata
        self.render_mode = render_mode
        self.possible_agents = list(self._seats.names)
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations: planes and vector in one array, and the mask."""
        return self._seats.observation_space(agent)

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions."""
        return self._seats.action_space(agent)

    def render(self) -> Any:
        """Return or print the position, depending on the render mode."""
        return self._seats.render()

    def close(self) -> None:
        """Do nothing, since there are no resources to release."""


class LiminaParallelEnv(_AgentsMixin, ParallelEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A game in which all agents act at once."""

    def _observe(self) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        observations = {agent: self._seats.observation(row) for row, agent in enumerate(self._seats.names)}
        infos = {agent: {"action_mask": own["action_mask"]} for agent, own in observations.items()}
        return observations, infos

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a new game."""
        self._seats.reset(seed, options)
        self.agents = list(self.possible_agents)
        return self._observe()

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Apply an action of each agent. Returns observations, rewards, terminations, truncations (none) and infos."""
        row_actions = np.array([[actions[agent] for agent in self._seats.names]], np.int64)
        rewards, ended = self._seats.batch.step(row_actions)
        is_over = bool(ended[0])
        observations, infos = self._observe()
        reward_by_agent = dict(zip(self._seats.names, map(float, rewards.reshape(-1)), strict=True))
        self.agents = [] if is_over else self.agents
        if self.render_mode == "human":
            self.render()
        terminations, truncations = (dict.fromkeys(self._seats.names, value) for value in (is_over, False))
        return observations, reward_by_agent, terminations, truncations, infos

    def state(self) -> NDArray[np.uint8]:
        """Return the observations of all agents, concatenated."""
        return np.concatenate([self._seats.observation(row)["observation"] for row in range(len(self._seats.names))])


class LiminaAECEnv(_AgentsMixin, AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A game in which agents act one after the other. A turn is several steps of the same agent."""

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
        """Return the observation of the agent to act. All others get the same, with no legal action in the mask."""
        observation = self._seats.observation(0)
        if agent != self.agent_selection or self.terminations.get(agent):
            observation["action_mask"][:] = 0
        return observation

    def step(self, action: int | None) -> None:
        """Apply an action of the agent to act."""
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
