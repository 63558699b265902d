"""The store: matches as they are kept. Whatever arrives while a commit is running shares the next transaction."""

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
from limina.server.storage.bus import Heard, HeardJobs, make_bus
from limina.server.storage.database import (
    Writer,
    cause_of,
    check_tables,
    make_engine,
    make_job_engine,
    make_writer,
    taken,
    unusable,
    warn_of_exposed_file,
)
from limina.server.storage.decks import DeckRepository
from limina.server.storage.jobs import JobTable
from limina.server.storage.reviews import ReviewRepository
from limina.server.storage.tables import events, matches, seat_tokens
from limina.server.storage.transactions import Transactions, write_error

REPOSITORIES = (ReviewRepository, DeckRepository)
"""One for each table other than those of the group commit."""

_MOST_TOGETHER = 2000
_MOST_ASKED = 100
"""Of how many matches news are read with one query."""
_LOG = logging.getLogger("limina.server")


class Written(enum.Enum):
    """What became of something that was to be written."""

    SAVED = enum.auto()
    LOST = enum.auto()
    """Somebody else has added events before: look at the match again."""
    FAILED = enum.auto()
    """It is not there, or nobody knows: believe only what is read again."""


class Writing(asyncio.Future[Written]):
    """The future result of a write. A task that waits for it and is cancelled ends when the result is known."""

    def __init__(self, part: WriteItem, on_result: Callable[[Written], None] | None) -> None:
        super().__init__()
        self.part = part
        self._on_result = on_result
        """Called with the result before any task that waits for it goes on."""

    def tell(self, written: Written) -> None:
        """Set the result."""
        if self.done():
            return
        try:
            if self._on_result is not None:
                self._on_result(written)
        except Exception as error:  # whatever it was: those who wait are to know, and so is everybody else
            _LOG.error("something written could not be settled: %s", type(error).__name__)
        self.set_result(written)

    def cancel(self, msg: Any = None) -> bool:
        """What is on its way to the database cannot be called back."""
        return False


