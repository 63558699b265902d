"""How processes on one database hear of what others have added to a match."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping

COMPARE_SECONDS = 30.0
"""How often everybody is told to compare where there is nobody to be heard."""

Heard = Callable[[Mapping[str, int] | None], None]
"""Called with matches and the versions they are said to have, or with None: something may have been missed."""
HeardJobs = Callable[[Collection[str]], object]
"""Called with the pools of jobs for which another process has no room."""


class Bus:
    """The bus of a process that has its database for itself: nobody but the host takes away what it knows.

    A bus carries hints, not promises: whoever listens compares versions when told that something may have been missed.
    """

    _task: asyncio.Task[None] | None = None

    async def listen(self, heard: Heard, _: HeardJobs) -> None:
        """Begin to hear of others: there is nobody, but now and then it is worth to compare."""
        self._task = asyncio.create_task(_remind(heard))

    def publish(self, versions: Mapping[str, int]) -> None:
        """Let others know which versions matches have now; never waits."""

    def publish_jobs(self, pools: Collection[str]) -> None:
        """Let others know that there are jobs in these pools; never waits."""

    async def close(self) -> None:
        """Hear no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)


async def _remind(heard: Heard) -> None:
    while True:
        await asyncio.sleep(COMPARE_SECONDS)
        heard(None)
