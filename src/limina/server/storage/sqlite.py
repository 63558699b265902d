"""Writing to SQLite: in a thread of its own, a whole transaction at a time."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sqlite3
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any

from sqlalchemy import URL

from limina.server.model import Append, SavedDeck, SavedMatch, SavedReview
from limina.server.storage import rows, writer
from limina.server.storage.writer import Part

try:
    import fcntl
except ImportError:  # not on this system: there, whoever hosts has to take care
    fcntl = None  # type: ignore[assignment]

_BUSY_SECONDS = 2.0
"""How long another program may keep the file locked: all who wait are then told together that it did not work."""
_BUMP = "UPDATE matches SET version = ?, over = ?, bot_since = ? WHERE id = ? AND version = ?"
_MATCH = "INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_EVENT = "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)"
_KEY = "INSERT INTO keys VALUES (?, ?, ?)"
_REVIEW = "INSERT OR REPLACE INTO reviews VALUES (?, ?, ?, ?)"
_OLD_REVIEWS = """
DELETE FROM reviews WHERE key IN (
    SELECT key FROM (SELECT key, row_number() OVER (ORDER BY made DESC) AS place FROM reviews) AS ranked
    WHERE place > ?
)
"""
_DECK = "INSERT INTO decks VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET used = excluded.used"
_OLD_DECKS = """
DELETE FROM decks WHERE id IN (
    SELECT id FROM (SELECT id, row_number() OVER (ORDER BY used DESC) AS place FROM decks) AS ranked
    WHERE place > ?
)
"""


def prepare(connection: Any) -> None:
    """What every connection is told first."""
    # FULL: a commit is on the disk before it is called one, also when the machine loses its power.
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def make_private(path: Path) -> None:
    """Make the file if there is none; what is in it is for the user alone who runs the server."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    # SQLite gives the files beside it the same rights, but leaves those alone that are there.
    for each in (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))):
        with contextlib.suppress(OSError):  # somebody else's, who lets us use it
            each.chmod(0o600)


class SqliteWriter:
    """The one connection that writes to a file."""

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
        """Claim the file: no other server on this machine may have it."""
        return fcntl is None or self._claim_file()

    def _claim_file(self) -> bool:
        lock = self._path.with_suffix(".lock")
        self._claim = open(lock, "w", opener=lambda path, flags: os.open(path, flags, 0o600))  # noqa: SIM115
        try:
            fcntl.flock(self._claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._claim.close()
            return False
        return True

    async def commit(self, parts: Sequence[Part]) -> list[bool]:
        """Write all that can be in one transaction: whether each was."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._commit, parts)

    async def close(self) -> None:
        """Let go."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._let_go)
        self._thread.shutdown()
        if self._claim is not None:
            self._claim.close()

    # --- in the thread

    def _commit(self, parts: Sequence[Part]) -> list[bool]:
        if self._connection is None:
            self._connection = self._connect()
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            written = _write(self._connection, parts)
            self._connection.execute("COMMIT")
        except Exception:
            self._let_go()
            raise
        return written

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


def _write(connection: sqlite3.Connection, parts: Sequence[Part]) -> list[bool]:
    written = [True] * len(parts)
    made: list[rows.Row] = []
    keys: list[rows.Row] = []
    for place, part in enumerate(parts):
        match part:
            case Append():
                bump = part.version, part.over, part.bot_since, part.match, part.expected
                bumped = connection.execute(_BUMP, bump).rowcount
                if not bumped:
                    written[place] = False
                    continue
                made += [rows.event_row(part.match, event) for event in part.events]
                keys += rows.key_rows(part.match, part.events)
                if part.begins is not None:
                    _begin(connection, part.begins, made, keys)
            case SavedMatch():
                _begin(connection, part, made, keys)
            case SavedReview():
                connection.execute(_REVIEW, part)
                connection.execute(_OLD_REVIEWS, (writer.MOST_REVIEWS,))
            case SavedDeck():
                connection.execute(_DECK, rows.deck_row(part))
                connection.execute(_OLD_DECKS, (writer.MOST_DECKS,))
    connection.executemany(_EVENT, made)
    if keys:
        connection.executemany(_KEY, keys)
    return written


def _begin(connection: sqlite3.Connection, match: SavedMatch, made: list[rows.Row], keys: list[rows.Row]) -> None:
    connection.execute(_MATCH, rows.match_row(match))
    made += [rows.event_row(match.id, event) for event in match.events]
    keys += rows.key_rows(match.id, match.events)
