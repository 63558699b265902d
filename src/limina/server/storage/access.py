"""How processes use a database: one has it for itself, or several share it. All that differs between these is here."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable

from sqlalchemy import URL, select
from sqlalchemy.ext.asyncio import AsyncEngine

from limina.errors import LiminaError
from limina.server.storage.bus import Bus
from limina.server.storage.jobs import JobTable
from limina.server.storage.tables import matches
from limina.server.storage.transactions import Transactions


class Access:
    """The database of a single process: what it has in memory is what is stored, unless the host removes matches."""

    lock = "pg_try_advisory_lock"
    """The function of PostgreSQL with which a server claims the database."""
    gather_after = 32
    """After a group commit of more parts than this, the next one waits for further parts."""
    gather_seconds = 0.01
    """Too short to be noticed, and it saves a tenth of the processor time."""
    alone = True
    """No other process runs jobs."""

    def __init__(self, transactions: Callable[[], Transactions]) -> None:
        self._transactions = transactions

    def make_bus(self, engine: AsyncEngine) -> Bus:
        """Return what carries news between processes: there is no other one."""
        return Bus()

    async def versions(self, match_ids: Iterable[str]) -> dict[str, int]:
        """Return the stored versions of matches."""
        query = select(matches.c.id, matches.c.version).where(matches.c.id.in_(list(match_ids)))
        return {row.id: row.version for row in await self._transactions().fetch(query)}

    async def version(self, match_id: str, known: int, ask: Callable[[str], Awaitable[int | None]]) -> int | None:
        """Return the stored version of a match of which one is known; `ask` looks it up."""
        return known

    def is_compared(self, watched: bool) -> bool:
        """Return whether a match in memory is compared with the stored one now and then: a host may remove matches."""
        return True

    async def open_jobs(self, jobs: JobTable) -> None:
        """Give back the jobs of the process that had the database before: it is dead."""
        await jobs.release_all()


class SharedAccess(Access):
    """A PostgreSQL that several processes share."""

    lock = "pg_try_advisory_lock_shared"
    gather_after = 1
    """Each process has fewer parts at a time, and every commit is news for all others: two are many."""
    gather_seconds = 0.02
    alone = False

    def make_bus(self, engine: AsyncEngine) -> Bus:
        """Return a bus that reaches the other processes."""
        from limina.server.storage.postgres_bus import PostgresBus  # its driver is loaded only where it is used

        return PostgresBus(engine)

    async def version(self, match_id: str, known: int, ask: Callable[[str], Awaitable[int | None]]) -> int | None:
        """Look the version up: another process may have added events."""
        return await ask(match_id)

    def is_compared(self, watched: bool) -> bool:
        """Return whether the match is watched: others are looked up before each use."""
        return watched

    async def open_jobs(self, jobs: JobTable) -> None:
        """Do nothing: a job of a dead process is due again when its lease ends."""


def check_shareable(url: URL) -> None:
    """Raise LiminaError unless several processes can share the database."""
    if url.get_backend_name() == "sqlite":
        raise LiminaError("several servers or processes can share a PostgreSQL only: name one with --database")
