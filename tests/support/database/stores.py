"""Stores in this process."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from sqlalchemy import URL, MetaData
from sqlalchemy.ext.asyncio import create_async_engine

from limina.server.settings import ServerSettings
from limina.server.storage import Store, url_of


@asynccontextmanager
async def open_store(location: Path | URL, *, shared: bool = False) -> AsyncIterator[Store]:
    """Open the store of a folder, which is an SQLite file in it, or of a database."""
    store = Store(url_of(ServerSettings(data=location)) if isinstance(location, Path) else location, shared=shared)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


async def drop_tables(url: URL) -> None:
    """Drop all tables of a database."""
    engine = create_async_engine(url)
    async with engine.begin() as connection:
        tables = MetaData()  # reflected, because tables of earlier versions may be there
        await connection.run_sync(tables.reflect)
        await connection.run_sync(tables.drop_all)
    await engine.dispose()
