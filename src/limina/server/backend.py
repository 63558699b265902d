"""The backend: store, matches, reviews, hints, job queue and job worker.

A server and `limina worker`, a process that only runs jobs, have the same backend.
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

_HOSTED_BOT_TIMEOUT_MILLISECONDS = 600_000
"""Processes that share a database may offer different hosted bots. If no process that offers a bot has played its turn
for so long, any process claims the job and replaces the bot."""


class Backend:
    """The parts of the server that do not depend on HTTP. They connect to nothing before `start`."""

    def __init__(
        self, store: Store, bots: BotRunner, pools: dict[str, PoolLimits] | None = None, *, runs_jobs: bool = True
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
        min_ages = dict.fromkeys(self.queue.limits, 0)
        if not (bots.hosted.configured or store.bus.single_process):
            min_ages["hosted_bots"] = _HOSTED_BOT_TIMEOUT_MILLISECONDS
        self._worker = JobWorker(self.queue, handlers, min_ages) if runs_jobs else None
        store.on_jobs_saved = self._jobs_saved
        if self._worker is not None:
            store.on_remote_jobs = self._worker.wake
        self.queue.on_submit = lambda job: self._announce_jobs([job.pool])

    async def start(self, *, runs_jobs: bool = True) -> None:
        """Open the database; start the job worker if `runs_jobs`."""
        await self.store.open()
        try:
            await self.queue.start(self.store.jobs)
        except BaseException:
            await self.store.close()
            raise
        if runs_jobs:
            self.start_worker()

    def start_worker(self) -> None:
        """Start the job worker, if this process has one."""
        if self._worker is not None:
            self._worker.start(self.store.jobs)

    def _jobs_saved(self, jobs: Sequence[Job]) -> None:
        self.queue.count(jobs)
        self._announce_jobs({job.pool for job in jobs})

    def _announce_jobs(self, pools: Collection[str]) -> None:
        """Wake the worker for new jobs of these pools; tell other processes if it has no capacity."""
        full = pools if self._worker is None else self._worker.wake(pools)
        if full:
            self.store.bus.publish_jobs(full)

    async def stop(self) -> None:
        """Release unfinished jobs, finish pending writes and close the database."""
        if self._worker is not None:
            await self._worker.stop()
        self.hints.stop()
        await self.reviews.stop()
        await self.matches.close()
        await self.queue.stop()
        await self.store.close()
