"""The group commit of PostgreSQL: one statement locks the matches, compares their versions and adds the events."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterable, Sequence
from typing import Any

import asyncpg  # type: ignore[import-untyped]  # it ships no types
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from limina.server.model import Append, NewMatch, WriteItem
from limina.server.storage import rows

_ADVISORY_LOCK_ID = 0x4C494D494E42
"""A server that uses the database alone holds this advisory lock; servers that share the database share it."""
_TIMEOUT_SECONDS = 10.0
"""Maximum time of a transaction. Then the whole group fails."""

# Matches are locked in the order of their ids, so that processes do not deadlock. A match that has another version by
# the time it is locked is left out, with its events and jobs.
_SET_VERSIONS = """
WITH appends AS (
    SELECT * FROM unnest($1::text[], $2::int[], $3::int[], $4::bool[])
        AS appends(id, expected_version, version, is_over)
), locked AS (
    SELECT matches.id, appends.version, appends.is_over
    FROM matches JOIN appends ON matches.id = appends.id AND matches.version = appends.expected_version
    ORDER BY matches.id FOR UPDATE OF matches
), updated AS (
    UPDATE matches SET version = locked.version, is_over = locked.is_over
    FROM locked WHERE matches.id = locked.id RETURNING matches.id
)
"""
_EVENTS = f"""
, added AS (
    INSERT INTO events ({rows.EVENT_COLUMNS})
    SELECT * FROM unnest($5::text[], $6::int[], $7::text[], $8::int[], $9::text[], $10::text[], $11::bigint[])
        AS new({rows.EVENT_COLUMNS})
    WHERE match_id IN (SELECT id FROM updated)
)
"""
_NOW = rows.NOW["postgresql"]
_REPLACE_JOB = """
ON CONFLICT (job_id) DO UPDATE SET (pool, client, cost, due_at, watched_until, claimed_by, claimed_until, payload) = (
    excluded.pool, excluded.client, excluded.cost, excluded.due_at, excluded.watched_until, '', 0, excluded.payload
)
"""
_JOBS = f"""
, queued AS (
    INSERT INTO jobs ({rows.JOB_COLUMNS})
    SELECT job_id, kind, pool, client, cost, {_NOW} + delay, watched_until, payload, '', 0
    FROM unnest($12::text[], $13::text[], $14::text[], $15::text[], $16::text[], $17::int[], $18::bigint[],
        $19::bigint[], $20::bytea[]) AS due(match_id, job_id, kind, pool, client, cost, delay, watched_until, payload)
    WHERE due.match_id IN (SELECT id FROM updated)
    {_REPLACE_JOB}
), done AS (
    DELETE FROM jobs USING unnest($21::text[], $22::text[]) AS done(match_id, job_id)
    WHERE jobs.job_id = done.job_id AND done.match_id IN (SELECT id FROM updated)
)
"""
_SET_VERSIONS_ONLY = f"{_SET_VERSIONS} SELECT id FROM updated"
_APPEND = f"{_SET_VERSIONS} {_EVENTS} SELECT id FROM updated"
_APPEND_WITH_JOBS = f"{_SET_VERSIONS} {_EVENTS} {_JOBS} SELECT id FROM updated"
_INSERT_JOB = (
    f"INSERT INTO jobs ({rows.JOB_COLUMNS}) VALUES ($1, $2, $3, $4, $5, {_NOW} + $6, $7, $8, '', 0)" + _REPLACE_JOB
)
_INSERT_MATCH = f"INSERT INTO matches ({rows.MATCH_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
_INSERT_EVENT = f"INSERT INTO events ({rows.EVENT_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7)"
_INSERT_SEAT_TOKEN = f"INSERT INTO seat_tokens ({rows.SEAT_TOKEN_COLUMNS}) VALUES ($1, $2, $3)"
_DELETE_JOB = "DELETE FROM jobs WHERE job_id = $1"
_STATEMENTS = (_INSERT_MATCH, _INSERT_EVENT, _INSERT_SEAT_TOKEN, _INSERT_JOB, _DELETE_JOB)
"""The statements for the rows of `rows_of`, in its order."""
# The update changes no value, but PostgreSQL writes and flushes it. It would succeed on a full disk, where new events
# do not. So before, a result that exceeds work_mem is written to a temporary file.
_PROBE = """
SET LOCAL work_mem = '64kB';
SET LOCAL temp_tablespaces = '';
WITH large AS MATERIALIZED (SELECT repeat('x', 1000) FROM generate_series(1, 200)) SELECT count(*) FROM large;
UPDATE alembic_version SET version_num = version_num
"""


async def driver_of(connection: AsyncConnection) -> Any:
    """Return the connection of the driver."""
    return (await connection.get_raw_connection()).driver_connection


class PostgresWriter:
    """Writes groups of items on a connection of its own."""

    data_errors: tuple[type[Exception], ...] = (
        asyncpg.IntegrityConstraintViolationError,
        asyncpg.DataError,
        ValueError,
        TypeError,
        OverflowError,
    )

    def __init__(self, engine: AsyncEngine, lock_function: str) -> None:
        self._engine = engine
        self._lock_function = lock_function
        self._connection: AsyncConnection | None = None
        self._driver: Any = None

    async def open(self) -> bool:
        """Connect and lock the database; return False if another server uses it and one of both does not share it."""
        self._connection = await self._engine.connect()
        self._driver = await driver_of(self._connection)
        # Plans are cached. One that is made for small tables must also be good for large ones.
        await self._driver.execute("SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off")
        is_locked: bool = await self._driver.fetchval(f"SELECT {self._lock_function}($1)", _ADVISORY_LOCK_ID)
        return is_locked

    async def commit(self, items: Sequence[WriteItem]) -> list[bool]:
        """Write items in one transaction; return for each whether it was written.

        An append is not written if its match has another version than expected. There may be one append for each match.
        """
        try:
            async with asyncio.timeout(_TIMEOUT_SECONDS):
                if self._connection is None:
                    # Another server may have locked the database meanwhile. Its events are safe: versions are compared.
                    await self.open()
                if all(isinstance(item, Append) and not _needs_transaction(item) for item in items):
                    return await self._append(items)  # type: ignore[arg-type]  # all are appends
                async with self._driver.transaction():
                    return await self._write(items)
        except Exception:
            await self._disconnect()
            raise

    async def probe(self) -> None:
        """Commit a write that changes nothing; raise the errors that the write of a turn would raise."""
        async with asyncio.timeout(_TIMEOUT_SECONDS), self._engine.connect() as connection:
            await (await driver_of(connection)).execute(_PROBE)

    async def close(self) -> None:
        """Disconnect."""
        await self._disconnect()

    async def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(SQLAlchemyError, OSError):
                await connection.invalidate()
                await connection.close()

    async def _append(self, appends: Sequence[Append]) -> list[bool]:
        """Write the events and jobs of appends with one statement."""
        events = [rows.event_row(append.match_id, event) for append in appends for event in append.events]
        jobs = [(append.match_id, *job) for append in appends for job in append.jobs]
        done_jobs = [(append.match_id, job_id) for append in appends for job_id in append.done_jobs]
        if jobs or done_jobs:
            columns = *_columns(events, 7), *_columns(jobs, 9), *_columns(done_jobs, 2)
            return await self._set_versions(_APPEND_WITH_JOBS, appends, *columns)
        return await self._set_versions(_APPEND, appends, *_columns(events, 7))

    async def _set_versions(self, statement: str, items: Sequence[WriteItem], *columns: Sequence[Any]) -> list[bool]:
        """Run a statement that sets the versions of matches; return False for appends with another expected version."""
        appends = [
            (item.match_id, item.expected_version, item.version, item.is_over)
            for item in items
            if isinstance(item, Append)
        ]
        updated = {row[0] for row in await self._driver.fetch(statement, *_columns(appends, 4), *columns)}
        return [isinstance(item, NewMatch) or item.match_id in updated for item in items]

    async def _write(self, items: Sequence[WriteItem]) -> list[bool]:
        written = await self._set_versions(_SET_VERSIONS_ONLY, items)
        values = rows.rows_of([item for item, is_written in zip(items, written, strict=True) if is_written])
        for statement, statement_rows in zip(_STATEMENTS, values, strict=True):
            if statement_rows:
                await self._driver.executemany(statement, statement_rows)
        return written


def _needs_transaction(append: Append) -> bool:
    """Return True if the append writes more than events and jobs: seat tokens or a rematch."""
    return append.rematch is not None or any(event.seats for event in append.events)


def _columns(table_rows: Sequence[rows.Row], width: int) -> Iterable[Sequence[Any]]:
    """Transpose rows into columns, because a statement has one array parameter for each column."""
    return zip(*table_rows, strict=True) if table_rows else [()] * width
