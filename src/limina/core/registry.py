"""The registry of games. It imports a game when it is first requested.

Installed packages add games with an entry point of the group `limina.games` that names a `Game` object.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, cast

from limina.core.game import Game
from limina.core.validation import quote_truncated
from limina.errors import InvalidInputError, LiminaError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINT_GROUP = "limina.games"
BUILTIN_GAMES = {"limes": "limina.limes.rules", "limit": "limina.limit.rules"}
"""Modules of the games that are part of limina."""


@cache
def _entry_points() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points  # slow, so imported only if needed

    points = {point.name: point for point in entry_points(group=ENTRY_POINT_GROUP)}
    return {name: points[name] for name in sorted(points) if name not in BUILTIN_GAMES}


def game_names() -> tuple[str, ...]:
    """Return the names of all games: first those of limina, then installed ones in alphabetical order.

    >>> game_names()[:2]
    ('limes', 'limit')
    """
    return (*BUILTIN_GAMES, *_entry_points())


@cache
def game(name: str) -> Game:
    """Return the game of that name. Raises LiminaError if there is none or it cannot be loaded.

    >>> game("limit").title
    'Limit'
    """
    if isinstance(name, str) and name in BUILTIN_GAMES:
        return cast(Game, import_module(BUILTIN_GAMES[name]).GAME)
    if not isinstance(name, str) or name not in _entry_points():
        raise InvalidInputError(
            f"there is no game called {quote_truncated(name)}: choose one of {', '.join(game_names())}"
        )
    try:
        loaded = cast(Game, _entry_points()[name].load())
        if loaded.name != name:
            raise LiminaError(f"its specification has the name {quote_truncated(loaded.name)}")
        tuple(loaded.bots)  # fail here rather than in every list of bots
    except Exception as error:  # code of third parties can raise anything
        cause = str(error).strip().split("\n")[0] or type(error).__name__
        raise LiminaError(f"the game {name} cannot be loaded: {cause}") from error
    return loaded


def games() -> list[Game]:
    """Return all games that can be loaded. `game` raises the error of a broken one."""
    loaded = []
    for name in game_names():
        with suppress(LiminaError):
            loaded.append(game(name))
    return loaded
