"""The bus: how processes that share a database learn of each other's new events and jobs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping

from sqlalchemy import URL
from sqlalchemy.ext.asyncio import AsyncEngine

from limina.errors import LiminaError
from limina.server.storage.jobs import JobTable

COMPARE_SECONDS = 30.0
"""Seconds between two comparisons of matches in memory with the database, in a process that uses it alone."""

VersionListener = Callable[[Mapping[str, int] | None], None]
"""Called with match ids and their new versions, or with None when messages may be missing and versions have to be
compared."""
JobListener = Callable[[Collection[str]], object]
"""Called with the pools in which another process has saved jobs that it cannot run at once."""


class LocalBus:
    """The bus of a process that uses its database alone. It also defines the interface of PostgresBus.

    Messages are hints and may be lost: a listener compares versions when it is called with None.
    """

    lock_function = "pg_try_advisory_lock"
    """The PostgreSQL function with which the process locks the database."""
    gather_after = 32
    """After a group commit of more items than this, the next one waits for further items."""
    gather_seconds = 0.01
    """Duration of that wait. It is too short to be noticed and saves a tenth of the processor time."""
    single_process = True
    """True if no other process runs jobs."""
    _task: asyncio.Task[None] | None = None

    async def listen(self, _: AsyncEngine, on_versions: VersionListener, __: JobListener) -> None:
        """Start to listen. There is no other server, but a host may remove matches: versions are compared regularly."""
        self._task = asyncio.create_task(_compare_regularly(on_versions))

    def publish(self, versions: Mapping[str, int]) -> None:
        """Send the new versions of matches to other processes, without waiting."""

    def publish_jobs(self, pools: Collection[str]) -> None:
        """Tell other processes that there are new jobs in these pools, without waiting."""

    async def close(self) -> None:
        """Stop to listen."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def stored_version(
        self, match_id: str, known: int, look_up: Callable[[str], Awaitable[int | None]]
    ) -> int | None:
        """Return the stored version of a match, None if it was removed.

        `known` is the version in memory, and `look_up` reads the one in the database.
        """
        return known

    def is_compared(self, has_subscribers: bool) -> bool:
        """Return True if a match in memory is part of the regular comparison."""
        return True

    async def release_jobs_of_previous_process(self, jobs: JobTable) -> None:
        """Release the jobs of the process that used the database before. It is dead, since this one has the lock."""
        await jobs.release_all()


def make_bus(url: URL, *, shared: bool) -> LocalBus:
    """Return the bus of a process; raise LiminaError if `shared` and the database cannot be shared."""
    if not shared:
        return LocalBus()
    check_shareable(url)
    from limina.server.storage.postgres_bus import PostgresBus  # loads the driver only if it is needed

    return PostgresBus()


def check_shareable(url: URL) -> None:
    """Raise LiminaError unless several processes can share the database."""
    if url.get_backend_name() == "sqlite":
        raise LiminaError("several servers or processes can share a PostgreSQL only: name one with --database")


async def _compare_regularly(on_versions: VersionListener) -> None:
    while True:
        await asyncio.sleep(COMPARE_SECONDS)
        on_versions(None)
