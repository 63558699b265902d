"""The store: matches in the database, with one way to change them.

Writes are grouped: all that arrive during a commit share the next transaction.
"""

from __future__ import annotations

import asyncio
import enum
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from typing import Any

from sqlalchemy import URL, and_, or_, select
from sqlalchemy.ext.asyncio import AsyncEngine

from limina.server.model import Append, Event, Job, NewMatch, SavedMatch, WriteItem
from limina.server.storage import migrations, rows
from limina.server.storage.bus import JobListener, VersionListener, make_bus
from limina.server.storage.database import (
    Writer,
    check_tables,
    database_error,
    database_in_use_error,
    describe_cause,
    make_engine,
    make_job_engine,
    make_writer,
    warn_about_exposed_file,
)
from limina.server.storage.decks import DeckRepository
from limina.server.storage.jobs import JobTable
from limina.server.storage.reviews import ReviewRepository
from limina.server.storage.tables import events, matches, seat_tokens
from limina.server.storage.transactions import Transactions, write_error

REPOSITORIES = (ReviewRepository, DeckRepository)
"""One for each table that is not written by the group commit."""

_MAX_GROUP_SIZE = 2000
"""Maximum number of items in one transaction."""
_MAX_MATCHES_PER_QUERY = 100
"""Maximum number of matches whose new events are read by one query."""
_LOG = logging.getLogger("limina.server")


class WriteResult(enum.Enum):
    """The result of a write."""

    COMMITTED = enum.auto()
    CONFLICT = enum.auto()
    """The match has another version than expected. Read it and decide again."""
    FAILED = enum.auto()
    """The write was refused, or its result is unknown because the database did not answer. Read the match again."""


class PendingWrite(asyncio.Future[WriteResult]):
    """The future result of a write. A task that waits for it cannot be canceled before the result is known."""

    def __init__(self, item: WriteItem, on_result: Callable[[WriteResult], None] | None) -> None:
        super().__init__()
        self.item = item
        self._on_result = on_result
        """Called with the result before the tasks that wait for it continue."""

    def settle(self, result: WriteResult) -> None:
        """Set the result, unless it is set already."""
        if self.done():
            return
        try:
            if self._on_result is not None:
                self._on_result(result)
        except Exception as error:  # must affect neither the tasks that wait nor the other writes
            _LOG.error(
                "store: handling the result of a write (%s) failed: %s", result.name.lower(), type(error).__name__
            )
        self.set_result(result)

    def cancel(self, msg: Any = None) -> bool:
        """Return False: a write that is on its way to the database cannot be canceled."""
        return False


