"""The way to have a job done, wherever it runs: submit it and read the lines that it writes."""

from __future__ import annotations

import asyncio
import hmac
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from contextlib import suppress

from limina.server.errors import UnavailableError
from limina.server.jobs.job import CURRENT_CLIENT, PoolLimits
from limina.server.model import Job
from limina.server.storage.jobs import Backlog, JobTable

_POLL_SECONDS = 0.1
"""How often new lines are looked for. A line that was written in this process is read at once."""
_REFRESH_SECONDS = 1.0
"""How often the backlog is counted, and how often it is noted that people wait for results."""
WATCH_SECONDS = 5.0
"""A job whose reader has not been noted for so long is not done, or ended."""
_LEFT_SECONDS = 1.5
"""A job whose reader has gone goes on for so long, in case another process reads it too."""
_MISSING_SECONDS = 3.0
"""A job that has not been seen in the table for so long is over."""
_OUTPUT_SECONDS = 60.0
"""Lines are kept for so long, for readers at other processes."""
_CLEAN_SECONDS = 60.0
END = b""
"""The line with which a job says that no further one follows."""
_HASHED = "#"
"""First character of a hashed client, which the jobs that follow from a job pass on."""


class _Reader:
    """One reader of a job's lines."""

    def __init__(self, job_id: str) -> None:
        self.job_id = job_id
        self.next_index = 0
        self.lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.seen_at = _time()


class JobQueue:
    """The jobs of a database, as the processes see them that need their results."""

    def __init__(self, limits: Mapping[str, PoolLimits]) -> None:
        self.limits = limits
        self.waiting: Counter[str] = Counter()
        """How many jobs of each pool wait, when that was counted last."""
        self.running: Counter[str] = Counter()
        self._waiting_of: Counter[tuple[str, str]] = Counter()
        self._running_of: Counter[tuple[str, str]] = Counter()
        self._readers: set[_Reader] = set()
        self._table: JobTable
        self._secret = b""
        self._task: asyncio.Task[None] | None = None
        self._written = asyncio.Event()
        self._refreshing = asyncio.Lock()
        self._refreshed_at = float("-inf")
        self.on_submit: Callable[[Job], None] = lambda _: None
        """Called with each job that was submitted."""

    async def start(self, table: JobTable) -> None:
        """Begin to count jobs and to read their lines."""
        self._table = table
        self._secret = await table.client_secret()
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Stop reading; every reader comes to its end."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        for reader in self._readers:
            reader.lines.put_nowait(None)

    # --- submitting

    def client(self) -> str:
        """Return the keyed hash of the client on whose behalf this is called; an empty text if there is none."""
        client = CURRENT_CLIENT.get()
        if not client or client.startswith(_HASHED):
            return client
        return _HASHED + hmac.digest(self._secret, client.encode(), "sha256").hex()[:32]

    def check(self, pool: str) -> None:
        """Raise RefusedError when a further job of the current client would be too many."""
        self.limits[pool].check(self.waiting[pool], self._waiting_of[pool, self.client()])

    def must_wait(self, job: Job) -> bool:
        """Return whether the job of the current client would probably have to wait, if it were submitted now."""
        limits, client = self.limits[job.pool], self.client()
        return not self.is_read(job.job_id) and (
            self.waiting[job.pool] + self.running[job.pool] >= limits.max_running
            or self._waiting_of[job.pool, client] + self._running_of[job.pool, client] >= limits.max_running_per_client
        )

    def is_read(self, job_id: str) -> bool:
        """Return whether this process reads the lines of a job."""
        return any(reader.job_id == job_id for reader in self._readers)

    def count(self, jobs: Iterable[Job]) -> None:
        """Count jobs that were added since the backlog was counted."""
        for job in jobs:
            self.waiting[job.pool] += 1
            self._waiting_of[job.pool, job.client] += 1

    async def submit(self, job: Job) -> AsyncGenerator[bytes]:
        """Have a job done and yield its lines until it is over. A job without readers ends.

        A job that is read already is read once more from its first line. Raise RefusedError when too many jobs wait.
        """
        if not self.is_read(job.job_id):
            self.check(job.pool)
            self.count([job])
        reader = _Reader(job.job_id)
        self._readers.add(reader)
        try:
            await self._table.submit(job, int(WATCH_SECONDS * 1000))
            self.on_submit(job)
            self._written.set()
            while (line := await reader.lines.get()) is not None:
                yield line
        finally:
            self._readers.discard(reader)
            if not self.is_read(job.job_id):
                with suppress(UnavailableError):  # then the job ends a little later
                    await self._table.watch([job.job_id], int(_LEFT_SECONDS * 1000))

    async def write_line(self, job_id: str, line_index: int, line: bytes) -> None:
        """Write a line of a job that runs in this process."""
        await self._table.write_line(job_id, line_index, line)
        self._written.set()

    # --- reading

    async def refresh(self) -> list[Backlog]:
        """Count the jobs that wait and run."""
        async with self._refreshing:
            self._refreshed_at = _time()
            backlog = await self._table.backlog()
            self.waiting, self.running, self._waiting_of, self._running_of = Counter(), Counter(), Counter(), Counter()
            for each in backlog:
                self.waiting[each.pool] += each.waiting
                self.running[each.pool] += each.running
                self._waiting_of[each.pool, each.client] += each.waiting
                self._running_of[each.pool, each.client] += each.running
            return backlog

    async def _run(self) -> None:
        watched = cleaned = float("-inf")
        while True:
            try:
                if _time() - self._refreshed_at >= _REFRESH_SECONDS:  # else the worker of this process has done so
                    await self.refresh()
                if _time() - watched >= _REFRESH_SECONDS:
                    watched = _time()
                    await self._watch()
                if _time() - cleaned >= _CLEAN_SECONDS:
                    cleaned = _time()
                    await self._table.remove_old_output(int(_OUTPUT_SECONDS * 1000))
                await self._read()
            except UnavailableError:  # it is in the log; the next attempt follows
                await asyncio.sleep(_REFRESH_SECONDS)
            self._written.clear()
            try:
                async with asyncio.timeout(_POLL_SECONDS if self._readers else _REFRESH_SECONDS):
                    await self._written.wait()
            except TimeoutError:
                pass

    async def _watch(self) -> None:
        """Note that people wait for the jobs that are read here; end the readers of jobs that are over."""
        if not self._readers:
            return
        there = await self._table.watch({reader.job_id for reader in self._readers}, int(WATCH_SECONDS * 1000))
        for reader in self._readers:
            if reader.job_id in there:
                reader.seen_at = _time()
            elif _time() - reader.seen_at > _MISSING_SECONDS:
                reader.lines.put_nowait(None)

    async def _read(self) -> None:
        next_indices: dict[str, int] = {}
        for reader in self._readers:
            next_indices[reader.job_id] = min(reader.next_index, next_indices.get(reader.job_id, reader.next_index))
        if not next_indices:
            return
        for job_id, index, line in await self._table.read_lines(next_indices):
            for reader in self._readers:
                if (reader.job_id, reader.next_index) == (job_id, index):
                    reader.next_index += 1
                    reader.lines.put_nowait(None if line == END else line)


def _time() -> float:
    return asyncio.get_running_loop().time()
