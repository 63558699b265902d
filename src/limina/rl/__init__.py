"""The games for those who learn by playing: Gymnasium, PettingZoo, and batches in the kernel.

Every game that says how it is told in numbers is here, by its name:

- `gymnasium.make("limina.rl:limina/Limes-v0")`, and the same with `make_vec` for many games at once;
- `limina.rl.limes_v0.env(players=2)` and `.parallel_env` where all move at once, for PettingZoo;
- `limina.rl.batch("limes", 4096, threads=2)` for those who want nothing between them and the kernel.

An action is a click: a turn is made of two or three of them, so that there are about a hundred actions instead of
thousands of turns. What may be clicked is in the mask. The room needs `pip install limina[rl]`.
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
    """A batch of n games; the options are those of `Batch`.

    >>> many = batch("limes", 64, threads=2)
    >>> many.reset(seed=1)
    >>> rewards, ended = many.step(many.sample())
    >>> rewards.shape, int(ended.sum())
    ((64,), 0)
    """
    return Batch(name, n, **options)


def _register() -> tuple[str, ...]:
    if find_spec("gymnasium") is None:
        return ()  # `limina[spiel]` does not install it
    import gymnasium

    found = []
    for game in games():
        if game.encoding is None:
            continue
        name = f"limina/{game.title}-v0"
        gymnasium.register(
            name,
            entry_point="limina.rl.gym_env:LiminaEnv",
            vector_entry_point="limina.rl.vector_env:LiminaVectorEnv",
            kwargs={"name": game.name},
            disable_env_checker=True,
        )
        found.append(name)
        _add_module(game.name, parallel=game.spec.simultaneous)
    return tuple(found)


def _add_module(name: str, *, parallel: bool) -> None:
    """The module that PettingZoo's users expect for each environment and version."""
    module = ModuleType(f"{__name__}.{name}_v0", "The game for PettingZoo: `env` and, where all move at once, more.")

    def env(**options: Any) -> Any:
        """The game, one agent after the other."""
        from limina.rl import pettingzoo_env

        return pettingzoo_env.env(name, **options)

    def parallel_env(**options: Any) -> Any:
        """The game, all agents at once."""
        from limina.rl import pettingzoo_env

        return pettingzoo_env.parallel_env(name, **options)

    makers = [env, parallel_env] if parallel else [env]
    for maker in makers:
        setattr(module, maker.__name__, maker)
    module.__dict__["__all__"] = [maker.__name__ for maker in makers]
    sys.modules[module.__name__] = module
    globals()[f"{name}_v0"] = module


ids = _register()
"""The names of all games in Gymnasium's registry."""


def __getattr__(name: str) -> Any:  # for type checkers: the modules are made above, one for each game
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
