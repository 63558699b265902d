"""The store: the only place with SQL. Writes that arrive while a commit is running share the next transaction."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from sqlalchemy import URL, Row, delete, event, func, insert, make_url, select, update
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from limina.errors import LiminaError
from limina.server import migrations
from limina.server.settings import Settings
from limina.server.tables import matches, reviews, seats, steps

Values = Mapping[str, Any]
_INSERT_STEPS = insert(steps)
_MOST_TOGETHER = 2000
MOST_REVIEWS = 1000
"""Older ones go; they can be made again."""
_LOG = logging.getLogger("limina.server")


class UnavailableError(LiminaError):
    """The database does not answer."""


@dataclass(slots=True)
class Write:
    """What is to be saved together, and whom to tell. `guard` is asked before: False means that it came to nothing."""

    done: Callable[[], None]
    failed: Callable[[], None]
    guard: Callable[[], bool] = field(default=lambda: True)
    new_match: Values | None = None
    new_seats: Sequence[Values] = ()
    new_steps: Sequence[Values] = ()
    seat_changes: Sequence[tuple[str, int, Values]] = ()
    match_changes: Sequence[tuple[str, Values]] = ()
    new_review: Values | None = None


@dataclass(frozen=True, slots=True)
class Stored:
    """A match as it is stored."""

    match: Row[Any]
    seats: Sequence[Row[Any]]
    steps: Sequence[Row[Any]]


_DRIVERS = {
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
    "postgresql+asyncpg": "postgresql+asyncpg",
    "sqlite": "sqlite+aiosqlite",
    "sqlite+aiosqlite": "sqlite+aiosqlite",
}


def url_of(settings: Settings) -> URL:
    """The database's address with the driver that speaks to it.

    >>> str(url_of(Settings(database="postgresql://me@localhost/games")))
    'postgresql+asyncpg://me@localhost/games'
    """
    if settings.database is None:
        # Not read from a text: a folder's name may hold a question mark.
        return URL.create("sqlite+aiosqlite", database=str(settings.data.absolute() / "limina.sqlite"))
    scheme, colon, rest = settings.database.partition("://")
    try:
        return make_url(f"{_DRIVERS[scheme if colon else '']}://{rest}")
    except (ArgumentError, KeyError, ValueError):
        raise LiminaError("the database must be an address such as postgresql://user@host/name") from None


class Store:
    """The database behind all matches."""

    def __init__(self, url: URL) -> None:
        self._engine: AsyncEngine = _engine(url)
        self._waiting: list[Write] = []
        self._writing: AsyncConnection | None = None
        self._wake = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None
        self._stopping = False
        self.commits = 0

    @classmethod
    async def open(cls, url: URL) -> Self:
        """Connect, bring the tables up to date and begin to write."""
        try:
            _check_file(url)
            store = cls(url)
        except Exception as error:
            raise _unusable(error) from None
        try:
            async with store._engine.connect() as connection:
                await connection.run_sync(migrations.upgrade)
                await connection.commit()
        except Exception as error:  # of the database, its driver, the network or the migrations
            await store._engine.dispose()
            raise _unusable(error) from None
        store._writer = asyncio.create_task(store._write_on())
        return store

    async def close(self) -> None:
        """Write what is waiting and let go."""
        if self._writer is not None:
            self._stopping = True
            self._wake.set()
            await self._writer
        if self._writing is not None:
            await self._writing.close()
        await self._engine.dispose()

    # --- writing

    def put(self, write: Write) -> None:
        """Save this with the next transaction; `done` or `failed` is called when that is known."""
        self._waiting.append(write)
        self._wake.set()

    async def save(self, write: Callable[[Callable[[], None], Callable[[], None]], Write]) -> bool:
        """Put a write and wait: whether it was saved."""
        saved: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

        def tell(result: bool) -> None:
            if not saved.done():
                saved.set_result(result)

        self.put(write(lambda: tell(True), lambda: tell(False)))
        return await saved

    async def _write_on(self) -> None:
        while self._waiting or not self._stopping:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                group, self._waiting = self._waiting[:_MOST_TOGETHER], self._waiting[_MOST_TOGETHER:]
                await self._commit(group)

    async def _commit(self, group: list[Write]) -> None:
        sound = []
        for write in group:
            if write.guard():
                sound.append(write)
            else:
                write.failed()
        if not sound:
            return
        try:
            if self._writing is None:
                self._writing = await self._engine.connect()
            async with self._writing.begin():
                await _execute(self._writing, sound)
        except Exception as error:  # whatever it was: the others still want to be saved
            _LOG.error("something could not be saved: %s", type(error).__name__)
            await self._let_go()
            if len(sound) == 1:
                sound[0].failed()
                return
            # Something in the group cannot be saved: each for itself, so that only that one fails.
            for write in sound:
                await self._commit([write])
            return
        self.commits += 1
        for write in sound:
            try:
                write.done()
            except Exception as error:  # one match that cannot be shown must not stop all others
                _LOG.error("something saved could not be told: %s", type(error).__name__)

    async def _let_go(self) -> None:
        """Close the connection that writes; after an error the next write gets a new one."""
        connection, self._writing = self._writing, None
        if connection is not None:
            with contextlib.suppress(SQLAlchemyError, OSError):
                await connection.invalidate()
                await connection.close()

    # --- reading

    @contextlib.asynccontextmanager
    async def _reading(self) -> AsyncIterator[AsyncConnection]:
        try:
            async with self._engine.connect() as connection:
                yield connection
        except Exception as error:  # of the database, its driver or the network
            _LOG.error("something could not be read: %s", type(error).__name__)
            raise UnavailableError("the games cannot be read just now: please try again") from None

    async def load(self, match: str) -> Stored | None:
        """A match with its seats and steps."""
        async with self._reading() as connection:
            row = (await connection.execute(select(matches).where(matches.c.id == match))).one_or_none()
            if row is None:
                return None
            taken = await connection.execute(select(seats).where(seats.c.match == match).order_by(seats.c.seat))
            done = await connection.execute(select(steps).where(steps.c.match == match).order_by(steps.c.number))
            return Stored(row, taken.all(), done.all())

    async def matches_of(self, key_hashes: Iterable[str], most: int) -> list[tuple[str, int]]:
        """The matches in which these keys have seats, latest first, with the time of the last step."""
        latest = func.coalesce(func.max(steps.c.at), func.max(matches.c.created)).label("latest")
        query = (
            select(matches.c.id, latest)
            .select_from(
                matches.join(seats, seats.c.match == matches.c.id).outerjoin(steps, steps.c.match == matches.c.id)
            )
            .where(seats.c.key_hash.in_(list(key_hashes)))
            .group_by(matches.c.id)
            .order_by(latest.desc())
            .limit(most)
        )
        async with self._reading() as connection:
            return [(row.id, row.latest) for row in await connection.execute(query)]

    async def review(self, key: str, version: str) -> bytes | None:
        """A review that was kept, if this version made it."""
        query = select(reviews.c.lines).where(reviews.c.key == key, reviews.c.version == version)
        async with self._reading() as connection:
            found: bytes | None = (await connection.execute(query)).scalar_one_or_none()
            return found

    async def keep_review(self, key: str, version: str, made: int, lines: bytes) -> bool:
        """Keep a review; whether it was saved."""
        row = {"key": key, "version": version, "made": made, "lines": lines}
        return await self.save(lambda done, failed: Write(done, failed, new_review=row))


async def _execute(connection: AsyncConnection, group: list[Write]) -> None:
    for write in group:
        if write.new_match is not None:
            await connection.execute(insert(matches), [write.new_match])
            await connection.execute(insert(seats), list(write.new_seats))
    rows = [row for write in group for row in write.new_steps]
    if rows:
        await connection.execute(_INSERT_STEPS, rows)
    for write in group:
        for match, seat, values in write.seat_changes:
            found = seats.c.match == match, seats.c.seat == seat
            await connection.execute(update(seats).where(*found).values(**values))
        for match, values in write.match_changes:
            await connection.execute(update(matches).where(matches.c.id == match).values(**values))
        if write.new_review is not None:
            await _keep_review(connection, write.new_review)


async def _keep_review(connection: AsyncConnection, row: Values) -> None:
    await connection.execute(delete(reviews).where(reviews.c.key == row["key"]))
    await connection.execute(insert(reviews), [row])
    oldest = select(reviews.c.made).order_by(reviews.c.made.desc()).offset(MOST_REVIEWS - 1).limit(1).scalar_subquery()
    await connection.execute(delete(reviews).where(reviews.c.made < oldest))


def _unusable(error: Exception) -> LiminaError:
    if isinstance(error, LiminaError):
        return error
    words = str(getattr(error, "orig", None) or error).strip() or type(error).__name__
    return LiminaError(f"the database cannot be used: {words.splitlines()[0]}")


def _check_file(url: URL) -> None:
    """Look into the file first, without threads: aiosqlite's own do not end well where there is no database."""
    if url.get_backend_name() == "sqlite" and url.database and not url.query:
        with contextlib.closing(sqlite3.connect(url.database)) as connection:
            connection.execute("PRAGMA schema_version").fetchone()


def _engine(url: URL) -> AsyncEngine:
    if url.get_backend_name() != "sqlite":
        return create_async_engine(url, pool_size=5, max_overflow=5, pool_pre_ping=True)
    engine = create_async_engine(url, connect_args={"timeout": 15})

    @event.listens_for(engine.sync_engine, "connect")
    def prepare(connection: Any, _: object) -> None:
        cursor = connection.cursor()
        # FULL: a commit is on the disk before it is called one, also when the machine loses its power.
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    return engine
