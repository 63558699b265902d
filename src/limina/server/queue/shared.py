"""Putting jobs into the queue: those that come meanwhile go together, each with a priority that is fair."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter, defaultdict
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from pgqueuer.queries import Queries

from limina.server.jobs import UNWATCHED_WEIGHT, Job, LaneSize
from limina.server.queue.driver import SECONDS, Driver
from limina.server.queue.fairness import FairClock, priority
from limina.server.storage import Store
from limina.server.storage.queue_tables import LINES_TABLE, SETTINGS, queries_of

_LOOK_SECONDS = 1.0
"""How often it is looked what others have put there."""
_IDLE_SECONDS = 5.0
"""How often while nothing is there and nothing is put there from here."""
_AGAIN_SECONDS = 1.0
_CLOSE_SECONDS = 0.5
_MOST_TOGETHER = 500
_MOST_WAITING = 10_000
"""What is kept while the database does not answer; the rest is found again like whatever is lost."""
_SWEEP_LOCK = 0x4C494D494E44
_TABLE = SETTINGS.queue_table
_LOOK = f"""
SELECT entrypoint, client, watched,
    count(*) FILTER (WHERE status = 'queued') AS waiting,
    count(*) FILTER (WHERE status = 'picked') AS running,
    max(start + cost * CASE WHEN watched THEN 1 ELSE {UNWATCHED_WEIGHT} END) AS ends,
    max(start) FILTER (WHERE status = 'picked') AS begun,
    min(start) FILTER (WHERE status = 'queued') AS first
