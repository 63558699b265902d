"""Which database it is, and how it is spoken to."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from sqlalchemy import URL, event, make_url, select
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from limina.errors import LiminaError
from limina.server.settings import ServerSettings
from limina.server.storage.sqlite import SqliteWriter, check_file, create_file, damaged, prepare, read_only
from limina.server.storage.tables import metadata

if TYPE_CHECKING:  # its driver is loaded only where it is used
    from limina.server.storage.postgres import PostgresWriter

Writer: TypeAlias = "SqliteWriter | PostgresWriter"
"""One connection of a database, used by one task at a time. It connects again by itself after an error."""

_LOG = logging.getLogger("limina.server")
_FILE = "limina.sqlite"
_BUSY_SECONDS = 5.0
"""How long another program may keep the file locked before that is said."""
_DRIVERS = {
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
    "postgresql+asyncpg": "postgresql+asyncpg",
    "sqlite": "sqlite+aiosqlite",
    "sqlite+aiosqlite": "sqlite+aiosqlite",
}


def url_of(settings: ServerSettings) -> URL:
    """The database's address with the driver that speaks to it.

    >>> str(url_of(ServerSettings(database="postgresql://me@localhost/games")))
    'postgresql+asyncpg://me@localhost/games'
    """
    if settings.database is None:
        # Not read from a text: a folder's name may hold a question mark.
        return URL.create("sqlite+aiosqlite", database=str(settings.data.absolute() / _FILE))
    scheme, colon, rest = settings.database.partition("://")
    try:
        return make_url(f"{_DRIVERS[scheme if colon else '']}://{rest}")
    except (ArgumentError, KeyError, ValueError):
        raise LiminaError("the database must be an address such as postgresql://user@host/name") from None


def make_engine(url: URL) -> AsyncEngine:
    """The engine for an address, not yet connected."""
    if url.get_backend_name() != "sqlite":
        return create_async_engine(url, pool_size=6, max_overflow=5, pool_pre_ping=True)
    if url.database in (None, "", ":memory:"):
        raise LiminaError("the database must be a file, such as sqlite:///games.sqlite")
    if "uri" not in url.query:
        # Before any thread: those of aiosqlite do not end well where there is no database.
        path = Path(url.database or "")
        create_file(path)
        check_file(path, write=True)
    engine = create_async_engine(url, connect_args={"timeout": _BUSY_SECONDS})

    @event.listens_for(engine.sync_engine, "connect")
    def connected(connection: Any, _: object) -> None:
        prepare(connection)

    return engine


def make_job_engine(url: URL) -> AsyncEngine:
    """Return an engine for statements that stand alone and need not survive a power failure: they do not wait for the
    disk. What a person has done is never written by it."""
    if url.get_backend_name() != "sqlite":
        relaxed = {"server_settings": {"synchronous_commit": "off"}}
        return create_async_engine(
            url, connect_args=relaxed, isolation_level="AUTOCOMMIT", pool_size=3, max_overflow=2, pool_pre_ping=True
        )
    # One connection, opened before the first job: a task that is canceled while it connects would leak what it opens.
    engine = create_async_engine(
        url, connect_args={"timeout": _BUSY_SECONDS}, isolation_level="AUTOCOMMIT", pool_size=1, max_overflow=0
    )

    @event.listens_for(engine.sync_engine, "connect")
    def connected(connection: Any, _: object) -> None:
        prepare(connection)
        connection.execute("PRAGMA synchronous=NORMAL")

    return engine


def make_reader(url: URL) -> AsyncEngine:
    """The engine for an address where there is a database, for whoever only looks: nothing can be changed by it."""
    if url.get_backend_name() != "sqlite":
        return create_async_engine(url, execution_options={"postgresql_readonly": True})
    if not url.query:
        path = check_there(url)
        check_file(path, write=False)
        address, _, _ = read_only(path).partition("?")
        url = url.set(database=address, query={"mode": "ro", "uri": "true"})
    return create_async_engine(url, connect_args={"timeout": _BUSY_SECONDS})


def check_there(url: URL) -> Path:
    """The file of an SQLite database, if there is one."""
    path = Path(url.database or "").absolute()
    if not path.is_file():
        raise LiminaError(f"there is no database at {path}: name it with --data or --database")
    return path


def without_transactions(engine: AsyncEngine) -> AsyncEngine:
    """The same connections for whoever only reads: on PostgreSQL no transaction is begun and ended for it."""
    if engine.url.get_backend_name() == "sqlite":
        return engine
    return engine.execution_options(isolation_level="AUTOCOMMIT")


def make_writer(engine: AsyncEngine, lock: str) -> Writer:
    """Return what writes to the database of an engine, and takes this lock of a PostgreSQL."""
    if engine.url.get_backend_name() == "sqlite":
        return SqliteWriter(engine.url)
    from limina.server.storage.postgres import PostgresWriter  # its driver is loaded only where it is used

    return PostgresWriter(engine, lock)


def taken(url: URL) -> LiminaError:
    """Another server has the data, in a sentence."""
    if url.get_backend_name() != "sqlite":
        return LiminaError("another server uses this database: stop it, or start all of them with --shared")
    path = Path(url.database or "")
    if path.name == _FILE:
        return LiminaError(f"another server uses {path.parent}: choose another folder with --data")
    return LiminaError(f"another server uses {path}: choose another file with --database")


def warn_of_exposed_file(url: URL) -> None:
    """Log that every user of this machine can read or replace the file of an SQLite database, where it is so."""
    if url.get_backend_name() != "sqlite" or "uri" in url.query:
        return
    path = Path(url.database or "").resolve()
    if path.stat().st_mode & 0o007:
        _LOG.warning("every user of this machine can read %s: chmod it to 600", path)
    if path.parent.stat().st_mode & 0o1002 == 0o002:  # without the sticky bit
        _LOG.warning("every user of this machine can replace the files in %s: chmod it to 700", path.parent)


def unusable(error: Exception) -> LiminaError:
    """Why a database cannot be used, in a sentence."""
    if isinstance(error, LiminaError):
        return error
    inner = _innermost(error)
    return LiminaError(f"the database cannot be used: {_first_line(inner) or type(inner).__name__}")


def cause_of(error: Exception) -> str:
    """Name the cause of a failed read or write for the log.

    The database's and the system's own words; of other errors only the kind, since their words could tell of a game.
    """
    inner = _innermost(error)
    package = type(inner).__module__.partition(".")[0]
    said = _first_line(inner) if isinstance(inner, OSError) or package in ("sqlite3", "asyncpg") else ""
    return f"{type(inner).__name__}: {said}" if said else type(inner).__name__


def _innermost(error: BaseException) -> BaseException:
    """The error of the driver itself, without those that SQLAlchemy wraps around it."""
    if isinstance(error, DBAPIError) and error.orig is not None:
        return error.orig.__cause__ or error.orig
    return error


def _first_line(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0]


async def check_tables(engine: AsyncEngine) -> None:
    """Raise LiminaError unless every table and column that this version needs is there."""
    async with engine.connect() as connection:
        for table in metadata.sorted_tables:
            try:
                await connection.execute(select(table).limit(1))
            except DBAPIError as error:
                if error.connection_invalidated:
                    raise
                raise damaged(_first_line(_innermost(error))) from None
