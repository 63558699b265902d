"""Short transactions on the store's engine, for everything but the group commit."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from typing import Any

from sqlalchemy import Executable, Row
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from limina.server.errors import UnavailableError
from limina.server.storage.database import describe_cause, without_transactions

_TIMEOUT_SECONDS = 10.0
"""Maximum time for one transaction, in seconds, so that a network that drops every packet blocks no request forever."""
_LOG = logging.getLogger("limina.server")


class Transactions:
    """Connections of one engine. Every error of the database is logged with its cause and becomes UnavailableError."""

    def __init__(self, engine: AsyncEngine, write_lock: AbstractAsyncContextManager[Any] | None = None) -> None:
        """Use the write lock of another object if given; then the engine commits each statement by itself."""
        self.dialect = engine.dialect.name
        self._connect = engine.begin if write_lock is None else engine.connect
        self._reader = without_transactions(engine)
        self._begins_immediately = self.dialect == "sqlite" and write_lock is None
        self.write_lock = write_lock or (asyncio.Lock() if self._begins_immediately else nullcontext())
        """Held by every transaction of this process that writes to SQLite. It serves in the order of arrival, whereas
        SQLite's own lock, which still excludes other processes, is polled and prefers no one."""

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """Open a connection that only reads."""
        try:
            async with asyncio.timeout(_TIMEOUT_SECONDS), self._reader.connect() as connection:
                yield connection
        except Exception as error:  # of the database, its driver or the network
            raise read_error(error) from None

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """Open a transaction that is committed at the end of the block."""
        try:
            async with asyncio.timeout(_TIMEOUT_SECONDS), self.write_lock, self._connect() as connection:
                if self._begins_immediately:
                    # SQLite fails at once, without waiting, if a transaction that has read begins to write.
                    await connection.exec_driver_sql("BEGIN IMMEDIATE")
                yield connection
        except Exception as error:  # of the database, its driver or the network
            raise write_error(error) from None

    async def fetch(self, query: Executable) -> Sequence[Row[Any]]:
        """Return the rows of a query."""
        async with self.read() as connection:
            return (await connection.execute(query)).all()

    async def execute(self, *statements: Executable) -> Sequence[Row[Any]]:
        """Run statements that write; return the rows of the last one."""
        async with self.write() as connection:
            for statement in statements:
                result = await connection.execute(statement)
            return result.all() if result.returns_rows else ()


def read_error(error: Exception) -> UnavailableError:
    """Log the cause of a failed read and return the error for the caller."""
    _LOG.error("database read failed: %s", describe_cause(error))
    return UnavailableError("the games cannot be read just now: please try again")


def write_error(error: Exception) -> UnavailableError:
    """Log the cause of a failed write and return the error for the caller."""
    _LOG.error("database write failed: %s", describe_cause(error))
    return UnavailableError("nothing can be saved just now: please try again")
