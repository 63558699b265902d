"""The address of the database, its engines and its errors."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from sqlalchemy import URL, event, make_url, select
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from limina.errors import LiminaError
from limina.server.settings import ServerSettings
from limina.server.storage.sqlite import (
    SqliteWriter,
    check_file,
    configure_connection,
    create_file,
    damaged_database_error,
    read_only_uri,
)
from limina.server.storage.tables import metadata

if TYPE_CHECKING:  # it loads the driver of PostgreSQL
    from limina.server.storage.postgres import PostgresWriter

Writer: TypeAlias = "SqliteWriter | PostgresWriter"
"""The connection of the group commit. It is used by one task at a time and connects again after an error."""

_LOG = logging.getLogger("limina.server")
_FILE_NAME = "limina.sqlite"
_BUSY_SECONDS = 5.0
"""Maximum time to wait for a lock of the SQLite file."""
_DRIVERS = {
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
    "postgresql+asyncpg": "postgresql+asyncpg",
    "sqlite": "sqlite+aiosqlite",
    "sqlite+aiosqlite": "sqlite+aiosqlite",
}


def url_of(settings: ServerSettings) -> URL:
    """Return the address of the database with the driver to use; raise LiminaError for an invalid address.

    >>> str(url_of(ServerSettings(database="postgresql://me@localhost/games")))
    'postgresql+asyncpg://me@localhost/games'
    """
    if settings.database is None:
        # Not by parsing a text: the name of a folder may contain a question mark.
        return URL.create("sqlite+aiosqlite", database=str(settings.data.absolute() / _FILE_NAME))
    scheme, colon, rest = settings.database.partition("://")
    try:
        return make_url(f"{_DRIVERS[scheme if colon else '']}://{rest}")
    except (ArgumentError, KeyError, ValueError):
        raise LiminaError("the database must be an address such as postgresql://user@host/name") from None


def make_engine(url: URL) -> AsyncEngine:
    """Return an engine that is not connected yet; create the SQLite file if it does not exist."""
    if url.get_backend_name() != "sqlite":
        return create_async_engine(url, pool_size=6, max_overflow=5, pool_pre_ping=True)
    if url.database in (None, "", ":memory:"):
        raise LiminaError("the database must be a file, such as sqlite:///games.sqlite")
    if "uri" not in url.query:
        # Before the threads of aiosqlite start: they do not end cleanly if the file cannot be opened.
        path = Path(url.database or "")
        create_file(path)
        check_file(path, write=True)
    engine = create_async_engine(url, connect_args={"timeout": _BUSY_SECONDS})

    @event.listens_for(engine.sync_engine, "connect")
    def on_connect(connection: Any, _: object) -> None:
        configure_connection(connection)

    return engine


def make_job_engine(url: URL) -> AsyncEngine:
    """Return an engine that commits each statement without waiting for the disk.

    Its writes may be lost in a power failure, so it never writes turns or other things that a person has done.
    """
    if url.get_backend_name() != "sqlite":
        relaxed = {"server_settings": {"synchronous_commit": "off"}}
        return create_async_engine(
            url, connect_args=relaxed, isolation_level="AUTOCOMMIT", pool_size=3, max_overflow=2, pool_pre_ping=True
        )
    # One connection, opened before the first job: a task that is canceled while it connects would leak it.
    engine = create_async_engine(
        url, connect_args={"timeout": _BUSY_SECONDS}, isolation_level="AUTOCOMMIT", pool_size=1, max_overflow=0
    )

    @event.listens_for(engine.sync_engine, "connect")
    def on_connect(connection: Any, _: object) -> None:
        configure_connection(connection)
        connection.execute("PRAGMA synchronous=NORMAL")

    return engine


def make_read_only_engine(url: URL) -> AsyncEngine:
    """Return an engine that cannot change the database; raise LiminaError if the SQLite file does not exist."""
    if url.get_backend_name() != "sqlite":
        return create_async_engine(url, execution_options={"postgresql_readonly": True})
    if not url.query:
        path = existing_file(url)
        check_file(path, write=False)
        address, _, _ = read_only_uri(path).partition("?")
        url = url.set(database=address, query={"mode": "ro", "uri": "true"})
    return create_async_engine(url, connect_args={"timeout": _BUSY_SECONDS})


def existing_file(url: URL) -> Path:
    """Return the path of an SQLite database; raise LiminaError if there is no file."""
    path = Path(url.database or "").absolute()
    if not path.is_file():
        raise LiminaError(f"there is no database at {path}: name it with --data or --database")
    return path


def without_transactions(engine: AsyncEngine) -> AsyncEngine:
    """Return an engine with the same connections that saves PostgreSQL the BEGIN and COMMIT around each query."""
    if engine.url.get_backend_name() == "sqlite":
        return engine
    return engine.execution_options(isolation_level="AUTOCOMMIT")


def make_writer(engine: AsyncEngine, lock_function: str) -> Writer:
    """Return the writer of an engine. On PostgreSQL, `lock_function` locks the database."""
    if engine.url.get_backend_name() == "sqlite":
        return SqliteWriter(engine.url)
    from limina.server.storage.postgres import PostgresWriter  # loads the driver only if it is needed

    return PostgresWriter(engine, lock_function)


def database_in_use_error(url: URL) -> LiminaError:
    """Return the error that another server uses the database."""
    if url.get_backend_name() != "sqlite":
        return LiminaError("another server uses this database: stop it, or start all of them with --shared")
    path = Path(url.database or "")
    if path.name == _FILE_NAME:
        return LiminaError(f"another server uses {path.parent}: choose another folder with --data")
    return LiminaError(f"another server uses {path}: choose another file with --database")


def warn_about_exposed_file(url: URL) -> None:
    """Log a warning if every user of this machine can read or replace the SQLite file."""
    if url.get_backend_name() != "sqlite" or "uri" in url.query:
        return
    path = Path(url.database or "").resolve()
    if path.stat().st_mode & 0o007:
        _LOG.warning("database: every user of this machine can read %s: chmod it to 600", path)
    if path.parent.stat().st_mode & 0o1002 == 0o002:  # without the sticky bit
        _LOG.warning("database: every user of this machine can replace the files in %s: chmod it to 700", path.parent)


def database_error(error: Exception) -> LiminaError:
    """Return the error that the database cannot be used, with the cause in the driver's words."""
    if isinstance(error, LiminaError):
        return error
    inner = _innermost(error)
    return LiminaError(f"the database cannot be used: {_first_line(inner) or type(inner).__name__}")


def describe_cause(error: Exception) -> str:
    """Return the cause of a failed read or write for the log.

    It has the message of errors of the driver and the system. Of other errors it has only the type, since their message
    could contain a hidden turn.
    """
    inner = _innermost(error)
    package = type(inner).__module__.partition(".")[0]
    message = _first_line(inner) if isinstance(inner, OSError) or package in ("sqlite3", "asyncpg") else ""
    return f"{type(inner).__name__}: {message}" if message else type(inner).__name__


def _innermost(error: BaseException) -> BaseException:
    """Return the error of the driver, which SQLAlchemy has wrapped."""
    if isinstance(error, DBAPIError) and error.orig is not None:
        return error.orig.__cause__ or error.orig
    return error


def _first_line(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0]


async def check_tables(engine: AsyncEngine) -> None:
    """Raise LiminaError unless all tables and columns of this version exist."""
    async with engine.connect() as connection:
        for table in metadata.sorted_tables:
            try:
                await connection.execute(select(table).limit(1))
            except DBAPIError as error:
                if error.connection_invalidated:
                    raise
                raise damaged_database_error(_first_line(_innermost(error))) from None