FROM (
    SELECT entrypoint, status, priority % 2 = 0 AS watched, headers->>'client' AS client,
        (headers->>'cost')::float8 AS cost, (-priority / 2)::float8 AS start
    FROM {_TABLE} WHERE status IN ('queued', 'picked')
) AS jobs
GROUP BY entrypoint, client, watched
"""
_THERE = f"""
SELECT dedupe_key FROM {_TABLE}
WHERE dedupe_key = ANY($1) AND status IN ('queued', 'picked') AND (priority % 2 = 0 OR NOT $2)
"""
_LOST = f"""
SELECT id FROM matches
WHERE bot_since < $1 AND id NOT IN (
    SELECT coalesce(headers->>'about', '') FROM {_TABLE} WHERE status IN ('queued', 'picked')
)
ORDER BY random() FETCH FIRST ($2) ROWS ONLY
"""
_OLD_LINES = f"DELETE FROM {LINES_TABLE} WHERE at < now() - interval '10 minutes'"
_LOG = logging.getLogger("limina.server")


class SharedJobs:
    """The way into the queue, on a connection of its own."""

    def __init__(self, store: Store, sizes: Mapping[str, LaneSize]) -> None:
        self._store = store
        self._sizes = sizes
        self._waiting: dict[str, tuple[Job, bool]] = {}
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._closing = False
        self._looked = float("-inf")
        self._clocks: defaultdict[str, FairClock] = defaultdict(FairClock)
        self._counts: Counter[tuple[str, str]] = Counter()
        """How many jobs of a kind and client wait."""
        self.waiting: Counter[str] = Counter()
        """How many jobs of each kind wait."""
        self.running: Counter[str] = Counter()
        """How many jobs of each kind are being done, by whoever."""

    def open(self) -> None:
        """Begin."""
        self._task = asyncio.create_task(self._stay())

    async def close(self) -> None:
        """Put there what is still waiting for it."""
        if self._task is not None:
            self._closing = True
            self._wake.set()
            await asyncio.wait([self._task], timeout=_CLOSE_SECONDS)
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def check(self, job: Job) -> None:
        """RefusedError where it would be one too many, as far as is known."""
        self._sizes[job.kind].check(self.waiting[job.kind], self._counts[job.kind, job.client])

    def add(self, job: Job, *, unless_there: bool = False) -> None:
        """Have it done, by whoever has a place; RefusedError where too many wait. Never waits.

        What waits already is not added again, but comes forward if somebody watches it now. Where it is likely to be
        there, look first: that costs less than to add it in vain.
        """
        self.check(job)
        if len(self._waiting) < _MOST_WAITING:
            self._waiting[job.name] = job, unless_there
            self._wake.set()

    async def lost(self, seconds: float, most: int) -> list[str]:
        """Matches in which a bot is to move for longer than that, and about which there is no job.

        Of all processes one looks at a time; it also clears the queue's log, which nobody reads, and old lines.
        """
        async with self._store.connection() as connection, connection.transaction():
            if not await connection.fetchval("SELECT pg_try_advisory_xact_lock($1)", _SWEEP_LOCK):
                return []
            await queries_of(Driver(connection)).clear_queue_log()
            await connection.execute(_OLD_LINES)
            before = int((time.time() - seconds) * 1000)
            return [row["id"] for row in await connection.fetch(_LOST, before, most)]

    # --- on its connection

    async def _stay(self) -> None:
        while True:
            try:
                async with self._store.connection() as connection:
                    await self._connected(connection)
                return
            except Exception as error:  # of the database, its driver or the network
                _LOG.warning("jobs cannot be handed over just now: %s", type(error).__name__)
            if self._closing:
                return
            await asyncio.sleep(_AGAIN_SECONDS)

    async def _connected(self, connection: Any) -> None:
        queries = queries_of(Driver(connection))
        while True:
            if time.monotonic() - self._looked >= _LOOK_SECONDS:
                self._look(await connection.fetch(_LOOK, timeout=SECONDS))
            self._wake.clear()
            while self._waiting:
                await self._put(queries, connection)
            if self._closing:
                return
            try:
                async with asyncio.timeout(_LOOK_SECONDS if self.waiting or self.running else _IDLE_SECONDS):
                    await self._wake.wait()
            except TimeoutError:
                pass

    def _look(self, rows: list[Any]) -> None:
        self._looked = time.monotonic()
        self.waiting, self.running, self._counts = Counter(), Counter(), Counter()
        ends: defaultdict[str, dict[tuple[str, bool], float]] = defaultdict(dict)
        begun: dict[str, float] = {}
        first: dict[str, float] = {}
        for row in rows:
            kind, client = row["entrypoint"], row["client"] or ""
            self.waiting[kind] += row["waiting"]
            self.running[kind] += row["running"]
            self._counts[kind, client] += row["waiting"]
            ends[kind][client, row["watched"]] = row["ends"]
            if row["begun"] is not None:
                begun[kind] = max(row["begun"], begun.get(kind, 0.0))
            if row["first"] is not None:
                first[kind] = min(row["first"], first.get(kind, row["first"]))
        for kind in self._sizes:
            self._clocks[kind].look(ends[kind], begun.get(kind, first.get(kind)))

    async def _put(self, queries: Queries, connection: Any) -> None:
        names = list(self._waiting)[:_MOST_TOGETHER]
        taken = {name: self._waiting.pop(name) for name in names}
        try:
            await self._enqueue(queries, connection, taken)
        except Exception:
            self._waiting = {**taken, **self._waiting}
            raise

    async def _enqueue(self, queries: Queries, connection: Any, taken: dict[str, tuple[Job, bool]]) -> None:
        watched = {name: job.watched() for name, (job, _) in taken.items()}
        jobs = {name: job for name, (job, _) in taken.items()}
        for band in (True, False):
            unsure = [name for name, (_, unless_there) in taken.items() if unless_there and watched[name] is band]
            if unsure:
                for row in await connection.fetch(_THERE, unsure, band, timeout=SECONDS):
                    jobs.pop(row["dedupe_key"], None)
        if not jobs:
            return
        starts = {name: self._clocks[job.kind].start(job.client, job.cost, watched[name]) for name, job in jobs.items()}
        # By name: of two processes that add the same jobs, neither waits for one that waits for it.
        jobs = dict(sorted(jobs.items()))
        await queries.enqueue(
            [job.kind for job in jobs.values()],
            [job.key.encode() + b"\n" + job.data for job in jobs.values()],
            [priority(starts[name], watched[name]) for name in jobs],
            [_delay(job) for job in jobs.values()],
            list(jobs),
            [
                {"client": job.client, "cost": str(job.cost), "about": job.key.partition(" ")[0]}
                for job in jobs.values()
            ],
            on_conflict="update_priority",
        )
        for job in jobs.values():
            self.waiting[job.kind] += 1
            self._counts[job.kind, job.client] += 1


def _delay(job: Job) -> timedelta | None:
    return None if job.at is None else timedelta(seconds=max(0.0, job.at - time.time()))
