"""The one table of games: name -> where it lives. A game is loaded when it is first asked for."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast

from limina.protocols import Deck, Game, UnreadableError

if TYPE_CHECKING:
    from limina.views import Views

_HOMES = {"limes": "limina.limes.rules", "limit": "limina.limit.rules"}


def names() -> tuple[str, ...]:
    """The names of all games.

    >>> names()
    ('limes', 'limit')
    """
    return tuple(_HOMES)


@cache
def game(name: str) -> Game:
    """The game of that name.

    >>> game("limit").title
    'Limit'
    """
    home = _HOMES.get(name) if isinstance(name, str) else None
    if home is None:
        raise UnreadableError(f"there is no game called {name!r}: choose one of {', '.join(_HOMES)}")
    return cast(Game, import_module(home).GAME)


@cache
def views(name: str) -> Views:
    """How the game of that name is shown on a page.

    >>> views("limit").most_seats
    3
    """
    home, _, _ = type(game(name)).__module__.rpartition(".")
    return cast("Views", import_module(f"{home}.view").VIEWS)


def load_deck(path: str | Path) -> Deck:
    """Read a deck of cards for the one game that is played with a deck."""
    return cast(Deck, import_module("limina.limes.deck").Deck.load(path))
