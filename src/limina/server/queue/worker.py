"""Doing jobs of the queue: as many of each kind at once as this process has places for."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from datetime import timedelta
from typing import Any

from pgqueuer.domain.errors import RetryRequested
from pgqueuer.domain.models import Context, TableChangedEvent, utc_now
from pgqueuer.domain.models import Job as QueuedJob
from pgqueuer.domain.types import JobId
from pgqueuer.qm import QueueManager
from pgqueuer.queries import Queries

from limina.errors import LiminaError
from limina.server.jobs import Job, LaneSize
from limina.server.queue.driver import Driver
from limina.server.storage import Store
from limina.server.storage.queue_tables import SETTINGS, queries_of

HEARTBEAT_SECONDS = 4.0
"""After which a worker that says nothing is taken for dead, and another does what it was doing."""
_LOOK_SECONDS = 1.0
"""How often it is looked for what nobody was told of: what the dead have left, and what was given back."""
_AGAIN_SECONDS = 1.0
_STOP_SECONDS = 1.0
_PATIENCE_SECONDS = 1.0
"""After which a client's job is tried again that found all places taken which one client may have."""
_MOST_ATTEMPTS = 6
_MOST_PATIENCE_SECONDS = 30.0
_LOG = logging.getLogger("limina.server")

Handler = Callable[[Job], Awaitable[None]]
"""Does a job of one kind. It may be cancelled at any moment, and called again with the same job."""


class Worker:
    """One process's places, filled with jobs as they come."""

    def __init__(self, store: Store, handlers: Mapping[str, Handler], sizes: Mapping[str, LaneSize]) -> None:
        self._store = store
        self._handlers = handlers
        self._sizes = sizes
        self._stopping = asyncio.Event()
        self._ending = asyncio.Event()
        """Set when what is being done is to be given back: it is told to stop, or its connection is lost."""
        self._task: asyncio.Task[None] | None = None
        self._manager: _Manager | None = None
        self._busy: Counter[tuple[str, str]] = Counter()

    def start(self) -> None:
        """Begin to look for jobs."""
        self._task = asyncio.create_task(self._stay())

    async def stop(self) -> None:
        """Give back what is not done yet, so that others go on with it at once."""
        if self._task is None:
            return
        self._stopping.set()
        self._ending.set()
        if self._manager is not None:
            self._manager.shutdown.set()
        await asyncio.wait([self._task], timeout=_STOP_SECONDS)
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _stay(self) -> None:
        while not self._stopping.is_set():
            try:
                async with self._store.connection() as connection:
                    await self._work(connection)
            except Exception as error:  # of the database, its driver or the network
                _LOG.warning("no jobs can be had just now: %s", type(error).__name__)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_AGAIN_SECONDS):
                        await self._stopping.wait()

    async def _work(self, connection: Any) -> None:
        queries = queries_of(Driver(connection))
        self._manager = manager = _Manager(queries, {kind: self._sizes[kind].at_once for kind in self._handlers})
        for kind in self._handlers:
            manager.entrypoint(kind, accepts_context=True)(self._do)
        ending = self._ending = asyncio.Event()
        connection.add_termination_listener(lambda _: ending.set())
        if self._stopping.is_set():
            return
        await manager.run(
            dequeue_timeout=timedelta(seconds=_LOOK_SECONDS),
            batch_size=1,
            shutdown_on_listener_failure=True,
            heartbeat_timeout=timedelta(seconds=HEARTBEAT_SECONDS),
            log_aggregation_interval=timedelta(0),
        )
        # That something was given back, the queue itself tells nobody.
        told = TableChangedEvent(
            channel=SETTINGS.channel,
            operation="update",
            sent_at=utc_now(),
            table=SETTINGS.queue_table,
            type="table_changed_event",
        )
        await queries.driver.notify(SETTINGS.channel, told.model_dump_json())

    async def _do(self, queued: QueuedJob, _: Context) -> None:
        """Do a job, or give it back."""
        headers = queued.headers or {}
        kind, client = str(queued.entrypoint), str(headers.get("client", ""))
        key, data = (queued.payload or b"\n").split(b"\n", 1)
        job = Job(kind, key.decode(), client, float(str(headers.get("cost", 0))), data=data)
        if self._busy[kind, client] >= self._sizes[kind].at_once_of_one:
            raise RetryRequested(timedelta(seconds=_PATIENCE_SECONDS))
        self._busy[kind, client] += 1
        try:
            await self._until_ending(self._handlers[kind](job))
        except (RetryRequested, asyncio.CancelledError):
            raise
        except LiminaError as error:  # the database does not answer, or could not save it
            _LOG.warning("a job has to wait: %s", type(error).__name__)
            raise _again(queued) from None
        except Exception as error:  # whatever it was: it is tried a few times, and found again later if it matters
            _LOG.error("a job failed: %s", kind, exc_info=error)
            if queued.attempts < _MOST_ATTEMPTS:
                raise _again(queued) from None
        finally:
            self._busy[kind, client] -= 1
            if not self._busy[kind, client]:
                del self._busy[kind, client]

    async def _until_ending(self, work: Awaitable[None]) -> None:
        doing = asyncio.ensure_future(work)
        ending = asyncio.create_task(self._ending.wait())
        try:
            await asyncio.wait([doing, ending], return_when=asyncio.FIRST_COMPLETED)
            if not doing.done():
                raise RetryRequested(timedelta(0))
            await doing
        finally:
            ending.cancel()
            doing.cancel()
            await asyncio.gather(doing, return_exceptions=True)


def _again(queued: QueuedJob) -> RetryRequested:
    return RetryRequested(timedelta(seconds=min(2.0 ** min(queued.attempts, 10), _MOST_PATIENCE_SECONDS)))


class _Manager(QueueManager):
    """Takes only what this process has a place for. The queue's own limits are for all processes together."""

    def __init__(self, queries: Queries, places: Mapping[str, int]) -> None:
        super().__init__(queries, SETTINGS.channel)
        self.places = places
        self.taken: dict[JobId, str] = {}

    def entrypoints_below_capacity_limits(self) -> set[Any]:
        busy = Counter(self.taken.values())
        return {kind for kind in self.entrypoint_registry if busy[kind] < self.places[kind]}

    async def fetch_jobs(self, *how: Any, **more: Any) -> AsyncGenerator[QueuedJob, None]:
        async for job in super().fetch_jobs(*how, **more):
            self.taken[job.id] = str(job.entrypoint)
            yield job

    def forget_job(self, job_id: JobId, context: Context, task: asyncio.Task[None]) -> None:
        super().forget_job(job_id, context, task)
        if job_id not in self.job_context:  # else it was given back and taken again
            self.taken.pop(job_id, None)