class Store:
    """The database of matches, reviews, decks and jobs. Use it only between `open` and `close`."""

    def __init__(self, url: URL, *, shared: bool = False) -> None:
        self._url = url
        self.bus = make_bus(url, shared=shared)
        self.version_listeners: list[VersionListener] = []
        """Called when other processes have added events."""
        self.on_jobs_saved: Callable[[Sequence[Job]], None] = lambda _: None
        """Called with jobs that this process has saved."""
        self.on_remote_jobs: JobListener = lambda _: None
        """Called with the pools of jobs that other processes have saved."""
        self._resources = AsyncExitStack()
        self._engine: AsyncEngine
        self._transactions: Transactions
        self.reviews: ReviewRepository
        self.decks: DeckRepository
        self._writer: Writer
        self.jobs: JobTable
        self._pending: list[PendingWrite] = []
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._stopping = False
        self.commits = 0
        """The number of group commits."""

    async def open(self) -> None:
        """Connect, migrate the tables and accept writes; raise LiminaError if the database cannot be used."""
        async with AsyncExitStack() as resources:
            try:
                await self._open(resources)
            except Exception as error:  # of the database, its driver, the network or the migrations
                raise database_error(error) from None
            self._resources = resources.pop_all()
        warn_about_exposed_file(self._url)
        self._task = asyncio.create_task(self._write_loop())

    async def _open(self, resources: AsyncExitStack) -> None:
        self._engine = make_engine(self._url)
        resources.push_async_callback(self._engine.dispose)
        job_engine = make_job_engine(self._url)
        resources.push_async_callback(job_engine.dispose)
        self._transactions = Transactions(self._engine)
        self.reviews = ReviewRepository(self._transactions)
        self.decks = DeckRepository(self._transactions)
        self._writer = make_writer(self._engine, self.bus.lock_function)
        resources.push_async_callback(self._writer.close)
        if not await self._writer.open():
            raise database_in_use_error(self._url)
        async with self._engine.connect() as connection:
            await connection.run_sync(migrations.upgrade)
            await connection.commit()
        await check_tables(self._engine)
        self.jobs = JobTable(Transactions(job_engine, self._transactions.write_lock))
        resources.push_async_callback(self.jobs.close)
        await self.bus.release_jobs_of_previous_process(self.jobs)
        resources.push_async_callback(self.bus.close)
        await self.bus.listen(self._engine, self._on_versions, lambda pools: self.on_remote_jobs(pools))

    async def close(self) -> None:
        """Write what is pending and disconnect."""
        if self._task is None:
            return
        self._stopping = True
        self._wake.set()
        await asyncio.gather(self._task, return_exceptions=True)
        await self._resources.aclose()
        self._task = None

    def _on_versions(self, versions: Mapping[str, int] | None) -> None:
        for listener in self.version_listeners:
            listener(versions)

    # --- writing

    def write(self, item: WriteItem, on_result: Callable[[WriteResult], None] | None = None) -> PendingWrite:
        """Save a new match, or append events if the match has the expected version. Nothing else changes a match."""
        write = PendingWrite(item, on_result)
        if self._task is None or self._task.done():  # closed: the loop would never settle it
            write.settle(WriteResult.FAILED)
        else:
            self._pending.append(write)
            self._wake.set()
        return write

    async def _write_loop(self) -> None:
        group: list[PendingWrite] = []
        try:
            while self._pending or not self._stopping:
                await self._wake.wait()
                self._wake.clear()
                while self._pending:
                    group = self._next_group()
                    await self._commit(group)
                    if len(group) > self.bus.gather_after and not self._stopping:
                        await asyncio.sleep(self.bus.gather_seconds)
        finally:
            # After a cancellation no one else would settle them.
            for write in (*group, *self._pending):
                write.settle(WriteResult.FAILED)

    def _next_group(self) -> list[PendingWrite]:
        """Remove and return pending writes, of each match only the first: the next one depends on its result."""
        group: list[PendingWrite] = []
        rest: list[PendingWrite] = []
        match_ids: set[str] = set()
        for write in self._pending:
            match_id = write.item.match_id if isinstance(write.item, Append) else None
            if len(group) >= _MAX_GROUP_SIZE or match_id in match_ids:
                rest.append(write)
                continue
            if match_id is not None:
                match_ids.add(match_id)
            group.append(write)
        self._pending = rest
        return group

    async def _commit(self, group: list[PendingWrite]) -> bool:
        """Write a group and settle all its writes; return False if the database does not work."""
        try:
            async with self._transactions.write_lock:
                written = await self._writer.commit([write.item for write in group])
        except Exception as error:  # every write has to be settled
            works = isinstance(error, self._writer.data_errors)
            # The message of a data error could contain a hidden turn, so only its type is logged.
            _LOG.error("database write failed: %s", type(error).__name__ if works else describe_cause(error))
            if works and len(group) > 1:
                # An item cannot be saved: write each in a transaction of its own, so that no other one fails.
                for write in group:
                    if works:
                        works = await self._commit([write])
                    else:
                        write.settle(WriteResult.FAILED)
            else:
                for write in group:
                    write.settle(WriteResult.FAILED)
            return works
        self.commits += 1
        for write, is_written in zip(group, written, strict=True):
            write.settle(WriteResult.COMMITTED if is_written else WriteResult.CONFLICT)
        items = [write.item for write, is_written in zip(group, written, strict=True) if is_written]
        self.bus.publish({item.match_id: item.version for item in items if isinstance(item, Append)})
        jobs = [job for item in items for job in jobs_of(item)]
        if jobs:
            self.on_jobs_saved(jobs)
        return True

    async def probe(self) -> None:
        """Commit a write that changes nothing; log the cause and raise UnavailableError if that fails."""
        try:
            await self._writer.probe()
        except Exception as error:  # of the database, its driver or the network
            raise write_error(error) from None

    # --- reading

    async def load(self, match_id: str) -> SavedMatch | None:
        """Return a match with all its events, None if there is none of this id."""
        async with self._transactions.read() as connection:
            match = (await connection.execute(select(matches).where(matches.c.id == match_id))).one_or_none()
            if match is None:
                return None
            query = select(events).where(events.c.match_id == match_id).order_by(events.c.event_index)
            log = (await connection.execute(query)).all()
        return rows.read_match(match, log)

    async def versions(self, match_ids: Iterable[str]) -> dict[str, int]:
        """Return the stored versions of matches, without those that do not exist."""
        query = select(matches.c.id, matches.c.version).where(matches.c.id.in_(list(match_ids)))
        return {row.id: row.version for row in await self._transactions.fetch(query)}

    async def events_since(self, versions: Mapping[str, int]) -> dict[str, list[Event]]:
        """Return the events of matches after these versions, in their order."""
        result: dict[str, list[Event]] = {match_id: [] for match_id in versions}
        items = list(versions.items())
        async with self._transactions.read() as connection:
            for start in range(0, len(items), _MAX_MATCHES_PER_QUERY):
                newer = [
                    and_(events.c.match_id == match_id, events.c.event_index > version)
                    for match_id, version in items[start : start + _MAX_MATCHES_PER_QUERY]
                ]
                query = select(events).where(or_(*newer)).order_by(events.c.match_id, events.c.event_index)
                for row in await connection.execute(query):
                    result[row.match_id].append(rows.read_event(row))
        return result

    async def matches_by_token(self, token_hashes: Iterable[str], max_matches: int) -> list[tuple[str, int, int]]:
        """Return the matches with the latest events in which these seat tokens have seats.

        Each is its id, its version and the time of its last event.
        """
        last_event = and_(events.c.match_id == matches.c.id, events.c.event_index == matches.c.version)
        own_matches = select(seat_tokens.c.match_id).where(seat_tokens.c.token_hash.in_(list(token_hashes)))
        query = (
            select(matches.c.id, matches.c.version, events.c.created_at)
            .join(events, last_event)
            .where(matches.c.id.in_(own_matches))
            .order_by(events.c.created_at.desc())
            .limit(max_matches)
        )
        return [(row.id, row.version, row.created_at) for row in await self._transactions.fetch(query)]


def jobs_of(item: WriteItem) -> Sequence[Job]:
    """Return the jobs that are due after a new match or an append."""
    if isinstance(item, NewMatch):
        return item.jobs
    return (*item.jobs, *(item.rematch.jobs if item.rematch is not None else ()))
