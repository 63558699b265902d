"""How processes on one database hear of what others have added to a match."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping

from sqlalchemy import URL
from sqlalchemy.ext.asyncio import AsyncEngine

from limina.errors import LiminaError
from limina.server.storage.jobs import JobTable

COMPARE_SECONDS = 30.0
"""How often everybody is told to compare where there is nobody to be heard."""

Heard = Callable[[Mapping[str, int] | None], None]
"""Called with matches and the versions they are said to have, or with None: something may have been missed."""
HeardJobs = Callable[[Collection[str]], object]
"""Called with the pools of jobs for which another process has no room."""


class LocalBus:
    """The bus of a process that has its database for itself: nobody but the host takes away what it knows.

    A bus carries hints, not promises: whoever listens compares versions when told that something may have been missed.
    All that differs between such a process and those that share a database is here.
    """

    lock = "pg_try_advisory_lock"
    """The function of PostgreSQL with which a server claims the database."""
    gather_after = 32
    """After a group commit of more parts than this, the next one waits for further parts."""
    gather_seconds = 0.01
    """Too short to be noticed, and it saves a tenth of the processor time."""
    alone = True
    """No other process runs jobs."""
    _task: asyncio.Task[None] | None = None

    async def listen(self, _: AsyncEngine, heard: Heard, __: HeardJobs) -> None:
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

    async def version(self, match_id: str, known: int, ask: Callable[[str], Awaitable[int | None]]) -> int | None:
        """Return the stored version of a match of which one is known; `ask` looks it up."""
        return known

    def is_compared(self, watched: bool) -> bool:
        """Return whether a match in memory is compared with the stored one now and then: a host may remove matches."""
        return True

    async def open_jobs(self, jobs: JobTable) -> None:
        """Give back the jobs of the process that had the database before: it is dead."""
        await jobs.release_all()


def make_bus(url: URL, *, shared: bool) -> LocalBus:
    """Return the bus of a process; raise LiminaError if it is to share a database that only one process can use."""
    if not shared:
        return LocalBus()
    check_shareable(url)
    from limina.server.storage.postgres_bus import PostgresBus  # its driver is loaded only where it is used

    return PostgresBus()


def check_shareable(url: URL) -> None:
    """Raise LiminaError unless several processes can share the database."""
    if url.get_backend_name() == "sqlite":
        raise LiminaError("several servers or processes can share a PostgreSQL only: name one with --database")


async def _remind(heard: Heard) -> None:
    while True:
        await asyncio.sleep(COMPARE_SECONDS)
        heard(None)
