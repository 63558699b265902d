"""What a host does with a database: bring it up to date, look through it, remove what is old. A server may run."""

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
from limina.server.storage.database import check_there, make_engine, make_reader, make_writer, unusable
from limina.server.storage.tables import decks, events, matches, reviews, seat_tokens

_LOOKED_AT = 50
"""Matches that are seen as they were at one moment; nobody's work is held up for longer."""
_REMOVED = 100
"""Matches that are removed in one transaction: whoever wants to write meanwhile waits for no more."""
_PAUSE_SECONDS = 0.02
_DAMAGED = (ValueError, KeyError, TypeError, AttributeError, RecursionError)
"""The errors that damaged rows raise when they are read; RecursionError: JSON that is nested too deep."""
_PRUNED = table("pruned", column("id"), column("version"))
"""Of our connection alone: the matches that are to go, as they were found."""


@asynccontextmanager
async def opened(url: URL, *, write: bool = False) -> AsyncIterator[AsyncEngine]:
    """A database that is there, to be read or changed; whatever is wrong with it is said in a sentence."""
    try:
        if write and url.get_backend_name() == "sqlite" and not url.query:
            check_there(url)
        engine = make_engine(url) if write else make_reader(url)
    except Exception as error:
        raise unusable(error) from None
    try:
        try:
            async with engine.connect() as connection:
                await connection.execute(select(1))
        except Exception as error:  # of the driver or the network, which have no common kind
            raise unusable(error) from None
        yield engine
    except (SQLAlchemyError, OSError) as error:
        raise unusable(error) from None
    finally:
        await engine.dispose()


