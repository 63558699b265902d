"""Writing to PostgreSQL: one statement locks, compares, counts on and adds for all appends of a transaction."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterable, Sequence
from typing import Any

import asyncpg  # type: ignore[import-untyped]  # it ships no types
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from limina.server.model import Append, Event, SavedDeck, SavedMatch, SavedReview
from limina.server.storage import rows, writer
from limina.server.storage.writer import Part

_LOCK = 0x4C494D494E42
"""Of the advisory lock that a server holds which wants to be the only one, and which those share that do not."""
_SECONDS = 10.0
"""What a transaction may take: all who wait are then told together that it did not work."""

# Matches are locked in the order of their ids, so that no two processes wait for each other; one that has gone on
# meanwhile is not among them once the lock is there. What is added stands and falls with its match.
_APPEND = """
WITH wanted AS (
    SELECT * FROM unnest($1::text[], $2::int[], $3::int[], $4::bool[], $5::bigint[])
        AS wanted(id, expected, version, over, bot_since)
), locked AS (
    SELECT matches.id, wanted.version, wanted.over, wanted.bot_since
    FROM matches JOIN wanted ON matches.id = wanted.id AND matches.version = wanted.expected
    ORDER BY matches.id FOR UPDATE OF matches
), bumped AS (
    UPDATE matches
    SET version = locked.version, over = locked.over, bot_since = locked.bot_since
    FROM locked WHERE matches.id = locked.id RETURNING matches.id
), added AS (
    INSERT INTO events (match, number, kind, seat, text, turn_key, at)
    SELECT made.* FROM unnest($6::text[], $7::int[], $8::text[], $9::int[], $10::text[], $11::text[], $12::bigint[])
        AS made(match, number, kind, seat, text, turn_key, at)
    WHERE made.match IN (SELECT id FROM bumped)
)
SELECT id FROM bumped
"""
_MATCH = "INSERT INTO matches VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)"
_EVENT = "INSERT INTO events VALUES ($1, $2, $3, $4, $5, $6, $7)"
_KEY = "INSERT INTO keys VALUES ($1, $2, $3)"
_REVIEW = """
INSERT INTO reviews VALUES ($1, $2, $3, $4)
ON CONFLICT (key) DO UPDATE SET version = excluded.version, made = excluded.made, lines = excluded.lines
"""
_OLD_REVIEWS = """
DELETE FROM reviews WHERE key IN (
    SELECT key FROM reviews WHERE key IN (
        SELECT key FROM (SELECT key, row_number() OVER (ORDER BY made DESC) AS place FROM reviews) AS ranked
        WHERE place > $1
    ) FOR UPDATE SKIP LOCKED
)
"""
_DECK = "INSERT INTO decks VALUES ($1, $2, $3, $4) ON CONFLICT (id) DO UPDATE SET used = excluded.used"
_OLD_DECKS = """
DELETE FROM decks WHERE id IN (
    SELECT id FROM decks WHERE id IN (
        SELECT id FROM (SELECT id, row_number() OVER (ORDER BY used DESC) AS place FROM decks) AS ranked
        WHERE place > $1
    ) FOR UPDATE SKIP LOCKED
)
"""
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
    """The one connection of this process that writes."""

    faulty: tuple[type[Exception], ...] = (
        asyncpg.IntegrityConstraintViolationError,
        asyncpg.DataError,
        ValueError,
        TypeError,
        OverflowError,
    )

    def __init__(self, engine: AsyncEngine, shared: bool) -> None:
        self._engine = engine
        self._shared = shared
        self._connection: AsyncConnection | None = None
        self._driver: Any = None

    async def open(self) -> bool:
        """Connect; whether no other server wants the database for itself, or we do not where there are others."""
        self._connection = await self._engine.connect()
        self._driver = await driver_of(self._connection)
        # A plan is made once and kept: also while there is little in the tables it must be one for many rows.
        await self._driver.execute("SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off")
        how = "pg_try_advisory_lock_shared" if self._shared else "pg_try_advisory_lock"
        free: bool = await self._driver.fetchval(f"SELECT {how}($1)", _LOCK)
        return free

    async def commit(self, parts: Sequence[Part]) -> list[bool]:
        """Write all that can be in one transaction: whether each was."""
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
        wanted = [(each.match, each.expected, each.version, each.over, each.bot_since) for each in appends]
        made = [rows.event_row(each.match, event) for each in appends for event in each.events]
        # Rows as columns, which is how a statement takes any number of them.
        columns = (*zip(*wanted, strict=True), *zip(*made, strict=True))
        bumped = {row[0] for row in await self._driver.fetch(_APPEND, *columns)}
        return [each.match in bumped for each in appends]

    async def _write(self, parts: Sequence[Part]) -> list[bool]:
        appends = [part for part in parts if isinstance(part, Append)]
        added = dict(zip(map(id, appends), await self._append(appends) if appends else (), strict=True))
        written = [added.get(id(part), True) for part in parts]
        for part, there in zip(parts, written, strict=True):
            match part:
                case Append() if there:
                    await self._keys(part.match, part.events)
                    if part.begins is not None:
                        await self._begin(part.begins)
                case SavedMatch():
                    await self._begin(part)
        # As matches, these are locked in an order that all processes have; what somebody else holds is not too old.
        await self._keep(sorted(part for part in parts if isinstance(part, SavedReview)), _REVIEW)
        await self._keep(sorted(rows.deck_row(part) for part in parts if isinstance(part, SavedDeck)), _DECK)
        if any(isinstance(part, SavedReview) for part in parts):
            await self._driver.execute(_OLD_REVIEWS, writer.MOST_REVIEWS)
        if any(isinstance(part, SavedDeck) for part in parts):
            await self._driver.execute(_OLD_DECKS, writer.MOST_DECKS)
        return written

    async def _begin(self, match: SavedMatch) -> None:
        await self._driver.execute(_MATCH, *rows.match_row(match))
        await self._driver.executemany(_EVENT, [rows.event_row(match.id, event) for event in match.events])
        await self._keys(match.id, match.events)

    async def _keys(self, match: str, events: Iterable[Event]) -> None:
        await self._keep(list(rows.key_rows(match, events)), _KEY)

    async def _keep(self, kept: Sequence[rows.Row], statement: str) -> None:
        if kept:
            await self._driver.executemany(statement, kept)


def _needs_more(append: Append) -> bool:
    """Whether more than events is written: keys of those who sit down, another match."""
    return append.begins is not None or any(event.seats for event in append.events)
