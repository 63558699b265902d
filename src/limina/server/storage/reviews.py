"""Stored reviews."""

from __future__ import annotations

import json
import zlib
from typing import Any, NamedTuple

from sqlalchemy import Row, select

from limina.server.storage.repository import Repository
from limina.server.storage.tables import reviews

MAX_REVIEWS = 1000
"""Rows of the table. The oldest ones are deleted; they can be made again."""


class SavedReview(NamedTuple):
    """A review that came to its end."""

    key: str
    """The match, or the hash of a record that was sent."""
    version: str
    """The version of limina that made it: another one may think better."""
    made: int
    """Milliseconds since 1970."""
    lines: bytes
    """Its lines as they were told, compressed."""


class ReviewRepository(Repository):
    """Reviews by their key."""

    table = reviews

    async def review(self, key: str, version: str) -> bytes | None:
        """Return the compressed lines of a review if this version made it."""
        query = select(reviews.c.lines).where(reviews.c.key == key, reviews.c.version == version)
        found = await self._transactions.fetch(query)
        return found[0].lines if found else None

    async def save_review(self, review: SavedReview) -> None:
        """Save a review, in place of an older one with its key."""
        changes = {"version", "made", "lines"}
        await self._save(review._asdict(), changes=changes, newest=reviews.c.made, most=MAX_REVIEWS)

    @staticmethod
    def fault_of(row: Row[Any]) -> str | None:
        """Say so if the lines cannot be read."""
        try:
            if all(isinstance(json.loads(line), dict) for line in zlib.decompress(row.lines).splitlines()):
                return None
        except (ValueError, TypeError, RecursionError, zlib.error):  # SQLite stores anything in any column
            pass
        return f"the review of {row.key}: it cannot be read"
