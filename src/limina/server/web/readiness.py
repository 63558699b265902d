"""Whether the server can do its work, asked by whoever watches over it."""

from __future__ import annotations

import asyncio
import time

from limina.errors import LiminaError
from limina.server.storage import Store

_SECONDS = 2.0
"""After which a database that says nothing is taken for gone."""
_FRESH = 1.0
"""For so many seconds an answer holds: asking often costs the database nothing."""


class Readiness:
    """Whether the database answers, asked at most once at a time and not too often."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._asking: asyncio.Task[bool] | None = None
        self._known: tuple[float, bool] = (float("-inf"), False)

    async def ask(self) -> bool:
        """Whether it did just now."""
        since, ready = self._known
        if time.monotonic() - since < _FRESH:
            return ready
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._try())
        return await asyncio.shield(self._asking)

    async def _try(self) -> bool:
        try:
            async with asyncio.timeout(_SECONDS):
                await self._store.ping()
            ready = True
        except (LiminaError, TimeoutError):
            ready = False
        self._known = time.monotonic(), ready
        return ready
