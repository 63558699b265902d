"""Stores in this process, on a file of their own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from sqlalchemy import URL

from limina.server.settings import Settings
from limina.server.store import Store, url_of


@asynccontextmanager
async def open_store(where: Path | URL) -> AsyncIterator[Store]:
    """The store of a folder, where it is an SQLite file, or of a database; use it with `asyncio.run`."""
    store = await Store.open(url_of(Settings(data=where)) if isinstance(where, Path) else where)
    try:
        yield store
    finally:
        await store.close()
