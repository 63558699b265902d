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
"""Rows of the table. The ones that were not used for longest are deleted."""


class SavedDeck(NamedTuple):
    """A deck that somebody shares."""

    id: str
    """It follows from the faces."""
    game: str
    faces: tuple[str, ...]
    used: int
    """When it was last shared or, to the day, had by its link, in milliseconds since 1970."""


class DeckRepository(Repository):
    """Decks by their id."""

    table = decks

    async def deck(self, deck_id: str) -> SavedDeck | None:
        """Return a deck."""
        found = await self._transactions.fetch(select(decks).where(decks.c.id == deck_id))
        return _read(found[0]) if found else None

    async def save_deck(self, deck: SavedDeck) -> None:
        """Save a deck, or note its last use if it is stored already."""
        row = {**deck._asdict(), "faces": json.dumps(deck.faces)}
        await self._save(row, changes={"used"}, newest=decks.c.used, most=MAX_DECKS)

    @staticmethod
    def fault_of(row: Row[Any]) -> str | None:
        """Say so if the id does not follow from the faces. Decks of a game that is not installed pass unchecked."""
        try:
            deck = _read(row)
            if deck.game not in registry.game_names():
                return None
            rules = registry.game(deck.game).decks
            if rules is not None and rules.from_faces(deck.faces).id == deck.id:
                return None
        except (LiminaError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            pass  # SQLite stores anything in any column; RecursionError: JSON that is nested too deep
        return f"the deck {row.id}: it is not what was shared"


def _read(row: Row[Any]) -> SavedDeck:
    return SavedDeck(row.id, row.game, tuple(json.loads(row.faces)), row.used)
