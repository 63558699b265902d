"""The job queue: submit a job, which a worker of any process runs, and read the lines that it writes."""

from __future__ import annotations

import asyncio
import hmac
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from contextlib import suppress

from limina.server.errors import UnavailableError
from limina.server.jobs.job import CURRENT_CLIENT, PoolLimits
from limina.server.model import Job
from limina.server.storage.jobs import ClientBacklog, JobTable

_POLL_SECONDS = 0.1
"""Interval at which lines of other processes are read. A line that was written in this process is read at once."""
_REFRESH_SECONDS = 1.0
"""Interval at which the backlog is counted, and the watches of jobs are extended."""
WATCH_SECONDS = 5.0
"""A job is no longer watched when its watch was not extended for so long. It is not run then, or ended."""
_LAST_WATCH_SECONDS = 1.5
"""A job goes on for so long after its last watcher in this process has left, in case another process watches it."""
_MISSING_SECONDS = 3.0
"""A job that has been missing in the table for so long is over."""
_KEEP_OUTPUT_SECONDS = 60.0
"""Age at which lines of finished jobs are removed. Until then watchers in other processes can read them."""
_CLEAN_SECONDS = 60.0
"""Interval at which old lines are removed."""
END = b""
"""The last line of a job."""
_HASH_PREFIX = "#"
"""The first character of a hashed client. A job that is submitted by a job has a client that is hashed already."""


class _Watcher:
    """Receives the lines of a job."""

    def __init__(self, job_id: str) -> None:
        self.job_id = job_id
        self.next_index = 0
        self.lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.job_seen_at = _time()


