"""The group commit of SQLite, in a thread of its own, and checks of the file."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sqlite3
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote

from sqlalchemy import URL

from limina.core.files import check_access, system_error_text
from limina.errors import LiminaError
from limina.server.model import Append, NewMatch, WriteItem
from limina.server.storage import rows

try:
    import fcntl
except ImportError:  # Windows: two servers on one file are not detected there
    fcntl = None  # type: ignore[assignment]

_BUSY_SECONDS = 2.0
"""Maximum time to wait for a lock of the file. Then the whole group fails."""
MAX_CHECKED_BYTES = 64 * 1024 * 1024
"""Larger files are not checked when a server starts: SQLite checks about 200 MB in a second."""
_SET_VERSION = "UPDATE matches SET version = ?, is_over = ? WHERE id = ? AND version = ?"
_INSERT_MATCH = f"INSERT INTO matches ({rows.MATCH_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_INSERT_EVENT = f"INSERT INTO events ({rows.EVENT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)"
_INSERT_SEAT_TOKEN = f"INSERT INTO seat_tokens ({rows.SEAT_TOKEN_COLUMNS}) VALUES (?, ?, ?)"
_NOW = rows.NOW["sqlite"]
_INSERT_JOB = f"INSERT OR REPLACE INTO jobs ({rows.JOB_COLUMNS}) VALUES (?, ?, ?, ?, ?, {_NOW} + ?, ?, ?, '', 0)"
_DELETE_JOB = "DELETE FROM jobs WHERE job_id = ?"
_STATEMENTS = (_INSERT_MATCH, _INSERT_EVENT, _INSERT_SEAT_TOKEN, _INSERT_JOB, _DELETE_JOB)
"""The statements for the rows of `rows_of`, in its order."""


def configure_connection(connection: Any) -> None:
    """Set the pragmas that every connection needs."""
    # FULL: a commit returns when it is on the disk, so it survives a power failure.
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def create_file(path: Path) -> None:
    """Create the file with mode 600 unless it exists. SQLite gives its journal files the same mode."""
    # Resolved: through a dangling link, SQLite would create the file with a mode that lets others read it.
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path.resolve(), os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))


def check_file(path: Path, *, write: bool) -> None:
    """Raise LiminaError unless the file is empty or a database of limina. The file is not changed."""
    if not path.is_file():
        raise LiminaError(f"{path} is not a file: choose another")
    check_access(path, write=write)
    if path.stat().st_size == 0:
        return
    # To read a database, SQLite creates files beside it, unless `immutable` says that no other process writes. Without
    # a write-ahead log there is no such process.
    immutable = not path.with_name(f"{path.name}-wal").exists()
    with contextlib.closing(sqlite3.connect(read_only_uri(path) + "&immutable=1" * immutable, uri=True)) as connection:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if tables and not {"alembic_version", "matches"} <= tables:
        raise LiminaError(f"{path} is the database of another program: choose another file")


def check_pages(path: Path) -> None:
    """Raise LiminaError if pages of the database are damaged. Large files are not checked."""
    if path.stat().st_size > MAX_CHECKED_BYTES:
        return
    with contextlib.closing(sqlite3.connect(read_only_uri(path), uri=True, timeout=_BUSY_SECONDS)) as connection:
        try:
            (result,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.DatabaseError as error:
            result = str(error)
    if result != "ok":
        raise damaged_database_error(result.splitlines()[-1])


def damaged_database_error(cause: str) -> LiminaError:
    """Return the error that the database is damaged."""
    return LiminaError(f"the database is damaged ({cause}): restore a backup with limina db restore")


def read_only_uri(path: Path) -> str:
    """Return the URI with which SQLite opens a file read-only."""
    return f"file:{quote(str(path.absolute()))}?mode=ro"


class SqliteWriter:
    """Writes groups of items to a file in a thread. The connection is opened by the first commit."""

    data_errors: tuple[type[Exception], ...] = (
        sqlite3.IntegrityError,
        sqlite3.DataError,
        ValueError,
        TypeError,
        OverflowError,
    )

    def __init__(self, url: URL) -> None:
        self._url = url
        self._path = Path(url.database or "").resolve()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="sqlite")
        self._connection: sqlite3.Connection | None = None
        self._lock_file: IO[str] | None = None

    async def open(self) -> bool:
        """Lock the database file and check it. Return False if another server has locked it.

        Raise LiminaError if the file is damaged.
        """
        if fcntl is not None and not self._lock():
            return False
        if "uri" not in self._url.query:
            await asyncio.get_running_loop().run_in_executor(self._thread, check_pages, self._path)
        return True

    def _lock(self) -> bool:
        path = self._path.with_suffix(".lock")
        # A file of this name may belong to another program: it is not truncated, a link is not followed, and opening a
        # pipe does not block.
        flags = os.O_NOFOLLOW | os.O_NONBLOCK
        try:
            self._lock_file = open(path, "a", opener=lambda name, mode: os.open(name, mode | flags, 0o600))  # noqa: SIM115
        except OSError as error:
            if path.is_symlink():
                raise LiminaError(f"{path} is a symbolic link: remove it") from None
            if path.is_file():
                check_access(path, write=True)
            raise LiminaError(f"{path} cannot be opened: {system_error_text(error, 'unknown reason')}") from None
        try:
            fcntl.flock(self._lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._lock_file.close()
            return False
        return True

    async def commit(self, items: Sequence[WriteItem]) -> list[bool]:
        """Write items in one transaction; return for each whether it was written.

        An append is not written if its match has another version than expected. There may be one append for each match.
        """
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._commit, items)

    async def probe(self) -> None:
        """Commit a write that changes nothing; raise the errors that the write of a turn would raise."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._probe)

    async def close(self) -> None:
        """Disconnect and unlock the file."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._disconnect)
        self._thread.shutdown()
        if self._lock_file is not None:
            self._lock_file.close()

    # --- in the thread

    def _commit(self, items: Sequence[WriteItem]) -> list[bool]:
        with self._transaction() as connection:
            return _write(connection, items)

    def _probe(self) -> None:
        # An UPDATE that changes nothing writes nothing. This writes the first page again, with the same content.
        with self._transaction() as connection:
            (user_version,) = connection.execute("PRAGMA user_version").fetchone()  # limina does not use it
            connection.execute(f"PRAGMA user_version = {user_version}")

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        if self._connection is None:
            self._connection = self._connect()
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            yield self._connection
            self._connection.execute("COMMIT")
        except Exception:
            self._disconnect()
            raise

    def _connect(self) -> sqlite3.Connection:
        dialect = self._url.set(drivername="sqlite+pysqlite").get_dialect()()
        arguments, options = dialect.create_connect_args(self._url)
        options = {"timeout": _BUSY_SECONDS, **options, "isolation_level": None, "check_same_thread": True}
        connection: sqlite3.Connection = sqlite3.connect(arguments[0], **options)
        configure_connection(connection)
        return connection

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()  # rolls back an open transaction


def _write(connection: sqlite3.Connection, items: Sequence[WriteItem]) -> list[bool]:
    written = [isinstance(item, NewMatch) or _set_version(connection, item) for item in items]
    values = rows.rows_of([item for item, is_written in zip(items, written, strict=True) if is_written])
    for statement, statement_rows in zip(_STATEMENTS, values, strict=True):
        if statement_rows:
            connection.executemany(statement, statement_rows)
    return written


def _set_version(connection: sqlite3.Connection, append: Append) -> bool:
    """Set the version of a match if it has the expected one; return True if it has."""
    values = append.version, append.is_over, append.match_id, append.expected_version
    return connection.execute(_SET_VERSION, values).rowcount > 0
