"""Stored reviews."""

from __future__ import annotations

import json
import zlib
from typing import Any, NamedTuple

from sqlalchemy import Row, select

from limina.server.storage.repository import Repository
from limina.server.storage.tables import reviews

MAX_REVIEWS = 1000
"""Maximum number of rows. The oldest are deleted; they can be made again."""


class SavedReview(NamedTuple):
    """A complete review."""

    review_id: str
    """The id of a match, or the hash of a record."""
    limina_version: str
    """The version of limina that made the review. Reviews of other versions are not reused."""
    created_at: int
    """Milliseconds since 1970."""
    lines: bytes
    """JSON lines, compressed."""


class ReviewRepository(Repository):
    """Reviews by id."""

    table = reviews

    async def review(self, review_id: str, limina_version: str) -> bytes | None:
        """Return the compressed lines of a review, None if this version has made none."""
        known = reviews.c.review_id == review_id, reviews.c.limina_version == limina_version
        result = await self._transactions.fetch(select(reviews.c.lines).where(*known))
        return result[0].lines if result else None

    async def save_review(self, review: SavedReview) -> None:
        """Save a review in place of an earlier one with its id."""
        update = {"limina_version", "created_at", "lines"}
        await self._save(review._asdict(), update=update, timestamp=reviews.c.created_at, max_rows=MAX_REVIEWS)

    @staticmethod
    def describe_damage(row: Row[Any]) -> str | None:
        """Return a sentence if the lines of a review cannot be read, else None."""
        try:
            if all(isinstance(json.loads(line), dict) for line in zlib.decompress(row.lines).splitlines()):
                return None
        except (ValueError, TypeError, RecursionError, zlib.error):  # SQLite stores anything in any column
            pass
        return f"the review of {row.review_id}: it cannot be read"
