"""Answer health checks: a server is ready while a write to its database works."""

from __future__ import annotations

import asyncio
import time

from limina.errors import LiminaError
from limina.server.storage import Store

_PROBE_TIMEOUT_SECONDS = 2.0
"""How long a probe may take before the database counts as unavailable."""
_CACHE_SECONDS = 1.0
"""For how many seconds an answer holds, so that frequent requests cost the database nothing."""


class Readiness:
    """Asks whether a write to the database works: one probe at a time, and at most one in a second."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._probing: asyncio.Task[bool] | None = None
        self._known: tuple[float, bool] = (float("-inf"), False)

    async def is_ready(self) -> bool:
        """Tell whether a write works, or worked less than a second ago."""
        since, ready = self._known
        if time.monotonic() - since < _CACHE_SECONDS:
            return ready
        if self._probing is None or self._probing.done():
            self._probing = asyncio.create_task(self._probe())
        try:
            async with asyncio.timeout(_PROBE_TIMEOUT_SECONDS):
                ready = await asyncio.shield(self._probing)
        except TimeoutError:  # it goes on: a write to a disk that hangs cannot be called back
            ready = False
        self._known = time.monotonic(), ready
        return ready

    async def _probe(self) -> bool:
        try:
            await self._store.probe()
        except LiminaError:
            return False
        return True
