"""Environments for reinforcement learning: Gymnasium, PettingZoo, and batches in the kernel.

All games with an encoding are available under their names:

- Gymnasium: `gymnasium.make("limina.rl:limina/Limes-v0")`, and `gymnasium.make_vec` for many games at once;
- PettingZoo: `limina.rl.limes_v0.env(players=2)`, and `.parallel_env` for games in which all players move at once;
- batches: `limina.rl.batch("limes", 4096, threads=2)`, the direct way to the kernel.

A turn is a sequence of two or three actions, so that there are about a hundred actions instead of thousands of turns.
The mask says which actions are legal. The package needs `pip install limina[rl]`.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from limina.core.registry import games
from limina.rl.batch import Batch

__all__ = ["Batch", "batch", "ids"]


def batch(name: str, n: int, **options: Any) -> Batch:
    """Return a batch of n games, with the options of `Batch`.

    >>> games = batch("limes", 64, threads=2)
    >>> games.reset(seed=1)
    >>> rewards, ended = games.step(games.sample())
    >>> rewards.shape, int(ended.sum())
    ((64,), 0)
    """
    return Batch(name, n, **options)


def _register() -> tuple[str, ...]:
    if find_spec("gymnasium") is None:
        return ()  # `limina[spiel]` does not install it
    import gymnasium

    env_ids = []
    for game in games():
        if game.encoding is None:
            continue
        env_id = f"limina/{game.title}-v0"
        gymnasium.register(
            env_id,
            entry_point="limina.rl.gym_env:LiminaEnv",
            vector_entry_point="limina.rl.vector_env:LiminaVectorEnv",
            kwargs={"name": game.name},
            disable_env_checker=True,
        )
        env_ids.append(env_id)
        _add_module(game.name, parallel=game.spec.simultaneous)
    return tuple(env_ids)


def _add_module(name: str, *, parallel: bool) -> None:
    """Add the module of a game and version, as PettingZoo's own games have one."""
    module = ModuleType(f"{__name__}.{name}_v0", "The game for PettingZoo.")

    def env(**options: Any) -> Any:
        """Return the environment in which agents act one after the other."""
        from limina.rl import pettingzoo_env

        return pettingzoo_env.env(name, **options)

    def parallel_env(**options: Any) -> Any:
        """Return the environment in which all agents act at once."""
        from limina.rl import pettingzoo_env

        return pettingzoo_env.parallel_env(name, **options)

    factories = [env, parallel_env] if parallel else [env]
    for factory in factories:
        setattr(module, factory.__name__, factory)
    module.__dict__["__all__"] = [factory.__name__ for factory in factories]
    sys.modules[module.__name__] = module
    globals()[f"{name}_v0"] = module


ids = _register()
"""Ids of all games in Gymnasium's registry. Empty if Gymnasium is not installed."""


def __getattr__(name: str) -> Any:  # for type checkers, which do not see the modules that `_add_module` adds
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
