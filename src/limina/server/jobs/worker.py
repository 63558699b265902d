"""The job worker: claims jobs while this process has capacity, runs their handlers and renews their leases."""

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
from limina.server.storage.jobs import ClientBacklog, JobTable

LEASE_SECONDS = 6.0
"""A job whose worker has not renewed its lease for so long may be claimed by another worker."""
_RENEW_SECONDS = 2.0
"""Interval at which leases are renewed."""
_POLL_SECONDS = 1.0
"""Interval at which jobs are claimed that were not announced: those that are due after a delay, and of dead workers."""
_RETRY_SECONDS = 5.0
"""Delay before a failed job runs again. It doubles with each failure."""
_MAX_RETRY_SECONDS = 3600.0
_MAX_FAILURES = 10_000
"""Maximum number of jobs whose failures are counted."""
_STOP_TIMEOUT_SECONDS = 1.0
"""Maximum time to release jobs when the process stops."""
_LOG = logging.getLogger("limina.server")

WriteLine = Callable[[bytes], Awaitable[None]]
Run = Callable[[Job, WriteLine], Awaitable[bool]]


class Handler(NamedTuple):
    """Runs the jobs of one kind."""

    run: Run
    """Run a job, perhaps for a second time after a worker has died. Return True to remove its row.

    A job whose effect removes the row returns False. It runs again when its lease ends if the row is still there."""
    needs_watcher: bool = False
    """True to end a job that is no longer watched."""


class _ClaimedJob:
    """A job that this process has claimed, and its task."""

    def __init__(self, job: Job, task: asyncio.Task[None]) -> None:
        self.job = job
        self.task = task
        self.lease_ends_at = _time() + LEASE_SECONDS


