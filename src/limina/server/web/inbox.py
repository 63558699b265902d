"""Messages that have come over a socket and are not answered yet."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any


class Inbox:
    """A queue for one who takes from it, at half the cost of that of asyncio. Whoever adds to it sees to its end."""

    __slots__ = ("_messages", "_news")

    def __init__(self) -> None:
        self._messages: deque[Any] = deque()
        self._news: asyncio.Future[None] | None = None

    def put_nowait(self, message: Any) -> None:
        """Add a message."""
        self._messages.append(message)
        if self._news is not None and not self._news.done():
            self._news.set_result(None)

    async def get(self) -> Any:
        """Take the first message, once there is one."""
        while not self._messages:
            self._news = asyncio.get_running_loop().create_future()
            await self._news
        return self._messages.popleft()

    def get_nowait(self) -> Any:
        """Take the first message; there has to be one."""
        return self._messages.popleft()

    def empty(self) -> bool:
        """Whether nothing waits."""
        return not self._messages

    def qsize(self) -> int:
        """How many messages wait."""
        return len(self._messages)
