"""A connection of PostgreSQL's driver, kept for short questions: having one given each time costs more than they do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Any

_SECONDS = 10.0
"""What a question may take, with those before it that it waits for."""


class KeptConnection:
    """Opened when something is asked, and again when it was lost; one question at a time."""

    def __init__(self, connect: Callable[[], AbstractAsyncContextManager[Any]]) -> None:
        self._connect = connect
        self._lock = asyncio.Lock()
        self._open: AsyncExitStack | None = None
        self._connection: Any = None

    async def ask(self, query: str, *values: Any) -> list[Any]:
        """The rows that answer; whatever goes wrong, the next one asks over another connection."""
        async with asyncio.timeout(_SECONDS), self._lock:
            try:
                if self._open is not None and self._connection.is_closed():
                    await self._let_go()
                if self._open is None:
                    self._open = AsyncExitStack()
                    self._connection = await self._open.enter_async_context(self._connect())
                found: list[Any] = await self._connection.fetch(query, *values)
                return found
            except BaseException:
                await self._let_go()
                raise

    async def close(self) -> None:
        """Let go, once nobody asks."""
        async with self._lock:
            await self._let_go()

    async def _let_go(self) -> None:
        opened, self._open = self._open, None
        if opened is not None:
            await opened.aclose()
