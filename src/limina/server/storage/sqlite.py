"""Writing to SQLite: in a thread of its own, a whole transaction at a time."""

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
except ImportError:  # not on this system: there, whoever hosts has to take care
    fcntl = None  # type: ignore[assignment]

_BUSY_SECONDS = 2.0
"""How long another program may keep the file locked: all who wait are then told together that it did not work."""
MAX_CHECKED_BYTES = 64 * 1024 * 1024
"""Larger files are not looked through when a server starts: SQLite checks about 200 MB in a second."""
_BUMP = "UPDATE matches SET version = ?, is_over = ? WHERE id = ? AND version = ?"
_INSERT_MATCH = f"INSERT INTO matches ({rows.MATCH_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_INSERT_EVENT = f"INSERT INTO events ({rows.EVENT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)"
_INSERT_SEAT_TOKEN = f"INSERT INTO seat_tokens ({rows.SEAT_TOKEN_COLUMNS}) VALUES (?, ?, ?)"
_NOW = rows.NOW["sqlite"]
_INSERT_JOB = f"INSERT OR REPLACE INTO jobs ({rows.JOB_COLUMNS}) VALUES (?, ?, ?, ?, ?, {_NOW} + ?, ?, ?, '', 0)"
_DELETE_JOB = "DELETE FROM jobs WHERE job_id = ?"
_STATEMENTS = (_INSERT_MATCH, _INSERT_EVENT, _INSERT_SEAT_TOKEN, _INSERT_JOB, _DELETE_JOB)
"""For the rows of `rows_of`."""


def prepare(connection: Any) -> None:
    """What every connection is told first."""
    # FULL: a commit is on the disk before it is called one, also when the machine loses its power.
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def create_file(path: Path) -> None:
    """Create the file for its owner alone, unless it exists; SQLite gives the files beside it the same mode."""
    # Resolved: at the end of a dangling link SQLite itself would create a file that others may read.
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path.resolve(), os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))


def check_file(path: Path, *, write: bool) -> None:
    """Raise LiminaError unless the file is empty or a database of limina's, before anything could change it."""
    if not path.is_file():
        raise LiminaError(f"{path} is not a file: choose another")
    check_access(path, write=write)
    if path.stat().st_size == 0:
        return
    # SQLite makes files beside a database to read it, unless it is told that no other process changes it meanwhile.
    # Without a write-ahead log beside it, no server does.
    alone = not path.with_name(f"{path.name}-wal").exists()
    with contextlib.closing(sqlite3.connect(read_only(path) + "&immutable=1" * alone, uri=True)) as connection:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if tables and not {"alembic_version", "matches"} <= tables:
        raise LiminaError(f"{path} is the database of another program: choose another file")


def check_pages(path: Path) -> None:
    """Raise LiminaError if pages of the database are damaged; of a large file that would take too long to find out."""
    if path.stat().st_size > MAX_CHECKED_BYTES:
        return
    with contextlib.closing(sqlite3.connect(read_only(path), uri=True, timeout=_BUSY_SECONDS)) as connection:
        try:
            (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.DatabaseError as error:
            found = str(error)
    if found != "ok":
        raise damaged(found.splitlines()[-1])


def damaged(why: str) -> LiminaError:
    """The sentence about a database in which something is broken or missing."""
    return LiminaError(f"the database is damaged ({why}): restore a backup with limina db restore")


def read_only(path: Path) -> str:
    """The address at which SQLite opens a file without changing it."""
    return f"file:{quote(str(path.absolute()))}?mode=ro"


class SqliteWriter:
    """The connection that writes matches and events to a file."""

    faulty: tuple[type[Exception], ...] = (
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
        self._claim: IO[str] | None = None

    async def open(self) -> bool:
        """Claim the file: no other server on this machine may have it. A damaged one raises LiminaError."""
        if fcntl is not None and not self._claim_file():
            return False
        if "uri" not in self._url.query:
            await asyncio.get_running_loop().run_in_executor(self._thread, check_pages, self._path)
        return True

    def _claim_file(self) -> bool:
        lock = self._path.with_suffix(".lock")
        # Neither truncated nor followed nor waited for: what has this name may be another program's.
        more = os.O_NOFOLLOW | os.O_NONBLOCK
        try:
            self._claim = open(lock, "a", opener=lambda path, flags: os.open(path, flags | more, 0o600))  # noqa: SIM115
        except OSError as error:
            if lock.is_symlink():
                raise LiminaError(f"{lock} is a symbolic link: remove it") from None
            if lock.is_file():
                check_access(lock, write=True)
            raise LiminaError(f"{lock} cannot be opened: {system_error_text(error, 'unknown reason')}") from None
        try:
            fcntl.flock(self._claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._claim.close()
            return False
        return True

    async def commit(self, parts: Sequence[WriteItem]) -> list[bool]:
        """Write all that can be in one transaction: whether each was. Events whose match has gone on are not.

        Of each match there may be one part at most.
        """
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._commit, parts)

    async def probe(self) -> None:
        """Write and commit without changing anything and without growth; raise what the write of a turn would raise."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._probe)

    async def close(self) -> None:
        """Let go."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._let_go)
        self._thread.shutdown()
        if self._claim is not None:
            self._claim.close()

    # --- in the thread

    def _commit(self, parts: Sequence[WriteItem]) -> list[bool]:
        with self._transaction() as connection:
            return _write(connection, parts)

    def _probe(self) -> None:
        # An UPDATE that changes nothing writes nothing. This writes the first page anew, with what it holds already.
        with self._transaction() as connection:
            (unused,) = connection.execute("PRAGMA user_version").fetchone()
            connection.execute(f"PRAGMA user_version = {unused}")

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        if self._connection is None:
            self._connection = self._connect()
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            yield self._connection
            self._connection.execute("COMMIT")
        except Exception:
            self._let_go()
            raise

    def _connect(self) -> sqlite3.Connection:
        dialect = self._url.set(drivername="sqlite+pysqlite").get_dialect()()
        arguments, options = dialect.create_connect_args(self._url)
        chosen = {"timeout": _BUSY_SECONDS, **options, "isolation_level": None, "check_same_thread": True}
        connection: sqlite3.Connection = sqlite3.connect(arguments[0], **chosen)
        prepare(connection)
        return connection

    def _let_go(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()  # what was not committed is rolled back


def _write(connection: sqlite3.Connection, parts: Sequence[WriteItem]) -> list[bool]:
    written = [isinstance(part, NewMatch) or _bump(connection, part) for part in parts]
    values = rows.rows_of([part for part, there in zip(parts, written, strict=True) if there])
    for statement, its in zip(_STATEMENTS, values, strict=True):
        if its:
            connection.executemany(statement, its)
    return written


def _bump(connection: sqlite3.Connection, append: Append) -> bool:
    """Go on to the version of an append, if the match still stands where its events begin."""
    version = append.version, append.is_over, append.match_id, append.expected_version
    return connection.execute(_BUMP, version).rowcount > 0
