"""The job worker: claims jobs while this process has room for them, runs their handlers and renews their leases."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from typing import NamedTuple

from limina.errors import LiminaError
from limina.server.errors import UnavailableError
from limina.server.jobs.job import CURRENT_CLIENT, FairShare
from limina.server.jobs.queue import END, JobQueue
from limina.server.model import Job
from limina.server.storage.jobs import Backlog, JobTable

LEASE_SECONDS = 6.0
"""A job whose worker has not renewed its lease for so long may be claimed by another worker."""
_RENEW_SECONDS = 2.0
_POLL_SECONDS = 1.0
"""How often jobs are looked for of which this process was not told: due ones, and those of dead workers."""
_RETRY_SECONDS = 5.0
"""A job that failed runs again after so long, then after twice as long each time."""
_MAX_RETRY_SECONDS = 3600.0
_MAX_FAILURES = 10_000
"""Jobs whose failures are counted."""
_STOP_SECONDS = 1.0
"""How long giving jobs back may take when the process stops."""
_LOG = logging.getLogger("limina.server")

WriteLine = Callable[[bytes], Awaitable[None]]
Run = Callable[[Job, WriteLine], Awaitable[bool]]


class Handler(NamedTuple):
    """What runs the jobs of one kind."""

    run: Run
    """Run a job, perhaps once more after a worker has died. Return whether its row is to be removed: a job whose row
    is removed with its effect returns False, and runs again when its lease ends if that did not happen."""
    needs_reader: bool = False
    """End the job when nobody reads its lines any longer."""


class _Held:
    """A job that this process has claimed."""

    def __init__(self, job: Job, task: asyncio.Task[None]) -> None:
        self.job = job
        self.task = task
        self.lease_ends = _time() + LEASE_SECONDS


class JobWorker:
    """The jobs that this process does."""

    def __init__(self, queue: JobQueue, handlers: Mapping[str, Handler], pools: Mapping[str, int]) -> None:
        """`pools` are the pools of which jobs are claimed, with the milliseconds that these must have been due."""
        self._queue = queue
        self._handlers = handlers
        self._name = secrets.token_hex(16)
        self._min_ages = pools
        self._kinds_with_reader = [kind for kind, handler in handlers.items() if handler.needs_reader]
        self._failures: Counter[str] = Counter()
        self._shares = {pool: FairShare() for pool in pools}
        self._held: dict[str, _Held] = {}
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._table: JobTable

    def start(self, table: JobTable) -> None:
        """Begin to look for jobs."""
        self._table = table
        self._tasks = [asyncio.create_task(each) for each in (self._claim_jobs(), self._renew_leases())]

    async def stop(self) -> None:
        """Stop, and give back the jobs that are not done so that other workers go on with them at once."""
        for task in self._tasks:
            task.cancel()
        held = list(self._held.values())
        for each in held:
            each.task.cancel()
        await asyncio.gather(*self._tasks, *(each.task for each in held), return_exceptions=True)
        if self._tasks:
            with suppress(TimeoutError, UnavailableError):
                async with asyncio.timeout(_STOP_SECONDS):
                    await self._table.release_worker(self._name)

    def wake(self, pools: Collection[str]) -> Collection[str]:
        """Look for jobs of these pools now; return those for which there is no room here."""
        full = {pool for pool in pools if not self._has_room(pool)}
        if len(full) < len(pools):
            self._wake.set()
        return full

    def _has_room(self, pool: str) -> bool:
        running = sum(each.job.pool == pool for each in self._held.values())
        return self._min_ages.get(pool) == 0 and running < self._queue.limits[pool].max_running

    # --- claiming

    async def _claim_jobs(self) -> None:
        while True:
            self._wake.clear()
            try:
                backlog = await self._queue.refresh()
                for pool in self._shares:
                    await self._claim_from(pool, [each for each in backlog if each.pool == pool])
            except UnavailableError:  # it is in the log; the next attempt follows
                await asyncio.sleep(_POLL_SECONDS)
            except Exception as error:  # no error may end the claims
                _LOG.error("jobs: claiming failed", exc_info=error)
                await asyncio.sleep(_POLL_SECONDS)
            try:
                async with asyncio.timeout(_POLL_SECONDS):
                    await self._wake.wait()
            except TimeoutError:
                pass

    async def _claim_from(self, pool: str, backlog: list[Backlog]) -> None:
        limits, share = self._queue.limits[pool], self._shares[pool]
        running = Counter(each.job.client for each in self._held.values() if each.job.pool == pool)
        min_age = self._min_ages[pool]
        ready = {each.client: each for each in backlog if each.age is not None and each.age >= min_age}
        left = {client: each.waiting for client, each in ready.items()}
        if not ready and not running:
            share.reset()
        while running.total() < limits.max_running:
            clients = [each for each in left if left[each] and running[each] < limits.max_running_per_client]
            if not clients:
                return
            client = min(clients, key=lambda each: (share.start(each), running[each], -(ready[each].age or 0)))
            claimed = await self._table.claim(pool, client, self._name, int(LEASE_SECONDS * 1000), min_age)
            if claimed is None:
                left[client] = 0
                continue
            job, watched = claimed
            left[client] -= 1
            if job.kind not in self._handlers:  # of a newer version
                await self._table.release(self._name, [job], int(_RETRY_SECONDS * 1000))
                continue
            if self._handlers[job.kind].needs_reader and not watched:
                await self._table.remove_unwatched([job.kind], self._name)
                await self._table.release(self._name, [job])  # if a reader has come meanwhile
                continue
            share.charge(client, job.cost)
            running[client] += 1
            await self._start(job)

    async def _start(self, job: Job) -> None:
        former = self._held.get(job.job_id)
        if former is not None:  # the job was replaced while an earlier one of the same id ran here
            former.task.cancel()
            await asyncio.wait([former.task])
        self._held[job.job_id] = _Held(job, asyncio.create_task(self._run(job)))

    async def _run(self, job: Job) -> None:
        CURRENT_CLIENT.set(job.client)
        lines = 0

        async def write(line: bytes) -> None:
            nonlocal lines
            await self._queue.write_line(job.job_id, lines, line)
            lines += 1

        try:
            handler = self._handlers[job.kind]
            if await handler.run(job, write):
                await self._table.remove(self._name, job)
                if handler.needs_reader:
                    await write(END)  # last: one who then submits the job again has it done again
            self._failures.pop(job.job_id, None)
        except LiminaError as error:  # the database does not answer, or could not save the result
            await self._retry(job, type(error).__name__)
        except Exception as error:
            _LOG.error("job %s failed", job.kind, exc_info=error)
            await self._retry(job, type(error).__name__)
        finally:
            if self._held.get(job.job_id) is not None and self._held[job.job_id].job is job:
                del self._held[job.job_id]
            self._wake.set()

    async def _retry(self, job: Job, cause: str) -> None:
        if len(self._failures) > _MAX_FAILURES:
            self._failures.clear()
        delay = min(_RETRY_SECONDS * 2 ** self._failures[job.job_id], _MAX_RETRY_SECONDS)
        self._failures[job.job_id] += 1
        _LOG.warning("job %s: %s, retrying in %g s", job.kind, cause, delay)
        with suppress(UnavailableError):  # then the lease ends by itself
            await self._table.release(self._name, [job], int(delay * 1000))

    # --- leases

    async def _renew_leases(self) -> None:
        while True:
            await asyncio.sleep(_RENEW_SECONDS)
            with suppress(UnavailableError):
                if self._held:
                    await self._renew()
                if self._kinds_with_reader and (self._held or self._queue.waiting.total()):
                    for job_id in await self._table.remove_unwatched(self._kinds_with_reader, self._name):
                        if job_id in self._held:
                            self._held[job_id].task.cancel()

    async def _renew(self) -> None:
        renewed = await self._table.renew(self._name, list(self._held), int(LEASE_SECONDS * 1000))
        for job_id, held in self._held.items():
            if job_id in renewed:
                held.lease_ends = _time() + LEASE_SECONDS
            elif _time() > held.lease_ends:  # replaced, or claimed by another worker
                held.task.cancel()


def _time() -> float:
    return asyncio.get_running_loop().time()
