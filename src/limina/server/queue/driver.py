"""How pgqueuer speaks to the database: over one connection, which is given up when it does not answer."""

from __future__ import annotations

import asyncio
from typing import Any

from pgqueuer.adapters.drivers.asyncpg import AsyncpgDriver
from pgqueuer.ports.driver import NotifyCallback

SECONDS = 10.0
"""What a question to the database may take."""
_TOGETHER_SECONDS = 0.005
"""Whatever changes in the queue within so much time is heard of once: to look what it was takes several questions."""


class Driver(AsyncpgDriver):
    """A connection of asyncpg."""

    def __init__(self, connection: Any) -> None:
        super().__init__(connection)
        self._raw = connection

    async def fetch(self, query: str, *args: object) -> list[dict[str, object]]:
        """Ask something."""
        async with self._lock:
            return [dict(row) for row in await self._ask(self._raw.fetch, query, *args)]

    async def execute(self, query: str, *args: object) -> str:
        """Have something done."""
        async with self._lock:
            return str(await self._ask(self._raw.execute, query, *args))

    async def notify(self, channel: str, payload: str) -> None:
        """Tell everybody who listens."""
        await self.execute("SELECT pg_notify($1, $2)", channel, payload)

    async def add_listener(self, channel: str, callback: NotifyCallback) -> None:
        """Hear what others tell; of changes that come close together, once."""
        waits = False

        def tell(payload: str | bytes | bytearray) -> None:
            nonlocal waits
            waits = False
            callback(payload)

        def heard(payload: str | bytes | bytearray) -> None:
            nonlocal waits
            if "table_changed_event" not in str(payload):
                callback(payload)
            elif not waits:
                waits = True
                asyncio.get_running_loop().call_later(_TOGETHER_SECONDS, tell, payload)

        await super().add_listener(channel, heard)

    async def _ask(self, how: Any, query: str, *args: object) -> Any:
        try:
            return await how(query, *args, timeout=SECONDS)
        except TimeoutError:
            self._raw.terminate()  # whoever else waits for it need not wait as long
            raise
