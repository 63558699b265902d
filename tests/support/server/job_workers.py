"""Processes on one database with the jobs that they do, as far as the database can tell."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from sqlalchemy import URL, text

from limina.server.backend import Backend
from limina.server.matches import BotRunner, LoadedMatch
from limina.server.storage import Store

JOBS = "SELECT * FROM jobs ORDER BY due_at, job_id"


@asynccontextmanager
async def backend(url: URL, *, works: bool | None) -> AsyncIterator[Backend]:
    """One of several processes."""
    started = Backend(Store(url, shared=True), BotRunner(), works=works is not False)
    await started.start(works=works is True)
    try:
        yield started
    finally:
        await started.stop()


def tell(url: URL, story: Callable[..., Awaitable[None]], *works: bool | None) -> None:
    """Let a story happen at processes that do jobs, do not, or (None) begin to when their worker is started."""

    async def told() -> None:
        async with AsyncExitStack() as opened:
            found = [await opened.enter_async_context(backend(url, works=each)) for each in works]
            await asyncio.wait_for(story(*found), 120)

    asyncio.run(told())


async def until(happened: Callable[[], object]) -> None:
    async with asyncio.timeout(60):  # far more than anything takes
        while not happened():
            await asyncio.sleep(0.01)


async def jobs_in(store: Store) -> list[Any]:
    async with store._engine.connect() as connection:
        return list((await connection.execute(text(JOBS))).all())


async def until_jobs(store: Store, count: int) -> list[Any]:
    async with asyncio.timeout(60):
        while len(found := await jobs_in(store)) != count:
            await asyncio.sleep(0.01)
    return found


def watch(loaded: LoadedMatch) -> None:
    loaded.subscribers.add(lambda *_: None)