class Store:
    """The database behind all matches: nothing is known of it before `open`, and nothing is read after `close`."""

    def __init__(self, url: URL, *, shared: bool = False) -> None:
        self._url = url
        self.bus = make_bus(url, shared=shared)
        self.listeners: list[Heard] = []
        """Called with what other processes add: matches and their versions, or None if something may be missed."""
        self.on_jobs: Callable[[Sequence[Job]], None] = lambda _: None
        """Called with jobs that are saved here."""
        self.heard_jobs: HeardJobs = lambda _: None
        """Called with the pools of jobs that others have saved."""
        self._resources = AsyncExitStack()
        self._engine: AsyncEngine
        self._transactions: Transactions
        self.reviews: ReviewRepository
        self.decks: DeckRepository
        self._writer: Writer
        self.jobs: JobTable
        self._waiting: list[Writing] = []
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._stopping = False
        self.commits = 0

    async def open(self) -> None:
        """Connect, bring the tables up to date and begin to write."""
        async with AsyncExitStack() as resources:
            try:
                await self._open(resources)
            except Exception as error:  # of the database, its driver, the network or the migrations
                raise unusable(error) from None
            self._resources = resources.pop_all()
        warn_of_exposed_file(self._url)
        self._task = asyncio.create_task(self._write_on())

    async def _open(self, resources: AsyncExitStack) -> None:
        self._engine = make_engine(self._url)
        resources.push_async_callback(self._engine.dispose)
        job_engine = make_job_engine(self._url)
        resources.push_async_callback(job_engine.dispose)
        self._transactions = Transactions(self._engine)
        self.reviews = ReviewRepository(self._transactions)
        self.decks = DeckRepository(self._transactions)
        self._writer = make_writer(self._engine, self.bus.lock)
        resources.push_async_callback(self._writer.close)
        if not await self._writer.open():
            raise taken(self._url)
        async with self._engine.connect() as connection:
            await connection.run_sync(migrations.upgrade)
            await connection.commit()
        await check_tables(self._engine)
        self.jobs = JobTable(Transactions(job_engine, self._transactions.one_writer))
        resources.push_async_callback(self.jobs.close)
        await self.bus.open_jobs(self.jobs)
        resources.push_async_callback(self.bus.close)
        await self.bus.listen(self._engine, self._heard, lambda pools: self.heard_jobs(pools))

    async def close(self) -> None:
        """Write what is waiting and let go."""
        if self._task is None:
            return
        self._stopping = True
        self._wake.set()
        await asyncio.gather(self._task, return_exceptions=True)
        await self._resources.aclose()
        self._task = None

    def _heard(self, versions: Mapping[str, int] | None) -> None:
        for heard in self.listeners:
            heard(versions)

    # --- writing

    def write(self, part: WriteItem, on_result: Callable[[Written], None] | None = None) -> Writing:
        """Save a new match, or add events to one if it still stands where they begin: the one way to change it."""
        writing = Writing(part, on_result)
        if self._task is None or self._task.done():  # it is closed: nobody waits for what never comes
            writing.tell(Written.FAILED)
        else:
            self._waiting.append(writing)
            self._wake.set()
        return writing

    async def _write_on(self) -> None:
        group: list[Writing] = []
        try:
            while self._waiting or not self._stopping:
                await self._wake.wait()
                self._wake.clear()
                while self._waiting:
                    group = self._next_group()
                    await self._commit(group)
                    if len(group) > self.bus.gather_after and not self._stopping:
                        await asyncio.sleep(self.bus.gather_seconds)
        finally:
            # Told to stop in the middle: nobody waits for what never comes.
            for each in (*group, *self._waiting):
                each.tell(Written.FAILED)

    def _next_group(self) -> list[Writing]:
        """Whatever waits; of each match only the first, since the next one builds on what becomes of it."""
        group: list[Writing] = []
        left: list[Writing] = []
        seen: set[str] = set()
        for each in self._waiting:
            match = each.part.match_id if isinstance(each.part, Append) else None
            if len(group) >= _MOST_TOGETHER or match in seen:
                left.append(each)
                continue
            if match is not None:
                seen.add(match)
            group.append(each)
        self._waiting = left
        return group

    async def _commit(self, group: list[Writing]) -> bool:
        """Write a group and tell everybody; whether the database works at all."""
        try:
            async with self._transactions.one_writer:
                written = await self._writer.commit([each.part for each in group])
        except Exception as error:  # whatever it was: those who wait are to know
            working = isinstance(error, self._writer.faulty)
            # Of an error in what was to be written, only the kind: its words could tell of a game.
            _LOG.error("database write failed: %s", type(error).__name__ if working else cause_of(error))
            if working and len(group) > 1:
                # Something in the group cannot be saved: each for itself, so that only that one fails.
                for each in group:
                    if working:
                        working = await self._commit([each])
                    else:
                        each.tell(Written.FAILED)
            else:
                # Where the database does not work, it does so for nobody: nobody waits longer than the others.
                for each in group:
                    each.tell(Written.FAILED)
            return working
        self.commits += 1
        for each, there in zip(group, written, strict=True):
            each.tell(Written.SAVED if there else Written.LOST)
        added = [each.part for each, there in zip(group, written, strict=True) if there]
        self.bus.publish({part.match_id: part.version for part in added if isinstance(part, Append)})
        jobs = [job for part in added for job in jobs_of(part)]
        if jobs:
            self.on_jobs(jobs)
        return True

    async def probe(self) -> None:
        """Write something that changes nothing; UnavailableError, and its cause in the log, if the database cannot."""
        try:
            await self._writer.probe()
        except Exception as error:  # of the database, its driver or the network
            raise write_error(error) from None

    # --- reading

    async def load(self, match: str) -> SavedMatch | None:
        """A match with all its events."""
        async with self._transactions.read() as connection:
            row = (await connection.execute(select(matches).where(matches.c.id == match))).one_or_none()
            if row is None:
                return None
            log = await connection.execute(
                select(events).where(events.c.match_id == match).order_by(events.c.event_index)
            )
            found = row, log.all()
        return rows.read_match(*found)

    async def versions(self, match_ids: Iterable[str]) -> dict[str, int]:
        """Return the stored versions of matches."""
        query = select(matches.c.id, matches.c.version).where(matches.c.id.in_(list(match_ids)))
        return {row.id: row.version for row in await self._transactions.fetch(query)}

    async def news(self, known: Mapping[str, int]) -> dict[str, list[Event]]:
        """The events that came after the known versions of matches, in their order."""
        found: dict[str, list[Event]] = {match: [] for match in known}
        asked = list(known.items())
        async with self._transactions.read() as connection:
            for place in range(0, len(asked), _MOST_ASKED):
                later = [
                    and_(events.c.match_id == match, events.c.event_index > version)
                    for match, version in asked[place : place + _MOST_ASKED]
                ]
                query = select(events).where(or_(*later)).order_by(events.c.match_id, events.c.event_index)
                for row in await connection.execute(query):
                    found[row.match_id].append(rows.read_event(row))
        return found

    async def matches_of(self, token_hashes: Iterable[str], most: int) -> list[tuple[str, int, int]]:
        """The matches in which these keys have seats, latest first: id, version and the time of the last event."""
        last = and_(events.c.match_id == matches.c.id, events.c.event_index == matches.c.version)
        held = select(seat_tokens.c.match_id).where(seat_tokens.c.token_hash.in_(list(token_hashes)))
        query = (
            select(matches.c.id, matches.c.version, events.c.created_at)
            .join(events, last)
            .where(matches.c.id.in_(held))
            .order_by(events.c.created_at.desc())
            .limit(most)
        )
        return [(row.id, row.version, row.created_at) for row in await self._transactions.fetch(query)]


def jobs_of(part: WriteItem) -> Sequence[Job]:
    """Return the jobs that are due with a new match or an append."""
    if isinstance(part, NewMatch):
        return part.jobs
    return (*part.jobs, *(part.rematch.jobs if part.rematch is not None else ()))
