"""The table of jobs and the lines that jobs write, in both databases.

The jobs of a match are written by the group commit of its events (`sqlite.py`, `postgres.py`). Everything else is here:
claims, leases, and the jobs whose output somebody reads. These statements need not survive a power failure, so they do
not wait for the disk. Rows are locked with SKIP LOCKED: no statement waits for one that holds what the other needs.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from functools import wraps
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar

from sqlalchemy import Select, and_, delete, func, insert, literal, literal_column, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.sql import ColumnElement

from limina.server.errors import UnavailableError
from limina.server.model import Job
from limina.server.storage import rows
from limina.server.storage.repository import upsert
from limina.server.storage.tables import job_output, jobs, secrets
from limina.server.storage.transactions import read_error, write_error

P = ParamSpec("P")
T = TypeVar("T")
_TIMEOUT_SECONDS = 10.0
_JOB = [literal(0) if name == "delay" else jobs.c[name] for name in Job._fields]


class Backlog(NamedTuple):
    """The jobs of a client in a pool."""

    pool: str
    client: str
    waiting: int
    running: int
    age: int | None
    """For how many milliseconds the oldest job that may run now has been due; None if no job may run now."""


def _uncanceled(
    statement: Callable[Concatenate[JobTable, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[JobTable, P], Coroutine[Any, Any, T]]:
    @wraps(statement)
    async def run(self: JobTable, /, *args: P.args, **more: P.kwargs) -> T:
        return await self._finish(statement(self, *args, **more))

    return run


class JobTable:
    """Statements on the jobs of a database."""

    def __init__(self, engine: AsyncEngine, one_writer: AbstractAsyncContextManager[Any]) -> None:
        self._engine = engine
        self._one_writer = one_writer
        self._now: ColumnElement[int] = literal_column(rows.NOW[engine.dialect.name])
        self._running: set[asyncio.Task[Any]] = set()
        self._closed = False

    async def close(self) -> None:
        """Refuse further statements, and wait for those that run."""
        self._closed = True
        await asyncio.gather(*self._running, return_exceptions=True)

    async def _finish(self, statement: Coroutine[Any, Any, T]) -> T:
        """Run a statement to its end even if the caller is canceled: the engine could leak its connection."""
        if self._closed:
            statement.close()
            raise UnavailableError("the server stops: please try again")
        task = asyncio.create_task(statement)
        self._running.add(task)
        task.add_done_callback(self._ended)
        return await asyncio.shield(task)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # the caller may be gone

    @asynccontextmanager
    async def _reading(self) -> AsyncIterator[AsyncConnection]:
        try:
            async with asyncio.timeout(_TIMEOUT_SECONDS), self._engine.connect() as connection:
                yield connection
        except Exception as error:  # of the database, its driver or the network
            raise read_error(error) from None

    @asynccontextmanager
    async def _writing(self) -> AsyncIterator[AsyncConnection]:
        try:
            async with asyncio.timeout(_TIMEOUT_SECONDS), self._one_writer, self._engine.connect() as connection:
                yield connection
        except Exception as error:  # of the database, its driver or the network
            raise write_error(error) from None

    @_uncanceled
    async def client_secret(self) -> bytes:
        """Return the key with which the names of clients are hashed in this database."""
        query = select(secrets.c.value).where(secrets.c.name == "clients")
        async with self._writing() as connection:
            with suppress(IntegrityError):  # there is one
                await connection.execute(insert(secrets).values(name="clients", value=os.urandom(32)))
            found: bytes = (await connection.execute(query)).scalar_one()
            return found

    # --- for those who need a result

    @_uncanceled
    async def submit(self, job: Job, watched: int = 0) -> None:
        """Add a job that is watched for so many milliseconds, or note that it is if there is one of this id. A new job
        begins without the lines of an earlier one."""
        there = select(jobs.c.job_id).where(jobs.c.job_id == job.job_id).exists()
        async with self._writing() as connection:
            await connection.execute(delete(job_output).where(job_output.c.job_id == job.job_id, ~there))
            values = {**job._asdict(), "due_at": self._now + job.delay, "claimed_by": "", "claimed_until": 0}
            del values["delay"]
            if watched:
                values["watched_until"] = self._now + watched
            await connection.execute(upsert(connection, jobs, values, {"watched_until"}))

    @_uncanceled
    async def watch(self, job_ids: Collection[str], milliseconds: int) -> set[str]:
        """Note that people wait for the results of these jobs; return the ids of those that exist."""
        query = (
            update(jobs)
            .where(jobs.c.job_id.in_(_unlocked(jobs.c.job_id.in_(job_ids))))
            .values(watched_until=self._now + milliseconds)
            .returning(jobs.c.job_id)
        )
        async with self._writing() as connection:
            return set((await connection.execute(query)).scalars())

    @_uncanceled
    async def read_lines(self, next_indices: Mapping[str, int]) -> list[tuple[str, int, bytes]]:
        """Return the lines of jobs, of each from an index on, in their order."""
        wanted = [
            and_(job_output.c.job_id == job_id, job_output.c.line_index >= index)
            for job_id, index in next_indices.items()
        ]
        query = select(job_output.c.job_id, job_output.c.line_index, job_output.c.line).where(or_(*wanted))
        async with self._reading() as connection:
            rows = await connection.execute(query.order_by(job_output.c.job_id, job_output.c.line_index))
            return [(row.job_id, row.line_index, row.line) for row in rows]

    # --- for workers

    @_uncanceled
    async def backlog(self) -> list[Backlog]:
        """Return how many jobs wait and run, for each pool and client."""
        waiting = jobs.c.claimed_until <= self._now
        query = select(
            jobs.c.pool,
            jobs.c.client,
            func.count().filter(waiting),
            func.count().filter(~waiting),
            self._now - func.min(jobs.c.due_at).filter(waiting, jobs.c.due_at <= self._now),
        ).group_by(jobs.c.pool, jobs.c.client)
        async with self._reading() as connection:
            return [Backlog(*row) for row in await connection.execute(query)]

    @_uncanceled
    async def claim(
        self, pool: str, client: str, worker: str, milliseconds: int, min_age: int = 0
    ) -> tuple[Job, bool] | None:
        """Claim a client's next job for so long, if it has been due for `min_age` milliseconds.

        Return it and whether a person waits for it; None if there is none.
        """
        ready = (
            select(jobs.c.job_id)
            .where(jobs.c.pool == pool, jobs.c.client == client)
            .where(jobs.c.due_at <= self._now - min_age, jobs.c.claimed_until <= self._now)
            .order_by((jobs.c.watched_until > self._now).desc(), jobs.c.cost, jobs.c.due_at)
            .limit(1)
            .with_for_update(skip_locked=True)
        )
        query = (
            update(jobs)
            .where(jobs.c.job_id == ready.scalar_subquery())
            .values(claimed_by=worker, claimed_until=self._now + milliseconds)
            .returning(*_JOB, jobs.c.watched_until > self._now)
        )
        async with self._writing() as connection:
            row = (await connection.execute(query)).one_or_none()
        return None if row is None else (Job(*row[:-1]), bool(row[-1]))

    @_uncanceled
    async def renew(self, worker: str, job_ids: Collection[str], milliseconds: int) -> set[str]:
        """Extend the leases of a worker; return the ids of those that it still holds."""
        held = _unlocked(jobs.c.job_id.in_(job_ids), jobs.c.claimed_by == worker)
        query = (
            update(jobs)
            .where(jobs.c.job_id.in_(held))
            .values(claimed_until=self._now + milliseconds)
            .returning(jobs.c.job_id)
        )
        async with self._writing() as connection:
            return set((await connection.execute(query)).scalars())

    @_uncanceled
    async def release_worker(self, worker: str) -> None:
        """Give back all jobs of a worker."""
        held = _unlocked(jobs.c.claimed_by == worker)
        async with self._writing() as connection:
            await connection.execute(update(jobs).where(jobs.c.job_id.in_(held)).values(claimed_by="", claimed_until=0))

    @_uncanceled
    async def remove_unwatched(self, kinds: Collection[str], worker: str) -> set[str]:
        """Remove jobs of these kinds without a reader that the worker or no other one holds; return their ids."""
        free = or_(jobs.c.claimed_until <= self._now, jobs.c.claimed_by == worker)
        unwatched = _unlocked(jobs.c.kind.in_(kinds), jobs.c.watched_until <= self._now, free)
        query = delete(jobs).where(jobs.c.job_id.in_(unwatched)).returning(jobs.c.job_id)
        async with self._writing() as connection:
            return set((await connection.execute(query)).scalars())

    @_uncanceled
    async def release(self, worker: str, released: Collection[Job], delay: int = 0) -> None:
        """Give jobs back: any worker may claim them after so many milliseconds."""
        held = _unlocked(or_(*(_held(worker, job) for job in released)))
        query = update(jobs).where(jobs.c.job_id.in_(held)).values(claimed_by="", claimed_until=self._now + delay)
        async with self._writing() as connection:
            await connection.execute(query)

    @_uncanceled
    async def release_all(self) -> None:
        """Give all jobs back. Only for a process that has the database for itself: those who held them are dead."""
        async with self._writing() as connection:
            await connection.execute(update(jobs).values(claimed_by="", claimed_until=0))

    @_uncanceled
    async def remove(self, worker: str, job: Job) -> None:
        """Remove a job that a worker holds."""
        async with self._writing() as connection:
            await connection.execute(delete(jobs).where(_held(worker, job)))

    @_uncanceled
    async def write_line(self, job_id: str, line_index: int, line: bytes) -> None:
        """Write a line of a job's output, in place of that of an earlier run."""
        row = {"job_id": job_id, "line_index": line_index, "line": line, "written_at": self._now}
        async with self._writing() as connection:
            await connection.execute(upsert(connection, job_output, row, {"line", "written_at"}))

    @_uncanceled
    async def remove_old_output(self, milliseconds: int) -> None:
        """Remove lines that were written longer ago than this."""
        async with self._writing() as connection:
            over = job_output.c.job_id.not_in(select(jobs.c.job_id))
            await connection.execute(delete(job_output).where(job_output.c.written_at < self._now - milliseconds, over))


def _held(worker: str, job: Job) -> ColumnElement[bool]:
    """Select a job that a worker holds, and not one that has replaced it and that the same worker has claimed."""
    return and_(jobs.c.job_id == job.job_id, jobs.c.payload == job.payload, jobs.c.claimed_by == worker)


def _unlocked(*conditions: ColumnElement[bool]) -> Select[Any]:
    """Select the ids of jobs that no other statement changes at this moment."""
    return select(jobs.c.job_id).where(*conditions).with_for_update(skip_locked=True)
