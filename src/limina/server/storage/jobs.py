"""The table of jobs and the output of jobs, in both databases.

The group commit writes the jobs of a match together with its events (`sqlite.py`, `postgres.py`). This module contains
all other statements: claims, leases, and jobs whose output is read. They need not survive a power failure, so they do
not wait for the disk. Rows are locked with SKIP LOCKED, so that these statements do not deadlock.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Collection, Coroutine, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Executable, Row, and_, delete, func, literal, literal_column, or_, select, update
from sqlalchemy.sql import ColumnElement

from limina.server.errors import UnavailableError
from limina.server.model import Job
from limina.server.storage import rows
from limina.server.storage.repository import upsert
from limina.server.storage.tables import job_output, jobs, secrets
from limina.server.storage.transactions import Transactions

_JOB = [literal(0) if name == "delay" else jobs.c[name] for name in Job._fields]


class ClientBacklog(NamedTuple):
    """The number of jobs of a client that wait and run in a pool."""

    pool: str
    client: str
    waiting: int
    running: int
    age: int | None
    """For how many milliseconds the oldest job that may run now has been due; None if no job may run now."""


class JobTable:
    """Statements on the jobs of a database."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions
        self._now: ColumnElement[int] = literal_column(rows.NOW[transactions.dialect])
        self._running: set[asyncio.Task[Any]] = set()
        self._closed = False

    async def close(self) -> None:
        """Refuse further statements, and wait for those that run."""
        self._closed = True
        await asyncio.gather(*self._running, return_exceptions=True)

    async def _read(self, query: Executable) -> Sequence[Row[Any]]:
        return await self._finish(self._transactions.fetch(query))

    async def _write(self, *statements: Executable) -> Sequence[Row[Any]]:
        return await self._finish(self._transactions.execute(*statements))

    async def _finish(self, statement: Coroutine[Any, Any, Sequence[Row[Any]]]) -> Sequence[Row[Any]]:
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
            task.exception()  # marks it as retrieved: the caller may have been canceled

    async def client_hash_key(self) -> bytes:
        """Return the key with which the names of clients are hashed in this database."""
        row = {"name": "clients", "value": os.urandom(32)}
        # An existing row is not changed, and its value is returned.
        statement = upsert(self._transactions, secrets, row, {"name"}).returning(secrets.c.value)
        return bytes((await self._write(statement))[0].value)

    # --- for requesters

    async def submit(self, job: Job, watched: int = 0) -> None:
        """Add a job that is watched for so many milliseconds, or extend the watch of the job with its id.

        A new job begins without the output of an earlier one.
        """
        exists = select(jobs.c.job_id).where(jobs.c.job_id == job.job_id).exists()
        values = {**job._asdict(), "due_at": self._now + job.delay, "claimed_by": "", "claimed_until": 0}
        del values["delay"]
        if watched:
            values["watched_until"] = self._now + watched
        await self._write(
            delete(job_output).where(job_output.c.job_id == job.job_id, ~exists),
            upsert(self._transactions, jobs, values, {"watched_until"}),
        )

    async def watch(self, job_ids: Collection[str], milliseconds: int) -> set[str]:
        """Extend the watch of jobs: people wait for their results. Return the ids of the jobs that exist."""
        query = update(jobs).where(_unlocked(jobs.c.job_id.in_(job_ids)))
        return await self._ids(query.values(watched_until=self._now + milliseconds))

    async def _ids(self, statement: Any) -> set[str]:
        """Return the ids of the jobs that a statement changes."""
        return {row.job_id for row in await self._write(statement.returning(jobs.c.job_id))}

    async def read_lines(self, next_indices: Mapping[str, int]) -> list[tuple[str, int, bytes]]:
        """Return lines of output as (job id, index, line), of each job from an index on, in their order."""
        unread = [
            and_(job_output.c.job_id == job_id, job_output.c.line_index >= index)
            for job_id, index in next_indices.items()
        ]
        query = select(job_output.c.job_id, job_output.c.line_index, job_output.c.line).where(or_(*unread))
        result = await self._read(query.order_by(job_output.c.job_id, job_output.c.line_index))
        return [(row.job_id, row.line_index, row.line) for row in result]

    # --- for workers

    async def backlog(self) -> list[ClientBacklog]:
        """Return how many jobs wait and run, for each pool and client."""
        waiting = jobs.c.claimed_until <= self._now
        query = select(
            jobs.c.pool,
            jobs.c.client,
            func.count().filter(waiting),
            func.count().filter(~waiting),
            self._now - func.min(jobs.c.due_at).filter(waiting, jobs.c.due_at <= self._now),
        ).group_by(jobs.c.pool, jobs.c.client)
        return [ClientBacklog._make(row) for row in await self._read(query)]

    async def claim(
        self, pool: str, client: str, worker: str, milliseconds: int, min_age: int = 0
    ) -> tuple[Job, bool] | None:
        """Claim the next job of a client for so many milliseconds, if it has been due for `min_age` milliseconds.

        Return it and True if a person waits for its result; None if there is no such job.
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
        claimed = await self._write(query)
        return (Job._make(claimed[0][:-1]), bool(claimed[0][-1])) if claimed else None

    async def renew(self, worker: str, job_ids: Collection[str], milliseconds: int) -> set[str]:
        """Extend the leases of a worker; return the ids of those that it still holds."""
        query = update(jobs).where(_unlocked(jobs.c.job_id.in_(job_ids), jobs.c.claimed_by == worker))
        return await self._ids(query.values(claimed_until=self._now + milliseconds))

    async def remove_unwatched(self, kinds: Collection[str], worker: str) -> set[str]:
        """Remove jobs of these kinds that are not watched and that no other worker holds; return their ids."""
        free = or_(jobs.c.claimed_until <= self._now, jobs.c.claimed_by == worker)
        unwatched = _unlocked(jobs.c.kind.in_(kinds), jobs.c.watched_until <= self._now, free)
        return await self._ids(delete(jobs).where(unwatched))

    async def release(self, worker: str, released: Collection[Job], delay: int = 0) -> None:
        """Release jobs: any worker may claim them after so many milliseconds."""
        held = _unlocked(or_(*(_held(worker, job) for job in released)))
        await self._write(update(jobs).where(held).values(claimed_by="", claimed_until=self._now + delay))

    async def release_worker(self, worker: str) -> None:
        """Release all jobs of a worker."""
        query = update(jobs).where(_unlocked(jobs.c.claimed_by == worker))
        await self._write(query.values(claimed_by="", claimed_until=0))

    async def release_all(self) -> None:
        """Release all jobs. Only for a process that uses the database alone: the workers that held them are dead."""
        await self._write(update(jobs).values(claimed_by="", claimed_until=0))

    async def remove(self, worker: str, job: Job) -> None:
        """Remove a job that a worker holds."""
        await self._write(delete(jobs).where(_held(worker, job)))

    async def write_line(self, job_id: str, line_index: int, line: bytes) -> None:
        """Write a line of a job's output, in place of the line of an earlier run."""
        row = {"job_id": job_id, "line_index": line_index, "line": line, "written_at": self._now}
        await self._write(upsert(self._transactions, job_output, row, {"line", "written_at"}))

    async def remove_old_output(self, milliseconds: int) -> None:
        """Remove lines of finished jobs that were written more than so many milliseconds ago."""
        is_finished = job_output.c.job_id.not_in(select(jobs.c.job_id))
        await self._write(delete(job_output).where(job_output.c.written_at < self._now - milliseconds, is_finished))


def _held(worker: str, job: Job) -> ColumnElement[bool]:
    """Select a job that a worker holds. A job that has replaced it has another payload and is not selected."""
    return and_(jobs.c.job_id == job.job_id, jobs.c.payload == job.payload, jobs.c.claimed_by == worker)


def _unlocked(*conditions: ColumnElement[bool]) -> ColumnElement[bool]:
    """Select jobs that are not locked by another statement."""
    return jobs.c.job_id.in_(select(jobs.c.job_id).where(*conditions).with_for_update(skip_locked=True))
