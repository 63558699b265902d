"""Stores in this process, on a file of their own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from sqlalchemy import URL, MetaData
from sqlalchemy.ext.asyncio import create_async_engine

from limina.server.settings import Settings
from limina.server.storage import Store, url_of


@asynccontextmanager
async def open_store(where: Path | URL, *, shared: bool = False) -> AsyncIterator[Store]:
    """The store of a folder, where it is an SQLite file, or of a database; use it with `asyncio.run`."""
    store = Store(url_of(Settings(data=where)) if isinstance(where, Path) else where, shared=shared)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


async def drop_tables(url: URL) -> None:
    """Leave a database as if no server had ever used it."""
    engine = create_async_engine(url)
    async with engine.begin() as connection:
        tables = MetaData()  # whichever there are, also those of earlier versions
        await connection.run_sync(tables.reflect)
        await connection.run_sync(tables.drop_all)
    await engine.dispose()
