"""Processes that share a PostgreSQL and its queue, as far as the database can tell."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import URL, text

from kit.stores import open_store
from limina.server.matches import BotRunner, LoadedMatch, MatchService
from limina.server.storage import Store
from limina.server.workers import SharedWork, lanes_of

JOBS = "SELECT * FROM limina_jobs ORDER BY priority DESC, id"


@dataclass
class Process:
    """One of several, as far as the database can tell."""

    store: Store
    work: SharedWork

    @property
    def authority(self) -> MatchService:
        return self.work.authority


@asynccontextmanager
async def process(url: URL, *, works: bool) -> AsyncIterator[Process]:
    async with open_store(url, shared=True) as store:
        work = SharedWork(store, BotRunner(), lanes_of(), works=works)
        work.start()
        try:
            yield Process(store, work)
        finally:
            await work.stop()


def tell(url: URL, story: Callable[..., Awaitable[None]], *works: bool) -> None:
    """Let a story happen at processes that do jobs or do not."""

    async def told() -> None:
        async with AsyncExitStack() as opened:
            found = [await opened.enter_async_context(process(url, works=each)) for each in works]
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
