"""Local jobs: they answer an open request, run in the process that received it, and end with the request."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import TypeVar

from limina.server.jobs.job import FairShare, PoolLimits

T = TypeVar("T")


@dataclass(eq=False, slots=True)
class _LocalJob:
    client: str
    cost: float
    sequence_number: int
    may_start: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    has_started: bool = False


class _LocalPool:
    """The jobs of one pool. Clients have equal shares of it. The cheapest job of a client starts first."""

    def __init__(self, limits: PoolLimits) -> None:
        self._limits = limits
        self._waiting: dict[int, _LocalJob] = {}
        self._running: Counter[str] = Counter()
        self._sequence_numbers = count()
        self._share = FairShare()

    def submit(self, client: str, cost: float, work: Callable[[], Awaitable[T]]) -> asyncio.Task[T]:
        waiting_of_client = sum(job.client == client for job in self._waiting.values())
        self._limits.check(len(self._waiting), waiting_of_client)
        job = _LocalJob(client, cost, next(self._sequence_numbers))
        self._waiting[job.sequence_number] = job
        self._start_jobs()

        async def wait_and_work() -> T:
            await job.may_start
            return await work()

        task = asyncio.create_task(wait_and_work())
        # Not in the coroutine: it is never entered if the task is canceled at once.
        task.add_done_callback(lambda _: self._end(job))
        return task

    def _start_jobs(self) -> None:
        while self._running.total() < self._limits.max_running:
            ready = [
                job
                for job in self._waiting.values()
                if self._running[job.client] < self._limits.max_running_per_client and not job.may_start.done()
            ]
            if not ready:
                return
            job = min(ready, key=lambda job: (self._share.start(job.client), job.cost, job.sequence_number))
            del self._waiting[job.sequence_number]
            self._share.charge(job.client, job.cost)
            self._running[job.client] += 1
            job.has_started = True
            job.may_start.set_result(None)

    def _end(self, job: _LocalJob) -> None:
        if job.has_started:
            self._running[job.client] -= 1
            if not self._running[job.client]:
                del self._running[job.client]
        else:
            self._waiting.pop(job.sequence_number, None)
        if not self._waiting and not self._running:
            self._share.reset()
        self._start_jobs()


class LocalJobs:
    """The pools of local jobs."""

    def __init__(self, limits: Mapping[str, PoolLimits]) -> None:
        self._pools = {pool: _LocalPool(pool_limits) for pool, pool_limits in limits.items()}

    def submit(self, pool: str, client: str, cost: float, work: Callable[[], Awaitable[T]]) -> asyncio.Task[T]:
        """Return the task of a job that starts when the pool has capacity. Cancel the task to end the job.

        `cost` is the expected time in milliseconds. Raise RefusedError if too many jobs wait.
        """
        return self._pools[pool].submit(client, cost, work)
