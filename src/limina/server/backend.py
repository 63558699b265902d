"""Everything behind the web: store, matches, reviews and hints, and the jobs that they need done.

A server and a process that only does jobs (`limina worker`) are made of the same parts.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from limina.server.analysis import Hints, Reviews
from limina.server.analysis.hints import HINT_POOL
from limina.server.analysis.reviews import review_pool
from limina.server.jobs import Job, JobQueue, JobWorker, PoolLimits
from limina.server.matches import BotRunner, MatchService
from limina.server.matches.bot_runner import bot_pools
from limina.server.storage import Store

POOLS: dict[str, PoolLimits] = {**bot_pools(), **review_pool(), **HINT_POOL}
"""The job pools of a server."""

_MAX_WAIT_MILLISECONDS = 600_000
"""Where processes share a database, a bot of the host plays at those that offer it. When none of these has played its
turn for so long, any process replaces it."""


class Backend:
    """The parts behind the web. They reach nowhere until they are started."""

    def __init__(
        self, store: Store, bots: BotRunner, pools: dict[str, PoolLimits] | None = None, *, works: bool = True
    ) -> None:
        self.store = store
        self.queue = JobQueue(pools or POOLS)
        self.matches = MatchService(store, bots, self.queue)
        self.reviews = Reviews(self.queue, store)
        self.hints = Hints(self.queue, self.matches.get)
        handlers = {
            **self.matches.bot_turns.handlers(self.matches),
            **self.reviews.handlers(),
            **self.hints.handlers(),
        }
        here = dict.fromkeys(self.queue.limits, 0)
        if not (bots.hosted.configured or store.bus.alone):
            here["hosted_bots"] = _MAX_WAIT_MILLISECONDS
        self._worker = JobWorker(self.queue, handlers, here) if works else None
        store.on_jobs = self._jobs_saved
        if self._worker is not None:
            store.heard_jobs = self._worker.wake
        self.queue.on_submit = lambda job: self._look_for_jobs([job.pool])

    async def start(self, *, works: bool = True) -> None:
        """Open the database, and begin to do jobs unless that is left for later."""
        await self.store.open()
        try:
            await self.queue.start(self.store.jobs)
        except BaseException:
            await self.store.close()
            raise
        if works:
            self.start_worker()

    def start_worker(self) -> None:
        """Begin to do jobs."""
        if self._worker is not None:
            self._worker.start(self.store.jobs)

    def _jobs_saved(self, jobs: Sequence[Job]) -> None:
        self.queue.count(jobs)
        self._look_for_jobs({job.pool for job in jobs})

    def _look_for_jobs(self, pools: Collection[str]) -> None:
        """Have new jobs of these pools done here, or by other processes where this one has no room."""
        full = pools if self._worker is None else self._worker.wake(pools)
        if full:
            self.store.bus.publish_jobs(full)

    async def stop(self) -> None:
        """Give back jobs that are not done, save what is left to save, and close the database."""
        if self._worker is not None:
            await self._worker.stop()
        self.hints.stop()
        await self.reviews.stop()
        await self.matches.close()
        await self.queue.stop()
        await self.store.close()
