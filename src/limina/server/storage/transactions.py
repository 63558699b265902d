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
from limina.server.storage.database import cause_of, without_transactions

_TIMEOUT_SECONDS = 10.0
"""Maximum time for one transaction, in seconds, so that a network that drops every packet blocks no request forever."""
_LOG = logging.getLogger("limina.server")


class Transactions:
    """Connections of one engine. Every error of the database is logged with its cause and becomes UnavailableError."""

    def __init__(self, engine: AsyncEngine, one_writer: AbstractAsyncContextManager[Any] | None = None) -> None:
        """With the lock of other transactions, each statement is a transaction, by an engine that commits by itself."""
        self.dialect = engine.dialect.name
        self._connect = engine.begin if one_writer is None else engine.connect
        self._reader = without_transactions(engine)
        self._begins_file = self.dialect == "sqlite" and one_writer is None
        self.one_writer = one_writer or (asyncio.Lock() if self._begins_file else nullcontext())
        """Held by each transaction of this process that writes to SQLite: in order of arrival, where SQLite's own
        lock is polled and prefers no one. Other processes still meet the lock of SQLite."""

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
            async with asyncio.timeout(_TIMEOUT_SECONDS), self.one_writer, self._connect() as connection:
                if self._begins_file:
                    # SQLite refuses at once, without waiting, to turn a transaction that has read into one that writes.
                    await connection.exec_driver_sql("BEGIN IMMEDIATE")
                yield connection
        except Exception as error:  # of the database, its driver or the network
            raise write_error(error) from None

    async def fetch(self, query: Executable) -> Sequence[Row[Any]]:
        """Return the rows that a query finds."""
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
    _LOG.error("database read failed: %s", cause_of(error))
    return UnavailableError("the games cannot be read just now: please try again")


def write_error(error: Exception) -> UnavailableError:
    """Log the cause of a failed write and return the error for the caller."""
    _LOG.error("database write failed: %s", cause_of(error))
    return UnavailableError("nothing can be saved just now: please try again")
