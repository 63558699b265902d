"""The registry: name -> game. A game is loaded when it is first asked for.

Beside our own there are those that installed packages bring: an entry point of the group `limina.games` names the
module and the object that is the game.
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
"""The games that come with the package, and where they live."""


@cache
def _installed() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points  # not at the top: it takes longer than loading all the rest

    found = {point.name: point for point in entry_points(group=ENTRY_POINT_GROUP)}
    return {name: found[name] for name in sorted(found) if name not in BUILTIN_GAMES}


def game_names() -> tuple[str, ...]:
    """The names of all games, ours first.

    >>> game_names()[:2]
    ('limes', 'limit')
    """
    return (*BUILTIN_GAMES, *_installed())


@cache
def game(name: str) -> Game:
    """The game of that name.

    >>> game("limit").title
    'Limit'
    """
    if isinstance(name, str) and name in BUILTIN_GAMES:
        return cast(Game, import_module(BUILTIN_GAMES[name]).GAME)
    if not isinstance(name, str) or name not in _installed():
        raise InvalidInputError(
            f"there is no game called {quote_truncated(name)}: choose one of {', '.join(game_names())}"
        )
    try:
        found = cast(Game, _installed()[name].load())
        if found.name != name:
            raise LiminaError(f"it calls itself {quote_truncated(found.name)}")
        tuple(found.bots)  # what is broken is said here, not wherever bots are listed
    except Exception as error:  # a stranger's package may fail in any way
        words = str(error).strip().split("\n")[0] or type(error).__name__
        raise LiminaError(f"the game {name} cannot be loaded: {words}") from error
    return found


def games() -> list[Game]:
    """All games that can be loaded; what is wrong with another is said when it is asked for by its name."""
    found = []
    for name in game_names():
        with suppress(LiminaError):
            found.append(game(name))
    return found
