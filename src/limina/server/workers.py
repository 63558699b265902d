"""Jobs of a database that several processes share: done by servers themselves, or by processes that do nothing else."""

from __future__ import annotations

import asyncio
import gc
import signal
from collections.abc import Callable, Mapping
from dataclasses import replace

from limina.errors import LiminaError
from limina.server.analysis import Hints, Reviews
from limina.server.analysis import hints as hinting
from limina.server.analysis import reviews as reviewing
from limina.server.analysis.listened import ListenedJobs
from limina.server.jobs import LaneSize
from limina.server.logs import start_log
from limina.server.matches import BotRunner, HostedBots, MatchService
from limina.server.matches.bot_runner import shared_lanes
from limina.server.queue import Handler, SharedJobs, SharedLines, Worker
from limina.server.settings import Settings
from limina.server.storage import Store, url_of


class SharedWork:
    """The queue, the matches that its jobs are about, and what this process does of them, if anything."""

    def __init__(self, store: Store, bots: BotRunner, lanes: Mapping[str, LaneSize], *, works: bool = True) -> None:
        self.queue = SharedJobs(store, lanes)
        self.authority = MatchService(store, bots, self.queue)
        turns = self.authority.bot_jobs
        assert turns is not None
        self._turns = turns
        self._lines = SharedLines(store)
        listened = ListenedJobs(self.queue, self._lines)
        self.reviews = Reviews(store, shared=listened)
        self.hints = Hints(listened, self.authority.look_up)
        handlers: dict[str, Handler] = dict.fromkeys(turns.kinds(), turns.do)
        handlers |= {"review": self.reviews.do, "hint": self.hints.do}
        self._worker = Worker(store, handlers, lanes) if works else None

    def start(self) -> None:
        """Begin, once the store is open."""
        self.queue.open()
        self._lines.open()
        self._turns.start()
        if self._worker is not None:
            self._worker.start()

    async def stop(self) -> None:
        """Give back what is not done, and hand over what follows from what is."""
        if self._worker is not None:
            await self._worker.stop()
        self.hints.stop()
        await self.reviews.stop()
        await self.authority.close()
        await self.queue.close()
        await self._lines.close()


def lanes_of(bots: int = 2, reviews: int = reviewing.LANE.at_once) -> dict[str, LaneSize]:
    """All lanes, with so many places for bots that think and for reviews."""
    review = replace(reviewing.LANE, at_once=reviews, at_once_of_one=max(1, reviews // 2))
    return {**shared_lanes(bots), "review": review, "hint": hinting.LANE}


def work(settings: Settings, bots: int, reviews: int, ready: Callable[[], None]) -> int:
    """Do jobs until told to stop, so many at once; `ready` is called once that has begun."""
    start_log(settings.log)
    url = url_of(settings)
    if url.get_backend_name() == "sqlite":
        raise LiminaError(
            "a worker does the jobs of servers that share a PostgreSQL: name it with --database or LIMINA_DATABASE"
        )
    hosted = HostedBots(settings.bots, settings.bot_seconds)
    asyncio.run(_work(Store(url, shared=True), BotRunner(hosted, threads=bots), lanes_of(bots, reviews), ready))
    return 0


async def _work(store: Store, bots: BotRunner, lanes: Mapping[str, LaneSize], ready: Callable[[], None]) -> None:
    stopping = asyncio.Event()
    for which in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(which, stopping.set)
    await store.open()
    shared = SharedWork(store, bots, lanes)
    shared.start()
    # What is there now stays: the collector need not look at it again and again, nor when all of it ends.
    gc.freeze()
    try:
        ready()
        await stopping.wait()
    finally:
        await shared.stop()
        await store.close()