@asynccontextmanager
async def snapshot(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """A connection to which everything is as it was when it first looked."""
    async with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            await connection.exec_driver_sql("BEGIN")
        else:
            await connection.execution_options(isolation_level="REPEATABLE READ")
        yield connection


@asynccontextmanager
async def alone(engine: AsyncEngine) -> AsyncIterator[None]:
    """No server uses the database meanwhile; LiminaError where one does."""
    writer = make_writer(engine, LocalBus.lock)
    try:
        if not await writer.open():
            raise LiminaError("a server uses this database: stop it first")
        yield
    finally:
        await writer.close()


async def revision(engine: AsyncEngine) -> str | None:
    """Up to which migration the tables are made."""
    async with engine.connect() as connection:
        return await connection.run_sync(migrations.revision_of)


async def check_current(engine: AsyncEngine) -> None:
    """Refuse to look at tables that are not those of this version."""
    found = await revision(engine)
    if found is None:
        raise LiminaError("there are no games in this database: a server makes its tables when it first starts")
    if found != migrations.HEAD:
        raise LiminaError(f"the tables are of revision {found}: bring them to {migrations.HEAD} with limina db migrate")


# --- up to date


async def migrate(url: URL) -> tuple[str | None, str]:
    """Bring the tables up to date: from which revision, and to which. Refused while a server works with older ones."""
    async with opened(url, write=True) as engine:
        before = await revision(engine)
        if before == migrations.HEAD:
            return before, migrations.HEAD
        async with alone(engine), engine.connect() as connection:
            await connection.run_sync(migrations.upgrade)
            await connection.commit()
    return before, migrations.HEAD


# --- looking through


class StoredMatch(NamedTuple):
    """What the tables say of one match, all at the same moment."""

    id: str
    version: int
    saved: SavedMatch | None
    """None where it cannot even be read."""
    keys: frozenset[tuple[str, int]]
    """The hashes of keys and the seats that they are kept for."""
    rematch: SavedMatch | None
    """Its rematch as that began, if it has one and that is there."""


async def count_matches(engine: AsyncEngine) -> int:
    """How many there are now."""
    async with engine.connect() as connection:
        return int((await connection.execute(select(func.count()).select_from(matches))).scalar_one())


async def all_matches(engine: AsyncEngine) -> AsyncIterator[StoredMatch]:
    """One match after the other, in the order of their ids."""
    last = ""
    while True:
        async with snapshot(engine) as connection:
            query = select(matches).where(matches.c.id > last).order_by(matches.c.id).limit(_LOOKED_AT)
            found = (await connection.execute(query)).all()
            for row in found:
                yield await _stored(connection, row)
        if not found:
            return
        last = found[-1].id


async def _stored(connection: AsyncConnection, row: Any) -> StoredMatch:
    log = await connection.execute(select(events).where(events.c.match_id == row.id).order_by(events.c.event_index))
    held = await connection.execute(
        select(seat_tokens.c.token_hash, seat_tokens.c.seat_index).where(seat_tokens.c.match_id == row.id)
    )
    saved = rematch = None
    try:
        saved = rows.read_match(row, log.all())
    except _DAMAGED:
        pass
    else:
        for event in saved.events:
            if event.kind == "rematch":
                rematch = await _beginning(connection, event.payload)
    return StoredMatch(
        row.id, row.version, saved, frozenset((each.token_hash, each.seat_index) for each in held), rematch
    )


async def _beginning(connection: AsyncConnection, match: str) -> SavedMatch | None:
    row = (await connection.execute(select(matches).where(matches.c.id == match))).one_or_none()
    first = await connection.execute(select(events).where(events.c.match_id == match, events.c.event_index == 0))
    try:
        return None if row is None else rows.read_match(row, first.all())
    except _DAMAGED:
        return None  # that is said where its own turn comes


async def orphans(engine: AsyncEngine) -> dict[str, int]:
    """How many rows of which tables belong to matches that are not there."""
    known = select(matches.c.id)
    found = {}
    async with snapshot(engine) as connection:
        for each in (events, seat_tokens):
            query = select(func.count()).select_from(each).where(each.c.match_id.not_in(known))
            found[each.name] = int((await connection.execute(query)).scalar_one())
    return found


async def all_rows(engine: AsyncEngine, table: Table) -> AsyncIterator[Row[Any]]:
    """Yield the rows of a table in the order of its primary key, which is one column of text."""
    (key,) = table.primary_key
    last = ""
    while True:
        async with engine.connect() as connection:
            query = select(table).where(key > last).order_by(key).limit(_LOOKED_AT)
            found = (await connection.execute(query)).all()
        for row in found:
            yield row
        if not found:
            return
        last = getattr(found[-1], key.name)


# --- removing


class Pruned(NamedTuple):
    """How many matches were removed, or would be; and how many have gone on meanwhile."""

    abandoned: int
    finished: int
    kept: int = 0


async def prune(url: URL, abandoned: int | None, finished: int | None, *, dry: bool = False) -> Pruned:
    """Remove matches in which nothing has happened since a time, of those that are not over and those that are.

    Only as they were found: one that goes on meanwhile stays. So does one that begins as the rematch of a match that
    stays, since that one leads there.
    """
    async with opened(url, write=True) as engine:
        await check_current(engine)
        async with engine.connect() as connection:
            await _choose(connection, abandoned, finished)
            chosen = (await connection.execute(text("SELECT is_over, count(*) FROM pruned GROUP BY is_over"))).all()
            counts = {bool(over): count for over, count in chosen}
            if dry:
                return Pruned(counts.get(False, 0), counts.get(True, 0))
            removed = {False: 0, True: 0}
            while some := (await connection.execute(select(_PRUNED.c.id).limit(_REMOVED))).scalars().all():
                await connection.commit()
                for over in await _remove(connection, list(some)):
                    removed[over] += 1
                await asyncio.sleep(_PAUSE_SECONDS)
            return Pruned(removed[False], removed[True], sum(counts.values()) - sum(removed.values()))


async def prune_decks(url: URL, unused: int, *, dry: bool = False) -> int:
    """Remove decks that nobody has used since a time: how many they are."""
    async with opened(url, write=True) as engine:
        await check_current(engine)
        async with engine.connect() as connection:
            query = select(func.count()).select_from(decks).where(decks.c.used_at < unused)
            count = int((await connection.execute(query)).scalar_one())
            if not dry:
                # Whoever writes one of them just now uses it: it is skipped, and stays.
                going = select(decks.c.id).where(decks.c.used_at < unused).with_for_update(skip_locked=True)
                count = (await connection.execute(delete(decks).where(decks.c.id.in_(going)))).rowcount
                await connection.commit()
            return count


async def _choose(connection: AsyncConnection, abandoned: int | None, finished: int | None) -> None:
    """Put all that are to go into a table of our own: one look is enough however many they are."""
    rules = [f"{'' if over else 'NOT '}matches.is_over AND events.created_at < {int(time)}"
             for over, time in ((False, abandoned), (True, finished)) if time is not None]  # fmt: skip
    await connection.execute(
        text(
            "CREATE TEMPORARY TABLE pruned AS SELECT matches.id, matches.version, matches.is_over FROM matches "
            "JOIN events ON events.match_id = matches.id AND events.event_index = matches.version "
            f"WHERE {' OR '.join(rules)}"
        )
    )
    linked = (
        "DELETE FROM pruned WHERE id IN (SELECT payload FROM events WHERE kind = 'rematch' "
        "AND NOT EXISTS (SELECT 1 FROM pruned AS going WHERE going.id = events.match_id))"
    )
    while (await connection.execute(text(linked))).rowcount:
        pass
    await connection.commit()


async def _remove(connection: AsyncConnection, some: list[str]) -> list[bool]:
    """Remove those that are still as they were found: whether each of these was over."""
    still = _PRUNED.c.id == matches.c.id, _PRUNED.c.version == matches.c.version
    query = select(matches.c.id, matches.c.is_over).join(_PRUNED, and_(*still)).where(matches.c.id.in_(some))
    if connection.dialect.name == "sqlite":
        await connection.exec_driver_sql("BEGIN IMMEDIATE")
    # Whoever adds to one of them just now holds it: it is skipped, and stays. A file is locked as a whole.
    found = await connection.execute(query.with_for_update(of=matches, skip_locked=True))
    going = {row.id: bool(row.is_over) for row in found}
    for which in (events.c.match_id, seat_tokens.c.match_id, reviews.c.review_id, matches.c.id):
        await connection.execute(delete(which.table).where(which.in_(list(going))))
    await connection.execute(delete(_PRUNED).where(_PRUNED.c.id.in_(some)))
    await connection.commit()
    return list(going.values())
