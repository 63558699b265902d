"""How processes on one database hear of what others have added to a match."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Protocol

COMPARE_SECONDS = 30.0
"""How often everybody is told to compare where there is nobody to be heard."""

Heard = Callable[[Mapping[str, int] | None], None]
"""Called with matches and the versions they are said to have, or with None: something may have been missed."""


class Bus(Protocol):
    """Carries hints, not promises: whoever listens compares versions when told that something may have been missed."""

    async def listen(self, heard: Heard) -> None:
        """Begin to hear of others."""
        ...

    def publish(self, versions: Mapping[str, int]) -> None:
        """Let others know which versions matches have now; never waits."""
        ...

    async def close(self) -> None:
        """Hear no more."""
        ...


class SilentBus:
    """For a process that has its database for itself: nobody but the host takes away what it knows."""

    def __init__(self) -> None:
        self._task: asyncio.Task[None] | None = None

    async def listen(self, heard: Heard) -> None:
        """There is nobody to be heard; now and then it is worth to compare."""
        self._task = asyncio.create_task(_remind(heard))

    def publish(self, versions: Mapping[str, int]) -> None:
        """There is nobody to be told."""

    async def close(self) -> None:
        """Compare no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)


async def _remind(heard: Heard) -> None:
    while True:
        await asyncio.sleep(COMPARE_SECONDS)
        heard(None)
