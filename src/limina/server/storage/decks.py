"""Stored decks."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from sqlalchemy import Row, select

from limina.core import registry
from limina.errors import LiminaError
from limina.server.storage.repository import Repository
from limina.server.storage.tables import decks

MAX_DECKS = 20_000
"""Maximum number of rows. The least recently used are deleted."""


class SavedDeck(NamedTuple):
    """A shared deck."""

    id: str
    """A hash of the faces."""
    game: str
    faces: tuple[str, ...]
    used_at: int
    """The last time that it was shared or, to the day, loaded by its link, in milliseconds since 1970."""


class DeckRepository(Repository):
    """Decks by id."""

    table = decks

    async def deck(self, deck_id: str) -> SavedDeck | None:
        """Return a deck, None if there is none of this id."""
        result = await self._transactions.fetch(select(decks).where(decks.c.id == deck_id))
        return _read(result[0]) if result else None

    async def save_deck(self, deck: SavedDeck) -> None:
        """Save a deck, or update the time of its last use if it is stored already."""
        row = {**deck._asdict(), "faces": json.dumps(deck.faces)}
        await self._save(row, update={"used_at"}, timestamp=decks.c.used_at, max_rows=MAX_DECKS)

    @staticmethod
    def describe_damage(row: Row[Any]) -> str | None:
        """Describe a deck whose id is not the hash of its faces. Decks of games that are not installed pass."""
        try:
            deck = _read(row)
            if deck.game not in registry.game_names():
                return None
            rules = registry.game(deck.game).decks
            if rules is not None and rules.from_faces(deck.faces).id == deck.id:
                return None
        except (LiminaError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            pass  # SQLite stores anything in any column; RecursionError: JSON that is nested too deep
        return f"the deck {row.id}: its id is not the hash of its faces"


def _read(row: Row[Any]) -> SavedDeck:
    return SavedDeck(row.id, row.game, tuple(json.loads(row.faces)), row.used_at)
