"""Several backends on one database, as if each were a process of its own, and reads of their jobs."""

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
async def running_backend(url: URL, *, runs_jobs: bool | None) -> AsyncIterator[Backend]:
    """Run a backend that runs jobs, does not, or (None) could but has not started to."""
    started = Backend(Store(url, shared=True), BotRunner(), runs_jobs=runs_jobs is not False)
    await started.start(runs_jobs=runs_jobs is True)
    try:
        yield started
    finally:
        await started.stop()


def run_with_backends(url: URL, scenario: Callable[..., Awaitable[None]], *runs_jobs: bool | None) -> None:
    """Run a scenario with a backend for each flag: it runs jobs, does not, or (None) starts to later."""

    async def run() -> None:
        async with AsyncExitStack() as opened:
            backends = [await opened.enter_async_context(running_backend(url, runs_jobs=flag)) for flag in runs_jobs]
            await asyncio.wait_for(scenario(*backends), 120)

    asyncio.run(run())


async def until_true(condition: Callable[[], object]) -> None:
    """Wait until the condition is true; fail after a minute."""
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.01)


async def read_jobs(store: Store) -> list[Any]:
    """Return all rows of jobs."""
    async with store._engine.connect() as connection:
        return list((await connection.execute(text(SELECT_JOBS))).all())


async def until_job_count(store: Store, count: int) -> list[Any]:
    """Wait until there are so many jobs; return them."""
    async with asyncio.timeout(60):
        while len(jobs := await read_jobs(store)) != count:
            await asyncio.sleep(0.01)
    return jobs


def subscribe(loaded: LoadedMatch) -> None:
    """Add a subscriber, so that the match counts as watched."""
    loaded.subscribers.add(lambda *_: None)