class JobQueue:
    """Submits jobs and reads the lines of their output. Each process has one queue, over the shared table of jobs."""

    def __init__(self, limits: Mapping[str, PoolLimits]) -> None:
        self.limits = limits
        self.waiting: Counter[str] = Counter()
        """The number of jobs that wait, by pool, as it was counted last."""
        self.running: Counter[str] = Counter()
        """The number of jobs that run, by pool."""
        self._waiting_of: Counter[tuple[str, str]] = Counter()
        self._running_of: Counter[tuple[str, str]] = Counter()
        self._watchers: set[_Watcher] = set()
        self._table: JobTable
        self._secret = b""
        self._task: asyncio.Task[None] | None = None
        self._written = asyncio.Event()
        self._refreshing = asyncio.Lock()
        self._refreshed_at = float("-inf")
        self.on_submit: Callable[[Job], None] = lambda _: None
        """Called with each job that is submitted."""

    async def start(self, table: JobTable) -> None:
        """Start to count jobs and to read lines."""
        self._table = table
        self._secret = await table.client_hash_key()
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Stop reading and end all watchers."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        for watcher in self._watchers:
            watcher.lines.put_nowait(None)

    # --- submitting

    def client(self) -> str:
        """Return the keyed hash of the current client; an empty text if there is none."""
        client = CURRENT_CLIENT.get()
        if not client or client.startswith(_HASH_PREFIX):
            return client
        return _HASH_PREFIX + hmac.digest(self._secret, client.encode(), "sha256").hex()[:32]

    def check(self, pool: str) -> None:
        """Raise RefusedError if no further job of the current client may wait."""
        self.limits[pool].check(self.waiting[pool], self._waiting_of[pool, self.client()])

    def must_wait(self, job: Job) -> bool:
        """Return True if a job of the current client would probably have to wait."""
        limits, client = self.limits[job.pool], self.client()
        return not self.is_watched(job.job_id) and (
            self.waiting[job.pool] + self.running[job.pool] >= limits.max_running
            or self._waiting_of[job.pool, client] + self._running_of[job.pool, client] >= limits.max_running_per_client
        )

    def is_watched(self, job_id: str) -> bool:
        """Return True if this process watches a job."""
        return any(watcher.job_id == job_id for watcher in self._watchers)

    def count(self, jobs: Iterable[Job]) -> None:
        """Add new jobs to the counts."""
        for job in jobs:
            self.waiting[job.pool] += 1
            self._waiting_of[job.pool, job.client] += 1

    async def submit(self, job: Job) -> AsyncGenerator[bytes]:
        """Submit a job and yield its lines until it is over. A job without watchers ends.

        A job that exists already is watched from its first line. Raise RefusedError if too many jobs wait.
        """
        if not self.is_watched(job.job_id):
            self.check(job.pool)
            self.count([job])
        watcher = _Watcher(job.job_id)
        self._watchers.add(watcher)
        try:
            await self._table.submit(job, int(WATCH_SECONDS * 1000))
            self.on_submit(job)
            self._written.set()
            while (line := await watcher.lines.get()) is not None:
                yield line
        finally:
            self._watchers.discard(watcher)
            if not self.is_watched(job.job_id):
                with suppress(UnavailableError):  # then the watch ends later
                    await self._table.watch([job.job_id], int(_LAST_WATCH_SECONDS * 1000))

    async def write_line(self, job_id: str, line_index: int, line: bytes) -> None:
        """Write a line of the output of a job that runs in this process."""
        await self._table.write_line(job_id, line_index, line)
        self._written.set()

    # --- reading

    async def refresh(self) -> list[ClientBacklog]:
        """Count the jobs that wait and run; return the backlog."""
        async with self._refreshing:
            self._refreshed_at = _time()
            backlog = await self._table.backlog()
            self.waiting, self.running, self._waiting_of, self._running_of = Counter(), Counter(), Counter(), Counter()
            for entry in backlog:
                self.waiting[entry.pool] += entry.waiting
                self.running[entry.pool] += entry.running
                self._waiting_of[entry.pool, entry.client] += entry.waiting
                self._running_of[entry.pool, entry.client] += entry.running
            return backlog

    async def _run(self) -> None:
        watched_at = cleaned_at = float("-inf")
        while True:
            try:
                if _time() - self._refreshed_at >= _REFRESH_SECONDS:  # otherwise the worker of this process has done it
                    await self.refresh()
                if _time() - watched_at >= _REFRESH_SECONDS:
                    watched_at = _time()
                    await self._watch()
                if _time() - cleaned_at >= _CLEAN_SECONDS:
                    cleaned_at = _time()
                    await self._table.remove_old_output(int(_KEEP_OUTPUT_SECONDS * 1000))
                await self._read()
            except UnavailableError:  # it is logged, and tried again
                await asyncio.sleep(_REFRESH_SECONDS)
            self._written.clear()
            try:
                async with asyncio.timeout(_POLL_SECONDS if self._watchers else _REFRESH_SECONDS):
                    await self._written.wait()
            except TimeoutError:
                pass

    async def _watch(self) -> None:
        """Extend the watches of jobs, and end the watchers of jobs that are over."""
        if not self._watchers:
            return
        existing = await self._table.watch({watcher.job_id for watcher in self._watchers}, int(WATCH_SECONDS * 1000))
        for watcher in self._watchers:
            if watcher.job_id in existing:
                watcher.job_seen_at = _time()
            elif _time() - watcher.job_seen_at > _MISSING_SECONDS:
                watcher.lines.put_nowait(None)

    async def _read(self) -> None:
        next_indices: dict[str, int] = {}
        for watcher in self._watchers:
            next_indices[watcher.job_id] = min(watcher.next_index, next_indices.get(watcher.job_id, watcher.next_index))
        if not next_indices:
            return
        for job_id, index, line in await self._table.read_lines(next_indices):
            for watcher in self._watchers:
                if (watcher.job_id, watcher.next_index) == (job_id, index):
                    watcher.next_index += 1
                    watcher.lines.put_nowait(None if line == END else line)


def _time() -> float:
    return asyncio.get_running_loop().time()
