"""Writing to PostgreSQL: one statement locks, compares, counts on and adds for all appends of a transaction."""

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

_LOCK = 0x4C494D494E42
"""Of the advisory lock that a server holds which wants to be the only one, and which those share that do not."""
_SECONDS = 10.0
"""What a transaction may take: all who wait are then told together that it did not work."""

# Matches are locked in the order of their ids, so that no two processes wait for each other; one that has gone on
# meanwhile is not among them once the lock is there. What is added stands and falls with its match.
_BUMP = """
WITH appends AS (
    SELECT * FROM unnest($1::text[], $2::int[], $3::int[], $4::bool[])
        AS appends(id, expected_version, version, is_over)
), locked AS (
    SELECT matches.id, appends.version, appends.is_over
    FROM matches JOIN appends ON matches.id = appends.id AND matches.version = appends.expected_version
    ORDER BY matches.id FOR UPDATE OF matches
), bumped AS (
    UPDATE matches SET version = locked.version, is_over = locked.is_over
    FROM locked WHERE matches.id = locked.id RETURNING matches.id
)
"""
_EVENTS = f"""
, added AS (
    INSERT INTO events ({rows.EVENT_COLUMNS})
    SELECT * FROM unnest($5::text[], $6::int[], $7::text[], $8::int[], $9::text[], $10::text[], $11::bigint[])
        AS new({rows.EVENT_COLUMNS})
    WHERE match_id IN (SELECT id FROM bumped)
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
    WHERE due.match_id IN (SELECT id FROM bumped)
    {_REPLACE_JOB}
), done AS (
    DELETE FROM jobs USING unnest($21::text[], $22::text[]) AS done(match_id, job_id)
    WHERE jobs.job_id = done.job_id AND done.match_id IN (SELECT id FROM bumped)
)
"""
_GO_ON = f"{_BUMP} SELECT id FROM bumped"
_APPEND = f"{_BUMP} {_EVENTS} SELECT id FROM bumped"
_APPEND_WITH_JOBS = f"{_BUMP} {_EVENTS} {_JOBS} SELECT id FROM bumped"
_INSERT_JOB = (
    f"INSERT INTO jobs ({rows.JOB_COLUMNS}) VALUES ($1, $2, $3, $4, $5, {_NOW} + $6, $7, $8, '', 0)" + _REPLACE_JOB
)
_INSERT_MATCH = f"INSERT INTO matches ({rows.MATCH_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
_INSERT_EVENT = f"INSERT INTO events ({rows.EVENT_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7)"
_INSERT_SEAT_TOKEN = f"INSERT INTO seat_tokens ({rows.SEAT_TOKEN_COLUMNS}) VALUES ($1, $2, $3)"
_DELETE_JOB = "DELETE FROM jobs WHERE job_id = $1"
_STATEMENTS = (_INSERT_MATCH, _INSERT_EVENT, _INSERT_SEAT_TOKEN, _INSERT_JOB, _DELETE_JOB)
"""For the rows of `rows_of`."""
# The update changes nothing, but PostgreSQL writes and flushes it. It needs no room on a full disk, where the events of
# a turn do: so a result that is larger than the memory allowed for it goes through a temporary file before.
_PROBE = """
SET LOCAL work_mem = '64kB';
SET LOCAL temp_tablespaces = '';
WITH large AS MATERIALIZED (SELECT repeat('x', 1000) FROM generate_series(1, 200)) SELECT count(*) FROM large;
UPDATE alembic_version SET version_num = version_num
"""


async def driver_of(connection: AsyncConnection) -> Any:
    """The connection of the driver itself."""
    return (await connection.get_raw_connection()).driver_connection


class PostgresWriter:
    """The one connection of this process that writes matches and events."""

    faulty: tuple[type[Exception], ...] = (
        asyncpg.IntegrityConstraintViolationError,
        asyncpg.DataError,
        ValueError,
        TypeError,
        OverflowError,
    )

    def __init__(self, engine: AsyncEngine, lock: str) -> None:
        self._engine = engine
        self._lock = lock
        self._connection: AsyncConnection | None = None
        self._driver: Any = None

    async def open(self) -> bool:
        """Connect; whether no other server wants the database for itself, or we do not where there are others."""
        self._connection = await self._engine.connect()
        self._driver = await driver_of(self._connection)
        # A plan is made once and kept: also while there is little in the tables it must be one for many rows.
        await self._driver.execute("SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off")
        free: bool = await self._driver.fetchval(f"SELECT {self._lock}($1)", _LOCK)
        return free

    async def commit(self, parts: Sequence[WriteItem]) -> list[bool]:
        """Write all that can be in one transaction: whether each was. Events whose match has gone on are not.

        Of each match there may be one part at most.
        """
        try:
            async with asyncio.timeout(_SECONDS):
                if self._connection is None:
                    # Nobody asks again whether we are the only one: the events that others have added are never lost.
                    await self.open()
                if all(isinstance(part, Append) and not _needs_more(part) for part in parts):
                    return await self._append(parts)  # type: ignore[arg-type]  # all of them are appends
                async with self._driver.transaction():
                    return await self._write(parts)
        except Exception:
            await self._let_go()
            raise

    async def probe(self) -> None:
        """Write and commit without changing anything and without growth; raise what the write of a turn would raise."""
        async with asyncio.timeout(_SECONDS), self._engine.connect() as connection:
            await (await driver_of(connection)).execute(_PROBE)

    async def close(self) -> None:
        """Let go."""
        await self._let_go()

    async def _let_go(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(SQLAlchemyError, OSError):
                await connection.invalidate()
                await connection.close()

    async def _append(self, appends: Sequence[Append]) -> list[bool]:
        """Write appends of which only events and jobs are written, with one statement."""
        made = [rows.event_row(each.match_id, event) for each in appends for event in each.events]
        jobs = [(each.match_id, *job) for each in appends for job in each.jobs]
        done_jobs = [(each.match_id, job_id) for each in appends for job_id in each.done_jobs]
        if jobs or done_jobs:
            columns = *_columns(made, 7), *_columns(jobs, 9), *_columns(done_jobs, 2)
            return await self._bump(_APPEND_WITH_JOBS, appends, *columns)
        return await self._bump(_APPEND, appends, *_columns(made, 7))

    async def _bump(self, statement: str, parts: Sequence[WriteItem], *columns: Sequence[Any]) -> list[bool]:
        """Go on to the versions of appends whose matches still stand where their events begin."""
        wanted = [
            (each.match_id, each.expected_version, each.version, each.is_over)
            for each in parts
            if isinstance(each, Append)
        ]
        bumped = {row[0] for row in await self._driver.fetch(statement, *_columns(wanted, 4), *columns)}
        return [isinstance(each, NewMatch) or each.match_id in bumped for each in parts]

    async def _write(self, parts: Sequence[WriteItem]) -> list[bool]:
        written = await self._bump(_GO_ON, parts)
        values = rows.rows_of([part for part, there in zip(parts, written, strict=True) if there])
        for statement, its in zip(_STATEMENTS, values, strict=True):
            if its:
                await self._driver.executemany(statement, its)
        return written


def _needs_more(append: Append) -> bool:
    """Whether more than events is written: keys of those who sit down, another match."""
    return append.rematch is not None or any(event.seats for event in append.events)


def _columns(values: Sequence[rows.Row], width: int) -> Iterable[Sequence[Any]]:
    """Return rows as columns, which is how a statement takes any number of them."""
    return zip(*values, strict=True) if values else [()] * width
