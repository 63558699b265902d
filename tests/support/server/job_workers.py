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

SELECT_JOBS = "SELECT * FROM jobs ORDER BY due_at, job_id"


@asynccontextmanager
async def running_backend(url: URL, *, works: bool | None) -> AsyncIterator[Backend]:
    """One of several processes."""
    started = Backend(Store(url, shared=True), BotRunner(), works=works is not False)
    await started.start(works=works is True)
    try:
        yield started
    finally:
        await started.stop()


def run_with_backends(url: URL, scenario: Callable[..., Awaitable[None]], *works: bool | None) -> None:
    """Let a scenario happen at processes that do jobs, do not, or (None) begin to when their worker is started."""

    async def told() -> None:
        async with AsyncExitStack() as opened:
            found = [await opened.enter_async_context(running_backend(url, works=each)) for each in works]
            await asyncio.wait_for(scenario(*found), 120)

    asyncio.run(told())


async def until_true(happened: Callable[[], object]) -> None:
    async with asyncio.timeout(60):  # far more than anything takes
        while not happened():
            await asyncio.sleep(0.01)


async def read_jobs(store: Store) -> list[Any]:
    async with store._engine.connect() as connection:
        return list((await connection.execute(text(SELECT_JOBS))).all())


async def until_job_count(store: Store, count: int) -> list[Any]:
    async with asyncio.timeout(60):
        while len(found := await read_jobs(store)) != count:
            await asyncio.sleep(0.01)
    return found


def subscribe(loaded: LoadedMatch) -> None:
    loaded.subscribers.add(lambda *_: None)
