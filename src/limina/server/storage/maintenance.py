"""Maintenance by a host: migrate a database, read all of it for a check, remove old rows.

Reading and removing work while a server runs.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

from sqlalchemy import URL, Row, Table, and_, column, delete, func, select, table, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from limina.errors import LiminaError
from limina.server.model import SavedMatch
from limina.server.storage import migrations, rows
from limina.server.storage.bus import LocalBus
from limina.server.storage.database import (
    database_error,
    existing_file,
    make_engine,
    make_read_only_engine,
    make_writer,
)
from limina.server.storage.tables import decks, events, matches, reviews, seat_tokens

_ROWS_PER_TRANSACTION = 50
"""Matches, or rows of another table, that are read in one transaction."""
_REMOVALS_PER_TRANSACTION = 100
"""Matches that are removed in one transaction. A server that writes waits for its end."""
_PAUSE_SECONDS = 0.02
"""Pause between two of these transactions, in which a server can write."""
_DAMAGE_ERRORS = (ValueError, KeyError, TypeError, AttributeError, RecursionError)
"""The errors that damaged rows raise when they are read; RecursionError: JSON that is nested too deep."""
_PRUNED = table("pruned", column("id"), column("version"))
"""A temporary table: the matches to remove, with the versions that they had."""


@asynccontextmanager
async def open_engine(url: URL, *, write: bool = False) -> AsyncIterator[AsyncEngine]:
    """Yield the engine of an existing database; raise every error of the database as LiminaError."""
    try:
        if write and url.get_backend_name() == "sqlite" and not url.query:
            existing_file(url)
        engine = make_engine(url) if write else make_read_only_engine(url)
    except Exception as error:
        raise database_error(error) from None
    try:
        try:
            async with engine.connect() as connection:
                await connection.execute(select(1))
        except Exception as error:  # of the driver or the network, which have no common base
            raise database_error(error) from None
        yield engine
    except (SQLAlchemyError, OSError) as error:
        raise database_error(error) from None
    finally:
        await engine.dispose()


@asynccontextmanager
async def snapshot(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """Yield a connection whose queries all see the database at the time of the first one."""
    async with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            await connection.exec_driver_sql("BEGIN")
        else:
            await connection.execution_options(isolation_level="REPEATABLE READ")
        yield connection


@asynccontextmanager
async def exclusive_access(engine: AsyncEngine) -> AsyncIterator[None]:
    """Keep servers from starting on the database; raise LiminaError if one uses it."""
    writer = make_writer(engine, LocalBus.lock_function)
    try:
        if not await writer.open():
            raise LiminaError("a server uses this database: stop it first")
        yield
    finally:
        await writer.close()


async def read_revision(engine: AsyncEngine) -> str | None:
    """Return the revision of the tables, None without tables."""
    async with engine.connect() as connection:
        return await connection.run_sync(migrations.revision_of)


async def check_current(engine: AsyncEngine) -> None:
    """Raise LiminaError unless the tables are those of this version."""
    revision = await read_revision(engine)
    if revision is None:
        raise LiminaError("there are no games in this database: a server makes its tables when it first starts")
    if revision != migrations.HEAD:
        raise LiminaError(
            f"the tables are of revision {revision}: bring them to {migrations.HEAD} with limina db migrate"
        )


# --- migrating


async def migrate(url: URL) -> tuple[str | None, str]:
    """Migrate the tables; return their revisions before and after.

    Raise LiminaError if a server uses older tables.
    """
    async with open_engine(url, write=True) as engine:
        before = await read_revision(engine)
        if before == migrations.HEAD:
            return before, migrations.HEAD
        async with exclusive_access(engine), engine.connect() as connection:
            await connection.run_sync(migrations.upgrade)
            await connection.commit()
    return before, migrations.HEAD


# --- reading


class StoredMatch(NamedTuple):
    """All that is stored of a match, read in one transaction."""

    id: str
    version: int
    saved: SavedMatch | None
    """None if its rows cannot be read."""
    seat_tokens: frozenset[tuple[str, int]]
    """The hashes of seat tokens, each with the index of the seat."""
    rematch: SavedMatch | None
    """Its rematch with the first event, None if there is none."""


async def count_matches(engine: AsyncEngine) -> int:
    """Return the number of matches."""
    async with engine.connect() as connection:
        return int((await connection.execute(select(func.count()).select_from(matches))).scalar_one())


async def all_matches(engine: AsyncEngine) -> AsyncIterator[StoredMatch]:
    """Yield all matches in the order of their ids."""
    last_id = ""
    while True:
        async with snapshot(engine) as connection:
            query = select(matches).where(matches.c.id > last_id).order_by(matches.c.id).limit(_ROWS_PER_TRANSACTION)
            batch = (await connection.execute(query)).all()
            for row in batch:
                yield await _read_stored_match(connection, row)
        if not batch:
            return
        last_id = batch[-1].id


async def _read_stored_match(connection: AsyncConnection, row: Any) -> StoredMatch:
    log = await connection.execute(select(events).where(events.c.match_id == row.id).order_by(events.c.event_index))
    tokens = await connection.execute(
        select(seat_tokens.c.token_hash, seat_tokens.c.seat_index).where(seat_tokens.c.match_id == row.id)
    )
    saved = rematch = None
    try:
        saved = rows.read_match(row, log.all())
    except _DAMAGE_ERRORS:
        pass
    else:
        for event in saved.events:
            if event.kind == "rematch":
                rematch = await _read_first_event(connection, event.payload)
    return StoredMatch(
        row.id, row.version, saved, frozenset((token.token_hash, token.seat_index) for token in tokens), rematch
    )


async def _read_first_event(connection: AsyncConnection, match_id: str) -> SavedMatch | None:
    row = (await connection.execute(select(matches).where(matches.c.id == match_id))).one_or_none()
    first = await connection.execute(select(events).where(events.c.match_id == match_id, events.c.event_index == 0))
    try:
        return None if row is None else rows.read_match(row, first.all())
    except _DAMAGE_ERRORS:
        return None  # the check of that match reports it


async def count_orphans(engine: AsyncEngine) -> dict[str, int]:
    """Return by table the number of rows whose match does not exist."""
    known = select(matches.c.id)
    counts = {}
    async with snapshot(engine) as connection:
        for child in (events, seat_tokens):
            query = select(func.count()).select_from(child).where(child.c.match_id.not_in(known))
            counts[child.name] = int((await connection.execute(query)).scalar_one())
    return counts


async def all_rows(engine: AsyncEngine, table: Table) -> AsyncIterator[Row[Any]]:
    """Yield the rows of a table in the order of its primary key, which is one column of text."""
    (key,) = table.primary_key
    last_key = ""
    while True:
        async with engine.connect() as connection:
            query = select(table).where(key > last_key).order_by(key).limit(_ROWS_PER_TRANSACTION)
            batch = (await connection.execute(query)).all()
        for row in batch:
            yield row
        if not batch:
            return
        last_key = getattr(batch[-1], key.name)


# --- removing


class PruneResult(NamedTuple):
    """The number of matches that were removed, or would be, and of those that changed meanwhile."""

    abandoned: int
    finished: int
    changed: int = 0
    """Matches that stay because they got new events while others were removed."""


async def prune(url: URL, abandoned: int | None, finished: int | None, *, dry_run: bool = False) -> PruneResult:
    """Remove matches whose last event is before a time: `abandoned` for unfinished matches, `finished` for others.

    Times are milliseconds since 1970; None removes no match. A match that gets an event meanwhile stays. So does the
    rematch of a match that stays.
    """
    async with open_engine(url, write=True) as engine:
        await check_current(engine)
        async with engine.connect() as connection:
            await _select_matches(connection, abandoned, finished)
            selected = (await connection.execute(text("SELECT is_over, count(*) FROM pruned GROUP BY is_over"))).all()
            counts = {bool(is_over): count for is_over, count in selected}
            if dry_run:
                return PruneResult(counts.get(False, 0), counts.get(True, 0))
            removed = {False: 0, True: 0}
            while (
                match_ids := (await connection.execute(select(_PRUNED.c.id).limit(_REMOVALS_PER_TRANSACTION)))
                .scalars()
                .all()
            ):
                await connection.commit()
                for is_over in await _remove(connection, list(match_ids)):
                    removed[is_over] += 1
                await asyncio.sleep(_PAUSE_SECONDS)
            return PruneResult(removed[False], removed[True], sum(counts.values()) - sum(removed.values()))


async def prune_decks(url: URL, unused: int, *, dry_run: bool = False) -> int:
    """Remove decks that were last used before a time, in milliseconds since 1970; return their number."""
    async with open_engine(url, write=True) as engine:
        await check_current(engine)
        async with engine.connect() as connection:
            query = select(func.count()).select_from(decks).where(decks.c.used_at < unused)
            count = int((await connection.execute(query)).scalar_one())
            if not dry_run:
                # A deck that another transaction writes is in use: it is skipped and stays.
                unlocked = select(decks.c.id).where(decks.c.used_at < unused).with_for_update(skip_locked=True)
                count = (await connection.execute(delete(decks).where(decks.c.id.in_(unlocked)))).rowcount
                await connection.commit()
            return count


async def _select_matches(connection: AsyncConnection, abandoned: int | None, finished: int | None) -> None:
    """Fill the temporary table with the matches to remove: with one query, however many there are."""
    rules = [f"{'' if is_over else 'NOT '}matches.is_over AND events.created_at < {int(time)}"
             for is_over, time in ((False, abandoned), (True, finished)) if time is not None]  # fmt: skip
    await connection.execute(
        text(
            "CREATE TEMPORARY TABLE pruned AS SELECT matches.id, matches.version, matches.is_over FROM matches "
            "JOIN events ON events.match_id = matches.id AND events.event_index = matches.version "
            f"WHERE {' OR '.join(rules)}"
        )
    )
    linked = (
        "DELETE FROM pruned WHERE id IN (SELECT payload FROM events WHERE kind = 'rematch' "
        "AND NOT EXISTS (SELECT 1 FROM pruned AS source WHERE source.id = events.match_id))"
    )
    while (await connection.execute(text(linked))).rowcount:
        pass
    await connection.commit()


async def _remove(connection: AsyncConnection, match_ids: list[str]) -> list[bool]:
    """Remove the matches whose version has not changed; return for each of these True if it was over."""
    unchanged = _PRUNED.c.id == matches.c.id, _PRUNED.c.version == matches.c.version
    query = select(matches.c.id, matches.c.is_over).join(_PRUNED, and_(*unchanged)).where(matches.c.id.in_(match_ids))
    if connection.dialect.name == "sqlite":
        await connection.exec_driver_sql("BEGIN IMMEDIATE")
    # A match to which another transaction adds events is locked: it is skipped and stays. SQLite locks the whole file.
    result = await connection.execute(query.with_for_update(of=matches, skip_locked=True))
    removed = {row.id: bool(row.is_over) for row in result}
    for match_id in (events.c.match_id, seat_tokens.c.match_id, reviews.c.review_id, matches.c.id):
        await connection.execute(delete(match_id.table).where(match_id.in_(list(removed))))
    await connection.execute(delete(_PRUNED).where(_PRUNED.c.id.in_(match_ids)))
    await connection.commit()
    return list(removed.values())
