"""Answer health checks: a server is ready while a write to its database works."""

from __future__ import annotations

import asyncio
import time

from limina.errors import LiminaError
from limina.server.storage import Store

_PROBE_TIMEOUT_SECONDS = 2.0
"""Count the database as unavailable when a probe takes longer than this."""
_CACHE_SECONDS = 1.0
"""Reuse a result for this long, so that frequent requests do not load the database."""


class Readiness:
    """Probes whether a write to the database works: one probe at a time, and at most one a second."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._probing: asyncio.Task[bool] | None = None
        self._cached: tuple[float, bool] = (float("-inf"), False)

    async def is_ready(self) -> bool:
        """Return True if a write works, or worked less than a second ago."""
        probed_at, ready = self._cached
        if time.monotonic() - probed_at < _CACHE_SECONDS:
            return ready
        if self._probing is None or self._probing.done():
            self._probing = asyncio.create_task(self._probe())
        try:
            async with asyncio.timeout(_PROBE_TIMEOUT_SECONDS):
                ready = await asyncio.shield(self._probing)
        except TimeoutError:  # the probe goes on: a write to a disk that hangs cannot be cancelled
            ready = False
        self._cached = time.monotonic(), ready
        return ready

    async def _probe(self) -> bool:
        try:
            await self._store.probe()
        except LiminaError:
            return False
        return True