class JobWorker:
    """Claims and runs jobs in this process."""

    def __init__(self, queue: JobQueue, handlers: Mapping[str, Handler], pools: Mapping[str, int]) -> None:
        """`pools` are the pools to claim from, with the milliseconds for which a job must have been due."""
        self._queue = queue
        self._handlers = handlers
        self._name = secrets.token_hex(16)
        self._min_ages = pools
        self._watched_kinds = [kind for kind, handler in handlers.items() if handler.needs_watcher]
        self._failures: Counter[str] = Counter()
        self._shares = {pool: FairShare() for pool in pools}
        self._claimed: dict[str, _ClaimedJob] = {}
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._table: JobTable

    def start(self, table: JobTable) -> None:
        """Start to claim jobs."""
        self._table = table
        self._tasks = [asyncio.create_task(loop) for loop in (self._claim_jobs(), self._renew_leases())]

    async def stop(self) -> None:
        """Stop, and release unfinished jobs, so that other workers can claim them at once."""
        for task in self._tasks:
            task.cancel()
        tasks = [claimed.task for claimed in self._claimed.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, *tasks, return_exceptions=True)
        if self._tasks:
            with suppress(TimeoutError, UnavailableError):
                async with asyncio.timeout(_STOP_TIMEOUT_SECONDS):
                    await self._table.release_worker(self._name)

    def wake(self, pools: Collection[str]) -> Collection[str]:
        """Claim jobs of these pools now; return the pools without capacity in this process."""
        full = {pool for pool in pools if not self._has_capacity(pool)}
        if len(full) < len(pools):
            self._wake.set()
        return full

    def _has_capacity(self, pool: str) -> bool:
        running = sum(claimed.job.pool == pool for claimed in self._claimed.values())
        return self._min_ages.get(pool) == 0 and running < self._queue.limits[pool].max_running

    # --- claiming

    async def _claim_jobs(self) -> None:
        while True:
            self._wake.clear()
            try:
                backlog = await self._queue.refresh()
                for pool in self._shares:
                    await self._claim_from(pool, [entry for entry in backlog if entry.pool == pool])
            except UnavailableError:  # it is logged, and tried again
                await asyncio.sleep(_POLL_SECONDS)
            except Exception as error:  # no error may end the loop
                _LOG.error("job worker: claiming jobs failed", exc_info=error)
                await asyncio.sleep(_POLL_SECONDS)
            try:
                async with asyncio.timeout(_POLL_SECONDS):
                    await self._wake.wait()
            except TimeoutError:
                pass

    async def _claim_from(self, pool: str, backlog: list[ClientBacklog]) -> None:
        limits, share = self._queue.limits[pool], self._shares[pool]
        running = Counter(claimed.job.client for claimed in self._claimed.values() if claimed.job.pool == pool)
        min_age = self._min_ages[pool]
        ready = {entry.client: entry for entry in backlog if entry.age is not None and entry.age >= min_age}
        waiting = {client: entry.waiting for client, entry in ready.items()}
        if not ready and not running:
            share.reset()
        while running.total() < limits.max_running:
            clients = [
                client for client in waiting if waiting[client] and running[client] < limits.max_running_per_client
            ]
            if not clients:
                return
            client = min(clients, key=lambda name: (share.start(name), running[name], -(ready[name].age or 0)))
            result = await self._table.claim(pool, client, self._name, int(LEASE_SECONDS * 1000), min_age)
            if result is None:
                waiting[client] = 0
                continue
            job, is_watched = result
            waiting[client] -= 1
            if job.kind not in self._handlers:  # a newer version has submitted it
                await self._table.release(self._name, [job], int(_RETRY_SECONDS * 1000))
                continue
            if self._handlers[job.kind].needs_watcher and not is_watched:
                await self._table.remove_unwatched([job.kind], self._name)
                await self._table.release(self._name, [job])  # if it is watched by now
                continue
            share.charge(client, job.cost)
            running[client] += 1
            await self._start(job)

    async def _start(self, job: Job) -> None:
        replaced = self._claimed.get(job.job_id)
        if replaced is not None:  # an earlier job with this id still runs
            replaced.task.cancel()
            await asyncio.wait([replaced.task])
        self._claimed[job.job_id] = _ClaimedJob(job, asyncio.create_task(self._run(job)))

    async def _run(self, job: Job) -> None:
        CURRENT_CLIENT.set(job.client)
        line_count = 0

        async def write(line: bytes) -> None:
            nonlocal line_count
            await self._queue.write_line(job.job_id, line_count, line)
            line_count += 1

        try:
            handler = self._handlers[job.kind]
            if await handler.run(job, write):
                await self._table.remove(self._name, job)
                if handler.needs_watcher:
                    await write(END)  # after the removal: a job that is submitted from now on runs again
            self._failures.pop(job.job_id, None)
        except LiminaError as error:  # the database does not answer, or has not saved the result
            await self._retry(job, type(error).__name__)
        except Exception as error:
            _LOG.error("job worker: job %s failed", job.job_id, exc_info=error)
            await self._retry(job, type(error).__name__)
        finally:
            if self._claimed.get(job.job_id) is not None and self._claimed[job.job_id].job is job:
                del self._claimed[job.job_id]
            self._wake.set()

    async def _retry(self, job: Job, cause: str) -> None:
        if len(self._failures) > _MAX_FAILURES:
            self._failures.clear()
        delay = min(_RETRY_SECONDS * 2 ** self._failures[job.job_id], _MAX_RETRY_SECONDS)
        self._failures[job.job_id] += 1
        _LOG.warning("job worker: job %s failed (%s), retrying in %g s", job.job_id, cause, delay)
        with suppress(UnavailableError):  # the lease ends anyway
            await self._table.release(self._name, [job], int(delay * 1000))

    # --- leases

    async def _renew_leases(self) -> None:
        while True:
            await asyncio.sleep(_RENEW_SECONDS)
            with suppress(UnavailableError):
                if self._claimed:
                    await self._renew()
                if self._watched_kinds and (self._claimed or self._queue.waiting.total()):
                    for job_id in await self._table.remove_unwatched(self._watched_kinds, self._name):
                        if job_id in self._claimed:
                            self._claimed[job_id].task.cancel()

    async def _renew(self) -> None:
        renewed_ids = await self._table.renew(self._name, list(self._claimed), int(LEASE_SECONDS * 1000))
        for job_id, claimed in self._claimed.items():
            if job_id in renewed_ids:
                claimed.lease_ends_at = _time() + LEASE_SECONDS
            elif _time() > claimed.lease_ends_at:  # it was replaced, or claimed by another worker
                claimed.task.cancel()


def _time() -> float:
    return asyncio.get_running_loop().time()
