"""Jobs that answer an open request: they run in the process that received it, and end with the request."""

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
class _Waiting:
    client: str
    cost: float
    number: int
    turn: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    started: bool = False


class _LocalPool:
    """The jobs of one pool. Clients have equal shares of it; of one client's jobs the cheapest starts first."""

    def __init__(self, limits: PoolLimits) -> None:
        self._limits = limits
        self._waiting: dict[int, _Waiting] = {}
        self._running: Counter[str] = Counter()
        self._numbers = count()
        self._share = FairShare()

    def submit(self, client: str, cost: float, work: Callable[[], Awaitable[T]]) -> asyncio.Task[T]:
        of_client = sum(each.client == client for each in self._waiting.values())
        self._limits.check(len(self._waiting), of_client)
        waiting = _Waiting(client, cost, next(self._numbers))
        self._waiting[waiting.number] = waiting
        self._start_jobs()

        async def wait_and_work() -> T:
            await waiting.turn
            return await work()

        task = asyncio.create_task(wait_and_work())
        # Not in the coroutine: one that is canceled at once never begins.
        task.add_done_callback(lambda _: self._end(waiting))
        return task

    def _start_jobs(self) -> None:
        while self._running.total() < self._limits.max_running:
            ready = [
                each
                for each in self._waiting.values()
                if self._running[each.client] < self._limits.max_running_per_client and not each.turn.done()
            ]
            if not ready:
                return
            chosen = min(ready, key=lambda each: (self._share.start(each.client), each.cost, each.number))
            del self._waiting[chosen.number]
            self._share.charge(chosen.client, chosen.cost)
            self._running[chosen.client] += 1
            chosen.started = True
            chosen.turn.set_result(None)

    def _end(self, waiting: _Waiting) -> None:
        if waiting.started:
            self._running[waiting.client] -= 1
            if not self._running[waiting.client]:
                del self._running[waiting.client]
        else:
            self._waiting.pop(waiting.number, None)
        if not self._waiting and not self._running:
            self._share.reset()
        self._start_jobs()


class LocalJobs:
    """Pools of jobs in this process."""

    def __init__(self, limits: Mapping[str, PoolLimits]) -> None:
        self._pools = {pool: _LocalPool(each) for pool, each in limits.items()}

    def submit(self, pool: str, client: str, cost: float, work: Callable[[], Awaitable[T]]) -> asyncio.Task[T]:
        """Run a job when its turn comes; canceling the task ends it, whether it waits or runs.

        `cost` is its expected milliseconds. Raise RefusedError when too many jobs wait.
        """
        return self._pools[pool].submit(client, cost, work)
